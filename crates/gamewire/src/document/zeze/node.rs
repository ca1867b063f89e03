//! The values of a file: frames, beans and what is in them. With the solution of the data, fields are
//! known by their names.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use gamewire_gen::zeze::view::{At, ShownBean, ShownValue, View};
use zeze_serialize::explain::{Known, Part};
use zeze_serialize::frame::{Frame, Header};
use zeze_serialize::value::{List, Map};
use zeze_serialize::{Kind, RawBean, Value, wire};

use super::Zeze;
use super::content::framing;
use super::grammar::{BASE, Context, FramePart, HeadPart, State, What};
use super::notation::{self, family};
use super::settings::Frames;
use crate::document::edit::{self, Input, float, integer, text};
use crate::document::error::{Error, Hint};
use crate::document::json::{self, Json};
use crate::document::node::Typed;
use crate::document::path::{New, Step};
use crate::document::ranges::{Extent, Key, Listed, NewChild, NewKey, Piece, RangeNode, Values};
use crate::document::words::count;

type Node<'g> = RangeNode<'g, Zeze>;

/// The field of a row that its cells are.
const CELLS: u32 = 1;

/// Whether there are values in a value.
pub(super) fn has_parts(kind: Kind) -> bool {
    matches!(kind, Kind::List | Kind::Map | Kind::Bean | Kind::Dynamic)
}

/// The protocol of a frame, and its bean.
fn of_protocol<'a>(view: &'a View, frame: &Frame<'_, Value>) -> Known<'a, At<'a>> {
    let is_answer = family(&frame.header).is_some_and(|family| family.ends_with("response"));
    view.frame(frame.module_id, frame.protocol_id, is_answer)
}

/// The value of a kind in the JSON notation.
fn value_of(kind: Kind, json: &Json) -> Result<Value, Error> {
    let bean = Json::Object([(format!("1:{kind}"), json.clone())].into_iter().collect());
    let bean = json::deserialized(&bean, PhantomData::<Value>).map_err(|error| {
        let why = error.message().split(", in ").next().unwrap_or_default();
        Error::new(format!("does not fit: {why}"))
    })?;
    // A zero is written, too, where it is no field.
    Ok(bean.get(1).cloned().unwrap_or(Value::Int(0)))
}

/// The value that is given for a kind.
fn made(kind: Kind, new: Input<'_>, old: Option<&Value>) -> Result<Value, Error> {
    let new = match new {
        Input::Text(text) => text,
        Input::Notation(json) => return value_of(kind, json),
        Input::Typed(Typed::Zeze(value)) => return fitted(kind, value, old),
        Input::Typed(_) => return Err(edit::other_format("Zeze")),
    };
    let json = match kind {
        Kind::Int => return Ok(Value::Int(integer(new, 64)?)),
        Kind::Float | Kind::Double => match float(new)? {
            value if value.is_finite() => Json::from(value),
            value => Json::String(format!("{value:?}")),
        },
        Kind::Bytes => match edit::json(new) {
            Some(json @ Json::Object(_)) if json.get("hex").is_some() => json,
            _ => Json::String(text(new)?),
        },
        kind => {
            let is_container = kind == Kind::List || kind == Kind::Map;
            let old = old.filter(|_| is_container).map(json_of).transpose()?;
            let name = |json: &Json| json.as_object().and_then(|own| own.keys().next().cloned());
            match (edit::notation(new, kind.name())?, old) {
                // The elements alone.
                (new @ Json::Array(_), Some(old)) => {
                    let name = name(&old).unwrap_or_default();
                    Json::Object([(name, new)].into_iter().collect())
                }
                (new, Some(old)) if name(&old) != name(&new) => {
                    return Err(Error::new(format!(
                        "expected a {kind} with the same kinds of elements"
                    )));
                }
                (new, _) => new,
            }
        }
    };
    value_of(kind, &json)
}

