//! Text to items.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Fault, FaultKind, Item, Items, Kind, Node};
use crate::Path;

/// Limits of a reading, and how it words its errors.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The most containers that may be open at once.
    pub max_levels: usize,
    /// The most bytes that the items may take.
    pub memory: usize,
    /// What is expected where.
    pub words: Words,
}

impl Default for Reading {
    /// Without limits.
    fn default() -> Self {
        Reading { max_levels: usize::MAX, memory: usize::MAX, words: Words::default() }
    }
}

/// The words of errors that differ between formats.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// What stands around a character.
    pub quote: char,
    /// The name of a member.
    pub name: &'static str,
    /// The colon after it.
    pub colon: &'static str,
    /// What follows an element of a list.
    pub in_list: &'static str,
    /// What follows a member of an object.
    pub in_map: &'static str,
}

impl Default for Words {
    fn default() -> Self {
        Words {
            quote: '"',
            name: "a key in quotes",
            colon: "a colon after the key",
            in_list: "a comma or ]",
            in_map: "a comma or }",
        }
    }
}

impl Reading {
    /// Reads a text to its end.
    ///
    /// # Errors
    /// Text that is no JSON by RFC 8259, and the limits.
    pub fn items<'a>(&self, text: &'a str) -> Result<Items<'a>, Fault> {
        let mut lexer = Lexer { text, at: 0, row: Vec::new(), open: Vec::new(), reading: self };
        match lexer.document() {
            Ok(()) => Ok(Items { text: text.into(), row: lexer.row }),
            Err(fault) => Err(lexer.located(fault)),
        }
    }
}

/// A fault whose path is not known yet.
#[derive(Debug)]
struct Wrong {
    kind: FaultKind,
    message: String,
    offset: usize,
}

type Result<T, E = Wrong> = core::result::Result<T, E>;

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    row: Vec<Item>,
    /// Indexes of the containers that are open.
    open: Vec<usize>,
    reading: &'a Reading,
}

