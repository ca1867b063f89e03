//! Faults of a scene or resource with which engines do not load it, or lose nodes.

use std::collections::{HashMap, HashSet};

use crate::Text;
use crate::text::{Owner, mentions, word};

/// A fault, and where: the name of the entry, as [`Text::entries`] has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// The name of the entry.
    pub name: String,
    /// The fault, in a sentence.
    pub message: String,
}

impl Text {
    /// Returns what is broken: references to resources that the file does not have, nodes without their parents, two
    /// nodes of one path, two nodes of one unique id, changed nodes of instances that are not editable.
    pub fn faults(&self) -> Vec<Fault> {
        if !self.has_tags() {
            return Vec::new();
        }
        let owners = self.owners();
        let mut faults = Vec::new();
        let mut add = |name: String, message: String| faults.push(Fault { name, message });
        let there: HashSet<&Owner> = owners.iter().collect();
        // The place of each node: the path of an instance around, itself included, if that is not inherited.
        let mut instances: HashSet<&str> = HashSet::new();
        let mut seen: HashSet<&str> = HashSet::new();
        let mut ids: HashMap<(String, String), &str> = HashMap::new();
        let mut has_root = false;
        let mut is_inherited = false;
        for (section, owner) in self.sections().iter().zip(&owners) {
            for found in mentions(section.as_str()) {
                let Some(target) = Owner::of_reference(found.word, found.text) else { continue };
                if !there.contains(&target) {
                    let name = target.name().unwrap_or_default();
                    add(
                        owner.name().unwrap_or_default(),
                        format!("it refers to {name}, which is not there"),
                    );
                }
            }
            let Owner::Node(path) = owner else { continue };
            let is_instance = section.field("instance").is_some_and(|own| !own.is_null())
                || section.field("instance_placeholder").is_some();
            let is_root = !std::mem::replace(&mut has_root, true);
            is_inherited |= is_root && is_instance;
            if !seen.insert(path) {
                add(path.clone(), "there are two nodes of this path".to_owned());
            }
            let mut above = path.rmatch_indices('/').filter_map(|(at, _)| path.get(..at));
            let around = above.find(|above| instances.contains(above));
            if is_instance && !is_root {
                instances.insert(path);
            }
            if let Some(id) = word(section, "unique_id") {
                let key = (around.unwrap_or_default().to_owned(), id);
                if let Some(first) = ids.insert(key, path) {
                    add(path.clone(), format!("{first} has the same unique id"));
                }
            }
            let parent = path.rsplit_once('/').map(|(parent, _)| parent);
            let is_lost = parent.is_some_and(|parent| !seen.contains(parent));
            let is_override = section.field("type").is_none() && !is_instance;
            match around {
                Some(around)
                    if is_override && !there.contains(&Owner::Editable(around.to_owned())) =>
                {
                    add(path.clone(), format!("it is a node of {around}, which is not editable"));
                }
                None if is_lost && !is_inherited => {
                    add(path.clone(), "its parent is not there".to_owned());
                }
                None if is_override && !is_root && !is_inherited => {
                    add(path.clone(), "it has no type, and no instance is around it".to_owned());
                }
                _ => {}
            }
        }
        faults
    }
}
