use std::fmt;
use std::io;
use std::sync::Arc;

use serde_core::de::DeserializeOwned;
use serde_core::{Deserialize, Serialize};

use crate::de::load;
use crate::read::Reader;
use crate::ser::store;
use crate::ser::tree::node_of;
use crate::{Action, Error, Issue, Report, Result, Serializer, TypeRegistry};

/// Which description of the format to follow where they differ.
///
/// `docs/formats/o3de-json.md` of the repository has the table of all differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Conformance {
    /// What the engine does.
    #[default]
    Engine,
    /// The published page of the format, taken literally: short vectors and arrays are filled up,
    /// maps whose keys are no strings are always arrays, flags are written in the order of their
    /// registration without redundant names, a colour object has exactly one key, and no
    /// default is stripped.
    Docs,
}

/// What happens to data that does not fit, in the functions that give no
/// [`Report`](crate::Report).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Policy {
    /// A value that does not fit its type is an error; unknown members are ignored.
    #[default]
    Checked,
    /// As the engine's functions for whole files: unknown members and spare elements are errors
    /// too.
    Strict,
    /// As the engine's loader itself: what does not fit is left out.
    Lenient,
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

/// What [`Options::on_issue`] takes.
type Callback = dyn Fn(&Issue) -> Action + Send + Sync;

