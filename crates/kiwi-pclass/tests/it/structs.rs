//! What users' structs ask of a serializer beside the usual: lists whose length is not told, fields with
//! several names, what serde does not say.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Bound;

use ::serde::de::DeserializeOwned;
use ::serde::ser::{SerializeMap, SerializeSeq, SerializeStruct};
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};
use kiwi_pclass::types::SerializerFlags;
use kiwi_pclass::*;

/// Both modes, with plain lengths and with compact ones.
fn modes() -> [Options; 4] {
    let compact = SerializerFlags::COMPACT_LENGTHS;
    let deep = Options::new().mode(Mode::Deep);
    [Options::new(), Options::new().flags(compact), deep, Options::file()]
}

/// Elements one after another, without their number.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(transparent)]
struct Elements<T>(Vec<T>);

impl<T: Serialize> Serialize for Elements<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        self.0.iter().try_for_each(|element| list.serialize_element(element))?;
        list.end()
    }
}

/// Keys and values apart, without their number.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(transparent)]
struct Entries<K: Ord, V>(BTreeMap<K, V>);

impl<K: Serialize + Ord, V: Serialize> Serialize for Entries<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in &self.0 {
            map.serialize_key(key)?;
            map.serialize_value(value)?;
        }
        map.end()
    }
}

/// A value between others that begin inside of a byte.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class Around")]
struct Around<T> {
    m_on: bool,
    m_value: T,
    m_off: bool,
    m_number: u16,
}

fn around<T>(m_value: T) -> Around<T> {
    Around { m_on: true, m_value, m_off: false, m_number: 0x1234 }
}

/// That two values have the same bytes, which the second is read from.
fn alike<A, B>(told: A, other: B)
where
    A: Serialize + DeserializeOwned,
    B: Debug + PartialEq + Serialize + DeserializeOwned,
{
    let (told, other) = (around(told), around(other));
    for options in modes() {
        let known = options.clone().schema(Schema::infer::<Around<A>>().unwrap());
        for options in [&options, &known] {
            let bytes = options.to_vec(&told).unwrap();
            assert_eq!(options.to_vec(&other).unwrap(), bytes, "{other:?}");
            assert_eq!(options.from_slice::<Around<B>>(&bytes).unwrap(), other);
        }
    }
}

/// The same of what may stand in a list, for few and for many.
fn alike_in_lists<T: Clone + Debug + PartialEq + Serialize + DeserializeOwned>(values: &[T]) {
    for list in lists_of(values) {
        alike(list.clone(), Elements(list));
    }
}

fn lists_of<T: Clone>(values: &[T]) -> [Vec<T>; 3] {
    [0, 1, 150]
        .map(|times| values.iter().cycle().take(values.len() * times).cloned().collect::<Vec<T>>())
}

