//! XML as elements and text: references resolved, comments and declarations skipped. For crates that
//! stand on this one, too.

use std::borrow::Cow;

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::error::Shortened;
use crate::{Error, ErrorKind, Result};

pub struct Lexer<'a> {
    reader: Reader<&'a [u8]>,
    /// The token after the text that was returned last.
    pending: Option<Token<'a>>,
    /// Elements that have not ended.
    open: usize,
    /// Where the reader's text begins in the input: after a byte order mark.
    base: usize,
}

pub enum Token<'a> {
    Start(Element<'a>),
    /// The end of the element that began last and has not ended. Names are known to match.
    End,
    /// All the text up to the next element or end.
    Text(Cow<'a, str>),
    /// The end of the document.
    Eof,
}

/// The beginning of an element.
pub struct Element<'a> {
    start: BytesStart<'a>,
    /// Offset in the input.
    pub at: usize,
}

impl Element<'_> {
    pub fn name(&self) -> &str {
        self.start.name().0
    }

    /// The value of an attribute, with references resolved.
    pub fn attribute(&self, name: &str) -> Result<Option<Cow<'_, str>>> {
        // Looking for duplicates takes time in the square of their number.
        for attribute in self.start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| self.wrong(&error.to_string()))?;
            if attribute.key.0 == name {
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                return value.map(Some).map_err(|error| self.wrong(&error.to_string()));
            }
        }
        Ok(None)
    }

    #[cold]
    fn wrong(&self, why: &str) -> Error {
        xml(self.at, format!("malformed attribute: {}", Shortened(why)))
    }
}

#[cold]
pub fn xml(at: usize, message: String) -> Error {
    Error::at_byte(ErrorKind::Syntax, at, message)
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        let without_mark = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader::from_str(without_mark);
        reader.config_mut().expand_empty_elements = true;
        Lexer {
            reader,
            pending: None,
            open: 0,
            base: text.len().saturating_sub(without_mark.len()),
        }
    }

    /// Offset in the input of what comes next.
    pub fn offset(&self) -> usize {
        let offset = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX);
        self.base.saturating_add(offset)
    }

    pub fn token(&mut self) -> Result<Token<'a>> {
        if let Some(token) = self.pending.take() {
            return Ok(token);
        }
        let mut text: Cow<'a, str> = Cow::Borrowed("");
        let ended = loop {
            let at = self.offset();
            let event = self.reader.read_event().map_err(|error| {
                let at = usize::try_from(self.reader.error_position()).unwrap_or(usize::MAX);
                let why = error.to_string();
                let why = why.strip_prefix("syntax error: ").unwrap_or(&why);
                let why = why.strip_prefix("ill-formed document: ").unwrap_or(why);
                xml(self.base.saturating_add(at), format!("malformed XML: {}", Shortened(why)))
            })?;
            match event {
                // Empty elements are expanded, so the second is not met.
                Event::Start(start) | Event::Empty(start) => {
                    self.open = self.open.saturating_add(1);
                    break Token::Start(Element { start, at });
                }
                Event::End(_) => {
                    self.open = self.open.saturating_sub(1);
                    break Token::End;
                }
                Event::Eof if self.open > 0 => {
                    return Err(xml(at, "the document ends too early".to_owned()));
                }
                Event::Eof => break Token::Eof,
                Event::Text(part) => append(&mut text, part.xml10_content()),
                Event::CData(part) => append(&mut text, part.xml10_content()),
                Event::GeneralRef(name) => {
                    let resolved = name
                        .resolve_char_ref()
                        .map_err(|error| xml(at, format!("malformed reference: {error}")))?;
                    match (resolved, resolve_xml_entity(&name)) {
                        (Some(c), _) => text.to_mut().push(c),
                        (None, Some(known)) => text.to_mut().push_str(known),
                        (None, None) => {
                            let name = Shortened(&name);
                            return Err(xml(at, format!("unknown reference `&{name};`")));
                        }
                    }
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        };
        if text.is_empty() {
            return Ok(ended);
        }
        self.pending = Some(ended);
        Ok(Token::Text(text))
    }
}

fn append<'a>(text: &mut Cow<'a, str>, part: Cow<'a, str>) {
    if text.is_empty() {
        *text = part;
    } else {
        text.to_mut().push_str(&part);
    }
}
