//! Python's types, and those of `gamewire_files._types`, by number.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType,
};

macro_rules! kinds {
    ($($name:ident $($path:literal)?,)+) => {
        /// A type of `gamewire_files._types`, or one of Python's own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the names are those of the types")]
        pub(crate) enum Kind { None, Bool, Int, Float, Str, Bytes, List, Tuple, Dict, Time, $($name,)+ }

        /// The types of `gamewire_files._types`: their names there.
        const OWN: &[(Kind, &str)] = &[$((Kind::$name, kinds!(@ $name $($path)?)),)+];
    };
    (@ $name:ident) => { stringify!($name) };
    (@ $name:ident $path:literal) => { $path };
}

kinds! {
    Vector2, Vector2i, Rect2, Rect2i, Vector3, Vector3i, Transform2D, Vector4, Vector4i, Plane,
    Quaternion, Aabb "AABB", Basis, Transform3D, Projection, Color,
    Vector2Double "Vector2.Double", Rect2Double "Rect2.Double", Vector3Double "Vector3.Double",
    Transform2DDouble "Transform2D.Double", Vector4Double "Vector4.Double",
    PlaneDouble "Plane.Double", QuaternionDouble "Quaternion.Double", AabbDouble "AABB.Double",
    BasisDouble "Basis.Double", Transform3DDouble "Transform3D.Double",
    ProjectionDouble "Projection.Double", ColorDouble "Color.Double",
    PackedInt32Array, PackedInt64Array, PackedFloat32Array, PackedFloat64Array,
    PackedVector2Array, PackedVector3Array, PackedColorArray, PackedVector4Array,
    PackedVector2ArrayDouble "PackedVector2Array.Double",
    PackedVector3ArrayDouble "PackedVector3Array.Double",
    PackedColorArrayDouble "PackedColorArray.Double",
    PackedVector4ArrayDouble "PackedVector4Array.Double",
    PackedStringArray, StringName, NodePath, TypedArray, TypedDictionary, Pairs, Opaque,
    Int32, Int64, Float32, Number, Enum, Binary, DateTime, Bean, Dynamic, Object, RawObject,
    PclassColor, PclassQuaternion, Vector3D, Euler, Matrix3x3, Size, Point, Rect, Notation,
}

/// The types, once for the program.
pub(crate) struct Types {
    by_kind: Vec<Py<PyAny>>,
    by_address: HashMap<usize, Kind>,
    pub(crate) error: Py<PyAny>,
    pub(crate) module: Py<PyModule>,
    pub(crate) tuple_new: Py<PyAny>,
    pub(crate) dict_new: Py<PyAny>,
    pub(crate) int_new: Py<PyAny>,
}

static TYPES: PyOnceLock<Types> = PyOnceLock::new();

impl Types {
    pub(crate) fn get(py: Python<'_>) -> PyResult<&'static Types> {
        TYPES.get_or_try_init(py, || Types::new(py))
    }

    fn new(py: Python<'_>) -> PyResult<Self> {
        let module = py.import("gamewire_files._types")?;
        let time = py.import("datetime")?.getattr("datetime")?;
        let own = OWN.iter().map(|(kind, name)| {
            let found =
                name.split('.').try_fold(module.clone().into_any(), |at, name| at.getattr(name));
            Ok((*kind, found?.unbind()))
        });
        let own = own.collect::<PyResult<Vec<_>>>()?;
        let builtin = [
            (Kind::None, py.None().bind(py).get_type()),
            (Kind::Bool, PyType::new::<PyBool>(py)),
            (Kind::Int, PyType::new::<PyInt>(py)),
            (Kind::Float, PyType::new::<PyFloat>(py)),
            (Kind::Str, PyType::new::<PyString>(py)),
            (Kind::Bytes, PyType::new::<PyBytes>(py)),
            (Kind::Bytes, PyType::new::<PyByteArray>(py)),
            (Kind::List, PyType::new::<PyList>(py)),
            (Kind::Tuple, PyType::new::<PyTuple>(py)),
            (Kind::Dict, PyType::new::<PyDict>(py)),
            (Kind::Time, time.cast_into::<PyType>()?),
        ];
        let address = |object: &Bound<'_, PyAny>| object.as_ptr() as usize;
        let known = own.iter().map(|(kind, class)| (address(class.bind(py)), *kind));
        let builtin = builtin.iter().map(|(kind, class)| (address(class.as_any()), *kind));
        Ok(Types {
            by_address: builtin.chain(known).collect(),
            by_kind: own.into_iter().map(|(_, class)| class).collect(),
            error: module.getattr("GamewireError")?.unbind(),
            tuple_new: PyType::new::<PyTuple>(py).getattr("__new__")?.unbind(),
            dict_new: PyType::new::<PyDict>(py).getattr("__new__")?.unbind(),
            int_new: PyType::new::<PyInt>(py).getattr("__new__")?.unbind(),
            module: module.unbind(),
        })
    }

    /// The kind of a value by its type or, where that is not known, by the types that it is made of.
    pub(crate) fn kind(&self, value: &Bound<'_, PyAny>) -> Option<Kind> {
        let class = value.get_type();
        if let Some(kind) = self.by_address.get(&(class.as_ptr() as usize)) {
            return Some(*kind);
        }
        let bases = class.mro();
        bases.iter().find_map(|base| self.by_address.get(&(base.as_ptr() as usize)).copied())
    }

    /// A class of `gamewire_files._types`.
    pub(crate) fn class<'py>(&self, py: Python<'py>, kind: Kind) -> PyResult<Bound<'py, PyAny>> {
        // The kinds of `gamewire_files._types` come after those of Python, in the order of the list.
        let at = (kind as usize).checked_sub(Kind::Time as usize).and_then(|at| at.checked_sub(1));
        match at.and_then(|at| self.by_kind.get(at)) {
            Some(class) => Ok(class.bind(py).clone()),
            None => Err(pyo3::exceptions::PyTypeError::new_err(format!("{kind:?} has no class"))),
        }
    }

    /// A function of `gamewire_files._types`.
    pub(crate) fn function<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.module.bind(py).getattr(name)
    }

    /// An object of a class by `__new__` of what it is made of, without what its `__init__` does.
    pub(crate) fn bare<'py>(
        &self,
        new: &Py<PyAny>,
        kind: Kind,
        own: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = own.py();
        new.bind(py).call1((self.class(py, kind)?, own))
    }
}

/// A float with twice the bits, NaN with all of its own.
pub(crate) fn widen(value: f32) -> f64 {
    if !value.is_nan() {
        return value.into();
    }
    let bits = u64::from(value.to_bits());
    f64::from_bits((bits >> 31) << 63 | 0x7ff0_0000_0000_0000 | (bits & 0x007f_ffff) << 29)
}

/// [`widen`] back; rounds what has more digits.
#[allow(clippy::cast_possible_truncation, reason = "rounds as IEEE 754 says")]
pub(crate) fn narrow(value: f64) -> f32 {
    if !value.is_nan() {
        return value as f32;
    }
    let bits = value.to_bits();
    let payload = (bits >> 29 & 0x007f_ffff) as u32;
    // A payload in the lower bits alone would leave an infinity.
    let payload = if payload == 0 { 0x0040_0000 } else { payload };
    f32::from_bits(((bits >> 63) as u32) << 31 | 0x7f80_0000 | payload)
}
