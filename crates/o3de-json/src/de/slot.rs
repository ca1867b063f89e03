//! The state of one reading, and one value to be read in it. `dispatch.rs` makes serde's `Deserializer`
//! of it.

use std::borrow::Cow;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::FromStr;

use gamewire_core::words::Shortened;
use serde_core::de::value::BorrowedStrDeserializer;

use super::buffers::{Buffers, reader_of};
use super::readings::{IDLE, Readings, Verdict};
use super::repeats::Repeats;
use super::scalar::Scalar;
use crate::node::Node;
use crate::read::{Input, Kind, Reader, Worth};
use crate::report::{Outcome, Processing, ResultCode, Task};
use crate::value::decode::skip;
use crate::{Conformance, Error, ErrorKind, Options, Result};

/// Bytes charged for a value or a name that serde or a type of any kind keeps: three times their 32
/// bytes, because vectors double, and hold the old elements twice while they do.
pub(super) const HANDED_OUT: usize = 96;

/// One reading of a text.
pub(crate) struct Loader<'de, 'o> {
    pub(crate) reader: Reader<'de>,
    pub(crate) options: &'o Options,
    pub(crate) readings: Readings<'de, 'o>,
    /// The enums that earlier readings found in serde's buffers; `None` in the first one.
    pub(super) buffers: Option<Box<Buffers>>,
    /// How many bytes of memory may still be handed out to types that ask for anything.
    pub(crate) memory: usize,
    /// Whether no earlier reading has found anything, so that no value needs a look.
    fresh: bool,
    /// Whether nothing may follow the value at the root.
    pub(super) whole: bool,
    /// How the last value ended.
    pub(crate) code: ResultCode,
    /// Whether the load stops here.
    pub(crate) halted: bool,
    /// Whether the next reading knows where it stops.
    stop_is_known: bool,
    /// The objects in which a name repeats; `None` in a reading that expects none.
    pub(crate) repeats: Option<Repeats>,
    /// Nesting of values that have no text.
    unwritten: usize,
    /// How many layers of types were entered at an offset since something was read there.
    layers: (usize, usize),
    /// Collects what was read, where values must be distinguished.
    trace: Option<DefaultHasher>,
}

/// Where a value comes from.
pub(crate) enum Source<'de, 'o> {
    /// The text, onto an old value where there is one.
    Text(Option<&'o Node>),
    /// A member name, which converts as any text does.
    Key(Cow<'de, str>),
    /// An old value alone.
    Old(&'o Node),
    /// Nothing: a new instance, and for a pointer a pointer to one.
    Default,
    /// Nothing at all: a new instance, and for a pointer null.
    Absent,
}

/// One value to be read.
pub(crate) struct Slot<'a, 'de, 'o> {
    pub(crate) loader: &'a mut Loader<'de, 'o>,
    pub(crate) source: Source<'de, 'o>,
    pub(super) role: Role,
    /// The type that is read, where that may be kept in a buffer of serde's.
    pub(super) of: &'static str,
}

/// The surroundings of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Any,
    /// It is the content of a [`Tuple`](crate::types::Tuple).
    Tuple,
    /// It is what an `Option` points to.
    Pointee,
    /// It is an object that is the content of a variant, in the usual form or in the other one.
    Content,
    OtherContent,
}

impl<'a, 'de, 'o> Slot<'a, 'de, 'o> {
    #[inline]
    pub(crate) fn new(loader: &'a mut Loader<'de, 'o>, source: Source<'de, 'o>) -> Self {
        Slot { loader, source, role: Role::Any, of: "" }
    }

    /// A value of the type `T`, or of a buffer that `outer` has.
    #[inline]
    pub(super) fn of<T>(
        loader: &'a mut Loader<'de, 'o>,
        source: Source<'de, 'o>,
        outer: &'static str,
    ) -> Self {
        Slot { loader, source, role: Role::Any, of: reader_of::<T>(outer) }
    }

