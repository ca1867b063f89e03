use super::{Bean, Value};
use crate::error::{Error, ErrorKind, Result, Segment};
use crate::kind::Kind;
use crate::options::Options;
use crate::write;

/// Writes a value inside of `depth` containers, without a tag.
pub(crate) fn encode(
    value: &Value,
    out: &mut Vec<u8>,
    depth: usize,
    options: &Options,
) -> Result<()> {
    match value {
        Value::Int(value) => write::int(out, *value),
        Value::Float(value) => out.extend_from_slice(&value.to_le_bytes()),
        Value::Double(value) => out.extend_from_slice(&value.to_le_bytes()),
        Value::Bytes(bytes) => {
            write::uint(out, count(bytes.len())?);
            out.extend_from_slice(bytes);
        }
        Value::Vector2(vector) => floats(out, &vector.to_array()),
        Value::Vector3(vector) => floats(out, &vector.to_array()),
        Value::Vector4(vector) => floats(out, &vector.to_array()),
        Value::Vector2Int(vector) => vector.iter().for_each(|value| write::int(out, *value)),
        Value::Vector3Int(vector) => vector.iter().for_each(|value| write::int(out, *value)),
        Value::List(list) => {
            let depth = open(depth, options)?;
            write::list_header(out, count(list.len())?, list.element);
            for (index, item) in list.iter().enumerate() {
                element(item, list.element)
                    .and_then(|()| encode(item, out, depth, options))
                    .map_err(|error| error.in_index(index))?;
            }
        }
        Value::Map(map) => {
            let depth = open(depth, options)?;
            write::map_header(out, count(map.len())?, map.types.0, map.types.1);
            for (index, (key, value)) in map.iter().enumerate() {
                element(key, map.types.0)
                    .and_then(|()| encode(key, out, depth, options))
                    .map_err(|error| error.in_segment(Segment::Other(format!("key {index}"))))?;
                element(value, map.types.1)
                    .and_then(|()| encode(value, out, depth, options))
                    .map_err(|error| error.in_segment(super::decode::key_segment(key, index)))?;
            }
        }
        Value::Bean(value) => bean(value, out, open(depth, options)?, options)?,
        Value::Dynamic(value) => {
            let depth = open(depth, options)?;
            write::int(out, value.type_id);
            bean(&value.bean, out, depth, options)?;
        }
    }
    options.check_output(out.len())
}

fn floats(out: &mut Vec<u8>, floats: &[f32]) {
    floats.iter().for_each(|float| out.extend_from_slice(&float.to_le_bytes()));
}

fn open(depth: usize, options: &Options) -> Result<usize> {
    if depth >= options.max_depth {
        return Err(options.too_deep(None));
    }
    Ok(depth.saturating_add(1))
}

fn count(count: usize) -> Result<u32> {
    match u32::try_from(count) {
        Ok(count) if count <= write::MOST_ID => Ok(count),
        _ => Err(Error::new(
            ErrorKind::NumberRange,
            format!("expected a length of at most {}, found {count}", write::MOST_ID),
        )),
    }
}

fn element(value: &Value, number: u8) -> Result<()> {
    let (found, wanted) = (value.kind(), Kind::from_number(number));
    if wanted == Some(found) {
        return Ok(());
    }
    let wanted = wanted.map_or("no element", Kind::article);
    Err(Error::new(
        ErrorKind::MixedTypes,
        format!("expected {wanted} by the container's wire type, found {}", found.article()),
    ))
}

fn bean(bean: &Bean, out: &mut Vec<u8>, depth: usize, options: &Options) -> Result<()> {
    let mut last = 0;
    for (id, value) in bean.iter() {
        let step = id.checked_sub(last).filter(|step| *step > 0 && id <= write::MOST_ID);
        let Some(step) = step else {
            return Err(Error::new(
                ErrorKind::InvalidId,
                format!("expected a field id of 1 to {}, found {id}", write::MOST_ID),
            ));
        };
        write::tag(out, step, value.kind());
        encode(value, out, depth, options)
            .map_err(|error| error.in_segment(Segment::Other(format!("field {id}"))))?;
        last = id;
    }
    match bean.base() {
        Some(base) => {
            out.push(write::BASE);
            self::bean(base, out, open(depth, options)?, options)
                .map_err(|error| error.in_segment(Segment::Other("base".into())))
        }
        None => {
            out.push(write::END);
            Ok(())
        }
    }
}
