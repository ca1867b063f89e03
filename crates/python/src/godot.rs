//! Godot's values.

use gamewire::document::{self, FRAMINGS, Framing, Settings, Typed, WRAPPINGS};
use gamewire::godot_variant::native_json::{NativeJson, NativeJsonSeed};
use gamewire::godot_variant::project::ProjectSettings;
use gamewire::godot_variant::types::*;
use gamewire::godot_variant::value::{self, Dictionary, Object, Real64};
use gamewire::godot_variant::{Options, Value, frame, text};
use gamewire::{Document, Format};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyTuple};
use serde::de::DeserializeSeed as _;

use crate::failure::{Failure, Result};
use crate::input::{self, bytes};
use crate::make::Maker;
use crate::settings;
use crate::take::Taker;
use crate::types::{Kind, narrow, widen};

/// The deepest nesting that the engine reads.
const MAX_DEPTH: usize = 1_025;

/// Options of the values alone. Frames have separate limits.
fn options(settings: &Settings) -> Options {
    let own = &settings.godot;
    let options = Options::new().allow_objects(own.objects).strict(settings.limits.strict);
    let options = own.dialect.map_or(options.clone(), |dialect| options.dialect(dialect));
    let options = own.precision.map_or(options.clone(), |own| options.precision(own));
    let depth = settings.limits.max_depth;
    let options = depth.map_or(options.clone(), |depth| options.max_depth(depth));
    settings.limits.max_memory.map_or(options.clone(), |bytes| options.max_memory(bytes))
}

fn frames(framing: Framing, options: &Options) -> Option<frame::Framing> {
    let frames = frame::Framing::new().options(options.clone());
    match framing {
        Framing::StoreVar => Some(frames),
        Framing::StoreVarBe => Some(frames.big_endian(true)),
        _ => None,
    }
}

/// Reads the values of a file, a packet, a text; see `gamewire_files.godot.loads`.
#[pyfunction]
#[pyo3(signature = (data, *, framing="bare", plain=false, many=false, **kwargs))]
pub(crate) fn godot_loads<'py>(
    data: &Bound<'py, PyAny>,
    framing: &str,
    plain: bool,
    many: bool,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>> {
    let mut settings = settings::of(kwargs)?;
    settings.format = Some(Format::GodotVariant);
    settings.godot.framing = settings::chosen(FRAMINGS, "framing", framing)?;
    let mut maker = Maker::new(data.py(), plain)?;
    let values = input::read(data, |data| values(data, &settings))?;
    match (values.as_slice(), many) {
        ([value], false) => load(&mut maker, value),
        (values, false) => Err(Failure::data(format!(
            "expected one value, found {}; many=True returns a list of them",
            values.len()
        ))),
        (values, true) => maker.list(values, load),
    }
}

/// Reads values, without Python.
fn values(data: &[u8], settings: &Settings) -> Result<Vec<Value>> {
    let framing = settings.godot.framing;
    let is_wrapped = data.starts_with(b"GCPF") || data.starts_with(b"GDEC");
    // The most frequent reads take the shortest way.
    match framing.filter(|_| !is_wrapped && settings.godot.offset == 0) {
        Some(Framing::Bare) => return Ok(vec![options(settings).from_slice(data)?]),
        Some(framing) => {
            if let Some(frames) = frames(framing, &options(settings).whole_frames(true)) {
                return Ok(frames.all_from_slice(data)?);
            }
        }
        None => {}
    }
    let opened = Document::open(data, settings)?;
    let root = opened.root();
    let value = |node: &document::Node<'_>| match node.typed() {
        Ok(Some(Typed::Godot(value))) => Some(Ok(value.into_owned())),
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    };
    Ok(match value(&root) {
        Some(only) => vec![only?],
        None => root.children().iter().filter_map(value).collect::<std::result::Result<_, _>>()?,
    })
}

