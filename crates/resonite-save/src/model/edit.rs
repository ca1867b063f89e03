use std::collections::{HashMap, HashSet};

use resonite_brson::Value;
use resonite_brson::value::{Array, Document};

use super::leaves::{Leaves, Role, dangling, defined, definitions, each_leaf, referred};
use super::object::root_key;
use super::part::{Ids, key, no_slot};
use super::{SavedObject, SlotPath};
use crate::error::{Error, Result, Shortened};

/// The result of [`SavedObject::extract`].
#[derive(Clone, Debug, PartialEq)]
pub struct Extracted {
    /// The slot, what is in it, and the assets that it needs.
    pub object: SavedObject,
    /// The number of references that led outside and are null now.
    pub cut: usize,
}

/// The result of [`SavedObject::insert`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inserted {
    /// Where the new slot is.
    pub path: SlotPath,
    /// The number of assets that came along.
    pub assets: usize,
    /// The number of references to objects that did not come along, which are null now.
    pub cut: usize,
}

/// The result of [`SavedObject::strip_unused`]: how much was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stripped {
    /// Components in the list of assets to which nothing leads.
    pub assets: usize,
    /// Names in `Types` that no component has.
    pub types: usize,
    /// Entries of `TypeVersions` for types that are missing.
    pub type_versions: usize,
}

/// Larger changes.
impl SavedObject {
    /// Renames every identifier: numbers from 0 in the order of the document, as the
    /// engine does where nothing points forward. References follow. Returns how many there are.
    ///
    /// A reference that leads nowhere stays as it is, and nothing gets the number it has. Two saves
    /// without such references that differ in their identifiers only are equal afterwards.
    pub fn renumber(&mut self) -> usize {
        let mut ids = Ids::default();
        ids.reserve(dangling(&self.document));
        let new = numbers(&self.document, &mut ids);
        rename(&mut self.document, &new);
        self.ids = Some(ids);
        new.len()
    }

    /// A save of one slot with all that is in it, and the assets and types that it needs.
    ///
    /// References to anything else are null, as the engine saves them. `None` if there is no such
    /// slot.
    pub fn extract(&self, path: &SlotPath) -> Option<Extracted> {
        let root = self.slot(path)?.document().clone();
        let mut document = Document::new();
        for (name, value) in self.document.iter() {
            match name.as_str() {
                "Object" | "Slots" => {}
                _ => {
                    document.insert(name.clone(), value.clone());
                    continue;
                }
            }
            document.insert("Object", root.clone());
        }
        let mut object = SavedObject { document, ids: None };
        object.strip_unused();
        let lost = missing(&self.document, &object.document);
        let cut = cut(&mut object.document, &lost);
        Some(Extracted { object, cut })
    }

    /// Takes a slot out with all that is in it, and makes the references to that null, as the engine
    /// saves it. Returns how many there were; `None` if there is no such slot, or it is the root.
    pub fn delete_slot(&mut self, path: &SlotPath) -> Option<usize> {
        let gone = self.remove_slot(path)?;
        let lost = missing(&gone, &self.document);
        Some(cut(&mut self.document, &lost))
    }

    /// Puts the root slot of another save, with its assets, at the end of a slot's children.
    ///
    /// It gets new identifiers, and its types those of this save. What led nowhere leads nowhere
    /// afterwards: such a reference gets a new number only if something of this save has its own.
    /// References to other parts of that save, which do not come along, are null.
    ///
    /// # Errors
    /// No slot there, one save of NeosVR and one of Resonite, types with different versions, or a
    /// component whose type is not in `Types`. Nothing is changed then.
    pub fn insert(&mut self, parent: &SlotPath, other: &SavedObject) -> Result<Inserted> {
        if self.is_legacy() != other.is_legacy() {
            return Err(Error::unsupported(
                "a save of NeosVR and one of Resonite cannot be put together",
            ));
        }
        let mut new = self.clone();
        let inserted = new.insert_into(parent, other)?;
        *self = new;
        Ok(inserted)
    }

