//! The order in which engines write resources: each before what refers to it.

use std::collections::HashMap;

use godot_variant::Value;
use godot_variant::value::{Object, Reference};

use super::{Contents, Properties, Resource, each_value};

impl Contents {
    /// The resources in the order in which an engine finds them, from the main resource on; `by_name` when it
    /// looks into properties by their names, as it does for text. Those to which nothing refers come last.
    pub(super) fn in_order(&self, by_name: bool) -> Vec<&Resource> {
        let places: HashMap<&str, usize> =
            self.resources.iter().enumerate().map(|(place, own)| (&*own.id, place)).collect();
        let mut found = vec![false; self.resources.len()];
        let mut order = Vec::with_capacity(self.resources.len());
        let finder = ReferenceFinder { places: &places, by_name };
        // The references still to be followed of each resource on the way, in reverse.
        let mut open = vec![(None, finder.of_main(self))];
        while let Some((own, left)) = open.last_mut() {
            match left.pop() {
                Some(place) => {
                    let is_new =
                        found.get_mut(place).is_some_and(|found| !std::mem::replace(found, true));
                    if let Some(resource) = self.resources.get(place).filter(|_| is_new) {
                        open.push((Some(place), finder.of(&resource.properties)));
                    }
                }
                None => {
                    order.extend(*own);
                    open.pop();
                }
            }
        }
        let lost = found.iter().enumerate().filter(|(_, found)| !**found).map(|(place, _)| place);
        order.extend(lost.collect::<Vec<_>>());
        order.into_iter().filter_map(|place| self.resources.get(place)).collect()
    }
}

struct ReferenceFinder<'a> {
    places: &'a HashMap<&'a str, usize>,
    by_name: bool,
}

impl ReferenceFinder<'_> {
    fn of_main(&self, contents: &Contents) -> Vec<usize> {
        let Some(scene) = &contents.scene else { return self.of(&contents.properties) };
        // The tables of a scene come in the order of its nodes.
        let mut all = Vec::new();
        for node in &scene.nodes {
            node.properties.iter().for_each(|(_, value)| self.add(value, &mut all));
        }
        let binds = scene.connections.iter().flat_map(|own| &own.binds);
        binds.for_each(|value| self.add(value, &mut all));
        contents.properties.iter().for_each(|(_, value)| self.add(value, &mut all));
        all.reverse();
        all
    }

    /// The places of the resources that properties refer to, the first one last.
    fn of(&self, properties: &Properties) -> Vec<usize> {
        let mut entries: Vec<_> = properties.iter().collect();
        if self.by_name {
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        }
        let mut found = Vec::new();
        entries.into_iter().for_each(|(_, value)| self.add(value, &mut found));
        found.reverse();
        found
    }

    fn add(&self, value: &Value, found: &mut Vec<usize>) {
        each_value(value, &mut |value| {
            if let Value::Object(Object::Reference(reference)) = value
                && let Reference::Internal(id) = &**reference
            {
                found.extend(self.places.get(id.as_str()));
            }
        });
    }
}
