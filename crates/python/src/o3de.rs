//! Values of O3DE's JSON.

use gamewire::o3de_json::value::{Number, Object};
use gamewire::o3de_json::{Options, Value, from_str};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::failure::{Failure, Result};
use crate::input::read;
use crate::make::Maker;
use crate::take::Taker;
use crate::types::Kind;

/// The deepest nesting that is read and written.
const MAX_DEPTH: usize = 1_024;

/// Reads a document; see `gamewire_files.o3de.loads`.
#[pyfunction]
#[pyo3(signature = (data, *, plain=false, comments=true, trailing_commas=false))]
pub(crate) fn o3de_loads<'py>(
    data: &Bound<'py, PyAny>,
    plain: bool,
    comments: bool,
    trailing_commas: bool,
) -> Result<Bound<'py, PyAny>> {
    let py = data.py();
    let options = Options::new().comments(comments).trailing_commas(trailing_commas);
    let options = options.max_depth(MAX_DEPTH);
    let data = match data.cast::<PyString>() {
        Ok(text) => &PyBytes::new(py, text.to_cow()?.as_bytes()).into_any(),
        Err(_) => data,
    };
    let value = read(data, |data| options.from_slice::<Value>(data))?;
    load(&mut Maker::new(py, plain)?, &value)
}

/// Writes a document; see `gamewire_files.o3de.dumps`.
#[pyfunction]
#[pyo3(signature = (value, *, pretty=true))]
pub(crate) fn o3de_dumps<'py>(
    value: &Bound<'py, PyAny>,
    pretty: bool,
) -> Result<Bound<'py, PyBytes>> {
    let options = Options::new().pretty(pretty).max_depth(MAX_DEPTH);
    Ok(PyBytes::new(value.py(), &options.to_vec(&root(value)?)?))
}

/// A value of Python.
pub(crate) fn root(value: &Bound<'_, PyAny>) -> Result<Value> {
    take(Taker::new(value.py(), "JSON", MAX_DEPTH)?, value, 0)
}

/// A value to Python.
pub(crate) fn load<'py>(maker: &mut Maker<'py>, value: &Value) -> Result<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(maker.none()),
        Value::Bool(own) => maker.scalar(*own),
        Value::Number(own) => number(maker, own),
        Value::String(own) => maker.text(own.as_str()),
        Value::Array(items) => maker.list(items, load),
        Value::Object(object) => {
            let members: Vec<_> = object.iter().map(|(name, own)| (name.as_str(), own)).collect();
            maker.dict(&members, |maker, name| maker.text(name), |maker, own| load(maker, own))
        }
    }
}

/// A number; one that would be spelled otherwise keeps its spelling.
fn number<'py>(maker: &Maker<'py>, own: &Number) -> Result<Bound<'py, PyAny>> {
    let text = own.text();
    if let Some(own) = own.as_i64().filter(|own| own.to_string() == text) {
        return maker.scalar(own);
    }
    if let Some(own) = own.as_u64().filter(|own| own.to_string() == text) {
        return maker.scalar(own);
    }
    let double = own.as_f64();
    match maker.plain || Number::from(double).text() == text {
        true => Ok(maker.float(double)),
        false => maker.object(Kind::Number, (text.as_ref(),)),
    }
}

/// Python to a value.
fn take(taker: Taker, value: &Bound<'_, PyAny>, depth: usize) -> Result<Value> {
    let (kind, other) = taker.kind(value)?;
    let value = other.as_ref().unwrap_or(value);
    Ok(match kind {
        Kind::None => Value::Null,
        Kind::Bool => Value::Bool(value.is_truthy()?),
        Kind::Int | Kind::Int32 | Kind::Int64 | Kind::Enum => match value.extract::<u64>() {
            Ok(own) => own.into(),
            Err(_) => taker.integer(value)?.into(),
        },
        Kind::Float | Kind::Float32 => Value::Number(value.extract::<f64>()?.into()),
        Kind::Number => {
            let text = taker.member(value, "text")?;
            match from_str::<Value>(&text) {
                Ok(own @ Value::Number(_)) => own,
                _ => return Err(Failure::range(format!("expected a number, found {text}"))),
            }
        }
        Kind::Str | Kind::StringName | Kind::NodePath => Value::from(taker.text(value)?.as_str()),
        Kind::List | Kind::Tuple | Kind::TypedArray => {
            let items = taker.items(value, depth, |own, depth| take(taker, own, depth))?;
            Value::Array(items.into())
        }
        Kind::Dict | Kind::TypedDictionary | Kind::Pairs => {
            let mut made = Object::default();
            taker.entries(value, depth, |name, own, depth| {
                made.push(taker.text(name)?.as_str(), take(taker, own, depth)?);
                Ok(())
            })?;
            Value::Object(made)
        }
        _ => return Err(taker.unknown(value)),
    })
}
