//! Whole readings of a text.
//!
//! A visitor of serde keeps all values that it was given, so values that must not reach it have to be
//! known before. There are these kinds.
//!
//! **Names that repeat.** The last one counts. [`Deserializer`](super::Deserializer) reads a text
//! once, so it looks through it first. Nearly all texts have no such name, and looking costs about as
//! much as skipping; so the functions that know the type, and can begin again, read as if no name
//! repeated. Only when that fails, and some name does repeat, they do what `Deserializer` does. Both
//! ways end alike: a repeated member is an error to the first reading, whatever its type makes of it.
//!
//! **What does not fit**, in [`load`]: the engine drops elements and entries that it cannot load, and
//! leaves members as they were. The first reading finds and reports them, the second one leaves them
//! out. A value that its own `Deserialize` refuses ends a reading; it is left out of the next one, up
//! to [`MAX_READINGS`] of them.
//!
//! A third one, enums in buffers of serde's, is in `buffers.rs`.

use serde_core::Deserialize;
use serde_core::de::DeserializeOwned;

use super::buffers::{self, Held};
use super::readings::{Readings, Stage};
use super::repeats::Repeats;
use super::slot::{Loader, Slot, Source};
use crate::node::Node;
use crate::read::{Input, Reader};
use crate::report::Report;
use crate::value::located;
use crate::{Error, ErrorKind, Options, Result};

/// How often a text is read to leave out what does not fit.
const MAX_READINGS: usize = 66;

/// Reads the value at an offset, and returns where it ends. What does not fit is an error.
pub(super) fn read<'de, T: Deserialize<'de>>(
    text: Input<'de>,
    at: usize,
    options: &Options,
    whole: bool,
) -> Result<(T, usize)> {
    let once = |repeats, held: &mut Held| read_with(text, at, options, whole, None, repeats, held);
    let first = || {
        once(None, &mut None).or_else(|error| {
            if error.kind() == ErrorKind::MemoryLimit {
                return Err(error);
            }
            let repeats = Repeats::find(text, at, options);
            if repeats.is_empty() { Err(error) } else { once(Some(repeats), &mut None) }
        })
    };
    let again = |result: Result<_>| {
        let repeats = Repeats::find(text, at, options);
        match buffers::learn(result.is_ok(), |held| once(Some(repeats.clone()), held)) {
            Some((named, _)) if named.is_ok() || result.is_err() => named,
            _ => result,
        }
    };
    buffers::settle(text, first, again).map_err(|error| placed(error, text, at, options))
}

/// One reading by what others have found.
fn read_with<'de, 'o, T: Deserialize<'de>>(
    text: Input<'de>,
    at: usize,
    options: &'o Options,
    whole: bool,
    old: Option<&'o Node>,
    repeats: Option<Repeats>,
    held: &mut Held,
) -> Result<(T, usize)> {
    with_loader(text, at, options, repeats, |loader| {
        loader.whole = whole;
        loader.buffers = held.take();
        let value = T::deserialize(Slot::of::<T>(loader, Source::Text(old), ""));
        *held = loader.buffers.take();
        if whole && value.is_ok() {
            loader.reader.end()?;
        }
        value
    })
}

/// The same for a caller who can read only once.
pub(super) fn read_once<'de, T>(
    text: Input<'de>,
    at: usize,
    options: &Options,
    read: impl FnOnce(Slot<'_, 'de, '_>) -> Result<T>,
) -> Result<(T, usize)> {
    let repeats = Repeats::find(text, at, options);
    with_loader(text, at, options, Some(repeats), |loader| {
        read(Slot::new(loader, Source::Text(None)))
    })
    .map_err(|error| placed(error, text, at, options))
}

/// The error with its place, or that of the value that was read at an offset.
#[cold]
fn placed(error: Error, text: Input<'_>, at: usize, options: &Options) -> Error {
    let mut reader = Reader::of(text, options);
    reader.seek(at);
    // Where white space ends: what is wrong with it has its place already.
    let start = reader.peek().map_or(at, |_| reader.offset());
    located(error.or_at(start), text, options)
}

fn with_loader<'de, 'o, T>(
    text: Input<'de>,
    at: usize,
    options: &'o Options,
    repeats: Option<Repeats>,
    read: impl FnOnce(&mut Loader<'de, 'o>) -> Result<T>,
) -> Result<(T, usize)> {
    let readings = Readings::new(text, options, Stage::Strict);
    let mut loader = Loader::new(text, options, readings, repeats);
    loader.reader.seek(at);
    let value = read(&mut loader)?;
    Ok((value, loader.reader.offset()))
}

/// Loads a whole text as the engine does, onto an old value where there is one.
pub(crate) fn load<'de, T: Deserialize<'de>>(
    text: Input<'de>,
    options: &Options,
    old: Option<&Node>,
) -> Result<(T, Report)> {
    let again = |result: Result<_>| {
        // An error elsewhere is not told as one of enums.
        let plain = Options { on_issue: None, strict: false, ..options.clone() };
        let repeats = Repeats::find(text, 0, options);
        let found = buffers::learn(result.is_ok(), |held| {
            read_with::<T>(text, 0, &plain, true, old, Some(repeats.clone()), held)
        });
        match found {
            Some((Ok(_), held)) => load_once(text, options, old, held),
            _ => result,
        }
    };
    buffers::settle(text, || load_once(text, options, old, None), again)
}

/// The same, by what is known of enums in serde's buffers.
fn load_once<'de, T: Deserialize<'de>>(
    text: Input<'de>,
    options: &Options,
    old: Option<&Node>,
    mut held: Held,
) -> Result<(T, Report)> {
    let mut readings = Readings::new(text, options, Stage::Report);
    let mut repeats: Option<Repeats> = None;
    let mut count = 0_usize;
    loop {
        count = count.saturating_add(1);
        let is_last = count >= MAX_READINGS;
        readings.begin();
        let mut loader = Loader::new(text, options, readings, repeats);
        loader.buffers = held;
        let value = T::deserialize(Slot::of::<T>(&mut loader, Source::Text(old), ""))
            .and_then(|value| loader.reader.end().map(|()| value));
        let code = loader.code;
        (readings, repeats, held) = (loader.readings, loader.repeats, loader.buffers);
        match value {
            Ok(value) => {
                let more = readings.end(code);
                if is_last || !more {
                    return Ok((value, readings.into_report()));
                }
            }
            Err(error) => {
                if repeats.is_none() {
                    let found = repeats.insert(Repeats::find(text, 0, options));
                    if !found.is_empty() {
                        readings.restart();
                        continue;
                    }
                }
                if is_last || !readings.exclude_refused() {
                    return Err(placed(error, text, 0, options));
                }
            }
        }
    }
}

/// The value that a type has of nothing at all: serde's defaults, or zeros by
/// [`absent_as_zero`](Options::absent_as_zero).
///
/// # Errors
/// A member without a default.
pub(crate) fn default_of<T: DeserializeOwned>(options: &Options) -> Result<T> {
    let input = Input::of("", options);
    let readings = Readings::new(input, options, Stage::Strict);
    let mut loader = Loader::new(input, options, readings, None);
    T::deserialize(Slot::new(&mut loader, Source::Absent))
}
