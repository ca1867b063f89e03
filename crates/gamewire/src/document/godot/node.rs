//! The values of a file: variants, the elements of packed arrays, and the components of vectors.

use std::borrow::Cow;
use std::fmt;

use gamewire_core::bytes::part;
use godot_variant::project::ProjectSettings;
use godot_variant::types::{ElementType, Type};
use godot_variant::value::Dictionary;
use godot_variant::{Dialect, Options, Precision, Value, text as notation};

use super::Godot;
use super::grammar::{Context, Form, State, What, is_reference};
use super::made::{self, name_of};
use super::packed::{self, Element};
use crate::document::edit::{self, Given, Input};
use crate::document::error::Error;
use crate::document::json::Json;
use crate::document::node::{Rule, Typed};
use crate::document::path::{New, Step};
use crate::document::ranges::{Extent, Key, Listed, NewChild, NewKey, Piece, RangeNode, Values};
use crate::document::words::count;

type Node<'g> = RangeNode<'g, Godot>;

/// The kind of a root that is a row of values.
const STREAM: &str = "values";

/// The flag that components have 64 bits.
const WIDE: u32 = 1 << 16;

/// An element type with its whole name.
struct Full<'a>(&'a ElementType);

impl fmt::Display for Full<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ElementType::Class(name) => write!(f, "{name}"),
            ElementType::Script(path) => write!(f, "{:?}", path.as_str()),
            other => other.fmt(f),
        }
    }
}

/// The step to a key that is no text; without the notation where it cannot be written.
pub(super) fn typed_step(shown: String, key: &Value) -> Step {
    match notation::value_to_string(key, &Options::new()) {
        Ok(text) => Step::Typed(shown, text),
        Err(_) => Step::Other(shown),
    }
}

/// The key of an entry. A `String` and a `StringName` with the same text are one key for the engine.
pub(super) fn step(key: &Value) -> Step {
    match key.as_str() {
        Some(text) => Step::Key(text.to_owned()),
        None => typed_step(format!("{key:?}"), key),
    }
}

/// The text of a key, if it is a String as nearly all are: the crate's reader sets up more than that takes.
fn plain_text(key: &[u8]) -> Option<&str> {
    let (head, padded) = key.split_first_chunk::<8>()?;
    let [header, len] =
        [head.first_chunk()?, head.last_chunk()?].map(|own| u32::from_le_bytes(*own));
    let text = padded.get(..usize::try_from(len).ok()?).filter(|_| header == 4)?;
    let has_mark = text.contains(&0) || text.first() == Some(&0xef);
    std::str::from_utf8(text).ok().filter(|_| !has_mark)
}

/// The text of a name with its length and padding before it.
fn text_of(name: &[u8], options: &Options) -> Result<String, Error> {
    // With a header, it is a String.
    let variant = [&4_u32.to_le_bytes()[..], name].concat();
    let value = options.value_from_slice(&variant).map_err(unfit)?;
    value.as_str().map(str::to_owned).ok_or_else(|| Error::new("expected a name"))
}

fn unfit(error: godot_variant::Error) -> Error {
    let why = error.to_string();
    Error::new(format!("does not fit: {}", why.split(", in ").next().unwrap_or_default()))
}

impl Godot {
    /// The packed array that bytes are an element of, alone; with no bytes, an empty one.
    fn packed(
        &self,
        element: Option<&[u8]>,
        (kind, is_wide): (Type, bool),
        (form, options): (Form, &Options),
    ) -> Result<Value, Error> {
        let id = kind.id(form.dialect).ok_or("the dialect lacks the type")?;
        let header = u32::from(id) | if is_wide { WIDE } else { 0 };
        let mut bytes = [header, u32::from(element.is_some())].map(u32::to_le_bytes).concat();
        bytes.extend_from_slice(element.unwrap_or_default());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        options.value_from_slice(&bytes).map_err(|error| Error::new(error.to_string()))
    }

    /// The options that keep the width of components.
    fn exact(&self, form: Form) -> Options {
        match form.dialect {
            // The settings say it there.
            Dialect::Docs => self.options(form),
            _ => self.options(form).precision(Precision::Keep),
        }
    }

