//! The program on the page of how-tos is the example, and prints what it says.

use gamewire_testkit::docs::assert_programs;

#[allow(dead_code, missing_docs, unreachable_pub, reason = "an example")]
#[path = "../../examples/game.rs"]
mod game;

#[test]
fn the_client_is_the_example_and_prints_what_is_shown() {
    let folder = env!("CARGO_MANIFEST_DIR");
    assert_programs(folder, "docs/how-to/zeze.md", [("game", game::lines().unwrap())]);
    let read = |file: &str| std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
    let (page, solution) = (read("../../docs/how-to/zeze.md"), read("examples/game.xml"));
    assert!(page.contains(&format!("```xml\n{solution}```")));
}
