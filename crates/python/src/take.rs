//! Values of Python, taken apart: what is the same for all formats.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::failure::{Failure, Result};
use crate::types::{Kind, Types};

/// Takes values of Python apart.
#[derive(Clone, Copy)]
pub(crate) struct Taker {
    pub(crate) types: &'static Types,
    /// The format, for errors.
    pub(crate) format: &'static str,
    /// The deepest nesting that is written.
    pub(crate) max_depth: usize,
}

impl Taker {
    pub(crate) fn new(py: Python<'_>, format: &'static str, max_depth: usize) -> PyResult<Self> {
        Ok(Taker { types: Types::get(py)?, format, max_depth })
    }

    /// The kind of a value, and the value that stands for it if it is of another library.
    pub(crate) fn kind<'py>(
        self,
        value: &Bound<'py, PyAny>,
    ) -> Result<(Kind, Option<Bound<'py, PyAny>>)> {
        if let Some(kind) = self.types.kind(value) {
            return Ok((kind, None));
        }
        let made = self.types.function(value.py(), "adopt")?.call1((value, self.format))?;
        match self.types.kind(&made) {
            None | Some(Kind::None) => Err(self.unknown(value)),
            Some(kind) => Ok((kind, Some(made))),
        }
    }

    /// The error for a value that the format does not have.
    pub(crate) fn unknown(self, value: &Bound<'_, PyAny>) -> Failure {
        Failure::unknown(value, self.format)
    }

    fn deeper(self, depth: usize) -> Result<usize> {
        match depth < self.max_depth {
            true => Ok(depth.saturating_add(1)),
            false => Err(Failure::range(format!("deeper than {} containers", self.max_depth))),
        }
    }

    /// The items of a list or tuple.
    pub(crate) fn items<'py, T>(
        self,
        value: &Bound<'py, PyAny>,
        depth: usize,
        mut each: impl FnMut(&Bound<'py, PyAny>, usize) -> Result<T>,
    ) -> Result<Vec<T>> {
        let depth = self.deeper(depth)?;
        let mut items = Vec::with_capacity(value.len()?);
        let mut push = |item: &Bound<'py, PyAny>| {
            let at = items.len();
            items.push(each(item, depth).map_err(|failure| failure.in_item(at))?);
            Ok::<_, Failure>(())
        };
        match value.cast::<PyList>() {
            Ok(list) => list.iter().try_for_each(|item| push(&item))?,
            Err(_) => value.try_iter()?.try_for_each(|item| push(&item?))?,
        }
        Ok(items)
    }

    /// The entries of a dict, or of `Pairs`.
    pub(crate) fn entries<'py, T>(
        self,
        value: &Bound<'py, PyAny>,
        depth: usize,
        mut each: impl FnMut(&Bound<'py, PyAny>, &Bound<'py, PyAny>, usize) -> Result<T>,
    ) -> Result<Vec<T>> {
        let depth = self.deeper(depth)?;
        let mut entries = Vec::with_capacity(value.len()?);
        let mut push = |key: &Bound<'py, PyAny>, value: &Bound<'py, PyAny>| {
            entries.push(each(key, value, depth).map_err(|failure| failure.in_key(key))?);
            Ok::<_, Failure>(())
        };
        match value.cast::<PyDict>() {
            Ok(dict) => dict.iter().try_for_each(|(key, value)| push(&key, &value))?,
            Err(_) => value.try_iter()?.try_for_each(|pair| {
                let (key, value) = pair?.extract()?;
                push(&key, &value)
            })?,
        }
        Ok(entries)
    }

    /// An integer of 64 bits.
    pub(crate) fn integer(self, value: &Bound<'_, PyAny>) -> Result<i64> {
        let py = value.py();
        value.extract::<i64>().map_err(|error| match error.is_instance_of::<PyOverflowError>(py) {
            true => Failure::range(format!("expected an integer of 64 bits, found {value}")),
            false => Failure::from(error),
        })
    }

    /// An integer of 32 bits.
    pub(crate) fn small(self, value: &Bound<'_, PyAny>) -> Result<i32> {
        let range = || Failure::range(format!("expected an integer of 32 bits, found {value}"));
        i32::try_from(self.integer(value)?).map_err(|_| range())
    }

    /// Text.
    pub(crate) fn text(self, value: &Bound<'_, PyAny>) -> Result<String> {
        let Ok(text) = value.cast::<PyString>() else { return Err(self.unknown(value)) };
        let text = text.to_cow();
        let text = text.map_err(|_| Failure::range("expected text, found a lone surrogate"))?;
        Ok(text.into_owned())
    }

    /// Text of a member of an object.
    pub(crate) fn member(self, value: &Bound<'_, PyAny>, name: &str) -> Result<String> {
        self.text(&value.getattr(name)?)
    }
}
