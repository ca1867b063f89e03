//! XML files as trees of elements, with the lines where they start.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;

use super::place::Place;
use super::sources::Sources;
use crate::{Error, Result};

/// Elements around an element. A solution nests modules, beans, variables and values.
const MAX_DEPTH: usize = 64;

#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) place: Place,
    attributes: Vec<(String, String)>,
    pub(super) children: Vec<Node>,
}

#[derive(Debug)]
pub(super) enum Node {
    Element(Element),
    Text(String),
    Comment(String),
}

impl Element {
    /// An attribute without the blanks around it; empty where it is absent, as in Zeze's own reader.
    pub(super) fn attribute(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(own, _)| own == name);
        found.map_or("", |(_, value)| value.trim())
    }

    /// An attribute that must have a value.
    pub(super) fn need(&self, name: &str) -> Result<&str> {
        match self.attribute(name) {
            "" => Err(self.wrong(format!("<{}> has no `{name}`", self.name))),
            value => Ok(value),
        }
    }

    /// An attribute that is an integer; `None` where it is absent.
    pub(super) fn integer<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>> {
        match self.attribute(name) {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| {
                self.wrong(format!("`{name}` of <{}> is no number in range: {text:?}", self.name))
            }),
        }
    }

    pub(super) fn wrong(&self, message: impl Into<String>) -> Error {
        self.place.wrong(message)
    }

    /// The elements in this one, each with its comment.
    pub(super) fn elements(&self) -> impl Iterator<Item = (&Element, String)> {
        self.children.iter().enumerate().filter_map(|(at, node)| match node {
            Node::Element(element) => Some((element, self.comment_of(at, element))),
            _ => None,
        })
    }

    /// The comment on a child: its `comment`, the text in it, the text after it to the end of the
    /// line, or the XML comment before it.
    fn comment_of(&self, at: usize, child: &Element) -> String {
        let attribute = ["comment", "description"].map(|name| child.attribute(name));
        if let Some(comment) = attribute.into_iter().find(|comment| !comment.is_empty()) {
            return one_line(comment);
        }
        let inside = match child.children.first() {
            Some(Node::Text(text)) => text.lines().next().unwrap_or_default().trim(),
            _ => "",
        };
        if !inside.is_empty() {
            return one_line(inside);
        }
        // After an element with children, the text may be about the next one.
        if let Some(Node::Text(text)) = self.children.get(at.saturating_add(1)) {
            let line = text.lines().next().unwrap_or_default().trim();
            if !line.is_empty() {
                return one_line(line);
            }
        }
        let mut before = self.children.iter().take(at).rev();
        let previous = before.find(|node| match node {
            Node::Text(text) => !text.trim().is_empty(),
            _ => true,
        });
        match previous {
            Some(Node::Comment(comment)) => one_line(comment),
            _ => String::new(),
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads a file into its root element.
pub(super) fn read(path: &Path, sources: &Sources) -> Result<Element> {
    let failed = |error: &dyn fmt::Display| Error(format!("{}: {error}", path.display()));
    let bytes = sources.read(path).map_err(|why| failed(&why))?;
    let text = String::from_utf8(bytes).map_err(|_| failed(&"not UTF-8"))?;
    parse(path, &text)
}

/// Reads text into its root element; errors name it.
pub(super) fn parse(name: &Path, text: &str) -> Result<Element> {
    Tree { file: name.into(), text, line: 1, counted: 0, open: Vec::new() }.read()
}

/// A tree under construction.
struct Tree<'a> {
    file: Arc<Path>,
    text: &'a str,
    /// The line at the offset `counted`.
    line: usize,
    counted: usize,
    /// The elements that are not closed yet, the root first.
    open: Vec<Element>,
}

impl Tree<'_> {
    fn read(mut self) -> Result<Element> {
        let text = self.text.trim_start_matches('\u{feff}');
        let mut reader = Reader::from_str(text);
        loop {
            let start = self.place_at(reader.buffer_position());
            let event = reader.read_event();
            let event = event.map_err(|error| start.wrong(format!("not XML: {error}")))?;
            let done = match event {
                Event::Start(tag) => {
                    if self.open.len() >= MAX_DEPTH {
                        return Err(start.wrong(format!("elements nest deeper than {MAX_DEPTH}")));
                    }
                    self.open.push(element(&tag, &start)?);
                    None
                }
                Event::Empty(tag) => self.close(element(&tag, &start)?),
                Event::End(_) => match self.open.pop() {
                    Some(element) => self.close(element),
                    None => return Err(start.wrong("a closing tag without its element")),
                },
                Event::Text(text) => self.add_text(&text.xml10_content()),
                Event::CData(text) => self.add_text(&text.xml10_content()),
                Event::GeneralRef(name) => {
                    let text = entity(&name).ok_or_else(|| {
                        start.wrong(format!("unknown entity `&{};`", name.xml10_content()))
                    })?;
                    self.add_text(&text)
                }
                Event::Comment(text) => {
                    let comment = Node::Comment(text.xml10_content().into_owned());
                    if let Some(parent) = self.open.last_mut() {
                        parent.children.push(comment);
                    }
                    None
                }
                Event::Eof => return Err(start.wrong("the file ends before its root element")),
                Event::Decl(_) | Event::PI(_) | Event::DocType(_) => None,
            };
            if let Some(root) = done {
                return Ok(root);
            }
        }
    }

    /// Gives the element when it is the root.
    fn close(&mut self, element: Element) -> Option<Element> {
        match self.open.last_mut() {
            Some(parent) => {
                parent.children.push(Node::Element(element));
                None
            }
            None => Some(element),
        }
    }

    fn add_text(&mut self, more: &str) -> Option<Element> {
        let parent = self.open.last_mut()?;
        match parent.children.last_mut() {
            Some(Node::Text(text)) => text.push_str(more),
            _ => parent.children.push(Node::Text(more.to_owned())),
        }
        None
    }

    fn place_at(&mut self, offset: u64) -> Place {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let passed = self.text.as_bytes().get(self.counted..offset).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.counted = self.counted.max(offset);
        Place { file: Arc::clone(&self.file), line: self.line }
    }
}

fn element(tag: &BytesStart<'_>, place: &Place) -> Result<Element> {
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| place.wrong(format!("not XML: {error}")))?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value: Cow<'_, str> =
            value.map_err(|error| place.wrong(format!("not XML: {error}")))?;
        attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    Ok(Element {
        name: tag.name().as_ref().to_owned(),
        place: place.clone(),
        attributes,
        children: Vec::new(),
    })
}

/// The text of `&amp;`, `&#65;` and their like. No others: a file cannot define its own here.
fn entity(name: &BytesRef<'_>) -> Option<String> {
    if let Ok(Some(character)) = name.resolve_char_ref() {
        return Some(character.to_string());
    }
    resolve_predefined_entity(&name.xml10_content()).map(str::to_owned)
}
