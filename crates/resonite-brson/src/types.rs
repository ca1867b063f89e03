//! The types of BSON and of the engine that serde does not have.

mod serde;
mod time;

use std::fmt;

use crate::error::{Error, Result, Shortened};
use crate::kind::Kind;
use crate::options::Options;
use crate::read::Reader;

/// Bytes with a subtype: 0 generic, 4 UUID, 128 and up whatever the writer likes. The engine has
/// no such values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Binary {
    /// The meaning of the bytes.
    pub subtype: u8,
    /// The bytes; of the obsolete subtype 2 without the second length.
    pub bytes: Vec<u8>,
}

/// Generic bytes, of the subtype 0.
impl From<Vec<u8>> for Binary {
    fn from(bytes: Vec<u8>) -> Self {
        Binary { subtype: 0, bytes }
    }
}

/// A value of a type that no engine writes, as the bytes that it has: an ObjectId, a decimal128, a timestamp, a
/// regular expression, code, undefined and so on. [`Kind`] says which.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Other {
    kind: Kind,
    bytes: Vec<u8>,
}

impl Other {
    /// A value of its bytes.
    ///
    /// # Errors
    /// Bytes that are not one value of this type, or a type of which [`Value`](crate::Value) has values.
    ///
    /// # Example
    /// ```
    /// use resonite_brson::{Kind, Other};
    ///
    /// assert_eq!(Other::new(Kind::ObjectId, [7; 12])?.bytes(), [7; 12]);
    /// assert!(Other::new(Kind::ObjectId, [7; 11]).is_err());
    /// # Ok::<(), resonite_brson::Error>(())
    /// ```
    pub fn new(kind: Kind, bytes: impl Into<Vec<u8>>) -> Result<Other> {
        let bytes = bytes.into();
        if !kind.is_other() {
            let message = format!("expected a type that no engine writes, found {}", kind.words());
            return Err(Error::data(message));
        }
        let mut reader = Reader::new(&bytes, Options::new());
        reader.other(kind)?;
        reader.end()?;
        Ok(Other { kind, bytes })
    }

    /// Of bytes that are one.
    #[doc(hidden)]
    pub const fn of(kind: Kind, bytes: Vec<u8>) -> Other {
        Other { kind, bytes }
    }

    /// The type.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The bytes as they are on the wire, after the key.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// A point in time: milliseconds since 1970, UTC. The engine rounds down to these and shows them
/// in local time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DateTime(
    /// Milliseconds, negative before 1970.
    pub i64,
);

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
        let nanos = ticks.rem_euclid(per_second).saturating_mul(100);
        let seconds = std::time::Duration::from_secs(ticks.div_euclid(per_second));
        seconds.saturating_add(std::time::Duration::from_nanos(nanos))
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
    #[doc(hidden)]
    pub fn of_scheme(scheme: &'static str, rest: &str) -> Url {
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

    /// An address as people write it: with the `@` in front, or without it where the scheme is one that the
    /// engine has for assets, records and pages. `None` for anything else.
    pub fn parse(text: &str) -> Option<Url> {
        const SCHEMES: [&str; 8] =
            ["resdb", "packdb", "neosdb", "local", "resrec", "neosrec", "http", "https"];
        let is_known = |(scheme, _)| SCHEMES.contains(&scheme);
        let bare = || text.split_once("://").is_some_and(is_known).then_some(text);
        Url::of_stored(text).or_else(bare).map(|address| Url(address.to_owned()))
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

impl std::str::FromStr for Url {
    type Err = Error;

    fn from_str(address: &str) -> Result<Self> {
        Url::new(address)
    }
}

impl TryFrom<String> for Url {
    type Error = Error;

    fn try_from(address: String) -> Result<Self> {
        Url::new(address)
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

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
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
