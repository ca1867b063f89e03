//! Implementations of serde's traits that are written by hand.

use serde::ser::{SerializeStruct, SerializeStructVariant, Serializer};

use super::*;

/// Its first field is a bare `str`, as `self.name.as_str()` is.
#[derive(Debug, PartialEq, Deserialize)]
struct Spell<S> {
    name: S,
    rank: i32,
}

impl<S: AsRef<str>> Serialize for Spell<S> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        let mut fields = serializer.serialize_struct("Spell", 2)?;
        fields.serialize_field("name", self.name.as_ref())?;
        fields.serialize_field("rank", &self.rank)?;
        fields.end()
    }
}

#[derive(Debug, PartialEq, Deserialize)]
enum Cast {
    Spell { name: String, rank: i32 },
}

impl Serialize for Cast {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        let Cast::Spell { name, rank } = self;
        let mut fields = serializer.serialize_struct_variant("Cast", 0, "Spell", 2)?;
        fields.serialize_field("name", name.as_str())?;
        fields.serialize_field("rank", rank)?;
        fields.end()
    }
}

#[test]
fn a_text_first_is_a_field_as_any_other() {
    let spell = || Spell { name: "Fire Cat".to_owned(), rank: 1 };
    round_trip(&spell());
    round_trip(&vec![spell(), Spell { name: String::new(), rank: 2 }]);
    round_trip(&(1, Some(spell()), BTreeMap::from([(1, spell())])));
    round_trip(&Cast::Spell { name: "Storm".into(), rank: 2 });
    let bytes = to_vec(&Spell { name: "Fire", rank: 1 }).unwrap();
    assert_eq!(from_slice::<Spell<&str>>(&bytes).unwrap(), Spell { name: "Fire", rank: 1 });
    assert_eq!(bytes, to_vec(&("Fire", 1)).unwrap());

    // Serde's own tags are refused as before, wherever they stand.
    #[derive(Serialize)]
    #[serde(tag = "kind")]
    enum Tagged {
        Unit,
        Newtype(Spell<String>),
        Struct { x: i32 },
    }
    #[derive(Serialize)]
    #[serde(tag = "kind")]
    struct Named {
        x: i32,
    }
    #[derive(Serialize)]
    #[serde(tag = "kind", content = "content")]
    enum Adjacent {
        Unit,
        Newtype(Spell<String>),
    }
    for error in [
        refused(to_vec(&Tagged::Unit)),
        refused(to_vec(&Tagged::Newtype(spell()))),
        refused(to_vec(&Tagged::Struct { x: 1 })),
        refused(to_vec(&Named { x: 1 })),
        refused(to_vec(&Adjacent::Unit)),
        refused(to_vec(&Adjacent::Newtype(spell()))),
    ] {
        assert!(error.starts_with("`serde(tag = \"kind\")` needs names"), "{error}");
        assert!(error.ends_with("in kind"), "{error}");
    }
    assert!(refused(to_vec(&vec![Tagged::Unit])).ends_with("in [0].kind"));
    assert!(refused(to_vec(&Some((1, Tagged::Newtype(spell()))))).ends_with("in [1].kind"));
}

/// The same by a macro, whose calls are at one place, as those of a derive are.
macro_rules! by_macro {
    ($name:ident, $text:expr) => {
        #[derive(Debug, PartialEq, Deserialize)]
        struct $name {
            name: String,
            rank: i32,
        }

        impl Serialize for $name {
            fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
                let mut fields = serializer.serialize_struct(stringify!($name), 2)?;
                fields.serialize_field("name", $text(&self.name))?;
                fields.serialize_field("rank", &self.rank)?;
                fields.end()
            }
        }
    };
}

by_macro!(Charm, String::as_str);
by_macro!(Ward, std::convert::identity);

