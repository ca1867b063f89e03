//! What goes through serde without `std`: values of every kind and depth, in types and alone, and what is
//! refused. The results are those with `std`.

use std::sync::Arc;

use kiwi_pclass::schema::{ClassDef, PropertyDef};
use kiwi_pclass::types::{Point, Rect, Size, WString};
use kiwi_pclass::{
    Class, Color, Container, CoreHeader, CoreTypes, ErrorKind, Euler, Field, Matrix3x3, Mode,
    Object, Options, Quaternion, RawBits, RawObject, Schema, Unknown, Value, Vector3D,
};
use serde::{Deserialize, Serialize};

/// What messages and files have.
const BOTH: u32 = 0x1f;

const LEAF: ClassDef = ClassDef::new(
    "class Leaf",
    &["Base", "PropertyClass"],
    &[
        PropertyDef::new("m_id", "unsigned int", BOTH),
        PropertyDef::new("m_next", "class Leaf*", BOTH),
        // 0x40 is DEPRECATED: written only where it stood in the bytes.
        PropertyDef::new("m_old", "int", 0x47),
    ],
);

/// A property of every kind.
const ALL: ClassDef = ClassDef::new(
    "class All",
    &[],
    &[
        PropertyDef::new("m_bool", "bool", BOTH),
        PropertyDef::new("m_int", "__int64", BOTH),
        PropertyDef::new("m_uint", "gid", BOTH),
        PropertyDef::new("m_small", "bi5", BOTH),
        PropertyDef::new("m_float", "float", BOTH),
        PropertyDef::new("m_double", "double", BOTH),
        PropertyDef::new("m_enum", "enum Kind", BOTH | 0x20_0000)
            .options(&[("A", 0), ("B", 7)])
            .default_value(7),
        PropertyDef::new("m_string", "std::string", BOTH).default_text("Oz"),
        PropertyDef::new("m_wide", "std::wstring", BOTH),
        PropertyDef::new("m_color", "class Color", BOTH),
        PropertyDef::new("m_vector", "class Vector3D", BOTH),
        PropertyDef::new("m_quaternion", "class Quaternion", BOTH),
        PropertyDef::new("m_euler", "class Euler", BOTH),
        PropertyDef::new("m_matrix", "class Matrix3x3", BOTH),
        PropertyDef::new("m_size", "class Size<int>", BOTH),
        PropertyDef::new("m_point", "class Point<float>", BOTH),
        PropertyDef::new("m_rect", "class Rect<unsigned int>", BOTH),
        PropertyDef::new("m_bools", "bool", BOTH).container(Container::Vector),
        PropertyDef::new("m_smalls", "bui3", BOTH).container(Container::List),
        PropertyDef::new("m_list", "class Leaf*", BOTH).container(Container::Vector),
        // 0x100 is DELTA_ENCODE; no message has the last one.
        PropertyDef::new("m_delta", "int", BOTH | 0x100),
        PropertyDef::new("m_odd", "int", 0).unsupported("is in the container `Map`"),
    ],
);

const HOLDER: ClassDef = ClassDef::new(
    "class Holder",
    &[],
    &[
        PropertyDef::new("m_first", "class Leaf*", BOTH),
        PropertyDef::new("m_all", "class All*", BOTH).container(Container::Vector),
        PropertyDef::new("m_last", "unsigned char", BOTH),
    ],
);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "class Holder")]
struct Holder {
    m_first: Value,
    m_all: Vec<Value>,
    m_last: u8,
}

fn schema() -> Schema {
    Schema::builder().classes(&[LEAF, ALL, HOLDER]).unwrap().build().unwrap()
}

fn options(mode: Mode) -> Options {
    Options::new().mode(mode).schema(schema()).unknown(Unknown::Keep).max_depth(20_000)
}

fn class(name: &str) -> Arc<Class> {
    schema().class(name).unwrap().clone()
}

fn leaf(id: u32, next: Value) -> Value {
    let mut leaf = Object::new(class("class Leaf"));
    leaf.set("m_id", id).unwrap();
    leaf.set("m_next", next).unwrap();
    leaf.into()
}

