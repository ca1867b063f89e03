//! The fields of one layer of a bean, and their ids.

use std::panic::Location;

use super::output::Serializer;
use crate::error::Result;
use crate::ids;
use crate::types::marker;
use crate::write;

/// How the fields of a layer get their ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// From their positions, so far.
    #[default]
    Position,
    /// From their names.
    Name,
    /// No further field may have a position: after the base, or after the unknown.
    Other,
}

/// A layer of a bean that is being written.
///
/// Functions out of line take it by value, so that the layer of a struct without containers can stay in
/// registers.
#[derive(Clone, Copy, Default)]
pub struct LayerWriter {
    /// The last id that was written.
    pub(super) last: u32,
    /// The id of the field that is being written; 0 if it has none.
    pub(super) id: u32,
    /// Whether that field is in a `Some`, and so is written even if it is zero.
    pub(super) forced: bool,
    /// Fields so far, those too that were left out.
    pub(super) count: u32,
    /// The last id that a name had.
    pub(super) named: u32,
    /// Markers so far, and fields without ids that were skipped.
    pub(super) markers: u32,
    pub(super) mode: Mode,
    /// Whether the layer of the base was written, and with it the end of the bean.
    pub(super) is_closed: bool,
    pub(super) has_unknown: bool,
    /// The field that is being written, or was last.
    pub(super) name: &'static str,
    /// The name of the Rust type, if that can be an adjacently tagged enum.
    pub(super) enum_name: &'static str,
    /// The caller of `serialize_struct`.
    pub(super) opened: Option<&'static Location<'static>>,
    /// Offsets of the first tag, and after the last field.
    pub(super) start: usize,
    pub(super) own_end: usize,
}

impl LayerWriter {
    /// The id of the next field; 0 if it has none, as a marker may.
    #[inline(always)]
    pub(super) fn next(&mut self, name: &'static str) -> Result<u32> {
        self.count = self.count.wrapping_add(1);
        let id = match (ids::short(name), self.mode) {
            (Some(id), Mode::Name) if id > self.named => {
                self.named = id;
                id
            }
            (Some(id), Mode::Position) if self.count == 1 => {
                (self.named, self.mode) = (id, Mode::Name);
                id
            }
            (None, Mode::Position) if !ids::starts_with_digit(name) => self.count,
            _ => {
                let (layer, id) = self.next_other(name)?;
                *self = layer;
                return Ok(id);
            }
        };
        self.name = name;
        Ok(id)
    }

    #[inline(never)]
    fn next_other(mut self, name: &'static str) -> Result<(Self, u32)> {
        if self.is_closed {
            return Err(marker::base_not_last());
        }
        let before = std::mem::replace(&mut self.name, name);
        let id = match ids::field(name)? {
            // All before it were markers, or had ids.
            Some(_) if self.named == 0 && self.count > self.markers.saturating_add(1) => {
                return Err(ids::without(before));
            }
            Some(id) if id <= self.named => return Err(ids::not_ascending(name, before)),
            Some(id) => {
                (self.named, self.mode) = (id, Mode::Name);
                id
            }
            // Whether it is a marker shows when it is serialized.
            None if self.named > 0 => 0,
            None if self.has_unknown => return Err(marker::unknown_not_last()),
            None => self.count,
        };
        Ok((self, id))
    }

    pub(super) fn skip(&mut self, name: &'static str) -> Result<()> {
        self.next(name)?;
        if self.named == 0 {
            self.markers = self.markers.saturating_add(1);
        }
        Ok(())
    }

    /// Keeps fields to be merged at the end.
    pub(super) fn keep_unknown(&mut self, ser: &mut Serializer, bytes: &[u8]) {
        self.markers = self.markers.saturating_add(1);
        if self.mode == Mode::Position {
            self.mode = Mode::Other;
        }
        if !std::mem::replace(&mut self.has_unknown, true) {
            ser.kept.push(bytes.to_vec());
        }
    }

    /// The distance of the field's id from the last one that was written.
    #[inline]
    pub(super) fn step(&mut self) -> Result<u32> {
        let id = self.id;
        let last = std::mem::replace(&mut self.last, id);
        // Ids ascend, so that only 0 is not above the last one.
        if id <= last {
            return Err(crate::ids::without(self.name));
        }
        Ok(id.wrapping_sub(last))
    }

    /// Ends this layer, so that the one of the base can follow.
    pub(super) fn begin_base(&mut self, ser: &mut Serializer) -> Result<()> {
        if self.is_closed {
            return Err(marker::base_not_last());
        }
        self.markers = self.markers.saturating_add(1);
        (self.is_closed, self.mode) = (true, Mode::Other);
        self.own_end = ser.out.len();
        ser.out.push(write::BASE);
        Ok(())
    }
}
