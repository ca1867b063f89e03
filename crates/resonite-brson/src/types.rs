//! The types of BSON and of the engine that serde does not have.

mod serde;
mod time;

use std::fmt;

use crate::error::{Error, Result, Shortened};
use crate::text::{Str, hex};
use crate::value::Document;

/// 12 bytes that identify a document of a MongoDB database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(
    /// The bytes.
    pub [u8; 12],
);

/// Bytes with a subtype: 0 generic, 4 UUID, 128 and up whatever the writer likes. The engine has
/// no such values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Binary {
    /// The meaning of the bytes.
    pub subtype: u8,
    /// The bytes; of the obsolete subtype 2 without the second length.
    pub bytes: Vec<u8>,
}

/// A regular expression. Neither part may contain NUL.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Regex {
    /// The pattern.
    pub pattern: Str,
    /// Letters in alphabetical order: `i`, `m`, `s`, `x`.
    pub options: Str,
}

/// A position in MongoDB's log of operations. Not a date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp {
    /// Seconds since 1970.
    pub time: u32,
    /// Number within that second.
    pub increment: u32,
}

/// The obsolete reference to a document of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DbPointer {
    /// Database and collection.
    pub namespace: Str,
    /// The document.
    pub id: ObjectId,
}

/// JavaScript with the document of its variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CodeWithScope {
    /// The program.
    pub code: Str,
    /// Its variables.
    pub scope: Document,
}

/// A decimal number of up to 34 digits, IEEE 754-2008 decimal128 in its binary encoding. The engine has
/// none, so its text is that of its bits: `bits:` and 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decimal128(
    /// The bytes as they are on the wire, little-endian.
    pub [u8; 16],
);

/// A point in time: milliseconds since 1970, UTC. The engine rounds down to these and shows them
/// in local time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DateTime(
    /// Milliseconds, negative before 1970.
    pub i64,
);

impl Decimal128 {
    /// From `bits:` and 32 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Decimal128> {
        let digits = text.strip_prefix("bits:")?;
        hex(digits, 32).map(|bits| Decimal128(bits.to_le_bytes()))
    }
}

impl fmt::Display for Decimal128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bits:{:032x}", u128::from_le_bytes(self.0))
    }
}

impl ObjectId {
    /// From 24 hexadecimal digits.
    pub fn parse(text: &str) -> Option<ObjectId> {
        hex(text, 24)?.to_be_bytes().last_chunk().copied().map(ObjectId)
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// An integer that keeps its width on the wire. The engine takes either for any integer.
///
/// Plain integers are read from both widths too, and are written with their own: `i32` and smaller
/// as int32, `i64` as int64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Int {
    /// An int32.
    I32(i32),
    /// An int64.
    I64(i64),
}

impl Int {
    /// The number.
    pub fn get(self) -> i64 {
        match self {
            Int::I32(value) => value.into(),
            Int::I64(value) => value,
        }
    }

    /// Another number in the same width.
    ///
    /// # Errors
    /// A number that does not fit.
    pub fn with(self, value: i64) -> Result<Int> {
        match self {
            Int::I64(_) => Ok(Int::I64(value)),
            Int::I32(_) => i32::try_from(value).map(Int::I32).map_err(|_| {
                Error::range(format!("expected an integer that fits an int32, found {value}"))
            }),
        }
    }
}

impl From<i32> for Int {
    fn from(value: i32) -> Self {
        Int::I32(value)
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Self {
        Int::I64(value)
    }
}

impl From<Int> for i64 {
    fn from(value: Int) -> Self {
        value.get()
    }
}

/// A span of time as the engine has it: ticks of 100 nanoseconds, an int64 on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TimeSpan(
    /// Ticks of 100 ns.
    pub i64,
);

impl TimeSpan {
    /// Ticks in one second.
    pub const PER_SECOND: i64 = 10_000_000;

