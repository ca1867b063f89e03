//! Compressed files.
//!
//! ```text
//! "GCPF"  u32 compression  u32 bytes of a block  u32 bytes of all
//! u32 packed length of each block, the blocks, "GCPF"
//! ```
//!
//! There is one block more than whole ones: the last has what is left, which may be nothing.

use std::io::{self, Read as _, Write as _};
use std::num::NonZeroU32;

use flate2::read::{GzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::{fastlz, too_large};
use crate::error::{Count, Error, ErrorKind, Result};
use crate::read::Reader;
use crate::{Options, write};

pub(crate) const MAGIC: [u8; 4] = *b"GCPF";

/// How the blocks of a file are compressed: `FileAccess.CompressionMode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// FastLZ, the default of `open_compressed`.
    #[default]
    FastLz,
    /// Deflate with the header and check sum of zlib.
    Deflate,
    /// Zstandard.
    Zstd,
    /// GZip.
    Gzip,
}

impl Compression {
    const ALL: [Compression; 4] =
        [Compression::FastLz, Compression::Deflate, Compression::Zstd, Compression::Gzip];

    /// The number in the file and of `FileAccess.CompressionMode`.
    pub fn number(self) -> u32 {
        match self {
            Compression::FastLz => 0,
            Compression::Deflate => 1,
            Compression::Zstd => 2,
            Compression::Gzip => 3,
        }
    }