/// Writes a value; see `gamewire_files.godot.dumps`.
#[pyfunction]
#[pyo3(signature = (value, *, framing="bare", wrapping=None, many=false, **kwargs))]
pub(crate) fn godot_dumps<'py>(
    value: &Bound<'py, PyAny>,
    framing: &str,
    wrapping: Option<&str>,
    many: bool,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyBytes>> {
    let py = value.py();
    let mut settings = settings::of(kwargs)?;
    settings.format = Some(Format::GodotVariant);
    let framing = settings::chosen(FRAMINGS, "framing", framing)?.unwrap_or(Framing::Bare);
    settings.godot.framing = Some(framing);
    let encrypted = settings.godot.secret.is_some().then_some("encrypted");
    let wrapping =
        settings::chosen(WRAPPINGS, "wrapping", wrapping.or(encrypted).unwrap_or("none"))?;
    let values = match many {
        true => value.try_iter()?.map(|value| root(&value?)).collect::<Result<Vec<_>>>()?,
        false => vec![root(value)?],
    };
    let options = options(&settings);
    let made = match (frames(framing, &options), values.as_slice()) {
        (Some(frames), values) => {
            let mut made = Vec::new();
            for value in values {
                made.append(&mut frames.to_vec(value)?);
            }
            made
        }
        (None, [value]) => match framing {
            Framing::Bare => options.to_vec(value)?,
            Framing::Project => project(value)?.to_vec_with(&options)?,
            _ => document::encode(shown(value)?.as_bytes(), &settings)?,
        },
        _ => return Err(Failure::data("only frames take many values: store-var, store-var-be")),
    };
    let made = match wrapping {
        None => made,
        Some(wrapping) => document::wrap(made, wrapping, &settings)?,
    };
    Ok(PyBytes::new(py, &made))
}

/// The settings of a `project.binary`.
fn project(value: &Value) -> Result<ProjectSettings> {
    let no_dict = || Failure::kind("a project.binary has settings: a dict");
    let mut made = ProjectSettings::default();
    for (name, value) in value.as_dictionary().ok_or_else(no_dict)? {
        let name = name.as_str().ok_or_else(|| Failure::kind("the names of settings are text"))?;
        made.entries.push((name.to_owned(), value.clone()));
    }
    Ok(made)
}

fn shown(value: &Value) -> Result<String> {
    Ok(serde_json::to_string(&NativeJson(value).write_deep(MAX_DEPTH))?)
}

/// The value of lossless JSON.
fn parsed(text: &[u8]) -> Result<Value> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    Ok(NativeJsonSeed::new(MAX_DEPTH).deserialize(&mut reader)?)
}

/// The values whose components are numbers, with their kinds; others after.
macro_rules! numbers {
    (
        $value:expr, $row:ident, $packed:ident,
        rows { $($name:ident $(as $wide:ident)?),+ }
        packed { $($array:ident as $double:ident),+ }
        $($pattern:pat $(if $guard:expr)? => $arm:expr),+ $(,)?
    ) => {
        match $value {
            $(Value::$name(own) => $row!($name, own),)+
            $(Value::$array(own) => $packed!($array, own),)+
            Value::Real64(own) => match &**own {
                $($(Real64::$name(own) => $row!($wide, own),)?)+
                $(Real64::$array(own) => $packed!($double, own),)+
                _ => Err(Failure::data("a value of 64 bits that Python has no type for")),
            },
            $($pattern $(if $guard)? => $arm,)+
        }
    };
}

