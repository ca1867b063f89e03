//! Zstandard ([RFC 8878]) as a stream, of which each flush can be read at once.
//!
//! [`Connection`](crate::Connection) uses it where both sides agree on it; here it is for other
//! transports of the same bytes. What one side has flushed ends with a block, and the frame around the
//! blocks does not end.
//!
//! ```
//! use zeze_net::zstd::{Compressor, Decompressor};
//!
//! let mut compressed = Vec::new();
//! let mut compressor = Compressor::new();
//! compressor.write(&b"to be or not to be, ".repeat(20), &mut compressed);
//! compressor.flush(&mut compressed);
//! assert!(compressed.len() < 200);
//!
//! let (mut text, mut decompressor) = (Vec::new(), Decompressor::new());
//! for piece in compressed.chunks(4) {
//!     decompressor.read(piece, usize::MAX, &mut text)?;
//! }
//! assert_eq!(text, b"to be or not to be, ".repeat(20));
//! # Ok::<(), zeze_net::Error>(())
//! ```
//!
//! [RFC 8878]: https://www.rfc-editor.org/rfc/rfc8878

use std::fmt;
use std::hash::Hasher as _;
use std::io;

use gamewire_core::bytes::part;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::CompressionLevel;
use twox_hash::XxHash64;

use crate::{Error, ErrorKind, Result};

/// The largest window that a frame may ask for: 8 MiB, the least that each decoder is to take.
pub const MAX_WINDOW: usize = 8 << 20;

/// The most bytes of a block, packed and unpacked.
pub const MAX_BLOCK: usize = 128 << 10;

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Bit of a frame's descriptor: a checksum follows the last block.
const HAS_CHECKSUM: u8 = 4;

/// Bit of a frame's descriptor: no window, the whole frame is one.
const SINGLE: u8 = 0x20;

/// Bit of a block's head: it is the last one.
const IS_LAST: u8 = 1;

/// Number of bytes of a block's head.
const BLOCK_HEAD: usize = 3;

/// The head of the frames that are written: no size, no checksum, a window of as much as a block has.
const HEAD: [u8; 6] = [0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3];

/// Bytes that are sent as they are: less does not pay for the tables of a packed block.
const MIN_PACKED: usize = 64;

/// Compresses a stream.
///
/// Each flush is packed for itself, without a look at those before. Bytes that would not get fewer are
/// sent as they are.
#[derive(Clone, Debug, Default)]
pub struct Compressor {
    pending: Vec<u8>,
    has_begun: bool,
}

impl Compressor {
    /// At the start of a stream.
    pub const fn new() -> Self {
        Compressor { pending: Vec::new(), has_begun: false }
    }

    /// Compresses bytes; those since the last whole block are held back until [`flush`](Self::flush).
    pub fn write(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut rest = bytes;
        while let Some((now, later)) =
            rest.split_at_checked(MAX_BLOCK.saturating_sub(self.pending.len()))
        {
            self.pending.extend_from_slice(now);
            self.flush(out);
            rest = later;
        }
        self.pending.extend_from_slice(rest);
    }

    /// Makes whole what was written so far.
    pub fn flush(&mut self, out: &mut Vec<u8>) {
        if self.pending.is_empty() {
            return;
        }
        if !std::mem::replace(&mut self.has_begun, true) {
            out.extend_from_slice(&HEAD);
        }
        let start = out.len();
        let is_packed = self.pending.len() >= MIN_PACKED && pack(&self.pending, out).is_some();
        let size = out.len().saturating_sub(start);
        if !is_packed || size >= self.pending.len().saturating_add(BLOCK_HEAD) {
            out.truncate(start);
            out.extend_from_slice(&raw_head(self.pending.len()));
            out.extend_from_slice(&self.pending);
        }
        self.pending.clear();
    }

    /// How many bytes wait for the next flush.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }
}