#[test]
fn a_first_text_of_a_macro_says_how_it_is_none() {
    let error = refused(to_vec(&Charm { name: "Fire Cat".into(), rank: 1 }));
    assert!(error.contains("passes a text that comes first as `&&str`"), "{error}");
    round_trip(&Ward { name: "Fire Cat".into(), rank: 1 });
}

/// Written in another order than it is read.
#[derive(Debug, PartialEq, Deserialize)]
struct Reversed<A, B> {
    a: A,
    b: B,
}

impl<A: Serialize, B: Serialize> Serialize for Reversed<A, B> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        let mut fields = serializer.serialize_struct("Reversed", 2)?;
        fields.serialize_field("b", &self.b)?;
        fields.serialize_field("a", &self.a)?;
        fields.end()
    }
}

#[test]
fn an_order_of_its_own_is_refused_where_it_shows() {
    fn error<A, B>(a: A, b: B) -> String
    where
        A: Serialize + DeserializeOwned + Debug,
        B: Serialize + DeserializeOwned + Debug,
    {
        let bytes = to_vec(&Reversed { a, b }).unwrap();
        // Reading with a report of losses loses it, and says so.
        let (_, losses) = Options::new().from_slice_with_losses::<Reversed<A, B>>(&bytes).unwrap();
        assert!(!losses.is_empty());
        refused(from_slice::<Reversed<A, B>>(&bytes))
    }
    assert_eq!(
        error(1, "x".to_owned()),
        "expected an integer, found a string (without ids, fields are known by their order) at byte \
         0x1, in a"
    );
    assert!(error(vec![1_u16], vec!["x".to_owned()]).contains("by their order"));
    assert!(error(Scalars { b: true, ..Scalars::default() }, 2.5).contains("by their order"));
    assert!(
        error(BTreeMap::from([(1, 2)]), BTreeMap::from([("x".to_owned(), 2)]))
            .contains("by their order")
    );
    // Inside of a struct with ids, and of one without in that.
    let nested = |a, b| Ids { inner: Reversed { a, b } };
    #[derive(Debug, Serialize, Deserialize)]
    struct Ids {
        #[serde(rename = "4:inner")]
        inner: Reversed<String, i32>,
    }
    let bytes = to_vec(&nested("x".into(), 1)).unwrap();
    assert!(refused(from_slice::<Ids>(&bytes)).ends_with("in inner.a"));
    // Where both are of one type nothing shows it; `check` does.
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(transparent)]
    struct Numbers(Reversed<i32, i32>);
    impl Serialize for Numbers {
        fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
            self.0.serialize(serializer)
        }
    }
    let error = refused(zeze_serialize::check(&Numbers(Reversed { a: 1, b: 2 })));
    assert!(error.contains("found `a: 2`"), "{error}");
    // With ids in the names a value of another type is ignored, as the page has it.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Newer {
        #[serde(rename = "1:a")]
        a: i32,
        #[serde(rename = "2:b")]
        b: i32,
    }
    let bytes = to_vec(&("x", 5)).unwrap();
    assert_eq!(from_slice::<Newer>(&bytes).unwrap(), Newer { a: 0, b: 5 });
}

/// What looks at the data is shown positive numbers as other formats show them.
#[test]
fn positive_numbers_are_unsigned_for_types_that_take_any() {
    #[derive(Debug, PartialEq, Serialize)]
    #[serde(transparent)]
    struct Unsigned(u64);
    impl<'de> Deserialize<'de> for Unsigned {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Visitor;
            impl serde::de::Visitor<'_> for Visitor {
                type Value = Unsigned;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("an unsigned number")
                }
                fn visit_u64<E>(self, number: u64) -> Result<Unsigned, E> {
                    Ok(Unsigned(number))
                }
            }
            deserializer.deserialize_any(Visitor)
        }
    }
    round_trip(&(1, vec![Unsigned(0), Unsigned(i64::MAX as u64)]));
    assert!(from_slice::<(i32, Unsigned)>(&to_vec(&(1, -1)).unwrap()).is_err());
}
