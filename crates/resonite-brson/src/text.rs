use std::borrow::{Borrow, Cow};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// Text in a [`Value`](crate::Value): an owned string that keeps up to 38 bytes in place, so that
/// keys and identifiers need no allocation.
///
/// Use plain `String` or `&str` in your own structs.
#[derive(Clone)]
pub struct Str(Repr);

#[derive(Clone)]
enum Repr {
    /// Always valid UTF-8 up to `len`.
    Inline {
        len: u8,
        bytes: [u8; INLINE],
    },
    Heap(Box<str>),
}

/// Room for the 36 characters of a GUID, which half of the text in a tree is.
const INLINE: usize = 38;

impl Str {
    /// Copies the text.
    #[inline]
    pub fn new(text: &str) -> Self {
        let mut bytes = [0; INLINE];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(len)) => {
                place.copy_from_slice(text.as_bytes());
                Str(Repr::Inline { len, bytes })
            }
            _ => Str(Repr::Heap(text.into())),
        }
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Heap(text) => text,
            Repr::Inline { .. } => std::str::from_utf8(self.bytes()).unwrap_or_default(),
        }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.0 {
            Repr::Inline { len, bytes } => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Repr::Heap(text) => text.as_bytes(),
        }
    }
}

impl Default for Str {
    #[inline]
    fn default() -> Self {
        Str::new("")
    }
}

impl Deref for Str {
    type Target = str;
    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Str {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for Str {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Str {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for Str {}

macro_rules! as_text {
    ($($text:ty),+) => {$(
        impl PartialEq<$text> for Str {
            #[inline]
            fn eq(&self, other: &$text) -> bool {
                self.bytes() == other.as_bytes()
            }
        }
    )+};
}

as_text!(str, &str);

impl PartialOrd for Str {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Str {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.bytes().cmp(other.bytes())
    }
}

impl Hash for Str {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<&str> for Str {
    #[inline]
    fn from(text: &str) -> Self {
        Str::new(text)
    }
}

impl From<&String> for Str {
    fn from(text: &String) -> Self {
        Str::new(text)
    }
}

impl From<String> for Str {
    fn from(text: String) -> Self {
        if text.len() <= INLINE { Str::new(&text) } else { Str(Repr::Heap(text.into())) }
    }
}

impl From<Cow<'_, str>> for Str {
    fn from(text: Cow<'_, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Str::new(text),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl From<Str> for String {
    fn from(text: Str) -> Self {
        match text.0 {
            Repr::Heap(text) => text.into(),
            Repr::Inline { .. } => text.as_str().into(),
        }
    }
}
