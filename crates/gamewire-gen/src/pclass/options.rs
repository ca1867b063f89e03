//! Settings for the Rust types of classes.

/// Settings for the Rust types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Makes every `std::string` bytes, and not only those that are blobs: it may not be UTF-8.
    pub bytes: bool,
    /// A pointer to a class with more derived classes than this is a `Value`. `None` is no limit.
    pub most_derived: Option<usize>,
}
