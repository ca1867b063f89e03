//! Text to items.

use super::{Elements, Fault, FaultKind, Item, Items, Kind, Node, narrowed, widened};
use crate::Path;
use crate::bytes::text_part;

/// Limits of a reading.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The most containers that may be open at once.
    pub max_levels: usize,
    /// The most bytes that the items may take.
    pub memory: usize,
}

impl Default for Reading {
    /// Without limits.
    fn default() -> Self {
        Reading { max_levels: usize::MAX, memory: usize::MAX }
    }
}

impl Reading {
    /// Reads a text to its end.
    ///
    /// # Errors
    /// Text that is no JSON by RFC 8259, and the limits; a text of 4 GiB is over that of memory.
    pub fn items<'a>(&self, text: &'a str) -> Result<Items<'a>, Fault> {
        if u32::try_from(text.len()).is_err() {
            return Err(fault(FaultKind::Memory, 0, String::new()));
        }
        let mut lexer = Lexer { text, at: 0, row: Vec::new(), open: Vec::new(), reading: self };
        match lexer.document() {
            Ok(()) => Ok(Items { text: text.into(), row: lexer.row }),
            Err(fault) => Err(Fault { path: lexer.path(), ..fault }),
        }
    }
}

type Result<T, E = Fault> = std::result::Result<T, E>;

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
                    self.begin()?;
                    if !self.ends(b'}') {
                        self.name()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.begin()?;
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
                let is_map =
                    self.row.get(*open).is_some_and(|item| item.kind(self.text) == Kind::Map);
                let (end, expected) =
                    if is_map { (b'}', "a comma or }") } else { (b']', "a comma or ]") };
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
        text_part(self.text, self.at..)
    }

    /// Appends an item, where memory allows. A row grows to twice its length.
    fn push(&mut self, item: Item) -> Result<()> {
        let len = self.row.len().saturating_add(self.open.len());
        if len.saturating_mul(Item::MEMORY).saturating_mul(2) > self.reading.memory {
            return Err(fault(FaultKind::Memory, widened(item.start), String::new()));
        }
        self.row.push(item);
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        if self.open.len() >= self.reading.max_levels {
            return Err(fault(FaultKind::Depth, self.at, String::new()));
        }
        self.open.push(self.row.len());
        self.push(Item::new(self.at, 0))?;
        self.step();
        Ok(())
    }

    /// Closes the innermost container if this byte is next.
    fn ends(&mut self, close: u8) -> bool {
        let ends = self.byte() == Some(close);
        if ends {
            let end = self.row.len();
            let open = self.open.pop().and_then(|open| self.row.get_mut(open));
            debug_assert!(open.is_some(), "only what is open ends");
            open.into_iter().for_each(|item| item.end = narrowed(end));
            self.step();
        }
        ends
    }

    fn name(&mut self) -> Result<()> {
        if self.byte() != Some(b'"') {
            return Err(self.expected("a key in quotes"));
        }
        self.string()?;
        if self.byte() != Some(b':') {
            // It is the name of nothing yet.
            let error = self.expected("a colon after the key");
            self.row.pop();
            return Err(error);
        }
        self.step();
        Ok(())
    }

    fn string(&mut self) -> Result<()> {
        let open = self.at;
        self.step();
        loop {
            let Some(byte) = self.peek() else {
                let message = "expected the quote that ends this string, found none";
                return Err(syntax(open, message));
            };
            match byte {
                b'"' => break,
                b'\\' => {
                    self.escape()?;
                }
                0..=0x1f => {
                    let message =
                        format!("expected control characters as escapes, found {byte:#04x}");
                    return Err(syntax(self.at, &message));
                }
                _ => self.step(),
            }
        }
        let item = Item::new(open, self.at);
        self.step();
        self.push(item)
    }

    /// Checks an escape.
    fn escape(&mut self) -> Result<()> {
        let (len, fault) = match escape(self.rest()) {
            Ok((_, len)) => (len, None),
            Err(fault) => (fault.0, Some(fault.1)),
        };
        self.at = self.at.saturating_add(len);
        match fault {
            None => Ok(()),
            Some("") => Err(syntax(self.at, "expected both halves of a character, found one")),
            Some(what) => Err(self.expected(what)),
        }
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
            return Err(syntax(start, message));
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
        self.push(Item::new(start, self.at))
    }

    fn digits(&mut self) -> Result<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.step();
        }
        if self.at == start { Err(self.expected("a digit")) } else { Ok(()) }
    }

    fn word(&mut self) -> Result<()> {
        let mut words = ["null", "true", "false"].into_iter();
        let found = words.find(|word| self.rest().starts_with(word));
        let Some(word) = found else { return Err(self.expected("a value")) };
        let start = self.at;
        self.at = start.saturating_add(word.len());
        self.push(Item::new(start, self.at))
    }

    #[cold]
    fn expected(&self, what: &str) -> Fault {
        let found = match self.rest().chars().next() {
            None => "the end".to_owned(),
            Some(c) => format!("\"{}\"", c.escape_debug()),
        };
        syntax(self.at, &format!("expected {what}, found {found}"))
    }

    /// The path to where the lexer is, from what is complete in each container that is open.
    #[cold]
    fn path(&self) -> Path {
        let mut path = Path::default();
        for &open in self.open.iter().rev() {
            let container = Node { text: self.text, row: &self.row, at: open };
            let inside = Elements { end: self.row.len(), ..container.inside() };
            let (mut count, mut last) = (0_usize, None);
            for node in inside.take_while(|node| !node.is_open()) {
                count = count.saturating_add(1);
                last = node.text();
            }
            match last.filter(|_| !count.is_multiple_of(2)) {
                _ if container.kind() == Kind::List => path.push_outer(count),
                // A name that no complete value follows.
                Some(name) => path.push_outer(&*name),
                None => {}
            }
        }
        path
    }
}

