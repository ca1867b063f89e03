//! `gamewire resolve`.

use std::iter::successors;
use std::path::{Component, Path, PathBuf};

use clap::Args;
use gamewire::o3de_json::report::Issue;
use gamewire::o3de_json::value::{Document, Folder};
use gamewire::o3de_prefab::{Imports, Loader, Prefab};

use super::edit::How;
use super::project;
use crate::args::o3de::{OwnDefaults, SearchArgs};
use crate::failure::bad;
use crate::failure::{Failure, Outcome};
use crate::files::{Input, is_dash};
use crate::output::{self, Sink};

/// Bring the files in that a JSON file of O3DE imports, or the prefabs that a prefab instances
///
/// Each object with an `$import` member becomes the imported document, with the directive's patch
/// applied. Files are read below the root only.
///
/// In a prefab each instance becomes the whole prefab, with its overrides applied. Sources are looked
/// for below the root, else in the project around the file, its gems and its engine.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire resolve StandardPBR.materialtype
  gamewire resolve Levels/Start/Start.prefab --list
  gamewire resolve Registry/Server.setreg --in-order --root .
  gamewire resolve a.materialtype --root . --alias @gemroot:Atom@=Gems/Atom")]
pub(crate) struct Resolve {
    /// The file
    file: PathBuf,
    /// The folder that imports cannot leave [default: the folder of the file]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Merge members in their order, as the settings registry does
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
        if is_dash(&self.file) {
            let why = "standard input has no folder that names could be relative to";
            return Err(Failure::Usage(why.to_owned()));
        }
        let (input, document) = self.how.read(&self.file)?;
        if Prefab::new(document.value()).is_ok() {
            return self.expand(&input, document);
        }
        let (root, name) = self.place(&input)?;
        let mut imports = Imports::new(Folder::new(root)).nested(!self.not_nested);
        imports = imports.options(self.how.options());
        for (name, folder) in &self.alias {
            imports = imports.alias(name.as_str(), folder.as_str());
        }
        let mut value = document.into_value();
        let resolution = match self.in_order {
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

    /// Brings in the instances of a prefab.
    fn expand(&self, input: &Input, document: Document) -> Result<Outcome, Failure> {
        let defaults = self.defaults.read(self.how.limits)?;
        let (mut project, path) = project::around(&self.file, self.root.as_deref(), &self.search)?;
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
            let line = |(name, file): &(String, PathBuf)| format!("{name}: {}\n", file.display());
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
    fn place(&self, input: &Input) -> Result<(PathBuf, String), Failure> {
        let canonical = |path: &Path| {
            path.canonicalize().map_err(|error| Failure::io(&path.display().to_string(), &error))
        };
        let file = canonical(&self.file)?;
        let root = match &self.root {
            Some(root) => canonical(root)?,
            None => file.parent().map_or_else(PathBuf::new, Path::to_owned),
        };
        let inside = file.strip_prefix(&root).map_err(|_| {
            let given = self.root.as_deref().unwrap_or(&root);
            Failure::Usage(format!("{} is not below {}", input.name, given.display()))
        })?;
        let parts = inside.components().map(|part| match part {
            Component::Normal(part) => part.to_string_lossy().into_owned(),
            other => other.as_os_str().to_string_lossy().into_owned(),
        });
        Ok((root, parts.collect::<Vec<_>>().join("/")))
    }
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
