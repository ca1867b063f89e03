//! Schemas from Rust types.

use ::serde::{Deserialize, Serialize};
use kiwi_pclass::hash::Game;
use kiwi_pclass::types::{Ptr, Shared};
use kiwi_pclass::*;

use crate::classes::{AnyLeaf, Leaf, Rec};
use crate::support::{deep, sample, types};

/// What is inferred of the vectors' classes is what the type list says.
#[test]
fn inferred_is_what_the_type_list_says() {
    #[derive(Serialize, Deserialize)]
    #[serde(rename = "class TvPtr")]
    struct Pointers {
        m_head: bool,
        m_raw: Ptr<AnyLeaf>,
        m_shared: Shared<Leaf>,
        m_inline: Leaf,
        m_tail: u8,
    }
    let schema = Schema::infer::<Pointers>().unwrap();
    let list = types();
    let mut compared = 0;
    for class in schema.classes() {
        let listed = list.class(class.name()).unwrap();
        assert_eq!(class.hash(), listed.hash());
        for property in class.properties() {
            let listed = listed.property(property.name()).unwrap();
            assert_eq!(property.type_name(), listed.type_name());
            assert_eq!(property.hash(), listed.hash());
            assert_eq!(property.kind(), listed.kind());
            assert_eq!(property.flags(), listed.flags());
            compared += 1;
        }
    }
    assert!(compared > 10, "{schema:?}");
    let rec = Schema::infer::<Rec>().unwrap();
    let next = rec.class("class TvRec").unwrap().property("m_next").unwrap();
    assert_eq!(next.type_name(), "class SharedPointer<class TvRec>");
}

#[test]
fn types_that_contain_themselves() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Tree {
        name: String,
        children: Vec<Tree>,
        shape: Shape,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Shape {
        Round(Round),
        Pair(Pair),
        Named { name: String, inner: Option<Box<Shape>> },
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Round {
        radius: f32,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Pair {
        left: Box<Shape>,
        right: Box<Shape>,
    }
    let round = || Shape::Round(Round { radius: 0.5 });
    let tree = Tree {
        name: "root".into(),
        children: vec![Tree { name: "leaf".into(), children: vec![], shape: round() }],
        shape: Shape::Pair(Pair {
            left: Box::new(round()),
            right: Box::new(Shape::Named { name: "n".into(), inner: Some(Box::new(round())) }),
        }),
    };
    for mode in [Mode::Shallow, Mode::Deep] {
        let options = Options::new().mode(mode);
        let bytes = options.to_vec(&tree).unwrap();
        assert_eq!(options.from_slice::<Tree>(&bytes).unwrap(), tree);
    }
    let schema = Schema::infer::<Tree>().unwrap();
    let mut names: Vec<_> = schema.classes().map(|class| class.name()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Named", "Pair", "Round", "Tree"]);

    #[derive(Debug, Serialize, Deserialize)]
    struct Endless {
        inner: Box<Endless>,
    }
    let error = Schema::infer::<Endless>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
    assert!(error.to_string().contains("contains itself without an end"), "{error}");
}

/// All variants are found, also of an enum that only a class of another option reaches, and soon where
/// every variant but the last holds the enum twice.
#[test]
fn every_variant_is_read() {
    #[derive(Serialize, Deserialize)]
    struct Outer {
        first: Option<Middle>,
        second: Vec<Middle>,
    }
    #[derive(Serialize, Deserialize)]
    struct Middle {
        inner: Option<Sum>,
    }
    macro_rules! sums {
        ($($name:ident)+) => {
            #[derive(Serialize, Deserialize)]
            enum Sum {
                $($name { left: Box<Sum>, right: Box<Sum> },)+
                Number { number: f64 },
            }
            const NAMES: &[&str] = &[$(stringify!($name)),+];
        };
    }
    sums! { A B C D E F G H I J K L M N O P Q R S T U V W X Y Z }
    let schema = Schema::infer::<Outer>().unwrap();
    assert_eq!(schema.len(), NAMES.len() + 3);
    assert!(NAMES.iter().all(|name| schema.class(name).unwrap().properties().len() == 2));
    let middle = schema.class("Middle").unwrap().property("inner").unwrap();
    assert_eq!((middle.type_name(), middle.is_delta()), ("Sum", true));
}

/// Empty lists and null pointers do not say their type when they are written.
#[test]
fn what_a_value_does_not_say() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Empty {
        list: Vec<Leaf>,
        pointer: Ptr<Leaf>,
        lists: Vec<Vec<u8>>,
        option: Option<u32>,
        last: u8,
    }
    let empty = Empty {
        list: vec![],
        pointer: Ptr::null(),
        lists: vec![vec![], vec![]],
        option: None,
        last: 1,
    };
    for mode in [Mode::Shallow, Mode::Deep] {
        let options = Options::new().mode(mode);
        let bytes = options.to_vec(&empty).unwrap();
        assert_eq!(options.from_slice::<Empty>(&bytes).unwrap(), empty, "{mode:?}");
        let known = options.clone().schema(Schema::infer::<Empty>().unwrap());
        let bytes = known.to_vec(&empty).unwrap();
        assert_eq!(known.from_slice::<Empty>(&bytes).unwrap(), empty, "{mode:?}");
        let value = known.from_slice::<Value>(&bytes).unwrap();
        assert_eq!(known.to_vec(&value).unwrap(), bytes);
    }
}

/// A number may be declared with another width than Rust has; the name of the property decides.
#[test]
fn declared_otherwise() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "class TvPrims")]
    struct Few {
        m_uchar: u64,
        m_int: i16,
        m_gid: u64,
        m_float: f64,
    }
    let (options, bytes) = sample("prims_min/shallow/f0");
    let value: Value = options.from_slice(&bytes).unwrap();
    let mut small = value.clone();
    small["m_int"] = Value::Int(-5);
    let bytes = deep().to_vec(&small).unwrap();
    let few: Few = Options::new().mode(Mode::Deep).from_slice(&bytes).unwrap();
    assert_eq!((few.m_uchar, few.m_int), (0, -5));
    let bytes = deep().to_vec(&value).unwrap();
    let error = Options::new().mode(Mode::Deep).from_slice::<Few>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NumberRange);
    assert!(error.to_string().ends_with(", in m_int"), "{error}");
}

#[test]
fn what_cannot_be_inferred_says_so() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Mixed {
        value: Value,
    }
    let error = Options::new().from_slice::<Mixed>(&[0; 8]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
    let error = Options::new().from_slice::<Value>(&[0; 8]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Schema);
    assert_eq!(
        error.to_string(),
        "a Value needs a schema: a type list, or Options::schema with another one"
    );
}

#[test]
fn pirates_hash_otherwise() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "class TvLeaf")]
    struct Leaf {
        m_id: u32,
    }
    let options = Options::new().mode(Mode::Deep).game(Game::Pirate101);
    let bytes = options.to_vec(&Leaf { m_id: 1 }).unwrap();
    assert_eq!(bytes[..4], hash!(Pirate101, "class TvLeaf").to_le_bytes());
    let property = hash::djb2(b"unsigned int").wrapping_add(hash::djb2(b"m_id"));
    assert_eq!(bytes[12..16], property.to_le_bytes());
    assert_eq!(property, property_hash!(Pirate101, "unsigned int", "m_id"));
    assert_eq!(options.from_slice::<Leaf>(&bytes).unwrap(), Leaf { m_id: 1 });
    assert!(Options::new().mode(Mode::Deep).from_slice::<Leaf>(&bytes).is_err());
}
