//! The words of the text.

use std::borrow::Cow;
use std::fmt;

use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::text::{decimal, in_word};

#[derive(Clone, Debug, PartialEq)]
pub(in crate::text) enum Token<'a> {
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    OpenParen,
    CloseParen,
    Colon,
    Comma,
    Int(i64),
    Float(f64),
    Text(Cow<'a, str>),
    /// `&"name"`
    Name(Cow<'a, str>),
    /// `#ff8000`
    Color([f32; 4]),
    /// `Vector2`, `true`, `-inf`
    Word(&'a str),
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Token::OpenBrace => "{",
            Token::CloseBrace => "}",
            Token::OpenBracket => "[",
            Token::CloseBracket => "]",
            Token::OpenParen => "(",
            Token::CloseParen => ")",
            Token::Colon => "a colon",
            Token::Comma => "a comma",
            Token::Int(value) => return write!(f, "the number {value}"),
            Token::Float(value) => return write!(f, "the number {value}"),
            Token::Text(text) => return write!(f, "the string \"{}\"", Shortened(text)),
            Token::Name(text) => return write!(f, "the name \"{}\"", Shortened(text)),
            Token::Color(_) => "a colour",
            Token::Word(word) => return write!(f, "the word {}", Shortened(word)),
            Token::End => "the end",
        })
    }
}

pub(in crate::text) struct Tokens<'a> {
    text: &'a str,
    rest: &'a str,
    /// Where the last token starts.
    pub(super) at: usize,
    /// Whether a float is the nearest one to its digits.
    pub(super) is_exact: bool,
}

impl<'a> Tokens<'a> {
    pub(in crate::text) fn new(text: &'a str) -> Self {
        Tokens::at(text, 0)
    }

    /// From an offset on.
    pub(in crate::text) fn at(text: &'a str, at: usize) -> Self {
        Tokens { text, rest: text.get(at..).unwrap_or_default(), at, is_exact: false }
    }

    /// Takes a text.
    pub(in crate::text) fn text(&mut self, what: &'static str) -> Result<Cow<'a, str>> {
        match self.next()? {
            Token::Text(text) => Ok(text),
            other => Err(self.wrong(what, &other)),
        }
    }

    /// Where the last token starts.
    pub(in crate::text) fn start(&self) -> usize {
        self.at
    }

    pub(in crate::text) fn offset(&self) -> usize {
        self.text.len().saturating_sub(self.rest.len())
    }

    /// Whether this character comes next, after white space and comments.
    pub(in crate::text) fn next_is(&mut self, character: char) -> bool {
        self.skip();
        self.rest.starts_with(character)
    }

    /// Takes the next token if it is this one.
    pub(super) fn takes(&mut self, token: &Token<'_>) -> Result<bool> {
        let (rest, at) = (self.rest, self.at);
        if self.next()? == *token {
            return Ok(true);
        }
        (self.rest, self.at) = (rest, at);
        Ok(false)
    }

    pub(super) fn expect(&mut self, token: &Token<'_>) -> Result<()> {
        match self.next()? {
            found if found == *token => Ok(()),
            found => Err(self.wrong(token, &found)),
        }
    }

    #[cold]
    pub(super) fn wrong(&self, expected: impl fmt::Display, found: &Token<'_>) -> Error {
        let kind = match found {
            Token::End => ErrorKind::UnexpectedEof,
            _ => ErrorKind::Data,
        };
        Error::at(kind, self.at, format!("expected {expected}, found {found}"))
    }

    pub(in crate::text) fn next(&mut self) -> Result<Token<'a>> {
        self.skip();
        self.at = self.offset();
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        let single = match first {
            '{' => Token::OpenBrace,
            '}' => Token::CloseBrace,
            '[' => Token::OpenBracket,
            ']' => Token::CloseBracket,
            '(' => Token::OpenParen,
            ')' => Token::CloseParen,
            ':' => Token::Colon,
            ',' => Token::Comma,
            '"' => {
                self.advance(1);
                return self.quoted().map(Token::Text);
            }
            // `@` is how 3.x began a StringName.
            '&' | '@' => {
                self.advance(1);
                if !self.rest.starts_with('"') {
                    let text = format!("expected \" after {first}, found something else");
                    return Err(Error::at(ErrorKind::Data, self.offset(), text));
                }
                self.advance(1);
                return self.quoted().map(Token::Name);
            }
            '#' => return self.color(),
            '-' | '0'..='9' | 'a'..='z' | 'A'..='Z' | '_' => return self.word(),
            // The engine's end of text.
            '\0' => {
                self.rest = "";
                return Ok(Token::End);
            }
            other => {
                let text = format!("expected a value, found the character {other:?}");
                return Err(Error::at(ErrorKind::Data, self.at, text));
            }
        };
        self.advance(1);
        Ok(single)
    }

    /// Moves over bytes that are whole characters.
    fn advance(&mut self, len: usize) {
        self.rest = self.rest.get(len..).unwrap_or_default();
    }

