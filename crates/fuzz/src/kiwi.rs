//! kiwi-pclass.

use std::fmt::Debug;
use std::sync::LazyLock;

use kiwi_pclass::core_object::CoreTypes;
use kiwi_pclass::types::{
    Bi, Bui, ByteString, Gid, Point, PropertyFlags, Ptr, SerializerFlags, Shared, Vector3D, WString,
};
use kiwi_pclass::value::RawObject;
use kiwi_pclass::{ErrorKind, Mode, Options, Schema, Unknown, Value, envelope, json, xml};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

/// Classes with every kind of property.
pub(crate) static SCHEMA: LazyLock<std::sync::Arc<Schema>> = LazyLock::new(|| {
    let list = include_bytes!("../../../testdata/kiwi-pclass/vectors/types/types.json");
    let arena = include_bytes!("../../../testdata/kiwi-pclass/vectors/types/arena.json");
    let builder = Schema::builder().json(list).and_then(|builder| builder.json(arena));
    let schema = builder.and_then(|builder| builder.build());
    std::sync::Arc::new(schema.expect("the type lists of the vectors"))
});

/// Both modes, several flags, with and without unknown classes, every layer.
pub(crate) fn all_options() -> impl Iterator<Item = Options> {
    let flags = [0, 1, 2, 4, 6, 8, 9, 15, 16];
    let modes = [Mode::Shallow, Mode::Deep];
    let plain = modes.into_iter().flat_map(move |mode| {
        flags.into_iter().flat_map(move |flags| {
            [Unknown::Refuse, Unknown::Skip, Unknown::Keep].map(|unknown| {
                let options = Options::new().mode(mode).flags(SerializerFlags(flags));
                let options = options.mask(PropertyFlags::NONE).unknown(unknown);
                options.schema(SCHEMA.clone())
            })
        })
    });
    let file = Options::file().schema(SCHEMA.clone()).unknown(Unknown::Keep);
    let packed = Options::new().schema(SCHEMA.clone()).manual_compression(true);
    let core = Options::new().schema(SCHEMA.clone());
    let core = core.core_types(CoreTypes::new().with(104, "class TvCore"));
    plain.chain([file, packed, core]).map(|options| options.max_output(1 << 20))
}

/// The input, and of a file that is not compressed the objects alone.
fn inputs(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    let objects = data.strip_prefix(b"BINd").and_then(|rest| rest.get(4..));
    std::iter::once(data).chain(objects)
}

/// Bytes, by every way there is.
pub(crate) fn kiwi_bytes(data: &[u8]) {
    for data in inputs(data) {
        slice(data);
        roundtrip(data);
        all_typed(data);
        crate::explain::kiwi(data, all_options());
    }
}

/// Nothing that reads bytes panics, whatever they are.
fn slice(data: &[u8]) {
    for options in all_options() {
        let value = options.from_slice::<Value>(data);
        if let Ok(value) = &value {
            let _ = format!("{value:?}");
            let _ = value.clone();
        }
        let explained = options.explain(data);
        assert_eq!(explained.error().is_some(), value.is_err(), "{options:?}");
        let _ = options.from_slice::<IgnoredAny>(data);
        let _ = options.header(data);
        let _ = options.take_from_slice::<Value>(data);
    }
    let _ = envelope::unwrap(data, &Options::new().max_output(1 << 20));
    let _ = Schema::from_json(data);
}

/// Values are written so that they read the same, and so do JSON and XML.
fn roundtrip(data: &[u8]) {
    for options in all_options() {
        let Ok(value) = options.from_slice::<Value>(data) else { continue };
        let bytes = match options.to_vec(&value) {
            Ok(bytes) => bytes,
            // Raw bits, which the input's own flags gave another meaning.
            Err(error) if error.kind() == ErrorKind::Unsupported => continue,
            Err(error) => panic!("not written: {error}, {value:?}"),
        };
        let back: Value = options.from_slice(&bytes).expect("what was written can be read");
        assert_eq!(options.to_vec(&back).ok(), Some(bytes.clone()), "{value:?}");
        let text = json::to_string(&value).expect("decoded values are not too deep");
        let same = json::from_str(&text, &options).expect(&text);
        assert_eq!(json::to_string(&same).ok(), Some(text.clone()));
        assert_eq!(options.to_vec(&same).ok(), Some(bytes.clone()), "{text}");
        // Not everything: a list that occurs twice.
        let Ok(text) = xml::to_string(&value, &options) else { continue };
        let same = xml::from_str(&text, &options).expect(&text);
        assert_eq!(options.to_vec(&same).ok(), Some(bytes), "{text}");
    }
}

