//! Values: access, what is kept, threads, size.

use std::sync::Arc;

use gamewire_testkit::on_small_stack;
use kiwi_pclass::schema::{ClassDef, Container, PropertyDef};
use kiwi_pclass::types::{PropertyFlags, SerializerFlags};
use kiwi_pclass::value::{Field, Object, RawBits};
use kiwi_pclass::*;
use serde::{Deserialize, Serialize};

use crate::support::{deep, digits, hex, sample, shallow, types};

fn object(class: &str) -> Object {
    Object::new(Arc::clone(types().class(class).unwrap()))
}

#[test]
fn three_words_and_four() {
    assert_eq!(size_of::<Value>(), 24);
    assert_eq!(size_of::<Field>(), 32);
}

#[test]
fn access() {
    let (options, bytes) = sample("pointers/deep/f0");
    let mut value: Value = options.from_slice(&bytes).unwrap();
    assert_eq!(value["m_raw"]["m_id"].as_u64(), Some(1));
    assert_eq!(value["m_raw"]["m_id"].as_i64(), Some(1));
    assert_eq!(value["m_shared"]["m_name"].as_str(), Some("shared-derived"));
    assert_eq!(value.pointer("/m_shared/m_name"), Some(&Value::from("shared-derived")));
    assert_eq!(value.pointer("/m_shared/none"), None);
    assert!(value["nothing"]["at all"].is_null());
    value["m_raw"]["m_id"] = 5u32.into();
    *value.pointer_mut("/m_raw/m_name").unwrap() = "newer".into();
    *value.get_mut("m_raw").unwrap().get_mut("m_name").unwrap() = "new".into();
    let bytes = deep().to_vec(&value).unwrap();
    let again: Value = deep().from_slice(&bytes).unwrap();
    assert_eq!(again["m_raw"]["m_name"], "new".into());
    assert_eq!(
        format!("{:?}", again["m_raw"]),
        "class TvLeaf { m_id: 5, m_name: \"new\", m_on: true }"
    );
    let object = value.as_object_mut().unwrap();
    assert_eq!(object.set("m_none", 1u8).unwrap_err().kind(), ErrorKind::UnknownProperty);
    let taken = object.remove("m_head").unwrap();
    object.set("m_head", taken).unwrap();
    assert_eq!(object.iter().next().unwrap().0, "m_head");
    let list = Value::from(vec![true, false]);
    assert_eq!(list.list_len(), Some(2));
    assert_eq!(list.items().map(|item| item.as_bool().unwrap()).collect::<Vec<_>>(), [true, false]);
}

/// What deep mode finds and the mask does not select is written back, and only that.
#[test]
fn unselected_and_deprecated_entries_are_kept() {
    let all = deep().mask(PropertyFlags::NONE);
    let mut depr = object("class TvDepr");
    depr.set("m_normal", 1u32).unwrap();
    depr.set("m_old", 2u32).unwrap();
    depr.set("m_after", 3u32).unwrap();
    let value = Value::from(depr.clone());
    let without = all.to_vec(&value).unwrap();
    assert_eq!(without.len(), 8 + 2 * 12);
    depr.fields_mut()[1].set_kept(true);
    let with = all.to_vec(&Value::from(depr)).unwrap();
    assert_eq!(with.len(), 8 + 3 * 12);
    let read: Value = all.from_slice(&with).unwrap();
    assert_eq!(read["m_old"], Value::UInt(2));
    assert_eq!(digits(&all.to_vec(&read).unwrap()), digits(&with));

    let bytes = sample("mask_0/deep/f0").1;
    let value: Value = deep().mask(PropertyFlags::SAVE).from_slice(&bytes).unwrap();
    let written = deep().mask(PropertyFlags::SAVE).to_vec(&value).unwrap();
    assert_eq!(digits(&written), digits(&bytes));
    let few: Value = deep().mask(PropertyFlags::NONE).from_slice(&bytes).unwrap();
    assert_eq!(deep().mask(PropertyFlags::SAVE).to_vec(&few).unwrap().len(), 8 + 3 * 12);
}

