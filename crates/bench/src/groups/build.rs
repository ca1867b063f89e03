//! The cost of a user's build: a program that writes and reads one struct, built from nothing as a release.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::system;
use crate::table::{Cell, Table};

/// A crate: its line in Cargo.toml, how to come from `save` to `back` by it, and the most seconds.
struct Kind {
    name: &'static str,
    line: &'static str,
    body: &'static str,
    most: f64,
}

const fn peer(name: &'static str, line: &'static str, body: &'static str) -> Kind {
    Kind { name, line, body, most: f64::MAX }
}

const fn ours(name: &'static str, body: &'static str, most: f64) -> Kind {
    Kind { name, line: "", body, most }
}

const KINDS: [Kind; 9] = [
    peer("serde alone", " ", "let back = save;"),
    peer(
        "rmp-serde",
        r#"rmp-serde = "1""#,
        "let back: Save = rmp_serde::from_slice(&rmp_serde::to_vec(&save)?)?;",
    ),
    peer(
        "serde_json",
        r#"serde_json = "1""#,
        "let back: Save = serde_json::from_slice(&serde_json::to_vec(&save)?)?;",
    ),
    peer(
        "bson",
        r#"bson = { version = "3", features = ["serde"] }"#,
        "let back: Save = bson::deserialize_from_slice(&bson::serialize_to_vec(&save)?)?;",
    ),
    ours(
        "zeze-serialize",
        "let back: Save = zeze_serialize::from_slice(&zeze_serialize::to_vec(&save)?)?;",
        f64::MAX,
    ),
    ours(
        "godot-variant",
        "let back: Save = godot_variant::from_slice(&godot_variant::to_vec(&save)?)?;",
        26.0,
    ),
    ours("o3de-json", "let back: Save = o3de_json::from_slice(&o3de_json::to_vec(&save)?)?;", 26.0),
    ours(
        "kiwi-pclass",
        "let options = kiwi_pclass::Options::new().schema(kiwi_pclass::Schema::infer::<Save>()?);
         let back: Save = options.from_slice(&options.to_vec(&save)?)?;",
        30.0,
    ),
    ours(
        "resonite-brson",
        "let back: Save = resonite_brson::from_slice(&resonite_brson::to_vec(&save)?)?;",
        50.0,
    ),
];

/// The table.
pub fn table() -> Outcome<Table> {
    let columns = ["crate, default features", "crates in all", "CPU s", "over serde alone", "goal"];
    let mut table = Table::new("What the release build of one struct costs", &columns);
    let folder = std::env::temp_dir().join(format!("gamewire-build-{}", std::process::id()));
    let mut least = None;
    for kind in &KINDS {
        fs::create_dir_all(folder.join("src"))?;
        let built = built(&folder, kind);
        fs::remove_dir_all(&folder)?;
        let (crates, seconds) = built?;
        let least = *least.get_or_insert(seconds);
        let bold = if seconds > kind.most { "**" } else { "" };
        table.rows.push(vec![
            Cell::Text(kind.name.to_owned()),
            Cell::Count(crates as u64),
            Cell::Text(format!("{bold}{seconds:.1}{bold}")),
            Cell::Text(format!("{:.1}", seconds - least)),
            if kind.most < f64::MAX {
                Cell::Text(format!("≤ {}", kind.most))
            } else {
                Cell::Nothing
            },
        ]);
    }
    Ok(table)
}

/// The number of crates, and the seconds that all processors took.
fn built(folder: &Path, kind: &Kind) -> Outcome<(usize, f64)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let line = match kind.line {
        "" => format!("{0} = {{ path = {1:?} }}", kind.name, root.join("crates").join(kind.name)),
        line => line.to_owned(),
    };
    let manifest = format!(
        "[package]\nname = \"one\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n{line}\n"
    );
    let program = format!(
        "#[derive(Debug, serde::Serialize, serde::Deserialize)]\n\
         struct Save {{ name: String, x: f32, items: Vec<u32> }}\n\n\
         fn main() -> Result<(), Box<dyn std::error::Error>> {{\n\
             let save = Save {{ name: \"a\".to_owned(), x: 0.5, items: vec![1, 2] }};\n\
             {}\n\
             println!(\"{{back:?}}\");\n\
             Ok(())\n\
         }}\n",
        kind.body
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/main.rs"), program)?;
    // The versions of the workspace.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let cargo = || {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(folder).env("CARGO_TARGET_DIR", folder.join("target"));
        cargo
    };
    let tree = cargo().args(["tree", "--prefix", "none", "--format", "{p}"]).output()?.stdout;
    let tree = String::from_utf8(tree)?;
    let crates = tree.lines().filter_map(|line| line.split(' ').next()).collect::<BTreeSet<_>>();
    let used = system::run(cargo().args(["build", "--release"]), 0)?;
    let used = used.ok_or_else(|| format!("the program of {} does not compile", kind.name))?;
    // The program itself is no crate that it needs.
    Ok((crates.len().saturating_sub(1), used.time.as_secs_f64()))
}
