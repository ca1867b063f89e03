//! `gamewire resolve`.

use std::iter::successors;
use std::path::{Component, Path, PathBuf};

use clap::Args;
use gamewire::o3de_json::report::Issue;
use gamewire::o3de_json::value::{Document, Folder};
use gamewire::o3de_prefab::{Imports, Loader, Prefab, Project, Registry};

use super::edit::How;
use super::project;
use crate::args::o3de::{OwnDefaults, SearchArgs};
use crate::failure::{Failure, Outcome};
use crate::files::{Input, bad};
use crate::output::Shown as _;
use crate::output::{self, Sink, is_dash};

/// Bring the files in that a JSON file of O3DE imports, or the prefabs that a prefab instances, or merge a registry
///
/// Each object with an `$import` member becomes the imported document, with the directive's patch
/// applied; in settings (.setreg, .setregpatch) it is merged where it stands. Files are read below the root only.
///
/// In a prefab each instance becomes the whole prefab, with its overrides applied. Sources are looked
/// for below the root, else in the project around the file, its gems and its engine.
///
/// With --registry the settings of a whole project are merged in the engine's order: those of the engine, of the gems
/// that the project uses, of the project, of ~/.o3de and of the project's folder user. What a build adds is not known.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire resolve StandardPBR.materialtype
  gamewire resolve Levels/Start/Start.prefab --list
  gamewire resolve Registry/Server.setreg --root .
  gamewire resolve --registry Game --specialization profile --specialization editor --platform linux
  gamewire resolve --registry Game --engine ../o3de --why /Amazon/AssetProcessor/Settings
  gamewire resolve a.materialtype --root . --alias @gemroot:Atom@=Gems/Atom")]
pub(crate) struct Resolve {
    /// The file
    #[arg(required_unless_present = "registry")]
    file: Option<PathBuf>,
    /// Merge the settings registry of the project in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["file", "root", "in_order", "not_nested", "alias"])]
    registry: Option<PathBuf>,
    /// Of the registry, take files with this tag, too, such as editor, tools, game or profile; may be given several
    /// times, in the order in which they count
    #[arg(long, value_name = "TAG")]
    specialization: Vec<String>,
    /// Of the registry, take the files for this platform, too, such as linux
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Of the registry, print which file the setting at a JSON pointer comes from, or each one below it
    #[arg(long, value_name = "KEY", conflicts_with = "list")]
    why: Option<String>,
    /// The folder that imports cannot leave [default: the folder of the file]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Merge members in their order, as the settings registry does: for settings in a file of another name
    #[arg(long)]
    in_order: bool,
    /// Do not resolve what imported files import
    #[arg(long)]
    not_nested: bool,
    /// The folder, from the root, that a name such as @gemroot:Atom@ stands for
    #[arg(long, value_name = "NAME=DIR", value_parser = alias)]
    alias: Vec<(String, String)>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    defaults: OwnDefaults,
    /// Print the names of the files that are brought in instead
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    how: How,
}

fn alias(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, folder)) if name.starts_with('@') && name.len() > 1 => {
            Ok((name.to_owned(), folder.to_owned()))
        }
        _ => Err("expected @NAME@=DIR".to_owned()),
    }
}

