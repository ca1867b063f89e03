//! LZMA: properties, dictionary, size, and in the engine's layout the compressed size too.
//!
//! | offset | size | content |
//! |---|---|---|
//! | 0 | 1 | lc, lp and pb; the engine has 5D |
//! | 1 | 4 | dictionary in bytes; the engine has 2 MiB |
//! | 5 | 8 | bytes of the document; -1 if an end mark says it |
//! | 13 | 8 | bytes from offset 21 on; not in a plain `.lzma` |
//! | 21 or 13 | | LZMA data; its first byte is always 0 |

use super::Codec;

const PLAIN: usize = 13;
const ENGINE: usize = 21;
/// lc 3, lp 0, pb 2.
const PROPERTIES: u8 = 0x5d;

/// The fields before the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LzmaHeader {
    pub(crate) properties: u8,
    pub(crate) dictionary: u32,
    /// -1 if it is not said.
    pub(crate) size: i64,
    /// Only in the engine's layout.
    pub(crate) packed: Option<i64>,
}

impl LzmaHeader {
    /// `None` if the body is too short for it.
    pub(crate) fn read(body: &[u8], codec: Codec) -> Option<LzmaHeader> {
        let (properties, rest) = body.split_first()?;
        let (dictionary, rest) = rest.split_first_chunk()?;
        let (size, rest) = rest.split_first_chunk()?;
        let packed = match codec {
            Codec::LzmaAlone => None,
            _ => Some(i64::from_le_bytes(*rest.first_chunk()?)),
        };
        Some(LzmaHeader {
            properties: *properties,
            dictionary: u32::from_le_bytes(*dictionary),
            size: i64::from_le_bytes(*size),
            packed,
        })
    }

    /// lc and lp together.
    #[cfg(feature = "lzma")]
    fn literal_bits(&self) -> u32 {
        let properties = u32::from(self.properties) % 45;
        (properties / 9).saturating_add(properties % 9)
    }

    /// Where the data begins.
    pub(crate) fn len(&self) -> usize {
        if self.packed.is_some() { ENGINE } else { PLAIN }
    }
}

/// Which layout a body has, by its first 22 bytes, so that a stream tells the same. The engine's own
/// if nothing speaks against it.
pub(crate) fn layout(body: &[u8]) -> Codec {
    let alone = body.get(PLAIN) == Some(&0) && !is_packed_size(body);
    if alone { Codec::LzmaAlone } else { Codec::Lzma }
}

/// Whether the bytes at 13 may be a compressed size whose lowest byte is 0. What cannot be compressed
/// is a little longer than before.
fn is_packed_size(body: &[u8]) -> bool {
    let Some(head) = LzmaHeader::read(body, Codec::Lzma) else { return false };
    let size = head.size.max(0);
    let most = size.saturating_add(size >> 3).saturating_add(1 << 16);
    let plausible = |packed: i64| packed > 0 && packed <= most;
    head.packed.is_some_and(plausible) && body.get(ENGINE) == Some(&0)
}

/// Whether the bytes look like LZMA of one of the two layouts.
pub(crate) fn is_likely(bytes: &[u8]) -> bool {
    let Some(head) = LzmaHeader::read(bytes, Codec::LzmaAlone) else { return false };
    // Encoders take powers of two or three halves of them.
    let odd = head.dictionary.checked_shr(head.dictionary.trailing_zeros()).unwrap_or(0);
    let known = head.properties == PROPERTIES && head.dictionary >= 1 << 12 && matches!(odd, 1 | 3);
    let sized = head.size == -1 || (5..=1 << 40).contains(&head.size);
    known && sized && (bytes.get(PLAIN) == Some(&0) || bytes.get(ENGINE) == Some(&0))
}

#[cfg(feature = "lzma")]
pub(crate) use codec::{decode, encode};

#[cfg(feature = "lzma")]
mod codec {
    use std::io::{self, Read};

    use lzma_rust2::{EncodeMode, LzmaOptions, LzmaReader, LzmaWriter, MfType};

    use super::super::{corrupt, reserve, too_long};
    use super::{Codec, ENGINE, LzmaHeader, PLAIN};
    use crate::error::{Error, ErrorKind, Result};
    use crate::options::Options;

    /// LZMA cannot make more than about 7000 bytes of one.
    const MAX_RATIO: u64 = 8192;

    /// Literal and position bits decide on the size of the model: 12 of them would take 12 MB for
    /// any input. The engine has 3, and `.xz` allows 4.
    const MAX_LITERAL_BITS: u32 = 4;

