//! Writing Rust types.

mod json;
pub(crate) mod store;
mod text;

use std::io;

use gamewire_core::limits::MAX_DEPTH;
use serde_core::de::DeserializeOwned;
use serde_core::{Serialize, ser};

use crate::read::foreign;
use crate::report::Report;
use crate::types::handoff;
use crate::value::{Value, from_text};
use crate::write::Writer;
use crate::{Error, ErrorKind, Options, Result};

/// Writes Rust types as text, with all their defaults; [`to_string`](crate::to_string) and the other
/// functions make it for one call.
pub struct Serializer {
    pub(crate) writer: Writer,
    pub(crate) options: Options,
    /// Where the last unit was written.
    unit: usize,
    /// Where the content of a variant begins, if that is written next, and where `$type` ends.
    content: Option<(usize, usize)>,
}

impl Serializer {
    /// Writes at the end of `out`, by options.
    pub fn new(out: Vec<u8>, options: Options) -> Self {
        Serializer { writer: Writer::new(out, &options), options, unit: usize::MAX, content: None }
    }

    /// The buffer with all that was written.
    ///
    /// # Errors
    /// More than [`max_output`](Options::max_output) bytes were written.
    pub fn into_inner(self) -> Result<Vec<u8>> {
        self.writer.check()?;
        Ok(self.into_buffer(0))
    }

    /// The buffer, with the bytes that characters stand for from an offset on.
    fn into_buffer(self, start: usize) -> Vec<u8> {
        match self.options.invalid_utf8 {
            true => foreign::to_bytes(self.writer.into_buffer(), start),
            false => self.writer.into_buffer(),
        }
    }
}

gamewire_core::debug_place! { Serializer, "len", |own| own.writer.len() }

/// For `#[serde(serialize_with = "o3de_json::ser::sorted")]`: writes a map or set in the engine's order
/// of JSON, as the engine writes its unordered ones.
///
/// A `HashMap` or `HashSet` is written in its own order, which is another one in each run: serde does
/// not say that the order means nothing. [`UnorderedMap`](crate::types::UnorderedMap) and
/// [`UnorderedSet`](crate::types::UnorderedSet) need no attribute.
///
/// ```
/// use std::collections::HashMap;
///
/// #[derive(serde::Serialize)]
/// struct Keys {
///     #[serde(serialize_with = "o3de_json::ser::sorted")]
///     names: HashMap<String, u8>,
/// }
///
/// let names = HashMap::from([("b".to_owned(), 1), ("a".to_owned(), 2)]);
/// assert_eq!(o3de_json::to_string(&Keys { names })?, r#"{"names":{"a":2,"b":1}}"#);
/// # Ok::<(), o3de_json::Error>(())
/// ```
///
/// # Errors
/// As the serializer.
pub fn sorted<T: Serialize + ?Sized, S: ser::Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(handoff::SORTED, value)
}

impl Options {
    /// Writes a value as text, with all its defaults.
    ///
    /// # Errors
    /// A value that JSON or the engine cannot say, such as NaN, or a limit.
    pub fn to_string<T: Serialize + ?Sized>(&self, value: &T) -> Result<String> {
        let bytes = self.to_vec(value)?;
        String::from_utf8(bytes)
            .map_err(|error| Error::new(ErrorKind::InvalidUtf8, error.to_string()))
    }

    /// As [`to_string`](Self::to_string), with line breaks, indented by four spaces: what the
    /// engine writes to files.
    ///
    /// # Errors
    /// As [`to_string`](Self::to_string).
    pub fn to_string_pretty<T: Serialize + ?Sized>(&self, value: &T) -> Result<String> {
        self.clone().pretty(true).to_string(value)
    }

    /// The bytes of [`to_string`](Self::to_string).
    ///
    /// # Errors
    /// As [`to_string`](Self::to_string).
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut serializer = Serializer::new(Vec::with_capacity(128), self.clone());
        value.serialize(&mut serializer)?;
        serializer.into_inner()
    }

    /// Writes a value as text in one call of `write_all`; nothing is written on an error.
    ///
    /// # Errors
    /// As [`to_string`](Self::to_string), or an I/O error.
    pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(
        &self,
        mut writer: W,
        value: &T,
    ) -> Result<()> {
        writer.write_all(&self.to_vec(value)?).map_err(Error::io)
    }

    /// Writes a value at the end of `out`; `out` is as before when that fails.
    ///
    /// # Errors
    /// As [`to_string`](Self::to_string).
    pub fn append_to_vec<T: Serialize + ?Sized>(&self, out: &mut Vec<u8>, value: &T) -> Result<()> {
        let start = out.len();
        let mut serializer = Serializer::new(std::mem::take(out), self.clone());
        let written = value.serialize(&mut serializer);
        let within = serializer.writer.check();
        *out = serializer.into_buffer(start);
        written.and(within).inspect_err(|_| out.truncate(start))
    }

    /// The document that a value is written as.
    ///
    /// # Errors
    /// As [`to_string`](Options::to_string).
    pub fn to_value<T: Serialize + ?Sized>(&self, value: &T) -> Result<Value> {
        let text = self.clone().pretty(false).invalid_utf8(false).to_string(value)?;
        let options = Options::new().max_depth(MAX_DEPTH).max_memory(usize::MAX);
        from_text(&text.into(), &options, 0)
    }

    /// Writes a value without what is the default of its type, as the engine stores, and returns the
    /// engine's result code too. A value that is all default is `{}` or `[]`, with
    /// [`Outcome::DefaultsUsed`](crate::report::Outcome::DefaultsUsed).
    ///
    /// The default is what `{}` is read as: that of `#[serde(default)]`, or zero by
    /// [`absent_as_zero`](Self::absent_as_zero). What cannot be read from `{}`, because a member has no
    /// default, is written whole.
    ///
    /// # Errors
    /// As [`to_string`](Self::to_string).
    pub fn store<T: Serialize + DeserializeOwned>(&self, value: &T) -> Result<(String, Report)> {
        store::store(value, None, self)
    }

    /// As [`store`](Self::store), with another default than that of the type.
    ///
    /// # Errors
    /// As [`to_string`](Self::to_string).
    pub fn store_with_default<T: Serialize + DeserializeOwned>(
        &self,
        value: &T,
        default: &T,
    ) -> Result<(String, Report)> {
        store::store(value, Some(default), self)
    }
}