/// Packs bytes into blocks none of which is the last one; `None` if that is not possible.
fn pack(bytes: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let packed = ruzstd::encoding::compress_to_vec(bytes, CompressionLevel::Fastest);
    let mut rest = packed.get(header(*packed.get(MAGIC.len())?)..)?;
    loop {
        let (&[a, b, c], _) = rest.split_first_chunk::<BLOCK_HEAD>()?;
        let (block, after) = rest.split_at_checked(block_len([a, b, c]))?;
        let (head, body) = block.split_first()?;
        out.push(head & !IS_LAST);
        out.extend_from_slice(body);
        if head & IS_LAST != 0 {
            return Some(());
        }
        rest = after;
    }
}

/// The head of a block of `len` bytes as they are, which is not the last one.
fn raw_head(len: usize) -> [u8; BLOCK_HEAD] {
    debug_assert!(len <= MAX_BLOCK);
    let [a, b, c, _] = u32::try_from(len).unwrap_or(0).wrapping_shl(3).to_le_bytes();
    [a, b, c]
}

/// Number of bytes of a block with this head.
fn block_len(head: [u8; BLOCK_HEAD]) -> usize {
    // A byte that is repeated has the number of times for its size.
    let is_repeated = head[0] >> 1 & 3 == 1;
    BLOCK_HEAD.saturating_add(if is_repeated { 1 } else { block_size(head) })
}

/// The size that the head of a block says.
fn block_size([a, b, c]: [u8; BLOCK_HEAD]) -> usize {
    (u32::from_le_bytes([a, b, c, 0]) >> 3) as usize
}

/// The part of a frame that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Frame,
    Block,
    Checksum,
}

/// Decompresses a stream.
pub struct Decompressor {
    part: Part,
    /// The part as far as it has come.
    held: Vec<u8>,
    blocks: Option<Box<Blocks>>,
    claims: Claims,
    has_failed: bool,
}

impl Default for Decompressor {
    fn default() -> Self {
        Decompressor::new()
    }
}

impl fmt::Debug for Decompressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = self.held.len();
        f.debug_struct("Decompressor").field("part", &self.part).field("held", &held).finish()
    }
}

impl Decompressor {
    /// At the start of a stream.
    pub const fn new() -> Self {
        Decompressor {
            part: Part::Frame,
            held: Vec::new(),
            blocks: None,
            claims: Claims { left: None, checksum: None },
            has_failed: false,
        }
    }

    /// Decompresses input until there is no more of it, or `most` bytes are in `out`; the last block
    /// may add twice [`MAX_BLOCK`] more. Returns how many bytes of the input it took.
    ///
    /// Another frame may follow one that has ended. Size and checksum of a frame are looked at where it
    /// has them, the checksum after all of its bytes are in `out`.
    ///
    /// # Errors
    /// What is not Zstandard, a dictionary, a window above [`MAX_WINDOW`], another size or checksum than
    /// the frame says. After an error there is nothing but errors.
    pub fn read(&mut self, input: &[u8], most: usize, out: &mut Vec<u8>) -> Result<usize> {
        if self.has_failed {
            return Err(wrong("expected nothing after an error"));
        }
        let mut rest = input;
        while out.len() < most {
            let needed = self.needed()?.saturating_sub(self.held.len());
            let (taken, after) = rest.split_at_checked(needed).unwrap_or((rest, &[]));
            self.held.extend_from_slice(taken);
            rest = after;
            if taken.len() < needed {
                break;
            }
            if needed == 0 {
                let done = self.take(out);
                self.held.clear();
                done.inspect_err(|_| self.has_failed = true)?;
            }
        }
        Ok(input.len().saturating_sub(rest.len()))
    }

