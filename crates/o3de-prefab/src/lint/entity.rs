//! References to entities, in components and in the values of overrides.

use std::collections::{HashMap, HashSet};

use super::finding::{Finding, Rule, shown};
use crate::prefab::{CONTAINER, ENTITIES, Entity, INSTANCES, Prefab};
use crate::strings::each_string;
use o3de_json::value::{Names, Value};

/// A string that names an entity: `Entity_[7]`, `Instance_[2]/Entity_[7]`. In the value of an override,
/// each `../` before it leads out of one instance.
pub(super) struct Link<'l> {
    pointer: String,
    /// The property that it is in.
    member: &'l str,
    text: &'l str,
    /// The entity or instance that refers, in quotes.
    whose: String,
    /// Instances, and at last the entity.
    pub(super) steps: Vec<&'l str>,
    pub(super) reach: Reach,
}

/// In what an entity is looked for.
pub(super) enum Reach {
    Document,
    /// The instance at a pointer, with what its source has.
    Source(String),
}

impl Link<'_> {
    pub(super) fn finding(&self) -> Finding {
        let Link { pointer, member, text, whose, .. } = self;
        let (rule, message) = match *member {
            "Parent Entity" => {
                (Rule::DanglingParent, format!("the parent `{text}` of {whose} is gone"))
            }
            _ => (Rule::DanglingReference, format!("`{text}` in `{member}` of {whose} is gone")),
        };
        Finding { pointer: pointer.clone(), rule, message, is_removable: false }
    }
}

/// Shows all references but those in orders of children, which are a rule of their own.
pub(super) fn each_link(prefab: &Prefab<'_>, look: &mut dyn FnMut(&Link<'_>)) {
    let entities: Vec<Entity<'_>> =
        prefab.container().into_iter().chain(prefab.entities()).collect();
    for entity in &entities {
        for component in entity.components() {
            each_string(component.value(), &component.pointer(""), &mut |place, text| {
                // A parent is never a name.
                let is_parent = place.member == "Parent Entity" && !text.is_empty();
                let parsed =
                    parse(text).or_else(|| is_parent.then(|| (0, text.split('/').collect())));
                let is_other =
                    matches!(place.member, "Child Entity Order" | "Id" | "Name" | "$type");
                let Some((0, steps)) = parsed.filter(|_| !is_other) else { return };
                look(&Link {
                    pointer: place.pointer.to_owned(),
                    member: place.member,
                    text,
                    whose: shown(entity),
                    steps,
                    reach: Reach::Document,
                });
            });
        }
    }
    for instance in prefab.instances() {
        let whose = match instance.name() {
            Some(name) => format!("{name:?}"),
            None => format!("`{}`", instance.alias()),
        };
        let patches = instance.patches().and_then(Value::as_array).into_iter().flatten();
        for (index, patch) in patches.enumerate() {
            let (Some(path), Some(value)) =
                (patch.get("path").and_then(Value::as_str), patch.get("value"))
            else {
                continue;
            };
            let at = instance.pointer(&format!("/Patches/{index}/value"));
            each_string(value, &at, &mut |place, text| {
                let Some((up, steps)) = parse(text) else { return };
                let member = match place.member {
                    "" => property(path),
                    member => member,
                };
                if matches!(member, "Id" | "Name" | "$type" | "Source" | "path") {
                    return;
                }
                let Some(reach) = reach(&instance.pointer(""), path, up) else { return };
                let (pointer, whose) = (place.pointer.to_owned(), whose.clone());
                look(&Link { pointer, member, text, whose, steps, reach });
            });
        }
    }
}

/// The last step of a path that is no position.
fn property(path: &str) -> &str {
    let is_name = |step: &&str| *step != "-" && !step.bytes().all(|byte| byte.is_ascii_digit());
    path.rsplit('/').find(is_name).unwrap_or_default()
}

/// The number of instances that a reference leads out of, and its steps.
fn parse(text: &str) -> Option<(usize, Vec<&str>)> {
    let mut rest = text;
    let mut up = 0usize;
    while let Some(outer) = rest.strip_prefix("../") {
        (rest, up) = (outer, up.saturating_add(1));
    }
    let steps: Vec<&str> = rest.split('/').collect();
    let is_alias = |step: &str, kind: &str| {
        let inside = step.strip_prefix(kind).and_then(|own| own.strip_prefix("_["));
        let number = inside.and_then(|own| own.strip_suffix(']'));
        number.is_some_and(|own| !own.is_empty() && own.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let (last, instances) = steps.split_last()?;
    let is_entity = is_alias(last, "Entity") || *last == CONTAINER;
    (is_entity && instances.iter().all(|own| is_alias(own, "Instance"))).then_some((up, steps))
}

/// Where a reference in an override of this path leads; `None` beyond the document.
fn reach(instance: &str, path: &str, up: usize) -> Option<Reach> {
    let mut around = vec![instance.to_owned()];
    let mut rest: Vec<&str> = path.split('/').skip(1).collect();
    while let [INSTANCES, alias, inner @ ..] = rest.as_slice() {
        // The instance that is added or changed as a whole is not yet around its own values.
        if inner.is_empty() {
            break;
        }
        let outer = around.last().map(String::as_str).unwrap_or_default();
        around.push(format!("{outer}/{INSTANCES}/{alias}"));
        rest = inner.to_vec();
    }
    match around.len().checked_sub(up)? {
        0 => Some(Reach::Document),
        left => around.into_iter().nth(left.saturating_sub(1)).map(Reach::Source),
    }
}

/// The entities and instances of prefabs, each looked through once.
#[derive(Default)]
pub(super) struct Entities<'v> {
    known: HashMap<*const Value, Inside<'v>>,
}

struct Inside<'v> {
    is_prefab: bool,
    instances: Option<Names<'v>>,
    /// The entities by alias, and by `Id`.
    entities: Option<Names<'v>>,
    ids: HashSet<&'v str>,
}

impl<'v> Inside<'v> {
    fn of(prefab: &'v Value) -> Self {
        let names = |list: &str| prefab.get(list)?.as_object().map(Names::of);
        let whole = Prefab::new(prefab).ok();
        let entities =
            whole.iter().flat_map(|own| own.container().into_iter().chain(own.entities()));
        Inside {
            is_prefab: whole.is_some(),
            instances: names(INSTANCES),
            entities: names(ENTITIES),
            ids: entities.filter_map(|own| own.id()).collect(),
        }
    }
}

impl<'v> Entities<'v> {
    fn inside(&mut self, prefab: &'v Value) -> &Inside<'v> {
        let key: *const Value = prefab;
        self.known.entry(key).or_insert_with(|| Inside::of(prefab))
    }

    /// Whether a prefab with its instances lacks an entity. What could not be read lacks nothing.
    pub(super) fn lack(&mut self, prefab: &'v Value, steps: &[&str]) -> bool {
        let mut place = prefab;
        let Some((last, instances)) = steps.split_last() else { return false };
        for alias in instances {
            let own = self.inside(place);
            match own.instances.as_ref().and_then(|own| own.find(alias)) {
                Some(instance) => place = instance,
                None => return own.is_prefab,
            }
        }
        let own = self.inside(place);
        let has_alias = || own.entities.as_ref().is_some_and(|own| own.find(last).is_some());
        own.is_prefab && *last != CONTAINER && !has_alias() && !own.ids.contains(last)
    }
}
