//! Files of public projects, where they are.

use std::path::PathBuf;

use godot_resource::Text;

use crate::support::{files, testdata};

/// Names of text files.
const TEXT: [&str; 10] = [
    ".tscn",
    ".tres",
    ".escn",
    ".import",
    ".uid",
    ".remap",
    ".gdextension",
    ".godot",
    ".cfg",
    ".tres.base",
];

fn folders() -> Vec<PathBuf> {
    let own = std::env::var_os("GODOT_PROJECTS").map(PathBuf::from);
    let shared = testdata().join("../../../shared/realdata/godot_scenes");
    own.into_iter().chain([shared]).filter(|folder| folder.is_dir()).collect()
}

#[test]
fn files_of_projects_are_written_as_they_were_read() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for file in folders().iter().flat_map(|folder| files(folder, &TEXT)) {
        let bytes = std::fs::read(&file).unwrap();
        let Ok(text) = std::str::from_utf8(&bytes) else {
            eprintln!("no UTF-8: {}", file.display());
            continue;
        };
        // Left by a merge, one without its marks; engines load neither.
        let is_broken =
            text.lines().any(|line| line == "=======") || file.ends_with("262/committed.tscn");
        match Text::parse(text) {
            Err(_) if is_broken => {}
            Ok(read) if read.to_string() == text => count += 1,
            Ok(_) => wrong.push(format!("{}: differs", file.display())),
            Err(error) => wrong.push(format!("{}: {error}", file.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{count} files");
}

#[test]
fn binary_files_of_projects_are_written_as_they_were_read() {
    for file in folders().iter().flat_map(|folder| files(folder, &[".res", ".scn"])) {
        let bytes = std::fs::read(&file).unwrap();
        let mut read = godot_resource::Binary::parse(&bytes)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(read.to_vec().unwrap(), bytes);
        for resource in 0..read.resources().len() {
            let values: Vec<_> =
                read.values(resource).map(|(name, value)| (name.to_owned(), value)).collect();
            for (name, value) in values {
                read.set(resource, &name, &value).unwrap();
            }
        }
        if !read.is_packed() {
            assert_eq!(read.to_vec().unwrap(), bytes, "{}", file.display());
        }
        read.contents().unwrap();
    }
}
