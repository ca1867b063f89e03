//! The effect of a recipe's steps on a component, and on overrides of places in it.

use super::step::{Migration, Migrations, Step, is_wrapped, wrong};
use crate::prefab::{child, is_of_type, split_type, type_of};
use crate::rename::{asset_guid, keyed, typed};
use o3de_json::Result;
use o3de_json::value::{Object, Value};

/// A component, or the one that overrides are of as the source has it, on its way through the steps.
pub(super) struct Subject {
    pub(super) key: String,
    /// `None` once it is dropped.
    pub(super) value: Option<Value>,
    pub(super) overrides: Vec<Override>,
}

/// An override of a place in a component.
#[derive(Clone, Debug)]
pub(super) struct Override {
    pub(super) operation: String,
    pub(super) path: Vec<String>,
    pub(super) value: Option<Value>,
}

/// The result of an override after a step.
enum After {
    One(Override),
    Two(Override, Override),
    Gone,
}

/// Whether it is, or wraps, a component of a type.
pub(super) fn is_of_class(value: &Value, class: &str) -> bool {
    is_of_type(value, class) || value.get("m_template").is_some_and(|own| is_of_type(own, class))
}

impl Migrations {
    /// Takes a component through all migrations; returns it and those that are split off from it.
    pub(super) fn run(&self, subject: Subject) -> Result<Vec<Subject>> {
        let mut all = vec![subject];
        for migration in &self.0 {
            let mut made = Vec::new();
            for own in &mut all {
                if own.value.as_ref().is_some_and(|own| is_of_class(own, &migration.class)) {
                    own.migrate(migration, &mut made)?;
                }
            }
            all.extend(made);
        }
        Ok(all)
    }

    /// Whether any migration begins with a component like this.
    pub(super) fn concerns(&self, component: &Value) -> bool {
        self.0.iter().any(|own| is_of_class(component, &own.class))
    }

    /// The type of a migration that a key names. Keys by number name none.
    pub(super) fn class_of_key(&self, key: &str) -> Option<&str> {
        let mut classes = self.0.iter().map(|own| own.class.as_str());
        classes.find(|class| keyed(key, split_type(class).1, "").is_some())
    }

    /// Whether a step could change an override of a place in some component.
    pub(super) fn touches(&self, path: &[String]) -> bool {
        self.0.iter().flat_map(|own| &own.steps).any(|step| step.touches(path))
    }
}

impl Subject {
    fn migrate(&mut self, migration: &Migration, made: &mut Vec<Subject>) -> Result<()> {
        let mut class = migration.class.as_str();
        for step in &migration.steps {
            let Some(value) = &mut self.value else { return Ok(()) };
            match step {
                Step::Type(to) => {
                    rename(value, class, to);
                    for own in &mut self.overrides {
                        let is_type = own.path.last().is_some_and(|own| own == "$type");
                        let new =
                            own.value.as_ref().and_then(|own| typed(own.as_str()?, class, to));
                        own.value = new.filter(|_| is_type).map(Value::from).or(own.value.take());
                    }
                    let names = [class, to].map(|class| split_type(class).1);
                    self.key = keyed(&self.key, names[0], names[1]).unwrap_or(self.key.clone());
                    class = to;
                }
                Step::Move { from, to } => {
                    self.change(&mut |own, value| moved(own, value, from, to))?
                }
                Step::Wrap { into, members } => {
                    let members = members.as_deref();
                    wrap(value, into, members)?;
                    for own in &mut self.overrides {
                        if own.path.first().is_some_and(|first| is_wrapped(first, members)) {
                            own.path.splice(0..0, into.iter().cloned());
                        }
                    }
                }
                Step::Split { to, members } => made.push(self.split(to, members)?),
                Step::Default { path, value: new } => {
                    if at(value, path).is_none() {
                        put(value, path, new.clone())?;
                    }
                }
                Step::Drop(path) if path.is_empty() => {
                    self.value = None;
                    self.overrides.clear();
                }
                Step::Drop(path) => {
                    take(value, path);
                    self.change(&mut |mut own, _| match own.path.starts_with(path) {
                        true => Ok(After::Gone),
                        false => {
                            _ = own.take(path);
                            Ok(After::One(own))
                        }
                    })?;
                }
            }
            if let Step::Move { from, to } = step
                && let Some(value) = &mut self.value
            {
                move_member(value, from, to)?;
            }
        }
        Ok(())
    }

