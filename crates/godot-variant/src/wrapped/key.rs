//! Keys of encrypted files.

use std::fmt;

use crate::check_sum::md5_text;
use crate::error::{Error, ErrorKind, Result};

/// The key of an encrypted file: 32 bytes. Never shown, not by `Debug` either.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// The 32 bytes that `FileAccess.open_encrypted` takes.
    pub const fn new(key: [u8; 32]) -> Self {
        Key(key)
    }

    /// The key that `FileAccess.open_encrypted_with_pass` makes of a password: the 32 hexadecimal
    /// digits of its MD5.
    pub fn from_password(password: &str) -> Self {
        Key(md5_text([password.as_bytes()]))
    }

    /// The key in 64 hexadecimal digits.
    ///
    /// # Errors
    /// Other text. The error does not show it.
    pub fn from_hex(digits: &str) -> Result<Self> {
        let mut key = [0; 32];
        let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
        let mut good = rest.is_empty() && pairs.len() == key.len();
        for (place, [high, low]) in key.iter_mut().zip(pairs) {
            let digit =
                |byte: &u8| char::from(*byte).to_digit(16).and_then(|n| u8::try_from(n).ok());
            match (digit(high), digit(low)) {
                (Some(high), Some(low)) => *place = high << 4 | low,
                _ => good = false,
            }
        }
        if good {
            return Ok(Key(key));
        }
        Err(Error::new(
            ErrorKind::Data,
            "expected a key of 64 hexadecimal digits, found other text",
        ))
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}
