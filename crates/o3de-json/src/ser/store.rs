//! Storing as the engine does: values that are the default are left out.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use super::json::{Json, base64, sort};
use crate::de::load;
use crate::node::{MapKind, Node, Order, Shape, node_of};
use crate::read::Input;
use crate::report::{Outcome, Report, ResultCode, Task};
use crate::types::EnumInfo;
use crate::write::{Writer, into_text, not_finite, quoted};
use crate::{Conformance, Options, Result};

/// Text, and what the engine says about it.
pub(crate) fn store<T: Serialize + DeserializeOwned>(
    value: &T,
    default: Option<&T>,
    options: &Options,
) -> Result<(String, Report)> {
    let keep = options.keep_defaults || options.conformance == Conformance::Docs;
    let node = node_of(value, options)?;
    let mut prototype = |text: &str| prototype::<T>(text, options);
    let default = match default {
        _ if keep => None,
        Some(default) => Some(node_of(default, options)?),
        None => prototype(""),
    };
    let mut store = Store::new(options, keep, &mut prototype);
    let (json, code) = store.value(&node, default.as_ref())?;
    let mut writer = Writer::new(Vec::new(), options);
    json.write(&mut writer)?;
    writer.check()?;
    let text = into_text(writer.into_buffer());
    let code = if code.is_idle() { DEFAULT } else { code };
    Ok((text, Report { code, issues: Vec::new(), omitted: 0 }))
}

/// The node of what a type makes of a short text, for the defaults of its parts. There is none where
/// a member without a default is in the way: such a part is then written whole.
fn prototype<T: Serialize + DeserializeOwned>(text: &str, options: &Options) -> Option<Node> {
    let options = Options { conformance: Conformance::Engine, on_issue: None, ..options.clone() };
    let levels = options.limits.max_typed_depth.saturating_mul(2).saturating_add(8);
    let options = options.max_typed_depth(levels);
    let value = if text.is_empty() {
        load::default_of::<T>(&options).ok()?
    } else {
        load::load::<T>(Input::of(text, &options), &options, None).ok()?.0
    };
    node_of(&value, &options).ok()
}

const SUCCESS: ResultCode = ResultCode::new(Task::WriteValue, Outcome::Success);
const DEFAULT: ResultCode = ResultCode::new(Task::WriteValue, Outcome::DefaultsUsed);
const PARTIAL: ResultCode = ResultCode::new(Task::WriteValue, Outcome::PartialDefaults);

type Stored = (Json, ResultCode);

/// One step of the path from the root of a type to a part of it.
#[derive(Clone, Copy)]
enum TypeStep {
    Field(&'static str),
    Element,
    /// One of several slots: its index, and how many there are.
    Slot(usize, usize),
    Key,
    Value,
    /// One of several values of a key.
    Values,
    Payload,
    Variant(&'static str),
}

impl TypeStep {
    /// A text in which just the part at this step is set, to what `inner` says.
    fn text(self, inner: String) -> String {
        match self {
            TypeStep::Field(name) => format!("{{{}:{inner}}}", quoted(name)),
            TypeStep::Element => format!("[{inner}]"),
            TypeStep::Slot(index, len) => {
                let slots = (0..len).map(|at| if at == index { inner.as_str() } else { "{}" });
                format!("[{}]", slots.collect::<Vec<_>>().join(","))
            }
            TypeStep::Key => format!("[{{\"Key\":{inner}}}]"),
            TypeStep::Value => format!("[{{\"Value\":{inner}}}]"),
            TypeStep::Values => format!("[{{\"Value\":[{inner}]}}]"),
            TypeStep::Payload => inner,
            TypeStep::Variant(name) => {
                let name = quoted(name);
                match inner.strip_prefix('{') {
                    Some("}") => format!("{{\"$type\":{name}}}"),
                    Some(members) => format!("{{\"$type\":{name},{members}"),
                    None => format!("{{\"$type\":{name},\"Value\":{inner}}}"),
                }
            }
        }
    }

    /// The part of a node at this step.
    fn find(self, node: &Node) -> Option<&Node> {
        match (self, node) {
            (TypeStep::Field(name), Node::Class(members)) => {
                members.iter().find(|(known, _)| *known == name).map(|(_, node)| node)
            }
            (TypeStep::Element, Node::Seq(_, nodes)) => nodes.first(),
            (TypeStep::Slot(index, _), Node::Tuple(nodes)) => nodes.get(index),
            (TypeStep::Key, Node::Map(_, entries)) => entries.first().map(|(key, _)| key),
            (TypeStep::Value | TypeStep::Values, Node::Map(_, entries)) => {
                entries.first().map(|(_, value)| value)
            }
            (TypeStep::Payload, Node::Some(inner)) => Some(inner),
            (TypeStep::Variant(wanted), Node::Variant { name, content, .. }) if *name == wanted => {
                Some(content)
            }
            _ => None,
        }
    }
}

struct Store<'a> {
    options: &'a Options,
    keep: bool,
    prototype: &'a mut dyn FnMut(&str) -> Option<Node>,
    /// From the root to the present part.
    path: Vec<TypeStep>,
    /// Defaults by the text that makes them.
    known: HashMap<String, Option<Rc<Node>>>,
}

impl<'a> Store<'a> {
    fn new(
        options: &'a Options,
        keep: bool,
        prototype: &'a mut dyn FnMut(&str) -> Option<Node>,
    ) -> Self {
        Store { options, keep, prototype, path: Vec::new(), known: HashMap::new() }
    }

