//! The notation of values in the rows: the Rust types on one side, JSON on the other.

use gamewire_testkit::vectors::{from_hex, to_hex};
use serde_bytes::ByteBuf;
use serde_json::{Value as Json, json};
use zeze_serialize::{Quaternion, Vector2, Vector2Int, Vector3, Vector3Int, Vector4};

use crate::Check;

/// A type of the rows.
pub(crate) trait Notation: Sized {
    fn show(&self) -> Json;
    fn read(json: &Json) -> Check<Self>;
}

fn unfit<T>(json: &Json, what: &str) -> Check<T> {
    Err(format!("the row has {json}, not {what}"))
}

impl Notation for bool {
    fn show(&self) -> Json {
        json!(self)
    }

    fn read(json: &Json) -> Check<Self> {
        json.as_bool().map_or_else(|| unfit(json, "a bool"), Ok)
    }
}

macro_rules! integers {
    ($($kind:ty)+) => {$(
        impl Notation for $kind {
            fn show(&self) -> Json {
                json!(self)
            }

            fn read(json: &Json) -> Check<Self> {
                let value = json.as_i64().and_then(|value| value.try_into().ok());
                value.map_or_else(|| unfit(json, stringify!($kind)), Ok)
            }
        }
    )+};
}

integers!(i8 i16 i32 i64);

macro_rules! floats {
    ($($kind:ty, $prefix:literal, $digits:tt, $bits:ty;)+) => {$(
        impl Notation for $kind {
            fn show(&self) -> Json {
                json!(format!(concat!($prefix, "{:0", stringify!($digits), "x}"), self.to_bits()))
            }

            fn read(json: &Json) -> Check<Self> {
                let digits = json.as_str().and_then(|text| text.strip_prefix($prefix));
                // `from_str_radix` takes a sign, and any number of zeros in front.
                let digits = digits.filter(|digits| {
                    digits.len() == $digits && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
                });
                let bits = digits.and_then(|digits| <$bits>::from_str_radix(digits, 16).ok());
                bits.map_or_else(|| unfit(json, stringify!($kind)), |bits| Ok(<$kind>::from_bits(bits)))
            }
        }
    )+};
}

floats! {
    f32, "f32:", 8, u32;
    f64, "f64:", 16, u64;
}

impl Notation for String {
    fn show(&self) -> Json {
        json!(self)
    }

    fn read(json: &Json) -> Check<Self> {
        json.as_str().map_or_else(|| unfit(json, "text"), |text| Ok(text.to_owned()))
    }
}

impl Notation for ByteBuf {
    fn show(&self) -> Json {
        json!(format!("hex:{}", to_hex(self)))
    }

    fn read(json: &Json) -> Check<Self> {
        match json.as_str().and_then(|text| text.strip_prefix("hex:")) {
            Some(digits) => from_hex(digits).map(ByteBuf::from),
            None => unfit(json, "binary"),
        }
    }
}

macro_rules! vectors {
    ($($kind:ident of $component:ty: $($name:ident)+;)+) => {$(
        impl Notation for $kind {
            fn show(&self) -> Json {
                json!([$(self.$name.show()),+])
            }

            fn read(json: &Json) -> Check<Self> {
                let [$($name),+] = json.as_array().map(Vec::as_slice).unwrap_or_default() else {
                    return unfit(json, stringify!($kind));
                };
                Ok($kind { $($name: <$component>::read($name)?),+ })
            }
        }
    )+};
}

vectors! {
    Vector2 of f32: x y;
    Vector2Int of i32: x y;
    Vector3 of f32: x y z;
    Vector3Int of i32: x y z;
    Vector4 of f32: x y z w;
    Quaternion of f32: x y z w;
}

impl<T: Notation> Notation for Vec<T> {
    fn show(&self) -> Json {
        self.iter().map(T::show).collect()
    }

    fn read(json: &Json) -> Check<Self> {
        match json.as_array() {
            Some(items) => items.iter().map(T::read).collect(),
            None => unfit(json, "a list"),
        }
    }
}

/// A member of an object that must be there.
pub(crate) fn member<'a>(json: &'a Json, name: &str) -> Check<&'a Json> {
    json.get(name).ok_or_else(|| format!("the row has {json}, without {name}"))
}

/// Refuses members that the Rust type does not have.
pub(crate) fn only(json: &Json, names: &[&str]) -> Check {
    let members = json.as_object().ok_or_else(|| format!("the row has {json}, not an object"))?;
    match members.keys().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(format!("the row has `{name}`, which the schema lacks")),
        None => Ok(()),
    }
}

/// Where two notations differ.
pub(crate) fn same(what: &str, expected: &Json, found: &Json) -> Check {
    if expected == found {
        return Ok(());
    }
    let (expected, found) = narrowed(expected, found);
    Err(format!("{what}: expected {}, found {}", short(expected), short(found)))
}

/// The innermost place that is all of the difference.
fn narrowed<'a>(expected: &'a Json, found: &'a Json) -> (&'a Json, &'a Json) {
    let inner = match (expected, found) {
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).find(|(a, b)| a != b)
        }
        (Json::Object(a), Json::Object(b)) if a.len() == b.len() => {
            a.iter().filter_map(|(name, a)| Some((a, b.get(name)?))).find(|(a, b)| a != b)
        }
        _ => None,
    };
    inner.map_or((expected, found), |(expected, found)| narrowed(expected, found))
}

fn short(json: &Json) -> String {
    let text = json.to_string();
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
