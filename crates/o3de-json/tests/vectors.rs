//! Rows of testdata/o3de-json/vectors: what the engine's serializer, or the published page, makes of
//! JSON.
#![allow(clippy::pedantic, clippy::restriction, reason = "a runner that panics fails the row")]

mod vectors {
    pub(crate) mod codes;
    pub(crate) mod documents;
    pub(crate) mod spoilt;
    pub(crate) mod typed;
    pub(crate) mod types;
}

use gamewire_testkit::vectors::{Check, Context, Outcome as RowOutcome, Row};
use o3de_json::Value;
use o3de_json::report::{Outcome, Processing, ResultCode};
use o3de_json::value::Document;
use serde_json::Value as Json;

use crate::vectors::{codes, documents, spoilt, typed, types};

gamewire_testkit::vectors!(
    run,
    spoilt::a_changed_row_fails,
    spoilt::any_composed_type_is_a_type,
    spoilt::parts_that_a_type_lacks_fail_the_row,
);

fn run(row: &Row, _context: &Context<'_>) -> RowOutcome {
    if let Some(reason) = unreachable(row) {
        return RowOutcome::Skipped(reason.to_owned());
    }
    let checked = match row.text("op") {
        Some("combine") => codes::combine(row),
        Some("load_type_id") => codes::load_type_id(row),
        Some("store_type_id") => codes::store_type_id(row),
        Some("compare") => documents::compare(row),
        Some("apply_patch") => documents::apply_patch(row),
        Some("apply_patch_text") => documents::apply_patch_text(row),
        Some("apply_merge_patch") => documents::apply_merge_patch(row),
        Some("create_patch") => documents::create_patch(row),
        Some("create_merge_patch") => documents::create_merge_patch(row),
        Some("resolve_imports") => documents::resolve_imports(row),
        Some("restore_imports_after_adding_directive") => documents::restore_imports(row),
        Some("write_json") => documents::write_json(row),
        Some("read_json") => documents::read_json(row),
        Some("load" | "load_text" | "store") => types::dispatch(row),
        Some("load_file") => typed::load_file(row),
        op => Err(format!("unknown op {op:?}")),
    };
    checked.into()
}

/// The rows that cannot be checked, by source and input, and why; `docs/formats/o3de-json.md` has
/// the same list.
const UNREACHABLE: &[(&str, &str, &str)] = &[(
    "TestCases_Patching.cpp:CreatePatch_UseJsonMergePatchOfficialTestCases_AllMergesComplete",
    r#"{"source":{"a":"foo"},"target":null}"#,
    "the line is commented out in the engine's test; the engine reports Unsupported, as the rows of \
     CreatePatch_UseJsonMergePatchWithUnsupportedTarget say",
)];

fn unreachable(row: &Row) -> Option<&'static str> {
    let source = row.text("source")?;
    let mut found = UNREACHABLE.iter().filter(|(own, _, _)| *own == source).peekable();
    found.peek()?;
    let input = row.get("input")?.to_string();
    found.find(|(_, own, _)| *own == input).map(|(_, _, reason)| *reason)
}

/// The document that a row's JSON is, with the same kinds of numbers.
fn document(json: &Json) -> Check<Value> {
    read(&json.to_string())
}

fn read(text: &str) -> Check<Value> {
    Document::new(text).map(Document::into_value).map_err(|error| format!("{text}: {error}"))
}

/// The row's JSON notation of a document.
fn json(value: &Value) -> Check<Json> {
    let text = o3de_json::to_string(value).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| format!("{text}: {error}"))
}

fn field<'r>(json: &'r Json, name: &str) -> Check<&'r Json> {
    json.get(name).ok_or_else(|| format!("`input` has no `{name}`"))
}

/// Whether a value is as the row says, kinds of numbers included.
fn same(what: &str, expected: &Json, found: &Json) -> Check {
    if expected == found {
        return Ok(());
    }
    Err(format!("{what}: expected {expected}, found {found}"))
}

/// Whether a code has the outcome of the row, one of several, and its processing if it has one.
fn same_code(row: &Row, code: ResultCode) -> Check {
    let expected = row.need_text("outcome")?;
    if !expected.split('|').any(|name| name == code.outcome().name()) {
        return Err(format!("expected the outcome {expected}, found {}", code.outcome()));
    }
    same_processing(row, code.processing())
}

fn same_processing(row: &Row, found: Processing) -> Check {
    match row.text("processing") {
        Some(expected) if expected != format!("{found:?}") => {
            Err(format!("expected the processing {expected}, found {found:?}"))
        }
        _ => Ok(()),
    }
}

fn outcome(name: &str) -> Check<Outcome> {
    let mut all = Outcome::ALL.into_iter();
    all.find(|outcome| outcome.name() == name).ok_or_else(|| format!("unknown outcome `{name}`"))
}