    /// Number of bytes of the part, as far as those that are present tell.
    fn needed(&mut self) -> Result<usize> {
        let needed = match (self.part, self.held.as_slice()) {
            (Part::Frame, [_, _, _, _, descriptor, ..]) => header(*descriptor),
            (Part::Frame, _) => 5,
            (Part::Block, &[a, b, c, ..]) => {
                let size = block_size([a, b, c]);
                if size > MAX_BLOCK {
                    self.has_failed = true;
                    let text =
                        format!("expected a block of at most {MAX_BLOCK} bytes, found {size}");
                    return Err(wrong(text));
                }
                block_len([a, b, c])
            }
            (Part::Block, _) => BLOCK_HEAD,
            (Part::Checksum, _) => 4,
        };
        Ok(needed)
    }

    /// Takes the part that is whole.
    fn take(&mut self, out: &mut Vec<u8>) -> Result<()> {
        match (self.part, self.held.first_mut()) {
            (Part::Frame, _) => {
                self.blocks = Some(Box::new(self.frame()?));
                self.part = Part::Block;
            }
            (Part::Block, Some(head)) => {
                let is_last = *head & IS_LAST != 0;
                *head |= IS_LAST;
                let before = out.len();
                if let Some(blocks) = &mut self.blocks {
                    blocks.decode(&self.held, out)?;
                }
                self.claims.take(part(out, before..))?;
                if is_last {
                    self.claims.end()?;
                    let has_checksum = self.claims.checksum.is_some();
                    self.part = if has_checksum { Part::Checksum } else { Part::Frame };
                    self.blocks = None;
                }
            }
            _ => {
                self.claims.check(&self.held)?;
                self.part = Part::Frame;
            }
        }
        Ok(())
    }

    fn frame(&mut self) -> Result<Blocks> {
        let Some((magic, [descriptor, ..])) = self.held.split_first_chunk_mut() else {
            return Err(wrong("expected the head of a frame"));
        };
        if *magic != MAGIC {
            return Err(wrong("expected the head of a frame, found other bytes"));
        }
        let has_checksum = *descriptor & HAS_CHECKSUM != 0;
        *descriptor &= !HAS_CHECKSUM;
        let blocks = Blocks::new(&self.held)?;
        let checksum = has_checksum.then(|| XxHash64::with_seed(0));
        self.claims = Claims { left: content_size(&self.held), checksum };
        Ok(blocks)
    }
}

/// The size and checksum of a frame's content.
struct Claims {
    /// How many bytes are still to come.
    left: Option<u64>,
    /// That of the bytes so far.
    checksum: Option<XxHash64>,
}

impl Claims {
    fn take(&mut self, bytes: &[u8]) -> Result<()> {
        if let Some(left) = &mut self.left {
            let rest = left.checked_sub(bytes.len() as u64);
            *left =
                rest.ok_or_else(|| wrong("expected as many bytes as a frame says, found more"))?;
        }
        if let Some(checksum) = &mut self.checksum {
            checksum.write(bytes);
        }
        Ok(())
    }

    fn end(&self) -> Result<()> {
        match self.left {
            Some(left) if left > 0 => {
                Err(wrong(format!("expected as many bytes as a frame says, found {left} less")))
            }
            _ => Ok(()),
        }
    }

    /// The checksum is the lower half of the hash.
    fn check(&mut self, bytes: &[u8]) -> Result<()> {
        let (Some(found), Some(hash)) = (bytes.first_chunk(), self.checksum.take()) else {
            return Ok(());
        };
        let (found, [low @ .., _, _, _, _]) =
            (u32::from_le_bytes(*found), hash.finish().to_le_bytes());
        let own = u32::from_le_bytes(low);
        if found == own {
            return Ok(());
        }
        Err(wrong(format!("expected the checksum {own:#010x} of a frame, found {found:#010x}")))
    }
}

/// Number of bytes of a frame's head.
fn header(descriptor: u8) -> usize {
    let is_single = descriptor & SINGLE != 0;
    let dictionary = match descriptor & 3 {
        3 => 4,
        bytes => usize::from(bytes),
    };
    let window = usize::from(!is_single);
    5_usize.saturating_add(window).saturating_add(dictionary).saturating_add(content(descriptor))
}

