//! Type lists in KingsIsle's own XML, which the game's programs write of themselves: `Class`, `Property` and
//! `Option` elements of a `ClassList`
//! ([description](https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-pclass.md#type-lists)).
use std::collections::HashMap;
use std::sync::Arc;

use super::build::{default_of_text, property};
use super::{Class, Container, EnumOptions, Kind, Property, bare_name};
use crate::error::Shortened;
use crate::hash::Game;
use crate::types::PropertyFlags;
use crate::xml::lex::{Element, Lexer, Token};
use crate::{Error, ErrorKind, Result};

/// A class as it stands in the list, without what it is derived from.
struct Draft {
    name: String,
    base: Option<String>,
    properties: Vec<Property>,
}

pub(super) fn read(xml: &[u8], game: Game) -> Result<Vec<Class>> {
    let text = std::str::from_utf8(xml)
        .map_err(|error| fault(format!("the type list is malformed: {error}")))?;
    let mut lexer = Lexer::new(text);
    let mut drafts: Vec<Draft> = Vec::new();
    let mut is_list = false;
    loop {
        match lexer.token()? {
            Token::Start(element) if !is_list => {
                if element.name() != "ClassList" {
                    let found = Shortened(element.name());
                    return Err(fault(format!("expected a `ClassList`, found `{found}`")));
                }
                is_list = true;
            }
            Token::Start(element) => read_element(&element, &mut drafts, game)?,
            Token::Text(_) | Token::End => {}
            Token::Eof if is_list => return classes(&drafts, game),
            Token::Eof => return Err(fault("expected a `ClassList`, found none".to_owned())),
        }
    }
}

#[cold]
fn fault(message: String) -> Error {
    Error::new(ErrorKind::Schema, message)
}

/// An attribute. Types with arguments are escaped twice in the list.
fn attribute(element: &Element<'_>, name: &str) -> Result<Option<String>> {
    let value = element.attribute(name)?;
    Ok(value.map(|value| value.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")))
}

fn needed(element: &Element<'_>, name: &str) -> Result<String> {
    let missing = || fault(format!("a `{}` has no `{name}`", element.name()));
    attribute(element, name)?.ok_or_else(missing)
}

/// 32 bits; negative numbers are taken as `int`s.
fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    text.parse::<u32>().ok().or_else(|| text.parse::<i32>().ok().map(i32::cast_unsigned))
}

fn some_number(element: &Element<'_>, name: &str) -> Result<Option<u32>> {
    let Some(text) = attribute(element, name)? else { return Ok(None) };
    let wrong = || fault(format!("expected a number of 32 bits, found `{}`", Shortened(&text)));
    number(&text).map(Some).ok_or_else(wrong)
}

fn read_element(element: &Element<'_>, drafts: &mut Vec<Draft>, game: Game) -> Result<()> {
    match (element.name(), drafts.last_mut()) {
        ("Class", _) => {
            let (name, base) = (needed(element, "Name")?, attribute(element, "Base")?);
            let base = base.filter(|base| !base.is_empty());
            drafts.push(Draft { name, base, properties: Vec::new() });
        }
        ("Property", Some(class)) => {
            let place = u32::try_from(class.properties.len()).unwrap_or(u32::MAX);
            let property = read_property(element, place, game);
            class.properties.push(property.map_err(|error| error.inside(&*class.name))?);
        }
        ("Option", Some(class)) => {
            let Some(property) = class.properties.last_mut() else { return Ok(()) };
            read_option(element, property)?;
        }
        // Functions, and the names of enums.
        _ => {}
    }
    Ok(())
}

fn read_property(element: &Element<'_>, place: u32, game: Game) -> Result<Property> {
    let (name, type_name) = (needed(element, "Name")?, needed(element, "Type")?);
    let flags = PropertyFlags(some_number(element, "Flags")?.unwrap_or(0));
    let id = some_number(element, "PropertyId")?.unwrap_or(place);
    let is_dynamic = attribute(element, "Dynamic")?.as_deref() == Some("true");
    let found = attribute(element, "Container")?;
    let (container, odd) = match found.as_deref() {
        Some("Static") => (Container::Static, None),
        Some("Vector") => (Container::Vector, None),
        Some("List") => (Container::List, None),
        None if is_dynamic => (Container::Vector, None),
        None => (Container::Static, None),
        Some(other) => (Container::Static, Some(other)),
    };
    let hash = game.property_hash(&type_name, &name);
    let mut property = property((&name, &type_name), id, (flags, container), hash, None);
    if let Some(text) = attribute(element, "Default")?.filter(|text| !text.is_empty()) {
        set_default(&mut property, &text);
    }
    if let Some(odd) = odd {
        property.set_odd(format!("is in the container `{odd}`, which is not known"));
    }
    Ok(property)
}

/// The value of a new object. What is none of the type is none.
fn set_default(property: &mut Property, text: &str) {
    if property.kind == Kind::Enum {
        let mut options = property.options_or_none().clone();
        options.is_bits = property.flags.contains(PropertyFlags::BITS);
        options.default = number(text).or_else(|| options.parse(text).ok());
        property.options = Some(Arc::new(options));
    } else {
        property.default = default_of_text(&property.kind, Some(text));
    }
}

fn read_option(element: &Element<'_>, property: &mut Property) -> Result<()> {
    let (name, value) = (needed(element, "Name")?, needed(element, "Value")?);
    match (&*name, number(&value)) {
        ("__DEFAULT", _) => set_default(property, &value),
        ("__BASECLASS", _) => {}
        (_, Some(value)) if property.kind != Kind::Object => {
            let is_bits = property.flags.contains(PropertyFlags::BITS);
            let mut options = EnumOptions { is_bits, ..property.options_or_none().clone() };
            if options.value_of(&name).is_none() {
                options.entries.push((name.into(), value));
            }
            property.options = Some(Arc::new(options));
        }
        (_, Some(_)) => {}
        // Other types have the same layout whatever an option says.
        (_, None) if property.kind != Kind::Enum => {}
        (_, None) => property.set_odd(format!("has the option `{name}`, which is not of 32 bits")),
    }
    Ok(())
}

/// The classes with what they are derived from: its properties come first, unless the class repeats them.
fn classes(drafts: &[Draft], game: Game) -> Result<Vec<Class>> {
    let by_name: HashMap<&str, &Draft> = drafts.iter().map(|own| (&*own.name, own)).collect();
    let class = |own: &Draft| {
        let (mut chain, mut bases) = (vec![own], Vec::new());
        let mut next = own.base.as_deref();
        // A base that is derived from itself ends somewhere.
        while let Some(base) = next.filter(|_| bases.len() < drafts.len()) {
            bases.push(bare_name(base).into());
            let found = by_name.get(base).copied();
            chain.extend(found);
            next = found.and_then(|found| found.base.as_deref());
        }
        let mut all: Vec<Property> = Vec::new();
        for property in chain.iter().rev().flat_map(|own| &own.properties) {
            match all.iter_mut().find(|other| other.name == property.name) {
                Some(other) => *other = property.clone(),
                None => all.push(property.clone()),
            }
        }
        if all.len() != own.properties.len() {
            (0..).zip(&mut all).for_each(|(id, property)| property.id = id);
        }
        Class::new((*own.name).into(), game.class_hash(&own.name), bases, all)
    };
    drafts.iter().map(class).collect()
}
