//! `gamewire graph`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use gamewire::document::{Error, count};
use gamewire::o3de_json::value::Document;
use gamewire::o3de_prefab::{self, Project};
use serde_json::json;

use super::{is_own, may_be};
use crate::args::LimitArgs;
use crate::args::o3de::{O3deArgs, SearchArgs};
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::files::bad;
use crate::output;

/// Show which files need which
///
/// Of each file of O3DE's JSON: the prefabs that it instances, what it imports, the assets that it names,
/// and other files. They are looked for in the project around it, in its gems and its engine; an asset
/// stands for the file that the Asset Processor makes it of.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire graph Levels/ Prefabs/
  gamewire graph . --json | jq -r '.links[] | select(.to == \"Prefabs/Lamp.prefab\").from'
  gamewire graph . --dot | dot -Tsvg > files.svg")]
pub(crate) struct Graph {
    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write JSON: `files` with name, path and found, `links` with from, to, kind and count
    #[arg(long)]
    json: bool,
    /// Write the language of Graphviz
    #[arg(long, conflicts_with = "json")]
    dot: bool,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    o3de: O3deArgs,
}

impl Graph {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let walk = files::expand(&self.paths);
        let mut projects: HashMap<Option<PathBuf>, Project> = HashMap::new();
        let mut graph = o3de_prefab::Graph::new();
        let mut good = walk.unreadable.is_empty();
        for file in walk.files.iter().filter(|file| file.is_named || may_be(&file.path)) {
            let input = file.read(self.limits.bound())?;
            if !is_own(&input) {
                continue;
            }
            let options =
                self.o3de.settings().options_for(self.limits.settings(), Some(&file.path));
            let document = match Document::from_slice(&input.bytes, &options) {
                Ok(document) => document,
                Err(error) => {
                    if let Failure::Data(why) = bad(&input, &Error::from(error)) {
                        output::error(&why);
                    }
                    good = false;
                    continue;
                }
            };
            let root = self.search.root(&file.path).ok().flatten();
            let project = projects.entry(root).or_insert_with_key(|root| match root {
                Some(root) => self.search.project(root),
                None => Project::of([file.path.parent().map_or_else(PathBuf::new, PathBuf::from)]),
            });
            graph.add(project, &file.path, document.value());
        }
        walk.unreadable.iter().for_each(|why| output::error(why));
        if self.json {
            output::print_json(&as_json(&graph))?;
        } else if self.dot {
            output::print(graph.to_dot())?;
        } else {
            output::print(text(&graph))?;
        }
        Ok(Outcome::good_if(good))
    }
}

fn name(graph: &o3de_prefab::Graph, at: usize) -> &str {
    graph.files().get(at).map_or("", |file| file.name.as_str())
}

fn as_json(graph: &o3de_prefab::Graph) -> serde_json::Value {
    let files = graph.files().iter().map(|file| {
        let path = file.path.as_ref().map(|path| path.display().to_string());
        json!({ "name": file.name, "path": path, "found": file.path.is_some() })
    });
    let links = graph.links().iter().map(|link| {
        let (from, to) = (name(graph, link.from), name(graph, link.to));
        json!({ "from": from, "to": to, "kind": link.kind.name(), "count": link.count })
    });
    json!({ "files": files.collect::<Vec<_>>(), "links": links.collect::<Vec<_>>() })
}

/// A paragraph for each file that needs others.
fn text(graph: &o3de_prefab::Graph) -> String {
    let mut text = String::new();
    let mut last = None;
    for link in graph.links() {
        if last.replace(link.from) != Some(link.from) {
            _ = writeln!(text, "{}", name(graph, link.from));
        }
        _ = write!(text, "  {:8}{}", link.kind.name(), name(graph, link.to));
        if link.count > 1 {
            _ = write!(text, "  ×{}", link.count);
        }
        let is_found = graph.files().get(link.to).is_some_and(|file| file.path.is_some());
        text.push_str(if is_found { "\n" } else { "  not found\n" });
    }
    let absent = graph.files().iter().filter(|file| file.path.is_none()).count();
    let (files, links) = (count(graph.files().len(), "file"), count(graph.links().len(), "link"));
    _ = writeln!(text, "{files}, {links}, {absent} not found");
    text
}
