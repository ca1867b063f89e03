//! The native half of the Python package `gamewire_files`: bytes to Python's values and back, and files by
//! their paths. The other half is in `python/gamewire_files`.

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

/// The module `gamewire_files._native`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::file::{Entries, Explanation, OpenFile, detect, explain};
    #[pymodule_export]
    use crate::godot::{godot_dumps, godot_loads};
    #[pymodule_export]
    use crate::o3de::{o3de_dumps, o3de_loads};
    #[pymodule_export]
    use crate::pclass::TypeList;
    #[pymodule_export]
    use crate::resonite::{resonite_dumps, resonite_loads};
    #[pymodule_export]
    use crate::zeze::{zeze_dumps, zeze_loads};
}
