//! Rows that are wrong must fail.

use std::path::{Path, PathBuf};

use gamewire_testkit::vectors::spoilt::{self, flipped, with};
use gamewire_testkit::vectors::{Row, all_rows};
use serde_json::Value as Json;

use crate::run;
use crate::vectors::replay;

fn file() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/godot-multiplayer");
    folder.join("vectors/multiplayer.jsonl")
}

fn assert_all_fail(rows: &[Json], least: usize) {
    spoilt::assert_all_fail(run, &file(), rows, least);
}

pub(crate) fn a_changed_packet_fails_the_row() {
    let rows = all_rows(file());
    assert_all_fail(&rows.iter().flat_map(flipped).collect::<Vec<_>>(), 500);
    let rpc = |row: &&Row| row.text("kind") == Some("rpc");
    let plain = rows.iter().filter(rpc).map(|row| with(row, "plain", "1c0000000100000001000000"));
    assert_all_fail(&plain.collect::<Vec<_>>(), 15);
    let sent = rows.iter().filter(|row| row.get("from").is_some());
    assert_all_fail(&sent.clone().map(|row| with(row, "from", 3)).collect::<Vec<_>>(), 20);
    // Paths go with every step.
    let acts = sent.filter(|row| {
        row.text("hex").is_some_and(|hex| !hex.starts_with("01") && !hex.starts_with("02"))
    });
    assert_all_fail(&acts.map(|row| with(row, "step", "nothing")).collect::<Vec<_>>(), 15);
}

pub(crate) fn the_captured_session_means_what_its_steps_say() {
    let (packets, events) = replay::play().unwrap();
    let rows = all_rows(file());
    let captured = rows.iter().filter(|row| row.text("kind") == Some("session")).count();
    assert_eq!((packets.len(), events.len()), (captured, captured));
    let has = |event: &str| assert!(events.iter().any(|own| own == event), "{event}: {events:#?}");
    has("N go[1, \"x\", 2.5]");
    has("N go[PackedByteArray(1, 2, 3)]");
    has("bytes [9, 8, 7]");
    has("confirmed N/Spawner true");
    has("N/Spawner spawns Thing [5, Vector3(1.0, 2.0, 3.0)]");
    has("despawn 1");
}
