//! Deltas: objects with the properties that changed.

use super::{Field, Object, Value};
use crate::error::Shortened;
use crate::options::Mode;
use crate::{Error, ErrorKind, Result};
use std::collections::HashSet as Set;

impl Value {
    /// The change to send to a holder of this object, so that [`apply`](Self::apply) makes `new` of it:
    /// an object of the same class with the properties that changed.
    ///
    /// In shallow mode only properties with
    /// [`DELTA_ENCODE`](crate::types::PropertyFlags::DELTA_ENCODE) may be left out; so for
    /// [`Mode::Shallow`] the others are in it, changed or not. Objects and lists in properties are
    /// whole: one that changed replaces the old one. Floats are compared by their bits.
    ///
    /// # Errors
    /// Values that are no objects, objects of different classes, a property that occurs twice, and one that
    /// the new object does not have any more: a delta cannot say that.
    ///
    /// # Example
    /// ```
    /// use kiwi_pclass::schema::{ClassDef, PropertyDef};
    /// use kiwi_pclass::{Mode, Options, Schema, Value};
    /// use kiwi_pclass::value::Object;
    ///
    /// const HERO: ClassDef = ClassDef::new("class Hero", &[], &[
    ///     PropertyDef::new("m_id", "unsigned int", 0x18),
    ///     // 0x100 is DELTA_ENCODE.
    ///     PropertyDef::new("m_health", "int", 0x118),
    ///     PropertyDef::new("m_name", "std::string", 0x118),
    /// ]);
    /// let schema = Schema::builder().class(&HERO)?.build()?;
    /// let mut hero = Object::new(schema.class("class Hero").unwrap().clone());
    /// hero.set("m_id", 7u32)?;
    /// hero.set("m_health", 500i32)?;
    /// hero.set("m_name", "Morgan")?;
    /// let mut theirs = Value::from(hero);
    /// let mut ours = theirs.clone();
    /// ours["m_health"] = 420i32.into();
    ///
    /// let options = Options::new().schema(schema);
    /// let message = options.to_vec(&theirs.diff(&ours, Mode::Shallow)?)?;
    /// assert!(message.len() < options.to_vec(&ours)?.len());
    ///
    /// theirs.apply(&options.from_slice::<Value>(&message)?)?;
    /// assert_eq!(theirs, ours);
    /// # Ok::<(), kiwi_pclass::Error>(())
    /// ```
    pub fn diff(&self, new: &Value, mode: Mode) -> Result<Value> {
        let (old, new) = (object_of(self)?, object_of(new)?);
        check_class(old, new)?;
        check_once(old)?;
        check_once(new)?;
        // Objects that were read have their fields in one order, so that the search is short.
        let mut next = 0usize;
        let mut changes = Vec::new();
        for field in new.fields() {
            let before = position(old, field, next);
            next = before.map_or(next, |at| at.saturating_add(1));
            let must = mode == Mode::Shallow
                && new.property_of(field).is_some_and(|property| !property.is_delta());
            if must || before.and_then(|at| old.fields().get(at)) != Some(field) {
                changes.push(field.clone());
            }
        }
        for (at, field) in old.fields().iter().enumerate() {
            if position(new, field, at).is_none() {
                let message =
                    format!("a delta cannot say that {} is no longer there", name_of(old, field));
                return Err(Error::new(ErrorKind::Data, message));
            }
        }
        Ok(new.with_same_head(changes).into())
    }

    /// Changes the properties that are in `changes`, which [`diff`](Self::diff) made or a message with
    /// changed properties only. Others stay as they are, and so does the order; the object is as
    /// before where this fails.
    ///
    /// # Errors
    /// A value that is no object, or changes of another class.
    pub fn apply(&mut self, changes: &Value) -> Result<()> {
        let changes = object_of(changes)?;
        check_class(object_of(self)?, changes)?;
        if let Some(object) = self.as_object_mut() {
            object.set_core(changes.core());
            changes.fields().iter().for_each(|field| object.put(field.clone()));
        }
        Ok(())
    }
}

fn object_of(value: &Value) -> Result<&Object> {
    value.as_object().ok_or_else(|| {
        let message = format!("expected an object, found {}", value.kind_name());
        Error::new(ErrorKind::Data, message)
    })
}

fn check_class(old: &Object, new: &Object) -> Result<()> {
    if old.class() == new.class() {
        return Ok(());
    }
    let (old, new) = (old.class().name(), new.class().name());
    Err(Error::new(ErrorKind::Data, format!("expected an object of `{old}`, found one of `{new}`")))
}

/// That no property occurs twice: a delta says one value.
fn check_once(object: &Object) -> Result<()> {
    let mut seen = Set::new();
    let mut seen_before = |field: &&Field| !seen.insert((field.index(), field.unknown_hash()));
    match object.fields().iter().find(|field| seen_before(field)) {
        None => Ok(()),
        Some(field) => {
            let message = format!("{} is there twice", name_of(object, field));
            Err(Error::new(ErrorKind::Data, message))
        }
    }
}

/// The place of the field of the same property, perhaps `next`.
fn position(object: &Object, field: &Field, next: usize) -> Option<usize> {
    match object.fields().get(next) {
        Some(other) if other.is_same_property(field) => Some(next),
        _ => object.fields().iter().position(|other| other.is_same_property(field)),
    }
}

fn name_of(object: &Object, field: &Field) -> String {
    match (object.property_of(field), field.unknown_hash()) {
        (Some(property), _) => format!("`{}`", Shortened(property.name())),
        (None, hash) => format!("the property of hash {:#010x}", hash.unwrap_or_default()),
    }
}
