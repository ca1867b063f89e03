//! Generated parts of the documentation, which a test of the crate holds.

use std::path::Path;

/// With this variable set to 1, tests rewrite stale parts instead of failing.
const UPDATE: &str = "UPDATE_DOCS";

/// Holds the annotated examples in `docs/formats/<crate>.md`, each beside the rule that it shows.
///
/// `package` is the `CARGO_MANIFEST_DIR` of the crate; each example is a title and what `explain`
/// prints. The first one stands between `<!-- begin example 1 -->` and `<!-- end example 1 -->`.
///
/// # Panics
/// Where the file differs, unless `UPDATE_DOCS=1` is set, which rewrites it; where there is no such
/// file or part.
pub fn assert_examples<'a>(
    package: impl AsRef<Path>,
    examples: impl IntoIterator<Item = (&'a str, String)>,
) {
    let package = package.as_ref();
    let name = package.file_name().unwrap_or_default().display().to_string();
    let file = package.join(format!("../../docs/formats/{name}.md"));
    let update = std::env::var_os(UPDATE).is_some_and(|value| value == "1");
    for (number, (title, explained)) in (1..).zip(examples) {
        hold(&file, &format!("example {number}"), &shown(title, &explained), update);
    }
}

/// Holds the parts of a page that show programs: of each, the code in `examples/NAME.rs` that stands
/// between its own documentation and `main`, and the lines that it prints.
///
/// `page` is a path from the repository; the parts are called as the examples.
///
/// # Panics
/// As [`assert_examples`].
pub fn assert_programs<'a>(
    package: impl AsRef<Path>,
    page: &str,
    programs: impl IntoIterator<Item = (&'a str, Vec<String>)>,
) {
    let package = package.as_ref();
    let update = std::env::var_os(UPDATE).is_some_and(|value| value == "1");
    for (name, lines) in programs {
        let file = package.join(format!("examples/{name}.rs"));
        let shown = file.display();
        let code =
            std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let lines = lines.join("\n");
        let part = format!("```rust\n{}\n```\n\n```text\n{lines}\n```", before_main(&code));
        hold(&package.join("../..").join(page), name, &part, update);
    }
}

/// The code of a program without its own documentation and `main` with all that follows it.
fn before_main(code: &str) -> &str {
    let body = code.find("\nfn main(").and_then(|end| code.get(..end)).unwrap_or(code);
    let own = body.lines().take_while(|line| line.starts_with("//!"));
    let start: usize = own.map(|line| line.len() + 1).sum();
    body.get(start..).unwrap_or_default().trim()
}

/// An example as Markdown.
fn shown(title: &str, explained: &str) -> String {
    let lines: Vec<&str> = explained.trim_end().lines().map(str::trim_end).collect();
    format!("{title}:\n\n```text\n{}\n```", lines.join("\n"))
}

/// Compares a part of a file, or rewrites it.
fn hold(file: &Path, name: &str, part: &str, update: bool) {
    let shown = file.display();
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{shown}: {error}"));
    let new = replaced(&text, name, part)
        .unwrap_or_else(|| panic!("{shown} has no part `{name}` between its two markers"));
    if new == text {
        return;
    }
    assert!(update, "{shown}: the part `{name}` is stale; `cargo xtask docs` rewrites it");
    std::fs::write(file, new).unwrap_or_else(|error| panic!("{shown}: {error}"));
}

/// The text with the named part replaced; `None` where it has no such part.
fn replaced(text: &str, name: &str, part: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- begin {name} -->"), format!("<!-- end {name} -->"));
    let (head, rest) = text.split_once(&begin)?;
    let (_, tail) = rest.split_once(&end)?;
    Some(format!("{head}{begin}\n{part}\n{end}{tail}"))
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn a_stale_part_fails_or_is_rewritten() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.md");
        let fails = |update| catch_unwind(|| hold(&file, "n", "new", update)).is_err();
        assert!(fails(true), "no file");
        std::fs::write(&file, "# A\n<!-- begin n -->\n").unwrap();
        assert!(fails(true), "no end of the part");
        std::fs::write(&file, "# A\n<!-- begin n -->\nold\n<!-- end n -->\nrest\n").unwrap();
        assert!(fails(false), "stale");
        assert!(!fails(true) && !fails(false));
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text, "# A\n<!-- begin n -->\nnew\n<!-- end n -->\nrest\n");
    }

    #[test]
    fn programs_are_shown_without_what_runs_them() {
        let code = "//! Own.\n//!\n//! Words.\n\nuse a;\n\n/// B.\nfn b() {}\n\nfn main() {}\n\nconst C: u8 = 0;\n";
        assert_eq!(before_main(code), "use a;\n\n/// B.\nfn b() {}");
        assert_eq!(before_main("fn b() {}\n"), "fn b() {}");
        assert!(catch_unwind(|| assert_programs("no", "a.md", [("b", vec![])])).is_err());
    }

    #[test]
    fn examples_are_code() {
        assert_eq!(shown("One", "a  \nb\n"), "One:\n\n```text\na\nb\n```");
    }
}