impl Resolve {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        if let Some(folder) = &self.registry {
            return self.merged(folder);
        }
        if self.why.is_some() || self.platform.is_some() || !self.specialization.is_empty() {
            let why = "--why, --platform and --specialization are for a whole registry: --registry names its project";
            return Err(Failure::Usage(why.to_owned()));
        }
        let file = self.file.as_deref().unwrap_or(Path::new("-"));
        if is_dash(file) {
            let why = "standard input has no folder that names could be relative to";
            return Err(Failure::Usage(why.to_owned()));
        }
        let (input, document) = self.how.read(file)?;
        if Prefab::new(document.value()).is_ok() {
            return self.expand(file, &input, document);
        }
        let (root, name) = self.place(file, &input)?;
        let mut imports = Imports::new(Folder::new(root)).nested(!self.not_nested);
        imports = imports.options(self.how.options());
        for (name, folder) in &self.alias {
            imports = imports.alias(name.as_str(), folder.as_str());
        }
        let mut value = document.into_value();
        // The registry resolves nothing in another way.
        let resolution = match self.in_order || is_setting(file) {
            true => imports.resolve_in_order(&value, &name).map(|(resolved, resolution)| {
                value = resolved;
                resolution
            }),
            false => imports.resolve(&mut value, &name),
        };
        let resolution = resolution.map_err(|error| bad(&input, &error.into()))?;
        let sink = Sink::new(self.how.output.as_deref());
        if self.list {
            let names: String = resolution.files().iter().map(|file| format!("{file}\n")).collect();
            sink.write(|out| out.write_all(names.as_bytes()))?;
            return Ok(Outcome::Good);
        }
        let text = self.how.laid_out(&value).map_err(|error| bad(&input, &error.into()))?;
        sink.write(|out| out.write_all(&text))?;
        Ok(Outcome::Good)
    }

    /// Merges the registry of a project.
    fn merged(&self, folder: &Path) -> Result<Outcome, Failure> {
        let failed = |error| Failure::io(&folder.display().to_string(), &error);
        let root = Project::root_around(folder).map_err(failed)?.ok_or_else(|| {
            Failure::Usage(format!("{} is in no project of O3DE", folder.display()))
        })?;
        let project = self.search.project(&root);
        let platform = self.platform.as_deref();
        let registry = Registry::of(&project, &self.specialization, platform, &self.how.options());
        registry.faults().iter().for_each(|fault| output::error(fault));
        let absent = project::absent(&project);
        if !absent.is_empty() {
            output::note(&format!("settings are not whole without {}", absent.join(", ")));
        }
        let outcome = Outcome::good_if(registry.faults().is_empty() && absent.is_empty());
        let shown = |file: &Path| {
            let here = std::env::current_dir().and_then(|own| own.canonicalize());
            let inside = here.ok().and_then(|own| file.strip_prefix(own).ok().map(Path::to_owned));
            inside.unwrap_or_else(|| file.to_owned()).display().to_string()
        };
        let mut text = Vec::new();
        if let Some(key) = &self.why {
            let origins = registry.origins(key);
            if origins.is_empty() {
                return Err(Failure::Data(format!("no file of the registry has `{key}`")));
            }
            for own in origins {
                let line = format!("{}: {:?}, from {}\n", own.pointer, own.value, shown(own.file));
                text.extend_from_slice(line.as_bytes());
            }
        } else if self.list {
            let lines: Vec<String> =
                registry.files().iter().map(|file| shown(file) + "\n").collect();
            text.extend_from_slice(lines.concat().as_bytes());
        } else {
            text = self.how.laid_out(registry.value()).map_err(|e| Failure::Data(e.to_string()))?;
        }
        Sink::new(self.how.output.as_deref()).write(|out| out.write_all(&text))?;
        Ok(outcome)
    }

    /// Brings in the instances of a prefab.
    fn expand(&self, file: &Path, input: &Input, document: Document) -> Result<Outcome, Failure> {
        let defaults = self.defaults.read(self.how.limits)?;
        let (mut project, path) = project::around(file, self.root.as_deref(), &self.search)?;
        let mut loader = Loader::new(&mut project).options(self.how.options()).defaults(defaults);
        let places = document.clone();
        let resolved = loader.resolve(document.into_value(), &path);
        drop(loader);
        let issues = resolved.report.issues();
        for (issue, (line, column)) in issues.iter().zip(nearest(&places, issues)) {
            output::note(&format!("{}:{line}:{column}: {issue}", input.name));
        }
        let sink = Sink::new(self.how.output.as_deref());
        if self.list {
            let line = |(name, file): &(String, PathBuf)| format!("{name}: {}\n", file.shown());
            let names: String = project.found().iter().map(line).collect();
            sink.write(|out| out.write_all(names.as_bytes()))?;
        } else {
            let text = self.how.laid_out(&resolved.value);
            let text = text.map_err(|error| bad(input, &error.into()))?;
            sink.write(|out| out.write_all(&text))?;
        }
        Ok(Outcome::good_if(resolved.report.is_clean()))
    }

    /// The root, and the file's path from it.
    fn place(&self, file: &Path, input: &Input) -> Result<(PathBuf, String), Failure> {
        let canonical =
            |path: &Path| path.canonicalize().map_err(|error| Failure::io(&path.shown(), &error));
        let file = canonical(file)?;
        let root = match &self.root {
            Some(root) => canonical(root)?,
            None => file.parent().map_or_else(PathBuf::new, Path::to_owned),
        };
        let inside = file.strip_prefix(&root).map_err(|_| {
            let given = self.root.as_deref().unwrap_or(&root);
            Failure::Usage(format!("{} is not below {}", input.name, given.shown()))
        })?;
        let parts = inside.components().map(|part| match part {
            Component::Normal(part) => part.to_string_lossy().into_owned(),
            other => other.as_os_str().to_string_lossy().into_owned(),
        });
        Ok((root, parts.collect::<Vec<_>>().join("/")))
    }
}

/// Whether a file has a name of the settings registry's.
pub(super) fn is_setting(file: &Path) -> bool {
    let extension = file.extension().map(|own| own.to_string_lossy().to_ascii_lowercase());
    extension.is_some_and(|own| own == "setreg" || own == "setregpatch")
}

/// Line and column of each issue: those of the innermost value on its way that is in the document.
/// All are found in one walk along the text.
fn nearest(document: &Document, issues: &[Issue]) -> Vec<(usize, usize)> {
    let ways: Vec<Vec<&str>> = issues.iter().map(|issue| way(&issue.pointer)).collect();
    let mut places = document.places(&ways.concat()).into_iter();
    let mut nearest = |way: &Vec<&str>| {
        let found: Vec<_> = places.by_ref().take(way.len()).collect();
        found.into_iter().flatten().next().unwrap_or((1, 1))
    };
    ways.iter().map(&mut nearest).collect()
}

/// A pointer, and those of all that is around the place.
fn way(pointer: &str) -> Vec<&str> {
    successors(Some(pointer), |inner| inner.rsplit_once('/').map(|(outer, _)| outer)).collect()
}