    /// Moves over white space and comments.
    pub(in crate::text) fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start_matches(|c: char| c <= ' ' && c != '\0');
            let Some(comment) = self.rest.strip_prefix(';') else { return };
            self.rest = comment.find('\n').and_then(|end| comment.get(end..)).unwrap_or_default();
        }
    }

    /// A number, or letters; a sign belongs to either.
    fn word(&mut self) -> Result<Token<'a>> {
        let whole = self.rest;
        let unsigned = whole.strip_prefix('-').unwrap_or(whole);
        if unsigned.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number(whole, unsigned);
        }
        let rest = unsigned.trim_start_matches(in_word);
        if rest.len() == unsigned.len() {
            let text = "expected a number or a word after -, found something else";
            return Err(Error::at(ErrorKind::Data, self.at, text));
        }
        self.rest = rest;
        let len = whole.len().saturating_sub(rest.len());
        Ok(Token::Word(whole.get(..len).unwrap_or_default()))
    }

    fn number(&mut self, whole: &'a str, unsigned: &'a str) -> Result<Token<'a>> {
        /// The digits at the start, and what comes after them.
        fn digits(text: &str) -> (&str, &str) {
            let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
            text.split_at_checked(text.len().saturating_sub(rest.len())).unwrap_or((text, ""))
        }
        let (int, mut rest) = digits(unsigned);
        let mut part = "";
        let mut is_float = false;
        if let Some(after) = rest.strip_prefix('.') {
            (part, rest) = digits(after);
            is_float = true;
        }
        // Engines take an `e` without digits for an exponent of 0.
        let mut exponent = 0_i64;
        if let Some(after) = rest.strip_prefix(['e', 'E']) {
            is_float = true;
            let (power, end) = digits(after.strip_prefix(['+', '-']).unwrap_or(after));
            rest = end;
            let size: i64 = if power.is_empty() { 0 } else { power.parse().unwrap_or(i64::MAX) };
            exponent = if after.starts_with('-') { size.saturating_neg() } else { size };
        }
        self.rest = rest;
        let text = whole.get(..whole.len().saturating_sub(rest.len())).unwrap_or_default();
        if let (true, true, Ok(value)) = (is_float, self.is_exact, text.parse()) {
            return Ok(Token::Float(value));
        }
        if is_float {
            let value = decimal::float(int, part, exponent);
            return Ok(Token::Float(if text.starts_with('-') { -value } else { value }));
        }
        text.parse().map(Token::Int).map_err(|_| {
            let text = format!("expected an integer of 64 bits, found {}", Shortened(text));
            Error::at(ErrorKind::NumberRange, self.at, text)
        })
    }

    /// Hexadecimal digits: one or two for each of three or four channels.
    fn color(&mut self) -> Result<Token<'a>> {
        self.advance(1);
        let rest = self.rest.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        let len = self.rest.len().saturating_sub(rest.len());
        let digits = self.rest.get(..len).unwrap_or_default();
        self.rest = rest;
        let each = match len {
            3 | 4 => 1,
            6 | 8 => 2,
            _ => {
                let text = format!("expected a colour of 3, 4, 6 or 8 digits, found {len}");
                return Err(Error::at(ErrorKind::Data, self.at, text));
            }
        };
        let mut channels = [1.0; 4];
        for (channel, digits) in channels.iter_mut().zip(digits.as_bytes().chunks(each)) {
            let value = digits.iter().fold(0, |value: u32, digit| {
                value << 4 | char::from(*digit).to_digit(16).unwrap_or(0)
            });
            let value = if each == 1 { value << 4 | value } else { value };
            *channel = f32::from(u8::try_from(value).unwrap_or(u8::MAX)) / 255.0;
        }
        Ok(Token::Color(channels))
    }

    /// Text up to the closing quotation mark.
    fn quoted(&mut self) -> Result<Cow<'a, str>> {
        let start = self.rest;
        let plain = start.find(['"', '\\', '\0']).unwrap_or(start.len());
        let (text, rest) = start.split_at(plain);
        if let Some(rest) = rest.strip_prefix('"') {
            self.rest = rest;
            return Ok(Cow::Borrowed(text));
        }
        let mut text = text.to_owned();
        self.rest = rest;
        // The first half of a character that is written as two.
        let mut lead = None;
        loop {
            let at = self.offset();
            let mut chars = self.rest.chars();
            let next = chars.next();
            self.rest = chars.as_str();
            let code = match next {
                None | Some('\0') => return Err(self.unterminated()),
                Some('"') if lead.is_none() => return Ok(Cow::Owned(text)),
                Some('\\') => self.escape()?,
                Some(other) => u32::from(other),
            };
            let code = match (lead.take(), code) {
                (None, 0xd800..=0xdbff) => {
                    lead = Some(code);
                    continue;
                }
                (Some(lead), 0xdc00..=0xdfff) => {
                    0x10000_u32.wrapping_add((lead & 0x3ff) << 10 | code & 0x3ff)
                }
                (None, code) => code,
                (Some(_), _) => u32::MAX,
            };
            match char::from_u32(code) {
                // Engines end text at NUL.
                Some('\0') | None => {
                    let text = "expected a character, found half of one or none";
                    return Err(Error::at(ErrorKind::InvalidUtf8, at, text));
                }
                Some(character) => text.push(character),
            }
        }
    }

    #[cold]
    fn unterminated(&self) -> Error {
        Error::at(ErrorKind::UnexpectedEof, self.at, "expected the end of a string, found none")
    }

    /// Reads the escape after a backslash; other characters mean themselves.
    fn escape(&mut self) -> Result<u32> {
        let at = self.offset();
        let mut chars = self.rest.chars();
        let Some(next) = chars.next() else { return Err(self.unterminated()) };
        self.rest = chars.as_str();
        let len = match next {
            'b' => return Ok(8),
            't' => return Ok(9),
            'n' => return Ok(10),
            'f' => return Ok(12),
            'r' => return Ok(13),
            'u' => 4,
            'U' => 6,
            other => return Ok(u32::from(other)),
        };
        let digits = self.rest.get(..len).unwrap_or_default();
        let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = u32::from_str_radix(digits, 16).ok().filter(|_| all);
        self.advance(len);
        code.ok_or_else(|| {
            let text = format!("expected {len} hexadecimal digits after \\{next}, found others");
            Error::at(ErrorKind::Data, at, text)
        })
    }
}