    /// The default of the part at one more step when it is new.
    fn prototype_at(&mut self, step: TypeStep) -> Option<Rc<Node>> {
        if self.keep {
            return None;
        }
        let steps = || self.path.iter().copied().chain([step]);
        let text = steps().rev().fold("{}".to_owned(), |inner, step| step.text(inner));
        if let Some(known) = self.known.get(&text) {
            return known.clone();
        }
        let root = (self.prototype)(&text);
        let found = root.and_then(|root| {
            steps().try_fold(&root, |node, step| step.find(node)).cloned().map(Rc::new)
        });
        self.known.insert(text, found.clone());
        found
    }

    /// Stores the part at one more step.
    fn value_at(&mut self, step: TypeStep, node: &Node, default: Option<&Node>) -> Result<Stored> {
        self.path.push(step);
        let stored = self.value(node, default);
        self.path.pop();
        stored
    }

    fn value(&mut self, node: &Node, default: Option<&Node>) -> Result<Stored> {
        let default = default.filter(|_| !self.keep);
        let exact = |json: Json| {
            if default == Some(node) { (Json::empty(), DEFAULT) } else { (json, SUCCESS) }
        };
        Ok(match node {
            Node::Unit if self.keep => (Json::empty(), SUCCESS),
            Node::Unit => (Json::empty(), DEFAULT),
            Node::Null => exact(Json::Null),
            Node::Bool(value) => exact(Json::Bool(*value)),
            Node::Unsigned(value) => exact(Json::Unsigned(*value)),
            Node::Signed(value) => exact(Json::Signed(*value)),
            Node::Float(value) => {
                let default = match default {
                    Some(Node::Float(default)) => Some((*value - *default).abs().into()),
                    _ => None,
                };
                let epsilon = f32::EPSILON.into();
                self.float(Json::Float(*value), (*value).into(), default, epsilon)?
            }
            Node::Double(value) => {
                let default = match default {
                    Some(Node::Double(default)) => Some((value - default).abs()),
                    _ => None,
                };
                self.float(Json::Double(*value), *value, default, f64::EPSILON)?
            }
            Node::Text(text) => exact(Json::Text(Cow::Owned(text.clone()))),
            Node::Bytes(bytes) => exact(Json::Array(
                bytes.iter().map(|byte| Json::Unsigned((*byte).into())).collect(),
            )),
            Node::Base64(bytes) => exact(Json::Text(Cow::Owned(base64(bytes)))),
            Node::Uuid(uuid) => exact(Json::Text(Cow::Owned(uuid.to_string()))),
            Node::Raw(text) => exact(Json::Raw(text.clone())),
            Node::Reals(shape, values) => reals(*shape, values, default)?,
            Node::Flags(bits, info) => exact(flags(*bits, info, self.options)),
            Node::Name(name) => exact(Json::Text(Cow::Borrowed(name))),
            Node::Seq(order, nodes) => self.sequence(*order, nodes)?,
            Node::Tuple(nodes) => self.tuple(nodes, default)?,
            Node::Class(members) => self.class(members, default)?,
            Node::Map(kind, entries) => self.map(*kind, entries)?,
            Node::None if self.keep => (Json::Null, SUCCESS),
            Node::None => match default {
                Some(Node::None) => (Json::Null, DEFAULT),
                _ => (Json::Null, SUCCESS),
            },
            Node::Some(inner) => self.pointer(inner, default)?,
            Node::Variant { name, base, content } => self.variant(name, *base, content, default)?,
            Node::Any(name, value) => {
                let name = Json::Text(Cow::Owned(name.clone()));
                let value = Json::Raw(value.clone());
                (Json::Object(vec![("$type".into(), name), ("Value".into(), value)]), SUCCESS)
            }
        })
    }