fn all() -> Value {
    let number = |number: f32| Value::Float(number);
    let fields: Vec<(&str, Value)> = vec![
        ("m_bool", true.into()),
        ("m_int", i64::MIN.into()),
        ("m_uint", u64::MAX.into()),
        ("m_small", (-16).into()),
        ("m_float", (-0.0f32).into()),
        ("m_double", 1e-300.into()),
        ("m_enum", Value::Enum(7)),
        ("m_string", (&b"no \xff text"[..]).into()),
        ("m_wide", WString::new(vec![0x41, 0xd800]).into()),
        ("m_color", Color::new(1, 2, 3, 4).into()),
        ("m_vector", Vector3D::new(1.0, 2.0, f32::INFINITY).into()),
        ("m_quaternion", Quaternion::new(1.0, 2.0, 3.0, 4.0).into()),
        ("m_euler", Euler::new(1.0, 2.0, 3.0).into()),
        ("m_matrix", Matrix3x3::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]).into()),
        ("m_size", Value::Size(Size::new((-1).into(), 2.into()).into())),
        ("m_point", Value::Point(Point::new(number(0.5), number(-0.5)).into())),
        ("m_rect", {
            let [left, top, right, bottom] = [1u32, 2, 3, 4].map(Value::from);
            Value::Rect(Rect::new(left, top, right, bottom).into())
        }),
        ("m_bools", vec![true, false, true].into()),
        ("m_smalls", Value::SmallInts(vec![0, 7, 3].into())),
        ("m_list", vec![leaf(1, Value::Null), Value::Null, leaf(2, leaf(3, Value::Null))].into()),
        ("m_delta", 5.into()),
    ];
    let mut all = Object::new(class("class All"));
    fields.into_iter().for_each(|(name, value)| all.set(name, value).unwrap());
    all.into()
}

#[test]
fn values_of_every_kind_pass_in_types() {
    for mode in [Mode::Shallow, Mode::Deep] {
        let options = options(mode);
        let holder = Holder { m_first: leaf(7, Value::Null), m_all: vec![all(), all()], m_last: 9 };
        let bytes = options.to_vec(&holder).unwrap();
        let read: Holder = options.from_slice(&bytes).unwrap();
        // A value of the whole goes another way, and its bytes are the same.
        let whole: Value = options.from_slice(&bytes).unwrap();
        assert_eq!(options.to_vec(&whole).unwrap(), bytes);
        assert_eq!(options.to_vec(&read).unwrap(), bytes);
        assert!(whole["m_all"].items().map(|value| value.into_owned()).eq(read.m_all.clone()));
        assert_eq!(read.m_first["m_id"], Value::UInt(7));
        // The classes came along.
        let (own, copy) = (class("class All"), read.m_all[0].as_object().unwrap().class().clone());
        assert_eq!((own.name(), own.hash()), (copy.name(), copy.hash()));
        assert!(own.properties() == copy.properties());
        let oddities = |class: &Class| class.properties()[21].oddity().map(str::to_owned);
        assert_eq!(oddities(&own), oddities(&copy));
        let first = read.m_first.as_object().unwrap().class().clone();
        assert_eq!(first.bases().collect::<Vec<_>>(), ["Base", "PropertyClass"]);
        // And from one value to another.
        assert_eq!(options.from_value::<Holder>(&whole).unwrap(), read);
        assert_eq!(options.to_value(&read).unwrap(), whole);
    }
}

#[test]
fn no_value_is_too_deep() {
    let deep = (0..6_000).fold(Value::Null, |next, id| leaf(id, next));
    for mode in [Mode::Shallow, Mode::Deep] {
        let options = options(mode);
        let bytes = options.to_vec(&deep).unwrap();
        assert_eq!(options.from_slice::<Value>(&bytes).unwrap().clone(), deep);
        let holder = Holder { m_first: deep.clone(), m_all: Vec::new(), m_last: 0 };
        let bytes = options.to_vec(&holder).unwrap();
        assert_eq!(options.from_slice::<Holder>(&bytes).unwrap(), holder);
    }
}

#[test]
fn what_the_schema_does_not_know_is_written_back() {
    let mut first = leaf(1, Value::Null);
    let object = first.as_object_mut().unwrap();
    object.push_field(Field::unknown(5, Value::Bits(RawBits::new(&[0xff, 1], 9).into())));
    object.set("m_old", -1).unwrap();
    object.fields_mut()[3].set_kept(true);
    let raw = RawObject { hash: 99, bits: RawBits::new(&[1, 2, 3], 24) };
    let m_all = vec![Value::Raw(raw.into()), all()];
    let holder = Holder { m_first: first, m_all, m_last: 1 };
    let deep = options(Mode::Deep);
    let bytes = deep.to_vec(&holder).unwrap();
    let read: Holder = deep.from_slice(&bytes).unwrap();
    assert_eq!(read, holder);
    assert_eq!(read.m_first.as_object().unwrap().fields()[2].unknown_hash(), Some(5));
    assert_eq!(deep.to_vec(&read).unwrap(), bytes);
}

#[test]
fn headers_of_core_objects_pass() {
    let header = CoreHeader::new(2, 0, 1234);
    let mut first = leaf(1, Value::Null);
    first.as_object_mut().unwrap().set_core(Some(header));
    let types = CoreTypes::new().with(2, "class Leaf");
    let options = options(Mode::Shallow).core_types(types);
    let holder = Holder { m_first: first, m_all: Vec::new(), m_last: 1 };
    let read: Holder = options.from_slice(&options.to_vec(&holder).unwrap()).unwrap();
    assert_eq!(read.m_first.as_object().unwrap().core(), Some(header));
}

/// A newtype with the name of another thing.
struct Impostor;

