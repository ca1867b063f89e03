//! godot-variant.

#[path = "../../godot-variant/tests/it/strategy/random.rs"]
mod random;

use std::collections::BTreeMap;
use std::fmt::Debug;

use arbitrary::Unstructured;
use godot_variant::frame::Framing;
use godot_variant::native_json::NativeJson;
use godot_variant::project::ProjectSettings;
use godot_variant::types::{
    Basis, Color, NodePath, ObjectId, PackedByteSlice, PackedStringArray, PackedVector3Array,
    StringName, Transform3D, TypedArray, TypedDictionary, Vector2, Vector3,
};
use godot_variant::view::{F32, LeVector3, View};
use godot_variant::{Deserializer, Dialect, Options, Precision, Value};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::lot;

/// Every dialect, width, strictness, with and without whole objects.
fn all_options() -> impl Iterator<Item = Options> {
    let dialects = [Dialect::Godot4, Dialect::Godot3, Dialect::Docs];
    let precisions = [Precision::Keep, Precision::Single, Precision::Double];
    dialects.into_iter().flat_map(move |dialect| {
        precisions.into_iter().flat_map(move |precision| {
            [(false, false), (false, true), (true, false), (true, true)].map(|(strict, objects)| {
                let options = Options::new().dialect(dialect).precision(precision);
                options.strict(strict).allow_objects(objects).unchecked_types(true)
            })
        })
    })
}

/// Dialects with and without whole objects, widths as given.
fn lenient_options() -> impl Iterator<Item = Options> {
    [Dialect::Godot4, Dialect::Godot3, Dialect::Docs].into_iter().flat_map(|dialect| {
        let options = Options::new().dialect(dialect).unchecked_types(true);
        [false, true].map(|objects| options.clone().allow_objects(objects))
    })
}

/// Bytes: values and frames, by every way there is.
pub(crate) fn godot_bytes(data: &[u8]) {
    slice(data);
    roundtrip(data);
    all_typed(data);
    differential(data);
    frames(data);
    dictionary(data);
    crate::explain::godot(data);
}

/// Nothing that reads bytes panics, whatever they are.
fn slice(data: &[u8]) {
    for options in all_options() {
        if let Ok(value) = options.from_slice::<Value>(data) {
            let _ = format!("{value:?}");
            assert_eq!(value.clone(), value);
        }
        let _ = options.from_slice::<IgnoredAny>(data);
        let _ = options.explain(data);
        let _ = Deserializer::new(data, options).into_iter::<Value>().count();
    }
    let _ = ProjectSettings::from_slice(data);
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = godot_variant::frame::from_base64::<Value>(text, &Options::new());
    }
}

/// Values are written so that they read the same, and in strict mode as the same bytes.
fn roundtrip(data: &[u8]) {
    let objects = Options::new().allow_objects(true).strict(true);
    if let Ok(value) = random::value(&mut Unstructured::new(data)) {
        let bytes = objects.to_vec(&value).expect("arbitrary values can be written");
        let back: Value = objects.from_slice(&bytes).expect("and are canonical");
        assert_eq!(back, value);
        notations(&value);
    }
    for options in lenient_options() {
        let strict = options.clone().strict(true);
        if let Ok(value) = strict.from_slice::<Value>(data) {
            let bytes = strict.to_vec(&value).expect("what was read can be written");
            assert!(bytes == data, "strict, {value:?}: {bytes:02x?}");
        }
        let Ok(value) = options.from_slice::<Value>(data) else { continue };
        // Not everything: names that are empty or have no path cannot be written.
        let Ok(bytes) = options.to_vec(&value) else { continue };
        let back: Value = options.from_slice(&bytes).expect("what was written can be read");
        assert_eq!(options.to_vec(&back).ok(), Some(bytes), "{value:?}");
        notations(&value);
    }
}

/// The engine's JSON notation loses nothing, and its text notation what it can say.
fn notations(value: &Value) {
    crate::multiplayer::text(value);
    let Ok(text) = serde_json::to_string(&NativeJson(value)) else { return };
    let NativeJson(back) = serde_json::from_str(&text).expect(&text);
    assert_eq!(back, *value, "{text}");
}

