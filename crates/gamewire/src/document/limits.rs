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
    /// of the file, and 64 MiB at least; for what was unpacked of a file, as
    /// [`of_unpacked`](Limits::of_unpacked) has it.
    pub max_memory: Option<usize>,
}

impl Limits {
    /// The least that [`of_unpacked`](Limits::of_unpacked) allows: 256 MiB.
    pub const MIN_UNPACKED: usize = 256 << 20;

    /// The most: 1 GiB.
    pub const MAX_UNPACKED: usize = 1 << 30;

    /// The limits of what is unpacked of `len` bytes, where nothing else is said: 64 bytes of memory for each of
    /// these, 256 MiB at least and 1 GiB at most. A few bytes can unpack to any number of them, which
    /// says nothing of how much memory a file may take.
    ///
    /// ```
    /// use gamewire::document::Limits;
    ///
    /// let most = |len| Limits::default().of_unpacked(len).max_memory;
    /// assert_eq!(most(1_000), Some(Limits::MIN_UNPACKED));
    /// assert_eq!(most(100_000_000), Some(Limits::MAX_UNPACKED));
    /// ```
    #[must_use]
    pub fn of_unpacked(self, len: usize) -> Limits {
        let own = len.saturating_mul(64).clamp(Limits::MIN_UNPACKED, Limits::MAX_UNPACKED);
        Limits { max_memory: Some(self.max_memory.unwrap_or(own)), ..self }
    }
}