    /// A float, and how far it is from its default.
    fn float(&self, json: Json, value: f64, off: Option<f64>, epsilon: f64) -> Result<Stored> {
        if !value.is_finite() {
            return Err(not_finite(value));
        }
        let epsilon = if self.options.exact_floats { 0.0 } else { epsilon };
        let is_default = off.is_some_and(|off| off <= epsilon);
        Ok(if is_default { (Json::empty(), DEFAULT) } else { (json, SUCCESS) })
    }

    /// A list, vector or set: each element against a new one.
    fn sequence(&mut self, order: Order, nodes: &[Node]) -> Result<Stored> {
        if nodes.is_empty() {
            return Ok((Json::Array(Vec::new()), if self.keep { SUCCESS } else { DEFAULT }));
        }
        let default = self.prototype_at(TypeStep::Element);
        let mut code = ResultCode::idle(Task::WriteValue);
        let mut elements = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            let (json, element_code) = self
                .value_at(TypeStep::Element, node, default.as_deref())
                .map_err(|error| error.in_index(index))?;
            code = code.combine(element_code);
            elements.push(json);
        }
        if order == Order::Sorted {
            sort(&mut elements, Json::value);
        }
        Ok((Json::Array(elements), at_least_partial(code)))
    }

    /// An array, pair or tuple, slot by slot.
    fn tuple(&mut self, nodes: &[Node], default: Option<&Node>) -> Result<Stored> {
        let defaults: &[Node] = match default {
            Some(Node::Tuple(defaults)) => defaults,
            _ => &[],
        };
        let mut code = ResultCode::idle(Task::WriteValue);
        let mut slots = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            let (json, slot_code) = self
                .value_at(TypeStep::Slot(index, nodes.len()), node, defaults.get(index))
                .map_err(|error| error.in_index(index))?;
            code = code.combine(slot_code);
            // A slot that is all default is marked as such, whatever it is.
            slots.push(match (&json, slot_code.outcome()) {
                (Json::Array(elements), Outcome::DefaultsUsed) if elements.is_empty() => {
                    Json::empty()
                }
                _ => json,
            });
        }
        if !nodes.is_empty() && code.outcome() == Outcome::DefaultsUsed {
            return Ok((Json::empty(), DEFAULT));
        }
        let code = if code.is_idle() { SUCCESS } else { code };
        Ok((Json::Array(slots), code))
    }

    fn class(
        &mut self,
        members: &[(&'static str, Node)],
        default: Option<&Node>,
    ) -> Result<Stored> {
        let defaults: &[(&str, Node)] = match default {
            Some(Node::Class(defaults)) => defaults,
            _ => &[],
        };
        // A class without a default could not be read back without all of its members.
        let keep = self.keep || default.is_none();
        let mut code = ResultCode::idle(Task::WriteValue);
        let mut object = Vec::with_capacity(members.len());
        for (index, (name, node)) in members.iter().enumerate() {
            let at_index = defaults.get(index).filter(|(known, _)| known == name);
            let default = at_index
                .or_else(|| defaults.iter().find(|(known, _)| known == name))
                .map(|(_, node)| node);
            let (json, member) = self
                .value_at(TypeStep::Field(name), node, default)
                .map_err(|error| error.in_field(name))?;
            code = code.combine(member);
            if keep || member.outcome() != Outcome::DefaultsUsed {
                object.push((Cow::Borrowed(*name), json));
            }
        }
        if code.is_idle() {
            code = if self.keep { SUCCESS } else { DEFAULT };
        }
        Ok((Json::Object(object), code))
    }

    /// A pointer that is not null.
    fn pointer(&mut self, inner: &Node, default: Option<&Node>) -> Result<Stored> {
        if let Some(Node::Some(default)) = default {
            return self.value_at(TypeStep::Payload, inner, Some(default));
        }
        let new = default.and_then(|_| self.prototype_at(TypeStep::Payload));
        let (json, code) = self.value_at(TypeStep::Payload, inner, new.as_deref())?;
        if code.outcome() == Outcome::DefaultsUsed {
            // It is a default, but not null.
            let json = match json {
                Json::Array(elements) if elements.is_empty() && !self.keep => Json::empty(),
                json => json,
            };
            return Ok((json, PARTIAL));
        }
        Ok((json, code))
    }

    /// A class by its dynamic type.
    fn variant(
        &mut self,
        name: &'static str,
        base: bool,
        content: &Node,
        default: Option<&Node>,
    ) -> Result<Stored> {
        let step = TypeStep::Variant(name);
        let same = match default {
            Some(Node::Variant { name: known, content, .. }) if *known == name => Some(&**content),
            _ => None,
        };
        let new = match (same, default) {
            (None, Some(_)) => self.prototype_at(step),
            _ => None,
        };
        let (json, code) = self.value_at(step, content, same.or(new.as_deref()))?;
        if base || same.is_some() && !self.keep {
            return Ok((json, code));
        }
        let kind = ("$type".into(), Json::Text(type_text(name, self.options)));
        let is_class = matches!(content, Node::Class(_) | Node::Unit);
        let json = match json {
            Json::Object(members) if is_class || members.is_empty() => {
                Json::Object(std::iter::once(kind).chain(members).collect())
            }
            json => Json::Object(vec![kind, ("Value".into(), json)]),
        };
        Ok((json, code.combine(SUCCESS)))
    }

    fn map(&mut self, kind: MapKind, nodes: &[(Node, Node)]) -> Result<Stored> {
        if nodes.is_empty() {
            let json = match kind {
                MapKind::Open => Json::empty(),
                _ => Json::Array(Vec::new()),
            };
            return Ok((json, if self.keep { SUCCESS } else { DEFAULT }));
        }
        let docs = self.options.conformance == Conformance::Docs;
        let value_step = if kind == MapKind::Multi { TypeStep::Values } else { TypeStep::Value };
        let default_key = self.prototype_at(TypeStep::Key);
        let default_value = self.prototype_at(value_step);
        let mut code = ResultCode::idle(Task::WriteValue);
        let mut entries: Vec<(Json, Vec<Json>, bool)> = Vec::with_capacity(nodes.len());
        for (index, (key, value)) in nodes.iter().enumerate() {
            let (key, key_code) = self
                .value_at(TypeStep::Key, key, default_key.as_deref())
                .map_err(|error| error.in_field("Key").in_index(index))?;
            let (value, value_code) = self
                .value_at(value_step, value, default_value.as_deref())
                .map_err(|error| match &key {
                    Json::Text(key) => error.in_field(key),
                    _ => error.in_field("Value").in_index(index),
                })?;
            code = code.combine(key_code).combine(value_code);
            let defaulted = value_code.outcome() == Outcome::DefaultsUsed;
            let value = match value {
                Json::Array(elements) if elements.is_empty() && defaulted => Json::empty(),
                value => value,
            };
            entries.push((key, vec![value], defaulted));
        }
        if matches!(kind, MapKind::Sorted | MapKind::Multi) {
            // Arrays of one length are compared element by element: keys first, then values.
            sort(&mut entries, |(key, values, _)| {
                std::iter::once(key).chain(values).map(Json::value).collect()
            });
        }
        let multi = kind == MapKind::Multi && !docs;
        if multi {
            entries.dedup_by(|later, earlier| {
                let same = later.0.value().compare(&earlier.0.value()).is_eq();
                if same {
                    earlier.1.append(&mut later.1);
                }
                same
            });
        }
        let whole = |mut values: Vec<Json>, defaulted: bool| match values.len() {
            1 if !multi || defaulted => values.pop().unwrap_or(Json::Null),
            _ => Json::Array(values),
        };
        let text_keys = nodes.iter().all(|(key, _)| matches!(key, Node::Text(_)));
        let names = entries.iter().all(|(key, ..)| match key {
            // A key of these characters would be taken for the default.
            Json::Text(text) if text == "{}" => kind == MapKind::Open,
            Json::Text(_) => text_keys || !docs,
            key => key.is_empty_object() && !docs && !self.keep,
        });
        let json = if names {
            let members = entries.into_iter().map(|(key, values, defaulted)| {
                let name = match key {
                    Json::Text(name) => name,
                    _ => Cow::Borrowed("{}"),
                };
                (name, whole(values, defaulted))
            });
            Json::Object(members.collect())
        } else {
            let pairs = entries.into_iter().map(|(key, values, defaulted)| {
                let value = whole(values, defaulted);
                Json::Object(vec![("Key".into(), key), ("Value".into(), value)])
            });
            Json::Array(pairs.collect())
        };
        Ok((json, at_least_partial(code)))
    }
}

/// A container with anything in it is more than a default.
fn at_least_partial(code: ResultCode) -> ResultCode {
    if code.outcome() == Outcome::DefaultsUsed { PARTIAL } else { code }
}

/// A row of floats: compared exactly, and a colour without its alpha where that is the default.
fn reals(shape: Shape, values: &[f32], default: Option<&Node>) -> Result<Stored> {
    if let Some((index, value)) = values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
        return Err(not_finite((*value).into()).in_index(index));
    }
    let default = match default {
        Some(Node::Reals(_, default)) => Some(default.as_slice()),
        _ => None,
    };
    if default == Some(values) {
        return Ok((Json::empty(), DEFAULT));
    }
    let alpha = values.get(3);
    let short = shape == Shape::Color && default.is_some_and(|default| default.get(3) == alpha);
    let count = if short { 3 } else { values.len() };
    let row = values.iter().take(count).map(|value| Json::Float(*value)).collect();
    Ok((Json::Array(row), if short { PARTIAL } else { SUCCESS }))
}

