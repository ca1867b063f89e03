use resonite_brson::Value;
use resonite_brson::value::{Array, Document};

use super::part::{EditedPart, Ids};
use super::places::numbered;
use super::{Component, ComponentMut, ComponentPath, Components, Slot, SlotMut, SlotPath, Slots};
use crate::error::{Error, Result};

/// A save: an item, an avatar, a world, as one document.
///
/// Written in this order:
///
/// | key | what it is |
/// |---|---|
/// | `VersionNumber` | year, month, day and minute of the day of the program |
/// | `FeatureFlags` | names, each with 0 |
/// | `Types` | names of types, in the order of their first use |
/// | `TypeVersions` | versions of those types whose version is not 0 |
/// | `Object` | the root slot (`Slots` in a saved world) |
/// | `Assets` | components that provide meshes, materials and so on; may be missing |
///
/// NeosVR's saves have `Object`, `Assets` and `TypeVersions` only. Other keys are kept.
#[derive(Clone, Debug)]
pub struct SavedObject {
    pub(super) document: Document,
    /// Where new identifiers continue, once something was added.
    pub(super) ids: Option<Ids>,
}

/// Equal when they would be written as the same bytes.
impl PartialEq for SavedObject {
    fn eq(&self, other: &Self) -> bool {
        self.document == other.document
    }
}

impl Eq for SavedObject {}

impl SavedObject {
    /// A document that has a root slot.
    ///
    /// # Errors
    /// No `Object` or `Slots` that is a document.
    pub fn from_document(document: Document) -> Result<Self> {
        let object = SavedObject { document, ids: None };
        match object.root() {
            Some(_) => Ok(object),
            None => Err(Error::data(
                "expected a save with a slot under `Object`, found a document without",
            )),
        }
    }

    /// Everything.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Everything, to change.
    pub fn document_mut(&mut self) -> &mut Document {
        self.ids = None;
        &mut self.document
    }

    /// Everything.
    pub fn into_document(self) -> Document {
        self.document
    }

    /// The version of the program that wrote it, such as `2026.8.12.1196`; none in NeosVR's saves.
    pub fn version_number(&self) -> Option<&str> {
        self.document.get("VersionNumber")?.as_str()
    }

    /// The features that the program had when it wrote it.
    pub fn feature_flags(&self) -> impl Iterator<Item = &str> {
        let flags = self.document.get("FeatureFlags").and_then(Value::as_document);
        flags.into_iter().flat_map(|flags| flags.iter().map(|(name, _)| name.as_str()))
    }

    /// Whether components name their types themselves, as in NeosVR's saves.
    pub fn is_legacy(&self) -> bool {
        self.type_list().is_none()
    }

    pub(super) fn type_list(&self) -> Option<&Array> {
        type_list(&self.document)
    }

    /// The names of types, in order.
    pub fn types(&self) -> impl Iterator<Item = &str> {
        self.type_list().into_iter().flat_map(|list| list.iter().filter_map(Value::as_str))
    }

    /// The versions of types, by their names.
    pub fn type_versions(&self) -> impl Iterator<Item = (&str, i64)> {
        let versions = self.document.get("TypeVersions").and_then(Value::as_document);
        let entries = versions.into_iter().flat_map(|versions| versions.iter());
        entries.filter_map(|(name, version)| Some((name.as_str(), version.as_i64()?)))
    }

