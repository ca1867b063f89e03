//! Rows of testdata/godot-multiplayer/vectors: packets between two engines.
#![allow(clippy::pedantic, clippy::restriction, reason = "a runner that panics fails the row")]

mod vectors {
    pub(crate) mod live;
    pub(crate) mod packets;
    pub(crate) mod replay;
    pub(crate) mod spoilt;
}

use gamewire_testkit::vectors::{Context, Outcome, Row};

use crate::vectors::{live, packets, spoilt};

gamewire_testkit::vectors!(
    run,
    spoilt::a_changed_row_fails,
    spoilt::another_step_fails_the_row,
    spoilt::the_captured_session_means_what_its_steps_say,
    live::a_session_and_a_running_engine_talk,
);

fn run(row: &Row, _context: &Context<'_>) -> Outcome {
    let checked = match row.text("kind") {
        Some("rpc") => packets::rpc(row),
        Some("session") => packets::session(row),
        kind => Err(format!("unknown kind {kind:?}")),
    };
    checked.into()
}