/// How to read and write: policy, conformance, limits.
///
/// ```
/// use o3de_json::Options;
///
/// let options = Options::new().trailing_commas(true).max_depth(16);
/// assert_eq!(options.from_str::<Vec<u8>>("[1, 2, /* three */ 3,]")?, [1, 2, 3]);
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone)]
pub struct Options {
    pub(crate) conformance: Conformance,
    pub(crate) policy: Policy,
    pub(crate) comments: bool,
    pub(crate) trailing_commas: bool,
    pub(crate) clear_containers: bool,
    pub(crate) keep_defaults: bool,
    pub(crate) exact_floats: bool,
    pub(crate) pretty: bool,
    pub(crate) floats: Floats,
    pub(crate) max_depth: usize,
    pub(crate) max_alloc: usize,
    pub(crate) max_output: usize,
    pub(crate) max_issues: usize,
    pub(crate) types: Option<Arc<TypeRegistry>>,
    pub(crate) on_issue: Option<Arc<Callback>>,
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl Options {
    /// The engine's conformance, [`Policy::Checked`], comments, compact output, finite limits.
    pub const fn new() -> Self {
        Options {
            conformance: Conformance::Engine,
            policy: Policy::Checked,
            comments: true,
            trailing_commas: false,
            clear_containers: false,
            keep_defaults: false,
            exact_floats: false,
            pretty: false,
            floats: Floats::Engine,
            max_depth: 128,
            max_alloc: 256 << 20,
            max_output: 1 << 30,
            max_issues: 1000,
            types: None,
            on_issue: None,
        }
    }

    /// Which description of the format to follow. Default [`Conformance::Engine`].
    #[must_use]
    pub fn conformance(mut self, conformance: Conformance) -> Self {
        self.conformance = conformance;
        self
    }

    /// What happens to data that does not fit. Default [`Policy::Checked`].
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// [`Policy::Strict`] or, with `false`, [`Policy::Checked`].
    #[must_use]
    pub fn strict(self, strict: bool) -> Self {
        self.policy(if strict { Policy::Strict } else { Policy::Checked })
    }

    /// [`Policy::Lenient`] or, with `false`, [`Policy::Checked`].
    #[must_use]
    pub fn lenient(self, lenient: bool) -> Self {
        self.policy(if lenient { Policy::Lenient } else { Policy::Checked })
    }

    /// Accepts `//` and `/* */` where white space may stand, as the engine's file functions do.
    /// Default `true`; with `false` the text must be JSON by RFC 8259.
    #[must_use]
    pub fn comments(mut self, accept: bool) -> Self {
        self.comments = accept;
        self
    }

    /// Accepts a comma after the last element or member, as the engine's settings registry does.
    /// Default `false`.
    #[must_use]
    pub fn trailing_commas(mut self, accept: bool) -> Self {
        self.trailing_commas = accept;
        self
    }

    /// Whether [`load_into`](Self::load_into) empties sequences and maps that the text has, before
    /// it fills them. Default `false`, as in the engine: they are added to.
    #[must_use]
    pub fn clear_containers(mut self, clear: bool) -> Self {
        self.clear_containers = clear;
        self
    }

    /// Whether [`store`](Self::store) and its kin write values that are the default. Default
    /// `false`. [`to_string`](Self::to_string) always does.
    #[must_use]
    pub fn keep_defaults(mut self, keep: bool) -> Self {
        self.keep_defaults = keep;
        self
    }

    /// Whether stripping compares floats exactly. Default `false`, as in the engine: a float is its
    /// default when they differ by no more than the epsilon of its type, so that 1e-8 is lost
    /// where the default is 0.
    #[must_use]
    pub fn exact_floats(mut self, exact: bool) -> Self {
        self.exact_floats = exact;
        self
    }

    /// Whether text is written with line breaks, indented by four spaces, as the engine's files.
    /// Default `false`. [`to_string_pretty`](Self::to_string_pretty) always does.
    #[must_use]
    pub fn pretty(mut self, pretty: bool) -> Self {
        self.pretty = pretty;
        self
    }

    /// How floats are spelled. Default [`Floats::Engine`].
    #[must_use]
    pub fn floats(mut self, floats: Floats) -> Self {
        self.floats = floats;
        self
    }

    /// How deep arrays and objects may nest, reading and writing. Default 128.
    #[must_use]
    pub fn max_depth(mut self, depth: usize) -> Self {
        self.max_depth = depth;
        self
    }

    /// The most bytes that a reader is drained into. Default 256 MiB.
    #[must_use]
    pub fn max_alloc(mut self, bytes: usize) -> Self {
        self.max_alloc = bytes;
        self
    }

    /// The most bytes that one value may be written as. Default 1 GiB.
    #[must_use]
    pub fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// The most issues that a [`Report`](crate::Report) holds; more are only counted, and so are
    /// those beyond 64 and one for each eight bytes of the text. Default 1000.
    #[must_use]
    pub fn max_issues(mut self, count: usize) -> Self {
        self.max_issues = count;
        self
    }

    /// What is known of the engine's types, for `$type`. Without it, the variants of a Rust enum
    /// are all that is known.
    #[must_use]
    pub fn types(mut self, types: Arc<TypeRegistry>) -> Self {
        self.types = Some(types);
        self
    }

    /// Asks `callback` about every issue before the [`Policy`] applies, as the engine's reporter:
    /// it may turn the outcome into another one, or stop the load.
    #[must_use]
    pub fn on_issue(mut self, callback: impl Fn(&Issue) -> Action + Send + Sync + 'static) -> Self {
        self.on_issue = Some(Arc::new(callback));
        self
    }
}

impl Options {
    /// Reads one value that takes the whole text. Strings can be borrowed.
    ///
    /// # Errors
    /// Text that is not JSON, data that does not fit `T` by the [`Policy`], a limit, or text after
    /// the value.
    pub fn from_str<'de, T: Deserialize<'de>>(&self, text: &'de str) -> Result<T> {
        load::load(text, self, None, true).map(|loaded| loaded.value)
    }

    /// Reads one value that takes the whole of some UTF-8 bytes.
    ///
    /// # Errors
    /// As [`from_str`](Self::from_str), or bytes that are not UTF-8.
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        self.from_str(Reader::check_utf8(bytes)?)
    }

