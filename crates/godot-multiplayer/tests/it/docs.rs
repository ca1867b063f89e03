//! The code that the README shows.

#[test]
fn the_server_of_the_readme_is_the_example() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let (readme, example) = (read("README.md"), read("examples/server.rs"));
    let block = readme.split("```rust,ignore\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(block.lines().count() < 40, "{} lines", block.lines().count());
    // But for `main`, which the example tells the address.
    let served =
        |text: &str| text.split("/// One client.").nth(1).map(str::trim_end).map(str::to_owned);
    assert!(served(&example).is_some());
    assert_eq!(served(block), served(&example));
}
