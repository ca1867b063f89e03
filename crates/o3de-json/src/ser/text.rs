//! Writing at once, with all defaults: the plain serde path.

use serde_core::ser::{self, Serialize, SerializeMap as _};

use super::Serializer;
use super::json::base64;
use super::store::{flags, type_text, whole};
use crate::node::{Node, UNKNOWN, is_text, name_of, node_of, refused, tree};
use crate::read::Reader;
use crate::types::handoff;
use crate::value::as_text;
use crate::value::decode::skip;
use crate::write::into_text;
use crate::{Conformance, Error, Options, Result};

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
        self.writer.raw(&value.to_string());
        Ok(())
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        self.writer.raw(&value.to_string());
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

    /// As numbers: serde's buffers, which no writer sees, would take the base64 of the engine for text.
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.collect_seq(value)
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.writer.raw("null");
        Ok(())
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        let start = self.writer.len();
        self.content = None;
        value.serialize(&mut *self)?;
        // A pointer that is not null to what has no members.
        if self.unit == start && self.writer.since(start) == b"null" {
            self.writer.truncate(start);
            self.writer.raw("{}");
        }
        Ok(())
    }

    /// Null in other formats too, such as that of `serde_json`.
    fn serialize_unit(self) -> Result<()> {
        if !self.takes_class() {
            self.unit = self.writer.len();
            self.writer.raw("null");
        }
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        if !self.takes_class() {
            self.writer.raw("{}");
        }
        Ok(())
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.writer.string(variant);
        Ok(())
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        if name.starts_with(handoff::PREFIX) {
            return self.native(name, value);
        }
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.content = None;
        if variant == UNKNOWN || name_of(variant).eq_ignore_ascii_case(name) {
            return value.serialize(self);
        }
        let class = self.open_variant(variant)?;
        self.begin_value();
        self.content = Some((self.writer.len(), class));
        value.serialize(&mut *self)?;
        self.writer.close(b'}', false);
        Ok(())
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
        self.open_variant(variant)?;
        self.begin_value();
        Ok(Compound { more: 1, ..self.serialize_tuple(len)? })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'a>> {
        Ok(Entries {
            start: self.writer.len(),
            serializer: self,
            form: MapForm::Empty,
            is_map: false,
            first: true,
            key: 0,
            count: 0,
        })
    }

    /// Maps call this, with keys and values of known types, where `serialize_map` may also
    /// be an object of no type, as in `serde_json`, whose names are names: in a map `{}` is a default.
    fn collect_map<K: Serialize, V: Serialize, I: IntoIterator<Item = (K, V)>>(
        self,
        entries: I,
    ) -> Result<()> {
        let mut map = self.serialize_map(None)?;
        map.is_map = true;
        entries.into_iter().try_for_each(|(key, value)| map.serialize_entry(&key, &value))?;
        map.end()
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>> {
        if self.content.is_some() && self.takes_class() {
            return Ok(Compound::inside(self, None));
        }
        Compound::open(self, b'{')
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a>> {
        self.content = None;
        if name_of(variant).eq_ignore_ascii_case(name) {
            return self.serialize_struct(name, len);
        }
        self.open_variant(variant)?;
        Ok(Compound::inside(self, Some(b'}')))
    }
}

impl Serializer {
    /// Writes `{"$type": …` without an end, and returns the offset of that.
    fn open_variant(&mut self, variant: &'static str) -> Result<usize> {
        let text = type_text(variant, &self.options);
        self.writer.open(b'{')?;
        self.writer.next(&mut true);
        self.writer.key("$type");
        self.writer.string(&text);
        Ok(self.writer.len())
    }

    /// Writes `, "Value":`, where the content of a variant stands that is no class.
    fn begin_value(&mut self) {
        self.writer.next(&mut false);
        self.writer.key("Value");
    }

    /// Whether a class that is written next is the content of a variant. Its members follow `$type`,
    /// so `Value` is taken back.
    fn takes_class(&mut self) -> bool {
        match self.content.take() {
            Some((start, class)) if start == self.writer.len() => {
                self.writer.truncate(class);
                true
            }
            _ => false,
        }
    }

    /// A type with a reserved name.
    pub(super) fn native<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        self.content = None;
        match name {
            handoff::ENUM => match handoff::take_enum() {
                Some((info, bits)) => flags(bits, info, &self.options).write(&mut self.writer),
                None => value.serialize(self),
            },
            handoff::BYTES => match node_of(value, &self.options)? {
                Node::Bytes(bytes) => {
                    self.writer.string(&base64(&bytes));
                    self.writer.check()
                }
                _ => value.serialize(self),
            },
            handoff::RAW => {
                let make = || node_of(value, &self.options);
                self.writer.lend(|ask| as_text(ask, make))?;
                self.writer.check()
            }
            handoff::REFUSED => Err(refused()),
            // The engine's own maps are `[]` when they are empty: its `{}` stands for a default.
            handoff::MAP => {
                let start = self.writer.len();
                value.serialize(&mut *self)?;
                if self.writer.since(start) == b"{}" {
                    self.writer.truncate(start);
                    self.writer.raw("[]");
                }
                Ok(())
            }
            handoff::UNORDERED_MAP
            | handoff::MULTI_MAP
            | handoff::UNORDERED_SET
            | handoff::MULTI_SET
            | handoff::SORTED => {
                let tree = tree(&self.options);
                let node = ser::Serializer::serialize_newtype_struct(tree, name, value)?;
                whole(&node, &self.options, &mut self.writer)
            }
            _ => value.serialize(self),
        }
    }
}