    /// The element that bytes are, if the context is one of an element.
    fn element(&self, bytes: &[u8], context: Context) -> Result<Option<Element>, Error> {
        let What::Element(kind, is_wide) = context.what else { return Ok(None) };
        let options = self.options(context.form);
        let array = self.packed(Some(bytes), (kind, is_wide), (context.form, &options))?;
        packed::first(&array).map(Some).ok_or_else(|| Error::new("an array has no element"))
    }

    /// The value that bytes are, without a look at the component that is meant.
    fn decoded(&self, bytes: &[u8], context: Context) -> Result<Value, Error> {
        match context.what {
            What::Value => {
                let value = self.options(context.form).value_from_slice(bytes);
                value.map_err(|error| Error::new(error.to_string()))
            }
            What::Element(..) => {
                let element = self.element(bytes, context)?;
                element.map(|own| own.value()).ok_or_else(|| Error::new("an array has no element"))
            }
            What::Frames(_) | What::Settings => Err(Error::new("it is no value, but holds some")),
        }
    }

    /// The value that is given in place of another one.
    fn made_of(&self, new: Input<'_>, kind: Option<&str>, old: &Value) -> Result<Value, Error> {
        match self.given(new)? {
            Given::Text(new) => self.made_as(kind.unwrap_or(&name_of(old)), new, Some(old)),
            Given::Value(new) => self.fitted(new, kind, Some(old)),
        }
    }

    /// The element of a packed array that is given.
    fn element_made(&self, array: &Value, new: Input<'_>) -> Result<Value, Error> {
        match self.given(new)? {
            Given::Text(new) => packed::made(array, new),
            Given::Value(new) => Ok(new),
        }
    }

    /// The bytes of a value for a place.
    fn piece<'g>(&'g self, value: &Value, context: Context) -> Result<Piece<'g, Godot>, Error> {
        let form = context.form;
        let bytes = match context.what {
            What::Element(kind, is_wide) => {
                let options = self.exact(form);
                let mut array = self.packed(None, (kind, is_wide), (form, &options))?;
                packed::fill(&mut array, std::slice::from_ref(value))?;
                let bytes = options.value_to_vec(&array).map_err(unfit)?;
                // After the header and the count; a byte has padding.
                let end = if kind == Type::PackedByteArray { 9 } else { bytes.len() };
                bytes.get(8..end).map(<[u8]>::to_vec).ok_or("an element has bytes")?
            }
            _ => self.options(form).value_to_vec(value).map_err(unfit)?,
        };
        Ok(Piece::new(bytes, context))
    }
}

/// A component of a component.
fn component(value: &Value, way: impl IntoIterator<Item = usize>) -> Option<Value> {
    way.into_iter().try_fold(value.clone(), |value, at| {
        packed::components(&value).into_iter().nth(at).map(|(_, part)| part)
    })
}

/// The value with another component of a component.
fn with_part(value: &Value, way: &[usize], new: &Value) -> Result<Value, Error> {
    match way {
        [] => Ok(new.clone()),
        [at, inner @ ..] => {
            let own = component(value, [*at]).ok_or("it has no such component")?;
            packed::with_component(value, *at, &with_part(&own, inner, new)?)
        }
    }
}

impl<'g> RangeNode<'g, Godot> {
    pub(super) fn what(&self) -> What {
        self.context().what
    }

    /// Whether it is a component.
    fn is_component(&self) -> bool {
        self.context().component[0].is_some()
    }

    /// The value, made of its bytes.
    pub(super) fn value(&self) -> Result<Value, Error> {
        let whole = self.grammar.decoded(self.bytes(), self.context())?;
        match self.is_component() {
            false => Ok(whole),
            true => {
                let way = self.context().component.into_iter().flatten().map(usize::from);
                component(&whole, way).ok_or_else(|| Error::new("it has no such component"))
            }
        }
    }

    /// The element of a packed array that it is, if it is one.
    fn element(&self) -> Result<Option<Element>, Error> {
        match self.is_component() {
            true => Ok(None),
            false => self.grammar.element(self.bytes(), self.context()),
        }
    }