    /// The usual name.
    pub fn name(self) -> &'static str {
        match self {
            Compression::FastLz => "FastLZ",
            Compression::Deflate => "Deflate",
            Compression::Zstd => "Zstandard",
            Compression::Gzip => "GZip",
        }
    }

    /// The compression of a stream of `PackedByteArray.compress`, by its first bytes. FastLZ has no mark.
    pub fn of_stream(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Compression::Zstd),
            [0x1f, 0x8b, 8, ..] => Some(Compression::Gzip),
            [0x78, second, ..] if (0x7800 | u16::from(*second)).is_multiple_of(31) => {
                Some(Compression::Deflate)
            }
            _ => None,
        }
    }

    /// Compresses data as `PackedByteArray.compress`: a stream with nothing around it.
    ///
    /// ```
    /// use godot_variant::wrapped::Compression;
    ///
    /// let stream = Compression::Gzip.compress(b"a save")?;
    /// assert_eq!(Compression::of_stream(&stream), Some(Compression::Gzip));
    /// assert_eq!(Compression::Gzip.decompress(&stream, 100)?, b"a save");
    /// # Ok::<(), godot_variant::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the compressor.
    pub fn compress(self, plain: &[u8]) -> Result<Vec<u8>> {
        let level = flate2::Compression::default();
        match self {
            Compression::FastLz if plain.len() < FASTLZ_LEAST => {
                let mut padded = [0; FASTLZ_LEAST];
                if let Some(place) = padded.get_mut(..plain.len()) {
                    place.copy_from_slice(plain);
                }
                Ok(fastlz::pack(&padded))
            }
            Compression::FastLz => Ok(fastlz::pack(plain)),
            Compression::Deflate => {
                let mut encoder = ZlibEncoder::new(Vec::new(), level);
                encoder.write_all(plain).and_then(|()| encoder.finish()).map_err(Error::io)
            }
            Compression::Zstd => Ok(compress_to_vec(plain, CompressionLevel::Fastest)),
            Compression::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), level);
                encoder.write_all(plain).and_then(|()| encoder.finish()).map_err(Error::io)
            }
        }
    }

    /// Decompresses such a stream, to at most `max_plain` bytes. Of FastLZ, what is shorter than 16 bytes has zeros
    /// after it.
    ///
    /// # Errors
    /// - [`Damaged`](ErrorKind::Damaged): data that does not unpack, or has other data after it.
    /// - [`AllocLimit`](ErrorKind::AllocLimit): more than `max_plain` bytes.
    pub fn decompress(self, stream: &[u8], max_plain: usize) -> Result<Vec<u8>> {
        let damaged = |_| {
            let text = format!("expected a whole stream of {}, found other data", self.name());
            Error::at(ErrorKind::Damaged, 0, text)
        };
        let mut out = Vec::new();
        let rest = match self {
            Compression::FastLz => {
                out = fastlz::unpack(stream, max_plain).ok_or(Why::Damaged).map_err(damaged)?;
                0
            }
            Compression::Deflate => {
                let mut decoder = ZlibDecoder::new(stream);
                drain(&mut decoder, max_plain, &mut out).map_err(damaged)?;
                let read = usize::try_from(decoder.total_in()).unwrap_or(usize::MAX);
                stream.len().saturating_sub(read)
            }
            Compression::Gzip => {
                drain(GzDecoder::new(stream), max_plain, &mut out).map_err(damaged)?;
                0
            }
            Compression::Zstd => {
                let mut rest = stream;
                let window = max_plain as u64;
                let decoder = StreamingDecoder::new_with_max_window_size(&mut rest, window);
                let decoder = decoder.map_err(|_| Why::Damaged).map_err(damaged)?;
                drain(decoder, max_plain, &mut out).map_err(damaged)?;
                rest.len()
            }
        };
        if out.len() > max_plain {
            let len = out.len() as u64;
            return Err(too_large(0, len, max_plain));
        }
        if rest > 0 {
            return Err(damaged(Why::Damaged));
        }
        Ok(out)
    }

    /// Decompresses the beginning of such a stream: at most `most` bytes, and what there is of a damaged one.
    pub fn decompress_start(self, stream: &[u8], most: usize) -> Vec<u8> {
        let mut out = Vec::new();
        // Less than all that there is may be left over, or be wrong.
        _ = match self {
            Compression::FastLz => Ok(()),
            Compression::Deflate => drain(ZlibDecoder::new(stream), most, &mut out),
            Compression::Gzip => drain(GzDecoder::new(stream), most, &mut out),
            Compression::Zstd => StreamingDecoder::new_with_max_window_size(stream, 8 << 20)
                .map_err(|_| Why::Damaged)
                .and_then(|decoder| drain(decoder, most, &mut out)),
        };
        out.truncate(most);
        out
    }

    /// Unpacks one block of exactly `len` bytes at the end of `out`; why not, otherwise.
    fn unpack(self, packed: &[u8], len: usize, out: &mut Vec<u8>) -> std::result::Result<(), Why> {
        let start = out.len();
        match self {
            Compression::FastLz => {
                // The engine packs no fewer than 16 bytes, with zeros after the block's own.
                let most = len.max(FASTLZ_LEAST);
                let block = fastlz::unpack(packed, most).ok_or(Why::Damaged)?;
                out.extend_from_slice(block.get(..len).ok_or(Why::Length(block.len()))?);
                if block.len() > len && most > FASTLZ_LEAST {
                    return Err(Why::Length(block.len()));
                }
                return Ok(());
            }
            Compression::Deflate => drain(ZlibDecoder::new(packed), len, out)?,
            Compression::Gzip => drain(GzDecoder::new(packed), len, out)?,
            Compression::Zstd => {
                // A window is as long as the frame, or what its writer keeps: up to 8 MiB without
                // long distances. Memory for it is taken as it fills.
                const WINDOW: usize = 8 << 20;
                let window = len.max(WINDOW) as u64;
                let decoder = StreamingDecoder::new_with_max_window_size(packed, window);
                let decoder = decoder.map_err(|_| Why::Damaged)?;
                // 0 where the frame does not say it.
                let says = decoder.decoder.content_size();
                if says != 0 && usize::try_from(says) != Ok(len) {
                    return Err(Why::Length(usize::try_from(says).unwrap_or(usize::MAX)));
                }
                drain(decoder, len, out)?;
            }
        }
        match out.len().saturating_sub(start) {
            found if found == len => Ok(()),
            found => Err(Why::Length(found)),
        }
    }
}

