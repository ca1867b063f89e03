//! Limits: depth both ways, memory, time, output; hostile input of every sort.

use std::collections::BTreeMap;
use std::io;

use gamewire_testkit::hostile::{self, Case, Hostile, nest, thread_time};
use gamewire_testkit::on_small_stack;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use zeze_serialize::frame::{Frame, Framing};
use zeze_serialize::value::{Bean, Dynamic};
use zeze_serialize::{
    Base, ErrorKind, Kind, Options, RawBean, Unknown, Value, Vector3, from_slice, json, to_vec,
};

use crate::support::{hex, rows};

#[test]
fn max_alloc_is_the_most_that_a_reader_gives() {
    let bytes = to_vec(&"x".repeat(100)).unwrap();
    let limit = |most| Options::new().max_alloc(most);
    assert_eq!(bytes.len(), 101);
    limit(101).from_reader::<_, String>(&bytes[..]).unwrap();
    let error = limit(100).from_reader::<_, String>(&bytes[..]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit);
    limit(1).from_slice::<String>(&bytes).unwrap();
    limit(usize::MAX).from_reader::<_, String>(&bytes[..]).unwrap();
    let run = hostile::measure(&[], |_| limit(1 << 20).from_reader::<_, Value>(io::repeat(0x10)));
    assert!(run.peak < 4 << 20, "{} bytes", run.peak);
}

#[test]
fn max_output_is_the_most_that_is_written() {
    let limit = |most| Options::new().max_output(most);
    let text = "x".repeat(100);
    assert_eq!(limit(101).to_vec(&text).unwrap().len(), 101);
    assert_eq!(limit(100).to_vec(&text).unwrap_err().kind(), ErrorKind::OutputLimit);
    let value = Value::from(text.as_str());
    assert_eq!(limit(101).to_vec(&value).unwrap().len(), 101);
    assert_eq!(limit(100).to_vec(&value).unwrap_err().kind(), ErrorKind::OutputLimit);
    assert_eq!(value.to_vec(&limit(101)).unwrap().len(), 101);
    assert_eq!(value.to_vec(&limit(100)).unwrap_err().kind(), ErrorKind::OutputLimit);
    assert_eq!(limit(100).to_value(&text).unwrap_err().kind(), ErrorKind::OutputLimit);
    let mut written = Vec::new();
    limit(100).to_writer(&mut written, &text).unwrap_err();
    assert!(written.is_empty());
    // What was there before does not count, and stays when writing fails.
    let mut out = vec![0; 1000];
    limit(101).append_to_vec(&mut out, &text).unwrap();
    assert_eq!(out.len(), 1101);
    limit(100).append_to_vec(&mut out, &text).unwrap_err();
    assert_eq!(out.len(), 1101);
    // A sequence without an end stops.
    struct Endless;
    impl Serialize for Endless {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq((0..).filter(|_: &i32| true))
        }
    }
    assert_eq!(limit(1000).to_vec(&Endless).unwrap_err().kind(), ErrorKind::OutputLimit);
}

/// Beans around a bean: tag and end of each.
fn beans(levels: usize) -> Vec<u8> {
    nest(levels, &[0x16], &[], &[0])[1..].to_vec()
}

#[test]
fn max_depth_both_ways() {
    let lists = |levels| nest(levels, &[0x14], &[0x00], &[]);
    on_small_stack(|| {
        for limit in [1, 5, 128, 1025] {
            let options = Options::new().max_depth(limit);
            let deepest = beans(limit);
            let value: Value = options.from_slice(&deepest).unwrap();
            assert_eq!(options.to_vec(&value).unwrap(), deepest);
            options.from_slice::<IgnoredAny>(&deepest).unwrap();
            let deeper = beans(limit + 1);
            let error = options.from_slice::<Value>(&deeper).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::DepthLimit, Some(limit)));
            let error = options.from_slice::<IgnoredAny>(&deeper).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::DepthLimit, Some(limit)));
            let value = [(1, value)].into_iter().collect::<Bean>();
            let error = options.to_vec(&Value::from(value)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
        }
        // In lists of lists, and by layers of bases.
        let options = Options::new().max_depth(10);
        let inner = |levels| [&[0x14][..], &lists(levels), &[0]].concat();
        options.from_slice::<Value>(&inner(8)).unwrap();
        options.from_slice::<Value>(&inner(9)).unwrap_err();
        let bases = |count| [vec![1; count], vec![0]].concat();
        options.from_slice::<Value>(&bases(9)).unwrap();
        let error = options.from_slice::<Value>(&bases(10)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit);
        options.from_slice::<IgnoredAny>(&bases(10)).unwrap_err();
    })
    .unwrap();
}