    /// The value without what is in it, which says its types.
    fn emptied(&self) -> Result<Value, Error> {
        let Some(open) = self.open().filter(|_| self.what() == What::Value) else {
            return self.value();
        };
        let head = part(self.all_bytes(), self.extent.start..open.first - 4);
        let empty = [head, &[0; 4]].concat();
        let value = self.grammar.options(self.context().form).value_from_slice(&empty);
        value.map_err(|error| Error::new(error.to_string()))
    }

    /// The type in the header.
    fn header(&self) -> Option<(Type, u32)> {
        let Context { form, .. } = self.context();
        self.grammar.header(self.bytes(), 0, form).ok()
    }

    /// The container that says of which type the value is.
    fn around(&self) -> Option<Self> {
        let start = self.context().around?;
        let context = Context::new(What::Value, self.context().form);
        Some(self.with(Extent { start, end: self.extent.end, context }))
    }

    /// The new value as the container holds it that it is for.
    fn accepted(&self, new: Value) -> Result<Value, Error> {
        let Some(around) = self.around() else { return Ok(new) };
        let accepted = match around.emptied()? {
            own @ Value::TypedDictionary(_) if self.context().is_key => own.accept_key(new),
            own @ (Value::TypedArray(_) | Value::TypedDictionary(_)) => own.accept(new),
            _ => return Ok(new),
        };
        accepted.map_err(|error| Error::new(format!("does not fit: {error}")))
    }

    /// The bytes of a new value in this container.
    fn new_value(&self, value: Value, is_key: bool) -> Result<Piece<'g, Godot>, Error> {
        let context = Context::new(What::Value, self.context().form);
        let around = self.open().filter(|_| self.what() == What::Value).map(|_| self.extent.start);
        let place = Context { around, is_key, ..context };
        let value = self.with(Extent { context: place, ..self.extent }).accepted(value)?;
        self.grammar.piece(&value, place)
    }

    /// The settings of a project, made.
    pub(in crate::document) fn settings(&self) -> Result<ProjectSettings, Error> {
        let entry = |(child, node): Listed<'g, Godot>| Ok((setting(child.key)?, node.value()?));
        let entries = self.list().map(entry).collect::<Result<_, Error>>()?;
        Ok(ProjectSettings { entries })
    }
}

/// The name of a setting.
pub(super) fn setting(key: Key<'_>) -> Result<String, Error> {
    let Key::Bytes(name) = key else { return Err(Error::new("expected a name")) };
    let name = name.get(4..).unwrap_or_default();
    String::from_utf8(name.to_vec()).map_err(|error| Error::new(error.to_string()))
}

