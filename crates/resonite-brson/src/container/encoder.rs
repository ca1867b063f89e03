use std::fmt;
use std::io::{self, Write};

use super::{Codec, Container, header};
use crate::error::{Error, Result};
use crate::options::Options;

/// Makes a file of a document that is written step by step.
///
/// Brotli and documents that are not compressed go to the writer while they come; LZ4 and LZMA are
/// kept until [`finish`](Self::finish).
///
/// ```
/// use std::io::Write;
///
/// use resonite_brson::container::{self, Container, Encoder};
///
/// # #[cfg(feature = "brotli")] {
/// let mut encoder = Encoder::new(Vec::new(), Container::BRSON)?;
/// encoder.write_all(&[5, 0, 0, 0, 0]).unwrap();
/// let file = encoder.finish()?;
/// assert_eq!(container::unpack(&file)?.bson(), [5, 0, 0, 0, 0]);
/// # }
/// # Ok::<(), resonite_brson::Error>(())
/// ```
pub struct Encoder<W> {
    writer: W,
    container: Container,
    body: BodyWriter,
    limit: usize,
    left: usize,
}

enum BodyWriter {
    Plain,
    #[cfg(any(feature = "lz4", feature = "lzma"))]
    Kept(Vec<u8>),
    #[cfg(feature = "brotli")]
    Brotli(super::brotli::BrotliWriter),
}

impl<W: Write> Encoder<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// A codec whose feature is off, or an I/O error.
    pub fn new(writer: W, container: Container) -> Result<Self> {
        Self::with_options(writer, container, &Options::new())
    }

    /// [`new`](Self::new) with options.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_options(mut writer: W, container: Container, options: &Options) -> Result<Self> {
        container.codec().need()?;
        let body = match container.codec() {
            Codec::None => BodyWriter::Plain,
            #[cfg(feature = "lz4")]
            Codec::Lz4 | Codec::Lz4Frame => BodyWriter::Kept(Vec::new()),
            #[cfg(feature = "lzma")]
            Codec::Lzma | Codec::LzmaAlone => BodyWriter::Kept(Vec::new()),
            #[cfg(feature = "brotli")]
            Codec::Brotli => BodyWriter::Brotli(super::brotli::BrotliWriter::new()),
            #[cfg(not(all(feature = "lz4", feature = "lzma", feature = "brotli")))]
            _ => BodyWriter::Plain,
        };
        if container.has_header() {
            let mut head = Vec::new();
            header::write(&mut head, container.codec());
            writer.write_all(&head).map_err(Error::io)?;
        }
        let limit = options.limits.max_output;
        Ok(Encoder { writer, container, body, limit, left: limit })
    }

    /// Writes what is left, and returns the writer.
    ///
    /// # Errors
    /// An I/O error.
    pub fn finish(mut self) -> Result<W> {
        match self.body {
            BodyWriter::Plain => {}
            #[cfg(any(feature = "lz4", feature = "lzma"))]
            BodyWriter::Kept(bson) => {
                let mut out = Vec::new();
                match self.container.codec() {
                    #[cfg(feature = "lzma")]
                    codec @ (Codec::Lzma | Codec::LzmaAlone) => {
                        super::lzma::encode(&mut out, &bson, codec)?;
                    }
                    #[cfg(feature = "lz4")]
                    Codec::Lz4 => super::lz4::encode(&mut out, &bson),
                    #[cfg(feature = "lz4")]
                    _ => super::lz4_frame::encode(&mut out, &bson),
                    #[cfg(not(feature = "lz4"))]
                    _ => {}
                }
                self.writer.write_all(&out).map_err(Error::io)?;
            }
            #[cfg(feature = "brotli")]
            BodyWriter::Brotli(brotli) => brotli.finish(&mut self.writer).map_err(Error::io)?,
        }
        self.writer.flush().map_err(Error::io)?;
        Ok(self.writer)
    }
}

/// More bytes than [`max_output`](Options::max_output) are an error of this crate inside the I/O
/// error.
impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left = self
            .left
            .checked_sub(bytes.len())
            .ok_or_else(|| io::Error::other(super::too_long(self.limit)))?;
        match &mut self.body {
            BodyWriter::Plain => self.writer.write_all(bytes)?,
            #[cfg(any(feature = "lz4", feature = "lzma"))]
            BodyWriter::Kept(bson) => bson.extend_from_slice(bytes),
            #[cfg(feature = "brotli")]
            BodyWriter::Brotli(brotli) => brotli.write(bytes, &mut self.writer)?,
        }
        Ok(bytes.len())
    }

    /// Flushes the writer; what the codec still keeps comes with [`finish`](Encoder::finish).
    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl<W> fmt::Debug for Encoder<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("container", &self.container).finish_non_exhaustive()
    }
}
