//! Encrypted files.
//!
//! ```text
//! 4.x  "GDEC"  MD5 of the data (16)  u64 length  IV (16)  AES-256 in CFB mode, 128 bits of feedback
//! 3.x  "GDEC"  u32 1  MD5 of the data (16)  u64 length  AES-256 in ECB mode
//! ```
//!
//! The data is filled up with zeros to a multiple of 16 bytes, so that the length of a file says
//! which of the two it is: 44 or 32 bytes and blocks of 16.

use std::hash::{BuildHasher as _, RandomState};

use super::{Key, too_large};
use crate::Options;
use crate::check_sum::md5;
use crate::error::{Count, Error, ErrorKind, Result};
use crate::read::Reader;
use aes::Aes256;
use aes::cipher::{BlockCipherDecrypt as _, BlockCipherEncrypt as _, KeyInit as _};
use cfb_mode::cipher::KeyIvInit as _;

pub(crate) const MAGIC: [u8; 4] = *b"GDEC";

const BLOCK: usize = 16;

/// The mode of 3.x, where 4.x has the MD5.
const GODOT3: [u8; 4] = [1, 0, 0, 0];

/// Which engine's form of an encrypted file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Generation {
    /// Godot 4.x: CFB mode with an initialization vector.
    #[default]
    Godot4,
    /// Godot 3.x: ECB mode.
    Godot3,
}

/// The wrapper of `FileAccess.open_encrypted` and `open_encrypted_with_pass`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encrypted {
    key: Key,
    generation: Generation,
    iv: Option<[u8; BLOCK]>,
}

impl Encrypted {
    /// The form of Godot 4.
    pub const fn new(key: Key) -> Self {
        Encrypted { key, generation: Generation::Godot4, iv: None }
    }

    /// The form of another engine.
    #[must_use]
    pub fn of(mut self, generation: Generation) -> Self {
        self.generation = generation;
        self
    }

    /// The engine that has this form.
    pub fn generation(&self) -> Generation {
        self.generation
    }

    /// The initialization vector of the next file, for data that must come out the same each time.
    /// Without it each file gets its own: with one key, no two files should have the same.
    #[must_use]
    pub fn iv(mut self, iv: [u8; 16]) -> Self {
        self.iv = Some(iv);
        self
    }

    /// Encrypts a file.
    ///
    /// # Errors
    /// None today; more data than the length of the file can say.
    pub fn to_vec(&self, plain: &[u8]) -> Result<Vec<u8>> {
        let sum = md5([plain]);
        let len = u64::try_from(plain.len())
            .map_err(|_| Error::new(ErrorKind::OutputLimit, "more than 2^64 bytes"))?;
        let mut out = MAGIC.to_vec();
        if self.generation == Generation::Godot3 {
            out.extend_from_slice(&1_u32.to_le_bytes());
        }
        out.extend_from_slice(&sum);
        out.extend_from_slice(&len.to_le_bytes());
        let iv = self.iv.unwrap_or_else(|| fresh(sum));
        if self.generation == Generation::Godot4 {
            out.extend_from_slice(&iv);
        }
        let start = out.len();
        out.extend_from_slice(plain);
        out.resize(start.saturating_add(plain.len().next_multiple_of(BLOCK)), 0);
        let data = out.get_mut(start..).unwrap_or_default();
        let key = self.key.bytes();
        match self.generation {
            Generation::Godot4 => {
                cfb_mode::Encryptor::<Aes256>::new(key.into(), (&iv).into()).encrypt(data);
            }
            Generation::Godot3 => {
                let cipher = Aes256::new(key.into());
                let (blocks, _) = data.as_chunks_mut::<BLOCK>();
                blocks.iter_mut().for_each(|block| cipher.encrypt_block(block.into()));
            }
        }
        Ok(out)
    }

    /// Takes the wrapper off.
    pub(super) fn open(bytes: &[u8], key: &Key, max_plain: usize) -> Result<(Self, Vec<u8>)> {
        let mut reader = Reader::new(bytes, Options::new());
        let head = EncryptedHead::read(&mut reader, max_plain)?;
        let (data, wrong) = head.decrypt(reader.rest(), key);
        wrong.map_or(Ok(()), Err)?;
        Ok((Encrypted { key: key.clone(), generation: head.generation(), iv: None }, data))
    }

