//! The README shows what the tool really prints.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::{TOOL, samples};

/// Runs each `$ command` of the `console` blocks and gives the README with what it printed.
fn replayed(readme: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(samples()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    // A project of O3DE, in a folder of its own.
    let project = crate::run::project();
    fs::rename(project.path(), folder.path().join("garden")).unwrap();
    let mut text = String::new();
    let mut in_session = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            in_session = line == "```console";
        }
        let is_output = in_session && !line.starts_with("```") && !line.starts_with("$ ");
        if !is_output {
            text.push_str(line);
            text.push('\n');
        }
        if let Some(command) = line.strip_prefix("$ ").filter(|_| in_session) {
            text.push_str(&shell(command, folder.path()));
        }
    }
    text
}

/// What a shell prints on both streams.
fn shell(command: &str, folder: &Path) -> String {
    let bin = Path::new(TOOL).parent().unwrap().display().to_string();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", path)
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// `GAMEWIRE_README=write` writes the README anew.
#[test]
fn sessions_are_real() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let real = replayed(&readme);
    if std::env::var_os("GAMEWIRE_README").is_some_and(|value| value == "write") {
        fs::write(path, real).unwrap();
    } else {
        assert_eq!(readme, real);
    }
}
