//! Settings of connections.

use std::net::IpAddr;
use std::time::Duration;

use crate::{RsaPrivateKey, RsaPublicKey};
use zeze_serialize::Options;
use zeze_serialize::frame::Framing;

/// How the bytes of a connection are encrypted. The numbers are those of `EncryptType`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encryption {
    /// Not at all: 0.
    #[default]
    None,
    /// AES with keys of a Diffie-Hellman exchange and the [server's address](Config::address): 1.
    ///
    /// The exchange is one of 768 bits, and does not authenticate the other side: it keeps out
    /// listeners, with some effort, and no man in the middle.
    Aes,
    /// The same without the address: 2, `AesNoSecureIp`.
    AesNoAddress,
    /// AES with keys that the client encrypts with the server's RSA key: 3, `RsaAes`.
    RsaAes,
}

impl Encryption {
    pub(crate) const ALL: [Encryption; 4] =
        [Encryption::None, Encryption::Aes, Encryption::AesNoAddress, Encryption::RsaAes];

    pub(crate) fn number(self) -> i64 {
        match self {
            Encryption::None => 0,
            Encryption::Aes => 1,
            Encryption::AesNoAddress => 2,
            Encryption::RsaAes => 3,
        }
    }

    pub(crate) fn from_number(number: i64) -> Option<Self> {
        Encryption::ALL.into_iter().find(|encryption| encryption.number() == number)
    }
}

/// How the bytes of one direction are compressed. The numbers are those of `CompressS2c` and
/// `CompressC2s`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all: 0.
    #[default]
    None,
    /// MPPC (RFC 2118): 1. Every implementation has it, and of small frames it makes the fewest bytes.
    Mppc,
    /// Zstandard (RFC 8878): 2. Java has it. A client takes it for what it receives, and asks for MPPC in
    /// its place for what it sends.
    Zstd,
}

impl Compression {
    pub(crate) const ALL: [Compression; 3] =
        [Compression::None, Compression::Mppc, Compression::Zstd];

    pub(crate) fn number(self) -> i64 {
        match self {
            Compression::None => 0,
            Compression::Mppc => 1,
            Compression::Zstd => 2,
        }
    }

    pub(crate) fn from_number(number: i64) -> Option<Self> {
        Compression::ALL.into_iter().find(|compression| compression.number() == number)
    }
}

/// How a connection begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Opening {
    /// With a handshake, as those of `HandshakeServer`, `HandshakeClient` and `HandshakeBoth`.
    #[default]
    Handshake,
    /// With nothing: both sides may send frames at once, without encryption and compression, as those of a
    /// plain `Service`.
    AtOnce,
}

/// Settings of a connection: what is agreed on, times, limits.
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) opening: Opening,
    pub(crate) encryption: Encryption,
    pub(crate) to_client: Compression,
    pub(crate) to_server: Compression,
    pub(crate) address: Option<IpAddr>,
    pub(crate) public_key: Option<RsaPublicKey>,
    pub(crate) private_key: Option<RsaPrivateKey>,
    pub(crate) framing: Framing,
    pub(crate) handshake_time: Duration,
    pub(crate) call_time: Duration,
    pub(crate) keep_alive: Option<Duration>,
    pub(crate) silence: Option<Duration>,
    pub(crate) max_calls: usize,
    pub(crate) max_output: usize,
    #[cfg_attr(not(feature = "client"), allow(dead_code))]
    pub(crate) max_incoming: usize,
    pub(crate) taken: &'static [Compression],
    pub(crate) max_unexpected: usize,
    pub(crate) max_ratio: Option<usize>,
}

impl Default for Config {
    fn default() -> Self {
        Config::new()
    }
}

impl Config {
    /// Encryption and compression as the server wants; frames of 2 MiB; 5 seconds for a handshake and for a call.
    pub const fn new() -> Self {
        Config {
            opening: Opening::Handshake,
            encryption: Encryption::None,
            to_client: Compression::None,
            to_server: Compression::None,
            address: None,
            public_key: None,
            private_key: None,
            framing: Framing::new(),
            handshake_time: Duration::from_secs(5),
            call_time: Duration::from_secs(5),
            keep_alive: None,
            silence: None,
            max_calls: 16 << 10,
            max_output: 2 << 20,
            max_incoming: 16 << 20,
            taken: &[Compression::None, Compression::Mppc],
            max_unexpected: 64,
            max_ratio: None,
        }
    }

    /// How the connection begins, which both sides must know. Default: with a handshake.
    #[must_use]
    pub const fn opening(mut self, opening: Opening) -> Self {
        self.opening = opening;
        self
    }

    /// A server recommends this encryption, and refuses clients without any. A client insists on it:
    /// what the server uses must be this. Default `None`: a server recommends none, and a client takes
    /// what the server recommends.
    #[must_use]
    pub const fn encryption(mut self, encryption: Encryption) -> Self {
        self.encryption = encryption;
        self
    }

