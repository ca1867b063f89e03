//! `gamewire slot`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use gamewire::document::{Error, Hint, count, shortened};
use gamewire::resonite_brson::{Container, Options, Value};
use gamewire::resonite_save::mesh::Mesh;
use gamewire::resonite_save::model::{Component, SavedObject, Slot, SlotPath};
use gamewire::resonite_save::package::Package;
use serde_json::json;

use super::package::is_named;
use crate::output::Drawing;

/// Characters of a path that are shown.
const MAX_PATH: usize = 400;

/// Slots of the same name that are shown for a choice.
const MAX_CHOICE: usize = 20;

/// Characters of the name of a type that are shown.
const MAX_NAME: usize = 80;

/// A file that was changed or made, and what there is to say of it.
pub(crate) struct Edited {
    pub(crate) bytes: Vec<u8>,
    pub(crate) notes: Vec<String>,
}

/// A save, and what is around it.
pub(crate) struct Source {
    object: SavedObject,
    container: Container,
    package: Option<Package>,
}

/// Reads a file or package.
pub(crate) fn read(bytes: &[u8], options: &Options) -> Result<Source, Error> {
    let package = match Package::is_archive(bytes) {
        true => Some(Package::from_slice_with(bytes, options)?),
        false => None,
    };
    let body = match &package {
        Some(package) => package.open_main(options)?,
        None => options.open(bytes)?,
    };
    let (container, object) = (body.container(), body.read::<SavedObject>()?);
    Ok(Source { object, container, package })
}

impl Source {
    fn find(&self, shown: &str) -> Result<SlotPath, Error> {
        let object = &self.object;
        let mut found = object.find_slots(shown);
        if found.is_empty() {
            // The name of the root may be left out.
            let root = object.root().and_then(Slot::name).unwrap_or("?");
            found = object.find_slots(&format!("{root}/{shown}"));
        }
        if found.is_empty() {
            found.extend(object.slot_by_id(shown));
        }
        let asked = shortened(shown, MAX_PATH);
        match found.as_slice() {
            [] => Err(Error::new(format!("there is no slot {asked}")).with_hint(Hint::Other(
                "`gamewire slot ls` prints the slots that there are".to_owned(),
            ))),
            [only] => Ok(only.clone()),
            several => {
                let shown = several.iter().take(MAX_CHOICE).map(|path| {
                    let id = object.slot(path).and_then(Slot::id).unwrap_or("no identifier");
                    format!("{} ({id})", self::shown(object, path))
                });
                let shown: Vec<String> = shown.collect();
                let (number, shown) = (several.len(), shown.join(", "));
                let why = format!("{asked} may be any of {number} slots: {shown}");
                let hint = "its number among them or its identifier says which";
                Err(Error::new(why).with_hint(Hint::Other(hint.to_owned())))
            }
        }
    }

    /// The file with its save as it is now.
    fn write(self, options: &Options) -> Result<Vec<u8>, Error> {
        match self.package {
            Some(mut package) => {
                package.set_object(&self.object)?;
                Ok(package.to_vec()?)
            }
            None => Ok(options.container(self.container).to_vec(&self.object)?),
        }
    }
}

/// A line for each slot.
pub(crate) fn list(source: &Source, slot: Option<&str>) -> Result<Drawing, Error> {
    let top = match slot {
        Some(slot) => source.find(slot)?,
        None => SlotPath::root(),
    };
    let object = &source.object;
    let (mut text, mut rows) = (String::new(), Vec::new());
    let inside = object.slots().filter(|(path, _)| path.indices().starts_with(top.indices()));
    for (path, slot) in inside {
        let shown = object.show_slot(&path);
        text.push_str(&line(&shortened(&shown, MAX_PATH), slot));
        rows.push(json!({
            "path": shown,
            "id": slot.id(),
            "name": slot.name(),
            "tag": slot.tag(),
            "active": slot.is_active(),
            "components": slot.components().map(Component::short_name).collect::<Vec<_>>(),
            "children": slot.children().count(),
        }));
    }
    Ok(Drawing { text, json: rows.into() })
}

fn line(path: &str, slot: Slot<'_>) -> String {
    let tag = slot.tag().filter(|tag| !tag.is_empty());
    let tag = tag.map(|tag| format!("  #{}", shortened(tag, MAX_PATH))).unwrap_or_default();
    let state = if slot.is_active() { "" } else { "  (inactive)" };
    let types: Vec<String> = slot.components().map(title).collect();
    let types = if types.is_empty() { String::new() } else { format!("  [{}]", types.join(", ")) };
    format!("{path}{tag}{state}{types}\n")
}

fn title(component: Component<'_>) -> String {
    let off = if component.is_enabled() { "" } else { "  (disabled)" };
    format!("{}{off}", shortened(&component.short_name(), MAX_NAME))
}

