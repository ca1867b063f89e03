//! Properties of an object and elements of a list, one by one.

use serde_core::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde_core::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use super::State;
use super::value::{BUFFERED, NoneDe, NumberDe, ValueDe};
use crate::core_object::CoreHeader;
use crate::core_object::FIELD as CORE;
use crate::hash::djb2;
use crate::options::Unknown;
use crate::read::{self, EntryHead};
use crate::schema::{Class, Container, Hint, Kind, Kinds, Number, Property, builtin_type};
use crate::value::encode;
use crate::{Error, ErrorKind, Result};

/// Skips what the visitor left.
pub(super) fn pass_rest<'de>(mut access: impl de::MapAccess<'de, Error = Error>) -> Result<()> {
    while access.next_entry::<de::IgnoredAny, de::IgnoredAny>()?.is_some() {}
    Ok(())
}

/// Gives a name to the visitor. `fields` are those that the struct wants; a type that does not know
/// its fields keeps the names.
#[inline]
fn key<'de, K: DeserializeSeed<'de>>(
    state: &mut State<'_, 'de>,
    fields: &[&str],
    name: &str,
    seed: K,
) -> Result<Option<K::Value>> {
    if fields.is_empty() {
        state.reader.take_memory(BUFFERED.saturating_add(name.len()))?;
    }
    seed.deserialize(StrDeserializer::new(name)).map(Some)
}

/// The properties of a shallow object that are present, in the order of the class. Those that the struct
/// does not have are read over by the visitor, which ignores their values.
pub(super) struct ShallowAccess<'x, 'a, 'de> {
    state: &'x mut State<'a, 'de>,
    properties: std::slice::Iter<'a, Property>,
    fields: &'static [&'static str],
    /// The fields that are left, if they are the properties in their order: then no names are compared,
    /// and the visitor may borrow those that the struct gave.
    names: std::slice::Iter<'static, &'static str>,
    /// The header of a core object, which comes first.
    core: Option<CoreHeader>,
    /// The property whose value is next.
    current: Option<&'a Property>,
    /// Shallow mode has all properties.
    has_all: bool,
    /// The value that is next is `None`.
    is_none: bool,
}

impl<'x, 'a, 'de> ShallowAccess<'x, 'a, 'de> {
    pub(super) fn new(
        state: &'x mut State<'a, 'de>,
        class: &'a Class,
        core: Option<CoreHeader>,
        fields: &'static [&'static str],
        names: &'static [&'static str],
    ) -> Self {
        let core = core.filter(|_| fields.contains(&CORE));
        let (properties, names) = (class.properties().iter(), names.iter());
        let has_all = state.reader.wire.has_all(class);
        ShallowAccess {
            state,
            properties,
            fields,
            names,
            core,
            current: None,
            has_all,
            is_none: false,
        }
    }

    /// Whether nothing is left.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.properties.as_slice().is_empty() && self.current.is_none() && self.core.is_none()
    }
}

impl<'de> ShallowAccess<'_, '_, 'de> {
    #[inline(never)]
    fn header<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let core = self.core.take().ok_or_else(no_name)?;
        let CoreHeader { block, template_type, template_id } = core;
        let numbers = [block.into(), template_type.into(), template_id.into()];
        let numbers = NumberDe::Row(numbers.map(Number::UInt));
        seed.deserialize(numbers).map_err(|error| error.inside(CORE))
    }
}

impl<'de> de::MapAccess<'de> for ShallowAccess<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.core.is_some() {
            return key(self.state, self.fields, CORE, seed);
        }
        for property in self.properties.by_ref() {
            if !(self.has_all || self.state.reader.wire.has(property)) {
                continue;
            }
            let name = self.names.next();
            if property.is_delta() {
                let present = self.state.reader.present(property);
                if !present.map_err(|error| error.inside(property.name()))? {
                    // Such a property is an `Option` of Rust, which the bytes say is `None`: with
                    // `serde(with)`, serde has no value of its own for a field that is absent.
                    if !self.state.classes.schema.is_inferred() {
                        continue;
                    }
                    self.is_none = true;
                }
            }
            self.current = Some(property);
            return match name {
                Some(name) => seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some),
                None => key(self.state, self.fields, property.name(), seed),
            };
        }
        Ok(None)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let Some(property) = self.current.take() else { return self.header(seed) };
        if std::mem::take(&mut self.is_none) {
            return seed.deserialize(NoneDe).map_err(|error| error.inside(property.name()));
        }
        let at = self.state.reader.at();
        match seed.deserialize(ValueDe::whole(self.state, property, usize::MAX, false)) {
            Ok(value) => Ok(value),
            Err(error) => Err(error.or_at(at).inside(property.name())),
        }
    }
}

/// The entries of a deep object, and then the properties that are absent and have a value.
pub(super) struct DeepAccess<'x, 'a, 'de> {
    state: &'x mut State<'a, 'de>,
    class: &'a Class,
    /// The fields that the struct wants; empty if it does not say.
    fields: &'static [&'static str],
    /// The next property in order.
    next: usize,
    /// Where the object ends.
    end: usize,
    /// The property whose value is next.
    current: Current<'a>,
    /// The properties that were there.
    seen: Vec<bool>,
    /// The first property that may be absent and was not given yet.
    absent: usize,
}

