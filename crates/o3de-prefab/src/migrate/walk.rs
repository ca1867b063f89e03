//! The components and overrides of a document.

use std::collections::{HashMap, HashSet};

use super::step::{Migrations, wrong};
use super::subject::{Override, Subject};
use crate::expand::{Loader, unread};
use crate::prefab::{
    COMPONENTS, CONTAINER, ENTITIES, INSTANCES, KEPT, child, component_on, is_prefab, type_of,
};
use crate::rename::{Change, Changed, Undecided, steps};
use o3de_json::Result;
use o3de_json::value::{Importer, Object, Value, append_pointer};

pub(super) struct Walk<'w, I> {
    pub(super) recipe: &'w Migrations,
    pub(super) loader: &'w mut Loader<I>,
    /// The document's own.
    pub(super) path: &'w str,
    pub(super) changes: Vec<Change>,
    pub(super) undecided: Vec<Undecided>,
}

/// The source of an instance, and what its overrides set as a whole: components, and what is around them.
struct Link<'l> {
    source: &'l str,
    added: HashMap<Vec<String>, &'l Value>,
}

/// The target of an override.
enum Model {
    Component(Value),
    /// Nothing that the recipe is about.
    Other,
    Unread(String),
}

fn below(at: &str, name: &str) -> String {
    let mut pointer = at.to_owned();
    append_pointer(&mut pointer, name);
    pointer
}

fn class(component: Option<&Value>) -> String {
    let inner = component.and_then(|own| type_of(own.get("m_template")?));
    let class = inner.or_else(|| type_of(component?));
    class.map_or(String::new(), |(_, name)| name.to_owned())
}