#[derive(Debug, Serialize, Deserialize)]
struct Everything<'a> {
    #[serde(default)]
    a: Option<i32>,
    #[serde(default, borrow)]
    b: Option<&'a str>,
    #[serde(default)]
    c: Vec<f32>,
    #[serde(default, borrow)]
    d: Option<PackedByteSlice<'a>>,
    #[serde(default)]
    e: BTreeMap<String, Value>,
    #[serde(default, borrow)]
    f: Option<View<'a, F32>>,
    #[serde(default, borrow)]
    g: Option<View<'a, LeVector3>>,
    #[serde(default)]
    h: Option<Box<Everything<'a>>>,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Debug, Serialize, Deserialize)]
enum Event {
    Unit,
    Newtype(u64),
    Tuple(i8, Vector2<f64>),
    Struct { at: Transform3D, name: StringName },
    Inner(Inner),
    Either(Either),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Inner {
    A { vector: Vector3, path: NodePath },
    B { values: Vec<Value>, packed: PackedVector3Array },
    C,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Number(f64),
    Text(String),
    Colour(Color),
    Strings(PackedStringArray),
    Anything(Value),
}

/// A type writes the values that it reads, and reads them again the same.
fn typed<'de, T: Serialize + Deserialize<'de> + Debug>(
    options: &Options,
    data: &'de [u8],
    again: impl Fn(&[u8]) -> Vec<u8>,
) {
    let Ok(value) = options.from_slice::<T>(data) else { return };
    // Not everything: `u64` and options on objects, for example.
    let Ok(bytes) = options.to_vec(&value) else { return };
    assert_eq!(again(&bytes), bytes, "{value:?}");
}

fn typed_owned<T: Serialize + DeserializeOwned + Debug>(options: &Options, data: &[u8]) {
    typed::<T>(options, data, |bytes| {
        let back: T = options.from_slice(bytes).expect("what was written can be read");
        options.to_vec(&back).expect("and written again")
    });
}

/// Rust types of every shape.
fn all_typed(data: &[u8]) {
    for options in all_options() {
        typed::<Everything<'_>>(&options, data, |bytes| {
            let back: Everything<'_> = options.from_slice(bytes).expect("can be read");
            options.to_vec(&back).expect("and written again")
        });
        typed_owned::<Event>(&options, data);
        typed_owned::<Vec<Event>>(&options, data);
        typed_owned::<Either>(&options, data);
        typed_owned::<BTreeMap<String, Either>>(&options, data);
        typed_owned::<TypedArray<Value>>(&options, data);
        typed_owned::<TypedArray<i64>>(&options, data);
        typed_owned::<TypedDictionary<StringName, f64>>(&options, data);
        typed_owned::<ObjectId>(&options, data);
        typed_owned::<Basis<f64>>(&options, data);
        typed_owned::<Transform3D>(&options, data);
        typed_owned::<PackedVector3Array<f64>>(&options, data);
        typed_owned::<(bool, Option<String>, u8)>(&options, data);
    }
}

/// The same type out of the bytes and out of the `Value` of the bytes.
fn both_ways<T: Serialize + DeserializeOwned>(options: &Options, data: &[u8], value: &Value) {
    let (Ok(straight), Ok(around)) =
        (options.from_slice::<T>(data), options.from_value::<T>(value))
    else {
        return;
    };
    assert_eq!(options.to_vec(&straight).ok(), options.to_vec(&around).ok(), "{value:?}");
}

/// Two ways to the same answer.
fn differential(data: &[u8]) {
    for options in lenient_options() {
        let taken = options.take_from_slice::<Value>(data);
        let skipped = options.take_from_slice::<IgnoredAny>(data);
        match (&taken, &skipped) {
            (Ok((value, rest)), Ok((_, skipped))) => assert_eq!(rest, skipped, "{value:?}"),
            (Ok((value, _)), Err(error)) => panic!("read but not passed over: {error}: {value:?}"),
            // Contents are not looked at, so more can be skipped than read.
            (Err(_), _) => {}
        }
        let from_slice = options.from_slice::<Value>(data);
        let from_reader = options.from_reader::<_, Value>(data);
        assert_eq!(from_slice.is_ok(), from_reader.is_ok());
        let Ok(value) = from_slice else { continue };
        assert_eq!(from_reader.ok().as_ref(), Some(&value));
        if options.clone().strict(true).from_slice::<Value>(data).is_ok() {
            assert_eq!(options.to_value(&value).ok().as_ref(), Some(&value));
        }
        let mut framed = (data.len() as u32).to_be_bytes().to_vec();
        framed.extend_from_slice(data);
        let framing = Framing::new().big_endian(true).options(options.clone());
        let (unframed, rest) =
            framing.take_from_slice::<Value>(&framed).expect("a frame is read as its content");
        assert_eq!((&unframed, rest), (&value, [].as_slice()));
        // Elements that the engine converts or drops are so only in a `Value`.
        if options.clone().strict(true).from_slice::<Value>(data).is_err() {
            continue;
        }
        both_ways::<Event>(&options, data, &value);
        both_ways::<Either>(&options, data, &value);
        both_ways::<Vec<Value>>(&options, data, &value);
        both_ways::<BTreeMap<String, Value>>(&options, data, &value);
        both_ways::<Vec<f64>>(&options, data, &value);
        both_ways::<Vector3<f64>>(&options, data, &value);
        both_ways::<PackedVector3Array>(&options, data, &value);
        both_ways::<TypedArray<i64>>(&options, data, &value);
    }
}

