//! The notation to [`Value`], without recursion.
use std::borrow::Cow;
use std::sync::Arc;

use gamewire_core::bytes::from_hex;
use gamewire_core::json::{self, Elements, Members, Node};

use super::items::{name_of, number_of};

use crate::core_object::CoreHeader;
use crate::error::Shortened;
use crate::notation::{Budget, Terms, compact, hash};
use crate::schema::{Class, Kind, Kinds, Number, Property, Scalar};
use crate::value::{Field, Object, RawBits, RawObject};
use crate::{Error, ErrorKind, Options, Result, Value};

/// The root: an object.
pub(super) fn value(node: Node<'_>, options: &Options, budget: Budget) -> Result<Value> {
    let builder = JsonBuilder { terms: Terms::new(options)?, budget, stack: Vec::new() };
    match builder.object(node)? {
        Opened::Whole(value) => Ok(value),
        Opened::Level(level) => builder.run(level),
    }
}

/// A value, or a container of which the values are still to be read.
enum Opened<'t> {
    Whole(Value),
    Level(JsonLevel<'t>),
}

enum JsonLevel<'t> {
    Object {
        object: Object,
        class: &'t Arc<Class>,
        members: Members<'t>,
        /// Of the member that is read: the whole name, and the property.
        name: Cow<'t, str>,
        index: usize,
    },
    /// A list, or a tuple, whose elements are of different kinds.
    List { property: &'t Property, kinds: Kinds<'t>, nodes: Elements<'t>, values: Vec<Value> },
}

impl JsonLevel<'_> {
    /// Adds to an error where in this level it happened.
    fn locate(&self, error: Error) -> Error {
        match self {
            JsonLevel::Object { name, .. } => error.inside(&**name),
            JsonLevel::List { values, .. } => error.inside(values.len()),
        }
    }
}

struct JsonBuilder<'t> {
    terms: Terms<'t>,
    budget: Budget,
    /// The levels around the one that is being read.
    stack: Vec<JsonLevel<'t>>,
}

#[cold]
fn wrong(message: String) -> Error {
    Error::new(ErrorKind::Data, message)
}

#[cold]
fn expected(what: &str, node: Node<'_>) -> Error {
    wrong(format!("expected {what}, found {}", name_of(node)))
}

impl<'t> JsonBuilder<'t> {
    fn run(mut self, level: JsonLevel<'t>) -> Result<Value> {
        let mut top = level;
        loop {
            let outcome = match self.next(&mut top) {
                Ok(Some(Opened::Level(inner))) => {
                    self.stack.push(std::mem::replace(&mut top, inner));
                    continue;
                }
                Ok(Some(Opened::Whole(value))) => Ok(value),
                Ok(None) => match self.stack.pop() {
                    Some(outer) => finish(std::mem::replace(&mut top, outer)),
                    None => return finish(top),
                },
                Err(error) => Err(error),
            };
            match outcome.and_then(|value| self.put(&mut top, value)) {
                Ok(()) => {}
                Err(error) => {
                    let error = top.locate(error);
                    return Err(self.stack.iter().rev().fold(error, |e, level| level.locate(e)));
                }
            }
        }
    }

    /// Puts a value where it belongs in the level around it.
    fn put(&mut self, level: &mut JsonLevel<'t>, value: Value) -> Result<()> {
        self.budget.take_for(&value)?;
        match level {
            JsonLevel::Object { object, class, index, .. } => {
                let kept = class.properties().get(*index).is_some_and(|p| self.terms.is_kept(p));
                object.push_field(Field::at(*index, kept, value));
            }
            JsonLevel::List { values, .. } => values.push(value),
        }
        Ok(())
    }