    /// The root slot. `None` only after it was taken away by
    /// [`document_mut`](Self::document_mut).
    pub fn root(&self) -> Option<Slot<'_>> {
        Slot::root_of(&self.document)
    }

    fn root_document(&self) -> Option<&Document> {
        self.document.get(root_key(&self.document))?.as_document()
    }

    pub(super) fn asset_key(&self) -> Option<&'static str> {
        asset_key(&self.document)
    }

    pub(super) fn asset_list(&self) -> Option<&Array> {
        self.document.get(self.asset_key()?)?.as_array()
    }

    /// The components that provide assets.
    pub fn assets(&self) -> impl Iterator<Item = Component<'_>> {
        Component::assets_of(&self.document)
    }

    /// All slots with their paths, each before its children.
    pub fn slots(&self) -> Slots<'_> {
        Slots::new(self.root_document(), self.type_list())
    }

    /// All components with their paths: those of the slots, then the assets.
    pub fn components(&self) -> Components<'_> {
        Components::new(self.slots(), self.asset_list(), self.type_list())
    }

    /// The components of a type, which may be named as [`Component::is_a`] says.
    pub fn find_components(
        &self,
        name: &str,
    ) -> impl Iterator<Item = (ComponentPath, Component<'_>)> {
        self.components().filter(move |(_, component)| component.is_a(name))
    }

    /// A slot.
    pub fn slot(&self, path: &SlotPath) -> Option<Slot<'_>> {
        let mut document = self.root_document()?;
        for index in path.indices() {
            document = document.get("Children")?.get(*index)?.as_document()?;
        }
        Some(Slot::new(document, self.type_list()))
    }

    /// A slot, to change.
    pub fn slot_mut(&mut self, path: &SlotPath) -> Option<SlotMut<'_>> {
        EditedPart::new(&mut self.ids, slot_in(&mut self.document, path)).map(SlotMut)
    }

    pub(super) fn slot_document_mut(&mut self, path: &SlotPath) -> Option<&mut Document> {
        slot_in(&mut self.document, path)
    }

    /// The path of the slot with an identifier.
    pub fn slot_by_id(&self, id: &str) -> Option<SlotPath> {
        self.slots().find(|(_, slot)| slot.id() == Some(id)).map(|(path, _)| path)
    }

    /// A component.
    pub fn component(&self, path: &ComponentPath) -> Option<Component<'_>> {
        let value = match path {
            ComponentPath::Slot(slot, index) => self.slot(slot)?.component_values()?.get(*index)?,
            ComponentPath::Asset(index) => self.asset_list()?.get(*index)?,
        };
        Some(Component::new(value.as_document()?, self.type_list()))
    }

    /// A component, to change.
    pub fn component_mut(&mut self, path: &ComponentPath) -> Option<ComponentMut<'_>> {
        let value = match path {
            ComponentPath::Slot(slot, index) => {
                let slot = slot_in(&mut self.document, slot)?;
                slot.get_mut("Components")?.get_mut("Data")?.get_mut(*index)?
            }
            ComponentPath::Asset(index) => {
                self.document.get_mut(self.asset_key()?)?.get_mut(*index)?
            }
        };
        EditedPart::new(&mut self.ids, value.as_document_mut()).map(ComponentMut)
    }

    /// A slot's path by names: `Lamp/Bulb`. Where siblings have the same name, the place among them
    /// follows: `Lamp/Bulb[1]`.
    pub fn show_slot(&self, path: &SlotPath) -> String {
        let Some(mut slot) = self.root() else { return String::new() };
        let mut shown = slot.name().unwrap_or("?").to_owned();
        for index in path.indices() {
            let Some(list) = slot.child_values() else { break };
            let Some(child) = list.get(*index).and_then(Value::as_document) else { break };
            slot = Slot::new(child, self.type_list());
            shown.push('/');
            shown.push_str(&name_among(list, *index, |child| {
                Slot::new(child, None).name().map(str::to_owned)
            }));
        }
        shown
    }

    /// The slot whose path by names this is, as [`show_slot`](Self::show_slot) shows it; `None` if there is
    /// none, or if it may be more than one, which [`find_slots`](Self::find_slots) lists.
    ///
    /// ```
    /// # use resonite_save::model::{SavedObject, SlotPath};
    /// let mut object = SavedObject::new("2025.9.23.1237", "Lamp");
    /// let bulb = object.add_slot(&SlotPath::root(), "Bulb")?;
    /// assert_eq!(object.find_slot("Lamp/Bulb"), Some(bulb.clone()));
    /// assert_eq!(object.find_slot("Lamp/Shade"), None);
    ///
    /// let other = object.add_slot(&SlotPath::root(), "Bulb")?;
    /// assert_eq!(object.find_slot("Lamp/Bulb"), None);
    /// assert_eq!(object.find_slots("Lamp/Bulb"), [bulb, other.clone()]);
    /// assert_eq!(object.find_slot("Lamp/Bulb[1]"), Some(other));
    /// # Ok::<(), resonite_brson::Error>(())
    /// ```
    pub fn find_slot(&self, shown: &str) -> Option<SlotPath> {
        let mut found = self.find_slots(shown);
        found.pop().filter(|_| found.is_empty())
    }

    /// The slots that a path by names may mean: those that are shown so, else those whose names it has
    /// without the numbers of siblings of the same name. Names may contain `/`, so that even a whole path
    /// can be that of more than one.
    pub fn find_slots(&self, shown: &str) -> Vec<SlotPath> {
        let exact = self.slots_at(shown, false);
        if exact.is_empty() { self.slots_at(shown, true) } else { exact }
    }

    fn slots_at(&self, shown: &str, is_bare: bool) -> Vec<SlotPath> {
        let after = |shown: &str, name: &str| {
            let rest = shown.strip_prefix(name)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| rest.to_owned())
        };
        let root = self.root().map(|root| root.name().unwrap_or("?"));
        let rest = root.and_then(|root| after(shown, root));
        let mut todo = Vec::from_iter(rest.map(|rest| (SlotPath::root(), rest)));
        let mut found = Vec::new();
        while let Some((path, rest)) = todo.pop() {
            let Some(rest) = rest.strip_prefix('/') else {
                found.push(path);
                continue;
            };
            let list = self.slot(&path).and_then(Slot::child_values);
            let places = list.into_iter().flatten().enumerate();
            let slots =
                places.filter_map(|(at, own)| Some((at, Slot::new(own.as_document()?, None))));
            let slots: Vec<(usize, &str)> =
                slots.map(|(at, slot)| (at, slot.name().unwrap_or("?"))).collect();
            let shown = numbered(slots.iter().map(|(_, name)| (*name).to_owned()).collect());
            for ((at, name), shown) in slots.into_iter().zip(shown).rev() {
                let bare = if is_bare { after(rest, name) } else { None };
                let left = bare.or_else(|| after(rest, &shown));
                todo.extend(left.map(|left| (path.child(at), left)));
            }
        }
        found
    }

    /// A component's path by names: `Lamp/Bulb:Light`, or `Assets:QuadMesh`. Where there are more
    /// of the same type, the place among them follows: `Lamp/Bulb:Light[1]`.
    pub fn show_component(&self, path: &ComponentPath) -> String {
        let (mut shown, index, list) = match path {
            ComponentPath::Slot(slot, index) => {
                let list = self.slot(slot).and_then(Slot::component_values);
                (self.show_slot(slot), *index, list)
            }
            ComponentPath::Asset(index) => ("Assets".to_owned(), *index, self.asset_list()),
        };
        let Some(list) = list else { return shown };
        shown.push(':');
        shown.push_str(&name_among(list, index, |document| {
            Some(Component::new(document, self.type_list()).short_name())
        }));
        shown
    }
}

