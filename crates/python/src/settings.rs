//! Settings out of keyword arguments.

use std::path::PathBuf;
use std::sync::Arc;

use gamewire::document::{self, Choices, Settings, Solution};
use gamewire_gen::zeze::{Options, Schema};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt};
use serde_json::{Map, Value as Json};

use crate::failure::{Failure, Result};
use crate::pclass::TypeList;

/// The value of a setting by its name.
pub(crate) fn chosen<T: Copy>(choices: Choices<T>, what: &str, name: &str) -> Result<T> {
    document::parse_choice(choices, name)
        .map_err(|error| Failure::range(format!("{what}: {error}")))
}

/// The settings that keyword arguments say. `None` is what is not said.
pub(crate) fn of(arguments: Option<&Bound<'_, PyDict>>) -> Result<Settings> {
    let mut settings = Settings::default();
    for (name, value) in arguments.into_iter().flatten() {
        let name = name.extract::<String>()?;
        match name.as_str() {
            _ if value.is_none() => {}
            "types" => settings.pclass.schema = Some(value.cast::<TypeList>()?.get().schema()),
            "solution" => settings.zeze.solution = Some(Arc::new(solution(&value)?)),
            "name" => settings.name = Some(value.extract()?),
            name => {
                let set = settings.set(name, &said(&value)?);
                if !set.map_err(|error| Failure::range(error.message()))? {
                    return Err(Failure::kind(format!("unexpected keyword argument {name:?}")));
                }
            }
        }
    }
    Ok(settings)
}

/// The value of a setting; core types are a dict of numbers and names of classes, or `"known"`.
fn said(value: &Bound<'_, PyAny>) -> Result<Json> {
    if let Ok(dict) = value.cast::<PyDict>() {
        let entry = |(key, class): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((key.extract::<u8>()?.to_string(), class.extract::<String>()?.into()))
        };
        return Ok(dict.iter().map(entry).collect::<Result<Map<_, _>>>()?.into());
    }
    Ok(match value.extract::<String>() {
        Ok(text) => text.into(),
        Err(_) if value.is_instance_of::<PyBool>() => value.is_truthy()?.into(),
        Err(_) if value.is_instance_of::<PyInt>() => value.extract::<u64>()?.into(),
        Err(error) => return Err(error.into()),
    })
}

fn solution(value: &Bound<'_, PyAny>) -> Result<Solution> {
    let read = Schema::read(&value.extract::<PathBuf>()?, &Options::default());
    let (schema, _) = read.map_err(|error| Failure::data(error.to_string()))?;
    Ok(Solution::new(schema))
}
