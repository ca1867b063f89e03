//! Rows of testdata/zeze-serialize/vectors: what the reference makes of a value, and what it reads.
//!
//! Beans go through derived structs, as a user of the crate writes them; what has no schema goes
//! through `Value`.
#![allow(clippy::pedantic, clippy::restriction, reason = "a runner that panics fails the row")]

mod vectors {
    pub(crate) mod beans;
    pub(crate) mod collections;
    pub(crate) mod frames;
    pub(crate) mod notation;
    pub(crate) mod spoilt;
    pub(crate) mod tree;
    pub(crate) mod types;
    pub(crate) mod wire;
}

use gamewire_testkit::vectors::{Check, Context, Outcome, Row, said, same_bytes, to_hex};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use zeze_serialize::{Error, ErrorKind, Options, Value};

use crate::vectors::beans::{Keeps, keeping, plain};
use crate::vectors::notation::same;
use crate::vectors::types::{Known, WithType};
use crate::vectors::{frames, spoilt, tree, types, wire};

gamewire_testkit::vectors!(
    run,
    spoilt::a_changed_byte_fails_every_row_with_canonical_bytes,
    spoilt::a_changed_value_fails_the_row,
    spoilt::another_length_fails_the_row,
    spoilt::another_outcome_fails_the_row,
    spoilt::other_bytes_of_the_unknown_fail_the_row,
    spoilt::other_ids_of_frames_and_hashes_fail_the_row,
    spoilt::a_spelling_that_is_no_notation_fails_the_row,
    spoilt::a_member_that_the_schema_lacks_fails_the_row,
    spoilt::another_class_of_a_dynamic_fails_the_row,
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
        Some("float") => scalar::<f32>(row),
        Some("double") => scalar::<f64>(row),
        Some("bytes") => scalar::<serde_bytes::ByteBuf>(row),
        Some("string") => scalar::<String>(row),
        Some("string_repeat_x") => wire::repeated(row),
        Some("string_java_only") => wire::java_only(row),
        Some("string_decode_invalid") => wire::invalid_text(row),
        Some("tag") => wire::tag(row),
        Some("list_header") => wire::list_header(row),
        Some("map_header") => wire::map_header(row),
        Some("bean") => with_schema(row, Bean(row)),
        Some("evolve") => return evolve(row),
        Some("convert") => convert(row),
        Some("malformed") => return malformed(row),
        Some("protocol" | "rpc") => with_schema(row, frames::Real(row)),
        Some("page_frame") => with_schema(row, frames::Page(row)),
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

/// Does it with the struct of the row's schema in a module of beans.
macro_rules! with_struct {
    ($row:ident, $what:ident, $module:ident: $($name:ident)+) => {
        match $row.need_text("schema")? {
            $(stringify!($name) => $what.run::<$module::$name>(),)+
            "Base" => $what.run::<$module::Base1>(),
            name => Err(format!("no struct for the schema `{name}`")),
        }
    };
}

/// A struct of the row's schema.
fn with_schema<W: WithType>(row: &Row, what: W) -> Check<W::Output> {
    with_struct! {
        row, what, plain:
        Scalars Vecs Inner Empty Outer Lists Maps Dyn Dyn0 BigIds Mid Leaf HoldLeaf V1 V2 Nest
        Bean1 M2BValue BRemoved2 BSimple Key BValue
    }
}

/// The same struct with a field for the unknown.
fn with_keeping_schema<W: WithKeeping>(row: &Row, what: W) -> Check<W::Output> {
    with_struct! {
        row, what, keeping:
        Scalars Vecs Inner Empty Outer Lists Maps Dyn Dyn0 BigIds Mid Leaf HoldLeaf V1 V2 Nest BValue
    }
}

trait WithKeeping {
    type Output;
    fn run<T: Known + Keeps>(self) -> Check<Self::Output>;
}

/// A value without a tag, both ways.
fn scalar<T: Known>(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let expected = row.need("value")?;
    for options in [LENIENT, STRICT] {
        let value: T = options.from_slice(&bytes).map_err(said)?;
        same("value", expected, &value.show())?;
    }
    same_bytes("bytes", &bytes, &LENIENT.to_vec(&T::read(expected)?).map_err(said)?)
}

/// The canonical bytes of a bean.
struct Bean<'a>(&'a Row);

impl WithType for Bean<'_> {
    type Output = ();

    fn run<T: Known>(self) -> Check {
        let row = self.0;
        let bytes = row.hex("hex")?;
        let given = T::read(row.need("value")?)?;
        same_bytes("bytes of `value`", &bytes, &LENIENT.to_vec(&given).map_err(said)?)?;
        let expected = Settled(row.get("decoded").unwrap_or(row.need("value")?)).run::<T>()?;
        for options in [LENIENT, STRICT] {
            let value: T = options.from_slice(&bytes).map_err(said)?;
            same("decoded", &expected, &value.show())?;
            same_bytes("bytes of what was read", &bytes, &options.to_vec(&value).map_err(said)?)?;
        }
        passed_over(&bytes)?;
        let value: Value = LENIENT.from_slice(&bytes).map_err(said)?;
        same_bytes("bytes of the `Value`", &bytes, &LENIENT.to_vec(&value).map_err(said)?)
    }
}

/// Skips a bean that takes all of the bytes.
fn passed_over(bytes: &[u8]) -> Check {
    let (_, used) = take::<IgnoredAny>(&LENIENT, bytes).map_err(said)?;
    if used == bytes.len() {
        return Ok(());
    }
    Err(format!("{used} of {} bytes were skipped", bytes.len()))
}

/// The notation of a row as the Rust type has it: a dynamic with a bean of the id 0 has no other
/// empty value.
struct Settled<'a>(&'a Json);