/// The value as one of a kind, if it is still the same then; of floats the kind says how many digits they have.
/// Containers keep the kinds of their elements.
fn fitted(kind: Kind, new: &Value, old: Option<&Value>) -> Result<Value, Error> {
    #[allow(clippy::cast_precision_loss, reason = "it is compared")]
    let rounded = |whole: i64| whole as f64;
    Ok(match (kind, new) {
        (Kind::List, Value::List(items)) => {
            let old = if let Some(Value::List(old)) = old { old.element() } else { None };
            let element = old.or(items.element()).unwrap_or(Kind::Int);
            let items = items.iter().map(|item| fitted(element, item, None));
            Value::List(List::new(element, items.collect::<Result<_, _>>()?))
        }
        (Kind::Map, Value::Map(entries)) => {
            let old =
                if let Some(Value::Map(old)) = old { old.key().zip(old.value()) } else { None };
            let kinds = old.or(entries.key().zip(entries.value()));
            let (key, own) = kinds.unwrap_or((Kind::Int, Kind::Int));
            let entry = |(name, value): &(Value, Value)| {
                Ok((fitted(key, name, None)?, fitted(own, value, None)?))
            };
            Value::Map(Map::new(key, own, entries.iter().map(entry).collect::<Result<_, Error>>()?))
        }
        (kind, new) if new.kind() == kind => new.clone(),
        (Kind::Double | Kind::Float, Value::Int(_) | Value::Float(_) | Value::Double(_)) => {
            let (number, whole) = match new {
                Value::Float(own) => (f64::from(*own), None),
                Value::Double(own) => (*own, None),
                new => (new.as_i64().map_or(0.0, rounded), new.as_i64()),
            };
            #[allow(
                clippy::cast_possible_truncation,
                reason = "digits may go, the size is looked at"
            )]
            let short = number as f32;
            let made = if kind == Kind::Double { number } else { short.into() };
            #[allow(clippy::cast_possible_truncation, reason = "it is compared")]
            let is_same = whole.is_none_or(|whole| made as i128 == i128::from(whole));
            match kind {
                _ if !is_same || made.is_infinite() && number.is_finite() => {
                    return Err(Error::new("does not fit: a float would round the number"));
                }
                Kind::Double => Value::Double(number),
                _ => Value::Float(short),
            }
        }
        (kind, new) => return Err(edit::other_kind(kind.name(), new.kind().name())),
    })
}

/// A value in the JSON notation.
fn json_of(value: &Value) -> Result<Json, Error> {
    if let Value::Bean(_) = value {
        return json::serialized(value);
    }
    // Alone it would say its kind.
    let mut bean = zeze_serialize::value::Bean::new();
    bean.insert(1, value.clone());
    let members = match json::serialized(&Value::Bean(bean))? {
        Json::Object(members) => members,
        other => return Ok(other),
    };
    let own = members.into_iter().next().map(|(_, own)| own);
    own.ok_or_else(|| Error::new("a value has no notation"))
}

/// The notation of a frame.
fn frame_json(new: Input<'_>) -> Result<Json, Error> {
    match new {
        Input::Text(new) => edit::notation(new, "a frame"),
        Input::Notation(new) => Ok(new.clone()),
        Input::Typed(_) => Err(Error::new("a frame is given in its JSON notation")),
    }
}

fn kind_named(name: &str) -> Result<Kind, Error> {
    Kind::from_name(name).ok_or_else(|| Error::new(format!("{name} is no kind")))
}

/// The kinds of the keys and values of a map.
fn map_kinds(node: &Node<'_>) -> Option<(Kind, Kind)> {
    wire::read_map_header(node.bytes()).ok().map(|((_, key, value), _)| (key, value))
}

