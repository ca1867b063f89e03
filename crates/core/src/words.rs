//! The words of error messages: how foreign text, counts and what serde found are put into a
//! sentence.
//!
//! ```
//! use gamewire_core::words::{Count, Nouns, Shortened};
//! use serde_core::de::Unexpected;
//!
//! assert_eq!(Count(2, "entry").to_string(), "2 entries");
//! assert_eq!(Shortened("a\nb").to_string(), r"a\nb");
//! let nouns = Nouns { nothing: "nil", list: "an array", map: "a dictionary" };
//! assert_eq!(nouns.invalid(Unexpected::Seq, &"a string"), "expected a string, found an array");
//! ```

use std::fmt;

use serde_core::de::{Expected, Unexpected};

/// A format's nouns for the parts of serde's data model.
#[derive(Clone, Copy, Debug)]
pub struct Nouns {
    /// `serde`'s unit, such as `null`.
    pub nothing: &'static str,
    /// A sequence, with its article.
    pub list: &'static str,
    /// A map, with its article.
    pub map: &'static str,
}

impl Nouns {
    /// `expected X, found Y`: the message of `invalid_type` and `invalid_value`.
    pub fn invalid(&self, unexpected: Unexpected<'_>, expected: &dyn Expected) -> String {
        format!("expected {expected}, found {}", Found(unexpected, self))
    }
}

/// Writes a name such as `DepthLimit` as words: `depth limit`.
///
/// # Errors
/// Those of the formatter.
pub fn spaced(name: &dyn fmt::Debug, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut words = String::new();
    for letter in format!("{name:?}").chars() {
        if letter.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    f.pad(&words)
}

/// Whether serde found a number, so that what is wrong is its range.
pub fn is_number(unexpected: &Unexpected<'_>) -> bool {
    matches!(unexpected, Unexpected::Signed(_) | Unexpected::Unsigned(_) | Unexpected::Float(_))
}

/// The message of `invalid_length`.
pub fn invalid_length(len: usize, expected: &dyn Expected) -> String {
    format!("expected {expected}, found {}", Count(len, "element"))
}

/// The message of `unknown_variant` and `unknown_field`; `what` is `variant` or `field`.
pub fn unknown(what: &str, name: &str, expected: &'static [&'static str]) -> String {
    format!("unknown {what} `{}`, expected {}", Shortened(name), OneOf(expected))
}

/// The message for text that is not UTF-8.
pub fn invalid_utf8(bytes: &[u8], error: std::str::Utf8Error) -> String {
    match bytes.get(error.valid_up_to()) {
        Some(found) => format!("expected UTF-8 text, found the byte {found:#04x}"),
        None => "expected UTF-8 text, found its end".to_owned(),
    }
}

/// `serde`'s description of what was found, with long text cut off.
struct Found<'a>(Unexpected<'a>, &'a Nouns);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Unexpected::Str(text) => write!(f, "string \"{}\"", Shortened(text)),
            Unexpected::Unit => f.write_str(self.1.nothing),
            Unexpected::Bool(value) => write!(f, "{value}"),
            Unexpected::Unsigned(value) => write!(f, "integer {value}"),
            Unexpected::Signed(value) => write!(f, "integer {value}"),
            Unexpected::Float(value) => write!(f, "float {value}"),
            Unexpected::Seq => f.write_str(self.1.list),
            Unexpected::Map => f.write_str(self.1.map),
            other => other.fmt(f),
        }
    }
}

/// The names that would be right: `` `A` ``, or ``one of `A`, `B` ``.
#[derive(Clone, Copy, Debug)]
pub struct OneOf(pub &'static [&'static str]);

impl fmt::Display for OneOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("none"),
            [only] => write!(f, "`{only}`"),
            [first, rest @ ..] => {
                write!(f, "one of `{first}`")?;
                rest.iter().try_for_each(|name| write!(f, ", `{name}`"))
            }
        }
    }
}

/// A number of things, in words: `1 byte`, `2 bytes`, `0 entries`. What data claims may be more than an address has
/// bits for, a `u64`.
#[derive(Clone, Copy, Debug)]
pub struct Count<N = usize>(pub N, pub &'static str);

impl<N: Copy + fmt::Display + PartialEq + From<u8>> fmt::Display for Count<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stem = self.1.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
        match (self.0, stem) {
            (one, _) if one == N::from(1) => write!(f, "1 {}", self.1),
            (count, Some(stem)) => write!(f, "{count} {stem}ies"),
            (count, None) => write!(f, "{count} {}s", self.1),
        }
    }
}

/// At most [`MAX`](Shortened::MAX) bytes of foreign text, controls escaped, so that messages stay
/// short and harmless.
#[derive(Clone, Copy, Debug)]
pub struct Shortened<'a>(pub &'a str);

impl Shortened<'_> {
    /// The most bytes that are shown; `…` stands for more.
    pub const MAX: usize = 32;
}

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = (0..=Self::MAX).rev().find(|&at| self.0.is_char_boundary(at)).unwrap_or(0);
        let head = self.0.get(..end).filter(|_| self.0.len() > Self::MAX);
        // Single quotes never stand around foreign text, so they need no escape.
        for (index, part) in head.unwrap_or(self.0).split('\'').enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { "'" }, part.escape_debug())?;
        }
        f.write_str(if head.is_some() { "…" } else { "" })
    }
}
