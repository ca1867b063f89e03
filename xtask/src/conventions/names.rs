//! Names in pages: items and modules of our crates, options and commands of the tool, files of this repository. What
//! a page names exists in the sources.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::Report;
use super::crates::type_names;
use crate::process::Outcome;
use crate::workspace::project_files;

/// Folders whose files pages name by their whole paths.
const FOLDERS: [&str; 7] =
    ["crates/", "docs/", "testdata/", "outside/", "xtask/", "oss-fuzz/", ".github/"];

/// Programs whose options pages name by themselves, and the list of the tool's commands.
const PROGRAMS: [&str; 3] = ["crates/gamewire-cli/src/", "crates/fuzz/", "xtask/src/"];
const COMMANDS: &str = "crates/gamewire-cli/src/cli.rs";

/// What the sources have.
#[derive(Default)]
struct Sources {
    /// The words of each crate, by the name that it has in Rust.
    crates: HashMap<String, HashSet<String>>,
    /// The crates that declare a type, by its name.
    types: HashMap<String, Vec<String>>,
    /// The words of [`PROGRAMS`].
    programs: HashSet<String>,
    /// The text of [`COMMANDS`].
    commands: String,
}

pub(super) fn check(root: &Path, report: &mut Report) -> Outcome<()> {
    let files = project_files(root)?;
    let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap_or_default();
    let sources = Sources::of(files.iter().filter(|file| file.ends_with(".rs")), read);
    // A changelog also names what is gone.
    let pages = files.iter().filter(|file| file.ends_with(".md"));
    for file in pages.filter(|file| !file.ends_with("CHANGELOG.md")) {
        let mut in_code = false;
        for (number, line) in (1..).zip(read(file).lines()) {
            let is_fence = line.trim_start().starts_with("```");
            in_code ^= is_fence;
            let (code, spans) = if in_code { (Some(line), "") } else { (None, line) };
            let code = code.map(|line| line.trim_start_matches("$ ")).into_iter();
            let code = code.filter(|line| line.starts_with("gamewire "));
            for span in spans.split('`').skip(1).step_by(2).chain(code) {
                let missing = sources.missing(span, |path| root.join(path).exists());
                report.check(missing.is_none(), || {
                    format!("{file}:{number}: nothing has the name `{}`", missing.unwrap_or(span))
                });
            }
        }
    }
    Ok(())
}

impl Sources {
    fn of<'f>(files: impl Iterator<Item = &'f String>, read: impl Fn(&str) -> String) -> Self {
        let mut sources = Sources::default();
        for file in files {
            let text = read(file);
            if PROGRAMS.iter().any(|program| file.starts_with(program)) {
                add(&mut sources.programs, &text);
            }
            if file == COMMANDS {
                sources.commands.clone_from(&text);
            }
            let folder = file.strip_prefix("crates/").and_then(|file| file.split_once("/src/"));
            let Some((name, _)) = folder else { continue };
            let name = if name == "core" { "gamewire-core" } else { name }.replace('-', "_");
            for own in type_names(&text) {
                sources.types.entry(own.to_owned()).or_default().push(name.clone());
            }
            add(sources.crates.entry(name).or_default(), &text);
        }
        sources
    }

    /// The name in a piece of code that nothing has. Names that are not ours are not looked for.
    fn missing<'s>(&self, span: &'s str, exists: impl Fn(&str) -> bool) -> Option<&'s str> {
        if let Some(rest) = span.strip_prefix("--") {
            let option = until(rest, |c| c.is_alphanumeric() || c == '-');
            let is_known = self.programs.contains(&option.replace('-', "_"))
                || self.commands.contains(&format!("--{option}"));
            return (!is_known && !option.is_empty()).then_some(span);
        }
        if let Some(rest) = span.strip_prefix("gamewire ") {
            let command = until(rest, |c| c.is_ascii_lowercase() || c.is_ascii_digit());
            let is_known = command.is_empty() || self.commands.contains(&format!("\"{command}\""));
            return (!is_known).then_some(span);
        }
        if FOLDERS.iter().any(|folder| span.starts_with(folder)) {
            let is_path = span.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
            return (is_path && !exists(span)).then_some(span);
        }
        let (first, rest) = span.split_once("::")?;
        let own = match self.types.get(first) {
            Some(crates) => &crates[..],
            None => std::slice::from_ref(self.crates.get_key_value(first)?.0),
        };
        let has = |word: &str| own.iter().any(|name| self.crates[name].contains(word));
        words(until(rest, |c| c.is_alphanumeric() || "_:{}, ".contains(c))).find(|word| !has(word))
    }
}

/// The part of a text in which a character holds.
fn until(text: &str, holds: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !holds(c)).unwrap_or(text.len())]
}

fn add(all: &mut HashSet<String>, text: &str) {
    for word in words(text) {
        if !all.contains(word) {
            all.insert(word.to_owned());
        }
    }
}

/// The words that could be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    parts.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}
