use std::borrow::{Borrow, Cow};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use gamewire_core::bytes::part;

/// Text in a [`Value`](crate::Value): an owned string that keeps up to 22 bytes in place, so that
/// the keys of dictionaries need no allocation.
///
/// Use plain `String` or `&str` in your own structs.
#[derive(Clone)]
pub struct GString(Repr);

#[derive(Clone)]
enum Repr {
    /// Always valid UTF-8 up to `len`.
    Inline {
        len: u8,
        bytes: [u8; INLINE],
    },
    Heap(Box<str>),
}

const INLINE: usize = 22;

impl GString {
    /// Copies the text.
    #[inline]
    pub fn new(text: &str) -> Self {
        let mut bytes = [0; INLINE];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(len)) => {
                place.copy_from_slice(text.as_bytes());
                GString(Repr::Inline { len, bytes })
            }
            _ => GString(Repr::Heap(text.into())),
        }
    }

    /// Text of up to 20 bytes out of words that are still in registers: a copy through memory
    /// would wait for the bytes that were just written.
    #[inline(always)]
    pub(crate) fn from_words(len: u8, [first, second, third]: [u64; 3]) -> Self {
        let [a, b, c, d, e, f, g, h] = first.to_le_bytes();
        let [i, j, k, l, m, n, o, p] = second.to_le_bytes();
        let [q, r, s, t, ..] = third.to_le_bytes();
        let bytes = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, 0, 0];
        GString(Repr::Inline { len, bytes })
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Inline { len, bytes } => {
                let text = std::str::from_utf8(part(bytes, ..usize::from(*len)));
                debug_assert!(text.is_ok(), "bytes that are kept as text are none");
                text.unwrap_or_default()
            }
            Repr::Heap(text) => text,
        }
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Repr::Inline { len, bytes } => part(bytes, ..usize::from(*len)),
            Repr::Heap(text) => text.as_bytes(),
        }
    }
}

impl Default for GString {
    #[inline]
    fn default() -> Self {
        GString::new("")
    }
}

impl PartialEq for GString {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for GString {}

impl PartialOrd for GString {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for GString {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl Hash for GString {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for GString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for GString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<String> for GString {
    fn from(text: String) -> Self {
        if text.len() <= INLINE { GString::new(&text) } else { GString(Repr::Heap(text.into())) }
    }
}

impl From<Cow<'_, str>> for GString {
    #[inline]
    fn from(text: Cow<'_, str>) -> Self {
        match text {
            Cow::Borrowed(text) => GString::new(text),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl From<GString> for String {
    fn from(text: GString) -> Self {
        match text.0 {
            Repr::Heap(text) => text.into(),
            Repr::Inline { .. } => text.as_str().into(),
        }
    }
}

/// The engine's interned string type: `&"name"` in GDScript.
///
/// As a dictionary key it is the same key as the `String` with the same text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StringName(
    /// The text.
    pub GString,
);

impl StringName {
    /// Copies the text.
    pub fn new(text: &str) -> Self {
        StringName(GString::new(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for StringName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<String> for StringName {
    fn from(text: String) -> Self {
        StringName(text.into())
    }
}

impl From<StringName> for String {
    fn from(name: StringName) -> Self {
        name.0.into()
    }
}

/// Both are text in most ways.
macro_rules! as_text {
    ($($name:ident),+) => {$(
        impl Deref for $name {
            type Target = str;
            #[inline]
            fn deref(&self) -> &str { self.as_str() }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str { self.as_str() }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str { self.as_str() }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool { self.as_bytes() == other.as_bytes() }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool { *self == **other }
        }

        impl From<&str> for $name {
            #[inline]
            fn from(text: &str) -> Self { $name::new(text) }
        }
    )+};
}

as_text!(GString, StringName);

/// A path in the scene tree and, after it, to a property: `^"/root/Player:position:x"`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodePath {
    /// Whether it starts at the root of the scene tree (`/root/…`).
    pub absolute: bool,
    /// Node names, from the outermost.
    pub names: Vec<GString>,
    /// Property names, from the outermost; written with `:` before each.
    pub subnames: Vec<GString>,
}

impl NodePath {
    /// Reads the engine's text form: names between `/`, then property names after `:`.
    ///
    /// As in the engine, empty names between slashes are skipped, and so is one `:` at the end. Of a text with
    /// another empty property name, such as `a::b`, the engine makes the empty path.
    pub fn new(text: &str) -> Self {
        let mut parts = text.strip_suffix(':').unwrap_or(text).split(':');
        let path = parts.next().unwrap_or_default();
        if parts.clone().any(str::is_empty) {
            return NodePath::default();
        }
        NodePath {
            absolute: path.starts_with('/'),
            names: path.split('/').filter(|name| !name.is_empty()).map(GString::new).collect(),
            subnames: parts.map(GString::new).collect(),
        }
    }

    /// Whether there is nothing in it: `NodePath("")`.
    pub fn is_empty(&self) -> bool {
        !self.absolute && self.names.is_empty() && self.subnames.is_empty()
    }

    /// Whether [`new`](Self::new) makes the same path from the text of [`Display`](fmt::Display).
    /// It does not when a name contains `/` or `:` or is empty.
    #[cfg(any(feature = "native_json", feature = "text"))]
    pub(crate) fn is_plain(&self) -> bool {
        NodePath::new(&self.to_string()) == *self
    }
}

impl fmt::Display for NodePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.absolute {
            f.write_str("/")?;
        }
        for (index, name) in self.names.iter().enumerate() {
            write!(f, "{}{name}", if index == 0 { "" } else { "/" })?;
        }
        self.subnames.iter().try_for_each(|name| write!(f, ":{name}"))
    }
}

impl From<&str> for NodePath {
    fn from(text: &str) -> Self {
        NodePath::new(text)
    }
}

impl From<String> for NodePath {
    fn from(text: String) -> Self {
        NodePath::new(&text)
    }
}

/// Puts a text between quotes; `escape` names what stands after the backslash of some.
pub(crate) fn quoted(out: &mut String, open: &str, text: &str, escape: fn(char) -> Option<char>) {
    out.push_str(open);
    for character in text.chars() {
        match escape(character) {
            Some(escape) => out.extend(['\\', escape]),
            None => out.push(character),
        }
    }
    out.push('"');
}

/// In one line, as the engine's `c_escape`.
pub(crate) fn escaped(character: char) -> Option<char> {
    Some(match character {
        '\\' | '"' | '\'' => character,
        '\x07' => 'a',
        '\x08' => 'b',
        '\x0c' => 'f',
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\x0b' => 'v',
        _ => return None,
    })
}

/// In strings, which keep their lines.
pub(crate) fn escaped_in_lines(character: char) -> Option<char> {
    matches!(character, '\\' | '"').then_some(character)
}
