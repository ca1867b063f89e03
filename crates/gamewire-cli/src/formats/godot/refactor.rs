//! `gamewire refactor node`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::document::count;
use gamewire::godot_resource::{Contents, Renamed, rename_node};

use super::OpenProject;
use crate::args::LimitArgs;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::formats::change::{ChangeRow, finish};
use crate::output::{self, Replacement, Shown as _};

/// Rename or move a node of a Godot scene, in all scenes of its project
///
/// In the scene, in those that inherit it or have instances of it, and there in connections, paths of nodes,
/// animations and what is synchronized. Either all files change or none. Scripts stay as they are; those that
/// may name the node are listed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire refactor node player.tscn Body/Sprite Picture
  gamewire refactor node player.tscn Body/Sprite Head/Picture --dry-run
  gamewire refactor node levels/base.tscn Lamps/Lamp ./Lamp --json")]
pub(crate) struct Node {
    /// The scene that has the node
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// The path of the node from the root, with the name of the root or without it
    #[arg(value_name = "OLD")]
    old: String,
    /// Its new name, or its new path from the root, with a `/` in it
    #[arg(value_name = "NEW")]
    new: String,
    /// Change nothing, and say what would change
    #[arg(long)]
    dry_run: bool,
    /// Write a JSON array with file, line, column, pointer, place, old and new of each change
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Node {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let bound = self.limits.bound();
        let folder = self.scene.parent().filter(|own| !own.as_os_str().is_empty());
        let root = OpenProject::root(&self.scene, folder.unwrap_or(".".as_ref()))?;
        let open = OpenProject::open(root, bound);
        if !open.is_whole {
            let folder = folder.unwrap_or(".".as_ref()).shown();
            output::note(&format!("no project.godot is found; only {folder} is looked at"));
        }
        let scene = open.name(&self.scene).unwrap_or_default();
        let renamed = rename_node(&open.project, &scene, &self.old, &self.new);
        let renamed = renamed.map_err(|error| Failure::Data(error.to_string()))?;
        let name = |path: &str| self.shown(&open.root, path);
        let (mut rows, mut text, mut changed) = (Vec::new(), String::new(), Vec::new());
        for Renamed { path, old, bytes, changes } in renamed {
            let file = name(&path);
            _ = writeln!(text, "{}: {}", file.shown(), count(changes.len(), "place"));
            rows.extend(changes.into_iter().map(|own| ChangeRow {
                file: file.display().to_string(),
                line: own.line,
                column: own.column,
                pointer: own.place,
                place: "node",
                old: own.old,
                new: own.new,
            }));
            changed.push(Replacement { path: open.root.join(&path), old, new: bytes, to: None });
        }
        let old = self.old.rsplit('/').next().unwrap_or_default();
        let scripts: BTreeSet<String> = changed.iter().flat_map(|own| scripts(&own.old)).collect();
        for script in scripts {
            let path = open.root.join(script.trim_start_matches("res://"));
            let script = name(script.trim_start_matches("res://"));
            let code = match files::read(&path, bound) {
                Ok(code) => code,
                Err(_) if !path.exists() => continue,
                Err(why) => {
                    output::note(&format!("{}: {why}", script.shown()));
                    continue;
                }
            };
            if names(&String::from_utf8_lossy(&code), old) {
                output::note(&format!("{} may name `{old}`, and stays as it is", script.shown()));
            }
        }
        finish(&changed, &rows, text, self.dry_run, self.json)?;
        Ok(Outcome::Good)
    }

    /// A file of the project as it is seen from where the command runs.
    fn shown(&self, root: &Path, path: &str) -> PathBuf {
        let here = std::env::current_dir().and_then(|own| own.canonicalize());
        let path = root.join(path);
        here.ok().and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned)).unwrap_or(path)
    }
}

/// The scripts that a scene refers to.
fn scripts(scene: &[u8]) -> Vec<String> {
    let externals = Contents::open(scene).map(|own| own.externals).unwrap_or_default();
    let paths = externals.into_iter().map(|own| own.path.to_string());
    paths.filter(|path| path.ends_with(".gd") || path.ends_with(".cs")).collect()
}

/// Whether code has the name where a path of a node may be: after `$`, `%`, `/` or a quote.
fn names(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code.get(..at).and_then(|before| before.chars().next_back());
        let after = code.get(at + name.len()..).and_then(|after| after.chars().next());
        before.is_some_and(|before| matches!(before, '$' | '%' | '/' | '"' | '\''))
            && !after.is_some_and(|after| after.is_alphanumeric() || after == '_')
    })
}
