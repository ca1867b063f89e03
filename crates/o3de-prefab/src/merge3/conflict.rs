//! The two sides of a merge, and what they disagree on.

use o3de_json::Value;

/// One of the two branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The branch that is merged into.
    Ours,
    /// The branch that is merged.
    Theirs,
}

/// A place that both branches changed, each in another way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// Where it is, as a JSON Pointer (RFC 6901). Positions in lists are those of OURS, or of THEIRS
    /// where OURS lacks the element.
    pub pointer: String,
    /// The `Name` of the innermost object around it that has one, such as the entity's.
    pub name: Option<String>,
    /// The kind of change.
    pub kind: ConflictKind,
    /// The value in BASE; `None` where nothing stood.
    pub base: Option<Value>,
    /// The value in OURS; `None` where it was removed.
    pub ours: Option<Value>,
    /// The value in THEIRS; `None` where it was removed.
    pub theirs: Option<Value>,
}

/// The kinds of [`Conflict`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConflictKind {
    /// Two values for one place, or a value that one side removed.
    Value,
    /// Elements that stand one after another in a list, beginning at the pointer's position: the
    /// three values are arrays of them.
    Elements,
    /// The order of a list whose elements are all merged.
    Order,
}
