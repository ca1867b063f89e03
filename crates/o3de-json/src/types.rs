//! Types of the engine that are more than a number, a string or a container.

mod any;
mod asset;
pub mod coerce;
mod containers;
mod enums;
pub(crate) mod handoff;
#[cfg(feature = "glam")]
mod interop;
mod math;
mod members;
mod path;
mod raw;
mod uuid;
mod whole;

pub use any::{Any, Refused};
pub use asset::{Asset, AssetId, EntityId, LoadBehavior};
pub use containers::{FixedVec, Map, MultiMap, MultiSet, Set, Tuple, UnorderedMap, UnorderedSet};
pub use enums::{EnumInfo, Enumeration, Underlying};
pub use math::{
    Color, Matrix3x3, Matrix3x4, Matrix4x4, Quaternion, Transform, Vector2, Vector3, Vector4,
};
pub use path::{AssetPath, FixedMaxPath, Name};
pub(crate) use path::{MAX_PATH, normal_path};
pub use raw::{Bytes, RawValue};
pub use uuid::Uuid;

#[doc(hidden)]
pub use enums::{Integer, deserialize_enum, serialize_enum};
