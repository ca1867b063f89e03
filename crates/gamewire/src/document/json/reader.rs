//! JSON text as a deserializer that nests as deep as its text, whose numbers are exact. Errors are those of
//! serde_json, which only reads so with features that hold for the whole program.

use std::borrow::Cow;
use std::fmt;

use gamewire_core::bytes::part;
use gamewire_core::json::Map;
use serde::Deserialize;
use serde::de::value::{BorrowedStrDeserializer, MapAccessDeserializer, StringDeserializer};
use serde::de::{
    self, DeserializeSeed, Deserializer, Error as _, Expected, IgnoredAny, IntoDeserializer as _,
    MapAccess, SeqAccess, Unexpected, Visitor,
};

use super::Json;
use crate::document::error::{Error, Position};

/// Reads a text to its end.
pub(super) fn read<'de, S: DeserializeSeed<'de>>(
    text: &'de [u8],
    seed: S,
) -> Result<S::Value, Error> {
    whole(text, |reader| seed.deserialize(reader))
}

/// Reads a text to its end, without recursion.
pub(super) fn read_json(text: &[u8]) -> Result<Json, Error> {
    whole(text, Reader::json)
}

/// Reads a value that nothing comes after.
fn whole<'de, T>(
    text: &'de [u8],
    read: impl FnOnce(&mut Reader<'de>) -> Result<T, ReadError>,
) -> Result<T, Error> {
    let mut reader = Reader { text, at: 0 };
    let made = read(&mut reader).and_then(|value| match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.syntax()),
    });
    made.map_err(|fault| fault.into_error(text))
}

/// Reads a text that nobody wrote, so that errors have no place in it.
pub(super) fn read_alone<'de, S: DeserializeSeed<'de>>(
    text: &'de [u8],
    seed: S,
) -> Result<S::Value, Error> {
    seed.deserialize(&mut Reader { text, at: 0 }).map_err(|fault| Error::new(fault.message))
}

/// The text of a value, unread.
pub(in crate::document) struct RawText<'de>(pub(in crate::document) &'de str);

/// The name of the newtype that is a [`RawText`].
const RAW: &str = "gamewire::RawText";

impl<'de> Deserialize<'de> for RawText<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Raw;

        impl<'de> Visitor<'de> for Raw {
            type Value = RawText<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<RawText<'de>, E> {
                Ok(RawText(text))
            }
        }

        deserializer.deserialize_newtype_struct(RAW, Raw)
    }
}

/// An error before it is known which text it is of.
#[derive(Debug)]
struct ReadError {
    message: String,
    /// The offset behind which it is.
    at: Option<usize>,
    /// Whether it is one of syntax, for which serde_json has the words.
    is_syntax: bool,
}

impl ReadError {
    fn into_error(self, text: &[u8]) -> Error {
        if self.is_syntax
            && let Err(error) = serde_json::from_slice::<IgnoredAny>(text)
        {
            return error.into();
        }
        let Some(at) = self.at else { return Error::new(self.message) };
        let before = text.get(..at).unwrap_or(text);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count();
        let mut error = Error::new(format!("{} at line {line} column {column}", self.message));
        error.position = Position::Text(line, column);
        error
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        ReadError { message: message.to_string(), at: None, is_syntax: false }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        ReadError::custom(format_args!("invalid type: {}, expected {expected}", InJson(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        ReadError::custom(format_args!("invalid value: {}, expected {expected}", InJson(found)))
    }
}

/// The value that was found, in the words of JSON.
struct InJson<'a>(Unexpected<'a>);

impl fmt::Display for InJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Unexpected::Unit => f.write_str("null"),
            Unexpected::Float(number) => {
                write!(f, "floating point `{}`", Json::from(number))
            }
            found => found.fmt(f),
        }
    }
}

enum Number {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
}

/// A container that has no end yet.
enum Open {
    Array(Vec<Json>),
    /// With the name of the member whose value comes next.
    Object(Map, String),
}

struct Reader<'de> {
    text: &'de [u8],
    at: usize,
}

