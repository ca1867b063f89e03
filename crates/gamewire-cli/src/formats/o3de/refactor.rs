//! `gamewire refactor`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use gamewire::document::{Error, count};
use gamewire::o3de_json;
use gamewire::o3de_json::value::Document;
use gamewire::o3de_prefab::{Change, Changed, Loader, Project, Recipe, Rename, Renamed};

use super::{is_own, may_be};
use crate::args::LimitArgs;
use crate::args::o3de::O3deArgs;
use crate::args::o3de::{OwnDefaults, SearchArgs};
use crate::failure::{Failure, Outcome};
use crate::files::{self, Input, bad};
use crate::formats::change::{ChangeRow, finish};
use crate::formats::godot::refactor::Node;
use crate::output::Shown as _;
use crate::output::{self, Replacement};

/// Rename a component, a property, an asset, a prefab or a node in a whole project, or run a migration
///
/// The name changes in all files of O3DE's JSON below PATH, in what they hold and in the overrides of
/// instances, and every other byte stays. Either all files change or none: a file that cannot be read,
/// is broken or has the new name already ends the command before the first is written. A node is one of a Godot
/// scene, and changes in all scenes of the project.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire refactor component Game::DoorComponent Game::GateComponent
  gamewire refactor property Game::DoorComponent /Hinge/Angle Degrees --dry-run
  gamewire refactor path Textures/wood.png Textures/oak.png
  gamewire refactor prefab Prefabs/Lamp.prefab Prefabs/Lights/Lamp.prefab Levels/ Gems/
  gamewire refactor run door-controller.json --dry-run
  gamewire refactor node player.tscn Body/Sprite Picture")]
pub(crate) struct Refactor {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Component(Component),
    Property(Property),
    /// Change the path of an asset where files name it
    ///
    /// The asset itself is not moved. What the Asset Processor makes of it is named in `assetHint`s, which
    /// change with it; the ids of assets, which it makes of paths, change with --guids.
    #[command(after_help = "\
Examples:
  gamewire refactor path Textures/wood.png Textures/oak.png
  gamewire refactor path objects/lamp.azmodel objects/torch.azmodel --dry-run")]
    Path(Moved),
    /// Move a prefab, and change its path where files name it
    ///
    /// It stays in its scan folder: the project, or the assets of a gem. The ids of what the Asset Processor
    /// makes of it change with --guids.
    #[command(after_help = "\
Examples:
  gamewire refactor prefab Prefabs/Lamp.prefab Prefabs/Torch.prefab
  gamewire refactor prefab Prefabs/Lamp.prefab Prefabs/Lights/Lamp.prefab --dry-run")]
    Prefab(Moved),
    Run(Run),
    Node(Node),
}

/// Rename a type of components
///
/// In `$type`, with a UUID before it or not, and where newer engines have the name as a key: in
/// `Components` and in the paths of overrides.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire refactor component Game::DoorComponent Game::GateComponent
  gamewire refactor component OldComponent NewComponent Levels/ --dry-run")]
struct Component {
    /// The name of the type
    #[arg(value_name = "OLD")]
    old: String,
    /// Its new name
    #[arg(value_name = "NEW")]
    new: String,
    #[command(flatten)]
    place: Where,
}

/// Rename a property of a type
///
/// In objects of the type, and in the overrides of instances in whose source there is such an object at
/// that place. Sources are looked for in the project around PATH, its gems and its engine; without all
/// that the overrides need, nothing changes, unless --partial says so.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire refactor property Game::DoorComponent /Hinge/Angle Degrees
  gamewire refactor property EditorColliderComponent /ShapeConfiguration/Box Cuboid --dry-run")]
struct Property {
    /// The type that has it
    #[arg(value_name = "TYPE")]
    class: String,
    /// Its JSON pointer in an object of the type
    #[arg(value_name = "POINTER")]
    old: String,
    /// Its new name
    #[arg(value_name = "NEW")]
    new: String,
    #[command(flatten)]
    sources: Sources,
    #[command(flatten)]
    place: Where,
}

