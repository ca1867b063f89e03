//! Objects of PropertyClass.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use gamewire::document::{GAMES, Json, MODES};
use gamewire::kiwi_pclass::hash::Game;
use gamewire::kiwi_pclass::schema::{Kind as Declared, Property, Scalar};
use gamewire::kiwi_pclass::value::{Object, RawBits};
use gamewire::kiwi_pclass::{Options, Schema, Unknown, Value, json as notations};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::failure::{Failure, Result};
use crate::input::{self, bytes};
use crate::make::Maker;
use crate::settings::{self, chosen};
use crate::take::Taker;
use crate::types::{Kind, narrow, widen};

/// The deepest nesting that is written.
const MAX_DEPTH: usize = 127;

/// The magic of files.
const MAGIC: &[u8] = b"BINd";

/// The classes of a game; see `gamewire_files.pclass.TypeList`.
#[pyclass(frozen, module = "gamewire_files.pclass")]
pub(crate) struct TypeList(Arc<Schema>);

impl TypeList {
    pub(crate) fn schema(&self) -> Arc<Schema> {
        Arc::clone(&self.0)
    }
}

#[pymethods]
impl TypeList {
    #[new]
    #[pyo3(signature = (*sources, game="wizard101"))]
    fn new(py: Python<'_>, sources: &Bound<'_, PyTuple>, game: &str) -> Result<Self> {
        let game: Game = chosen(GAMES, "game", game)?;
        let mut all = None;
        for source in sources.iter() {
            let list = match source.extract::<PathBuf>() {
                Ok(path) => std::fs::read(path)?,
                Err(_) => bytes(&source)?.as_bytes().to_vec(),
            };
            let read = py.detach(|| Schema::builder().game(game).list(&list)?.build())?;
            all = Some(match all {
                None => Schema::builder().game(game).merge(&read),
                Some(all) => gamewire::kiwi_pclass::schema::SchemaBuilder::merge(all, &read),
            });
        }
        let all = all.unwrap_or_else(|| Schema::builder().game(game));
        Ok(TypeList(Arc::new(all.build()?)))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.0.class(name).is_some()
    }

    /// The names of the classes.
    fn classes(&self) -> Vec<String> {
        self.0.classes().map(|class| class.name().to_owned()).collect()
    }

    /// Names and C++ types of the properties of a class.
    fn properties(&self, name: &str) -> Result<Vec<(String, String)>> {
        let class = self.0.class(name);
        let class = class.ok_or_else(|| Failure::data(format!("there is no {name}")))?;
        let pair = |own: &Property| (own.name().to_owned(), own.type_name().to_owned());
        Ok(class.properties().iter().map(pair).collect())
    }

    /// Reads an object; see `gamewire_files.pclass.TypeList.loads`.
    #[pyo3(signature = (data, *, mode=None, plain=false, compressed=false, **kwargs))]
    fn loads<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        mode: Option<&str>,
        plain: bool,
        compressed: bool,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Result<Bound<'py, PyAny>> {
        let data = bytes(data)?;
        let default = if data.as_bytes().starts_with(MAGIC) { "file" } else { "shallow" };
        let options = self.options(mode.unwrap_or(default), kwargs)?;
        let options = options.manual_compression(compressed);
        let value = input::read(&data, |data| options.from_slice::<Value>(data))?;
        load(&mut Maker::new(data.py(), plain)?, &value)
    }

    /// Writes an object; see `gamewire_files.pclass.TypeList.dumps`.
    #[pyo3(signature = (value, *, mode="file", compressed=false, fill_defaults=false, **kwargs))]
    fn dumps<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        mode: &str,
        compressed: bool,
        fill_defaults: bool,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Result<Bound<'py, PyBytes>> {
        let options = self.options(mode, kwargs)?;
        let options = options.manual_compression(compressed).fill_defaults(fill_defaults);
        let text = notation(value, Some(&self.0))?.to_string();
        let made = options.to_vec(&notations::from_str(&text, &options)?)?;
        Ok(PyBytes::new(value.py(), &made))
    }
}