#[test]
fn order_and_repetition_are_kept() {
    let leaf = types().class("class TvLeaf").unwrap().clone();
    let mut object = Object::new(leaf);
    object.push("m_on", true).unwrap();
    object.push("m_id", 1u32).unwrap();
    object.push("m_id", 2u32).unwrap();
    let value = Value::from(object);
    let bytes = deep().to_vec(&value).unwrap();
    let read: Value = deep().from_slice(&bytes).unwrap();
    assert_eq!(read, value);
    assert_eq!(deep().to_vec(&read).unwrap(), bytes);
    // Shallow mode has one order.
    let error = shallow().to_vec(&value).unwrap_err();
    assert_eq!(error.path().to_string(), "m_name");
}

/// A schema that knows less than the writer's.
fn smaller() -> Schema {
    const PTR: ClassDef = ClassDef::new(
        "class TvPtr",
        &["PropertyClass"],
        &[
            PropertyDef::new("m_head", "bool", 31),
            PropertyDef::new("m_shared", "class SharedPointer<class TvLeaf>", 31),
            PropertyDef::new("m_tail", "unsigned char", 31),
        ],
    );
    Schema::builder().class(&PTR).unwrap().build().unwrap()
}

#[test]
fn unknown_properties_and_classes_are_kept_as_bits() {
    for name in ["pointers/deep/f0", "pointers/deep/f7", "bit_tail_sizes/deep/f2"] {
        let (options, bytes) = sample(name);
        let schema = match name.starts_with("bit") {
            false => smaller(),
            true => {
                const HOLDER: ClassDef = ClassDef::new(
                    "class TvHolder",
                    &[],
                    &[
                        PropertyDef::new("m_tail", "bool", 31),
                        PropertyDef::new("m_list", "class TvEnds", 31).container(Container::Vector),
                    ],
                );
                Schema::builder().class(&HOLDER).unwrap().build().unwrap()
            }
        };
        let options = options.schema(schema);
        assert!(options.from_slice::<Value>(&bytes).is_err());
        let keep = options.clone().unknown(Unknown::Keep);
        let value: Value = keep.from_slice(&bytes).unwrap();
        assert!(format!("{value:?}").contains("bits"), "{value:?}");
        assert_eq!(digits(&keep.to_vec(&value).unwrap()), digits(&bytes), "{name}");
        assert_eq!(keep.explain(&bytes).error().map(ToString::to_string), None);
        let skipped: Value = options.unknown(Unknown::Skip).from_slice(&bytes).unwrap();
        assert!(
            skipped.as_object().unwrap().fields().len()
                <= value.as_object().unwrap().fields().len()
        );
    }
    let root = deep().unknown(Unknown::Keep);
    let bytes = hex("efbeadde 28000000 ff");
    let value: Value = root.from_slice(&bytes).unwrap();
    assert!(matches!(&value, Value::Raw(raw) if raw.bits.len() == 8));
    assert_eq!(root.to_vec(&value).unwrap(), bytes);
    assert!(deep().unknown(Unknown::Skip).from_slice::<Value>(&bytes).is_err());
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut leaf = object("class TvLeaf");
    let mut fault = |name: &str, value: Value| {
        leaf.set(name, value).unwrap();
        let error = deep().to_vec(&Value::from(leaf.clone())).unwrap_err();
        leaf.remove(name);
        error.to_string()
    };
    assert_eq!(fault("m_id", "text".into()), "expected unsigned int, found a string, in m_id");
    assert_eq!(
        fault("m_id", (-1i32).into()),
        "expected unsigned int, found integer -1, which does not fit, in m_id"
    );
    assert_eq!(fault("m_on", 1u8.into()), "expected bool, found an unsigned number, in m_on");
    assert_eq!(fault("m_name", Value::Null), "expected std::string, found null, in m_name");
    let long = "x".repeat(65_536);
    assert_eq!(
        fault("m_name", long.as_str().into()),
        "a string of 65536 units needs compact lengths: a plain one has at most 65535, in m_name"
    );
    let mut bits = object("class TvBits");
    bits.set("m_bui3", 8u8).unwrap();
    assert_eq!(
        deep().to_vec(&Value::from(bits)).unwrap_err().to_string(),
        "expected an unsigned number of 3 bits, found integer 8, in m_bui3"
    );
    let error = deep().to_vec(&Value::UInt(1)).unwrap_err();
    assert_eq!(error.to_string(), "expected an object, found an unsigned number");
}

