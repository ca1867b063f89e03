//! Header and codec of a file, and the spaces inside of it.

use std::borrow::Cow;

use gamewire_core::explain::{Mark, Note, Role, Sink};

use super::bson;
use crate::codec::Codec;
use crate::container::{self, MAGIC, OpenedFile, Unpacked, detect, header, lzma};
use crate::error::{DECOMPRESSED, Error};
use crate::options::Options;

/// Explains the file that the sink's space is, and returns why it is refused. `whose` is said of the
/// space of its body.
pub fn file(sink: &mut Sink, whose: &str, bytes: &[u8], options: &Options) -> Option<Error> {
    let mut out = Unpacked::default();
    let opened = container::open_into(bytes, options, true, &mut out);
    let mut plain = out.plain;
    // Errors, and bytes after the body, are noted below.
    let end = match &opened {
        Ok(OpenedFile { bson: Cow::Owned(_), rest, .. }) => bytes.len().saturating_sub(rest.len()),
        Ok(OpenedFile { bson: Cow::Borrowed(bson), .. }) => bytes.len().saturating_sub(bson.len()),
        Err(error) => error.offset().unwrap_or(0).min(bytes.len()),
    };
    let head = detect::find(bytes, None, options).ok().flatten();
    let codec = match &opened {
        Ok(opened) => Some(opened.container.codec()),
        Err(_) => head.map(|head| head.container().codec()),
    };
    let mut layout = Layout { bytes, end, sink };
    let from = layout.file(codec, &out.parts);
    let own = match opened {
        Ok(OpenedFile { bson: Cow::Borrowed(bson), .. }) => {
            return bson::document(sink, bson, bytes.len().saturating_sub(bson.len()), options);
        }
        Ok(OpenedFile { bson, rest, .. }) => {
            plain = bson.into_owned();
            (!rest.is_empty()).then(|| Error::trailing(end, rest.len()))
        }
        Err(error) => Some(error),
    };
    if let Some(error) = &own {
        sink.fail(error, bytes.len());
    }
    if plain.is_empty() && own.is_some() {
        return own;
    }
    // The codec may have decoded a part of a broken body.
    sink.open(format!("{DECOMPRESSED}{whose}"), plain, from);
    let bson = sink.bytes();
    let inner = bson::document(sink, &bson, 0, options);
    own.or(inner.map(Error::in_decompressed))
}

/// Notes parts as long as they end before what is wrong.
struct Layout<'a, 's> {
    bytes: &'a [u8],
    end: usize,
    sink: &'s mut Sink,
}