    /// Changes each override, with the component as it is before the step.
    fn change(&mut self, one: &mut dyn FnMut(Override, &Value) -> Result<After>) -> Result<()> {
        let Some(value) = &self.value else { return Ok(()) };
        let mut after = Vec::new();
        for own in std::mem::take(&mut self.overrides) {
            match one(own, value)? {
                After::One(own) => after.push(own),
                After::Two(own, other) => after.extend([own, other]),
                After::Gone => {}
            }
        }
        self.overrides = after;
        Ok(())
    }

    /// Moves members into a new component.
    fn split(&mut self, to: &str, members: &[Vec<String>]) -> Result<Subject> {
        let mut value = Object::new();
        let id = self.value.as_ref().and_then(|own| own.get("Id")?.as_u64()).unwrap_or_default();
        let id = id_of(id, to);
        value.push("$type", to);
        value.push("Id", id);
        let (mut value, mut overrides) = (Value::Object(value), Vec::new());
        for path in members {
            for own in &mut self.overrides {
                if own.operation == "remove" && own.path.is_empty() && overrides.is_empty() {
                    overrides.push(own.clone());
                }
                if own.path.starts_with(path) {
                    continue;
                }
                if let Some(value) = own.take(path) {
                    let operation = own.operation.clone();
                    overrides.push(Override { operation, path: path.clone(), value: Some(value) });
                }
            }
            let (gone, kept) = std::mem::take(&mut self.overrides)
                .into_iter()
                .partition(|own: &Override| own.path.starts_with(path));
            overrides.extend::<Vec<Override>>(gone);
            self.overrides = kept;
            if let Some(member) = self.value.as_mut().and_then(|own| take(own, path)) {
                put(&mut value, path, member)?;
            }
        }
        let name = split_type(to).1;
        let key = match self.key.rsplit_once('_') {
            _ if self.key.starts_with("Component_[") => format!("Component_[{id}]"),
            _ if self.key.parse::<usize>().is_ok() => {
                return Err(wrong("a component in a list cannot be split".to_owned()));
            }
            Some((_, number)) if number.parse::<usize>().is_ok() => format!("{name}_{number}"),
            _ => name.to_owned(),
        };
        Ok(Subject { key, value: Some(value), overrides })
    }
}

impl Override {
    /// Takes something out of the value, by its place in the component.
    fn take(&mut self, path: &[String]) -> Option<Value> {
        let inside = path.strip_prefix(self.path.as_slice()).filter(|own| !own.is_empty())?;
        take(self.value.as_mut()?, inside)
    }
}

/// The id of a component that is split off: a number that depends on the other one and on the type.
fn id_of(id: u64, class: &str) -> u64 {
    let digest = asset_guid(&format!("{id}/{}", split_type(class).1)).0;
    digest.iter().take(8).fold(0, |id, byte| id << 8 | u64::from(*byte))
}

/// An override after something has moved in the component, which is as it was.
fn moved(mut own: Override, component: &Value, from: &[String], to: &[String]) -> Result<After> {
    if let Some(rest) = own.path.strip_prefix(from) {
        own.path = [to, rest].concat();
        return Ok(After::One(own));
    }
    let is_inside = to.starts_with(&own.path);
    if from.starts_with(&own.path) && own.operation == "remove" {
        if is_inside || at(component, from).is_none() {
            return Ok(After::One(own));
        }
        let other = Override { path: to.to_vec(), ..own.clone() };
        return Ok(After::Two(own, other));
    }
    let Some(value) = own.take(from) else { return Ok(After::One(own)) };
    if let (true, Some(whole)) = (is_inside, &mut own.value) {
        put(whole, to.get(own.path.len()..).unwrap_or_default(), value)?;
        return Ok(After::One(own));
    }
    let operation = own.operation.clone();
    let other = Override { operation, path: to.to_vec(), value: Some(value) };
    Ok(After::Two(own, other))
}

