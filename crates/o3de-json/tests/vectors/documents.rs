//! Rows about documents: comparison, patches, imports, text.

use std::io;

use gamewire_testkit::vectors::Row;
use o3de_json::Value;
use o3de_json::report::{Outcome, Processing, ResultCode, Task};
use o3de_json::value::Document;
use o3de_prefab::{Imports, Resolution};
use serde_json::Value as Json;

use crate::{Check, document, field, json, read, same, same_code};

pub(crate) fn compare(row: &Row) -> Check {
    let input = row.need("input")?;
    let (Some(left), Some(right)) = (input.get(0), input.get(1)) else {
        return Err("`input` has not two values".into());
    };
    let (left, right) = (document(left)?, document(right)?);
    let found = left.compare(&right);
    if right.compare(&left) != found.reverse() {
        return Err("the other way round is not the reverse".into());
    }
    let found = format!("{found:?}");
    for key in ["expect", "outcome"] {
        if found != row.need_text(key)? {
            return Err(format!("expected {}, found {found}", row.need_text(key)?));
        }
    }
    Ok(())
}

pub(crate) fn apply_patch(row: &Row) -> Check {
    let input = row.need("input")?;
    let target = document(field(input, "target")?)?;
    applied(row, target, &document(field(input, "patch")?)?)
}

pub(crate) fn apply_patch_text(row: &Row) -> Check {
    let input = row.need("input")?;
    let text = |name| field(input, name)?.as_str().ok_or("not text".to_owned());
    applied(row, read(text("target")?)?, &read(text("patch")?)?)
}

fn applied(row: &Row, target: Value, patch: &Value) -> Check {
    // The row whose callback makes light of what fails says so in its note only.
    let is_lenient = row.text("note").is_some_and(|note| note.contains("callback"));
    let mut changed = target.clone();
    let code = changed.apply_patch_with(patch, &mut |step| {
        if is_lenient && step.code.processing() == Processing::Halted {
            return ResultCode::new(Task::Merge, Outcome::PartialSkip);
        }
        step.code
    });
    same_code(row, code)?;
    if !is_lenient {
        let (copy, copied) = target.patched(patch);
        if copied != code || copy.is_some() == (code.processing() == Processing::Halted) {
            return Err(format!("`patched` gives another result: {copied:?}"));
        }
    }
    let tests_only = patch
        .as_array()
        .is_some_and(|operations| operations.iter().all(|operation| operation["op"] == "test"));
    match row.need("expect")? {
        Json::Null if code.processing() == Processing::Halted => Ok(()),
        Json::Null if tests_only => same("tested", &json(&target)?, &json(&changed)?),
        expected => same("patched", expected, &json(&changed)?),
    }
}

pub(crate) fn apply_merge_patch(row: &Row) -> Check {
    let input = row.need("input")?;
    let mut target = document(field(input, "target")?)?;
    let code = target.apply_merge_patch(&document(field(input, "patch")?)?);
    same_code(row, code)?;
    same("merged", row.need("expect")?, &json(&target)?)
}

pub(crate) fn create_patch(row: &Row) -> Check {
    let input = row.need("input")?;
    let (source, target) = (document(field(input, "source")?)?, document(field(input, "target")?)?);
    let (patch, code) = source.create_patch(&target);
    same_code(row, code)?;
    same("patch", row.need("expect")?, &json(&patch)?)?;
    let (again, _) = source.patched(&patch);
    same("patched", &json(&target)?, &json(&again.ok_or("the patch does not fit")?)?)
}

pub(crate) fn create_merge_patch(row: &Row) -> Check {
    let input = row.need("input")?;
    let (mut source, target) =
        (document(field(input, "source")?)?, document(field(input, "target")?)?);
    let (patch, code) = source.create_merge_patch(&target);
    same_code(row, code)?;
    let Some(patch) = patch else {
        return same("merge patch", row.need("expect")?, &Json::Null);
    };
    same("merge patch", row.need("expect")?, &json(&patch)?)?;
    source.apply_merge_patch(&patch);
    same("merged", &json(&target)?, &json(&source)?)
}

fn imports(row: &Row) -> Check<Imports<impl FnMut(&str) -> io::Result<Vec<u8>>>> {
    let files = row.need("files")?.clone();
    Ok(Imports::new(move |path: &str| match files.get(path) {
        Some(file) => Ok(file.to_string().into_bytes()),
        None => Err(io::ErrorKind::NotFound.into()),
    }))
}

const FILE: &str = "row.json";

pub(crate) fn resolve_imports(row: &Row) -> Check {
    let input = row.need("input")?;
    let mut value = document(input)?;
    let mut imports = imports(row)?;
    let resolution = match imports.resolve(&mut value, FILE) {
        Ok(resolution) => {
            same("outcome", row.need("outcome")?, &"Success".into())?;
            resolution
        }
        Err(error) => {
            let found = error.outcome().map(Outcome::name);
            return match row.text("outcome") == found {
                true => Ok(()),
                false => Err(format!("refused: {error}")),
            };
        }
    };
    same("resolved", row.need("expect")?, &json(&value)?)?;
    if row.flag("restores_to_input") {
        restored(&mut imports, &mut value, &resolution)?;
        same("restored", input, &json(&value)?)?;
    }
    Ok(())
}

fn restored(
    imports: &mut Imports<impl FnMut(&str) -> io::Result<Vec<u8>>>,
    value: &mut Value,
    resolution: &Resolution,
) -> Check {
    let kept = imports.restore(value, resolution).map_err(|error| error.to_string())?;
    match kept.is_empty() {
        true => Ok(()),
        false => Err(format!("not restored: {kept:?}")),
    }
}

pub(crate) fn restore_imports(row: &Row) -> Check {
    let mut value = document(row.need("input")?)?;
    let mut imports = imports(row)?;
    let resolved = imports.resolve(&mut value, FILE);
    let mut resolution = resolved.map_err(|error| error.to_string())?;
    let directive = row.need("directive")?;
    let text = |name| field(directive, name)?.as_str().ok_or("not text".to_owned());
    resolution.add(text("pointer")?, text("file")?);
    restored(&mut imports, &mut value, &resolution)?;
    same("outcome", row.need("outcome")?, &"Success".into())?;
    same("restored", row.need("expect")?, &json(&value)?)
}

pub(crate) fn write_json(row: &Row) -> Check {
    let value = document(row.need("input")?)?;
    let text = o3de_json::to_string_pretty(&value).map_err(|error| error.to_string())?;
    same("outcome", row.need("outcome")?, &"ok".into())?;
    same("text", row.need("expect")?, &text.into())
}

/// `expect` is the beginning of the engine's message, of which only the line is a fact.
pub(crate) fn read_json(row: &Row) -> Check {
    let text = row.need_text("input")?;
    let line = row.need_text("expect")?.trim_end_matches(':').rsplit(' ').next();
    let line: usize = line.and_then(|line| line.parse().ok()).ok_or("no line in `expect`")?;
    match Document::new(text) {
        Ok(_) => Err("accepted".into()),
        Err(error) if error.line() == Some(line) => {
            same("outcome", row.need("outcome")?, &"error".into())
        }
        Err(error) => Err(format!("expected an error in line {line}, found: {error}")),
    }
}
