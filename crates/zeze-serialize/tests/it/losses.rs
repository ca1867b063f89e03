//! What reading may hold, and what it says of what it loses.

use std::collections::BTreeMap;

use gamewire_testkit::hostile;
use serde::{Deserialize, Serialize};
use zeze_serialize::{ErrorKind, Options, Value, Vector2Int, Vector3, from_slice, to_vec};

use crate::support::{hex, refused, round_trip};

/// A list of so many integers 0.
fn zeros(count: u32) -> Vec<u8> {
    let mut bytes = hex("14 f0");
    zeze_serialize::wire::write_uint(&mut bytes, count - 15);
    bytes.resize(bytes.len() + count as usize, 0);
    bytes.push(0);
    bytes
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[allow(dead_code)]
enum Untagged {
    Number(i64),
    List(Vec<Untagged>),
    Map(BTreeMap<i64, Untagged>),
}

#[test]
fn max_memory_is_about_the_most_that_is_held() {
    let bytes = zeros(1_000_000);
    // Values are smaller where addresses have 32 bits.
    let small = Options::new().max_memory(1_250_000 * size_of::<usize>());
    let check = |name: &str, read: &(dyn Fn(&Options) -> zeze_serialize::Result<()> + Sync)| {
        read(&Options::new()).unwrap();
        let error = read(&small).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit, "{name}: {error}");
        assert!(error.to_string().contains("max_memory"), "{error}");
        let run = hostile::measure(&[], |_| read(&small));
        // A vector that grows has its new memory beside the old.
        assert!(run.peak < 30_000_000, "{name}: {} bytes", run.peak);
    };
    check("a value", &|options| options.from_slice::<Value>(&bytes).map(drop));
    check("values", &|options| options.from_slice::<(Vec<Value>,)>(&bytes).map(drop));
    check("JSON", &|options| options.from_slice::<(serde_json::Value,)>(&bytes).map(drop));
    check("untagged", &|options| options.from_slice::<(Untagged,)>(&bytes).map(drop));
    let fields = [hex("1000").repeat(300_000), vec![0]].concat();
    check("fields", &|options| options.from_slice::<Value>(&fields).map(drop));
    let beans = [hex("16 1600 00").repeat(200_000), vec![0]].concat();
    check("beans", &|options| options.from_slice::<Value>(&beans).map(drop));
    let text = to_vec(&("x".repeat(11_000_000),)).unwrap();
    check("text", &|options| options.from_slice::<Value>(&text).map(drop));
}

#[cfg(feature = "explain")]
#[test]
fn explanations_keep_to_max_memory() {
    let bytes = zeros(1_000_000);
    let options = Options::new().max_memory(1 << 20);
    let run = hostile::measure(&[], |_| {
        let explained = options.explain(&bytes);
        assert!(explained.to_string().contains("bytes"), "{explained}");
        Ok::<_, zeze_serialize::Error>(explained)
    });
    assert!(run.peak < 5 << 20, "{} bytes", run.peak);
    let run =
        hostile::measure(&[], |_| Ok::<_, zeze_serialize::Error>(Options::new().explain(&bytes)));
    assert!(run.peak < 136 << 20, "{} bytes for {}", run.peak, bytes.len());
}

#[derive(Debug, Default, PartialEq, Deserialize)]
struct Item {
    #[serde(rename = "1:count")]
    count: i8,
    #[serde(rename = "3:place")]
    place: Vector3,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename = "dynamic")]
enum Thing {
    #[serde(rename = "0")]
    Nothing,
    #[serde(rename = "5:Item")]
    Item(Item),
}

#[derive(Debug, PartialEq, Deserialize)]
struct Player {
    name: String,
    items: Vec<Item>,
    scores: BTreeMap<String, i32>,
    thing: Thing,
    weight: f32,
    more: Option<bool>,
}

#[test]
fn losses_are_reported_with_their_places() {
    let options = Options::new().lossy_text(true).unknown_as_empty(true);
    let bytes =
        hex("13 02 61ff 14 26 10412c00 20 05 3301 78 00 15 31 02 0161 0000803f 0162 00002040 \
         17 e3 00 12 9a9999999999b93f 13 0179 00");
    let (player, losses) = options.from_slice_with_losses::<Player>(&bytes).unwrap();
    assert_eq!(player.items[0].count, 44);
    assert_eq!((player.thing, player.more), (Thing::Nothing, Some(false)));
    let losses: Vec<_> = losses.iter().map(|loss| loss.to_string()).collect();
    insta::assert_snapshot!(losses.join("\n"));
    // Nothing is lost of what fits, and then strict reading gives the same.
    let bytes = to_vec(&("a", 5)).unwrap();
    assert!(options.from_slice_with_losses::<(String, i8, i32)>(&bytes).unwrap().1.is_empty());
    // In a variant of an enum.
    let bytes = hex("17 05 1301 6100 00");
    let (_, losses) = options.from_slice_with_losses::<(Thing,)>(&bytes).unwrap();
    assert_eq!(losses[0].path().to_string(), "[0].Item.count");
}

