//! Writing at once, with all defaults: the plain serde path.

use base64::Engine as _;
use gamewire_core::words::Name;
use serde_core::ser::{self, Error as _, Serialize};

use super::Serializer;
use super::content::Content;
use super::raw;
use super::store::{flags, whole};
use crate::node::{Node, UNKNOWN, is_text, name_of, node_of, refused, too_wide, tree};
use crate::types::handoff;
use crate::value::as_text;
use crate::{Conformance, Error, Result};

pub(super) fn base64(bytes: &[u8]) -> String {
    base64::prelude::BASE64_STANDARD.encode(bytes)
}

macro_rules! numbers {
    ($($method:ident $type:ident $write:ident),* $(,)?) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<()> {
            self.writer.$write(value.into());
            Ok(())
        }
    )*};
}

impl<'a> ser::Serializer for &'a mut Serializer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    numbers! {
        serialize_i8 i8 signed, serialize_i16 i16 signed, serialize_i32 i32 signed,
        serialize_i64 i64 signed, serialize_u8 u8 unsigned, serialize_u16 u16 unsigned,
        serialize_u32 u32 unsigned, serialize_u64 u64 unsigned,
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<()> {
        self.writer.bool(value);
        Ok(())
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        match (u64::try_from(value), i64::try_from(value)) {
            (Ok(value), _) => self.writer.unsigned(value),
            (_, Ok(value)) => self.writer.signed(value),
            _ => return Err(too_wide(value)),
        }
        Ok(())
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        let value = u64::try_from(value).map_err(|_| too_wide(value))?;
        self.writer.unsigned(value);
        Ok(())
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<()> {
        self.writer.float(value)
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<()> {
        self.writer.double(value)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.writer.string(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.writer.string(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.writer.check()?;
        self.writer.string(&base64(value));
        Ok(())
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.writer.raw("null");
        Ok(())
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        child(value, self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.writer.raw("{}");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.writer.string(variant);
        Ok(())
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: Name, value: &T) -> Result<()> {
        if name.starts_with(handoff::PREFIX) {
            return self.native(name, value);
        }
        child(value, self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        if variant == UNKNOWN || name_of(variant).eq_ignore_ascii_case(name) {
            return child(value, self);
        }
        value.serialize(Content { serializer: self, variant })
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'a>> {
        Compound::open(self, b'[')
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Compound<'a>> {
        Compound::open(self, b'[')
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>> {
        Compound::open(self, b'[')
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a>> {
        if name_of(variant).eq_ignore_ascii_case(name) {
            return self.serialize_tuple(len);
        }
        Content { serializer: self, variant }.serialize_tuple(len)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'a>> {
        Ok(Entries {
            start: self.writer.len(),
            serializer: self,
            state: State::Empty,
            places: Vec::new(),
            more: 0,
        })
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>> {
        Compound::open(self, b'{')
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a>> {
        if name_of(variant).eq_ignore_ascii_case(name) {
            return self.serialize_struct(name, len);
        }
        Content { serializer: self, variant }.serialize_struct(name, len)
    }

    fn collect_str<T: std::fmt::Display + ?Sized>(self, value: &T) -> Result<()> {
        self.serialize_str(&value.to_string())
    }
}

impl Serializer {
    /// A type with a reserved name.
    pub(super) fn native<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        match name {
            handoff::ENUM => match handoff::take_enum() {
                Some((info, bits)) => {
                    flags(bits, info, &self.options).write(&mut self.writer, self.options.max_depth)
                }
                None => value.serialize(self),
            },
            handoff::RAW => {
                let make = || node_of(value, &self.options);
                match as_text(self.writer.depth(), self.options.pretty, make)? {
                    Node::Text(text) => raw::write(&mut self.writer, &text, self.options.max_depth),
                    _ => Err(Error::custom("a reserved name")),
                }
            }
            handoff::REFUSED => Err(refused()),
            handoff::UNORDERED_MAP
            | handoff::MULTI_MAP
            | handoff::UNORDERED_SET
            | handoff::MULTI_SET
            | handoff::SORTED => {
                let tree = tree(&self.options);
                let node = ser::Serializer::serialize_newtype_struct(tree, name, value)?;
                whole(&node, &self.options, &mut self.writer)
            }
            handoff::MAP => {
                let start = self.writer.len();
                value.serialize(&mut *self)?;
                self.writer.empty_as_array(start);
                Ok(())
            }
            _ => value.serialize(self),
        }
    }
}

/// Writes a value that is the root or stands in another one.
///
/// serde does not show what kind of map is empty. The engine writes its own as `[]`; `{}` is what
/// stands for the default of a field there. What has no type, as in `serde_json`, stays `{}`.
#[inline]
pub(super) fn child<T: Serialize + ?Sized>(value: &T, serializer: &mut Serializer) -> Result<()> {
    let start = serializer.writer.len();
    value.serialize(&mut *serializer)?;
    if handoff::is_map::<T>() {
        serializer.writer.empty_as_array(start);
    }
    Ok(())
}

/// An array or object being written.
pub struct Compound<'a> {
    pub(super) serializer: &'a mut Serializer,
    pub(super) first: bool,
    pub(super) index: usize,
    /// What closes it, and how many objects around it are to be closed too.
    pub(super) bracket: u8,
    pub(super) more: usize,
}

impl<'a> Compound<'a> {
    #[inline]
    pub(super) fn open(serializer: &'a mut Serializer, bracket: u8) -> Result<Self> {
        serializer.writer.open(bracket)?;
        let bracket = if bracket == b'[' { b']' } else { b'}' };
        Ok(Compound { serializer, first: true, index: 0, bracket, more: 0 })
    }

    #[inline]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.serializer.writer.next(&mut self.first);
        let index = self.index;
        self.index = index.wrapping_add(1);
        child(value, self.serializer).map_err(|error| error.in_index(index))
    }

    #[inline]
    fn member<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.serializer.writer.next(&mut self.first);
        self.serializer.writer.key(name);
        child(value, self.serializer).map_err(|error| error.in_field(name))
    }

    #[inline]
    fn close(self) {
        self.serializer.writer.close(self.bracket, self.first);
        for _ in 0..self.more {
            self.serializer.writer.close(b'}', false);
        }
    }
}

macro_rules! compound {
    ($($trait:ident $method:ident),*) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.element(value)
            }

            #[inline]
            fn end(self) -> Result<()> {
                self.close();
                Ok(())
            }
        }
    )*};
}

compound! {
    SerializeSeq serialize_element, SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field
}

macro_rules! class {
    ($($trait:ident),*) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<()> {
                self.member(name, value)
            }

            #[inline]
            fn end(self) -> Result<()> {
                self.close();
                Ok(())
            }
        }
    )*};
}