/// At the largest `max_depth`, in a debug build.
#[test]
fn the_deepest_values_need_little_stack() {
    let options = Options::new().max_depth(usize::MAX);
    let levels = 1020;
    let inputs = |levels: usize| {
        [
            beans(levels),
            [&[0x14][..], &nest(levels, &[0x14], &[0x00], &[]), &[0]].concat(),
            [&[0x15][..], &nest(levels, &[0x55, 0x01], &[0, 0], &[0, 0]), &[0]].concat(),
            [&[0x15][..], &nest(levels, &[0x05, 0x01, 0x07], &[0, 0], &[]), &[0]].concat(),
            nest(levels, &[0x17, 0x05], &[], &[0])[1..].to_vec(),
            [vec![1; levels], vec![0]].concat(),
        ]
    };
    let read = |index: usize, input: &[u8]| {
        let (value, rest): (Value, _) = match index {
            4 => Value::take_from_slice(input, Kind::Dynamic, &options)?,
            _ => options.take_from_slice(input)?,
        };
        Ok::<_, zeze_serialize::Error>((value, rest.len()))
    };
    on_small_stack(|| {
        for (index, input) in inputs(levels).iter().enumerate() {
            let (value, rest) = read(index, input).unwrap();
            assert_eq!(rest, 0, "{index}");
            let copy = value.clone();
            assert!(copy == value);
            assert_eq!(value.to_vec(&options).unwrap(), *input);
            assert!(format!("{value:?}").len() >= levels);
            assert!(serde_json::to_string(&value).is_err());
            let mut other = copy;
            drop(other.take());
            #[cfg(feature = "explain")]
            if index != 4 {
                assert!(options.explain(input).error().is_none());
            }
        }
        for (index, input) in inputs(1_000_000).iter().enumerate() {
            assert_eq!(read(index, input).unwrap_err().kind(), ErrorKind::DepthLimit);
        }
        let wrap = |value: Value, _| Value::from(vec![value]);
        let deeper = (0..1026).fold(Value::Int(1), wrap);
        assert_eq!(deeper.to_vec(&options).unwrap_err().kind(), ErrorKind::DepthLimit);
    })
    .unwrap();
    // Copied and printed, a value needs no more than any other.
    let value = Value::take_from_slice(&inputs(levels)[0], Kind::Bean, &options).unwrap().0;
    let small = std::thread::Builder::new().stack_size(1 << 20);
    small
        .spawn(move || assert_eq!(format!("{:?}", value.clone()).len(), 5 * levels - 3))
        .unwrap()
        .join()
        .unwrap();
}