enum Current<'a> {
    Nothing,
    Property(&'a Property, EntryHead),
    /// Declared otherwise than the Rust type has it.
    Retyped(Box<Property>, EntryHead),
    Absent(&'a Property),
    /// An `Option` of a Rust type, which the bytes say is `None`.
    None(&'a Property),
}

impl<'x, 'a, 'de> DeepAccess<'x, 'a, 'de> {
    pub(super) fn new(
        state: &'x mut State<'a, 'de>,
        class: &'a Class,
        fields: &'static [&'static str],
    ) -> Result<Self> {
        let end = state.reader.object_end()?;
        let current = Current::Nothing;
        // Only where the struct says its fields.
        let seen = vec![false; if fields.is_empty() { 0 } else { class.properties().len() }];
        Ok(DeepAccess { state, class, fields, next: 0, end, current, seen, absent: 0 })
    }

    #[inline]
    fn next_name(&mut self) -> Result<Option<&'a str>> {
        while self.state.reader.at() < self.end {
            let entry = self.state.reader.entry(self.end)?;
            match self.class.find(entry.hash, self.next) {
                Some((index, property)) => {
                    self.next = index.wrapping_add(1);
                    self.mark_seen(index);
                    self.current = Current::Property(property, entry);
                    return Ok(Some(property.name()));
                }
                None => {
                    if let Some((index, name, property)) = self.retype(&entry) {
                        self.mark_seen(index);
                        self.current = Current::Retyped(property, entry);
                        return Ok(Some(name));
                    }
                    let lenient = self.state.reader.wire.unknown != Unknown::Refuse
                        || self.state.classes.schema.is_inferred();
                    if !lenient {
                        let at = self.state.reader.last_word();
                        return Err(read::unknown_property(self.class, entry.hash, at));
                    }
                    self.state.reader.bits.seek(entry.end)?;
                }
            }
        }
        self.next_absent()
    }

    #[inline]
    fn mark_seen(&mut self, index: usize) {
        self.seen.get_mut(index).into_iter().for_each(|seen| *seen = true);
    }

    /// In a schema made of Rust types, the type may be another one than in the data; the name is the same, or
    /// another one of the same field.
    #[cold]
    fn retype(&self, entry: &EntryHead) -> Option<(usize, &'a str, Box<Property>)> {
        if !self.state.classes.schema.is_inferred() {
            return None;
        }
        let game = self.state.classes.schema.game();
        let class: &'a Class = self.class;
        let names = class.properties().iter().map(Property::name).enumerate();
        names.chain(class.aliases()).find_map(|(index, name)| {
            let property = class.properties().get(index)?;
            // The hash of a property is a sum, so the name's part can be taken off.
            let type_hash = entry.hash.wrapping_sub(djb2(name.as_bytes()));
            let mut property_as = property.clone();
            if type_hash != 0 && type_hash != game.class_hash(&property.type_name) {
                property_as.type_name = builtin_type(type_hash, game)?.into();
                property_as.kind = Kind::from_type_name(&property_as.type_name);
                property_as.set_hint();
            }
            Some((index, name, Box::new(property_as)))
        })
    }

    /// Absent lists are empty and absent pointers null, as in a new object. What may be left out is
    /// for the Rust type to say, unless that says that it is an `Option`: with `serde(with)` and in newtypes,
    /// serde has no value of its own for a field that is absent.
    fn next_absent(&mut self) -> Result<Option<&'a str>> {
        if self.fields.is_empty() {
            return Ok(None);
        }
        while let Some(property) = self.class.properties().get(self.absent) {
            let index = self.absent;
            self.absent = index.wrapping_add(1);
            let is_none = self.class.is_inferred && property.is_delta();
            if (is_none || wants_absent(property, self.state.fill))
                && self.seen.get(index) == Some(&false)
                && self.fields.contains(&property.name())
            {
                self.current =
                    if is_none { Current::None(property) } else { Current::Absent(property) };
                return Ok(Some(property.name()));
            }
        }
        Ok(None)
    }
}

/// Whether a new object's value is read where a property is absent: where the type list says it, and
/// of lists and pointers, which are empty then. With `fill` of all.
fn wants_absent(property: &Property, fill: bool) -> bool {
    let empty = property.container != Container::Static || matches!(property.kind, Kind::Object);
    property.kind != Kind::Unsupported
        && (fill || empty && !property.is_delta() || property.default_value().is_some())
}