impl<'g> RangeNode<'g, Zeze> {
    fn view(&self) -> Option<&'g View> {
        self.grammar.names()
    }

    fn what(&self) -> What {
        self.context().what
    }

    /// The value, made of its bytes.
    fn value(&self) -> Result<Value, Error> {
        let kind = match self.what() {
            What::Value(kind) => kind,
            What::Base => Kind::Bean,
            What::HeadPart(part, frames) => return self.head_part(part, frames),
            What::Rest(_) => return Ok(Value::Bytes(self.bytes().to_vec())),
            What::Frames(_) | What::Frame(_) | What::Head(_) => {
                return Err(Error::new("a frame is no value"));
            }
        };
        let value = Value::take_from_slice(self.bytes(), kind, &self.grammar.options);
        value.map(|(value, _)| value).map_err(|error| Error::new(error.to_string()))
    }

    /// The frame, if it is one, made of its bytes.
    fn frame(&self) -> Option<Result<Frame<'static, Value>, Error>> {
        let What::Frame(frames) = self.what() else { return None };
        let read = self.grammar.frame(self.all_bytes(), self.extent.start, frames);
        let frame = read.and_then(|(frame, _)| frame.into_frame::<Value>());
        Some(frame.map(Frame::into_owned).map_err(|error| Error::new(error.to_string())))
    }

    fn header(&self, frames: Frames) -> Option<(u32, u32, Header<'g>)> {
        let read = self.grammar.frame(self.all_bytes(), self.extent.start, frames);
        let (frame, _) = read.ok()?;
        Some((frame.module_id, frame.protocol_id, frame.header))
    }

    fn head_part(&self, part: HeadPart, frames: Frames) -> Result<Value, Error> {
        let read = self.header(frames).and_then(|(module, protocol, header)| {
            let (unique, created) = match &header {
                Header::RaftRpc { unique, create_time, .. } => (Some(unique), *create_time),
                _ => (None, 0),
            };
            Some(match part {
                HeadPart::Module => Value::Int(module.into()),
                HeadPart::Protocol => Value::Int(protocol.into()),
                HeadPart::Family => Value::Bytes(family(&header)?.as_bytes().to_vec()),
                HeadPart::Result => Value::Int(header.result_code()?),
                HeadPart::Session => Value::Int(header.session_id()?),
                HeadPart::Unique => unique?.read().ok()?,
                HeadPart::Created => Value::Int(created),
            })
        });
        read.ok_or_else(|| Error::new(format!("the frame has no {}", part.name())))
    }

    fn piece(&self, value: &Value, what: What) -> Result<Piece<'g, Zeze>, Error> {
        let bytes =
            value.to_vec(&self.grammar.options).map_err(|error| Error::new(error.to_string()))?;
        Ok(Piece::new(bytes, Context::new(what, None)))
    }

    fn value_piece(&self, value: &Value) -> Result<Piece<'g, Zeze>, Error> {
        self.piece(value, What::Value(value.kind()))
    }

    fn frame_piece(
        &self,
        frame: &Frame<'_, Value>,
        frames: Frames,
    ) -> Result<Piece<'g, Zeze>, Error> {
        let framing = framing(frames).unwrap_or_default().options(self.grammar.options);
        let bytes = framing.to_vec(frame).map_err(|error| Error::new(error.to_string()))?;
        Ok(Piece::new(bytes, Context::new(What::Frame(frames), None)))
    }

    /// The fields in it, as the solution declares them.
    fn place_of_fields(&self) -> Option<At<'g>> {
        match self.open()?.state {
            State::Bean { at, .. } => at,
            _ => None,
        }
    }

    /// The cells of a row: the map that is shown in its place, and its position.
    fn cells(&self) -> Option<(usize, Self)> {
        let Some(At::Row(..)) = self.context().at else { return None };
        let mut fields = self.list().enumerate();
        let (at, (_, node)) = fields.find(|(_, (child, _))| child.key == Key::Id(CELLS))?;
        (node.what() == What::Value(Kind::Map)).then_some((at, node))
    }

    /// The bean whose fields are those of this value, and the way to it.
    fn bean(&self) -> Option<(Vec<usize>, Self)> {
        match self.what() {
            What::Value(Kind::Bean | Kind::Dynamic) | What::Base => Some((Vec::new(), *self)),
            What::Frame(_) => {
                let at = usize::from(FramePart::BEAN);
                Some((vec![at], self.list().nth(at)?.1))
            }
            _ => None,
        }
    }

    /// Whether a name is that of a part of the frame around the bean.
    fn is_taken(&self, name: &str) -> bool {
        let Some(start) = self.context().frame else { return false };
        [Frames::Sent, Frames::Page].into_iter().any(|frames| {
            let head = self.with(Extent { start, end: start, context: self.context() });
            let Some((.., header)) = head.header(frames) else { return false };
            HeadPart::all(&header).any(|part| part.name() == name)
        }) || name == "rest"
    }

    /// A new entry of a map with these kinds.
    fn new_entry(
        &self,
        kinds: (Kind, Kind),
        step: &New,
        new: Input<'_>,
    ) -> Result<NewChild<'g, Zeze>, Error> {
        let key = match step {
            New::Name(name) => Json::String(name.clone()),
            New::Index(Some(key)) => Json::from(*key),
            New::Other(key) => edit::notation(key, "a key")?,
            New::Index(None) => return Err(Error::new("an entry needs a key")),
        };
        let key = value_of(kinds.0, &key)?;
        let key =
            key.to_vec(&self.grammar.options).map_err(|error| Error::new(error.to_string()))?;
        let value = self.value_piece(&made(kinds.1, new, None)?)?;
        Ok(NewChild { way: Vec::new(), at: None, key: NewKey::Bytes(key), value })
    }

    /// A new field of a bean.
    fn new_field(&self, id: u32, value: Piece<'g, Zeze>) -> NewChild<'g, Zeze> {
        let ids =
            self.list().take_while(|(child, _)| matches!(child.key, Key::Id(own) if own < id));
        NewChild { way: Vec::new(), at: Some(ids.count()), key: NewKey::Id(id), value }
    }
}

