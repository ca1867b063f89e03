//! Whole loads: reading a text as often as it takes, once for nearly all.

use serde_core::Deserialize;
use serde_core::de::DeserializeOwned;

use super::log::{Log, Session};
use super::{Loader, Slot, Source};
use crate::locate::Locator;
use crate::node::Node;
use crate::report::{Report, ResultCode, Task};
use crate::{Error, Options, Policy, Result};

/// How often a type's own code may refuse a value before the load gives up.
const MOST_REFUSED: usize = 64;

/// How many fields one type may insist on.
const MOST_LEARNED: usize = 1 << 16;

pub(crate) struct Loaded<T> {
    pub(crate) value: T,
    pub(crate) report: Report,
    /// Where the value ends.
    pub(crate) end: usize,
}

/// Loads a value from the beginning of a text, onto an old one where there is one.
pub(crate) fn load<'de, T: Deserialize<'de>>(
    text: &'de str,
    options: &Options,
    old: Option<&Node>,
    whole: bool,
) -> Result<Loaded<T>> {
    attempts(text, options, old, whole).map_err(|error| located(error, text, options))
}

fn attempts<'de, T: Deserialize<'de>>(
    text: &'de str,
    options: &Options,
    old: Option<&Node>,
    whole: bool,
) -> Result<Loaded<T>> {
    let mut session = Session::default();
    let mut probed = false;
    let mut first = None;
    for _ in 0..MOST_LEARNED {
        let mut log = Log::new(text, options, std::mem::take(&mut session));
        log.silent = first.is_some();
        let mut loader = Loader::new(text, options, log);
        let value = T::deserialize(Slot::new(&mut loader, Source::Text(old)));
        let value = value.and_then(|value| {
            if whole {
                loader.reader.end()?;
            }
            Ok(value)
        });
        let (code, end, again) = (loader.code, loader.reader.offset(), loader.log.again);
        let dropped = std::mem::take(&mut loader.log.dropped);
        let lenient = loader.log.lenient;
        let (report, next) = loader.log.into_report(code);
        session = next;
        match value {
            Ok(_) if again => {}
            Ok(value) if dropped.is_empty() || !lenient => {
                let report = first.unwrap_or(report);
                return Ok(Loaded { value, report, end });
            }
            Ok(value) => {
                // What was found wrong is left out in a second, silent reading.
                if dropped.is_subset(&session.dropped) {
                    let report = first.unwrap_or(report);
                    return Ok(Loaded { value, report, end });
                }
                session.dropped.extend(dropped);
                first.get_or_insert(report);
            }
            Err(error) if error.is_again() => {
                if session.refused.len() > MOST_REFUSED {
                    break;
                }
                if !probed {
                    probe::<T>(options);
                    probed = true;
                }
            }
            Err(error) => return Err(error),
        }
    }
    // Without leniency, the error itself comes up.
    let mut log = Log::new(text, options, session);
    log.lenient = false;
    log.session.refused.clear();
    let mut loader = Loader::new(text, options, log);
    let value = T::deserialize(Slot::new(&mut loader, Source::Text(old)))?;
    let (code, end) = (loader.code, loader.reader.offset());
    Ok(Loaded { value, report: loader.log.into_report(code).0, end })
}

/// Makes a value of all defaults, to learn what its types insist on before a long text is read.
fn probe<'de, T: Deserialize<'de>>(options: &Options) {
    drop(absent::<T>(options));
}

/// A value of nothing.
fn absent<'de, T: Deserialize<'de>>(options: &Options) -> Result<T> {
    for _ in 0..MOST_LEARNED {
        let mut loader = Loader::new("", options, Log::new("", options, Session::default()));
        match T::deserialize(Slot::new(&mut loader, Source::Absent)) {
            Err(error) if error.is_again() => {}
            value => return value,
        }
    }
    Err(Error::again())
}

/// The default of a type, with every field that has none of its own at zero.
pub(crate) fn default_of<T: DeserializeOwned>(options: &Options) -> Result<T> {
    let options = Options { policy: Policy::Lenient, on_issue: None, ..options.clone() };
    absent(&options)
}

/// Adds line, column and path to an error.
#[cold]
fn located(error: Error, text: &str, options: &Options) -> Error {
    let error = error.or_at(0);
    match error.offset() {
        Some(offset) => {
            // The walk must come as far as the load did.
            let options = Options { max_depth: usize::MAX, ..options.clone() };
            let path = Locator::new(text, &options).path(offset);
            error.placed(text.as_bytes()).in_path(path)
        }
        None => error,
    }
}

/// The code of a load that did nothing.
pub(crate) const IDLE: ResultCode = ResultCode::idle(Task::ReadField);
