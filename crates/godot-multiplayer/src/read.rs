//! The bytes of packets, and of the variants in them.

use godot_variant::{Deserializer, Error, ErrorKind, Options, Result};

/// A cursor over a packet or a list of variants.
pub(crate) struct Reader<'de> {
    /// Reads the variants.
    pub(crate) de: Deserializer<'de>,
    /// The length of the input.
    len: usize,
    strict: bool,
}

impl<'de> Reader<'de> {
    #[inline]
    pub(crate) fn new(bytes: &'de [u8], options: Options) -> Self {
        let strict = options.is_strict();
        Reader { de: Deserializer::new(bytes, options), len: bytes.len(), strict }
    }

    /// Offset of the next byte.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
        self.len.saturating_sub(self.rest().len())
    }

    #[inline]
    pub(crate) fn rest(&self) -> &'de [u8] {
        self.de.rest()
    }

    #[inline]
    pub(crate) fn strict(&self) -> bool {
        self.strict
    }

    #[inline]
    pub(crate) fn take(&mut self, len: usize, what: &'static str) -> Result<&'de [u8]> {
        self.de.take_bytes(len, what)
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        Ok(self.take(N, what)?.first_chunk().copied().unwrap_or([0; N]))
    }

    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self, what: &'static str) -> Result<u64> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// In strict mode, an error unless `fine`.
    #[inline]
    pub(crate) fn canonical(&self, fine: bool, at: usize, what: &'static str) -> Result<()> {
        if fine || !self.strict {
            return Ok(());
        }
        Err(Error::at(ErrorKind::NotCanonical, at, format!("not as the engine writes it: {what}")))
    }
}