impl TypeList {
    fn options(&self, mode: &str, kwargs: Option<&Bound<'_, PyDict>>) -> Result<Options> {
        let options = match mode {
            "file" => Options::file(),
            mode => Options::new().mode(chosen(MODES, "mode", mode)?),
        };
        let mut options = options.schema(self.schema()).unknown(Unknown::Keep);
        if kwargs.is_none() {
            return Ok(options);
        }
        let settings = settings::of(kwargs)?;
        let (own, limits) = (settings.pclass, settings.limits);
        options = own.flags.map_or(options.clone(), |flags| options.flags(flags));
        options = own.mask.map_or(options.clone(), |mask| options.mask(mask));
        options = own.unknown.map_or(options.clone(), |unknown| options.unknown(unknown));
        options = own.core_types.map_or(options.clone(), |types| options.core_types(types));
        Ok(options.strict(limits.strict))
    }
}

/// A value to Python.
pub(crate) fn load<'py>(maker: &mut Maker<'py>, value: &Value) -> Result<Bound<'py, PyAny>> {
    match maker.plain {
        true => maker.json(&notations::to_string(value)?),
        false => made(maker, value, None),
    }
}

/// A value to Python, with the property that it is of.
fn made<'py>(
    maker: &mut Maker<'py>,
    value: &Value,
    property: Option<&Property>,
) -> Result<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(maker.none()),
        Value::Bool(own) => maker.scalar(*own),
        Value::Int(own) => maker.scalar(*own),
        Value::UInt(own) => maker.scalar(*own),
        Value::Float(own) => Ok(maker.float(widen(*own))),
        Value::Double(own) => Ok(maker.float(*own)),
        Value::Enum(own) => {
            let text = property.and_then(Property::options).map(|all| all.format(*own));
            let made = maker.types.bare(&maker.types.int_new, Kind::Enum, maker.scalar(*own)?)?;
            made.setattr(intern!(maker.py, "text"), maker.text(&text.unwrap_or_default())?)?;
            Ok(made)
        }
        Value::String(own) => match own.as_str() {
            Some(text) => maker.text(text),
            None => maker.bytes(own.as_bytes()),
        },
        Value::WString(own) => {
            let units: Vec<u8> = own.units().iter().flat_map(|own| own.to_le_bytes()).collect();
            let units = PyBytes::new(maker.py, &units);
            Ok(units.call_method1("decode", ("utf-16-le", "surrogatepass"))?)
        }
        Value::Color(own) => {
            let parts = [own.r, own.g, own.b, own.a].map(|part| maker.scalar(part));
            let parts = parts.into_iter().collect::<Result<Vec<_>>>()?;
            maker.row(Kind::PclassColor, parts.into_iter())
        }
        Value::Vector3D(own) => maker.floats(Kind::Vector3D, &[own.x, own.y, own.z]),
        Value::Quaternion(own) => {
            maker.floats(Kind::PclassQuaternion, &[own.w, own.x, own.y, own.z])
        }
        Value::Euler(own) => maker.floats(Kind::Euler, &[own.pitch, own.yaw, own.roll]),
        Value::Matrix3x3(own) => {
            maker.floats(Kind::Matrix3x3, [own.i, own.j, own.k].as_flattened())
        }
        Value::Size(own) => row(maker, Kind::Size, &[&own.width, &own.height]),
        Value::Point(own) => row(maker, Kind::Point, &[&own.x, &own.y]),
        Value::Rect(own) => row(maker, Kind::Rect, &[&own.left, &own.top, &own.right, &own.bottom]),
        Value::List(items) => maker.list(items, |maker, item| made(maker, item, property)),
        Value::Bools(items) => maker.list(items, |maker, item| maker.scalar(*item)),
        Value::SmallInts(items) => maker.list(items, |maker, item| maker.scalar(*item)),
        Value::Object(own) => object(maker, own),
        Value::Raw(own) => raw(maker, Some(own.hash), &own.bits),
        Value::Bits(own) => raw(maker, None, own),
        _ => Err(Failure::data("a value that Python has no type for")),
    }
}

