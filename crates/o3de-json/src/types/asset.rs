use std::fmt;

use serde_core::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::members::members;
use super::{Uuid, handoff};

/// The id of an asset (`AZ::Data::AssetId`): its source file, and one of the products of that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetId {
    /// The source; null where there is no asset.
    pub guid: Uuid,
    /// The product.
    pub sub_id: u32,
}

impl Serialize for AssetId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct(handoff::ASSET_ID, 2)?;
        members.serialize_field("guid", &self.guid)?;
        members.serialize_field("subId", &self.sub_id)?;
        members.end()
    }
}

members! { AssetId, handoff::ASSET_ID, "the id of an asset", { "guid" guid, "subId" sub_id } }

/// When an asset is loaded with what refers to it (`AZ::Data::AssetLoadBehavior`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoadBehavior {
    /// Before it.
    PreLoad = 0,
    /// After it, by itself.
    QueueLoad = 1,
    /// When it is asked for.
    NoLoad = 2,
}

crate::register_enum!(LoadBehavior: u8 {
    "PreLoad" => LoadBehavior::PreLoad,
    "QueueLoad" => LoadBehavior::QueueLoad,
    "NoLoad" => LoadBehavior::NoLoad,
});

/// A reference to an asset (`AZ::Data::Asset<T>`, whose `T` is not in the text).
///
/// Source: `AssetJsonSerializer.cpp` of the engine.
///
/// ```
/// use o3de_json::types::Asset;
///
/// let text = r#"{"assetId":{"guid":"{13BAFCBF-6669-5E4E-B3B0-8610349B2C01}","subId":7},"assetHint":"models/post.azmodel"}"#;
/// let model: Asset = o3de_json::from_str(text)?;
/// assert_eq!((model.id.sub_id, model.hint.as_str()), (7, "models/post.azmodel"));
/// assert_eq!(o3de_json::to_string(&model)?, text);
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Asset {
    /// Its id.
    pub id: AssetId,
    /// When it is loaded; `None` where the text does not say it, which is what the constructor of the
    /// component says.
    pub load_behavior: Option<LoadBehavior>,
    /// The path of the product, in lower case from its scan folder.
    pub hint: String,
}

impl Serialize for Asset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Formats without names have all members.
        let is_whole = !serializer.is_human_readable();
        let len = if is_whole || self.load_behavior.is_some() { 3 } else { 2 };
        let mut members = serializer.serialize_struct(handoff::ASSET, len)?;
        members.serialize_field("assetId", &self.id)?;
        match &self.load_behavior {
            own if is_whole => members.serialize_field("loadBehavior", own)?,
            Some(own) => members.serialize_field("loadBehavior", own)?,
            None => members.skip_field("loadBehavior")?,
        }
        members.serialize_field("assetHint", &self.hint)?;
        members.end()
    }
}

members! {
    Asset, handoff::ASSET, "an asset",
    { "assetId" id, "loadBehavior" load_behavior, "assetHint" hint }
}

/// An entity that a component refers to (`AZ::EntityId`): `{"id": 42}`, or text in a prefab.
///
/// Source: `EntityIdSerializer.cpp` of the engine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityId {
    /// Its number.
    Id(u64),
    /// Its alias in a prefab, with those of the instances around it: `Instance_[2]/Entity_[7]`; empty
    /// for none.
    Alias(String),
}

impl EntityId {
    /// No entity: the engine's `InvalidEntityId`.
    pub const INVALID: EntityId = EntityId::Id(0xffff_ffff);
}

impl Default for EntityId {
    fn default() -> Self {
        EntityId::INVALID
    }
}

struct EntityContent<'a>(&'a EntityId);

impl Serialize for EntityContent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            EntityId::Alias(alias) => serializer.serialize_str(alias),
            EntityId::Id(id) => {
                let mut members = serializer.serialize_struct("EntityId", 1)?;
                members.serialize_field("id", id)?;
                members.end()
            }
        }
    }
}

impl Serialize for EntityId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(handoff::ENTITY_ID, &EntityContent(self))
    }
}

impl<'de> Deserialize<'de> for EntityId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntityVisitor;

        impl<'de> Visitor<'de> for EntityVisitor {
            type Value = EntityId;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the alias of an entity, or an object with `id`")
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> Result<EntityId, D::Error> {
                deserializer.deserialize_any(self)
            }

            fn visit_str<E: de::Error>(self, alias: &str) -> Result<EntityId, E> {
                Ok(EntityId::Alias(alias.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<EntityId, A::Error> {
                let mut id = EntityId::INVALID;
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        "id" => id = EntityId::Id(map.next_value()?),
                        _ => drop(map.next_value::<de::IgnoredAny>()?),
                    }
                }
                Ok(id)
            }
        }

        deserializer.deserialize_newtype_struct(handoff::ENTITY_ID, EntityVisitor)
    }
}
