//! serde's attributes: each works or is refused, and none loses data in silence.

use super::*;

#[test]
fn skipped_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Skip {
        a: i32,
        #[serde(skip)]
        cache: Vec<i32>,
        b: i32,
    }
    // A field that is skipped both ways is none.
    assert_eq!(digits(&to_vec(&Skip { a: 1, cache: vec![9], b: 2 }).unwrap()), "1001100200");
    assert_eq!(round_trip(&Skip { a: 1, cache: vec![], b: 2 }), "1001100200");

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct SkipIf {
        #[serde(skip_serializing_if = "Option::is_none")]
        a: Option<i32>,
        #[serde(skip_serializing_if = "String::is_empty")]
        b: String,
        c: i32,
    }
    assert_eq!(round_trip(&SkipIf { a: None, b: String::new(), c: 3 }), "300300");
    assert_eq!(round_trip(&SkipIf { a: Some(0), b: "b".into(), c: 3 }), "1000130162100300");

    // With ids, one direction alone is fine, too.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct OneWay {
        #[serde(rename = "1", skip_serializing)]
        secret: i32,
        #[serde(rename = "2", skip_deserializing)]
        computed: i32,
        #[serde(rename = "3")]
        c: i32,
    }
    let bytes = to_vec(&OneWay { secret: 1, computed: 2, c: 3 }).unwrap();
    assert_eq!(digits(&bytes), "2002100300");
    let back: OneWay = from_slice(&hex("1005 1006 1007 00")).unwrap();
    assert_eq!(back, OneWay { secret: 5, computed: 0, c: 7 });
}

#[test]
fn defaults_never_apply() {
    fn seven() -> i32 {
        7
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Defaults {
        #[serde(default = "seven")]
        a: i32,
        #[serde(default)]
        b: Vec<i32>,
    }
    // Absent is zero in the format, so a zero that was left out comes back as zero.
    assert_eq!(round_trip(&Defaults { a: 0, b: vec![] }), "00");
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct Whole {
        a: i32,
    }
    impl Default for Whole {
        fn default() -> Self {
            Whole { a: 7 }
        }
    }
    assert_eq!(round_trip(&Whole { a: 0 }), "00");
}

#[test]
fn aliases() {
    // With positions, any name may have aliases.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Positions {
        #[serde(alias = "zz", alias = "aa")]
        a: i32,
        #[serde(alias = "other")]
        b: i32,
        c: i32,
    }
    assert_eq!(round_trip(&Positions { a: 1, b: 2, c: 3 }), "10011002100300");
    assert_eq!(round_trip(&Positions { a: 0, b: 0, c: 3 }), "300300");
    assert_eq!(round_trip(&Positions { a: 0, b: 0, c: 0 }), "00");

    // With ids, the id of the field.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Ids {
        #[serde(rename = "7:new", alias = "7:old", alias = "7")]
        a: i32,
        #[serde(rename = "9")]
        b: i32,
    }
    assert_eq!(round_trip(&Ids { a: 1, b: 2 }), "7001200200");
    assert_eq!(round_trip(&Ids { a: 0, b: 2 }), "900200");

    // Another id cannot be told from a field, and is refused whatever the bytes are.
    #[derive(Debug, Deserialize)]
    struct Other {
        #[serde(rename = "1:a", alias = "2:a")]
        _a: i32,
        #[serde(rename = "3:b")]
        _b: i32,
    }
    for bytes in ["00", "100100", "200100", "300100", "1001100200", "100110021003 00"] {
        let error = refused(from_slice::<Other>(&hex(bytes)));
        assert!(error.contains("`3:b` has an alias with another id"), "{bytes}: {error}");
    }
    #[derive(Debug, Deserialize)]
    struct Unsorted {
        #[serde(rename = "1:a", alias = "9:a")]
        _a: i32,
        #[serde(rename = "3:b")]
        _b: i32,
    }
    let error = refused(from_slice::<Unsorted>(&[0]));
    assert!(error.starts_with("field `3:b` stands after field `9:a`"), "{error}");
    #[derive(Debug, Deserialize)]
    struct Plain {
        #[serde(rename = "1:a", alias = "a")]
        _a: i32,
    }
    let error = refused(from_slice::<Plain>(&hex("100100")));
    assert!(error.contains("alias"), "{error}");
}

