//! Rows of testdata/zeze-serialize/vectors: what the reference makes of a value, and what it reads.
//!
//! Beans go through serde as derived structs do, by the types of their schema; what has no schema goes
//! through `Value`.
#![allow(clippy::pedantic, clippy::restriction, reason = "a runner that panics fails the row")]

mod vectors {
    pub(crate) mod frames;
    pub(crate) mod notation;
    pub(crate) mod spoilt;
    pub(crate) mod tree;
    pub(crate) mod typed;
    pub(crate) mod wire;
}

use gamewire_testkit::vectors::{Check, Context, Outcome, Row, said, same_bytes, to_hex};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value as Json;
use zeze_serialize::{Error, ErrorKind, Options, Value};

use crate::vectors::notation::same;
use crate::vectors::typed::Type;
use crate::vectors::{frames, spoilt, tree, typed, wire};

gamewire_testkit::vectors!(
    run,
    spoilt::a_changed_row_fails,
    spoilt::a_spelling_that_is_no_notation_fails_the_row,
);

fn run(row: &Row, _context: &Context<'_>) -> Outcome {
    let checked = match row.text("kind") {
        // A row of tree.jsonl has its wire type beside the kind.
        Some(_) if row.get("type").is_some() && row.get("last_id").is_none() => tree::run(row),
        Some("int") => wire::int(row),
        Some("int_decode") => wire::int_decode(row),
        Some("uint32") => wire::uint32(row),
        Some("uint64") => wire::uint64(row),
        Some("uint_decode") => return wire::uint_decode(row),
        Some(kind @ ("float" | "double" | "string")) => scalar(row, kind),
        Some("bytes") => scalar(row, "binary"),
        Some("string_repeat_x") => wire::repeated(row),
        Some("string_java_only") => wire::java_only(row),
        Some("string_decode_invalid") => wire::invalid_text(row),
        Some("tag") => wire::tag(row),
        Some("list_header") => wire::list_header(row),
        Some("map_header") => wire::map_header(row),
        Some("bean") => bean(row),
        Some("evolve") => return evolve(row),
        Some("convert") => convert(row),
        Some("malformed") => return malformed(row),
        Some("protocol" | "rpc") => frames::sent(row),
        Some("page_frame") => frames::page(row),
        Some("fixedhash64" | "hash_string" | "hash_bytes" | "hash_long") => wire::hash(row),
        kind => Err(format!("unknown kind {kind:?}")),
    };
    checked.into()
}

/// Both readings: the page's, and that of the Java reference.
const LENIENT: Options = Options::new().unknown_as_empty(true);
const STRICT: Options = Options::new().strict(true);

/// The value, and how many bytes it took.
fn take<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<(T, usize), Error> {
    let (value, rest) = options.take_from_slice(bytes)?;
    Ok((value, bytes.len() - rest.len()))
}

fn schema(row: &Row) -> Check<Type> {
    typed::bean(row.need_text("schema")?)
}

/// A value without a tag, both ways.
fn scalar(row: &Row, name: &str) -> Check {
    let (of, bytes, expected) = (typed::named(name)?, row.hex("hex")?, row.need("value")?);
    for options in [LENIENT, STRICT] {
        let (value, used) = of.take(&bytes, &options, false).map_err(said)?;
        same("value", expected, &value)?;
        expect_used(Some(&bytes.len().into()), used)?;
    }
    same_bytes("bytes", &bytes, &of.to_vec(expected, &LENIENT, false).map_err(said)?)
}

/// The canonical bytes of a bean.
fn bean(row: &Row) -> Check {
    let (of, bytes) = (schema(row)?, row.hex("hex")?);
    let given = of.settle(row.need("value")?)?;
    let written = of.to_vec(&given, &LENIENT, false).map_err(said)?;
    same_bytes("bytes of `value`", &bytes, &written)?;
    let expected = of.settle(row.get("decoded").unwrap_or(row.need("value")?))?;
    for options in [LENIENT, STRICT] {
        let (value, used) = of.take(&bytes, &options, false).map_err(said)?;
        same("decoded", &expected, &value)?;
        expect_used(Some(&bytes.len().into()), used)?;
        let written = of.to_vec(&value, &options, false).map_err(said)?;
        same_bytes("bytes of what was read", &bytes, &written)?;
    }
    passed_over(&bytes)?;
    let value: Value = LENIENT.from_slice(&bytes).map_err(said)?;
    same_bytes("bytes of the `Value`", &bytes, &LENIENT.to_vec(&value).map_err(said)?)
}

