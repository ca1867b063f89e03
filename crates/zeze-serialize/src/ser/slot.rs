//! The places where a value can stand, and what is written before it there.

use super::elements::{Elements, Items};
use super::layer::LayerWriter;
use super::output::Serializer;
use crate::error::{Error, ErrorKind, Result};
use crate::ids;
use crate::kind::Kind;
use crate::write;

/// Where a value began, to take it back.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    pub(super) at: usize,
    /// The last id of the layer before it.
    pub(super) last: u32,
}

/// A place where a value can stand.
pub trait Slot: Sized {
    /// Whether tuples are beans here, whatever they hold.
    const TUPLES_ARE_BEANS: bool = false;
    /// Whether bytes are not a value here but what one of this crate's types is made of.
    const TAKES_BYTES: bool = false;

    /// Whether [`undo`](Self::undo) takes back all that `begin` did.
    const IS_UNDONE: bool = false;

    /// Writes what stands before a value of a wire type.
    fn begin(&mut self, ser: &mut Serializer, kind: Kind) -> Result<()>;

    /// Writes an integer, unless it is a zero that is left out.
    #[inline(always)]
    fn int(&mut self, ser: &mut Serializer, value: i64) -> Result<()> {
        // Asked first, for most slots know the answer when they are compiled.
        if value == 0 && self.omits() {
            return Ok(());
        }
        self.begin(ser, Kind::Int)?;
        write::int(&mut ser.out, value);
        Ok(())
    }

    /// Writes a float.
    #[inline]
    fn float(&mut self, ser: &mut Serializer, value: f32) -> Result<()> {
        self.begin(ser, Kind::Float)?;
        ser.out.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    /// Writes a double.
    #[inline]
    fn double(&mut self, ser: &mut Serializer, value: f64) -> Result<()> {
        self.begin(ser, Kind::Double)?;
        ser.out.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    /// Whether zero and empty values are left out.
    #[inline]
    fn omits(&self) -> bool {
        false
    }

    /// The value is in a `Some`, and so is written even if it is zero or empty. Returns whether the `Some`
    /// is to be a bean with the value as field 1, because the place is always taken: as an element, or in
    /// another `Some`.
    #[inline]
    fn wraps_option(&mut self) -> bool {
        false
    }

    /// Takes these bytes.
    #[inline]
    fn take(&mut self, _ser: &mut Serializer, _bytes: &[u8]) -> Result<()> {
        Ok(())
    }

    /// There is no value.
    fn none(self, ser: &mut Serializer) -> Result<()>;

    /// Where the next value begins.
    #[inline]
    fn mark(&self, ser: &Serializer) -> Mark {
        Mark { at: ser.out.len(), last: 0 }
    }

    /// Takes back a value that turned out to be left out.
    #[inline]
    fn undo(&mut self, ser: &mut Serializer, mark: Mark) {
        ser.out.truncate(mark.at);
    }

    /// Whether a variant without content has to be a dynamic bean here.
    #[inline]
    fn is_dynamic(&mut self, _ser: &mut Serializer, _variant: &'static str) -> bool {
        false
    }

    /// The name of the field, if it is where serde writes the tag of an adjacently tagged enum.
    #[inline]
    fn tag_of(&self, _enum_name: &str) -> Option<&'static str> {
        None
    }

    /// The layer whose field it is.
    #[inline]
    fn layer(&mut self) -> Option<&mut LayerWriter> {
        None
    }

    /// Whether a `Value` of a wire type can stand here and be read back.
    #[inline]
    fn takes_value(&self, _kind: Kind) -> bool {
        true
    }
}

/// The whole of what is written; no tag stands before it.
pub struct Root;

impl Slot for Root {
    const TUPLES_ARE_BEANS: bool = true;

    #[inline]
    fn begin(&mut self, ser: &mut Serializer, kind: Kind) -> Result<()> {
        ser.root = Some(kind);
        Ok(())
    }

