//! Rust types: what differs from the classes, enums over classes, options, text. The vectors go
//! through derived structs in tests/vectors/typed.rs.

use ::serde::{Deserialize, Serialize};
use kiwi_pclass::types::*;
use kiwi_pclass::types::{ByteString, Color, Gid, Ptr, SerializerFlags, Shared, Vector3D, WString};
use kiwi_pclass::*;

use crate::classes::*;
use crate::support::{deep, digits, hex, sample, shallow, types};

/// Types of Rust's own for what the type list declares.
#[test]
fn other_types_for_the_same_property() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "class TvLeaf")]
    struct Wide<'a> {
        m_id: i64,
        #[serde(borrow)]
        m_name: &'a str,
        m_on: bool,
    }
    let leaf = Wide { m_id: 7, m_name: "seven", m_on: true };
    for options in [shallow(), deep()] {
        let bytes = options.to_vec(&leaf).unwrap();
        let read: Wide<'_> = options.from_slice(&bytes).unwrap();
        assert_eq!(read, leaf);
        assert!(bytes.as_ptr_range().contains(&read.m_name.as_ptr()));
    }
    let error = shallow().to_vec(&Wide { m_id: -1, ..leaf }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NumberRange);
    assert_eq!(
        error.to_string(),
        "expected unsigned int, found integer -1, which does not fit, in m_id"
    );

    // A struct of the user's own for a vector, an array for a matrix.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "class TvGeo")]
    struct OwnGeo {
        m_flag: bool,
        m_color: (u8, u8, u8, u8),
        m_vec: Own,
        m_quat: [f64; 4],
        m_euler: (f32, f32, f32),
        m_mat: [[f32; 3]; 3],
        m_size: [i32; 2],
        m_pi: (i64, i64),
        m_puc: Point<u16>,
        m_pui: Point<u32>,
        m_pf: Point<f64>,
        m_ri: Rect<i32>,
        m_rf: Rect<f32>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Own {
        x: f32,
        y: f32,
        z: f32,
    }
    let (options, bytes) = sample("geometry/deep/f2");
    let own: OwnGeo = options.from_slice(&bytes).unwrap();
    assert_eq!(own.m_color, (3, 2, 1, 255));
    assert_eq!(own.m_vec, Own { x: 1.0, y: -2.5, z: 0.125 });
    assert_eq!(digits(&options.to_vec(&own).unwrap()), digits(&bytes));
}

#[test]
fn strings_as_numbers_and_numbers_as_names() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "class TvEnum")]
    struct Names {
        m_color: String,
        m_bits: String,
        m_plain: u32,
        m_colors: Vec<u32>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "class TvEnum")]
    struct Paints {
        m_colors: Vec<Paint>,
    }
    let names = Names {
        m_color: "BLUE".into(),
        m_bits: "FLAG_A|FLAG_C".into(),
        m_plain: 1,
        m_colors: vec![0, 2],
    };
    for flags in [SerializerFlags::NONE, SerializerFlags::ENUM_NAMES] {
        for options in [shallow().flags(flags), deep().flags(flags)] {
            let bytes = options.to_vec(&names);
            if flags == SerializerFlags::NONE {
                let bytes = bytes.unwrap();
                let read: Names = options.from_slice(&bytes).unwrap();
                assert_eq!(read, names);
            } else {
                // Names on the wire are text: numbers are asked from their property.
                let bytes = bytes.unwrap();
                let read: Paints = options.from_slice(&bytes).unwrap();
                assert_eq!(read.m_colors, [Paint::Red, Paint::Blue]);
            }
        }
    }
}

#[test]
fn null_is_none_and_absent_too() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "class TvRec")]
    struct Chain {
        m_n: u8,
        m_next: Option<Box<Chain>>,
    }
    let chain = Chain { m_n: 1, m_next: Some(Box::new(Chain { m_n: 2, m_next: None })) };
    let same = Rec { m_n: 1, m_next: Shared::new(Rec { m_n: 2, m_next: Shared::null() }) };
    for options in [shallow(), deep()] {
        let bytes = options.to_vec(&chain).unwrap();
        assert_eq!(options.to_vec(&same).unwrap(), bytes);
        assert_eq!(options.from_slice::<Chain>(&bytes).unwrap(), chain);
        assert_eq!(options.from_slice::<Rec>(&bytes).unwrap(), same);
    }
    // In deep mode an absent pointer is null, an absent list is empty.
    let empty = hex("7e1d1c04 20000000");
    let error = deep().from_slice::<Chain>(&empty).unwrap_err();
    assert_eq!(error.to_string(), "missing field `m_n` of `class TvRec` at byte 0x0");
    let lists = types().class("class TvLists").unwrap().hash();
    let bytes = [&lists.to_le_bytes()[..], &hex("20000000")].concat();
    let error = deep().from_slice::<Lists>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "missing field `m_end` of `class TvLists` at byte 0x0");
}

