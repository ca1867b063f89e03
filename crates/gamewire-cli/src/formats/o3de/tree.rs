//! A prefab as a tree of entities.

use std::collections::HashMap;
use std::fmt::Write as _;

use gamewire::o3de_json::prefab::{CONTAINER, Entity, Instance, Prefab};

use crate::drawing::{Hierarchy, draw};
use crate::words::{count, shortened};

/// Characters of a name that are shown.
const MAX_NAME: usize = 120;

/// Something with a line in the tree.
enum Item<'v> {
    Entity(Entity<'v>),
    Instance(Instance<'v>),
}

/// The container, and below it what is attached to it: first entities, then instances, each in the
/// order of the file.
pub(super) fn tree(prefab: &Prefab<'_>) -> String {
    let mut items: Vec<Item<'_>> = prefab.container().map(Item::Entity).into_iter().collect();
    items.extend(prefab.entities().map(Item::Entity));
    items.extend(prefab.instances().map(Item::Instance));
    let places: HashMap<&str, usize> =
        items.iter().enumerate().map(|(at, item)| (alias(item), at)).collect();
    let mut below: Vec<Vec<usize>> = items.iter().map(|_| Vec::new()).collect();
    let mut roots = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let parent = parent(item).and_then(|alias| places.get(alias.as_str()).copied());
        let parent = parent.or_else(|| {
            // What says no parent is attached to the container.
            places.get(CONTAINER).copied().filter(|container| *container != at)
        });
        match parent.and_then(|parent| below.get_mut(parent)) {
            Some(children) if parent != Some(at) => children.push(at),
            _ => roots.push(at),
        }
    }
    let mut tree = Items { items: &items, below: &below, shown: vec![false; items.len()] };
    let mut text = String::new();
    // At last the entities that are their own ancestors.
    roots.into_iter().chain(0..items.len()).for_each(|root| draw(&mut text, &mut tree, root));
    let entities = count(prefab.entities().count(), "entity");
    _ = writeln!(text, "\n{entities}, {}", count(prefab.instances().count(), "instance"));
    text
}

struct Items<'a, 'v> {
    items: &'a [Item<'v>],
    below: &'a [Vec<usize>],
    shown: Vec<bool>,
}

impl Hierarchy for Items<'_, '_> {
    type Node = usize;

    fn lines(&mut self, at: usize) -> Option<(String, Vec<String>)> {
        let is_new = !std::mem::replace(self.shown.get_mut(at)?, true);
        self.items.get(at).filter(|_| is_new).map(|item| (line(item), Vec::new()))
    }

    fn children(&self, at: usize) -> Vec<usize> {
        self.below.get(at).cloned().unwrap_or_default()
    }
}

fn alias<'v>(item: &Item<'v>) -> &'v str {
    match item {
        Item::Entity(entity) => entity.alias(),
        Item::Instance(instance) => instance.alias(),
    }
}

/// The alias of the entity that an item is attached to.
fn parent(item: &Item<'_>) -> Option<String> {
    match item {
        Item::Entity(entity) => Some(first(entity.parent()?)),
        // The override of the transform of the instance's container.
        Item::Instance(instance) => {
            let patches = instance.patches()?.as_array()?;
            let path = "/Parent Entity";
            let patch = patches.iter().find(|patch| {
                patch["path"]
                    .as_str()
                    .is_some_and(|own| own.starts_with("/ContainerEntity/") && own.ends_with(path))
            })?;
            Some(first(patch["value"].as_str()?.trim_start_matches("../")))
        }
    }
}

/// `Instance_[1]/ContainerEntity` is the instance's own entity, which has the line of the instance.
fn first(alias: &str) -> String {
    alias.split('/').next().unwrap_or_default().to_owned()
}

fn line(item: &Item<'_>) -> String {
    match item {
        Item::Entity(entity) => {
            let types: Vec<String> = entity.components().map(|own| kind(&own)).collect();
            let name = shown(entity.name().unwrap_or("(without a name)"));
            let mut line = format!("{name}  {}", shown(entity.alias()));
            if !entity.is_active() {
                line.push_str("  inactive");
            }
            if !types.is_empty() {
                _ = write!(line, "  [{}]", types.join(", "));
            }
            line
        }
        Item::Instance(instance) => {
            let source = shown(instance.source().unwrap_or("(without a source)"));
            let overrides = count(instance.patch_count(), "override");
            format!("{source}  {}  {overrides}", shown(instance.alias()))
        }
    }
}

fn kind(component: &gamewire::o3de_json::prefab::Component<'_>) -> String {
    let own = component.wrapped_type_name().or(component.type_name()).unwrap_or("?");
    // Namespaces say little here.
    shown(own.rsplit("::").next().unwrap_or(own))
}

fn shown(text: &str) -> String {
    shortened(text, MAX_NAME)
}
