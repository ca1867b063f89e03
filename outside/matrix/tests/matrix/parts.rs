//! What a serializer is told in parts, out of serde's buffers, or not at all.

use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::standard::{Color, Pos};
use crate::table::{Table, rows, types};

types! {
    enum Inner { Newtype(u8), Struct { f: u8 }, Tuple(u8, String), Unit }
    #[serde(untagged)]
    enum OfEnum { Inner(Inner), Number(u64) }
    #[serde(tag = "kind")]
    enum Around { Holds { inner: Inner, list: Vec<Inner> }, Alone }
    struct Flattened { id: u8, #[serde(flatten)] more: More }
    struct More { inner: Inner, map: BTreeMap<String, Inner> }
    struct FlatRest { id: u8, #[serde(flatten)] rest: BTreeMap<String, Inner> }

    struct Handle(Option<u8>);
    struct Named(Option<String>);
    enum Handles { One(Handle), Many { all: Vec<Handle>, last: Handle } }
    #[serde(transparent)]
    struct Clear(Option<u8>);

    struct NoneDefault { #[serde(default = "nine")] a: Option<i32>, b: u8 }
    struct AliasDefault { #[serde(alias = "aaa", default)] zed: i32, b: String }
    struct AliasAfter { #[serde(alias = "zzz", default)] b: i32, zed: String }
    struct SkipsUnless { #[serde(default = "nine", skip_serializing_if = "is_nine")] a: Option<i32>, b: u8 }

    struct Node { next: Option<Box<Node>> }
    struct Named2 { name: String, next: Option<Box<Named2>>, other: Option<Box<Named2>> }
    #[serde(tag = "kind")]
    enum GodotTag { Value { value: godot_variant::Value } }
    #[serde(untagged)]
    enum GodotOf { Level { level: u8 }, Value(godot_variant::Value) }
    #[serde(tag = "kind")]
    enum O3deTag { Value { value: o3de_json::Value } }
    #[serde(tag = "kind")]
    enum BrsonTag { Value { value: resonite_brson::Value } }
    #[serde(tag = "kind")]
    enum ZezeTag { Value { value: zeze_serialize::Value } }
    struct ZezeFlat { id: u8, #[serde(flatten)] rest: BTreeMap<String, zeze_serialize::Value> }
}

fn nine() -> Option<i32> {
    Some(9)
}

fn is_nine(value: &Option<i32>) -> bool {
    *value == Some(9)
}

/// A list of which serde is not told the length.
#[derive(Clone, Debug)]
struct Filtered<T>(Vec<T>);

/// The same, by each element.
#[derive(Clone, Debug)]
struct OneByOne<T>(Vec<T>);

/// A map of which serde is not told the length.
#[derive(Clone, Debug)]
struct FilteredMap<K: Ord, V>(BTreeMap<K, V>);

/// The same, by each key and each value.
#[derive(Clone, Debug)]
struct KeyThenValue<K: Ord, V>(BTreeMap<K, V>);

macro_rules! read_as {
    ($($name:ident<$($param:ident $(: $bound:ident)?),+> $inner:ty;)+) => {$(
        impl<'de, $($param: DeserializeOwned $(+ $bound)?),+> Deserialize<'de> for $name<$($param),+> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$inner>::deserialize(deserializer).map($name)
            }
        }
    )+};
}

read_as! {
    Filtered<T> Vec<T>;
    OneByOne<T> Vec<T>;
    FilteredMap<K: Ord, V> BTreeMap<K, V>;
    KeyThenValue<K: Ord, V> BTreeMap<K, V>;
}

impl<T: Serialize> Serialize for Filtered<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().filter(|_| true))
    }
}

impl<T: Serialize> Serialize for OneByOne<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        self.0.iter().try_for_each(|item| seq.serialize_element(item))?;
        seq.end()
    }
}

impl<K: Ord + Serialize, V: Serialize> Serialize for FilteredMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().filter(|_| true))
    }
}

impl<K: Ord + Serialize, V: Serialize> Serialize for KeyThenValue<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in &self.0 {
            map.serialize_key(key)?;
            map.serialize_value(value)?;
        }
        map.end()
    }
}

/// Written by hand, with a text as its first field.
#[derive(Clone, Debug, Deserialize)]
struct Spell {
    name: String,
    rank: i32,
}

impl Serialize for Spell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Spell", 2)?;
        fields.serialize_field("name", self.name.as_str())?;
        fields.serialize_field("rank", &self.rank)?;
        fields.end()
    }
}

/// The same, but a macro writes it.
#[derive(Clone, Debug, Deserialize)]
struct Charm {
    name: String,
    rank: i32,
}

/// The same, and passes texts as derives do: with a size.
#[derive(Clone, Debug, Deserialize)]
struct Ward {
    name: String,
    rank: i32,
}