    /// A server recommends these compressions, of what it sends and of what it receives, and demands
    /// some if these are some. Clients take what the server recommends. Default `None`.
    #[must_use]
    pub const fn compression(mut self, to_client: Compression, to_server: Compression) -> Self {
        self.to_client = to_client;
        self.to_server = to_server;
        self
    }

    /// The compressions that a server takes from a client that chooses them, beside those that
    /// [`compression`](Self::compression) recommends, which it answers with in place of others. Default: none
    /// and MPPC; the reference takes Zstandard too, of which few bytes are many.
    #[must_use]
    pub const fn take_compressions(mut self, compressions: &'static [Compression]) -> Self {
        self.taken = compressions;
        self
    }

    /// How many answers may come that no call waits for, beside those to calls that have timed out, were
    /// forgotten or sent as frames. Default 64. One more ends the connection.
    #[must_use]
    pub const fn max_unexpected(mut self, answers: usize) -> Self {
        self.max_unexpected = answers;
        self
    }

    /// How many bytes each received byte may unpack to, over the whole connection and beside 4 MiB. More
    /// end the connection. Default: 256 for a server; no bound for a
    /// client, which trusts its server, and may be sent the same again and again.
    #[must_use]
    pub const fn max_ratio(mut self, bytes: usize) -> Self {
        self.max_ratio = Some(bytes);
        self
    }

    /// The server's address, for [`Encryption::Aes`]: for a client the one that it has connected to,
    /// for a server the one that clients connect to (`SecureIp`).
    #[must_use]
    pub const fn address(mut self, address: IpAddr) -> Self {
        self.address = Some(address);
        self
    }

    /// The server's key, for [`Encryption::RsaAes`] in a client.
    #[must_use]
    pub fn server_key(mut self, key: RsaPublicKey) -> Self {
        self.public_key = Some(key);
        self
    }

    /// The key for [`Encryption::RsaAes`] in a server.
    #[must_use]
    pub fn private_key(mut self, key: RsaPrivateKey) -> Self {
        self.private_key = Some(key);
        self
    }

    /// Options for the beans.
    #[must_use]
    pub const fn options(mut self, options: Options) -> Self {
        self.framing = self.framing.options(options);
        self
    }

    /// The largest size that a frame may claim, both ways. Default 2 MiB, as in the reference. A
    /// larger one ends the connection.
    #[must_use]
    pub const fn max_size(mut self, bytes: usize) -> Self {
        self.framing = self.framing.max_size(bytes);
        self
    }

    /// How many calls may wait for their answers. Default 16384.
    #[must_use]
    pub const fn max_calls(mut self, calls: usize) -> Self {
        self.max_calls = calls;
        self
    }

    /// How many bytes may wait to be sent before no more frames are taken. Default 2 MiB, as in the
    /// reference.
    #[must_use]
    pub const fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// How many bytes of messages and calls may wait for `Incoming::next` of the feature `client`, each
    /// counted with 128 bytes more. Default 16 MiB.
    ///
    /// While as many wait, nothing is received: the other side has to wait, answers to calls do not
    /// come, and those calls end with their time.
    #[must_use]
    pub const fn max_incoming(mut self, bytes: usize) -> Self {
        self.max_incoming = bytes;
        self
    }

    /// How long the handshake may take, and before it the connection of a socket. Default 5 seconds, as in
    /// the reference.
    #[must_use]
    pub const fn handshake_time(mut self, time: Duration) -> Self {
        self.handshake_time = time;
        self
    }

    /// How long a call waits for its answer. Default 5 seconds, as in the reference.
    #[must_use]
    pub const fn call_time(mut self, time: Duration) -> Self {
        self.call_time = time;
        self
    }

    /// Sends a `KeepAlive` when for so long nothing was sent, or nothing was received
    /// (`KeepSendTimeout`). Default: never. Those of the other side are answered in any case.
    #[must_use]
    pub const fn keep_alive(mut self, time: Duration) -> Self {
        self.keep_alive = Some(time);
        self
    }

    /// Ends the connection when for so long nothing was received (`KeepRecvTimeout`). Default: never.
    #[must_use]
    pub const fn max_silence(mut self, time: Duration) -> Self {
        self.silence = Some(time);
        self
    }

    /// Whether this side has what the encryption needs.
    pub(crate) fn has(&self, encryption: Encryption, is_server: bool) -> bool {
        match encryption {
            Encryption::None | Encryption::AesNoAddress => true,
            Encryption::Aes => self.address.is_some(),
            Encryption::RsaAes if is_server => self.private_key.is_some(),
            Encryption::RsaAes => self.public_key.is_some(),
        }
    }
}