    /// Reads a reader to its end and the one value in it.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), an I/O error, or more than
    /// [`max_alloc`](Self::max_alloc) bytes.
    pub fn from_reader<R: io::Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        let bytes = crate::read::read_to_end(reader, self.max_alloc)?;
        self.from_slice(&bytes)
    }

    /// Reads one value and gives the bytes after it, as the engine's settings registry does.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), except that bytes after the value are fine.
    pub fn take_from_slice<'de, T: Deserialize<'de>>(
        &self,
        bytes: &'de [u8],
    ) -> Result<(T, &'de [u8])> {
        let text = Reader::check_utf8(bytes)?;
        let loaded = load::load(text, self, None, false)?;
        Ok((loaded.value, bytes.get(loaded.end..).unwrap_or_default()))
    }

    /// Loads a value as the engine does: what does not fit is left out and reported.
    ///
    /// The [`Policy`] has no say here; the callback of [`on_issue`](Self::on_issue) has.
    ///
    /// # Errors
    /// Text that is not JSON, a limit, or text after the value.
    pub fn load<'de, T: Deserialize<'de>>(&self, text: &'de str) -> Result<(T, Report)> {
        let loaded = load::load(text, &self.lenient_self(), None, true)?;
        Ok((loaded.value, loaded.report))
    }

    /// Loads onto a value that is there, as the engine does: members that the text does not have,
    /// has as `{}`, or has wrong, stay as they are; sequences and maps are added to, or emptied
    /// first with [`clear_containers`](Self::clear_containers); a pointer keeps the type it has
    /// unless `$type` says another.
    ///
    /// `target` is as before when this fails.
    ///
    /// # Errors
    /// As [`load`](Self::load), or what serde cannot show of `target`.
    pub fn load_into<T: Serialize + DeserializeOwned>(
        &self,
        target: &mut T,
        text: &str,
    ) -> Result<Report> {
        let old = node_of(target, self)?;
        let loaded = load::load(text, &self.lenient_self(), Some(&old), true)?;
        *target = loaded.value;
        Ok(loaded.report)
    }

    fn lenient_self(&self) -> Options {
        self.clone().policy(Policy::Lenient)
    }

    /// Writes a value as text, with all its defaults.
    ///
    /// # Errors
    /// What JSON or the engine cannot say, such as NaN, or a limit.
    pub fn to_string<T: Serialize + ?Sized>(&self, value: &T) -> Result<String> {
        let bytes = self.to_vec(value)?;
        // What is written is text.
        String::from_utf8(bytes)
            .map_err(|error| Error::invalid_utf8(error.as_bytes(), error.utf8_error()))
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
        let mut serializer = Serializer::with_options(Vec::with_capacity(128), self.clone());
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
        let mut serializer = Serializer::with_options(std::mem::take(out), self.clone());
        let written = value.serialize(&mut serializer);
        let (bytes, within) = serializer.into_parts();
        *out = bytes;
        written.and(within).inspect_err(|_| out.truncate(start))
    }

    /// Writes a value without what is the default of its type, as the engine stores.
    ///
    /// The default is what reading `{}` gives: `#[serde(default)]` where the type has it, else zero.
    ///
    /// # Errors
    /// As [`to_string`](Self::to_string).
    pub fn to_string_stripped<T: Serialize + DeserializeOwned>(&self, value: &T) -> Result<String> {
        self.store(value).map(|(text, _)| text)
    }

    /// Writes a value without what is the same in `default`.
    ///
    /// # Errors
    /// As [`to_string`](Self::to_string).
    pub fn to_string_with_default<T: Serialize + DeserializeOwned>(
        &self,
        value: &T,
        default: &T,
    ) -> Result<String> {
        self.store_with_default(value, default).map(|(text, _)| text)
    }

    /// As [`to_string_stripped`](Self::to_string_stripped), with the engine's result code. A value
    /// that is all default is `{}` or `[]`, with [`Outcome::DefaultsUsed`](crate::Outcome).
    ///
    /// # Errors
    /// As [`to_string`](Self::to_string).
    pub fn store<T: Serialize + DeserializeOwned>(&self, value: &T) -> Result<(String, Report)> {
        store::store(value, None, self)
    }

    /// As [`to_string_with_default`](Self::to_string_with_default), with the engine's result code.
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

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("conformance", &self.conformance)
            .field("policy", &self.policy)
            .field("comments", &self.comments)
            .field("trailing_commas", &self.trailing_commas)
            .field("clear_containers", &self.clear_containers)
            .field("keep_defaults", &self.keep_defaults)
            .field("exact_floats", &self.exact_floats)
            .field("pretty", &self.pretty)
            .field("floats", &self.floats)
            .field("max_depth", &self.max_depth)
            .field("max_alloc", &self.max_alloc)
            .field("max_output", &self.max_output)
            .field("max_issues", &self.max_issues)
            .field("types", &self.types.is_some())
            .field("on_issue", &self.on_issue.is_some())
            .finish()
    }
}

impl Options {
    /// Says what every byte of a text means; never fails, see
    /// [`Explanation::error`](crate::Explanation::error).
    pub fn explain(&self, bytes: &[u8]) -> crate::Explanation {
        crate::explain::explain(bytes, self)
    }
}
