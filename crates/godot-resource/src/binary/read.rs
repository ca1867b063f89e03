//! The bytes of a binary file, and who is told what they mean.

use std::borrow::Cow;

use gamewire_core::Segment;
use godot_variant::types::GString;

use crate::{Error, ErrorKind, Result};

/// Hears of each run of bytes while a file is read. `()` hears nothing.
pub(super) trait Notes {
    /// The bytes up to `end` mean this.
    fn part(&mut self, _end: usize, _noted: impl FnOnce() -> Noted) {}
    /// The values that come next belong to a part of the present thing.
    fn enter(&mut self, _step: impl FnOnce() -> Segment) {}
    /// The part is complete.
    fn leave(&mut self) {}
}

impl Notes for () {}

/// The meaning of some bytes.
#[cfg_attr(not(feature = "explain"), allow(dead_code, reason = "nobody hears of it"))]
pub(super) struct Noted {
    pub(super) role: Meaning,
    pub(super) meaning: Cow<'static, str>,
    pub(super) value: String,
}

/// The sort of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Magic,
    Header,
    Length,
    Text,
    Data,
    Padding,
}

impl Noted {
    pub(super) fn new(
        role: Meaning,
        meaning: impl Into<Cow<'static, str>>,
        value: impl ToString,
    ) -> Self {
        Noted { role, meaning: meaning.into(), value: value.to_string() }
    }
}

/// Reads from a slice, in the order of bytes that the file has.
pub(super) struct Reader<'a, N> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) big_endian: bool,
    pub(super) notes: N,
}

impl<'a, N: Notes> Reader<'a, N> {
    pub(super) fn rest(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// Takes the next bytes, of which nothing was noted yet.
    pub(super) fn take(&mut self, len: usize, what: &str) -> Result<&'a [u8]> {
        let end = self.at.saturating_add(len);
        let Some(bytes) = self.bytes.get(self.at..end) else {
            let found = self.rest();
            let text = format!("expected {len} bytes of {what}, found {found}");
            return Err(Error::at(ErrorKind::UnexpectedEof, self.at, text));
        };
        self.at = end;
        Ok(bytes)
    }

    /// Little-endian, whatever the file says.
    fn array<const LEN: usize>(&mut self, what: &str) -> Result<[u8; LEN]> {
        let mut bytes: [u8; LEN] = self.take(LEN, what)?.first_chunk().copied().unwrap_or([0; LEN]);
        if self.big_endian {
            bytes.reverse();
        }
        Ok(bytes)
    }

    pub(super) fn u16(&mut self, what: &'static str) -> Result<u16> {
        let value = u16::from_le_bytes(self.array(what)?);
        self.notes.part(self.at, || Noted::new(Meaning::Data, what, value));
        Ok(value)
    }

    /// A word that is not noted.
    pub(super) fn word(&mut self, what: &str) -> Result<u32> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(super) fn u32(&mut self, role: Meaning, what: &'static str) -> Result<u32> {
        let value = self.word(what)?;
        self.notes.part(self.at, || Noted::new(role, what, value));
        Ok(value)
    }

    /// A long word that is not noted.
    pub(super) fn long(&mut self, what: &str) -> Result<u64> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// Numbers of a size each, little-endian.
    pub(super) fn numbers(&mut self, len: usize, size: usize, what: &str) -> Result<Cow<'a, [u8]>> {
        let bytes = self.take(len, what)?;
        if !self.big_endian || size <= 1 {
            return Ok(bytes.into());
        }
        let mut turned = bytes.to_vec();
        turned.chunks_mut(size).for_each(<[u8]>::reverse);
        Ok(turned.into())
    }

    /// The number of things that have at least `least` bytes each.
    pub(super) fn count(&mut self, least: usize, what: &'static str) -> Result<usize> {
        let at = self.at;
        let count = self.u32(Meaning::Length, what)?;
        self.fits(count, least, at, what)
    }

    pub(super) fn fits(&self, count: u32, least: usize, at: usize, what: &str) -> Result<usize> {
        let len = usize::try_from(count).unwrap_or(usize::MAX);
        if len.saturating_mul(least) > self.rest() {
            let text = format!("expected {what} that fits the file, found {count}");
            return Err(Error::at(ErrorKind::UnexpectedEof, at, text));
        }
        Ok(len)
    }

    /// A text with its length and a NUL.
    pub(super) fn text(&mut self, what: &'static str) -> Result<GString> {
        let at = self.at;
        let len = self.u32(Meaning::Length, "length of a text")?;
        self.text_of(len, at, what)
    }

    /// The text of a length that was read. Engines end it at the first NUL.
    pub(super) fn text_of(&mut self, len: u32, at: usize, what: &'static str) -> Result<GString> {
        let len = self.fits(len, 1, at, "a length of a text")?;
        let start = self.at;
        let bytes = self.take(len, what)?;
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(len);
        let text = std::str::from_utf8(bytes.get(..end).unwrap_or_default()).map_err(|error| {
            let at = start.saturating_add(error.valid_up_to());
            let text = format!("expected UTF-8 in {what}, found other bytes");
            Error::at(ErrorKind::InvalidUtf8, at, text)
        })?;
        self.notes.part(self.at, || Noted::new(Meaning::Text, what, format!("{text:?}")));
        Ok(text.into())
    }
}
