//! A document that is only looked at: one pass that checks it, and 16 bytes for each name and value.

use std::borrow::Cow;
use std::sync::Arc;

use super::nodes::{Node, Nodes};
use super::{Pointer, Value, ValueIndex, build, located};
use crate::read::{Input, Kind, Number, Reader, foreign};
use crate::{Error, ErrorKind, Options, Result};

/// A document that was checked whole and can be looked at, over the text that it was read from.
///
/// It takes a fraction of the time and memory of a [`Value`], and accepts and refuses the same. Each
/// value in it is a [`ValueRef`].
///
/// ```
/// use o3de_json::Options;
/// use o3de_json::value::Tape;
///
/// let text = r#"{"Name": "Door", "Id": 10641544592923449938}"#;
/// let tape = Tape::new(text, &Options::new())?;
/// assert_eq!(tape.root().get("Name").and_then(|name| name.as_str()).as_deref(), Some("Door"));
/// assert_eq!(tape.root().pointer("/Id").and_then(|id| id.as_u64()), Some(10641544592923449938));
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tape<'t> {
    text: &'t str,
    options: Options,
    nodes: Nodes,
}

/// A value of a [`Tape`].
#[derive(Clone, Copy, Debug)]
pub struct ValueRef<'t> {
    tape: &'t Tape<'t>,
    /// The place of the value, and of its name.
    at: usize,
    name: Option<Node>,
}

impl<'t> Tape<'t> {
    /// Checks a text.
    ///
    /// # Errors
    /// Text that is not JSON by the options, or a limit.
    pub fn new(text: &'t str, options: &Options) -> Result<Self> {
        if u32::try_from(text.len()).is_err() {
            let message = format!("expected a text of less than 4 GiB, found {} bytes", text.len());
            return Err(Error::new(ErrorKind::MemoryLimit, message));
        }
        let nodes = Nodes::check(text, options)
            .map_err(|error| located(error, Input::of(text, options), options))?;
        Ok(Tape { text, options: options.clone(), nodes })
    }

    /// The document.
    pub fn root(&self) -> ValueRef<'_> {
        ValueRef { tape: self, at: 0, name: None }
    }

    /// How many names and values there are, the root included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none, which cannot be.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 0
    }

    /// At a value or name.
    fn reader(&self, node: Node) -> Reader<'_> {
        let text = self.text.get(node.range()).unwrap_or_default();
        Reader::of(Input::of(text, &self.options), &self.options).without_limit()
    }

    fn string(&self, node: Node) -> Cow<'_, str> {
        // What was checked is read again without an error.
        self.reader(node).string().unwrap_or_default()
    }
}

impl<'t> ValueRef<'t> {
    fn node(self) -> Node {
        self.tape.nodes.get(self.at).unwrap_or_default()
    }

    fn kind(self) -> Option<Kind> {
        Kind::of(self.text().bytes().next()?)
    }

    /// The value as it is written, with the comments in it.
    pub fn text(self) -> &'t str {
        self.tape.text.get(self.node().range()).unwrap_or_default()
    }

    /// Whether it is null.
    pub fn is_null(self) -> bool {
        self.kind() == Some(Kind::Null)
    }

    /// Whether it is an array.
    pub fn is_array(self) -> bool {
        self.kind() == Some(Kind::Array)
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.kind() == Some(Kind::Object)
    }

    /// The bool.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Some(Kind::Bool)).then(|| self.text() == "true")
    }

    /// The string.
    pub fn as_str(self) -> Option<Cow<'t, str>> {
        (self.kind() == Some(Kind::String)).then(|| self.tape.string(self.node()))
    }

    fn number(self) -> Option<Number> {
        (self.kind() == Some(Kind::Number)).then(|| self.tape.reader(self.node()).number().ok())?
    }

    /// The integer, if it is an integer node in the range of `i64`.
    pub fn as_i64(self) -> Option<i64> {
        match self.number()? {
            Number::Unsigned(value) => value.try_into().ok(),
            Number::Signed(value) => Some(value),
            Number::Double(_) => None,
        }
    }

    /// The integer, if it is an integer node in the range of `u64`.
    pub fn as_u64(self) -> Option<u64> {
        match self.number()? {
            Number::Unsigned(value) => Some(value),
            _ => None,
        }
    }

    /// The nearest double, of integer nodes too.
    pub fn as_f64(self) -> Option<f64> {
        self.number().map(Number::to_f64)
    }

    /// The value as one of its own.
    ///
    /// # Errors
    /// More than [`max_memory`](Options::max_memory) bytes to hold.
    pub fn to_value(self) -> Result<Value> {
        let text = match self.tape.options.invalid_utf8 {
            true => foreign::to_text(self.text().as_bytes()).into_owned(),
            false => self.text().to_owned(),
        };
        build::document(&Arc::new(text), &self.tape.options, 0)
    }

    /// How many members or elements it has.
    pub fn len(self) -> usize {
        self.node().children()
    }

    /// Whether it has no members or elements.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The names and values of an object, in order; nothing for other values.
    pub fn entries(self) -> impl Iterator<Item = (Cow<'t, str>, ValueRef<'t>)> {
        self.children(true).map(|value| (value.key().unwrap_or_default(), value))
    }

    /// The elements of an array, in order; nothing for other values.
    pub fn items(self) -> impl Iterator<Item = ValueRef<'t>> {
        self.children(false)
    }

    fn children(self, is_object: bool) -> impl Iterator<Item = ValueRef<'t>> {
        let kind = if is_object { Kind::Object } else { Kind::Array };
        let count = if self.kind() == Some(kind) { self.len() } else { 0 };
        let children = self.tape.nodes.children(self.at, is_object).take(count);
        children.map(move |child| ValueRef { tape: self.tape, at: child.at, name: child.name })
    }

    /// The name that it is under in an object.
    pub fn key(self) -> Option<Cow<'t, str>> {
        self.name.map(|name| self.tape.string(name))
    }

    /// The value of the first member of a name, or at a position.
    pub fn get<I: ValueIndex>(self, index: I) -> Option<ValueRef<'t>> {
        index.get_in_ref(self)
    }

    /// The value of the first member of a name.
    pub(crate) fn member(self, name: &str) -> Option<ValueRef<'t>> {
        self.children(true).find(|own| {
            let range = own.name.map(|name| name.range()).unwrap_or_default();
            let spelled = self.tape.text.get(range).unwrap_or_default();
            let stands_for =
                self.tape.options.invalid_utf8 && !foreign::is_plain(spelled.as_bytes());
            if spelled.contains('\\') || stands_for {
                return own.key().is_some_and(|own| own == name);
            }
            spelled.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) == Some(name)
        })
    }

    /// The value at a JSON pointer, as [`Value::pointer`] has it.
    pub fn pointer(self, pointer: &str) -> Option<ValueRef<'t>> {
        let path = Pointer::parse(pointer)?;
        path.tokens().iter().try_fold(self, |own, token| match own.is_array() {
            true => own.items().nth(token.index?),
            false => own.member(&token.name),
        })
    }
}
