//! Rows that are wrong must fail.

use gamewire_testkit::vectors::spoilt::{self, Silent};

use crate::run;

const SILENT: &[Silent] = &[("hex kind", |c| !c.row.flag("ok"), "other bytes are refused alike")];

pub(crate) fn a_changed_row_fails() {
    spoilt::assert_all_fail(run, env!("CARGO_MANIFEST_DIR"), SILENT);
}
