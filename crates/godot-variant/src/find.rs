//! Which engine wrote data that does not say so.

use crate::frame::Framing;
use crate::project::ProjectSettings;
use crate::wrapped::FileKind;
use crate::{Dialect, Options, Value, value};

/// The result of [`Dialect::find`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FoundDialect {
    /// The dialect that reads the data; [`Godot4`](Dialect::Godot4) where both do equally well.
    pub dialect: Dialect,
    /// Whether the other engine's dialect reads all of it, too.
    pub is_both: bool,
    /// Whether that reads other values, and would write the same bytes: nothing says which engine wrote the data.
    pub is_ambiguous: bool,
}

impl Dialect {
    /// Finds the engine of a bare variant, of frames (`store_var`, either order of bytes), of a
    /// `project.binary` and of files in wrappers: the dialect that reads the data to its last byte, and
    /// would write the same. `None` where neither engine's does; [`Docs`](Dialect::Docs) is never found.
    ///
    /// An encrypted file says it in its header, without a key, and a `project.binary` in its
    /// `config_version`. A compressed file is unpacked, which takes the feature `gcpf`. Otherwise the
    /// numbers of types decide: a Dictionary of 3.x is a Transform3D of 4.x, which seldom fills the rest.
    ///
    /// ```
    /// use godot_variant::{Dialect, Options, variant};
    ///
    /// let save = Options::new().dialect(Dialect::Godot3).to_vec(&variant!({ "gold": 7 }))?;
    /// let found = Dialect::find(&save).unwrap();
    /// assert_eq!((found.dialect, found.is_both), (Dialect::Godot3, false));
    /// // A number is the same in both.
    /// let number = godot_variant::to_vec(&7)?;
    /// assert!(Dialect::find(&number).unwrap().is_both);
    /// assert_eq!(Dialect::find(b"text"), None);
    /// # Ok::<(), godot_variant::Error>(())
    /// ```
    pub fn find(bytes: &[u8]) -> Option<FoundDialect> {
        let sure = |dialect| Some(FoundDialect { dialect, is_both: false, is_ambiguous: false });
        match FileKind::of(bytes) {
            // The word of the mode, and whole blocks after it.
            Some(FileKind::Encrypted) => {
                let godot3 =
                    bytes.len().is_multiple_of(16) && bytes.get(4..8) == Some(&[1, 0, 0, 0]);
                sure(if godot3 { Dialect::Godot3 } else { Dialect::Godot4 })
            }
            #[cfg(feature = "gcpf")]
            Some(FileKind::Compressed) => {
                Dialect::find(&crate::wrapped::Opener::new().open(bytes).ok()?.plain)
            }
            Some(FileKind::ProjectSettings) => match settings_version(bytes) {
                Some(version) => sure(if version < 5 { Dialect::Godot3 } else { Dialect::Godot4 }),
                None => better(
                    &|dialect| settings(bytes, dialect, false),
                    &|dialect| settings(bytes, dialect, true),
                    &|_| None,
                ),
            },
            _ => {
                let framings = framings(bytes);
                let any = |dialect, same| framings.iter().any(|own| all(own, dialect, same));
                let values = |dialect| framings.iter().find_map(|own| values(own, dialect));
                better(&|dialect| any(dialect, false), &|dialect| any(dialect, true), &values)
            }
        }
    }
}

impl Dialect {
    /// Whether the dialect reads a bare variant, or frames, to the last byte.
    pub fn reads(self, bytes: &[u8]) -> bool {
        framings(bytes).iter().any(|own| all(own, self, false))
    }
}

/// The dialect that reads the data; of two, the one that fits better.
fn better(
    reads: &dyn Fn(Dialect) -> bool,
    is_same: &dyn Fn(Dialect) -> bool,
    values: &dyn Fn(Dialect) -> Option<Vec<u8>>,
) -> Option<FoundDialect> {
    let both = [Dialect::Godot4, Dialect::Godot3];
    let [four, three] = both.map(reads);
    let is_both = four && three;
    // Whether the same would be written takes the whole value, and is asked only of both.
    let [like_four, like_three] = match is_both {
        true => both.map(is_same),
        false => [four, three],
    };
    let is_three = like_three && !like_four || three && !four;
    let dialect = if is_three { Dialect::Godot3 } else { Dialect::Godot4 };
    let is_ambiguous =
        is_both && like_three == like_four && values(Dialect::Godot4) != values(Dialect::Godot3);
    (four || three).then_some(FoundDialect { dialect, is_both, is_ambiguous })
}

/// The variants that a dialect reads, in bytes that say everything.
fn values(bodies: &[&[u8]], dialect: Dialect) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for body in bodies {
        let read = |objects| options(dialect, objects).value_from_slice(body).ok();
        let value = read(true).or_else(|| read(false))?;
        all.extend(options(dialect, true).in_memory().value_to_vec(&value).ok()?);
    }
    (!bodies.is_empty()).then_some(all)
}

/// The variants that the bytes may be made of: those of frames that are filled, or one.
fn framings(bytes: &[u8]) -> Vec<Vec<&[u8]>> {
    let mut found = vec![vec![bytes]];
    for big_endian in [false, true] {
        let frames =
            Framing::new().big_endian(big_endian).options(Options::new().max_alloc(usize::MAX));
        let (mut bodies, mut rest) = (Vec::new(), bytes);
        // No variant has no bytes.
        while let Ok((body @ [_, ..], after)) = frames.split(rest) {
            bodies.push(body);
            rest = after;
        }
        if rest.is_empty() {
            found.push(bodies);
        }
    }
    found
}

fn options(dialect: Dialect, objects: bool) -> Options {
    Options::new().dialect(dialect).allow_objects(objects).max_depth(usize::MAX)
}

/// Whether a dialect reads all variants; with `is_same`, and would write the same. The padding of names in
/// 3.x is whatever was in memory.
fn all(bodies: &[&[u8]], dialect: Dialect, is_same: bool) -> bool {
    let good = |body: &[u8], objects| match is_same {
        true => options(dialect, objects).strict(true).value_from_slice(body).is_ok(),
        false => value::fills(body, options(dialect, objects)),
    };
    !bodies.is_empty() && bodies.iter().all(|body| good(body, true) || good(body, false))
}

/// 4 in 3.x and 5 in 4.x; the same bytes in both.
fn settings_version(bytes: &[u8]) -> Option<i64> {
    let read = |dialect| ProjectSettings::from_slice_with(bytes, &options(dialect, true)).ok();
    let settings = read(Dialect::Godot4).or_else(|| read(Dialect::Godot3))?;
    settings.get("config_version").and_then(Value::as_i64)
}

fn settings(bytes: &[u8], dialect: Dialect, is_same: bool) -> bool {
    let options = options(dialect, true);
    ProjectSettings::from_slice_with(bytes, &options)
        .is_ok_and(|read| !is_same || read.to_vec_with(&options).is_ok_and(|own| own == bytes))
}
