//! The code that the README shows.

#[test]
fn the_server_of_the_readme_is_the_example() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let (readme, example) = (read("README.md"), read("examples/server.rs"));
    let block = readme.split("```rust,ignore\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(block.lines().count() < 90, "{} lines", block.lines().count());
    let (_, served) = example.split_once("/// Bytes of one message;").unwrap();
    let (served, _) = served.split_once("/// A stream that a client").unwrap();
    assert_eq!(block.trim_end(), format!("/// Bytes of one message;{served}").trim_end());
}
