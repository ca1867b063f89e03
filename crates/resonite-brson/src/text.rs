use std::borrow::{Borrow, Cow};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use gamewire_core::bytes::part;

/// Bytes that are known to be UTF-8. Copying them as bytes saves the check that text would need again.
#[derive(Clone, Copy)]
pub(crate) struct Utf8<'b>(&'b [u8]);

impl<'b> Utf8<'b> {
    /// Checks the bytes. Mostly they are ASCII, which is seen eight bytes at a time.
    #[inline]
    pub(crate) fn new(bytes: &'b [u8]) -> Result<Self, std::str::Utf8Error> {
        if is_ascii(bytes) { Ok(Utf8(bytes)) } else { Utf8::check(bytes) }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn check(bytes: &'b [u8]) -> Result<Self, std::str::Utf8Error> {
        std::str::from_utf8(bytes).map(|text| Utf8(text.as_bytes()))
    }

    #[inline]
    pub(crate) fn bytes(self) -> &'b [u8] {
        self.0
    }

    pub(crate) fn as_str(self) -> &'b str {
        as_checked(self.0)
    }
}

/// The text that bytes are which were checked when they came: keeping bytes instead of text spares a
/// second check wherever they are only copied.
#[inline]
fn as_checked(bytes: &[u8]) -> &str {
    let text = std::str::from_utf8(bytes);
    debug_assert!(text.is_ok(), "bytes that are kept as text are none");
    text.unwrap_or_default()
}

#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut bits = words.iter().fold(0, |bits, word| bits | u64::from_le_bytes(*word));
    // The last eight bytes again are fewer steps than what is left of them.
    match bytes.last_chunk::<8>() {
        Some(word) => bits |= u64::from_le_bytes(*word),
        None => bits |= rest.iter().fold(0, |bits, byte| bits | u64::from(*byte)),
    }
    bits & 0x8080_8080_8080_8080 == 0
}

/// The number that `len` hexadecimal digits are.
pub(crate) fn hex(digits: &str, len: usize) -> Option<u128> {
    let plain = digits.len() == len && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u128::from_str_radix(digits, 16).ok().filter(|_| plain)
}

/// Text in a [`Value`](crate::Value): an owned string that keeps up to 38 bytes in place, so that
/// identifiers need no allocation.
///
/// Use plain `String` or `&str` in your own structs.
pub type Str = ShortStr<38>; // a GUID has 36 characters, and half of the text in a tree is one

/// An owned string that keeps up to `N` bytes in place.
#[derive(Clone)]
pub struct ShortStr<const N: usize>(Repr<N>);

#[derive(Clone)]
enum Repr<const N: usize> {
    /// Always valid UTF-8 up to `len`.
    Inline {
        len: u8,
        bytes: [u8; N],
    },
    Heap(Box<str>),
}

impl<const N: usize> ShortStr<N> {
    /// Copies the text.
    #[inline]
    pub fn new(text: &str) -> Self {
        Self::of(Utf8(text.as_bytes()))
    }

    #[inline]
    pub(crate) fn of(text: Utf8<'_>) -> Self {
        let mut bytes = [0; N];
        match (bytes.get_mut(..text.0.len()), u8::try_from(text.0.len())) {
            (Some(place), Ok(len)) => {
                place.copy_from_slice(text.0);
                ShortStr(Repr::Inline { len, bytes })
            }
            _ => ShortStr(Repr::Heap(text.as_str().into())),
        }
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Heap(text) => text,
            Repr::Inline { .. } => as_checked(self.bytes()),
        }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.0 {
            Repr::Inline { len, bytes } => part(bytes, ..usize::from(*len)),
            Repr::Heap(text) => text.as_bytes(),
        }
    }
}

impl<const N: usize> Default for ShortStr<N> {
    #[inline]
    fn default() -> Self {
        ShortStr::new("")
    }
}

impl<const N: usize> Deref for ShortStr<N> {
    type Target = str;
    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> AsRef<str> for ShortStr<N> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> Borrow<str> for ShortStr<N> {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> PartialEq for ShortStr<N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl<const N: usize> Eq for ShortStr<N> {}

macro_rules! as_text {
    ($($text:ty),+) => {$(
        impl<const N: usize> PartialEq<$text> for ShortStr<N> {
            #[inline]
            fn eq(&self, other: &$text) -> bool {
                self.bytes() == other.as_bytes()
            }
        }
    )+};
}

as_text!(str, &str);

impl<const N: usize> PartialOrd for ShortStr<N> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Ord for ShortStr<N> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.bytes().cmp(other.bytes())
    }
}

impl<const N: usize> Hash for ShortStr<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl<const N: usize> fmt::Debug for ShortStr<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl<const N: usize> fmt::Display for ShortStr<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<const N: usize> From<&str> for ShortStr<N> {
    #[inline]
    fn from(text: &str) -> Self {
        ShortStr::new(text)
    }
}

impl<const N: usize> From<&String> for ShortStr<N> {
    fn from(text: &String) -> Self {
        ShortStr::new(text)
    }
}

impl<const N: usize> From<String> for ShortStr<N> {
    fn from(text: String) -> Self {
        if text.len() <= N { ShortStr::new(&text) } else { ShortStr(Repr::Heap(text.into())) }
    }
}

impl<const N: usize> From<Cow<'_, str>> for ShortStr<N> {
    fn from(text: Cow<'_, str>) -> Self {
        match text {
            Cow::Borrowed(text) => ShortStr::new(text),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl<const N: usize> From<ShortStr<N>> for String {
    fn from(text: ShortStr<N>) -> Self {
        match text.0 {
            Repr::Heap(text) => text.into(),
            Repr::Inline { .. } => text.as_str().into(),
        }
    }
}
