//! Rows of testdata/godot-variant/vectors: what the engine (or the published page) makes of a value.
#![allow(clippy::pedantic, clippy::restriction, reason = "a runner that panics fails the row")]

mod vectors {
    pub(crate) mod expression;
    pub(crate) mod project;
    pub(crate) mod spoilt;
    pub(crate) mod tree;
    pub(crate) mod wrapped;
}

use std::sync::Arc;

use gamewire_testkit::vectors::{Check, Context, Outcome, Row, from_hex, said, same_bytes, to_hex};
use godot_variant::frame::{self, Framing};
use godot_variant::native_json::{NativeJson, NativeJsonSeed};
use godot_variant::types::{ElementType, Type};
use godot_variant::value::{Array, TypedArray};
use godot_variant::{Deserializer, Dialect, Error, Options, Precision, Value, text};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::vectors::{expression, project, spoilt, tree, wrapped};

/// Deeper than any row.
const LEVELS: usize = 2000;

gamewire_testkit::vectors!(
    run,
    spoilt::a_changed_row_fails,
    spoilt::a_neighbour_of_a_large_integer_fails_the_row,
);

fn run(row: &Row, _context: &Context<'_>) -> Outcome {
    let checked = match row.text("kind") {
        Some("native_json") => native_json(row),
        Some("text") => text(row),
        Some("config") => config(row),
        Some("rpc" | "session") => {
            return Outcome::Skipped("packets are rows of godot-multiplayer".into());
        }
        Some("compressed") => wrapped::compressed(row),
        Some("encrypted") => wrapped::encrypted(row),
        Some("frame") => return frame(row),
        Some("encode") if row.get("error").is_some() => return refused_encode(row),
        Some("encode") => encode(row),
        Some("decode") => decode(row),
        kind => Err(format!("unknown kind {kind:?}")),
    };
    checked.into()
}

/// The settings of the engine that made a row.
fn options(row: &Row, objects: bool) -> Check<Options> {
    let options = Options::new().dialect(dialect(row)?).precision(precision(row)?);
    // The engine writes values of a dictionary that are not of its type as it read them.
    let options = options.allow_objects(objects).unchecked_types(true);
    Ok(match dialect(row)? {
        // The page knows no classes.
        Dialect::Docs => options,
        _ => options.classes(Arc::new(project::Project)),
    })
}

fn dialect(row: &Row) -> Check<Dialect> {
    if let Some("docs") = row.text("dialect") {
        return Ok(Dialect::Docs);
    }
    match row.need_text("engine")?.split('.').next() {
        Some("4") => Ok(Dialect::Godot4),
        Some("3") => Ok(Dialect::Godot3),
        other => Err(format!("unknown engine {other:?}")),
    }
}

fn precision(row: &Row) -> Check<Precision> {
    match row.text("precision").unwrap_or("single") {
        "single" => Ok(Precision::Single),
        "double" => Ok(Precision::Double),
        other => Err(format!("unknown precision `{other}`")),
    }
}

/// How wide the components in the row's notation are.
fn widths(row: &Row) -> Check<tree::Widths> {
    let double = precision(row)? == Precision::Double;
    Ok(tree::Widths { reals: double, colors: double && dialect(row)? == Dialect::Docs })
}

/// The value and how many bytes it took; skipping it comes to the same.
fn read(bytes: &[u8], options: &Options) -> Result<(Value, usize), Error> {
    fn read<'de, T: Deserialize<'de>>(bytes: &'de [u8], options: &Options) -> Read<T> {
        let mut deserializer = Deserializer::new(bytes, options.clone());
        let value = T::deserialize(&mut deserializer)?;
        Ok((value, deserializer.byte_offset()))
    }
    type Read<T> = Result<(T, usize), Error>;
    let read_as: Read<Value> = read(bytes, options);
    match (&read_as, read::<serde::de::IgnoredAny>(bytes, options)) {
        (Ok((_, used)), Ok((_, skipped))) => assert_eq!(*used, skipped),
        (Err(error), Err(skipped)) => {
            assert_eq!((error.kind(), error.offset()), (skipped.kind(), skipped.offset()));
        }
        (read, skipped) => panic!("read {read:?}, skipped {skipped:?}"),
    }
    read_as
}

