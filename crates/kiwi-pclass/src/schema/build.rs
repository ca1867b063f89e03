//! Schemas from constants, and from several sources.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Class, Container, EnumOptions, Kind, Property, Schema};
use crate::types::PropertyFlags;
use crate::{Game, Result};

/// A class as a constant.
#[derive(Clone, Copy, Debug)]
pub struct ClassDef {
    /// The whole C++ name: `class CoreObject`.
    pub name: &'static str,
    /// The classes it is derived from, nearest first, without `class `.
    pub bases: &'static [&'static str],
    /// All properties in the order of their ids, inherited ones included.
    pub properties: &'static [PropertyDef],
    /// The hash; `None` to compute it from the name.
    pub hash: Option<u32>,
}

impl ClassDef {
    /// A class whose hash is that of its name.
    #[must_use]
    pub const fn new(
        name: &'static str,
        bases: &'static [&'static str],
        properties: &'static [PropertyDef],
    ) -> Self {
        ClassDef { name, bases, properties, hash: None }
    }

    /// The same with another hash.
    #[must_use]
    pub const fn hash(mut self, hash: u32) -> Self {
        self.hash = Some(hash);
        self
    }
}

/// A property as a constant.
#[derive(Clone, Copy, Debug)]
pub struct PropertyDef {
    /// Its name: `m_id`.
    pub name: &'static str,
    /// Its C++ type, of the elements for containers.
    pub type_name: &'static str,
    /// Its flags, see [`PropertyFlags`].
    pub flags: u32,
    /// One value or a list.
    pub container: Container,
    /// Names of an enum or of bit flags.
    pub options: &'static [(&'static str, u32)],
    /// The value of a new object's enum.
    pub default: Option<u32>,
    /// The hash; `None` to compute it from type and name.
    pub hash: Option<u32>,
}

impl PropertyDef {
    /// One value whose hash is that of type and name.
    #[must_use]
    pub const fn new(name: &'static str, type_name: &'static str, flags: u32) -> Self {
        PropertyDef {
            name,
            type_name,
            flags,
            container: Container::Static,
            options: &[],
            default: None,
            hash: None,
        }
    }

    /// The same as a list.
    #[must_use]
    pub const fn container(mut self, container: Container) -> Self {
        self.container = container;
        self
    }

    /// The same with the names of an enum's values.
    #[must_use]
    pub const fn options(mut self, options: &'static [(&'static str, u32)]) -> Self {
        self.options = options;
        self
    }

    /// The same with an enum's default.
    #[must_use]
    pub const fn default_value(mut self, value: u32) -> Self {
        self.default = Some(value);
        self
    }

    /// The same with another hash.
    #[must_use]
    pub const fn hash(mut self, hash: u32) -> Self {
        self.hash = Some(hash);
        self
    }
}

/// Gathers classes. A class that is there already stays as it is, so that a list of the server's
/// classes adds to the client's.
#[derive(Debug, Default)]
pub struct SchemaBuilder {
    pub(super) game: Game,
    classes: Vec<Arc<Class>>,
    names: HashSet<Box<str>>,
}

impl SchemaBuilder {
    /// Whose hashes are computed where none are given. Default [`Game::Wizard101`]; to be said
    /// before the classes.
    #[must_use]
    pub fn game(mut self, game: Game) -> Self {
        self.game = game;
        self
    }

    /// Adds a class.
    ///
    /// # Errors
    /// A property that is there twice.
    pub fn class(mut self, class: &ClassDef) -> Result<Self> {
        let properties = class.properties.iter().enumerate();
        let properties = properties
            .map(|(at, def)| {
                let is_bits = def.flags & PropertyFlags::BITS.0 != 0;
                let options = EnumOptions {
                    entries: def.options.iter().map(|(name, v)| ((*name).into(), *v)).collect(),
                    default: def.default,
                    is_bits,
                };
                let id = u32::try_from(at).unwrap_or(u32::MAX);
                property(
                    (def.name, def.type_name),
                    id,
                    (PropertyFlags(def.flags), def.container),
                    def.hash.unwrap_or(self.game.property_hash(def.type_name, def.name)),
                    (!def.options.is_empty()).then_some(options),
                )
            })
            .collect();
        let bases = class.bases.iter().map(|base| (*base).into()).collect();
        let hash = class.hash.unwrap_or(self.game.class_hash(class.name));
        self.add(Class::new(class.name.into(), hash, bases, properties)?);
        Ok(self)
    }

    /// Adds several classes.
    ///
    /// # Errors
    /// As [`class`](Self::class).
    pub fn classes(self, classes: &[ClassDef]) -> Result<Self> {
        classes.iter().try_fold(self, |builder, class| builder.class(class))
    }

    /// Adds the classes of a type list in JSON, wiztype version 1 or 2.
    ///
    /// # Errors
    /// What is no type list, with what is wrong in it.
    #[cfg(feature = "json")]
    pub fn json(mut self, json: &[u8]) -> Result<Self> {
        for class in super::json::read(json, self.game)? {
            self.add(class);
        }
        Ok(self)
    }

    /// Adds the classes of another schema.
    #[must_use]
    pub fn merge(mut self, other: &Schema) -> Self {
        for class in other.classes() {
            self.add_shared(Arc::clone(class));
        }
        self
    }

    pub(super) fn add(&mut self, class: Class) {
        self.add_shared(Arc::new(class));
    }

    pub(super) fn add_shared(&mut self, class: Arc<Class>) {
        if self.names.insert(class.name.clone()) {
            self.classes.push(class);
        }
    }

    /// The schema.
    ///
    /// # Errors
    /// Two classes with one hash.
    pub fn build(self) -> Result<Schema> {
        Schema::from_classes(self.classes, self.game, false)
    }
}

/// Flags and type together say what is an enum.
pub(super) fn property(
    (name, type_name): (&str, &str),
    id: u32,
    (flags, container): (PropertyFlags, Container),
    hash: u32,
    options: Option<EnumOptions>,
) -> Property {
    let named = flags.0 & (PropertyFlags::BITS | PropertyFlags::ENUM).0 != 0;
    let kind = if named { Kind::Enum } else { Kind::from_type_name(type_name) };
    let options = options.map(Arc::new);
    let (name, type_name) = (name.into(), type_name.into());
    Property { name, type_name, hash, id, flags, container, kind, options }
}