#[test]
fn unknown_classes_in_enums() {
    let bytes = sample("err_unknown_nested").1;
    let refused = deep().from_slice::<Value>(&bytes).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::UnknownClass);

    // The catch-all keeps the bits, and they are written back.
    let read: AnyPointers = deep().from_slice(&bytes).unwrap();
    let Some(Any::Unknown(raw)) = read.m_any.get() else { panic!("{read:?}") };
    assert!(types().class_by_hash(raw.hash).is_none() && !raw.bits.is_empty());
    assert_eq!(digits(&deep().to_vec(&read).unwrap()), digits(&bytes));
    // Without a place for it, the object is passed over by `other`.
    #[derive(Debug, Deserialize)]
    #[serde(rename = "class TvPtr")]
    struct Lenient {
        m_shared: Option<Few>,
        m_any: Option<Few>,
        m_tail: u8,
    }
    #[derive(Debug, Deserialize)]
    enum Few {
        #[serde(rename = "class TvLeafEx")]
        #[allow(dead_code)]
        LeafEx(LeafEx),
        #[serde(other)]
        Other,
    }
    let read: Lenient = deep().from_slice(&bytes).unwrap();
    assert!(matches!(read.m_shared, Some(Few::LeafEx(_))), "{read:?}");
    assert!(matches!(read.m_any, Some(Few::Other)), "{read:?}");
    assert_eq!(read.m_tail, 77);
    // Shallow mode has no sizes, so that nothing after it can be found.
    let core: u32 = 0xdead_beef;
    let shallow_bytes = [&hex("7e3f5a04 01")[..], &core.to_le_bytes()].concat();
    let error = shallow().from_slice::<AnyPointers>(&shallow_bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownClass);
}

#[test]
fn derived_classes_fit_their_base() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "class TvPtr")]
    struct Base {
        m_shared: Option<Leaf>,
    }
    let read: Base = deep().slice_derived(true).from_slice(&sample("pointers/deep/f0").1).unwrap();
    assert_eq!(read.m_shared.unwrap().m_name, "shared-derived");
    // The other way round is an error that names both.
    let bytes = shallow().to_vec(&Leaf { m_id: 1, m_name: "a".into(), m_on: true }).unwrap();
    let error = shallow().from_slice::<LeafEx>(&bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected an object of `class TvLeafEx`, found one of `class TvLeaf` at byte 0x0"
    );
}

#[test]
fn fields_in_any_order_write_the_order_of_the_class() {
    #[derive(Serialize)]
    #[serde(rename = "class TvDelta")]
    struct Turned {
        m_after: u16,
        m_dstr: Option<String>,
        m_normal: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        m_dint: Option<u32>,
        m_dlist: Vec<i32>,
    }
    let turned = Turned {
        m_after: 9,
        m_dstr: Some("ab".into()),
        m_normal: 1,
        m_dint: None,
        m_dlist: vec![4, 5],
    };
    let plain = Delta {
        m_normal: 1,
        m_dint: None,
        m_dbool: None,
        m_dstr: Some("ab".into()),
        m_dlist: Some(vec![4, 5]),
        m_dptr: None,
        m_after: 9,
    };
    let bytes = shallow().to_vec(&plain).unwrap();
    assert_eq!(digits(&shallow().to_vec(&turned).unwrap()), digits(&bytes));
    assert_eq!(shallow().from_slice::<Delta>(&bytes).unwrap(), plain);
    let bytes = deep().to_vec(&turned).unwrap();
    assert_eq!(deep().from_slice::<Delta>(&bytes).unwrap(), plain);
}

#[test]
fn missing_and_unknown_fields_of_structs() {
    #[derive(Serialize)]
    #[serde(rename = "class TvLeaf")]
    struct Short {
        m_id: u32,
    }
    #[derive(Serialize)]
    #[serde(rename = "class TvLeaf")]
    struct Long {
        m_id: u32,
        m_other: u32,
    }
    let error = shallow().to_vec(&Short { m_id: 1 }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no value for `m_name`, and shallow mode cannot leave it out, in m_name"
    );
    let filled = shallow().fill_defaults(true).to_vec(&Short { m_id: 1 }).unwrap();
    assert_eq!(digits(&filled), "7e03142701000000000000");
    assert_eq!(deep().to_vec(&Short { m_id: 1 }).unwrap().len(), 4 + 4 + 12);
    let error = shallow().to_vec(&Long { m_id: 1, m_other: 2 }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a property of `class TvLeaf`, found the field `m_other`"
    );
}