impl Serialize for Impostor {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct("$kiwi_pclass::value", &())
    }
}

impl<'de> Deserialize<'de> for Impostor {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Impostor;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("nothing")
            }

            fn visit_newtype_struct<D: serde::Deserializer<'de>>(
                self,
                _: D,
            ) -> Result<Impostor, D::Error> {
                Ok(Impostor)
            }
        }

        deserializer.deserialize_newtype_struct("$kiwi_pclass::value", Visitor)
    }
}

#[test]
fn refusals_are_said() {
    let (shallow, deep) = (options(Mode::Shallow), options(Mode::Deep));
    let text = serde_json::to_string(&leaf(1, Value::Null)).unwrap();
    assert_eq!(text, r#"{"$type":"class Leaf","m_id":1,"m_next":null}"#);
    let error = serde_json::from_str::<Value>(&text).unwrap_err().to_string();
    assert!(
        error.starts_with("a value can only be read with a schema that says its types"),
        "{error}"
    );

    let reserved = "names of newtypes that start with `$kiwi_pclass` are reserved";
    assert_eq!(shallow.to_vec(&Impostor).unwrap_err().to_string(), reserved);
    let bytes = shallow.to_vec(&leaf(1, Value::Null)).unwrap();
    assert_eq!(shallow.from_slice::<Impostor>(&bytes).err().unwrap().to_string(), reserved);

    let mut wrong = all();
    *wrong.pointer_mut("/m_list/2/m_next/m_id").unwrap() = "one".into();
    let holder = Holder { m_first: Value::Null, m_all: vec![all(), wrong], m_last: 1 };
    for options in [&shallow, &deep] {
        assert_eq!(
            options.to_vec(&holder).unwrap_err().to_string(),
            "expected unsigned int, found a string, in m_all[1].m_list[2].m_next.m_id"
        );
    }
    // A size of what are no numbers stays one that nobody can write.
    let mut wrong = all();
    wrong["m_size"] = Value::Size(Size::new("a".into(), "b".into()).into());
    let error = shallow.to_vec(&wrong).unwrap_err().to_string();
    assert_eq!(error, "expected class Size<int>, found a Size, in m_size");
}

/// Each value has copies of its classes, which count.
#[test]
fn copies_of_classes_are_memory() {
    let holder =
        Holder { m_first: Value::Null, m_all: (0..300).map(|_| all()).collect(), m_last: 1 };
    let options = options(Mode::Deep);
    let bytes = options.to_vec(&holder).unwrap();
    assert_eq!(options.from_slice::<Holder>(&bytes).unwrap().m_all.len(), 300);
    let error = options.max_memory(1 << 20).from_slice::<Holder>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit, "{error}");
}

kiwi_pclass::class! {
    /// A base.
    Entity = "class Entity" [] {
        name: String = "m_name" "std::string" 0x1f;
    }
    /// What the macro makes of classes does without `std`, too.
    Walker: Entity = "class Walker" ["Entity"] {
        speed: f32 = "m_speed" "float" 0x1f;
        @delta goal: Option<u32> = "m_goal" "unsigned int" 0x11f;
    }
}

#[test]
fn types_alone_pass() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "class Leaf")]
    struct Leaf {
        m_id: u32,
        m_name: String,
        m_on: Option<bool>,
        m_list: Vec<i16>,
    }

    let leaf = Leaf { m_id: 7, m_name: "Oz".into(), m_on: Some(true), m_list: vec![1, -1] };
    for options in [Options::new(), Options::new().mode(Mode::Deep), Options::file()] {
        let options = options.flags(Default::default());
        let bytes = options.to_vec(&leaf).unwrap();
        assert_eq!(options.from_slice::<Leaf>(&bytes).unwrap(), leaf);
        assert_eq!(options.from_value::<Leaf>(&options.to_value(&leaf).unwrap()).unwrap(), leaf);
    }

    use kiwi_pclass::generated::Generated;
    assert_eq!((Walker::LEN, Walker::NAMES), (3, &["m_name", "m_speed", "m_goal"][..]));
    let schema = Schema::builder().classes(&[Entity::DEF, Walker::DEF]).unwrap().build().unwrap();
    let options = Options::new().schema(schema);
    let mut walker = Walker { speed: 1.5, goal: Some(3), ..Walker::default() };
    walker.name = "imp".into();
    let read: Walker = options.from_slice(&options.to_vec(&walker).unwrap()).unwrap();
    assert_eq!(read, walker);
    // In any order, and each one once.
    let text = r#"{"m_goal":3,"m_name":"imp","more":[],"m_speed":1.5}"#;
    assert_eq!(serde_json::from_str::<Walker>(text).unwrap(), walker);
    let error = serde_json::from_str::<Walker>(r#"{"m_goal":3,"m_goal":3}"#).unwrap_err();
    assert!(error.to_string().starts_with("duplicate field `m_goal`"), "{error}");
}