/// A value to Python.
pub(crate) fn load<'py>(maker: &mut Maker<'py>, value: &Value) -> Result<Bound<'py, PyAny>> {
    let py = maker.py;
    macro_rules! row {
        ($kind:ident, $own:expr) => {
            maker.row(Kind::$kind, $own.to_array().into_iter().map(|part| part.object(py)))
        };
    }
    macro_rules! packed {
        ($kind:ident, $own:expr) => {
            packed(maker, Kind::$kind, $own.iter().flat_map(|own| own.to_array()))
        };
    }
    macro_rules! scalars {
        ($kind:ident, $own:expr) => {
            packed(maker, Kind::$kind, $own.iter().copied())
        };
    }
    numbers!(
        value, row, packed,
        rows {
            Vector2 as Vector2Double, Vector2i, Rect2 as Rect2Double, Rect2i,
            Vector3 as Vector3Double, Vector3i, Transform2D as Transform2DDouble,
            Vector4 as Vector4Double, Vector4i, Plane as PlaneDouble,
            Quaternion as QuaternionDouble, Aabb as AabbDouble, Basis as BasisDouble,
            Transform3D as Transform3DDouble, Projection as ProjectionDouble, Color as ColorDouble
        }
        packed {
            PackedVector2Array as PackedVector2ArrayDouble,
            PackedVector3Array as PackedVector3ArrayDouble,
            PackedColorArray as PackedColorArrayDouble,
            PackedVector4Array as PackedVector4ArrayDouble
        }
        Value::Nil => Ok(maker.none()),
        Value::Bool(own) => maker.scalar(*own),
        Value::Int(own) => maker.scalar(*own),
        Value::Float(own) => Ok(maker.float(*own)),
        Value::String(own) => maker.text(own.as_str()),
        Value::StringName(own) => maker.name(Kind::StringName, own.as_str()),
        Value::NodePath(own) => {
            let text = own.to_string();
            match maker.plain || NodePath::new(&text) == **own {
                true => maker.name(Kind::NodePath, &text),
                false => opaque(maker, value),
            }
        },
        Value::Array(own) => maker.list(own, load),
        Value::TypedArray(own) => {
            let made = maker.list(&own.items, load)?;
            maker.typed(made, &[element_name(&own.element)])
        },
        Value::Dictionary(own) => maker.dict(own.iter().as_slice(), key, load),
        Value::TypedDictionary(own) => {
            let made = maker.dict(own.entries.iter().as_slice(), key, load)?;
            maker.typed(made, &[element_name(&own.key), element_name(&own.value)])
        },
        Value::PackedByteArray(own) => maker.bytes(own),
        Value::PackedInt32Array(own) => scalars!(PackedInt32Array, own),
        Value::PackedInt64Array(own) => scalars!(PackedInt64Array, own),
        Value::PackedFloat32Array(own) => scalars!(PackedFloat32Array, own),
        Value::PackedFloat64Array(own) => scalars!(PackedFloat64Array, own),
        Value::PackedStringArray(own) => {
            let made = maker.list(own, |maker, text| maker.text(text.as_str()))?;
            if maker.plain { Ok(made) } else { maker.object(Kind::PackedStringArray, (made,)) }
        },
        Value::Object(Object::Null) if maker.plain => Ok(maker.none()),
        other => opaque(maker, other),
    )
}

/// A key, which is text where it is to be plain.
fn key<'py>(maker: &mut Maker<'py>, own: &Value) -> Result<Bound<'py, PyAny>> {
    match own.as_str() {
        None if maker.plain => {
            let text = text::to_string(own)?;
            maker.text(&text)
        }
        _ => load(maker, own),
    }
}

/// A packed array of numbers.
fn packed<'py, T: Part>(
    maker: &mut Maker<'py>,
    kind: Kind,
    parts: impl Iterator<Item = T>,
) -> Result<Bound<'py, PyAny>> {
    let mut bytes = Vec::new();
    parts.for_each(|part| part.append(&mut bytes));
    let made = maker.object(kind, (PyBytes::new(maker.py, &bytes),))?;
    if maker.plain { Ok(made.call_method0("plain")?) } else { Ok(made) }
}

/// A value that Python has no type for: its lossless JSON.
fn opaque<'py>(maker: &Maker<'py>, value: &Value) -> Result<Bound<'py, PyAny>> {
    let json = shown(value)?;
    if maker.plain {
        return maker.json(&json);
    }
    // A value that cannot be written again is not read.
    if parsed(json.as_bytes())? != *value {
        return Err(Failure::data(format!("a {} that Python has no type for", value.kind())));
    }
    maker.object(Kind::Opaque, (value.kind().name(), PyBytes::new(maker.py, json.as_bytes()), json))
}

/// A number in a row.
trait Part: Copy {
    fn object<'py>(self, py: Python<'py>) -> Bound<'py, PyAny>;
    fn append(self, bytes: &mut Vec<u8>);
}

macro_rules! parts {
    ($($number:ty: |$own:ident, $py:ident| $made:expr;)+) => {$(
        impl Part for $number {
            fn object<'py>(self, $py: Python<'py>) -> Bound<'py, PyAny> {
                let $own = self;
                $made
            }
            fn append(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_ne_bytes());
            }
        }
    )+};
}

parts! {
    i32: |own, py| int(py, own.into());
    i64: |own, py| int(py, own);
    f32: |own, py| PyFloat::new(py, widen(own)).into_any();
    f64: |own, py| PyFloat::new(py, own).into_any();
}