#[test]
fn schemas_merge() {
    let list = |name: &str| {
        std::fs::read(crate::support::testdata().join("vectors/types").join(name)).unwrap()
    };
    let server = Schema::from_json(&list("arena_server.json")).unwrap();
    let client = Schema::from_json(&list("arena.json")).unwrap();
    let both = Schema::builder()
        .json(&list("arena.json"))
        .unwrap()
        .json(&list("arena_server.json"))
        .unwrap()
        .build()
        .unwrap();
    assert!(both.len() > client.len() && both.len() < client.len() + server.len());
    let merged = Schema::builder().merge(&client).merge(&server).build().unwrap();
    assert_eq!(merged.len(), both.len());
    for class in client.classes() {
        assert_eq!(both.class(class.name()).unwrap().properties().len(), class.properties().len());
        assert_eq!(both.class_by_hash(class.hash()).unwrap().name(), class.name());
    }
    // Version 1 says the same.
    let old = Schema::from_json(&list("arena_v1.json")).unwrap();
    assert!(old.len() > 5);
    for class in old.classes() {
        let same = client.class(class.name()).unwrap();
        assert_eq!(class.properties().len(), same.properties().len());
        for (a, b) in class.properties().iter().zip(same.properties()) {
            assert_eq!(
                (a.name(), a.hash(), a.kind(), a.options()),
                (b.name(), b.hash(), b.kind(), b.options())
            );
        }
    }
}

