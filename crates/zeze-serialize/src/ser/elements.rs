//! Elements of lists, maps and tuples, whose wire type shows while they are written.

use gamewire_core::bytes::part;

use super::output::{Item, Serializer};
use crate::error::{Error, ErrorKind, Result};
use crate::ids;
use crate::kind::Kind;
use crate::value::decode::Decoder;
use crate::write;

/// The wire type and count of the elements of a list, or of the keys or values of a map.
#[derive(Default)]
pub(super) struct Elements {
    pub(super) kind: Option<Kind>,
    pub(super) count: usize,
    /// How many of the first ones are variants without content. Of keys they are not counted.
    pub(super) units: usize,
    pub(super) counts_units: bool,
    /// Offset of the first element.
    pub(super) start: usize,
    /// Wire type of the keys, if these are the values of a map.
    pub(super) keys: Option<Kind>,
    /// Bytes that were added before the last element.
    pub(super) grown: usize,
}

impl Elements {
    /// The first element decides of which wire type all are.
    #[cold]
    #[inline(never)]
    pub(super) fn first(&mut self, ser: &mut Serializer, kind: Kind) -> Result<()> {
        match self.kind {
            None => self.kind = Some(kind),
            // Variants with content among those without show that the enum is a dynamic bean.
            Some(Kind::Int) if kind == Kind::Dynamic && self.only_units() => {
                self.make_dynamic(ser)?;
                self.kind = Some(kind);
            }
            Some(before) => {
                let of = match self.keys {
                    Some(_) => {
                        "values of a map are of one wire type (a struct with `flatten` is a map)"
                    }
                    None => "a list has one wire type, and so have the keys of a map",
                };
                let (before, found) = (before.article(), kind.article());
                let text = format!("expected {before} as the elements before, found {found}: {of}");
                return Err(Error::new(ErrorKind::MixedTypes, text));
            }
        }
        Ok(())
    }

    /// Writes the elements once more, as dynamic beans without content, with their keys in a map.
    fn make_dynamic(&mut self, ser: &mut Serializer) -> Result<()> {
        let before = ser.out.len();
        let old = ser.out.split_off(self.start);
        let mut decoder = Decoder::new(&old, ser.options);
        let first = ser.units.len().saturating_sub(self.units);
        for name in ser.units.drain(first..) {
            let key_at = decoder.offset();
            if let Some(kind) = self.keys {
                decoder.skip(kind, 0)?;
            }
            ser.out.extend_from_slice(decoder.since(key_at));
            decoder.skip_int()?;
            write::int(&mut ser.out, ids::variant(name));
            ser.out.push(write::END);
        }
        // The key of the value that is about to be written.
        ser.out.extend_from_slice(decoder.rest());
        self.units = 0;
        self.grown = ser.out.len().saturating_sub(before);
        Ok(())
    }

    fn only_units(&self) -> bool {
        self.units > 0 && self.units == self.count
    }

    pub(super) fn is_dynamic(&mut self, ser: &mut Serializer, variant: &'static str) -> bool {
        if self.kind == Some(Kind::Dynamic) {
            return true;
        }
        // Their names are kept as long as it may turn out that they are dynamic beans.
        if self.counts_units && self.units == self.count {
            ser.units.push(variant);
            self.units = self.units.saturating_add(1);
        }
        false
    }

    // Inlined, as all that the end of a list asks: then it takes single words out of the list, and does not
    // move the whole.
    #[inline(always)]
    pub(super) fn number(&self) -> u8 {
        self.kind.map_or(0, Kind::number)
    }
}

/// The elements of an open tuple, which are written without tags until it is known what it becomes.
pub(super) struct Items {
    /// Where their bytes begin.
    pub(super) body: usize,
    pub(super) count: usize,
    /// The wire type of all of them, as long as they can be a list.
    pub(super) kind: Option<Kind>,
    /// Where they begin among those of the tuples that are open, once they cannot.
    pub(super) first: Option<usize>,
}

impl Items {
    /// An element begins.
    #[inline]
    pub(super) fn begin(
        &mut self,
        ser: &mut Serializer,
        kind: Option<Kind>,
        is_some: bool,
    ) -> Result<()> {
        if self.count == 0 {
            self.kind = kind;
        }
        // Options cannot be in a list, for whether there is a value may change, and the tuple's wire
        // type must not.
        if self.first.is_some() || kind != self.kind || is_some || kind.is_none() {
            self.list(ser)?;
            ser.items.push(Item { kind, is_some, end: 0 });
        }
        self.count = self.count.saturating_add(1);
        ser.check()
    }

    /// Lists the elements so far, which are all of one wire type.
    #[cold]
    fn list(&mut self, ser: &mut Serializer) -> Result<()> {
        if self.first.is_some() {
            return Ok(());
        }
        self.first = Some(ser.items.len());
        let Some(kind) = self.kind else { return Ok(()) };
        let bytes = part(&ser.out, self.body..);
        let mut decoder = Decoder::new(bytes, ser.options.max_depth(usize::MAX));
        for _ in 0..self.count {
            decoder.skip(kind, 0)?;
            let end = self.body.saturating_add(decoder.offset());
            ser.items.push(Item { kind: self.kind, is_some: false, end });
        }
        Ok(())
    }
}
