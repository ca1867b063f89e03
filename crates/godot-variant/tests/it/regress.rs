//! One test for each bug that was found, named by what was wrong.

use std::collections::BTreeMap;

use godot_variant::*;
use serde::{Deserialize, Serialize};

use crate::support::{refused, round_trip};

#[test]
fn native_types_were_refused_in_serde_buffers() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Event {
        Moved { to: Vector3, by: StringName, path: PackedVector3Array, at: NodePath },
        Other(BTreeMap<String, Value>),
    }
    round_trip(
        &Options::new(),
        &Event::Moved {
            to: Vector3::new(1.0, 2.0, 3.0),
            by: "player".into(),
            path: vec![Vector3::new(0.5, 0.0, 0.0)].into(),
            at: "/root/A:x".into(),
        },
    );
    let other = [("at".to_owned(), Value::from(Vector2i::new(1, 2)))];
    round_trip(&Options::new(), &Event::Other(other.into()));
}

#[test]
fn bytes_in_serde_buffers_were_taken_for_components() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Inner<T> {
        value: T,
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Outer<T> {
        #[serde(flatten)]
        inner: Inner<T>,
    }
    let outer = Outer { inner: Inner { value: PackedByteArray(vec![0; 12]) } };
    let bytes = to_vec(&outer).unwrap();
    refused(from_slice::<Outer<Vector3>>(&bytes));
    refused(from_slice::<Outer<PackedFloat32Array>>(&bytes));
    assert_eq!(from_slice::<Outer<PackedByteArray>>(&bytes).unwrap().inner.value.len(), 12);
}

#[test]
fn native_types_could_not_be_read_from_formats_without_types() {
    use serde::de::IntoDeserializer;
    use serde::de::value::StrDeserializer;

    /// Gives its text only to those who ask for text.
    struct Plain<'a>(&'a str);

    impl<'de> serde::Deserializer<'de> for Plain<'de> {
        type Error = Error;
        fn is_human_readable(&self) -> bool {
            false
        }
        fn deserialize_any<V: serde::de::Visitor<'de>>(self, _: V) -> Result<V::Value> {
            Err(serde::de::Error::custom("the format does not say what comes next"))
        }
        fn deserialize_str<V: serde::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let text: StrDeserializer<'_, Error> = self.0.into_deserializer();
            serde::Deserializer::deserialize_any(text, visitor)
        }
        fn deserialize_newtype_struct<V: serde::de::Visitor<'de>>(
            self,
            _: &'static str,
            visitor: V,
        ) -> Result<V::Value> {
            visitor.visit_newtype_struct(self)
        }
        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char string bytes byte_buf option
            unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
        }
    }

    assert_eq!(NodePath::deserialize(Plain("a/b:c")).unwrap(), NodePath::new("a/b:c"));
    assert_eq!(StringName::deserialize(Plain("a")).unwrap(), StringName::new("a"));
}