#[test]
fn flattened_structs_are_maps() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        x: i32,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Outer {
        a: i32,
        #[serde(flatten)]
        inner: Inner,
    }
    assert_eq!(
        round_trip(&Outer { a: 1, inner: Inner { x: 2 } }),
        "300201610101780".to_owned() + "2"
    );
    #[derive(Debug, Serialize)]
    struct Mixed {
        a: String,
        #[serde(flatten)]
        inner: Inner,
    }
    let error = to_vec(&Mixed { a: "a".into(), inner: Inner { x: 2 } }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MixedTypes);
    assert_eq!(
        error.to_string(),
        "expected a string as the elements before, found an integer: values of a map are of one wire \
         type (a struct with `flatten` is a map), in x"
    );
    // In a bean too.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Around {
        #[serde(rename = "1:outer")]
        outer: Outer,
    }
    round_trip(&Around { outer: Outer { a: 1, inner: Inner { x: 2 } } });
    // Of another program that has a bean there.
    let error = refused(from_slice::<Around>(&hex("16 1001 1002 00 00")));
    assert_eq!(
        error,
        "field `a` cannot be found by its name: beans have ids, which flattened structs and \
         tagged enums do not keep at byte 0x1, in outer"
    );
}

#[test]
fn transparent_and_newtypes() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(transparent)]
    struct Id {
        id: i64,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Meters(f64);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Both {
        id: Id,
        meters: Meters,
        list: Vec<Meters>,
    }
    let both = Both { id: Id { id: 5 }, meters: Meters(0.0), list: vec![Meters(0.0)] };
    assert_eq!(round_trip(&both), "1005241200000000000000 0000".replace(' ', ""));
}

#[test]
fn unknown_fields_are_not_denied_by_position() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Deny {
        a: i32,
    }
    assert_eq!(from_slice::<Deny>(&hex("1001 1002 00")).unwrap(), Deny { a: 1 });
}

#[test]
fn other_representations_of_enums() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t")]
    enum Internal {
        A { x: i32 },
    }
    let error = refused(to_vec(&Internal::A { x: 1 }));
    assert!(error.starts_with("`serde(tag = \"t\")` needs names"), "{error}");
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        A(i32),
    }
    let error = refused(to_vec(&Adjacent::A(1)));
    assert!(error.starts_with("`serde(tag = \"t\")` needs names"), "{error}");
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Untagged {
        Int(i64),
        Text(String),
        List(Vec<i64>),
        Vector(f32, f32),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Holder {
        a: Untagged,
        b: Untagged,
        c: Vec<Untagged>,
    }
    let holder = Holder {
        a: Untagged::Int(5),
        b: Untagged::Text("x".into()),
        c: vec![Untagged::List(vec![1]), Untagged::List(vec![])],
    };
    round_trip(&holder);
}

#[test]
fn tags_are_refused_when_they_are_written() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        x: i32,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t")]
    enum Internal {
        Unit,
        Newtype(Inner),
        Struct { x: i32 },
        Map(BTreeMap<String, i32>),
    }
    for value in [
        Internal::Unit,
        Internal::Newtype(Inner { x: 1 }),
        Internal::Struct { x: 1 },
        Internal::Map(BTreeMap::new()),
    ] {
        let list = (1, vec![value]);
        // A map has its tag by name.
        if list.1 == [Internal::Map(BTreeMap::new())] {
            assert_eq!(from_slice::<(i32, Vec<Internal>)>(&to_vec(&list).unwrap()).unwrap(), list);
            continue;
        }
        let error = to_vec(&list).unwrap_err();
        assert_eq!(
            (error.kind(), error.path().to_string().as_str()),
            (ErrorKind::Unsupported, "[1][0].t")
        );
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        Unit,
        Newtype(Inner),
    }
    for value in [Adjacent::Unit, Adjacent::Newtype(Inner { x: 1 })] {
        assert_eq!(to_vec(&value).unwrap_err().kind(), ErrorKind::Unsupported);
        // What another program has written so is refused, too.
        let error = from_slice::<Adjacent>(&hex("1300 1600 00")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }
    // The tag of a struct is a field that is passed over by its id.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "1:type", rename = "Name")]
    struct Numbered {
        #[serde(rename = "2:x")]
        x: i32,
    }
    assert_eq!(round_trip(&Numbered { x: 5 }), "13044e616d65100500");
}

#[test]
fn fields_behind_a_trait_are_no_tags() {
    // As the crate erased_serde shows values: a reference to a trait object, which has no size either.
    trait Shown {
        fn number(&self) -> i32;
    }
    impl Shown for i32 {
        fn number(&self) -> i32 {
            *self
        }
    }
    impl Serialize for dyn Shown {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_i32(self.number())
        }
    }
    struct Outer(Box<dyn Shown>);
    impl Serialize for Outer {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeStruct as _;
            let mut bean = serializer.serialize_struct("Outer", 1)?;
            bean.serialize_field("a", &*self.0)?;
            bean.end()
        }
    }
    assert_eq!(digits(&to_vec(&Outer(Box::new(5))).unwrap()), "100500");
}
