//! Files of real engines that are not part of this repository, where they are at hand.

use std::path::{Path, PathBuf};

use godot_variant::frame::Framing;
use godot_variant::project::ProjectSettings;
use godot_variant::*;

/// `shared/realdata/godot` beside the workspace, or further out.
fn folder() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let around = workspace.ancestors().skip(1).map(|parent| parent.join("shared/realdata/godot"));
    around.into_iter().find(|folder| folder.is_dir())
}

#[test]
fn every_file_is_read_and_written_back_the_same() {
    let Some(folder) = folder() else {
        println!("no ../shared/realdata/godot beside the workspace: nothing was read");
        return;
    };
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let written = match path.extension().and_then(|end| end.to_str()) {
            Some("binary") => ProjectSettings::from_slice(&bytes).unwrap().to_vec().unwrap(),
            Some("dat") => {
                let values: Vec<Value> = Framing::new().all_from_slice(&bytes).unwrap();
                assert!(!values.is_empty());
                values.iter().flat_map(|value| Framing::new().to_vec(value).unwrap()).collect()
            }
            _ => continue,
        };
        assert!(written == bytes, "{} is written otherwise", path.display());
        count += 1;
    }
    assert!(count >= 3, "{count} files in {}", folder.display());
    println!("{count} files of {} are written back the same", folder.display());
}
