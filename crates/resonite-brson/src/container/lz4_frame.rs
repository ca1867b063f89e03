//! The LZ4 frame format, versions 1.x: magic, descriptor, blocks, checksums.

use super::{Unpacked, corrupt, reserve, too_long};
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;
use crate::read::Reader;

const MAGIC: u32 = 0x184d_2204;
/// Frames with these 16 magics are for other programs and are skipped.
const SKIPPABLE: u32 = 0x184d_2a50;

/// The bytes that a block of a linked frame may refer back to.
const WINDOW: usize = 1 << 16;
/// The size of a block that is stored has this bit.
const STORED: u32 = 1 << 31;

/// Bits of the first byte of a descriptor.
mod flag {
    pub(super) const VERSION: u8 = 0xc0;
    pub(super) const VERSION_1: u8 = 0x40;
    pub(super) const INDEPENDENT: u8 = 0x20;
    pub(super) const BLOCK_CHECKSUM: u8 = 0x10;
    pub(super) const CONTENT_SIZE: u8 = 0x08;
    pub(super) const CONTENT_CHECKSUM: u8 = 0x04;
    pub(super) const RESERVED: u8 = 0x02;
    pub(super) const DICTIONARY: u8 = 0x01;
}

/// The fields before the blocks of a frame.
struct Descriptor {
    flags: u8,
    /// The most bytes that a block may become.
    block: usize,
    content: Option<u64>,
}

struct Cursor<'a, 'p> {
    reader: Reader<'a>,
    parts: &'p mut Vec<(usize, &'static str)>,
}

impl<'a> Cursor<'a, '_> {
    fn take(&mut self, len: usize, what: &'static str) -> Result<&'a [u8]> {
        let bytes = self.reader.take(what, len)?;
        self.parts.push((self.at(), what));
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        let bytes = self.reader.array(what)?;
        self.parts.push((self.at(), what));
        Ok(bytes)
    }

    fn u32(&mut self, what: &'static str) -> Result<u32> {
        self.array(what).map(u32::from_le_bytes)
    }

    fn at(&self) -> usize {
        self.reader.offset()
    }
}

/// Decodes frames as long as there are any, and returns how many bytes they have.
pub(super) fn decode(body: &[u8], options: &Options, out: &mut Unpacked) -> Result<usize> {
    let Unpacked { plain, parts } = out;
    let mut cursor = Cursor { reader: Reader::new(body, *options), parts };
    loop {
        let at = cursor.at();
        let word = cursor.reader.rest().first_chunk().map(|word| u32::from_le_bytes(*word));
        let is_frame = |word: u32| word == MAGIC || word & !0xf == SKIPPABLE;
        if at > 0 && !word.is_some_and(is_frame) {
            return Ok(at);
        }
        match cursor.u32("an LZ4 frame's magic")? {
            MAGIC => frame(&mut cursor, plain, options.limits.max_output)?,
            magic if magic & !0xf == SKIPPABLE => {
                let len = cursor.u32("the length of a skippable frame")?;
                cursor.take(len as usize, "a skippable frame")?;
            }
            magic => {
                let message = format!("expected an LZ4 frame, found {:08x}", magic.swap_bytes());
                return Err(corrupt(at, message));
            }
        }
    }
}

fn descriptor(cursor: &mut Cursor<'_, '_>) -> Result<Descriptor> {
    let (start, body) = (cursor.at(), cursor.reader.rest());
    let [flags, block] = cursor.array("an LZ4 frame's descriptor")?;
    if flags & flag::VERSION != flag::VERSION_1 || flags & flag::RESERVED != 0 {
        return Err(corrupt(start, format!("unknown flags {flags:#04x} of an LZ4 frame")));
    }
    if flags & flag::DICTIONARY != 0 {
        return Err(Error::at(
            ErrorKind::Unsupported,
            start,
            "an LZ4 frame with a dictionary is not supported",
        ));
    }
    let size = match block {
        0x40 => 1 << 16,
        0x50 => 1 << 18,
        0x60 => 1 << 20,
        0x70 => 1 << 22,
        _ => {
            let at = start.saturating_add(1);
            return Err(corrupt(at, format!("unknown block size {block:#04x} of an LZ4 frame")));
        }
    };
    let has_size = flags & flag::CONTENT_SIZE != 0;
    let content = if has_size { Some(cursor.array("a content size")?) } else { None };
    let at = cursor.at();
    let covered = body.get(..at.saturating_sub(start)).unwrap_or_default();
    let [found] = cursor.array("a descriptor's checksum")?;
    let [_, expected, ..] = xxh32(covered).to_le_bytes();
    if found != expected {
        return Err(checksum(at, "descriptor"));
    }
    Ok(Descriptor { flags, block: size, content: content.map(u64::from_le_bytes) })
}

