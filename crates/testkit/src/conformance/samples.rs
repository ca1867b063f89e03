use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read, Write};

use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeMap, SerializeSeq, Serializer};
use serde::{Deserialize, Serialize};

/// One field, so that any type can stand in formats whose root is always a struct.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct One<T> {
    /// The value under test.
    pub value: T,
}

/// The sample that most checks use: every kind of member that all formats have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Team {
    pub name: String,
    pub round: i32,
    pub ratio: f64,
    pub open: bool,
    pub captain: Option<Player>,
    pub players: Vec<Player>,
    pub scores: BTreeMap<String, i64>,
    pub place: (i32, String, f32),
}

/// A member of a [`Team`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Player {
    pub name: String,
    pub score: i64,
    pub tags: Vec<String>,
}

impl Team {
    /// A team of three with text of one to four bytes a character.
    pub fn sample() -> Team {
        let player = |name: &str, score, tags: &[&str]| Player {
            name: name.to_owned(),
            score,
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        };
        Team {
            name: "Grün & Weiß".to_owned(),
            round: -3,
            ratio: 0.1,
            open: true,
            captain: Some(player("Ada", 1_000_000_000_000, &["first", "日本"])),
            players: vec![
                player("Bo", -1, &[]),
                player("Cleo 😀", 300, &["x"]),
                player("", 0, &["", "yz"]),
            ],
            scores: BTreeMap::from([("away".to_owned(), 2), ("home".to_owned(), -70_000)]),
            place: (7, "north".to_owned(), 1.5),
        }
    }
}

/// The first fields of a [`Team`], as an older version of a program would know them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct OldTeam {
    pub name: String,
    pub round: i32,
}

/// The same, which takes no other fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ClosedTeam {
    pub name: String,
    pub round: i32,
}

/// A [`OldTeam`] with fields that it has not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct NewTeam {
    pub name: String,
    pub round: i32,
    pub sponsor: Option<String>,
    pub colour: Option<Player>,
}

/// An [`OldTeam`] with its fields in the other order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct TurnedTeam {
    pub round: i32,
    pub name: String,
}

/// An [`OldTeam`] with a field that is always needed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct NeedyTeam {
    pub name: String,
    pub round: i32,
    pub missing: Player,
}

/// A struct without fields.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit;

/// A newtype.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Newtype(pub Vec<i32>);

/// A tuple struct.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair(pub i32, pub String);

/// Every kind of variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Shape {
    Empty,
    Circle(f64),
    Line(i32, i32),
    Named { name: String, inner: Option<Box<Shape>> },
}

/// An enum that has none of the variants of [`Shape`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum OtherShape {
    Square(f64),
    Point,
}

/// A byte string: written by `serialize_bytes`, read from bytes or from a sequence of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BytesVisitor;
        impl<'de> Visitor<'de> for BytesVisitor {
            type Value = Bytes;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = seq.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }
        deserializer.deserialize_byte_buf(BytesVisitor)
    }
}

/// Sequences nested to a depth. Writes itself only.
#[derive(Clone, Copy, Debug)]
pub struct Deep(
    /// Number of sequences, at least 1.
    pub usize,
);

impl Serialize for Deep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let inner = self.0.checked_sub(1).filter(|levels| *levels > 0);
        let mut seq = serializer.serialize_seq(Some(usize::from(inner.is_some())))?;
        if let Some(levels) = inner {
            seq.serialize_element(&Deep(levels))?;
        }
        seq.end()
    }
}

/// A list, which tells the serializer nothing of its length.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Listed<T> {
    Filtered(Vec<T>),
    OneByOne(Vec<T>),
}

impl<T: Serialize> Serialize for Listed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Listed::Filtered(items) => serializer.collect_seq(items.iter().filter(|_| true)),
            Listed::OneByOne(items) => {
                let mut seq = serializer.serialize_seq(None)?;
                items.iter().try_for_each(|item| seq.serialize_element(item))?;
                seq.end()
            }
        }
    }
}

/// A map, which tells the serializer nothing of its length, or of keys and values one by one.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Mapped<K, V> {
    Filtered(Vec<(K, V)>),
    Entries(Vec<(K, V)>),
    Parts(Vec<(K, V)>),
    PartsOfMany(Vec<(K, V)>),
}

