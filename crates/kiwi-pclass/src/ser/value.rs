//! Values of properties and elements of lists.

use serde_core::ser::{self, Serialize};

use super::list::{ListRole, ListSer, StructSer};
use super::object::{ObjectSer, State};
use super::{Core, write_null};
use crate::bits::BitWriter;
use crate::compound::binary;
use crate::handoff::{self, Lent};
use crate::read::Wire;
use crate::schema::{CONTENT, Hint, Kind, Kinds, Leaf, Number, Property, Scalar};
use crate::types::{MARK, RAW_OBJECT, STRING, VALUE, WSTRING};
use crate::value::{UNKNOWN_VARIANT, encode};
use crate::write::{Open, Writer};
use crate::{Error, ErrorKind, Result};

/// Around a value: it knows how the value is declared.
pub(super) trait Parent {
    fn core(&mut self) -> Core<'_>;

    fn declared(&mut self) -> Declared<'_>;
}

/// Writes one value. It is two words: the rest stands in the parent, where only the slow ways look.
pub(super) struct ValueSer<'x, P> {
    parent: &'x mut P,
    hint: Hint,
}

impl<'x, P: Parent> ValueSer<'x, P> {
    /// For a value that may take the fast way.
    #[inline(always)]
    pub(super) fn new(parent: &'x mut P, hint: Hint) -> Self {
        ValueSer { parent, hint }
    }

    /// For any value.
    #[inline]
    pub(super) fn any(parent: &'x mut P) -> Self {
        ValueSer::new(parent, Hint::NONE)
    }

    /// The bits that a leaf is written to, after the one before it.
    #[inline(always)]
    fn bits(&mut self) -> &mut BitWriter {
        let bits = &mut self.parent.core().writer.bits;
        if self.hint.is_delta() {
            put_present(bits);
        }
        bits
    }
}

/// The bit that says that a property is present; outlined so that the fast way is small.
#[inline(never)]
pub(super) fn put_present(bits: &mut BitWriter) {
    bits.bit(true);
}

/// A number where bits are waiting. The result is what serializing returns, so that this is the last thing it
/// does and it need not save registers.
#[inline(never)]
fn put_far(bits: &mut BitWriter, number: u64, len: usize) -> Result<()> {
    bits.put_far(number, len);
    Ok(())
}

/// Any number, outlined so that the fast way is small.
#[inline(never)]
fn number(parent: &mut impl Parent, hint: Hint, scalar: Scalar, bits: u64) -> Result<()> {
    let number = Number::of_bits(scalar, bits);
    // Declared as Rust has it, and not on the fast way: a bit stands before it.
    if hint.is(Leaf::Scalar(scalar)) {
        let writer = parent.core().writer;
        writer.bits.bit(true);
        return writer.number(scalar, number);
    }
    let declared = parent.declared();
    // Before an element nothing is to be written.
    if let Some(Kind::Bits { width, signed }) = declared.element {
        return declared.core.writer.small(*width, *signed, number);
    }
    declared.number(number)
}

macro_rules! numbers {
    ($($method:ident $type:ty, $scalar:ident: $value:ident => $bits:expr;)+) => {$(
        #[inline(always)]
        fn $method(self, $value: $type) -> Result<()> {
            // A number that is declared as Rust has it goes no further way.
            if self.hint.is_only(const { Leaf::Scalar(Scalar::$scalar) }) {
                let bits = &mut self.parent.core().writer.bits;
                return match bits.put_near($value.to_le_bytes()) {
                    true => Ok(()),
                    false => put_far(bits, $bits, size_of::<$type>()),
                };
            }
            number(self.parent, self.hint, Scalar::$scalar, $bits)
        }
    )+};
}