/// The value after the engine made its objects; the page makes none.
fn settled(row: &Row, value: &Value) -> Check<Value> {
    Ok(match dialect(row)? {
        Dialect::Docs => value.clone(),
        _ => project::settled(value, widths(row)?),
    })
}

fn expect_tree(row: &Row, value: &Value, dialect: Dialect) -> Check {
    let Some(expected) = row.get("value") else { return Ok(()) };
    tree::same(expected, &tree::of(value, dialect))
        .map_err(|difference| format!("value: {difference}"))
}

fn expect_used(row: &Row, used: usize) -> Check {
    match row.get("used") {
        Some(expected) if *expected != used => {
            Err(format!("used {used} bytes, the engine {expected}"))
        }
        _ => Ok(()),
    }
}

fn encode(row: &Row) -> Check {
    let full = row.flag("full_objects");
    let options = options(row, full)?.unchecked_types(false);
    let bytes = row.hex("hex")?;
    let (value, used) = read(&bytes, &options).map_err(said)?;
    expect_used(row, used)?;
    if used != bytes.len() {
        return Err(format!("{used} of {} bytes were read", bytes.len()));
    }
    let dialect = dialect(row)?;
    expect_tree(row, &settled(row, &value)?, dialect)?;
    if row.get("hex_raw").is_some() {
        // 3.x leaves garbage in the padding of names.
        let (raw, _) = read(&row.hex("hex_raw")?, &options).map_err(said)?;
        if raw != value {
            return Err("`hex_raw` decodes to another value".into());
        }
    }
    if let Value::String(text) = &value
        && !same_text(text, &bytes)
    {
        // The engine's text that starts with a byte order mark loses it when it is read; this crate's
        // has one more.
        let written = bytes.get(8..).and_then(|rest| std::str::from_utf8(rest).ok());
        let text = written.ok_or("not UTF-8")?.trim_end_matches('\0');
        let written = options.to_vec(text).map_err(said)?;
        let back: String = options.from_slice(&written).map_err(said)?;
        if back != text {
            return Err(format!("{text:?} arrives as {back:?}"));
        }
        let literal = Options::new().dialect(Dialect::Docs).to_vec(text).map_err(said)?;
        return same_bytes("bytes", &bytes, &literal);
    }
    same_bytes("bytes", &bytes, &options.to_vec(&value).map_err(said)?)?;
    // The notation leaves out some properties of objects; the class knows them.
    if full && let Some(made) = row.text("expr").and_then(project::made_by) {
        same_bytes("bytes of `expr`", &bytes, &options.to_vec(&made).map_err(said)?)?;
    }
    // From the row's own notation too, so that reading and writing cannot be wrong alike. The
    // notation leaves out where a script stands among the properties.
    match row.get("value").filter(|value| dialect == Dialect::Docs || !tree::has_object(value)) {
        Some(tree) => {
            let made = tree::to_value(tree, widths(row)?)?;
            same_bytes("bytes of `value`", &bytes, &options.to_vec(&made).map_err(said)?)
        }
        None => Ok(()),
    }
}

fn same_text(text: &str, bytes: &[u8]) -> bool {
    bytes.get(8..).is_some_and(|rest| rest.starts_with(text.as_bytes()))
}

/// Rows that the engine refuses to write have no bytes and no value, only the expression.
fn refused_encode(row: &Row) -> Outcome {
    let (Ok(options), Ok(expression), Ok(expected)) =
        (options(row, row.flag("full_objects")), row.need_text("expr"), row.need_text("error"))
    else {
        return Outcome::Failed("the row has no `engine`, `expr` or `error`".into());
    };
    let deep = expression.strip_prefix("_deep(").and_then(|rest| rest.strip_suffix(')'));
    let value = match (expression, deep.map(str::parse)) {
        ("_inline_script_obj()", _) => {
            let mut instance = godot_variant::value::Instance::new("RefCounted");
            instance.properties.push(("script".into(), Value::from("")));
            instance.into()
        }
        ("_ta_inner()", _) => {
            TypedArray { element: ElementType::Script("".into()), items: Array::new() }.into()
        }
        // A value of this crate cannot contain itself; one that is deep enough ends the same way.
        ("_selfref()", _) => nested(LEVELS),
        (_, Some(Ok(count))) => nested(count),
        (_, Some(Err(_))) => return Outcome::Failed(format!("cannot read `{expression}`")),
        (_, None) => {
            let reason = format!("`{expression}` needs a running engine to be evaluated");
            return Outcome::Skipped(reason);
        }
    };
    match options.to_vec(&value) {
        Ok(bytes) => {
            Outcome::Failed(format!("written as {} bytes, expected {expected}", bytes.len()))
        }
        Err(error) if error.engine_code() == Some(expected) => Outcome::Passed,
        Err(error) => Outcome::Failed(format!("expected {expected}, found: {error}")),
    }
}

