use crate::Value;
use crate::types::{GString, ObjectId, escaped_in_lines, quoted};
use std::fmt;

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
    /// A resource beside the value, in the text of a scene or resource file; read with
    /// [`references`](crate::Options::references). No `store_var` has it.
    Reference(Box<Reference>),
}

/// A resource that a value of a scene or resource file refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reference {
    /// A resource in a file of its own, by its id in this file: `ExtResource("1_a")`.
    External(GString),
    /// A resource in this file, by its id: `SubResource("Gradient_x")`.
    Internal(GString),
    /// A resource in a file of its own: `Resource("res://a.png")`.
    File {
        /// The `uid://` text; empty where there is none.
        uid: GString,
        /// The path; empty where there is only a uid.
        path: GString,
    },
}

impl Reference {
    /// A resource in a file of its own, by its `res://` path or its uid.
    pub fn file(path: &str) -> Self {
        match path.starts_with("uid://") {
            true => Reference::File { uid: path.into(), path: GString::default() },
            false => Reference::File { uid: GString::default(), path: path.into() },
        }
    }
}

impl From<Reference> for Value {
    fn from(reference: Reference) -> Self {
        Value::Object(Object::Reference(Box::new(reference)))
    }
}

impl fmt::Display for Reference {
    /// As the text of a file of 4.x has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, id) = match self {
            Reference::External(id) => ("ExtResource", id),
            Reference::Internal(id) => ("SubResource", id),
            Reference::File { uid, path } if path.is_empty() => ("Resource", uid),
            Reference::File { path, .. } => ("Resource", path),
        };
        let mut text = String::new();
        if let Reference::File { uid, path } = self
            && !uid.is_empty()
            && !path.is_empty()
        {
            quoted(&mut text, "\"", uid, escaped_in_lines);
            text.push_str(", ");
        }
        quoted(&mut text, "\"", id, escaped_in_lines);
        write!(f, "{word}({text})")
    }
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

    /// The reference.
    pub fn as_reference(&self) -> Option<&Reference> {
        match self {
            Object::Reference(reference) => Some(reference),
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