macro_rules! by_macro {
    ($($name:ident { $($field:ident: $value:expr),+ })+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut fields = serializer.serialize_struct(stringify!($name), 2)?;
                $(fields.serialize_field(stringify!($field), $value(&self.$field))?;)+
                fields.end()
            }
        }
    )+};
}

by_macro! {
    Charm { name: String::as_str, rank: std::convert::identity }
    Ward { name: std::convert::identity, rank: std::convert::identity }
}

/// Whatever the data says that it is.
#[derive(Clone, Debug)]
enum Any {
    Unit,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Any>),
    Map(Vec<(String, Any)>),
}

impl Serialize for Any {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Any::Unit => serializer.serialize_unit(),
            Any::Bool(value) => serializer.serialize_bool(*value),
            Any::Int(value) => serializer.serialize_i64(*value),
            Any::Text(value) => serializer.serialize_str(value),
            Any::List(items) => serializer.collect_seq(items),
            Any::Map(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyVisitor(PhantomData<()>);
        impl<'de> Visitor<'de> for AnyVisitor {
            type Value = Any;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("anything")
            }
            fn visit_unit<E>(self) -> Result<Any, E> {
                Ok(Any::Unit)
            }
            fn visit_none<E>(self) -> Result<Any, E> {
                Ok(Any::Unit)
            }
            fn visit_bool<E>(self, value: bool) -> Result<Any, E> {
                Ok(Any::Bool(value))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Any, E> {
                Ok(Any::Int(value))
            }
            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Any, E> {
                i64::try_from(value).map(Any::Int).map_err(E::custom)
            }
            fn visit_str<E>(self, value: &str) -> Result<Any, E> {
                Ok(Any::Text(value.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Any, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Any::List(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Any, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Any::Map(entries))
            }
        }
        deserializer.deserialize_any(AnyVisitor(PhantomData))
    }
}

fn chain(len: usize) -> Node {
    (1..len).fold(Node { next: None }, |next, _| Node { next: Some(next.into()) })
}

fn named(name: &str, next: Option<Named2>, other: Option<Named2>) -> Named2 {
    Named2 { name: name.into(), next: next.map(Box::new), other: other.map(Box::new) }
}

fn texts<const N: usize>(entries: [(&str, u8); N]) -> BTreeMap<String, u8> {
    entries.map(|(key, value)| (key.to_owned(), value)).into()
}

pub(crate) fn rows(table: &mut Table) {
    rows! { table;
        "list of unknown length, u8" Filtered<u8> => Filtered(vec![]), Filtered(vec![1, 0, 255]);
        "list of unknown length, u16" Filtered<u16> => Filtered(vec![]), Filtered(vec![1, 0, 300]);
        "list of unknown length, i64" Filtered<i64> => Filtered(vec![i64::MIN, 0, i64::MAX]);
        "list of unknown length, bool" Filtered<bool> => Filtered(vec![true, false, true]);
        "list of unknown length, f32" Filtered<f32> => Filtered(vec![0.5, -1.5]);
        "list of unknown length, String" Filtered<String> => Filtered(vec![]), Filtered(vec!["a".into(), "".into()]);
        "list of unknown length, structs" Filtered<Pos> => Filtered(vec![]), Filtered(vec![Pos { x: 1, y: 2 }, Pos { x: 0, y: 0 }]);
        "list of unknown length, lists" Filtered<Vec<u8>> => Filtered(vec![vec![], vec![1, 2]]);
        "list of unknown length, tuples" Filtered<(u8, String)> => Filtered(vec![(1, "a".into()), (0, "".into())]);
        "list of unknown length, enums" Filtered<Color> => Filtered(vec![Color::Red, Color::Blue]);
        "list of unknown length, enums with data" Filtered<Inner> => Filtered(vec![Inner::Newtype(1), Inner::Unit]);
        "list of unknown length, options" Filtered<Option<u8>> => Filtered(vec![None, Some(0), Some(1)]);
        "list one by one" OneByOne<u16> => OneByOne(vec![]), OneByOne(vec![1, 0, 300]);
        "list one by one, in a list" Vec<OneByOne<u16>> => vec![OneByOne(vec![]), OneByOne(vec![1, 300])];
        "map of unknown length" FilteredMap<String, u8> => FilteredMap(texts([])), FilteredMap(texts([("", 1), ("b", 0)]));
        "map of unknown length, int keys" FilteredMap<i32, String> => FilteredMap([(-1, "a".into()), (2, "".into())].into());
        "map by keys and values" KeyThenValue<String, u8> => KeyThenValue(texts([])), KeyThenValue(texts([("", 1), ("b", 0)]));
        "map by keys and values, structs" KeyThenValue<String, Pos> => KeyThenValue([("a".to_owned(), Pos { x: 1, y: 2 })].into());
        "map with odd keys" BTreeMap<String, u8> => texts([("{}", 1)]), texts([("", 2), ("{}", 1)]), texts([("a.b/c~d", 1), ("$type", 2), ("//", 3)]), texts([("[]", 1), ("null", 2), ("0", 3)]);
        "map with odd keys, HashMap" HashMap<String, u8> => [("{}".to_owned(), 1)].into();
        "map with unit keys" Vec<((), u8)> => vec![((), 1)];
        "map with enum keys" BTreeMap<Color, u8> => [(Color::Red, 0), (Color::Blue, 1)].into();
        "any, empty map" Any => Any::Map(vec![]);
        "any, empty list" Any => Any::List(vec![]);
        "any" Any => Any::Map(vec![("a".into(), Any::Int(1)), ("b".into(), Any::List(vec![Any::Text("x".into()), Any::Map(vec![])]))]), Any::Int(5), Any::Text("x".into());
    }
    rows! { table at both;
        "enum in untagged" OfEnum => OfEnum::Inner(Inner::Struct { f: 1 }), OfEnum::Inner(Inner::Newtype(1)), OfEnum::Inner(Inner::Tuple(1, "a".into())), OfEnum::Number(7);
        "unit variant in untagged" OfEnum => OfEnum::Inner(Inner::Unit);
        "enum in an internal tag" Around => Around::Holds { inner: Inner::Struct { f: 1 }, list: vec![Inner::Newtype(0), Inner::Unit, Inner::Tuple(1, "".into())] }, Around::Alone;
        "enum in flattened" Flattened => Flattened { id: 1, more: More { inner: Inner::Struct { f: 1 }, map: [("a".to_owned(), Inner::Newtype(2))].into() } };
        "enums in a flattened map" FlatRest => FlatRest { id: 1, rest: [("a".to_owned(), Inner::Unit), ("b".to_owned(), Inner::Struct { f: 0 })].into() };
        "text first, by hand" Spell => Spell { name: "Fire Cat".into(), rank: 1 }, Spell { name: "".into(), rank: 0 };
        "text first, by a macro" Charm => Charm { name: "Fire Cat".into(), rank: 1 };
        "String first, by a macro" Ward => Ward { name: "Fire Cat".into(), rank: 1 }, Ward { name: "".into(), rank: 0 };
        "newtypes of options" Handles => Handles::One(Handle(None)), Handles::One(Handle(Some(1))), Handles::Many { all: vec![Handle(None), Handle(Some(0))], last: Handle(None) };
        "alias with default" AliasDefault => AliasDefault { zed: 5, b: "x".into() }, AliasDefault { zed: 0, b: "".into() };
        "alias after, with default" AliasAfter => AliasAfter { b: 5, zed: "x".into() };
        "None under a default" NoneDefault => NoneDefault { a: None, b: 1 }, NoneDefault { a: Some(0), b: 1 }, NoneDefault { a: Some(9), b: 0 };
        "skipped where it is the default" SkipsUnless => SkipsUnless { a: Some(9), b: 1 }, SkipsUnless { a: Some(0), b: 1 };
        "chain of options" Node => chain(1), chain(2), chain(100);
        "tree of options" Named2 => named("a", Some(named("", None, Some(named("c", None, None)))), Some(named("b", None, None)));
    }
    rows! { table;
        "newtype of an option" Handle => Handle(None), Handle(Some(0)), Handle(Some(1));
        "newtype of an option of text" Named => Named(None), Named(Some("".into())), Named(Some("a".into()));
        "transparent option" Clear => Clear(None), Clear(Some(0)), Clear(Some(1));
        "godot_variant::Value in a tag" GodotTag => GodotTag::Value { value: godot_variant::Value::from(vec![1, 2]) }, GodotTag::Value { value: "a".into() };
        "godot_variant::Value, untagged" GodotOf => GodotOf::Level { level: 1 }, GodotOf::Value("a".into());
        "o3de_json::Value in a tag" O3deTag => O3deTag::Value { value: o3de_json::json!({"a": [1, 2.5, null]}) };
        "resonite_brson::Value in a tag" BrsonTag => BrsonTag::Value { value: vec![resonite_brson::Value::Int32(1), resonite_brson::Value::Int64(1 << 40)].into() };
        "zeze_serialize::Value in a tag" ZezeTag => ZezeTag::Value { value: zeze_serialize::bean! { 1: 5 }.into() };
        "zeze_serialize::Value, flattened" ZezeFlat => ZezeFlat { id: 1, rest: [("a".to_owned(), zeze_serialize::bean! { 1: "x" }.into())].into() };
    }
}
