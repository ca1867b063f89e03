//! JSON pointers (RFC 6901), with the engine's idea of what is a position.

use std::borrow::Cow;

use gamewire_core::pointer;

use super::Value;

pub use gamewire_core::pointer::push as append_pointer;

/// The steps of a JSON pointer (RFC 6901), from the root.
#[derive(Clone, Debug)]
pub struct Pointer<'a>(Vec<Token<'a>>);

/// A step of a [`Pointer`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Token<'a> {
    /// The name of a member, without escapes.
    pub name: Cow<'a, str>,
    /// The position in an array that the name is.
    pub index: Option<usize>,
}

impl<'a> Pointer<'a> {
    /// `None` when the text is not a pointer: it is empty or begins with `/`, and `~` only stands
    /// before `0` and `1`. After a `#`, as in a URI, all but letters, digits and `-._~` is `%` and two
    /// hexadecimal digits.
    pub fn parse(text: &'a str) -> Option<Self> {
        let (text, is_uri) = text.strip_prefix('#').map_or((text, false), |text| (text, true));
        let Some(rest) = text.strip_prefix('/') else {
            return text.is_empty().then(|| Pointer(Vec::new()));
        };
        let parts = rest.split('/').map(|part| match is_uri {
            true => Token::parse(&decoded(part)?).map(Token::into_owned),
            false => Token::parse(part),
        });
        parts.collect::<Option<_>>().map(Pointer)
    }

    pub(crate) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The last step, and the steps before it.
    pub(crate) fn split_last(&self) -> Option<(&Token<'a>, &[Token<'a>])> {
        self.0.split_last()
    }

    /// The steps.
    pub fn tokens(&self) -> &[Token<'a>] {
        &self.0
    }
}

impl<'a> Token<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let is_escape = |rest: &str| rest.starts_with(['0', '1']);
        let name = text.split('~').skip(1).all(is_escape).then(|| pointer::unescaped(text))?;
        let index = pointer::position(&name);
        Some(Token { name, index })
    }

    fn into_owned<'o>(self) -> Token<'o> {
        Token { name: Cow::Owned(self.name.into_owned()), index: self.index }
    }
}

/// The characters of a part of a URI.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = part.bytes();
    let mut found = Vec::with_capacity(part.len());
    while let Some(byte) = bytes.next() {
        found.push(match byte {
            b'%' => {
                let mut digit = || char::from(bytes.next()?).to_digit(16);
                u8::try_from(digit()? << 4 | digit()?).ok()?
            }
            b'-' | b'.' | b'_' | b'~' => byte,
            _ if byte.is_ascii_alphanumeric() => byte,
            _ => return None,
        });
    }
    String::from_utf8(found).ok()
}

impl Value {
    /// The value at a JSON pointer (RFC 6901) such as `/Entities/0/Name`. `~1` stands for `/` and
    /// `~0` for `~`. Of several members of one name it is the first.
    pub fn pointer(&self, pointer: &str) -> Option<&Value> {
        self.at(Pointer::parse(pointer)?.tokens())
    }

    /// The value at a JSON pointer, to change.
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Value> {
        self.at_mut(Pointer::parse(pointer)?.tokens())
    }

    pub(crate) fn at(&self, tokens: &[Token<'_>]) -> Option<&Value> {
        tokens.iter().try_fold(self, |value, token| match value {
            Value::Array(items) => items.0.get(token.index?),
            Value::Object(object) => object.get(&token.name),
            _ => None,
        })
    }

    pub(crate) fn at_mut(&mut self, tokens: &[Token<'_>]) -> Option<&mut Value> {
        tokens.iter().try_fold(self, |value, token| match value {
            Value::Array(items) => items.0.get_mut(token.index?),
            Value::Object(object) => object.get_mut(&token.name),
            _ => None,
        })
    }
}