/// A registered enum by its names.
pub(super) fn flags(bits: u64, info: &EnumInfo, options: &Options) -> Json {
    let (names, rest) = match options.conformance {
        Conformance::Docs => info.parts_of_page(bits),
        Conformance::Engine => info.parts(bits),
    };
    let number = |bits: u64| match info.underlying.is_signed() {
        true => Json::Signed(bits.cast_signed()),
        false => Json::Unsigned(bits),
    };
    match (names.as_slice(), rest) {
        ([], _) => number(bits),
        ([name], None) => Json::Text(Cow::Borrowed(name)),
        _ => {
            let names = names.iter().map(|name| Json::Text(Cow::Borrowed(*name)));
            Json::Array(names.chain(rest.map(number)).collect())
        }
    }
}

/// The `$type` text of a variant: as the registry spells the type, or as the variant is named.
pub(super) fn type_text(name: &'static str, options: &Options) -> Cow<'static, str> {
    let known = options.types.as_ref().and_then(|types| {
        let info = types.load_type_id(name, None).ok()?;
        if info.uuid.is_null() { None } else { types.store_type_id(info.uuid).ok() }
    });
    known.map_or(Cow::Borrowed(name), Cow::Owned)
}

/// Any value with its defaults, for what the streaming writer cannot do.
pub(super) fn whole(node: &Node, options: &Options, writer: &mut Writer) -> Result<()> {
    let mut none = |_: &str| None;
    let (json, _) = Store::new(options, true, &mut none).value(node, None)?;
    json.write(writer)
}
