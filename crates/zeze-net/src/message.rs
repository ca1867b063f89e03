//! The messages of the handshake. Their arguments are bare numbers and bytes, not beans.

use serde_core::{Deserialize, Serialize, Serializer};
use zeze_serialize::frame::RawFrame;
use zeze_serialize::{Deserializer, Options, hash};

use crate::{Compression, Encryption, Error, ErrorKind, Result};

/// The protocol of a message, which is the hash of the class that it is in Java. The module is 0.
const fn protocol(class: &str) -> u32 {
    let [a, b, c, d, e, f, g, h] = hash::type_id(class).to_be_bytes();
    u32::from_be_bytes([a, b, c, d]) ^ u32::from_be_bytes([e, f, g, h])
}

/// Module of all messages of the handshake, and of [`KEEP_ALIVE`].
pub(crate) const MODULE: u32 = 0;

/// The server's first message: what it wants and can.
pub(crate) const OFFER: u32 = protocol("Zeze.Services.Handshake.SHandshake0");
/// The client's choice, and its part of the key.
pub(crate) const CHOICE: u32 = protocol("Zeze.Services.Handshake.CHandshake");
/// The server's result, and its part of the key.
pub(crate) const RESULT: u32 = protocol("Zeze.Services.Handshake.SHandshake");
/// The client's last message, the first one that is encrypted.
pub(crate) const DONE: u32 = protocol("Zeze.Services.Handshake.CHandshakeDone");
/// A call without content, to be answered.
pub(crate) const KEEP_ALIVE: u32 = protocol("Zeze.Services.Handshake.KeepAlive");

/// The name of a message in errors.
pub(crate) fn name(protocol: u32) -> &'static str {
    match protocol {
        OFFER => "SHandshake0",
        CHOICE => "CHandshake",
        RESULT => "SHandshake",
        DONE => "CHandshakeDone",
        _ => "KeepAlive",
    }
}

/// Reads bare numbers and bytes.
pub(crate) struct Numbers<'a> {
    deserializer: Deserializer<'a>,
    message: &'static str,
    /// Where they begin in the received bytes.
    at: usize,
}

impl<'a> Numbers<'a> {
    /// Those of a frame that begins at `at`.
    pub(crate) fn new(frame: &RawFrame<'a>, at: usize) -> Self {
        Numbers {
            deserializer: Deserializer::from_slice(frame.bean),
            message: name(frame.protocol_id),
            at: at.saturating_add(frame.bean_offset()),
        }
    }

    /// Whether there is more; older implementations leave the last part out.
    fn has_more(&self) -> bool {
        !self.deserializer.rest().is_empty()
    }

    fn read<T: Deserialize<'a>>(&mut self) -> Result<T> {
        let value = T::deserialize(&mut self.deserializer);
        value.map_err(|error| error.shifted(self.at).into())
    }

    fn number(&mut self) -> Result<i64> {
        self.read()
    }

    fn encryption(&mut self) -> Result<Encryption> {
        let at = self.deserializer.byte_offset();
        let number = self.number()?;
        Encryption::from_number(number).ok_or_else(|| self.unknown("an encryption", 3, number, at))
    }

    fn compression(&mut self) -> Result<Compression> {
        let at = self.deserializer.byte_offset();
        let number = self.number()?;
        let found = Compression::from_number(number);
        found.ok_or_else(|| self.unknown("a compression", 2, number, at))
    }

    #[cold]
    fn unknown(&self, what: &str, last: u8, number: i64, at: usize) -> Error {
        let text = format!("expected {what} of 0 to {last} in {}, found {number}", self.message);
        Error::at(ErrorKind::Handshake, self.at.saturating_add(at), text)
    }

    /// A list of numbers, of which only those that are known matter.
    fn list<T>(&mut self, of: fn(i64) -> Option<T>) -> Result<Vec<T>> {
        let mut list = Vec::new();
        for _ in 0..self.number()? {
            list.extend(of(self.number()?));
        }
        Ok(list)
    }
}

/// Bytes after their length.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Appends a bare number or bytes.
pub(crate) fn put(out: &mut Vec<u8>, value: impl Serialize) -> Result<()> {
    Ok(Options::new().append_to_vec(out, &value)?)
}

/// The encryptions and compressions that the server wants and has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    /// The number, for a server may recommend what is not known here.
    pub(crate) encryption: i64,
    pub(crate) encryptions: Vec<Encryption>,
    /// Numbers as well, to the client and to the server.
    pub(crate) compression: [i64; 2],
    pub(crate) compressions: Vec<Compression>,
}

impl Offer {
    pub(crate) fn read(mut numbers: Numbers<'_>) -> Result<Self> {
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

    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        put(out, self.encryption)?;
        put(out, self.encryptions.len())?;
        for encryption in &self.encryptions {
            put(out, encryption.number())?;
        }
        for compression in self.compression {
            put(out, compression)?;
        }
        put(out, self.compressions.len())?;
        for compression in &self.compressions {
            put(out, compression.number())?;
        }
        Ok(())
    }
}

/// The encryption and compressions that a client chooses, or a server uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) encryption: Encryption,
    /// This side's part of the key; of any length, so that an older message has 0 bytes.
    pub(crate) part: Vec<u8>,
    pub(crate) to_client: Compression,
    pub(crate) to_server: Compression,
}

impl Choice {
    /// A client's.
    pub(crate) fn read_choice(mut numbers: Numbers<'_>) -> Result<Self> {
        let encryption = numbers.encryption()?;
        let part = numbers.read::<&[u8]>()?.to_vec();
        let (to_client, to_server) = if numbers.has_more() {
            (numbers.compression()?, numbers.compression()?)
        } else if encryption == Encryption::None {
            (Compression::None, Compression::None)
        } else {
            (Compression::Mppc, Compression::Mppc)
        };
        Ok(Choice { encryption, part, to_client, to_server })
    }

    pub(crate) fn write_choice(&self, out: &mut Vec<u8>) -> Result<()> {
        put(out, self.encryption.number())?;
        put(out, Bytes(&self.part))?;
        put(out, self.to_client.number())?;
        put(out, self.to_server.number())?;
        Ok(())
    }

    /// A server's.
    pub(crate) fn read_result(mut numbers: Numbers<'_>) -> Result<Self> {
        let part = numbers.read::<&[u8]>()?.to_vec();
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

    pub(crate) fn write_result(&self, out: &mut Vec<u8>) -> Result<()> {
        put(out, Bytes(&self.part))?;
        put(out, self.to_client.number())?;
        put(out, self.to_server.number())?;
        put(out, self.encryption.number())?;
        Ok(())
    }
}
