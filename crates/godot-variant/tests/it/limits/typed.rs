//! Depth of Rust types, which serde reads and writes by recursion: at the default limit that is an
//! error and never the end of the stack, on 2 MiB in a debug build.

use std::collections::BTreeMap;

use gamewire_testkit::on_small_stack;
use serde::de::DeserializeOwned;

use super::*;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Newtype(Option<Box<Newtype>>);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Transparent {
    inner: Option<Box<Transparent>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    next: Option<Box<Node>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Tree(Vec<Tree>);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Map(BTreeMap<String, Map>);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum External {
    Leaf,
    New(Box<External>),
    Tuple(i64, Box<External>),
    Struct { inner: Box<External> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t")]
enum Internal {
    Leaf,
    Struct { inner: Box<Internal> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Leaf,
    New(Box<Adjacent>),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Leaf(i64),
    List(Vec<Untagged>),
    Map(BTreeMap<String, Untagged>),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    #[serde(flatten)]
    rest: BTreeMap<String, Flat>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Mixed {
    list: Vec<(i64, Option<Box<Mixed>>)>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Typed {
    inner: TypedArray<Typed>,
}

impl Element for Typed {
    const TYPE: Option<Type> = Some(Type::Dictionary);
}

/// Reads nested input of each shape as `T`, at the default limit, on a small stack.
#[track_caller]
fn never_overflows<T: DeserializeOwned>() {
    let around = |open: &str, leaf: &str| {
        let (open, leaf) = (hex(open), hex(leaf));
        [1, 20, 63, 64, 65, 127, 128, 129, 1000, 100_000]
            .map(|levels| [open.repeat(levels), leaf.clone()].concat())
    };
    let name = |text: &str| crate::support::words(&to_vec(text).unwrap());
    let array = "1c000000 01000000";
    let inputs = [
        around(array, "02000000 05000000"),
        around(array, "1c000000 00000000"),
        around("1c000000 02000000 02000000 05000000", "00000000"),
        around(&format!("1b000000 01000000 {}", name("next")), "00000000"),
        around(&format!("1b000000 01000000 {}", name("inner")), "1c000000 00000000"),
        around(&format!("1b000000 01000000 {}", name("inner")), "1b000000 00000000"),
        around(&format!("1b000000 01000000 {} {array}", name("inner")), "1b000000 00000000"),
        around(&format!("1b000000 01000000 {} {array}", name("list")), "1c000000 00000000"),
        around(&format!("1b000000 01000000 {}", name("New")), &name("Leaf")),
        around(
            &format!("1b000000 01000000 {} 1c000000 02000000 02000000 05000000", name("Tuple")),
            &name("Leaf"),
        ),
        around(
            &format!("1b000000 01000000 {0} 1b000000 01000000 {1}", name("Struct"), name("inner")),
            &name("Leaf"),
        ),
        around(
            &format!("1b000000 02000000 {0} {1} {2}", name("t"), name("Struct"), name("inner")),
            &format!("1b000000 01000000 {} {}", name("t"), name("Leaf")),
        ),
        around(
            &format!("1b000000 02000000 {0} {1} {2}", name("t"), name("New"), name("c")),
            &format!("1b000000 01000000 {} {}", name("t"), name("Leaf")),
        ),
        around(
            &format!("1b000000 02000000 {2} {0} {1} {3}", name("t"), name("New"), "", name("c")),
            &format!("1b000000 01000000 {} {}", name("t"), name("Leaf")),
        ),
        around(&format!("1b000000 01000000 {}", name("x")), "1b000000 00000000"),
        around("18000000 01000000 41000000 01000000 04000000 6e657874", "00000000"),
        around("02000000 05000000", ""),
        around("", "00000000"),
    ];
    let type_name = std::any::type_name::<T>();
    on_small_stack(|| {
        let mut accepted = 0;
        for input in inputs.iter().flatten() {
            for options in [
                Options::new().allow_objects(true),
                Options::new().allow_objects(true).plain_buffering(true),
            ] {
                match options.take_from_slice::<T>(input) {
                    Ok(_) => accepted += 1,
                    Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
                }
            }
        }
        assert!(accepted > 0, "nothing was accepted as {type_name}");
    })
    .unwrap();
}

#[test]
fn recursive_types_never_overflow_the_stack() {
    never_overflows::<Newtype>();
    never_overflows::<Transparent>();
    never_overflows::<Node>();
    never_overflows::<Tree>();
    never_overflows::<Map>();
    never_overflows::<External>();
    never_overflows::<Internal>();
    never_overflows::<Adjacent>();
    never_overflows::<Untagged>();
    never_overflows::<Flat>();
    never_overflows::<Mixed>();
    never_overflows::<Typed>();
    never_overflows::<Value>();
    never_overflows::<Vec<Value>>();
    never_overflows::<serde_json::Value>();
}
