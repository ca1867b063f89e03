//! Nothing is lost without a word: absent and deprecated properties, odd type lists, memory.

use ::serde::Deserialize;
use gamewire_testkit::hostile::{measure, mutations};
use kiwi_pclass::types::{ByteString, PropertyFlags, SerializerFlags, WString};
use kiwi_pclass::value::Object;
use kiwi_pclass::*;

use crate::classes::{Deprecated, Mask};
use crate::support::{deep, options, sample, shallow, types};

fn list(classes: &str) -> Result<Schema> {
    Schema::from_json(format!("{{\"version\": 2, \"classes\": {{{classes}}}}}").as_bytes())
}

/// An object of a class, with these properties.
fn object(schema: &Schema, class: &str, fields: &[(&str, Value)]) -> Value {
    let mut object = Object::new(schema.class(class).unwrap().clone());
    fields.iter().for_each(|(name, value)| object.set(name, value.clone()).unwrap());
    object.into()
}

#[test]
fn deprecated_properties_that_are_there_are_read() {
    let fields = [("m_normal", 1u32.into()), ("m_old", 2u32.into()), ("m_after", 3u32.into())];
    let mut value = object(&types(), "class TvDepr", &fields);
    let shallow = shallow().mask(PropertyFlags::NONE);
    let expected = Deprecated { m_normal: 1, m_old: 2, m_after: 3 };
    // A value that was read shallow keeps them on its way to a struct, and so does one that was made.
    let read: Value = shallow.from_slice(&shallow.to_vec(&value).unwrap()).unwrap();
    assert_eq!(from_value::<Deprecated>(&read).unwrap(), expected);
    assert_eq!(from_value::<Deprecated>(&value).unwrap(), expected);
    assert_eq!(shallow.to_value(&expected).unwrap()["m_old"], Value::UInt(2));
    // What the mask does not select too.
    let mask = object(&types(), "class TvMask", &[("m_none", 7u32.into())]);
    assert_eq!(shallow.mask(PropertyFlags::SAVE).from_value::<Mask>(&mask).unwrap().m_none, 7);
    // Deep bytes that have it although writers leave it out.
    value.as_object_mut().unwrap().fields_mut()[1].set_kept(true);
    let bytes = deep().mask(PropertyFlags::NONE).to_vec(&value).unwrap();
    assert_eq!(deep().from_slice::<Deprecated>(&bytes).unwrap(), expected);
}

#[test]
fn deprecated_properties_that_were_there_are_written_by_option() {
    #[derive(Debug, PartialEq, ::serde::Serialize, Deserialize)]
    #[serde(rename = "class TvDepr")]
    struct Kept {
        m_normal: u32,
        m_old: Option<u32>,
        m_after: u32,
    }
    let fields = [("m_normal", 1u32.into()), ("m_old", 200u32.into()), ("m_after", 3u32.into())];
    let mut value = object(&types(), "class TvDepr", &fields);
    let deep = deep().mask(PropertyFlags::NONE);
    let without = deep.to_vec(&value).unwrap();
    value.as_object_mut().unwrap().fields_mut()[1].set_kept(true);
    let with = deep.to_vec(&value).unwrap();
    let keep = deep.clone().keep_deprecated(true);
    for (bytes, m_old) in [(&with, Some(200)), (&without, None)] {
        let read: Kept = deep.from_slice(bytes).unwrap();
        assert_eq!(read.m_old, m_old);
        assert_eq!(keep.to_vec(&read).unwrap(), *bytes);
        assert_eq!(deep.to_vec(&read).unwrap(), without);
        let read: Value = keep.from_slice(bytes).unwrap();
        assert_eq!(keep.to_vec(&read).unwrap(), *bytes);
    }
}

#[test]
fn absent_lists_and_pointers_are_empty_whatever_their_number() {
    let numbers: String = (0..300)
        .map(|id| format!("\"m_{id}\": {{\"type\": \"int\", \"id\": {id}, \"flags\": 31}}, "))
        .collect();
    let schema = list(&format!(
        "\"1\": {{\"name\": \"class Wide\", \"properties\": {{{numbers}
        \"m_list\": {{\"type\": \"int\", \"id\": 300, \"flags\": 31, \"container\": \"Vector\"}},
        \"m_next\": {{\"type\": \"class Wide*\", \"id\": 301, \"flags\": 31}}}}}}"
    ))
    .unwrap();
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "class Wide")]
    struct Wide {
        m_299: i32,
        m_list: Vec<i32>,
        m_next: Option<Box<Wide>>,
    }
    let bare = object(&schema, "class Wide", &[("m_299", 5i32.into())]);
    let full = [("m_299", 6i32.into()), ("m_list", vec![Value::Int(1)].into()), ("m_next", bare)];
    let full = object(&schema, "class Wide", &full);
    let options = Options::new().mode(Mode::Deep).schema(schema);
    let read: Wide = options.from_slice(&options.to_vec(&full).unwrap()).unwrap();
    assert_eq!((read.m_299, read.m_list), (6, vec![1]));
    assert_eq!(*read.m_next.unwrap(), Wide { m_299: 5, m_list: vec![], m_next: None });
}

