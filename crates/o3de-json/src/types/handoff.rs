//! How this crate's types tell its serializers what they are.
//!
//! serde shows a type by its data model only. The types of this crate are newtypes with reserved
//! names, which the (de)serializers here know and others skip.
//!
//! The table of a registered enum does not fit a name. It waits in a thread-local cell for the length
//! of one call, because there is no way in the band: whatever a type hands to a serializer it hands to
//! all of them, and to the others it must look like a plain name or number.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use serde_core::de::value::SeqAccessDeserializer;
use serde_core::de::{Deserialize, Deserializer, IntoDeserializer as _, SeqAccess, Visitor};

use super::EnumInfo;

pub(crate) const PREFIX: &str = "$o3de::";
pub(crate) const VECTOR2: &str = "$o3de::Vector2";
pub(crate) const VECTOR3: &str = "$o3de::Vector3";
pub(crate) const VECTOR4: &str = "$o3de::Vector4";
pub(crate) const QUATERNION: &str = "$o3de::Quaternion";
pub(crate) const MATRIX3X3: &str = "$o3de::Matrix3x3";
pub(crate) const MATRIX3X4: &str = "$o3de::Matrix3x4";
pub(crate) const MATRIX4X4: &str = "$o3de::Matrix4x4";
pub(crate) const COLOR: &str = "$o3de::Color";
pub(crate) const TRANSFORM: &str = "$o3de::Transform";
pub(crate) const UUID: &str = "$o3de::Uuid";
pub(crate) const PATH: &str = "$o3de::Path";
pub(crate) const FIXED_PATH: &str = "$o3de::FixedMaxPath";
pub(crate) const BYTES: &str = "$o3de::Bytes";
pub(crate) const FULL: &str = "$o3de::Full";
pub(crate) const ASSET: &str = "$o3de::Asset";
pub(crate) const ASSET_ID: &str = "$o3de::AssetId";
pub(crate) const ENTITY_ID: &str = "$o3de::EntityId";
pub(crate) const NAME: &str = "$o3de::Name";
pub(crate) const RAW: &str = "$o3de::RawValue";
pub(crate) const VALUE: &str = "$o3de::Value";
pub(crate) const ENUM: &str = "$o3de::Enum";
pub(crate) const ANY: &str = "$o3de::Any";
pub(crate) const REFUSED: &str = "$o3de::Refused";
pub(crate) const MAP: &str = "$o3de::Map";
pub(crate) const UNORDERED_MAP: &str = "$o3de::UnorderedMap";
pub(crate) const MULTI_MAP: &str = "$o3de::MultiMap";
pub(crate) const SET: &str = "$o3de::Set";
pub(crate) const UNORDERED_SET: &str = "$o3de::UnorderedSet";
pub(crate) const MULTI_SET: &str = "$o3de::MultiSet";
pub(crate) const TUPLE: &str = "$o3de::Tuple";
pub(crate) const SORTED: &str = "$o3de::Sorted";
pub(crate) const COERCE: &str = "$o3de::Coerce";

thread_local! {
    static INFO: Cell<Option<(&'static EnumInfo, u64)>> = const { Cell::new(None) };
}

/// Type side: the table of the enum that is about to be read or written, and the bits to write.
pub(crate) fn leave_enum(info: &'static EnumInfo, bits: u64) {
    INFO.set(Some((info, bits)));
}

/// Serializer side: what was left.
pub(crate) fn take_enum() -> Option<(&'static EnumInfo, u64)> {
    INFO.take()
}

/// Reads what has a reserved name: from the deserializer of this crate what it makes of the name, from
/// any other one the content of the newtype.
pub(super) fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    name: &'static str,
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_newtype_struct(name, NewtypeVisitor::of(name))
}

/// The content of a newtype with a reserved name.
pub(super) struct NewtypeVisitor<T>(&'static str, PhantomData<fn() -> T>);

impl<T> NewtypeVisitor<T> {
    pub(super) const fn of(name: &'static str) -> Self {
        NewtypeVisitor(name, PhantomData)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for NewtypeVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {}", self.0.trim_start_matches(PREFIX))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
        T::deserialize(SeqAccessDeserializer::new(seq))
    }

    fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<T, E> {
        T::deserialize(text.into_deserializer())
    }

    fn visit_unit<E: serde_core::de::Error>(self) -> Result<T, E> {
        T::deserialize(().into_deserializer())
    }
}
