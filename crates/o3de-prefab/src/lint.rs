//! Checks of a prefab that reads well: references to things that are gone.

mod entity;
mod finding;
mod hierarchy;
mod restated;

use std::collections::{BTreeMap, HashMap, HashSet};

use self::finding::shown;
pub use self::finding::{Finding, Rule};
use crate::assets::Asset;
use crate::expand::{Loader, Resolved, unread};
use crate::prefab::{CONTAINER, Entity, INSTANCES, Prefab, child, component_on};
use crate::project::Project;
use crate::references::{ReferenceKind, each_reference};
use entity::{Entities, Reach, each_link};
use o3de_json::report::Outcome;
use o3de_json::value::{Importer, Indexed, Pointer, Value, append_pointer, normal_path};

/// Checks the document alone: parents, orders, ids, operations, and whether what every prefab has is present. A
/// document that is no prefab has no findings.
///
/// ```
/// use o3de_prefab::Rule;
///
/// let mut level: o3de_json::Value = o3de_json::from_str(
///     r#"{"Entities": {"Entity_[1]": {"Id": "Entity_[1]", "Name": "Lamp", "Components": {
///         "Component_[2]": {"$type": "EditorEntitySortComponent", "Id": 2, "Child Entity Order": ["Entity_[9]"]}
///     }}}}"#,
/// )?;
/// let findings = o3de_prefab::lint(&level);
/// assert_eq!(findings[0].rule, Rule::StaleOrder);
/// assert_eq!(findings[0].message, "`Entity_[9]` in the order of children of \"Lamp\" is gone");
/// assert_eq!(o3de_prefab::remove(&mut level, &findings), 1);
/// assert_eq!(o3de_prefab::lint(&level), []);
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn lint(document: &Value) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Ok(prefab) = Prefab::new(document) else { return findings };
    let entities: Vec<Entity<'_>> =
        prefab.container().into_iter().chain(prefab.entities()).collect();
    // Files of older engines name the container by its id.
    let mut known: HashSet<&str> = entities.iter().map(Entity::alias).collect();
    known.extend(entities.iter().filter_map(Entity::id));
    known.insert(CONTAINER);
    let instances: HashSet<&str> = prefab.instances().map(|own| own.alias()).collect();
    let is_known = |reference: &str| match reference.split_once('/') {
        Some((instance, _)) => instances.contains(instance),
        None => known.contains(reference),
    };
    for entity in &entities {
        ids(entity, &mut findings);
        let own: HashSet<u64> = entity.components().flat_map(|own| own.ids()).collect();
        for component in entity.components() {
            let at = |inside: &str| component.pointer(inside);
            let children = component.get("/Child Entity Order").and_then(Value::as_array);
            let children = children.into_iter().flatten().map(Value::as_str);
            let what = format!("the order of children of {}", shown(entity));
            order(children, is_known, &what, &at("/Child Entity Order"), &mut findings);
            let components = component.get("/ComponentOrderEntryArray").and_then(Value::as_array);
            let components = components
                .into_iter()
                .flatten()
                .map(|entry| entry.get("ComponentId").and_then(Value::as_u64));
            let what = format!("the order of components of {}", shown(entity));
            let at = at("/ComponentOrderEntryArray");
            order(components, |id| own.contains(&id), &what, &at, &mut findings);
        }
    }
    each_link(&prefab, &mut |link| {
        // Others need the sources.
        let first = link.steps.first().copied().unwrap_or_default();
        let is_gone = match link.reach {
            Reach::Document if link.steps.len() > 1 => !instances.contains(first),
            Reach::Document => !known.contains(first),
            Reach::Source(_) => false,
        };
        findings.extend(is_gone.then(|| link.finding()));
    });
    hierarchy::hierarchy(document, &prefab, &mut findings);
    operations(&prefab, &mut findings);
    findings
}