/// Skips a bean that takes all of the bytes.
fn passed_over(bytes: &[u8]) -> Check {
    let (_, used) = take::<IgnoredAny>(&LENIENT, bytes).map_err(said)?;
    if used == bytes.len() {
        return Ok(());
    }
    Err(format!("{used} of {} bytes were skipped", bytes.len()))
}

fn expect_used(expected: Option<&Json>, used: usize) -> Check {
    match expected {
        Some(expected) if *expected != used => {
            Err(format!("read {used} bytes, the reference {expected}"))
        }
        _ => Ok(()),
    }
}

/// Whether the reference reads on where this crate refuses: by what the bytes have, as listed in
/// docs/formats/zeze-serialize.md.
fn not_followed(error: &Error) -> Option<&'static str> {
    match error.kind() {
        ErrorKind::ReservedTag => Some("a reserved tag is an error here"),
        ErrorKind::InvalidId => Some("an id above 2^31 - 1 is an error here"),
        ErrorKind::InvalidVarint => {
            Some("a length or a step of more than 32 bits is an error here")
        }
        ErrorKind::UnexpectedEof if claims(error) >= 1 << 31 => {
            Some("a count of 2^31 or more is an error here")
        }
        _ => None,
    }
}

/// The count or length that an error speaks of.
fn claims(error: &Error) -> u64 {
    let text = error.to_string();
    text.split(' ').find_map(|word| word.parse().ok()).unwrap_or_default()
}

/// One reading of a row: what is expected of it, and where it went.
fn reading(
    what: &str,
    options: &Options,
    row: &Row,
    expected: Option<(&Json, Option<&Json>)>,
) -> Outcome {
    (|| -> Result<Outcome, String> {
        let bytes = row.hex("hex")?;
        let of = schema(row)?;
        let read = of.take(&bytes, options, false);
        Ok(match (read, expected) {
            (Err(_), None) => Outcome::Passed,
            (Ok((found, _)), None) => Err(format!("{what}: accepted as {found:.200}")).into(),
            (Err(error), Some(_)) => match not_followed(&error) {
                Some(why) => Outcome::Skipped(format!("{why}: {error}")),
                None => Outcome::Failed(format!("{what}: refused: {error}")),
            },
            (Ok((found, used)), Some((value, consumed))) => {
                let value = of.settle(value)?;
                same(what, &value, &found).and_then(|()| expect_used(consumed, used)).into()
            }
        })
    })()
    .unwrap_or_else(Outcome::Failed)
}

/// The readings of a row, one after the other, to the first that does not pass.
fn all(readings: impl IntoIterator<Item = Outcome>) -> Outcome {
    let first = readings.into_iter().find(|outcome| !matches!(outcome, Outcome::Passed));
    first.unwrap_or(Outcome::Passed)
}

/// Bytes that are malformed, or look so.
fn malformed(row: &Row) -> Outcome {
    let java = row.get("java_result").map(|value| (value, row.get("consumed")));
    if java.is_none() && row.get("java_error").is_none() {
        return Outcome::Failed("the row has neither `java_result` nor `java_error`".into());
    }
    let lenient = match row.get("lenient_result") {
        Some(value) => Some((value, row.get("lenient_consumed"))),
        None => java,
    };
    all([
        reading("strict", &STRICT.lossy_text(true), row, java),
        reading("lenient", &LENIENT.lossy_text(true), row, lenient),
    ])
}

