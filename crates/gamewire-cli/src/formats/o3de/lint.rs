//! `gamewire lint`.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use gamewire::document::{Error, count};
use gamewire::o3de_json::value::Document;
use gamewire::o3de_prefab::{self, Defaults, Finding, Loader, Project, Rule};
use gamewire::{Format, godot_resource};

use super::project::name as name_of;
use super::resolve::is_setting;
use super::{is_own, may_be};
use crate::args::LimitArgs;
use crate::args::o3de::O3deArgs;
use crate::args::o3de::{OwnDefaults, SearchArgs};
use crate::commands::for_other;
use crate::failure::{Failure, Outcome};
use crate::files::{self, Input, bad};
use crate::formats::finding::FindingRow;
use crate::formats::godot;
use crate::formats::godot::lint::Linter;
use crate::output::{self, Sink};

/// Find what is wrong in prefabs and scenes that read well
///
/// In prefabs: overrides whose target is gone or that say what is there already, sources and assets that are missing,
/// parents, references and entries of orders that are gone, parents that go round, children that orders
/// lack or have twice, ids that occur twice or are not their alias, operations that JSON Patch does not
/// have, parts that every prefab has; and of every file of O3DE's JSON, marks of git's conflicts and text
/// that is no JSON. Sources and assets are looked for in the project around the file, its gems and its
/// engine, which are found as the engine does.
///
/// In scenes and resources of Godot: files, ids, parents and nodes that are missing, changes, connections and
/// paths of what an inherited or instanced scene does not have, ids, uids, nodes, properties, names and
/// connections that are there twice, scenes in themselves, an order in which nothing loads, and what a merge or
/// an editor of text leaves. Each file is looked at in the project around it, which has a project.godot.
///
/// Exits with 0 when there is nothing or --fix removed all of it, and with 1 when there is something.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire lint Levels/ Prefabs/
  gamewire lint Level.prefab --json | jq '.[].rule'
  gamewire lint Level.prefab --fix --only stale-order
  gamewire lint . --ignore missing-asset --engine ../o3de --gem ../assets/Gems
  gamewire lint . --defaults components.json
  gamewire lint game/ --ignore crlf
  gamewire lint level.tscn --fix")]
pub(crate) struct Lint {
    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write a JSON array with file, line, column, rule, pointer, message, fixable and fixed of each finding
    #[arg(long)]
    json: bool,
    /// Remove overrides and entries of orders that are proven to refer to nothing, and overrides that say what is
    /// there already, and write the files; below a source that cannot be read nothing is removed. In Godot's files,
    /// put sections in order, remove what is there twice, and mend uids, line ends and byte order marks
    #[arg(long)]
    fix: bool,
    /// Look for this alone; may be given several times
    #[arg(long, value_name = "RULE", value_parser = rules())]
    only: Vec<String>,
    /// Do not look for this; may be given several times
    #[arg(long, value_name = "RULE", value_parser = rules())]
    ignore: Vec<String>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    defaults: OwnDefaults,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    o3de: O3deArgs,
}

/// The faults of a file before it is a prefab.
const MARK: &str = "conflict-marker";
const NO_JSON: &str = "not-json";
const BOM: &str = "byte-order-mark";

/// The names of all that is looked for.
fn rules() -> PossibleValuesParser {
    let names = Rule::ALL.iter().map(|rule| rule.name());
    let own: Vec<&str> = names.chain([MARK, NO_JSON, BOM]).collect();
    let godot = godot_resource::Rule::ALL.iter().map(|rule| rule.name());
    let others: Vec<&str> = godot.filter(|name| !own.contains(name)).collect();
    PossibleValuesParser::new(own.into_iter().chain(others))
}

/// The word for the change of `--fix` to prefabs.
const REMOVED: &str = "removed";

type Loaders = HashMap<PathBuf, (Project, Loader<Project>)>;

