//! `cargo xtask docs`: the generated parts of the documentation.

mod godot_variant;
mod zeze_serialize;

use std::path::Path;

use crate::{Outcome, parts};

/// Something that writes a part of a documentation file.
///
/// The part stands between `<!-- begin NAME -->` and `<!-- end NAME -->` in the file.
struct Generator {
    /// Name of the part.
    name: &'static str,
    /// The file, from the root of the workspace.
    file: &'static str,
    /// Makes the text of the part.
    generate: fn(root: &Path) -> Result<String, String>,
}

/// All generators. A new one is one line here, and the two markers in its file.
const GENERATORS: &[Generator] = &[
    Generator {
        name: "godot-variant-examples",
        file: "docs/formats/godot-variant.md",
        generate: |_| Ok(godot_variant::examples()),
    },
    Generator {
        name: "zeze-serialize-examples",
        file: "docs/formats/zeze-serialize.md",
        generate: |_| Ok(zeze_serialize::examples()),
    },
];

pub(crate) fn run(root: &Path, check: bool) -> Outcome {
    let stale = update(root, GENERATORS, check)?;
    for place in &stale {
        println!("{} {place}", if check { "stale:" } else { "rewritten:" });
    }
    println!("{} generated parts, {} stale", GENERATORS.len(), stale.len());
    Ok((!check || stale.is_empty()).into())
}

/// The parts that are not what their generator makes; rewrites them unless told only to check.
fn update(root: &Path, generators: &[Generator], check: bool) -> Result<Vec<String>, String> {
    let mut stale = Vec::new();
    for Generator { name, file, generate } in generators {
        let path = root.join(file);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
        let new = parts::replaced(&text, name, &generate(root)?)
            .ok_or_else(|| format!("{file} has no part `{name}`"))?;
        if new == text {
            continue;
        }
        stale.push(format!("{file}, part {name}"));
        if !check {
            std::fs::write(&path, new).map_err(|error| format!("{file}: {error}"))?;
        }
    }
    Ok(stale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_parts_are_found_and_rewritten() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let generators = [Generator { name: "n", file: "a.md", generate: |_| Ok("new".into()) }];
        assert!(update(root, &generators, true).unwrap_err().starts_with("a.md: "));
        std::fs::write(root.join("a.md"), "# A\n").unwrap();
        assert_eq!(update(root, &generators, true).unwrap_err(), "a.md has no part `n`");
        std::fs::write(root.join("a.md"), "<!-- begin n -->\nold\n<!-- end n -->\n").unwrap();
        assert_eq!(update(root, &generators, true).unwrap(), ["a.md, part n"]);
        assert!(std::fs::read_to_string(root.join("a.md")).unwrap().contains("old"));
        assert_eq!(update(root, &generators, false).unwrap(), ["a.md, part n"]);
        assert!(std::fs::read_to_string(root.join("a.md")).unwrap().contains("new"));
        assert_eq!(update(root, &generators, true).unwrap(), [""; 0]);
    }
}
