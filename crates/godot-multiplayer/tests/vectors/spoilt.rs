//! Rows that are wrong must fail.

use gamewire_testkit::vectors::spoilt::{self, Silent};
use gamewire_testkit::vectors::{Row, all_rows};

use crate::run;
use crate::vectors::{packets, replay};

const SILENT: &[Silent] = &[
    ("engine args", |_| true, "how the row was made"),
    ("step", |_| true, "only some of its words are checked"),
];

pub(crate) fn a_changed_row_fails() {
    spoilt::assert_all_fail(run, env!("CARGO_MANIFEST_DIR"), SILENT);
}

pub(crate) fn another_step_fails_the_row() {
    // Paths go with every step.
    let is_path = |row: &Row| matches!(row.hex("hex").unwrap()[0], 1 | 2);
    for mut row in all_rows(file()).into_iter().filter(|row| row.get("from").is_some()) {
        row.value["step"] = "nothing".into();
        assert!(is_path(&row) || packets::session(&row).is_err(), "{}", row.place());
    }
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

fn file() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/godot-multiplayer/vectors");
    format!("{folder}/multiplayer.jsonl")
}