impl<'de> Reader<'de> {
    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// The next byte after white space.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    fn slice(&self, start: usize) -> &'de [u8] {
        part(self.text, start..self.at)
    }

    #[cold]
    fn syntax(&self) -> ReadError {
        let message = "trailing characters".to_owned();
        ReadError { message, at: Some(self.at + 1), is_syntax: true }
    }

    fn placed<T>(&self, made: Result<T, ReadError>) -> Result<T, ReadError> {
        made.map_err(|fault| ReadError { at: fault.at.or(Some(self.at)), ..fault })
    }

    fn word(&mut self, word: &str) -> Result<(), ReadError> {
        let rest = part(self.text, self.at..);
        if !rest.starts_with(word.as_bytes()) {
            return Err(self.syntax());
        }
        self.at += word.len();
        Ok(())
    }

    fn digits(&mut self) -> Result<(), ReadError> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
        if self.at == start { Err(self.syntax()) } else { Ok(()) }
    }

    /// Reads a number; a float of 32 bits is rounded once.
    fn number(&mut self, is_single: bool) -> Result<Number, ReadError> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        match self.byte() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if let Some(b'0'..=b'9') = self.byte() {
            return Err(self.syntax());
        }
        let mut is_whole = true;
        if self.byte() == Some(b'.') {
            is_whole = false;
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            is_whole = false;
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = std::str::from_utf8(self.slice(start)).map_err(|_| self.syntax())?;
        if is_whole {
            if let Ok(number) = text.parse() {
                return Ok(Number::Unsigned(number));
            }
            // A float keeps the sign of zero.
            if let Some(number) = text.parse().ok().filter(|number| *number < 0) {
                return Ok(Number::Signed(number));
            }
        }
        let number = match is_single {
            true => text.parse::<f32>().ok().map(f64::from),
            false => text.parse().ok(),
        };
        let number = number.filter(|number| number.is_finite());
        number.map(Number::Float).ok_or_else(|| ReadError {
            at: Some(self.at),
            ..ReadError::custom("number out of range")
        })
    }

    fn string(&mut self) -> Result<Cow<'de, str>, ReadError> {
        let start = self.at;
        let mut has_escapes = false;
        self.at += 1;
        loop {
            match self.byte() {
                Some(b'"') => break,
                Some(b'\\') => {
                    has_escapes = true;
                    self.at += 2;
                }
                None | Some(..0x20) => return Err(self.syntax()),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        let token = self.slice(start);
        let inner = part(token, 1..token.len() - 1);
        if let (false, Ok(text)) = (has_escapes, std::str::from_utf8(inner)) {
            return Ok(text.into());
        }
        serde_json::from_slice::<String>(token).map(Cow::Owned).map_err(|error| {
            let message = error.to_string();
            let place = format!(" at line 1 column {}", error.column());
            let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
            ReadError { message, at: Some(start + error.column()), is_syntax: false }
        })
    }

    /// Passes over a value without recursion.
    fn skip(&mut self) -> Result<(), ReadError> {
        let rest = part(self.text, self.at..);
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => self.at += values.byte_offset(),
            _ => return Err(self.syntax()),
        }
        Ok(())
    }

    /// Ends a container of which nothing is left.
    fn close(&mut self, bracket: u8) -> Result<(), ReadError> {
        match self.peek() {
            Some(byte) if byte == bracket => {
                self.at += 1;
                return Ok(());
            }
            Some(b',') if bracket == b'}' => return Err(self.trailing_comma()),
            Some(b',') => {
                self.at += 1;
                if self.peek() == Some(bracket) {
                    return Err(self.trailing_comma());
                }
            }
            _ => {}
        }
        Err(self.syntax())
    }

    #[cold]
    fn trailing_comma(&self) -> ReadError {
        ReadError { message: "trailing comma".to_owned(), is_syntax: false, ..self.syntax() }
    }

    fn read<V: Visitor<'de>>(
        &mut self,
        visitor: V,
        is_single: bool,
    ) -> Result<V::Value, ReadError> {
        let made = match self.peek() {
            Some(b'n') => {
                self.word("null")?;
                visitor.visit_unit()
            }
            Some(b't') => {
                self.word("true")?;
                visitor.visit_bool(true)
            }
            Some(b'f') => {
                self.word("false")?;
                visitor.visit_bool(false)
            }
            Some(b'-' | b'0'..=b'9') => match self.number(is_single)? {
                Number::Unsigned(number) => visitor.visit_u64(number),
                Number::Signed(number) => visitor.visit_i64(number),
                Number::Float(number) => visitor.visit_f64(number),
            },
            Some(b'"') => match self.string()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            Some(b'[') => {
                self.at += 1;
                let made = visitor.visit_seq(Inside { reader: self, is_first: true });
                let end = self.close(b']');
                made.and_then(|made| end.map(|()| made))
            }
            Some(b'{') => {
                self.at += 1;
                let made = visitor.visit_map(Inside { reader: self, is_first: true });
                let end = self.close(b'}');
                made.and_then(|made| end.map(|()| made))
            }
            _ => return Err(self.syntax()),
        };
        self.placed(made)
    }

    /// Reads a value without recursion.
    fn json(&mut self) -> Result<Json, ReadError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let bracket = self.peek();
            let mut value = match bracket {
                Some(b'[' | b'{') => {
                    let is_map = bracket == Some(b'{');
                    self.at += 1;
                    if self.peek() != Some(if is_map { b'}' } else { b']' }) {
                        open.push(match is_map {
                            true => Open::Object(Map::new(), self.name()?),
                            false => Open::Array(Vec::new()),
                        });
                        continue;
                    }
                    self.at += 1;
                    if is_map { Json::Object(Map::new()) } else { Json::Array(Vec::new()) }
                }
                _ => Json::deserialize(&mut *self)?,
            };
            // A value is complete, and with it perhaps the containers around it.
            loop {
                let Some(mut around) = open.pop() else { return Ok(value) };
                let end = match &mut around {
                    Open::Object(members, name) => {
                        members.insert(std::mem::take(name), value);
                        b'}'
                    }
                    Open::Array(items) => {
                        items.push(value);
                        b']'
                    }
                };
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        if self.peek() == Some(end) {
                            return Err(self.trailing_comma());
                        }
                        if let Open::Object(_, name) = &mut around {
                            *name = self.name()?;
                        }
                        open.push(around);
                        break;
                    }
                    Some(byte) if byte == end => self.at += 1,
                    _ => return Err(self.syntax()),
                }
                value = match around {
                    Open::Object(members, _) => Json::Object(members),
                    Open::Array(items) => Json::Array(items),
                };
            }
        }
    }

    /// Reads the name of a member and the colon.
    fn name(&mut self) -> Result<String, ReadError> {
        if self.peek() != Some(b'"') {
            return Err(self.syntax());
        }
        let name = self.string()?.into_owned();
        match self.peek() {
            Some(b':') => self.at += 1,
            _ => return Err(self.syntax()),
        }
        Ok(name)
    }

    /// The error of a value of another type than a visitor asks for.
    #[cold]
    fn wrong(&mut self, expected: &dyn Expected) -> ReadError {
        let found = match self.peek() {
            Some(b'n') => {
                self.word("null").map(|()| ReadError::invalid_type(Unexpected::Unit, expected))
            }
            Some(b't') => self
                .word("true")
                .map(|()| ReadError::invalid_type(Unexpected::Bool(true), expected)),
            Some(b'f') => self
                .word("false")
                .map(|()| ReadError::invalid_type(Unexpected::Bool(false), expected)),
            Some(b'-' | b'0'..=b'9') => self.number(false).map(|number| {
                let found = match number {
                    Number::Unsigned(number) => Unexpected::Unsigned(number),
                    Number::Signed(number) => Unexpected::Signed(number),
                    Number::Float(number) => Unexpected::Float(number),
                };
                ReadError::invalid_type(found, expected)
            }),
            Some(b'"') => {
                self.string().map(|text| ReadError::invalid_type(Unexpected::Str(&text), expected))
            }
            Some(b'[') => Ok(ReadError::invalid_type(Unexpected::Seq, expected)),
            Some(b'{') => Ok(ReadError::invalid_type(Unexpected::Map, expected)),
            _ => Err(self.syntax()),
        };
        let fault = found.unwrap_or_else(|fault| fault);
        ReadError { at: fault.at.or(Some(self.at)), ..fault }
    }
}

