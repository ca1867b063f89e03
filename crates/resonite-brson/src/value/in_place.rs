//! A value in the place of another one.

use super::{Array, Value};
use crate::error::{Error, Result, Shortened};
use crate::kind::Kind;
use crate::types::Url;

impl Value {
    /// The value as it may stand in the place of another one, in the kind of that.
    ///
    /// A number takes the kind and width of the old one, and so does each number of a vector, which keeps its
    /// length; a color without a profile takes the old one's. Over an address stands an address, with or
    /// without its `@`, as [`Url::parse`] reads it. Null becomes anything; texts, references, addresses and
    /// documents become null.
    ///
    /// # Errors
    /// A value of another kind, a number that does not fit exactly, a vector of another length, and text that
    /// is no address over one.
    ///
    /// ```
    /// use resonite_brson::{Value, brson};
    ///
    /// let old = Value::from("@packdb:///00ff");
    /// let new = Value::from("https://a.b/c.png").in_place_of(&old)?;
    /// assert_eq!(new, Value::from("@https://a.b/c.png"));
    /// assert!(Value::from("c.png").in_place_of(&old).is_err());
    /// assert_eq!(brson!([1, 2]).in_place_of(&brson!([0.5, 0.5]))?, brson!([1.0, 2.0]));
    /// assert!(brson!([1]).in_place_of(&brson!([0.5, 0.5])).is_err());
    /// # Ok::<(), resonite_brson::Error>(())
    /// ```
    pub fn in_place_of(self, old: &Value) -> Result<Value> {
        match (old, self) {
            (Value::Null, new) => Ok(new),
            (Value::String(_) | Value::Document(_), Value::Null) => Ok(Value::Null),
            (Value::String(_), Value::String(new)) if old.as_url().is_some() => {
                let url = Url::parse(&new).map(Value::from);
                url.ok_or_else(|| {
                    let new = Shortened(&new);
                    Error::data(format!("expected an address, such as `@{URL}`, found \"{new}\""))
                })
            }
            (Value::Array(old), Value::Array(new)) => list(old, new).map(Value::Array),
            (old, new) if old.kind() == new.kind() => Ok(new),
            (old, new) => number(old, &new).unwrap_or_else(|| {
                let (old, new) = (old.kind().words(), new.kind().words());
                Err(Error::data(format!("expected {old} as before, found {new}")))
            }),
        }
    }
}

/// In messages, an address.
const URL: &str = "resdb:///….webp";

/// Elements that were not there before are like the last one that was.
fn list(old: &Array, mut new: Array) -> Result<Array> {
    if is_vector(old) {
        let profile = old.get(4).filter(|_| new.len() == 4);
        new.extend(profile.filter(|own| own.as_str().is_some()).cloned());
        if new.len() != old.len() {
            let (old, new) = (old.len(), new.len());
            return Err(Error::data(format!("expected {old} elements as before, found {new}")));
        }
    }
    for (index, value) in new.iter_mut().enumerate() {
        let Some(old) = old.get(index).or(old.last()) else { break };
        *value = value.take().in_place_of(old).map_err(|error| error.in_index(index))?;
    }
    Ok(new)
}

/// Whether a list is a vector, a quaternion or a color: those have two to four numbers or bools, a color a text
/// after them.
fn is_vector(list: &Array) -> bool {
    let is_part =
        |own: &Value| own.as_int().is_some() || matches!(own.kind(), Kind::Double | Kind::Bool);
    let parts = list.iter().take_while(|own| is_part(own)).count();
    match list.get(parts) {
        None => (2..=4).contains(&parts),
        Some(last) => parts == 4 && list.len() == 5 && last.as_str().is_some(),
    }
}

/// A number in the kind of another one; `None` if one of them is none.
#[allow(clippy::cast_possible_truncation, clippy::as_conversions, reason = "checked to be exact")]
fn number(old: &Value, new: &Value) -> Option<Result<Value>> {
    match (old.as_int(), new) {
        (Some(old), Value::Int32(_) | Value::Int64(_)) => {
            Some(old.with(new.as_i64()?).map(Value::from))
        }
        (Some(old), Value::Double(float)) => {
            let int = *float as i64;
            let is_same = (int as f64).to_bits() == float.to_bits() && int != i64::MAX;
            is_same.then(|| old.with(int).map(Value::from))
        }
        (None, Value::Int32(_) | Value::Int64(_)) if old.kind() == Kind::Double => {
            new.as_f64().map(|float| Ok(Value::Double(float)))
        }
        _ => None,
    }
}