impl Layout<'_, '_> {
    /// Returns the span of the compressed bytes, or of the last of them.
    fn file(&mut self, codec: Option<Codec>, parts: &[(usize, &'static str)]) -> Mark {
        if self.bytes.starts_with(&MAGIC) {
            self.header();
        }
        let mark = match codec {
            None | Some(Codec::None) => return Mark::NONE,
            #[cfg(feature = "lz4")]
            Some(Codec::Lz4) => self.chunks(),
            Some(Codec::Lz4Frame) => self.frames(parts),
            Some(codec @ (Codec::Lzma | Codec::LzmaAlone)) => self.lzma(codec),
            Some(_) => Mark::NONE,
        };
        let name = codec.map_or("", Codec::name);
        let meaning = format!("compressed body, {name}");
        let rest = self.sink.push(self.end, Note::new(Role::Compressed, meaning));
        if mark == Mark::NONE { rest } else { mark }
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.sink.at()..).unwrap_or_default()
    }

    fn number<const N: usize>(&self) -> [u8; N] {
        self.rest().first_chunk().copied().unwrap_or([0; N])
    }

    /// Notes the next `len` bytes. `false` when there is no room for them.
    fn put(&mut self, len: usize, note: Note) -> bool {
        self.mark(len, note) != Mark::NONE
    }

    fn mark(&mut self, len: usize, note: Note) -> Mark {
        let end = self.sink.at().saturating_add(len);
        if end > self.end {
            self.end = self.sink.at();
        }
        self.sink.push(end.min(self.end), note)
    }

    fn header(&mut self) {
        self.put(4, Note::new(Role::Magic, "magic").value("\"FrDT\""));
        let version = i32::from_le_bytes(self.number()).to_string();
        self.put(4, Note::new(Role::Data, "version of the header").value(version));
        if let Ok((kind, len)) = header::leb128(self.rest()) {
            let name = match kind {
                0 => "none",
                1 => "LZ4",
                2 => "LZMA",
                3 => "Brotli",
                _ => "unknown",
            };
            let note = Note::new(Role::Flags, "kind of compression");
            self.put(len, note.value(format!("{kind}, {name}")));
        }
    }

    /// Frames as their decoder told them.
    fn frames(&mut self, parts: &[(usize, &'static str)]) -> Mark {
        let base = self.sink.at();
        let mut first = Mark::NONE;
        for (end, what) in parts {
            let len = base.saturating_add(*end).saturating_sub(self.sink.at());
            let digits = self.rest().get(..len.min(8)).unwrap_or_default();
            let number = digits.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
            let (role, shown) = match *what {
                "an LZ4 block" => (Role::Compressed, String::new()),
                "a skippable frame" => (Role::Unused, String::new()),
                what if what.ends_with("magic") => (Role::Magic, String::new()),
                what if what.ends_with("checksum") => (Role::Checksum, format!("{number:#x}")),
                what if what.ends_with("descriptor") => (Role::Flags, format!("{number:#x}")),
                "the size of an LZ4 block" if number == 0 => (Role::End, "0: no more".to_owned()),
                "the size of an LZ4 block" if number >> 31 != 0 => {
                    (Role::Length, format!("{}, stored", number & 0x7fff_ffff))
                }
                _ => (Role::Length, number.to_string()),
            };
            let mark = self.mark(len, Note::new(role, *what).value(shown));
            if role == Role::Compressed && first == Mark::NONE {
                first = mark;
            }
        }
        first
    }

    fn lzma(&mut self, codec: Codec) -> Mark {
        let Some(head) = lzma::LzmaHeader::read(self.rest(), codec) else { return Mark::NONE };
        let properties = u32::from(head.properties);
        let [pb, lp, lc] = [properties / 45, properties / 9 % 5, properties % 9];
        let length = |meaning, value: String| Note::new(Role::Length, meaning).value(value);
        let note = Note::new(Role::Flags, "properties");
        self.put(1, note.value(format!("lc {lc}, lp {lp}, pb {pb}")));
        self.put(4, length("dictionary in bytes", head.dictionary.to_string()));
        self.put(8, length("length of the document", head.size.to_string()));
        if let Some(packed) = head.packed {
            self.put(8, length("compressed length", packed.to_string()));
        }
        let left = self.end.saturating_sub(self.sink.at());
        let len = head.packed.and_then(|packed| usize::try_from(packed).ok()).unwrap_or(left);
        let mark = self.mark(len.min(left), Note::new(Role::Compressed, "LZMA data"));
        self.sink.push(self.end, Note::new(Role::Unused, "ignored"));
        mark
    }
}

#[cfg(feature = "lz4")]
impl Layout<'_, '_> {
    fn chunks(&mut self) -> Mark {
        let mut last = Mark::NONE;
        while self.sink.at() < self.end {
            let Ok(chunk) = container::lz4::Chunk::read(self.bytes, self.sink.at()) else { break };
            let how = match (chunk.is_compressed(), chunk.flags & 2 != 0) {
                (true, true) => "compressed, slow encoder",
                (true, false) => "compressed",
                (false, _) => "stored",
            };
            let number = |layout: &mut Self, role, meaning: &'static str, value: String| {
                let len = header::leb128(layout.rest()).map_or(0, |(_, len)| len);
                layout.put(len, Note::new(role, meaning).value(value))
            };
            let flags = format!("{}, {how}", chunk.flags);
            let (original, packed) = (chunk.original.to_string(), chunk.len.to_string());
            if !number(self, Role::Flags, "flags of a chunk", flags)
                || !number(self, Role::Length, "length of the chunk", original)
                || (chunk.is_compressed()
                    && !number(self, Role::Length, "compressed length of the chunk", packed))
            {
                break;
            }
            let meaning = if chunk.is_compressed() { "LZ4 block" } else { "stored bytes" };
            let mark = self.mark(chunk.len, Note::new(Role::Compressed, meaning));
            if last == Mark::NONE {
                last = mark;
            }
        }
        last
    }
}