/// An array or object being written.
pub struct Compound<'a> {
    serializer: &'a mut Serializer,
    first: bool,
    index: usize,
    /// The bracket that closes it, unless its variant does, and how many objects around it are to be
    /// closed too.
    bracket: Option<u8>,
    more: usize,
}

impl<'a> Compound<'a> {
    #[inline]
    fn open(serializer: &'a mut Serializer, bracket: u8) -> Result<Self> {
        serializer.writer.open(bracket)?;
        let bracket = Some(if bracket == b'[' { b']' } else { b'}' });
        Ok(Compound { serializer, first: true, index: 0, bracket, more: 0 })
    }

    /// More members of an object, which the bracket closes.
    fn inside(serializer: &'a mut Serializer, bracket: Option<u8>) -> Self {
        Compound { serializer, first: false, index: 0, bracket, more: 0 }
    }

    #[inline]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.serializer.writer.next(&mut self.first);
        let index = self.index;
        self.index = index.wrapping_add(1);
        value.serialize(&mut *self.serializer).map_err(|error| error.in_index(index))
    }

    #[inline(always)]
    fn member<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.serializer.writer.member(&mut self.first, name);
        value.serialize(&mut *self.serializer).map_err(|error| error.in_field(name))
    }

    #[inline]
    fn close(self) {
        if let Some(bracket) = self.bracket {
            self.serializer.writer.close(bracket, self.first);
        }
        for _ in 0..self.more {
            self.serializer.writer.close(b'}', false);
        }
    }
}

macro_rules! compound {
    ($($trait:ident $method:ident($($name:ident: $type:ty)?) $write:ident;)*) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($name: $type,)?
                value: &T,
            ) -> Result<()> {
                self.$write($($name,)? value)
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
    SerializeSeq serialize_element() element;
    SerializeTuple serialize_element() element;
    SerializeTupleStruct serialize_field() element;
    SerializeTupleVariant serialize_field() element;
    SerializeStruct serialize_field(name: &'static str) member;
    SerializeStructVariant serialize_field(name: &'static str) member;
}

/// A map being written: an object as long as all keys are strings.
pub struct Entries<'a> {
    serializer: &'a mut Serializer,
    start: usize,
    form: MapForm,
    is_map: bool,
    first: bool,
    /// Where the last key begins, and how many entries there are.
    key: usize,
    count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MapForm {
    Empty,
    Object,
    Pairs,
}

impl Entries<'_> {
    /// Writes what was an object so far as pairs.
    #[cold]
    fn turn_into_pairs(&mut self) -> Result<()> {
        let writer = &mut self.serializer.writer;
        let text = into_text(writer.since(self.start).to_vec()) + "}";
        writer.truncate(self.start);
        writer.rise();
        writer.open(b'[')?;
        (self.form, self.first) = (MapForm::Pairs, true);
        // Written text can be read; it is one level deeper now.
        let options = Options::new().trailing_commas(true);
        let mut reader = Reader::new(&text, &options).without_limit();
        let mut first = true;
        reader.open()?;
        while reader.next_member(&mut first)? {
            let key = reader.offset();
            reader.skip_string()?;
            let key = reader.between(key, reader.offset());
            reader.colon()?;
            reader.peek()?;
            let value = reader.offset();
            skip(&mut reader)?;
            let value = reader.between(value, reader.offset());
            self.begin_pair()?;
            let writer = &mut self.serializer.writer;
            writer.raw(&key);
            writer.next(&mut false);
            writer.key("Value");
            writer.raw(&value.replace('\n', "\n    "));
            writer.close(b'}', false);
        }
        Ok(())
    }

    /// `{"Key":` without an end.
    fn begin_pair(&mut self) -> Result<()> {
        let writer = &mut self.serializer.writer;
        writer.next(&mut self.first);
        writer.open(b'{')?;
        writer.next(&mut true);
        writer.key("Key");
        Ok(())
    }
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.count = self.count.saturating_add(1);
        if self.form == MapForm::Empty {
            self.serializer.writer.open(b'{')?;
            self.form = MapForm::Object;
        }
        if self.form == MapForm::Object {
            let before = self.serializer.writer.len();
            self.serializer.writer.next(&mut self.first);
            self.key = self.serializer.writer.len();
            key.serialize(&mut *self.serializer)?;
            // The text of the key decides whether an object will do.
            let docs = self.serializer.options.conformance == Conformance::Docs;
            let text = self.serializer.writer.since(self.key);
            let is_name = text.starts_with(b"\"") && !(self.is_map && text == b"\"{}\"");
            if is_name && (!docs || is_text(key, &self.serializer.options)) {
                self.serializer.writer.colon();
                return Ok(());
            }
            self.serializer.writer.truncate(before);
            self.turn_into_pairs()?;
        }
        self.begin_pair()?;
        key.serialize(&mut *self.serializer)?;
        self.serializer.begin_value();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let end = self.serializer.writer.len();
        value.serialize(&mut *self.serializer).map_err(|error| {
            let key = self.serializer.writer.since(self.key);
            let key = key.get(..end.saturating_sub(self.key)).map(String::from_utf8_lossy);
            match (self.form, key) {
                (MapForm::Object, Some(key)) => error.in_field(key.trim_matches(['"', ':', ' '])),
                _ => error.in_field("Value").in_index(self.count.saturating_sub(1)),
            }
        })?;
        if self.form == MapForm::Pairs {
            self.serializer.writer.close(b'}', false);
        }
        Ok(())
    }

    fn end(self) -> Result<()> {
        let writer = &mut self.serializer.writer;
        match self.form {
            MapForm::Empty => writer.raw("{}"),
            MapForm::Object => writer.close(b'}', false),
            MapForm::Pairs => writer.close(b']', false),
        }
        Ok(())
    }
}