/// Checks the document against the sources of its instances: overrides whose target is gone or that say what is there
/// already, sources that cannot be read, references to entities in instances. `path` is the document's own.
pub fn lint_instances<I: Importer>(
    loader: &mut Loader<I>,
    document: &Value,
    path: &str,
) -> Vec<Finding> {
    let Resolved { report, value } = loader.resolve(document.clone(), path);
    let mut findings = Vec::new();
    if let Ok(prefab) = Prefab::new(document) {
        let instances: HashSet<&str> = prefab.instances().map(|own| own.alias()).collect();
        let is_absent = |alias: &&str| !instances.contains(alias);
        let mut entities = Entities::default();
        let mut sources: HashMap<String, Option<&Value>> = HashMap::new();
        each_link(&prefab, &mut |link| {
            let is_gone = match &link.reach {
                Reach::Document if link.steps.len() == 1 => return,
                // `lint` reports instances that are gone themselves.
                Reach::Document if link.steps.first().is_some_and(is_absent) => return,
                Reach::Document => entities.lack(&value, &link.steps),
                Reach::Source(at) => {
                    let own = match sources.get(at) {
                        Some(own) => *own,
                        None => *sources.entry(at.clone()).or_insert(value.pointer(at)),
                    };
                    own.is_some_and(|own| entities.lack(own, &link.steps))
                }
            };
            findings.extend(is_gone.then(|| link.finding()));
        });
    }
    let mut missing: BTreeMap<String, Missing<'_>> = BTreeMap::new();
    let mut lack = |fault: &str, first, around: Option<_>, overrides: usize| {
        let empty = Missing { first, around, instances: 0, overrides: 0 };
        let own = missing.entry(fault.to_owned()).or_insert(empty);
        own.instances = own.instances.saturating_add(usize::from(around.is_none()));
        own.overrides = own.overrides.saturating_add(overrides);
    };
    for issue in report.issues() {
        let steps: Vec<&str> = issue.pointer.split('/').skip(1).collect();
        let (instance, index) = match (steps.as_slice(), issue.outcome) {
            // Of what is below a product nothing is known.
            (_, Outcome::PartialDefaults | Outcome::Unavailable) => continue,
            ([INSTANCES, instance, "Patches", index, ..], _) => (*instance, *index),
            ([INSTANCES, alias], _) => {
                let instance = document.pointer(&issue.pointer);
                let overrides = instance.and_then(|own| own.get("Patches")?.as_array());
                let overrides = overrides.map_or(0, |own| own.len());
                lack(&issue.message, *alias, None, overrides);
                continue;
            }
            // A fault inside of a source is reported for that file.
            _ => continue,
        };
        let at = format!("/{INSTANCES}/{instance}");
        let pointer = format!("{at}/Patches/{index}");
        let text = |pointer: String| document.pointer(&pointer).and_then(Value::as_str);
        let path = text(format!("{pointer}/path")).unwrap_or_default();
        let source = text(format!("{at}/Source")).unwrap_or_default();
        let inside = Pointer::parse(path);
        let inside = inside.iter().flat_map(|own| own.tokens()).map(|own| &*own.name);
        let inside: Vec<&str> = inside.collect();
        let whole = value.pointer(&at);
        if let Some(nested) = whole.and_then(|own| unread(own, &inside)) {
            if loader.is_product(nested) {
                continue;
            }
            let fault = match loader.fault(nested) {
                Some(fault) => fault.to_owned(),
                None => format!("cannot bring in `{nested}`"),
            };
            lack(&fault, instance, Some(source), 1);
            continue;
        }
        let operation = text(format!("{pointer}/op")).unwrap_or_default();
        // Another rule reports it.
        if !OPERATIONS.contains(&operation) {
            continue;
        }
        // The default members of a present component are not known of every class.
        let component = component_on(&inside).and_then(|place| inside.get(..place));
        let has = |way: &[&str]| way.iter().try_fold(whole?, |value, step| child(value, step));
        let is_gone = component.is_none_or(|way| has(way).is_none());
        let is_removable = is_gone && matches!(operation, "add" | "remove" | "replace");
        let message =
            format!("the override of `{path}` in `{instance}` has no target in `{source}`");
        findings.push(Finding { pointer, rule: Rule::StaleOverride, message, is_removable });
    }
    findings.extend(missing.into_iter().map(|(fault, own)| own.finding(fault)));
    let prefab = Prefab::new(document).ok();
    for instance in prefab.iter().flat_map(Prefab::instances).filter(|own| own.patch_count() > 0) {
        if let Some(source) = instance.source().and_then(|source| loader.bring(source, path)) {
            restated::restated(&instance, &source.value, &mut findings);
        }
    }
    findings
}

/// A source that cannot be read.
struct Missing<'i> {
    /// The first instance that needs it, and that instance's own source where it is inside of that.
    first: &'i str,
    around: Option<&'i str>,
    /// The instances of it in the document itself.
    instances: usize,
    overrides: usize,
}

impl Missing<'_> {
    fn finding(self, fault: String) -> Finding {
        let Missing { first, around, instances, overrides } = self;
        let mut message = format!("{fault}, in `{first}`");
        message += &around.map_or(String::new(), |around| format!(" of `{around}`"));
        message += &match instances {
            0 | 1 => String::new(),
            2 => " and another instance".to_owned(),
            _ => format!(" and {} other instances", instances.saturating_sub(1)),
        };
        message += &match overrides {
            0 => String::new(),
            1 => "; 1 override hangs on it".to_owned(),
            _ => format!("; {overrides} overrides hang on it"),
        };
        let pointer = format!("/{INSTANCES}/{first}");
        Finding { pointer, rule: Rule::MissingSource, message, is_removable: false }
    }
}

