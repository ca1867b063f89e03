//! Vectors of the reference implementation for what needs no Rust types: integers, headers, values
//! without a schema, hashes. Beans through derived structs are checked by `cargo xtask vectors`.

use gamewire_testkit::vectors::Row;
use serde_json::Value as Json;
use zeze_serialize::value::{Bean, Dynamic, List, Map};
use zeze_serialize::{Kind, Options, Value, hash, wire};

use crate::support::{digits, rows};

/// Runs a check on every row of some files; all failures are told at once.
fn each(files: &[&str], kinds: &[&str], check: impl Fn(&Row) -> Result<(), String>) {
    let (mut count, mut failures) = (0, Vec::new());
    for file in files {
        for row in rows(file) {
            if !kinds.contains(&row.need_text("kind").unwrap()) {
                continue;
            }
            count += 1;
            if let Err(error) = check(&row) {
                failures.push(format!("{} {}: {error}", row.place(), row.name()));
            }
        }
    }
    assert!(count > 0, "no row of {kinds:?}");
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
}

fn same<T: PartialEq + std::fmt::Debug>(found: T, wanted: T) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{found:?} for {wanted:?}")) }
}

fn text<T>(result: zeze_serialize::Result<T>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

#[test]
fn signed_integers() {
    each(&["int.jsonl"], &["int"], |row| {
        let (value, bytes) = (row.need("value")?.as_i64().unwrap(), row.hex("hex")?);
        same(text(wire::read_int(&bytes))?, (value, &[][..]))?;
        let mut out = Vec::new();
        wire::write_int(&mut out, value);
        same(digits(&out), digits(&bytes))?;
        // The same with much behind it.
        let longer = [&bytes[..], &[0xa5; 9]].concat();
        same(text(wire::read_int(&longer))?, (value, &[0xa5; 9][..]))?;
        same(text(wire::skip(&longer, Kind::Int))?.len(), 9)
    });
    each(&["int.jsonl"], &["int_decode"], |row| {
        let bytes = row.hex("hex")?;
        match row.get("value") {
            Some(value) => {
                let (found, rest) = text(wire::read_int(&bytes))?;
                same(Some(found), value.as_i64())?;
                let consumed = bytes.len() - rest.len();
                same(Some(consumed as u64), row.need("consumed")?.as_u64())?;
                same(text(wire::skip(&bytes, Kind::Int))?.len(), rest.len())
            }
            None => {
                row.need("error")?;
                same(wire::read_int(&bytes).is_err(), true)?;
                same(wire::skip(&bytes, Kind::Int).is_err(), true)
            }
        }
    });
}

#[test]
fn unsigned_integers() {
    each(&["uint.jsonl"], &["uint32"], |row| {
        let value = u32::try_from(row.need("value")?.as_u64().unwrap()).unwrap();
        let bytes = row.hex("hex")?;
        let mut out = Vec::new();
        wire::write_uint(&mut out, value);
        same(digits(&out), digits(&bytes))?;
        same(text(wire::read_uint(&bytes))?, (value, &[][..]))
    });
    each(&["uint.jsonl"], &["uint64"], |row| {
        let (value, bytes) = (row.need_text("value")?.parse().unwrap(), row.hex("hex")?);
        let mut out = Vec::new();
        wire::write_ulong(&mut out, value);
        same(digits(&out), digits(&bytes))?;
        same(text(wire::read_ulong(&bytes))?, (value, &[][..]))
    });
    each(&["uint.jsonl"], &["uint_decode"], |row| {
        let bytes = row.hex("hex")?;
        let Some(low) = row.get("value").and_then(Json::as_u64) else {
            return same(wire::read_uint(&bytes).is_err(), true);
        };
        // What is above f0 has no meaning as a length, and is refused as one.
        same(wire::read_uint(&bytes).is_ok(), bytes[0] <= 0xf0)?;
        let (value, rest) = text(wire::read_ulong(&bytes))?;
        same(value & 0xffff_ffff, low)?;
        same(Some((bytes.len() - rest.len()) as u64), row.need("consumed")?.as_u64())
    });
}

#[test]
fn headers() {
    let number = |row: &Row, key: &str| Ok::<_, String>(row.need(key)?.as_u64().unwrap());
    let kind =
        |row: &Row, key: &str| Ok::<_, String>(Kind::from_number(number(row, key)? as u8).unwrap());
    each(&["header.jsonl", "page.jsonl"], &["tag"], |row| {
        let (last, id) = (number(row, "last_id")? as u32, number(row, "id")? as u32);
        let (kind, bytes) = (kind(row, "type")?, row.hex("hex")?);
        let mut out = Vec::new();
        text(wire::write_tag(&mut out, last, id, kind))?;
        same(digits(&out), digits(&bytes))?;
        same(text(wire::read_tag(&bytes, last))?, (wire::Tag::Field(id, kind), &[][..]))
    });
    each(&["header.jsonl", "page.jsonl"], &["list_header"], |row| {
        let (count, element) = (number(row, "count")? as usize, kind(row, "elem")?);
        let mut out = Vec::new();
        text(wire::write_list_header(&mut out, count, element))?;
        same(digits(&out), digits(&row.hex("hex")?))?;
        out.resize(out.len() + count * 16, 0);
        let ((found, of), rest) = text(wire::read_list_header(&out))?;
        same((found, of, rest.len()), (count, element, count * 16))
    });
    each(&["header.jsonl", "page.jsonl"], &["map_header"], |row| {
        let count = number(row, "count")? as usize;
        let (key, value) = (kind(row, "key")?, kind(row, "val")?);
        let mut out = Vec::new();
        text(wire::write_map_header(&mut out, count, key, value))?;
        same(digits(&out), digits(&row.hex("hex")?))?;
        out.resize(out.len() + count * 32, 0);
        same(text(wire::read_map_header(&out))?.0, (count, key, value))
    });
}

#[test]
fn scalars() {
    each(&["scalar.jsonl"], &["float", "double", "bytes", "string"], |row| {
        let bytes = row.hex("hex")?;
        let kind = match row.need_text("kind")? {
            "float" => Kind::Float,
            "double" => Kind::Double,
            _ => Kind::Bytes,
        };
        let wanted = value(kind, row.need("value")?);
        let (found, rest) = text(Value::take_from_slice(&bytes, kind, &Options::new()))?;
        same((&found, rest), (&wanted, &[][..]))?;
        same(digits(&text(wanted.to_vec(&Options::new()))?), digits(&bytes))
    });
    each(&["scalar.jsonl"], &["string_java_only", "string_decode_invalid"], |row| {
        let bytes = row.hex("hex")?;
        same(zeze_serialize::from_slice::<String>(&bytes).is_err(), true)?;
        let lossy: String = text(Options::new().lossy_text(true).from_slice(&bytes))?;
        same(lossy.contains('\u{fffd}'), true)?;
        match row.text("java_result") {
            // How many marks stand for a wrong sequence differs between Java and Rust.
            Some(java) => {
                let once = |text: &str| {
                    let mut chars: Vec<char> = text.chars().collect();
                    chars.dedup_by(|a, b| a == b && *a == '\u{fffd}');
                    chars
                };
                same(once(&lossy), once(java))
            }
            None => Ok(()),
        }
    });
}

/// A value of the notation of the vectors.
fn value(kind: Kind, json: &Json) -> Value {
    let single = |json: &Json| {
        let bits = json.as_str().unwrap().strip_prefix("f32:").unwrap();
        f32::from_bits(u32::from_str_radix(bits, 16).unwrap())
    };
    let floats = || json.as_array().unwrap().iter().map(single).collect::<Vec<f32>>();
    let ints = || json.as_array().unwrap().iter().map(|int| int.as_i64().unwrap()).collect();
    let of = |key: &str| Kind::from_number(json[key].as_u64().unwrap() as u8).unwrap();
    match kind {
        Kind::Int => Value::Int(json.as_i64().unwrap()),
        Kind::Float => Value::Float(single(json)),
        Kind::Double => {
            let bits = json.as_str().unwrap().strip_prefix("f64:").unwrap();
            Value::Double(f64::from_bits(u64::from_str_radix(bits, 16).unwrap()))
        }
        Kind::Bytes => {
            let text = json.as_str().unwrap();
            match text.strip_prefix("hex:") {
                Some(hex) => Value::Bytes(crate::support::hex(hex)),
                None => text.into(),
            }
        }
        Kind::Vector2 => {
            <[f32; 2]>::try_from(floats()).map(zeze_serialize::Vector2::from).unwrap().into()
        }
        Kind::Vector3 => {
            <[f32; 3]>::try_from(floats()).map(zeze_serialize::Vector3::from).unwrap().into()
        }
        Kind::Vector4 => {
            <[f32; 4]>::try_from(floats()).map(zeze_serialize::Vector4::from).unwrap().into()
        }
        Kind::Vector2Int => Value::Vector2Int(Vec::<i64>::try_into(ints()).unwrap()),
        Kind::Vector3Int => Value::Vector3Int(Vec::<i64>::try_into(ints()).unwrap()),
        Kind::List => {
            let element = of("elem");
            let items = json["items"].as_array().unwrap().iter().map(|item| value(element, item));
            List::new(element, items.collect()).into()
        }
        Kind::Map => {
            let (key, to) = (of("key"), of("val"));
            let entries = json["entries"].as_array().unwrap().iter();
            let entries = entries.map(|entry| (value(key, &entry[0]), value(to, &entry[1])));
            Map::new(key, to, entries.collect()).into()
        }
        Kind::Bean => bean(json).into(),
        Kind::Dynamic => {
            let type_id = json["type_id"].as_i64().unwrap();
            Dynamic { type_id, bean: bean(&json["bean"]) }.into()
        }
    }
}

/// Layers of fields.
fn bean(json: &Json) -> Bean {
    let layers = json.as_array().unwrap().iter().rev().map(|layer| {
        let fields = layer.as_array().unwrap().iter().map(|field| {
            let kind = Kind::from_number(field["type"].as_u64().unwrap() as u8).unwrap();
            (field["id"].as_u64().unwrap() as u32, value(kind, &field["value"]))
        });
        fields.collect::<Bean>()
    });
    layers
        .reduce(|base, mut layer| {
            layer.set_base(Some(base));
            layer
        })
        .unwrap_or_default()
}

#[test]
fn values_without_a_schema() {
    let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    let kinds = [&kinds[..], &["quaternion", "bytes", "set", "binary"]].concat();
    each(&["tree.jsonl"], &kinds, |row| {
        let kind = Kind::from_number(row.need("type")?.as_u64().unwrap() as u8).unwrap();
        let bytes = row.hex("hex")?;
        let wanted = value(kind, row.need("value")?);
        let (found, rest) = text(Value::take_from_slice(&bytes, kind, &Options::new()))?;
        same((&found, rest), (&wanted, &[][..]))?;
        same(digits(&text(found.to_vec(&Options::new()))?), digits(&bytes))?;
        same(text(wire::skip(&bytes, kind))?.len(), 0)?;
        // The notation in JSON loses nothing.
        let json = serde_json::to_string(&found).unwrap();
        let back: Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
        same(&back, &found)?;
        // Behind a tag, as a field.
        let mut field = Vec::new();
        text(wire::write_tag(&mut field, 0, 9, kind))?;
        field.extend_from_slice(&bytes);
        wire::write_end(&mut field);
        let outer: Value = text(zeze_serialize::from_slice(&field))?;
        same(outer.pointer("/9"), Some(&found))?;
        same(digits(&text(zeze_serialize::to_vec(&outer))?), digits(&field))?;
        let explained = zeze_serialize::explain(&field);
        same(explained.error().map(ToString::to_string), None)
    });
    assert_eq!(rows("tree.jsonl").len(), 398);
}

#[test]
fn beans_without_a_schema() {
    let files = ["bean.jsonl", "demo_bvalue.jsonl", "evolve.jsonl", "page.jsonl", "convert.jsonl"];
    each(&files, &["bean", "evolve", "convert"], |row| {
        let bytes = row.hex("hex")?;
        let Ok((value, rest)) = zeze_serialize::take_from_slice::<Value>(&bytes) else {
            return match row.get("error") {
                Some(_) => Ok(()),
                // The reserved tag 03, which Java takes for a field.
                None => same(row.name(), "dup_field_delta0_type3"),
            };
        };
        same(
            digits(&text(zeze_serialize::to_vec(&value))?),
            digits(&bytes[..bytes.len() - rest.len()]),
        )
    });
}

#[test]
fn hashes() {
    each(&["hash.jsonl"], &["fixedhash64"], |row| {
        same(Some(hash::type_id(row.need_text("input")?)), row.need("value")?.as_i64())
    });
    each(&["hash.jsonl"], &["hash_string"], |row| {
        same(Some(hash::string(row.need_text("input")?).into()), row.need("value")?.as_i64())
    });
    each(&["hash.jsonl"], &["hash_bytes"], |row| {
        let input = row.need_text("input")?.strip_prefix("hex:").unwrap();
        same(Some(hash::bytes(&crate::support::hex(input)).into()), row.need("value")?.as_i64())
    });
    each(&["hash.jsonl"], &["hash_long"], |row| {
        let input = match row.need("input")? {
            Json::String(text) => text.parse().unwrap(),
            number => number.as_i64().unwrap(),
        };
        same(Some(hash::long(input).into()), row.need("value")?.as_i64())
    });
}

#[test]
fn frames() {
    use zeze_serialize::frame::{Framing, Header};
    each(&["protocol.jsonl", "page.jsonl"], &["protocol", "rpc", "page_frame"], |row| {
        let (bytes, kind) = (row.hex("hex")?, row.need_text("kind")?);
        let framing = if kind == "page_frame" { Framing::page() } else { Framing::new() };
        let (raw, rest) = text(framing.split(&bytes))?;
        same(rest.len(), 0)?;
        same(Some(raw.module_id.into()), row.need("moduleId")?.as_u64())?;
        same(Some(raw.protocol_id.into()), row.need("protocolId")?.as_u64())?;
        if let Some(id) = row.get("typeId") {
            same(Some(raw.type_id()), id.as_i64())?;
        }
        if kind == "page_frame" {
            same(&raw.header, &Header::Page)?;
        } else {
            same(raw.header.result_code(), row.need("resultCode")?.as_i64())?;
            same(raw.header.session_id(), row.need("sessionId")?.as_i64())?;
            let family = row.need("familyClass")?.as_u64();
            let found = match &raw.header {
                Header::Protocol { .. } => 2,
                header => u64::from(header.is_request()),
            };
            same(Some(found), family)?;
        }
        let frame = text(raw.into_frame::<Value>())?;
        same(digits(&text(framing.to_vec(&frame))?), digits(&bytes))?;
        same(framing.explain(&bytes).error().map(ToString::to_string), None)
    });
}
