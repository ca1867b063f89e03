//! Attributes of serde's derive, each at the root and inside of a struct.

// What serde skips is never read.
#![allow(dead_code)]

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_bytes::ByteBuf;
use serde_json::json;

use crate::standard::{Color, Pos};
use crate::table::{Table, rows, types};

types! {
    #[serde(tag = "kind")]
    enum Internal { Unit, Struct { x: i32, name: String }, Newtype(Pos) }
    #[serde(tag = "t", content = "c")]
    enum Adjacent { Unit, New(i32), Tuple(u8, String), Struct { x: i32 } }
    #[serde(untagged)]
    enum Untagged { Bool(bool), Int(i64), Float(f64), Text(String), List(Vec<u8>), Struct { x: i32, y: Option<i32> } }
    #[serde(untagged)]
    enum OneOrMany { One(String), Many(Vec<String>) }
    #[serde(untagged)]
    enum Toggle { Off(bool), Level { level: u8 } }
    #[serde(tag = "type", content = "value", rename_all = "snake_case", deny_unknown_fields)]
    enum Styled { FirstOne { some_field: u8 }, #[serde(rename = "2nd")] SecondOne }
    #[serde(tag = "version")]
    enum Versioned { #[serde(rename = "1")] V1 { name: String }, #[serde(rename = "2")] V2 { first: String, last: String } }
    #[serde(tag = "type")]
    struct Tagged { x: i32, name: String }
    /// A type in serde's buffer: widths, bytes, keys.
    #[serde(tag = "kind")]
    enum Buffered {
        Numbers { color: u32, big: u64, low: i64, half: f32, c: char },
        Bytes { data: ByteBuf },
        Keys { keys: BTreeMap<i32, Color> },
        Options { a: Option<u8>, b: Option<String>, nested: Vec<Internal> },
    }
    enum SkipsVariant { A, #[serde(skip)] Hidden, B(u8) }
    enum OtherVariant { Known(u8), #[serde(other)] Unknown }
    #[serde(rename_all = "kebab-case")]
    enum PartlyUntagged { NamedOne(u8), #[serde(untagged)] Rest(String) }

    struct FlatJson { id: u32, #[serde(flatten)] rest: HashMap<String, serde_json::Value> }
    struct FlatMap { id: u32, #[serde(flatten)] rest: BTreeMap<String, i64> }
    struct FlatStruct { id: u32, #[serde(flatten)] pos: Pos, last: bool }
    struct FlatTwice { #[serde(flatten)] outer: FlatStruct, #[serde(flatten)] name: Named }
    struct Named { name: String }
    struct FlatOption { id: u32, #[serde(flatten)] pos: Option<Pos> }
    struct FlatInternal { id: u32, #[serde(flatten)] kind: Internal }
    struct FlatAdjacent { id: u32, #[serde(flatten)] kind: Adjacent }
    struct FlatExternal { id: u32, #[serde(flatten)] kind: External }
    enum External { One(i32), Two { x: i32 } }
    struct FlatNumbers { id: i32, #[serde(flatten)] numbers: Numbers }
    struct Numbers { color: u32, big: i64, half: f32 }
    struct FlatBytes { id: u32, #[serde(flatten)] blob: Blob }
    struct Blob { data: ByteBuf, texts: Vec<ByteBuf> }

    #[serde(rename_all = "PascalCase")]
    struct Renamed { first_name: String, #[serde(rename = "Id")] number: u32, #[serde(alias = "old")] new: bool }
    struct Defaults { #[serde(default)] a: u8, #[serde(default = "seven")] b: u8, c: Option<String> }
    #[serde(default, deny_unknown_fields)]
    struct AllDefault { a: u8, b: String, c: Vec<u8> }
    struct Skips { a: u8, #[serde(skip)] hidden: u8, b: u8 }
    struct SkipsNone { #[serde(default, skip_serializing_if = "Option::is_none")] a: Option<u8>, b: u16 }
    struct SkipsEmpty { #[serde(default, skip_serializing_if = "Vec::is_empty")] a: Vec<u8>, b: String }
    struct SkipsZero { #[serde(default, skip_serializing_if = "is_zero")] a: u16, b: Vec<u8> }
    struct SkipsLast { a: u8, #[serde(default, skip_serializing_if = "String::is_empty")] b: String }
    #[serde(transparent)]
    struct Transparent { inner: Pos }
    #[serde(try_from = "u8", into = "u8")]
    struct Even(u8);
    struct WithFunctions { #[serde(serialize_with = "to_text", deserialize_with = "from_text")] number: i64 }
    struct WithRemote { #[serde(with = "Remote")] foreign: Foreign }
    #[serde(remote = "Foreign")]
    struct Remote { seconds: i64, nanos: i32 }
    #[serde(bound = "T: Serialize + DeserializeOwned")]
    struct Bounded<T> { inner: Vec<T> }
    struct Borrows { text: Cow<'static, str>, raw: Cow<'static, [u8]> }
    #[serde(rename = "Config")]
    struct Raw { r#type: String, r#fn: u8 }
}

#[derive(Clone, Debug)]
struct Foreign {
    seconds: i64,
    nanos: i32,
}

impl Default for AllDefault {
    fn default() -> Self {
        AllDefault { a: 3, b: "x".into(), c: vec![] }
    }
}

impl TryFrom<u8> for Even {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        let is_even = number.is_multiple_of(2) && number > 0;
        is_even.then_some(Even(number)).ok_or_else(|| format!("{number} is not even"))
    }
}

impl From<Even> for u8 {
    fn from(even: Even) -> u8 {
        even.0
    }
}

fn seven() -> u8 {
    7
}

fn is_zero(number: &u16) -> bool {
    *number == 0
}

fn to_text<S: Serializer>(number: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

fn from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

#[typetag::serde(tag = "type")]
trait Action: std::fmt::Debug {}

#[typetag::serde]
trait Event: std::fmt::Debug {}

#[derive(Debug, Deserialize, Serialize)]
struct Jump {
    height: f64,
}

#[derive(Debug, Deserialize, Serialize)]
struct Wait;

#[typetag::serde]
impl Action for Jump {}
#[typetag::serde]
impl Action for Wait {}
#[typetag::serde]
impl Event for Jump {}

fn internal() -> Internal {
    Internal::Struct { x: 0, name: "a".into() }
}

fn flat_struct() -> FlatStruct {
    FlatStruct { id: 1, pos: pos(), last: true }
}

fn pos() -> Pos {
    Pos { x: 1, y: 2 }
}

fn bytes() -> ByteBuf {
    vec![0, 255].into()
}

pub(crate) fn rows(table: &mut Table) {
    rows! { table at both;
        "internal tag" Internal => Internal::Unit, internal(), Internal::Newtype(pos());
        "adjacent tag" Adjacent => Adjacent::Unit, Adjacent::New(0), Adjacent::Tuple(1, "a".into()), Adjacent::Struct { x: 2 };
        "untagged" Untagged => Untagged::Bool(true), Untagged::Int(0), Untagged::Int(-5), Untagged::Float(0.5), Untagged::Text("".into()), Untagged::Text("a".into()), Untagged::List(vec![]), Untagged::List(vec![1]), Untagged::Struct { x: 0, y: None }, Untagged::Struct { x: 1, y: Some(2) };
        "untagged, texts" OneOrMany => OneOrMany::One("a".into()), OneOrMany::Many(vec![]), OneOrMany::Many(vec!["a".into()]);
        "untagged, a bool or a struct" Toggle => Toggle::Off(false), Toggle::Off(true), Toggle::Level { level: 3 };
        "adjacent tag, renamed" Styled => Styled::FirstOne { some_field: 1 }, Styled::SecondOne;
        "internal tag, versions" Versioned => Versioned::V1 { name: "a".into() }, Versioned::V2 { first: "".into(), last: "b".into() };
        "internal tag on a struct" Tagged => Tagged { x: 0, name: "".into() }, Tagged { x: 1, name: "a".into() };
        "internal tag, numbers" Buffered => Buffered::Numbers { color: 0xff00_00ff, big: i64::MAX as u64, low: i64::MIN, half: 0.1, c: 'ß' };
        "internal tag, bytes" Buffered => Buffered::Bytes { data: bytes() };
        "internal tag, map keys" Buffered => Buffered::Keys { keys: [(-1, Color::Red), (2, Color::Blue)].into() };
        "internal tag, options" Buffered => Buffered::Options { a: None, b: Some("".into()), nested: vec![internal(), Internal::Unit] };
        "flatten a map of JSON" FlatJson => FlatJson { id: 1, rest: [].into() }, FlatJson { id: 1, rest: [("a".to_owned(), json!([1, {"b": null}]))].into() };
        "flatten a map" FlatMap => FlatMap { id: 1, rest: [].into() }, FlatMap { id: 1, rest: [("a".to_owned(), -5), ("b".into(), 1 << 40)].into() };
        "flatten a map with the field's name" FlatMap => FlatMap { id: 1, rest: [("id".to_owned(), 2)].into() };
        "flatten a struct" FlatStruct => flat_struct();
        "flatten twice" FlatTwice => FlatTwice { outer: flat_struct(), name: Named { name: "a".into() } };
        "flatten an option" FlatOption => FlatOption { id: 1, pos: None }, FlatOption { id: 1, pos: Some(pos()) };
        "flatten an internal tag" FlatInternal => FlatInternal { id: 1, kind: Internal::Unit }, FlatInternal { id: 1, kind: internal() };
        "flatten an adjacent tag" FlatAdjacent => FlatAdjacent { id: 1, kind: Adjacent::Tuple(1, "a".into()) }, FlatAdjacent { id: 1, kind: Adjacent::Unit };
        "flatten an enum" FlatExternal => FlatExternal { id: 1, kind: External::One(5) }, FlatExternal { id: 1, kind: External::Two { x: 1 } };
        "flatten numbers" FlatNumbers => FlatNumbers { id: 1, numbers: Numbers { color: 0xff00_00ff, big: -(1 << 40), half: 0.1 } };
        "flatten bytes" FlatBytes => FlatBytes { id: 1, blob: Blob { data: bytes(), texts: vec![bytes()] } };
        "typetag, internal" Box<dyn Action> => Box::new(Jump { height: 1.5 }), Box::new(Wait);
        "typetag, external" Box<dyn Event> => Box::new(Jump { height: 0.0 });
        "typetag, list" Vec<Box<dyn Action>> => vec![], vec![Box::new(Wait), Box::new(Jump { height: 1.5 })];
        "typetag, option" Option<Box<dyn Event>> => None, Some(Box::new(Jump { height: 1.5 }));
        "skip a variant" SkipsVariant => SkipsVariant::A, SkipsVariant::B(1);
        "other variant" OtherVariant => OtherVariant::Known(1), OtherVariant::Unknown;
        "untagged variant" PartlyUntagged => PartlyUntagged::NamedOne(1), PartlyUntagged::Rest("a".into());
        "rename" Renamed => Renamed { first_name: "a".into(), number: 1, new: true };
        "default" Defaults => Defaults { a: 0, b: 0, c: None }, Defaults { a: 1, b: 7, c: Some("".into()) };
        "default of the struct" AllDefault => AllDefault { a: 0, b: "".into(), c: vec![] }, AllDefault::default();
        "skip" Skips => Skips { a: 1, hidden: 0, b: 2 };
        "skip_serializing_if none" SkipsNone => SkipsNone { a: None, b: 256 }, SkipsNone { a: Some(0), b: 1 };
        "skip_serializing_if empty" SkipsEmpty => SkipsEmpty { a: vec![], b: "a".into() }, SkipsEmpty { a: vec![1], b: "".into() };
        "skip_serializing_if zero" SkipsZero => SkipsZero { a: 0, b: vec![0] }, SkipsZero { a: 1, b: vec![] };
        "skip_serializing_if, last" SkipsLast => SkipsLast { a: 0, b: "".into() }, SkipsLast { a: 1, b: "b".into() };
        "transparent" Transparent => Transparent { inner: pos() };
        "try_from" Even => Even(2), Even(254);
        "with functions" WithFunctions => WithFunctions { number: -5 };
        "remote" WithRemote => WithRemote { foreign: Foreign { seconds: -5, nanos: 7 } };
        "bound" Bounded<u8> => Bounded { inner: vec![1, 2] };
        "Cow" Borrows => Borrows { text: "a".into(), raw: vec![0, 255].into() };
        "raw names" Raw => Raw { r#type: "a".into(), r#fn: 1 };
    }
    rows! { table;
        "Vec, internal tag" Vec<Internal> => vec![], vec![internal(), Internal::Unit];
        "Vec, adjacent tag" Vec<Adjacent> => vec![Adjacent::Unit, Adjacent::New(1)];
        "Vec, untagged" Vec<Untagged> => vec![Untagged::Int(1), Untagged::Text("a".into())];
        "Option, untagged" Option<Untagged> => None, Some(Untagged::Int(1)), Some(Untagged::Text("".into())), Some(Untagged::List(vec![]));
        "Option, internal tag" Option<Internal> => None, Some(Internal::Unit), Some(internal());
        "map of internal tags" BTreeMap<String, Internal> => [("a".to_owned(), internal())].into();
    }
}
