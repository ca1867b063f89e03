//! A prefab as a tree of entities.

use std::collections::HashMap;
use std::fmt::Write as _;

use o3de_prefab::{CONTAINER, Component, Entity, Instance, Prefab};

use crate::document::drawing::{Drawing, Hierarchy, LineWidth, TreeOptions, as_json, draw};
use crate::document::json::Json;
use crate::document::words::{count, shortened};

/// Characters of a name that are shown.
const MAX_NAME: usize = 120;

/// How much is shown.
#[derive(Clone, Copy)]
struct Detail {
    all: bool,
    /// Whether instances are whole, if they were found.
    expanded: bool,
}

/// Something with a line in the tree.
struct Item {
    line: String,
    below: Vec<usize>,
}

/// Draws a prefab: the container, and below it what is attached to it, first entities, then instances,
/// each in the order of the file. What has no parent, or one that is gone, is drawn apart. With `all`, also what the editor has for itself; with `expanded`,
/// the instances are whole, if they were found.
pub fn tree(prefab: &Prefab<'_>, all: bool, expanded: bool, picture: TreeOptions) -> Drawing {
    let how = Detail { all, expanded };
    let mut items = Items { items: Vec::new(), roots: Vec::new(), how };
    items.add(prefab, None);
    let mut roots = std::mem::take(&mut items.roots);
    // At last the entities that are their own ancestors.
    roots.extend(0..items.items.len());
    let mut text = String::new();
    let mut drawing = Drawn { items: &items.items, shown: vec![false; items.items.len()] };
    if picture.is_json {
        let json: Vec<_> = roots.iter().filter_map(|root| as_json(&mut drawing, *root)).collect();
        return Drawing { text, json: Json::from([("roots", json.into())]) };
    }
    let page = LineWidth::narrow(picture.columns).folded(picture);
    roots.iter().for_each(|root| draw(&mut text, &mut drawing, *root, page));
    let entities = count(prefab.entities().count(), "entity");
    _ = writeln!(text, "\n{entities}, {}", count(prefab.instances().count(), "instance"));
    Drawing { text, json: Json::Null }
}

struct Items {
    items: Vec<Item>,
    roots: Vec<usize>,
    how: Detail,
}

impl Items {
    /// Adds what is in a prefab: below `top`, which stands for its container, where it is an instance.
    fn add(&mut self, prefab: &Prefab<'_>, top: Option<usize>) {
        let mut places: HashMap<&str, usize> =
            top.map(|top| (CONTAINER, top)).into_iter().collect();
        // With the aliases of their parents, and whether they have none.
        let mut own: Vec<(usize, Option<String>, bool)> = Vec::new();
        // Files of older engines name entities by ids.
        let mut ids: HashMap<&str, usize> = HashMap::new();
        let mut is_whole = false;
        if let Some(container) = prefab.container() {
            // Nothing is attached to one without a transform component.
            is_whole = container.component("TransformComponent").is_some();
            let at = top.unwrap_or_else(|| self.push(self.entity(&container)));
            places.insert(CONTAINER, at);
            ids.extend(container.id().map(|id| (id, at)));
            self.roots.extend(top.is_none().then_some(at));
        }
        for entity in prefab.entities() {
            let at = self.push(self.entity(&entity));
            places.insert(entity.alias(), at);
            ids.extend(entity.id().map(|id| (id, at)));
            own.push((at, entity.parent().map(first), entity.is_detached()));
        }
        for instance in prefab.instances() {
            let at = self.push(self.instance(&instance));
            places.insert(instance.alias(), at);
            own.push((at, instance.parent().map(first), instance.is_detached()));
            if let Some(inner) = instance.prefab() {
                self.add(&inner, Some(at));
            }
        }
        let container = places.get(CONTAINER).copied();
        for (at, parent, is_detached) in own {
            let place =
                parent.as_deref().and_then(|own| places.get(own).or_else(|| ids.get(own)).copied());
            let lost = match (&parent, place) {
                (Some(parent), None) => Some(format!("  its parent {} is gone", shown(parent))),
                (None, _) if is_detached && is_whole => Some("  without a parent".to_owned()),
                _ => None,
            };
            // One of which nothing is said is attached to the container.
            let place = place.or(container.filter(|_| lost.is_none())).filter(|own| *own != at);
            match place.and_then(|place| self.items.get_mut(place)) {
                Some(parent) => parent.below.push(at),
                None => self.roots.push(at),
            }
            if let (Some(lost), Some(_), Some(item)) = (lost, container, self.items.get_mut(at)) {
                item.line += &lost;
            }
        }
    }

    fn push(&mut self, line: String) -> usize {
        self.items.push(Item { line, below: Vec::new() });
        self.items.len() - 1
    }

    fn entity(&self, entity: &Entity<'_>) -> String {
        let mut line = match entity.name() {
            Some(name) => shown(name),
            None => shown(entity.alias()),
        };
        if self.how.all && entity.name().is_some() {
            _ = write!(line, "  {}", shown(entity.alias()));
        }
        if !entity.is_active() {
            line.push_str("  inactive");
        }
        line + &self.components(entity)
    }

    fn components(&self, entity: &Entity<'_>) -> String {
        let is_shown = |own: &Component<'_>| self.how.all || !own.is_of_editor();
        let name = |own: Component<'_>| shown(own.short_name().unwrap_or(own.key()));
        let types: Vec<String> = entity.components().filter(is_shown).map(name).collect();
        if types.is_empty() { String::new() } else { format!("  [{}]", types.join(", ")) }
    }

    fn instance(&self, instance: &Instance<'_>) -> String {
        let source = instance.source().unwrap_or("(without a source)");
        let file = source.rsplit(['/', '\\']).next().unwrap_or(source);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let mut line = format!("{}  {}", shown(instance.name().unwrap_or(stem)), shown(source));
        if self.how.all {
            let overrides = count(instance.patch_count(), "override");
            _ = write!(line, "  {}  {overrides}", shown(instance.alias()));
        }
        if self.how.expanded && instance.prefab().is_none() {
            line.push_str("  not found");
        }
        let container = instance.prefab().and_then(|own| own.container());
        line + &container.map(|own| self.components(&own)).unwrap_or_default()
    }
}

struct Drawn<'a> {
    items: &'a [Item],
    shown: Vec<bool>,
}

impl Hierarchy for Drawn<'_> {
    type Node = usize;

    fn lines(&mut self, at: usize) -> Option<(String, Vec<String>)> {
        let is_new = !std::mem::replace(self.shown.get_mut(at)?, true);
        self.items.get(at).filter(|_| is_new).map(|item| (item.line.clone(), Vec::new()))
    }

    fn children(&self, at: usize) -> Vec<usize> {
        self.items.get(at).map(|item| item.below.clone()).unwrap_or_default()
    }
}

/// `Instance_[1]/ContainerEntity` is the instance's own entity, which has the line of the instance. In an
/// instance, `../` leads to what it is an instance in.
fn first(alias: &str) -> String {
    alias.trim_start_matches("../").split('/').next().unwrap_or_default().to_owned()
}

fn shown(text: &str) -> String {
    shortened(text, MAX_NAME)
}