impl<'de> de::MapAccess<'de> for DeepAccess<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        match self.next_name()? {
            Some(name) => key(self.state, self.fields, name, seed),
            None => Ok(None),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let current = std::mem::replace(&mut self.current, Current::Nothing);
        let (property, entry) = match &current {
            Current::Property(property, entry) => (*property, entry),
            Current::Retyped(property, entry) => (&**property, entry),
            Current::Absent(property) => {
                let bytes = encode::default(self.state.reader.wire, property);
                let value = bytes.and_then(|bytes| self.state.absent(&bytes, property, seed));
                return value
                    .map_err(|error| error.or_at(self.state.reader.at()).inside(property.name()));
            }
            Current::None(property) => {
                return seed.deserialize(NoneDe).map_err(|error| error.inside(property.name()));
            }
            Current::Nothing => return Err(no_name()),
        };
        let at = self.state.reader.at();
        let value = ValueDe::whole(self.state, property, entry.end, false);
        let value = seed.deserialize(value).and_then(|value| {
            self.state.reader.end_entry(entry)?;
            Ok(value)
        });
        value.map_err(|error| error.or_at(at).inside(property.name()))
    }
}

#[cold]
fn no_name() -> Error {
    de::Error::custom("a value was asked for before its name")
}

impl<'de> State<'_, 'de> {
    /// Reads the value of a property that is missing from the bytes that it would have.
    fn absent<V: DeserializeSeed<'de>>(
        &self,
        bytes: &[u8],
        property: &Property,
        seed: V,
    ) -> Result<V::Value> {
        let mut state = State { reader: self.reader.inside(bytes), borrow: None, ..*self };
        seed.deserialize(ValueDe::whole(&mut state, property, usize::MAX, true))
    }
}

/// Elements of a list, or the members of a tuple.
pub(super) struct ListAccess<'x, 'p, 'a, 'de> {
    state: &'x mut State<'a, 'de>,
    property: &'p Property,
    kinds: Kinds<'p>,
    index: usize,
    len: usize,
    /// Where a tuple ends, if that is known.
    end: usize,
    /// Of each element, if they are alike.
    hint: Hint,
}

impl<'x, 'p, 'a, 'de> ListAccess<'x, 'p, 'a, 'de> {
    #[inline]
    pub(super) fn new(
        state: &'x mut State<'a, 'de>,
        property: &'p Property,
        kinds: Kinds<'p>,
        (len, end): (usize, usize),
    ) -> Self {
        let hint = if let Kinds::Same(kind) = kinds { Hint::of(kind) } else { Hint::NONE };
        ListAccess { state, property, kinds, index: 0, len, end, hint }
    }

    /// The visitor must have taken all.
    #[inline]
    pub(super) fn end(&self) -> Result<()> {
        if self.index == self.len { Ok(()) } else { Err(self.too_long()) }
    }

    #[cold]
    fn too_long(&self) -> Error {
        let (index, len) = (self.index, crate::error::Count(self.len, "element"));
        let message = format!("expected a list of {index}, found {len}");
        Error::new(ErrorKind::Data, message)
    }

    #[inline]
    fn next(&mut self) -> Option<(usize, &'p Kind)> {
        let index = self.index;
        if index >= self.len {
            return None;
        }
        let kind = self.kinds.get(index)?;
        // Last members that were skipped are not there.
        if let Kinds::Each(_) = self.kinds
            && self.state.reader.at() >= self.end
            && kind.min_bits(true, true) > 0
        {
            self.len = index;
            return None;
        }
        self.index = index.wrapping_add(1);
        Some((index, kind))
    }
}

impl<'de> de::SeqAccess<'de> for ListAccess<'_, '_, '_, 'de> {
    type Error = Error;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some((index, kind)) = self.next() else { return Ok(None) };
        let at = self.state.reader.at();
        let hint = if let Kinds::Same(_) = self.kinds { self.hint } else { Hint::of(kind) };
        let value = ValueDe::element(self.state, self.property, kind, hint);
        match seed.deserialize(value) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.or_at(at).inside(index)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len.saturating_sub(self.index))
    }
}

/// The encoding of the key in a pair, or of the value.
fn half(kind: &Kind, index: usize) -> Option<&Kind> {
    if let Kind::Tuple(pair) = kind { pair.get(index) } else { None }
}

/// A list of pairs as a map.
impl<'de> de::MapAccess<'de> for ListAccess<'_, '_, '_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((index, kind)) = self.next() else { return Ok(None) };
        let Some(kind) = half(kind, 0) else { return Ok(None) };
        let at = self.state.reader.at();
        let key = ValueDe::element(self.state, self.property, kind, Hint::of(kind));
        let key = seed.deserialize(key).map_err(|error| error.or_at(at).inside(index))?;
        Ok(Some(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let index = self.index.saturating_sub(1);
        let kind = self.kinds.get(index).and_then(|kind| half(kind, 1));
        let kind = kind.ok_or_else(|| Error::new(ErrorKind::Data, "expected a pair"))?;
        let at = self.state.reader.at();
        let value = ValueDe::element(self.state, self.property, kind, Hint::of(kind));
        seed.deserialize(value).map_err(|error| error.or_at(at).inside(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len.saturating_sub(self.index))
    }
}

/// Takes text for the name of a variant.
pub(super) fn text_variant<'de, V: Visitor<'de>>(text: &str, visitor: V) -> Result<V::Value> {
    visitor.visit_enum(IntoDeserializer::<Error>::into_deserializer(text))
}