    /// An integer that 64 bits cannot hold, which the engine has no type for.
    #[cold]
    pub(super) fn wide<T: FromStr>(&mut self) -> Result<Option<T>> {
        let is_wide = |text: &str| text.parse::<i64>().is_err() && text.parse::<u64>().is_err();
        let parse = |text: &str| text.parse().ok().filter(|_| is_wide(text));
        match &self.source {
            Source::Key(text) => Ok(parse(text)),
            Source::Old(Node::Raw(text)) => Ok(parse(text)),
            Source::Text(Some(Node::Raw(text))) if self.loader.reader.peek()? == b'{' => {
                let is_default = self.loader.reader.take_empty_object()?;
                self.loader.defaulted();
                Ok(parse(text).filter(|_| is_default))
            }
            Source::Text(_) if matches!(self.loader.reader.peek()?, b'-' | b'0'..=b'9') => {
                let start = self.loader.reader.offset();
                self.loader.reader.skip_number()?;
                let found = parse(&self.loader.reader.between(start, self.loader.reader.offset()));
                if found.is_some() {
                    self.loader.code = ResultCode::SUCCESS;
                } else {
                    self.loader.reader.seek(start);
                }
                Ok(found)
            }
            _ => Ok(None),
        }
    }
}

impl<'de, 'o> Loader<'de, 'o> {
    pub(super) fn new(
        text: Input<'de>,
        options: &'o Options,
        readings: Readings<'de, 'o>,
        repeats: Option<Repeats>,
    ) -> Self {
        Loader {
            reader: Reader::of(text, options),
            options,
            fresh: readings.is_fresh(),
            readings,
            buffers: None,
            memory: options.limits.memory(text.bytes.len()),
            whole: false,
            code: IDLE,
            halted: false,
            stop_is_known: false,
            repeats,
            unwritten: 0,
            layers: (0, 0),
            trace: None,
        }
    }

    pub(crate) fn docs(&self) -> bool {
        self.options.conformance == Conformance::Docs
    }

    /// Sets the code of a value that is a default.
    #[inline]
    pub(crate) fn defaulted(&mut self) {
        self.code = ResultCode::new(Task::ReadField, Outcome::DefaultsUsed);
    }

    /// Notes an issue at an offset; its code becomes that of the value.
    #[cold]
    pub(crate) fn issue(&mut self, outcome: Outcome, offset: usize, message: String) -> Result<()> {
        self.issue_in(Task::ReadField, outcome, offset, message)
    }

    #[cold]
    pub(crate) fn issue_in(
        &mut self,
        task: Task,
        outcome: Outcome,
        offset: usize,
        message: String,
    ) -> Result<()> {
        self.code = self.readings.issue(task, outcome, offset, message)?;
        self.halted |= self.code.processing() == Processing::Halted;
        Ok(())
    }

    /// The next reading is to do without the value at an offset, by how it ended: it stops there
    /// where this one does.
    #[cold]
    pub(super) fn leave_out(&mut self, at: usize) {
        let halts = self.code.processing() == Processing::Halted;
        self.halted |= halts;
        self.stop_is_known |= halts;
        self.readings.exclude(at, if halts { Verdict::Stop } else { Verdict::Exclude });
    }

    /// The same for a value that is loaded in its place: of one in which the load stopped, what comes
    /// before that stays.
    #[cold]
    pub(super) fn leave_in_place(&mut self, at: usize) {
        if !(self.stop_is_known && self.code.processing() == Processing::Halted) {
            self.leave_out(at);
        }
    }

    /// The load continues after what stopped it.
    pub(super) fn go_on(&mut self) {
        (self.halted, self.stop_is_known) = (false, false);
    }

    /// The old value, where the source has nothing that fits: `{}`, something else,
    /// a member name, or nothing at all.
    #[inline(never)]
    pub(super) fn fallback(
        &mut self,
        source: Source<'de, 'o>,
        expected: impl fmt::Display,
    ) -> Result<Option<&'o Node>> {
        match source {
            Source::Text(old) => {
                if self.reader.take_empty_object()? {
                    self.defaulted();
                } else {
                    self.reject_value(expected)?;
                }
                Ok(old)
            }
            Source::Old(node) => Ok(Some(node)),
            Source::Key(key) => self.reject_key(expected, &key).map(|()| None),
            Source::Default | Source::Absent => {
                self.defaulted();
                Ok(None)
            }
        }
    }

    /// The next value does not fit: it is skipped.
    #[cold]
    #[inline(never)]
    pub(crate) fn reject_value(&mut self, expected: impl fmt::Display) -> Result<()> {
        let offset = self.reader.offset();
        let found = self.reader.describe();
        skip(&mut self.reader)?;
        self.issue(Outcome::Unsupported, offset, format!("expected {expected}, found {found}"))
    }

