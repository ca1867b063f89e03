//! Values of Zeze's beans.

use gamewire::zeze_serialize::value::{Bean, Dynamic, List, Map};
use gamewire::zeze_serialize::{Kind as Wire, Options, Value, Vector2, Vector3, Vector4};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::failure::{Failure, Result};
use crate::input::{bytes, read};
use crate::make::Maker;
use crate::take::Taker;
use crate::types::{Kind, narrow};

/// The deepest nesting that is written: writing a value goes through it by recursion.
const MAX_DEPTH: usize = 128;

/// Reads a bean; see `gamewire_files.zeze.loads`.
#[pyfunction]
#[pyo3(signature = (data, *, plain=false))]
pub(crate) fn zeze_loads<'py>(data: &Bound<'py, PyAny>, plain: bool) -> Result<Bound<'py, PyAny>> {
    let value = read(data, |data| Options::new().from_slice::<Value>(data))?;
    load(&mut Maker::new(data.py(), plain)?, &value)
}

/// Writes a bean; see `gamewire_files.zeze.dumps`.
#[pyfunction]
pub(crate) fn zeze_dumps<'py>(value: &Bound<'py, PyAny>) -> Result<Bound<'py, PyBytes>> {
    let taker = Taker::new(value.py(), "Zeze", MAX_DEPTH)?;
    let bean = match taker.types.kind(value) {
        Some(Kind::Bean | Kind::Dict) => bean(taker, value, 0)?,
        _ => return Err(Failure::kind("expected a bean: a dict of numbers and values")),
    };
    let made = Options::new().to_vec(&Value::Bean(bean))?;
    Ok(PyBytes::new(value.py(), &made))
}

/// A value of Python.
pub(crate) fn root(value: &Bound<'_, PyAny>) -> Result<Value> {
    take(Taker::new(value.py(), "Zeze", MAX_DEPTH)?, value, 0)
}

/// A value to Python.
pub(crate) fn load<'py>(maker: &mut Maker<'py>, value: &Value) -> Result<Bound<'py, PyAny>> {
    match value {
        Value::Int(own) => maker.scalar(*own),
        Value::Float(own) if maker.plain => Ok(maker.float((*own).into())),
        Value::Float(own) => maker.object(Kind::Float32, (crate::types::widen(*own),)),
        Value::Double(own) => Ok(maker.float(*own)),
        Value::Bytes(own) => match std::str::from_utf8(own) {
            Ok(text) => maker.text(text),
            Err(_) => maker.bytes(own),
        },
        Value::List(own) => {
            let made = maker.list(own, load)?;
            match (own.is_empty(), own.element()) {
                (false, _) | (true, Some(Wire::Int)) => Ok(made),
                (true, element) => maker.typed(made, &[name(element)?]),
            }
        }
        Value::Map(own) => {
            let made = maker.dict(own, key, load)?;
            match (own.is_empty(), own.key(), own.value()) {
                (false, ..) | (true, Some(Wire::Int), Some(Wire::Int)) => Ok(made),
                (true, key, value) => maker.typed(made, &[name(key)?, name(value)?]),
            }
        }
        Value::Bean(own) => fields(maker, own, None),
        Value::Dynamic(own) => fields(maker, &own.bean, Some(own.type_id)),
        Value::Vector2(own) => maker.floats(Kind::Vector2, &[own.x, own.y]),
        Value::Vector3(own) => maker.floats(Kind::Vector3, &[own.x, own.y, own.z]),
        Value::Vector4(own) => maker.floats(Kind::Vector4, &[own.x, own.y, own.z, own.w]),
        Value::Vector2Int(own) => integers(maker, Kind::Vector2i, own),
        Value::Vector3Int(own) => integers(maker, Kind::Vector3i, own),
    }
}

/// The name of a wire type.
fn name(wire: Option<Wire>) -> Result<String> {
    let unknown = || Failure::data("an empty container of a wire type that does not exist");
    wire.map(|own| own.name().to_owned()).ok_or_else(unknown)
}

fn integers<'py>(maker: &Maker<'py>, kind: Kind, own: &[i64]) -> Result<Bound<'py, PyAny>> {
    let parts = own.iter().map(|part| maker.scalar(*part)).collect::<Result<Vec<_>>>()?;
    maker.row(kind, parts.into_iter())
}

/// A key, which is text where it is to be plain.
fn key<'py>(maker: &mut Maker<'py>, own: &Value) -> Result<Bound<'py, PyAny>> {
    let own = load(maker, own)?;
    Ok(if maker.plain { own.str()?.into_any() } else { own })
}

