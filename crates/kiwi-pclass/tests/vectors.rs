//! Rows of testdata/kiwi-pclass/vectors: binary streams, debug XML, envelopes and hashes.
//!
//! A binary row goes through [`Value`], through the JSON notation and the debug XML, and, where
//! `typed` has a struct for its class, through that struct too.
#![allow(clippy::pedantic, clippy::restriction, reason = "a runner that panics fails the row")]

#[path = "it/classes.rs"]
mod classes;
#[path = "it/row_options.rs"]
mod row_options;
mod vectors {
    pub(crate) mod spoilt;
    pub(crate) mod tree;
    pub(crate) mod typed;
}

use std::sync::Arc;

use gamewire_testkit::vectors::{Check, Context, Outcome, Row, from_hex, said, same_bytes};
use kiwi_pclass::types::PropertyFlags;
use kiwi_pclass::{ErrorKind, Mode, Options, Schema, Value, envelope, hash, json, xml};
use serde_json::Value as Json;

use crate::row_options::number;
use crate::vectors::{spoilt, tree, typed};

gamewire_testkit::vectors!(
    run,
    spoilt::a_changed_row_fails,
    spoilt::integers_are_not_compared_as_floats,
);

fn run(row: &Row, context: &Context<'_>) -> Outcome {
    let checked = match row.text("form") {
        _ if row.get("string_id").is_some() => string_hash(row),
        _ if row.get("property_hash").is_some() => property_hash(row),
        Some("xml") => xml_row(row, context),
        Some("envelope") => envelope_row(row),
        None | Some("binary") => binary(row, context),
        Some(other) => Err(format!("unknown form `{other}`")),
    };
    checked.into()
}

fn same_number(what: &str, expected: u32, found: u32) -> Check {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected}, found {found}"))
    }
}

fn string_hash(row: &Row) -> Check {
    let text = row.need_text("string")?.as_bytes();
    same_number("string_id", number(&row.value, "string_id")?, hash::string_id(text))?;
    same_number("djb2", number(&row.value, "djb2")?, hash::djb2(text))
}

fn property_hash(row: &Row) -> Check {
    let (kind, name) = (row.need_text("type")?, row.need_text("name")?);
    let found = kiwi_pclass::hash::Game::Wizard101.property_hash(kind, name);
    same_number("property hash", number(&row.value, "property_hash")?, found)
}

/// The schema of the row's type list, from the folder `types` beside the vectors, or from beside
/// them.
fn schema(row: &Row, context: &Context<'_>) -> Check<Arc<Schema>> {
    let name = row.need_text("types")?;
    let below = format!("types/{name}");
    let is_below = context.folder.join(&below).is_file();
    let shared = context.shared(if is_below { &below } else { name }, |json| {
        Schema::from_json(json).map(Arc::new).map_err(|error| error.to_string())
    })?;
    Ok(Arc::clone(&shared))
}

fn binary(row: &Row, context: &Context<'_>) -> Check {
    let options = row_options::of(&row.value)?.schema(schema(row, context)?);
    // Where the published page and the format differ, the row says what the format is.
    let is_format = row.get("agrees_with_digest").and_then(Json::as_bool) != Some(false);
    let hex = if is_format { "hex" } else { "digest_hex" };
    let bytes = row.hex(hex)?;
    if row.get("error").is_some() {
        return refused(row, &options, &bytes);
    }
    let expected = row.need("value")?;
    let is_zlib = row.flag("manual_compression") || has_zlib(&options, &bytes);
    // Rows about the page's own reading have `encode_exact` false because of `hex`.
    let is_exact = row.flag("encode_exact") || (!is_format && !is_zlib);
    if !is_format && row.hex("hex")? == bytes {
        return Err("`hex` and `digest_hex` are the same".into());
    }

    let value: Value = options.from_slice(&bytes).map_err(said)?;
    tree::same(expected, &tree::of(&value)).map_err(|difference| format!("value: {difference}"))?;
    #[cfg(feature = "explain")]
    if let Some(error) = options.explain(&bytes).error() {
        return Err(format!("explain: {error}"));
    }
    rest_is_left(&options, &bytes)?;
    let written = Written { bytes: &bytes, is_exact, expected };
    written.check("bytes", &options, &options.to_vec(&value).map_err(said)?)?;

    if !row.flag("skip_unknown_types") {
        // From the row's own notation, so that reading and writing cannot be wrong alike.
        let made = json::from_str(&expected.to_string(), &options).map_err(said)?;
        written.check("bytes of `value`", &options, &options.to_vec(&made).map_err(said)?)?;
    }
    notations(&options, &value, &written)?;
    typed::check(row, &options, &written)
}

/// What the encoder has to give.
struct Written<'a> {
    bytes: &'a [u8],
    is_exact: bool,
    expected: &'a Json,
}

impl Written<'_> {
    /// Where the bytes are not unique, what is read from them has to be the same.
    fn check(&self, what: &str, options: &Options, found: &[u8]) -> Check {
        if self.is_exact {
            return same_bytes(what, self.bytes, found);
        }
        let again: Value = options.from_slice(found).map_err(said)?;
        tree::same(self.expected, &tree::of(&again)).map_err(|error| format!("{what}: {error}"))
    }
}

fn has_zlib(options: &Options, bytes: &[u8]) -> bool {
    options.header(bytes).is_ok_and(|header| header.compressed)
}

