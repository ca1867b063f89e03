//! Values of Python, made: what is the same for all formats.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyList, PyString, PyTuple};

use crate::failure::{Failure, Result};
use crate::texts::Texts;
use crate::types::{Kind, Types, widen};

/// Makes values of Python.
pub(crate) struct Maker<'py> {
    pub(crate) py: Python<'py>,
    pub(crate) types: &'static Types,
    /// Whether only str, int, float, list, dict and None are made.
    pub(crate) plain: bool,
    /// Whether lists and dicts raise where they are changed.
    frozen: bool,
    texts: Texts<'py>,
    names: Texts<'py>,
}

impl<'py> Maker<'py> {
    pub(crate) fn new(py: Python<'py>, plain: bool) -> PyResult<Self> {
        let (texts, names) = (Texts::new(), Texts::new());
        Ok(Maker { py, types: Types::get(py)?, plain, frozen: false, texts, names })
    }

    pub(crate) fn frozen(self, frozen: bool) -> Self {
        Maker { frozen, ..self }
    }

    /// A list or dict as it is given away.
    pub(crate) fn seal(&self, own: Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
        let is_open = own.is_instance_of::<PyList>() || own.is_instance_of::<PyDict>();
        match self.frozen && is_open {
            true => Ok(self.types.function(self.py, "freeze")?.call1((own,))?),
            false => Ok(own),
        }
    }

    pub(crate) fn none(&self) -> Bound<'py, PyAny> {
        self.py.None().into_bound(self.py)
    }

    /// A bool, an integer.
    pub(crate) fn scalar<T: IntoPyObject<'py>>(&self, own: T) -> Result<Bound<'py, PyAny>> {
        Ok(own.into_bound_py_any(self.py)?)
    }

    pub(crate) fn float(&self, own: f64) -> Bound<'py, PyAny> {
        PyFloat::new(self.py, own).into_any()
    }

    pub(crate) fn text(&mut self, text: &str) -> Result<Bound<'py, PyAny>> {
        let py = self.py;
        Ok(self.texts.get(text, || Ok(PyString::new(py, text).into_any()))?)
    }

    /// Text of a separate type.
    pub(crate) fn name(&mut self, kind: Kind, text: &str) -> Result<Bound<'py, PyAny>> {
        if self.plain {
            return self.text(text);
        }
        let class = self.types.class(self.py, kind)?;
        let make = || class.call1((text,));
        Ok(if kind == Kind::StringName { self.names.get(text, make)? } else { make()? })
    }

    /// Bytes, in base64 where they are to be plain.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<Bound<'py, PyAny>> {
        let made = PyBytes::new(self.py, bytes);
        match self.plain {
            true => Ok(self.types.function(self.py, "to_base64")?.call1((made,))?),
            false => Ok(made.into_any()),
        }
    }

    /// The values of JSON.
    pub(crate) fn json(&self, text: &str) -> Result<Bound<'py, PyAny>> {
        Ok(self.py.import("json")?.call_method1("loads", (text,))?)
    }

    /// An object of a class of `gamewire_files._types`.
    pub(crate) fn object(
        &self,
        kind: Kind,
        arguments: impl pyo3::call::PyCallArgs<'py>,
    ) -> Result<Bound<'py, PyAny>> {
        self.seal(self.types.class(self.py, kind)?.call1(arguments)?)
    }

    /// A row of numbers.
    pub(crate) fn row(
        &self,
        kind: Kind,
        parts: impl ExactSizeIterator<Item = Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        if self.plain {
            return Ok(PyList::new(self.py, parts)?.into_any());
        }
        let parts = PyTuple::new(self.py, parts)?.into_any();
        Ok(self.types.bare(&self.types.tuple_new, kind, parts)?)
    }

    /// A row of floats with 32 bits.
    pub(crate) fn floats(&self, kind: Kind, parts: &[f32]) -> Result<Bound<'py, PyAny>> {
        self.row(kind, parts.iter().map(|part| self.float(widen(*part))))
    }

    /// A list.
    pub(crate) fn list<T>(
        &mut self,
        items: &[T],
        mut each: impl FnMut(&mut Self, &T) -> Result<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let mut made = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            made.push(each(self, item).map_err(|failure| failure.in_item(at))?);
        }
        self.seal(PyList::new(self.py, made)?.into_any())
    }

    /// A dict; `Pairs` where keys cannot be keys, or two are one.
    pub(crate) fn dict<K, V>(
        &mut self,
        entries: &[(K, V)],
        mut key: impl FnMut(&mut Self, &K) -> Result<Bound<'py, PyAny>>,
        mut value: impl FnMut(&mut Self, &V) -> Result<Bound<'py, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let made = PyDict::new(self.py);
        let mut is_dict = true;
        for (own, inside) in entries {
            let own = key(self, own)?;
            let inside = value(self, inside).map_err(|failure| failure.in_key(&own))?;
            is_dict = made.set_item(own, inside).is_ok();
            if !is_dict {
                break;
            }
        }
        if is_dict && made.len() == entries.len() {
            return self.seal(made.into_any());
        }
        let pairs = self.list(entries, |own, (name, inside)| {
            let name = key(own, name)?;
            let inside = value(own, inside)?;
            Ok(match own.plain {
                true => PyList::new(own.py, [name, inside])?.into_any(),
                false => PyTuple::new(own.py, [name, inside])?.into_any(),
            })
        })?;
        if self.plain { Ok(pairs) } else { self.object(Kind::Pairs, (pairs,)) }
    }

    /// A container with the types that are written with it; the names of the types are `None` where they
    /// say nothing.
    pub(crate) fn typed(
        &self,
        own: Bound<'py, PyAny>,
        types: &[String],
    ) -> Result<Bound<'py, PyAny>> {
        match types {
            _ if self.plain => Ok(own),
            [element] => self.object(Kind::TypedArray, (own, element)),
            [key, value] if own.is_instance_of::<PyDict>() => {
                self.object(Kind::TypedDictionary, (own, key, value))
            }
            [key, value] => self.object(Kind::Pairs, (own, key, value)),
            _ => Err(Failure::data("a container has at most two types")),
        }
    }
}