#[test]
fn absent_scalars_have_the_default_of_the_type_list() {
    let schema = list(
        r#""1": {"name": "class A", "properties": {
            "m_float": {"type": "float", "id": 0, "flags": 31, "enum_options": {"__DEFAULT": 1.5}},
            "m_bool": {"type": "bool", "id": 1, "flags": 287, "enum_options": {"__DEFAULT": true}},
            "m_int": {"type": "int", "id": 2, "flags": 31, "enum_options": {"__DEFAULT": "-7"}},
            "m_bits": {"type": "bui4", "id": 3, "flags": 31, "enum_options": {"__DEFAULT": 9}},
            "m_text": {"type": "std::string", "id": 4, "flags": 31, "enum_options": {"__DEFAULT": "t"}},
            "m_enum": {"type": "enum E", "id": 5, "flags": 31, "enum_options": {"X": 3, "__DEFAULT": "X"}},
            "m_none": {"type": "int", "id": 6, "flags": 31}}}"#,
    )
    .unwrap();
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "class A")]
    struct A<N> {
        m_float: f64,
        m_bool: bool,
        m_int: Option<i32>,
        m_bits: u8,
        m_text: String,
        m_enum: u32,
        m_none: N,
    }
    let text = String::from("t");
    let own = |m_none: i32| A {
        m_float: 1.5,
        m_bool: true,
        m_int: None,
        m_bits: 9,
        m_text: text.clone(),
        m_enum: 3,
        m_none,
    };
    let none = object(&schema, "class A", &[("m_none", 4i32.into())]);
    let nothing = object(&schema, "class A", &[]);
    let options = Options::new().mode(Mode::Deep).schema(schema);
    let read = |value| options.from_slice::<A<i32>>(&options.to_vec(value).unwrap());
    assert_eq!(read(&none).unwrap(), own(4));
    // Where the list says nothing, it is for serde, or for the option.
    assert_eq!(
        read(&nothing).unwrap_err().to_string(),
        "missing field `m_none` of `class A` at byte 0x0"
    );
    let bytes = options.to_vec(&nothing).unwrap();
    let filled: A<i32> = options.clone().fill_defaults(true).from_slice(&bytes).unwrap();
    assert_eq!(filled, own(0));
    let shallow = options.mode(Mode::Shallow).fill_defaults(true);
    let bytes = shallow.to_vec(&nothing).unwrap();
    let value: Value = shallow.from_slice(&bytes).unwrap();
    assert_eq!((&value["m_int"], &value["m_float"]), (&Value::Int(-7), &Value::Float(1.5)));
}

