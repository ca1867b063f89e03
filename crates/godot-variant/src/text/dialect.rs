//! Text of engines 3.x and 4.x: the same but for the names of some types, and types that 3.x has not.

use super::read::{Token, Tokens};
use super::write;
use crate::error::Result;
use crate::types::Type;
use crate::{Dialect, Options, Spelling};

/// The names of the same types in engines 3.x and 4.x.
const NAMES: [(&str, &str); 10] = [
    ("Quat", "Quaternion"),
    ("Transform", "Transform3D"),
    ("PoolByteArray", "PackedByteArray"),
    ("PoolIntArray", "PackedInt32Array"),
    ("PoolRealArray", "PackedFloat32Array"),
    ("PoolStringArray", "PackedStringArray"),
    ("PoolVector2Array", "PackedVector2Array"),
    ("PoolVector3Array", "PackedVector3Array"),
    ("PoolColorArray", "PackedColorArray"),
    ("inf_neg", "-inf"),
];

/// The name of a type in engines 3.x.
pub(super) fn old_name(kind: Type) -> &'static str {
    let own = NAMES.iter().find(|(_, new)| *new == kind.name());
    own.map_or(kind.name(), |(old, _)| old)
}

/// Finds which engine wrote a text of one value: that whose names of types it has; `None` for a text that is the same
/// in both, or broken.
///
/// ```
/// use godot_variant::{Dialect, text::dialect_of};
///
/// assert_eq!(dialect_of("[ PoolIntArray( 1, 2 ) ]"), Some(Dialect::Godot3));
/// assert_eq!(dialect_of("[&\"name\"]"), Some(Dialect::Godot4));
/// assert_eq!(dialect_of("[\"Quat(\"]"), None);
/// ```
pub fn dialect_of(text: &str) -> Option<Dialect> {
    let mut tokens = Tokens::new(text);
    loop {
        match tokens.next().ok()? {
            Token::End => return None,
            Token::Name(_) => return Some(Dialect::Godot4),
            Token::Word(word) if tokens.next_is('[') && matches!(word, "Array" | "Dictionary") => {
                return Some(Dialect::Godot4);
            }
            Token::Word(word) if tokens.next_is('(') => {
                if NAMES.iter().any(|(old, _)| *old == word) {
                    return Some(Dialect::Godot3);
                }
                let is_new = NAMES.iter().any(|(_, new)| *new == word);
                let kind = Type::from_name(word).filter(|kind| kind.is_row());
                if is_new || kind.is_some_and(|kind| kind.id(Dialect::Godot3).is_none()) {
                    return Some(Dialect::Godot4);
                }
            }
            _ => {}
        }
    }
}

/// Writes the text of one value for another engine: with its names of types, and everything else as it is.
///
/// ```
/// use godot_variant::{Dialect, Options, text::in_dialect};
///
/// let text = in_dialect("[ Quat( 0, 0, 0, 1 ) ]", Dialect::Godot4, &Options::new())?;
/// assert_eq!(text, "[ Quaternion( 0, 0, 0, 1 ) ]");
/// let error = in_dialect("{\"at\": Vector2i(1, 2)}", Dialect::Godot3, &Options::new());
/// assert_eq!(error.unwrap_err().path().to_string(), "at");
/// # Ok::<(), godot_variant::Error>(())
/// ```
///
/// # Errors
/// A text that is no value; for 3.x, a value of a type that it has not, with its path; an object, whose properties
/// are others in the other engine.
pub fn in_dialect(text: &str, dialect: Dialect, options: &Options) -> Result<String> {
    let options = options.clone().allow_objects(true);
    let value = super::value_from_str(text, &options)?;
    // A type without bytes has no text.
    options.clone().dialect(dialect).allow_objects(false).value_to_vec(&value)?;
    let (mut out, mut copied) = (String::with_capacity(text.len()), 0);
    let mut tokens = Tokens::new(text);
    loop {
        let word = match tokens.next()? {
            Token::End => break,
            Token::Word(word) => word,
            _ => continue,
        };
        let (start, end) = (tokens.start(), tokens.offset());
        if dialect == Dialect::Godot3 && word == "PackedByteArray" && tokens.next_is('(') {
            let inside = text.get(tokens.offset()..).unwrap_or_default();
            // Base64, which 3.x does not read.
            if inside.trim_start_matches(['(', ' ', '\n', '\t']).starts_with('"') {
                return write::write(&value, &options.spelling(Spelling::Format2));
            }
        }
        let name = NAMES.iter().find_map(|(old, new)| match dialect {
            Dialect::Godot3 => (*new == word).then_some(*old),
            _ => (*old == word && word != "inf_neg").then_some(*new),
        });
        if let Some(name) = name {
            out.push_str(text.get(copied..start).unwrap_or_default());
            out.push_str(name);
            copied = end;
        }
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Ok(out)
}
