//! What the bytes around a document mean.

use std::borrow::Cow;

use super::{Codec, MAGIC, Opened, detect, header, lzma, open};
use crate::error::Result;
use crate::explain::{Part, Role};
use crate::options::Options;

/// Tells the meaning of the file's bytes up to the body, in order, and of the body where it is
/// compressed. Gives what [`open`] gives.
pub(crate) fn explain<'a>(
    bytes: &'a [u8],
    options: &Options,
    parts: &mut dyn FnMut(Part),
) -> Result<Opened<'a>> {
    let opened = open(bytes, options, true);
    // What is wrong, or not of the body, is for the caller to say.
    let end = match &opened {
        Ok(Opened { bson: Cow::Owned(_), rest, .. }) => bytes.len().saturating_sub(rest.len()),
        Ok(Opened { bson: Cow::Borrowed(bson), .. }) => bytes.len().saturating_sub(bson.len()),
        Err(error) => error.offset().unwrap_or(0).min(bytes.len()),
    };
    let mut layout = Layout { bytes, at: 0, end, parts };
    if bytes.starts_with(&MAGIC) {
        layout.header();
    }
    let head = detect::find(bytes, None, options).ok().flatten();
    let codec = match (&opened, head) {
        (Ok(opened), _) => Some(opened.container.codec()),
        (Err(_), head) => head.map(|head| head.container().codec()),
    };
    match codec {
        None | Some(Codec::None) => {}
        #[cfg(feature = "lz4")]
        Some(Codec::Lz4) => layout.chunks(),
        #[cfg(feature = "lz4")]
        Some(Codec::Lz4Frame) => layout.frames(),
        Some(codec @ (Codec::Lzma | Codec::LzmaAlone)) => layout.lzma(codec),
        Some(_) => {}
    }
    if opened.is_ok() && layout.at < end {
        let rest = end.saturating_sub(layout.at);
        let name = codec.map_or("", Codec::name);
        layout.put(rest, Role::Compressed, format!("compressed body, {name}"), "");
    }
    opened
}

/// Puts down parts as long as they end before what is wrong.
struct Layout<'a, 'p> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    parts: &'p mut dyn FnMut(Part),
}

impl Layout<'_, '_> {
    /// `false` when there is no more room.
    fn put(
        &mut self,
        len: usize,
        role: Role,
        meaning: impl Into<Cow<'static, str>>,
        value: impl Into<Cow<'static, str>>,
    ) -> bool {
        let end = self.at.saturating_add(len);
        let fits = len > 0 && end <= self.end;
        if fits {
            (self.parts)(Part { len, role, meaning: meaning.into(), value: value.into() });
            self.at = end;
        } else {
            self.end = self.at;
        }
        fits
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn number<const N: usize>(&self) -> [u8; N] {
        self.rest().first_chunk().copied().unwrap_or([0; N])
    }

    fn header(&mut self) {
        self.put(4, Role::Magic, "magic", "\"FrDT\"");
        let version = i32::from_le_bytes(self.number());
        self.put(4, Role::Data, "version of the header", version.to_string());
        if let Ok((kind, len)) = header::leb128(self.rest()) {
            let name = match kind {
                0 => "none",
                1 => "LZ4",
                2 => "LZMA",
                3 => "Brotli",
                _ => "unknown",
            };
            self.put(len, Role::Flags, "kind of compression", format!("{kind}, {name}"));
        }
    }

    fn lzma(&mut self, codec: Codec) {
        let Some(head) = lzma::Head::read(self.rest(), codec) else { return };
        let properties = u32::from(head.properties);
        let [pb, lp, lc] = [
            properties.wrapping_div(45),
            properties.wrapping_div(9).wrapping_rem(5),
            properties.wrapping_rem(9),
        ];
        self.put(1, Role::Flags, "properties", format!("lc {lc}, lp {lp}, pb {pb}"));
        self.put(4, Role::Length, "dictionary in bytes", head.dictionary.to_string());
        self.put(8, Role::Length, "length of the document", head.size.to_string());
        if let Some(packed) = head.packed {
            self.put(8, Role::Length, "compressed length", packed.to_string());
        }
        let left = self.end.saturating_sub(self.at);
        let len = head.packed.and_then(|packed| usize::try_from(packed).ok()).unwrap_or(left);
        if self.put(len.min(left), Role::Compressed, "LZMA data", "") && self.at < self.end {
            self.put(self.end.saturating_sub(self.at), Role::Unused, "ignored", "");
        }
    }
}

#[cfg(feature = "lz4")]
impl Layout<'_, '_> {
    fn chunks(&mut self) {
        while self.at < self.end {
            let Ok(chunk) = super::lz4::Chunk::read(self.bytes, self.at) else { return };
            let how = match (chunk.is_compressed(), chunk.flags & 2 != 0) {
                (true, true) => "compressed, slow encoder",
                (true, false) => "compressed",
                (false, _) => "stored",
            };
            let flags = chunk.flags;
            let len = |layout: &mut Self, role, meaning: &'static str, value: String| {
                let len = header::leb128(layout.rest()).map_or(0, |(_, len)| len);
                layout.put(len, role, meaning, value)
            };
            let original = chunk.original.to_string();
            if !len(self, Role::Flags, "flags of a chunk", format!("{flags}, {how}"))
                || !len(self, Role::Length, "length of the chunk", original)
            {
                return;
            }
            let packed = chunk.len.to_string();
            if chunk.is_compressed()
                && !len(self, Role::Length, "compressed length of the chunk", packed)
            {
                return;
            }
            let meaning = if chunk.is_compressed() { "LZ4 block" } else { "stored bytes" };
            if chunk.len > 0 && !self.put(chunk.len, Role::Compressed, meaning, "") {
                return;
            }
        }
    }

    fn frames(&mut self) {
        while self.at < self.end {
            if !self.frame() {
                return;
            }
        }
    }

    fn frame(&mut self) -> bool {
        const FRAME: u32 = 0x184d_2204;
        let size = |word: [u8; 4]| usize::try_from(u32::from_le_bytes(word)).unwrap_or(usize::MAX);
        if u32::from_le_bytes(self.number()) != FRAME {
            let len = size(
                self.rest().get(4..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default(),
            );
            return self.put(4, Role::Magic, "magic of a skippable frame", "")
                && self.put(4, Role::Length, "length of the frame", len.to_string())
                && (len == 0 || self.put(len, Role::Unused, "ignored", ""));
        }
        self.put(4, Role::Magic, "magic of an LZ4 frame", "");
        let [flags, block] = self.number();
        self.put(1, Role::Flags, "flags of the frame", format!("{flags:#04x}"));
        self.put(1, Role::Flags, "block size", format!("{block:#04x}"));
        if flags & 0x08 != 0 {
            let content = u64::from_le_bytes(self.number());
            self.put(8, Role::Length, "length of the document", content.to_string());
        }
        let mut fits = self.put(1, Role::Checksum, "descriptor's checksum", "");
        while fits {
            let word = self.number();
            let (len, stored) = (size(word) & 0x7fff_ffff, size(word) > 0x7fff_ffff);
            if len == 0 {
                fits = self.put(4, Role::End, "end of the blocks", "");
                break;
            }
            let how = if stored { ", stored" } else { "" };
            fits = self.put(4, Role::Length, "length of a block", format!("{len}{how}"))
                && self.put(len, Role::Compressed, "LZ4 block", "")
                && (flags & 0x10 == 0 || self.put(4, Role::Checksum, "block's checksum", ""));
        }
        fits && (flags & 0x04 == 0 || self.put(4, Role::Checksum, "content's checksum", ""))
    }
}
