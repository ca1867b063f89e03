use std::fmt;
use std::sync::Arc;

use gamewire_core::limits::Limits;

use crate::registry::TypeRegistry;
use crate::report::{Action, Issue};
use crate::setters::setters;

/// Which description of the format to follow where they differ.
///
/// All differences are
/// [in a table](https://github.com/gamewire/gamewire/blob/main/docs/formats/o3de-json.md#the-page-and-the-engine).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Conformance {
    /// As the engine does.
    #[default]
    Engine,
    /// The published page of the format, taken literally: short vectors and arrays are filled up,
    /// maps whose keys are no strings are always arrays, flags are written in the order of their
    /// registration without redundant names, a colour object has exactly one key, and no
    /// default is stripped.
    Docs,
}

/// How doubles are spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Floats {
    /// As the engine writes them: an `f32` is widened first, and the digits are those of its
    /// writer, which in a few of a thousand cases are not the shortest.
    #[default]
    Engine,
    /// An `f32` has the digits that tell it from other floats: `0.1`, not `0.10000000149011612`.
    Shortest,
}

/// The function that [`Options::on_issue`] takes.
#[derive(Clone)]
pub(crate) struct Callback(Arc<dyn Fn(&Issue) -> Action + Send + Sync>);

impl Callback {
    pub(crate) fn ask(&self, issue: &Issue) -> Action {
        (self.0)(issue)
    }
}

/// Whether it is the same function.
impl PartialEq for Callback {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a function")
    }
}