    /// The data that is present, and the first fault.
    pub(super) fn open_damaged(
        bytes: &[u8],
        key: &Key,
        max_plain: usize,
    ) -> Result<(Self, Vec<u8>, Option<Error>)> {
        let mut reader = Reader::new(bytes, Options::new());
        // The length of the file tells nothing where it is cut off.
        let godot3 = bytes.get(4..8) == Some(&GODOT3);
        let head = EncryptedHead::start(&mut reader, max_plain, godot3)?;
        let (data, wrong) = head.decrypt(reader.rest(), key);
        let wrong = head.must_be_whole(&reader).err().or(wrong);
        Ok((Encrypted { key: key.clone(), generation: head.generation(), iv: None }, data, wrong))
    }
}

/// The words before the data.
pub(crate) struct EncryptedHead {
    pub(crate) md5: [u8; 16],
    pub(crate) md5_at: usize,
    pub(crate) len: usize,
    /// Only in files of 4.x.
    pub(crate) iv: Option<[u8; BLOCK]>,
}

impl EncryptedHead {
    pub(crate) fn read(reader: &mut Reader<'_>, max_plain: usize) -> Result<EncryptedHead> {
        // Both forms have 4 + 16 + 8 bytes, then 4 or 16 more, then whole blocks.
        let all = reader.rest().len();
        let godot3 = all.is_multiple_of(BLOCK) && reader.rest().get(4..8) == Some(&GODOT3);
        let head = EncryptedHead::start(reader, max_plain, godot3)?;
        head.must_be_whole(reader)?;
        Ok(head)
    }

    fn start(reader: &mut Reader<'_>, max_plain: usize, godot3: bool) -> Result<EncryptedHead> {
        reader.take(4, "GDEC")?;
        if godot3 {
            reader.u32("the mode")?;
        }
        let md5_at = reader.offset();
        let md5 = reader.array("an MD5")?;
        let at = reader.offset();
        let claimed = reader.u64("the length of the data")?;
        let len = usize::try_from(claimed).unwrap_or(usize::MAX);
        if len > max_plain {
            return Err(too_large(at, claimed, max_plain));
        }
        let iv = if godot3 { None } else { Some(reader.array("an initialization vector")?) };
        Ok(EncryptedHead { md5, md5_at, len, iv })
    }

    fn must_be_whole(&self, reader: &Reader<'_>) -> Result<()> {
        let padded = self.len.checked_next_multiple_of(BLOCK).unwrap_or(usize::MAX);
        let found = reader.rest().len();
        if found == padded {
            return Ok(());
        }
        let text = format!(
            "expected {} of encrypted data, found {}",
            Count(padded, "byte"),
            Count(found, "byte")
        );
        let kind = if found < padded { ErrorKind::UnexpectedEof } else { ErrorKind::Frame };
        Err(Error::at(kind, reader.offset(), text))
    }

    /// The data, and what is wrong if it is not that of the MD5.
    fn decrypt(&self, encrypted: &[u8], key: &Key) -> (Vec<u8>, Option<Error>) {
        let mut data = encrypted.to_vec();
        match self.iv {
            Some(iv) => {
                let cipher = cfb_mode::Decryptor::<Aes256>::new(key.bytes().into(), (&iv).into());
                cipher.decrypt(&mut data);
            }
            None => {
                let cipher = Aes256::new(key.bytes().into());
                let (blocks, rest) = data.as_chunks_mut::<BLOCK>();
                blocks.iter_mut().for_each(|block| cipher.decrypt_block(block.into()));
                // A part of a block says nothing.
                let whole = encrypted.len().saturating_sub(rest.len());
                data.truncate(whole);
            }
        }
        data.truncate(self.len);
        let wrong = (md5([data.as_slice()]) != self.md5).then(|| {
            Error::at(
                ErrorKind::WrongKey,
                self.md5_at,
                "the key or password is wrong, or the file is damaged: its data does not have the MD5",
            )
        });
        (data, wrong)
    }

    pub(crate) fn generation(&self) -> Generation {
        if self.iv.is_some() { Generation::Godot4 } else { Generation::Godot3 }
    }
}

/// A vector for one file: of the system's randomness, and of the data, so that two files differ
/// even where there is none.
fn fresh(data: [u8; 16]) -> [u8; BLOCK] {
    let random = RandomState::new();
    let half = |which: u8| random.hash_one((which, data)).to_le_bytes();
    md5([&data[..], &half(0), &half(1)])
}