/// How many components there are of each type, and what skinned meshes have.
pub(crate) fn counts(source: &Source) -> Drawing {
    let object = &source.object;
    let mut types: BTreeMap<String, usize> = BTreeMap::new();
    let mut skins = Vec::new();
    let mut text = String::new();
    let places = object.places();
    for (path, component) in object.components() {
        *types.entry(component.short_name()).or_default() += 1;
        let list = |key: &str| component.member(key).map(|member| member.members());
        let (Some(bones), Some(weights)) = (list("Bones"), list("BlendShapeWeights")) else {
            continue;
        };
        let names = bones.iter().map(|(_, bone)| bone.target().and_then(|id| places.show(id)));
        let names: Vec<Option<String>> = names.collect();
        let path = object.show_component(&path);
        let shapes = shapes(source, component);
        let (bones, own) = (count(bones.len(), "bone"), count(weights.len(), "blend shape"));
        let shown = shortened(&path, MAX_PATH);
        text.push_str(&format!("{shown}: {bones}, {own}\n"));
        for name in names.iter().flatten() {
            text.push_str(&format!("  {}\n", shortened(name, MAX_PATH)));
        }
        for (name, (_, weight)) in shapes.iter().zip(&weights) {
            let weight = weight.value().and_then(Value::as_f64).unwrap_or_default();
            text.push_str(&format!("  {} = {weight}\n", shortened(name, MAX_NAME)));
        }
        skins.push(json!({
            "path": path, "bones": names, "blend_shapes": weights.len(), "blend_shape_names": shapes,
        }));
    }
    let mut sorted: Vec<(&String, &usize)> = types.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let lines =
        sorted.iter().map(|(name, count)| format!("{count:>7}  {}\n", shortened(name, MAX_NAME)));
    let text = lines.collect::<String>() + &text;
    Drawing { text, json: json!({ "components": types, "skinned": skins }) }
}

/// The names of the blend shapes of a renderer, if its mesh is in the package and can be read.
fn shapes(source: &Source, renderer: Component<'_>) -> Vec<String> {
    let id = renderer.member("Mesh").and_then(|mesh| mesh.target());
    let mesh = id.and_then(|id| source.object.components().find(|(_, own)| own.id() == Some(id)));
    let url = mesh.and_then(|(_, mesh)| mesh.member("URL")?.url().map(str::to_owned));
    let hash = url.as_deref().and_then(Package::hash_of);
    let bytes = hash.and_then(|hash| source.package.as_ref()?.asset(hash));
    let mesh = bytes.and_then(|bytes| Mesh::from_slice(bytes).ok());
    mesh.into_iter().flat_map(|mesh| mesh.blend_shapes).map(|shape| shape.name).collect()
}

/// Gives a slot another name.
pub(crate) fn rename(
    mut source: Source,
    slot: &str,
    name: &str,
    options: &Options,
) -> Result<Edited, Error> {
    let path = source.find(slot)?;
    let old = source.object.slot(&path).and_then(Slot::name).map(str::to_owned);
    set_name(&mut source.object, &path, name)?;
    let mut notes = Vec::new();
    if path == SlotPath::root()
        && let Some(package) = &mut source.package
    {
        let listed = package.record().name();
        if listed == old {
            package.record_mut().set_name(name);
        } else if listed.as_deref() != Some(name) {
            let listed = shortened(&listed.unwrap_or_default(), MAX_NAME);
            notes.push(format!(
                "in the inventory it is called {listed} still: `package record set`"
            ));
        }
    }
    Ok(Edited { bytes: source.write(options)?, notes })
}

fn set_name(object: &mut SavedObject, path: &SlotPath, name: &str) -> Result<(), Error> {
    match object.slot_mut(path) {
        Some(mut slot) => Ok(slot.set_name(Some(name))?),
        None => Ok(()),
    }
}

/// Puts a slot into another one.
pub(crate) fn relocate(
    mut source: Source,
    slot: &str,
    into: &str,
    at: Option<usize>,
    options: &Options,
) -> Result<Edited, Error> {
    let (from, parent) = (source.find(slot)?, source.find(into)?);
    let path = source.object.move_slot(&from, &parent, at.unwrap_or(usize::MAX))?;
    let notes = vec![format!("it is {} now", shown(&source.object, &path))];
    Ok(Edited { bytes: source.write(options)?, notes })
}

fn shown(object: &SavedObject, path: &SlotPath) -> String {
    shortened(&object.show_slot(path), MAX_PATH)
}

/// Puts a copy of a slot after it, or into another one.
pub(crate) fn duplicate(
    mut source: Source,
    slot: &str,
    into: Option<&str>,
    name: Option<&str>,
    options: &Options,
) -> Result<Edited, Error> {
    let (from, parent) = (source.find(slot)?, into.map(|into| source.find(into)).transpose()?);
    let mut path = source.object.duplicate_slot(&from)?;
    if let Some(parent) = parent {
        // The copy has taken a place before those after the slot.
        let mut indices = parent.indices().to_vec();
        if let Some((own, outer)) = from.indices().split_last()
            && indices.starts_with(outer)
            && let Some(index) = indices.get_mut(outer.len()).filter(|index| **index > *own)
        {
            *index += 1;
        }
        path = source.object.move_slot(&path, &SlotPath::new(indices), usize::MAX)?;
    }
    if let Some(name) = name {
        set_name(&mut source.object, &path, name)?;
    }
    let notes = vec![format!("the copy is {}", shown(&source.object, &path))];
    Ok(Edited { bytes: source.write(options)?, notes })
}

