//! Files in wrappers: compressed by `FileAccess.open_compressed`, encrypted by
//! `FileAccess.open_encrypted` or `open_encrypted_with_pass`; and the names of their neighbours.
//!
//! | first bytes | made by | feature | |
//! |---|---|---|---|
//! | `GCPF` | `open_compressed` | `gcpf` | `Compressed` |
//! | `GDEC` | `open_encrypted`, `open_encrypted_with_pass` | `gdec` | `Encrypted` |
//!
//! A wrapper holds what the game stored, mostly frames of `store_var`, which
//! [`Framing`](crate::frame::Framing) reads and writes. [`Opener`] opens both sorts:
//!
#![cfg_attr(feature = "gdec", doc = "```")]
#![cfg_attr(not(feature = "gdec"), doc = "```ignore")]
//! use godot_variant::Value;
//! use godot_variant::frame::Framing;
//! use godot_variant::wrapped::{Encrypted, Key, Opener};
//!
//! let frame = Framing::new().to_vec(&[1, 2])?;
//! let file = Encrypted::new(Key::from_password("secret")).to_vec(&frame)?;
//!
//! let opened = Opener::new().key(Key::from_password("secret")).open(&file)?;
//! let (saved, _) = Framing::new().take_from_slice::<Vec<i64>>(&opened.plain)?;
//! assert_eq!(saved, [1, 2]);
//!
//! // The same wrapper around other data: same key, same form.
//! let edited = opened.wrapper.to_vec(&Framing::new().to_vec(&[3])?)?;
//! assert!(Opener::new().open(&edited).is_err()); // it takes the key
//! # Ok::<(), godot_variant::Error>(())
//! ```
//!
//! The layouts are in
//! [docs/formats/godot-variant.md](https://github.com/gamewire/gamewire/blob/main/docs/formats/godot-variant.md#compressed-and-encrypted-files).

#[cfg(feature = "gcpf")]
mod fastlz;
#[cfg(feature = "gcpf")]
pub(crate) mod gcpf;
#[cfg(feature = "gdec")]
pub(crate) mod gdec;
#[cfg(feature = "gdec")]
mod key;
mod kind;

#[cfg(feature = "gcpf")]
#[cfg_attr(docsrs, doc(cfg(feature = "gcpf")))]
pub use gcpf::{Compressed, Compression};
#[cfg(feature = "gdec")]
#[cfg_attr(docsrs, doc(cfg(feature = "gdec")))]
pub use gdec::{Encrypted, Generation};
#[cfg(feature = "gdec")]
#[cfg_attr(docsrs, doc(cfg(feature = "gdec")))]
pub use key::Key;
pub use kind::FileKind;

use crate::error::{Error, ErrorKind, Result};

/// Opens files in wrappers, whichever they are in.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "gdec"), derive(Copy))]
pub struct Opener {
    #[cfg(feature = "gdec")]
    key: Option<Key>,
    max_plain: usize,
}

impl Default for Opener {
    fn default() -> Self {
        Opener::new()
    }
}

impl Opener {
    /// Without a key; what is in the wrapper may have up to 256 MiB.
    pub const fn new() -> Self {
        Opener {
            #[cfg(feature = "gdec")]
            key: None,
            max_plain: 256 << 20,
        }
    }

    /// The key of encrypted files; others are opened without it.
    #[cfg(feature = "gdec")]
    #[cfg_attr(docsrs, doc(cfg(feature = "gdec")))]
    #[must_use]
    pub fn key(mut self, key: Key) -> Self {
        self.key = Some(key);
        self
    }

    /// The most bytes that a file may unpack to. Default 256 MiB.
    #[must_use]
    pub fn max_plain(mut self, bytes: usize) -> Self {
        self.max_plain = bytes;
        self
    }

    /// Takes the wrapper off.
    ///
    /// # Errors
    /// - [`Frame`](ErrorKind::Frame): no wrapper, or one of which the feature is missing; its
    ///   lengths do not fit the file, or it is followed by more.
    /// - [`Damaged`](ErrorKind::Damaged): blocks that do not unpack.
    /// - [`AllocLimit`](ErrorKind::AllocLimit): more than [`max_plain`](Self::max_plain) bytes.
    /// - [`KeyMissing`](ErrorKind::KeyMissing), [`WrongKey`](ErrorKind::WrongKey): of an encrypted
    ///   file. The MD5 of the data tells a wrong key; it cannot tell that from a damaged file.
    pub fn open(&self, bytes: &[u8]) -> Result<Opened> {
        match FileKind::of(bytes) {
            #[cfg(feature = "gcpf")]
            Some(FileKind::Compressed) => {
                let (opened, wrong) = self.open_damaged(bytes)?;
                wrong.map_or(Ok(opened), Err)
            }
            #[cfg(feature = "gdec")]
            Some(FileKind::Encrypted) => {
                let (encrypted, plain) = Encrypted::open(bytes, self.need_key()?, self.max_plain)?;
                Ok(Opened { plain, wrapper: Wrapper::Encrypted(encrypted) })
            }
            other => Err(not_wrapped(other)),
        }
    }

