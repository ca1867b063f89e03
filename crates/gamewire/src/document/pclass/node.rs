//! The values of objects, by their properties. The schema says of which kind each is.

use std::borrow::Cow;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;

use kiwi_pclass::schema::{EnumOptions, Kind, Property};
use kiwi_pclass::value::{List, Object, UnknownHash};
use kiwi_pclass::wire::Place;
use kiwi_pclass::{ErrorKind, Unknown, Value, json};

use super::Pclass;
use super::grammar::{Context, What};
use crate::document::edit::{self, Input, boolean, float, kind_of, text};
use crate::document::error::Error;
use crate::document::json::Json;
use crate::document::node::{GONE, Typed};
use crate::document::path::{New, Step};
use crate::document::ranges::{Extent, Key, Listed, NewChild, Piece, RangeNode, Values, bits};
use crate::document::words::count;

type Node<'g> = RangeNode<'g, Pclass>;

/// A class and a property of it.
pub(super) type Declared<'g> = (&'g kiwi_pclass::schema::Class, &'g Property);

/// The notation that a text says in place of another one.
fn text_as(old: &Json, new: &str) -> Result<Json, Error> {
    Ok(match old {
        Json::Bool(_) => Json::Bool(boolean(new)?),
        Json::String(_) => Json::String(text(new)?),
        // An enum whose value has no name may get one.
        Json::Number(_) => match float(new) {
            Ok(_) => edit::notation(new, "a number")?,
            Err(why) if new.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                return Err(why);
            }
            Err(_) => Json::String(text(new)?),
        },
        _ => edit::notation(new, "an object or list")?,
    })
}

/// The notation of a value, wherever it is.
fn parsed(value: &Value) -> Result<Json, Error> {
    let text = json::to_string(value).map_err(|error| Error::new(error.to_string()))?;
    edit::json(&text).ok_or_else(|| Error::new("a value nests too deep to be shown"))
}

/// Why a value cannot be written.
fn misfit(error: kiwi_pclass::Error) -> Error {
    let why = error.to_string();
    Error::new(format!("does not fit: {}", why.split(", in ").next().unwrap_or_default()))
}

/// The names of the components of a value in the notation.
fn names(notation: &Json) -> Vec<String> {
    let members = notation.as_object().into_iter().flatten();
    members.map(|(name, _)| name).filter(|name| !name.starts_with('$')).cloned().collect()
}