/// The same wherever a list may stand.
fn alike_in_places<T: Clone + Debug + PartialEq + Serialize + DeserializeOwned>(values: &[T]) {
    alike_in_lists(values);
    for list in lists_of(values) {
        let elements = || Elements(list.clone());
        alike((true, list.clone(), 1u8), (true, elements(), 1u8));
        alike(vec![list.clone(), Vec::new()], Elements(vec![elements(), Elements(Vec::new())]));
        alike(Some(list.clone()), Some(elements()));
        let map = BTreeMap::from([(1u8, list.clone()), (2, Vec::new())]);
        let entries = Entries(BTreeMap::from([(1u8, elements()), (2, Elements(Vec::new()))]));
        alike(map, entries);
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class Leaf")]
struct Leaf {
    m_id: u32,
    m_text: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Unit {
    First,
    #[serde(alias = "Another", alias = "2nd")]
    Second,
    Third,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Mixed {
    Number(u8),
    #[serde(alias = "AliasOfNone")]
    None,
    #[serde(alias = "AAA")]
    Pair(u8, bool),
    Fields {
        #[serde(alias = "another")]
        m_id: u32,
    },
    Last,
}

#[test]
fn lists_of_unknown_length_have_the_bytes_of_the_same_list() {
    alike_in_places(&[1u8, 0, 200]);
    alike_in_lists(&[1u16, 0, 300]);
    alike_in_lists(&[7u32, 9]);
    alike_in_lists(&[-1i64, i64::MAX]);
    alike_in_lists(&[1.5f32, -0.0]);
    alike_in_lists(&[0.1f64]);
    alike_in_places(&[true, false, true]);
    alike_in_lists(&['a', 'ä']);
    alike_in_places(&["".to_owned(), "text".into()]);
    alike_in_lists(&[vec![1u8], vec![]]);
    alike_in_lists(&[vec![true, false, true]]);
    alike_in_lists(&[Some(1u8), None]);
    alike_in_lists(&[Some(Some(1u8)), Some(None), None]);
    alike_in_lists(&[(1u8, true, "a".to_owned()), (2, false, "".into())]);
    let leaf = Leaf { m_id: 1, m_text: None };
    alike_in_places(&[leaf.clone(), Leaf { m_text: Some("t".into()), ..leaf }]);
    alike_in_lists(&[Unit::First, Unit::Third]);
    alike_in_lists(&[
        Mixed::Number(1),
        Mixed::None,
        Mixed::Pair(1, true),
        Mixed::Fields { m_id: 3 },
    ]);
    alike_in_lists(&[types::Bui::<5>(3), types::Bui(31)]);
    alike_in_lists(&[types::Vector3D::new(1.0, 2.0, 3.0)]);
    right(Elements(vec![(1u8, Some(Elements(vec![true; 200]))), (2, None)]));
    right(Entries(BTreeMap::from([(Some(1u8), Entries(BTreeMap::from([('a', Mixed::None)])))])));
}

#[test]
fn maps_of_unknown_length_have_the_bytes_of_the_same_map() {
    for len in [0, 1, 127, 128, 300] {
        let map: BTreeMap<u16, bool> = (0..len).map(|n| (n, n % 3 == 0)).collect();
        alike(map.clone(), Entries(map));
        let map: BTreeMap<String, Leaf> =
            (0..len).map(|n| (n.to_string(), Leaf { m_id: n.into(), m_text: None })).collect();
        alike(map.clone(), Entries(map));
    }
}

#[test]
fn a_string_takes_its_units_one_by_one() {
    const CLASS: schema::ClassDef = schema::ClassDef::new(
        "class Around",
        &[],
        &[
            schema::PropertyDef::new("m_on", "bool", 0x1f),
            schema::PropertyDef::new("m_value", "std::string", 0x1f),
            schema::PropertyDef::new("m_off", "bool", 0x1f),
            schema::PropertyDef::new("m_number", "unsigned short", 0x1f),
        ],
    );
    let schema = std::sync::Arc::new(Schema::builder().class(&CLASS).unwrap().build().unwrap());
    for options in modes() {
        let options = options.schema(schema.clone());
        for len in [0, 1, 127, 128, 300] {
            let text = "x".repeat(len);
            let units = Elements(text.bytes().collect());
            let bytes = options.to_vec(&around(text)).unwrap();
            assert_eq!(options.to_vec(&around(units)).unwrap(), bytes);
        }
    }
    let long = around(Elements(vec![b'x'; 1 << 16]));
    let error = Options::new().schema(schema).to_vec(&long).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NumberRange, "{error}");
}

/// That a value comes back, of both modes and of a `Value`.
fn right<T: Debug + PartialEq + Serialize + DeserializeOwned>(value: T) {
    let value = around(value);
    for options in modes() {
        let bytes = options.to_vec(&value).unwrap_or_else(|error| panic!("{value:?}: {error}"));
        let read = options.from_slice::<Around<T>>(&bytes);
        assert_eq!(read.unwrap_or_else(|error| panic!("{value:?}: {error}")), value);
    }
    assert_eq!(from_value::<Around<T>>(&to_value(&value).unwrap()).unwrap(), value);
}

#[test]
fn fields_and_variants_with_several_names() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Stats {
        #[serde(alias = "aaa", default)]
        zed: i32,
        b: u8,
        #[serde(alias = "kinds", alias = "a_leaf", default)]
        leaf: Option<Leaf>,
        #[serde(alias = "a_list")]
        list: Vec<u8>,
    }
    let leaf = Some(Leaf { m_id: 4, m_text: None });
    right(Stats { zed: 5, b: 1, leaf, list: vec![1, 2] });
    for unit in [Unit::First, Unit::Second, Unit::Third] {
        right(unit);
        right(vec![Some(unit), None]);
        right(BTreeMap::from([(unit, unit)]));
    }
    for mixed in [
        Mixed::Number(1),
        Mixed::None,
        Mixed::Pair(1, true),
        Mixed::Fields { m_id: 3 },
        Mixed::Last,
    ] {
        right(Some(mixed.clone()));
        right(BTreeMap::from([(mixed.clone(), 1u8)]));
        right(vec![mixed]);
    }
    // Other names in the data than the struct's own.
    #[derive(Serialize)]
    #[serde(rename = "Stats")]
    struct Older {
        aaa: i32,
        b: u8,
        list: Vec<u8>,
    }
    let bytes = Options::file().to_vec(&Older { aaa: 7, b: 2, list: vec![3] }).unwrap();
    let read: Stats = Options::file().from_slice(&bytes).unwrap();
    assert_eq!(read, Stats { zed: 7, b: 2, leaf: None, list: vec![3] });
}

#[test]
fn options_that_serde_has_no_word_for() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Handle(Option<u8>);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Outer(Handle);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Held {
        Handle(Handle),
        Plain(Option<u8>),
        Fields { handle: Outer },
        Nothing,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Config {
        #[serde(default = "nine")]
        limit: Option<u8>,
        #[serde(with = "shown")]
        shown: Option<u8>,
        #[serde(with = "shown", default)]
        other: Option<u8>,
        b: u8,
    }
    fn nine() -> Option<u8> {
        Some(9)
    }
    mod shown {
        use super::*;
        pub(super) fn serialize<S: Serializer>(
            value: &Option<u8>,
            to: S,
        ) -> std::result::Result<S::Ok, S::Error> {
            value.map(|value| value.to_string()).serialize(to)
        }
        pub(super) fn deserialize<'de, D: Deserializer<'de>>(
            from: D,
        ) -> std::result::Result<Option<u8>, D::Error> {
            let text = Option::<String>::deserialize(from)?;
            text.map(|text| text.parse().map_err(::serde::de::Error::custom)).transpose()
        }
    }
    for value in [None, Some(3)] {
        right(Handle(value));
        right(Outer(Handle(value)));
        right(vec![Handle(value)]);
        right(Some(Handle(value)));
        right(Held::Handle(Handle(value)));
        right(Held::Plain(value));
        right(Held::Fields { handle: Outer(Handle(value)) });
        right(Held::Nothing);
        right(Config { limit: value, shown: value, other: value, b: 1 });
    }
}

#[test]
fn keys_without_bits_and_places_with_several_enums() {
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    enum Other {
        Third,
        Mine,
    }
    right(BTreeMap::from([((), 1u8)]));
    right(BTreeMap::from([(((), ()), true)]));
    right(BTreeMap::<(), u8>::new());
    right(BTreeMap::from([(Unit::Third, Other::Third), (Unit::First, Other::Mine)]));
    right(BTreeMap::from([(Mixed::Last, Other::Mine), (Mixed::Pair(1, true), Other::Third)]));
    right((Unit::Third, Other::Mine, Mixed::None));
    right((None::<Unit>, Other::Mine));
    right((Bound::<u8>::Unbounded, Unit::Second));
    // Two enums of which each has variants with content too.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Second {
        Own,
        Content(u8),
        Last,
    }
    right((Second::Content(1), Mixed::Number(1)));
    right((Second::Own, Mixed::Last));
    right((Mixed::None, Second::Last, Some(Second::Own), None::<Second>));
}

#[test]
fn last_members_that_are_skipped() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Short(u8, #[serde(skip_serializing_if = "Option::is_none", default)] Option<bool>);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Never(u8, bool, #[serde(skip_serializing, default)] u8);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Unit(u8, ());
    right(Unit(1, ()));
    for options in [Options::new().mode(Mode::Deep), Options::file()] {
        for value in [Short(1, None), Short(1, Some(true))] {
            let value = around(value);
            let bytes = options.to_vec(&value).unwrap();
            assert_eq!(options.from_slice::<Around<Short>>(&bytes).unwrap(), value);
        }
        let value = around(Never(1, true, 0));
        let bytes = options.to_vec(&value).unwrap();
        assert_eq!(options.from_slice::<Around<Never>>(&bytes).unwrap(), value);
    }
}

/// A struct whose code is by hand, and passes a `str`.
#[derive(Debug, PartialEq)]
struct Spell {
    name: String,
    rank: i32,
}

impl Serialize for Spell {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Spell", 2)?;
        fields.serialize_field("name", self.name.as_str())?;
        fields.serialize_field("rank", &self.rank)?;
        fields.end()
    }
}

