//! The formats of others that ours are held against.

use std::mem;

use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::harness::Codec;

/// JSON by `serde_json`, floats parsed exactly (the workspace turns `float_roundtrip` on).
#[derive(Debug)]
pub struct Json;

impl Codec for Json {
    const NAME: &'static str = "serde_json";

    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()> {
        Ok(serde_json::to_writer(out, value)?)
    }

    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T> {
        Ok(serde_json::from_slice(bytes)?)
    }
}

/// JSON by `sonic-rs`, which needs wide registers and unsafe code.
#[derive(Debug)]
pub struct Sonic;

impl Codec for Sonic {
    const NAME: &'static str = "sonic-rs";

    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()> {
        Ok(sonic_rs::to_writer(out, value)?)
    }

    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T> {
        Ok(sonic_rs::from_slice(bytes)?)
    }
}

/// MessagePack with field names.
#[derive(Debug)]
pub struct MessagePackNamed;

impl Codec for MessagePackNamed {
    const NAME: &'static str = "rmp-serde named";

    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()> {
        Ok(rmp_serde::encode::write_named(out, value)?)
    }

    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T> {
        Ok(rmp_serde::from_slice(bytes)?)
    }
}

/// MessagePack with structs as arrays.
#[derive(Debug)]
pub struct MessagePackArray;

impl Codec for MessagePackArray {
    const NAME: &'static str = "rmp-serde array";

    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()> {
        Ok(rmp_serde::encode::write(out, value)?)
    }

    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T> {
        Ok(rmp_serde::from_slice(bytes)?)
    }
}

/// CBOR.
#[derive(Debug)]
pub struct Cbor;

impl Codec for Cbor {
    const NAME: &'static str = "cbor4ii";

    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()> {
        *out = cbor4ii::serde::to_vec(mem::take(out), value)?;
        Ok(())
    }

    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T> {
        Ok(cbor4ii::serde::from_slice(bytes)?)
    }
}

/// Varints without names.
#[derive(Debug)]
pub struct Postcard;

impl Codec for Postcard {
    const NAME: &'static str = "postcard";

    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()> {
        *out = postcard::to_extend(value, mem::take(out))?;
        Ok(())
    }

    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T> {
        Ok(postcard::from_bytes(bytes)?)
    }
}

/// BSON; its usual entry point builds a fresh vector, so that is what is timed.
#[derive(Debug)]
pub struct Bson;

impl Codec for Bson {
    const NAME: &'static str = "bson";

    fn encode<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Outcome<()> {
        *out = bson::serialize_to_vec(value)?;
        Ok(())
    }

    fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Outcome<T> {
        Ok(bson::deserialize_from_slice(bytes)?)
    }
}
