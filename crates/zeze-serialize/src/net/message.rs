//! The messages of the handshake. Their arguments are bare numbers and bytes, not beans.

use alloc::vec::Vec;

use super::{Compression, Encryption};
use crate::error::{Error, ErrorKind, Result};
use crate::frame::RawFrame;
use crate::read::Reader;
use crate::{Options, hash, write};

/// The protocol of a message, which is the hash of the class that it is in Java. The module is 0.
const fn protocol(class: &str) -> u32 {
    let [_, _, _, _, a, b, c, d] = hash::type_id(class).to_be_bytes();
    let [e, f, g, h, ..] = hash::type_id(class).to_be_bytes();
    u32::from_be_bytes([a, b, c, d]) ^ u32::from_be_bytes([e, f, g, h])
}

/// Module of all messages of the handshake, and of [`KEEP_ALIVE`].
pub(super) const MODULE: u32 = 0;

/// The server's first message: what it wants and can.
pub(super) const OFFER: u32 = protocol("Zeze.Services.Handshake.SHandshake0");
/// The client's choice, and its part of the key.
pub(super) const CHOICE: u32 = protocol("Zeze.Services.Handshake.CHandshake");
/// What is used, and the server's part of the key.
pub(super) const RESULT: u32 = protocol("Zeze.Services.Handshake.SHandshake");
/// The client's last message, the first one that is encrypted.
pub(super) const DONE: u32 = protocol("Zeze.Services.Handshake.CHandshakeDone");
/// A call without content, to be answered.
pub(super) const KEEP_ALIVE: u32 = protocol("Zeze.Services.Handshake.KeepAlive");

/// A call that agrees on keys, where there is no handshake.
pub(super) const KEY_EXCHANGE: u32 = protocol("Zeze.Services.Handshake.KeyExchange");

/// What a message is called in errors.
pub(super) fn name(protocol: u32) -> &'static str {
    match protocol {
        OFFER => "SHandshake0",
        CHOICE => "CHandshake",
        RESULT => "SHandshake",
        DONE => "CHandshakeDone",
        KEY_EXCHANGE => "KeyExchange",
        _ => "KeepAlive",
    }
}

/// Bare numbers and bytes.
pub(super) struct Numbers<'a> {
    reader: Reader<'a>,
    what: &'static str,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(frame: &RawFrame<'a>) -> Self {
        let reader = Reader::new(frame.bean, Options::new());
        Numbers { reader, what: name(frame.protocol_id) }
    }

    /// Whether there is more; older implementations leave the last part out.
    fn has_more(&self) -> bool {
        !self.reader.rest().is_empty()
    }

    pub(super) fn number(&mut self) -> Result<i64> {
        self.reader.int()
    }

    pub(super) fn bytes(&mut self) -> Result<Vec<u8>> {
        self.reader.bytes().map(<[u8]>::to_vec)
    }

    fn encryption(&mut self) -> Result<Encryption> {
        let at = self.reader.offset();
        let number = self.number()?;
        Encryption::from_number(number).ok_or_else(|| self.unknown("an encryption", 3, number, at))
    }

    fn compression(&mut self) -> Result<Compression> {
        let at = self.reader.offset();
        let number = self.number()?;
        let found = Compression::from_number(number);
        found.ok_or_else(|| self.unknown("a compression", 2, number, at))
    }

    #[cold]
    fn unknown(&self, what: &str, last: u8, number: i64, at: usize) -> Error {
        let text = format!("expected {what} of 0 to {last} in {}, found {number}", self.what);
        Error::at(ErrorKind::Handshake, at, text)
    }

    /// A list of numbers, of which only those that are known matter.
    fn list<T>(&mut self, of: fn(i64) -> Option<T>) -> Result<Vec<T>> {
        let mut list = Vec::new();
        let mut left = self.number()?;
        while left > 0 {
            list.extend(of(self.number()?));
            left = left.saturating_sub(1);
        }
        Ok(list)
    }
}

/// What the server wants and can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    /// The number, for a server may recommend what is not known here.
    pub(super) encryption: i64,
    pub(super) encryptions: Vec<Encryption>,
    /// Numbers as well, to the client and to the server.
    pub(super) compression: [i64; 2],
    pub(super) compressions: Vec<Compression>,
}

impl Offer {
    pub(super) fn read(frame: &RawFrame<'_>) -> Result<Self> {
        let mut numbers = Numbers::new(frame);
        let encryption = numbers.number()?;
        if !numbers.has_more() {
            let compression = [i64::from(encryption != 0); 2];
            let (encryptions, compressions) = (Vec::new(), Vec::new());
            return Ok(Offer { encryption, encryptions, compression, compressions });
        }
        let encryptions = numbers.list(Encryption::from_number)?;
        let compression = [numbers.number()?, numbers.number()?];
        let compressions = numbers.list(Compression::from_number)?;
        Ok(Offer { encryption, encryptions, compression, compressions })
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let count = |len: usize| i64::try_from(len).unwrap_or_default();
        write::int(out, self.encryption);
        write::int(out, count(self.encryptions.len()));
        for encryption in &self.encryptions {
            write::int(out, encryption.number());
        }
        for compression in self.compression {
            write::int(out, compression);
        }
        write::int(out, count(self.compressions.len()));
        for compression in &self.compressions {
            write::int(out, compression.number());
        }
    }
}

/// What a client chooses, or a server uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) encryption: Encryption,
    /// This side's part of the key; of any length, so that an older message has 0 bytes.
    pub(super) part: Vec<u8>,
    pub(super) to_client: Compression,
    pub(super) to_server: Compression,
}

impl Choice {
    /// A client's.
    pub(super) fn read_choice(frame: &RawFrame<'_>) -> Result<Self> {
        let mut numbers = Numbers::new(frame);
        let encryption = numbers.encryption()?;
        let part = numbers.bytes()?;
        let (to_client, to_server) = if numbers.has_more() {
            (numbers.compression()?, numbers.compression()?)
        } else if encryption == Encryption::None {
            (Compression::None, Compression::None)
        } else {
            (Compression::Mppc, Compression::Mppc)
        };
        Ok(Choice { encryption, part, to_client, to_server })
    }

    pub(super) fn write_choice(&self, out: &mut Vec<u8>) -> Result<()> {
        write::int(out, self.encryption.number());
        self.write_part(out)?;
        write::int(out, self.to_client.number());
        write::int(out, self.to_server.number());
        Ok(())
    }

    /// A server's.
    pub(super) fn read_result(frame: &RawFrame<'_>) -> Result<Self> {
        let mut numbers = Numbers::new(frame);
        let part = numbers.bytes()?;
        let (to_client, to_server) = (numbers.compression()?, numbers.compression()?);
        let encryption = if numbers.has_more() {
            numbers.encryption()?
        } else if part.is_empty() {
            Encryption::None
        } else {
            Encryption::Aes
        };
        Ok(Choice { encryption, part, to_client, to_server })
    }

    pub(super) fn write_result(&self, out: &mut Vec<u8>) -> Result<()> {
        self.write_part(out)?;
        write::int(out, self.to_client.number());
        write::int(out, self.to_server.number());
        write::int(out, self.encryption.number());
        Ok(())
    }

    fn write_part(&self, out: &mut Vec<u8>) -> Result<()> {
        write::uint(out, write::length(self.part.len())?);
        out.extend_from_slice(&self.part);
        Ok(())
    }
}
