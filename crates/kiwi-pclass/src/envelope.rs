//! The envelope around objects in fields of network messages: a length, and maybe compression.
//!
//! Four bytes lead. With the top bit set the rest of the word is the length of what follows as it
//! is; with the bit clear the word is the length that the zlib data after it inflates to.
//!
//! ```
//! use kiwi_pclass::{Options, envelope};
//!
//! let wrapped = envelope::wrap(b"0123456789", false)?;
//! assert_eq!(wrapped, *b"\x0a\x00\x00\x800123456789");
//! assert_eq!(&*envelope::unwrap(&wrapped, &Options::new())?, b"0123456789");
//! # Ok::<(), kiwi_pclass::Error>(())
//! ```

use std::borrow::Cow;

use crate::bits::BitReader;
use crate::options::Options;
use crate::read::{inflate, trailing};
use crate::write::deflate;
use crate::{Error, ErrorKind, Result};

/// Set in the length of what is not compressed.
const STORED: u32 = 1 << 31;

/// Takes the envelope off. The limit is [`Options::max_output`].
///
/// # Errors
/// A length that is wrong, malformed zlib data, bytes after the end.
pub fn unwrap<'a>(bytes: &'a [u8], options: &Options) -> Result<Cow<'a, [u8]>> {
    let mut reader = BitReader::new(bytes);
    let word = reader.u32()?;
    let start = reader.position() >> 3;
    let rest = bytes.get(start..).unwrap_or_default();
    let (payload, used) = if word & STORED == 0 {
        match inflate(rest, word, start, options, options.limits.memory(bytes.len())) {
            (inflated, used, None) => (Cow::Owned(inflated), used),
            (_, _, Some(error)) => return Err(error),
        }
    } else {
        let len = (word & !STORED) as usize;
        (Cow::Borrowed(reader.take(len)?), len)
    };
    match rest.len().saturating_sub(used) {
        0 => Ok(payload),
        left => Err(trailing(start.saturating_add(used), left)),
    }
}

/// Puts an envelope around encoded objects. With `compress` they are compressed if that makes them
/// shorter.
///
/// # Errors
/// More than 2³¹ − 1 bytes.
pub fn wrap(payload: &[u8], compress: bool) -> Result<Vec<u8>> {
    let len = u32::try_from(payload.len()).ok().filter(|len| len & STORED == 0);
    let len = len.ok_or_else(|| {
        let message = format!("{} bytes are too many for an envelope", payload.len());
        Error::new(ErrorKind::NumberRange, message)
    })?;
    if compress {
        let packed = deflate(payload)?;
        if packed.len() < payload.len() {
            return Ok([&len.to_le_bytes()[..], &packed].concat());
        }
    }
    Ok([&(len | STORED).to_le_bytes()[..], payload].concat())
}
