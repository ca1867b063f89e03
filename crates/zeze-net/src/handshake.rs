//! The handshake: which message follows which, and what comes of it.

use std::fmt;

use zeze_serialize::frame::{Framing, Header, RawFrame};

use crate::keys::{Decryption, Exchange, Keys, Random};
use crate::message::{self, Choice, Numbers, Offer};
use crate::{Compression, Config, Encryption, Error, ErrorKind, Result};

/// Largest size of a frame of the handshake: far more than an RSA key of 8192 bits takes.
pub(crate) const MAX_SIZE: usize = 4096;

/// The encryption and compressions that both sides have agreed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Agreement {
    /// The encryption of both directions.
    pub encryption: Encryption,
    /// The compression of the bytes from the server.
    pub to_client: Compression,
    /// The compression of the bytes from the client.
    pub to_server: Compression,
}

/// The message that is waited for.
pub(crate) enum Stage {
    /// A client waits for the offer.
    Offer,
    /// A client has chosen, and waits for the result.
    Result(Box<(Encryption, Secret)>),
    /// A server waits for the choice, or for the end if there is nothing to agree on.
    Choice,
    /// A server waits for the end.
    Done(Agreement),
}

/// The secret of a client until the server answers.
pub(crate) enum Secret {
    None,
    Exchange(Exchange),
    Keys(Keys),
}

/// The consequence of a message of the handshake.
pub(crate) enum Step {
    /// To a message, and another stage.
    Send(u32, Vec<u8>, Stage),
    /// A client switches both directions, ends the handshake, and is open.
    Finish(Option<Keys>, Agreement),
    /// A server answers, switches both directions, and waits for the end.
    Answer(Vec<u8>, Option<Keys>, Agreement),
    /// A server decrypts the keys, and answers then.
    Decrypt(Box<Decryption>, Vec<u8>, Agreement),
    /// A server is open.
    Open(Agreement),
}

impl Stage {
    /// The protocol of the message that is waited for; in place of a choice the end may come as well.
    fn awaited(&self) -> u32 {
        match self {
            Stage::Offer => message::OFFER,
            Stage::Result(_) => message::RESULT,
            Stage::Choice => message::CHOICE,
            Stage::Done(_) => message::DONE,
        }
    }

    /// The message that is waited for, for an error.
    pub(crate) fn name(&self) -> &'static str {
        message::name(self.awaited())
    }

    /// Refuses what speaks HTTP, as another server at the address or a proxy on the way does: by as many
    /// bytes as a frame's head has, however they come, among which is the status of an answer.
    pub(crate) fn check_start(&self, bytes: &[u8]) -> Result<()> {
        let Some(start) = bytes.first_chunk::<{ Framing::HEAD_LEN }>() else { return Ok(()) };
        let is_http =
            [&b"HTTP/"[..], b"GET /", b"POST "].iter().any(|word| start.starts_with(word));
        if !is_http {
            return Ok(());
        }
        Err(refused(format_args!(
            "expected the message {}, found HTTP: `{}`",
            self.name(),
            start.escape_ascii()
        )))
    }

    /// Takes the next message, whose frame begins at `at` of the received bytes.
    pub(crate) fn step(
        &self,
        frame: &RawFrame<'_>,
        at: usize,
        config: &Config,
        random: &mut Random,
    ) -> Result<Step> {
        let is_end = matches!(self, Stage::Choice) && frame.protocol_id == message::DONE;
        let is_expected = frame.module_id == message::MODULE
            && matches!(frame.header, Header::Protocol { .. })
            && (is_end || frame.protocol_id == self.awaited());
        if !is_expected {
            let found = zeze_serialize::frame::Expected::of(frame);
            return Err(refused(format_args!(
                "expected the message {}, found {found}",
                self.name()
            )));
        }
        let numbers = Numbers::new(frame, at);
        match self {
            Stage::Offer => choose(&Offer::read(numbers)?, config, random),
            Stage::Result(chosen) => finish(&Choice::read_result(numbers)?, chosen, config),
            Stage::Choice if !is_end => answer(&Choice::read_choice(numbers)?, config, random),
            Stage::Choice if config.encryption != Encryption::None => Err(refused(format_args!(
                "expected a client that encrypts, found one that ends the handshake at once"
            ))),
            Stage::Choice => Ok(Step::Open(Agreement::default())),
            Stage::Done(agreement) => Ok(Step::Open(*agreement)),
        }
    }
}

#[cold]
fn refused(text: fmt::Arguments<'_>) -> Error {
    Error::new(ErrorKind::Handshake, text.to_string())
}

/// The server's first message.
pub(crate) fn offer(config: &Config) -> Result<Vec<u8>> {
    let is_some =
        |encryption: &Encryption| *encryption != Encryption::None && config.has(*encryption, true);
    let offer = Offer {
        encryption: config.encryption.number(),
        encryptions: Encryption::ALL.into_iter().filter(is_some).collect(),
        compression: [config.to_client.number(), config.to_server.number()],
        compressions: vec![Compression::Zstd, Compression::Mppc],
    };
    let mut bytes = Vec::new();
    offer.write(&mut bytes)?;
    Ok(bytes)
}