/// Checks the document against the scan folders: files that it names and that they lack. For an asset, the folder
/// must be there: where none has even that, the asset may be the engine's. `path` is the document's own,
/// from a scan folder.
pub fn lint_assets(project: &Project, document: &Value, path: &str) -> Vec<Finding> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut known: HashMap<&str, bool> = HashMap::new();
    let mut findings = Vec::new();
    each_reference(document, &mut |place, kind, path| {
        // Sources are another rule's, and of names such as `@gemroot:Atom@` only the engine knows.
        if kind == ReferenceKind::Prefab || path.contains('@') {
            return;
        }
        let is_missing = *known.entry(path).or_insert_with(|| {
            let beside = normal_path(&format!("{folder}/{path}"));
            let beside = beside.filter(|_| kind != ReferenceKind::Asset);
            if beside.as_ref().is_some_and(|beside| project.find(beside).is_some()) {
                return false;
            }
            let place = beside.filter(|_| path.starts_with('.'));
            match project.asset(place.as_deref().unwrap_or(path)) {
                Asset::Found(_) => false,
                Asset::Missing => true,
                Asset::Unknown => kind == ReferenceKind::Import,
            }
        });
        if is_missing {
            findings.push(Finding {
                pointer: place.pointer.to_owned(),
                rule: Rule::MissingAsset,
                message: format!("no scan folder has `{path}`"),
                is_removable: false,
            });
        }
    });
    findings
}

/// Removes what is removable of these findings, and returns how many were removed. They must be of
/// this document as it is.
pub fn remove(document: &mut Value, findings: &[Finding]) -> usize {
    let mut lists: BTreeMap<&str, HashSet<usize>> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.is_removable) {
        let place = finding.pointer.rsplit_once('/');
        if let Some((list, index)) = place.and_then(|(list, at)| Some((list, at.parse().ok()?))) {
            lists.entry(list).or_default().insert(index);
        }
    }
    let mut removed = 0usize;
    let mut document = Indexed::new(document);
    // Lists inside of others first, so that their pointers stay true.
    for (list, gone) in lists.into_iter().rev() {
        let pointer = Pointer::parse(list);
        let found = pointer.and_then(|own| document.find(own.tokens()));
        if let Some(Value::Array(items)) = found {
            let before = items.len();
            let mut places = 0_usize..;
            items.retain(|_| places.next().is_none_or(|at| !gone.contains(&at)));
            removed = removed.saturating_add(before.saturating_sub(items.len()));
        }
    }
    removed
}

fn ids(entity: &Entity<'_>, findings: &mut Vec<Finding>) {
    let mut add = |pointer: String, rule, message| {
        findings.push(Finding { pointer, rule, message, is_removable: false });
    };
    if let Some(id) = entity.id().filter(|id| *id != entity.alias() && entity.alias() != CONTAINER)
    {
        let message = format!("`{}` has the id `{id}`", entity.alias());
        add(entity.pointer("/Id"), Rule::OtherId, message);
    }
    let mut seen: HashMap<u64, &str> = HashMap::new();
    for component in entity.components() {
        let Some(id) = component.id() else { continue };
        let key = component.key();
        // Newer engines name some components by their class.
        let number = key.strip_prefix("Component_[").and_then(|rest| rest.strip_suffix(']'));
        if number.is_some_and(|number| number.parse() != Ok(id)) {
            let message = format!("`{key}` of {} has the id {id}", shown(entity));
            add(component.pointer("/Id"), Rule::OtherId, message);
        }
        if let Some(first) = seen.insert(id, key) {
            let message =
                format!("`{first}` and `{key}` of {} have the same id {id}", shown(entity));
            add(component.pointer("/Id"), Rule::DuplicateId, message);
        }
    }
}

/// Entries of a list that are not known, or there twice.
fn order<T: Copy + Eq + std::hash::Hash + std::fmt::Display>(
    entries: impl Iterator<Item = Option<T>>,
    is_known: impl Fn(T) -> bool,
    what: &str,
    at: &str,
    findings: &mut Vec<Finding>,
) {
    let mut seen = HashSet::new();
    for (index, entry) in entries.enumerate() {
        let Some(entry) = entry else { continue };
        let how = match (is_known(entry), seen.insert(entry)) {
            (true, true) => continue,
            (false, _) => "is gone",
            (true, false) => "is there twice",
        };
        findings.push(Finding {
            pointer: format!("{at}/{index}"),
            rule: Rule::StaleOrder,
            message: format!("`{entry}` in {what} {how}"),
            is_removable: true,
        });
    }
}

/// The operations of JSON Patch.
const OPERATIONS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

fn operations(prefab: &Prefab<'_>, findings: &mut Vec<Finding>) {
    for instance in prefab.instances() {
        let patches = instance.patches().and_then(Value::as_array);
        for (index, patch) in patches.into_iter().flatten().enumerate() {
            let operation = patch.get("op").and_then(Value::as_str);
            if operation.is_some_and(|operation| OPERATIONS.contains(&operation)) {
                continue;
            }
            let mut pointer = instance.pointer("/Patches");
            append_pointer(&mut pointer, &index.to_string());
            let message = format!(
                "`{}` in an override of `{}` is no operation of JSON Patch",
                operation.unwrap_or_default(),
                instance.alias()
            );
            let rule = Rule::UnknownOperation;
            findings.push(Finding { pointer, rule, message, is_removable: false });
        }
    }
}