/// The settings that are one value each: field, default and method.
macro_rules! settings {
    (
        $(#[$own:meta])*
        pub struct Options;

        impl Options {
            $($(#[$meta:meta])*
            pub fn $name:ident($argument:ident: $type:ty = $default:expr);)+
        }
    ) => {
        $(#[$own])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct Options {
            $(pub(crate) $name: $type,)+
            pub(crate) limits: Limits,
            pub(crate) types: Option<Arc<TypeRegistry>>,
            pub(crate) on_issue: Option<Callback>,
        }

        impl Options {
            /// The engine's conformance, comments, compact output, finite limits.
            pub const fn new() -> Self {
                let limits = Limits::DEFAULT.with_output(1 << 30);
                Options { $($name: $default,)+ limits, types: None, on_issue: None }
            }

            setters! { $($(#[$meta])* pub fn $name($argument: $type);)+ }
        }
    };
}

settings! {
/// How to read and write: strictness, conformance, limits.
///
/// ```
/// use o3de_json::Options;
///
/// let options = Options::new().trailing_commas(true).max_depth(16);
/// assert_eq!(options.from_str::<Vec<u8>>("[1, 2, /* three */ 3,]")?, [1, 2, 3]);
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub struct Options;

impl Options {
    /// Which description of the format to follow. Default [`Conformance::Engine`].
    pub fn conformance(conformance: Conformance = Conformance::Engine);

    /// Whether unknown members and spare elements of arrays are errors, as in the engine's functions
    /// for whole files. Default `false`: they are skipped. What does not fit its type is an error
    /// either way, except in [`load`](crate::load()), which has a [`Report`](crate::report::Report)
    /// in place of both.
    pub fn strict(strict: bool = false);

    /// Whether members that the text does not have get the zero value of their type at once: 0,
    /// `false`, empty text and containers, `None`, null UUIDs, identities, and of a struct one of such
    /// members. Default `false`: an absent member is serde's affair, which `#[serde(default)]` fills.
    ///
    /// This is for types that are meant to be sparse and say so nowhere. It comes **before** serde's
    /// own defaults: with it, an absent member is 0 even where it says `#[serde(default = "seven")]`.
    /// [`store`](Self::store) takes the same
    /// zeros for the defaults.
    ///
    /// serde lists a field with an `alias` as two fields, of which one is always absent. So a struct
    /// with an `alias` is an error that says so.
    ///
    /// ```
    /// #[derive(serde::Deserialize)]
    /// struct Lamp { name: String, height: f32 }
    ///
    /// let sparse = o3de_json::Options::new().absent_as_zero(true);
    /// let lamp: Lamp = sparse.from_str(r#"{"name": "Door"}"#)?;
    /// assert_eq!((lamp.name.as_str(), lamp.height), ("Door", 0.0));
    /// let error = o3de_json::from_str::<Lamp>(r#"{"name": "Door"}"#).err().unwrap();
    /// assert!(error.to_string().starts_with("missing field `height`, which `#[serde(default)]` or"));
    /// # Ok::<(), o3de_json::Error>(())
    /// ```
    pub fn absent_as_zero(zero: bool = false);

    /// Accepts `//` and `/* */` where white space may stand, as the engine's file functions do.
    /// Default `true`; with `false` the text must be JSON by RFC 8259.
    pub fn comments(accept: bool = true);

    /// Accepts a comma after the last element or member, as the engine's settings registry does.
    /// Default `false`.
    pub fn trailing_commas(accept: bool = false);

    /// Accepts bytes that are not UTF-8 inside of strings, which the engine neither checks nor changes.
    /// Default `false`.
    ///
    /// Each such byte is one character: 0x80 is U+EF80, 0xff is U+EFFF. With the same option it is
    /// written as that byte again, by what writes bytes. Characters of this range themselves are read
    /// as their three bytes, so that nothing is ambiguous.
    ///
    /// ```
    /// use o3de_json::{Options, Value};
    ///
    /// let options = Options::new().invalid_utf8(true);
    /// let value: Value = options.from_slice(b"[\"caf\xe9\"]")?;
    /// assert_eq!(value[0].as_str(), Some("caf\u{efe9}"));
    /// assert_eq!(options.to_vec(&value)?, b"[\"caf\xe9\"]");
    /// # Ok::<(), o3de_json::Error>(())
    /// ```
    pub fn invalid_utf8(accept: bool = false);

    /// Whether [`load_into`](Self::load_into) empties sequences and maps that the text has, before
    /// it fills them. Default `false`, as in the engine: they are added to.
    pub fn clear_containers(clear: bool = false);

    /// Whether [`store`](Self::store) and its kin write values that are the default. Default
    /// `false`. [`to_string`](Self::to_string) always does.
    pub fn keep_defaults(keep: bool = false);

    /// Whether stripping compares floats exactly. Default `false`, as in the engine: a float is its
    /// default when they differ by no more than the epsilon of its type, so that 1e-8 is lost
    /// where the default is 0.
    pub fn exact_floats(exact: bool = false);

    /// Whether text is written with line breaks, indented by four spaces, as the engine's files.
    /// Default `false`. [`to_string_pretty`](Self::to_string_pretty) always does.
    pub fn pretty(pretty: bool = false);

    /// How floats are spelled. Default [`Floats::Engine`].
    pub fn floats(floats: Floats = Floats::Engine);

    /// The most issues that a [`Report`](crate::report::Report) holds; more are only counted, and so are
    /// those beyond 64 and one for each eight bytes of the text. Default 1000.
    pub fn max_issues(count: usize = 1000);
}
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl Options {
    /// Accepts trailing commas where the name of a file says that the settings registry reads it: its
    /// extension is `setreg` or `setregpatch`, in any case. Other names change nothing.
    #[must_use]
    pub fn for_path(self, path: impl AsRef<std::path::Path>) -> Self {
        let extension = path.as_ref().extension().and_then(|extension| extension.to_str());
        let is = |known| extension.is_some_and(|own| own.eq_ignore_ascii_case(known));
        if is("setreg") || is("setregpatch") { self.trailing_commas(true) } else { self }
    }

    /// Sets the types of the engine, for `$type`. Without them, only the variants of a Rust enum are
    /// known.
    #[must_use]
    pub fn types(mut self, types: Arc<TypeRegistry>) -> Self {
        self.types = Some(types);
        self
    }

    /// The budget of [`max_memory`](Self::max_memory), where one is set.
    pub const fn memory_limit(&self) -> Option<usize> {
        self.limits.max_memory
    }

    /// Asks `callback` about every issue before it becomes an error or a line of the report, as the
    /// engine's reporter: it may turn the outcome into another one, or stop the load.
    #[must_use]
    pub fn on_issue(mut self, callback: impl Fn(&Issue) -> Action + Send + Sync + 'static) -> Self {
        self.on_issue = Some(Callback(Arc::new(callback)));
        self
    }
}

gamewire_core::limit_methods! { Options;
    /// How deep arrays and objects may nest in a [`Value`](crate::Value), in a
    /// [`RawValue`](crate::types::RawValue) and in what is skipped, reading and writing, counted from
    /// the root. Default 128.
    max_depth;

    /// How deep arrays and objects may nest that Rust types are read from and written to. Default
    /// 128, for which a stack of 2 MiB is enough: serde recurses. As many options, newtypes and
    /// pointers may stand around one value, too.
    max_typed_depth;

    /// The most bytes that are drained from a reader. Default 256 MiB.
    max_alloc;

    /// The most bytes that one value may be written as. Default 1 GiB.
    max_output;

    /// About the most bytes of memory that reading one input may hold: a [`Value`](crate::Value) of it,
    /// a [`Document`](crate::value::Document), what serde buffers, imported files, the spans of an
    /// explanation. The memory of Rust types is their own affair.
    max_memory;
}