impl<'g> RangeNode<'g, Pclass> {
    fn place(&self) -> Option<Place<'g>> {
        self.context().place()
    }

    /// The property that it or the list around it is of.
    fn property(&self) -> Option<&'g Property> {
        self.place()?.property()
    }

    fn is_element(&self) -> bool {
        matches!(self.place(), Some(Place::Element(..)))
    }

    /// The value, made of its bits, to be shown; that of the whole, for a component.
    fn value(&self) -> Result<Value, Error> {
        self.value_of(self.all_bytes(), self.extent.start)
    }

    fn value_of(&self, bytes: &[u8], at: usize) -> Result<Value, Error> {
        let place = self.place().ok_or("several objects are no value")?;
        let made = self.context().coder.value(bytes, at, place, Value::MAX_SERDE_DEPTH);
        made.map_err(|error| match error.kind() {
            ErrorKind::DepthLimit => Error::new("a value nests too deep to be shown"),
            _ => Error::new(error.to_string()),
        })
    }

    /// The notation of a value, which its property knows.
    fn notation(&self, value: &Value) -> Result<Json, Error> {
        let declared = self.context().class.zip(self.property());
        let (Some((class, property)), false) = (declared, value.as_object().is_some()) else {
            return parsed(value);
        };
        let whole = match self.is_element() {
            // A list of one element, of the kind that it has in a list.
            true => Value::List(List::new(vec![value.clone()])),
            false => value.clone(),
        };
        let mut alone = Object::new(Arc::clone(class));
        if alone.push(property.name(), whole).is_err() {
            return Err(Error::new("the value does not fit its property"));
        }
        let mut json = parsed(&Value::Object(Box::new(alone)))?;
        let own = json.get_mut(property.name()).map(Json::take).ok_or(GONE)?;
        Ok(match own {
            Json::Array(mut items) if self.is_element() => items.pop().ok_or(GONE)?,
            own => own,
        })
    }

    /// The value of a notation, for this place.
    fn read(&self, json: &Json) -> Result<Value, Error> {
        let (options, is_element) = (self.context().coder.options(), self.is_element());
        let Some((class, property)) = self.context().class.zip(self.property()) else {
            return json::from_str(&json.to_string(), options).map_err(misfit);
        };
        let own = if is_element { Json::Array(vec![json.clone()]) } else { json.clone() };
        let alone = Json::from([("$type", class.name().into()), (property.name(), own)]);
        let alone = json::from_str(&alone.to_string(), options).map_err(misfit)?;
        let value = alone.get(property.name()).ok_or(GONE)?;
        match is_element {
            true => value.items().next().map(Cow::into_owned).ok_or_else(|| Error::new(GONE)),
            false => Ok(value.clone()),
        }
    }

    /// The bits of a notation, in this place.
    fn piece(&self, json: &Json) -> Result<Piece<'g, Pclass>, Error> {
        let place = self.place().ok_or("only what is in the file can be set")?;
        Self::encoded(self.context(), place, &self.read(json)?)
    }

    /// A value for this place that is no text.
    fn given(&self, new: Input<'_>) -> Result<Piece<'g, Pclass>, Error> {
        let place = self.place().ok_or("only what is in the file can be set")?;
        match new {
            Input::Notation(json) => self.piece(json),
            Input::Typed(Typed::Pclass(value)) => Self::encoded(self.context(), place, value),
            _ => Err(edit::other_format("PropertyClass")),
        }
    }

    fn encoded(
        context: Context<'g>,
        place: Place<'g>,
        value: &Value,
    ) -> Result<Piece<'g, Pclass>, Error> {
        let (bytes, len) = context.coder.encode(value, place, 0).map_err(misfit)?;
        Ok(Piece::Bytes { bytes, len, context: Context { what: What::Value(place), ..context } })
    }

    /// Whether it is an object of a class of the schema.
    fn is_object(&self) -> bool {
        self.open().is_some_and(|open| !open.is_list)
    }

    /// Whether it is what the schema does not know, and that is left out.
    fn is_skipped(&self) -> bool {
        let context = self.context();
        matches!(context.what, What::Value(Place::Raw(..)))
            && context.coder.unknown() == Unknown::Skip
    }

    /// The name of the component that it is.
    fn component(&self, whole: &Json) -> Result<String, Error> {
        let What::Component(_, at) = self.context().what else { return Err(Error::new(GONE)) };
        names(whole).into_iter().nth(at).ok_or_else(|| Error::new(GONE))
    }

    /// Tells the hashes in it that the schema does not have, and the properties of which only the bits can be
    /// read, each with its class.
    pub(super) fn unknown(&self) -> (Vec<UnknownHash<'g>>, Vec<Declared<'g>>) {
        let (mut hashes, mut unread) = (Vec::new(), Vec::new());
        let mut todo = vec![*self];
        while let Some(node) = todo.pop() {
            if node.open().is_none() {
                if let Ok(Value::Raw(raw)) = node.value() {
                    hashes.push(UnknownHash { class: None, hash: raw.hash });
                }
                continue;
            }
            let first = todo.len();
            for (child, node) in node.list() {
                let class = node.context().class;
                match (node.context().what, child.key, class) {
                    (What::Value(Place::Raw(None, _)), Key::Id(hash), Some(class)) => {
                        hashes.push(UnknownHash { class: Some(class.name()), hash });
                    }
                    (What::Value(Place::Raw(Some(property), _)), _, Some(class)) => {
                        unread.push((&**class, property));
                    }
                    _ if node.may_nest() => todo.push(node),
                    _ => {}
                }
            }
            if let Some(new) = todo.get_mut(first..) {
                new.reverse();
            }
        }
        (hashes, unread)
    }

    /// How it is encoded, or how its elements are.
    fn encoding(&self) -> &'g Kind {
        match self.place() {
            Some(Place::Element(_, kind)) => kind,
            Some(Place::Property(property) | Place::Raw(Some(property), _)) => property.kind(),
            Some(Place::Root) | None => &Kind::Object,
            Some(Place::Raw(None, _)) => &Kind::Unsupported,
        }
    }

    /// Whether there may be objects in it.
    fn may_nest(&self) -> bool {
        use Kind::{List, Object, Optional, Tuple};
        matches!(self.encoding(), Object | List(_) | Tuple(_) | Optional(_))
    }

    /// Whether it may be a few numbers with names.
    fn may_be_row(&self) -> bool {
        use Kind::{Color, Euler, Matrix3x3, Optional, Point, Quaternion, Rect, Size, Vector3D};
        let is_value = matches!(self.context().what, What::Value(_));
        let kind = self.encoding();
        let is_row = matches!(kind, Color | Euler | Matrix3x3 | Quaternion | Vector3D)
            || matches!(kind, Point(_) | Rect(_) | Size(_) | Optional(_));
        is_value && is_row && self.open().is_none()
    }
}