fn row<'py>(maker: &mut Maker<'py>, kind: Kind, parts: &[&Value]) -> Result<Bound<'py, PyAny>> {
    let parts = parts.iter().map(|part| made(maker, part, None)).collect::<Result<Vec<_>>>()?;
    maker.row(kind, parts.into_iter())
}

fn raw<'py>(maker: &Maker<'py>, hash: Option<u32>, bits: &RawBits) -> Result<Bound<'py, PyAny>> {
    maker.object(Kind::RawObject, (hash, bits.len(), maker.bytes(bits.as_bytes())?))
}

fn object<'py>(maker: &mut Maker<'py>, object: &Object) -> Result<Bound<'py, PyAny>> {
    let py = maker.py;
    let dict = maker.types.bare(&maker.types.dict_new, Kind::Object, maker.none())?;
    let dict = dict.cast_into::<PyDict>()?;
    put(maker, object, &dict, false)?;
    // Names that occur twice have numbers.
    if dict.len() != object.fields().len() {
        dict.clear();
        put(maker, object, &dict, true)?;
    }
    let class = object.class();
    let core = object.core().map(|own| (own.block, own.template_type, own.template_id));
    dict.setattr(intern!(py, "type_name"), maker.text(class.name())?)?;
    dict.setattr(intern!(py, "type_hash"), class.hash())?;
    dict.setattr(intern!(py, "core"), core)?;
    maker.seal(dict.into_any())
}

/// Puts the values of an object into a dict by their names.
fn put<'py>(
    maker: &mut Maker<'py>,
    object: &Object,
    dict: &Bound<'py, PyDict>,
    is_numbered: bool,
) -> Result<()> {
    for field in object.fields() {
        let property = object.property_of(field);
        let own = match property {
            Some(property) => Cow::from(property.name()),
            None => format!("{:#010x}", field.unknown_hash().unwrap_or_default()).into(),
        };
        let mut name = maker.text(&own)?;
        let mut count = 2_usize;
        while is_numbered && dict.contains(&name)? {
            name = maker.text(&format!("{own}#{count}"))?;
            count = count.saturating_add(1);
        }
        let value = made(maker, &field.value, property);
        let value = value.map_err(|failure| failure.in_key(&name))?;
        dict.set_item(name, value)?;
    }
    Ok(())
}

/// A value of Python in the JSON notation, with the kinds that a type list says.
pub(crate) fn notation(value: &Bound<'_, PyAny>, schema: Option<&Schema>) -> Result<Json> {
    let taker = Taker::new(value.py(), "PropertyClass", MAX_DEPTH)?;
    Dumper { taker, schema }.value(value, None, 0)
}

/// Python to JSON.
struct Dumper<'s> {
    taker: Taker,
    schema: Option<&'s Schema>,
}

