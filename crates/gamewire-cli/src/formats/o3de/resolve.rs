//! `gamewire resolve`.

use std::path::{Component, Path, PathBuf};

use clap::Args;
use gamewire::o3de_json::value::{Folder, Imports};

use super::edit::How;
use crate::commands::bad;
use crate::failure::{Failure, Outcome};
use crate::files::{Input, is_dash};
use crate::output::Sink;

/// Bring the files in that a JSON file of O3DE imports
///
/// Each object with an `$import` member becomes the imported document, with the directive's patch
/// applied. Files are read below the root only.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire resolve StandardPBR.materialtype
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
    /// Print the names of the imported files instead
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
        let mut text = self
            .how
            .options()
            .pretty(true)
            .to_vec(&value)
            .map_err(|error| bad(&input, &error.into()))?;
        text.push(b'\n');
        sink.write(|out| out.write_all(&text))?;
        Ok(Outcome::Good)
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