class!(SerializeStruct, SerializeStructVariant);

/// A map being written: an object as long as all keys are strings.
pub struct Entries<'a> {
    serializer: &'a mut Serializer,
    start: usize,
    state: State,
    /// Where keys and values are, for turning the object into an array of pairs.
    places: Vec<(usize, usize, usize)>,
    /// How many objects around it are to be closed too.
    pub(super) more: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Empty,
    Object,
    Pairs,
}

impl Entries<'_> {
    /// Writes what was an object so far as pairs.
    fn turn_into_pairs(&mut self) -> Result<()> {
        let writer = &mut self.serializer.writer;
        let text = writer.since(self.start).to_vec();
        writer.truncate(self.start);
        if self.state == State::Object {
            // The brace was counted.
            writer.set_depth(writer.depth().saturating_sub(1));
        }
        let at = |from: usize, to: usize| {
            let range = from.saturating_sub(self.start)..to.saturating_sub(self.start);
            text.get(range).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
        };
        writer.open(b'[')?;
        let mut first = true;
        for &(key, value, end) in &self.places {
            writer.next(&mut first);
            let mut inner = true;
            writer.open(b'{')?;
            writer.next(&mut inner);
            writer.key("Key");
            // The colon stands between key and value.
            writer.raw(at(key, value).trim_end_matches([':', ' ']));
            writer.next(&mut inner);
            writer.key("Value");
            writer.raw(at(value, end));
            writer.close(b'}', false);
        }
        self.state = State::Pairs;
        Ok(())
    }
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let docs = self.serializer.options.conformance == Conformance::Docs;
        let before = self.serializer.writer.len();
        // The key alone first: what it is written as decides whether an object will do.
        let depth = self.serializer.writer.depth();
        key.serialize(&mut *self.serializer)?;
        let text = String::from_utf8(self.serializer.writer.since(before).to_vec());
        let text = text.unwrap_or_default();
        self.serializer.writer.truncate(before);
        self.serializer.writer.set_depth(depth);
        let is_text = text.starts_with('"') && (!docs || is_text(key, &self.serializer.options));
        if !is_text && self.state != State::Pairs {
            self.turn_into_pairs()?;
        }
        let writer = &mut self.serializer.writer;
        let mut first = self.places.is_empty();
        if self.state == State::Pairs {
            writer.next(&mut first);
            let mut inner = true;
            writer.open(b'{')?;
            writer.next(&mut inner);
            writer.key("Key");
            let key = writer.len();
            writer.raw(&text);
            writer.next(&mut inner);
            writer.key("Value");
            self.places.push((key, writer.len(), 0));
            return Ok(());
        }
        if self.state == State::Empty {
            writer.open(b'{')?;
            self.state = State::Object;
        }
        writer.next(&mut first);
        let key = writer.len();
        writer.raw(&text);
        writer.colon();
        self.places.push((key, writer.len(), 0));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.places.len().saturating_sub(1);
        child(value, self.serializer).map_err(|error| match self.places.last() {
            Some(&(key, value, _)) if self.state == State::Object => {
                let text = self.serializer.writer.since(key);
                let end = value.saturating_sub(key);
                let name = text.get(..end).and_then(|text| std::str::from_utf8(text).ok());
                error.in_field(name.unwrap_or_default().trim_matches(['"', ':', ' ']))
            }
            _ => error.in_field("Value").in_index(index),
        })?;
        let writer = &mut self.serializer.writer;
        let end = writer.len();
        if let Some(place) = self.places.last_mut() {
            place.2 = end;
        }
        if self.state == State::Pairs {
            writer.close(b'}', false);
        }
        Ok(())
    }

    fn end(self) -> Result<()> {
        let writer = &mut self.serializer.writer;
        match self.state {
            // `child` makes `[]` of it where the type is known to be a map.
            State::Empty => writer.raw("{}"),
            State::Object => writer.close(b'}', false),
            State::Pairs => writer.close(b']', false),
        }
        (0..self.more).for_each(|_| writer.close(b'}', false));
        Ok(())
    }
}