/// Takes slots out.
pub(crate) fn remove(
    mut source: Source,
    slots: &[String],
    strip: bool,
    options: &Options,
) -> Result<Edited, Error> {
    let found = slots.iter().map(|slot| source.find(slot)).collect::<Result<BTreeSet<_>, _>>()?;
    if found.contains(&SlotPath::root()) {
        return Err(Error::new("the root slot cannot be taken out"));
    }
    let mut cut = 0;
    // From the end, so that the places of the others stay; what is in another one goes with it.
    let within = |path: &SlotPath| {
        found.iter().any(|other| other != path && path.indices().starts_with(other.indices()))
    };
    for path in found.iter().rev().filter(|path| !within(path)) {
        cut += source.object.delete_slot(path).unwrap_or_default();
    }
    let mut notes = cut_notes(cut);
    if strip {
        let stripped = source.object.strip_unused();
        notes.push(format!(
            "removed {} and {} that nothing needs",
            count(stripped.assets, "asset"),
            count(stripped.types, "type")
        ));
        if let Some(package) = &mut source.package {
            package.set_object(&source.object)?;
            match package.strip_unused()?.len() {
                0 => {}
                1 => notes.push("removed 1 file that nothing refers to".to_owned()),
                files => notes.push(format!("removed {files} files that nothing refers to")),
            }
        }
    }
    Ok(Edited { bytes: source.write(options)?, notes })
}

fn cut_notes(cut: usize) -> Vec<String> {
    match cut {
        0 => Vec::new(),
        1 => vec!["1 reference to what is not there any more is null now".to_owned()],
        cut => vec![format!("{cut} references to what is not there any more are null now")],
    }
}

/// A file of one slot.
pub(crate) fn extract(
    source: &Source,
    slot: &str,
    output: &Path,
    options: &Options,
) -> Result<Edited, Error> {
    let path = source.find(slot)?;
    let extracted = source.object.extract(&path).ok_or_else(|| Error::new("has no such slot"))?;
    let mut notes = cut_notes(extracted.cut);
    let object = extracted.object;
    let needed: BTreeSet<&str> = object.urls().filter_map(Package::hash_of).collect();
    let named = output.extension().and_then(|own| Container::for_extension(own.to_str()?));
    let container = named.unwrap_or(source.container);
    if !is_named(output) {
        if !needed.is_empty() {
            let files = count(needed.len(), "file");
            notes.push(format!("its assets need {files}, which only a .resonitepackage holds"));
        }
        return Ok(Edited { bytes: options.container(container).to_vec(&object)?, notes });
    }
    let name = object.root().and_then(Slot::name).unwrap_or("Object");
    let mut made = Package::new(name, &object)?;
    made.set_main(options.container(container).to_vec(&object)?);
    for hash in &needed {
        match source.package.as_ref().and_then(|package| package.asset(hash)) {
            Some(bytes) => _ = made.add_asset(bytes.to_vec()),
            None => notes.push(format!("{} is not in the package", Package::url(hash).as_str())),
        }
    }
    Ok(Edited { bytes: made.to_vec()?, notes })
}

/// A slot as glTF.
pub(crate) fn glb(source: &Source, slot: Option<&str>, options: &Options) -> Result<Edited, Error> {
    let path = slot.map_or(Ok(SlotPath::root()), |slot| source.find(slot))?;
    let assets: HashMap<&str, &[u8]> = source.package.iter().flat_map(Package::assets).collect();
    let find = |url: &str| assets.get(Package::hash_of(url)?).copied();
    let made = source.object.to_glb(&path, options, find)?;
    Ok(Edited { bytes: made.bytes, notes: made.missing })
}

/// Puts the root slot of another save into a slot.
pub(crate) fn insert(
    mut target: Source,
    other: &Source,
    into: Option<&str>,
    options: &Options,
) -> Result<Edited, Error> {
    let parent = match into {
        Some(slot) => target.find(slot)?,
        None => SlotPath::root(),
    };
    let inserted = target.object.insert(&parent, &other.object)?;
    let mut notes = vec![format!(
        "{} is in, with {}",
        shortened(&target.object.show_slot(&inserted.path), MAX_PATH),
        count(inserted.assets, "asset")
    )];
    notes.extend(cut_notes(inserted.cut));
    let files: BTreeSet<&str> = other.object.urls().filter_map(Package::hash_of).collect();
    for hash in files {
        let found = other.package.as_ref().and_then(|package| package.asset(hash));
        match (&mut target.package, found) {
            (Some(package), Some(bytes)) => _ = package.add_asset(bytes.to_vec()),
            (Some(package), None) if package.asset(hash).is_some() => {}
            _ => notes.push(format!("the file of {} is not in it", Package::url(hash).as_str())),
        }
    }
    Ok(Edited { bytes: target.write(options)?, notes })
}
