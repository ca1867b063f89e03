//! Schemas from constants, and from several sources.
use std::sync::Arc;

use super::{Class, Container, EnumOptions, Hint, Kind, Number, Property, Scalar, Schema};
use crate::hash::Game;
use crate::setters::setters;
use crate::types::PropertyFlags;
use crate::write::Writer;
use crate::{Error, ErrorKind, Result, Value};
use std::collections::HashMap as Map;

/// A class as a constant.
#[derive(Clone, Copy, Debug)]
pub struct ClassDef {
    /// The whole C++ name: `class CoreObject`.
    pub name: &'static str,
    /// The classes it is derived from, nearest first, without `class `.
    pub bases: &'static [&'static str],
    /// All properties in the order of their ids, inherited ones included; without those of
    /// [`base`](Self::base), if there is one.
    pub properties: &'static [PropertyDef],
    /// The hash; `None` to compute it from the name.
    pub hash: Option<u32>,
    /// The whole name of a class whose properties come before its own. It is added first.
    pub base: Option<&'static str>,
}

impl ClassDef {
    /// A class whose hash is that of its name.
    pub const fn new(
        name: &'static str,
        bases: &'static [&'static str],
        properties: &'static [PropertyDef],
    ) -> Self {
        ClassDef { name, bases, properties, hash: None, base: None }
    }
}

setters! { ClassDef;
    /// The same with the properties of another class before its own.
    derived_from(base: &'static str) => base = Some(base);
    /// The same with another hash.
    hash(hash: u32) => hash = Some(hash);
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
    /// The value of a new object that is no enum, as text: `1.5`, `true`.
    pub default_text: Option<&'static str>,
    /// Why its layout is not known, if it is not: `is in the container …`.
    pub oddity: Option<&'static str>,
    /// The hash; `None` to compute it from type and name.
    pub hash: Option<u32>,
}

impl PropertyDef {
    /// One value whose hash is that of type and name.
    pub const fn new(name: &'static str, type_name: &'static str, flags: u32) -> Self {
        PropertyDef {
            name,
            type_name,
            flags,
            container: Container::Static,
            options: &[],
            default: None,
            default_text: None,
            oddity: None,
            hash: None,
        }
    }

    /// The same with the names of an enum's values.
    #[must_use]
    pub const fn options(mut self, options: &'static [(&'static str, u32)]) -> Self {
        self.options = options;
        self
    }
}

