//! Values of Resonite's saves: BSON.

use gamewire::document::CONTAINERS;
use gamewire::resonite_brson::value::{Document, Key};
use gamewire::resonite_brson::{Binary, DateTime, Kind as BsonKind, Options, Other, Value, json};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::{Failure, Result};
use crate::input::{bytes, read};
use crate::make::Maker;
use crate::settings::chosen;
use crate::take::Taker;
use crate::types::Kind;

/// The deepest nesting that is written.
const MAX_DEPTH: usize = 1_024;

/// Reads the document of a save; see `gamewire_files.resonite.loads`.
#[pyfunction]
#[pyo3(signature = (data, *, plain=false, strict=false, duplicates=false, max_output=None))]
pub(crate) fn resonite_loads<'py>(
    data: &Bound<'py, PyAny>,
    plain: bool,
    strict: bool,
    duplicates: bool,
    max_output: Option<usize>,
) -> Result<Bound<'py, PyAny>> {
    let options = Options::new().strict(strict).allow_duplicates(duplicates);
    let options = max_output.map_or(options, |bytes| options.max_output(bytes));
    let value = read(data, |data| options.from_slice::<Value>(data))?;
    load(&mut Maker::new(data.py(), plain)?, &value)
}

/// Writes a save; see `gamewire_files.resonite.dumps`.
#[pyfunction]
#[pyo3(signature = (value, *, container="brson", duplicates=false))]
pub(crate) fn resonite_dumps<'py>(
    value: &Bound<'py, PyAny>,
    container: &str,
    duplicates: bool,
) -> Result<Bound<'py, PyBytes>> {
    let py = value.py();
    let container = chosen(CONTAINERS, "container", container)?;
    let options = Options::new().container(container).allow_duplicates(duplicates);
    let value = root(value)?;
    // Compressing takes a while, whatever comes of it.
    let made = py.detach(|| options.to_vec(&value))?;
    Ok(PyBytes::new(py, &made))
}

fn shown(value: &Value) -> String {
    json::to_string(value, json::Style::Canonical)
}

/// A value of Python.
pub(crate) fn root(value: &Bound<'_, PyAny>) -> Result<Value> {
    take(Taker::new(value.py(), "BSON", MAX_DEPTH)?, value, 0)
}

/// A value to Python.
pub(crate) fn load<'py>(maker: &mut Maker<'py>, value: &Value) -> Result<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(maker.none()),
        Value::Bool(own) => maker.scalar(*own),
        Value::Int32(own) => maker.scalar(*own),
        Value::Int64(own) if maker.plain || i32::try_from(*own).is_err() => maker.scalar(*own),
        Value::Int64(own) => maker.object(Kind::Int64, (*own,)),
        Value::Double(own) => Ok(maker.float(*own)),
        Value::String(own) => maker.text(own),
        Value::Document(entries) => {
            maker.dict(entries.as_slice(), |maker, key| maker.text(key.as_str()), load)
        }
        Value::Array(items) => maker.list(items, load),
        other if maker.plain => maker.json(&shown(other)),
        Value::DateTime(own) => Ok(maker.types.function(maker.py, "of_millis")?.call1((own.0,))?),
        Value::Binary(own) if own.subtype == 0 => maker.bytes(&own.bytes),
        Value::Binary(own) if own.subtype == 4 && own.bytes.len() == 16 => {
            Ok(maker.types.function(maker.py, "of_uuid")?.call1((maker.bytes(&own.bytes)?,))?)
        }
        Value::Binary(own) => maker.object(Kind::Binary, (maker.bytes(&own.bytes)?, own.subtype)),
        Value::Other(own) => {
            let data = maker.bytes(own.bytes())?;
            maker.object(Kind::Opaque, (own.kind().name(), data, shown(value)))
        }
        _ => Err(Failure::data("a value that Python has no type for")),
    }
}

/// Python to a value.
fn take(taker: Taker, value: &Bound<'_, PyAny>, depth: usize) -> Result<Value> {
    let (kind, other) = taker.kind(value)?;
    let (py, value) = (value.py(), other.as_ref().unwrap_or(value));
    Ok(match kind {
        Kind::None => Value::Null,
        Kind::Bool => Value::Bool(value.is_truthy()?),
        Kind::Int | Kind::Enum => {
            let own = taker.integer(value)?;
            i32::try_from(own).map_or(Value::Int64(own), Value::Int32)
        }
        Kind::Int32 => Value::Int32(taker.small(value)?),
        Kind::Int64 => Value::Int64(taker.integer(value)?),
        Kind::Float | Kind::Float32 | Kind::Number => Value::Double(value.extract()?),
        Kind::Str | Kind::StringName | Kind::NodePath => Value::from(taker.text(value)?.as_str()),
        Kind::Bytes => binary(0, value)?,
        Kind::Binary => binary(value.getattr("subtype")?.extract()?, value)?,
        Kind::DateTime => Value::DateTime(DateTime(taker.integer(value)?)),
        Kind::Time => {
            let millis = taker.types.function(py, "to_millis")?.call1((value,))?;
            Value::DateTime(DateTime(taker.integer(&millis)?))
        }
        Kind::List | Kind::Tuple | Kind::TypedArray => {
            let items = taker.items(value, depth, |own, depth| take(taker, own, depth))?;
            Value::Array(items.into())
        }
        Kind::Dict | Kind::TypedDictionary | Kind::Pairs => {
            let entries = taker.entries(value, depth, |key, own, depth| {
                Ok((Key::new(&taker.text(key)?), take(taker, own, depth)?))
            })?;
            Value::Document(entries.into_iter().collect::<Document>())
        }
        Kind::Opaque => {
            let name = taker.member(value, "kind")?;
            let mut kinds = (0..=u8::MAX).filter_map(BsonKind::from_byte);
            let kind = kinds.find(|kind| kind.name() == name);
            let kind = kind.ok_or_else(|| taker.unknown(value))?;
            Value::Other(Other::new(kind, bytes(&value.getattr("data")?)?.as_bytes())?)
        }
        _ => return Err(taker.unknown(value)),
    })
}

fn binary(subtype: u8, value: &Bound<'_, PyAny>) -> Result<Value> {
    let bytes = bytes(value)?.as_bytes().to_vec();
    Ok(Value::Binary(Box::new(Binary { subtype, bytes })))
}