fn nested(count: usize) -> Value {
    (0..count).fold(Value::Nil, |inner, level| {
        let items = if level == 0 { Vec::new() } else { vec![inner] };
        Value::Array(items.into())
    })
}

fn decode(row: &Row) -> Check {
    let objects = row.flag("allow_objects") || row.flag("full_objects");
    let options = options(row, objects)?;
    let bytes = row.hex("hex")?;
    let (value, used) = match (read(&bytes, &options), row.flag("ok")) {
        (Ok(read), true) => read,
        (Err(error), true) => return Err(said(error)),
        (Ok((value, _)), false) => {
            return Err(format!("accepted as {value:.80?}, expected {}", row.need_text("error")?));
        }
        (Err(_), false) if dialect(row)? == Dialect::Docs => return Ok(()),
        (Err(error), false) => {
            let expected = row.need_text("error")?;
            return match error.engine_code() {
                Some(code) if code == expected => Ok(()),
                code => Err(format!("expected {expected}, found {code:?}: {error}")),
            };
        }
    };
    expect_used(row, used)?;
    let settled = settled(row, &value)?;
    expect_tree(row, &settled, dialect(row)?)?;
    let Some(expected) = row.text("reencoded") else { return Ok(()) };
    let expected = from_hex(expected)?;
    let found = options.to_vec(&settled).map_err(said)?;
    if tree::has_object(row.need("value")?) && !objects {
        // The engine writes the id of the object that it just made.
        let dialect = dialect(row)?;
        let of = |bytes| without_ids(bytes, dialect);
        return same_bytes("reencoded", &of(&expected), &of(&found));
    }
    same_bytes("reencoded", &expected, &found)
}

/// The bytes with every object id set to 1.
fn without_ids(bytes: &[u8], dialect: Dialect) -> Vec<u8> {
    let by_id = [Type::Object.id(dialect).unwrap(), 0, 1, 0];
    let mut bytes = bytes.to_vec();
    for object in (0..bytes.len().saturating_sub(11)).step_by(4) {
        if bytes[object..].starts_with(&by_id) {
            bytes[object + 4..object + 12].copy_from_slice(&1_u64.to_le_bytes());
        }
    }
    bytes
}

fn frame(row: &Row) -> Outcome {
    let name = row.name();
    if name.starts_with("gcpf") {
        return wrapped::frame(row).into();
    }
    (|| {
        let bytes = row.hex("hex")?;
        let note = row.need_text("note")?;
        if name == "marshalls_base64" {
            let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
            let value: Value = frame::from_base64(&text, &Options::new()).map_err(said)?;
            let expected = expression::list(between(note, "variant_to_base64(", ")")?)?;
            expect_values(&expected, &[value])?;
            return same_bytes(
                "base64",
                text.as_bytes(),
                frame::to_base64(&expected[0], &Options::new()).map_err(said)?.as_bytes(),
            );
        }
        let dialect = dialect(row)?;
        let options = Options::new().dialect(dialect).precision(precision(row)?);
        if let Some((start, call)) = note.split_once("encode_var(") {
            let at: usize = between(call, "", ",")?.parse().map_err(|_| start.to_owned())?;
            let expected = expression::list(between(call, ",", ")")?)?;
            let rest = bytes.get(at..).ok_or("the offset is past the end")?;
            let (value, _) = read(rest, &options).map_err(said)?;
            expect_values(&expected, &[value])?;
            let written = options.to_vec(&expected[0]).map_err(said)?;
            return same_bytes("bytes", rest, &written);
        }
        let calls = note.split_once("calls: ").ok_or("the note names no calls")?.1;
        let calls = calls.split(';').next().unwrap_or(calls);
        // In the precision of the engine that made the row.
        let expected = expression::list(calls)?
            .iter()
            .map(|value| options.from_slice(&options.to_vec(value)?))
            .collect::<Result<Vec<Value>, Error>>()
            .map_err(said)?;
        let big = note.contains("big_endian=true");
        let framing = Framing::new().big_endian(big).options(options);
        let values: Vec<Value> = framing.all_from_slice(&bytes).map_err(said)?;
        expect_values(&expected, &values)?;
        let mut reader = framing.clone().reader(bytes.as_slice());
        for value in &values {
            if reader.read::<Value>().map_err(said)?.as_ref() != Some(value) {
                return Err("the stream reader differs from the slice reader".into());
            }
        }
        let mut written = Vec::new();
        for value in &expected {
            framing.to_writer(&mut written, value).map_err(said)?;
        }
        same_bytes("bytes", &bytes, &written)
    })()
    .into()
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Check<&'a str> {
    let (_, rest) = text.split_once(start).ok_or_else(|| format!("no `{start}` in `{text}`"))?;
    let (inner, _) = rest
        .rsplit_once(end)
        .or_else(|| rest.split_once(end))
        .ok_or_else(|| format!("no `{end}` in `{text}`"))?;
    Ok(inner.split(if end == "," { "," } else { "\0" }).next().unwrap_or(inner).trim())
}