    fn insert_into(&mut self, parent: &SlotPath, other: &SavedObject) -> Result<Inserted> {
        let mut ids = Ids::after(&mut self.ids, &self.document)?;
        // In a damaged save the assets may be no list, and then do not come along.
        let assets = other.asset_list().and(other.asset_key());
        let root = root_key(&other.document);
        let parts = other.document.iter();
        let parts = parts.filter(|(key, _)| *key == root || Some(key.as_str()) == assets);
        let mut document: Document = parts.map(|(key, own)| (key.clone(), own.clone())).collect();
        let left = missing(&other.document, &document);
        let cut = cut(&mut document, &left);
        let lost = dangling(&other.document);
        ids.reserve(lost.iter().copied());
        let mut renamed = numbers(&document, &mut ids);
        if !lost.is_empty() {
            let own = definitions(&self.document);
            let taken =
                Leaves::new(&other.document).filter_map(|(key, value)| referred(key, value));
            for id in taken.filter(|id| lost.contains(id) && own.contains(id)) {
                renamed.entry(id.to_owned()).or_insert_with(|| ids.next());
            }
        }
        rename(&mut document, &renamed);
        self.ids = Some(ids);
        if !self.is_legacy() {
            let mut places = Vec::new();
            for name in other.type_list().into_iter().flat_map(|types| types.iter()) {
                places.push(match name.as_str() {
                    Some(name) => Some(self.add_type(name)?),
                    None => None,
                });
            }
            each_type(&mut document, |index| {
                at(&places, index).flatten().ok_or_else(|| {
                    let message =
                        format!("a component has the type {index}, which is not in Types");
                    Error::data(message)
                })
            })?;
        }
        for (name, version) in other.type_versions() {
            let own = self.type_versions().find(|(own, _)| *own == name).map(|(_, own)| own);
            match own {
                Some(own) if own != version => {
                    return Err(Error::data(format!(
                        "{} has the versions {own} and {version}",
                        Shortened(name)
                    )));
                }
                Some(_) => {}
                None => self.set_type_version(name, i32::try_from(version).unwrap_or(i32::MAX)),
            }
        }
        for flag in other.feature_flags() {
            self.add_feature_flag(flag);
        }
        let mut taken = SavedObject { document, ids: None };
        let assets: Vec<Value> = match taken.asset_list() {
            Some(_) => taken.assets_mut()?.drain(..).collect(),
            None => Vec::new(),
        };
        let count = assets.len();
        if count > 0 {
            self.assets_mut()?.extend(assets);
        }
        let root = taken.slot_document_mut(&SlotPath::root()).map(std::mem::take);
        let children = self.children_mut(parent)?;
        let index = children.len();
        children.push(root.ok_or_else(no_slot)?.into());
        Ok(Inserted { path: parent.child(index), assets: count, cut })
    }

    /// Takes away what nothing needs: assets to which no reference leads, types without a component,
    /// versions without a type.
    pub fn strip_unused(&mut self) -> Stripped {
        Stripped {
            assets: self.strip_assets(),
            types: self.strip_types(),
            type_versions: self.strip_versions(),
        }
    }

    fn strip_assets(&mut self) -> usize {
        let Some(list) = self.asset_list() else { return 0 };
        // Which asset has an identifier, and which assets are needed because of others.
        let mut owner = HashMap::new();
        for (index, asset) in list.iter().enumerate() {
            for (key, value) in Leaves::of_value(asset) {
                if let Some(id) = defined(key, value) {
                    owner.insert(id, index);
                }
            }
        }
        let mut needed = vec![false; list.len()];
        let mut todo = Vec::new();
        let mut need = |id: &str, todo: &mut Vec<usize>| {
            if let Some(index) = owner.get(id)
                && let Some(is_needed) = needed.get_mut(*index)
                && !std::mem::replace(is_needed, true)
            {
                todo.push(*index);
            }
        };
        for (_, value) in self.document.iter().filter(|(key, _)| key != "Assets" && key != "Asset")
        {
            for (key, value) in Leaves::of_value(value) {
                referred(key, value).into_iter().for_each(|id| need(id, &mut todo));
            }
        }
        while let Some(index) = todo.pop() {
            for (key, value) in list.get(index).into_iter().flat_map(Leaves::of_value) {
                referred(key, value).into_iter().for_each(|id| need(id, &mut todo));
            }
        }
        let before = needed.len();
        let kept = needed.iter().filter(|needed| **needed).count();
        if kept < before
            && let Ok(list) = self.assets_mut()
        {
            let mut needed = needed.into_iter();
            list.retain(|_| needed.next().unwrap_or(true));
        }
        before.saturating_sub(kept)
    }