impl<'x, P: Parent> ser::Serializer for ValueSer<'x, P> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = ListSer<'x>;
    type SerializeTuple = ListSer<'x>;
    type SerializeTupleStruct = ListSer<'x>;
    type SerializeTupleVariant = ListSer<'x>;
    type SerializeMap = ListSer<'x>;
    type SerializeStruct = StructSer<'x>;
    type SerializeStructVariant = StructSer<'x>;

    binary!();

    numbers! {
        serialize_i8 i8, I8: value => i64::from(value).cast_unsigned();
        serialize_i16 i16, I16: value => i64::from(value).cast_unsigned();
        serialize_i32 i32, I32: value => i64::from(value).cast_unsigned();
        serialize_i64 i64, I64: value => value.cast_unsigned();
        serialize_u8 u8, U8: value => value.into();
        serialize_u16 u16, U16: value => value.into();
        serialize_u32 u32, U32: value => value.into();
        serialize_u64 u64, U64: value => value;
        serialize_f32 f32, F32: value => value.to_bits().into();
        serialize_f64 f64, F64: value => value.to_bits();
    }

    #[inline(always)]
    fn serialize_bool(self, value: bool) -> Result<()> {
        if self.hint.is_only(Leaf::Bool) {
            self.parent.core().writer.bits.bit(value);
            return Ok(());
        }
        self.parent.declared().bool(value)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(mut self, text: &str) -> Result<()> {
        if self.hint.is(Leaf::String) {
            self.bits();
            let Core { writer, rules } = self.parent.core();
            return writer.string(&rules.wire, text.as_bytes());
        }
        self.parent.declared().text(text)
    }

    #[inline]
    fn serialize_bytes(mut self, bytes: &[u8]) -> Result<()> {
        if self.hint.is(Leaf::String) {
            self.bits();
            let Core { writer, rules } = self.parent.core();
            return writer.string(&rules.wire, bytes);
        }
        self.parent.declared().bytes(bytes)
    }

    fn serialize_none(self) -> Result<()> {
        self.parent.declared().none(self.hint.is_present())
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(mut self, value: &T) -> Result<()> {
        if self.hint.is(Leaf::Other) {
            let mut declared = self.parent.declared();
            // Of a property that may be left out, the first option says only that it is present.
            if let Some(Kind::Optional(kind)) = declared.kind()
                && (self.hint.is_present()
                    || declared.element.is_some()
                    || !declared.property.is_delta())
            {
                let open = declared.begin();
                let Core { writer, rules } = declared.core.reborrow();
                writer.bits.bit(true);
                writer.enter_typed(&rules.wire)?;
                declared.element = Some(kind);
                value.serialize(ValueSer::any(&mut declared))?;
                declared.core.writer.leave();
                return declared.core.writer.close(open.as_ref());
            }
        }
        self.hint = self.hint.present().wrapped()?;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.parent.declared().unit()
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<()> {
        let declared = self.parent.declared();
        match declared.kind() {
            Some(Kind::Object) => declared.object(name)?.finish(),
            _ => declared.unit(),
        }
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<()> {
        self.parent.declared().variant(index, variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        // Types of this crate may ask for another way than the declared one.
        if name.starts_with(MARK) {
            let mut declared = self.parent.declared();
            match (name, declared.kind()) {
                (VALUE, _) | (RAW_OBJECT, Some(Kind::Object)) => {
                    let open = declared.begin();
                    let property = Some((declared.property, declared.element));
                    lend(&mut declared.core, property, value)?;
                    return declared.core.writer.close(open.as_ref());
                }
                // Bytes for code units, or the other way round, would be another text.
                (STRING, Some(Kind::WString)) => return Err(declared.mismatch("bytes")),
                (WSTRING, Some(Kind::String)) => return Err(declared.mismatch("UTF-16")),
                _ => {}
            }
        }
        self.hint = self.hint.wrapped()?;
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let mut declared = self.parent.declared();
        if !matches!(declared.kind(), Some(Kind::Object)) {
            return Err(declared.mismatch(&format!("a variant of `{name}` with content")));
        }
        if declared.core.rules.schema.is_inferred()
            && let Ok(at) = declared.core.index_of_variant(name, variant)
            && declared.core.class_at(at)?.has_content()
        {
            let mut object = declared.object(variant)?;
            object.field(CONTENT, value)?;
            return object.finish();
        }
        if variant != UNKNOWN_VARIANT {
            declared.core.writer.variant = Some(variant);
        }
        // The fast way does not look at the variant.
        let hint = self.hint.wrapped()?.slow();
        let ValueSer { parent, .. } = self;
        let written = value.serialize(ValueSer { parent: &mut *parent, hint });
        parent.core().writer.variant = None;
        written
    }

    #[inline(always)]
    fn serialize_seq(self, len: Option<usize>) -> Result<ListSer<'x>> {
        let declared = self.parent.declared();
        let Declared { property, .. } = declared;
        if declared.element.is_none()
            && property.is_list()
            && let Some(len) = len
            && !declared.core.rules.wire.deep
        {
            if property.is_delta() {
                put_present(&mut declared.core.writer.bits);
            }
            let items = (Kinds::Same(&property.kind), len, ListRole::List);
            return ListSer::new(declared.core, property, items, false);
        }
        declared.list(len)
    }

    #[inline(always)]
    fn serialize_tuple(self, len: usize) -> Result<ListSer<'x>> {
        let declared = self.parent.declared();
        if let Some(Kind::Tuple(kinds)) = declared.kind()
            && !declared.core.rules.wire.deep
        {
            if declared.element.is_none() && declared.property.is_delta() {
                put_present(&mut declared.core.writer.bits);
            }
            let items = (Kinds::Each(kinds), kinds.len(), ListRole::Tuple);
            return ListSer::new(declared.core, declared.property, items, false);
        }
        declared.list(Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<ListSer<'x>> {
        self.parent.declared().list(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<ListSer<'x>> {
        let declared = self.parent.declared();
        match declared.kind() {
            Some(Kind::Object) if declared.core.rules.schema.is_inferred() => {
                declared.object(variant)?.tuple(len)
            }
            _ => Err(declared.mismatch(&format!("a tuple variant of `{name}`"))),
        }
    }

    fn serialize_map(self, len: Option<usize>) -> Result<ListSer<'x>> {
        let declared = self.parent.declared();
        match declared.kind() {
            None | Some(Kind::List(_)) => declared.list(len),
            _ => {
                Err(declared
                    .mismatch("a map, which has no class: flattened structs have none either"))
            }
        }
    }

    #[inline(always)]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<StructSer<'x>> {
        let Core { writer, rules } = self.parent.core();
        if self.hint.is(Leaf::Object)
            && rules.wire.is_plain
            && let Some(at) = writer.names.get(name)
        {
            let mut core = self.parent.core();
            let class = core.class_at(at)?;
            let state = ObjectSer::plain(&mut core, class, self.hint.is_delta())?;
            return Ok(StructSer::Object(ObjectSer::new(core, class, state)));
        }
        // The slow way returns words and no struct, so that what is made of them need not be in memory.
        let mut declared = self.parent.declared();
        match declared.reborrow().structure(name)? {
            Some((at, state)) => {
                let class = declared.core.class_at(at)?;
                Ok(StructSer::Object(ObjectSer::new(declared.core, class, state)))
            }
            None => declared.row(len).map(StructSer::Tuple),
        }
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<StructSer<'x>> {
        let declared = self.parent.declared();
        declared.core.writer.variant = None;
        match declared.kind() {
            Some(Kind::Object) => declared.object(variant).map(StructSer::Object),
            _ => Err(declared.mismatch(&format!("a variant of `{name}` with fields"))),
        }
    }
}

/// How a value is declared, and the writer it goes to.
pub(crate) struct Declared<'a> {
    pub(super) core: Core<'a>,
    pub(super) property: &'a Property,
    /// The encoding of an element; none for the whole property.
    pub(super) element: Option<&'a Kind>,
}

impl Parent for Declared<'_> {
    fn core(&mut self) -> Core<'_> {
        self.core.reborrow()
    }

    fn declared(&mut self) -> Declared<'_> {
        self.reborrow()
    }
}

