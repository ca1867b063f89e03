//! JSON as it stands, because the members of an object may come in any order.
//!
//! A document is one row of items, in which a container says where it ends: nothing nests, so that
//! depth costs no stack. Text is read without recursion and without rounding a number twice.

use std::borrow::Cow;

use serde_core::de::IgnoredAny;

use crate::error::Shortened;
use crate::notation::Budget;
use crate::{Error, ErrorKind, Result};

/// One item; in an object, the name of each member stands before its value.
pub(crate) enum Item<'a> {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    Text(Cow<'a, str>),
    /// With the place after its last item.
    List(usize),
    Map(usize),
}

/// A whole document.
#[derive(Default)]
pub(crate) struct Tape<'a>(Vec<Item<'a>>);

/// A value in a document.
#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    items: &'t [Item<'t>],
    at: usize,
}

impl<'a> Tape<'a> {
    /// The value that is the document.
    pub(crate) fn root(&self) -> Node<'_> {
        Node { items: &self.0, at: 0 }
    }

    fn open(&mut self, item: Item<'a>) -> usize {
        self.0.push(item);
        self.0.len().saturating_sub(1)
    }

    /// Says of an open container that it ends here.
    fn close(&mut self, open: usize) {
        let end = self.0.len();
        if let Some(Item::List(place) | Item::Map(place)) = self.0.get_mut(open) {
            *place = end;
        }
    }
}

impl<'t> Node<'t> {
    pub(crate) fn item(self) -> &'t Item<'t> {
        self.items.get(self.at).unwrap_or(&Item::Null)
    }

    /// What it is called in errors.
    pub(crate) fn name(self) -> String {
        match self.item() {
            Item::Null => "null".to_owned(),
            Item::Bool(_) => "a bool".to_owned(),
            Item::Int(number) => number.to_string(),
            Item::UInt(number) => number.to_string(),
            Item::Float(number) => number.to_string(),
            Item::Text(text) => format!("\"{}\"", Shortened(text)),
            Item::List(_) => "a list".to_owned(),
            Item::Map(_) => "an object".to_owned(),
        }
    }

    pub(crate) fn text(self) -> Option<&'t str> {
        match self.item() {
            Item::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list; `None` if it is none.
    pub(crate) fn elements(self) -> Option<Children<'t>> {
        match self.item() {
            Item::List(end) => Some(self.inside(*end)),
            _ => None,
        }
    }

    /// The members of an object, each as its name and its value; `None` if it is none.
    pub(crate) fn members(self) -> Option<Members<'t>> {
        match self.item() {
            Item::Map(end) => Some(Members(self.inside(*end))),
            _ => None,
        }
    }

    fn inside(self, end: usize) -> Children<'t> {
        Children { next: Node { at: self.at.saturating_add(1), ..self }, end }
    }
}

/// Values one after another.
#[derive(Clone)]
pub(crate) struct Children<'t> {
    next: Node<'t>,
    end: usize,
}

impl<'t> Iterator for Children<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        let node = self.next;
        if node.at >= self.end {
            return None;
        }
        self.next.at = match node.item() {
            Item::List(end) | Item::Map(end) => *end,
            _ => node.at.saturating_add(1),
        };
        Some(node)
    }
}

/// Names and values one after another.
#[derive(Clone)]
pub(crate) struct Members<'t>(Children<'t>);

impl<'t> Iterator for Members<'t> {
    type Item = (&'t str, Node<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        let name = self.0.next()?.text().unwrap_or_default();
        Some((name, self.0.next()?))
    }
}

/// Reads a document from text.
struct Lexer<'a, 'b> {
    text: &'a str,
    at: usize,
    tape: Tape<'a>,
    /// The containers that are open.
    open: Vec<usize>,
    budget: &'b mut Budget,
}

impl<'a> Tape<'a> {
    /// From JSON text, with the memory that it may take.
    pub(crate) fn from_text(text: &'a str, budget: &mut Budget) -> Result<Self> {
        let mut lexer = Lexer { text, at: 0, tape: Tape::default(), open: Vec::new(), budget };
        lexer.document()?;
        Ok(lexer.tape)
    }
}