fn frame(cursor: &mut Cursor<'_, '_>, out: &mut Vec<u8>, limit: usize) -> Result<()> {
    let begin = cursor.at();
    let Descriptor { flags, block, content } = descriptor(cursor)?;
    let start = out.len();
    if let Some(content) = content.and_then(|content| usize::try_from(content).ok()) {
        out.reserve_exact(reserve(
            content,
            cursor.reader.rest().len(),
            limit.saturating_sub(start),
        ));
    }
    loop {
        let at = cursor.at();
        let word = cursor.u32("the size of an LZ4 block")?;
        if word == 0 {
            break;
        }
        let len = (word & !STORED) as usize;
        if len > block {
            let message = format!("expected an LZ4 block of at most {block} bytes, found {len}");
            return Err(corrupt(at, message));
        }
        let data_at = cursor.at();
        let data = cursor.take(len, "an LZ4 block")?;
        if flags & flag::BLOCK_CHECKSUM != 0 {
            let at = cursor.at();
            if cursor.u32("a block's checksum")? != xxh32(data) {
                return Err(checksum(at, "block"));
            }
        }
        if word & STORED != 0 {
            if out.len().saturating_add(len) > limit {
                return Err(too_long(limit));
            }
            out.extend_from_slice(data);
        } else {
            let linked = flags & flag::INDEPENDENT == 0;
            unpack_block(data, out, if linked { start } else { out.len() }, block, limit)
                .map_err(|error| error.or_at(data_at))?;
        }
    }
    let written = out.get(start..).unwrap_or_default();
    if flags & flag::CONTENT_CHECKSUM != 0 {
        let at = cursor.at();
        if cursor.u32("the content's checksum")? != xxh32(written) {
            return Err(checksum(at, "content"));
        }
    }
    match content {
        Some(size) if u64::try_from(written.len()) != Ok(size) => Err(corrupt(
            begin.saturating_add(2),
            format!("expected {size} bytes out of an LZ4 frame, found {}", written.len()),
        )),
        _ => Ok(()),
    }
}

/// Appends what is in a block, which may look back to `start` of `out`.
fn unpack_block(
    data: &[u8],
    out: &mut Vec<u8>,
    start: usize,
    block: usize,
    limit: usize,
) -> Result<()> {
    let old = out.len();
    let left = limit.saturating_sub(old);
    // One byte more than the limit shows that there is more.
    let room = data.len().saturating_mul(255).min(block).min(left.saturating_add(1));
    out.resize(old.saturating_add(room), 0);
    let window = start.max(old.saturating_sub(WINDOW));
    let split = out.split_at_mut_checked(old);
    let split = split.and_then(|(before, part)| Some((before.get(window..)?, part)));
    debug_assert!(split.is_some(), "a block without a place");
    let (dictionary, part) = split.unwrap_or_default();
    let decoded = match lz4_flex::block::decompress_into_with_dict(data, part, dictionary) {
        Ok(len) if len <= left => Ok(len),
        Ok(_) => Err(too_long(limit)),
        // Too little room is the limit's fault, or the block is longer than the frame allows.
        Err(lz4_flex::block::DecompressError::OutputTooSmall { .. }) if room > left => {
            Err(too_long(limit))
        }
        Err(_) => Err(Error::new(ErrorKind::Compression, "the compressed data (LZ4) is damaged")),
    };
    out.truncate(old.saturating_add(decoded.as_ref().copied().unwrap_or(0)));
    decoded.map(drop)
}

/// The checksum of a frame's parts.
fn xxh32(bytes: &[u8]) -> u32 {
    twox_hash::XxHash32::oneshot(0, bytes)
}

#[cold]
fn checksum(at: usize, what: &'static str) -> Error {
    let message = format!("the {what}'s checksum of an LZ4 frame is wrong");
    Error::at(ErrorKind::Checksum, at, message)
}

/// Bytes of the document in a block.
const BLOCK: usize = 1 << 22;

/// Writes one frame: independent blocks of 4 MiB, the size of the content and its checksum.
pub(super) fn encode(out: &mut Vec<u8>, bson: &[u8]) {
    out.extend_from_slice(&MAGIC.to_le_bytes());
    let start = out.len();
    out.push(flag::VERSION_1 | flag::INDEPENDENT | flag::CONTENT_CHECKSUM | flag::CONTENT_SIZE);
    out.push(0x70);
    out.extend_from_slice(&(bson.len() as u64).to_le_bytes());
    let [_, checksum, ..] = xxh32(out.get(start..).unwrap_or_default()).to_le_bytes();
    out.push(checksum);
    let mut encoder = super::lz4_hc::HcEncoder::new();
    for block in bson.chunks(BLOCK) {
        let packed = encoder.encode(block);
        let (data, bit) = if packed.len() < block.len() { (packed, 0) } else { (block, STORED) };
        let len = u32::try_from(data.len()).unwrap_or(u32::MAX) | bit;
        out.extend_from_slice(&len.to_le_bytes());
        out.extend_from_slice(data);
    }
    out.extend_from_slice(&0u32.to_le_bytes());
    out.extend_from_slice(&xxh32(bson).to_le_bytes());
}