/// Number of bytes that the size of the frame's content has in its head.
fn content(descriptor: u8) -> usize {
    match descriptor >> 6 {
        0 => usize::from(descriptor & SINGLE != 0),
        power => 1 << power,
    }
}

/// The blocks of a frame.
///
/// The decoder keeps a window of what it has unpacked until the frame has ended. So that all of it can be
/// seen after each block, each block is given to it as the last one; and what is seen is refused, which
/// leaves it where later blocks find it. When there is too much, all is taken, and the window comes back
/// as blocks of bytes as they are. Neither changes what the decoder knows besides: tables and distances.
struct Blocks {
    decoder: FrameDecoder,
    window: usize,
    /// How many bytes the decoder holds, all of which were seen.
    seen: usize,
}

impl Blocks {
    fn new(head: &[u8]) -> Result<Self> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW as u64);
        decoder.reset(head).map_err(broken)?;
        Ok(Blocks { decoder, window: window(head), seen: 0 })
    }

    fn decode(&mut self, block: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.feed(block)?;
        let all = self.decoder.can_collect();
        let mut unseen = Unseen { seen: self.seen, out, all: 0 };
        // It ends with the error that `Unseen` is.
        _ = self.decoder.collect_to_writer(&mut unseen);
        if unseen.all != all {
            return Err(wrong("expected a block in one piece"));
        }
        self.seen = all;
        if all.saturating_sub(self.window) > self.window.max(2 * MAX_BLOCK) {
            self.forget()?;
        }
        Ok(())
    }

    fn feed(&mut self, block: &[u8]) -> Result<()> {
        let blocks = BlockDecodingStrategy::UptoBlocks(1);
        self.decoder.decode_blocks(block, blocks).map(|_| ()).map_err(broken)
    }

    /// Drops what is before the window.
    fn forget(&mut self) -> Result<()> {
        let all = self.decoder.collect().ok_or_else(|| wrong("expected a frame"))?;
        let window = part(&all, all.len().saturating_sub(self.window)..);
        self.seen = window.len();
        let mut block = Vec::new();
        for part in window.chunks(self.window.clamp(1, MAX_BLOCK)) {
            let [a, b, c] = raw_head(part.len());
            block.clear();
            block.extend_from_slice(&[a | IS_LAST, b, c]);
            block.extend_from_slice(part);
            self.feed(&block)?;
        }
        Ok(())
    }
}

/// How far back copies may reach, by a frame's head that the decoder has taken.
fn window(head: &[u8]) -> usize {
    if let Some((_, [descriptor, byte, ..])) = head.split_at_checked(MAGIC.len())
        && descriptor & SINGLE == 0
    {
        let base = 1_usize.unbounded_shl(u32::from(byte >> 3).saturating_add(10));
        return base.saturating_add((base / 8).saturating_mul(usize::from(byte & 7)));
    }
    // The whole frame is the window.
    usize::try_from(content_size(head).unwrap_or(0)).unwrap_or(usize::MAX)
}

/// The size of a frame's content, which comes last in its head.
fn content_size(head: &[u8]) -> Option<u64> {
    let size = content(*head.get(MAGIC.len())?);
    let from = head.get(head.len().checked_sub(size)?..).filter(|from| !from.is_empty())?;
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    let added = if size == 2 { 256 } else { 0 };
    Some(u64::from_le_bytes(bytes).saturating_add(added))
}

/// Copies what it has not seen, and refuses all of it.
struct Unseen<'a> {
    seen: usize,
    out: &'a mut Vec<u8>,
    all: usize,
}

impl io::Write for Unseen<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.extend_from_slice(bytes.get(self.seen..).unwrap_or_default());
        self.all = bytes.len();
        Err(io::ErrorKind::Other.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cold]
fn broken(error: impl fmt::Display) -> Error {
    wrong(format!("expected a block that can be unpacked: {error},"))
}

#[cold]
fn wrong(text: impl Into<String>) -> Error {
    let text: String = text.into();
    Error::new(ErrorKind::Compression, format!("{text} in Zstandard"))
}
