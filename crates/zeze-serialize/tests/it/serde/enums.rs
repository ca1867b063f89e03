//! Enums: integers, and dynamic beans.

use super::*;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Color {
    #[default]
    Red,
    Green,
    Blue,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Level {
    #[serde(rename = "10")]
    Low,
    #[serde(rename = "-20:High")]
    High,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Circle {
    radius: f32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    #[serde(rename = "0")]
    None,
    #[serde(rename = "5:Circle")]
    Circle(Circle),
    #[serde(rename = "demo.Module1.BSimple")]
    Simple { x: i32, y: i32 },
    #[serde(rename = "7")]
    Pair(i32, String),
    #[serde(rename = "8")]
    Number(i32),
    #[serde(rename = "9")]
    Maybe(Option<i32>),
    #[serde(rename = "10")]
    List(Vec<i32>),
    #[serde(rename = "11")]
    Tuple((i32, i32)),
    #[serde(rename = "12")]
    Nested(Box<Shape>),
    #[serde(rename = "13")]
    Vector(Vector3),
    #[serde(rename = "14")]
    Any(Value),
    #[serde(rename = "15")]
    Raw(RawBean<'static>),
    #[serde(rename = "16")]
    Color(Color),
    #[serde(rename = "17")]
    MaybeBean(Option<Circle>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Field {
    #[serde(rename = "1:shape")]
    shape: Shape,
}

#[test]
fn without_content_they_are_integers() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Colors {
        one: Color,
        list: Vec<Color>,
        map: BTreeMap<i32, Color>,
        option: Option<Color>,
    }
    let colors = Colors {
        one: Color::Red,
        list: vec![Color::Red, Color::Blue],
        map: [(1, Color::Green)].into(),
        option: Some(Color::Red),
    };
    assert_eq!(round_trip(&colors), "242000021500010101100000");
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Levels {
        level: Level,
    }
    assert_eq!(round_trip(&Levels { level: Level::High }), "10ec00");
    assert_eq!(round_trip(&Levels { level: Level::Low }), "100a00");
    // No variant is 0, so a level cannot be absent.
    let error = refused(from_slice::<Levels>(&[0]));
    assert!(error.starts_with("unknown variant `0`, expected one of `10`, `-20:High`"), "{error}");
    let error = refused(from_slice::<Levels>(&hex("100b00")));
    assert!(error.starts_with("unknown variant `11`"), "{error}");
    refused(from_slice::<Colors>(&hex("100300")));
    refused(from_slice::<Colors>(&hex("10ff00")));
}

#[test]
fn with_content_they_are_dynamic_beans() {
    let field = |shape| round_trip(&Field { shape });
    assert_eq!(field(Shape::None), "00");
    assert_eq!(field(Shape::Circle(Circle { radius: 0.0 })), "17050000");
    assert_eq!(field(Shape::Circle(Circle { radius: 1.5 })), "1705110000c03f0000");
    // The hash of the bean's name: 4513771153805810055.
    assert_eq!(field(Shape::Simple { x: 0, y: 2 }), "177fbea422f30c00198720020000");
    assert_eq!(field(Shape::Pair(0, "a".into())), "17072301610000");
    // What is no bean is field 1 of one.
    assert_eq!(field(Shape::Number(5)), "170810050000");
    assert_eq!(field(Shape::Number(0)), "17080000");
    assert_eq!(field(Shape::Maybe(None)), "17090000");
    assert_eq!(field(Shape::Maybe(Some(0))), "170910000000");
    assert_eq!(field(Shape::List(vec![])), "170a0000");
    assert_eq!(field(Shape::List(vec![1])), "170a1410010000");
    assert_eq!(field(Shape::Tuple((0, 2))), "170b20020000");
    assert_eq!(
        field(Shape::Nested(Box::new(Shape::Number(5)))),
        "170c1708100500 0000".replace(' ', "")
    );
    assert_eq!(field(Shape::Nested(Box::new(Shape::None))), "170c0000");
    assert_eq!(field(Shape::Vector(Vector3::default())), "170d0000");
    let x = Shape::Vector(Vector3::new(1.0, 0.0, 0.0));
    assert_eq!(field(x), "170d1a0000803f00000000000000000000");
    assert_eq!(field(Shape::Any(Value::Bean(Default::default()))), "170e0000");
    assert_eq!(field(Shape::Raw(RawBean::from_slice(&[0x10, 5, 0]).unwrap())), "170f10050000");
    assert_eq!(field(Shape::Color(Color::Red)), "17100000");
    assert_eq!(field(Shape::Color(Color::Blue)), "171010020000");
    assert_eq!(field(Shape::MaybeBean(None)), "17110000");
    assert_eq!(
        field(Shape::MaybeBean(Some(Circle { radius: 0.0 }))),
        "17111600 0000".replace(' ', "")
    );
    let error = refused(to_vec(&Field { shape: Shape::Any(Value::Int(5)) }));
    assert_eq!(
        error,
        "expected a bean as the value of a variant, found an integer, in shape[\"14\"]"
    );
}

#[test]
fn in_containers_and_at_the_root() {
    // Variants with content show what those without are, before and after.
    let shapes = vec![Shape::None, Shape::None, Shape::Number(1), Shape::None];
    assert_eq!(round_trip(&shapes), "47000000000810010000 00".replace(' ', ""));
    let shapes = vec![Shape::Number(0), Shape::None];
    assert_eq!(round_trip(&shapes), "2708000000");
    // Lists in lists are each for themselves.
    let lists = vec![vec![Shape::None, Shape::Number(0)], vec![Shape::Number(0), Shape::None]];
    assert_eq!(round_trip(&lists), "2427000008002708000000");
    // Alone they are integers, unless the enum says what it is.
    assert_eq!(round_trip(&vec![Shape::None, Shape::None]), "200000");
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "dynamic")]
    enum Named {
        #[serde(rename = "0")]
        None,
        #[serde(rename = "5")]
        Ping,
        #[serde(rename = "6")]
        Circle(Circle),
    }
    assert_eq!(round_trip(&vec![Named::None, Named::Ping]), "2700000500");
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Holder {
        a: Named,
        b: Named,
        map: BTreeMap<i32, Named>,
    }
    let holder = Holder { a: Named::None, b: Named::Ping, map: [(1, Named::None)].into() };
    assert_eq!(round_trip(&holder), "27050015070101000000");
    // At the root there is no tag, so all of them are dynamic beans.
    assert_eq!(round_trip(&Color::Green), digits(&[&hash_of("Green")[..], &[0]].concat()));
    assert_eq!(round_trip(&Shape::None), "0000");
    // In a map as well, whatever the keys are.
    let map = BTreeMap::from([(1, Shape::None), (300, Shape::None), (301, Shape::Number(1))]);
    assert_eq!(round_trip(&map), "0703 01 0000 412c 0000 412d 08100100".replace(' ', ""));
    let map = BTreeMap::from([
        ("a".to_owned(), vec![Shape::None, Shape::Number(1)]),
        ("b".to_owned(), vec![Shape::None]),
    ]);
    assert_eq!(to_vec(&map).unwrap()[..2], [0x34, 2]);
    round_trip(&BTreeMap::from([(vec![1, 2], Shape::Number(1)), (vec![1, 1], Shape::None)]));
    round_trip(&BTreeMap::from([(1, Shape::None), (2, Shape::None)]));
    // The path of an error is that of its entry.
    let map = BTreeMap::from([(7, Shape::None), (8, Shape::Any(Value::Int(5)))]);
    assert_eq!(to_vec(&map).unwrap_err().path().to_string(), "[8][\"14\"]");
}

#[test]
fn numbers_among_plain_variants() {
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    enum Mixed {
        Zero,
        #[serde(rename = "5:Five")]
        Five,
        Two,
    }
    for variant in [Mixed::Zero, Mixed::Five, Mixed::Two] {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Holder {
            variant: Mixed,
            list: Vec<Mixed>,
        }
        round_trip(&Holder { variant, list: vec![variant] });
        round_trip(&vec![variant]);
        round_trip(&variant);
    }
    // 1 is nothing that is written.
    assert!(refused(from_slice::<(Mixed,)>(&hex("1001 00"))).starts_with("unknown variant `1`"));
    // Two variants with one number are no data, whatever it says.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Clash {
        #[serde(rename = "1:One")]
        One,
        Other,
    }
    assert_eq!(
        refused(from_slice::<(Clash,)>(&hex("1001 00"))),
        "1 is the number of variant `1:One` and the position of variant `Other`, which needs a \
         number, too at byte 0x1, in [0]"
    );
}

fn hash_of(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    wire::write_int(&mut bytes, hash::type_id(name));
    bytes
}

#[test]
fn other_beans_and_ids() {
    // A bean is the dynamic bean of type id 0; here that one has no content.
    let read = |bytes: &str| from_slice::<Field>(&hex(bytes)).map(|field| field.shape);
    assert_eq!(read("16 1005 00 00").unwrap(), Shape::None);
    // An id that is not known is never the empty one.
    for strict in [false, true] {
        let options = Options::new().strict(strict);
        let error = refused(options.from_slice::<Field>(&hex("17 e3 1005 00 00")));
        assert!(error.starts_with("unknown variant `-29`"), "{error}");
    }
    // But where an option says so.
    let options = Options::new().unknown_as_empty(true);
    let bytes = hex("17 e3 1005 00 00");
    assert_eq!(options.from_slice::<Field>(&bytes).unwrap().shape, Shape::None);
    refused(options.strict(true).from_slice::<Field>(&bytes));
    // Something else is the empty one as well.
    assert_eq!(read("13 0161 00").unwrap(), Shape::None);
    refused(Options::new().strict(true).from_slice::<Field>(&hex("13 0161 00")));
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Other {
        #[serde(rename = "1")]
        One(i32),
        #[serde(other)]
        Unknown,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Others {
        a: Other,
        b: i32,
    }
    let others: Others = from_slice(&hex("17 e3 1005 00 1009 00")).unwrap();
    assert_eq!(others, Others { a: Other::Unknown, b: 9 });
    // An alias is another name of the variant, with its own hash or number.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Aliased {
        #[serde(rename = "1", alias = "11")]
        One(i32),
    }
    assert_eq!(from_slice::<Aliased>(&hex("0b 1005 00")).unwrap(), Aliased::One(5));
    // An absent enum whose first variant has content is refused.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Content {
        One(i32),
        Two,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Contents {
        a: Content,
    }
    assert_eq!(
        refused(from_slice::<Contents>(&[0])),
        "expected a variant of enum `Content`, found nothing, and no variant has the id 0 at byte \
         0x1, in a"
    );
    round_trip(&Contents { a: Content::Two });
    assert_eq!(
        refused(from_slice::<Contents>(&hex("100000"))),
        "expected a dynamic bean for a variant of enum `Content` with content, found an integer at \
         byte 0x1, in a"
    );
}

#[test]
fn other_types_are_kept() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "dynamic")]
    enum Kept {
        #[serde(rename = "0")]
        Empty,
        #[serde(rename = "5")]
        Circle(Circle),
        #[serde(rename = "*:Other")]
        Other(Value),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Holder {
        one: Kept,
        list: Vec<Kept>,
    }
    let bytes = hex("17 e3 1005 2301 61 00 14 37 00 00 05 00 412c 24 10 02 00 00");
    let holder: Holder = from_slice(&bytes).unwrap();
    let Kept::Other(Value::Dynamic(dynamic)) = &holder.one else { panic!("{holder:?}") };
    assert_eq!((dynamic.type_id, dynamic.bean.get(1)), (-29, Some(&Value::Int(5))));
    assert_eq!(holder.list[..2], [Kept::Empty, Kept::Circle(Circle { radius: 0.0 })]);
    assert_eq!(digits(&to_vec(&holder).unwrap()), digits(&bytes));
    // Alone as well.
    let alone: Kept = from_slice(&bytes[1..8]).unwrap();
    assert_eq!(alone, holder.one);
    assert_eq!(to_vec(&alone).unwrap(), bytes[1..8]);
    // Only dynamic beans have a type to be other by.
    let error = refused(to_vec(&(Kept::Other(Value::Int(5)),)));
    assert!(error.starts_with("expected the variant `*:Other` to hold a dynamic bean"), "{error}");
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Forgetful {
        #[serde(rename = "*")]
        Unit,
        #[serde(rename = "*:")]
        Tuple(i32, i32),
    }
    for value in [Forgetful::Unit, Forgetful::Tuple(1, 2)] {
        assert_eq!(to_vec(&(value,)).unwrap_err().kind(), ErrorKind::Unsupported);
    }
    refused(from_slice::<(Forgetful,)>(&hex("17 e3 1005 00 00")));
}