impl<'de> Deserialize<'de> for Spell {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename = "Spell")]
        struct Derived {
            name: String,
            rank: i32,
        }
        Derived::deserialize(from).map(|Derived { name, rank }| Spell { name, rank })
    }
}

/// The same by a macro, whose calls are at one place, as those of a derive are.
macro_rules! by_macro {
    ($name:ident, $text:expr) => {
        #[derive(Debug, PartialEq, Deserialize)]
        struct $name {
            name: String,
            rank: i32,
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
                let mut fields = to.serialize_struct(stringify!($name), 2)?;
                fields.serialize_field("name", $text(&self.name))?;
                fields.serialize_field("rank", &self.rank)?;
                fields.end()
            }
        }
    };
}

by_macro!(Charm, String::as_str);
by_macro!(Ward, std::convert::identity);

#[test]
fn a_first_text_of_a_macro_says_how_it_is_none() {
    let charm = around(Charm { name: "Fire Cat".into(), rank: 1 });
    for options in modes() {
        let error = options.to_vec(&charm).unwrap_err().to_string();
        assert!(error.contains("passes a text that comes first as `&&str`"), "{error}");
    }
    right(Ward { name: "Fire Cat".into(), rank: 1 });
}

#[test]
fn a_first_text_is_no_tag() {
    right(Spell { name: "Fire Cat".into(), rank: 1 });
    right(vec![Spell { name: "Spell".into(), rank: 2 }, Spell { name: "".into(), rank: 3 }]);
    // A tag is one, whoever writes it.
    #[derive(Serialize)]
    #[serde(tag = "name")]
    enum Tagged {
        Fields { rank: i32 },
        Inner(Spell),
        Unit,
        Nested(Other),
    }
    #[derive(Serialize)]
    #[serde(tag = "other")]
    enum Other {
        Fields { rank: i32 },
    }
    let spell = Spell { name: "a".into(), rank: 1 };
    let nested = Other::Fields { rank: 2 };
    for tagged in
        [Tagged::Fields { rank: 1 }, Tagged::Inner(spell), Tagged::Unit, Tagged::Nested(nested)]
    {
        for options in modes() {
            let error = options.to_vec(&around(&tagged)).unwrap_err();
            assert!(error.to_string().contains("with the tag of an enum in front"), "{error}");
        }
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    struct Own {
        rank: i32,
    }
    let own = around(Own { rank: 4 });
    assert!(Options::new().to_vec(&own).is_err());
    let bytes = Options::file().to_vec(&own).unwrap();
    assert_eq!(Options::file().from_slice::<Around<Own>>(&bytes).unwrap(), own);
}