/// Serde goes through text formats by recursion, so there is an end to it.
#[test]
fn the_notation_has_a_depth() {
    let list = |inner: Value| Value::from(vec![inner]);
    let map = |inner: Value| Value::from(vec![(Value::Int(1), inner)]);
    let bean = |inner: Value| Value::from([(1, inner)].into_iter().collect::<Bean>());
    let dynamic = |inner: Value| {
        let bean = [(1, inner)].into_iter().collect();
        Value::from(Dynamic { type_id: 1, bean })
    };
    let wraps: [fn(Value) -> Value; 4] = [list, map, bean, dynamic];
    on_small_stack(|| {
        for wrap in wraps {
            let value = (0..json::MAX_DEPTH).fold(Value::Int(7), |value, _| wrap(value));
            assert!(serde_json::to_string_pretty(&value).unwrap().contains('7'));
            let tree = serde_json::to_value(&value).unwrap();
            assert!(serde_json::from_value::<Value>(tree).unwrap() == value);
            let error = serde_json::to_string(&wrap(value)).unwrap_err();
            assert_eq!(error.to_string(), "more than 128 levels, the limit of the notation");
        }
        let text = "{\"list\":".to_owned() + &"{\"list\":[".repeat(60);
        assert!(serde_json::from_str::<Value>(&text).is_err());
    })
    .unwrap();
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Newtype(Option<Box<Newtype>>);

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Node {
    next: Option<Box<Node>>,
    list: Vec<Node>,
    map: BTreeMap<i32, Node>,
    unknown: Unknown,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Derived {
    x: i32,
    base: Base<Option<Box<Derived>>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Tree(Vec<Tree>);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Endless {
    never: Box<Endless>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    #[serde(rename = "0")]
    Leaf,
    #[serde(rename = "1")]
    New(Box<Shape>),
    #[serde(rename = "2")]
    Tuple(i64, Box<Shape>),
    #[serde(rename = "3")]
    Struct { inner: Box<Shape>, list: Vec<Shape> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Leaf(i64),
    List(Vec<Untagged>),
    Map(BTreeMap<i64, Untagged>),
}

/// Reads nested input of each shape as `T`, at the largest limit, on a small stack.
#[track_caller]
fn never_overflows<T: DeserializeOwned>() {
    let around = |open: &str, leaf: &str, close: &str| {
        let (open, leaf, close) = (hex(open), hex(leaf), hex(close));
        [1, 20, 64, 127, 128, 129, 255, 256, 257, 1000, 30_000]
            .map(|levels| nest(levels, &open, &leaf, &close))
    };
    let inputs = [
        around("16", "00", "00"),
        around("14 16", "00", "00"),
        around("24 16", "00", "00"),
        around("14", "00", ""),
        around("35 06 01 05", "00", "00"),
        around("01", "00", ""),
        around("01 17", "0000", "00"),
        around("02 27", "0000", "00"),
        around("03 17", "0000", "00"),
        around("03 24 17", "0000", "00"),
        around("55 01 05", "00", "00"),
        around("10 05", "00", ""),
        around("", "00", ""),
    ];
    let type_name = std::any::type_name::<T>();
    on_small_stack(|| {
        let mut accepted = 0;
        for input in inputs.iter().flatten() {
            for strict in [false, true] {
                let options =
                    Options::new().max_depth(usize::MAX).max_typed_depth(usize::MAX).strict(strict);
                match options.take_from_slice::<T>(input) {
                    Ok(_) => accepted += 1,
                    Err(error) => assert!(error.to_string().len() < 2500, "{error}"),
                }
            }
        }
        assert!(
            accepted > 0 || type_name.ends_with("Endless") || type_name.ends_with("Newtype"),
            "nothing is a {type_name}"
        );
    })
    .unwrap();
}

#[test]
fn recursive_types_never_overflow_the_stack() {
    never_overflows::<Newtype>();
    never_overflows::<Node>();
    never_overflows::<Derived>();
    never_overflows::<Tree>();
    never_overflows::<Endless>();
    never_overflows::<Shape>();
    never_overflows::<Vec<Untagged>>();
    never_overflows::<Value>();
    never_overflows::<Vec<Value>>();
    never_overflows::<RawBean<'static>>();
    never_overflows::<Vec<serde_json::Value>>();
}

#[test]
fn recursive_types_are_refused_on_write() {
    on_small_stack(|| {
        let mut shape = Shape::Leaf;
        for _ in 0..1000 {
            shape = Shape::Struct { inner: Box::new(Shape::Leaf), list: vec![shape] };
        }
        for depth in [10, 128, usize::MAX] {
            let error = Options::new().max_typed_depth(depth).to_vec(&shape).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
            assert!(error.to_string().len() < 2500);
        }
    })
    .unwrap();
}

/// A length claim after each header that has one.
fn claims(open: &'static [u8], close: &'static [u8]) -> Vec<Case> {
    hostile::length_claims(|number| {
        let number = u32::try_from(number).ok()?;
        let mut bytes = open.to_vec();
        zeze_serialize::wire::write_uint(&mut bytes, number);
        bytes.extend_from_slice(close);
        Some(bytes)
    })
}

#[test]
fn hostile_input() {
    run_hostile(|bytes| from_slice::<Value>(bytes).map(drop));
    let mut list = hex("24f6");
    zeze_serialize::wire::write_uint(&mut list, 100_000);
    list.extend(vec![0; 100_016]);
    let mut hostile = Hostile::new(|bytes: &[u8]| from_slice::<Value>(bytes).map(drop));
    hostile.accepted("a list of empty beans", &list);
    hostile.finish();
    run_hostile(|bytes| from_slice::<IgnoredAny>(bytes).map(drop));
    run_hostile(|bytes| from_slice::<Node>(bytes).map(drop));
    run_hostile(|bytes| from_slice::<Wide>(bytes).map(drop));
}

/// Fields of many types.
#[derive(Deserialize)]
#[allow(dead_code)]
struct Wide {
    a: Vec<()>,
    b: Vec<i64>,
    c: BTreeMap<String, Vec<u8>>,
    d: Vec<Vector3>,
    e: (Option<String>, Vec<f64>, Shape),
    f: Unknown,
}

fn run_hostile<T>(decode: impl Fn(&[u8]) -> zeze_serialize::Result<T> + Sync) {
    let mut hostile = Hostile::new(decode);
    for (file, kind) in [("bean.jsonl", "bean"), ("demo_bvalue.jsonl", "bean")] {
        for row in rows(file).iter().filter(|row| row.text("kind") == Some(kind)).step_by(67) {
            let bytes = row.hex("hex").unwrap();
            hostile.case(row.name(), &bytes);
            hostile.cases(row.name(), hostile::truncations(row.name(), &bytes));
            hostile.cases(row.name(), hostile::bit_flips(row.name(), &bytes));
            hostile.cases(row.name(), hostile::mutations(row.name(), &bytes, 1, 300));
        }
    }
    hostile.random(7, 3_000, 200);
    let levels = 100_000;
    {
        hostile.case("lists", &nest(levels, &[0x14], &[0], &[]));
        hostile.refused("beans", &nest(levels, &[0x16], &[0], &[0]));
        hostile.refused("maps", &nest(levels, &[0x15, 0x55, 0x01], &[0], &[0]));
        hostile.refused("dynamic", &nest(levels, &[0x17, 0x05], &[0], &[0]));
        hostile.case("bases", &nest(levels, &[0x01], &[0], &[]));
        hostile.case("wide beans", &[[0x10, 0x00].repeat(levels), vec![0]].concat());
        hostile.case("empty beans", &[[0x16, 0x00].repeat(levels), vec![0]].concat());
        hostile.case("empty lists", &[[0x14, 0x00].repeat(levels), vec![0]].concat());
        hostile.case("texts", &[[0x13, 0x00].repeat(levels), vec![0]].concat());
        hostile.case("dynamics", &[hex("170000").repeat(levels), vec![0]].concat());
        hostile.case("small beans", &[hex("16100000").repeat(levels), vec![0]].concat());
    }
    for element in 0..13 {
        let head = [0x14, 0xf0 | element];
        for case in claims(&[], &[0; 40]) {
            let bytes = [&head[..], &case.bytes].concat();
            hostile.refused(&format!("list of {element}: {}", case.name), &bytes);
        }
        for case in claims(&[], &[0; 40]) {
            let bytes = [&[0x15, element << 4 | element][..], &case.bytes].concat();
            hostile.refused(&format!("map of {element}: {}", case.name), &bytes);
        }
    }
    hostile.all_refused("text", claims(&[0x13], b"abc\0"));
    hostile.linear("beans in a list", 1000, |n| {
        let mut bytes = hex("14f6");
        zeze_serialize::wire::write_uint(&mut bytes, n as u32);
        bytes.extend(hex("100500").repeat(n + 15));
        bytes.push(0);
        bytes
    });
    hostile.linear("fields", 1000, |n| [hex("1005").repeat(n), vec![0]].concat());
    hostile.finish();
}

#[test]
fn hostile_frames() {
    for framing in [Framing::new(), Framing::without_family()] {
        let mut hostile = Hostile::new(move |bytes: &[u8]| {
            framing.split(bytes)?.0.read::<Value>().map(drop)?;
            framing.reader(bytes).next_frame().map(drop)
        });
        let frame = Frame::rpc_request(1, 2, 300, Node::default());
        hostile.cases("rpc", hostile::truncations("rpc", &Framing::new().to_vec(&frame).unwrap()));
        for row in rows("protocol.jsonl").iter().step_by(5) {
            let bytes = row.hex("hex").unwrap();
            hostile.cases(row.name(), hostile::truncations(row.name(), &bytes));
            hostile.cases(row.name(), hostile::bit_flips(row.name(), &bytes));
            hostile.cases(row.name(), hostile::mutations(row.name(), &bytes, 2, 300));
        }
        hostile.all_refused(
            "sizes",
            hostile::length_claims(|number| {
                let size = u32::try_from(number).ok()?.to_le_bytes();
                Some([&[0; 8][..], &size, &[2, 0]].concat())
            }),
        );
        hostile.finish();
    }
}

#[test]
fn integers_that_are_too_long_are_read_as_in_java() {
    // Values, lengths, counts, steps of ids and what is passed over.
    for bytes in [
        "10 4001 00",
        "10 bfff 00",
        "10 7f8000000000000001 00",
        "13 8001 61 00",
        "14 f08001 00000000 00000000 00000000 00000000 00",
        "15 00 8000 00",
        "f0 8000 01 00",
        "17 4005 00 00",
        "f1 c00000 00000000 00",
        "19 01 4001 00",
    ] {
        let bytes = hex(bytes);
        for strict in [false, true] {
            let options = Options::new().strict(strict);
            let value = options.from_slice::<Value>(&bytes).unwrap();
            assert!(to_vec(&value).unwrap().len() < bytes.len(), "{bytes:02x?}");
            options.from_slice::<()>(&bytes).unwrap();
        }
    }
    let strict = Options::new().strict(true);
    assert_eq!(strict.from_slice::<(i64,)>(&hex("10 4001 00")).unwrap(), (1,));
}

#[test]
fn fields_in_json_may_come_in_any_order() {
    let fields = (1..=100_000).rev().map(|id| format!("\"{id}:int\":{id}"));
    let text = format!("{{{}}}", fields.collect::<Vec<_>>().join(","));
    let start = thread_time();
    let value: Value = serde_json::from_str(&text).unwrap();
    // Well under a second; minutes if each field moves those that are there.
    assert!((thread_time() - start).as_secs() < 10);
    let Value::Bean(bean) = &value else { panic!("no bean") };
    assert!(bean.iter().map(|(id, _)| id).eq(1..=100_000));
}

#[test]
fn max_typed_depth_is_that_of_reading_and_of_writing() {
    let around = |inner, _| Node { next: Some(Box::new(inner)), ..Node::default() };
    let node = (1..12).fold(Node::default(), around);
    let bytes = to_vec(&node).unwrap();
    for (depth, is_fine) in [(8, false), (60, true)] {
        let options = Options::new().max_typed_depth(depth);
        let written = options.to_vec(&node).map(drop);
        let read = options.from_slice::<Node>(&bytes).map(drop);
        for done in [written, read] {
            assert_eq!(done.is_ok(), is_fine, "{depth}");
            let Err(error) = done else { continue };
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
            let words = "more than 8 levels, the limit of max_typed_depth";
            assert!(error.to_string().starts_with(words), "{error}");
        }
    }
}