impl<K: Serialize, V: Serialize> Serialize for Mapped<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (len, entries) = match self {
            Mapped::Filtered(entries) => {
                let entries = entries.iter().filter(|_| true);
                return serializer.collect_map(entries.map(|(key, value)| (key, value)));
            }
            Mapped::Entries(entries) => {
                let mut map = serializer.serialize_map(None)?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                return map.end();
            }
            Mapped::Parts(entries) => (Some(entries.len()), entries),
            Mapped::PartsOfMany(entries) => (None, entries),
        };
        let mut map = serializer.serialize_map(len)?;
        for (key, value) in entries {
            map.serialize_key(key)?;
            map.serialize_value(value)?;
        }
        map.end()
    }
}

/// A value with others around it, so that what follows is read where it begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Between<T> {
    pub before: bool,
    pub value: T,
    pub after: i32,
}

/// Writes what the serializer says `is_human_readable` is; reads that and what the deserializer
/// says.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Readable {
    pub written: bool,
    pub read: bool,
}

impl Serialize for Readable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let readable = serializer.is_human_readable();
        serializer.serialize_bool(readable)
    }
}

impl<'de> Deserialize<'de> for Readable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = deserializer.is_human_readable();
        Ok(Readable { written: bool::deserialize(deserializer)?, read })
    }
}

/// Text that its type refuses, both ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picky;

impl Picky {
    /// The message of the type, which refuses everything.
    pub const WORDS: &'static str = "nothing is good enough";
}

impl Serialize for Picky {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom(Self::WORDS))
    }
}

impl<'de> Deserialize<'de> for Picky {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?;
        Err(de::Error::custom(Self::WORDS))
    }
}

/// Gives its bytes one at a time, with interruptions.
#[derive(Debug)]
pub struct SlowReader<'a> {
    rest: &'a [u8],
    interrupted: bool,
}

impl<'a> SlowReader<'a> {
    /// A reader of these bytes.
    pub fn new(rest: &'a [u8]) -> Self {
        SlowReader { rest, interrupted: false }
    }
}

impl Read for SlowReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        match (self.rest.split_first(), buffer.first_mut()) {
            (Some((first, rest)), Some(byte)) => {
                *byte = *first;
                self.rest = rest;
                Ok(1)
            }
            _ => Ok(0),
        }
    }
}

/// Takes or returns a number of bytes and then fails.
#[derive(Clone, Copy, Debug)]
pub struct Failing {
    /// Bytes before the failure.
    pub after: usize,
    /// Byte that a reader gives.
    pub byte: u8,
}

impl Failing {
    /// The message of the failure.
    pub const WORDS: &'static str = "the cable was cut";

    fn pass(&mut self, want: usize) -> io::Result<usize> {
        let len = want.min(self.after);
        if len == 0 && want > 0 {
            return Err(io::Error::other(Self::WORDS));
        }
        self.after -= len;
        Ok(len)
    }
}

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.pass(buffer.len())?;
        buffer[..len].fill(self.byte);
        Ok(len)
    }
}

impl Write for Failing {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.pass(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

macro_rules! asking_numbers {
    ($($name:ident $number:ty: $ask:ident, $answer:ident;)+) => {$(
        /// A number that takes the answer it asked for and no other, as `time::Month` does.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
        #[serde(transparent)]
        pub struct $name(pub $number);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Answer;
                impl Visitor<'_> for Answer {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(stringify!($number))
                    }
                    fn $answer<E>(self, number: $number) -> Result<$name, E> {
                        Ok($name(number))
                    }
                }
                deserializer.$ask(Answer)
            }
        }
    )+};
}

asking_numbers! {
    AskingU8 u8: deserialize_u8, visit_u8;
    AskingU16 u16: deserialize_u16, visit_u16;
    AskingU32 u32: deserialize_u32, visit_u32;
    AskingU64 u64: deserialize_u64, visit_u64;
    AskingI8 i8: deserialize_i8, visit_i8;
    AskingI16 i16: deserialize_i16, visit_i16;
    AskingI32 i32: deserialize_i32, visit_i32;
    AskingI64 i64: deserialize_i64, visit_i64;
    AskingF32 f32: deserialize_f32, visit_f32;
    AskingF64 f64: deserialize_f64, visit_f64;
}
