//! The program that docs/tour.md shows is this one, and prints what is shown.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The blocks of the page that begin with a line.
fn blocks<'a>(page: &'a str, fence: &str) -> Vec<&'a str> {
    let starts = page.match_indices(fence).map(|(at, fence)| at + fence.len());
    starts.map(|at| page[at..].split("```").next().unwrap()).collect()
}

#[test]
fn the_page_has_this_program_and_its_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/tour.md")).unwrap();
    let source = fs::read_to_string(root.join("outside/tour/src/main.rs")).unwrap();
    assert_eq!(blocks(&page, "```rust\n"), [source.as_str()]);

    // The save as the tour leaves it.
    let mut save = fs::read(root.join("testdata/godot-variant/savegame.dat")).unwrap();
    let changes = |save: &mut [u8], old: &[u8], new: &[u8]| {
        let starts: Vec<usize> =
            (0..save.len() - old.len()).filter(|at| save[*at..].starts_with(old)).collect();
        starts.iter().for_each(|at| save[*at..*at + new.len()].copy_from_slice(new));
        starts.len()
    };
    let hp = [&b"hp\0\0\x03\0\0\0"[..], &97.5_f32.to_le_bytes()].concat();
    let bad = [&b"hp\0\0\x03\0\0\0"[..], &50_f32.to_le_bytes()].concat();
    assert_eq!(changes(&mut save, &hp, &bad), 1);
    assert!(changes(&mut save, b"watered\0\x01\0\0\0\0", b"watered\0\x01\0\0\0\x01") > 1);
    let file = std::env::temp_dir().join(format!("gamewire-tour-{}.dat", std::process::id()));
    fs::write(&file, save).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_farm-report")).arg(&file).output().unwrap();
    fs::remove_file(file).unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && printed.lines().count() == 3, "{printed}");
    assert!(blocks(&page, "```text\n").contains(&printed.as_str()), "{printed}");
}
