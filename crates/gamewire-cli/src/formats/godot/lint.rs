//! `gamewire lint` of scenes and resources.

use std::collections::HashMap;
use std::path::PathBuf;

use gamewire::document::count;
use gamewire::godot_resource::{Rule, fix, lint};

use super::OpenProject;
use crate::failure::Failure;
use crate::files::{Bound, Found};
use crate::formats::finding::FindingRow;
use crate::output::{self, Sink};

/// Looks at the files of projects, which it opens once.
#[derive(Default)]
pub(crate) struct Linter {
    projects: HashMap<PathBuf, OpenProject>,
    /// Files that are missing, or in the project that is not found.
    unchecked: usize,
}

impl Linter {
    /// The findings in a file, of those that are wanted; mended where that is asked for and possible. `None` for a
    /// file of a project's folder in which the engine does not look.
    pub(crate) fn rows(
        &mut self,
        file: &Found,
        bound: Bound,
        is_fixing: bool,
        wants: impl Fn(&str) -> bool,
    ) -> Result<Option<Vec<FindingRow>>, Failure> {
        let depth = file.relative.components().count();
        let folder = file.path.ancestors().nth(depth).filter(|own| !own.as_os_str().is_empty());
        let root = OpenProject::root(&file.path, folder.unwrap_or(".".as_ref()))?;
        let key = root.0.clone();
        let project = self.projects.entry(key).or_insert_with(|| OpenProject::open(root, bound));
        let Some(path) = project.name(&file.path) else { return Ok(None) };
        let is_known = project.project.files().any(|own| own == path);
        if !file.is_named && !is_known {
            return Ok(None);
        }
        let input = file.read(bound)?;
        let mut findings = lint(&project.project, &path, &input.bytes);
        findings.retain(|own| wants(own.rule.name()));
        if !project.is_whole {
            let before = findings.len();
            findings.retain(|own| own.rule != Rule::MissingFile);
            self.unchecked += before - findings.len();
        }
        let is_fixed = is_fixing && findings.iter().any(|own| own.is_fixable());
        if is_fixed {
            let bytes = fix(&input.bytes, &findings);
            let sink = Sink::new(Some(&file.path)).over(&file.path, &input.bytes);
            sink.write(|out| out.write_all(&bytes))?;
        }
        let rows = findings.into_iter().map(|own| FindingRow {
            file: input.raw_name.clone(),
            line: own.line,
            column: own.column,
            rule: own.rule.name(),
            fixable: own.is_fixable(),
            fixed: is_fixed && own.is_fixable(),
            pointer: own.place,
            message: own.message,
            done: "fixed",
        });
        Ok(Some(rows.collect()))
    }

    /// Says what could not be looked at.
    pub(crate) fn end(&self) {
        if self.unchecked > 0 {
            let files = count(self.unchecked, "path");
            let why = "no project.godot is found, in whose folder `res://` starts";
            output::note(&format!("{why}; {files} may lead to files outside, and so not checked"));
        }
    }
}