impl Values for Zeze {
    fn step<'g>(node: &Node<'g>, at: usize, (child, own): &Listed<'g, Self>) -> Option<Step> {
        match child.key {
            Key::Position => Some(Step::Index(at)),
            Key::Part(FramePart::REST) => Some(Step::Name("rest".to_owned())),
            // The parts of the head and the fields of the bean are shown as those of the frame.
            Key::Part(FramePart::HEAD | FramePart::BEAN) => None,
            Key::Part(_) => Some(Step::Other("base".to_owned())),
            Key::Bytes(_) => Some(match Self::key_node(node, &(*child, *own)) {
                Some(key) => {
                    let value = key.value().unwrap_or(Value::Int(0));
                    match (value.as_str(), node.view().zip(key.context().at)) {
                        (Some(text), _) => Step::Key(text.to_owned()),
                        (None, None) => Step::Other(format!("{value:?}")),
                        (None, Some((view, at))) => {
                            let shown = ShownValue { value: &value, at: Some(at), view };
                            Step::Other(shown.to_string())
                        }
                    }
                }
                None => Step::Index(at),
            }),
            Key::Id(id) => {
                let place = node.view().zip(node.place_of_fields());
                let What::Value(kind) = own.what() else { return Some(Step::Index(at)) };
                let known = place.and_then(|(view, at)| view.field(at, id, kind).name);
                match known {
                    // The cells of a row stand in its place.
                    Some("") if kind == Kind::Map => None,
                    Some(name) if !node.is_taken(name) => Some(Step::Name(name.to_owned())),
                    _ => Some(Step::Other(format!("field {id}"))),
                }
            }
        }
    }

    fn hidden_step<'g>(_: &Node<'g>, (child, _): &Listed<'g, Self>) -> Option<Step> {
        match child.key {
            Key::Part(FramePart::BEAN) => Some(Step::Name("bean".to_owned())),
            _ => None,
        }
    }

    fn components<'g>(node: &Node<'g>) -> Vec<(Step, Extent<Context<'g>>)> {
        let What::Head(frames) = node.what() else { return Vec::new() };
        let Some((.., header)) = node.header(frames) else { return Vec::new() };
        let part = |part: HeadPart| {
            let context = Context::new(What::HeadPart(part, frames), None);
            (Step::Name(part.name().to_owned()), Extent { context, ..node.extent })
        };
        HeadPart::all(&header).map(part).collect()
    }

    fn shows_components(node: &Node<'_>) -> bool {
        matches!(node.what(), What::Head(_))
    }

    fn key_node<'g>(node: &Node<'g>, (child, _): &Listed<'g, Self>) -> Option<Node<'g>> {
        let Key::Bytes(_) = child.key else { return None };
        let (key, value) = map_kinds(node)?;
        let place = node.view().zip(node.context().at);
        let at = place.and_then(|(view, at)| view.part(at, Part::Key(key, value)));
        let context = Context { is_element: true, ..Context::new(What::Value(key), at) };
        Some(node.with(Extent { start: child.entry, end: child.start, context }))
    }

    fn kind(node: &Node<'_>) -> String {
        let name = match node.what() {
            What::Frames(_) => "frames",
            What::Frame(_) | What::Head(_) => "frame",
            What::HeadPart(HeadPart::Family, _) | What::Rest(_) => Kind::Bytes.name(),
            What::HeadPart(HeadPart::Unique, _) | What::Base => "bean",
            What::HeadPart(..) => "number",
            What::Value(kind) => kind.name(),
        };
        name.to_owned()
    }

    fn full_kind(node: &Node<'_>) -> String {
        let of_map = |(key, value): (Kind, Kind)| format!("{key} to {value}");
        let What::Value(kind) = node.what() else {
            return if node.what() == What::Base { "bean".to_owned() } else { String::new() };
        };
        match kind {
            Kind::List => match wire::read_list_header(node.bytes()) {
                Ok(((_, kind), _)) => format!("list of {kind}"),
                Err(_) => kind.to_string(),
            },
            Kind::Map => match map_kinds(node) {
                Some(kinds) => format!("map of {}", of_map(kinds)),
                None => kind.to_string(),
            },
            Kind::Dynamic => {
                let place = node.view().zip(node.place_of_fields());
                match place.and_then(|(view, at)| view.full(at)) {
                    Some(full) => format!("dynamic {full}"),
                    None => match wire::read_int(node.bytes()) {
                        Ok((type_id, _)) => format!("dynamic {type_id}"),
                        Err(_) => kind.to_string(),
                    },
                }
            }
            Kind::Bean if matches!(node.context().at, Some(At::Row(..))) => {
                match node.cells().and_then(|(_, cells)| map_kinds(&cells)) {
                    Some(kinds) => format!("row of {}", of_map(kinds)),
                    None => "row".to_owned(),
                }
            }
            kind => kind.to_string(),
        }
    }

    fn title(node: &Node<'_>) -> Option<String> {
        let len = || node.open().and_then(|open| open.len).unwrap_or_else(|| node.list().count());
        Some(match node.what() {
            What::Frames(_) => count(len(), "frame"),
            What::Frame(_) => {
                let frame = node.frame()?.ok()?;
                let known = node.view().map(|view| (view, of_protocol(view, &frame)));
                let name = known.as_ref().and_then(|(_, known)| known.name).unwrap_or("frame");
                match known.as_ref().and_then(|(view, known)| view.full(known.place?)) {
                    Some(bean) => format!("{name}, {bean}"),
                    None => name.to_owned(),
                }
            }
            What::Value(Kind::List) => {
                format!("{}, {}", Self::full_kind(node), count(len(), "element"))
            }
            What::Value(Kind::Map) => {
                format!("{}, {}", Self::full_kind(node), count(len(), "entry"))
            }
            What::Value(Kind::Dynamic) => return None,
            _ => {
                let place = node.view().zip(node.context().at);
                return place.and_then(|(view, at)| view.full(at)).map(str::to_owned);
            }
        })
    }

    fn is_row(node: &Node<'_>) -> bool {
        match node.what() {
            What::Value(Kind::List | Kind::Map) => {
                node.list().all(|(_, child)| Self::is_flat(&child))
            }
            _ => Self::is_flat(node),
        }
    }

    fn is_flat(node: &Node<'_>) -> bool {
        match node.what() {
            What::Value(kind) => !has_parts(kind),
            What::Head(_) | What::HeadPart(..) | What::Rest(_) => true,
            What::Frames(_) | What::Frame(_) | What::Base => false,
        }
    }

    fn is_flat_equal(own: &Node<'_>, other: &Node<'_>) -> bool {
        match (own.what(), other.what()) {
            (What::Value(kind), What::Value(found)) if kind != found => false,
            (What::HeadPart(part, _), What::HeadPart(found, _)) if part != found => false,
            (What::Head(frames), What::Head(_)) => own.header(frames) == other.header(frames),
            _ => matches!((own.value(), other.value()), (Ok(a), Ok(b)) if a == b),
        }
    }

    fn write(node: &Node<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
        let at = node.context().at;
        match node.frame() {
            Some(Ok(frame)) => {
                let known = node.view().map(|view| (view, of_protocol(view, &frame)));
                let (module, protocol, bean) = (frame.module_id, frame.protocol_id, &frame.bean);
                let Some((view, known)) = known else {
                    return write!(out, "{module}.{protocol} {bean:?}");
                };
                let value = ShownValue { value: bean, at: known.place, view };
                return match known.name {
                    Some(full) => write!(out, "{full} {value}"),
                    None => write!(out, "{module}.{protocol} {value}"),
                };
            }
            Some(Err(why)) => return write!(out, "{why}"),
            None => {}
        }
        if let What::Frames(_) = node.what() {
            return write!(out, "{} frames", node.list().count());
        }
        let value = match node.value() {
            Ok(value) => value,
            Err(why) => return write!(out, "{why}"),
        };
        match (node.what(), &value, node.view()) {
            (What::HeadPart(HeadPart::Family, _), value, _) => {
                out.write_str(value.as_str().unwrap_or_default())
            }
            (What::Base, Value::Bean(bean), Some(view)) => {
                write!(out, "{}", ShownBean { bean, at, view })
            }
            (What::Base, Value::Bean(bean), None) => write!(out, "{bean:?}"),
            (What::Value(_), value, Some(view)) => {
                write!(out, "{}", ShownValue { value, at, view })
            }
            (_, value, _) => write!(out, "{value:?}"),
        }
    }

    fn json(node: &Node<'_>) -> Result<Json, Error> {
        match node.what() {
            What::Frames(_) => node.list().map(|(_, frame)| Self::json(&frame)).collect(),
            What::Frame(_) => notation::of_frame(&node.frame().transpose()?.ok_or("no frame")?),
            What::Head(_) => Self::components(node)
                .into_iter()
                .map(|(step, extent)| {
                    Ok((step.name().into_owned(), Self::json(&node.with(extent))?))
                })
                .collect(),
            _ => json_of(&node.value()?),
        }
    }

    fn typed<'g>(node: &Node<'g>) -> Result<Option<Typed<'g>>, Error> {
        match node.what() {
            What::Frames(_) | What::Frame(_) | What::Head(_) => Ok(None),
            _ => Ok(Some(Typed::Zeze(Cow::Owned(node.value()?)))),
        }
    }

    fn plain(node: &Node<'_>) -> Result<Json, Error> {
        Ok(notation::plain(&Self::json(node)?))
    }

    fn parse_value<'g>(
        node: &Node<'g>,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<Piece<'g, Self>, Error> {
        let own = Self::kind(node);
        let other = kind.filter(|kind| *kind != own);
        match (node.what(), other) {
            (_, Some(_)) if node.context().is_element => {
                Err(Error::new("elements of a list or map have one kind"))
            }
            (What::Value(_), Some(kind)) => node.value_piece(&made(kind_named(kind)?, new, None)?),
            (_, Some(_)) => Err(Error::new(format!("it is always {own}"))),
            (What::Value(kind), None) => {
                let old = if has_parts(kind) { Some(node.value()?) } else { None };
                node.value_piece(&made(kind, new, old.as_ref())?)
            }
            (What::Base, None) => match made(Kind::Bean, new, None)? {
                value if value.kind() == Kind::Bean => node.piece(&value, What::Base),
                other => Err(Error::new(format!("expected a bean, found {}", other.kind()))),
            },
            (What::Rest(_), None) => match made(Kind::Bytes, new, None)? {
                Value::Bytes(bytes) => {
                    let context = Context::new(What::Rest(bytes.len()), None);
                    Ok(Piece::new(bytes, context))
                }
                other => Err(Error::new(format!("expected bytes, found {}", other.kind()))),
            },
            (What::Frame(frames), None) => {
                let header = node.header(frames).map(|(.., header)| header);
                node.frame_piece(&notation::frame(frame_json(new)?, header.as_ref())?, frames)
            }
            _ => Err(Error::new("only what is in the file can be set")),
        }
    }

    fn with_component<'g>(
        node: &Node<'g>,
        piece: Option<Piece<'g, Self>>,
        way: &[usize],
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<Piece<'g, Self>, Error> {
        let (What::Head(frames), Some((_, part))) =
            (node.what(), way.first().and_then(|at| Self::components(node).get(*at).cloned()))
        else {
            return Err(Error::new("it has no components"));
        };
        let own = node.with(part);
        if kind.is_some_and(|kind| kind != Self::kind(&own)) {
            return Err(Error::new(format!("it is always {}", Self::kind(&own))));
        }
        let What::HeadPart(part, _) = part.context.what else {
            return Err(Error::new("it has no components"));
        };
        let old = own.value()?;
        let value = made(old.kind(), new, Some(&old))?;
        // The head as the last change of it left it.
        let changed = match &piece {
            Some(Piece::Bytes { bytes, .. }) => Some(bytes.clone()),
            _ => None,
        };
        let head = changed.unwrap_or_else(|| node.bytes().to_vec());
        let bytes = with_part(&head, frames, part, value)?;
        Ok(Piece::new(bytes, node.context()))
    }

    fn without_component<'g>(node: &Node<'g>, at: usize) -> Result<Piece<'g, Self>, Error> {
        let parts = Self::components(node);
        let part = parts.get(at).map(|(_, part)| part.context.what);
        match part {
            Some(What::HeadPart(HeadPart::Result, _)) => {
                Self::with_component(node, None, &[at], "0".into(), None)
            }
            _ => Err(Error::new("a frame needs it")),
        }
    }

    fn must_stay(_: &Node<'_>, (child, _): &Listed<'_, Self>) -> Option<String> {
        let is_needed =
            matches!(child.key, Key::Part(FramePart::HEAD) | Key::Part(FramePart::BEAN));
        is_needed.then(|| "a frame needs it".to_owned())
    }

    fn new_child<'g>(
        node: &Node<'g>,
        step: &New,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<NewChild<'g, Self>, Error> {
        let known = node.view().zip(node.context().at);
        if let (What::Value(Kind::Bean), Some((view, at))) = (node.what(), known)
            && let Some(kinds) = view.cells(at)
            && !matches!(step, New::Other(name) if name.starts_with("field "))
        {
            if let Some((at, cells)) = node.cells() {
                let child = cells.new_entry(kinds, step, new)?;
                return Ok(NewChild { way: vec![at], ..child });
            }
            // The row has no cells yet.
            let entry = node.new_entry(kinds, step, new)?;
            let (NewKey::Bytes(key), Piece::Bytes { bytes, .. }) = (entry.key, entry.value) else {
                return Err(Error::new("an entry needs a key"));
            };
            let mut cells =
                node.value_piece(&Value::Map(Map::new(kinds.0, kinds.1, Vec::new())))?;
            if let Piece::Bytes { bytes: all, len, .. } = &mut cells {
                all.clear();
                wire::write_map_header(all, 1, kinds.0, kinds.1).map_err(|own| own.to_string())?;
                all.extend(key.into_iter().chain(bytes));
                *len = all.len();
            }
            return Ok(node.new_field(CELLS, cells));
        }
        match (node.what(), step) {
            (What::Frames(frames), New::Index(at)) => {
                let json = frame_json(new)?;
                let first = node.list().next().and_then(|(_, first)| first.header(frames));
                let frame = notation::frame(json, first.map(|(.., header)| header).as_ref())?;
                return Ok(NewChild::element(*at, node.frame_piece(&frame, frames)?));
            }
            (What::Value(Kind::List), New::Index(at)) => {
                let head = wire::read_list_header(node.bytes());
                let ((_, kind), _) = head.map_err(|error| Error::new(error.to_string()))?;
                let value = node.value_piece(&made(kind, new, None)?)?;
                return Ok(NewChild::element(*at, value));
            }
            (What::Value(Kind::Map), step) => {
                let kinds = map_kinds(node).ok_or("the head of the map cannot be read")?;
                return node.new_entry(kinds, step, new);
            }
            _ => {}
        }
        let (New::Other(name) | New::Name(name), Some((way, bean))) = (step, node.bean()) else {
            return Err(Error::new(format!("nothing can be added to a {} so", Self::kind(node))));
        };
        let place = bean.view().zip(bean.place_of_fields());
        let known = place.and_then(|(view, at)| view.by_name(at, name));
        let id = name.strip_prefix("field ").and_then(|id| id.parse::<u32>().ok());
        let id = known.map(|known| known.0).or(id);
        let id = id
            .ok_or_else(|| Error::new("expected a field as [field 7]").with_hint(Hint::Solution))?;
        let kind = kind.or(known.map(|known| known.1));
        let looks = match new {
            Input::Text(new) => edit::json(new),
            Input::Notation(new) => Some(new.clone()),
            Input::Typed(_) => None,
        };
        let kind = kind.unwrap_or(match (new, looks) {
            (Input::Typed(Typed::Zeze(value)), _) => value.kind().name(),
            (_, Some(Json::Number(number))) if number.is_i64() => "int",
            (_, Some(Json::Number(_))) => "double",
            (_, Some(Json::Object(_))) => {
                return Err(
                    Error::new("an object may be of several kinds").with_hint(Hint::MissingKind)
                );
            }
            _ => "string",
        });
        let value = bean.value_piece(&made(kind_named(kind)?, new, None)?)?;
        Ok(NewChild { way, ..bean.new_field(id, value) })
    }

    fn container_type(node: &Node<'_>) -> String {
        match node.what() {
            What::Frame(frames) => {
                let header = node.header(frames);
                let family = header.as_ref().and_then(|(.., header)| family(header));
                family.unwrap_or_default().to_owned()
            }
            _ => Self::full_kind(node),
        }
    }
}