impl<'a> Lexer<'a, '_> {
    fn document(&mut self) -> Result<()> {
        loop {
            // Before a value: room for it and its name.
            let room = size_of::<Item<'_>>().saturating_mul(2);
            self.budget.take(room).map_err(|error| error.or_at(self.at.saturating_mul(8)))?;
            match self.byte() {
                Some(b'{') => {
                    self.begin(Item::Map(0));
                    if !self.ends(b'}') {
                        self.key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.begin(Item::List(0));
                    if !self.ends(b']') {
                        continue;
                    }
                }
                Some(b'"') => {
                    let text = self.string()?;
                    self.tape.0.push(Item::Text(text));
                }
                _ => self.word()?,
            }
            // A value is complete, and with it perhaps the containers around it.
            loop {
                let Some(open) = self.open.last() else {
                    return match self.byte() {
                        None => Ok(()),
                        Some(_) => Err(self.expected("the end of the text")),
                    };
                };
                let is_map = matches!(self.tape.0.get(*open), Some(Item::Map(_)));
                if self.byte() == Some(b',') {
                    self.step();
                    if is_map {
                        self.key()?;
                    }
                    break;
                }
                if !self.ends(if is_map { b'}' } else { b']' }) {
                    return Err(self.expected(if is_map { "`,` or `}`" } else { "`,` or `]`" }));
                }
            }
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next byte after white space.
    fn byte(&mut self) -> Option<u8> {
        let rest = self.rest();
        let text = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.at = self.text.len().saturating_sub(text.len());
        text.as_bytes().first().copied()
    }

    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn begin(&mut self, item: Item<'a>) {
        let open = self.tape.open(item);
        self.open.push(open);
        self.step();
    }

    /// Closes the innermost container if this byte is next.
    fn ends(&mut self, close: u8) -> bool {
        let ends = self.byte() == Some(close);
        if ends && let Some(open) = self.open.pop() {
            self.tape.close(open);
            self.step();
        }
        ends
    }

    fn key(&mut self) -> Result<()> {
        if self.byte() != Some(b'"') {
            return Err(self.expected("the name of a member"));
        }
        let name = self.string()?;
        self.tape.0.push(Item::Text(name));
        if self.byte() != Some(b':') {
            return Err(self.expected("`:`"));
        }
        self.step();
        Ok(())
    }

    /// A string; one without escapes is not copied.
    fn string(&mut self) -> Result<Cow<'a, str>> {
        let rest = self.rest();
        let plain = rest.get(1..).unwrap_or_default();
        let is_special = |c: char| matches!(c, '"' | '\\' | '\0'..'\x20');
        if let Some((text, '"')) = plain
            .find(is_special)
            .and_then(|at| Some((plain.get(..at)?, plain.get(at..)?.chars().next()?)))
        {
            self.at = self.at.saturating_add(text.len()).saturating_add(2);
            return Ok(text.into());
        }
        let mut escaped = false;
        let mut bytes = rest.bytes().enumerate().skip(1);
        let end = bytes.find_map(|(at, byte)| {
            let is_end = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            is_end.then_some(at.saturating_add(1))
        });
        let quoted = end.and_then(|end| rest.get(..end));
        self.budget.take(quoted.map_or(0, str::len))?;
        let text = quoted.and_then(|quoted| serde_json::from_str::<String>(quoted).ok());
        let Some((text, end)) = text.zip(end) else {
            return Err(self.error("expected a string, found one that is malformed".to_owned()));
        };
        self.at = self.at.saturating_add(end);
        Ok(text.into())
    }

    /// A number, or one of the three words.
    fn word(&mut self) -> Result<()> {
        let rest = self.rest();
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let word = rest.split(|c| !is_word(c)).next().unwrap_or_default();
        let item = match word {
            "null" => Item::Null,
            "true" => Item::Bool(true),
            "false" => Item::Bool(false),
            // What it may look like is serde_json's to say; what it is, is std's, which rounds once.
            _ if serde_json::from_str::<IgnoredAny>(word).is_err() => {
                return Err(self.expected("a value"));
            }
            _ => match (word.parse::<u64>(), word.parse::<i64>(), word.parse::<f64>()) {
                (Ok(number), ..) => Item::UInt(number),
                // -0 is a float.
                (_, Ok(number), _) if number != 0 => Item::Int(number),
                (.., Ok(number)) => Item::Float(number),
                _ => return Err(self.expected("a number")),
            },
        };
        self.tape.0.push(item);
        self.at = self.at.saturating_add(word.len());
        Ok(())
    }

    #[cold]
    fn expected(&self, what: &str) -> Error {
        let found = match self.rest().chars().next() {
            None => "the end".to_owned(),
            Some(c) => format!("`{}`", c.escape_debug()),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    #[cold]
    fn error(&self, message: String) -> Error {
        Error::at(ErrorKind::Syntax, self.at.saturating_mul(8), message)
    }
}
