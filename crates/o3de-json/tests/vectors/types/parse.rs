//! The names of C++ types.

use super::{Kind, Type};
use crate::Check;

/// Reads a name such as `map<string,vector<int32*>>`. Where the standard library has a type for a
/// container of this crate, `standard` takes it.
pub(crate) fn parse(name: &str, standard: bool) -> Check<Type> {
    let name = name.trim();
    if let Some(inner) = name.strip_suffix('*') {
        return pointer(Kind::Pointer, inner, standard);
    }
    let is_whole = |kind: &Kind| kind.parameters() == 0 && *kind != Kind::Refused;
    if let Some(kind) = Kind::named(name).filter(is_whole) {
        return Ok(Type::simple(kind));
    }
    let (outer, rest) = name.split_once('<').ok_or_else(|| unknown(name))?;
    if !outer.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
        return Err(unknown(name));
    }
    let arguments = split(rest.strip_suffix('>').ok_or_else(|| unknown(name))?);
    let sized = match outer {
        "array" | "fixed_vector" => {
            format!("{outer} of {}", arguments.last().copied().unwrap_or_default())
        }
        "tuple" => format!("tuple of {}", arguments.len()),
        "map" | "unordered_map" if standard => format!("std {outer}"),
        outer => outer.to_owned(),
    };
    let kind = Kind::named(&sized).ok_or_else(|| unknown(name))?;
    if kind == Kind::Pointer {
        let [inner] = arguments[..] else { return Err(unknown(name)) };
        return pointer(kind, inner, standard);
    }
    let count = kind.parameters();
    let (types, rest) = arguments.split_at_checked(count).ok_or_else(|| unknown(name))?;
    // `array` and `fixed_vector` have a number too; what is refused may have anything.
    let numbers = usize::from(matches!(outer, "array" | "fixed_vector"));
    let is_right = rest.len() == numbers && rest.iter().all(|word| word.parse::<u32>().is_ok());
    if !is_right && kind != Kind::Refused {
        return Err(unknown(name));
    }
    let parameters = types.iter().map(|argument| parse(argument, standard));
    Ok(Type { kind, parameters: parameters.collect::<Check<_>>()? })
}

/// Whether a hash map of the standard library is somewhere in it.
pub(crate) fn is_hashed(of_row: &Type) -> bool {
    of_row.kind == Kind::StandardUnorderedMap || of_row.parameters.iter().any(is_hashed)
}

/// Whether a type of the standard library is somewhere in it.
pub(crate) fn has_standard(of_row: &Type) -> bool {
    matches!(of_row.kind, Kind::StandardMap | Kind::StandardUnorderedMap)
        || of_row.parameters.iter().any(has_standard)
}

impl Kind {
    /// How many types a type of this kind is composed of.
    fn parameters(self) -> usize {
        use Kind::*;
        match self {
            List | Fixed2 | Fixed4 | Fixed16 | Fixed256 => 1,
            Pointer | Set | UnorderedSet | MultiSet => 1,
            Array1 | Array2 | Array3 | Array4 | Array5 | Array6 | Array7 | Array8 | Tuple1 => 1,
            Map | StandardMap | UnorderedMap | StandardUnorderedMap | MultiMap | Tuple2 => 2,
            Tuple3 => 3,
            Tuple4 => 4,
            _ => 0,
        }
    }
}

/// Raw, shared, unique and intrusive pointers are alike. Those to a class with heirs may point to
/// one of these.
fn pointer(kind: Kind, inner: &str, standard: bool) -> Check<Type> {
    let heirs = Kind::named(&format!("{inner}*"));
    let inner = match heirs {
        Some(kind) => Type::simple(kind),
        None => parse(inner, standard)?,
    };
    Ok(Type { kind, parameters: vec![inner] })
}

/// The arguments between the brackets, at the commas that are in no further brackets.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    text.split(|c: char| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        c == ',' && depth == 0
    })
    .collect()
}

fn unknown(name: &str) -> String {
    format!("no Rust type stands for `{name}`")
}