impl Values for Godot {
    fn step<'g>(node: &Node<'g>, at: usize, listed: &Listed<'g, Self>) -> Option<Step> {
        let step = match (listed.0.key, node.what()) {
            (key, What::Settings) => setting(key).map(Step::Name),
            (Key::Bytes(name), _) => match Self::key_node(node, listed) {
                Some(key) => match plain_text(name) {
                    Some(text) => Ok(Step::Key(text.to_owned())),
                    None => key.value().map(|key| step(&key)),
                },
                None => {
                    let options = node.grammar.options(node.context().form);
                    text_of(name, &options).map(Step::Key)
                }
            },
            _ => return Some(Step::Index(at)),
        };
        Some(step.unwrap_or(Step::Index(at)))
    }

    fn components<'g>(node: &Node<'g>) -> Vec<(Step, Extent<Context>)> {
        let [first, second] = node.context().component;
        if second.is_some() || node.open().is_some() {
            return Vec::new();
        }
        let components = node.value().map(|value| packed::components(&value)).unwrap_or_default();
        let part = |(at, (name, _)): (u8, (&str, Value))| {
            let component = match first {
                None => [Some(at), None],
                Some(_) => [first, Some(at)],
            };
            let context = Context { component, ..node.context() };
            (Step::Key(name.to_owned()), Extent { context, ..node.extent })
        };
        (0..).zip(components).map(part).collect()
    }

    fn key_node<'g>(node: &Node<'g>, (child, own): &Listed<'g, Self>) -> Option<Node<'g>> {
        // The entries of dictionaries know these.
        let (Key::Bytes(_), Some(_)) = (child.key, own.context().around) else { return None };
        let context = Context { is_key: true, ..own.context() };
        Some(node.with(Extent { start: child.entry, end: child.start, context }))
    }

    fn kind(node: &Node<'_>) -> String {
        match node.what() {
            What::Frames(_) => STREAM.to_owned(),
            What::Settings => edit::SETTINGS.to_owned(),
            What::Element(kind, _) if !node.is_component() => match (kind, kind.element()) {
                (_, Some(element)) => element.to_string(),
                (Type::PackedStringArray, _) => "text".to_owned(),
                _ => "number".to_owned(),
            },
            _ => match node.header() {
                // The class of an object, and what a component is.
                Some((kind, _)) if kind != Type::Object && !node.is_component() => kind.to_string(),
                _ => node.emptied().map_or_else(|_| String::new(), |value| name_of(&value)),
            },
        }
    }

    fn full_kind(node: &Node<'_>) -> String {
        match node.what() {
            What::Frames(_) | What::Settings => return String::new(),
            What::Element(kind, _) if !node.is_component() => {
                return match (kind, kind.element()) {
                    (_, Some(element)) => element.to_string(),
                    (Type::PackedStringArray, _) => Type::String.to_string(),
                    // A number of 32 bits has fewer digits than the same with 64.
                    (Type::PackedFloat32Array, _) => String::new(),
                    (Type::PackedFloat64Array, _) => Type::Float.to_string(),
                    _ => Type::Int.to_string(),
                };
            }
            _ => {}
        }
        match (node.header(), node.is_component()) {
            // Without flags, and as what it is, nothing else is to be known.
            (Some((kind, 0)), false) if kind != Type::Object => return kind.to_string(),
            (Some((kind @ (Type::Int | Type::Float), _)), false) => return kind.to_string(),
            _ => {}
        }
        match node.emptied() {
            Ok(Value::TypedArray(array)) => format!("Array[{}]", Full(&array.element)),
            Ok(Value::TypedDictionary(own)) => {
                format!("Dictionary[{}, {}]", Full(&own.key), Full(&own.value))
            }
            Ok(value @ Value::Real64(_)) if !node.is_component() => {
                format!("{} of 64 bits", value.kind())
            }
            Ok(value) => name_of(&value),
            Err(_) => String::new(),
        }
    }

    fn title(node: &Node<'_>) -> Option<String> {
        let open = node.open()?;
        let len = open.len.unwrap_or_else(|| node.list().count());
        let inside = count(len, if open.is_list { "element" } else { "entry" });
        let kind = Self::full_kind(node);
        Some(if kind.is_empty() { inside } else { format!("{kind}, {inside}") })
    }

    fn is_flat(node: &Node<'_>) -> bool {
        match node.what() {
            What::Frames(_) | What::Settings => false,
            What::Element(..) => true,
            What::Value => match node.open() {
                None => true,
                Some(open) => matches!(open.state, State::Packed { .. }),
            },
        }
    }

    fn is_flat_equal(own: &Node<'_>, other: &Node<'_>) -> bool {
        // Their elements are compared one by one.
        if own.open().is_some() || other.open().is_some() {
            return false;
        }
        match (own.element(), other.element()) {
            (Ok(Some(own)), Ok(Some(other))) => own.same(&other),
            (Err(_), _) | (_, Err(_)) => false,
            _ => matches!((own.value(), other.value()), (Ok(a), Ok(b)) if a == b),
        }
    }

    fn write(node: &Node<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
        match node.what() {
            What::Frames(_) => return write!(out, "{} values", node.list().count()),
            What::Settings => return write!(out, "{} settings", node.list().count()),
            What::Value | What::Element(..) => {}
        }
        let shown = match node.element() {
            Ok(None) => node.value().map(Element::Value),
            Ok(Some(element)) => Ok(element),
            Err(why) => Err(why),
        };
        match shown {
            Ok(element) => write!(out, "{element:?}"),
            Err(why) => write!(out, "{why}"),
        }
    }

    fn json(node: &Node<'_>) -> Result<Json, Error> {
        match node.what() {
            What::Frames(_) => node.list().map(|(_, own)| Self::json(&own)).collect(),
            What::Settings => {
                let entry =
                    |(child, own): Listed<'_, Self>| Ok((setting(child.key)?, Self::json(&own)?));
                node.list().map(entry).collect()
            }
            What::Value | What::Element(..) => match node.element()? {
                Some(element) => Ok(element.to_json()),
                None => node.grammar.to_json(&node.value()?),
            },
        }
    }

    fn plain(node: &Node<'_>) -> Result<Json, Error> {
        Ok(match (node.what(), Self::json(node)?) {
            (What::Settings, Json::Object(settings)) => {
                settings.iter().map(|(name, value)| (name.clone(), made::plain(value))).collect()
            }
            (_, json) => made::plain(&json),
        })
    }

    fn typed<'g>(node: &Node<'g>) -> Result<Option<Typed<'g>>, Error> {
        let value = match node.what() {
            What::Frames(_) => return Ok(None),
            What::Settings => {
                let entries = node.settings()?.entries.into_iter();
                Value::Dictionary(entries.collect::<Dictionary>())
            }
            What::Value | What::Element(..) => node.value()?,
        };
        Ok(Some(Typed::Godot(Cow::Owned(value))))
    }

    /// Groups, properties that are nodes, and the animations of a sprite have no order. Another file is there for what
    /// refers to it.
    fn rule(node: &Node<'_>, member: &Step) -> Rule {
        let name = member.name();
        match name.rsplit(':').next().unwrap_or_default() {
            _ if !node.context().form.is_resource => Rule::Plain,
            "groups" | "node_paths" | "animations" => Rule::OrderedSet,
            name if name.starts_with("ExtResource(") => Rule::Alias,
            _ => Rule::Plain,
        }
    }

    /// Classes of scripts have `class`.
    fn identities(node: &Node<'_>) -> &'static [&'static str] {
        match node.context().form.is_resource {
            true => &["id", "name", "class"],
            false => &["ID", "Id", "id", "Key", "key", "Name", "name"],
        }
    }

    fn is_reference(node: &Node<'_>) -> bool {
        let is_object = || matches!(node.header(), Some((Type::Object, _)));
        node.context().form.is_resource
            && node.what() == What::Value
            && is_object()
            && is_reference(node.all_bytes(), node.extent.start + 4)
    }

    fn parse_value<'g>(
        node: &Node<'g>,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<Piece<'g, Self>, Error> {
        let context = node.context();
        match context.what {
            What::Frames(_) | What::Settings => {
                Err(Error::new("only what is in the file can be set"))
            }
            What::Element(..) if kind.is_some() => {
                Err(Error::new("elements of a packed array have one kind"))
            }
            What::Element(kind, is_wide) => {
                let options = node.grammar.exact(context.form);
                let array = node.grammar.packed(None, (kind, is_wide), (context.form, &options))?;
                node.grammar.piece(&node.grammar.element_made(&array, new)?, context)
            }
            What::Value => {
                let old = node.emptied()?;
                let made = node.grammar.made_of(new, kind, &old)?;
                node.grammar.piece(&node.accepted(made)?, context)
            }
        }
    }

    fn with_component<'g>(
        node: &Node<'g>,
        piece: Option<Piece<'g, Self>>,
        way: &[usize],
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<Piece<'g, Self>, Error> {
        if kind.is_some() {
            return Err(Error::new("a component has the kind that its vector has"));
        }
        let context = node.context();
        let whole = match &piece {
            Some(Piece::Bytes { bytes, .. }) => node.grammar.decoded(bytes, context)?,
            _ => node.value()?,
        };
        let old = component(&whole, way.iter().copied()).ok_or("it has no such component")?;
        let new = match node.grammar.given(new)? {
            // Of a float, the width says how many digits a whole number may have.
            Given::Value(own @ Value::Int(_)) if name_of(&old) == "float" => own,
            _ => node.grammar.made_of(new, None, &old)?,
        };
        node.grammar.piece(&with_part(&whole, way, &new)?, context)
    }

    fn adopted<'g>(
        node: &Node<'g>,
        key: Option<NewKey>,
        into: &Node<'g>,
    ) -> Result<(Option<NewKey>, Piece<'g, Self>), Error> {
        let (own, form) = (node.context(), into.context().form);
        if own.form == form {
            return Ok((key, Piece::Of(*node)));
        }
        let piece = into.grammar.piece(&node.value()?, Context { form, ..own })?;
        let key = match key {
            Some(NewKey::Bytes(bytes)) if own.around.is_some() => {
                let context = Context::new(What::Value, own.form);
                let key = node.grammar.decoded(&bytes, context)?;
                let key = into.grammar.options(form).value_to_vec(&key).map_err(unfit)?;
                Some(NewKey::Bytes(key))
            }
            key => key,
        };
        Ok((key, piece))
    }

    fn new_child<'g>(
        node: &Node<'g>,
        step: &New,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<NewChild<'g, Self>, Error> {
        let refused = |kind: &str| {
            Err(Error::new(format!("nothing can be added to a value of the kind {kind} so")))
        };
        let value = || node.new_value(node.grammar.guessed(new, kind)?, false);
        let entry = |key: Vec<u8>, value| {
            let (way, key) = (Vec::new(), NewKey::Bytes(key));
            Ok(NewChild { way, at: None, key, value })
        };
        // The name of a setting has no padding.
        let named = |name: &str, is_padded: bool| -> Result<Vec<u8>, Error> {
            let len = u32::try_from(name.len()).map_err(|error| Error::new(error.to_string()))?;
            let mut key = [&len.to_le_bytes()[..], name.as_bytes()].concat();
            let len = if is_padded { key.len().next_multiple_of(4) } else { key.len() };
            key.resize(len, 0);
            Ok(key)
        };
        let emptied = match (node.what(), step) {
            (What::Settings, New::Name(name)) => return entry(named(name, false)?, value()?),
            (What::Frames(_), New::Index(at)) => return Ok(NewChild::element(*at, value()?)),
            (What::Frames(_), _) => return refused("Array"),
            (What::Value, _) if node.open().is_some() => node.emptied()?,
            _ => return refused(&Self::kind(node)),
        };
        match (&emptied, step) {
            (Value::Array(_) | Value::TypedArray(_), New::Index(at)) => {
                Ok(NewChild::element(*at, value()?))
            }
            (Value::Dictionary(_) | Value::TypedDictionary(_), step) => {
                let is_name = matches!(&emptied, Value::TypedDictionary(typed)
                    if typed.key.to_string() == "StringName");
                let key = match step {
                    New::Name(name) => {
                        let prefix = if is_name { "sn" } else { "s" };
                        node.grammar.read_json(&Json::String(format!("{prefix}:{name}")))?
                    }
                    New::Index(Some(key)) => Value::Int(i64::try_from(*key).unwrap_or(i64::MAX)),
                    New::Other(key) => notation::value_from_str(key, &Options::new())
                        .map_err(|error| Error::new(error.to_string()))?,
                    New::Index(None) => return refused(&Self::kind(node)),
                };
                match node.new_value(key, true)? {
                    Piece::Bytes { bytes, .. } => entry(bytes, value()?),
                    Piece::Of(_) => Err(Error::new("it is no key")),
                }
            }
            (Value::Object(_), New::Name(name)) => entry(named(name, true)?, value()?),
            (array, New::Index(at)) if packed::is_array(array) => {
                let Some((kind, flags)) = node.header() else { return refused(&Self::kind(node)) };
                let form = node.context().form;
                let is_wide = node.grammar.is_wide(kind, flags, form);
                let context = Context::new(What::Element(kind, is_wide), form);
                let value = node.grammar.piece(&node.grammar.element_made(array, new)?, context)?;
                Ok(NewChild::element(*at, value))
            }
            _ => refused(&Self::kind(node)),
        }
    }
}
