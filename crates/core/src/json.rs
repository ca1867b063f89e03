//! JSON as one row of items in which a container says where it ends, and a writer with the layouts of
//! all formats. Nothing nests, so depth costs no stack, and a number stays the text that it is.
//!
//! ```
//! use gamewire_core::json::{Kind, Layout, Reading, Writer};
//!
//! let items = Reading::default().items(r#"{"a": [1.50, "x\n"], "b": null}"#).unwrap();
//! let mut members = items.root().members().unwrap();
//! let (name, list) = members.next().unwrap();
//! assert_eq!((&*name, list.kind(), list.offset()), ("a", Kind::List, 6));
//! let elements: Vec<_> = list.elements().unwrap().collect();
//! assert_eq!(elements[0].number(), Some("1.50"));
//! assert_eq!(elements[1].text().as_deref(), Some("x\n"));
//!
//! let mut writer = Writer::new(Layout::Compact);
//! writer.map();
//! writer.name("a");
//! writer.text(elements[1].text().unwrap());
//! writer.end();
//! assert_eq!(writer.into_text(), r#"{"a":"x\n"}"#);
//!
//! let error = Reading::default().items("[1, {\"b\": x}]").unwrap_err();
//! assert_eq!(error.message, "expected a value, found \"x\"");
//! assert_eq!((error.offset, error.path.to_string()), (10, "[1].b".to_owned()));
//! ```
//!
//! Loops go through [`Node::elements`] and [`Node::members`], which can be kept on a list of open
//! containers. Other formats of serde are read with [`Seed`].

mod read;
mod serde;
mod tree;
mod write;

use std::borrow::Cow;

use crate::Path;

pub use read::Reading;
pub use serde::Seed;
pub use tree::{Iter, Map, Number, Value};
pub use write::{Layout, Writer};

/// An error of the text, or a limit that was reached.
#[derive(Debug)]
#[non_exhaustive]
pub struct Fault {
    /// Which of the three.
    pub kind: FaultKind,
    /// The sentence without offset and path; empty for limits, which the format names.
    pub message: String,
    /// In bytes of the text.
    pub offset: usize,
    /// The value at fault.
    pub path: Path,
}

/// Kinds of [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The text is no JSON.
    Syntax,
    /// More containers are open than [`Reading::max_levels`].
    Depth,
    /// The items need more than [`Reading::memory`].
    Memory,
}

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// See [`Node::number`].
    Number,
    /// See [`Node::text`].
    Text,
    /// See [`Node::elements`].
    List,
    /// See [`Node::members`].
    Map,
}

/// A value, or the name of a member, whose kind its first byte says.
#[derive(Clone, Copy, Debug)]
struct Item {
    /// Offset in the text, which is shorter than 4 GiB.
    start: u32,
    /// For a container, the index after its last item, and 0 while it is open; for others the offset of the
    /// end, of a string that of its last quote.
    end: u32,
}

/// An offset in a text of less than 4 GiB.
fn narrowed(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn widened(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

impl Item {
    const MEMORY: usize = size_of::<Item>();

    fn new(start: usize, end: usize) -> Self {
        Item { start: narrowed(start), end: narrowed(end) }
    }

    fn kind(self, text: &str) -> Kind {
        match text.as_bytes().get(widened(self.start)) {
            Some(b'{') => Kind::Map,
            Some(b'[') => Kind::List,
            Some(b'"') => Kind::Text,
            Some(b't') => Kind::Bool(true),
            Some(b'f') => Kind::Bool(false),
            // Other formats have NaN and infinities.
            Some(b'-' | b'0'..=b'9' | b'N' | b'i') => Kind::Number,
            _ => Kind::Null,
        }
    }
}

/// A whole document.
#[derive(Clone, Debug, Default)]
pub struct Items<'a> {
    text: Cow<'a, str>,
    row: Vec<Item>,
}

impl Items<'_> {
    /// The outermost value.
    pub fn root(&self) -> Node<'_> {
        Node { text: &self.text, row: &self.row, at: 0 }
    }

    /// The bytes that the items take, beside the text.
    pub fn memory(&self) -> usize {
        self.row.capacity().saturating_mul(Item::MEMORY)
    }
}

/// A value in a document.
#[derive(Clone, Copy, Debug)]
pub struct Node<'t> {
    text: &'t str,
    row: &'t [Item],
    at: usize,
}

impl<'t> Node<'t> {
    fn item(self) -> Item {
        self.row.get(self.at).copied().unwrap_or(Item::new(usize::MAX, 0))
    }

    fn slice(self) -> &'t str {
        let Item { start, end } = self.item();
        self.text.get(widened(start)..widened(end)).unwrap_or_default()
    }

    fn is_open(self) -> bool {
        matches!(self.kind(), Kind::List | Kind::Map) && self.item().end == 0
    }

    /// The kind of the value.
    pub fn kind(self) -> Kind {
        self.item().kind(self.text)
    }

    /// The offset of its first byte in the text.
    pub fn offset(self) -> usize {
        widened(self.item().start)
    }

    /// The offset of the name of this member.
    pub fn name_offset(self) -> usize {
        Node { at: self.at.saturating_sub(1), ..self }.offset()
    }

    /// The spelling of a number.
    pub fn number(self) -> Option<&'t str> {
        (self.kind() == Kind::Number).then(|| self.slice())
    }

    /// A text without quotes and escapes.
    pub fn text(self) -> Option<Cow<'t, str>> {
        let text = self.slice().strip_prefix('"')?;
        Some(match text.contains('\\') {
            true => read::unescaped(text).into(),
            false => text.into(),
        })
    }

    /// The elements of a list.
    pub fn elements(self) -> Option<Elements<'t>> {
        (self.kind() == Kind::List).then(|| self.inside())
    }

    /// The members of an object, in their order, names that occur twice too.
    pub fn members(self) -> Option<Members<'t>> {
        (self.kind() == Kind::Map).then(|| Members(self.inside()))
    }

    fn inside(self) -> Elements<'t> {
        Elements {
            next: Node { at: self.at.saturating_add(1), ..self },
            end: widened(self.item().end),
        }
    }
}

/// The elements of a list.
#[derive(Clone, Debug)]
pub struct Elements<'t> {
    next: Node<'t>,
    end: usize,
}

impl<'t> Iterator for Elements<'t> {
    type Item = Node<'t>;

    #[inline]
    fn next(&mut self) -> Option<Node<'t>> {
        let node = self.next;
        if node.at >= self.end {
            return None;
        }
        self.next.at = match node.kind() {
            Kind::List | Kind::Map => widened(node.item().end),
            _ => node.at.saturating_add(1),
        };
        Some(node)
    }
}

/// The members of an object.
#[derive(Clone, Debug)]
pub struct Members<'t>(Elements<'t>);

impl<'t> Iterator for Members<'t> {
    type Item = (Cow<'t, str>, Node<'t>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let name = self.0.next()?.text().unwrap_or_default();
        Some((name, self.0.next()?))
    }
}
