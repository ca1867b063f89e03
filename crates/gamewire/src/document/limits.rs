//! Limits of every way in.

/// The deepest nesting that the formats read, whatever [`Limits::max_depth`] says. JSON is read and
/// written by recursion: a thread that goes so deep needs a stack of 64 MiB.
pub const MAX_DEPTH: usize = 1_025;

/// Limits of every format, on each way in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Refuse data that would not be written back the same.
    pub strict: bool,
    /// How deep containers may nest; `None` for the format's own limit.
    pub max_depth: Option<usize>,
    /// The most bytes of memory that reading or writing a file may take; `None` for 64 for each byte
    /// of the file, and 64 MiB at least.
    pub max_memory: Option<usize>,
}
