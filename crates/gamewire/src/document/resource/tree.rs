//! A scene as the editor shows it: nodes below their parents.

use std::collections::HashMap;

use crate::document::drawing::{Drawing, Hierarchy, LineWidth, TreeOptions, as_json, draw};
use crate::document::json::Json;
use crate::document::words::{count, shortened};
use godot_resource::Text;

/// Characters of a value that are shown.
const MAX_SHOWN: usize = 60;

struct SceneLine {
    text: String,
    notes: Vec<String>,
    below: Vec<usize>,
}

struct SceneTree(Vec<SceneLine>);

impl Hierarchy for SceneTree {
    type Node = usize;

    fn lines(&mut self, node: usize) -> Option<(String, Vec<String>)> {
        let line = self.0.get_mut(node)?;
        Some((std::mem::take(&mut line.text), std::mem::take(&mut line.notes)))
    }

    fn children(&self, node: usize) -> Vec<usize> {
        self.0.get(node).map_or_else(Vec::new, |line| line.below.clone())
    }
}

/// Draws the nodes of a scene with their properties, then the resources in the file and the files that it refers to.
pub(super) fn tree(text: &Text, picture: TreeOptions) -> Drawing {
    let (mut lines, mut roots) = (SceneTree(Vec::new()), Vec::new());
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut counts = [0_usize; 3];
    for outline in text.outline() {
        let own = lines.0.len();
        let notes = outline.properties.iter().map(|(name, raw)| {
            format!(
                "{name}: {}",
                shortened(&raw.split_whitespace().collect::<Vec<_>>().join(" "), MAX_SHOWN)
            )
        });
        lines.0.push(SceneLine { text: outline.line, notes: notes.collect(), below: Vec::new() });
        let kind = match outline.path {
            Some(path) => {
                let parent = path.rsplit_once('/').and_then(|(parent, _)| places.get(parent));
                match parent.and_then(|parent| lines.0.get_mut(*parent)) {
                    Some(parent) => parent.below.push(own),
                    None => roots.push(own),
                }
                places.insert(path, own);
                0
            }
            None => {
                roots.push(own);
                if outline.is_external { 2 } else { 1 }
            }
        };
        counts.get_mut(kind).into_iter().for_each(|own: &mut usize| *own += 1);
    }
    let mut drawn = String::new();
    if picture.is_json {
        let json: Vec<_> = roots.iter().filter_map(|root| as_json(&mut lines, *root)).collect();
        return Drawing { text: drawn, json: Json::from([("roots", json.into())]) };
    }
    let page = LineWidth::narrow(picture.columns).folded(picture);
    roots.iter().for_each(|root| draw(&mut drawn, &mut lines, *root, page));
    if text.has_tags() {
        let [nodes, resources, files] = counts;
        let [nodes, resources, files] =
            [count(nodes, "node"), count(resources, "resource"), count(files, "file")];
        drawn.push_str(&format!("\n{nodes}, {resources}, {files}\n"));
    }
    Drawing { text: drawn, json: Json::Null }
}
