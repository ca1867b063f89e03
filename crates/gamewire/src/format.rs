//! The formats that are compiled in, and telling them apart.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

#[cfg(feature = "o3de-json")]
pub(crate) use self::o3de_json::is_object_stream;

/// Facts about a format that need no file; one constant per module below.
#[allow(dead_code, reason = "without features there is no format")]
struct Facts {
    name: &'static str,
    crate_name: &'static str,
    extensions: &'static [&'static str],
    magic: &'static [&'static [u8]],
    /// Whether the bytes cannot well be anything else.
    is_sure: fn(&[u8]) -> bool,
    /// Whether a file of a name that others have, too, begins as those of the format do, whole or not.
    is_named: fn(&Path, &[u8]) -> bool,
}

/// One line per format makes its module (`format/<module>.rs`), its variant and its row in the
/// tables below.
macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident in $module:ident if $feature:literal;)+) => {
        $(#[cfg(feature = $feature)] mod $module;)+

        /// A format whose feature is enabled.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$doc])* #[cfg(feature = $feature)] $variant,)+
        }

        impl Format {
            /// The formats whose features are enabled, in the order in which [`detect`] asks them.
            pub const ALL: &'static [Format] = &[$(#[cfg(feature = $feature)] Format::$variant,)+];

            fn facts(self) -> &'static Facts {
                match self {
                    $(#[cfg(feature = $feature)] Format::$variant => &$module::FACTS,)+
                }
            }
        }
    };
}

formats! {
    /// Scenes, resources and project files of Godot, as text and as binary.
    GodotResource in godot_resource if "godot-resource";
    /// Godot's binary Variant: `var_to_bytes`, `store_var`, `project.binary`.
    GodotVariant in godot_variant if "godot-variant";
    /// JSON of Open 3D Engine: prefabs, materials, settings, assets.
    O3deJson in o3de_json if "o3de-json";
    /// KingsIsle's PropertyClass binary: `BINd` files, and the debug XML form.
    KiwiPclass in kiwi_pclass if "kiwi-pclass";
    /// Resonite's and NeosVR's saves: `.brson`, `.7zbson`, `.lz4bson`, `.resonitepackage`.
    ResoniteBrson in resonite_brson if "resonite-brson";
    /// Beans and frames of Zeze.
    ZezeSerialize in zeze_serialize if "zeze-serialize";
}

impl Format {
    /// The name for people, such as `Godot Variant`.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The name of the crate and of the feature, such as `godot-variant`. `Display` writes it and
    /// `FromStr` reads it.
    pub fn crate_name(self) -> &'static str {
        self.facts().crate_name
    }

    /// The file extensions that belong to the format and to nothing else, without the dot, in
    /// lower case. Files of the format often have others: games choose them.
    pub fn extensions(self) -> &'static [&'static str] {
        self.facts().extensions
    }

    /// The first bytes of those files of the format that have such a mark.
    pub fn magic(self) -> &'static [&'static [u8]] {
        self.facts().magic
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.crate_name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    /// Reads a crate name.
    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Format::ALL.iter().find(|format| format.crate_name() == name);
        found.copied().ok_or(UnknownFormat(()))
    }
}

/// The error for a name that is none of a [`Format`] whose feature is enabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(());

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected the name of a format")?;
        for (index, format) in Format::ALL.iter().enumerate() {
            write!(f, "{}{format}", if index == 0 { ": " } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownFormat {}

/// The format of a file, from its whole content and, where that does not say, from its extension.
///
/// The content decides if it cannot well be anything else: a magic, or a structure that accounts
/// for every byte; then the extension, and for names that several formats have, such as `.material`,
/// how the content begins. That takes a few skips the bytes at most, and keeps none of them. Without a
/// path, the content alone decides. `None` is an honest answer: most formats of games have no
/// mark of their own, and a cut-off file accounts for nothing.
///
/// ```
/// use gamewire::{Format, detect};
///
/// # #[cfg(feature = "godot-variant")] {
/// let save = gamewire::godot_variant::to_vec(&["a", "b"])?;
/// assert_eq!(detect(&save, None), Some(Format::GodotVariant));
/// assert_eq!(detect(b"[a, b]", None), None);
/// assert_eq!(detect(b"", Some("project.binary".as_ref())), Some(Format::GodotVariant));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn detect(bytes: &[u8], path: Option<&Path>) -> Option<Format> {
    let of_content = Format::ALL.iter().find(|format| {
        let facts = format.facts();
        facts.magic.iter().any(|magic| bytes.starts_with(magic)) || (facts.is_sure)(bytes)
    });
    let of_name = || {
        let path = path?;
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let own = Format::ALL.iter().find(|own| own.extensions().contains(&extension.as_str()));
        #[cfg(feature = "o3de-json")]
        let own = own.filter(|_| !is_object_stream(bytes));
        own.or_else(|| Format::ALL.iter().find(|own| (own.facts().is_named)(path, bytes)))
    };
    of_content.or_else(of_name).copied()
}
