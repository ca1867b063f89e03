//! Type lists in JSON: wiztype version 1 (classes by name) and version 2 (classes by hash).
use std::borrow::Cow;
use std::sync::Arc;

use gamewire_core::json::{self, Node};

use super::build::{default_of_text, property};
use super::{Class, Container, EnumOptions, Kind, Number, Property};
use crate::hash::Game;
use crate::json::items::{items, name_of, number_of};
use crate::types::PropertyFlags;
use crate::{Error, ErrorKind, Result};

pub(super) fn read(json: &[u8], game: Game) -> Result<Vec<Class>> {
    let malformed = |error: String| fault(format!("the type list is malformed: {error}"));
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let text = std::str::from_utf8(json).map_err(|error| malformed(error.to_string()))?;
    // A type list is of the program that reads with it, and no input.
    let items = items(text, usize::MAX).map_err(|error| malformed(error.to_string()))?;
    let mut classes = Vec::new();
    let root = || members(items.root(), "a type list");
    // Beside `classes` stands what extractors say of the program; without it, the classes stand at the root.
    let has_classes = root()?.any(|(key, _)| key == "classes");
    for (key, node) in root()? {
        match &*key {
            "version" if matches!(node.number(), Some("1" | "2")) => {}
            "version" => return Err(fault(format!("version {} is not known", name_of(node)))),
            "classes" => {
                for (key, node) in members(node, "classes")? {
                    classes.push(class(&key, node, game)?);
                }
            }
            _ if has_classes => {}
            key => classes.push(class(key, node, game)?),
        }
    }
    Ok(classes)
}

#[cold]
fn fault(message: String) -> Error {
    Error::new(ErrorKind::Schema, message)
}

#[cold]
fn expected(what: &str, node: Node<'_>) -> Error {
    fault(format!("expected {what}, found {}", name_of(node)))
}

/// The members of an object; null is as good as none.
fn members<'t>(
    node: Node<'t>,
    what: &str,
) -> Result<impl Iterator<Item = (Cow<'t, str>, Node<'t>)> + use<'t>> {
    match (node.members(), node.kind()) {
        (None, json::Kind::Null) => Ok(None.into_iter().flatten()),
        (None, _) => Err(expected(what, node)),
        (members, _) => Ok(members.into_iter().flatten()),
    }
}