/// A type that takes what is there cannot say what was left out.
#[test]
fn absent_fields_have_no_type_of_their_own() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Any {
        any: serde_json::Value,
    }
    for value in [serde_json::json!(0), serde_json::json!(""), serde_json::json!(null)] {
        let bytes = to_vec(&Any { any: value }).unwrap();
        assert_eq!(bytes, [0]);
        let error = refused(from_slice::<Any>(&bytes));
        assert!(error.contains("a type that looks at the data"), "{error}");
        assert!(error.ends_with("in any"), "{error}");
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Maybe {
        any: Option<serde_json::Value>,
    }
    round_trip(&Maybe { any: Some(serde_json::json!(0)) });
    round_trip(&Maybe { any: Some(serde_json::json!("")) });
    round_trip(&Maybe { any: None });
}

/// What README says of attributes that leave no trace in what serde shows of a type.
#[test]
fn what_the_writer_cannot_see() {
    // By position, a field that is skipped in one direction only shifts those after it.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct OneWay {
        #[serde(skip_serializing)]
        secret: i32,
        open: i32,
    }
    let back: OneWay = from_slice(&to_vec(&OneWay { secret: 1, open: 2 }).unwrap()).unwrap();
    assert_eq!(back, OneWay { secret: 2, open: 0 });
    // An untagged enum is what is in it: a bool is an integer, and a struct has no names.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Untagged {
        Number(i64),
        Bool(bool),
        Struct { x: i64 },
    }
    let back = from_slice::<(Untagged,)>(&to_vec(&(Untagged::Bool(true),)).unwrap()).unwrap();
    assert_eq!(back.0, Untagged::Number(1));
    let error = refused(from_slice::<(Untagged,)>(&to_vec(&(Untagged::Struct { x: 1 },)).unwrap()));
    assert!(error.starts_with("a bean has no names"), "{error}");
}

#[test]
fn a_number_is_the_first_component_of_a_vector() {
    #[derive(Serialize)]
    struct Number<T> {
        #[serde(rename = "1:v")]
        v: T,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Vector<T> {
        #[serde(rename = "1:v")]
        v: T,
    }
    let int = to_vec(&Number { v: -5_i64 }).unwrap();
    let double = to_vec(&Number { v: 2.5_f64 }).unwrap();
    let float = to_vec(&Number { v: 2.5_f32 }).unwrap();
    let read = from_slice::<Vector<Vector3>>(&int).unwrap().v;
    assert_eq!((read.x, read.y, read.z), (-5.0, 0.0, 0.0));
    let read = from_slice::<Vector<Vector2Int>>(&int).unwrap().v;
    assert_eq!((read.x, read.y), (-5, 0));
    for number in [&double, &float] {
        let read = from_slice::<Vector<Vector3>>(number).unwrap().v;
        assert_eq!((read.x, read.y, read.z), (2.5, 0.0, 0.0));
    }
}

#[test]
fn integers_that_no_field_takes_are_passed_over_at_any_length() {
    #[derive(Serialize)]
    struct All {
        #[serde(rename = "1:one")]
        one: i64,
        #[serde(rename = "2:many")]
        many: Vec<i64>,
        #[serde(rename = "3:after")]
        after: i8,
    }
    #[derive(Debug, Deserialize)]
    struct Few {
        #[serde(rename = "3:after")]
        after: i8,
    }
    let powers = (0..63).map(|bit| 1_i64 << bit);
    let numbers = powers.flat_map(|power| [power - 1, power, power + 1, -power, -power - 1]);
    for number in numbers.chain([i64::MIN, i64::MAX]) {
        let bytes = to_vec(&All { one: number, many: vec![number; 20], after: 5 }).unwrap();
        assert_eq!(from_slice::<Few>(&bytes).unwrap().after, 5, "{number}");
    }
    // Nine bytes each, none of which may be taken for an integer of one byte.
    let odd = hex("807f807f807f807f00").repeat(10);
    let bytes = [&hex("24 a0")[..], &odd, &hex("10 05 00")].concat();
    assert_eq!(from_slice::<Few>(&bytes).unwrap().after, 5);
}

/// What serde hides from a writer, `check` finds.
#[test]
fn a_check_says_which_field_does_not_come_back() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Skips {
        #[serde(skip)]
        _Never,
        A,
        B,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Any {
        Bool(bool),
        Int(i64),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct OneWay {
        #[serde(skip_deserializing)]
        computed: i32,
        level: i32,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct All {
        skips: Vec<Skips>,
        any: Vec<Any>,
        one_way: Vec<OneWay>,
    }
    let none = || All { skips: vec![], any: vec![], one_way: vec![] };
    let error = |all: All| refused(zeze_serialize::check(&all));
    zeze_serialize::check(&All { any: vec![Any::Int(5)], ..none() }).unwrap();
    assert_eq!(
        error(All { skips: vec![Skips::A], ..none() }),
        "expected what was written, `A`, found `B`, in All.skips"
    );
    assert!(error(All { skips: vec![Skips::B], ..none() }).contains("variant"));
    assert_eq!(
        error(All { any: vec![Any::Int(0), Any::Bool(true)], ..none() }),
        "expected what was written, `Bool(`, found `Int(`, in All.any.Bool"
    );
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Move {
        x: f32,
    }
    assert_eq!(
        refused(zeze_serialize::check(&Move { x: -0.0 })),
        "expected what was written, `x: -0.0`, found `x: 0.0`, in Move.x"
    );
    zeze_serialize::check(&Move { x: f32::NAN }).unwrap();
    assert_eq!(
        error(All { one_way: vec![OneWay { computed: 3, level: 7 }], ..none() }),
        "expected what was written, `computed: 3`, found `computed: 0`, in \
         All.one_way.OneWay.computed"
    );
}