fn fault(kind: FaultKind, offset: usize, message: String) -> Fault {
    Fault { kind, message, offset, path: Path::default() }
}

#[cold]
fn syntax(offset: usize, message: &str) -> Fault {
    fault(FaultKind::Syntax, offset, message.to_owned())
}

/// The value of four hexadecimal digits at the beginning of a text.
fn hex(text: &str) -> Option<u32> {
    let digits = text.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}

/// The character of the escape that a text begins with, and its length; or what was expected where in
/// it, and nothing for half a character.
fn escape(text: &str) -> Result<(char, usize), (usize, &'static str)> {
    let plain = match text.as_bytes().get(1) {
        Some(byte @ (b'"' | b'\\' | b'/')) => char::from(*byte),
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => {
            let digits =
                |at: usize| text.get(at..).and_then(hex).ok_or((at, "four hexadecimal digits"));
            let first = digits(2)?;
            if !(0xd800..0xdc00).contains(&first) || text.get(6..8) != Some("\\u") {
                return char::from_u32(first).map(|c| (c, 6)).ok_or((0, ""));
            }
            let low = digits(8)?.checked_sub(0xdc00).filter(|low| *low < 0x400).ok_or((0, ""))?;
            let code = ((first & 0x3ff) << 10 | low).saturating_add(0x1_0000);
            return char::from_u32(code).map(|c| (c, 12)).ok_or((0, ""));
        }
        _ => return Err((1, "an escape")),
    };
    Ok((plain, 2))
}

/// A text whose escapes were checked, without them.
pub(super) fn unescaped(mut rest: &str) -> String {
    let mut text = String::with_capacity(rest.len());
    while let Some(at) = rest.find('\\') {
        let (plain, escaped) = rest.split_at(at);
        let (c, len) = escape(escaped).unwrap_or(('\\', 1));
        text.push_str(plain);
        text.push(c);
        rest = text_part(escaped, len..);
    }
    text.push_str(rest);
    text
}