    /// Takes the wrapper off a file that may be damaged: what there is of its data, and what is wrong.
    ///
    /// Blocks count up to the first that does not unpack. Of an encrypted file all is decrypted that
    /// is present; with the wrong key, that is noise, and the error is the same.
    ///
    /// ```
    #[cfg_attr(not(feature = "gcpf"), doc = "# #[cfg(any())] {")]
    /// use godot_variant::ErrorKind;
    /// use godot_variant::wrapped::{Compressed, Compression, Opener};
    ///
    /// let file = Compressed::new(Compression::Deflate).to_vec(&[7; 10_000])?;
    /// let (opened, wrong) = Opener::new().open_damaged(&file[..file.len() - 12])?;
    /// assert_eq!(wrong.map(|error| error.kind()), Some(ErrorKind::UnexpectedEof));
    /// assert!(opened.plain.len() >= 8192 && opened.plain.iter().all(|byte| *byte == 7));
    #[cfg_attr(not(feature = "gcpf"), doc = "# }")]
    /// # Ok::<(), godot_variant::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`open`](Self::open) for what stands before the data, and for a missing key.
    pub fn open_damaged(&self, bytes: &[u8]) -> Result<(Opened, Option<Error>)> {
        match FileKind::of(bytes) {
            #[cfg(feature = "gcpf")]
            Some(FileKind::Compressed) => {
                let (compressed, plain, wrong) = Compressed::open_damaged(bytes, self.max_plain)?;
                Ok((Opened { plain, wrapper: Wrapper::Compressed(compressed) }, wrong))
            }
            #[cfg(feature = "gdec")]
            Some(FileKind::Encrypted) => {
                let key = self.need_key()?;
                let (encrypted, plain, wrong) =
                    Encrypted::open_damaged(bytes, key, self.max_plain)?;
                Ok((Opened { plain, wrapper: Wrapper::Encrypted(encrypted) }, wrong))
            }
            other => Err(not_wrapped(other)),
        }
    }

    /// The most bytes that a file may unpack to.
    #[cfg(all(feature = "gcpf", feature = "explain"))]
    pub(crate) fn limit(&self) -> usize {
        self.max_plain
    }

    #[cfg(feature = "gdec")]
    fn need_key(&self) -> Result<&Key> {
        self.key.as_ref().ok_or_else(|| {
            let text = "expected a key or password for an encrypted file (GDEC), found none";
            Error::at(ErrorKind::KeyMissing, 0, text)
        })
    }
}

#[cold]
fn not_wrapped(found: Option<FileKind>) -> Error {
    let text = match found {
        Some(kind) => format!("expected a file in a wrapper (GCPF or GDEC), found {kind}"),
        None => "expected a file in a wrapper (GCPF or GDEC), found other bytes".to_owned(),
    };
    Error::at(ErrorKind::Frame, 0, text)
}

/// The data of a wrapper, and the wrapper.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Opened {
    /// The data that the game stored.
    pub plain: Vec<u8>,
    /// How it was wrapped; wraps other data alike.
    pub wrapper: Wrapper,
}

/// A container around the data of a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Wrapper {
    /// Compressed blocks.
    #[cfg(feature = "gcpf")]
    #[cfg_attr(docsrs, doc(cfg(feature = "gcpf")))]
    Compressed(Compressed),
    /// Encryption.
    #[cfg(feature = "gdec")]
    #[cfg_attr(docsrs, doc(cfg(feature = "gdec")))]
    Encrypted(Encrypted),
}

impl Wrapper {
    /// Wraps data as the engine would.
    ///
    /// # Errors
    /// More data than the lengths of the wrapper can say.
    #[cfg_attr(
        not(any(feature = "gcpf", feature = "gdec")),
        allow(unused_variables, reason = "there is no wrapper")
    )]
    pub fn to_vec(&self, plain: &[u8]) -> Result<Vec<u8>> {
        match *self {
            #[cfg(feature = "gcpf")]
            Wrapper::Compressed(ref compressed) => compressed.to_vec(plain),
            #[cfg(feature = "gdec")]
            Wrapper::Encrypted(ref encrypted) => encrypted.to_vec(plain),
        }
    }
}

/// More than there may be in a wrapper, as the file says at `at`.
#[cfg(any(feature = "gcpf", feature = "gdec"))]
#[cold]
fn too_large(at: usize, len: u64, max_plain: usize) -> Error {
    let text =
        format!("a file of {len} bytes is longer than max_plain, which is {max_plain} bytes");
    Error::at(ErrorKind::AllocLimit, at, text)
}