/// The engine gives FastLZ no fewer bytes.
const FASTLZ_LEAST: usize = 16;

/// Why a block does not unpack.
enum Why {
    Damaged,
    Length(usize),
}

/// At most one byte more than `len`, to tell that there is more.
fn drain(reader: impl io::Read, len: usize, out: &mut Vec<u8>) -> std::result::Result<(), Why> {
    let most = (len as u64).saturating_add(1);
    reader.take(most).read_to_end(out).map(drop).map_err(|_| Why::Damaged)
}

/// The wrapper of `FileAccess.open_compressed`.
///
/// ```
/// use godot_variant::wrapped::{Compressed, Compression, Opener};
///
/// let file = Compressed::new(Compression::Zstd).to_vec(&[7; 5000])?;
/// assert!(file.starts_with(b"GCPF") && file.len() < 200);
/// assert_eq!(Opener::new().open(&file)?.plain, [7; 5000]);
/// # Ok::<(), godot_variant::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compressed {
    magic: [u8; 4],
    compression: Compression,
    block_size: NonZeroU32,
}

/// Bytes of a block that the engine writes.
const BLOCK: NonZeroU32 = NonZeroU32::MIN.saturating_add(4095);

impl Compressed {
    /// Blocks of 4096 bytes, as the engine writes them.
    pub const fn new(compression: Compression) -> Self {
        Compressed { magic: MAGIC, compression, block_size: BLOCK }
    }

    /// Other letters than `GCPF` around the blocks: `RSCC` in resources.
    #[must_use]
    pub const fn magic(mut self, letters: [u8; 4]) -> Self {
        self.magic = letters;
        self
    }

    /// Takes the wrapper off, whichever its first four letters are.
    ///
    /// # Errors
    /// As [`Opener::open`](super::Opener::open).
    pub fn open(bytes: &[u8], max_plain: usize) -> Result<(Self, Vec<u8>)> {
        let (wrapper, plain, wrong) = Compressed::open_damaged(bytes, max_plain)?;
        wrong.map_or(Ok((wrapper, plain)), Err)
    }

    /// Bytes of a block, at least 1.
    #[must_use]
    pub fn block_size(mut self, bytes: u32) -> Self {
        self.block_size = NonZeroU32::new(bytes).unwrap_or(NonZeroU32::MIN);
        self
    }

    /// How the blocks are compressed.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Compresses a file.
    ///
    /// # Errors
    /// 4 GiB and more.
    pub fn to_vec(&self, plain: &[u8]) -> Result<Vec<u8>> {
        let total = u32::try_from(plain.len()).map_err(|_| {
            let text = format!("{} bytes are more than a compressed file can have", plain.len());
            Error::new(ErrorKind::OutputLimit, text)
        })?;
        let size = self.block_size.get() as usize;
        let mut blocks: Vec<&[u8]> = plain.chunks_exact(size).collect();
        blocks.push(plain.chunks_exact(size).remainder());
        let packed: Vec<_> =
            blocks.iter().map(|block| self.compression.compress(block)).collect::<Result<_>>()?;
        let mut out = self.magic.to_vec();
        for word in [self.compression.number(), self.block_size.get(), total] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        for block in &packed {
            out.extend_from_slice(&write::length(block.len())?.to_le_bytes());
        }
        packed.iter().for_each(|block| out.extend_from_slice(block));
        out.extend_from_slice(&self.magic);
        Ok(out)
    }

    /// The data up to the first fault, and that fault.
    pub(crate) fn open_damaged(
        bytes: &[u8],
        max_plain: usize,
    ) -> Result<(Self, Vec<u8>, Option<Error>)> {
        let mut reader = Reader::new(bytes, Options::new());
        let head = CompressedHead::read(&mut reader, max_plain)?;
        let mut plain = Vec::new();
        let wrong = head.unpack(&mut reader, &mut plain).err();
        plain.truncate(head.total as usize);
        Ok((head.wrapper(), plain, wrong))
    }
}

