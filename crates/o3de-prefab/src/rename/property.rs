//! Where a property of a type stands: in objects of the type, and in overrides of them.

use std::collections::HashMap;

use super::change::{Undecided, steps};
use crate::expand::{Loader, unread};
use crate::prefab::{ENTITIES, INSTANCES, child, is_of_type};
use crate::strings::each_value;
use o3de_json::value::{Importer, Object, Value, append_pointer};

/// The changes of a property.
#[derive(Default)]
pub(super) struct Plan {
    /// By pointer: whether it is the name of a member, and what stands there then.
    pub(super) texts: HashMap<String, (bool, String)>,
    pub(super) undecided: Vec<Undecided>,
}

/// A property of a class, and its new name.
#[derive(Clone, Copy)]
pub(super) struct Property<'p> {
    pub(super) class: &'p str,
    pub(super) from: &'p [String],
    pub(super) to: &'p str,
}

/// `path` is the document's own.
pub(super) fn plan<I: Importer>(
    document: &Value,
    wanted: Property<'_>,
    path: &str,
    loader: &mut Loader<I>,
) -> Plan {
    let mut plan = Plan::default();
    let mut links = Vec::new();
    each_value(document, "", &mut |place, value| {
        if is_of_type(value, wanted.class) {
            plan.member(value, place.pointer, wanted.from, wanted.to);
        }
        let patches = value.get("Patches").and_then(Value::as_array);
        if patches.is_some_and(|own| !own.is_empty()) && value["Source"].as_str().is_some() {
            links.push((place.pointer.to_owned(), value));
        }
    });
    for (at, link) in links {
        plan.overrides(&at, link, wanted, path, loader);
    }
    plan
}

impl Plan {
    /// Notes a member below a value that stands at a pointer.
    fn member(&mut self, value: &Value, at: &str, inside: &[String], to: &str) {
        let found = inside.iter().try_fold(value, |value, step| child(value, step));
        if found.is_some() {
            let mut pointer = at.to_owned();
            inside.iter().for_each(|step| append_pointer(&mut pointer, step));
            self.texts.insert(pointer, (true, to.to_owned()));
        }
    }

    fn overrides<I: Importer>(
        &mut self,
        at: &str,
        link: &Value,
        Property { class, from, to }: Property<'_>,
        path: &str,
        loader: &mut Loader<I>,
    ) {
        let patches: Vec<&Value> =
            link.get("Patches").and_then(Value::as_array).into_iter().flatten().collect();
        // Most instances override nothing that could be the property.
        let may = |patch: &&Value| {
            ["path", "from"].into_iter().filter_map(|name| steps(patch.get(name)?.as_str()?)).any(
                |path| (0..path.len()).any(|at| overlaps(path.get(at..).unwrap_or_default(), from)),
            )
        };
        if !patches.iter().any(may) {
            return;
        }
        // Before its overrides, and after them, which may have added the component.
        let mut bare = link.clone();
        if let Value::Object(bare) = &mut bare {
            bare.remove("Patches");
        }
        let [whole, bare] = [link.clone(), bare].map(|link| resolved(link, path, loader));
        for (index, patch) in patches.iter().enumerate() {
            for name in ["path", "from"] {
                let Some(text) = patch.get(name).and_then(Value::as_str) else { continue };
                let Some(path) = steps(text) else { continue };
                let pointer = format!("{at}/Patches/{index}");
                if let Some(source) = bare.as_ref().and_then(|bare| unread(bare, &path)) {
                    if may_name(&path, from, patch.get("value")) {
                        let (pointer, source) = (format!("{pointer}/{name}"), source.to_owned());
                        self.undecided.push(Undecided { pointer, source });
                    }
                    continue;
                }
                let ways = [whole.as_ref(), bare.as_ref()].into_iter().flatten();
                let depth = ways.filter_map(|root| of_class(root, &path, class, from)).next();
                let Some(depth) = depth else { continue };
                let rest = path.get(depth..).unwrap_or_default();
                if let Some(last) = from.len().checked_sub(1).filter(|_| rest.len() >= from.len()) {
                    let new = with_step(text, depth.saturating_add(last), to);
                    self.texts.insert(format!("{pointer}/{name}"), (false, new));
                } else if let (Some(value), Some(inside)) =
                    (patch.get("value"), from.get(rest.len()..))
                {
                    self.member(value, &format!("{pointer}/value"), inside, to);
                }
            }
        }
    }
}

/// A link as the whole prefab; the link where that cannot be read.
fn resolved<I: Importer>(link: Value, path: &str, loader: &mut Loader<I>) -> Option<Value> {
    let mut instances = Object::new();
    instances.push("i", link);
    let mut prefab = Object::new();
    prefab.push(ENTITIES, Object::new());
    prefab.push(INSTANCES, instances);
    let mut whole = loader.resolve(Value::Object(prefab), path).value;
    whole.get_mut(INSTANCES)?.get_mut("i").map(Value::take)
}

/// After how many steps of a path there is an object of a class whose property the rest of the path is,
/// is inside of, or holds.
fn of_class(root: &Value, path: &[String], class: &str, from: &[String]) -> Option<usize> {
    let mut place = Some(root);
    for depth in 0..=path.len() {
        let value = place?;
        if is_of_type(value, class) && overlaps(path.get(depth..).unwrap_or_default(), from) {
            return Some(depth);
        }
        place = path.get(depth).and_then(|step| child(value, step));
    }
    None
}

/// Whether one is the beginning of the other.
fn overlaps(a: &[String], b: &[String]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// Whether some object on a path could have a property that the rest of the path is in, or that the value has.
fn may_name(path: &[String], property: &[String], value: Option<&Value>) -> bool {
    (0..path.len()).any(|at| {
        let rest = path.get(at..).unwrap_or_default();
        let has = |inside: &[String]| inside.iter().try_fold(value?, |own, step| child(own, step));
        overlaps(rest, property)
            && property
                .get(rest.len()..)
                .is_none_or(|inside| inside.is_empty() || has(inside).is_some())
    })
}

/// A pointer with another name as its step of a number.
fn with_step(pointer: &str, at: usize, name: &str) -> String {
    let mut new = String::new();
    for (index, step) in pointer.split('/').skip(1).enumerate() {
        if index == at {
            append_pointer(&mut new, name);
        } else {
            new.push('/');
            new.push_str(step);
        }
    }
    new
}