    fn none(self, _ser: &mut Serializer) -> Result<()> {
        Err(no_none("at the root"))
    }

    fn is_dynamic(&mut self, _ser: &mut Serializer, _variant: &'static str) -> bool {
        true
    }
}

#[cold]
fn no_none(place: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("expected a value, found `None` {place}"))
}

/// Writes a `None` where a `Some` is a bean.
#[cold]
fn empty<S: Slot>(slot: &mut S, ser: &mut Serializer) -> Result<()> {
    slot.begin(ser, Kind::Bean)?;
    ser.out.push(write::END);
    Ok(())
}

/// A field of a bean.
pub(super) struct Field<'l> {
    /// Knows the id of the field, and whether it is in a `Some`: the slot is one word, so that serde's
    /// calls take the whole serializer in registers.
    pub(super) layer: &'l mut LayerWriter,
}

impl Slot for Field<'_> {
    const IS_UNDONE: bool = true;

    #[inline]
    fn begin(&mut self, ser: &mut Serializer, kind: Kind) -> Result<()> {
        let step = self.layer.step()?;
        write::tag(&mut ser.out, step, kind);
        // Checked here and in elements, so that an endless sequence stops: a struct has an end.
        ser.check()
    }

    #[inline]
    fn int(&mut self, ser: &mut Serializer, value: i64) -> Result<()> {
        let layer = &mut *self.layer;
        let is_kept = (value != 0) | layer.forced;
        // An id that is not above the last one wraps to a long step, which is looked at below.
        let step = layer.id.wrapping_sub(layer.last);
        if int_field(ser, step, value, is_kept) {
            layer.last = if is_kept { layer.id } else { layer.last };
            return Ok(());
        }
        if is_kept { any_int_field(ser, layer.step()?, value) } else { Ok(()) }
    }

    #[inline]
    fn float(&mut self, ser: &mut Serializer, value: f32) -> Result<()> {
        let step = self.layer.step()?;
        write::tagged(&mut ser.out, step, Kind::Float, value.to_bits().into(), 4);
        Ok(())
    }

    #[inline]
    fn double(&mut self, ser: &mut Serializer, value: f64) -> Result<()> {
        let step = self.layer.step()?;
        write::tagged(&mut ser.out, step, Kind::Double, value.to_bits(), 8);
        Ok(())
    }

    #[inline]
    fn omits(&self) -> bool {
        !self.layer.forced
    }

    #[inline]
    fn wraps_option(&mut self) -> bool {
        std::mem::replace(&mut self.layer.forced, true)
    }

    #[inline]
    fn none(mut self, ser: &mut Serializer) -> Result<()> {
        if self.layer.forced { empty(&mut self, ser) } else { Ok(()) }
    }

    #[inline]
    fn mark(&self, ser: &Serializer) -> Mark {
        Mark { at: ser.out.len(), last: self.layer.last }
    }

    #[inline]
    fn undo(&mut self, ser: &mut Serializer, mark: Mark) {
        ser.out.truncate(mark.at);
        self.layer.last = mark.last;
    }

    fn tag_of(&self, enum_name: &str) -> Option<&'static str> {
        let layer = &*self.layer;
        (layer.count == 1 && layer.enum_name == enum_name).then_some(layer.name)
    }

    fn layer(&mut self) -> Option<&mut LayerWriter> {
        Some(self.layer)
    }
}

/// Writes a usual integer that is a field; false if it is not one.
#[inline(never)]
fn int_field(ser: &mut Serializer, step: u32, value: i64, is_kept: bool) -> bool {
    write::tagged_int(&mut ser.out, step, value, is_kept)
}

#[inline(never)]
fn any_int_field(ser: &mut Serializer, step: u32, value: i64) -> Result<()> {
    write::tag(&mut ser.out, step, Kind::Int);
    write::int(&mut ser.out, value);
    ser.check()
}

/// An element of a list, or a key or value of a map.
pub(super) struct Element<'l> {
    pub(super) elements: &'l mut Elements,
}

