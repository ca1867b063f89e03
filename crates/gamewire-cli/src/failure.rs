//! How a command ends.

use std::io;
use std::panic::PanicHookInfo;

/// The exit code for data that is bad, differs or is not recognized.
pub(crate) const BAD_DATA: u8 = 1;

/// The exit code for wrong usage, as clap has it, and for files that cannot be read or written.
pub(crate) const WRONG_USAGE: u8 = 2;

/// The exit code for a fault of the tool itself.
pub(crate) const BUG: u8 = 101;

/// A command that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Good,
    /// The command has said what is bad or differs.
    Bad,
}

impl Outcome {
    pub(crate) fn good_if(good: bool) -> Self {
        if good { Outcome::Good } else { Outcome::Bad }
    }
}

/// A command that could not.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The data is bad.
    Data(String),
    /// The command line asks for what cannot be, or a file cannot be read or written.
    Usage(String),
    /// The reader of the output is gone, as after `| head`. No error.
    Closed,
}

impl Failure {
    /// An error of a file, by its name.
    pub(crate) fn io(name: &str, error: &io::Error) -> Self {
        Failure::Usage(format!("{name}: {}", io_message(error)))
    }

    /// An error of standard output.
    pub(crate) fn stdout(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::io("standard output", error),
        }
    }
}

/// The system's sentence, in the style of the others and without its number.
pub(crate) fn io_message(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// The message for a panic, instead of a backtrace.
pub(crate) fn internal(bug: &PanicHookInfo<'_>) -> String {
    let payload = bug.payload();
    let what = payload.downcast_ref::<&str>().copied();
    let what = what.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let place = bug.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
    format!(
        "a fault of gamewire itself: {}{}; please report it with the file that caused it",
        what.unwrap_or("no message"),
        place.unwrap_or_default()
    )
}
