//! Rows that load and store through Rust types.

use std::sync::{Arc, OnceLock};

use gamewire_testkit::vectors::Row;
use o3de_json::file::File;
use o3de_json::registry::{TypeInfo, TypeRegistry};
use o3de_json::report::{Outcome, Report};
use o3de_json::{Conformance, Options};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::vectors::types::{Logical, TestClass, close};
use crate::{Check, same, same_code};

/// What the rows' engine knows.
fn types() -> Arc<TypeRegistry> {
    static TYPES: OnceLock<Arc<TypeRegistry>> = OnceLock::new();
    let make = || {
        let mut types = TypeRegistry::new();
        types.add(TypeInfo::new("int")).add(TypeInfo::new("bool")).add(TypeInfo::new("Vector3"));
        types.add(TypeInfo::new("BaseClass")).add(TypeInfo::new("BaseClass2"));
        types.add(TypeInfo::new("SimpleClass"));
        types.add(TypeInfo::new("AbstractClass").base("BaseClass").is_abstract(true));
        types.add(TypeInfo::new("SimpleInheritence").base("BaseClass"));
        types.add(TypeInfo::new("SimpleInheritenceAlt").base("BaseClass"));
        types.add(TypeInfo::new("MultipleInheritence").base("BaseClass").base("BaseClass2"));
        Arc::new(types)
    };
    Arc::clone(TYPES.get_or_init(make))
}

fn options(row: &Row) -> Options {
    let docs = row.text("conformance") == Some("docs");
    Options::new()
        .conformance(if docs { Conformance::Docs } else { Conformance::Engine })
        .keep_defaults(row.flag("keep_defaults"))
        .clear_containers(row.flag("clear_containers"))
        .types(types())
}

fn tolerance(row: &Row) -> f64 {
    row.get("tolerance").and_then(Json::as_f64).unwrap_or(0.0)
}

/// Runs a row through a type.
pub(crate) fn run<T>(row: &Row) -> Check
where
    T: Logical + Serialize + DeserializeOwned,
{
    match row.text("op") {
        Some("load") => load::<T>(row, &row.need("input")?.to_string()),
        Some("load_text") => load::<T>(row, row.need_text("input")?),
        Some("store") => store::<T>(row),
        op => Err(format!("unknown op {op:?}")),
    }
}

/// The value that a field of the row writes down, or what the constructor makes.
fn logical<T: Logical>(row: &Row, name: &str) -> Check<T> {
    match row.get(name) {
        None => Ok(T::default()),
        Some(json) if json == "T()" => Ok(T::default()),
        Some(json) => T::of(json).map_err(|error| format!("`{name}`: {error}")),
    }
}

fn load<T>(row: &Row, text: &str) -> Check
where
    T: Logical + Serialize + DeserializeOwned,
{
    let options = options(row);
    let (found, report) = if row.flag("new_instance") || row.get("initial").is_none() {
        options.load::<T>(text).map_err(|error| format!("refused: {error}"))?
    } else {
        let mut target: T = logical(row, "initial")?;
        let report = options.load_into(&mut target, text);
        (target, report.map_err(|error| format!("refused: {error}"))?)
    };
    let expected: T = logical(row, "expect")?;
    if expected.show().is_null() && !row.need("expect")?.is_null() {
        return Err("the type has no value that could be expected".into());
    }
    let (expected, shown) = (expected.show(), found.show());
    if !close(&expected, &shown, tolerance(row)) {
        return Err(format!("expected {expected}, found {shown}; {report}"));
    }
    if row.get("outcome").is_some() {
        same_code(row, report.code()).map_err(|error| format!("{error}; {report}"))?;
    }
    Ok(())
}

fn store<T>(row: &Row) -> Check
where
    T: Logical + Serialize + DeserializeOwned,
{
    let options = options(row);
    let value: T = logical(row, "input")?;
    let stored = match row.get("default") {
        Some(Json::Null) | None => options.store(&value),
        Some(_) => options.store_with_default(&value, &logical::<T>(row, "default")?),
    };
    let (text, report) = match stored {
        Ok(stored) => stored,
        Err(error) => {
            same("stored", row.need("expect")?, &Json::Null)?;
            let found = error.outcome().map_or_else(String::new, |outcome| outcome.to_string());
            return same("outcome", row.need("outcome")?, &found.into());
        }
    };
    let found: Json = serde_json::from_str(&text).map_err(|error| format!("{text}: {error}"))?;
    match row.need("expect")? {
        // Nothing is written: the serializer's own node is the explicit default.
        expected if expected.get("$absent").is_some() => {
            if report.outcome() != Outcome::DefaultsUsed {
                return Err(format!("expected nothing, found {text}; {report}"));
            }
        }
        expected if close(expected, &found, tolerance(row)) => {}
        expected => return Err(format!("expected {expected}, found {text}; {report}")),
    }
    if let Some(order) = row.get("member_order") {
        let names: Json =
            found.as_object().map(|own| own.keys().cloned().collect()).unwrap_or_default();
        same("member order", order, &names)?;
    }
    if row.get("outcome").is_some() {
        same_code(row, report.code()).map_err(|error| format!("{error}; {text} {report}"))?;
    }
    Ok(())
}

/// `$type` that is no string, as a pointer meets it.
pub(crate) fn not_a_type_id<T: DeserializeOwned>(row: &Row, text: &str) -> Check {
    let options = Options::new().types(types());
    let (_, report): (T, Report) = options.load(text).map_err(|error| error.to_string())?;
    same("type", row.need("expect")?, &Json::Null)?;
    same_code(row, report.code())
}

/// The file wrapper, by the strict functions.
pub(crate) fn load_file(row: &Row) -> Check {
    let options = Options::new().strict(true);
    let text = row.need("input")?.to_string();
    let found = File::new("TestClass", options).from_str::<TestClass>(&text);
    let outcome = if found.is_ok() { "ok" } else { "error" };
    same("outcome", row.need("outcome")?, &outcome.into())
        .map_err(|error| format!("{error}: {found:?}"))?;
    match (row.need("expect")?, found) {
        (Json::Null, Err(_)) => Ok(()),
        (expected, Ok(found)) if TestClass::of(expected)? == found => Ok(()),
        (expected, found) => Err(format!("expected {expected}, found {found:?}")),
    }
}
