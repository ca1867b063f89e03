//! Headers of core objects: the objects of the game world, whose class is said by a type byte.
//!
//! In messages about the game world each object begins with six bytes: a core type, a template type
//! and 32 bits. With types 0 and 0 the bits are the class hash as usual; otherwise they are the id of
//! the object's template, and the core type says the class, by a table that the caller gives.
//!
//! A [`Value`](crate::Value) keeps the header ([`Object::core`](crate::value::Object::core)); a Rust struct
//! has it as a field that serde calls `$core`, before all other fields:
//!
//! ```
//! use kiwi_pclass::Options;
//! use kiwi_pclass::core_object::{CoreHeader, CoreTypes};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! #[serde(rename = "class ClientObject")]
//! struct ClientObject {
//!     #[serde(rename = "$core")]
//!     core: CoreHeader,
//!     m_scale: f32,
//! }
//!
//! let options = Options::new().core_types(CoreTypes::new().with(2, "class ClientObject"));
//! let object = ClientObject { core: CoreHeader::new(2, 2, 12345), m_scale: 1.5 };
//! let bytes = options.to_vec(&object)?;
//! assert_eq!(bytes[..6], [2, 2, 0x39, 0x30, 0, 0]);
//! assert_eq!(options.from_slice::<ClientObject>(&bytes)?, object);
//! # Ok::<(), kiwi_pclass::Error>(())
//! ```
use std::collections::BTreeMap;

use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// Which class each core type is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreTypes {
    classes: BTreeMap<u8, Box<str>>,
}

impl CoreTypes {
    /// No core types: every object names its class by hash.
    pub const fn new() -> Self {
        CoreTypes { classes: BTreeMap::new() }
    }

    /// The same with one more type: the first byte of a header, and the class it stands for.
    #[must_use]
    pub fn with(mut self, core_type: u8, class: &str) -> Self {
        self.classes.insert(core_type, class.into());
        self
    }

    /// The core types of Wizard101 that are publicly known.
    pub fn wizard101() -> Self {
        [
            (2, "class ClientObject"),
            (5, "class ClientObject"),
            (9, "class ClientObject"),
            (104, "class WizClientObject"),
            (106, "class WizClientPet"),
            (108, "class WizClientMount"),
            (115, "class WizClientObjectItem"),
            (131, "class ClientRecipe"),
            (132, "class ClientReagentItem"),
        ]
        .into_iter()
        .fold(CoreTypes::new(), |types, (core_type, class)| types.with(core_type, class))
    }

    /// The class of a core type.
    pub fn class(&self, core_type: u8) -> Option<&str> {
        self.classes.get(&core_type).map(|name| &**name)
    }

    /// All types, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u8, &str)> {
        self.classes.iter().map(|(core_type, class)| (*core_type, &**class))
    }
}

/// The header of a core object. With both types 0 an object has a class hash instead, so such a
/// header cannot be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CoreHeader {
    /// The core type, which decides the class.
    pub block: u8,
    /// The template type.
    pub template_type: u8,
    /// Id of the object's template.
    pub template_id: u32,
}

impl CoreHeader {
    /// A header of core type, template type and template id.
    pub const fn new(block: u8, template_type: u8, template_id: u32) -> Self {
        CoreHeader { block, template_type, template_id }
    }
}

/// The name under which structs have the header.
pub(crate) const FIELD: &str = "$core";

/// In other formats the three numbers in a row.
impl Serialize for CoreHeader {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.block, self.template_type, self.template_id).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for CoreHeader {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (block, template_type, template_id) = Deserialize::deserialize(deserializer)?;
        Ok(CoreHeader { block, template_type, template_id })
    }
}