pub(super) fn type_list(save: &Document) -> Option<&Array> {
    save.get("Types")?.as_array()
}

/// The published page names it without its `s`.
pub(super) fn asset_key(save: &Document) -> Option<&'static str> {
    ["Assets", "Asset"].into_iter().find(|key| save.contains_key(key))
}

pub(super) fn root_key(document: &Document) -> &'static str {
    if document.contains_key("Object") { "Object" } else { "Slots" }
}

fn slot_in<'a>(document: &'a mut Document, path: &SlotPath) -> Option<&'a mut Document> {
    let mut slot = document.get_mut(root_key(document))?.as_document_mut()?;
    for index in path.indices() {
        slot = slot.get_mut("Children")?.get_mut(*index)?.as_document_mut()?;
    }
    Some(slot)
}

/// The name of an element as paths show it among the others. An element without a name is called `?`; values
/// that are no documents do not count.
fn name_among(list: &Array, index: usize, of: impl Fn(&Document) -> Option<String>) -> String {
    let before = list.iter().take(index).filter_map(Value::as_document).count();
    let names = list.iter().filter_map(Value::as_document);
    let names = names.map(|own| of(own).unwrap_or_else(|| "?".to_owned())).collect();
    numbered(names).into_iter().nth(before).unwrap_or_default()
}

impl From<SavedObject> for Value {
    fn from(object: SavedObject) -> Self {
        Value::Document(object.document)
    }
}

impl TryFrom<Value> for SavedObject {
    type Error = Error;

    /// Fails where there is no root slot.
    fn try_from(value: Value) -> Result<Self> {
        match value {
            Value::Document(document) => SavedObject::from_document(document),
            other => Err(Error::data(format!("expected a save, found {}", other.kind().words()))),
        }
    }
}

impl serde_core::Serialize for SavedObject {
    fn serialize<S: serde_core::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        self.document.serialize(serializer)
    }
}

impl<'de> serde_core::Deserialize<'de> for SavedObject {
    fn deserialize<D: serde_core::Deserializer<'de>>(
        deserializer: D,
    ) -> std::result::Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        SavedObject::try_from(value).map_err(serde_core::de::Error::custom)
    }
}
