//! The heads and assignments of a text with sections, with their places: what `ConfigFile`s and the files
//! of scenes and resources are made of.
//!
//! ```
//! use godot_variant::Options;
//! use godot_variant::text::parts::{Part, Parts};
//!
//! let text = "[node name=\"A\"]\nposition = Vector2(1, 2)\n";
//! let parts: Vec<Part> = Parts::tags(text, &Options::new()).collect::<Result<_, _>>()?;
//! let [Part::Head(head), Part::Assignment(position)] = &parts[..] else { unreachable!() };
//! assert_eq!((&*head.name, &*head.fields[0].key), ("node", "name"));
//! assert_eq!(&text[position.place.clone()], "Vector2(1, 2)");
//! # Ok::<(), godot_variant::Error>(())
//! ```

use std::borrow::Cow;
use std::ops::Range;

use super::in_word;
use super::read::{Tokens, read_at, skim_at};
use crate::error::{Error, ErrorKind, Result};
use crate::types::{escaped_in_lines, quoted};
use crate::{Options, Value};

/// The next thing in a text with sections.
#[derive(Clone, Debug)]
pub enum Part {
    /// The head of a section.
    Head(Head),
    /// A key and its value.
    Assignment(Assignment),
}

/// The head of a section: `[section]`, or a tag, `[node name="A"]`.
#[derive(Clone, Debug)]
pub struct Head {
    /// All of it, with its brackets.
    pub span: Range<usize>,
    /// The name of the section or tag.
    pub name: String,
    /// The fields of a tag.
    pub fields: Vec<Assignment>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The key.
    pub key: String,
    /// The value.
    pub value: Value,
    /// All of it.
    pub span: Range<usize>,
    /// The value alone.
    pub place: Range<usize>,
}

/// Spells a key: in quotes where it has other than plain characters.
///
/// # Errors
/// A key that is empty or has a NUL.
pub fn key(key: &str) -> Result<Cow<'_, str>> {
    if key.is_empty() || key.contains('\0') {
        let text = "expected a key that is not empty and has no NUL, found another";
        return Err(Error::new(ErrorKind::Unsupported, text));
    }
    let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '=' | '"' | ';' | '[' | ']');
    if key.chars().all(is_plain) {
        return Ok(key.into());
    }
    let mut text = String::new();
    quoted(&mut text, "\"", key, escaped_in_lines);
    Ok(text.into())
}

/// Goes through a text with sections, character by character as the engine does. Ends after an error.
#[derive(Debug)]
pub struct Parts<'a> {
    text: &'a str,
    at: usize,
    has_tags: bool,
    /// Whether names without quotes are read byte by byte.
    is_file: bool,
    /// Whether values are passed over.
    is_skim: bool,
    is_in_head: bool,
    options: &'a Options,
}

impl<'a> Parts<'a> {
    /// Reads heads as names, as `ConfigFile` does.
    pub fn sections(text: &'a str, options: &'a Options) -> Self {
        Parts {
            text,
            at: 0,
            has_tags: false,
            is_file: false,
            is_skim: false,
            is_in_head: false,
            options,
        }
    }

    /// Reads heads as tags with fields, as scenes and resources have them.
    pub fn tags(text: &'a str, options: &'a Options) -> Self {
        Parts { has_tags: true, ..Parts::sections(text, options) }
    }

    /// Reads a file as the engine does, which takes each byte of a name without quotes for a character.
    #[must_use]
    pub fn of_file(mut self, is_file: bool) -> Self {
        self.is_file = is_file;
        self
    }

    /// Passes over values, which are null then: to tell whether a text is one with sections, in memory that does not grow.
    #[must_use]
    pub fn skimming(mut self) -> Self {
        self.is_skim = true;
        self
    }

    /// Whether what was read last is a head, or an error in one.
    pub fn is_in_head(&self) -> bool {
        self.is_in_head
    }

    /// A name without a value up to the end of the text, and where it begins.
    pub(super) fn unread(mut self) -> Option<(usize, &'a str)> {
        loop {
            Parts::skip(&mut self);
            let start = self.at;
            let rest = self.text.get(start..)?;
            match self.part() {
                Ok(Some(_)) => {}
                _ => return Some((start, rest.trim_end())).filter(|(_, text)| !text.is_empty()),
            }
        }
    }

    fn next_char(&mut self) -> Option<char> {
        let next = self.text.get(self.at..)?.chars().next()?;
        self.at = self.at.saturating_add(next.len_utf8());
        Some(next)
    }