/// Text that is no bytes: XML and JSON.
pub(crate) fn kiwi_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for unknown in [Unknown::Refuse, Unknown::Skip] {
        let options = Options::new().mode(Mode::Deep).mask(PropertyFlags::NONE);
        let options = options.schema(SCHEMA.clone()).unknown(unknown);
        if let Ok(objects) = xml::all_from_str(text, &options) {
            let Ok(text) = xml::all_to_string(&objects, &options) else { continue };
            let again = xml::all_from_str(&text, &options).expect(&text);
            assert_eq!(xml::all_to_string(&again, &options).ok(), Some(text));
        }
        if let Ok(value) = json::from_str(text, &options) {
            let text = json::to_string(&value).expect("what was read is not too deep");
            let again = json::from_str(&text, &options).expect(&text);
            assert_eq!(json::to_string(&again).ok(), Some(text));
            // Numbers may be out of range.
            let _ = options.to_vec(&value);
        }
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename = "class TvLeaf", default)]
struct Leaf {
    m_id: u32,
    m_name: ByteString,
    m_on: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename = "class TvLeaf")]
enum AnyLeaf {
    #[serde(rename = "class TvLeaf")]
    Leaf(Leaf),
    #[serde(rename = "$unknown")]
    Unknown(RawObject),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename = "class TvDelta")]
struct Delta {
    #[serde(default)]
    m_normal: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    m_dint: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    m_dbool: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    m_dstr: Option<ByteString>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    m_dlist: Option<Vec<i32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    m_dptr: Option<Ptr<Value>>,
    #[serde(default)]
    m_after: u16,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename = "class ArenaEntity", default)]
#[derive(Default)]
struct Entity {
    #[serde(rename = "m_id.m_full")]
    id: Gid,
    m_name: ByteString,
    m_title: WString,
    m_visible: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename = "class TvPtr")]
struct Pointers {
    #[serde(default)]
    m_head: bool,
    #[serde(default = "Ptr::null")]
    m_raw: Ptr<AnyLeaf>,
    #[serde(default = "Shared::null")]
    m_shared: Shared<AnyLeaf>,
    #[serde(default)]
    m_inline: Value,
    #[serde(default)]
    m_any: Value,
    #[serde(default)]
    m_tail: u8,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename = "class TvBits", default)]
struct Bits {
    m_b0: bool,
    m_bi2: Bi<2>,
    m_bui2: Bui<2>,
    m_bui7: Bui<7>,
    m_tail: u16,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename = "class TvGeo", default)]
struct Geo {
    m_vec: Vector3D,
    m_pi: Point<i32>,
}

/// Rust types of every shape, with the list's schema and with their own.
fn all_typed(data: &[u8]) {
    for options in all_options() {
        typed::<Leaf>(&options, data);
        typed::<AnyLeaf>(&options, data);
        typed::<Delta>(&options, data);
        typed::<Entity>(&options, data);
        typed::<Pointers>(&options, data);
        let _ = options.from_slice::<Bits>(data);
        let _ = options.from_slice::<Geo>(data);
        let _ = options.clone().any_class(true).from_slice::<Leaf>(data);
        let _ = options.from_slice::<Vec<IgnoredAny>>(data);
        let _ = options.from_slice::<serde_json::Value>(data);
    }
    let _ = kiwi_pclass::from_slice::<Leaf>(data);
    let _ = kiwi_pclass::from_slice::<Delta>(data);
}

/// A type writes the values that it reads, and reads them again the same.
fn typed<T: Serialize + DeserializeOwned + Debug>(options: &Options, data: &[u8]) {
    let Ok(value) = options.from_slice::<T>(data) else { return };
    // Not everything: a shallow object needs each of its properties.
    let Ok(bytes) = options.to_vec(&value) else { return };
    let back: T = options.from_slice(&bytes).expect("what was written can be read");
    assert_eq!(options.to_vec(&back).ok(), Some(bytes), "{value:?}");
}
