use std::ops::{Deref, DerefMut};

use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::marker;

/// The base of a bean: the fields that it inherits.
///
/// As the last field of a struct it is written as a separate layer after the struct's fields.
/// It has no id. In other serde formats it is what is in it. Layers are described with [beans].
///
/// [beans]: https://github.com/gamewire/gamewire/blob/main/docs/formats/zeze-serialize.md#beans
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use zeze_serialize::Base;
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// struct Item {
///     id: i64,
///     name: String,
/// }
/// #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// struct Sword {
///     damage: i32,
///     item: Base<Item>,
/// }
///
/// let sword = Sword { damage: 7, item: Base(Item { id: 1, name: "rusty".into() }) };
/// let bytes = zeze_serialize::to_vec(&sword)?;
/// // damage = 7, end of the layer, id = 1, name = "rusty", end of the bean
/// assert_eq!(bytes, b"\x10\x07\x01\x10\x01\x13\x05rusty\x00");
/// assert_eq!(zeze_serialize::from_slice::<Sword>(&bytes)?, sword);
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Base<T>(
    /// The base.
    pub T,
);

impl<T> Deref for Base<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Base<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> From<T> for Base<T> {
    fn from(base: T) -> Self {
        Base(base)
    }
}

impl<T: Serialize> Serialize for Base<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(marker::BASE, &self.0)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Base<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
            type Value = Base<T>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the base of a bean")
            }
            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> Result<Base<T>, D::Error> {
                T::deserialize(deserializer).map(Base)
            }
        }
        deserializer.deserialize_newtype_struct(marker::BASE, Visitor(std::marker::PhantomData))
    }
}
