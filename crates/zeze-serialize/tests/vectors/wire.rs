//! Rows about the parts of the format: integers, headers, text, hashes.

use gamewire_testkit::vectors::{Outcome, Row, from_hex, same_bytes};
use serde::de::IgnoredAny;
use serde_json::{Value as Json, json};
use zeze_serialize::{Kind, Unknown, Value, hash, wire};

use crate::vectors::notation::same;
use crate::{Check, LENIENT, STRICT, expect_used, said, take};

/// A field that holds an integer; large ones are text.
fn integer<T: TryFrom<i128>>(row: &Row, name: &str) -> Check<T> {
    let json = row.need(name)?;
    let wide = match json {
        Json::String(text) => text.parse().ok(),
        json => json.as_i64().map(i128::from).or_else(|| json.as_u64().map(i128::from)),
    };
    let value = wide.and_then(|wide| T::try_from(wide).ok());
    value.ok_or_else(|| format!("`{name}` of the row is no number in range: {json}"))
}

fn kind(row: &Row, name: &str) -> Check<Kind> {
    let number = integer(row, name)?;
    Kind::from_number(number).ok_or_else(|| format!("{number} is no wire type"))
}

fn differ<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, found: &T) -> Check {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected:?}, found {found:?}"))
    }
}

/// Nothing may be left of a value that takes all of its bytes.
fn whole<T>((value, rest): (T, &[u8])) -> Check<T> {
    if rest.is_empty() { Ok(value) } else { Err(format!("{} bytes are left", rest.len())) }
}

pub(crate) fn int(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let expected: i64 = integer(row, "value")?;
    let found = LENIENT.from_slice::<i64>(&bytes).map_err(said)?;
    differ("value", &expected, &found)?;
    differ("value by hand", &expected, &whole(wire::read_int(&bytes).map_err(said)?)?)?;
    same_bytes("bytes", &bytes, &LENIENT.to_vec(&expected).map_err(said)?)?;
    let mut written = Vec::new();
    wire::write_int(&mut written, expected);
    same_bytes("bytes by hand", &bytes, &written)?;
    let list = [&[0x20], bytes.as_slice(), &bytes].concat();
    let elements: Vec<i64> = STRICT.from_slice(&list).map_err(said)?;
    differ("elements", &vec![expected; 2], &elements)?;
    same_bytes("list", &list, &STRICT.to_vec(&elements).map_err(said)?)
}

pub(crate) fn int_decode(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let read = take::<i64>(&LENIENT, &bytes);
    let by_hand = wire::read_int(&bytes);
    let skipped = wire::skip(&bytes, Kind::Int);
    if row.get("error").is_some() {
        return match (read, by_hand, skipped) {
            (Err(_), Err(_), Err(_)) => Ok(()),
            (read, ..) => Err(format!("accepted as {read:?}")),
        };
    }
    let expected = integer(row, "value")?;
    let (value, used) = read.map_err(said)?;
    differ("value", &expected, &value)?;
    differ("value by hand", &expected, &by_hand.map_err(said)?.0)?;
    row.need("consumed")?;
    expect_used(row.get("consumed"), used)?;
    expect_used(row.get("skip_consumed"), bytes.len() - skipped.map_err(said)?.len())
}

pub(crate) fn uint32(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let expected = integer(row, "value")?;
    differ("value", &expected, &whole(wire::read_uint(&bytes).map_err(said)?)?)?;
    differ("as 64 bits", &u64::from(expected), &whole(wire::read_ulong(&bytes).map_err(said)?)?)?;
    let mut written = Vec::new();
    wire::write_uint(&mut written, expected);
    same_bytes("bytes", &bytes, &written)?;
    written.clear();
    wire::write_ulong(&mut written, expected.into());
    same_bytes("bytes of 64 bits", &bytes, &written)
}

pub(crate) fn uint64(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let expected = integer(row, "value")?;
    differ("value", &expected, &whole(wire::read_ulong(&bytes).map_err(said)?)?)?;
    let mut written = Vec::new();
    wire::write_ulong(&mut written, expected);
    same_bytes("bytes", &bytes, &written)
}

