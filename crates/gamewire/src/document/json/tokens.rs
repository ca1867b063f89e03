//! The tokens of JSON text that was found valid: all that a grammar needs to see of it.

use std::borrow::Cow;
use std::hash::Hasher;

use gamewire_core::bytes::part;
use gamewire_core::gap::blank_end;
use gamewire_core::json::Map;

use super::Json;
use super::values::JsonText;
use crate::document::error::Error;

/// How an engine spells strings.
pub(in crate::document) trait Strings {
    /// Returns a string as the engine writes it, between its quotes.
    fn spelled<'t>(&self, token: &'t [u8]) -> Result<Cow<'t, [u8]>, Error>;
}

/// Returns the end of the value or name without values in it that begins at an offset.
#[inline]
pub(in crate::document) fn leaf_end(bytes: &[u8], at: usize) -> Result<usize, Error> {
    let rest = part(bytes, at..);
    let len = match rest {
        [b'"', text @ ..] => {
            let mut len = 0;
            loop {
                len += match text.get(len) {
                    Some(b'"') => break,
                    Some(b'\\') => 2,
                    Some(_) => 1,
                    None => return Err(missing("the end of a string", bytes, at)),
                };
            }
            len + 2
        }
        _ => {
            let is_in =
                |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
            rest.iter().take_while(is_in).count()
        }
    };
    if len == 0 { Err(missing("a value", bytes, at)) } else { Ok(at + len) }
}

#[cold]
pub(super) fn missing(what: &str, bytes: &[u8], at: usize) -> Error {
    Error::new(format!("expected {what} at byte {at:#x}")).at(Some(at)).in_text(bytes)
}

/// The brackets, names and values from an offset on: what remains when layout is left out.
#[derive(Clone)]
pub(super) struct Tokens<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(bytes: &'t [u8], at: usize) -> Self {
        Tokens { bytes, at }
    }

    /// Returns the next one; the text must have one.
    pub(super) fn next(&mut self) -> Result<&'t [u8], Error> {
        let mut start = blank_end(self.bytes, self.at);
        while let Some(b',' | b':') = self.bytes.get(start) {
            start = blank_end(self.bytes, start + 1);
        }
        self.at = match self.bytes.get(start) {
            Some(b'{' | b'}' | b'[' | b']') => start + 1,
            _ => leaf_end(self.bytes, start)?,
        };
        Ok(part(self.bytes, start..self.at))
    }

    /// Gives the tokens of one value to a function, until it is told enough. Returns whether it was told all.
    pub(super) fn each(
        &mut self,
        mut tell: impl FnMut(&'t [u8]) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let mut levels = 0_usize;
        loop {
            let token = self.next()?;
            match token {
                b"{" | b"[" => levels += 1,
                b"}" | b"]" => levels = levels.saturating_sub(1),
                _ => {}
            }
            if !tell(token)? {
                return Ok(false);
            }
            if levels == 0 {
                return Ok(true);
            }
        }
    }
}

/// Returns the end of the value that begins at an offset.
pub(super) fn value_end(bytes: &[u8], start: usize) -> Result<usize, Error> {
    let mut tokens = Tokens::new(bytes, start);
    tokens.each(|_| Ok(true))?;
    Ok(tokens.at)
}

/// Returns whether a text has comments.
pub(in crate::document) fn has_comments(bytes: &[u8]) -> Result<bool, Error> {
    let mut at = 0;
    loop {
        let is_blank = |byte: &&u8| !matches!(byte, b'"' | b'/');
        at += part(bytes, at..).iter().take_while(is_blank).count();
        match bytes.get(at) {
            None => return Ok(false),
            Some(b'/') => return Ok(true),
            Some(_) => at = leaf_end(bytes, at)?,
        }
    }
}

/// Returns whether two tokens are the same, however strings are spelled.
fn is_same_token(strings: &impl Strings, own: &[u8], other: &[u8]) -> Result<bool, Error> {
    let is_text = own.first() == Some(&b'"') && other.first() == Some(&b'"');
    Ok(own == other || is_text && strings.spelled(own)? == strings.spelled(other)?)
}

/// Returns whether two values are the same but for their layout and the spelling of strings.
pub(super) fn is_same(
    strings: &impl Strings,
    (own, start): (&[u8], usize),
    (other, from): (&[u8], usize),
) -> Result<bool, Error> {
    let mut others = Tokens::new(other, from);
    Tokens::new(own, start).each(|token| is_same_token(strings, token, others.next()?))
}

/// Hashes a value: that of another one is the same if they are, but for their layout and spelling.
pub(super) fn hash(
    strings: &impl Strings,
    bytes: &[u8],
    start: usize,
    hasher: &mut impl Hasher,
) -> Result<(), Error> {
    let mut tokens = Tokens::new(bytes, start);
    let told = tokens.each(|token| {
        // Numbers that only are spelled otherwise are like each other.
        let is_number = |text: &&str| text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let number = std::str::from_utf8(token).ok().filter(is_number);
        match number.map(str::parse::<f64>) {
            Some(Ok(0.0)) => hasher.write_u64(0),
            Some(Ok(number)) => hasher.write_u64(number.to_bits()),
            _ if token.starts_with(b"\"") => hasher.write(&strings.spelled(token)?),
            _ => hasher.write(token),
        }
        hasher.write_u8(0xff);
        Ok(true)
    });
    told.map(drop)
}

/// Makes the value that begins at an offset, without recursion.
pub(super) fn to_json(grammar: &impl JsonText, bytes: &[u8], start: usize) -> Result<Json, Error> {
    /// A container that is open, with the name of the member whose value comes next.
    struct Level(Json, Option<String>);
    let mut levels: Vec<Level> = Vec::new();
    let mut whole = Json::Null;
    let told = Tokens::new(bytes, start).each(|token| {
        let text = token.starts_with(b"\"").then(|| grammar.text(token)).transpose()?;
        let value = match (token, levels.last_mut()) {
            (b"{", _) => {
                levels.push(Level(Json::Object(Map::new()), None));
                return Ok(true);
            }
            (b"[", _) => {
                levels.push(Level(Json::Array(Vec::new()), None));
                return Ok(true);
            }
            (b"}" | b"]", _) => levels.pop().map_or(Json::Null, |level| level.0),
            (_, Some(Level(Json::Object(_), name @ None))) => {
                *name = text;
                return Ok(true);
            }
            (token, _) => text.map_or_else(|| grammar.leaf(token), |text| Ok(text.into()))?,
        };
        match levels.last_mut() {
            None => whole = value,
            Some(Level(Json::Object(members), name)) => {
                _ = members.insert(name.take().unwrap_or_default(), value);
            }
            Some(Level(Json::Array(items), _)) => items.push(value),
            Some(_) => debug_assert!(false, "only containers are open"),
        }
        Ok(true)
    });
    told.map(|_| whole)
}