#[test]
fn a_value_inside_a_struct() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "class TvPtr")]
    struct Mixed {
        m_head: bool,
        m_raw: Value,
        m_shared: Option<Value>,
        m_inline: Value,
        m_any: Value,
        m_tail: Value,
    }
    for name in ["pointers/deep/f0", "pointers/shallow/f1", "pointers_null/deep/f7"] {
        let (options, bytes) = sample(name);
        let mixed: Mixed = options.from_slice(&bytes).unwrap();
        assert_eq!(mixed.m_inline["m_on"], Value::Bool(true));
        assert_eq!(digits(&options.to_vec(&mixed).unwrap()), digits(&bytes));
    }
}

#[test]
fn buffers_of_serde() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "class TvLeafEx")]
    struct Flat {
        #[serde(flatten)]
        leaf: Inner,
        m_extra: i16,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Inner {
        m_id: u32,
        m_name: String,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Ex { m_extra: i16, m_id: u32 },
        Leaf { m_id: u32 },
    }
    let leaf = LeafEx { m_id: 7, m_name: "x".into(), m_on: true, m_extra: -3, m_tag: Bui(9) };
    let bytes = deep().to_vec(&leaf).unwrap();
    let flat: Flat = deep().from_slice(&bytes).unwrap();
    assert_eq!((flat.leaf.m_id, flat.m_extra), (7, -3));
    let either: Either = deep().from_slice(&bytes).unwrap();
    assert_eq!(either, Either::Ex { m_extra: -3, m_id: 7 });
    let other: serde_json::Value = deep().from_slice(&bytes).unwrap();
    assert_eq!(other["m_name"], "x");
}

#[test]
fn own_types_in_other_formats() {
    let geo = (
        Vector3D::new(1.0, 2.0, 3.5),
        Color::new(1, 2, 3, 4),
        Gid(7),
        Bui::<5>(31),
        WString::from("w€"),
        ByteString::from("s"),
        Ptr::new(5),
        Size::new(1, 2),
    );
    let json = serde_json::to_string(&geo).unwrap();
    assert_eq!(json, "[[1.0,2.0,3.5],[1,2,3,4],7,31,\"w€\",\"s\",5,[1,2]]");
    type Geo = (Vector3D, Color, Gid, Bui<5>, WString, ByteString, Ptr<i32>, Size<i32>);
    assert_eq!(serde_json::from_str::<Geo>(&json).unwrap(), geo);
    assert!(serde_json::to_string(&Bui::<3>(8)).is_err());
    assert!(serde_json::from_str::<Bi<3>>("4").is_err());
    assert!(serde_json::from_str::<U24>("16777216").is_err());
    assert_eq!(serde_json::from_str::<S24>("-8388608").unwrap(), S24::MIN);
}

/// A hand-written `Deserialize` that takes maps only, as many do, in class order and in another one.
#[test]
fn visitors_that_take_maps_only() {
    macro_rules! by_hand {
        ($name:ident, $key:ty, $fields:expr) => {
            use ::serde::Deserialize;
            use ::serde::de::{Deserializer, Error as _, MapAccess, Visitor};

            #[derive(Debug, PartialEq)]
            pub(super) struct $name(pub(super) u32, pub(super) String, pub(super) bool);

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    deserializer.deserialize_struct("class TvLeaf", $fields, OnlyMaps)
                }
            }

            struct OnlyMaps;

            impl<'de> Visitor<'de> for OnlyMaps {
                type Value = $name;

                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("a leaf")
                }

                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                    let mut leaf = $name(0, String::new(), false);
                    while let Some(key) = map.next_key::<$key>()? {
                        match &*key {
                            "m_id" => leaf.0 = map.next_value()?,
                            "m_name" => leaf.1 = map.next_value()?,
                            "m_on" => leaf.2 = map.next_value()?,
                            other => return Err(A::Error::custom(other)),
                        }
                    }
                    Ok(leaf)
                }
            }
        };
    }
    mod in_order {
        by_hand!(Own, String, &["m_id", "m_name", "m_on"]);
    }
    // In the order of the class, keys may be borrowed too.
    mod borrowed {
        by_hand!(Own, &str, &["m_id", "m_name", "m_on"]);
    }
    mod turned {
        by_hand!(Own, String, &["m_on", "m_id", "m_name"]);
    }
    let leaf = Leaf { m_id: 7, m_name: "x".into(), m_on: true };
    for options in [shallow(), deep()] {
        let bytes = options.to_vec(&leaf).unwrap();
        let read: in_order::Own = options.from_slice(&bytes).unwrap();
        assert_eq!(read, in_order::Own(7, "x".into(), true));
        let read: turned::Own = options.from_slice(&bytes).unwrap();
        assert_eq!(read, turned::Own(7, "x".into(), true));
    }
    let bytes = shallow().to_vec(&leaf).unwrap();
    let read: borrowed::Own = shallow().from_slice(&bytes).unwrap();
    assert_eq!(read, borrowed::Own(7, "x".into(), true));
    // Of several in a row, and by the classes of the type itself.
    let (all, rest): (in_order::Own, _) = take_from_slice(&bytes).unwrap();
    assert_eq!((all.0, rest), (7, &[][..]));
}