fn text(node: Node<'_>) -> Result<Cow<'_, str>> {
    node.text().ok_or_else(|| expected("text", node))
}

/// 32 bits; negative numbers are taken as `int`s, and digits as numbers. `None` for other text.
fn number(node: Node<'_>) -> Result<Option<u32>> {
    if let Some(text) = node.text() {
        let number = text.parse::<u32>().ok();
        return Ok(number.or_else(|| text.parse::<i32>().ok().map(i32::cast_unsigned)));
    }
    let number = match number_of(node) {
        Some(number @ (Number::Int(_) | Number::UInt(_))) => {
            number.fit().or_else(|| number.fit().map(i32::cast_unsigned))
        }
        _ => return Err(expected("a number of 32 bits", node)),
    };
    number.map(Some).ok_or_else(|| fault(format!("{} has over 32 bits", name_of(node))))
}

fn some_number(node: Node<'_>) -> Result<u32> {
    number(node)?.ok_or_else(|| expected("a number of 32 bits", node))
}

/// In version 1 the key is the name, in version 2 the hash.
fn class(key: &str, node: Node<'_>, game: Game) -> Result<Class> {
    let (mut name, mut hash) = (Cow::Borrowed(key), None);
    let (mut bases, mut properties) = (Vec::new(), None);
    for (field, node) in members(node, "a class")? {
        match &*field {
            _ if node.kind() == json::Kind::Null => {}
            "name" => name = text(node)?,
            "hash" => hash = Some(some_number(node)?),
            "bases" => {
                let nodes =
                    node.elements().ok_or_else(|| expected("the names of classes", node))?;
                bases = nodes.map(|base| Ok((&*text(base)?).into())).collect::<Result<_>>()?;
            }
            "properties" => properties = Some(node),
            _ => {}
        }
    }
    let mut all = Vec::new();
    if let Some(node) = properties {
        for (at, (key, node)) in members(node, "properties")?.enumerate() {
            all.push(read_property(&key, node, at, game).map_err(|error| error.inside(&*name))?);
        }
    }
    let hash = hash.unwrap_or_else(|| game.class_hash(&name));
    Class::new((&*name).into(), hash, bases, all)
}

fn read_property(name: &str, node: Node<'_>, at: usize, game: Game) -> Result<Property> {
    let (mut type_name, mut id, mut flags, mut hash) = (None, None, 0, None);
    let (mut container, mut is_dynamic, mut options) = (None, false, None);
    for (field, node) in members(node, "a property")? {
        match &*field {
            _ if node.kind() == json::Kind::Null => {}
            "type" => type_name = Some(text(node)?),
            "id" => id = Some(some_number(node)?),
            "flags" => flags = some_number(node)?,
            "hash" => hash = Some(some_number(node)?),
            "container" => container = Some(text(node)?),
            "dynamic" => is_dynamic = node.kind() == json::Kind::Bool(true),
            "enum_options" => options = Some(node),
            _ => {}
        }
    }
    let type_name = type_name.ok_or_else(|| fault(format!("the property `{name}` has no type")))?;
    let mut odd = None;
    let container = match container.as_deref() {
        Some("Static") => Container::Static,
        Some("Vector") => Container::Vector,
        Some("List") => Container::List,
        None if is_dynamic => Container::Vector,
        None => Container::Static,
        Some(other) => {
            odd = Some(format!("is in the container `{other}`, which is not known"));
            Container::Static
        }
    };
    let flags = PropertyFlags(flags);
    let id = id.unwrap_or(u32::try_from(at).unwrap_or(u32::MAX));
    let hash = hash.unwrap_or_else(|| game.property_hash(&type_name, name));
    let mut property = property((name, &type_name), id, (flags, container), hash, None);
    if let Some(node) = options {
        odd = read_options(&mut property, node)?.or(odd);
    }
    // The rest of the list is as good as ever.
    odd.into_iter().for_each(|oddity| property.set_odd(oddity));
    Ok(property)
}

/// Names of values, and what a new object has. Returns what is odd.
fn read_options(property: &mut Property, node: Node<'_>) -> Result<Option<String>> {
    let is_bits = property.flags.contains(PropertyFlags::BITS);
    let mut options = EnumOptions { is_bits, ..EnumOptions::default() };
    let (mut default, mut odd) = (None, None);
    let mut seen = std::collections::HashSet::new();
    for (key, node) in members(node, "options")? {
        match (&*key, number(node)) {
            ("__DEFAULT", _) => default = Some(node),
            ("__BASECLASS", _) => {}
            (name, Ok(Some(value))) if seen.insert(key.clone()) => {
                options.entries.push((name.into(), value));
            }
            (_, Ok(Some(_))) => {}
            // Other types have the same layout whatever an option says.
            _ if property.kind != Kind::Enum => {}
            _ => {
                let found = name_of(node);
                odd = Some(format!("has the option `{key}`, {found}, which is not of 32 bits"));
            }
        }
    }
    if let Some(node) = default {
        let is_known = match property.kind {
            Kind::Enum => {
                options.default = number(node).ok().flatten();
                // Some type lists have a default that is no option: it is ignored.
                let named = node.text().and_then(|text| options.parse(&text).ok());
                options.default = options.default.or(named);
                options.default.is_some() || node.text().is_some()
            }
            _ => {
                let text = match (node.text(), node.kind()) {
                    (Some(text), _) => text.into_owned(),
                    (_, json::Kind::Bool(value)) => value.to_string(),
                    _ => name_of(node),
                };
                property.default = default_of_text(&property.kind, Some(&text));
                // Text is what an extractor did not understand.
                property.default.is_some() || property.is_list() || node.text().is_some()
            }
        };
        if !is_known {
            odd = Some(format!("has the default {}, which is none of its type", name_of(node)));
        }
    }
    property.options = Some(Arc::new(options));
    Ok(odd)
}