impl Values for Pclass {
    fn step<'g>(_: &Node<'g>, at: usize, (child, own): &Listed<'g, Self>) -> Option<Step> {
        match child.key {
            _ if own.is_skipped() => None,
            Key::Id(hash) => Some(Step::Name(match own.property() {
                Some(property) => property.name().to_owned(),
                None => format!("{hash:#010x}"),
            })),
            _ => Some(Step::Index(at)),
        }
    }

    fn hidden_step<'g>(_: &Node<'g>, (child, _): &Listed<'g, Self>) -> Option<Step> {
        match child.key {
            Key::Id(hash) => Some(Step::Name(format!("{hash:#010x}"))),
            _ => None,
        }
    }

    fn components<'g>(node: &Node<'g>) -> Vec<(Step, Extent<Context<'g>>)> {
        let (context, What::Value(place)) = (node.context(), node.context().what) else {
            return Vec::new();
        };
        let notation = match node.may_be_row() {
            true => Self::json(node).unwrap_or(Json::Null),
            false => return Vec::new(),
        };
        let part = |(at, name)| {
            let context = Context { what: What::Component(place, at), ..context };
            (Step::Name(name), Extent { context, ..node.extent })
        };
        names(&notation).into_iter().enumerate().map(part).collect()
    }

    fn shows_components(node: &Node<'_>) -> bool {
        node.may_be_row()
    }

    fn kind(node: &Node<'_>) -> String {
        if let What::Objects = node.context().what {
            return "objects".to_owned();
        }
        match node.open() {
            Some(open) if open.is_list => "array".to_owned(),
            Some(_) => "object".to_owned(),
            None => Self::json(node).map_or("value", |json| kind_of(&json)).to_owned(),
        }
    }

    fn full_kind(node: &Node<'_>) -> String {
        let What::Value(place) = node.context().what else { return String::new() };
        let declared =
            || place.property().map_or_else(String::new, |own| own.type_name().to_owned());
        match node.open() {
            Some(open) if open.is_list => declared(),
            Some(open) => open.state.class.map_or_else(String::new, |own| own.name().to_owned()),
            None if node.may_nest() => match node.value() {
                Ok(Value::Raw(raw)) => format!("class {:#010x}", raw.hash),
                _ => declared(),
            },
            None => declared(),
        }
    }

    fn title(node: &Node<'_>) -> Option<String> {
        let kind = Self::full_kind(node);
        let inside = match node.open()? {
            open if open.is_list => {
                count(open.len.unwrap_or_else(|| node.list().count()), "element")
            }
            _ => count(node.list().filter(|(_, own)| !own.is_skipped()).count(), "entry"),
        };
        Some(if kind.is_empty() { inside } else { format!("{kind}, {inside}") })
    }

    fn is_row(node: &Node<'_>) -> bool {
        match node.open() {
            None => true,
            Some(open) => open.is_list && !node.list().any(|(_, own)| own.is_object()),
        }
    }

    fn is_flat(node: &Node<'_>) -> bool {
        node.open().is_none()
    }

    fn is_flat_equal(own: &Node<'_>, other: &Node<'_>) -> bool {
        // By text, which tells NaNs and signs of zero apart.
        let text = |node: &Node<'_>| match node.context().what {
            What::Component(..) => Self::json(node).map(|json| json.to_string()),
            _ => node.value().and_then(|own| Ok(json::to_string(&own)?)),
        };
        matches!((text(own), text(other)), (Ok(a), Ok(b)) if a == b)
    }

    fn is_identical<'g>(own: &Node<'g>, other: &Node<'g>) -> bool {
        // From another bit of a byte on there is other padding.
        let is_moved = (own.extent.start ^ other.extent.start) & 7 != 0;
        own.has_same_bytes(other) || is_moved && own.has_equal_parts(other)
    }

    fn hash(node: &Node<'_>, hasher: &RandomState) -> Option<u64> {
        let mut own = hasher.build_hasher();
        let mut waiting = vec![*node];
        while let Some(node) = waiting.pop() {
            let (coder, bytes) = (node.context().coder, node.all_bytes());
            let place = node.place().filter(|place| !coder.is_aligned(*place));
            let Some(place) = place else {
                own.write_u64(bits::hash(bytes, node.bits(), hasher));
                continue;
            };
            // Without the padding, which depends on where it stands.
            let (_, runs) = coder.runs(bytes, node.extent.start, place).ok()?;
            for (run, _) in runs {
                own.write_u64(bits::hash(bytes, run, hasher));
            }
            for (child, node) in node.list() {
                if let Key::Id(id) = child.key {
                    own.write_u32(id);
                }
                waiting.push(node);
            }
        }
        Some(own.finish())
    }

    fn write(node: &Node<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
        let value = match node.context().what {
            What::Objects => return write!(out, "{} objects", node.list().count()),
            What::Component(..) => match Self::json(node) {
                Ok(json) => return write!(out, "{json}"),
                Err(why) => return write!(out, "{why}"),
            },
            What::Value(_) => node.value(),
        };
        let value = match value {
            Ok(value) => value,
            Err(why) => return write!(out, "{why}"),
        };
        match (&value, node.property().and_then(Property::options)) {
            (Value::Enum(own), Some(options)) => match options.format(*own).as_str() {
                "" => write!(out, "{own}"),
                name => out.write_str(name),
            },
            _ => write!(out, "{value:?}"),
        }
    }

    /// Flags have several of theirs at once.
    fn choices(node: &Node<'_>) -> Vec<String> {
        let options = node.property().and_then(Property::options).filter(|own| !own.is_bits());
        let is_one = || node.open().is_none() && matches!(node.value(), Ok(Value::Enum(_)));
        let names = options.filter(|_| is_one()).into_iter().flat_map(EnumOptions::iter);
        names.map(|(name, _)| name.to_owned()).collect()
    }

    fn json(node: &Node<'_>) -> Result<Json, Error> {
        match node.context().what {
            What::Objects => node.list().map(|(_, object)| Self::json(&object)).collect(),
            What::Value(_) => node.notation(&node.value()?),
            What::Component(..) => {
                let mut whole = node.notation(&node.value()?)?;
                let name = node.component(&whole)?;
                whole.get_mut(&name).map(Json::take).ok_or_else(|| Error::new(GONE))
            }
        }
    }

    fn typed<'g>(node: &Node<'g>) -> Result<Option<Typed<'g>>, Error> {
        match node.context().what {
            What::Value(_) => Ok(Some(Typed::Pclass(Cow::Owned(node.value()?)))),
            What::Objects | What::Component(..) => Ok(None),
        }
    }

    fn parse_value<'g>(
        node: &Node<'g>,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<Piece<'g, Self>, Error> {
        if kind.is_some() {
            return Err(Error::new("the schema says which kind it is"));
        }
        match new {
            Input::Text(new) => node.piece(&text_as(&Self::json(node)?, new)?),
            new => node.given(new),
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
            return Err(Error::new("the schema says which kind it is"));
        }
        let value = match &piece {
            // As the last change of it left it.
            Some(Piece::Bytes { bytes, .. }) => node.value_of(bytes, 0)?,
            _ => node.value()?,
        };
        let mut whole = node.notation(&value)?;
        let name = way.first().and_then(|at| names(&whole).into_iter().nth(*at)).ok_or(GONE)?;
        let member = whole.get_mut(&name).ok_or(GONE)?;
        *member = match new {
            Input::Text(new) => text_as(member, new)?,
            Input::Notation(new) => new.clone(),
            Input::Typed(Typed::Pclass(new)) => parsed(new)?,
            Input::Typed(_) => return Err(edit::other_format("PropertyClass")),
        };
        node.piece(&whole)
    }

    fn new_child<'g>(
        node: &Node<'g>,
        step: &New,
        new: Input<'_>,
        _: Option<&str>,
    ) -> Result<NewChild<'g, Self>, Error> {
        let list = node.open().filter(|open| open.is_list);
        let list = list.ok_or("objects have the properties of their class; only lists grow")?;
        let New::Index(at) = step else {
            return Err(Error::new("an element needs a position, such as [0] or [-]"));
        };
        let context = list.state.element().ok_or("a tuple has as many values as its type")?;
        let is_text = match context.what {
            What::Value(Place::Element(_, kind)) => *kind == Kind::String || list.len == Some(0),
            _ => false,
        };
        let (start, end) = (list.first, list.first);
        let element = node.with(Extent { start, end, context });
        let piece = match new {
            Input::Text(new) => element.piece(&match edit::json(new) {
                Some(made) => made,
                None if is_text => Json::String(new.to_owned()),
                None => return Err(Error::new(format!("expected JSON, found {new}"))),
            }),
            new => element.given(new),
        };
        Ok(NewChild::element(*at, piece?))
    }
}
