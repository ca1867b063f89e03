//! The contents [of a save](https://github.com/gamewire/gamewire/blob/main/docs/formats/resonite-brson.md#a-save): slots, their components and members, types, assets.
//!
//! [`SavedObject`] is a document that is known to be a save. Nothing is taken out of its
//! [`Document`](resonite_brson::value::Document): [`Slot`], [`Component`] and [`Member`] are views, so keys
//! that are not known stay where they are, and unchanged parts are written back the same.
//!
//! ```
//! use resonite_save::model::{Members, SavedObject, SlotPath};
//!
//! let mut object = SavedObject::new("2026.8.12.1196", "Lamp");
//! let bulb = object.add_slot(&SlotPath::root(), "Bulb")?;
//! let light = Members::new().field("Intensity", 1.5).field("Range", 10.0);
//! object.add_component(&bulb, "[FrooxEngine]FrooxEngine.Light", light)?;
//!
//! let names: Vec<_> = object.slots().filter_map(|(_, slot)| slot.name()).collect();
//! assert_eq!(names, ["Lamp", "Bulb"]);
//! let (path, light) = object.find_components("Light").next().expect("it was added");
//! assert_eq!(object.show_component(&path), "Lamp/Bulb:Light");
//! assert_eq!(light.member("Range").and_then(|member| member.value()?.as_f64()), Some(10.0));
//! assert!(object.index().dangling().is_empty());
//! # #[cfg(feature = "brotli")] {
//! let file = resonite_brson::to_vec(&object)?; // a .brson
//! assert_eq!(resonite_brson::from_slice::<SavedObject>(&file)?, object);
//! # }
//! # Ok::<(), resonite_brson::Error>(())
//! ```
//!
//! NeosVR's saves have no list of types: their components name them. [`SavedObject::is_legacy`]
//! tells; everything here works for both.

mod arrange;
mod build;
mod component;
mod edit;
mod index;
mod leaves;
mod member;
mod object;
mod part;
mod path;
mod places;
mod redact;
mod slot;
mod type_name;
mod urls;
mod verify;
mod walk;

pub use build::Members;
pub use component::{Component, ComponentMut, TypeRef};
pub use edit::{Extracted, Inserted, Stripped};
pub use index::{Defined, Index, Reference};
pub use member::Member;
pub use object::SavedObject;
pub use path::{ComponentPath, SlotPath};
pub use places::{Places, numbered};
#[cfg(feature = "package")]
pub(crate) use redact::Redactor;
pub use slot::{Slot, SlotMut};
pub use type_name::TypeName;
#[cfg(feature = "package")]
pub(crate) use urls::urls_of;
pub use verify::Problem;
pub use walk::{Components, Slots};

/// Whether a text is written as an identifier: 36 characters of a GUID.
pub fn is_id(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
