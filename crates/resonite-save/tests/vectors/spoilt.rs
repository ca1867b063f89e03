//! Rows that are wrong must fail.

use gamewire_testkit::vectors::spoilt::{self, Silent};

use crate::run;

const SILENT: &[Silent] = &[
    ("mesh", |c| !c.row.flag("ok"), "other bytes are refused alike"),
    (
        "mesh",
        |c| c.row.text("name").is_some_and(|name| name.ends_with("no bone")),
        "what moves nothing may be any number that is no bone",
    ),
];

pub(crate) fn a_changed_row_fails() {
    spoilt::assert_all_fail(run, env!("CARGO_MANIFEST_DIR"), SILENT);
}