    /// The next value of a level; `None` at its end.
    fn next(&self, level: &mut JsonLevel<'t>) -> Result<Option<Opened<'t>>> {
        match level {
            JsonLevel::Object { object, class, members, name, index } => {
                let class: &'t Arc<Class> = class;
                for (next, node) in members.by_ref() {
                    *name = next;
                    match &**name {
                        "$type" => {}
                        "$core" => object.set_core(Some(core(node)?)),
                        next => match self.property(class, next) {
                            Some((at, property)) => {
                                *index = at;
                                return self.whole(property, node).map(Some);
                            }
                            None => object.push_field(unknown(class, next, node)?),
                        },
                    }
                }
                Ok(None)
            }
            JsonLevel::List { property, kinds, nodes, values } => {
                let property: &'t Property = property;
                match (kinds.get(values.len()), nodes.next()) {
                    (Some(kind), Some(node)) => self.value(kind, property, node).map(Some),
                    _ => Ok(None),
                }
            }
        }
    }

    /// That one more level is not too many.
    fn enter(&self) -> Result<()> {
        // The level around this one is not on the stack.
        self.terms.check_depth(self.stack.len().saturating_add(2))
    }

    fn object(&self, node: Node<'t>) -> Result<Opened<'t>> {
        let Some(members) = node.members() else {
            return Err(expected("an object with the member \"$type\"", node));
        };
        let find = |wanted: &str| members.clone().find(|(name, _)| name == wanted);
        let Some((_, name)) = find("$type") else { return Err(missing("$type")) };
        let Some(name) = name.text() else {
            return Err(expected("the name of a class", name).inside("$type"));
        };
        if find("$bits").is_some() {
            let hash = hash(&name).ok_or_else(|| {
                wrong(format!("expected a hash such as 0x1234abcd, found \"{}\"", Shortened(&name)))
                    .inside("$type")
            })?;
            let [_, count, digits] = exact(node, ["$type", "$bits", "$hex"])?;
            let raw = RawObject { hash, bits: bits(count, digits)? };
            return Ok(Opened::Whole(Value::Raw(Box::new(raw))));
        }
        let class = self.terms.class(&name)?;
        let object = Object::new(Arc::clone(class));
        Ok(Opened::Level(JsonLevel::Object { object, class, members, name: "".into(), index: 0 }))
    }

    /// The property of a name; after a `#`, how often it was there before does not matter.
    fn property(&self, class: &'t Class, name: &str) -> Option<(usize, &'t Property)> {
        let first = || name.rsplit_once('#').map(|(first, _)| first);
        let index = class.index_of(name).or_else(|| class.index_of(first()?))?;
        Some((index, class.properties().get(index)?))
    }

    fn whole(&self, property: &'t Property, node: Node<'t>) -> Result<Opened<'t>> {
        if property.is_list() && *property.kind() != Kind::Unsupported {
            return self.list(Kinds::Same(property.kind()), property, node);
        }
        self.value(property.kind(), property, node)
    }

    fn list(&self, kinds: Kinds<'t>, property: &'t Property, node: Node<'t>) -> Result<Opened<'t>> {
        self.enter()?;
        let Some(nodes) = node.elements() else { return Err(expected("a list", node)) };
        if let Kinds::Each(kinds) = kinds {
            let (need, found) = (kinds.len(), nodes.clone().count());
            if need != found {
                return Err(wrong(format!("expected {need} elements, found {found}")));
            }
        }
        Ok(Opened::Level(JsonLevel::List { property, kinds, nodes, values: Vec::new() }))
    }

    fn value(&self, kind: &'t Kind, property: &'t Property, node: Node<'t>) -> Result<Opened<'t>> {
        match (kind, node.kind()) {
            (Kind::Object | Kind::Optional(_), json::Kind::Null) => Ok(Opened::Whole(Value::Null)),
            (Kind::Object, _) => {
                self.enter()?;
                self.object(node)
            }
            (Kind::Optional(kind), _) => self.value(kind, property, node),
            (Kind::List(kind), _) => self.list(Kinds::Same(kind), property, node),
            (Kind::Tuple(kinds), _) => self.list(Kinds::Each(kinds), property, node),
            _ => leaf(kind, property, node).map(Opened::Whole),
        }
    }
}

fn finish(level: JsonLevel<'_>) -> Result<Value> {
    match level {
        JsonLevel::Object { object, .. } => Ok(Value::Object(Box::new(object))),
        JsonLevel::List { kinds: Kinds::Same(kind), values, .. } => compact(kind, values),
        JsonLevel::List { values, .. } => Ok(Value::List(values.into())),
    }
}

/// A value that holds no others.
fn leaf(kind: &Kind, property: &Property, node: Node<'_>) -> Result<Value> {
    Ok(match (kind, node.kind()) {
        (Kind::Bool, json::Kind::Bool(value)) => Value::Bool(value),
        (Kind::Bool, _) => return Err(expected("true or false", node)),
        (Kind::Scalar(scalar), _) => number(*scalar, node)?.into(),
        (Kind::Bits { signed: true, .. }, _) => Value::Int(integer(node)?),
        (Kind::Bits { signed: false, .. }, _) => Value::UInt(integer(node)?),
        (Kind::String, json::Kind::Text) => Value::String((&*text(node)).into()),
        (Kind::String, json::Kind::Map) => {
            let [digits] = exact(node, ["$bytes"])?;
            Value::String(hex(digits)?.into())
        }
        (Kind::WString, json::Kind::Text) => Value::WString((&*text(node)).into()),
        (Kind::WString, json::Kind::Map) => {
            let [units] = exact(node, ["$utf16"])?;
            Value::WString(each(units, integer::<u16>)?.into())
        }
        (Kind::String | Kind::WString, _) => return Err(expected("text", node)),
        (Kind::Enum, json::Kind::Text) => match property.options() {
            Some(options) => Value::Enum(options.parse(&text(node))?),
            None => {
                return Err(expected("a number, because the options have no names", node));
            }
        },
        (Kind::Enum, _) => Value::Enum(integer(node)?),
        (Kind::Unsupported, json::Kind::Map) => {
            let [count, digits] = exact(node, ["$bits", "$hex"])?;
            Value::Bits(Box::new(bits(count, digits)?))
        }
        (Kind::Unsupported, _) => return Err(expected("bits", node)),
        (kind, _) => {
            let numbers = row(kind, node)?;
            Value::from_numbers(kind, &numbers)
                .ok_or_else(|| wrong("the type of this property is not known".to_owned()))?
        }
    })
}

/// The numbers of a type of a few: by their names, or in a list in that order.
fn row(kind: &Kind, node: Node<'_>) -> Result<Vec<Number>> {
    let Some(row) = kind.row() else { return Ok(Vec::new()) };
    let mut numbers = Vec::with_capacity(row.len());
    let mut add = |node: Node<'_>| {
        match row.each {
            1 => numbers.push(number(row.scalar, node)?),
            len => {
                let line = each(node, |node| number(row.scalar, node))?;
                check_len(line.len(), len)?;
                numbers.extend(line);
            }
        }
        Ok(())
    };
    match node.members() {
        None => {
            let all = each(node, add)?;
            check_len(all.len(), row.names.len())?;
        }
        Some(members) => {
            let find = |wanted: &str| members.clone().find(|(name, _)| name == wanted);
            for name in row.names {
                let (_, node) = find(name).ok_or_else(|| missing(name))?;
                add(node).map_err(|error: Error| error.inside(*name))?;
            }
            if let Some((name, _)) = members.clone().find(|(name, _)| !row.names.contains(&&**name))
            {
                return Err(unknown_member(&name));
            }
        }
    }
    Ok(numbers)
}

fn check_len(found: usize, len: usize) -> Result<()> {
    if found == len {
        return Ok(());
    }
    Err(wrong(format!("expected {len} components, found {found}")))
}

fn unknown(class: &Class, name: &str, node: Node<'_>) -> Result<Field> {
    let first = name.rsplit_once('#').map_or(name, |(first, _)| first);
    let Some(hash) = hash(first) else {
        let message = format!("`{}` has no such property", class.name());
        return Err(Error::new(ErrorKind::UnknownProperty, message));
    };
    if node.members().is_none() {
        return Err(expected("the bits of an unknown property", node));
    }
    let [count, digits] = exact(node, ["$bits", "$hex"])?;
    Ok(Field::unknown(hash, Value::Bits(Box::new(bits(count, digits)?))))
}

fn bits(count: Node<'_>, digits: Node<'_>) -> Result<RawBits> {
    let count: usize = integer(count).map_err(|error| error.inside("$bits"))?;
    let bytes = hex(digits).map_err(|error| error.inside("$hex"))?;
    if count.div_ceil(8) != bytes.len() {
        let found = bytes.len();
        return Err(wrong(format!("{count} bits are not {found} bytes")));
    }
    Ok(RawBits::new(&bytes, count))
}

fn hex(node: Node<'_>) -> Result<Vec<u8>> {
    let bytes = node.text().and_then(|digits| from_hex(&digits));
    bytes.ok_or_else(|| expected("pairs of hexadecimal digits", node))
}

fn core(node: Node<'_>) -> Result<CoreHeader> {
    let names = ["block", "type", "template_id"];
    let [block, template_type, template_id] = match node.members() {
        Some(_) => exact(node, names)?,
        None => {
            let all = each(node, Ok)?;
            check_len(all.len(), names.len())?;
            <[Node<'_>; 3]>::try_from(all).map_err(|_| expected("a header", node))?
        }
    };
    Ok(CoreHeader::new(integer(block)?, integer(template_type)?, integer(template_id)?))
}

fn text(node: Node<'_>) -> Cow<'_, str> {
    let text = node.text();
    debug_assert!(text.is_some(), "it was asked whether it is text");
    text.unwrap_or_default()
}

fn number(scalar: Scalar, node: Node<'_>) -> Result<Number> {
    match (scalar, number_of(node)) {
        (Scalar::F32, _) => float(node).map(Number::Float),
        (Scalar::F64, _) => double(node).map(Number::Double),
        (_, Some(whole @ (Number::Int(_) | Number::UInt(_)))) => {
            scalar.declare(whole).ok_or_else(|| too_large(node, scalar.bits()))
        }
        _ => Err(expected("a whole number", node)),
    }
}

#[cold]
fn too_large(node: Node<'_>, bits: u32) -> Error {
    let message = format!("{} does not fit into {bits} bits", name_of(node));
    Error::new(ErrorKind::NumberRange, message)
}

fn integer<T: TryFrom<i64> + TryFrom<u64>>(node: Node<'_>) -> Result<T> {
    match number_of(node) {
        Some(whole @ (Number::Int(_) | Number::UInt(_))) => whole.fit().ok_or_else(|| {
            too_large(node, u32::try_from(size_of::<T>()).unwrap_or(8).saturating_mul(8))
        }),
        _ => Err(expected("a whole number", node)),
    }
}

macro_rules! floats {
    ($($name:ident $float:ty, $digits:literal;)+) => {$(
        #[allow(clippy::cast_possible_truncation, reason = "rounded, as reading a float is")]
        fn $name(node: Node<'_>) -> Result<$float> {
            Ok(match number_of(node) {
                Some(Number::Double(value)) => value as $float,
                Some(Number::Int(value)) => value as $float,
                Some(Number::UInt(value)) => value as $float,
                _ => <$float>::from_bits(float_bits(node, $digits)?),
            })
        }
    )+};
}

floats! {
    float f32, 8;
    double f64, 16;
}

/// The bits of a float for which JSON has no number.
fn float_bits<T: TryFrom<u64>>(node: Node<'_>, digits: usize) -> Result<T> {
    if node.members().is_none() {
        return Err(expected("a number", node));
    }
    let [text] = exact(node, ["$float"])?;
    text.text()
        .filter(|text| text.len() == digits && !text.starts_with('+'))
        .and_then(|text| T::try_from(u64::from_str_radix(&text, 16).ok()?).ok())
        .ok_or_else(|| expected("the bits of a float in hexadecimal digits", text))
}

#[cold]
fn missing(name: &str) -> Error {
    wrong(format!("the member \"{name}\" is missing"))
}

#[cold]
fn unknown_member(name: &str) -> Error {
    wrong(format!("the member \"{}\" is not known here", Shortened(name)))
}

/// Exactly these members.
fn exact<'t, const N: usize>(node: Node<'t>, names: [&'static str; N]) -> Result<[Node<'t>; N]> {
    let Some(members) = node.members() else { return Err(expected("an object", node)) };
    let mut found = [node; N];
    for (place, wanted) in found.iter_mut().zip(names) {
        let mut members = members.clone();
        let (_, value) = members.find(|(name, _)| name == wanted).ok_or_else(|| missing(wanted))?;
        *place = value;
    }
    match members.clone().find(|(name, _)| !names.contains(&&**name)) {
        None => Ok(found),
        Some((name, _)) => Err(unknown_member(&name)),
    }
}

fn each<'t, T>(node: Node<'t>, mut read: impl FnMut(Node<'t>) -> Result<T>) -> Result<Vec<T>> {
    let Some(nodes) = node.elements() else { return Err(expected("a list", node)) };
    let nodes = nodes.enumerate();
    nodes.map(|(index, node)| read(node).map_err(|error| error.inside(index))).collect()
}
