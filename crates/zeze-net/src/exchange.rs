//! `KeyExchange`: keys by one call, where there is no handshake.

use crate::error::error;
use crate::keys::{Key, Keys, Random};
use crate::message::{self, Bytes, Numbers, put};
use crate::{Config, RsaPublicKey};
use zeze_serialize::frame::{Header, RawFrame};
use zeze_serialize::{Error, ErrorKind, Result};

/// Bytes of the vector and the key that one side chooses for what it receives.
pub(crate) const SECRET: usize = 32;

/// The only version that there is: RSA, and AES of 128 bits.
const VERSION: i64 = 0;

/// Returns the request of a client, and the secret that it keeps until the answer.
pub(crate) fn request(key: &RsaPublicKey, random: &mut Random) -> Result<(Vec<u8>, [u8; SECRET])> {
    let mut secret = [0; SECRET];
    random(&mut secret);
    let mut argument = Vec::new();
    put(&mut argument, VERSION)?;
    // No key of its own, so that the answer is not encrypted with one.
    put(&mut argument, Bytes(&[]))?;
    put(&mut argument, Bytes(key.digest()))?;
    put(&mut argument, Bytes(&key.encrypt(&secret, random)?))?;
    Ok((argument, secret))
}

/// A server looks at the first frame of a client. Returns its answer.
pub(crate) fn answer(
    frame: &RawFrame<'_>,
    config: &Config,
    random: &mut Random,
) -> Result<(Vec<u8>, Keys)> {
    let mut numbers = Numbers::new(frame);
    version(&mut numbers)?;
    let (own, digest, told) = (numbers.bytes()?, numbers.bytes()?, numbers.bytes()?);
    let Some(key) = config.own_key().filter(|key| digest == *key.public_key().digest()) else {
        return Err(refused("expected a KeyExchange for the key of this server"));
    };
    if !own.is_empty() {
        return Err(refused("expected a client without a key of its own"));
    }
    let theirs: [u8; SECRET] = key.decrypt(told, random)?;
    let mut secret = [0; SECRET];
    random(&mut secret);
    let mut result = Vec::new();
    put(&mut result, VERSION)?;
    put(&mut result, Bytes(&mixed(&secret, &theirs)))?;
    Ok((result, keys(&secret, &theirs)))
}

/// A client looks at the answer to its request.
pub(crate) fn finish(frame: &RawFrame<'_>, secret: &[u8; SECRET]) -> Result<Keys> {
    let code = frame.header.result_code().unwrap_or_default();
    if code != 0 {
        let why = match code {
            1 => ", which knows no such client",
            2 => ", which has another key",
            3 => ", which could not decrypt it",
            _ => "",
        };
        return Err(refused(format!("KeyExchange was refused by the server{why}: {code}")));
    }
    let mut numbers = Numbers::new(frame);
    version(&mut numbers)?;
    let told = numbers.bytes()?;
    let Ok(told) = <[u8; SECRET]>::try_from(told) else {
        let text = format!("expected {SECRET} bytes of a key in KeyExchange, found {}", told.len());
        return Err(refused(text));
    };
    Ok(keys(&mixed(&told, secret), secret))
}

/// Whether a frame is the request or, of this call, the answer.
pub(crate) fn is_expected(frame: &RawFrame<'_>, answer_to: Option<i64>) -> bool {
    let is_call = match (&frame.header, answer_to) {
        (Header::Rpc { is_request: false, session_id, .. }, Some(own)) => *session_id == own,
        (Header::Rpc { is_request, .. }, None) => *is_request,
        _ => false,
    };
    is_call && (frame.module_id, frame.protocol_id) == (message::MODULE, message::KEY_EXCHANGE)
}

fn version(numbers: &mut Numbers<'_>) -> Result<()> {
    match numbers.number()? {
        VERSION => Ok(()),
        other => Err(refused(format!("expected version {VERSION} of KeyExchange, found {other}"))),
    }
}

/// Each side has chosen what it receives with.
fn keys(server: &[u8; SECRET], client: &[u8; SECRET]) -> Keys {
    Keys { to_server: Key::of(server, 0), to_client: Key::of(client, 0) }
}

fn mixed(a: &[u8; SECRET], b: &[u8; SECRET]) -> [u8; SECRET] {
    let mut mixed = *a;
    mixed.iter_mut().zip(b).for_each(|(byte, other)| *byte ^= other);
    mixed
}

#[cold]
fn refused(text: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    error(ErrorKind::Handshake, text)
}
