//! Rust types from files, and files from Rust types.

use std::collections::HashMap;

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use godot_variant::Value;
use godot_variant::types::{ElementType, Type};
use godot_variant::value::{Dictionary, Object, Reference};

use crate::contents::{Contents, Properties, depth, replace_values};
use crate::scene::weight;
use crate::{Error, ErrorKind, Options, Result};

impl Options {
    /// Reads a Rust type from a file of either form, as [`from_slice`](crate::from_slice) does.
    ///
    /// # Errors
    /// As [`open`](Self::open); data that does not fit `T`.
    pub fn from_slice<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T> {
        let value = self.open(bytes)?.resolved(self, bytes.len())?;
        self.values().from_value(&value)
    }

    /// Reads a Rust type from text, as [`from_str`](crate::from_str) does.
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice).
    pub fn from_str<T: DeserializeOwned>(&self, text: &str) -> Result<T> {
        self.from_slice(text.as_bytes())
    }

    /// Writes a Rust type as the text of a resource, as [`to_string`](crate::to_string) does.
    ///
    /// # Errors
    /// Anything but a struct or map; a value that text cannot say; a limit.
    pub fn to_string<T: Serialize + ?Sized>(&self, value: &T) -> Result<String> {
        Ok(Contents::of(value, self)?.to_text(self)?.file)
    }

    /// Writes a Rust type as the binary form of a resource, as [`to_vec`](crate::to_vec) does.
    ///
    /// # Errors
    /// Anything but a struct or map; a value that the form cannot hold; a limit.
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        Ok(Contents::of(value, self)?.to_binary(self)?.file)
    }
}

impl Contents {
    /// A resource with the properties of a struct or map.
    fn of<T: Serialize + ?Sized>(value: &T, options: &Options) -> Result<Contents> {
        let value = options.values().to_value(value)?;
        let Some(entries) = value.as_dictionary() else {
            let text = format!("expected a struct of properties, found {}", value.kind());
            return Err(Error::new(ErrorKind::Data, text));
        };
        let mut contents = Contents::new("Resource");
        for (key, value) in entries {
            let Some(name) = key.as_str() else {
                let text = format!("expected the name of a property, found {}", key.kind());
                return Err(Error::new(ErrorKind::Data, text));
            };
            contents.properties.push((name.into(), value.clone()));
        }
        Ok(contents)
    }

    /// Reads a Rust type: from the properties of the main resource, or from a map of nodes.
    ///
    /// Resources in the file are read where they are referred to, as structs of their properties; files are
    /// read as their paths. The nodes of a scene are by their paths from the root, which is `.`, and each is
    /// a struct of its properties.
    ///
    /// # Errors
    /// A resource that is not before its use; data that does not fit `T`; a limit.
    pub fn read<T: DeserializeOwned>(&self, options: &Options) -> Result<T> {
        options.values().from_value(&self.resolved(options, 0)?)
    }

    /// One value of the whole file, without references. `len` bytes were read.
    fn resolved(&self, options: &Options, len: usize) -> Result<Value> {
        let mut resolver = Resolver {
            contents: self,
            resources: HashMap::new(),
            left: options.limits.memory(len),
            options,
        };
        for own in &self.resources {
            let inside = |error: Error| error.inside(own.id.as_str());
            let value = resolver.properties(&own.properties).map_err(inside)?;
            let size = weight(&value);
            resolver.resources.insert(&own.id, (value, size));
        }
        let Some(scene) = &self.scene else { return resolver.properties(&self.properties) };
        let mut nodes = Dictionary::new();
        for node in &scene.nodes {
            let path = node.path().to_string();
            let read = resolver.properties(&node.properties);
            nodes.insert(&*path, read.map_err(|error| error.inside(&*path))?);
        }
        Ok(nodes.into())
    }
}

/// Puts resources in place of references.
struct Resolver<'a> {
    contents: &'a Contents,
    /// Those that were read, with the memory that they take.
    resources: HashMap<&'a str, (Value, usize)>,
    left: usize,
    options: &'a Options,
}

impl Resolver<'_> {
    fn properties(&mut self, properties: &Properties) -> Result<Value> {
        let mut all = Vec::with_capacity(properties.len());
        for (name, value) in properties {
            let inside = |error: Error| error.inside(name.as_str());
            all.push((Value::String(name.clone()), self.value(value).map_err(inside)?));
        }
        Ok(Value::Dictionary(all.into()))
    }

    fn value(&mut self, value: &Value) -> Result<Value> {
        let mut value = value.clone();
        let mut failed = None;
        replace_values(&mut value, &mut |value| {
            if failed.is_some() {
                return false;
            }
            let reference = match value {
                Value::Object(Object::Reference(reference)) => (**reference).clone(),
                other => {
                    self.retype(other);
                    return true;
                }
            };
            match self.reference(&reference) {
                Ok(found) => *value = found,
                Err(error) => failed = Some(error),
            }
            false
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let most = self.options.limits.max_depth;
        if depth(&value) > most {
            let text = format!("nested deeper than max_depth, which is {most}");
            return Err(Error::new(ErrorKind::DepthLimit, text));
        }
        Ok(value)
    }

    fn reference(&mut self, reference: &Reference) -> Result<Value> {
        if let Reference::Internal(id) = reference {
            let Some((value, weight)) = self.resources.get(id.as_str()) else {
                let text = format!("expected a resource that stands before, found {reference}");
                return Err(Error::new(ErrorKind::Data, text));
            };
            self.left = self.left.checked_sub(*weight).ok_or_else(|| {
                let text = "more than max_memory to hold, as resources are referred to again";
                Error::new(ErrorKind::MemoryLimit, text)
            })?;
            return Ok(value.clone());
        }
        match self.contents.path(reference) {
            Some(path) => Ok(path.into()),
            None => {
                let text = format!("expected a resource that the file has, found {reference}");
                Err(Error::new(ErrorKind::Data, text))
            }
        }
    }

    /// Arrays of resources hold what these are made of, so that their types say nothing more.
    fn retype(&self, value: &mut Value) {
        let is_object = |element: &ElementType| element.builtin() == Some(Type::Object);
        match value {
            Value::TypedArray(array) if is_object(&array.element) => {
                *value = Value::Array(std::mem::take(&mut array.items));
            }
            Value::TypedDictionary(typed) if is_object(&typed.key) || is_object(&typed.value) => {
                *value = Value::Dictionary(std::mem::take(&mut typed.entries));
            }
            _ => {}
        }
    }
}