impl Dumper<'_> {
    fn value(
        &self,
        value: &Bound<'_, PyAny>,
        declared: Option<&Declared>,
        depth: usize,
    ) -> Result<Json> {
        let taker = self.taker;
        let (kind, other) = taker.kind(value)?;
        let value = other.as_ref().unwrap_or(value);
        Ok(match kind {
            Kind::None => Json::Null,
            Kind::Bool => value.is_truthy()?.into(),
            Kind::Int | Kind::Int32 | Kind::Int64 | Kind::Enum => match value.extract::<u64>() {
                Ok(own) => own.into(),
                Err(_) => taker.integer(value)?.into(),
            },
            Kind::Float | Kind::Float32 | Kind::Number => float(value.extract()?, declared),
            Kind::Str => match taker.text(value) {
                Ok(text) => text.into(),
                Err(_) => wide(value)?,
            },
            Kind::Bytes => Json::from([("$bytes", hex(value)?.into())]),
            Kind::List | Kind::Tuple => {
                let each = |own: &Bound<'_, PyAny>, depth| self.value(own, declared, depth);
                taker.items(value, depth, each)?.into()
            }
            Kind::Dict | Kind::Object => self.object(value, depth)?,
            Kind::RawObject => {
                let mut made = Vec::new();
                if let Some(hash) = value.getattr("type_hash")?.extract::<Option<u32>>()? {
                    made.push(("$type".to_owned(), Json::from(format!("{hash:#010x}"))));
                }
                made.push(("$bits".to_owned(), value.getattr("bits")?.extract::<u64>()?.into()));
                made.push(("$hex".to_owned(), hex(&value.getattr("data")?)?.into()));
                made.into_iter().collect()
            }
            Kind::Matrix3x3 => {
                let own: [f64; 9] = value.extract()?;
                let [i, j, k] = [0, 3, 6].map(|at| {
                    let row = own.iter().skip(at).take(3);
                    row.map(|part| float(*part, None)).collect::<Vec<_>>()
                });
                Json::from([("i", i.into()), ("j", j.into()), ("k", k.into())])
            }
            Kind::PclassColor
            | Kind::Vector3D
            | Kind::PclassQuaternion
            | Kind::Euler
            | Kind::Size
            | Kind::Point
            | Kind::Rect => {
                let part = match declared {
                    Some(Declared::Size(own) | Declared::Point(own) | Declared::Rect(own)) => *own,
                    _ => Scalar::F32,
                };
                let part = Declared::Scalar(part);
                let names: Vec<String> = value.getattr("_fields")?.extract()?;
                let each = |own: &Bound<'_, PyAny>, depth| self.value(own, Some(&part), depth);
                let parts = taker.items(value, depth, each)?;
                names.into_iter().zip(parts).collect()
            }
            _ => return Err(taker.unknown(value)),
        })
    }

    fn object(&self, object: &Bound<'_, PyAny>, depth: usize) -> Result<Json> {
        let mut made = Vec::new();
        let name = match object.getattr_opt("type_name")? {
            Some(name) => Some(name),
            None => object.call_method1("get", ("$type",)).ok().filter(|name| !name.is_none()),
        };
        let name = name.map(|name| self.taker.text(&name)).transpose()?;
        let class = name.as_ref().and_then(|name| self.schema?.class(name));
        if let Some(name) = &name {
            made.push(("$type".to_owned(), Json::from(name.as_str())));
        }
        if let Some(core) = object.getattr_opt("core")?.filter(|core| !core.is_none()) {
            let (block, kind, id) = core.extract::<(u8, u8, u32)>()?;
            made.push((
                "$core".to_owned(),
                [Json::from(block), kind.into(), id.into()].into_iter().collect(),
            ));
        }
        self.taker.entries(object, depth, |key, value, depth| {
            let name = self.taker.text(key)?;
            if name == "$type" {
                return Ok(());
            }
            let own = name.split_once('#').map_or(name.as_str(), |(own, _)| own);
            let property = class.and_then(|class| class.property(own));
            let value = self.value(value, property.map(Property::kind), depth)?;
            made.push((name, value));
            Ok(())
        })?;
        Ok(made.into_iter().collect())
    }
}

fn float(own: f64, declared: Option<&Declared>) -> Json {
    if own.is_finite() {
        return own.into();
    }
    let bits = match declared {
        Some(Declared::Scalar(Scalar::F64)) => format!("{:016x}", own.to_bits()),
        _ => format!("{:08x}", narrow(own).to_bits()),
    };
    Json::from([("$float", bits.into())])
}

fn hex(bytes: &Bound<'_, PyAny>) -> Result<String> {
    let bytes = input::bytes(bytes)?;
    Ok(bytes.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Text with a lone surrogate: only wide strings have those.
fn wide(text: &Bound<'_, PyAny>) -> Result<Json> {
    let units = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let units = units.cast_into::<PyBytes>()?;
    let (units, _) = units.as_bytes().as_chunks();
    let units: Vec<u32> = units.iter().map(|unit| u16::from_le_bytes(*unit).into()).collect();
    Ok(Json::from([("$utf16", units.into())]))
}
