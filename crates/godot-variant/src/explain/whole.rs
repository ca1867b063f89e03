//! A file as a whole: what is around its values, and before them.

#[cfg(feature = "gdec")]
use gamewire_core::bytes::hex;
#[cfg(feature = "gcpf")]
use gamewire_core::explain::quoted;
use gamewire_core::explain::{Note, Role, Sink};

use super::Explanation;
use super::files::{self, Result};
use super::note::Embedded;
use crate::Options;
use crate::error::Error;
use crate::frame::Framing;
#[cfg(any(feature = "gcpf", feature = "gdec"))]
use crate::read::Reader;
#[cfg(feature = "gcpf")]
use crate::wrapped::gcpf::{self, Compressed};
#[cfg(feature = "gdec")]
use crate::wrapped::gdec;
use crate::wrapped::{FileKind, Opener};

/// How a file is explained: what its values stand in, where they begin, and what opens its wrapper.
///
/// ```
/// use godot_variant::explain::File;
/// use godot_variant::frame::Framing;
///
/// let mut file = b"SAVE".to_vec(); // store_buffer
/// file.extend(Framing::new().to_vec(&7)?); // store_var(7)
/// let explained = File::frames(&Framing::new()).offset(4).explain(&file);
/// assert_eq!(explained.spans()[0].range(), 0..4);
/// assert_eq!(explained.spans()[1].meaning(), "length of the frame");
/// # Ok::<(), godot_variant::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct File {
    layout: Layout,
    /// With the options for what is in it, whichever the layout is.
    framing: Framing,
    offset: usize,
    opener: Option<Opener>,
}

#[derive(Clone, Copy, Debug)]
enum Layout {
    Variant,
    Frames,
    Mixed,
    Settings,
}

impl File {
    fn new(layout: Layout, framing: Framing) -> Self {
        File { layout, framing, offset: 0, opener: None }
    }

    /// One variant, as [`Options::explain`].
    pub fn variant(options: &Options) -> Self {
        File::new(Layout::Variant, Framing::new().options(options.clone()))
    }

    /// Frames, as [`Framing::explain`].
    pub fn frames(framing: &Framing) -> Self {
        File::new(Layout::Frames, framing.clone())
    }

    /// Frames among other things, see [`Framing::pieces`]. The values are at `[0]`, `[1]` and so on.
    pub fn mixed(framing: &Framing) -> Self {
        File::new(Layout::Mixed, framing.clone())
    }

    /// A `project.binary`; objects are allowed in any case. A value that is cut off is explained as far as it goes.
    pub fn settings(options: &Options) -> Self {
        File::new(Layout::Settings, Framing::new().options(options.clone()))
    }

    /// Where the values begin, in what is in the wrapper if there is one.
    #[must_use]
    pub fn offset(mut self, bytes: usize) -> Self {
        self.offset = bytes;
        self
    }

    /// Opens compressed and encrypted files; what is in the wrapper is a separate space. Without,
    /// the bytes of a wrapper are taken for values.
    #[must_use]
    pub fn opener(mut self, opener: Opener) -> Self {
        self.opener = Some(opener);
        self
    }

    /// Says what every byte of the file means; never fails, see [`Explanation::error`].
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        let memory = self.framing.options.limits.memory(bytes.len());
        let mut sink = Sink::new(bytes).max_memory(memory);
        let outer = match (FileKind::of(bytes), &self.opener) {
            #[cfg(feature = "gcpf")]
            (Some(FileKind::Compressed), Some(opener)) => {
                compressed(&mut sink, bytes, opener.limit())
            }
            #[cfg(feature = "gdec")]
            (Some(FileKind::Encrypted), Some(opener)) => encrypted(&mut sink, bytes, opener),
            _ => Ok(None),
        };
        match outer {
            Ok(wrong) => {
                let inner = self.content(&mut sink);
                sink.finish(wrong.or(inner))
            }
            Err(error) => sink.finish(Some(error)),
        }
    }

    /// Explains the space in which the sink stands, and returns why it is refused.
    fn content(&self, sink: &mut Sink) -> Option<Error> {
        let options = &self.framing.options;
        let bytes = sink.bytes();
        let start = self.offset.min(bytes.len());
        sink.push(start, Note::new(Role::Unused, "before the values"));
        // The first word of a frame is no type, whatever else can be read of it.
        let is_framed = matches!(self.layout, Layout::Variant) && start == 0;
        let framed = is_framed && Framing::is_meant(&bytes);
        let framed = framed.then(|| options.value_from_slice(&bytes).err()).flatten();
        if let Some(error) = framed {
            sink.fail(&error, Framing::LEN);
            return Some(error);
        }
        let done: Result<()> = match self.layout {
            Layout::Variant => {
                let all = Embedded { bytes: &bytes, start, end: bytes.len(), whole: true };
                all.explain(options, sink).map(drop).map_err(From::from)
            }
            Layout::Frames => self.framing.explain_frames(&bytes, sink),
            Layout::Mixed => self.framing.explain_pieces(&bytes, sink),
            Layout::Settings => files::settings(&bytes, options, sink),
        };
        files::failed(sink, done)
    }
}

