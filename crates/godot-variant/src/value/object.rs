use crate::Value;
use crate::types::{GString, ObjectId};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// An object, in one of the three ways in which it is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Object {
    /// No object. Engines write it as nil.
    #[default]
    Null,
    /// An object by its id; the engine makes an `EncodedObjectAsID` of it.
    Id(ObjectId),
    /// A whole object, read and written only with
    /// [`allow_objects`](crate::Options::allow_objects).
    Instance(Box<Instance>),
}

/// A whole object: its class and the properties that it stores.
#[derive(Default, PartialEq, Eq, Hash)]
pub struct Instance {
    /// Name of the engine's class.
    pub class: GString,
    /// Property names and values in wire order. `script` is nil or the `res://` path of the
    /// script (4.3 on) and stands where the engine put it, because it is set in that order.
    pub properties: Vec<(GString, Value)>,
}

impl Object {
    /// The whole object.
    pub fn as_instance(&self) -> Option<&Instance> {
        match self {
            Object::Instance(instance) => Some(instance),
            _ => None,
        }
    }
}

impl Instance {
    /// An object without properties.
    pub fn new(class: &str) -> Self {
        Instance { class: class.into(), properties: Vec::new() }
    }

    /// The value of a property.
    pub fn get(&self, property: &str) -> Option<&Value> {
        self.properties.iter().find(|(name, _)| *name == property).map(|(_, value)| value)
    }

    /// The value of a property, to change.
    pub fn get_mut(&mut self, property: &str) -> Option<&mut Value> {
        self.properties.iter_mut().find(|(name, _)| *name == property).map(|(_, value)| value)
    }
}