pub(crate) fn uint_decode(row: &Row) -> Outcome {
    (|| -> Result<Outcome, String> {
        let bytes = row.hex("hex")?;
        let (short, long) = (wire::read_uint(&bytes), wire::read_ulong(&bytes));
        if row.get("error").is_some() {
            return match (short, long) {
                (Err(_), Err(_)) => Ok(Outcome::Passed),
                (short, long) => Err(format!("accepted as {short:?}, {long:?}")),
            };
        }
        let (value, rest) = long.map_err(said)?;
        differ("64 bits", &integer(row, "value64")?, &value)?;
        expect_used(row.get("consumed"), bytes.len() - rest.len())?;
        // Of 32 bits, lengths that nothing writes are refused.
        if bytes.first().is_some_and(|first| *first > 0xf0) {
            differ("32 bits", &integer(row, "value")?, &(value & 0xffff_ffff))?;
            return match short {
                Err(_) => Ok(Outcome::Passed),
                Ok(found) => Err(format!("accepted as {found:?}")),
            };
        }
        let (value, rest) = short.map_err(said)?;
        differ("32 bits", &integer(row, "value")?, &value)?;
        expect_used(row.get("skipuint_consumed"), bytes.len() - rest.len())?;
        Ok(Outcome::Passed)
    })()
    .unwrap_or_else(Outcome::Failed)
}

pub(crate) fn tag(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let (last, id, kind) = (integer(row, "last_id")?, integer(row, "id")?, kind(row, "type")?);
    let found = whole(wire::read_tag(&bytes, last).map_err(said)?)?;
    differ("tag", &wire::Tag::Field(id, kind), &found)?;
    let mut written = Vec::new();
    wire::write_tag(&mut written, last, id, kind).map_err(said)?;
    same_bytes("bytes", &bytes, &written)?;
    // In a bean: the field before it, then the field.
    let mut bean = zeze_serialize::value::Bean::new();
    if last > 0 {
        bean.insert(last, Value::Int(1));
    }
    bean.insert(id, zero(kind));
    let written = Value::Bean(bean.clone()).to_vec(&LENIENT).map_err(said)?;
    let back: Value = LENIENT.from_slice(&written).map_err(said)?;
    differ("bean", &Value::Bean(bean), &back)?;
    let ends = zero(kind).to_vec(&LENIENT).map_err(said)?;
    let field = [bytes, ends, vec![0]].concat();
    if written.ends_with(&field) { Ok(()) } else { Err(format!("the bean is {written:02x?}")) }
}

/// A value of a wire type, with zeros in it.
fn zero(kind: Kind) -> Value {
    let zeros = [0; 16];
    match Value::take_from_slice(&zeros, kind, &LENIENT) {
        Ok((value, _)) => value,
        Err(error) => panic!("zeros are no {kind}: {error}"),
    }
}

/// Most rows have few elements; the header alone is looked at where there are many.
const MANY: usize = 100_000;

pub(crate) fn list_header(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let (count, element) = (integer(row, "count")?, kind(row, "elem")?);
    let mut written = Vec::new();
    wire::write_list_header(&mut written, count, element).map_err(said)?;
    same_bytes("bytes", &bytes, &written)?;
    if count > MANY {
        return Ok(());
    }
    let list = zeze_serialize::value::List::new(element, vec![zero(element); count]);
    let mut expected = bytes;
    expected.extend(zero(element).to_vec(&LENIENT).map_err(said)?.repeat(count));
    let (header, _) = wire::read_list_header(&expected).map_err(said)?;
    differ("header", &(count, element), &header)?;
    container(&Value::List(list), &expected)
}

/// A list or map is written as these bytes, read from them, and skipped in them.
fn container(value: &Value, bytes: &[u8]) -> Check {
    same_bytes("container", bytes, &value.to_vec(&LENIENT).map_err(said)?)?;
    let read = Value::take_from_slice(bytes, value.kind(), &LENIENT).map_err(said)?;
    differ("container", value, &whole(read)?)?;
    let rest = wire::skip(bytes, value.kind()).map_err(said)?;
    expect_used(Some(&json!(bytes.len())), bytes.len() - rest.len())
}

pub(crate) fn map_header(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let (count, key, val) = (integer(row, "count")?, kind(row, "key")?, kind(row, "val")?);
    let mut written = Vec::new();
    wire::write_map_header(&mut written, count, key, val).map_err(said)?;
    same_bytes("bytes", &bytes, &written)?;
    if count > MANY {
        return Ok(());
    }
    let map = zeze_serialize::value::Map::new(key, val, vec![(zero(key), zero(val)); count]);
    let mut entry = zero(key).to_vec(&LENIENT).map_err(said)?;
    entry.extend(zero(val).to_vec(&LENIENT).map_err(said)?);
    let mut expected = bytes;
    expected.extend(entry.repeat(count));
    let (header, _) = wire::read_map_header(&expected).map_err(said)?;
    differ("header", &(count, key, val), &header)?;
    container(&Value::Map(map), &expected)
}