    /// Whether the next value is all there is.
    pub(super) fn is_last(&self) -> bool {
        self.whole && self.reader.depth() == 0
    }

    /// Takes memory for a value that serde may keep for later.
    #[inline]
    pub(super) fn charge(&mut self, bytes: usize) -> Result<()> {
        match self.memory.checked_sub(bytes) {
            Some(left) => self.memory = left,
            None => return Err(Error::memory(self.options).or_at(self.reader.offset())),
        }
        Ok(())
    }

    /// Whether no earlier reading has found anything.
    #[inline]
    pub(super) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Whether values must be distinguished.
    pub(super) fn traces(&self) -> bool {
        self.trace.is_some()
    }

    /// Adds to what tells values apart, if anyone wants to know.
    #[inline]
    pub(crate) fn trace(&mut self, value: impl Hash) {
        if let Some(hasher) = &mut self.trace {
            value.hash(hasher);
        }
    }

    /// Runs `read`, and returns a number that is the same for the same values.
    pub(crate) fn traced<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, u64)> {
        let outer = self.begin_trace();
        let value = read(self);
        let hash = self.end_trace(outer);
        Ok((value?, hash))
    }

    /// Begins to tell a value apart; what is returned is for its end.
    pub(super) fn begin_trace(&mut self) -> Option<DefaultHasher> {
        self.trace.replace(DefaultHasher::new())
    }

    /// Returns the number of the value that ends here.
    pub(super) fn end_trace(&mut self, outer: Option<DefaultHasher>) -> u64 {
        let hasher = std::mem::replace(&mut self.trace, outer);
        debug_assert!(hasher.is_some(), "each end follows a beginning");
        let hash = hasher.map_or(0, |hasher| hasher.finish());
        self.trace(hash);
        hash
    }

    /// Guards against types that contain themselves around the same piece of text without end, as
    /// `struct N(Option<Box<N>>)` does.
    #[inline]
    pub(super) fn enter_layer(&mut self) -> Result<()> {
        let at = self.reader.offset();
        let count = if self.layers.0 == at { self.layers.1.saturating_add(1) } else { 1 };
        self.layers = (at, count);
        let limit = self.options.limits.max_typed_depth;
        if count > limit {
            let message =
                format!("more than max_typed_depth, which is {limit}, types around one value");
            return Err(Error::at(ErrorKind::DepthLimit, at, message));
        }
        Ok(())
    }

    /// Guards against types that contain themselves without end.
    pub(super) fn enter_unwritten(&mut self) -> Result<()> {
        self.unwritten = self.unwritten.saturating_add(1);
        let limit = self.options.limits.max_typed_depth;
        if self.unwritten > limit {
            let message =
                format!("more than max_typed_depth, which is {limit}, nested values without text");
            return Err(Error::new(ErrorKind::DepthLimit, message));
        }
        Ok(())
    }

    pub(crate) fn leave_unwritten(&mut self) {
        debug_assert!(self.unwritten > 0, "only what was entered is left");
        self.unwritten = self.unwritten.saturating_sub(1);
    }

    /// Skips the value that comes next, if an earlier reading has found that it must be; its
    /// code is then what is to be said of it in this one.
    #[inline]
    pub(super) fn left_out(&mut self) -> Result<bool> {
        if self.fresh {
            return Ok(false);
        }
        self.reader.peek()?;
        let at = self.reader.offset();
        self.left_out_at(at)
    }

    #[inline(never)]
    fn left_out_at(&mut self, at: usize) -> Result<bool> {
        let Some(verdict) = self.readings.verdict(at) else { return Ok(false) };
        skip(&mut self.reader)?;
        self.code = IDLE;
        match verdict {
            Verdict::Exclude => {}
            Verdict::Stop => (self.halted, self.stop_is_known) = (true, true),
            Verdict::Refused(outcome, message) => {
                self.issue(outcome, at, message)?;
                self.stop_is_known |= self.halted;
            }
        }
        Ok(true)
    }

    /// Reads what stands at an offset inside of an object whose end is known already.
    pub(super) fn inside<T>(
        &mut self,
        at: usize,
        end: usize,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.reader.seek(at);
        self.reader.deepen()?;
        let value = read(self)?;
        self.reader.rise();
        self.reader.seek(end);
        Ok(value)
    }

    #[inline]
    pub(crate) fn scalar<T: Scalar>(&mut self, source: Source<'de, 'o>) -> Result<T> {
        // The fast way: a number or word, by its first byte. `"0x10"` and `{}` are out of line.
        if let Source::Text(_) = source {
            let byte = self.reader.peek()?;
            let at = self.reader.offset();
            let value = match byte {
                b'-' | b'0'..=b'9' => {
                    let short = if T::IS_INTEGER && byte != b'-' {
                        self.reader.short_integer()
                    } else {
                        None
                    };
                    T::from_number(match short {
                        Some(value) => Worth::Unsigned(value.into()),
                        None => self.reader.number()?,
                    })
                }
                b't' | b'f' => Some(T::from_bool(self.reader.bool()?)),
                _ => None,
            };
            if let Some(value) = value {
                self.code = ResultCode::SUCCESS;
                if self.trace.is_some() {
                    self.trace(value.bits());
                }
                return Ok(value);
            }
            self.reader.seek(at);
        }
        self.scalar_of_others(source)
    }

    #[inline(never)]
    fn scalar_of_others<T: Scalar>(&mut self, source: Source<'de, 'o>) -> Result<T> {
        let at = self.reader.offset();
        let value = match &source {
            Source::Key(text) => T::from_text(text),
            Source::Text(_) if self.reader.peek()? == b'"' => T::from_text(&self.reader.string()?),
            _ => None,
        };
        let value = match value {
            Some(value) => {
                self.code = ResultCode::SUCCESS;
                value
            }
            None => {
                self.reader.seek(at);
                self.fallback(source, T::EXPECTED)?.and_then(T::from_node).unwrap_or_default()
            }
        };
        self.trace(value.bits());
        Ok(value)
    }

    /// A member name is not what the map's key type wants.
    #[cold]
    pub(crate) fn reject_key(&mut self, expected: impl fmt::Display, key: &str) -> Result<()> {
        let key = Shortened(key).to_string();
        let offset = self.reader.offset();
        self.issue(
            Outcome::Unsupported,
            offset,
            format!("expected {expected} as the key, found \"{key}\""),
        )
    }

    /// A string, by the engine's coercions.
    #[inline]
    pub(crate) fn string(&mut self, source: Source<'de, 'o>) -> Result<Cow<'de, str>> {
        let text = match source {
            Source::Text(_) if self.reader.peek()? == b'"' => self.reader.string()?,
            Source::Key(text) => text,
            source => return self.string_of_others(source),
        };
        self.code = ResultCode::SUCCESS;
        if self.trace.is_some() {
            self.trace(text.as_ref());
        }
        Ok(text)
    }

    #[inline(never)]
    fn string_of_others(&mut self, source: Source<'de, 'o>) -> Result<Cow<'de, str>> {
        let kind = match source {
            Source::Text(_) => Some(self.reader.peek_kind()?),
            _ => None,
        };
        let text = match kind {
            Some(Kind::Bool) if self.reader.bool()? => "True".to_owned(),
            Some(Kind::Bool) => "False".to_owned(),
            Some(Kind::Number) => match self.reader.number()? {
                Worth::Unsigned(value) => value.to_string(),
                Worth::Signed(value) => value.to_string(),
                // As `%f` in a buffer of 63 characters.
                Worth::Double(value) => {
                    let mut text = format!("{value:.6}");
                    text.truncate(63);
                    text
                }
            },
            _ => {
                let old = self.fallback(source, "a string")?;
                // Nothing can be borrowed for any time.
                let text = old.map_or(Cow::Borrowed(""), |_| Cow::Owned(old_text(old)));
                self.trace(text.as_ref());
                return Ok(text);
            }
        };
        self.code = ResultCode::SUCCESS;
        self.trace(text.as_str());
        Ok(Cow::Owned(text))
    }
}

pub(super) fn old_text(old: Option<&Node>) -> String {
    match old {
        Some(Node::Text(text) | Node::Raw(text)) => text.clone(),
        Some(Node::Name(name)) => (*name).to_owned(),
        Some(Node::Uuid(uuid)) => uuid.to_string(),
        _ => String::new(),
    }
}

/// A name that the code has, given to a type that asks for an identifier.
pub(super) type Name = BorrowedStrDeserializer<'static, Error>;