impl Lint {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let defaults = self.defaults.read(self.limits)?;
        let walk = files::expand(&self.paths);
        let mut loaders = Loaders::new();
        let (mut rows, mut looked_at, mut fixed) = (Vec::new(), 0, 0);
        let mut unchecked = 0;
        let mut others = Vec::new();
        let mut linter = Linter::default();
        for file in walk
            .files
            .iter()
            .filter(|file| file.is_named || may_be(&file.path) || godot::may_be(&file.path))
        {
            if godot::may_be(&file.path) {
                let bound = self.limits.bound();
                let found = linter.rows(file, bound, self.fix, |rule| self.wants(rule))?;
                if let Some(found) = found {
                    looked_at += 1;
                    fixed += found.iter().filter(|row| row.fixed).count();
                    rows.extend(found);
                }
                continue;
            }
            let input = file.read(self.limits.bound())?;
            if let Some(why) = for_other(&input, Format::O3deJson, "lint") {
                others.push(why);
                continue;
            }
            let marks = conflict_marks(&input.bytes);
            if is_own(&input) || !marks.is_empty() {
                looked_at += 1;
                let mut met = (&mut rows, &mut unchecked);
                fixed += self.one(&input, &file.path, &marks, &defaults, &mut loaders, &mut met)?;
            }
        }
        linter.end();
        rows.retain(|row| self.wants(row.rule));
        others.extend(walk.unreadable);
        others.iter().for_each(|why| output::error(why));
        let named = loaders.values().flat_map(|(project, _)| project.absent());
        let named: BTreeSet<&str> = named.map(String::as_str).collect();
        let is_missing = rows.iter().any(|row| {
            row.rule == Rule::MissingSource.name() || row.rule == Rule::MissingAsset.name()
        });
        if unchecked > 0 || is_missing && !named.is_empty() {
            let mut why = match named.is_empty() {
                true => "no engine is found; --engine says where it is".to_owned(),
                false => {
                    let named = named.into_iter().collect::<Vec<_>>().join(", ");
                    let why = "projects name what is not found; --engine and --gem say where it is";
                    format!("{why}: {named}")
                }
            };
            if unchecked > 0 {
                why += &format!("; {} may be there, and so not checked", count(unchecked, "asset"));
            }
            output::note(&why);
        }
        if self.json {
            output::print_json(&rows)?;
        } else {
            let mut text: String = rows.iter().map(FindingRow::text).collect();
            text += &format!("{}: {}", count(looked_at, "file"), count(rows.len(), "finding"));
            if self.fix {
                let is_other = |row: &FindingRow| row.fixed && row.done != REMOVED;
                let done = if rows.iter().any(is_other) { "fixed" } else { REMOVED };
                text += &format!(", {fixed} {done}");
            }
            output::print(&(text + "\n"))?;
        }
        let left = rows.len() > fixed || !others.is_empty();
        Ok(Outcome::good_if(!left))
    }

    fn wants(&self, rule: &str) -> bool {
        let is_in = |list: &[String]| list.iter().any(|own| own == rule);
        (self.only.is_empty() || is_in(&self.only)) && !is_in(&self.ignore)
    }

    /// Looks at a file, and returns how many findings were removed from it.
    fn one(
        &self,
        input: &Input,
        file: &Path,
        marks: &[usize],
        defaults: &Defaults,
        loaders: &mut Loaders,
        (rows, unchecked): &mut (&mut Vec<FindingRow>, &mut usize),
    ) -> Result<usize, Failure> {
        let name = input.raw_name.clone();
        let add = |line, column, rule, message: String| FindingRow {
            file: name.clone(),
            line,
            column,
            rule,
            pointer: String::new(),
            message,
            fixable: false,
            fixed: false,
            done: REMOVED,
        };
        if !marks.is_empty() {
            let row = |line: &usize| add(*line, 1, MARK, "a mark of a conflict".to_owned());
            rows.extend(marks.iter().map(row));
            return Ok(0);
        }
        let options = self.o3de.settings().options_for(self.limits.settings(), Some(file));
        let mut document = match Document::from_slice(&input.bytes, &options) {
            Ok(document) => document,
            Err(error) => {
                let (line, column) = (error.line().unwrap_or(1), error.column().unwrap_or(1));
                rows.push(add(line, column, NO_JSON, error.to_string()));
                return Ok(0);
            }
        };
        if is_setting(file) && input.bytes.starts_with(b"\xef\xbb\xbf") {
            let why = "the engine does not read settings that begin with a byte order mark";
            rows.push(add(1, 1, BOM, why.to_owned()));
        }
        let mut findings = o3de_prefab::lint(document.value());
        if let Some(root) = self.search.root(file).ok().flatten() {
            // The manifests of a project and of its gems are read once.
            let (project, loader) = loaders.entry(root).or_insert_with_key(|root| {
                let project = self.search.project(root);
                let loader = Loader::new(project.clone()).options(options.clone());
                (project, loader.defaults(defaults.clone()))
            });
            let path = name_of(project, file);
            findings.extend(o3de_prefab::lint_instances(loader, document.value(), &path));
            let assets = o3de_prefab::lint_assets(project, document.value(), &path);
            match project.engine().is_some() && project.absent().is_empty() {
                true => findings.extend(assets),
                // They may be in what is not found.
                false if self.wants(Rule::MissingAsset.name()) => **unchecked += assets.len(),
                false => {}
            }
        }
        findings.retain(|own| self.wants(own.rule.name()));
        let pointers: Vec<&str> = findings.iter().map(|own| own.pointer.as_str()).collect();
        let places = document.places(&pointers);
        let mut found: Vec<FindingRow> = findings
            .iter()
            .zip(places)
            .map(|(own, place): (&Finding, _)| {
                let (line, column) = place.unwrap_or((1, 1));
                FindingRow {
                    file: name.clone(),
                    line,
                    column,
                    rule: own.rule.name(),
                    pointer: own.pointer.clone(),
                    message: own.message.clone(),
                    fixable: own.is_removable,
                    fixed: own.is_removable && self.fix,
                    done: REMOVED,
                }
            })
            .collect();
        found.sort_by_key(|row| (row.line, row.column));
        rows.append(&mut found);
        if !self.fix || !findings.iter().any(|own| own.is_removable) {
            return Ok(0);
        }
        let removed = o3de_prefab::remove(document.value_mut(), &findings);
        let bytes = document.to_vec().map_err(|e| bad(input, &Error::from(e)))?;
        Sink::new(Some(file)).over(file, &input.bytes).write(|out| out.write_all(&bytes))?;
        Ok(removed)
    }
}

/// The lines that git writes around a conflict. A line of `=` alone is no sign.
fn conflict_marks(text: &[u8]) -> Vec<usize> {
    let lines = text.split(|byte| *byte == b'\n').zip(1..);
    let is_mark = |line: &[u8]| line.starts_with(b"<<<<<<< ") || line.starts_with(b">>>>>>> ");
    lines.filter(|(line, _)| is_mark(line)).map(|(_, number)| number).collect()
}