setters! { PropertyDef;
    /// The same as a list.
    container(container: Container) => container = container;
    /// The same with an enum's default.
    default_value(value: u32) => default = Some(value);
    /// The same with the value of a new object, as text.
    default_text(text: &'static str) => default_text = Some(text);
    /// The same, of a layout that is not known, with the reason.
    unsupported(oddity: &'static str) => oddity = Some(oddity);
    /// The same with another hash.
    hash(hash: u32) => hash = Some(hash);
}

/// Gathers classes, as a list of the server's classes adds to the client's. A class that is in
/// several sources must be the same in all of them; see [`keep_first`](Self::keep_first).
#[derive(Debug, Default)]
pub struct SchemaBuilder {
    pub(super) game: Game,
    classes: Vec<Arc<Class>>,
    /// Places among the classes.
    names: Map<Box<str>, usize>,
    keep_first: bool,
    /// The first class that two sources have in two ways.
    clash: Option<String>,
}

setters! { SchemaBuilder;
    /// Whose hashes are computed where none are given. Default [`Game::Wizard101`]; to be said
    /// before the classes.
    game(game: Game) => game = game;
    /// Takes of a class that several sources have in different ways the first. Default `false`: that
    /// is an error.
    keep_first(keep: bool) => keep_first = keep;
}

impl SchemaBuilder {
    /// Adds a class.
    ///
    /// # Errors
    /// A property that occurs twice, or a base that was not added before.
    pub fn class(mut self, class: &ClassDef) -> Result<Self> {
        let mut all = match class.base {
            Some(base) => self.properties_of(base, class.name)?,
            None => Vec::new(),
        };
        let inherited = all.len();
        let properties = class.properties.iter().enumerate();
        let properties = properties.map(|(at, def)| {
            let is_bits = def.flags & PropertyFlags::BITS.0 != 0;
            let options = EnumOptions {
                entries: def.options.iter().map(|(name, v)| ((*name).into(), *v)).collect(),
                default: def.default,
                is_bits,
                ..EnumOptions::default()
            };
            let id = u32::try_from(at.saturating_add(inherited)).unwrap_or(u32::MAX);
            let mut property = property(
                (def.name, def.type_name),
                id,
                (PropertyFlags(def.flags), def.container),
                def.hash.unwrap_or(self.game.property_hash(def.type_name, def.name)),
                (!def.options.is_empty()).then_some(options),
            );
            property.default = default_of_text(&property.kind, def.default_text);
            if let Some(oddity) = def.oddity {
                property.set_odd(oddity.to_owned());
            }
            property
        });
        all.extend(properties);
        let bases = class.bases.iter().map(|base| (*base).into()).collect();
        let hash = class.hash.unwrap_or(self.game.class_hash(class.name));
        self.add(Class::new(class.name.into(), hash, bases, all)?);
        Ok(self)
    }

    fn properties_of(&self, base: &str, class: &str) -> Result<Vec<Property>> {
        let place = self.names.get(base).and_then(|place| self.classes.get(*place));
        let base = place.ok_or_else(|| {
            let message = format!("`{class}` is derived from `{base}`, which was not added before");
            Error::new(ErrorKind::Schema, message)
        })?;
        Ok(base.properties().to_vec())
    }

    /// Adds several classes.
    ///
    /// # Errors
    /// As [`class`](Self::class).
    pub fn classes(self, classes: &[ClassDef]) -> Result<Self> {
        classes.iter().try_fold(self, |builder, class| builder.class(class))
    }

    /// Adds the classes of a type list in JSON, wiztype version 1 or 2. It needs the feature `json`.
    ///
    /// # Errors
    /// Text that is no type list, with the place of the fault; without the feature, an error that names it.
    pub fn json(mut self, json: &[u8]) -> Result<Self> {
        for class in super::json::read(json, self.game)? {
            self.add(class);
        }
        Ok(self)
    }

    /// Adds the classes of a type list in KingsIsle's own XML.
    ///
    /// # Errors
    /// Text that is no type list, with the place of the fault.
    #[cfg(feature = "xml")]
    pub fn xml(mut self, xml: &[u8]) -> Result<Self> {
        for class in super::xml::read(xml, self.game)? {
            self.add(class);
        }
        Ok(self)
    }

    /// Adds the classes of a type list, in JSON as by [`json`](Self::json) or in XML as by [`xml`](Self::xml): text
    /// that begins with `<` is XML.
    ///
    /// # Errors
    /// As those two.
    #[cfg(feature = "xml")]
    pub fn list(self, list: &[u8]) -> Result<Self> {
        let text = list.strip_prefix(b"\xef\xbb\xbf").unwrap_or(list).trim_ascii_start();
        if text.starts_with(b"<") { self.xml(list) } else { self.json(list) }
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
        let place = self.classes.len();
        let first = *self.names.entry(class.name.clone()).or_insert(place);
        match self.classes.get(first) {
            None => self.classes.push(class),
            Some(other) if self.clash.is_none() && !Arc::ptr_eq(other, &class) => {
                let name = &class.name;
                self.clash = other.difference(&class).map(|why| {
                    format!("the class `{name}` is there twice and not the same: {why}")
                });
            }
            Some(_) => {}
        }
    }

    /// The schema.
    ///
    /// # Errors
    /// Two classes with one hash, or one class in two ways.
    pub fn build(self) -> Result<Schema> {
        if let Some(clash) = self.clash.filter(|_| !self.keep_first) {
            return Err(Error::new(ErrorKind::Schema, clash));
        }
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
    // Only enums of Rust have both options and classes.
    let options = options.filter(|_| kind != Kind::Object).map(Arc::new);
    let (name, type_name) = (name.into(), type_name.into());
    let (default, oddity, hint) = (None, None, Hint::NONE);
    Property { name, type_name, hash, id, flags, container, kind, options, default, oddity, hint }
}

/// The default of what is no enum, from its text.
pub(super) fn default_of_text(kind: &Kind, text: Option<&str>) -> Option<Value> {
    let text = text?;
    let whole = || -> Option<Number> {
        let number = text.trim().parse().ok().map(Number::Int);
        number.or_else(|| text.trim().parse().ok().map(Number::UInt))
    };
    match kind {
        Kind::Bool => match text.trim() {
            "true" | "1" => Some(Value::Bool(true)),
            "false" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        Kind::Scalar(Scalar::F32) => text.trim().parse().ok().map(Value::Float),
        Kind::Scalar(Scalar::F64) => text.trim().parse().ok().map(Value::Double),
        Kind::Scalar(scalar) => scalar.declare(whole()?).map(Value::from),
        Kind::Bits { width, signed } => {
            let number = whole()?;
            Writer::default().small(*width, *signed, number).ok()?;
            Some(if *signed { Value::Int(number.fit()?) } else { Value::UInt(number.fit()?) })
        }
        Kind::String => Some(text.into()),
        Kind::WString => Some(Value::WString(text.into())),
        _ => None,
    }
}