fn fields<'py>(
    maker: &mut Maker<'py>,
    own: &Bean,
    type_id: Option<i64>,
) -> Result<Bound<'py, PyAny>> {
    let entries: Vec<_> = own.iter().collect();
    let id = |maker: &mut Maker<'py>, id: &u32| match maker.plain {
        true => maker.text(&id.to_string()),
        false => maker.scalar(*id),
    };
    let made = maker.dict(&entries, id, |maker, own| load(maker, own))?;
    let base = own.base().map(|base| fields(maker, base, None)).transpose()?;
    if maker.plain {
        let dict = made.cast::<PyDict>()?;
        base.map(|base| dict.set_item("base", base)).transpose()?;
        type_id.map(|id| dict.set_item("type", id)).transpose()?;
        return Ok(made);
    }
    match type_id {
        None => maker.object(Kind::Bean, (made, base)),
        Some(id) => maker.object(Kind::Dynamic, (made, base, id)),
    }
}

/// The wire type with a name.
fn wire(name: &str) -> Result<Wire> {
    let found = Wire::ALL.into_iter().find(|kind| kind.name() == name);
    found.ok_or_else(|| Failure::range(format!("unknown wire type {name:?}")))
}

/// Python to a value.
fn take(taker: Taker, value: &Bound<'_, PyAny>, depth: usize) -> Result<Value> {
    let (kind, other) = taker.kind(value)?;
    let value = other.as_ref().unwrap_or(value);
    Ok(match kind {
        Kind::Bool => Value::Int(value.is_truthy()?.into()),
        Kind::Int | Kind::Int32 | Kind::Int64 | Kind::Enum => Value::Int(taker.integer(value)?),
        Kind::Float32 => Value::Float(narrow(value.extract()?)),
        Kind::Float | Kind::Number => Value::Double(value.extract()?),
        Kind::Str | Kind::StringName | Kind::NodePath => {
            Value::Bytes(taker.text(value)?.into_bytes())
        }
        Kind::Bytes => Value::Bytes(bytes(value)?.as_bytes().to_vec()),
        Kind::List | Kind::Tuple | Kind::TypedArray => {
            let items = taker.items(value, depth, |own, depth| take(taker, own, depth))?;
            Value::List(match kind {
                Kind::TypedArray => List::new(wire(&taker.member(value, "element")?)?, items),
                _ => items.into(),
            })
        }
        Kind::Dict | Kind::TypedDictionary | Kind::Pairs => {
            let entries = taker.entries(value, depth, |key, own, depth| {
                Ok((take(taker, key, depth)?, take(taker, own, depth)?))
            })?;
            let first = entries.first().map(|(key, value)| (key.kind(), value.kind()));
            let (key, own) = match first {
                Some(kinds) => kinds,
                None if kind == Kind::Dict => (Wire::Int, Wire::Int),
                None => {
                    (wire(&taker.member(value, "key")?)?, wire(&taker.member(value, "value")?)?)
                }
            };
            Value::Map(Map::new(key, own, entries))
        }
        Kind::Bean => Value::Bean(bean(taker, value, depth)?),
        Kind::Dynamic => {
            let type_id = taker.integer(&value.getattr("type_id")?)?;
            Value::Dynamic(Box::new(Dynamic { type_id, bean: bean(taker, value, depth)? }))
        }
        Kind::Vector2 => {
            let [x, y] = floats(value)?;
            Value::Vector2(Vector2 { x, y })
        }
        Kind::Vector3 => {
            let [x, y, z] = floats(value)?;
            Value::Vector3(Vector3 { x, y, z })
        }
        Kind::Vector4 | Kind::Quaternion => {
            let [x, y, z, w] = floats(value)?;
            Value::Vector4(Vector4 { x, y, z, w })
        }
        Kind::Vector2i => Value::Vector2Int(value.extract()?),
        Kind::Vector3i => Value::Vector3Int(value.extract()?),
        _ => return Err(taker.unknown(value)),
    })
}

fn floats<const N: usize>(value: &Bound<'_, PyAny>) -> Result<[f32; N]> {
    let wide: [f64; N] = value.extract()?;
    Ok(wide.map(narrow))
}

fn bean(taker: Taker, value: &Bound<'_, PyAny>, depth: usize) -> Result<Bean> {
    let mut bean = Bean::new();
    taker.entries(value, depth, |key, own, depth| {
        let id = key.extract::<u32>();
        let id = id.map_err(|_| Failure::kind("expected the number of a field"))?;
        bean.insert(id, take(taker, own, depth)?);
        Ok(())
    })?;
    if let Some(base) = value.getattr_opt("base")?.filter(|base| !base.is_none()) {
        bean.set_base(Some(self::bean(taker, &base, depth.saturating_add(1))?));
    }
    Ok(bean)
}
