//! The programs on the page of how-tos are the examples, and print what it says.

use std::path::Path;

use gamewire_testkit::docs::assert_programs;

#[allow(dead_code, missing_docs, unreachable_pub, reason = "an example")]
#[path = "../../examples/build.rs"]
mod build;
#[allow(dead_code, missing_docs, unreachable_pub, reason = "an example")]
#[path = "../../examples/change.rs"]
mod change;
#[allow(dead_code, missing_docs, unreachable_pub, reason = "an example")]
#[path = "../../examples/find.rs"]
mod find;
#[allow(dead_code, missing_docs, unreachable_pub, reason = "an example")]
#[path = "../../examples/strip.rs"]
mod strip;

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/resonite-brson");
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn programs_are_the_examples_and_print_what_is_shown() {
    let programs = [
        ("find", find::lines(&sample("lamp.brson"))),
        ("change", change::lines(&sample("lamp.brson"))),
        ("build", build::lines(build::PIXEL)),
        ("strip", strip::lines(&sample("lamp.resonitepackage"), strip::SLOT)),
    ];
    let programs = programs.map(|(name, lines)| (name, lines.unwrap()));
    assert_programs(env!("CARGO_MANIFEST_DIR"), "docs/how-to/resonite-program.md", programs);
}

/// A changed file keeps its container.
#[test]
fn a_changed_file_keeps_its_container() {
    for name in ["lamp.brson", "lamp.legacy.7zbson", "lamp.lz4bson", "lamp.bson"] {
        let file = sample(name);
        let container = |file: &[u8]| resonite_brson::open(file).unwrap().container();
        assert_eq!(container(&change::change(&file).unwrap()), container(&file), "{name}");
    }
}
