//! Rows without a schema: values of any wire type, as trees.

use gamewire_testkit::vectors::{Row, from_hex, same_bytes, to_hex};
use serde_bytes::ByteBuf;
use serde_json::{Value as Json, json};
use zeze_serialize::value::{Bean, Dynamic, List, Map};
use zeze_serialize::{Kind, Value, Vector2, Vector3, Vector4, wire};

use crate::vectors::notation::{Notation, member, same};
use crate::{Check, LENIENT, STRICT, said};

pub(crate) fn run(row: &Row) -> Check {
    let bytes = row.hex("hex")?;
    let number = row.need("type")?.as_u64().and_then(|number| u8::try_from(number).ok());
    let kind = number.and_then(Kind::from_number).ok_or("`type` of the row is no wire type")?;
    let expected = row.need("value")?;

    let (value, rest) = Value::take_from_slice(&bytes, kind, &LENIENT).map_err(said)?;
    if !rest.is_empty() {
        return Err(format!("{} bytes are left", rest.len()));
    }
    same("value", expected, &of(&value))?;
    same_bytes("bytes", &bytes, &value.to_vec(&LENIENT).map_err(said)?)?;

    let made = value_of(expected, kind)?;
    if made != value {
        return Err(format!("the row makes {made:?}, the bytes {value:?}"));
    }
    same_bytes("bytes of `value`", &bytes, &made.to_vec(&LENIENT).map_err(said)?)?;

    let after = wire::skip(&bytes, kind).map_err(said)?;
    if !after.is_empty() {
        return Err(format!("{} bytes are not skipped", after.len()));
    }
    // Through serde: as the value of a field, and as a root of a known type.
    let mut bean = Vec::new();
    wire::write_tag(&mut bean, 0, 5, kind).map_err(said)?;
    bean.extend(&bytes);
    wire::write_end(&mut bean);
    let whole: Value = STRICT.from_slice(&bean).map_err(said)?;
    if whole.pointer("/5") != Some(&value) {
        return Err(format!("in a bean it is {whole:?}"));
    }
    same_bytes("bean", &bean, &STRICT.to_vec(&whole).map_err(said)?)?;
    let root: Value = STRICT.from_value(&value).map_err(said)?;
    if root != value {
        return Err(format!("as a root it is {root:?}"));
    }
    // And the crate's own notation.
    let text = serde_json::to_string(&value).map_err(|error| error.to_string())?;
    let back: Value = serde_json::from_str(&text).map_err(|error| format!("{text}: {error}"))?;
    if back != value {
        return Err(format!("{text} is read as {back:?}"));
    }
    Ok(())
}

/// The notation of a value.
fn of(value: &Value) -> Json {
    match value {
        Value::Int(value) => json!(value),
        Value::Float(value) => value.show(),
        Value::Double(value) => value.show(),
        Value::Bytes(bytes) => json!(format!("hex:{}", to_hex(bytes))),
        Value::List(list) => {
            json!({ "elem": number(list.element()), "items": list.iter().map(of).collect::<Vec<_>>() })
        }
        Value::Map(map) => {
            let entries: Vec<Json> =
                map.iter().map(|(key, value)| json!([of(key), of(value)])).collect();
            json!({ "key": number(map.key()), "val": number(map.value()), "entries": entries })
        }
        Value::Bean(bean) => layers(bean),
        Value::Dynamic(dynamic) => {
            json!({ "type_id": dynamic.type_id, "bean": layers(&dynamic.bean) })
        }
        Value::Vector2(vector) => vector.show(),
        Value::Vector3(vector) => vector.show(),
        Value::Vector4(vector) => vector.show(),
        Value::Vector2Int(vector) => json!(vector),
        Value::Vector3Int(vector) => json!(vector),
    }
}

fn number(kind: Option<Kind>) -> Option<u8> {
    kind.map(Kind::number)
}

fn layers(bean: &Bean) -> Json {
    let layer = |bean: &Bean| -> Json {
        let field = |(id, value): (u32, &Value)| json!({ "id": id, "type": value.kind().number(), "value": of(value) });
        bean.iter().map(field).collect()
    };
    bean.layers().map(layer).collect()
}

/// A value from its notation.
fn value_of(json: &Json, kind: Kind) -> Check<Value> {
    let list = |name: &str| -> Check<&Vec<Json>> {
        member(json, name)?.as_array().ok_or_else(|| format!("`{name}` is no list"))
    };
    Ok(match kind {
        Kind::Int => Value::Int(i64::read(json)?),
        Kind::Float => Value::Float(f32::read(json)?),
        Kind::Double => Value::Double(f64::read(json)?),
        Kind::Bytes => Value::Bytes(bytes(json)?),
        Kind::List => {
            let element = kind_of(json, "elem")?;
            let items = list("items")?.iter().map(|item| value_of(item, element));
            Value::List(List::new(element, items.collect::<Check<_>>()?))
        }
        Kind::Map => {
            let (key, value) = (kind_of(json, "key")?, kind_of(json, "val")?);
            let entries = list("entries")?.iter().map(|entry| {
                let [one, two] = entry.as_array().map(Vec::as_slice).unwrap_or_default() else {
                    return Err(format!("{entry} is no entry"));
                };
                Ok((value_of(one, key)?, value_of(two, value)?))
            });
            Value::Map(Map::new(key, value, entries.collect::<Check<_>>()?))
        }
        Kind::Bean => Value::Bean(bean(json)?),
        Kind::Dynamic => {
            let type_id = i64::read(member(json, "type_id")?)?;
            Value::from(Dynamic { type_id, bean: bean(member(json, "bean")?)? })
        }
        Kind::Vector2 => Value::Vector2(Vector2::read(json)?),
        Kind::Vector3 => Value::Vector3(Vector3::read(json)?),
        Kind::Vector4 => Value::Vector4(Vector4::read(json)?),
        Kind::Vector2Int => Value::Vector2Int(integers(json)?),
        Kind::Vector3Int => Value::Vector3Int(integers(json)?),
    })
}

/// Text is in the notation as its bytes, or as text.
fn bytes(json: &Json) -> Check<Vec<u8>> {
    match json.as_str() {
        Some(text) if text.starts_with("hex:") => from_hex(&text[4..]),
        _ => ByteBuf::read(json).map(ByteBuf::into_vec),
    }
}

fn integers<const N: usize>(json: &Json) -> Check<[i64; N]> {
    let list = Vec::<i64>::read(json)?;
    <[i64; N]>::try_from(list).map_err(|list| format!("{} components", list.len()))
}

fn kind_of(json: &Json, name: &str) -> Check<Kind> {
    let number = member(json, name)?.as_u64().and_then(|number| u8::try_from(number).ok());
    number.and_then(Kind::from_number).ok_or_else(|| format!("`{name}` is no wire type"))
}

fn bean(json: &Json) -> Check<Bean> {
    let layers = json.as_array().ok_or_else(|| format!("{json} is no bean"))?;
    let mut made: Option<Bean> = None;
    for layer in layers.iter().rev() {
        let fields = layer.as_array().ok_or_else(|| format!("{layer} is no layer"))?;
        let mut bean = Bean::new();
        for field in fields {
            let id = member(field, "id")?.as_u64().and_then(|id| u32::try_from(id).ok());
            let value = value_of(member(field, "value")?, kind_of(field, "type")?)?;
            bean.insert(id.ok_or("an id out of range")?, value);
        }
        bean.set_base(made.take());
        made = Some(bean);
    }
    made.ok_or_else(|| "a bean without layers".to_owned())
}