/// A client looks at the offer.
fn choose(offer: &Offer, config: &Config, random: &mut Random) -> Result<Step> {
    if offer.encryption == 0 && offer.compression == [0; 2] {
        insist(Encryption::None, config)?;
        return Ok(Step::Finish(None, Agreement::default()));
    }
    let encryption = encryption(offer, config)?;
    insist(encryption, config)?;
    let (secret, part) = match (encryption, &config.public_key) {
        (Encryption::None, _) => (Secret::None, Vec::new()),
        (Encryption::RsaAes, Some(key)) => {
            let (keys, part) = key.exchange(random)?;
            (Secret::Keys(keys), part)
        }
        _ => {
            let exchange = Exchange::new(random)?;
            let part = exchange.public();
            (Secret::Exchange(exchange), part)
        }
    };
    // An unknown compression becomes MPPC, which every server has. So does Zstandard for frames to the
    // server: MPPC makes fewer bytes of small ones.
    let known = |number| Compression::from_number(number).unwrap_or(Compression::Mppc);
    let [to_client, to_server] = offer.compression.map(known);
    let to_server = match to_server {
        Compression::Zstd => Compression::Mppc,
        other => other,
    };
    let mut bytes = Vec::new();
    Choice { encryption, part, to_client, to_server }.write_choice(&mut bytes)?;
    Ok(Step::Send(message::CHOICE, bytes, Stage::Result(Box::new((encryption, secret)))))
}

/// The encryption that is recommended, or if this side cannot have it the one that needs nothing.
fn encryption(offer: &Offer, config: &Config) -> Result<Encryption> {
    let recommended = Encryption::from_number(offer.encryption);
    if let Some(encryption) = recommended.filter(|found| config.has(*found, false)) {
        return Ok(encryption);
    }
    if offer.encryptions.contains(&Encryption::AesNoAddress) {
        return Ok(Encryption::AesNoAddress);
    }
    let missing = match recommended {
        Some(Encryption::Aes) => "the server's address, which is Config::address",
        Some(_) => "the server's RSA key, which is Config::server_key",
        None => "a newer version",
    };
    Err(refused(format_args!(
        "expected an offer that this side can take: encryption {} needs {missing}",
        offer.encryption
    )))
}

/// A client may insist on an encryption.
fn insist(found: Encryption, config: &Config) -> Result<()> {
    if config.encryption != Encryption::None && config.encryption != found {
        return Err(refused(format_args!(
            "expected the encryption {:?} that Config insists on, found {found:?}",
            config.encryption
        )));
    }
    Ok(())
}

/// A client looks at the result.
fn finish(result: &Choice, chosen: &(Encryption, Secret), config: &Config) -> Result<Step> {
    let (chosen, secret) = chosen;
    if result.encryption != *chosen {
        return Err(refused(format_args!(
            "expected the encryption {chosen:?} that was chosen, found {:?}",
            result.encryption
        )));
    }
    let keys = match secret {
        Secret::None => None,
        Secret::Keys(keys) => Some(keys.clone()),
        Secret::Exchange(exchange) => Some(exchange.keys(&result.part, address(*chosen, config)?)?),
    };
    Ok(Step::Finish(keys, agreement(result)))
}

/// A server looks at the choice.
fn answer(choice: &Choice, config: &Config, random: &mut Random) -> Result<Step> {
    let encryption = choice.encryption;
    let is_none = encryption == Encryption::None;
    if !config.has(encryption, true) || is_none && config.encryption != Encryption::None {
        return Err(refused(format_args!(
            "expected an encryption that was offered, found {encryption:?}"
        )));
    }
    let (mut keys, mut part, mut decryption) = (None, Vec::new(), None);
    match (encryption, &config.private_key) {
        (Encryption::None, _) => {}
        (Encryption::RsaAes, Some(key)) => decryption = Some(key.decryption(&choice.part, random)?),
        _ => {
            let exchange = Exchange::new(random)?;
            keys = Some(exchange.keys(&choice.part, address(encryption, config)?)?);
            part = exchange.public();
        }
    }
    let decide = |wanted: Compression, chosen: Compression| {
        let is_taken = chosen == wanted || config.taken.contains(&chosen);
        let is_enough = wanted == Compression::None || chosen != Compression::None;
        match (is_taken, is_enough) {
            (true, true) => chosen,
            (true, false) => Compression::Mppc,
            (false, _) => wanted,
        }
    };
    let to_client = decide(config.to_client, choice.to_client);
    let to_server = decide(config.to_server, choice.to_server);
    let result = Choice { encryption, part, to_client, to_server };
    let mut bytes = Vec::new();
    result.write_result(&mut bytes)?;
    let agreement = agreement(&result);
    Ok(match decryption {
        Some(decryption) => Step::Decrypt(Box::new(decryption), bytes, agreement),
        None => Step::Answer(bytes, keys, agreement),
    })
}

/// The server's address, if the encryption depends on it.
fn address(encryption: Encryption, config: &Config) -> Result<Option<std::net::IpAddr>> {
    match (encryption, config.address) {
        (Encryption::Aes, None) => {
            Err(refused(format_args!("expected the server's address, which is Config::address")))
        }
        (Encryption::Aes, address) => Ok(address),
        _ => Ok(None),
    }
}

fn agreement(result: &Choice) -> Agreement {
    let Choice { encryption, to_client, to_server, .. } = *result;
    Agreement { encryption, to_client, to_server }
}