/// Bytes behind the stream are refused, and given back when asked for.
fn rest_is_left(options: &Options, bytes: &[u8]) -> Check {
    let longer = [bytes, &[0xa5, 0x5a]].concat();
    let (_, rest): (Value, _) = options.take_from_slice(&longer).map_err(said)?;
    if rest != [0xa5, 0x5a] {
        return Err(format!("consumed: {} of {} bytes", longer.len() - rest.len(), bytes.len()));
    }
    match options.from_slice::<Value>(&longer) {
        Err(error) if error.kind() == ErrorKind::TrailingBytes => Ok(()),
        Err(error) => Err(format!("bytes behind the stream: {error}")),
        Ok(_) => Err("bytes behind the stream are accepted".into()),
    }
}

/// Through JSON and XML, nothing is lost.
fn notations(options: &Options, value: &Value, written: &Written<'_>) -> Check {
    let text = json::to_string(value).map_err(said)?;
    let back = json::from_str(&text, options).map_err(|error| format!("JSON: {error}: {text}"))?;
    if *value != back {
        return Err(format!("JSON gives another value: {text}"));
    }
    written.check("through JSON", options, &options.to_vec(&back).map_err(said)?)?;
    let text = xml::to_string(value, options).map_err(said)?;
    let back = xml::from_str(&text, options).map_err(|error| format!("XML: {error}: {text}"))?;
    if *value != back {
        return Err(format!("XML gives another value: {text}"));
    }
    written.check("through XML", options, &options.to_vec(&back).map_err(said)?)
}

fn refused(row: &Row, options: &Options, bytes: &[u8]) -> Check {
    let expected = row.need_text("error")?;
    let error = match options.from_slice::<Value>(bytes) {
        Ok(value) => return Err(format!("accepted as {value:.80?}, expected {expected}")),
        Err(error) => error,
    };
    let kinds: &[ErrorKind] = match expected {
        "null_root" => &[ErrorKind::Null],
        "unknown_type" => &[ErrorKind::UnknownClass],
        "truncated" => &[ErrorKind::UnexpectedEof, ErrorKind::SizeMismatch],
        "property_size_mismatch" => &[ErrorKind::SizeMismatch],
        "missing_delta" => &[ErrorKind::MissingDelta],
        "unknown_enum_variant" => &[ErrorKind::UnknownOption],
        "size_mismatch" | "bad_zlib" => &[ErrorKind::Compression],
        "recursion" => &[ErrorKind::DepthLimit],
        // The category is advisory, and others may be added to the notation.
        _ => return Ok(()),
    };
    if !kinds.contains(&error.kind()) {
        return Err(format!("expected {expected}, found {:?}: {error}", error.kind()));
    }
    explained_alike(&error, options, bytes)
}

/// Whether the explanation ends with the same kind of error.
#[cfg(feature = "explain")]
fn explained_alike(error: &kiwi_pclass::Error, options: &Options, bytes: &[u8]) -> Check {
    match options.explain(bytes).error() {
        Some(explained) if explained.kind() == error.kind() => Ok(()),
        Some(explained) => Err(format!("explain: {explained}, but reading: {error}")),
        None => Err(format!("explain finds no error, but reading: {error}")),
    }
}

#[cfg(not(feature = "explain"))]
fn explained_alike(_: &kiwi_pclass::Error, _: &Options, _: &[u8]) -> Check {
    Ok(())
}

fn xml_row(row: &Row, context: &Context<'_>) -> Check {
    // Every property takes part.
    let options = Options::new().mode(Mode::Deep).mask(PropertyFlags::NONE);
    let options = options.schema(schema(row, context)?);
    let text = row.need_text("xml")?;
    if row.get("error").is_some() {
        return match xml::from_str(text, &options) {
            Ok(value) => Err(format!("accepted as {value:.80?}")),
            Err(_) => Ok(()),
        };
    }
    let expected = row.need("value")?;
    let same = |what: &str, value: &Value| {
        tree::same(expected, &tree::of(value)).map_err(|difference| format!("{what}: {difference}"))
    };
    let value = xml::from_str(text, &options).map_err(said)?;
    same("value", &value)?;
    // From the row's own notation, through a text of ours.
    let made = json::from_str(&expected.to_string(), &options).map_err(said)?;
    let written = xml::to_string(&made, &options).map_err(said)?;
    let back = xml::from_str(&written, &options).map_err(said)?;
    same("written and read", &back)?;
    if back != made || value != made {
        return Err("the value of the text is not that of `value`".into());
    }
    // And through the binary form.
    let bytes = options.to_vec(&value).map_err(said)?;
    same("through binary", &options.from_slice(&bytes).map_err(said)?)
}

fn envelope_row(row: &Row) -> Check {
    let (wrapped, options) = (row.hex("hex")?, Options::new());
    if row.get("error").is_some() {
        return match envelope::unwrap(&wrapped, &options) {
            Ok(payload) => Err(format!("accepted as {} bytes", payload.len())),
            Err(_) => Ok(()),
        };
    }
    // Digits, as everything that is bytes.
    let payload = from_hex(row.need_text("payload")?)?;
    let found = envelope::unwrap(&wrapped, &options).map_err(said)?;
    same_bytes("payload", &payload, &found)?;
    for compress in [false, true] {
        let made = envelope::wrap(&payload, compress).map_err(said)?;
        same_bytes("wrapped again", &payload, &envelope::unwrap(&made, &options).map_err(said)?)?;
        if !compress && !row.flag("decode_only") {
            same_bytes("envelope", &wrapped, &made)?;
        }
    }
    Ok(())
}
