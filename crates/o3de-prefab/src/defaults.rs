//! The members of components that files leave out because they have their defaults.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use gamewire_core::pointer;

use crate::prefab::{CONTAINER, ENTITIES, INSTANCES, child, type_of};
use o3de_json::value::{Array, Indexed, Object, Pointer, Token, Value, append_pointer};
use o3de_json::{Error, ErrorKind, Options, Result};

/// The members of components that prefabs leave out, by the names of their classes.
///
/// The engine strips members that have their defaults when it saves, and puts them back before it
/// applies the overrides of an instance: most overrides name members that no file has. The default is
/// a table of the engine's common classes.
///
/// A project's own classes come from a JSON file: an object with a member for each class, which is an
/// object as the class is written with all of its members. Comments are accepted.
///
/// ```
/// use o3de_prefab::Defaults;
///
/// let mut defaults = Defaults::default();
/// defaults.read(br#"{"Game::DoorComponent": {"Hinge": [0.0, 0.0, 1.0]}}"#)?;
/// assert_eq!(defaults.get("game::doorcomponent").unwrap()["Hinge"][2].as_f64(), Some(1.0));
/// assert!(defaults.get("TransformComponent").is_some());
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Defaults {
    classes: Arc<HashMap<String, Value>>,
}

impl Default for Defaults {
    fn default() -> Self {
        static ENGINE: LazyLock<Defaults> = LazyLock::new(|| {
            let mut defaults = Defaults::none();
            // A test reads it, so that it is never empty.
            _ = defaults.read(include_bytes!("defaults.json"));
            defaults
        });
        ENGINE.clone()
    }
}

/// No list of a component is longer; an index above it is no reason to take memory.
const MAX_INDEX: usize = 255;

/// How a place that an override names is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Restored {
    /// It was there, or cannot be: the override shows which.
    Nothing,
    /// It has its default now.
    Known,
    /// The path is made; what stands beside it is not known.
    Guessed,
}

impl Defaults {
    /// No class.
    pub fn none() -> Self {
        Defaults { classes: Arc::default() }
    }

    /// Adds the classes of a JSON text. Those that are present already are replaced.
    ///
    /// # Errors
    /// Text that is not JSON, and members that are no objects.
    pub fn read(&mut self, text: &[u8]) -> Result<()> {
        let Value::Object(classes) = Options::new().from_slice(text)? else {
            return Err(wrong("expected an object of classes".to_owned()));
        };
        for (class, members) in classes {
            if members.as_object().is_none() {
                return Err(wrong(format!("expected the members of `{class}` in an object")));
            }
            self.insert(&class, members);
        }
        Ok(())
    }

    /// Sets the members of a class. Case does not count in its name.
    pub fn insert(&mut self, class: &str, members: impl Into<Value>) {
        Arc::make_mut(&mut self.classes).insert(class.to_ascii_lowercase(), members.into());
    }

    /// The members of a class.
    pub fn get(&self, class: &str) -> Option<&Value> {
        self.classes.get(&class.to_ascii_lowercase())
    }

