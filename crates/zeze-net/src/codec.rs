//! Compression and encryption of bytes on their way, in both directions.

use aes::Aes128;
use cfb_mode::cipher::KeyIvInit as _;
use cfb_mode::{BufDecryptor, BufEncryptor};
use gamewire_core::bytes::part;
use gamewire_core::words::Count;

use crate::keys::Key;
use crate::{Compression, Error, ErrorKind, Result, mppc, zstd};

/// Bytes that may be unpacked of whatever was received: two of the largest frames.
const FREE: usize = 4 << 20;

/// Bytes that were received, on their way to frames.
#[derive(Default)]
pub(crate) struct Input {
    /// Received, and decrypted if there is a cipher.
    bytes: Vec<u8>,
    /// How many of these have gone on.
    taken: usize,
    cipher: Option<BufDecryptor<Aes128>>,
    decompressor: Decompressor,
    received: usize,
    unpacked: usize,
    /// How many bytes may be unpacked for each that was received, beside [`FREE`].
    ratio: Option<usize>,
}

#[derive(Default)]
enum Decompressor {
    #[default]
    None,
    Mppc(mppc::Decompressor),
    Zstd(zstd::Decompressor),
}

impl Input {
    pub(crate) fn new(ratio: Option<usize>) -> Self {
        Input { ratio, ..Input::default() }
    }

    /// Takes bytes from the other side.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        // Both buffers grow no further than one call: then all is taken.
        if self.taken == self.bytes.len() {
            self.bytes.clear();
            self.taken = 0;
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.received = self.received.saturating_add(bytes.len());
        self.decrypt(start);
    }

    fn decrypt(&mut self, start: usize) {
        if let (Some(cipher), Some(bytes)) = (&mut self.cipher, self.bytes.get_mut(start..)) {
            cipher.decrypt(bytes);
        }
    }

    /// From here on the other side encrypts and compresses.
    pub(crate) fn switch(&mut self, key: Option<&Key>, compression: Compression) {
        self.cipher = key.map(|key| BufDecryptor::new(&key.key.into(), &key.vector.into()));
        self.decrypt(self.taken);
        self.decompressor = match compression {
            Compression::None => Decompressor::None,
            Compression::Mppc => Decompressor::Mppc(mppc::Decompressor::new()),
            Compression::Zstd => Decompressor::Zstd(zstd::Decompressor::new()),
        };
    }

    /// Adds to `plain` until it has `wanted` bytes, and perhaps some more, or there is no more. Returns
    /// how many were added.
    pub(crate) fn fill(&mut self, plain: &mut Vec<u8>, wanted: usize) -> Result<usize> {
        let rest = part(&self.bytes, self.taken..);
        let before = plain.len();
        let taken = match &mut self.decompressor {
            Decompressor::None => {
                let taken = wanted.checked_sub(before).and_then(|missing| rest.get(..missing));
                let taken = taken.unwrap_or(rest);
                plain.extend_from_slice(taken);
                self.taken = self.taken.saturating_add(taken.len());
                return Ok(taken.len());
            }
            Decompressor::Mppc(mppc) => mppc.read(rest, wanted, plain)?,
            Decompressor::Zstd(zstd) => zstd.read(rest, wanted, plain)?,
        };
        self.taken = self.taken.saturating_add(taken);
        let added = plain.len().saturating_sub(before);
        self.unpacked = self.unpacked.saturating_add(added);
        if let Some(ratio) = self.ratio
            && self.unpacked > self.received.saturating_mul(ratio).saturating_add(FREE)
        {
            let text = format!(
                "{} of the other side unpack to {}, and max_ratio is {ratio}",
                Count(self.received, "byte"),
                Count(self.unpacked, "byte")
            );
            return Err(Error::new(ErrorKind::Compression, text));
        }
        Ok(added)
    }
}

/// Frames on their way to the other side.
#[derive(Default)]
pub(crate) struct Output {
    bytes: Vec<u8>,
    /// How many of these are encrypted, if there is a cipher.
    encrypted: usize,
    cipher: Option<BufEncryptor<Aes128>>,
    compressor: Compressor,
}

#[derive(Default)]
enum Compressor {
    #[default]
    None,
    Mppc(mppc::Compressor),
    Zstd(zstd::Compressor),
}

impl Output {
    /// Takes the bytes of a frame.
    pub(crate) fn push(&mut self, frame: &[u8]) {
        match &mut self.compressor {
            Compressor::None => self.bytes.extend_from_slice(frame),
            Compressor::Mppc(mppc) => mppc.write(frame, &mut self.bytes),
            Compressor::Zstd(zstd) => zstd.write(frame, &mut self.bytes),
        }
    }

    /// How many bytes wait to be sent, about.
    pub(crate) fn len(&self) -> usize {
        let pending = match &self.compressor {
            Compressor::Zstd(zstd) => zstd.pending(),
            _ => 0,
        };
        self.bytes.len().saturating_add(pending)
    }

    /// Returns the bytes to send.
    pub(crate) fn take(&mut self) -> Option<Vec<u8>> {
        match &mut self.compressor {
            Compressor::None => {}
            Compressor::Mppc(mppc) => mppc.flush(&mut self.bytes),
            Compressor::Zstd(zstd) => zstd.flush(&mut self.bytes),
        }
        self.encrypt();
        self.encrypted = 0;
        Some(std::mem::take(&mut self.bytes)).filter(|bytes| !bytes.is_empty())
    }

    fn encrypt(&mut self) {
        if let (Some(cipher), Some(bytes)) =
            (&mut self.cipher, self.bytes.get_mut(self.encrypted..))
        {
            cipher.encrypt(bytes);
        }
        self.encrypted = self.bytes.len();
    }

    /// From here on frames are compressed and encrypted.
    pub(crate) fn switch(&mut self, key: Option<&Key>, compression: Compression) {
        self.encrypt();
        self.cipher = key.map(|key| BufEncryptor::new(&key.key.into(), &key.vector.into()));
        self.compressor = match compression {
            Compression::None => Compressor::None,
            Compression::Mppc => Compressor::Mppc(mppc::Compressor::new()),
            Compression::Zstd => Compressor::Zstd(zstd::Compressor::new()),
        };
    }
}
