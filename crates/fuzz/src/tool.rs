//! Commands of the tool on any files, by the real program: variable `GAMEWIRE`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use tempfile::TempDir;

/// The program, and a folder for the files.
static PLACE: LazyLock<(String, TempDir)> = LazyLock::new(|| {
    let program = std::env::var("GAMEWIRE").expect("GAMEWIRE, the path of the program");
    // In memory where that is to be had.
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    (program, folder.expect("a folder for files"))
});

/// Names of the input, one for each kind of file.
const NAMES: &[&str] = &[
    "a.dat",
    "project.binary",
    "a.prefab",
    "a.setreg",
    "a.json",
    "a.xml",
    "a.blob",
    "a.bean",
    "a.frames",
    "a.brson",
    "a.7zbson",
    "a.lz4bson",
    "a.bson",
    "a.resonitepackage",
    "a.wad",
    "a.save",
];

/// Words of commands: `A` and `B` are inputs, `OUT` is a file that exists, `DIR` a folder.
const COMMANDS: &[&str] = &[
    "check --types TYPES A",
    "check DIR",
    "decode A -o OUT",
    "decode --types TYPES A",
    "explain A --html OUT",
    "explain A --json",
    "tree A",
    "diff A B",
    "detect A B",
    "convert A OUT",
    "convert A OUT.brson",
    "convert A OUT.json",
    "encode A -f godot-variant -o OUT",
    "encode A -f zeze-serialize -o OUT",
    "encode A -f resonite-brson -o OUT",
    "encode A -f kiwi-pclass --types TYPES -o OUT",
    "package list A",
    "package extract A DIR --force",
    "patch A B -o OUT",
    "merge A B -o OUT",
    "get A a b[0] *",
    "set A a=1 -o OUT",
    "set A [0]=[1] -o OUT",
    "ins A [0]=1 -o OUT",
    "del A a -o OUT",
    "salvage A -o OUT",
    "diff A B --json",
    "tree A --json",
    "check A --json",
    "merge3 A B A -o OUT",
    "explain --types TYPES A --html OUT",
    "slot ls A",
    "slot ls A --json",
    "slot rm A Lamp/Bulb -o OUT",
    "slot extract A Lamp/Bulb -o OUT",
    "slot insert A B --into Lamp -o OUT",
    "lint A",
    "lint DIR --json",
    "graph DIR",
    "package list A --json",
    "package verify A",
    "package replace A B -o OUT",
    "package build A -o OUT",
];

/// The content of the output file before.
const OLD: &[u8] = b"old";

/// The tool ends by itself, and destroys no file. The first byte chooses the command, the second
/// the kind of file; the rest is the file, or both where a command takes two.
pub(crate) fn tool(data: &[u8]) {
    let [command, name, data @ ..] = data else { return };
    let (program, folder) = &*PLACE;
    let folder = folder.path();
    let path = |name: &str| folder.join(name).display().to_string();
    let half = data.len() / 2;
    let name = NAMES[usize::from(*name) % NAMES.len()];
    let words = COMMANDS[usize::from(*command) % COMMANDS.len()];
    let (a, b) = if words.contains(" B") { data.split_at(half) } else { (data, &[][..]) };
    let types = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/kiwi-pclass/vectors/types");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).expect(name);
    write(name, a);
    write(&format!("b-{name}"), b);
    write("out", OLD);
    let arguments = words.split(' ').map(|word| match word {
        "A" => path(name),
        "B" => path(&format!("b-{name}")),
        "OUT" => path("out"),
        "DIR" => path(""),
        "TYPES" => format!("{types}/types.json"),
        word => word.replace("OUT", &path("out")),
    });
    let arguments: Vec<String> = arguments.collect();
    let mut run = Command::new(program);
    run.args(&arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let ended = run.output().expect("the tool can be started");
    let said = String::from_utf8_lossy(&ended.stderr);
    let code = ended.status.code();
    assert!(matches!(code, Some(0..=2)), "{arguments:?}: {:?}: {said}", ended.status);
    // Of a damaged file one wants the page, and what can be saved.
    let is_partial = words.starts_with("explain") || words.starts_with("salvage");
    if code != Some(0) && words.ends_with("OUT") && !is_partial {
        let kept = std::fs::read(folder.join("out")).unwrap_or_default();
        assert!(kept == OLD, "{arguments:?} failed, and the file is gone: {said}");
        assert!(!said.is_empty(), "{arguments:?} failed without a word");
    }
    empty(folder);
}

/// Removes what commands have written.
fn empty(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let _ =
            if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    }
}
