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
use std::collections::{HashMap as Map, HashSet};

/// The property of a variant whose content is no struct: the variant is a class with it alone.
pub(crate) const CONTENT: &str = "0";

/// The type of a value, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq)]
enum Form {
    #[default]
    Unknown,
    /// A C++ type.
    Simple(&'static str),
    /// A type of this crate, and what it wraps: an option in a pointer.
    Native(&'static str, Box<Form>),
    /// An enum: its variants say whether it is over classes.
    Enum(&'static str),
    /// A class.
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
    /// Names of the unit variants of enums, with their indices.
    enums: Map<&'static str, Vec<(&'static str, u32)>>,
    /// Enums that have variants which are classes.
    over_classes: HashSet<&'static str>,
    /// All names of the fields of a struct that is read, those with several names under each of them.
    shapes: Map<&'static str, &'static [&'static str]>,
    depth: usize,
}

/// Whether a unit variant is a class by its name, and no option of an enum.
fn is_class_name(variant: &str) -> bool {
    variant.starts_with("class ") || variant.starts_with("struct ")
}

impl Tracer {
    fn class(&mut self, name: &'static str) -> &mut Fields {
        if !self.classes.contains_key(name) {
            self.order.push(name);
        }
        self.classes.entry(name).or_default()
    }

    /// Adds what is known of the fields of a class.
    fn learn_fields(&mut self, class: &'static str, others: Fields) -> Result<()> {
        let fields = self.class(class);
        for (name, other) in others {
            let Some((_, form)) = fields.iter_mut().find(|(field, _)| *field == name) else {
                fields.push((name, other));
                continue;
            };
            let (own, new) = (form.words(), other.words());
            if !merge(form, other) {
                let why = format!("`{name}` is {own} in one place and {new} in another");
                return Err(two_types(class, &why));
            }
        }
        Ok(())
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
        debug_assert!(self.depth > 0, "a level that is left was entered");
        self.depth = self.depth.saturating_sub(1);
    }

    fn finish(self, game: Game) -> Result<Schema> {
        // The number of a unit variant and the hash of a class stand at one place.
        for (name, units) in self.enums.iter().filter(|(name, _)| self.over_classes.contains(*name))
        {
            let mut classes = self.order.iter().map(|class| game.class_hash(class));
            if classes.any(|hash| units.iter().any(|(_, index)| *index == hash)) {
                let message = format!("a variant of `{name}` has the number of a class's hash");
                return Err(Error::new(ErrorKind::Schema, message));
            }
        }
        let classes = self.order.iter().map(|name| {
            let fields = self.classes.get(name).map(Vec::as_slice).unwrap_or_default();
            let properties = fields
                .iter()
                .filter(|(field, _)| *field != crate::core_object::FIELD)
                .zip(0..)
                .map(|((field, form), id)| self.property(field, form, id, game))
                .collect();
            let mut class =
                Class::new((*name).into(), game.class_hash(name), Vec::new(), properties)?;
            class.is_inferred = true;
            // The names of a field follow one another. Of each field one has a value.
            let mut own = 0;
            for field in self.shapes.get(name).copied().unwrap_or_default() {
                match class.index_of(field) {
                    Some(index) => own = index,
                    None => class.aliases.push((own, field)),
                }
            }
            Ok(Arc::new(class))
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
            Form::Enum(name) if self.over_classes.contains(name) => Some(name),
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
            Form::Enum(name) => {
                let is_object = self.over_classes.contains(name);
                if let Some(units) = self.enums.get(name)
                    // Those of all that have classes too: they tell a variant without content from an object.
                    && (is_object || options.is_none())
                {
                    let known = Arc::make_mut(options.get_or_insert_default());
                    known.is_inferred = true;
                    known
                        .entries
                        .extend(units.iter().map(|(name, value)| ((*name).into(), *value)));
                }
                ((*name).to_owned(), if is_object { Kind::Object } else { Kind::Enum })
            }
            Form::Object(name) => ((*name).to_owned(), Kind::Object),
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

impl Form {
    /// For messages.
    fn words(&self) -> String {
        let name = match self {
            Form::Simple(name) | Form::Native(name, _) => name.trim_start_matches(MARK),
            Form::Enum(name) | Form::Object(name) => name,
            Form::Unknown => return "unknown".to_owned(),
            Form::List(_) => return "a list".to_owned(),
            Form::Map(_) => return "a map".to_owned(),
            Form::Option(_) => return "an option".to_owned(),
            Form::Tuple(_) => return "a tuple".to_owned(),
        };
        format!("`{name}`")
    }
}

/// A type that was made from a type list, where its fields do not say what the list does.
#[cold]
fn no_schema(class: &str) -> Error {
    let what = if class.is_empty() { String::new() } else { format!(", such as `{class}`,") };
    let message = format!(
        "types that were generated from a type list{what} need its schema: the function `schema` of their \
         module, in Options::schema"
    );
    Error::new(ErrorKind::Schema, message)
}

#[cold]
fn two_types(class: &str, why: &str) -> Error {
    let message = format!(
        "two types are called `{class}`, or one is written in two ways: {why}; give one of them another \
         name, or give a schema"
    );
    Error::new(ErrorKind::Schema, message)
}

/// Puts together what is known of one place from two sources, and returns whether it is the same.
fn merge(form: &mut Form, other: Form) -> bool {
    let both = |is_same, form: &mut Form, other| merge(form, other) && is_same;
    match (form, other) {
        (_, Form::Unknown) => true,
        (form @ Form::Unknown, other) => {
            *form = other;
            true
        }
        (Form::Option(form), Form::Option(other)) | (Form::List(form), Form::List(other)) => {
            merge(form, *other)
        }
        (Form::Native(name, form), Form::Native(other_name, other)) => {
            both(*name == other_name, form, *other)
        }
        (Form::Map(form), Form::Map(other)) => {
            let mut pairs = form.iter_mut().zip(*other);
            pairs.all(|(form, other)| merge(form, other))
        }
        (Form::Tuple(forms), Form::Tuple(others)) => {
            let is_same = forms.len() == others.len();
            let mut pairs = forms.iter_mut().zip(others);
            pairs.all(|(form, other)| both(is_same, form, other))
        }
        (Form::Simple(name), Form::Simple(other))
        | (Form::Enum(name), Form::Enum(other))
        | (Form::Object(name), Form::Object(other)) => *name == other,
        _ => false,
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
