//! [`Number`]: a number of a document, in the spelling that it was read in.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use super::Text;
use crate::Options;
use crate::read::{Reader, Worth};

/// A number node.
///
/// It keeps its digits: `1.50`, `15e-1` and `1.5` are equal in value and not [`==`](PartialEq). As in
/// the engine, a number is an integer node when it has no fraction and no exponent and fits 64 bits,
/// with or without sign; every other number is a double node.
#[derive(Clone)]
pub struct Number(NumberRepr);

#[derive(Clone)]
enum NumberRepr {
    Spelled(Text),
    Made(Worth),
}

impl Number {
    /// The text must be a number of JSON.
    #[inline]
    pub(crate) fn spelled(text: Text) -> Self {
        Number(NumberRepr::Spelled(text))
    }

    /// The number that a literal of Rust is, with its digits; `None` unless these are JSON's, too.
    pub(crate) fn of_literal(text: &str) -> Option<Self> {
        let mut reader = Reader::new(text, &Options::new());
        reader.skip_number().and_then(|()| reader.end()).ok()?;
        let is_plain = text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
            && text.ends_with(|last: char| last.is_ascii_digit());
        is_plain.then(|| Number::spelled(text.into()))
    }

    /// Whether it has these characters of a text.
    pub(crate) fn is_part(&self, of: &Arc<String>, range: &Range<usize>) -> bool {
        matches!(&self.0, NumberRepr::Spelled(text) if text.is_part(of, range))
    }

    pub(crate) fn worth(&self) -> Worth {
        match &self.0 {
            NumberRepr::Spelled(text) => {
                Reader::new(text, &Options::new()).number().unwrap_or(Worth::Double(f64::NAN))
            }
            NumberRepr::Made(worth) => *worth,
        }
    }

    /// Whether it is an integer node: no fraction, no exponent, 64 bits.
    pub fn is_integer(&self) -> bool {
        !matches!(self.worth(), Worth::Double(_))
    }

    /// The integer, if it is an integer node in the range of `i64`.
    pub fn as_i64(&self) -> Option<i64> {
        match self.worth() {
            Worth::Unsigned(value) => i64::try_from(value).ok(),
            Worth::Signed(value) => Some(value),
            Worth::Double(_) => None,
        }
    }

    /// The integer, if it is an integer node in the range of `u64`.
    pub fn as_u64(&self) -> Option<u64> {
        match self.worth() {
            Worth::Unsigned(value) => Some(value),
            _ => None,
        }
    }

    /// The nearest double, of integer nodes too.
    pub fn as_f64(&self) -> f64 {
        self.worth().to_f64()
    }

    /// The digits: as they were read, or as they would be written. An infinity or NaN, which JSON
    /// cannot say, is `inf`, `-inf` or `NaN` here and an error when it is written.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.0 {
            NumberRepr::Spelled(text) => Cow::Borrowed(text.as_str()),
            NumberRepr::Made(Worth::Unsigned(value)) => Cow::Owned(value.to_string()),
            NumberRepr::Made(Worth::Signed(value)) => Cow::Owned(value.to_string()),
            NumberRepr::Made(Worth::Double(value)) if value.is_finite() => {
                Cow::Owned(crate::write::double_text(*value))
            }
            NumberRepr::Made(Worth::Double(value)) => Cow::Owned(value.to_string()),
        }
    }

    /// Whether JSON can say it.
    pub(crate) fn is_finite(&self) -> bool {
        match &self.0 {
            NumberRepr::Made(Worth::Double(value)) => value.is_finite(),
            _ => true,
        }
    }
}

/// Equal when they are written with the same characters.
impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (NumberRepr::Spelled(a), NumberRepr::Spelled(b)) => a == b,
            _ => self.text() == other.text(),
        }
    }
}

impl Eq for Number {}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

macro_rules! from {
    ($($own:ty => |$value:ident| $worth:expr),+) => {$(
        impl From<$own> for Number {
            fn from($value: $own) -> Self {
                Number(NumberRepr::Made($worth))
            }
        }
    )+};
}

from! {
    i8 => |value| i64::from(value).into(), i16 => |value| i64::from(value).into(),
    i32 => |value| i64::from(value).into(), i64 => |value| value.into(),
    u8 => |value| Worth::Unsigned(value.into()), u16 => |value| Worth::Unsigned(value.into()),
    u32 => |value| Worth::Unsigned(value.into()), u64 => |value| Worth::Unsigned(value),
    f32 => |value| Worth::Double(value.into()), f64 => |value| Worth::Double(value)
}
