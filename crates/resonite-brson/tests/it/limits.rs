//! Limits: depth both ways, memory, time, output; hostile input of every sort.

use std::collections::BTreeMap;

use gamewire_testkit::hostile::{self, Hostile};
use gamewire_testkit::on_small_stack;
use resonite_brson::{ErrorKind, Value, json};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::plain::{from_slice, options, to_vec};
use crate::support::{document, element, everything, nested, only, values};

#[test]
fn depth_of_values() {
    for kind in [3, 4] {
        on_small_stack(|| {
            for levels in [1, 2, 1024, 1025] {
                let bytes = nested(levels, kind);
                let value: Value = from_slice(&bytes).unwrap();
                assert_eq!(to_vec(&value).unwrap(), bytes);
                let text = json::to_string(&value, json::Style::Canonical);
                assert_eq!(json::from_str(&text).unwrap(), value);
            }
            for levels in [1026, 5000, 100_000] {
                let bytes = nested(levels, kind);
                let error = from_slice::<Value>(&bytes).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::DepthLimit);
                // 1 025 is the most that can be asked for.
                match options().max_depth(usize::MAX).from_slice::<Value>(&bytes) {
                    Ok(value) => {
                        assert_eq!(levels, 1026);
                        assert_eq!(to_vec(&value).unwrap_err().kind(), ErrorKind::DepthLimit);
                    }
                    Err(error) => assert_eq!(error.kind(), ErrorKind::DepthLimit),
                }
                let text = "[".repeat(levels) + &"]".repeat(levels);
                assert_eq!(json::from_str(&text).is_err(), levels > 1028);
                // Values that are not asked for are passed over by their length.
                let IgnoredAny = from_slice(&bytes).unwrap();
            }
        })
        .unwrap();
    }
    let error = from_slice::<Value>(&nested(1026, 3)).unwrap_err();
    assert!(
        error.to_string().starts_with("nested deeper than max_depth, which is 1024"),
        "{error}"
    );
    assert!(error.to_string().contains("…"), "{error}");
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    a: Option<Box<Node>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Map(BTreeMap<String, Map>);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Tree(Vec<Tree>);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Root {
    a: Tree,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Map(BTreeMap<String, Untagged>),
    List(Vec<Untagged>),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t")]
enum Internal {
    Leaf,
    Struct { a: Box<Internal> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    #[serde(flatten)]
    rest: BTreeMap<String, Flat>,
}

#[track_caller]
fn never_overflows<T: DeserializeOwned>() {
    on_small_stack(|| {
        let mut accepted = 0;
        for kind in [3, 4] {
            for levels in [1, 2, 20, 63, 64, 65, 127, 128, 129, 1000, 100_000] {
                match options().max_depth(usize::MAX).from_slice::<T>(&nested(levels, kind)) {
                    Ok(_) => accepted += 1,
                    Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
                }
            }
        }
        assert!(accepted > 0, "{}", std::any::type_name::<T>());
    })
    .unwrap();
}

#[test]
fn recursive_types_never_overflow_the_stack() {
    never_overflows::<Node>();
    never_overflows::<Map>();
    never_overflows::<Root>();
    never_overflows::<Untagged>();
    never_overflows::<Flat>();
    never_overflows::<Value>();
    never_overflows::<BTreeMap<String, Value>>();
    never_overflows::<serde_json::Value>();
    on_small_stack(|| {
        let mut bytes = only(2, "t", b"\x05\0\0\0Leaf\0");
        for _ in 0..1000 {
            let tag = element(2, "t", b"\x07\0\0\0Struct\0");
            bytes = document(&[tag, element(3, "a", &bytes)].concat());
        }
        from_slice::<Internal>(&bytes).unwrap_err();
    })
    .unwrap();
    let error = from_slice::<Node>(&nested(150, 3)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
    assert!(error.to_string().contains("max_typed_depth, which is 128"), "{error}");
}

#[test]
fn max_typed_depth_is_that_of_reading_and_of_writing() {
    let node =
        |levels| (1..levels).fold(Node { a: None }, |inner, _| Node { a: Some(Box::new(inner)) });
    for (most, levels, is_fine) in
        [(10, 3, true), (10, 20, false), (128, 200, false), (1000, 200, true)]
    {
        let options = options().max_typed_depth(most);
        let written = options.to_vec(&node(levels)).map(drop);
        let read = options.from_slice::<Node>(&nested(levels, 3)).map(drop);
        for done in [written, read] {
            assert_eq!(done.is_ok(), is_fine, "{most}, {levels}");
            let Err(error) = done else { continue };
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
            let words = format!("nested deeper than max_typed_depth, which is {most}");
            assert!(error.to_string().starts_with(&words), "{error}");
        }
    }
}

#[test]
fn max_alloc_and_max_output() {
    let value = BTreeMap::from([("a", "x".repeat(100))]);
    let bytes = to_vec(&value).unwrap();
    assert_eq!(bytes.len(), 113);
    options().max_alloc(113).from_reader::<_, Value>(&bytes[..]).unwrap();
    let error = options().max_alloc(112).from_reader::<_, Value>(&bytes[..]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit);
    options().max_alloc(1).from_slice::<Value>(&bytes).unwrap();
    options().max_output(113).to_vec(&value).unwrap();
    let error = options().max_output(112).to_vec(&value).unwrap_err();
    assert_eq!(error.to_string(), "113 bytes are more than max_output, which is 112 bytes");
    assert_eq!(error.kind(), ErrorKind::OutputLimit);
    let mut written = Vec::new();
    options().max_output(112).to_writer(&mut written, &value).unwrap_err();
    assert!(written.is_empty());
}

fn length_attacks() -> Vec<hostile::Case> {
    let claim = |kind: u8, before: &'static [u8], after: &'static [u8]| {
        hostile::length_claims(move |number| {
            let number = hostile::u32_le(number)?;
            Some(only(kind, "a", &[before, &number[..], after].concat()))
        })
    };
    [
        hostile::length_claims(|number| Some([&hostile::u32_le(number)?[..], &[0]].concat())),
        claim(2, b"", b"\0"),
        claim(3, b"", b"\0"),
        claim(4, b"", b"\0"),
        claim(5, b"", b"\0x"),
        claim(5, b"\x05\0\0\0\x02", b"x"),
        claim(12, b"", b"x\0aaaaaaaaaaaa"),
        claim(13, b"", b"x\0"),
        claim(15, b"", b"\x02\0\0\0x\0\x05\0\0\0\0"),
        claim(15, b"\x11\0\0\0", b"x\0\x05\0\0\0\0"),
    ]
    .concat()
}

/// Elements as small as they can be.
fn crowded() -> Vec<hostile::Case> {
    let nulls = element(10, "", &[]).repeat(20_000);
    let keys: Vec<u8> = (0..20_000).flat_map(|n| element(10, &format!("{n:x}"), &[])).collect();
    let empty = element(4, "", &document(&[])).repeat(10_000);
    vec![
        hostile::Case::new("nulls in an array", only(4, "a", &document(&nulls))),
        hostile::Case::new("nulls in a document", document(&keys)),
        hostile::Case::new("empty arrays", only(4, "a", &document(&empty))),
    ]
}

fn attack<T, E: std::fmt::Display>(decode: impl Fn(&[u8]) -> Result<T, E> + Sync) {
    let mut run = Hostile::new(decode);
    run.all_refused("length claims", length_attacks());
    run.cases("crowded", crowded());
    for kind in [3, 4] {
        run.cases("deep", [hostile::Case::new(format!("deep {kind}"), nested(100_000, kind))]);
    }
    run.random(7, 3000, 200);
    run.linear("nulls", 2000, |n| {
        let elements: Vec<u8> = (0..n).flat_map(|n| element(10, &n.to_string(), &[])).collect();
        only(4, "a", &document(&elements))
    });
    run.linear("keys", 2000, |n| {
        let elements: Vec<u8> =
            (0..n).flat_map(|n| element(10, &format!("key {n}"), &[])).collect();
        document(&elements)
    });
    println!("{}", run.finish());
}

#[test]
fn hostile_values() {
    attack(|bytes| from_slice::<Value>(bytes));
    attack(|bytes| options().strict(true).from_slice::<Value>(bytes));
}

#[test]
fn hostile_types() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Wide {
        a: Vec<Option<[u64; 4]>>,
    }
    attack(|bytes| from_slice::<Wide>(bytes));
    attack(|bytes| from_slice::<BTreeMap<String, Option<String>>>(bytes));
    attack(|bytes| from_slice::<Untagged>(bytes));
}

#[test]
fn every_change_of_a_sample() {
    let once: Value =
        values().into_iter().enumerate().map(|(n, value)| (format!("{n}"), value)).collect();
    let sample = to_vec(&once).unwrap();
    let mut run = Hostile::new(|bytes| -> Result<(), resonite_brson::Error> {
        let value: Value = from_slice(bytes)?;
        // Accepted values can be printed, compared and written.
        let _ = format!("{value:?}");
        assert!(value.clone() == value);
        let again = to_vec(&value)?;
        assert!(from_slice::<Value>(&again)? == value);
        Ok(())
    });
    run.sample("everything", &sample);
    println!("{}", run.finish());
}

#[test]
fn hostile_json() {
    let read = |bytes: &[u8]| -> Result<Value, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        json::from_str(text).map_err(|error| error.to_string())
    };
    let mut run = Hostile::new(read);
    run.cases(
        "deep",
        [
            hostile::Case::new("arrays", hostile::nest(100_000, b"[", b"", b"]")),
            hostile::Case::new("objects", hostile::nest(100_000, b"{\"a\":", b"1", b"}")),
            hostile::Case::new("literals", hostile::nest(100_000, b"{\"$document\":", b"1", b"}")),
            hostile::Case::new("open", b"[".repeat(100_000)),
        ],
    );
    run.linear("numbers", 2000, |n| [&b"["[..], &b"1,".repeat(n), b"1]"].concat());
    run.linear("keys", 2000, |n| {
        let keys: String = (0..n).map(|n| format!("\"{n}\":1,")).collect();
        format!("{{{keys}\"x\":1}}").into_bytes()
    });
    let sample = json::to_string(&everything(), json::Style::Canonical);
    run.cases("mutations", hostile::mutations("json", sample.as_bytes(), 3, 2000));
    run.all_refused("truncations", hostile::truncations("json", &sample.as_bytes()[..1500]));
    println!("{}", run.finish());
}

/// Few bytes that are many when they are decompressed and more when they are values.
#[cfg(feature = "brotli")]
#[test]
fn memory_has_one_budget() {
    use gamewire_testkit::hostile::measure;
    use resonite_brson::{Container, Options, container};

    // 3 000 000 nulls in a file of less than 4 KiB are more than the default.
    let many = only(4, "a", &document(&[10, 0].repeat(3_000_000)));
    // The default is enough for any input that is not compressed.
    resonite_brson::from_slice::<Value>(&many).unwrap();
    let file = container::pack(&many, Container::BRSON).unwrap();
    let read = measure(&file, |bytes| resonite_brson::from_slice::<Value>(bytes));
    assert!(read.peak < 80 << 20, "{}", read.peak);
    let error = resonite_brson::from_slice::<Value>(&file).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit);

    let most = 16 << 20;
    let options = Options::new().max_memory(most as usize);
    // 750 000 nulls, then 375 000 empty documents, all with empty keys.
    let nulls = only(4, "a", &document(&[10, 0].repeat(750_000)));
    let empty = only(4, "a", &document(&[3, 0, 5, 0, 0, 0, 0].repeat(375_000)));
    for bson in [nulls, empty] {
        let file = container::pack(&bson, Container::BRSON).unwrap();
        assert!(file.len() < 4096, "{}", file.len());
        let read = measure(&file, |bytes| options.from_slice::<Value>(bytes));
        assert!(read.peak < most + (4 << 20), "{}", read.peak);
        let error = options.from_slice::<Value>(&file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
        assert!(error.to_string().contains("max_memory"), "{error}");
        let error = options.from_reader::<_, Value>(file.as_slice()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
        // Values in serde's buffers count as well.
        let read = measure(&file, |bytes| options.from_slice::<serde_json::Value>(bytes));
        assert!(read.peak < 2 * most, "{}", read.peak);
        let error = options.from_slice::<serde_json::Value>(&file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
        resonite_brson::from_slice::<IgnoredAny>(&file).unwrap();
        // The limit can be raised, and lowered so that nothing more is unpacked.
        resonite_brson::open(&file).unwrap();
        Options::new().max_memory(1 << 30).from_slice::<Value>(&file).unwrap();
        let small = Options::new().max_memory(1 << 20);
        let read = measure(&file, |bytes| small.open(bytes).map(drop));
        assert!(read.peak < 4 << 20, "{}", read.peak);
        assert_eq!(small.open(&file).unwrap_err().kind(), ErrorKind::MemoryLimit);
        #[cfg(feature = "explain")]
        {
            let options = Options::new().max_memory(4 << 20);
            let read = measure(&file, |bytes| Ok::<_, String>(options.explain(bytes)));
            assert!(read.peak < 24 << 20, "{}", read.peak);
        }
    }
    let small = Options::new().max_memory(1 << 20);
    for text in ["null,".repeat(200_000), "[],".repeat(200_000)] {
        let text = format!("[{text}null]");
        json::from_str(&text).unwrap();
        let error = json::from_str_with(&text, &small).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit, "{error}");
        assert!(error.to_string().contains("max_memory"), "{error}");
        let read = measure(text.as_bytes(), |_| json::from_str_with(&text, &small));
        assert!(read.peak < 2 << 20, "{}", read.peak);
    }
}