/// Sets another type where the old one stands; on the component itself where it stands nowhere.
fn rename(component: &mut Value, class: &str, to: &str) {
    let is_inside = type_of(component).is_none_or(|_| !is_of_type(component, class))
        && component.get("m_template").is_some_and(|own| is_of_type(own, class));
    let place = match is_inside {
        true => component.get_mut("m_template"),
        false => Some(component),
    };
    let Some(Value::Object(object)) = place else { return };
    let old = object.get("$type").and_then(Value::as_str).unwrap_or_default();
    // A UUID before the name stays, unless the new type has one.
    let new = typed(old, split_type(class).1, to).filter(|_| split_type(to).0.is_none());
    let new = new.unwrap_or_else(|| to.to_owned());
    match object.get_mut("$type") {
        Some(place) => *place = new.into(),
        None => object.insert_at(0, "$type", new),
    }
}

fn at<'v>(value: &'v Value, path: &[String]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| child(value, step))
}

fn at_mut<'v>(value: &'v mut Value, path: &[String]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match value {
        Value::Object(object) => object.get_mut(step),
        Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    })
}

/// Takes a member or an element out.
fn take(value: &mut Value, path: &[String]) -> Option<Value> {
    let (last, above) = path.split_last()?;
    match at_mut(value, above)? {
        Value::Object(object) => object.remove(last),
        Value::Array(items) => {
            let at = last.parse().ok().filter(|at| *at < items.len())?;
            Some(items.remove(at))
        }
        _ => None,
    }
}

/// Puts a new member in, with the objects around it.
fn put(value: &mut Value, path: &[String], new: Value) -> Result<()> {
    let taken = || wrong(format!("`/{}` is there already", path.join("/")));
    let Some((last, above)) = path.split_last() else { return Err(taken()) };
    let mut place = value;
    for step in above {
        let Value::Object(object) = place else { return Err(taken()) };
        if !object.contains(step) {
            object.push(step.as_str(), Object::new());
        }
        place = object.get_mut(step).ok_or_else(taken)?;
    }
    match place {
        Value::Object(object) if !object.contains(last) => {
            object.push(last.as_str(), new);
            Ok(())
        }
        _ => Err(taken()),
    }
}

/// Moves a member; one that stays in its object keeps its place there.
fn move_member(value: &mut Value, from: &[String], to: &[String]) -> Result<()> {
    if at(value, from).is_none() {
        return Ok(());
    }
    if let (Some((old, around)), Some((new, same))) = (from.split_last(), to.split_last())
        && around == same
        && let Some(Value::Object(object)) = at_mut(value, around)
    {
        if object.contains(new) {
            return Err(wrong(format!("`/{}` is there already", to.join("/"))));
        }
        let members = std::mem::take(object).into_vec().into_iter();
        let renamed = |(name, value)| match name == **old {
            true => (new.as_str().into(), value),
            false => (name, value),
        };
        *object = members.map(renamed).collect::<Vec<_>>().into();
        return Ok(());
    }
    match take(value, from) {
        Some(member) => put(value, to, member),
        None => Ok(()),
    }
}

/// Puts members into one.
fn wrap(value: &mut Value, into: &[String], members: Option<&[String]>) -> Result<()> {
    let Value::Object(object) = value else { return Ok(()) };
    let all = std::mem::take(object).into_vec().into_iter();
    let (inner, outer): (Vec<_>, Vec<_>) =
        all.partition(|(name, _)| is_wrapped(name.as_str(), members));
    *object = outer.into();
    match inner.is_empty() {
        true => Ok(()),
        false => put(value, into, Value::Object(inner.into())),
    }
}