impl Slot for Element<'_> {
    #[inline]
    fn begin(&mut self, ser: &mut Serializer, kind: Kind) -> Result<()> {
        // All elements but the first one pass here.
        if self.elements.kind != Some(kind) {
            self.elements.first(ser, kind)?;
        }
        self.elements.count = self.elements.count.saturating_add(1);
        ser.check()
    }

    #[inline]
    fn wraps_option(&mut self) -> bool {
        true
    }

    fn none(mut self, ser: &mut Serializer) -> Result<()> {
        empty(&mut self, ser)
    }

    fn is_dynamic(&mut self, ser: &mut Serializer, variant: &'static str) -> bool {
        self.elements.is_dynamic(ser, variant)
    }
}

/// An element of a tuple, which becomes a list or a bean.
pub(super) struct TupleItem<'t> {
    pub(super) items: &'t mut Items,
    pub(super) is_some: bool,
}

impl Slot for TupleItem<'_> {
    #[inline]
    fn begin(&mut self, ser: &mut Serializer, kind: Kind) -> Result<()> {
        self.items.begin(ser, Some(kind), self.is_some)
    }

    fn wraps_option(&mut self) -> bool {
        std::mem::replace(&mut self.is_some, true)
    }

    fn none(mut self, ser: &mut Serializer) -> Result<()> {
        if self.is_some { empty(&mut self, ser) } else { self.items.begin(ser, None, false) }
    }
}

/// The content of a newtype variant: a bean as it is, any other value as field 1 of one.
pub(super) struct ContentSlot<'l> {
    pub(super) is_bean: &'l mut bool,
    pub(super) forced: bool,
}

impl Slot for ContentSlot<'_> {
    const TUPLES_ARE_BEANS: bool = true;

    fn begin(&mut self, ser: &mut Serializer, kind: Kind) -> Result<()> {
        // A `Some` is distinguished from a `None` by the field, so it needs one.
        if kind == Kind::Bean && !self.forced {
            *self.is_bean = true;
        } else {
            write::tag(&mut ser.out, 1, kind);
        }
        ser.check()
    }

    fn omits(&self) -> bool {
        !self.forced
    }

    fn wraps_option(&mut self) -> bool {
        std::mem::replace(&mut self.forced, true)
    }

    fn none(mut self, ser: &mut Serializer) -> Result<()> {
        if self.forced { empty(&mut self, ser) } else { Ok(()) }
    }

    fn undo(&mut self, ser: &mut Serializer, mark: Mark) {
        ser.out.truncate(mark.at);
        *self.is_bean = false;
    }

    fn takes_value(&self, kind: Kind) -> bool {
        kind == Kind::Bean || self.forced
    }
}

/// The content of the variant for other types: a dynamic bean, whose tag was written.
pub(super) struct WholeSlot(pub(super) &'static str);

impl Slot for WholeSlot {
    const TUPLES_ARE_BEANS: bool = true;

    fn begin(&mut self, ser: &mut Serializer, kind: Kind) -> Result<()> {
        if kind == Kind::Dynamic { ser.check() } else { Err(ids::other_without_content(self.0)) }
    }

    fn none(self, _ser: &mut Serializer) -> Result<()> {
        Err(ids::other_without_content(self.0))
    }

    fn is_dynamic(&mut self, _ser: &mut Serializer, _variant: &'static str) -> bool {
        true
    }
}

/// The layer of a base, which is a bean without a tag.
pub(super) struct BaseSlot;

impl Slot for BaseSlot {
    const TUPLES_ARE_BEANS: bool = true;

    fn begin(&mut self, _ser: &mut Serializer, kind: Kind) -> Result<()> {
        if kind == Kind::Bean {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Unsupported,
            format!("expected a struct as the base of a bean, found {}", kind.article()),
        ))
    }

    fn none(self, _ser: &mut Serializer) -> Result<()> {
        Err(no_none("as the base of a bean"))
    }
}
