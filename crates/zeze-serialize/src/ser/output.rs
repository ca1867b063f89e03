//! The output, and what is known of the containers that are open.

use crate::error::Result;
use crate::kind::Kind;
use crate::options::Options;

/// Writes Rust types as encoded values.
///
/// Usually [`to_vec`](crate::to_vec) is all that is needed.
pub struct Serializer {
    pub(super) out: Vec<u8>,
    pub(super) options: Options,
    /// The most bytes that `out` may have.
    pub(super) limit: usize,
    pub(super) depth: usize,
    max_depth: usize,
    /// Options that are open.
    pub(super) options_open: usize,
    /// Wire type of the value at the root.
    pub(super) root: Option<Kind>,
    /// Elements of the tuples that are open.
    pub(super) items: Vec<Item>,
    /// Variants without content in the lists that are open, as long as those hold nothing else.
    pub(super) units: Vec<&'static str>,
    pub(super) scratch: Vec<u8>,
    /// The fields in `Unknown` of the beans that are open, to be merged.
    pub(super) kept: Vec<Vec<u8>>,
}

gamewire_core::debug_place! { Serializer, "len", |own| own.out.len() }

impl Serializer {
    /// Writes at the end of a vector.
    #[inline]
    pub fn new(out: Vec<u8>, options: Options) -> Self {
        let limit = out.len().saturating_add(options.limits.max_output);
        Serializer {
            out,
            options,
            limit,
            depth: 0,
            max_depth: options.typed_depth(),
            options_open: 0,
            root: None,
            items: Vec::new(),
            units: Vec::new(),
            scratch: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// The bytes.
    ///
    /// # Errors
    /// More bytes than [`max_output`](Options::max_output).
    pub fn into_inner(self) -> Result<Vec<u8>> {
        self.check()?;
        Ok(self.out)
    }

    #[inline]
    pub(super) fn check(&self) -> Result<()> {
        if self.out.len() > self.limit { self.too_long() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn too_long(&self) -> Result<()> {
        let before = self.limit.saturating_sub(self.options.limits.max_output);
        self.options.check_output(self.out.len().saturating_sub(before))
    }

    #[inline(always)]
    pub(super) fn enter(&mut self) -> Result<()> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > self.max_depth {
            return Err(self.options.too_deep_typed(None));
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn leave(&mut self) {
        debug_assert!(self.depth > 0);
        self.depth = self.depth.saturating_sub(1);
    }

    /// Opens an option, which is no level: the value in it is one. As many may be open, for an option in
    /// an option needs stack too.
    pub(super) fn open_option(&mut self) -> Result<()> {
        self.options_open = self.options_open.saturating_add(1);
        match self.options_open > self.max_depth {
            true => Err(self.options.too_deep_typed(None)),
            false => Ok(()),
        }
    }

    pub(super) fn close_option(&mut self) {
        debug_assert!(self.options_open > 0);
        self.options_open = self.options_open.saturating_sub(1);
    }

    /// Whether a float is left out as zero.
    #[inline]
    pub(super) fn is_zero(&self, value: f64) -> bool {
        value == 0.0 && !(self.options.keep_negative_zero && value.is_sign_negative())
    }
}

/// An element of an open tuple.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// `None` for a `None`.
    pub(super) kind: Option<Kind>,
    /// Whether it is in a `Some`, and so is present even if it is zero.
    pub(super) is_some: bool,
    /// Offset after it.
    pub(super) end: usize,
}