fn int(py: Python<'_>, own: i64) -> Bound<'_, PyAny> {
    match own.into_pyobject(py) {
        Ok(made) => made.into_any(),
        Err(never) => match never {},
    }
}

/// The element type as text: the name of a builtin type or a class, the path of a script.
fn element_name(element: &ElementType) -> String {
    match element {
        ElementType::Class(name) => name.to_string(),
        ElementType::Script(path) => format!("script:{path}"),
        other => other.to_string(),
    }
}

fn element_of(name: &str) -> ElementType {
    match name.strip_prefix("script:") {
        Some(path) => ElementType::Script(path.into()),
        None if name == "Variant" => ElementType::Any,
        None => Type::from_name(name)
            .map_or_else(|| ElementType::Class(name.into()), ElementType::Builtin),
    }
}

/// A value of Python.
pub(crate) fn root(value: &Bound<'_, PyAny>) -> Result<Value> {
    take(Taker::new(value.py(), "Godot", MAX_DEPTH)?, value, 0)
}

/// Python to a value.
fn take(taker: Taker, value: &Bound<'_, PyAny>, depth: usize) -> Result<Value> {
    let (kind, other) = taker.kind(value)?;
    let value = other.as_ref().unwrap_or(value);
    macro_rules! row {
        ($name:ident $(<$real:ty>)?) => { $name$(::<$real>)?::from_array(row_of(taker, value)?).into() };
    }
    macro_rules! wide {
        ($name:ident) => {
            Value::Real64(Box::new(Real64::$name($name::<f64>::from_array(row_of(taker, value)?))))
        };
    }
    macro_rules! packed {
        ($array:ident of $name:ident) => {
            Value::$array($array(elements(value)?.into_iter().map($name::from_array).collect()))
        };
    }
    macro_rules! packed_wide {
        ($array:ident of $name:ident) => {
            Value::Real64(Box::new(Real64::$array($array(
                elements(value)?.into_iter().map($name::<f64>::from_array).collect(),
            ))))
        };
    }
    Ok(match kind {
        Kind::None => Value::Nil,
        Kind::Bool => Value::Bool(value.is_truthy()?),
        Kind::Int | Kind::Int32 | Kind::Int64 | Kind::Enum | Kind::DateTime => {
            Value::Int(taker.integer(value)?)
        }
        Kind::Float | Kind::Float32 | Kind::Number => Value::Float(value.extract()?),
        Kind::Str => Value::String(GString::new(&taker.text(value)?)),
        Kind::Bytes | Kind::Binary => {
            Value::PackedByteArray(PackedByteArray(bytes(value)?.as_bytes().to_vec()))
        }
        Kind::List | Kind::Tuple => Value::Array(list(taker, value, depth)?),
        Kind::Dict => Value::Dictionary(dict(taker, value, depth)?),
        Kind::TypedArray => {
            let element = element_of(&taker.member(value, "element")?);
            value::TypedArray { element, items: list(taker, value, depth)? }.into()
        }
        Kind::TypedDictionary | Kind::Pairs => {
            let of = |name| Ok::<_, Failure>(element_of(&taker.member(value, name)?));
            let (key, own) = (of("key")?, of("value")?);
            let entries = dict(taker, value, depth)?;
            match key.is_typed() || own.is_typed() {
                true => value::TypedDictionary { key, value: own, entries }.into(),
                false => Value::Dictionary(entries),
            }
        }
        Kind::StringName => Value::StringName(StringName::new(&taker.text(value)?)),
        Kind::NodePath => Value::NodePath(Box::new(NodePath::new(&taker.text(value)?))),
        Kind::Opaque => parsed(bytes(&value.getattr("data")?)?.as_bytes())?,
        Kind::PackedStringArray => {
            let texts = taker.items(value, depth, |own, _| Ok(GString::new(&taker.text(own)?)))?;
            Value::PackedStringArray(PackedStringArray(texts))
        }
        Kind::PackedInt32Array => Value::PackedInt32Array(PackedInt32Array(flat(value)?)),
        Kind::PackedInt64Array => Value::PackedInt64Array(PackedInt64Array(flat(value)?)),
        Kind::PackedFloat32Array => Value::PackedFloat32Array(PackedFloat32Array(flat(value)?)),
        Kind::PackedFloat64Array => Value::PackedFloat64Array(PackedFloat64Array(flat(value)?)),
        Kind::PackedVector2Array => packed!(PackedVector2Array of Vector2),
        Kind::PackedVector3Array => packed!(PackedVector3Array of Vector3),
        Kind::PackedColorArray => packed!(PackedColorArray of Color),
        Kind::PackedVector4Array => packed!(PackedVector4Array of Vector4),
        Kind::PackedVector2ArrayDouble => packed_wide!(PackedVector2Array of Vector2),
        Kind::PackedVector3ArrayDouble => packed_wide!(PackedVector3Array of Vector3),
        Kind::PackedColorArrayDouble => packed_wide!(PackedColorArray of Color),
        Kind::PackedVector4ArrayDouble => packed_wide!(PackedVector4Array of Vector4),
        Kind::Vector2 => row!(Vector2<f32>),
        Kind::Vector2i => row!(Vector2i),
        Kind::Rect2 => row!(Rect2<f32>),
        Kind::Rect2i => row!(Rect2i),
        Kind::Vector3 => row!(Vector3<f32>),
        Kind::Vector3i => row!(Vector3i),
        Kind::Transform2D => row!(Transform2D<f32>),
        Kind::Vector4 => row!(Vector4<f32>),
        Kind::Vector4i => row!(Vector4i),
        Kind::Plane => row!(Plane<f32>),
        Kind::Quaternion => row!(Quaternion<f32>),
        Kind::Aabb => row!(Aabb<f32>),
        Kind::Basis => row!(Basis<f32>),
        Kind::Transform3D => row!(Transform3D<f32>),
        Kind::Projection => row!(Projection<f32>),
        Kind::Color => row!(Color<f32>),
        Kind::Vector2Double => wide!(Vector2),
        Kind::Rect2Double => wide!(Rect2),
        Kind::Vector3Double => wide!(Vector3),
        Kind::Transform2DDouble => wide!(Transform2D),
        Kind::Vector4Double => wide!(Vector4),
        Kind::PlaneDouble => wide!(Plane),
        Kind::QuaternionDouble => wide!(Quaternion),
        Kind::AabbDouble => wide!(Aabb),
        Kind::BasisDouble => wide!(Basis),
        Kind::Transform3DDouble => wide!(Transform3D),
        Kind::ProjectionDouble => wide!(Projection),
        Kind::ColorDouble => wide!(Color),
        _ => return Err(taker.unknown(value)),
    })
}

fn list(taker: Taker, value: &Bound<'_, PyAny>, depth: usize) -> Result<value::Array> {
    Ok(taker.items(value, depth, |own, depth| take(taker, own, depth))?.into())
}

fn dict(taker: Taker, value: &Bound<'_, PyAny>, depth: usize) -> Result<Dictionary> {
    let entries = taker.entries(value, depth, |key, own, depth| {
        Ok((take(taker, key, depth)?, take(taker, own, depth)?))
    })?;
    Ok(entries.into())
}

/// The components of a row.
fn row_of<T: Number, const N: usize>(taker: Taker, value: &Bound<'_, PyAny>) -> Result<[T; N]> {
    let tuple = value.cast::<PyTuple>()?;
    let mut made = [T::default(); N];
    for (place, part) in made.iter_mut().zip(tuple.iter()) {
        *place = T::of(taker, &part)?;
    }
    match tuple.len() == N {
        true => Ok(made),
        false => Err(Failure::kind(format!("expected {N} components, found {}", tuple.len()))),
    }
}

/// The numbers of a packed array.
fn flat<T: Number>(value: &Bound<'_, PyAny>) -> Result<Vec<T>> {
    let bytes = value.call_method0("tobytes")?.cast_into::<PyBytes>()?;
    Ok(bytes.as_bytes().chunks_exact(size_of::<T>()).map(T::read).collect())
}

fn elements<T: Number, const N: usize>(value: &Bound<'_, PyAny>) -> Result<Vec<[T; N]>> {
    let flat: Vec<T> = flat(value)?;
    let (rows, rest) = flat.as_chunks::<N>();
    match rest {
        [] => Ok(rows.to_vec()),
        _ => Err(Failure::range(format!(
            "expected {N} components for each element, found {} in all",
            flat.len()
        ))),
    }
}

/// A number out of Python.
trait Number: Copy + Default {
    fn of(taker: Taker, value: &Bound<'_, PyAny>) -> Result<Self>;
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! numbers_of {
    ($($number:ty: |$taker:ident, $own:ident| $made:expr;)+) => {$(
        impl Number for $number {
            fn of($taker: Taker, $own: &Bound<'_, PyAny>) -> Result<Self> {
                $made
            }
            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map(<$number>::from_ne_bytes).unwrap_or_default()
            }
        }
    )+};
}

numbers_of! {
    i32: |taker, own| taker.small(own);
    i64: |taker, own| taker.integer(own);
    f32: |_taker, own| Ok(narrow(own.extract()?));
    f64: |_taker, own| Ok(own.extract()?);
}
