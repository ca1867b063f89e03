//! Which files need which.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::assets::Asset;
use crate::project::Project;
use crate::references::{Reference, ReferenceKind, references};
use o3de_json::value::{Value, normal_path};

/// Files, and what each of them names.
///
/// ```
/// use o3de_prefab::{Graph, Project};
///
/// let level = o3de_json::from_str(
///     r#"{"Entities": {}, "Instances": {"Instance_[1]": {"Source": "Lamp.prefab"}}}"#,
/// )?;
/// let mut graph = Graph::new();
/// graph.add(&Project::default(), "Level.prefab".as_ref(), &level);
/// assert_eq!(graph.links()[0].count, 1);
/// assert_eq!(
///     graph.to_dot(),
///     "digraph files {\n    rankdir=LR;\n    node [shape=box];\n    \"Level.prefab\";\n    \
///      \"Lamp.prefab\" [style=dashed];\n    \"Level.prefab\" -> \"Lamp.prefab\" [label=\"prefab\"];\n}\n"
/// );
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Graph {
    files: Vec<GraphFile>,
    links: Vec<Link>,
    known: HashMap<String, usize>,
}

/// A file of a [`Graph`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphFile {
    /// Its path below the project, or as documents name it where no scan folder has it.
    pub name: String,
    /// Where it is, if it was found.
    pub path: Option<PathBuf>,
}

/// That one file needs another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// The document, as a position in [`Graph::files`].
    pub from: usize,
    /// The file that it names.
    pub to: usize,
    /// How it names it.
    pub kind: ReferenceKind,
    /// How often.
    pub count: usize,
}

impl Graph {
    /// A graph without files.
    pub fn new() -> Self {
        Graph::default()
    }

    /// The files, in the order in which they were met.
    pub fn files(&self) -> &[GraphFile] {
        &self.files
    }

    /// The files that they need, in the order of the documents.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Adds a document and the files that it names, which are looked for in a project.
    pub fn add(&mut self, project: &Project, file: &Path, document: &Value) {
        let path = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let name = project.names(&path).into_iter().next();
        let name = name.unwrap_or_else(|| file.to_string_lossy().replace('\\', "/"));
        let folder = name.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
        let from = self.file(name, Some(path));
        let of_file = self.links.iter().enumerate().rev().take_while(|(_, own)| own.from == from);
        let mut known: HashMap<(usize, ReferenceKind), usize> =
            of_file.map(|(at, own)| ((own.to, own.kind), at)).collect();
        for reference in references(document) {
            let beside = normal_path(&format!("{folder}/{}", reference.path));
            let of_asset = || match project.asset(&reference.path) {
                Asset::Found(file) => Some(file),
                Asset::Missing | Asset::Unknown => None,
            };
            let found = match reference.kind {
                ReferenceKind::Prefab => {
                    project.find(&reference.path).or_else(|| project.scene_of(&reference.path))
                }
                ReferenceKind::Asset => of_asset(),
                // From the document, else from a scan folder.
                _ => beside.and_then(|path| project.find(&path)).or_else(of_asset),
            };
            let found = found.map(|file| file.canonicalize().unwrap_or(file));
            let name = found.as_ref().and_then(|file| project.names(file).into_iter().next());
            let to = self.file(name.unwrap_or_else(|| reference.path.replace('\\', "/")), found);
            let Reference { kind, count, .. } = reference;
            let at = *known.entry((to, kind)).or_insert(self.links.len());
            match self.links.get_mut(at) {
                Some(link) => link.count = link.count.saturating_add(count),
                None => self.links.push(Link { from, to, kind, count }),
            }
        }
    }

    fn file(&mut self, name: String, path: Option<PathBuf>) -> usize {
        let key = match &path {
            Some(path) => path.to_string_lossy().into_owned(),
            None => format!("?{}", name.to_ascii_lowercase()),
        };
        let next = self.files.len();
        let at = *self.known.entry(key).or_insert(next);
        if at == next {
            self.files.push(GraphFile { name, path });
        }
        at
    }

    /// The graph in the language of Graphviz. Files that were not found have dashed borders.
    pub fn to_dot(&self) -> String {
        let quoted =
            |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let mut text = "digraph files {\n    rankdir=LR;\n    node [shape=box];\n".to_owned();
        for file in &self.files {
            let style = if file.path.is_some() { "" } else { " [style=dashed]" };
            _ = writeln!(text, "    {}{style};", quoted(&file.name));
        }
        for link in &self.links {
            let name =
                |at: usize| self.files.get(at).map(|file| quoted(&file.name)).unwrap_or_default();
            let times = if link.count > 1 { format!(" ×{}", link.count) } else { String::new() };
            let (from, to, kind) = (name(link.from), name(link.to), link.kind.name());
            _ = writeln!(text, "    {from} -> {to} [label=\"{kind}{times}\"];");
        }
        text.push_str("}\n");
        text
    }
}