/// Notes the next `len` bytes.
#[cfg(any(feature = "gcpf", feature = "gdec"))]
fn part(sink: &mut Sink, len: usize, note: Note) -> gamewire_core::explain::Mark {
    let (at, all) = (sink.at(), sink.bytes().len());
    sink.push(at.saturating_add(len).min(all), note)
}

/// Notes the blocks of a compressed file, `GCPF` or `RSCC`, and goes into what is in them. Returns why what
/// it goes into is only a part.
///
/// # Errors
/// Why there is nothing to go into, of which the sink was told.
#[cfg(feature = "gcpf")]
pub fn compressed(
    sink: &mut Sink,
    bytes: &[u8],
    max_plain: usize,
) -> std::result::Result<Option<Error>, Error> {
    let letters = quoted(std::str::from_utf8(bytes.get(..4).unwrap_or_default()).unwrap_or("?"));
    let mut reader = Reader::new(bytes, Options::new());
    let word = |meaning, value: String| Note::new(Role::Data, meaning).value(value);
    let mut from = gamewire_core::explain::Mark::NONE;
    part(sink, 4, Note::new(Role::Magic, "magic").value(letters.clone()));
    if let Ok(head) = gcpf::CompressedHead::read(&mut reader, usize::MAX) {
        let name = head.compression.name();
        part(sink, 4, word("compression", format!("{}, {name}", head.compression.number())));
        part(sink, 4, word("bytes of a block", head.block_size.to_string()));
        part(sink, 4, Note::new(Role::Length, "bytes of all").value(head.total.to_string()));
        let lengths = head.lengths(&mut reader).unwrap_or_default();
        for (index, len) in lengths.iter().enumerate() {
            let note = Note::new(Role::Length, format!("packed length of block {index}"));
            part(sink, 4, note.value(len.to_string()));
        }
        for (index, len) in lengths.into_iter().enumerate() {
            let note = Note::new(Role::Compressed, format!("block {index}, {name}"));
            let mark = part(sink, len, note.value(format!("{} bytes", head.plain_len(index))));
            from = if index == 0 { mark } else { from };
        }
        part(sink, 4, Note::new(Role::Magic, "magic at the end").value(letters));
    }
    let (_, plain, wrong) = Compressed::open_damaged(bytes, max_plain).inspect_err(|error| {
        sink.fail(error, bytes.len());
    })?;
    if let Some(wrong) = &wrong {
        sink.fail(wrong, bytes.len());
    }
    sink.open("unpacked data", plain, from);
    Ok(wrong)
}

/// The same of an encrypted file. With a wrong key there is nothing to go into.
#[cfg(feature = "gdec")]
fn encrypted(
    sink: &mut Sink,
    bytes: &[u8],
    opener: &Opener,
) -> std::result::Result<Option<Error>, Error> {
    let mut reader = Reader::new(bytes, Options::new());
    let mut from = gamewire_core::explain::Mark::NONE;
    part(sink, 4, Note::new(Role::Magic, "magic").value("\"GDEC\""));
    let head = gdec::EncryptedHead::read(&mut reader, usize::MAX);
    if let Ok(head) = &head {
        if head.iv.is_none() {
            part(sink, 4, Note::new(Role::Data, "mode of Godot 3").value("1"));
        }
        part(sink, 16, Note::new(Role::Checksum, "MD5 of the data").value(hex(&head.md5)));
        part(sink, 8, Note::new(Role::Length, "bytes of the data").value(head.len.to_string()));
        if let Some(iv) = &head.iv {
            part(sink, 16, Note::new(Role::Data, "initialization vector").value(hex(iv)));
        }
        let mode = if head.iv.is_some() { "AES-256 in CFB mode" } else { "AES-256 in ECB mode" };
        from = part(sink, bytes.len(), Note::new(Role::Compressed, format!("data, {mode}")));
    }
    match opener.open(bytes) {
        Ok(opened) => {
            sink.open("decrypted data", opened.plain, from);
            Ok(None)
        }
        Err(error) => {
            // The check sum that the data does not have; the lengths that the file does not have.
            let end = head.map_or(bytes.len(), |head| head.md5_at.saturating_add(16));
            sink.fail(&error, end);
            Err(error)
        }
    }
}
