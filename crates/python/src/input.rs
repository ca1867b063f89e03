//! Bytes out of Python.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::{Failure, Result};

/// Inputs from this size on are read while other threads of Python run.
const LARGE: usize = 4096;

/// The bytes of a bytes-like object: `bytes` as they are, others as a copy.
pub(crate) fn bytes<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let py = data.py();
    // `bytes(7)` would be seven zeros.
    let view = py.import("builtins")?.getattr("memoryview")?.call1((data,))?;
    Ok(view.call_method0("tobytes")?.cast_into::<PyBytes>()?)
}

/// Reads the value of a format out of a bytes-like object.
pub(crate) fn read<T: Send, E: Into<Failure> + Send>(
    data: &Bound<'_, PyAny>,
    from: impl FnOnce(&[u8]) -> std::result::Result<T, E> + Send,
) -> Result<T> {
    let own = bytes(data)?;
    let own = own.as_bytes();
    detached(data.py(), own.len(), || from(own)).map_err(Into::into)
}

/// Does something with bytes that needs no Python, and lets other threads run if it takes a while.
pub(crate) fn detached<T: Send>(py: Python<'_>, len: usize, then: impl FnOnce() -> T + Send) -> T {
    if len < LARGE { then() } else { py.detach(then) }
}
