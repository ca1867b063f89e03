//! zeze-serialize.

#[path = "../../zeze-serialize/tests/it/random.rs"]
mod random;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use arbitrary::Unstructured;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use zeze_serialize::frame::{Framing, RawFrame};
use zeze_serialize::{
    Base, Deserializer, Kind, Options, Quaternion, RawBean, Unknown, Value, Vector2, Vector2Int,
    Vector3, Vector3Int, Vector4,
};

use crate::lot;

/// Every combination of the switches.
fn all_options() -> impl Iterator<Item = Options> {
    (0..16).map(|bits: u8| {
        Options::new()
            .strict(bits & 1 != 0)
            .lossy_text(bits & 2 != 0)
            .exact_integers(bits & 4 != 0)
            .keep_negative_zero(bits & 8 != 0)
    })
}

fn both_modes() -> impl Iterator<Item = Options> {
    [false, true].into_iter().map(|strict| Options::new().strict(strict))
}

/// Bytes: values and frames, by every way there is.
pub(crate) fn zeze_bytes(data: &[u8]) {
    slice(data);
    roundtrip(data);
    all_typed(data);
    differential(data);
    frames(data);
    crate::explain::zeze(data);
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
        for kind in Kind::ALL {
            let _ = Value::take_from_slice(data, kind, &options);
        }
    }
    for framing in [Framing::new(), Framing::without_family()] {
        let _ = framing.explain(data);
        let mut rest = data;
        while let Ok((frame, after)) = framing.split(rest) {
            if let Ok(frame) = frame.into_frame::<Value>() {
                let bytes = framing.to_vec(&frame).expect("what was read can be written");
                let (back, _) = framing.split(&bytes).expect("and split off");
                assert_eq!(back.into_frame::<Value>().expect("and read again"), frame);
            }
            rest = after;
        }
    }
}

/// Values are written and read again as the same values.
fn roundtrip(data: &[u8]) {
    let mut random = Unstructured::new(data);
    let made = random::any_kind(&mut random, random::DEPTH)
        .and_then(|kind| random::value(&mut random, kind, random::DEPTH));
    if let Ok(value) = made {
        let options = Options::new();
        if let Ok(bytes) = value.to_vec(&options) {
            let (back, rest) = Value::take_from_slice(&bytes, value.kind(), &options)
                .expect("what was written is read");
            assert!(rest.is_empty());
            assert_eq!(back, value);
            json(&value);
        }
    }
    for options in both_modes() {
        let Ok(value) = options.from_slice::<Value>(data) else { continue };
        let bytes = options.to_vec(&value).expect("what was read can be written");
        let back: Value = options.from_slice(&bytes).expect("and read again");
        assert_eq!(back, value);
        // Integers may have been longer than they need be.
        assert!(bytes.len() <= data.len(), "{value:?}: {bytes:02x?}");
        json(&value);
    }
}

/// Frames in pieces are those of the whole.
fn frames(stream: &[u8]) {
    let size = lot(stream, 64) + 1;
    for framing in [Framing::new(), Framing::without_family()] {
        let framing = framing.max_size(64);
        let taken = |frame: RawFrame<'_>| {
            Some((frame.type_id(), frame.header.into_owned(), frame.bean.to_vec()))
        };
        let (mut expected, mut rest) = (Vec::new(), stream);
        while let Some([.., a, b, c, d]) = rest.first_chunk::<12>() {
            let after = rest.get(12 + u32::from_le_bytes([*a, *b, *c, *d]) as usize..);
            match framing.split(rest) {
                Ok((frame, left)) => {
                    assert_eq!(after, Some(left));
                    expected.push(taken(frame));
                }
                Err(error) if error.needed().is_some() => break,
                Err(_) => expected.push(None),
            }
            rest = after.unwrap_or_default();
        }
        let (mut decoder, mut found) = (framing.decoder(), Vec::new());
        for piece in stream.chunks(size) {
            decoder.push(piece);
            loop {
                match decoder.next_frame() {
                    Ok(Some(frame)) => found.push(taken(frame)),
                    Ok(None) => break,
                    Err(_) => found.push(None),
                }
            }
        }
        assert_eq!(found, expected);
    }
}

/// Text that is no bytes: the JSON notation.
pub(crate) fn zeze_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(value) = serde_json::from_str::<Value>(text) else { return };
    json(&value);
    let options = Options::new();
    if let Ok(bytes) = value.to_vec(&options) {
        Value::take_from_slice(&bytes, value.kind(), &options).expect("what was written is read");
    }
}

