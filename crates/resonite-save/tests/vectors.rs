//! Rows of testdata/resonite-save/vectors (facts of files, meshes) and of files such as `EXPECTED.jsonl` (facts
//! of files in a folder).
//!
//! One fact is not checked: `brotli_c_q9_w16_stream_identical` is of Google's encoder, which this
//! workspace does not have.
#![allow(clippy::pedantic, clippy::restriction, reason = "a runner that panics fails the row")]

mod vectors {
    #[path = "../../../resonite-brson/tests/vectors/check.rs"]
    pub(crate) mod check;
    pub(crate) mod facts;
    pub(crate) mod meshes;
    pub(crate) mod spoilt;
}

use gamewire_testkit::vectors::{Context, Outcome, Row};

use crate::vectors::{facts, meshes, spoilt};

gamewire_testkit::vectors!(run, spoilt::a_changed_row_fails);

fn run(row: &Row, context: &Context<'_>) -> Outcome {
    let check = if row.get("file").is_some() { facts::run(row, context) } else { meshes::run(row) };
    check.into()
}
