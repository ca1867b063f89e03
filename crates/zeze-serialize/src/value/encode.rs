//! Values to bytes.

use super::walk::{Open, Place, Step, Walk};
use super::{Value, walk};
use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;
use crate::options::Options;
use crate::write;

/// Writes a value, without a tag.
pub(crate) fn encode(value: &Value, out: &mut Vec<u8>, options: &Options) -> Result<()> {
    let mut walk = Walk::new(value);
    while let Some(step) = walk.next() {
        match step {
            Step::Value(place, value) => {
                before(place, value, out).map_err(|error| walk.located(error))?;
                write_value(value, out).map_err(|error| walk.located(error))?;
            }
            Step::Base => out.push(write::BASE),
            // The base ends the bean.
            Step::Close(Open::Bean(bean, _)) if bean.base().is_none() => out.push(write::END),
            Step::Close(_) => continue,
        }
        if walk.levels() > options.max_depth {
            return Err(walk.located(options.too_deep(None)));
        }
        options.check_output(out.len()).map_err(|error| walk.located(error))?;
    }
    Ok(())
}

/// The tag of a field; elsewhere the wire type has to be the one of the header.
#[inline]
fn before(place: walk::Place, value: &Value, out: &mut Vec<u8>) -> Result<()> {
    match place {
        Place::Field { id, last } => {
            let step = id.checked_sub(last).filter(|step| *step > 0 && id <= write::MAX_ID);
            let Some(step) = step else {
                return Err(Error::new(
                    ErrorKind::InvalidId,
                    format!("expected a field id of 1 to {}, found {id}", write::MAX_ID),
                ));
            };
            write::tag(out, step, value.kind());
            Ok(())
        }
        Place::Item(number) | Place::Key(number) | Place::Entry(number)
            if number != value.kind().number() =>
        {
            let wanted = Kind::from_number(number).map_or("no element", Kind::article);
            let found = value.kind().article();
            Err(Error::new(
                ErrorKind::MixedTypes,
                format!("expected {wanted} by the container's wire type, found {found}"),
            ))
        }
        _ => Ok(()),
    }
}

/// A value, or what stands before the parts of a container.
#[inline]
fn write_value(value: &Value, out: &mut Vec<u8>) -> Result<()> {
    match value {
        Value::Int(value) => write::int(out, *value),
        Value::Float(value) => out.extend_from_slice(&value.to_le_bytes()),
        Value::Double(value) => out.extend_from_slice(&value.to_le_bytes()),
        Value::Bytes(bytes) => {
            write::uint(out, write::length(bytes.len())?);
            out.extend_from_slice(bytes);
        }
        Value::Vector2(vector) => floats(out, &vector.to_array()),
        Value::Vector3(vector) => floats(out, &vector.to_array()),
        Value::Vector4(vector) => floats(out, &vector.to_array()),
        Value::Vector2Int(vector) => vector.iter().for_each(|value| write::int(out, *value)),
        Value::Vector3Int(vector) => vector.iter().for_each(|value| write::int(out, *value)),
        Value::List(list) => write::list_header(out, write::length(list.len())?, list.element),
        Value::Map(map) => {
            write::map_header(out, write::length(map.len())?, map.types.0, map.types.1);
        }
        Value::Bean(_) => {}
        Value::Dynamic(dynamic) => write::int(out, dynamic.type_id),
    }
    Ok(())
}

fn floats(out: &mut Vec<u8>, floats: &[f32]) {
    floats.iter().for_each(|float| out.extend_from_slice(&float.to_le_bytes()));
}