    fn part(&mut self) -> Result<Option<Part>> {
        // The name so far, and where it begins.
        let (mut name, mut start) = (String::new(), None);
        self.is_in_head = false;
        loop {
            let at = self.at;
            let Some(next) = self.next_char() else { return Ok(None) };
            match next {
                ';' => while !matches!(self.next_char(), None | Some('\n')) {},
                '[' if name.is_empty() => {
                    self.is_in_head = true;
                    let (name, fields) = match self.has_tags {
                        true => self.tag()?,
                        false => (self.name()?, Vec::new()),
                    };
                    return Ok(Some(Part::Head(Head { span: at..self.at, name, fields })));
                }
                '"' => {
                    let mut tokens = Tokens::at(self.text, at);
                    name = tokens.text("a key in quotes")?.into_owned();
                    self.at = tokens.offset();
                    start.get_or_insert(at);
                }
                '=' => {
                    let part = self.assigned(name, start.unwrap_or(at))?;
                    // Without a name it is skipped.
                    if !part.key.is_empty() {
                        return Ok(Some(Part::Assignment(part)));
                    }
                    (name, start) = (String::new(), None);
                }
                other if other > ' ' => {
                    match self.is_file {
                        true => {
                            let bytes = self.text.get(at..self.at).unwrap_or_default().bytes();
                            name.extend(bytes.map(char::from));
                        }
                        false => name.push(other),
                    }
                    start.get_or_insert(at);
                }
                _ => {}
            }
        }
    }

    /// Reads the value after an equals sign.
    fn assigned(&mut self, key: String, start: usize) -> Result<Assignment> {
        let read = match self.is_skim {
            true => skim_at(self.text, self.at).map(|place| (Value::Nil, place)),
            false => read_at(self.text, self.at, self.options),
        };
        let (value, place) = read.map_err(|error| error.inside(&*key))?;
        self.at = place.end;
        Ok(Assignment { key, value, span: start..place.end, place })
    }

    /// Reads the name of a section, after its bracket.
    fn name(&mut self) -> Result<String> {
        let (mut name, mut is_escaped) = (String::new(), false);
        let start = self.at;
        loop {
            match self.next_char() {
                Some(']') if !is_escaped => break,
                Some(next) => {
                    is_escaped = next == '\\';
                    name.push(next);
                }
                None => {
                    let text = "expected the ] of a section, found the end";
                    return Err(Error::at(ErrorKind::UnexpectedEof, start, text));
                }
            }
        }
        Ok(name.trim_matches(|c| c <= ' ').replace("\\]", "]"))
    }

    /// Reads the name and the fields of a tag, after its bracket.
    fn tag(&mut self) -> Result<(String, Vec<Assignment>)> {
        let name = self.word("the name of a tag")?.to_owned();
        let mut fields = Vec::new();
        loop {
            self.skip();
            if self.takes(']') {
                return Ok((name, fields));
            }
            let start = self.at;
            let key =
                self.word("the name of a field or ]").map_err(|error| error.inside(&*name))?;
            self.skip();
            if !self.takes('=') {
                return Err(self.expected("= after the name of a field").inside(&*name));
            }
            let field = self.assigned(key.to_owned(), start);
            fields.push(field.map_err(|error| error.inside(&*name))?);
        }
    }

    fn skip(&mut self) {
        let mut tokens = Tokens::at(self.text, self.at);
        tokens.skip();
        self.at = tokens.offset();
    }

    fn takes(&mut self, wanted: char) -> bool {
        let found = self.text.get(self.at..).is_some_and(|rest| rest.starts_with(wanted));
        if found {
            self.at = self.at.saturating_add(wanted.len_utf8());
        }
        found
    }

    fn word(&mut self, what: &str) -> Result<&'a str> {
        self.skip();
        let rest = self.text.get(self.at..).unwrap_or_default();
        let len = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        match rest.split_at_checked(len) {
            Some((word, _)) if !word.is_empty() => {
                self.at = self.at.saturating_add(len);
                Ok(word)
            }
            _ => Err(self.expected(what)),
        }
    }

    #[cold]
    fn expected(&self, what: &str) -> Error {
        let next = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let (kind, found) = match next {
            Some(other) => (ErrorKind::Data, format!("the character {other:?}")),
            None => (ErrorKind::UnexpectedEof, "the end".to_owned()),
        };
        Error::at(kind, self.at, format!("expected {what}, found {found}"))
    }
}

impl Iterator for Parts<'_> {
    type Item = Result<Part>;

    fn next(&mut self) -> Option<Result<Part>> {
        let part = self.part();
        if !matches!(part, Ok(Some(_))) {
            self.at = self.text.len();
        }
        part.transpose()
    }
}