/// Change components as a recipe says
///
/// A recipe is JSON with comments: `{"migrations": [{"component": TYPE, "steps": [...]}]}`. The steps are made in
/// each component that is, or wraps, one of the type, and in each override that leads into one. Places are
/// JSON Pointers from the component on.
#[derive(Args)]
#[command(after_help = "\
Steps:
  {\"op\": \"rename\", \"to\": \"B\"}                           another type
  {\"op\": \"rename\", \"path\": \"/a/b\", \"to\": \"c\"}           another name for a member
  {\"op\": \"move\", \"from\": \"/a/b\", \"path\": \"/c/d\"}      a member goes elsewhere
  {\"op\": \"wrap\", \"path\": \"/c/d\"}                       all members but $type and Id go into
                                                      one; \"members\": [\"a\"] names some
  {\"op\": \"split\", \"to\": \"B\", \"members\": [\"/a\"]}       members go into a new component
  {\"op\": \"default\", \"path\": \"/a\", \"value\": 1}        sets a member that is not there
  {\"op\": \"drop\", \"path\": \"/a\"}                       removes a member; without path, the
                                                      component

Examples:
  gamewire refactor run door-controller.json --dry-run
  gamewire refactor run door-controller.json Levels/ Prefabs/ --engine ../o3de")]
struct Run {
    /// The recipe; `-` is standard input
    #[arg(value_name = "FILE")]
    recipe: PathBuf,
    #[command(flatten)]
    sources: Sources,
    #[command(flatten)]
    place: Where,
}

/// The treatment of the sources that overrides need.
#[derive(Args)]
struct Sources {
    /// Leave overrides as they are whose sources cannot be read, and change the rest
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    defaults: OwnDefaults,
}

/// A path and its new one.
#[derive(Args)]
struct Moved {
    /// The path as files name it
    #[arg(value_name = "OLD")]
    old: String,
    /// The new one
    #[arg(value_name = "NEW")]
    new: String,
    /// Change the ids, too, that the Asset Processor makes of the path
    #[arg(long)]
    guids: bool,
    #[command(flatten)]
    place: Where,
}

impl Moved {
    /// The same, with ids if that is asked for.
    fn with_ids(&self, rename: Rename, file: Option<&Path>) -> Result<Rename, Failure> {
        let beside = file.filter(|_| self.guids).map(|file| {
            let named = |end: &str| {
                let mut name = file.to_owned().into_os_string();
                name.push(end);
                PathBuf::from(name)
            };
            // Older engines have the longer name.
            [".meta", ".metadata"].map(named).into_iter().find(|beside| beside.exists())
        });
        match beside.flatten() {
            Some(beside) => {
                let why = "keeps the id of the file, which is not that of its path";
                Err(Failure::Usage(format!("{}: {why}", beside.shown())))
            }
            None => Ok(rename.guids(self.guids)),
        }
    }
}

#[derive(Args)]
struct Where {
    /// Files and folders [default: the folder that the command runs in]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Change nothing, and say what would change
    #[arg(long)]
    dry_run: bool,
    /// Write a JSON array with file, line, column, pointer, place, old and new of each change
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    o3de: O3deArgs,
}

impl Refactor {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        match self.what {
            What::Node(own) => own.run(),
            What::Component(own) => {
                let (project, loader) = own.place.project()?;
                own.place.rename(&Rename::component(own.old, own.new), None, &project, loader)
            }
            What::Property(own) => {
                let rename = Rename::property(own.class, &own.old, own.new);
                let rename = rename.map_err(|error| Failure::Usage(error.to_string()))?;
                own.place.with_sources(&own.sources, may_be, &mut |document, path, loader| {
                    rename.apply(document, path, loader)
                })
            }
            What::Run(own) => {
                let input = Input::read(&own.recipe, own.place.limits.bound())?;
                let recipe =
                    Recipe::read(&input.bytes).map_err(|error| bad(&input, &error.into()))?;
                // Nothing else has components.
                let may = |path: &Path| path.extension().is_some_and(|own| own == "prefab");
                own.place.with_sources(&own.sources, may, &mut |document, path, loader| {
                    recipe.apply(document, path, loader)
                })
            }
            What::Path(own) => {
                let (project, loader) = own.place.project()?;
                let file = project.find(&own.old);
                let rename = match &file {
                    Some(file) => paths(&project, file, &target(file, &own.old, &own.new)?),
                    None => Rename::path(&own.old, &own.new),
                };
                let rename = own.with_ids(rename, file.as_deref())?;
                own.place.rename(&rename, None, &project, loader)
            }
            What::Prefab(own) => {
                let (project, loader) = own.place.project()?;
                let file = project
                    .find(&own.old)
                    .ok_or_else(|| Failure::Usage(format!("{}: no scan folder has it", own.old)))?;
                let to = target(&file, &own.old, &own.new)?;
                if to.exists() {
                    let name = project.names(&to).into_iter().next().unwrap_or_default();
                    return Err(Failure::Usage(format!("{name}: is there already")));
                }
                let rename = own.with_ids(paths(&project, &file, &to), Some(&file))?;
                own.place.rename(&rename, Some((&file, &to)), &project, loader)
            }
        }
    }
}

/// The new place of a file, in the scan folder from which the old path leads to it.
fn target(file: &Path, old: &str, new: &str) -> Result<PathBuf, Failure> {
    let parts = |path: &str| {
        let parts = path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".");
        parts.map(str::to_owned).collect::<Vec<String>>()
    };
    let (old, new) = (parts(old), parts(new));
    if new.is_empty() || new.iter().any(|part| part == "..") {
        return Err(Failure::Usage(format!("{}: is no path below a scan folder", new.join("/"))));
    }
    let folder = file.ancestors().nth(old.len()).unwrap_or(file);
    Ok(new.iter().fold(folder.to_owned(), |path, part| path.join(part)))
}

/// All the names of a file, and what they become.
fn paths(project: &Project, file: &Path, to: &Path) -> Rename {
    let mut rename: Option<Rename> = None;
    for folder in project.folders() {
        let name = |path: &Path| {
            let path = path.strip_prefix(folder).ok()?;
            Some(path.to_string_lossy().replace('\\', "/"))
        };
        let Some(old) = name(file) else { continue };
        let Some(new) = name(to).or_else(|| project.names(to).into_iter().next()) else { continue };
        rename = Some(match rename {
            Some(rename) => rename.or_path(old, new),
            None => Rename::path(old, new),
        });
    }
    rename.unwrap_or_else(|| Rename::path(file.to_string_lossy(), to.to_string_lossy()))
}

/// The changes of a document, by its path from a scan folder.
type Apply<'a> =
    &'a mut dyn FnMut(&Document, &str, &mut Loader<Project>) -> o3de_json::Result<Renamed>;

/// The changes in all files.
struct Job<'a> {
    apply: Apply<'a>,
    /// Whether a file in a folder is worth reading.
    may: fn(&Path) -> bool,
    /// A file, and where it goes.
    moved: Option<(&'a Path, &'a Path)>,
    /// Whether overrides may stay as they are whose sources cannot be read.
    partial: bool,
}

const fn word(place: Changed) -> &'static str {
    match place {
        Changed::Member => "member",
        Changed::OverridePath => "override path",
        Changed::OverrideValue => "override value",
        Changed::OverrideGone => "dropped override",
        Changed::Component => "component",
        _ => "value",
    }
}

impl Where {
    /// The folder that the command runs in, if no other is named.
    fn paths(&self) -> Vec<PathBuf> {
        if self.paths.is_empty() { vec![PathBuf::from(".")] } else { self.paths.clone() }
    }

    /// The project around the first path.
    fn project(&self) -> Result<(Project, Loader<Project>), Failure> {
        let paths = self.paths();
        let first = paths.first().cloned().unwrap_or_default();
        let failed = |error: std::io::Error| Failure::io(&first.shown(), &error);
        let project = match self.search.root(&first).map_err(failed)? {
            Some(root) => self.search.project(&root),
            None => Project::of([first.canonicalize().map_err(failed)?]),
        };
        let loader = Loader::new(project.clone())
            .options(self.o3de.settings().options(self.limits.settings()));
        Ok((project, loader))
    }

    fn rename(
        &self,
        rename: &Rename,
        moved: Option<(&Path, &Path)>,
        project: &Project,
        loader: Loader<Project>,
    ) -> Result<Outcome, Failure> {
        let apply: Apply<'_> = &mut |document, path, loader| rename.apply(document, path, loader);
        self.run(Job { apply, may: may_be, moved, partial: false }, project, loader)
    }

    fn with_sources(
        &self,
        sources: &Sources,
        may: fn(&Path) -> bool,
        apply: Apply<'_>,
    ) -> Result<Outcome, Failure> {
        let (project, loader) = self.project()?;
        let loader = loader.defaults(sources.defaults.read(self.limits)?);
        self.run(Job { apply, may, moved: None, partial: sources.partial }, &project, loader)
    }

    fn run(
        &self,
        job: Job<'_>,
        project: &Project,
        mut loader: Loader<Project>,
    ) -> Result<Outcome, Failure> {
        let Job { apply, may, moved, partial } = job;
        let walk = files::expand(&self.paths());
        if let Some(why) = walk.unreadable.first() {
            return Err(Failure::Usage(why.clone()));
        }
        let (mut rows, mut text, mut changed) = (Vec::new(), String::new(), Vec::new());
        let mut undecided: BTreeMap<String, usize> = BTreeMap::new();
        let mut moved = moved.map(|(from, to)| (from.canonicalize(), to.to_owned()));
        for file in walk.files.iter().filter(|file| file.is_named || may(&file.path)) {
            let input = file.read(self.limits.bound())?;
            if !is_own(&input) {
                continue;
            }
            let path = file.path.canonicalize();
            let path = path.map_err(|error| Failure::io(&input.name, &error))?;
            let fault = |error| bad(&input, &Error::from(error));
            let options =
                self.o3de.settings().options_for(self.limits.settings(), Some(&file.path));
            let document = Document::from_slice(&input.bytes, &options).map_err(fault)?;
            let name = project.names(&path).into_iter().next().unwrap_or_default();
            let renamed = apply(&document, &name, &mut loader).map_err(fault)?;
            let to = moved.take_if(|(from, _)| from.as_ref().is_ok_and(|from| *from == path));
            let to = to.map(|(_, to)| to);
            for own in renamed.undecided {
                *undecided.entry(own.source).or_default() += 1;
            }
            if renamed.changes.is_empty() && to.is_none() {
                continue;
            }
            let words = summary(&renamed.changes);
            let joint = if words.is_empty() { "" } else { ": " };
            _ = writeln!(text, "{}{joint}{words}", input.name);
            if let Some(to) = &to {
                let to = project.names(to).into_iter().next().unwrap_or_default();
                _ = writeln!(text, "{name} → {to}");
            }
            rows.extend(self.rows(&input.raw_name, &document, renamed.changes));
            changed.push(Replacement {
                path: file.path.clone(),
                old: input.bytes.into_vec(),
                new: renamed.bytes,
                to,
            });
        }
        if moved.is_some() {
            let why = "the prefab is not below the paths that are named, or is none";
            return Err(Failure::Usage(why.to_owned()));
        }
        for (source, own) in &undecided {
            let fault = loader.fault(source).map_or_else(|| source.clone(), str::to_owned);
            let own = count(*own, "override");
            output::note(&format!("{fault}: {own} cannot be decided and would stay as they are"));
        }
        let left = undecided.values().sum();
        if left > 0 && !partial && !self.dry_run {
            let (left, sources) = (count(left, "override"), count(undecided.len(), "source"));
            return Err(Failure::Data(format!(
                "nothing has changed: {left} may have the name, and {sources} cannot be read; --engine, --gem \
                 and --scan-folder say where sources are, --partial leaves these overrides as they are"
            )));
        }
        finish(&changed, &rows, text, self.dry_run, self.json)?;
        Ok(Outcome::good_if(!changed.is_empty() && (left == 0 || partial)))
    }

    fn rows(&self, file: &str, document: &Document, changes: Vec<Change>) -> Vec<ChangeRow> {
        if !self.json {
            // Only their number counts.
            return changes.into_iter().map(|own| ChangeRow::new(file, (1, 1), own)).collect();
        }
        let pointers: Vec<&str> = changes.iter().map(|own| own.pointer.as_str()).collect();
        let places = document.places(&pointers);
        let rows = changes.into_iter().zip(places);
        rows.map(|(own, place)| ChangeRow::new(file, place.unwrap_or((1, 1)), own)).collect()
    }
}

impl ChangeRow {
    fn new(file: &str, (line, column): (usize, usize), change: Change) -> Self {
        let Change { pointer, place, old, new, .. } = change;
        ChangeRow { file: file.to_owned(), line, column, pointer, place: word(place), old, new }
    }
}

/// Such as `2 values, 1 override path`.
fn summary(changes: &[Change]) -> String {
    let mut counts: BTreeMap<Changed, usize> = BTreeMap::new();
    changes.iter().for_each(|own| *counts.entry(own.place).or_default() += 1);
    let words: Vec<String> = counts.iter().map(|(place, own)| count(*own, word(*place))).collect();
    words.join(", ")
}