    /// The length of time, without its sign.
    pub fn unsigned_abs(self) -> std::time::Duration {
        let ticks = self.0.unsigned_abs();
        let per_second = TimeSpan::PER_SECOND.unsigned_abs();
        let nanos = u32::try_from(ticks.rem_euclid(per_second).saturating_mul(100)).unwrap_or(0);
        std::time::Duration::new(ticks.div_euclid(per_second), nanos)
    }
}

impl TryFrom<std::time::Duration> for TimeSpan {
    type Error = Error;

    /// Rounds down to ticks.
    fn try_from(duration: std::time::Duration) -> Result<Self> {
        i64::try_from(duration.as_nanos().div_euclid(100))
            .map(TimeSpan)
            .map_err(|_| Error::range("expected less than 29247 years of ticks, found more"))
    }
}

/// An address in a tree, such as `resdb:///…`, `packdb:///…` or `https://…`.
///
/// The engine tells addresses from text by a `@` in front, which this type takes off on reading
/// and puts on in writing. In other formats it is the bare address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Url(String);

impl Url {
    /// An address.
    ///
    /// # Errors
    /// Empty text, or text that begins with `@`: the engine would not read it back as an address.
    pub fn new(address: impl Into<String>) -> Result<Url> {
        let address = address.into();
        if address.is_empty() || address.starts_with('@') {
            return Err(Error::data(format!(
                "expected an address, found \"{}\"",
                Shortened(&address)
            )));
        }
        Ok(Url(address))
    }

    /// An address that begins with a scheme, and so with no `@`.
    #[cfg(feature = "package")]
    pub(crate) fn of_scheme(scheme: &'static str, rest: &str) -> Url {
        Url(format!("{scheme}{rest}"))
    }

    /// The address, without the `@` in front.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text before the first `:`.
    pub fn scheme(&self) -> &str {
        self.0.split_once(':').map_or("", |(scheme, _)| scheme)
    }

    /// The address that a string of a tree stands for, if it stands for one: `@` and then
    /// anything but `@`.
    pub fn of_stored(stored: &str) -> Option<&str> {
        stored.strip_prefix('@').filter(|rest| !rest.is_empty() && !rest.starts_with('@'))
    }

    /// The string of a tree that stands for this address.
    pub fn to_stored(&self) -> String {
        format!("@{}", self.0)
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl AsRef<str> for Url {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<Url> for String {
    fn from(url: Url) -> Self {
        url.0
    }
}

/// Text in a tree that may begin with `@`.
///
/// The engine doubles a `@` at the beginning of text, unless it is all of it, to tell text from
/// addresses. This type takes the second one off on reading and puts it on in writing; a plain
/// `String` is what is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text(
    /// The text.
    pub String,
);

impl Text {
    /// The text that a string of a tree stands for; `None` for an address.
    pub fn of_stored(stored: &str) -> Option<&str> {
        match stored.strip_prefix('@') {
            None | Some("") => Some(stored),
            Some(rest) => rest.starts_with('@').then_some(rest),
        }
    }

    /// The string of a tree that stands for `text`.
    pub fn to_stored(text: &str) -> std::borrow::Cow<'_, str> {
        if text.len() > 1 && text.starts_with('@') {
            std::borrow::Cow::Owned(format!("@{text}"))
        } else {
            std::borrow::Cow::Borrowed(text)
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text(text.to_owned())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text(text)
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.0
    }
}

/// A member of a slot or component: a value under `Data` with its `ID`.
///
/// ```
/// use resonite_brson::{Container, Field, Options};
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Slot {
///     #[serde(rename = "Name")]
///     name: Field<Option<String>>,
/// }
///
/// let slot = Slot { name: Field::new("00000002-0000-0000-0000-000000000000", None) };
/// let bytes = Options::new().container(Container::BSON).to_vec(&slot)?;
/// let back: Slot = resonite_brson::from_slice(&bytes)?;
/// assert_eq!(back.name, slot.name);
/// # Ok::<(), resonite_brson::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Field<T, I = String> {
    /// The identifier, 36 characters of a GUID. `Field<T, &str>` borrows it.
    pub id: I,
    /// The value.
    pub data: T,
}

impl<T, I> Field<T, I> {
    /// A member.
    pub fn new(id: impl Into<I>, data: T) -> Self {
        Field { id: id.into(), data }
    }
}
