//! Schemas from Rust types.
//!
//! A type is shown made-up values and asked what it reads; a value is asked what it writes. Both
//! give [`Form`]s, and those become classes.

mod de;
mod ser;
use std::sync::Arc;
use std::sync::LazyLock;

pub(super) use de::infer;
pub(crate) use ser::infer_from_value;

use super::build::property;
use super::kind::BUILTIN;
use super::{Class, Container, EnumOptions, Kind, Property, Schema};
use crate::hash::Game;
use crate::types::{MARK, PropertyFlags, RAW_POINTER, SHARED_POINTER};
use crate::{Error, ErrorKind, Result};
use std::collections::HashMap as Map;

/// The type of a value, as far as it is known.
#[derive(Clone, Debug, Default)]
enum Form {
    #[default]
    Unknown,
    /// A C++ type.
    Simple(&'static str),
    /// A type of this crate, and what it wraps: an option in a pointer.
    Native(&'static str, Box<Form>),
    /// An enum of unit variants.
    Enum(&'static str),
    /// A class, or an enum over classes.
    Object(&'static str),
    List(Box<Form>),
    Map(Box<[Form; 2]>),
    Option(Box<Form>),
    Tuple(Vec<Form>),
}

type Fields = Vec<(&'static str, Form)>;

/// Classes and enums, as far as they are known.
#[derive(Default)]
struct Tracer {
    /// Names in the order in which they were met.
    order: Vec<&'static str>,
    classes: Map<&'static str, Fields>,
    /// Names of the variants of enums, with their indices.
    enums: Map<&'static str, Vec<(&'static str, u32)>>,
    depth: usize,
}

impl Tracer {
    fn class(&mut self, name: &'static str) -> &mut Fields {
        if !self.classes.contains_key(name) {
            self.order.push(name);
        }
        self.classes.entry(name).or_default()
    }

    fn enter(&mut self) -> Result<()> {
        const MAX: usize = 320;
        self.depth = self.depth.saturating_add(1);
        if self.depth > MAX {
            let message = format!("more than {MAX} levels of Rust types are inside one another");
            return Err(Error::new(ErrorKind::DepthLimit, message));
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn finish(self, game: Game) -> Result<Schema> {
        let classes = self.order.iter().map(|name| {
            let fields = self.classes.get(name).map(Vec::as_slice).unwrap_or_default();
            let properties = fields
                .iter()
                .filter(|(field, _)| *field != crate::core_object::FIELD)
                .zip(0..)
                .map(|((field, form), id)| self.property(field, form, id, game))
                .collect();
            Class::new((*name).into(), game.class_hash(name), Vec::new(), properties).map(Arc::new)
        });
        Schema::from_classes(classes.collect::<Result<_>>()?, game, true)
    }

    fn property(&self, name: &str, form: &Form, id: u32, game: Game) -> Property {
        let mut flags = PropertyFlags::INFERRED;
        let mut inner = form;
        if let Form::Option(some) = form {
            flags |= PropertyFlags::DELTA_ENCODE;
            inner = some;
        }
        let mut options = None;
        let (container, (type_name, kind)) = match inner {
            Form::List(element) => (Container::Vector, self.kind(element, &mut options)),
            Form::Map(pair) => {
                let kinds = pair.each_ref().map(|form| self.kind(form, &mut options).1);
                (Container::Vector, (String::new(), Kind::Tuple(kinds.into())))
            }
            other => (Container::Static, self.kind(other, &mut options)),
        };
        let hash = game.property_hash(&type_name, name);
        let place = (flags, container);
        Property { kind, options, ..property((name, &type_name), id, place, hash, None) }
    }

    /// The class of an object, or of those that an enum is over.
    fn class_of(&self, form: &Form) -> Option<&'static str> {
        match form {
            Form::Object(name) => Some(name),
            // At other places the enum may have been met with variants that have content.
            Form::Enum(name) if !self.enums.contains_key(name) => Some(name),
            _ => None,
        }
    }

    /// C++ type and encoding. What the games do not have has no type name.
    fn kind(&self, form: &Form, options: &mut Option<Arc<EnumOptions>>) -> (String, Kind) {
        let unnamed = |kind| (String::new(), kind);
        match form {
            Form::Unknown => unnamed(Kind::Unseen),
            Form::Simple(name) => ((*name).to_owned(), Kind::from_type_name(name)),
            Form::Native(mark @ (RAW_POINTER | SHARED_POINTER), inner) => {
                let object = if let Form::Option(object) = &**inner { object } else { inner };
                let class = self.class_of(object).unwrap_or_default();
                let name = match (*mark, class) {
                    (_, "") => String::new(),
                    (RAW_POINTER, class) => format!("{class}*"),
                    (_, class) => format!("class SharedPointer<{class}>"),
                };
                (name, Kind::Object)
            }
            Form::Native(name, inner) => {
                let bare = name.trim_start_matches(MARK);
                let mut name = bare.to_owned();
                if let ("class Size" | "class Point" | "class Rect", Form::Tuple(components)) =
                    (bare, &**inner)
                    && let Some(Form::Simple(component)) = components.first()
                {
                    name = format!("{bare}<{component}>");
                }
                let kind = Kind::from_type_name(&name);
                (name, kind)
            }
            Form::Enum(name) if self.class_of(form).is_none() => {
                let entries = self.enums.get(name).into_iter().flatten();
                let entries = entries.map(|(name, value)| ((*name).into(), *value)).collect();
                let known = EnumOptions { entries, default: None, is_bits: false };
                options.get_or_insert_with(|| Arc::new(known));
                ((*name).to_owned(), Kind::Enum)
            }
            Form::Object(name) | Form::Enum(name) => ((*name).to_owned(), Kind::Object),
            Form::List(element) => unnamed(Kind::List(Arc::new(self.kind(element, options).1))),
            Form::Map(pair) => {
                let kinds = pair.each_ref().map(|form| self.kind(form, options).1);
                unnamed(Kind::List(Arc::new(Kind::Tuple(kinds.into()))))
            }
            Form::Option(some) => unnamed(Kind::Optional(Arc::new(self.kind(some, options).1))),
            Form::Tuple(members) => {
                let kinds = members.iter().map(|form| self.kind(form, options).1).collect();
                unnamed(Kind::Tuple(kinds))
            }
        }
    }
}

/// Puts together what is known of one place from two sources.
fn merge(form: &mut Form, other: Form) {
    match (form, other) {
        // A value may show a plain enum first, and another one its classes.
        (form @ Form::Unknown, other) | (form @ Form::Enum(_), other @ Form::Object(_)) => {
            *form = other;
        }
        (Form::Option(form), Form::Option(other))
        | (Form::List(form), Form::List(other))
        | (Form::Native(_, form), Form::Native(_, other)) => merge(form, *other),
        (Form::Map(form), Form::Map(other)) => {
            form.iter_mut().zip(*other).for_each(|(form, other)| merge(form, other));
        }
        (Form::Tuple(forms), Form::Tuple(others)) => {
            forms.iter_mut().zip(others).for_each(|(form, other)| merge(form, other));
        }
        _ => {}
    }
}

fn merge_fields(fields: &mut Fields, others: Fields) {
    for (name, other) in others {
        match fields.iter_mut().find(|(field, _)| *field == name) {
            Some((_, form)) => merge(form, other),
            None => fields.push((name, other)),
        }
    }
}

/// The C++ type whose hash this is, if it is one without a class.
pub(crate) fn builtin_type(hash: u32, game: Game) -> Option<&'static str> {
    type Hashes = Map<u32, &'static str>;
    static WIZARD: LazyLock<Hashes> = LazyLock::new(|| hashes(Game::Wizard101));
    static PIRATE: LazyLock<Hashes> = LazyLock::new(|| hashes(Game::Pirate101));
    fn hashes(game: Game) -> Hashes {
        BUILTIN.split(", ").map(|name| (game.class_hash(name), name)).collect()
    }
    match game {
        Game::Wizard101 => WIZARD.get(&hash),
        Game::Pirate101 => PIRATE.get(&hash),
    }
    .copied()
}