/// The bytes of a frame's head with another part.
fn with_part(head: &[u8], frames: Frames, part: HeadPart, value: Value) -> Result<Vec<u8>, Error> {
    let why = |error: zeze_serialize::Error| error.to_string();
    // Around an empty bean, it is a frame.
    let framing = framing(frames).unwrap_or_default();
    let mut whole = [head, &[0]].concat();
    let size = u32::try_from(whole.len().saturating_sub(12)).map_err(|own| own.to_string())?;
    if let Some(own) = whole.get_mut(8..12) {
        own.copy_from_slice(&size.to_le_bytes());
    }
    let (raw, _) = framing.split(&whole).map_err(why)?;
    let mut frame = raw.into_frame::<Value>().map_err(why)?.into_owned();
    put_part(&mut frame, part, value)?;
    let mut made = framing.to_vec(&frame).map_err(why)?;
    made.pop();
    Ok(made)
}

fn put_part(frame: &mut Frame<'static, Value>, part: HeadPart, value: Value) -> Result<(), Error> {
    let id = |value: &Value| -> Result<u32, Error> {
        let id = value.as_i64().and_then(|id| u32::try_from(id).ok());
        id.ok_or_else(|| {
            Error::new(format!("does not fit: expected an id of 32 bits, found {value:?}"))
        })
    };
    match (part, &mut frame.header, value) {
        (HeadPart::Module, _, value) => frame.module_id = id(&value)?,
        (HeadPart::Protocol, _, value) => frame.protocol_id = id(&value)?,
        (HeadPart::Family, header, name) => {
            let mut other = header.clone();
            if let Header::Rpc { is_request, .. } | Header::RaftRpc { is_request, .. } = &mut other
            {
                *is_request = !*is_request;
            }
            if family(&other) == name.as_str() {
                *header = other;
            } else if family(header) != name.as_str() {
                return Err(Error::new("only a request and a response become one another"));
            }
        }
        (
            HeadPart::Result,
            Header::Protocol { result_code }
            | Header::Rpc { result_code, .. }
            | Header::RaftRpc { result_code, .. },
            Value::Int(code),
        ) => *result_code = code,
        (
            HeadPart::Session,
            Header::Rpc { session_id, .. } | Header::RaftRpc { session_id, .. },
            Value::Int(id),
        ) => *session_id = id,
        (HeadPart::Unique, Header::RaftRpc { unique, .. }, bean) => {
            let raw = RawBean::from_serialize(&bean);
            *unique = raw.map_err(|error| Error::new(error.to_string()))?;
        }
        (HeadPart::Created, Header::RaftRpc { create_time, .. }, Value::Int(time)) => {
            *create_time = time;
        }
        (part, ..) => {
            return Err(Error::new(format!("does not fit the {} of a frame", part.name())));
        }
    }
    Ok(())
}

const _: u8 = BASE;
