//! The format crates of this workspace.
//!
//! kiwi-pclass needs a schema, inferred from the Rust type before timing starts; so only the one of
//! `log` is a codec. In zeze-serialize, fields without numeric names number themselves by position,
//! so the structs in [`crate::data`] serve as they are.

use std::mem;
use std::sync::OnceLock;

use kiwi_pclass::Schema;
use resonite_brson::{Container, Serializer};
use serde::de::DeserializeOwned;

use crate::Outcome;
use crate::data::Logs;
use crate::harness::codecs;

codecs! {
    /// godot-variant: bare variants as Godot 4 writes them.
    Variant = "godot-variant",
    |value, out| godot_variant::Options::new().append_to_vec(out, value)?,
    |bytes| godot_variant::from_slice(bytes)?;

    /// zeze-serialize: beans whose fields number themselves.
    Beans = "zeze-serialize",
    |value, out| zeze_serialize::Options::new().append_to_vec(out, value)?,
    |bytes| zeze_serialize::from_slice(bytes)?;

    /// kiwi-pclass in shallow mode for `log` alone, whose schema is made at the first use.
    ShallowLogs = "kiwi-pclass",
    |value, out| log_options()?.append_to_vec(out, value)?,
    |bytes| log_options()?.from_slice(bytes)?;

    /// o3de-json: compact JSON with every coercion of the engine.
    O3de = "o3de-json",
    |value, out| o3de_json::Options::new().append_to_vec(out, value)?,
    |bytes| o3de_json::from_slice(bytes)?;

    /// resonite-brson: documents alone.
    Body = "resonite-brson",
    |value, out| {
        let mut serializer = Serializer::new(mem::take(out), body_options());
        value.serialize(&mut serializer)?;
        *out = serializer.into_inner()?;
    },
    |bytes| body_options().from_slice(bytes)?;
}

fn body_options() -> resonite_brson::Options {
    let limits = resonite_brson::Options::new().max_output(usize::MAX).max_alloc(usize::MAX);
    limits.container(Container::BSON).input(Container::BSON)
}

/// Options of kiwi-pclass with a schema inferred from a type, which a program makes once.
pub fn inferred<T: DeserializeOwned>() -> Outcome<kiwi_pclass::Options> {
    Ok(kiwi_pclass::Options::new().schema(Schema::infer::<T>()?))
}

fn log_options() -> Outcome<&'static kiwi_pclass::Options> {
    static OPTIONS: OnceLock<kiwi_pclass::Options> = OnceLock::new();
    if let Some(options) = OPTIONS.get() {
        return Ok(options);
    }
    let options = inferred::<Logs>()?;
    Ok(OPTIONS.get_or_init(|| options))
}