/// The words before the lengths of the blocks.
pub(crate) struct CompressedHead {
    magic: [u8; 4],
    pub(crate) compression: Compression,
    pub(crate) block_size: NonZeroU32,
    pub(crate) total: u32,
}

impl CompressedHead {
    pub(crate) fn read(reader: &mut Reader<'_>, max_plain: usize) -> Result<CompressedHead> {
        let magic = reader.array("GCPF")?;
        let at = reader.offset();
        let number = reader.u32("the compression")?;
        let compression = Compression::ALL.into_iter().find(|mode| mode.number() == number);
        let Some(compression) = compression else {
            let text = format!("expected a compression from 0 to 3, found {number}");
            return Err(Error::at(ErrorKind::Unsupported, at, text));
        };
        let at = reader.offset();
        let Some(block_size) = NonZeroU32::new(reader.u32("the size of a block")?) else {
            let text = "expected the size of a block, found 0";
            return Err(Error::at(ErrorKind::Frame, at, text));
        };
        let at = reader.offset();
        let total = reader.u32("the length of the file")?;
        if total as usize > max_plain {
            return Err(too_large(at, total.into(), max_plain));
        }
        Ok(CompressedHead { magic, compression, block_size, total })
    }

    fn wrapper(&self) -> Compressed {
        let CompressedHead { magic, compression, block_size, .. } = *self;
        Compressed { magic, compression, block_size }
    }

    /// Unpacks all blocks; after an error, `plain` has what is before it.
    fn unpack(&self, reader: &mut Reader<'_>, plain: &mut Vec<u8>) -> Result<()> {
        for (index, packed) in self.lengths(reader)?.into_iter().enumerate() {
            let at = reader.offset();
            let len = self.plain_len(index);
            let end = plain.len().saturating_add(len);
            // A block that is cut off may have given a part.
            let rest = reader.rest();
            let block = reader.take(packed, "a compressed block");
            let unpacked = self.compression.unpack(block.as_ref().unwrap_or(&rest), len, plain);
            plain.truncate(end);
            block?;
            unpacked.map_err(|why| damaged(self, index, at, len, why))?;
        }
        self.end(reader)
    }

    fn end(&self, reader: &mut Reader<'_>) -> Result<()> {
        let at = reader.offset();
        let what = if self.magic == MAGIC { "GCPF at the end" } else { "RSCC at the end" };
        if reader.take(4, what)? != self.magic {
            let text = format!("expected {what}, found something else");
            return Err(Error::at(ErrorKind::Frame, at, text));
        }
        reader.end()
    }

    /// Whole blocks, and one that may be empty.
    pub(crate) fn count(&self) -> usize {
        ((self.total / self.block_size) as usize).saturating_add(1)
    }

    /// The packed length of each block. The table is a claim until it is present.
    pub(crate) fn lengths(&self, reader: &mut Reader<'_>) -> Result<Vec<usize>> {
        let table = reader.take(self.count().saturating_mul(4), "the lengths of the blocks")?;
        let (words, _) = table.as_chunks::<4>();
        Ok(words.iter().map(|word| u32::from_le_bytes(*word) as usize).collect())
    }

    /// Bytes of a block when it is unpacked.
    pub(crate) fn plain_len(&self, index: usize) -> usize {
        let last = index.saturating_add(1) == self.count();
        let rest = self.total % self.block_size;
        (if last { rest } else { self.block_size.get() }) as usize
    }
}

#[cold]
fn damaged(head: &CompressedHead, index: usize, at: usize, len: usize, why: Why) -> Error {
    let name = head.compression.name();
    let expected = Count(len, "byte");
    let text = match why {
        Why::Damaged => format!("expected {expected} of {name} in block {index}, found other data"),
        Why::Length(found) if found > len => {
            format!("expected {expected} in block {index}, found more")
        }
        Why::Length(found) => {
            format!("expected {expected} in block {index}, found {}", Count(found, "byte"))
        }
    };
    Error::at(ErrorKind::Damaged, at, text)
}
