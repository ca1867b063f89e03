use super::{Bean, Dynamic, List, Map, Value};
use crate::error::{Error, Result, Segment};
use crate::kind::Kind;
use crate::read::{Reader, Tag};
use crate::types::{Vector2, Vector3, Vector4};

/// Reads a value inside of `depth` containers.
pub(crate) fn decode(reader: &mut Reader<'_>, kind: Kind, depth: usize) -> Result<Value> {
    Ok(match kind {
        Kind::Int => Value::Int(reader.int()?),
        Kind::Float => Value::Float(reader.f32()?),
        Kind::Double => Value::Double(reader.f64()?),
        Kind::Bytes => Value::Bytes(reader.bytes()?.to_vec()),
        Kind::Vector2 => Value::Vector2(Vector2::from_array(reader.floats(kind)?)),
        Kind::Vector3 => Value::Vector3(Vector3::from_array(reader.floats(kind)?)),
        Kind::Vector4 => Value::Vector4(Vector4::from_array(reader.floats(kind)?)),
        Kind::Vector2Int => Value::Vector2Int([reader.int()?, reader.int()?]),
        Kind::Vector3Int => Value::Vector3Int([reader.int()?, reader.int()?, reader.int()?]),
        Kind::List => list(reader, open(reader, depth)?)?,
        Kind::Map => map(reader, open(reader, depth)?)?,
        Kind::Bean => Value::Bean(bean(reader, open(reader, depth)?)?),
        Kind::Dynamic => {
            let depth = open(reader, depth)?;
            let type_id = reader.int()?;
            Value::Dynamic(Box::new(Dynamic { type_id, bean: bean(reader, depth)? }))
        }
    })
}

fn open(reader: &Reader<'_>, depth: usize) -> Result<usize> {
    if depth >= reader.options.max_depth {
        return Err(reader.options.too_deep(Some(reader.offset())));
    }
    Ok(depth.saturating_add(1))
}

fn list(reader: &mut Reader<'_>, depth: usize) -> Result<Value> {
    let head = reader.list_head()?;
    // The count is not more than the bytes that are left.
    let mut items = Vec::with_capacity(head.count);
    for index in 0..head.count {
        match decode(reader, head.kind, depth) {
            Ok(item) => items.push(item),
            Err(error) => return Err(error.in_index(index)),
        }
    }
    Ok(Value::List(List { element: head.number, items }))
}

fn map(reader: &mut Reader<'_>, depth: usize) -> Result<Value> {
    let head = reader.map_head()?;
    let mut entries = Vec::with_capacity(head.count);
    for index in 0..head.count {
        let key = decode(reader, head.kinds.0, depth)
            .map_err(|error| error.in_segment(Segment::Other(format!("key {index}"))))?;
        let value =
            decode(reader, head.kinds.1, depth).map_err(|error| in_entry(error, &key, index))?;
        entries.push((key, value));
    }
    Ok(Value::Map(Map { types: head.numbers, entries }))
}

#[cold]
fn in_entry(error: Error, key: &Value, index: usize) -> Error {
    error.in_segment(key_segment(key, index))
}

/// How a path calls the value of a key.
pub(crate) fn key_segment(key: &Value, index: usize) -> Segment {
    match key {
        Value::Int(key) => Segment::Other(key.to_string()),
        Value::Bytes(text) => match std::str::from_utf8(text) {
            Ok(text) => Segment::key(text),
            Err(_) => Segment::Other(format!("key {index}")),
        },
        _ => Segment::Other(format!("key {index}")),
    }
}

fn bean(reader: &mut Reader<'_>, depth: usize) -> Result<Bean> {
    let (mut bean, mut last) = (Bean::new(), 0);
    loop {
        match reader.tag(last)? {
            Tag::End => return Ok(bean),
            Tag::Base => {
                let depth = open(reader, depth)?;
                let base = self::bean(reader, depth)
                    .map_err(|error| error.in_segment(Segment::Other("base".into())))?;
                bean.base = Some(Box::new(base));
                return Ok(bean);
            }
            Tag::Field(id, kind) => {
                last = id;
                match decode(reader, kind, depth) {
                    Ok(value) => push(&mut bean.fields, (id, value)),
                    Err(error) => {
                        return Err(error.in_segment(Segment::Other(format!("field {id}"))));
                    }
                }
            }
        }
    }
}

/// Grows by half and not by more: a field may have two bytes in the input.
fn push(fields: &mut Vec<(u32, Value)>, field: (u32, Value)) {
    if fields.len() == fields.capacity() {
        fields.reserve_exact((fields.len() / 2).max(1));
    }
    fields.push(field);
}