    fn strip_types(&mut self) -> usize {
        let Some(types) = self.type_list() else { return 0 };
        let mut used = vec![false; types.len()];
        for (_, component) in self.components() {
            let index = component.document().get("Type").and_then(Value::as_u64);
            let index = index.and_then(|index| usize::try_from(index).ok());
            if let Some(used) = index.and_then(|index| used.get_mut(index)) {
                *used = true;
            }
        }
        let mut places = Vec::with_capacity(used.len());
        let mut kept = 0i32;
        for is_used in &used {
            places.push(kept);
            kept = kept.saturating_add(i32::from(*is_used));
        }
        let stripped = used.iter().filter(|used| !**used).count();
        if stripped > 0 {
            // An index that leads nowhere stays as it is.
            _ = each_type(&mut self.document, |index| {
                Ok(at(&places, index).unwrap_or(i32::try_from(index).unwrap_or(i32::MAX)))
            });
            let mut used = used.into_iter();
            if let Some(types) = self.document.get_mut("Types").and_then(Value::as_array_mut) {
                types.retain(|_| used.next().unwrap_or(true));
            }
        }
        stripped
    }

    fn strip_versions(&mut self) -> usize {
        let names: HashSet<String> = if self.is_legacy() {
            self.components()
                .flat_map(|(_, component)| {
                    let own = component.type_name().map(str::to_owned);
                    let full = component.parsed_type().ok().map(|name| name.full_name());
                    own.into_iter().chain(full)
                })
                .collect()
        } else {
            self.types().map(str::to_owned).collect()
        };
        let versions = self.document.get_mut("TypeVersions").and_then(Value::as_document_mut);
        let Some(versions) = versions else { return 0 };
        let before = versions.len();
        // A legacy name may have arguments, of which the key says nothing.
        versions.retain(|(name, _)| {
            let open = name.split_once('`').map_or(name.as_str(), |(name, _)| name);
            names.contains(name.as_str()) || names.contains(open)
        });
        before.saturating_sub(versions.len())
    }
}

/// The identifiers that something of a document has, and nothing of the one that is kept.
fn missing(document: &Document, kept: &Document) -> HashSet<String> {
    definitions(document).difference(&definitions(kept)).map(|id| (*id).to_owned()).collect()
}

/// Makes the references to what is lost null, and returns how many there were.
fn cut(document: &mut Document, lost: &HashSet<String>) -> usize {
    let mut cut = 0usize;
    each_leaf(document, |key, value| {
        if referred(key, value).is_some_and(|id| lost.contains(id)) {
            *value = Value::Null;
            cut = cut.saturating_add(1);
        }
    });
    cut
}

/// A new identifier for each that is given to something, in the order of the document.
pub(super) fn numbers(document: &Document, ids: &mut Ids) -> HashMap<String, String> {
    let own: HashSet<&str> = Leaves::new(document)
        .filter(|(key, _)| Role::of(key) == Role::Defines)
        .filter_map(|(_, value)| value.as_str())
        .collect();
    let mut new = HashMap::new();
    for (key, value) in Leaves::new(document) {
        let Some(id) = defined(key, value) else { continue };
        // A parent reference may be the identifier of a slot that comes later.
        let is_other = Role::of(key) == Role::Parent && own.contains(id);
        if !is_other && !new.contains_key(id) {
            new.insert(id.to_owned(), ids.next());
        }
    }
    new
}

pub(super) fn rename(document: &mut Document, new: &HashMap<String, String>) {
    each_leaf(document, |key, value| {
        if let Some(id) = defined(key, value).or_else(|| referred(key, value))
            && let Some(id) = new.get(id)
        {
            *value = id.as_str().into();
        }
    });
}

fn at<T: Copy>(list: &[T], index: i64) -> Option<T> {
    list.get(usize::try_from(index).ok()?).copied()
}

/// Changes the `Type` of every component that has a number there; its width stays.
fn each_type(document: &mut Document, mut change: impl FnMut(i64) -> Result<i32>) -> Result<()> {
    let mut slots = Vec::new();
    for (key, value) in document.iter_mut() {
        match (key.as_str(), value) {
            ("Object" | "Slots", Value::Document(root)) => slots.push(root),
            ("Assets" | "Asset", Value::Array(list)) => each_type_in(list, &mut change)?,
            _ => {}
        }
    }
    while let Some(slot) = slots.pop() {
        for (key, value) in slot.iter_mut() {
            match (key.as_str(), value) {
                (key::COMPONENTS, Value::Document(components)) => {
                    if let Some(Value::Array(list)) = components.get_mut("Data") {
                        each_type_in(list, &mut change)?;
                    }
                }
                (key::CHILDREN, Value::Array(children)) => {
                    slots.extend(children.iter_mut().filter_map(Value::as_document_mut));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn each_type_in(list: &mut Array, change: &mut impl FnMut(i64) -> Result<i32>) -> Result<()> {
    for component in list.iter_mut().filter_map(Value::as_document_mut) {
        if let Some(own) = component.get_mut("Type")
            && let Some(index) = own.as_int()
        {
            *own = index.with(change(index.get())?.into())?.into();
        }
    }
    Ok(())
}