#[test]
fn type_lists_that_are_none() {
    for (json, words) in [
        ("", "expected a value, found the end"),
        ("[]", "expected a type list"),
        (r#"{"version": 3}"#, "version 3 is not known"),
        (r#"{"class A": {"properties": {"m": {"id": 0}}}}"#, "the property `m` has no type"),
        (r#"{"class A": {"hash": 5}, "class B": {"hash": 5}}"#, "have the same hash 5"),
        (r#"{"class A": {"properties": {"m": {"type": "int"}, "m": {"type": "int"}}}}"#, "twice"),
        (r#"{"class A": {"hash": 4294967296}}"#, "over 32 bits"),
    ] {
        let error = Schema::from_json(json.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Schema);
        assert!(error.to_string().contains(words), "{json}: {error}");
    }
    let schema = Schema::from_json(b"\xef\xbb\xbf{\"class A\": {\"more\": [1]}}").unwrap();
    assert_eq!(schema.class("class A").unwrap().hash(), hash!("class A"));
}

#[test]
fn options_of_enums() {
    let colors = types();
    let colors = colors.class("class TvEnum").unwrap();
    let plain = colors.property("m_color").unwrap().options().unwrap();
    assert_eq!(plain.default_value(), Some(1));
    assert_eq!(plain.parse(" BLUE ").unwrap(), 2);
    assert_eq!(plain.parse("77").unwrap(), 77);
    assert_eq!(plain.format(77), "77");
    assert_eq!(plain.parse("RED|BLUE").unwrap_err().kind(), ErrorKind::UnknownOption);
    assert!(plain.parse("").is_err());
    let bits = colors.property("m_bits").unwrap().options().unwrap();
    assert_eq!(bits.parse("").unwrap(), 0);
    assert_eq!(bits.parse("FLAG_C | FLAG_A").unwrap(), 5);
    assert_eq!(bits.format(5), "FLAG_A|FLAG_C");
    assert_eq!(bits.format(8), "8");
    assert_eq!(bits.format(0), "");
    assert_eq!(bits.parse("FLAG_A|8").unwrap(), 9);
    let error = bits.parse("FLAG_A|OOPS").unwrap_err().to_string();
    assert_eq!(
        error,
        "expected one of the options `FLAG_NONE`, `FLAG_A`, `FLAG_B`, `FLAG_C`, …, found `OOPS`"
    );
}

/// Values that a program nests deeper than anything that is read.
#[test]
fn values_that_are_too_deep_are_not_written() {
    on_small_stack(|| {
        let mut value = Value::Null;
        for _ in 0..2_000 {
            let mut rec = object("class TvRec");
            rec.set("m_next", value).unwrap();
            value = rec.into();
        }
        assert_eq!(deep().to_vec(&value).unwrap_err().kind(), ErrorKind::DepthLimit);
        drop(value);
    })
    .unwrap();
}

/// The deepest values that are read, on a small stack.
#[test]
fn the_deepest_values_survive() {
    on_small_stack(|| {
        const LEVELS: usize = 1_025;
        let most = shallow().max_depth(1_000_000);
        let one = hex("7e1d1c04 01");
        let bytes = |levels: usize| [one.repeat(levels), hex("00000000")].concat();
        let value: Value = most.from_slice(&bytes(LEVELS)).unwrap();
        let copy = value.clone();
        assert!(copy == value);
        let mut other = copy;
        *other.pointer_mut(&"/m_next".repeat(LEVELS - 1)).unwrap() = Value::Null;
        assert!(other != value);
        assert!(format!("{value:?}").len() > LEVELS * 10);
        assert!(format!("{value:#?}").len() > LEVELS * 10);
        assert_eq!(most.to_vec(&value).unwrap(), bytes(LEVELS));
        let deep = deep().max_depth(1_000_000);
        let files = deep.to_vec(&value).unwrap();
        assert!(deep.from_slice::<Value>(&files).unwrap() == value);
        let _: ::serde::de::IgnoredAny = most.from_slice(&bytes(LEVELS)).unwrap();
        // Nothing of serde's goes so deep.
        assert!(serde_json::to_string(&value).is_err());
        let error = most.from_slice::<Value>(&bytes(LEVELS + 1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit);
        assert_eq!(shallow().to_vec(&value).unwrap_err().kind(), ErrorKind::DepthLimit);
        assert!(shallow().from_slice::<Value>(&bytes(127)).is_ok());
        assert!(shallow().from_slice::<Value>(&bytes(128)).is_err());
    })
    .unwrap();
}

/// Rust types take stack, so they have a limit of their own.
#[test]
fn types_have_their_own_limit() {
    on_small_stack(|| {
        let most = shallow().max_typed_depth(255);
        let one = hex("7e1d1c04 01");
        let bytes = |levels: usize| [one.repeat(levels), hex("00000000")].concat();
        let rec: crate::classes::Rec = most.from_slice(&bytes(255)).unwrap();
        assert_eq!(most.to_vec(&rec).unwrap(), bytes(255));
        for (options, levels) in [(shallow(), 128), (most, 256)] {
            let error = options.from_slice::<crate::classes::Rec>(&bytes(levels)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
            assert!(error.to_string().contains("max_typed_depth"), "{error}");
        }
        assert_eq!(shallow().to_vec(&rec).unwrap_err().kind(), ErrorKind::DepthLimit);
    })
    .unwrap();
}

/// What `strict` refuses is read without it.
#[test]
fn strict_refuses_what_would_be_written_otherwise() {
    let flags = |flags| shallow().flags(SerializerFlags(flags));
    let enums = deep().flags(SerializerFlags::ENUM_NAMES);
    let mut named = object("class TvEnum");
    named.set("m_color", Value::Enum(2)).unwrap();
    let named = enums.to_vec(&Value::from(named)).unwrap();
    let at = named.windows(4).position(|four| four == b"BLUE").unwrap();
    let mut spaced = [&named[..at], b" ", &named[at..]].concat();
    // One byte more: in the length of the text, and eight bits in two sizes.
    spaced[at - 2] += 1;
    spaced[4] += 8;
    spaced[8] += 8;
    for (what, options, good, bad) in [
        ("padding", shallow(), hex("db57d512 01 02000000 01"), hex("db57d512 03 02000000 01")),
        ("last bits", shallow(), hex("db57d512 01 02000000 01"), hex("db57d512 01 02000000 81")),
        (
            "long length",
            flags(2),
            hex("7e031427 01000000 02 41 01"),
            hex("7e031427 01000000 03000000 41 01"),
        ),
        ("names", enums, named, spaced),
    ] {
        let strict = options.clone().strict(true);
        let value: Value = strict.from_slice(&good).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(options.from_slice::<Value>(&bad).unwrap(), value, "{what}");
        let error = strict.from_slice::<Value>(&bad).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotCanonical, "{what}: {error}");
        assert_eq!(strict.to_vec(&value).unwrap(), good, "{what}");
    }
    let (options, mut bytes) = sample("zlib_stored/deep/f8");
    let options = options.strict(true);
    options.from_slice::<Value>(&bytes).unwrap();
    bytes[0] = 2;
    let error = options.from_slice::<Value>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotCanonical);
}

#[test]
fn what_a_delta_cannot_say() {
    let mut old = object("class TvDelta");
    old.set("m_normal", 1u32).unwrap();
    old.set("m_dint", 2u32).unwrap();
    let mut new = old.clone();
    new.remove("m_dint");
    let (old, new) = (Value::from(old), Value::from(new));
    let gone = old.diff(&new, Mode::Shallow).unwrap_err();
    assert_eq!(gone.to_string(), "a delta cannot say that `m_dint` is no longer there");
    let mut twice = old.clone();
    twice.as_object_mut().unwrap().push("m_dint", 3u32).unwrap();
    for error in [old.diff(&twice, Mode::Deep), twice.diff(&old, Mode::Deep)] {
        assert_eq!(error.unwrap_err().to_string(), "`m_dint` is there twice");
    }
    let other = Value::from(object("class TvLeaf"));
    let error = old.diff(&other, Mode::Deep).unwrap_err();
    let words = "expected an object of `class TvDelta`, found one of `class TvLeaf`";
    assert_eq!((error.kind(), error.to_string()), (ErrorKind::Data, words.to_owned()));
    let mut made = old.clone();
    assert_eq!(made.apply(&other).unwrap_err().to_string(), words);
    let error = made.apply(&Value::Null).unwrap_err();
    assert_eq!(error.to_string(), "expected an object, found null");
    assert_eq!(made, old);
    // A zero of the other sign is another value, and a NaN the same.
    let mut zero = object("class TvPrims");
    zero.set("m_float", 0.0f32).unwrap();
    let mut minus = zero.clone();
    minus.set("m_float", -0.0f32).unwrap();
    let (zero, minus) = (Value::from(zero), Value::from(minus));
    assert_eq!(zero.diff(&minus, Mode::Deep).unwrap().as_object().unwrap().fields().len(), 1);
    // Properties that the class does not have, too.
    let bits = |byte: u8| Value::Bits(Box::new(RawBits::new(&[byte], 8)));
    let mut kept = zero.clone();
    kept.as_object_mut().unwrap().push_field(Field::unknown(7, bits(1)));
    let mut changed = kept.clone();
    changed.as_object_mut().unwrap().fields_mut()[1].value = bits(2);
    for new in [&kept, &changed] {
        let mut made = zero.clone();
        made.apply(&zero.diff(new, Mode::Deep).unwrap()).unwrap();
        assert_eq!(&made, new);
    }
    let error = changed.diff(&zero, Mode::Deep).unwrap_err();
    assert!(error.to_string().contains("hash 0x00000007"), "{error}");
}

/// A value of a type list reads as its bytes do, by reference and by itself, and lends its texts.
#[test]
fn a_value_is_a_deserializer() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "class Lent")]
    struct Lent<'a> {
        m_name: &'a str,
        m_tags: Vec<&'a str>,
        m_at: types::Vector3D,
    }
    let lent =
        Lent { m_name: "Fire Cat", m_tags: vec!["a", "", "日本"], m_at: [1.0, 2.0, 3.0].into() };
    let mut value = to_value(&lent).unwrap();
    assert_eq!(Lent::deserialize(&value).unwrap(), lent);
    let name = Lent::deserialize(&value).unwrap().m_name.as_ptr();
    assert_eq!(value["m_name"].as_str().map(str::as_ptr), Some(name));
    assert_eq!(Value::deserialize(value.clone()).unwrap(), value);
    value["m_tags"][1] = "b".into();
    assert_eq!(Lent::deserialize(&value).unwrap().m_tags[1], "b");
    assert_eq!(<[f32; 3]>::from(lent.m_at), [1.0, 2.0, 3.0]);
    let text = value.to_string();
    assert_eq!(text, format!("{value:?}"));
    assert!(text.contains("m_name: \"Fire Cat\""), "{text}");
    assert!(Options::new() == Options::new() && Options::file() != Options::new());
    let inferred = || Options::new().schema(Schema::infer::<Lent<'_>>().unwrap());
    assert!(inferred() == inferred() && inferred() != Options::new());
    assert!(inferred() != Options::new().schema(types()));
}

#[test]
#[should_panic(expected = "there is no element 3")]
fn an_element_that_is_missing_cannot_be_set() {
    let mut value = Value::List(vec![Value::Int(1)].into());
    value[3] = Value::Null;
}
