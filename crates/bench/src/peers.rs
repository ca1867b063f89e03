//! The formats of others that ours are held against.

use std::mem;

use crate::harness::codecs;

codecs! {
    /// JSON by `serde_json`, floats parsed exactly (the workspace turns `float_roundtrip` on).
    Json = "serde_json",
    |value, out| serde_json::to_writer(out, value)?,
    |bytes| serde_json::from_slice(bytes)?;

    /// MessagePack with field names.
    MessagePackNamed = "rmp-serde named",
    |value, out| rmp_serde::encode::write_named(out, value)?,
    |bytes| rmp_serde::from_slice(bytes)?;

    /// MessagePack with structs as arrays.
    MessagePackArray = "rmp-serde array",
    |value, out| rmp_serde::encode::write(out, value)?,
    |bytes| rmp_serde::from_slice(bytes)?;

    /// CBOR.
    Cbor = "cbor4ii",
    |value, out| *out = cbor4ii::serde::to_vec(mem::take(out), value)?,
    |bytes| cbor4ii::serde::from_slice(bytes)?;

    /// Varints without names.
    Postcard = "postcard",
    |value, out| *out = postcard::to_extend(value, mem::take(out))?,
    |bytes| postcard::from_bytes(bytes)?;

    /// BSON; its usual entry point builds a fresh vector, so that is what is timed.
    Bson = "bson",
    |value, out| *out = bson::serialize_to_vec(value)?,
    |bytes| bson::deserialize_from_slice(bytes)?;
}
