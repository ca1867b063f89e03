//! The READMEs, the pages of the tool and the tour show the tool's real output.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::{TOOL, sample};

/// Runs each `$ command` of the `console` blocks in one shell, with these samples, and gives the page with what
/// it printed.
fn replayed(page: &str, samples: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for name in samples {
        let own = Path::new(name).file_name().unwrap();
        fs::write(folder.path().join(own), sample(name)).unwrap();
    }
    // A project of O3DE, in a folder of its own.
    let project = crate::run::project();
    fs::rename(project.path(), folder.path().join("garden")).unwrap();
    let (mut text, mut commands) = (vec![String::new()], Vec::new());
    let mut in_session = false;
    for line in page.lines() {
        if line.starts_with("```") {
            in_session = line == "```console";
        }
        let command = line.strip_prefix("$ ").filter(|_| in_session);
        if !in_session || line.starts_with("```") || command.is_some() {
            let part = text.last_mut().unwrap();
            part.push_str(line);
            part.push('\n');
        }
        if let Some(command) = command {
            commands.push(command);
            text.push(String::new());
        }
    }
    let outputs = shell(&commands, folder.path());
    text.iter()
        .zip(outputs.iter().map(|own| &**own).chain([""]))
        .flat_map(|(a, b)| [a, b])
        .collect()
}

/// What a shell prints on both streams for each of the commands, typed one after another.
fn shell(commands: &[&str], folder: &Path) -> Vec<String> {
    let bin = Path::new(TOOL).parent().unwrap().display().to_string();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
    let typed = commands.iter().map(|command| format!("{command}\nprintf '\\0'\n"));
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{}", typed.collect::<String>())])
        .current_dir(folder)
        .env("PATH", path)
        .envs(crate::git::SOMEBODY)
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let outputs: Vec<String> = printed.split_terminator('\0').map(str::to_owned).collect();
    assert_eq!(outputs.len(), commands.len(), "{printed}");
    outputs
}

/// `GAMEWIRE_README=write` rewrites the pages.
fn must_be_real(page: &str, samples: &[&str]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let shown = fs::read_to_string(&path).unwrap();
    let real = replayed(&shown, samples);
    if std::env::var_os("GAMEWIRE_README").is_some_and(|value| value == "write") {
        fs::write(path, real).unwrap();
    } else {
        let other = shown.lines().zip(real.lines()).find(|(shown, real)| shown != real);
        assert_eq!(other, None, "{page}");
        assert_eq!(shown.len(), real.len(), "{page}");
    }
}

#[test]
fn sessions_are_real() {
    let samples = ["savegame.dat", "stream.dat", "project.binary"];
    for page in ["README.md", "../../docs/tool/values.md", "../../docs/tool/check.md"] {
        must_be_real(page, &samples);
    }
    must_be_real("../../README.md", &samples[..1]);
    must_be_real("../../docs/tool/files.md", &samples[..2]);
    must_be_real("../../docs/tool/o3de.md", &[]);
    must_be_real("../../docs/tool/godot.md", &[]);
}

#[test]
fn the_how_to_of_resonite_is_real() {
    let samples = ["../resonite-brson/lamp.brson", "../resonite-brson/lamp.resonitepackage"];
    must_be_real("../../docs/how-to/resonite.md", &samples);
}

#[test]
fn the_how_to_of_godot_is_real() {
    must_be_real("../../docs/how-to/godot.md", &["savegame.dat"]);
}

#[test]
fn the_how_to_of_kingsisle_is_real() {
    let types = "../kiwi-pclass/vectors/types";
    let lists = ["arena.json", "arena_server.json"].map(|name| format!("{types}/{name}"));
    must_be_real(
        "../../docs/how-to/kingsisle.md",
        &["../kiwi-pclass/arena.wad", &lists[0], &lists[1]],
    );
}

#[test]
fn the_how_to_of_o3de_is_real() {
    if Command::new("git").arg("--version").output().is_err() {
        return println!("SKIPPED: git is not installed");
    }
    must_be_real("../../docs/how-to/o3de.md", &["../o3de-json/recipes/collider.json"]);
}

/// A new user's first five minutes. The program at their end is a crate in `outside`.
#[test]
fn the_tour_is_real() {
    if Command::new("git").arg("--version").output().is_err() {
        return println!("SKIPPED: git is not installed");
    }
    must_be_real("../../docs/tour.md", &["savegame.dat"]);
}

/// Setting up, differences, a merge, a conflict and its end.
#[test]
fn the_how_to_of_git_is_real() {
    if Command::new("git").arg("--version").output().is_err() {
        return println!("SKIPPED: git is not installed");
    }
    must_be_real("../../docs/how-to/git.md", &["savegame.dat"]);
}
