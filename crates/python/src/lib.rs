//! The native half of the Python package `gamewire`: bytes to Python's values and back, and files by
//! their paths. The other half is in `python/gamewire`.

#![forbid(unsafe_code)]

mod failure;
mod file;
mod godot;
mod input;
mod make;
mod o3de;
mod pclass;
mod resonite;
mod settings;
mod take;
mod texts;
mod types;
mod zeze;

use pyo3::prelude::*;

/// The module `gamewire._native`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    godot::register(module)?;
    o3de::register(module)?;
    pclass::register(module)?;
    resonite::register(module)?;
    zeze::register(module)?;
    file::register(module)
}