/// Methods for types whose text begins with certain bytes.
macro_rules! typed {
    ($($first:pat => $($method:ident)+;)+) => {$($(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            match self.peek() {
                Some($first) => self.read(visitor, false),
                _ => Err(self.wrong(&visitor)),
            }
        }
    )+)+};
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = ReadError;

    typed! {
        b't' | b'f' => deserialize_bool;
        b'-' | b'0'..=b'9' => deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f64;
        b'"' => deserialize_str deserialize_string deserialize_char deserialize_identifier;
        b'"' | b'[' => deserialize_bytes deserialize_byte_buf;
        b'n' => deserialize_unit;
        b'[' => deserialize_seq;
        b'{' => deserialize_map;
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.read(visitor, false)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => self.read(visitor, true),
            _ => Err(self.wrong(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.peek() {
            Some(b'n') => {
                self.word("null")?;
                visitor.visit_none()
            }
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        if name != RAW {
            return visitor.visit_newtype_struct(self);
        }
        _ = self.peek();
        let start = self.at;
        self.skip()?;
        let text = std::str::from_utf8(self.slice(start));
        visitor.visit_borrowed_str(text.map_err(|_| ReadError {
            at: Some(self.at),
            ..ReadError::custom("invalid unicode code point")
        })?)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match self.peek() {
            Some(b'[' | b'{') => self.read(visitor, false),
            _ => Err(self.wrong(&visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match self.peek() {
            Some(b'"') => {
                let name = self.string()?;
                self.placed(visitor.visit_enum(name.into_deserializer()))
            }
            Some(b'{') => {
                self.at += 1;
                let members = Inside { reader: &mut *self, is_first: true };
                let made = visitor.visit_enum(MapAccessDeserializer::new(members))?;
                self.close(b'}').map(|()| made)
            }
            None => Err(self.syntax()),
            Some(_) => {
                let message = "expected value".to_owned();
                Err(ReadError { message, is_syntax: false, ..self.syntax() })
            }
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.skip()?;
        visitor.visit_unit()
    }
}

/// The values in a list or an object.
struct Inside<'r, 'de> {
    reader: &'r mut Reader<'de>,
    is_first: bool,
}

impl Inside<'_, '_> {
    /// Goes to the next element or member, if there is one.
    fn advance(&mut self, bracket: u8) -> Result<bool, ReadError> {
        let is_first = std::mem::replace(&mut self.is_first, false);
        match self.reader.peek() {
            Some(byte) if byte == bracket => return Ok(false),
            Some(b',') if !is_first => self.reader.at += 1,
            Some(_) if is_first => return Ok(true),
            _ => return Err(self.reader.syntax()),
        }
        match self.reader.peek() {
            Some(byte) if byte != bracket => Ok(true),
            Some(_) => Err(self.reader.trailing_comma()),
            None => Err(self.reader.syntax()),
        }
    }
}

impl<'de> SeqAccess<'de> for Inside<'_, 'de> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ReadError> {
        match self.advance(b']')? {
            true => seed.deserialize(&mut *self.reader).map(Some),
            false => Ok(None),
        }
    }
}

impl<'de> MapAccess<'de> for Inside<'_, 'de> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ReadError> {
        if !self.advance(b'}')? {
            return Ok(None);
        }
        if self.reader.byte() != Some(b'"') {
            return Err(self.reader.syntax());
        }
        match self.reader.string()? {
            Cow::Borrowed(name) => seed.deserialize(BorrowedStrDeserializer::new(name)),
            Cow::Owned(name) => seed.deserialize(StringDeserializer::new(name)),
        }
        .map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        match self.reader.peek() {
            Some(b':') => self.reader.at += 1,
            _ => return Err(self.reader.syntax()),
        }
        seed.deserialize(&mut *self.reader)
    }
}

#[cfg(test)]
mod tests;
