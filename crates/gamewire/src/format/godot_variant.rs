//! How a Godot variant is distinguished from other files: by structure, as only `project.binary` has a magic.

use std::path::Path;

use godot_variant::frame::{self, Framing};
use godot_variant::text::config::ConfigFile;
use godot_variant::{Dialect, Options, project, types::Type};
use serde_core::de::IgnoredAny;

use super::Facts;

pub(super) const FACTS: Facts = Facts {
    name: "Godot Variant",
    crate_name: "godot-variant",
    // That of `project.binary`. What `store_var` writes has whatever name the game gives it.
    extensions: &["binary"],
    // A settings file, a compressed and an encrypted one.
    magic: &[&project::MAGIC, b"GCPF", b"GDEC"],
    is_sure,
    is_named,
};

/// Whether it is a ConfigFile: the engine's own, or a `.cfg` that reads as one.
fn is_named(path: &Path, bytes: &[u8]) -> bool {
    let name = path.file_name().and_then(|own| own.to_str()).unwrap_or_default();
    let is_config = || {
        let options = Options::new().allow_objects(true);
        let text = std::str::from_utf8(bytes).ok();
        let config = text.and_then(|text| ConfigFile::load_with(text, &options).ok());
        config.is_some_and(|config| config.iter().next().is_some())
    };
    name == "project.godot"
        || ((name.ends_with(".cfg") || name.ends_with(".import")) && is_config())
}

fn is_sure(bytes: &[u8]) -> bool {
    is_base64(bytes) || is_binary(bytes)
}

/// Whether the input is the text of `Marshalls.variant_to_base64`. No word of a language is the
/// base64 of a variant: the zeros of its header are `AAA`.
fn is_base64(bytes: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let text = bytes.trim_ascii();
    if text.len() < 12 || !text.iter().all(is_digit) {
        return false;
    }
    let Ok(text) = std::str::from_utf8(text) else { return false };
    [Dialect::Godot4, Dialect::Godot3]
        .into_iter()
        .any(|dialect| frame::from_base64::<IgnoredAny>(text, &options(dialect)).is_ok())
}

fn is_binary(bytes: &[u8]) -> bool {
    // Variants and frames are multiples of four bytes. Four bytes alone could only say nil, as any
    // four zeros do.
    if bytes.len() < 8 || !bytes.len().is_multiple_of(4) {
        return false;
    }
    // Not the page's own dialect, which no engine writes.
    [Dialect::Godot4, Dialect::Godot3].into_iter().any(|dialect| {
        is_variant(bytes, dialect)
            || is_stream(bytes, dialect, false)
            || is_stream(bytes, dialect, true)
    })
}

/// Data beyond a limit is of the format all the same. Reading over a value takes no stack.
fn options(dialect: Dialect) -> Options {
    let options = Options::new().dialect(dialect).allow_objects(true);
    options.max_depth(usize::MAX).max_alloc(usize::MAX)
}

/// Whether the input is frames from end to end, each filled by one variant.
fn is_stream(bytes: &[u8], dialect: Dialect, big_endian: bool) -> bool {
    let framing = Framing::new().big_endian(big_endian).options(options(dialect));
    let mut rest = bytes;
    while !rest.is_empty() {
        match framing.split(rest) {
            Ok((frame, after)) if is_variant(frame, dialect) => rest = after,
            _ => return false,
        }
    }
    true
}

/// Whether the input is one variant to its last byte. Reads over it and keeps nothing.
fn is_variant(bytes: &[u8], dialect: Dialect) -> bool {
    is_header(bytes, dialect) && options(dialect).from_slice::<IgnoredAny>(bytes).is_ok()
}

/// Whether an engine would begin a variant so. Decoders look at less: they ignore byte 1 and flags
/// without meaning.
fn is_header(bytes: &[u8], dialect: Dialect) -> bool {
    let Some(&[id, 0, flags, 0]) = bytes.first_chunk::<4>() else { return false };
    Type::from_id(id.into(), dialect).is_some_and(|kind| flags & !flags_of(kind, dialect) == 0)
}

/// The flags that the type can have.
fn flags_of(kind: Type, dialect: Dialect) -> u8 {
    use Type::*;
    match kind {
        Int | Float | Object => 0b1,
        _ if dialect == Dialect::Godot3 => 0,
        Vector2 | Vector3 | Vector4 | Rect2 | Transform2D | Plane | Quaternion | Aabb | Basis
        | Transform3D | Projection | PackedVector2Array | PackedVector3Array
        | PackedVector4Array => 0b1,
        Array => 0b11,
        Dictionary => 0b1111,
        _ => 0,
    }
}
