//! Settings out of keyword arguments.

use std::path::PathBuf;
use std::sync::Arc;

use gamewire::document::{
    CONTAINERS, Choices, DIALECTS, FORMS, FRAMES, FRAMINGS, MODES, PRECISIONS, Secret, Settings,
    Solution, UNKNOWN,
};
use gamewire::kiwi_pclass::core_object::CoreTypes;
use gamewire::kiwi_pclass::types::{PropertyFlags, SerializerFlags};
use gamewire_gen::zeze::{Options, Schema};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Failure;
use crate::pclass::TypeList;

/// The value of a setting by its name.
pub(crate) fn chosen<T: Copy>(choices: Choices<T>, what: &str, name: &str) -> PyResult<T> {
    let found = choices.iter().find(|(own, ..)| *own == name);
    found.map(|(.., value)| *value).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(own, ..)| *own).collect();
        let names = names.join(", ");
        pyo3::exceptions::PyValueError::new_err(format!(
            "unknown {what} {name:?}, expected one of {names}"
        ))
    })
}

/// The settings that keyword arguments say. `None` is what is not said.
pub(crate) fn of(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
    let mut settings = Settings::default();
    for (name, value) in arguments.into_iter().flatten() {
        if !value.is_none() {
            set(&mut settings, &name.extract::<String>()?, &value)?;
        }
    }
    Ok(settings)
}

fn set(settings: &mut Settings, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    macro_rules! choice {
        ($choices:expr) => {
            chosen($choices, name, &value.extract::<String>()?)?
        };
    }
    let Settings { format, name: file, limits, godot, o3de, pclass, resonite, zeze } = settings;
    match name {
        "format" => {
            let format_name: String = value.extract()?;
            let found = format_name.parse();
            let raise = |error: gamewire::UnknownFormat| Failure::range(error.to_string());
            *format = Some(found.map_err(|error| raise(error).raise(value.py()))?);
        }
        "name" => *file = Some(value.extract::<PathBuf>()?),
        "strict" => limits.strict = value.is_truthy()?,
        "max_depth" => limits.max_depth = Some(value.extract()?),
        "max_memory" => limits.max_memory = Some(value.extract()?),
        "dialect" => godot.dialect = Some(choice!(DIALECTS)),
        "precision" => godot.precision = Some(choice!(PRECISIONS)),
        "framing" => godot.framing = choice!(FRAMINGS),
        "objects" => godot.objects = value.is_truthy()?,
        "offset" => godot.offset = value.extract()?,
        "password" => godot.secret = Some(Secret::Password(value.extract()?)),
        "key" => godot.secret = Some(Secret::Hex(value.extract()?)),
        "trailing_commas" => o3de.trailing_commas = value.is_truthy()?,
        "types" => pclass.schema = Some(value.cast::<TypeList>()?.get().schema()),
        "unknown" => pclass.unknown = Some(choice!(UNKNOWN)),
        "mode" => pclass.mode = Some(choice!(MODES)),
        "form" => pclass.form = choice!(FORMS),
        "flags" => pclass.flags = Some(SerializerFlags(value.extract()?)),
        "mask" => pclass.mask = Some(PropertyFlags(value.extract()?)),
        "core_types" => pclass.core_types = Some(Arc::new(core_types(value)?)),
        "container" => resonite.container = Some(choice!(CONTAINERS)),
        "duplicates" => resonite.duplicates = value.is_truthy()?,
        "max_output" => resonite.max_output = Some(value.extract()?),
        "frames" => zeze.frames = choice!(FRAMES),
        "solution" => zeze.solution = Some(Arc::new(solution(value)?)),
        "bean" => zeze.bean = Some(value.extract()?),
        _ => return Err(PyTypeError::new_err(format!("unexpected keyword argument {name:?}"))),
    }
    Ok(())
}

/// Core types: a dict of numbers and names of classes, or `"known"`.
fn core_types(value: &Bound<'_, PyAny>) -> PyResult<CoreTypes> {
    let Ok(dict) = value.cast::<PyDict>() else {
        return match value.extract::<String>()?.as_str() {
            "known" => Ok(CoreTypes::wizard101()),
            _ => Err(PyTypeError::new_err("core_types are a dict, or \"known\"")),
        };
    };
    dict.iter().try_fold(CoreTypes::new(), |types, (number, class)| {
        Ok(types.with(number.extract()?, &class.extract::<String>()?))
    })
}

fn solution(value: &Bound<'_, PyAny>) -> PyResult<Solution> {
    let read = Schema::read(&value.extract::<PathBuf>()?, &Options::default());
    let (schema, _) = read.map_err(|error| Failure::data(error.to_string()).raise(value.py()))?;
    Ok(Solution::new(schema))
}