/// A text of so many x.
pub(crate) fn repeated(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let count: usize = integer(row, "value")?;
    let text = "x".repeat(count);
    let mut whole = bytes.clone();
    // The row may have the length alone.
    if !whole.ends_with(b"x") {
        whole.extend(text.as_bytes());
    }
    let found: &str = LENIENT.from_slice(&whole).map_err(said)?;
    differ("text", &text.as_str(), &found)?;
    same_bytes("bytes", &whole, &LENIENT.to_vec(&text).map_err(said)?)
}

/// Half a surrogate pair in three bytes: nothing that Rust can hold as text.
pub(crate) fn java_only(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    if let Ok(text) = LENIENT.from_slice::<String>(&bytes) {
        return Err(format!("accepted as {text:?}"));
    }
    let lossy: String = LENIENT.lossy_text(true).from_slice(&bytes).map_err(said)?;
    if !lossy.contains('\u{fffd}') {
        return Err(format!("read as {lossy:?}, with nothing replaced"));
    }
    let raw: serde_bytes::ByteBuf = LENIENT.from_slice(&bytes).map_err(said)?;
    same_bytes("bytes", &bytes, &LENIENT.to_vec(&raw).map_err(said)?)
}

/// Text that is not UTF-8: an error, or read with replacements as Java does.
pub(crate) fn invalid_text(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    if let Ok(text) = LENIENT.from_slice::<String>(&bytes) {
        return Err(format!("accepted as {text:?}"));
    }
    let lossy: String = LENIENT.lossy_text(true).from_slice(&bytes).map_err(said)?;
    same("java_result", row.need("java_result")?, &json!(lossy))?;
    let raw: serde_bytes::ByteBuf = LENIENT.from_slice(&bytes).map_err(said)?;
    if let Some(expected) = row.text("bytes") {
        let digits = expected.strip_prefix("hex:").unwrap_or(expected);
        same_bytes("the bytes", &from_hex(digits)?, &raw)?;
    }
    let (IgnoredAny, used) =
        take(&LENIENT, &[&[0x13], bytes.as_slice(), &[0]].concat()).map_err(said)?;
    expect_used(Some(&json!(bytes.len() + 2)), used)
}

pub(crate) fn hash(row: &Row) -> Check {
    let expected: i64 = integer(row, "value")?;
    let found = match row.need_text("kind")? {
        "fixedhash64" => hash::type_id(row.need_text("input")?),
        "hash_string" => hash::string(row.need_text("input")?).into(),
        "hash_bytes" => {
            let digits = row.need_text("input")?;
            let digits = digits.strip_prefix("hex:").ok_or("`input` of the row is not binary")?;
            hash::bytes(&from_hex(digits)?).into()
        }
        _ => hash::long(integer(row, "input")?).into(),
    };
    differ("hash", &expected, &found)
}

/// What the reference keeps of unknown fields: of each the id, the wire type, the size, the bytes.
pub(crate) fn blob(unknown: &Unknown) -> Vec<u8> {
    let mut blob = Vec::new();
    let value = unknown.to_value().expect("the unknown is a bean");
    let Value::Bean(bean) = value else { panic!("the unknown is no bean") };
    for (id, value) in bean.iter() {
        let bytes = raw(unknown, id);
        wire::write_uint(&mut blob, id);
        blob.push(value.kind().number());
        wire::write_uint(&mut blob, u32::try_from(bytes.len()).expect("a short value"));
        blob.extend(bytes);
    }
    blob
}

/// The bytes of one unknown field, as they came.
fn raw(unknown: &Unknown, wanted: u32) -> Vec<u8> {
    let mut rest = unknown.as_bytes();
    let mut last = 0;
    loop {
        let (tag, after) = wire::read_tag(rest, last).expect("a tag");
        let wire::Tag::Field(id, kind) = tag else { panic!("no field {wanted}") };
        let end = wire::skip(after, kind).expect("a value");
        if id == wanted {
            return after[..after.len() - end.len()].to_vec();
        }
        (rest, last) = (end, id);
    }
}
