//! The conversion of a value whose type has changed.

use super::super::schema::Kind;

/// The effect of a change of type on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    None,
    /// Nothing is lost, but databases of Zeze want it as it was.
    Refused,
    /// Why values are lost, or become others.
    Lost(&'static str),
    /// The types do not convert.
    Incompatible,
}

impl Change {
    /// The worse of two.
    pub(super) fn or(self, other: Change) -> Change {
        let weight = |change: &Change| match change {
            Change::None => 0,
            Change::Refused => 1,
            Change::Lost(_) => 2,
            Change::Incompatible => 3,
        };
        if weight(&other) > weight(&self) { other } else { self }
    }

    pub(super) fn or_refused(self) -> Change {
        self.or(Change::Refused)
    }

    /// The same for keys and elements of sets.
    pub(super) fn of_keys(self) -> Change {
        match self {
            Change::Lost(_) => Change::Lost("keys that become the same replace one another"),
            other => other,
        }
    }
}

/// The bits of an integer's type; 1 for `bool`.
fn bits(kind: &Kind) -> Option<u32> {
    Some(match kind {
        Kind::Bool => 1,
        Kind::Byte => 8,
        Kind::Short => 16,
        Kind::Int => 32,
        Kind::Long => 64,
        _ => return None,
    })
}

/// The components of a vector, and whether they are integers.
fn vector(kind: &Kind) -> Option<(u32, bool)> {
    Some(match kind {
        Kind::Vector2 => (2, false),
        Kind::Vector3 => (3, false),
        Kind::Vector4 | Kind::Quaternion => (4, false),
        Kind::Vector2Int => (2, true),
        Kind::Vector3Int => (3, true),
        _ => return None,
    })
}

const ROUNDED: Change = Change::Lost("large numbers are rounded");

/// The change from one type that is neither bean nor container to another.
pub(super) fn scalar(was: &Kind, is: &Kind) -> Change {
    if was == is {
        return Change::None;
    }
    match (bits(was), bits(is)) {
        (Some(_), Some(1)) => return Change::Lost("all numbers but 0 become true"),
        (Some(old), Some(new)) if old <= new => return Change::None,
        (Some(_), Some(_)) => return Change::Lost("numbers that do not fit are cut"),
        _ => {}
    }
    if let Some(new) = vector(is) {
        return match vector(was) {
            Some(old) if old.0 > new.0 => Change::Lost("components are dropped"),
            Some((_, false)) if new.1 => Change::Lost("fractions are cut off"),
            Some((_, true)) if !new.1 => ROUNDED,
            Some(_) => Change::None,
            None => to_component(was, new.1).or_refused(),
        };
    }
    match (was, is) {
        (Kind::Float | Kind::Double, Kind::Bool) => Change::Lost("all numbers but 0 become true"),
        (Kind::Float | Kind::Double, _) if bits(is).is_some() => {
            Change::Lost("fractions are cut off")
        }
        (Kind::Int | Kind::Long, Kind::Float) | (Kind::Long, Kind::Double) => ROUNDED,
        (_, Kind::Float | Kind::Double) if bits(was).is_some() => Change::None,
        (Kind::Float, Kind::Double) => Change::None,
        (Kind::Double, Kind::Float) => ROUNDED,
        (Kind::String | Kind::Decimal, Kind::Binary) | (Kind::Decimal, Kind::String) => {
            Change::None
        }
        (Kind::Binary, Kind::String) => Change::Lost("bytes that are no text"),
        (Kind::Binary | Kind::String, Kind::Decimal) => Change::Lost("text that is no number"),
        _ => Change::Incompatible,
    }
}

/// A number as the first component of a vector.
fn to_component(was: &Kind, is_int: bool) -> Change {
    match (was, is_int) {
        (Kind::Bool | Kind::Byte | Kind::Short, _) | (Kind::Int, true) | (Kind::Float, false) => {
            Change::None
        }
        (Kind::Float | Kind::Double, true) => Change::Lost("fractions are cut off"),
        (Kind::Long, true) => Change::Lost("numbers that do not fit are cut"),
        (Kind::Int | Kind::Long | Kind::Double, false) => ROUNDED,
        _ => Change::Incompatible,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_lose_what_the_target_cannot_hold() {
        let lost = |was, is| matches!(scalar(&was, &is), Change::Lost(_));
        assert_eq!(scalar(&Kind::Byte, &Kind::Long), Change::None);
        assert!(lost(Kind::Long, Kind::Int) && lost(Kind::Byte, Kind::Bool));
        assert_eq!(scalar(&Kind::Short, &Kind::Float), Change::None);
        assert!(lost(Kind::Int, Kind::Float) && !lost(Kind::Int, Kind::Double));
        assert!(lost(Kind::Float, Kind::Long) && lost(Kind::Double, Kind::Float));
        assert_eq!(scalar(&Kind::String, &Kind::Binary), Change::None);
        assert_eq!(scalar(&Kind::String, &Kind::Int), Change::Incompatible);
        assert_eq!(scalar(&Kind::Float, &Kind::Vector2), Change::Refused);
        assert_eq!(scalar(&Kind::Vector2, &Kind::Float), Change::Incompatible);
        assert_eq!(scalar(&Kind::Vector2, &Kind::Vector3), Change::None);
        assert!(lost(Kind::Vector3, Kind::Vector2) && lost(Kind::Vector3, Kind::Vector3Int));
        assert_eq!(scalar(&Kind::Bool, &Kind::String), Change::Incompatible);
        assert_eq!(Change::Refused.or(ROUNDED).or(Change::None), ROUNDED);
    }
}