/// Lends the writer to a value of this crate, which takes it from there.
pub(super) fn lend<T: Serialize + ?Sized>(
    core: &mut Core<'_>,
    property: Option<(&Property, Option<&Kind>)>,
    value: &T,
) -> Result<()> {
    let lent = Lent::new(core.writer, core.rules, property);
    // A type of another crate writes to nothing instead, and is refused.
    let mut unused = Writer::default();
    let mut root = Declared::root(Core { writer: &mut unused, rules: core.rules });
    let (lent, written) = handoff::lend(lent, || value.serialize(ValueSer::any(&mut root)));
    if let Some(lent) = lent {
        *core.writer = lent.into_writer();
    }
    written
}

impl<'a> Declared<'a> {
    /// As the root is declared.
    pub(super) fn root(core: Core<'a>) -> Self {
        let property = core.rules.root;
        Declared { core, property, element: Some(&property.kind) }
    }

    /// The encoding, unless it is a list.
    #[inline]
    fn kind(&self) -> Option<&'a Kind> {
        match self.element {
            Some(kind) => Some(kind),
            None if self.property.is_list() => None,
            None => Some(&self.property.kind),
        }
    }

    /// Writes what stands before the value of a property.
    #[inline]
    fn begin(&mut self) -> Option<Open> {
        if self.element.is_some() {
            return None;
        }
        if self.core.rules.wire.deep {
            return Some(self.core.writer.open_entry(self.property.hash));
        }
        if self.property.is_delta() {
            self.core.writer.bits.bit(true);
        }
        None
    }

    /// Writes a value with what stands before it.
    #[inline]
    fn write(mut self, write: impl FnOnce(&mut Writer, &Wire) -> Result<()>) -> Result<()> {
        let open = self.begin();
        write(self.core.writer, &self.core.rules.wire)?;
        self.core.writer.close(open.as_ref())
    }

    #[inline]
    fn reborrow(&mut self) -> Declared<'_> {
        Declared { core: self.core.reborrow(), ..*self }
    }

    fn object(mut self, name: &'static str) -> Result<ObjectSer<'a>> {
        let (at, state) = self.begin_object(name)?;
        let class = self.core.class_at(at)?;
        Ok(ObjectSer::new(self.core, class, state))
    }

    /// Begins an object. Returns the place of its class.
    fn begin_object(&mut self, name: &'static str) -> Result<(usize, State)> {
        let at = self.core.index_for(name)?;
        let class = self.core.class_at(at)?;
        let open = self.begin();
        Ok((at, ObjectSer::open(&mut self.core, class, open)?))
    }

    /// Begins the object of a struct; nothing for a type of a few numbers.
    #[inline(never)]
    fn structure(mut self, name: &'static str) -> Result<Option<(usize, State)>> {
        match self.kind() {
            Some(Kind::Object) => self.begin_object(name).map(Some),
            Some(kind) if kind.row().is_some() => Ok(None),
            _ => Err(self.mismatch(&format!("the struct `{name}`"))),
        }
    }

    /// A struct of a type of a few numbers.
    #[inline(never)]
    fn row(self, len: usize) -> Result<Box<ListSer<'a>>> {
        self.list(Some(len)).map(Box::new)
    }

    #[cold]
    fn mismatch(&self, found: &str) -> Error {
        let expected = match (self.kind(), &*self.property.type_name) {
            (None, name) => format!("a list of {name}"),
            (Some(_), "") => "a value of a known type".to_owned(),
            (Some(_), name) => name.to_owned(),
        };
        Error::new(ErrorKind::Data, format!("expected {expected}, found {found}"))
    }

    fn number(self, number: Number) -> Result<()> {
        let Some(kind) = self.kind() else { return Err(self.mismatch("a number")) };
        match kind {
            Kind::Scalar(scalar) => self.write(|writer, _| writer.number(*scalar, number)),
            Kind::Bits { width, signed } => {
                self.write(|writer, _| writer.small(*width, *signed, number))
            }
            Kind::Enum => {
                // With a sign, as an `int` of C++.
                let value = match number {
                    Number::UInt(_) => number.fit(),
                    number => number.fit().map(i32::cast_unsigned),
                };
                let value = value.ok_or_else(|| {
                    let name = self.property.type_name();
                    let message = format!("expected {name}, found {number}, which is no enum");
                    Error::new(ErrorKind::NumberRange, message)
                })?;
                self.option(value)
            }
            _ => Err(self.mismatch(&number.to_string())),
        }
    }

    fn bool(self, value: bool) -> Result<()> {
        match self.kind() {
            Some(Kind::Bool) => self.write(|writer, _| {
                writer.bits.bit(value);
                Ok(())
            }),
            _ => Err(self.mismatch("a bool")),
        }
    }

    fn option(self, value: u32) -> Result<()> {
        let property = self.property;
        self.write(|writer, wire| writer.option(wire, property, value))
    }

    fn variant(self, index: u32, variant: &'static str) -> Result<()> {
        let options = self.property.options_or_none();
        let is_own = |kind: Option<&Kind>| match kind {
            Some(Kind::Enum) => options.is_inferred,
            // Of an enum that has variants with content too, it is what it would be without them.
            Some(Kind::Object) => options.is_inferred && options.value_of(variant).is_some(),
            _ => false,
        };
        match self.kind() {
            // Of a Rust type: by its own number and name, for a place may hold several enums.
            kind if is_own(kind) => self.write(|writer, wire| match wire.names {
                true => writer.string(wire, variant.as_bytes()),
                false => {
                    writer.bits.u32(index);
                    Ok(())
                }
            }),
            Some(Kind::Enum) => {
                let value = match self.property.options() {
                    Some(options) => options.of_variant(index, variant)?,
                    None => index,
                };
                self.option(value)
            }
            Some(Kind::String | Kind::WString) => self.text(variant),
            Some(Kind::Object) => self.object(variant)?.finish(),
            _ => self.number(Number::UInt(index.into())),
        }
    }

    fn text(self, text: &str) -> Result<()> {
        match self.kind() {
            Some(Kind::String) => self.write(|writer, wire| writer.string(wire, text.as_bytes())),
            Some(Kind::WString) => {
                let units: Vec<u16> = text.encode_utf16().collect();
                self.write(|writer, wire| writer.wstring(wire, units.into_iter()))
            }
            Some(Kind::Enum) => {
                let value = self.property.options_or_none().parse(text)?;
                self.option(value)
            }
            _ => Err(self.mismatch("a string")),
        }
    }

    fn bytes(self, bytes: &[u8]) -> Result<()> {
        match self.kind() {
            Some(Kind::String) => self.write(|writer, wire| writer.string(wire, bytes)),
            Some(Kind::WString) => {
                let (pairs, _) = bytes.as_chunks::<2>();
                let units = pairs.iter().map(|pair| u16::from_le_bytes(*pair));
                self.write(|writer, wire| writer.wstring(wire, units))
            }
            None => {
                let mut list = self.list(Some(bytes.len()))?;
                bytes.iter().try_for_each(|byte| list.item(byte))?;
                list.finish()
            }
            _ => Err(self.mismatch("bytes")),
        }
    }

    /// Writes that there is no value; `there` if an option around it is present.
    fn none(self, is_present: bool) -> Result<()> {
        let (wire, is_element) = (&self.core.rules.wire, self.element.is_some());
        let delta = !is_element && self.property.is_delta() && !is_present;
        match self.kind() {
            Some(Kind::Object) if !delta || wire.forbids_delta() => {
                // A pointer to a class that was never seen has no known hash; in an option it is present.
                if self.property.type_name.is_empty() && wire.deep && !is_element && !is_present {
                    return Ok(());
                }
                self.write(write_null)
            }
            Some(Kind::Optional(_) | Kind::Unseen) if is_element => {
                self.core.writer.bits.bit(false);
                Ok(())
            }
            Some(Kind::Optional(_)) if is_present => self.write(|writer, _| {
                writer.bits.bit(false);
                Ok(())
            }),
            _ if is_element => Err(self.mismatch("none")),
            _ if wire.deep => Ok(()),
            _ => encode::absent(self.core.writer, self.core.rules, self.property),
        }
    }

    fn unit(self) -> Result<()> {
        match self.kind() {
            Some(Kind::Tuple(kinds)) if kinds.is_empty() => self.write(|_, _| Ok(())),
            Some(Kind::Object) => self.write(write_null),
            _ => Err(self.mismatch("nothing")),
        }
    }

    #[inline(never)]
    pub(super) fn list(mut self, len: Option<usize>) -> Result<ListSer<'a>> {
        let (property, kind) = (self.property, self.kind());
        let items = match kind {
            // A list of which no element was ever seen has no known hash; in an option it is present.
            None if property.kind == Kind::Unseen
                && self.core.rules.wire.deep
                && !property.is_delta()
                && len.is_none_or(|len| len == 0) =>
            {
                let items = (Kinds::Same(&property.kind), 0, ListRole::Nothing);
                return ListSer::new(self.core, property, items, false);
            }
            None | Some(Kind::List(_)) => {
                let kind = if let Some(Kind::List(kind)) = kind { kind } else { &property.kind };
                let role = if len.is_some() { ListRole::List } else { ListRole::Counted };
                (Kinds::Same(kind), len.unwrap_or(usize::MAX), role)
            }
            Some(Kind::Tuple(kinds)) => (Kinds::Each(kinds), kinds.len(), ListRole::Tuple),
            Some(kind @ (Kind::String | Kind::WString)) => {
                let unit = if *kind == Kind::String {
                    Kind::of_scalar(Scalar::U8)
                } else {
                    Kind::of_scalar(Scalar::U16)
                };
                let outer = self.open();
                let Some(len) = len else {
                    let items = (Kinds::Same(unit), usize::MAX, ListRole::CountedUnits);
                    return ListSer::new(self.core, property, items, outer);
                };
                self.core.writer.string_len(&self.core.rules.wire, len)?;
                let items = (Kinds::Same(unit), len, ListRole::Row);
                return ListSer::new(self.core, property, items, outer);
            }
            Some(kind) => match kind.row() {
                Some(row) if row.each == 1 => {
                    let role = if *kind == Kind::Color { ListRole::Color } else { ListRole::Row };
                    (Kinds::Same(Kind::of_scalar(row.scalar)), row.len(), role)
                }
                // Three rows, as three vectors.
                Some(row) => (Kinds::Same(&Kind::Vector3D), row.names.len(), ListRole::Row),
                None => return Err(self.mismatch("a list")),
            },
        };
        let outer = self.open();
        ListSer::new(self.core, property, items, outer)
    }

    /// Writes what stands before the value of a property, and returns whether it is an entry, which waits in
    /// the writer.
    fn open(&mut self) -> bool {
        let open = self.begin();
        let is_entry = open.is_some();
        self.core.writer.open.extend(open);
        is_entry
    }
}