impl WithType for Settled<'_> {
    type Output = Json;

    fn run<T: Known>(self) -> Check<Json> {
        T::read(self.0).map(|value| value.show())
    }
}

/// What reading gives: the notation of the value, and the bytes read.
struct Read<'a>(&'a Options, &'a [u8]);

impl WithType for Read<'_> {
    type Output = Result<(Json, usize), Error>;

    fn run<T: Known>(self) -> Check<Self::Output> {
        Ok(take::<T>(self.0, self.1).map(|(value, used)| (value.show(), used)))
    }
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
        ErrorKind::LengthLimit if claims(error) >= 1 << 31 => {
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
        let read = with_schema(row, Read(options, &bytes))?;
        Ok(match (read, expected) {
            (Err(_), None) => Outcome::Passed,
            (Ok((found, _)), None) => Err(format!("{what}: accepted as {found:.200}")).into(),
            // No implementation is as strict as `strict` about the length of integers, so that there
            // the lenient reading of the row is what counts.
            (Err(error), Some(_)) if is_long(what, &error, &bytes) => Outcome::Passed,
            (Err(error), Some(_)) => match not_followed(&error) {
                Some(why) => Outcome::Skipped(format!("{why}: {error}")),
                None => Outcome::Failed(format!("{what}: refused: {error}")),
            },
            (Ok((found, used)), Some((value, consumed))) => {
                let value = with_schema(row, Settled(value))?;
                same(what, &value, &found).and_then(|()| expect_used(consumed, used)).into()
            }
        })
    })()
    .unwrap_or_else(Outcome::Failed)
}

/// Whether an error is that of integers that are longer than they need be, and they are.
fn is_long(what: &str, error: &Error, bytes: &[u8]) -> bool {
    let shortest = LENIENT.from_slice::<Value>(bytes).and_then(|value| LENIENT.to_vec(&value));
    what == "strict"
        && error.kind() == ErrorKind::InvalidVarint
        && shortest.is_ok_and(|shortest| shortest.len() < bytes.len())
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
            Some(_) => with_keeping_schema(row, Keeping { row, options, name, with_blob }).into(),
        }
    };
    all([
        kept(&STRICT, "reencoded", true),
        kept(&LENIENT, "reencoded", true),
        kept(&LENIENT, "lenient_reencoded", false),
    ])
}

/// What a struct with a field for the unknown keeps, and writes back.
struct Keeping<'a> {
    row: &'a Row,
    options: &'a Options,
    name: &'a str,
    with_blob: bool,
}

impl WithKeeping for Keeping<'_> {
    type Output = ();

    fn run<T: Known + Keeps>(self) -> Check {
        let bytes = self.row.hex("hex")?;
        let (value, _) = take::<T>(self.options, &bytes).map_err(said)?;
        let expected = self.row.get("value").filter(|_| self.with_blob);
        let expected = expected.or_else(|| self.row.get("lenient_result"));
        if let Some(expected) = expected {
            same("with the unknown", &Settled(expected).run::<T>()?, &value.show())?;
        }
        if self.with_blob {
            let expected = self.row.text("unknown").unwrap_or_default();
            let found = to_hex(&wire::blob(value.unknown()));
            if expected != found {
                return Err(format!("unknown: expected {expected}, found {found}"));
            }
        }
        let written = self.options.to_vec(&value).map_err(said)?;
        same_bytes(self.name, &self.row.hex(self.name)?, &written)
    }
}

/// A bean with one field, written as one type and read as another.
#[derive(Serialize, Deserialize)]
struct One<T> {
    #[serde(rename = "1:f")]
    f: T,
}

fn convert(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    types::with(row.need_text("from")?, Written { row, bytes: &bytes })?;
    let to = row.need_text("to")?;
    // What is no text has U+FFFD in Java's results.
    let strict = types::with(to, ReadOne(&STRICT.lossy_text(true), &bytes))?;
    let settled = |json: &Json| types::with(to, Settled(json));
    match (row.get("result"), strict) {
        (Some(expected), found) => same("strict", &settled(expected)?, &found.map_err(said)?)?,
        (None, Err(_)) if row.get("error").is_some() => {}
        (None, Ok(found)) => return Err(format!("strict: accepted as {found}")),
        (None, Err(_)) => return Err("the row has neither `result` nor `error`".into()),
    }
    let lenient = types::with(to, ReadOne(&LENIENT.lossy_text(true), &bytes))?;
    match row.get("lenient_result").or_else(|| row.get("result")) {
        Some(expected) => same("lenient", &settled(expected)?, &lenient.map_err(said)?),
        None => match lenient {
            Err(_) => Ok(()),
            Ok(found) => Err(format!("lenient: accepted as {found}")),
        },
    }
}

struct Written<'a> {
    row: &'a Row,
    bytes: &'a [u8],
}

impl WithType for Written<'_> {
    type Output = ();

    fn run<T: Known>(self) -> Check {
        let f = T::read(self.row.need("from_value")?)?;
        // Some rows have a default on the wire, which nothing writes.
        let written = LENIENT.to_vec(&One { f }).map_err(said)?;
        if written == [0] {
            let back: One<T> = LENIENT.from_slice(self.bytes).map_err(said)?;
            return same_bytes("default", &[0], &LENIENT.to_vec(&back).map_err(said)?);
        }
        same_bytes("bytes of `from_value`", self.bytes, &written)
    }
}

struct ReadOne<'a>(&'a Options, &'a [u8]);

impl WithType for ReadOne<'_> {
    type Output = Result<Json, Error>;

    fn run<T: Known>(self) -> Check<Self::Output> {
        Ok(self.0.from_slice::<One<T>>(self.1).map(|one| one.f.show()))
    }
}
