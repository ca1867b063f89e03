//! The program on the page of how-tos is the example, and prints what it says.

use gamewire_testkit::docs::assert_programs;

use crate::support::root;

#[allow(dead_code, missing_docs, unreachable_pub, reason = "an example")]
#[path = "../../examples/places.rs"]
mod places;

#[test]
fn the_program_is_the_example_and_prints_what_is_shown() {
    let lines = places::lines(&root().join("testdata/o3de-json/project"), "Levels/Start.prefab");
    let programs = [("places", lines.unwrap())];
    assert_programs(env!("CARGO_MANIFEST_DIR"), "docs/how-to/o3de.md", programs);
}