/// Frames in pieces are those of the whole.
fn frames(stream: &[u8]) {
    let size = lot(stream, 64) + 1;
    for big_endian in [false, true] {
        let framing = Framing::new().big_endian(big_endian);
        let framing = framing.options(Options::new().max_alloc(64));
        let (mut expected, mut rest) = (Vec::new(), stream);
        while let Some(head) = rest.first_chunk() {
            let len =
                if big_endian { u32::from_be_bytes(*head) } else { u32::from_le_bytes(*head) };
            let after = rest.get(4 + len as usize..);
            match framing.split(rest) {
                Ok((variant, left)) => {
                    assert_eq!(after, Some(left));
                    expected.push(Some(variant.to_vec()));
                }
                Err(error) if error.needed().is_some() => break,
                Err(_) => expected.push(None),
            }
            rest = after.unwrap_or_default();
        }
        let (mut decoder, mut found) = (framing.clone().decoder(), Vec::new());
        for piece in stream.chunks(size) {
            decoder.push(piece);
            loop {
                match decoder.next_frame() {
                    Ok(Some(frame)) => found.push(Some(frame.variant.to_vec())),
                    Ok(None) => break,
                    Err(_) => found.push(None),
                }
            }
        }
        assert_eq!(found, expected);
        let (mut reader, mut read) = (framing.reader(stream), Vec::new());
        let ended = loop {
            match reader.next_frame() {
                Ok(Some(frame)) => read.push(Some(frame.variant.to_vec())),
                Ok(None) => break Ok(()),
                Err(error) if error.is_eof() => break Err(error.needed()),
                Err(_) => read.push(None),
            }
        };
        assert_eq!(read, expected);
        assert_eq!(decoder.finish().map_err(|error| error.needed()), ended);
    }
}

/// Text that is no bytes: the engine's JSON notation, and what `var_to_str` writes.
pub(crate) fn godot_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let json = serde_json::from_str(text).ok().map(|NativeJson(value)| value);
    let value = godot_variant::text::from_str::<Value>(text).ok();
    for value in json.into_iter().chain(value) {
        notations(&value);
        for options in lenient_options() {
            let Ok(bytes) = options.to_vec(&value) else { continue };
            options.from_slice::<Value>(&bytes).expect("what was written can be read");
        }
    }
}

/// A dictionary does what a list of its entries does, whatever its keys are.
fn dictionary(data: &[u8]) {
    let mut from = Unstructured::new(data);
    let mut dictionary = godot_variant::value::Dictionary::default();
    let mut model: Vec<(Value, Value)> = Vec::new();
    while !from.is_empty() {
        let step = from.arbitrary::<u8>().unwrap_or_default();
        let key = match step % 4 {
            0 => Value::from(i64::from(step / 16)),
            1 => Value::from(f64::from(step / 16)),
            2 => Value::from((step / 16).to_string()),
            _ => Value::from(step & 16 != 0),
        };
        let place = model.iter().position(|(own, _)| *own == key);
        if step & 4 == 0 {
            let old = dictionary.insert(key.clone(), i64::from(step));
            match place {
                Some(place) => {
                    let new = Value::from(i64::from(step));
                    assert_eq!(old, Some(std::mem::replace(&mut model[place].1, new)));
                }
                None => model.push((key, Value::from(i64::from(step)))),
            }
        } else if let Value::String(text) = &key {
            assert_eq!(dictionary.remove(text.as_str()), place.map(|place| model.remove(place).1));
        } else {
            assert_eq!(dictionary.get(&key), place.map(|place| &model[place].1));
        }
    }
    assert!(dictionary.iter().eq(model.iter()), "{dictionary:?}: {model:?}");
}