impl Lexer<'_> {
    fn document(&mut self) -> Result<()> {
        loop {
            match self.byte() {
                Some(b'{') => {
                    self.begin(Kind::Map)?;
                    if !self.ends(b'}') {
                        self.name()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.begin(Kind::List)?;
                    if !self.ends(b']') {
                        continue;
                    }
                }
                Some(b'"') => self.string()?,
                Some(b'-' | b'0'..=b'9') => self.number()?,
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
                let is_map = self.row.get(*open).is_some_and(|item| item.kind == Kind::Map);
                let words = &self.reading.words;
                let (end, expected) =
                    if is_map { (b'}', words.in_map) } else { (b']', words.in_list) };
                if self.byte() == Some(b',') {
                    self.step();
                    if is_map {
                        self.name()?;
                    }
                    break;
                }
                if !self.ends(end) {
                    return Err(self.expected(expected));
                }
            }
        }
    }

    /// The next byte after white space.
    #[inline]
    fn byte(&mut self) -> Option<u8> {
        loop {
            match self.peek()? {
                b' ' | b'\t' | b'\n' | b'\r' => self.step(),
                byte => return Some(byte),
            }
        }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Appends an item, where memory allows. A row grows to twice its length.
    fn push(&mut self, item: Item) -> Result<()> {
        let len = self.row.len().saturating_add(self.open.len());
        if len.saturating_mul(Item::MEMORY).saturating_mul(2) > self.reading.memory {
            return Err(Wrong::new(FaultKind::Memory, item.start));
        }
        self.row.push(item);
        Ok(())
    }

    fn begin(&mut self, kind: Kind) -> Result<()> {
        if self.open.len() >= self.reading.max_levels {
            return Err(Wrong::new(FaultKind::Depth, self.at));
        }
        self.open.push(self.row.len());
        self.push(Item::new(kind, self.at, 0))?;
        self.step();
        Ok(())
    }

    /// Closes the innermost container if this byte is next.
    fn ends(&mut self, close: u8) -> bool {
        let ends = self.byte() == Some(close);
        if ends {
            let end = self.row.len();
            let open = self.open.pop().and_then(|open| self.row.get_mut(open));
            open.into_iter().for_each(|item| item.end = end);
            self.step();
        }
        ends
    }

    fn name(&mut self) -> Result<()> {
        if self.byte() != Some(b'"') {
            return Err(self.expected(self.reading.words.name));
        }
        self.string()?;
        if self.byte() != Some(b':') {
            // It is the name of nothing yet.
            let error = self.expected(self.reading.words.colon);
            self.row.pop();
            return Err(error);
        }
        self.step();
        Ok(())
    }

    fn string(&mut self) -> Result<()> {
        let open = self.at;
        self.step();
        let mut item = Item::new(Kind::Text, self.at, 0);
        loop {
            let Some(byte) = self.peek() else {
                let message = "expected the quote that ends this string, found none";
                return Err(Wrong::syntax(open, message));
            };
            match byte {
                b'"' => break,
                b'\\' => {
                    item.escaped = true;
                    self.escape()?;
                }
                0..=0x1f => {
                    let message =
                        format!("expected control characters as escapes, found {byte:#04x}");
                    return Err(Wrong::syntax(self.at, &message));
                }
                _ => self.step(),
            }
        }
        item.end = self.at;
        self.step();
        self.push(item)
    }

    /// Checks an escape.
    fn escape(&mut self) -> Result<()> {
        let at = self.at;
        self.step();
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.step(),
            Some(b'u') => {
                self.step();
                let mut code = self.four_digits()?;
                if (0xd800..0xdc00).contains(&code) && self.rest().starts_with("\\u") {
                    self.at = self.at.saturating_add(2);
                    if (0xdc00..0xe000).contains(&self.four_digits()?) {
                        code = 0;
                    }
                }
                if (0xd800..0xe000).contains(&code) {
                    let message = "expected both halves of a character, found one";
                    return Err(Wrong::syntax(at, message));
                }
            }
            _ => return Err(self.expected("an escape")),
        }
        Ok(())
    }

    fn four_digits(&mut self) -> Result<u32> {
        let Some(code) = hex(self.rest()) else {
            return Err(self.expected("four hexadecimal digits"));
        };
        self.at = self.at.saturating_add(4);
        Ok(code)
    }

    fn number(&mut self) -> Result<()> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.step();
        }
        let whole = self.at;
        let is_zero = self.peek() == Some(b'0');
        self.digits()?;
        if is_zero && self.at.saturating_sub(whole) > 1 {
            let message = "expected a number without leading zeros, found some";
            return Err(Wrong::syntax(start, message));
        }
        if self.peek() == Some(b'.') {
            self.step();
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.step();
            if let Some(b'+' | b'-') = self.peek() {
                self.step();
            }
            self.digits()?;
        }
        self.push(Item::new(Kind::Number, start, self.at))
    }

    fn digits(&mut self) -> Result<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.step();
        }
        if self.at == start { Err(self.expected("a digit")) } else { Ok(()) }
    }

    fn word(&mut self) -> Result<()> {
        let words =
            [("null", Kind::Null), ("true", Kind::Bool(true)), ("false", Kind::Bool(false))];
        let found = words.into_iter().find(|(word, _)| self.rest().starts_with(word));
        let Some((word, kind)) = found else { return Err(self.expected("a value")) };
        let start = self.at;
        self.at = start.saturating_add(word.len());
        self.push(Item::new(kind, start, self.at))
    }

    #[cold]
    fn expected(&self, what: &str) -> Wrong {
        let quote = self.reading.words.quote;
        let found = match self.rest().chars().next() {
            None => "the end".to_owned(),
            Some(c) => format!("{quote}{}{quote}", c.escape_debug()),
        };
        Wrong::syntax(self.at, &format!("expected {what}, found {found}"))
    }

    /// Adds the path, from what is complete in each container that is open.
    #[cold]
    fn located(&self, Wrong { kind, message, offset }: Wrong) -> Fault {
        let mut path = Path::default();
        for &open in self.open.iter().rev() {
            let container = Node { text: self.text, row: &self.row, at: open };
            let mut inside = container.inside();
            inside.end = self.row.len();
            let complete = inside.take_while(|node| !node.item().is_open());
            if container.kind() == Kind::List {
                path.push_outer(complete.count());
                continue;
            }
            // A name that no complete value follows.
            let (mut names, mut last) = (0_usize, None);
            for node in complete {
                names = names.wrapping_add(1);
                last = node.text();
            }
            if let Some(name) = last.filter(|_| !names.is_multiple_of(2)) {
                path.push_outer(&*name);
            }
        }
        Fault { kind, message, offset, path }
    }
}

impl Wrong {
    fn new(kind: FaultKind, offset: usize) -> Self {
        Wrong { kind, message: String::new(), offset }
    }

    #[cold]
    fn syntax(offset: usize, message: &str) -> Self {
        Wrong { kind: FaultKind::Syntax, message: message.to_owned(), offset }
    }
}

/// The value of four hexadecimal digits at the beginning of a text.
fn hex(text: &str) -> Option<u32> {
    let digits = text.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}

/// A text whose escapes were checked, without them.
pub(super) fn unescaped(mut rest: &str) -> String {
    let mut text = String::with_capacity(rest.len());
    while let Some((plain, escape)) = rest.split_once('\\') {
        text.push_str(plain);
        let mut chars = escape.chars();
        let c = match chars.next().unwrap_or_default() {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let first = hex(chars.as_str()).unwrap_or_default();
                let mut digits = 4_usize;
                let mut code = first;
                if (0xd800..0xdc00).contains(&first) {
                    // Then the low half follows as `\uXXXX`.
                    let second = chars.as_str().get(6..).and_then(hex).unwrap_or_default();
                    code = ((first & 0x3ff) << 10 | second & 0x3ff).wrapping_add(0x1_0000);
                    digits = 10;
                }
                chars = chars.as_str().get(digits..).unwrap_or_default().chars();
                char::from_u32(code).unwrap_or_default()
            }
            plain => plain,
        };
        text.push(c);
        rest = chars.as_str();
    }
    text.push_str(rest);
    text
}