/// The JSON notation loses nothing.
fn json(value: &Value) {
    let Ok(text) = serde_json::to_string(value) else { return };
    // The notation has a separate limit, which two brackets for a container do not reach here.
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    deserializer.disable_recursion_limit();
    let back = Value::deserialize(&mut deserializer).expect(&text);
    assert_eq!(back, *value, "{text}");
}

#[derive(Debug, Serialize, Deserialize)]
struct Everything<'a> {
    unknown: Unknown,
    #[serde(rename = "1:flag")]
    flag: bool,
    #[serde(rename = "2:small")]
    small: i8,
    #[serde(rename = "3:large")]
    large: i64,
    #[serde(rename = "4:float")]
    float: f32,
    #[serde(rename = "5:double")]
    double: f64,
    #[serde(rename = "6:text", borrow)]
    text: std::borrow::Cow<'a, str>,
    #[serde(rename = "7:bytes")]
    bytes: ByteBuf,
    #[serde(rename = "8:list")]
    list: Vec<i32>,
    #[serde(rename = "9:set")]
    set: BTreeSet<String>,
    #[serde(rename = "10:map")]
    map: BTreeMap<i64, Inner>,
    #[serde(rename = "11:inner")]
    inner: Option<Box<Everything<'a>>>,
    #[serde(rename = "12:raw")]
    raw: RawBean<'a>,
    #[serde(rename = "15:vectors")]
    vectors: (Vector2, Vector2Int, Vector3, Vector3Int, Vector4, Quaternion),
    #[serde(rename = "16:dynamics")]
    dynamics: Vec<Dynamic>,
    #[serde(rename = "100:maybe")]
    maybe: Option<i32>,
    #[serde(rename = "2147483647:last")]
    last: Floats,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Floats {
    list: Vec<f32>,
    vectors: Vec<Vector3>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Inner {
    x: i32,
    y: String,
    base: Base<Floats>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename = "dynamic")]
enum Dynamic {
    #[default]
    #[serde(rename = "0")]
    Empty,
    #[serde(rename = "1")]
    Inner(Inner),
    #[serde(rename = "2")]
    Tuple(i32, String),
    #[serde(rename = "-3")]
    Struct { a: u8, b: Vec<bool> },
    #[serde(rename = "demo.Bean1")]
    Hashed(Floats),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Text(String),
    List(Vec<Either>),
}

/// A type writes the values that it reads, and reads them again the same.
fn typed<'de, T: Serialize + Deserialize<'de> + Debug>(
    options: &Options,
    data: &'de [u8],
    again: impl Fn(&[u8]) -> Vec<u8>,
) {
    let Ok(value) = options.from_slice::<T>(data) else { return };
    // Not everything: elements that were of no use have no type, for example.
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
        typed_owned::<Inner>(&options, data);
        typed_owned::<Floats>(&options, data);
        typed_owned::<Dynamic>(&options, data);
        typed_owned::<Vec<Dynamic>>(&options, data);
        typed_owned::<Vec<Either>>(&options, data);
        typed_owned::<BTreeMap<String, Vec<i64>>>(&options, data);
        typed_owned::<(bool, Option<String>, u8, [f32; 3])>(&options, data);
        typed_owned::<i64>(&options, data);
        typed_owned::<Vec<i64>>(&options, data);
        typed_owned::<Vector3Int>(&options, data);
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
    for options in both_modes() {
        let taken = options.take_from_slice::<Value>(data);
        let skipped = options.take_from_slice::<IgnoredAny>(data);
        match (&taken, &skipped) {
            (Ok((value, rest)), Ok((_, skipped))) => assert_eq!(rest, skipped, "{value:?}"),
            (Ok((value, _)), Err(error)) => panic!("read but not passed over: {error}: {value:?}"),
            // Text is not looked at, so more can be skipped than read.
            (Err(_), _) => {}
        }
        let from_slice = options.from_slice::<Value>(data);
        let from_reader = options.from_reader::<_, Value>(data);
        assert_eq!(from_slice.is_ok(), from_reader.is_ok());
        // A lenient reader takes the values of a strict one for the same.
        if let (Ok(strict), lenient) =
            (Options::new().strict(true).from_slice::<Inner>(data), Options::new().from_slice(data))
        {
            let lenient: Inner = lenient.expect("what is fine for strict readers");
            assert_eq!(options.to_vec(&strict).ok(), options.to_vec(&lenient).ok());
        }
        let Ok(value) = from_slice else { continue };
        assert_eq!(from_reader.ok().as_ref(), Some(&value));
        both_ways::<Inner>(&options, data, &value);
        both_ways::<Floats>(&options, data, &value);
        both_ways::<(i32, String, Vec<i64>)>(&options, data, &value);
    }
}
