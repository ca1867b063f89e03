use std::fmt;
use std::io::{self, BufRead, Read};

use super::{Codec, Container, detect};
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;

/// Reads the document of a file step by step, as a reader.
///
/// Brotli and LZMA are decompressed while they are read; LZ4 is read whole.
/// No more than [`max_output`](Options::max_output) bytes come out.
///
/// ```
/// use std::io::Read;
///
/// use resonite_brson::container::{self, Container, Decoder};
///
/// # #[cfg(feature = "lzma")] {
/// let file = container::pack(&[5, 0, 0, 0, 0], Container::SEVEN_Z_BSON)?;
/// let mut decoder = Decoder::new(file.as_slice())?;
/// assert_eq!(decoder.container(), Container::SEVEN_Z_BSON);
/// let mut bson = Vec::new();
/// decoder.read_to_end(&mut bson).unwrap();
/// assert_eq!(bson, [5, 0, 0, 0, 0]);
/// # }
/// # Ok::<(), resonite_brson::Error>(())
/// ```
pub struct Decoder<R> {
    container: Container,
    body: BodyReader<R>,
    /// Where the body begins.
    base: usize,
    limit: usize,
    left: usize,
}

enum BodyReader<R> {
    Plain(R),
    #[cfg(feature = "lz4")]
    Whole(io::Cursor<Vec<u8>>),
    #[cfg(feature = "lzma")]
    Lzma(Box<lzma_rust2::LzmaReader<io::Chain<io::Cursor<Vec<u8>>, R>>>),
    #[cfg(feature = "brotli")]
    Brotli(super::brotli::BrotliReader<R>),
}

impl<R: BufRead> Decoder<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// No header, or one that is unknown, or an I/O error. A file without a header needs
    /// [`with_container`](Self::with_container).
    pub fn new(reader: R) -> Result<Self> {
        Self::with_options(reader, &Options::new())
    }

    /// [`new`](Self::new) with options.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_options(mut reader: R, options: &Options) -> Result<Self> {
        if let Some(container) = options.input
            && !container.has_header()
        {
            return Self::body(reader, container, 0, options);
        }
        let mut head = Vec::with_capacity(16);
        // Byte by byte: nothing of the body may be taken from the reader.
        for _ in 0..18 {
            let Some(byte) = next(&mut reader)? else { break };
            head.push(byte);
            if head.len() > 8 && byte & 0x80 == 0 {
                break;
            }
        }
        // Which layout of LZ4 or LZMA it is, the body says.
        let Some(found) = detect::with_header(&head, options)? else {
            return Err(detect::no_header(&head));
        };
        Self::body(reader, found.container(), found.body(), options)
            .map_err(|error| error.shifted(found.body()))
    }

    /// The body of a file that is known to be of one kind, without looking for a header: what
    /// NeosVR wrote, or what comes after a header. A container without a header is taken at its
    /// word, as [`Options::input`] is; with one, its content tells which layout of LZ4 or LZMA it is.
    ///
    /// # Errors
    /// A body that begins wrongly, a codec whose feature is off, or an I/O error.
    pub fn with_container(reader: R, container: Container, options: &Options) -> Result<Self> {
        Self::body(reader, container, 0, options)
    }

    fn body(reader: R, container: Container, base: usize, options: &Options) -> Result<Self> {
        let limit = options.limits.max_output;
        container.codec().need()?;
        let mut container = container;
        // What has no header is what the caller says.
        let is_told = !container.has_header();
        let body = match container.codec() {
            Codec::None => BodyReader::Plain(reader),
            #[cfg(feature = "lz4")]
            Codec::Lz4 | Codec::Lz4Frame => {
                let bytes = crate::read::read_to_end(reader, options.limits.max_alloc)?;
                if !is_told {
                    container.codec = detect::layout_of_lz4(&bytes);
                }
                let mut out = super::Unpacked::default();
                let used = super::decompress(&bytes, container.codec, options, true, &mut out)?;
                if used < bytes.len() {
                    return Err(trailing(used));
                }
                BodyReader::Whole(io::Cursor::new(out.plain))
            }
            #[cfg(feature = "lzma")]
            Codec::Lzma | Codec::LzmaAlone => {
                let mut reader = reader;
                let mut head = Vec::with_capacity(22);
                reader.by_ref().take(22).read_to_end(&mut head).map_err(Error::io)?;
                if !is_told {
                    container.codec = super::lzma::layout(&head);
                }
                let Some(start) = super::lzma::LzmaHeader::read(&head, container.codec) else {
                    return Err(Error::at(
                        ErrorKind::UnexpectedEof,
                        head.len(),
                        format!("expected an LZMA header, found {} bytes", head.len()),
                    ));
                };
                let begun = head.split_off(start.len().min(head.len()));
                let data = io::Cursor::new(begun).chain(reader);
                BodyReader::Lzma(Box::new(super::lzma::reader(data, start, options)?))
            }
            #[cfg(feature = "brotli")]
            Codec::Brotli => BodyReader::Brotli(super::brotli::BrotliReader::new(reader)),
            #[cfg(not(all(feature = "lz4", feature = "lzma", feature = "brotli")))]
            _ => BodyReader::Plain(reader),
        };
        Ok(Decoder { container, body, base, limit, left: limit })
    }

    /// What the file is.
    pub fn container(&self) -> Container {
        self.container
    }
}

/// Errors of this crate are inside the I/O errors that it returns.
impl<R: BufRead> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        // One byte more than the limit shows that there is more.
        let most = self.left.saturating_add(1).min(out.len());
        let part = out.get_mut(..most).unwrap_or_default();
        let len = match &mut self.body {
            BodyReader::Plain(reader) => reader.read(part),
            #[cfg(feature = "lz4")]
            BodyReader::Whole(whole) => whole.read(part),
            #[cfg(feature = "lzma")]
            BodyReader::Lzma(reader) => reader.read(part).map_err(super::lzma::broken),
            #[cfg(feature = "brotli")]
            BodyReader::Brotli(reader) => reader.read(part).and_then(|len| {
                if len == 0 && reader.has_more()? {
                    return Err(io::Error::other(trailing(reader.used)));
                }
                Ok(len)
            }),
        }
        .map_err(|error| match error.downcast::<Error>() {
            Ok(own) => io::Error::other(own.shifted(self.base)),
            Err(other) => other,
        })?;
        self.left = self
            .left
            .checked_sub(len)
            .ok_or_else(|| io::Error::other(super::too_long(self.limit)))?;
        Ok(len)
    }
}

#[cold]
fn trailing(at: usize) -> Error {
    Error::at(ErrorKind::TrailingBytes, at, "expected the end after the compressed data")
}

impl<R> fmt::Debug for Decoder<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("container", &self.container).finish_non_exhaustive()
    }
}

fn next(reader: &mut impl BufRead) -> Result<Option<u8>> {
    loop {
        let mut byte = [0];
        match reader.read(&mut byte) {
            Ok(0) => return Ok(None),
            Ok(_) => return Ok(Some(byte[0])),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io(error)),
        }
    }
}