    /// Makes the members above a place that a stripped prefab lacks, and the member itself if it is
    /// to be there: for an addition, it is not; `additions` is the number of those that were made to the
    /// same list before it. A list that the prefab or a table has is as long as it is; `guessed` are the
    /// pointers of those that were made without either.
    pub(crate) fn restore(
        &self,
        prefab: &mut Indexed<'_>,
        path: &[Token<'_>],
        additions: Option<usize>,
        guessed: &mut HashSet<String>,
    ) -> Restored {
        let (added, above) = match (path.split_last(), additions) {
            (Some((last, above)), Some(additions)) => (Some((&*last.name, additions)), above),
            _ => (None, path),
        };
        match component(prefab, above) {
            Some((component, inside)) => {
                let outside = path.iter().take(above.len().saturating_sub(inside.len()));
                let mut at = String::new();
                outside.for_each(|token| append_pointer(&mut at, &token.name));
                self.fill(component, &inside, added, (at, guessed))
            }
            None if added.is_none() => of_entity(prefab, path),
            None => Restored::Nothing,
        }
    }

    /// The same where all that is made has a known default; else nothing changes.
    pub(crate) fn restore_known(&self, prefab: &mut Value, path: &[Token<'_>]) -> bool {
        let mut prefab = Indexed::new(prefab);
        let Some((component, inside)) = component(&mut prefab, path) else { return false };
        let before = component.clone();
        let lists = (String::new(), &mut HashSet::new());
        let is_known = self.fill(component, &inside, None, lists) == Restored::Known;
        if !is_known {
            *component = before;
        }
        is_known
    }

    fn fill(
        &self,
        component: &mut Value,
        inside: &[&str],
        added: Option<(&str, usize)>,
        (mut here, guessed): (String, &mut HashSet<String>),
    ) -> Restored {
        let mut known = type_of(component).and_then(|(_, class)| self.get(class));
        let mut done = Restored::Nothing;
        let mut place = component;
        for (at, step) in inside.iter().enumerate() {
            if *step == "m_template" && at == 0 {
                known = place.get("m_template").and_then(type_of).and_then(|own| self.get(own.1));
            } else {
                known = known.and_then(|known| child(known, step));
            }
            let is_missing = child(place, step).is_none();
            if is_missing && place.as_array().is_some() && !guessed.contains(&here) {
                return Restored::Nothing;
            }
            if place.is_null() && is_index(step) {
                guessed.insert(here.clone());
            }
            append_pointer(&mut here, step);
            if is_missing {
                let is_last = at.saturating_add(1) == inside.len();
                let next = inside.get(at.saturating_add(1)).copied().or(added.map(|own| own.0));
                let made = match (known, next) {
                    (Some(known), _) => known.clone(),
                    (None, None) => Value::Null,
                    (None, Some(next)) if is_index(next) => Value::Array(Array::new()),
                    (None, Some(_)) => Value::Object(Object::new()),
                };
                // A list that is added to was empty, a value that is replaced is not needed.
                let is_known = known.is_some() || is_last;
                if known.is_none() && made.as_array().is_some() {
                    guessed.insert(here.clone());
                }
                if !put(place, step, made) {
                    return Restored::Nothing;
                }
                done = match is_known && done != Restored::Guessed {
                    true => Restored::Known,
                    false => Restored::Guessed,
                };
            }
            let Some(next) = child_mut(place, step) else { return Restored::Nothing };
            place = next;
        }
        let index =
            added.and_then(|(step, before)| step.parse::<usize>().ok()?.checked_sub(before));
        match (place, index) {
            // The class may begin with elements that no table has.
            (Value::Array(items), Some(index))
                if index > items.len() && index <= MAX_INDEX && guessed.contains(&here) =>
            {
                items.resize_with(index, Value::default);
                Restored::Guessed
            }
            _ => done,
        }
    }
}

/// Sets what is at a JSON pointer, and returns what was there: `None` where the last step names a
/// member that is new. Members above it that a component has by default, and that the file leaves
/// out for that, are made: `Transform Data` and its `Translate` for `…/Transform Data/Translate/1`.
///
/// # Errors
/// [`ErrorKind::Missing`] when there is nothing that could have such a member or element.
pub fn set(document: &mut Value, pointer: &str, value: impl Into<Value>) -> Result<Option<Value>> {
    let value = value.into();
    if let Some(place) = document.pointer_mut(pointer) {
        return Ok(Some(std::mem::replace(place, value)));
    }
    let (outer, name) = pointer.rsplit_once('/').unwrap_or((pointer, ""));
    if let Some(Value::Object(object)) = document.pointer_mut(outer) {
        return Ok(object.insert(&*pointer::unescaped(name), value));
    }
    if restore(document, pointer) {
        if let Some(place) = document.pointer_mut(pointer) {
            *place = value;
        }
        return Ok(None);
    }
    let message = format!("nothing is at `{pointer}`");
    Err(Error::with_kind(ErrorKind::Missing, message))
}

/// Makes the members that a component has by default and that the file leaves out for that, so that there
/// is a value at a JSON pointer; returns whether something was made. A single value that no table has is
/// null then. Nothing changes where what stands around it is not known.
///
/// ```
/// use o3de_json::Value;
///
/// let mut level: Value = o3de_json::from_str(
///     r#"{"Entities": {"E": {"Components": {"C": {"$type": "TransformComponent"}}}}}"#,
/// )?;
/// let pointer = "/Entities/E/Components/C/Transform Data/Translate/1";
/// assert!(o3de_prefab::restore(&mut level, pointer));
/// assert_eq!(level.pointer(pointer), Some(&Value::from(0.0)));
/// assert!(!o3de_prefab::restore(&mut level, "/Entities/E/Components/C/Unknown/List/1"));
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn restore(document: &mut Value, pointer: &str) -> bool {
    let Some(parsed) = Pointer::parse(pointer) else { return false };
    Defaults::default().restore_known(document, parsed.tokens())
}

fn wrong(message: String) -> Error {
    Error::with_kind(ErrorKind::TypeMismatch, message)
}

/// The component that a path goes through, and the rest of the path.
fn component<'v, 'p>(
    prefab: &'v mut Indexed<'_>,
    path: &'p [Token<'_>],
) -> Option<(&'v mut Value, Vec<&'p str>)> {
    let steps: Vec<&str> = path.iter().map(|token| &*token.name).collect();
    let mut rest = steps.as_slice();
    while let [INSTANCES, _, inner @ ..] = rest {
        rest = inner;
    }
    let ([ENTITIES, _, "Components", _, inside @ ..] | [CONTAINER, "Components", _, inside @ ..]) =
        rest
    else {
        return None;
    };
    let above = path.get(..path.len().checked_sub(inside.len())?)?;
    Some((prefab.find(above)?, inside.to_vec()))
}

/// Makes a member of an entity itself, which are single values but for the components: `IsRuntimeActive`.
fn of_entity(prefab: &mut Indexed<'_>, path: &[Token<'_>]) -> Restored {
    let Some((last, above)) = path.split_last() else { return Restored::Nothing };
    let mut rest = above;
    while let [instances, _, inner @ ..] = rest
        && instances.name == INSTANCES
    {
        rest = inner;
    }
    let is_entity = match rest {
        [container] => container.name == CONTAINER,
        [entities, _] => entities.name == ENTITIES,
        _ => false,
    };
    match prefab.find(above) {
        Some(Value::Object(entity)) if is_entity && !entity.contains(&last.name) => {
            entity.push(&*last.name, Value::Null);
            Restored::Known
        }
        _ => Restored::Nothing,
    }
}

fn is_index(step: &str) -> bool {
    step == "-" || step.bytes().all(|byte| byte.is_ascii_digit()) && !step.is_empty()
}

fn child_mut<'v>(value: &'v mut Value, step: &str) -> Option<&'v mut Value> {
    match value {
        Value::Object(object) => object.get_mut(step),
        Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    }
}

/// Puts a new member or element where there is room for one.
fn put(place: &mut Value, step: &str, value: Value) -> bool {
    // A null stands for an unknown element: the path says what it is.
    if place.is_null() {
        *place = match is_index(step) {
            true => Value::Array(Array::new()),
            false => Value::Object(Object::new()),
        };
    }
    match place {
        Value::Object(object) => {
            object.push(step, value);
            true
        }
        Value::Array(items) => match step.parse::<usize>() {
            Ok(index) if index <= MAX_INDEX => {
                while items.len() < index {
                    items.push(Value::Null);
                }
                items.push(value);
                true
            }
            _ => false,
        },
        _ => false,
    }
}