fn expect_values(expected: &[Value], found: &[Value]) -> Check {
    if expected == found {
        return Ok(());
    }
    Err(format!("expected {expected:?}, found {found:?}"))
}

fn native_json(row: &Row) -> Check {
    let options = options(row, true)?.precision(Precision::Keep);
    let bytes = row.hex("hex")?;
    let value: Value = options.from_slice(&bytes).map_err(said)?;
    let expected = row.need("json")?;
    let notation = NativeJson(&value).write_deep(LEVELS);
    let found = serde_json::to_value(&notation).map_err(|error| error.to_string())?;
    tree::same_json(expected, &found).map_err(|difference| format!("json: {difference}"))?;
    let back = from_notation(&found)?;
    same_bytes("bytes of our notation", &bytes, &options.to_vec(&back).map_err(said)?)?;
    // The engine's text has 0.0 for -0.0, which the comparison takes for equal.
    let back = from_notation(expected)?;
    let again = serde_json::to_value(NativeJson(&back).write_deep(LEVELS));
    tree::same_json(expected, &again.map_err(|error| error.to_string())?)
        .map_err(|difference| format!("json of the row's notation: {difference}"))
}

/// The engine's text of a value, and what it reads from it.
fn text(row: &Row) -> Check {
    let options = options(row, true)?.unchecked_types(false);
    let value: Value = options.from_slice(&row.hex("hex")?).map_err(said)?;
    let expected = row.need_text("text")?;
    let found = text::to_string_with(&value, &options).map_err(said)?;
    if found != expected {
        return Err(format!("text: expected {expected:?}, found {found:?}"));
    }
    let back: Value = text::from_str_with(expected, &options).map_err(said)?;
    same_bytes("back", &row.hex("back")?, &options.to_vec(&back).map_err(said)?)
}

/// A file with sections: its values in the engine's order, and what the engine writes of them.
fn config(row: &Row) -> Check {
    use godot_variant::text::config::ConfigFile;

    let (text, options) = (row.need_text("text")?, Options::new().allow_objects(true));
    let file = match (ConfigFile::parse_with(text, &options), row.flag("ok")) {
        (Ok(file), true) => file,
        (Ok(file), false) => return Err(format!("read as {:.80?}", file.to_text())),
        (Err(error), true) => return Err(said(error)),
        (Err(_), false) if row.need("values")?.as_array().is_none_or(Vec::is_empty) => {
            return Ok(());
        }
        (Err(_), false) => return Err("values of a text that is refused".into()),
    };
    let mut found = Vec::new();
    for (section, key, value) in file.iter() {
        let bytes = to_hex(&options.to_vec(value).map_err(said)?);
        found.push(serde_json::json!([section, key, bytes]));
    }
    tree::same_json(row.need("values")?, &found.into())?;
    let (expected, found) = (row.need_text("back")?, file.to_text().map_err(said)?);
    if found != expected || file.as_str() != text {
        return Err(format!("back: expected {expected:?}, found {found:?}"));
    }
    Ok(())
}

fn from_notation(json: &Json) -> Check<Value> {
    use serde::de::DeserializeSeed;
    NativeJsonSeed::new(LEVELS).deserialize(json).map_err(|error| error.to_string())
}