    /// A decoder of the data, with memory in proportion to what may come out.
    fn reader<R: Read>(data: R, head: LzmaHeader, options: &Options) -> Result<LzmaReader<R>> {
        let limit = options.limits.max_output as u64;
        let size = match u64::try_from(head.size) {
            Ok(size) if size > limit => return Err(too_long(options.limits.max_output)),
            Ok(size) => size,
            Err(_) if head.size == -1 => u64::MAX,
            Err(_) => {
                let message = format!("an LZMA stream cannot have {} bytes", head.size);
                return Err(corrupt(5, message));
            }
        };
        if head.literal_bits() > MAX_LITERAL_BITS {
            let properties = head.properties;
            return Err(corrupt(0, format!("unsupported LZMA properties {properties:#04x}")));
        }
        let most = u32::try_from(size.min(limit)).unwrap_or(u32::MAX).max(1 << 12);
        let (dictionary, limit) = (head.dictionary.min(most), options.limits.max_alloc);
        if usize::try_from(dictionary).is_ok_and(|dictionary| dictionary > limit) {
            let message = format!(
                "an LZMA dictionary of {dictionary} bytes is more than max_alloc, which is {limit}"
            );
            return Err(Error::at(ErrorKind::AllocLimit, 1, message));
        }
        LzmaReader::new_with_props(data, size, head.properties, dictionary, None).map_err(broken)
    }

    /// Decodes a body, and returns how many of its bytes belong to it, with `whole` all of them: the
    /// engine stops when it has the whole document.
    pub(crate) fn decode(
        body: &[u8],
        codec: Codec,
        options: &Options,
        whole: bool,
        out: &mut Vec<u8>,
    ) -> Result<usize> {
        let Some(mut head) = LzmaHeader::read(body, codec) else {
            let len = if codec == Codec::LzmaAlone { PLAIN } else { ENGINE };
            return Err(Error::at(
                ErrorKind::UnexpectedEof,
                body.len(),
                format!("expected {len} bytes before LZMA data, found {}", body.len()),
            ));
        };
        let data = body.get(head.len()..).unwrap_or_default();
        let rest = data.len() as u64;
        let most = rest.saturating_mul(MAX_RATIO).saturating_add(MAX_RATIO);
        if u64::try_from(head.size).is_ok_and(|size| size > most) {
            let message = format!("{rest} bytes of LZMA cannot become {}", head.size);
            return Err(corrupt(5, message));
        }
        if let Some(packed) = head.packed.filter(|packed| u64::try_from(*packed) != Ok(rest))
            && options.strict
        {
            let message = format!("expected {packed} bytes of LZMA data, found {rest}");
            return Err(Error::at(ErrorKind::NotCanonical, 13, message));
        }
        head.dictionary = head.dictionary.min(u32::try_from(most).unwrap_or(u32::MAX));
        let limit = options.limits.max_output;
        let mut reader = reader(data, head, options)?;
        let announced = usize::try_from(head.size).unwrap_or(0);
        out.reserve_exact(reserve(announced, data.len(), limit));
        let past = (limit as u64).saturating_add(1);
        // In steps, because what a step has made before it fails stays inside of the decoder.
        let read = loop {
            let left = past.saturating_sub(out.len() as u64);
            match reader.by_ref().take(left.min(1 << 12)).read_to_end(out) {
                Ok(0) => break Ok(()),
                Ok(_) => {}
                Err(error) => break Err(error),
            }
        };
        if out.len() > limit {
            return Err(too_long(limit));
        }
        read.map_err(|error| broken(error).or_at(body.len()))?;
        if head.size != -1 && i64::try_from(out.len()) != Ok(head.size) {
            let message = format!("expected {} bytes out of LZMA, found {}", head.size, out.len());
            return Err(corrupt(head.len(), message));
        }
        let used = if whole {
            body.len()
        } else if let Some(packed) = head.packed.and_then(|packed| usize::try_from(packed).ok()) {
            ENGINE.saturating_add(packed).min(body.len())
        } else {
            let (rest, unread) = reader.into_parts();
            body.len().saturating_sub(rest.len()).saturating_sub(unread.len())
        };
        Ok(used)
    }

    /// The crate's error for one of the decoder.
    #[cold]
    fn broken(error: io::Error) -> Error {
        use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        match error.kind() {
            UnexpectedEof => {
                Error::new(ErrorKind::UnexpectedEof, "expected more LZMA data, found the end")
            }
            InvalidData | InvalidInput => corrupt(0, "the compressed data (LZMA) is damaged"),
            _ => Error::io(error),
        }
    }

    /// The settings of the engine's encoder.
    fn settings() -> LzmaOptions {
        LzmaOptions::new(1 << 21, 3, 0, 2, EncodeMode::Normal, 32, MfType::Bt4, 0)
    }

    pub(crate) fn encode(out: &mut Vec<u8>, bson: &[u8], codec: Codec) -> Result<()> {
        let settings = settings();
        let size = bson.len() as u64;
        out.push(settings.get_props());
        out.extend_from_slice(&settings.dict_size.to_le_bytes());
        out.extend_from_slice(&size.to_le_bytes());
        let packed_at = out.len();
        if codec == Codec::Lzma {
            out.extend_from_slice(&[0; 8]);
        }
        let start = out.len();
        let failed = |error: io::Error| Error::io(error);
        let mut writer = LzmaWriter::new_no_header(&mut *out, &settings, false).map_err(failed)?;
        io::Write::write_all(&mut writer, bson).map_err(failed)?;
        writer.finish().map_err(failed)?;
        if codec == Codec::Lzma {
            let packed = out.len().saturating_sub(start) as u64;
            if let Some(place) = out.get_mut(packed_at..start) {
                place.copy_from_slice(&packed.to_le_bytes());
            }
        }
        Ok(())
    }
}