/// Bytes of another version of the schema.
fn evolve(row: &Row) -> Outcome {
    let strict = row.get("value").map(|value| (value, row.get("consumed")));
    if strict.is_none() && row.get("error").is_none() {
        return Outcome::Failed("the row has neither `value` nor `error`".into());
    }
    let lenient = match row.get("lenient_result") {
        Some(value) => Some((value, row.get("lenient_consumed"))),
        None => strict,
    };
    let plain =
        all([reading("strict", &STRICT, row, strict), reading("lenient", &LENIENT, row, lenient)]);
    if plain != Outcome::Passed {
        return plain;
    }
    let kept = |options: &Options, name: &str, with_blob: bool| -> Outcome {
        match row.text(name) {
            None => Outcome::Passed,
            Some(_) => keeping(row, options, name, with_blob).into(),
        }
    };
    all([
        kept(&STRICT, "reencoded", true),
        kept(&LENIENT, "reencoded", true),
        kept(&LENIENT, "lenient_reencoded", false),
    ])
}

/// What a struct with a field for the unknown keeps, and writes back.
fn keeping(row: &Row, options: &Options, name: &str, with_blob: bool) -> Check {
    let (of, bytes) = (schema(row)?, row.hex("hex")?);
    let (value, _) = of.take(&bytes, options, true).map_err(said)?;
    let expected = row.get("value").filter(|_| with_blob);
    if let Some(expected) = expected.or_else(|| row.get("lenient_result")) {
        same("with the unknown", &of.settle(expected)?, &without_unknown(&value))?;
    }
    if with_blob {
        let unknown = value.get("$unknown").cloned().unwrap_or_else(|| serde_json::json!({}));
        let unknown = serde_json::from_value(unknown).map_err(|error| error.to_string())?;
        let (expected, found) =
            (row.text("unknown").unwrap_or_default(), to_hex(&wire::blob(&unknown)));
        if expected != found {
            return Err(format!("unknown: expected {expected}, found {found}"));
        }
    }
    let written = of.to_vec(&without_base(value), options, true).map_err(said)?;
    same_bytes(name, &row.hex(name)?, &written)
}

/// Without the bases that are kept here, and dropped by Java.
fn without_base(mut json: Json) -> Json {
    match &mut json {
        Json::Array(items) => items.iter_mut().for_each(|item| *item = without_base(item.take())),
        Json::Object(members) => {
            let unknown = members.get_mut("$unknown").and_then(Json::as_object_mut);
            unknown.and_then(|fields| fields.remove("base"));
            members.values_mut().for_each(|member| *member = without_base(member.take()));
        }
        _ => {}
    }
    json
}

/// The notation of the schema, which does not have what is kept.
fn without_unknown(json: &Json) -> Json {
    match json {
        Json::Array(items) => items.iter().map(without_unknown).collect(),
        Json::Object(members) => {
            let known = members.iter().filter(|(name, _)| *name != "$unknown");
            known.map(|(name, value)| (name.clone(), without_unknown(value))).collect()
        }
        other => other.clone(),
    }
}

/// A bean with one field, written as one type and read as another.
fn convert(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let (from, of) = (typed::one(row.need_text("from")?)?, typed::one(row.need_text("to")?)?);
    let one = |json: &Json| serde_json::json!({ "f": json });
    let value = from.settle(&one(row.need("from_value")?))?;
    let mut written = from.to_vec(&value, &LENIENT, false).map_err(said)?;
    if written == [0] {
        // Some rows have a default on the wire, which nothing writes.
        let (back, _) = from.take(&bytes, &LENIENT, false).map_err(said)?;
        same_bytes("default", &[0], &from.to_vec(&back, &LENIENT, false).map_err(said)?)?;
        written.clone_from(&bytes);
    }
    same_bytes("bytes of `from_value`", &bytes, &written)?;
    // What is no text has U+FFFD in Java's results.
    let read = |options: Options| of.take(&bytes, &options.lossy_text(true), false);
    let check = |what: &str, expected: Option<&Json>, found: Result<(Json, usize), Error>| match (
        expected, found,
    ) {
        (Some(expected), found) => same(what, &of.settle(&one(expected))?, &found.map_err(said)?.0),
        (None, Ok((found, _))) => Err(format!("{what}: accepted as {found}")),
        (None, Err(_)) if row.get("error").is_some() => Ok(()),
        (None, Err(_)) => Err("the row has neither `result` nor `error`".into()),
    };
    check("strict", row.get("result"), read(STRICT))?;
    check("lenient", row.get("lenient_result").or_else(|| row.get("result")), read(LENIENT))
}
