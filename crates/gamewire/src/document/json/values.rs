//! Values of JSON text: what is the same for every engine's.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use super::Json;
use super::layout::{Laid, each_laid_out};
use super::tokens::{self, Strings};
use crate::document::error::Error;
use crate::document::ranges::{Key, RangeNode};

/// An engine's JSON.
pub(in crate::document) trait JsonText: Strings + Sized + 'static {
    /// Returns the characters of a name or string.
    fn text(&self, token: &[u8]) -> Result<String, Error>;

    /// Returns what a number, a bool or null is.
    fn leaf(&self, token: &[u8]) -> Result<Json, Error> {
        super::read_json(token)
    }

    /// Returns whether two values without children mean the same.
    fn is_like(own: &RangeNode<'_, Self>, other: &RangeNode<'_, Self>) -> bool;
}

/// The values from the start of a value's text on.
fn here<'a, G: JsonText>(node: &RangeNode<'a, G>) -> (&'a [u8], usize) {
    (node.all_bytes(), node.extent.start)
}

/// The members of an object with their names.
fn named<'a, G: JsonText>(
    node: &RangeNode<'a, G>,
) -> impl Iterator<Item = (String, RangeNode<'a, G>)> {
    let grammar = node.grammar;
    node.list().filter_map(move |(child, own)| match child.key {
        Key::Bytes(name) => Some((grammar.text(name).ok()?, own)),
        _ => None,
    })
}

/// Returns the members of an object by name; of several of one name, the first.
pub(in crate::document) fn by_name<'a, G: JsonText>(
    node: &RangeNode<'a, G>,
) -> HashMap<String, RangeNode<'a, G>> {
    let mut members = HashMap::new();
    for (name, own) in named(node) {
        members.entry(name).or_insert(own);
    }
    members
}

/// [`Values::is_flat_equal`]
pub(in crate::document) fn is_flat_equal<G: JsonText>(
    own: &RangeNode<'_, G>,
    other: &RangeNode<'_, G>,
) -> bool {
    matches!(tokens::is_same(own.grammar, here(own), here(other)), Ok(true))
}

/// [`Values::is_equal`]: objects without regard to the order of their members.
pub(in crate::document) fn is_equal<'g, G: JsonText>(
    own: &RangeNode<'g, G>,
    other: &RangeNode<'g, G>,
) -> bool {
    let mut waiting = vec![(*own, *other)];
    while let Some((own, other)) = waiting.pop() {
        let lists = [&own, &other].map(|node| node.open().map(|open| open.is_list));
        match lists {
            [None, None] if is_flat_equal(&own, &other) || G::is_like(&own, &other) => {}
            [Some(true), Some(true)] => {
                let (mut own, mut other) = (own.list(), other.list());
                loop {
                    match (own.next(), other.next()) {
                        (Some(own), Some(other)) => waiting.push((own.1, other.1)),
                        (None, None) => break,
                        _ => return false,
                    }
                }
            }
            [Some(false), Some(false)] => {
                let pairs = || named(&own).zip(named(&other));
                if own.list().count() == other.list().count()
                    && pairs().all(|(own, other)| own.0 == other.0)
                {
                    waiting.extend(pairs().map(|(own, other)| (own.1, other.1)));
                    continue;
                }
                let [names, mut others] = [&own, &other].map(by_name);
                // Of two members of one name nobody can say which one is meant.
                if names.len() != own.list().count() || others.len() != names.len() {
                    return false;
                }
                for (name, own) in names {
                    let Some(other) = others.remove(&name) else { return false };
                    waiting.push((own, other));
                }
            }
            _ => return false,
        }
    }
    true
}

/// [`Values::hash`]
pub(in crate::document) fn hash<G: JsonText>(
    node: &RangeNode<'_, G>,
    hasher: &RandomState,
) -> Option<u64> {
    let mut hasher = hasher.build_hasher();
    let (bytes, start) = here(node);
    tokens::hash(node.grammar, bytes, start, &mut hasher).ok()?;
    Some(hasher.finish())
}

/// [`Values::write`]: as O3DE's values have it in `Debug`.
pub(in crate::document) fn write<G: JsonText>(
    node: &RangeNode<'_, G>,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    let (bytes, start) = here(node);
    let mut written = Ok(());
    let told = each_laid_out(bytes, start, |part| {
        written = match part {
            Laid::Comma => out.write_str(", "),
            Laid::Line(_) => Ok(()),
            Laid::Text(token) => match node.grammar.text(token) {
                Ok(text) => write!(out, "{text:?}"),
                Err(_) => Err(fmt::Error),
            },
            Laid::Token(token) => out.write_str(&String::from_utf8_lossy(token)),
        };
        Ok(written.is_ok())
    });
    debug_assert!(told.is_ok(), "the text was read before");
    written
}

/// [`Values::json`]
pub(in crate::document) fn json<G: JsonText>(node: &RangeNode<'_, G>) -> Result<Json, Error> {
    let (bytes, start) = here(node);
    let made = tokens::to_json(node.grammar, bytes, start);
    made.map_err(|error| Error::new(error.message))
}