impl<I: Importer> Walk<'_, I> {
    /// Changes a prefab that stands at a pointer.
    pub(super) fn prefab(&mut self, prefab: &mut Value, at: &str) -> Result<()> {
        let Value::Object(prefab) = prefab else { return Ok(()) };
        if let Some(container) = prefab.get_mut(CONTAINER) {
            self.entity(container, &below(at, CONTAINER))?;
        }
        if let Some(entities) = prefab.get_mut(ENTITIES) {
            self.each(entities, &below(at, ENTITIES), Walk::entity)?;
        }
        match prefab.get_mut(INSTANCES) {
            Some(instances) => self.each(instances, &below(at, INSTANCES), Walk::instance),
            None => Ok(()),
        }
    }

    fn each(
        &mut self,
        list: &mut Value,
        at: &str,
        one: fn(&mut Self, &mut Value, &str) -> Result<()>,
    ) -> Result<()> {
        let Value::Object(list) = list else { return Ok(()) };
        list.iter_mut().try_for_each(|(name, value)| one(self, value, &below(at, name)))
    }

    fn entity(&mut self, entity: &mut Value, at: &str) -> Result<()> {
        match entity.get_mut(COMPONENTS) {
            Some(components) => self.components(components, &below(at, COMPONENTS)),
            None => Ok(()),
        }
    }

    /// Changes the components of an entity.
    fn components(&mut self, list: &mut Value, at: &str) -> Result<()> {
        let Value::Object(list) = list else { return Ok(()) };
        let mut gone = HashSet::new();
        let mut after: Vec<(String, Value)> = Vec::new();
        for (key, value) in std::mem::take(list) {
            let at = below(at, &key);
            let id = value.get("Id").and_then(Value::as_u64);
            let mut now = self.component(key.as_str(), value, &at)?;
            gone.extend(id.filter(|_| now.is_empty()));
            for (_, own) in &mut now {
                for kept in KEPT {
                    own.get_mut(kept).map_or(Ok(()), |list| self.kept(list, &below(&at, kept)))?;
                }
            }
            after.extend(now);
        }
        let mut keys = HashSet::new();
        for (key, own) in &mut after {
            if !keys.insert(key.clone()) {
                return Err(wrong(format!("`{key}` is there already, in {at}")));
            }
            if let Some(Value::Array(order)) = own.get_mut("ComponentOrderEntryArray") {
                let id = |entry: &Value| entry.get("ComponentId").and_then(Value::as_u64);
                order.retain(|entry| id(entry).is_none_or(|id| !gone.contains(&id)));
            }
        }
        *list = after.into_iter().collect();
        Ok(())
    }

    /// Changes components in a list, which is one or an object.
    fn kept(&mut self, list: &mut Value, at: &str) -> Result<()> {
        if let Value::Array(items) = list {
            let mut after = Vec::new();
            for (index, item) in std::mem::take(items).into_iter().enumerate() {
                let key = index.to_string();
                let now = self.component(&key, item, &below(at, &key))?;
                after.extend(now.into_iter().map(|(_, own)| own));
            }
            *items = after.into();
            return Ok(());
        }
        self.components(list, at)
    }

    /// Takes a component through the recipe.
    fn component(&mut self, key: &str, value: Value, at: &str) -> Result<Vec<(String, Value)>> {
        if !self.recipe.concerns(&value) {
            return Ok(vec![(key.to_owned(), value)]);
        }
        let before = value.clone();
        let subject = Subject { key: key.to_owned(), value: Some(value), overrides: Vec::new() };
        let now = self.recipe.run(subject);
        let now = now.map_err(|error| wrong(format!("{error}, in {at}")))?;
        let now: Vec<(String, Value)> =
            now.into_iter().filter_map(|own| Some((own.key, own.value?))).collect();
        let is_same = matches!(now.as_slice(), [(own, value)] if own == key && *value == before);
        if !is_same {
            let (old, new) = (class(Some(&before)), class(now.first().map(|own| &own.1)));
            let place = Changed::Component;
            self.changes.push(Change { pointer: at.to_owned(), place, old, new });
        }
        Ok(now)
    }

    fn instance(&mut self, link: &mut Value, at: &str) -> Result<()> {
        if link.as_object().is_some_and(is_prefab) {
            self.prefab(link, at)?;
        }
        let source = link.get("Source").and_then(Value::as_str).unwrap_or_default().to_owned();
        let Some(Value::Array(patches)) = link.get_mut("Patches") else { return Ok(()) };
        let before = std::mem::take(patches);
        let set = before.iter().filter_map(|patch| {
            let path = patch.get("path").and_then(Value::as_str).and_then(steps)?;
            let is_whole = component_on(&path).is_none_or(|place| place == path.len());
            Some((path, patch.get("value")?)).filter(|_| is_whole)
        });
        let link = Link { source: &source, added: set.collect() };
        let mut after = Vec::new();
        for (index, patch) in before.iter().enumerate() {
            let at = format!("{at}/Patches/{index}");
            after.extend(self.patch(patch, &link, &at)?);
        }
        *patches = after.into();
        Ok(())
    }

    /// The result of an override.
    fn patch(&mut self, patch: &Value, link: &Link<'_>, at: &str) -> Result<Vec<Value>> {
        let text = |name: &str| patch.get(name).and_then(Value::as_str);
        let (Some(operation), Some(path)) = (text("op"), text("path").and_then(steps)) else {
            return Ok(vec![patch.clone()]);
        };
        if let Some(from) = text("from").and_then(steps) {
            for path in [&path, &from] {
                let Some(place) = component_on(path) else { continue };
                if let Model::Component(_) = self.model(path, place, link) {
                    let why =
                        "moves or copies what the recipe changes; write it as `remove` and `add`";
                    return Err(wrong(format!("the override {why}, in {at}")));
                }
            }
            return Ok(vec![patch.clone()]);
        }
        let Some(place) = component_on(&path) else {
            let mut patch = patch.clone();
            if let Some(value) = patch.get_mut("value") {
                self.around(&path, value, &format!("{at}/value"))?;
            }
            return Ok(vec![patch]);
        };
        let (list, key) = path.split_at(place.saturating_sub(1));
        let key = key.first().map(String::as_str).unwrap_or_default();
        let inside = path.get(place..).unwrap_or_default();
        let with = |key: &str, inside: &[String]| {
            let steps = list.iter().map(String::as_str).chain([key]);
            let mut pointer = String::new();
            steps
                .chain(inside.iter().map(String::as_str))
                .for_each(|own| append_pointer(&mut pointer, own));
            pointer
        };
        // One that sets the component as a whole has it.
        if let (true, Some(value)) = (inside.is_empty(), patch.get("value")) {
            let known = self.changes.len();
            let now = self.component(key, value.clone(), &format!("{at}/value"))?;
            self.changes.truncate(known);
            let now = now.into_iter().map(|(key, value)| (operation, with(&key, &[]), Some(value)));
            return Ok(self.rewritten(patch, at, now.collect()));
        }
        if !self.recipe.touches(inside) && self.recipe.class_of_key(key).is_none() {
            return Ok(vec![patch.clone()]);
        }
        let model = match self.model(&path, place, link) {
            Model::Component(model) => model,
            Model::Other => return Ok(vec![patch.clone()]),
            Model::Unread(source) => {
                let pointer = format!("{at}/path");
                self.undecided.push(Undecided { pointer, source });
                return Ok(vec![patch.clone()]);
            }
        };
        let own = Override {
            operation: operation.to_owned(),
            path: inside.to_vec(),
            value: patch.get("value").cloned(),
        };
        let subject = Subject { key: key.to_owned(), value: Some(model), overrides: vec![own] };
        let now = self.recipe.run(subject);
        let now = now.map_err(|error| wrong(format!("{error}, in {at}")))?;
        let now: Vec<(String, Override)> = now
            .into_iter()
            .flat_map(|own| own.overrides.into_iter().map(move |change| (own.key.clone(), change)))
            .collect();
        let now = now
            .iter()
            .map(|(key, own)| (own.operation.as_str(), with(key, &own.path), own.value.clone()));
        Ok(self.rewritten(patch, at, now.collect()))
    }

    /// An override as it is now, and those that come with it.
    fn rewritten(
        &mut self,
        patch: &Value,
        at: &str,
        now: Vec<(&str, String, Option<Value>)>,
    ) -> Vec<Value> {
        let old = patch.get("path").and_then(Value::as_str).unwrap_or_default();
        let mut note = |place, new: &str| {
            let (old, new) = (old.to_owned(), new.to_owned());
            self.changes.push(Change { pointer: at.to_owned(), place, old, new });
        };
        if now.is_empty() {
            note(Changed::OverrideGone, "");
        }
        let mut after: Vec<Value> = Vec::new();
        for (operation, path, value) in now {
            let mut own =
                if after.is_empty() { patch.clone() } else { Value::Object(Object::new()) };
            if let Value::Object(own) = &mut own {
                own.insert("op", operation);
                own.insert("path", path.as_str());
                value.into_iter().for_each(|value| _ = own.insert("value", value));
            }
            if !after.is_empty() || own != *patch {
                let is_path = after.is_empty() && path != old;
                note(if is_path { Changed::OverridePath } else { Changed::OverrideValue }, &path);
            }
            after.push(own);
        }
        after
    }

    /// Changes the value of an override of what is around components.
    fn around(&mut self, path: &[String], value: &mut Value, at: &str) -> Result<()> {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        let mut rest = names.as_slice();
        while let [INSTANCES, _, inner @ ..] = rest {
            if inner.is_empty() {
                return self.instance(value, at);
            }
            rest = inner;
        }
        match rest {
            [] => self.prefab(value, at),
            [INSTANCES] => self.each(value, at, Walk::instance),
            [ENTITIES] => self.each(value, at, Walk::entity),
            [CONTAINER] | [ENTITIES, _] => self.entity(value, at),
            [CONTAINER, COMPONENTS] | [ENTITIES, _, COMPONENTS] => self.components(value, at),
            _ => Ok(()),
        }
    }

    /// The component that this many steps of a path lead to: of the source, or of the overrides that add it.
    fn model(&mut self, path: &[String], place: usize, link: &Link<'_>) -> Model {
        let way = path.get(..place).unwrap_or_default();
        let key = way.last().map(String::as_str).unwrap_or_default();
        let recipe = self.recipe;
        let of = |component: &Value| match recipe.concerns(component) {
            true => Model::Component(component.clone()),
            false => Model::Other,
        };
        let added = (0..=way.len()).rev().find_map(|depth| {
            let (around, inside) = way.split_at_checked(depth)?;
            inside.iter().try_fold(*link.added.get(around)?, |value, step| child(value, step))
        });
        if let Some(component) = added.filter(|own| type_of(own).is_some()) {
            return of(component);
        }
        let whole = self.loader.bring(link.source, self.path);
        let whole = whole.as_ref().map(|source| &source.value);
        let missing = match whole {
            Some(whole) => unread(whole, way),
            None => Some(link.source),
        };
        let Some(missing) = missing else {
            let found =
                whole.and_then(|whole| way.iter().try_fold(whole, |own, step| child(own, step)));
            return found.map_or(Model::Other, of);
        };
        // A key that is a type says what the component is.
        match self.recipe.class_of_key(key) {
            Some(class) => {
                let mut model = Object::new();
                model.push("$type", class);
                Model::Component(Value::Object(model))
            }
            None if key.starts_with("Component_[") || key.parse::<usize>().is_ok() => {
                Model::Unread(missing.to_owned())
            }
            None => Model::Other,
        }
    }
}
