//! Changes of `refactor`, as they are made and reported.

use gamewire::document::count;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{self, Replacement, replace_all};

/// A change as it is reported.
#[derive(Serialize)]
pub(crate) struct ChangeRow {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) pointer: String,
    pub(crate) place: &'static str,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// Changes the files, unless they are only looked at, and says what is different in them.
pub(crate) fn finish(
    changed: &[Replacement],
    rows: &[ChangeRow],
    text: String,
    is_dry: bool,
    is_json: bool,
) -> Result<(), Failure> {
    if !is_dry {
        replace_all(changed)?;
    }
    if is_json {
        return output::print_json(&rows);
    }
    let how = if is_dry { "would change" } else { "changed" };
    let (files, places) = (count(changed.len(), "file"), count(rows.len(), "place"));
    output::print(format!("{text}{files} {how}, {places}\n"))
}