#[test]
fn an_odd_property_does_not_spoil_its_list() {
    for (property, words) in [
        (r#""type": "int", "container": "Map""#, "container `Map`"),
        (r#""type": "enum E", "enum_options": {"A": "x"}"#, "option `A`"),
        (r#""type": "enum E", "enum_options": {"A": 4294967296}"#, "4294967296"),
        (r#""type": "enum E", "enum_options": {"A": 1, "__DEFAULT": 1.5}"#, "default 1.5"),
        (r#""type": "unsigned char", "enum_options": {"__DEFAULT": 256}"#, "default 256"),
        (r#""type": "bui3", "enum_options": {"__DEFAULT": true}"#, "default a bool"),
    ] {
        let good = r#""m_good": {"type": "int", "id": 1, "flags": 31}"#;
        let odd = format!("\"m_odd\": {{{property}, \"id\": 0, \"flags\": 31}}");
        let schema =
            list(&format!(r#""1": {{"name": "class A", "properties": {{{odd}, {good}}}}}"#));
        let schema = schema.unwrap();
        let found = schema.class("class A").unwrap().property("m_odd").unwrap();
        assert!(found.oddity().unwrap().contains(words), "{:?}", found.oddity());
        let options = Options::new().schema(schema);
        let bytes = [&hash!("class A").to_le_bytes()[..], &[0; 8]].concat();
        let error = options.from_slice::<Value>(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnsupportedType, "{error}");
        assert!(error.to_string().contains(words), "{error}");
        // In deep mode it is kept by its size.
        let keep = options.mode(Mode::Deep).unknown(Unknown::Keep);
        let text = r#"{"$type": "class A", "m_odd": {"$bits": 9, "$hex": "ff01"}, "m_good": 3}"#;
        let value = json::from_str(text, &keep).unwrap();
        let bytes = keep.to_vec(&value).unwrap();
        assert_eq!(keep.to_vec(&keep.from_slice::<Value>(&bytes).unwrap()).unwrap(), bytes);
    }
}

#[test]
fn type_lists_that_clash_are_refused() {
    let class = |kind: &str| {
        format!(r#"{{"class A": {{"properties": {{"m": {{"type": "{kind}", "flags": 31}}}}}}}}"#)
    };
    let builder = |second: &str| {
        let first = Schema::builder().json(class("int").as_bytes()).unwrap();
        first.json(class(second).as_bytes()).unwrap()
    };
    assert_eq!(builder("int").build().unwrap().len(), 1);
    let error = builder("bool").build().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
    assert_eq!(
        error.to_string(),
        "the class `class A` is there twice and not the same: the properties `int m` and `bool m`"
    );
    let first = builder("bool").keep_first(true).build().unwrap();
    assert_eq!(first.class("class A").unwrap().property("m").unwrap().type_name(), "int");
}

/// What `gen pclass` makes of the type list, with the classes that are only behind pointers.
#[allow(dead_code, unreachable_pub, clippy::all)]
mod generated {
    include!("../../../../testdata/kiwi-pclass/arena.rs");
}

#[test]
fn a_generated_schema_reads_what_the_whole_list_reads() {
    let own = std::sync::Arc::new(generated::schema().unwrap());
    let (mut read, mut derived) = (0, 0);
    for row in crate::support::rows("arena.jsonl") {
        let whole = options(&row);
        let bytes = crate::support::bytes(&row);
        let value: Value = whole.from_slice(&bytes).unwrap();
        let text = json::to_string(&value).unwrap();
        // Some roots are no class that the module was made for, and none of those that it reaches.
        let root = value.as_object().unwrap().class().clone();
        if own.class_by_hash(root.hash()).is_none() {
            assert_eq!(root.name(), "struct ArenaTally");
            continue;
        }
        let by_own = whole.schema(own.clone());
        let again: Value = by_own.from_slice(&bytes).unwrap();
        assert_eq!(json::to_string(&again).unwrap(), text);
        assert_eq!(by_own.to_vec(&again).unwrap(), by_own.to_vec(&value).unwrap());
        read += 1;
        derived += usize::from(text.matches("class ArenaBoss").count() > 0);
    }
    assert!(read > 40 && derived > 0, "{read}, {derived}");
}

#[test]
fn strings_of_bytes_and_of_units_are_not_mixed_up() {
    #[derive(Debug, ::serde::Serialize, Deserialize)]
    #[serde(rename = "class TvStr")]
    struct Turned<S, W> {
        m_flag: bool,
        m_str: S,
        m_mid: bool,
        m_wstr: W,
        m_end: u8,
    }
    let (options, bytes) = sample("strings/shallow/f0");
    type Strings = Turned<String, String>;
    let read: Strings = options.from_slice(&bytes).unwrap();
    assert_eq!(options.to_vec(&read).unwrap(), bytes);
    assert!(options.from_slice::<Turned<WString, WString>>(&bytes).is_err());
    assert!(options.from_slice::<Turned<ByteString, ByteString>>(&bytes).is_err());
    let (m_str, m_wstr) = (ByteString::from("ab"), ByteString::from("ab"));
    let turned = Turned { m_flag: true, m_str, m_mid: true, m_wstr, m_end: 1 };
    assert!(options.to_vec(&turned).is_err());
}

/// Unknown properties keep their place and bits in both notations, whatever the order.
#[test]
fn notations_keep_the_order_and_bits_of_anything_that_is_read() {
    let mut kept = 0;
    for row in crate::support::rows("vectors.jsonl") {
        if row["mode"] != "deep" || !row["error"].is_null() || row["flags"].as_u64() > Some(7) {
            continue;
        }
        let options = options(&row).unknown(Unknown::Keep);
        let sample = crate::support::bytes(&row);
        for case in mutations(row["name"].as_str().unwrap(), &sample, 5, 200) {
            let Ok(value) = options.from_slice::<Value>(&case.bytes) else { continue };
            let bytes = options.to_vec(&value).unwrap();
            let text = json::to_string(&value).unwrap();
            assert_eq!(options.to_vec(&json::from_str(&text, &options).unwrap()).unwrap(), bytes);
            match xml::to_string(&value, &options) {
                Ok(text) => {
                    let back = xml::from_str(&text, &options).unwrap();
                    assert_eq!(options.to_vec(&back).unwrap(), bytes, "{text}");
                    kept += 1;
                }
                Err(error) => assert_eq!(error.kind(), ErrorKind::Unsupported),
            }
        }
    }
    assert!(kept > 1000, "{kept}");
}

/// 12 KB that were 2.7 GB as a value, and their like.
#[test]
fn memory_has_one_budget() {
    let lists = hash!("class TvLists").to_le_bytes();
    // After two empty lists, bools, which are a byte each; after six, null pointers.
    let bools = |count: u32| {
        let many = vec![0; count as usize / 8 + 5 * 4 + 1];
        [&lists[..], &[0; 8], &count.to_le_bytes(), &many].concat()
    };
    let nulls = |count: u32| {
        let many = vec![0; count as usize * 4 + 4 + 1];
        [&lists[..], &[0; 24], &count.to_le_bytes(), &many].concat()
    };
    let options = shallow().flags(SerializerFlags::COMPRESS);
    let file = |plain: &[u8]| [&[1][..], &envelope::wrap(plain, true).unwrap()].concat();
    // The default is the same for all input of less than 1 MiB.
    let error = options.from_slice::<Value>(&file(&nulls(3 << 20))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    let (most, spare) = (2 << 20, 1 << 20);
    let options = options.max_memory(most);
    for plain in [bools(3 << 20), nulls(1 << 17)] {
        let file = file(&plain);
        assert!(file.len() < 4096, "{}", file.len());
        let refused = |ran: gamewire_testkit::hostile::Measure| {
            assert!(format!("{:?}", ran.verdict).contains("max_memory"), "{:?}", ran.verdict);
            assert!(ran.peak < most as u64 + spare, "{}", ran.peak);
        };
        refused(measure(&file, |bytes| options.from_slice::<Value>(bytes)));
        // What serde buffers, and what is explained.
        refused(measure(&file, |bytes| options.from_slice::<serde_json::Value>(bytes)));
        let explained = measure(&file, |bytes| Ok::<_, String>(options.explain(bytes)));
        // With addresses of 32 bits, spans are a little over it.
        assert!(explained.peak < 2 * most as u64 + spare + (1 << 14), "{}", explained.peak);
        // Who has the memory raises it; who has less, lowers it, and nothing more is inflated.
        options.clone().max_memory(1 << 30).from_slice::<Value>(&file).unwrap();
        let small = options.clone().max_memory(1 << 18);
        let ran = measure(&file, |bytes| small.from_slice::<Value>(bytes));
        assert!(ran.peak < 1 << 19, "{}", ran.peak);
        // Of what is not compressed, the default takes anything.
        shallow().from_slice::<Value>(&plain).unwrap();
    }
    // Notations: documents and what is made of them.
    let small = deep().max_memory(1 << 20);
    let zeros = "0,".repeat(200_000);
    let text = format!("{{\"$type\": \"class TvLists\", \"m_ints\": [{zeros}0]}}");
    let ran = measure(text.as_bytes(), |_| json::from_str(&text, &small));
    assert!(ran.peak < 4 << 20, "{}", ran.peak);
    assert_eq!(json::from_str(&text, &small).unwrap_err().kind(), ErrorKind::MemoryLimit);
    json::from_str(&text, &deep()).unwrap();
    let one = "<m_ints>0</m_ints>".repeat(100_000);
    let text = format!("<Objects><Class Name=\"class TvLists\">{one}</Class></Objects>");
    let ran = measure(text.as_bytes(), |_| xml::from_str(&text, &small));
    assert!(ran.peak < 4 << 20, "{}", ran.peak);
    assert_eq!(xml::from_str(&text, &small).unwrap_err().kind(), ErrorKind::MemoryLimit);
    let value = xml::from_str(&text, &deep()).unwrap();
    let error = xml::to_string(&value, &deep().max_output(1 << 20)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutputLimit);
}

#[test]
fn shallow_objects_leave_out_deprecated_properties_by_option_alone() {
    let fields = [("m_normal", 1u32.into()), ("m_old", 2u32.into()), ("m_after", 3u32.into())];
    let value = object(&types(), "class TvDepr", &fields);
    let all = shallow().mask(PropertyFlags::NONE);
    let few = all.clone().skip_deprecated(true);
    let bytes = few.to_vec(&value).unwrap();
    assert_eq!((all.to_vec(&value).unwrap().len(), bytes.len()), (4 + 3 * 4, 4 + 2 * 4));
    assert_eq!(few.clone().skip_deprecated(false).to_vec(&value).unwrap().len(), 4 + 3 * 4);
    let read: Value = few.from_slice(&bytes).unwrap();
    assert_eq!((&read["m_normal"], &read["m_after"]), (&Value::UInt(1), &Value::UInt(3)));
    assert_eq!(few.to_vec(&read).unwrap(), bytes);
    assert!(all.from_slice::<Value>(&bytes).unwrap_err().is_eof());
}

#[test]
fn strict_readers_take_long_lengths_where_short_ones_end() {
    let options = shallow().flags(SerializerFlags::COMPACT_LENGTHS).mask(PropertyFlags::NONE);
    for (len, head) in [(126, 1), (127, 1), (128, 4), (129, 4)] {
        let name = Value::from("x".repeat(len).as_bytes());
        let fields = [("m_id", 1u32.into()), ("m_name", name), ("m_on", true.into())];
        let value = object(&types(), "class TvLeaf", &fields);
        let bytes = options.to_vec(&value).unwrap();
        assert_eq!(bytes.len(), 4 + 4 + head + len + 1);
        assert_eq!(options.clone().strict(true).from_slice::<Value>(&bytes).unwrap(), value);
    }
}

#[test]
fn layers_say_what_is_wrong_with_them_and_where() {
    let name = Value::from("x".repeat(500).as_bytes());
    let value = object(&types(), "class TvLeaf", &[("m_id", 1u32.into()), ("m_name", name)]);
    let options = || deep().mask(PropertyFlags::NONE);
    let strict = options().flags(SerializerFlags::COMPRESS).strict(true);
    let bytes = strict.to_vec(&value).unwrap();
    assert_eq!((bytes[0], bytes.len() < 500), (1, true));
    assert_eq!(strict.to_vec(&strict.from_slice::<Value>(&bytes).unwrap()).unwrap(), bytes);
    // The hash of a class, which is inside, is no word of flags.
    let bytes = options().manual_compression(true).to_vec(&value).unwrap();
    let stateful = options().manual_compression(true).flags(SerializerFlags::STATEFUL);
    for error in
        [stateful.from_slice::<Value>(&bytes).unwrap_err(), stateful.header(&bytes).unwrap_err()]
    {
        assert_eq!((error.kind(), error.is_inflated()), (ErrorKind::Frame, true), "{error}");
    }
    let file = Options::file().schema(types());
    for (bytes, kind) in [
        ("", ErrorKind::UnexpectedEof),
        ("BIN", ErrorKind::UnexpectedEof),
        ("BINx", ErrorKind::Frame),
        ("BINxx", ErrorKind::Frame),
    ] {
        assert_eq!(file.from_slice::<Value>(bytes.as_bytes()).unwrap_err().kind(), kind);
    }
}

#[test]
fn objects_side_by_side_are_no_deeper_than_one() {
    let one = r#"{"$type": "class TvEnds", "m_v": 1, "m_b": 2}"#;
    let many = format!("{one}, ").repeat(300);
    let text = format!(
        r#"{{"$type": "class TvHolder", "m_list": [{many}{one}], "m_one": {one}, "m_tail": true}}"#
    );
    for options in [shallow(), deep()] {
        let options = options.mask(PropertyFlags::NONE);
        let value = json::from_str(&text, &options).unwrap();
        let bytes = options.to_vec(&value).unwrap();
        assert_eq!(options.from_slice::<Value>(&bytes).unwrap(), value);
    }
}

#[test]
fn nothing_comes_after_the_objects_in_compressed_data() {
    let name = Value::from("x".repeat(500).as_bytes());
    let value = object(&types(), "class TvLeaf", &[("m_name", name)]);
    let plain = deep().mask(PropertyFlags::NONE).to_vec(&value).unwrap();
    let options = deep().mask(PropertyFlags::NONE).flags(SerializerFlags::COMPRESS);
    let file = |more| {
        let plain = [&plain[..], &vec![0; more]].concat();
        [&[1][..], &envelope::wrap(&plain, true).unwrap()].concat()
    };
    options.from_slice::<Value>(&file(0)).unwrap();
    for more in [1, 2, 100] {
        let error = options.from_slice::<Value>(&file(more)).unwrap_err();
        assert_eq!((error.kind(), error.is_inflated()), (ErrorKind::TrailingBytes, true));
        let bytes = if more == 1 { "1 byte".to_owned() } else { format!("{more} bytes") };
        let text = format!("expected the end, found {bytes} more");
        assert!(error.to_string().starts_with(&text), "{error}");
    }
}
