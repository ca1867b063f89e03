//! Three-way merge of documents: what two branches made of one file, in one file.
//!
//! [`Merge::new`] compares by value, not by line. Members merge by name, lists by the identity of
//! their elements, and the engine's bookkeeping by what it means:
//!
//! | in the file | merged |
//! |---|---|
//! | members of an object | by name; in the order of OURS, new ones after their neighbours |
//! | patches of an instance | by `path` |
//! | elements with `ComponentId`, `Id`, `$id`, `id`, `Key`, `Name` or `name`, each once in a list | by it |
//! | lists of the same length of numbers, strings and the like | by position |
//! | other lists | by their longest common subsequence, then by position in what changed |
//! | `Child Entity Order` | as a set in an order |
//! | `ComponentOrderEntryArray` | as a set in an order; `SortIndex` is counted again where two are equal |
//! | `Cached World Transform`, `Cached World Transform Parent` | taken from the side that changed `Transform Data` or `Parent Entity` |
//! | `EditorEntityId` | either, as it stands for the entity that it is found in |
//!
//! A value that both sides changed in different ways is a [`Conflict`]; nothing is chosen silently.

mod comments;
mod conflict;
mod list;
mod order;
mod rule;
mod table;
mod walk;

pub use comments::{Comments, carry_comments};
pub use conflict::{Conflict, ConflictKind, Side};
use o3de_json::Value;
use walk::Merger;

/// The result of a three-way merge.
///
/// ```
/// use o3de_prefab::merge3::{Merge, Side};
/// use o3de_json::value::Document;
///
/// let base: Document = r#"{"Name": "Lamp", "Translate": [0.0, 1.5, 0.0]}"#.parse()?;
/// let mut ours: Document = r#"{"Name": "Lamp", "Translate": [2.0, 1.5, 0.0]}"#.parse()?;
/// let theirs: Document = r#"{"Name": "Torch", "Translate": [0.0, 1.5, 9.0]}"#.parse()?;
///
/// let merge = Merge::new(base.value(), ours.value(), theirs.value());
/// assert!(merge.is_clean());
/// *ours.value_mut() = merge.into_value(Side::Ours);
/// assert_eq!(ours.to_text()?, r#"{"Name": "Torch", "Translate": [2.0, 1.5, 9.0]}"#);
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Merge {
    ours: Value,
    /// Only where it differs.
    theirs: Option<Value>,
    conflicts: Vec<Conflict>,
}

impl Merge {
    /// Merges what two branches made of `base`.
    pub fn new(base: &Value, ours: &Value, theirs: &Value) -> Self {
        let mut merger = Merger::new(Side::Ours);
        let merged = merger.root(base, ours, theirs);
        let conflicts = merger.into_conflicts();
        let other = || Merger::new(Side::Theirs).root(base, ours, theirs);
        Merge { ours: merged, theirs: (!conflicts.is_empty()).then(other), conflicts }
    }

    /// Whether there is no conflict.
    pub fn is_clean(&self) -> bool {
        self.conflicts.is_empty()
    }

    /// The places that both branches changed in different ways, in the order of the merged document.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// The merged document, with one side's values where there is a conflict.
    pub fn value(&self, side: Side) -> &Value {
        match (side, &self.theirs) {
            (Side::Theirs, Some(theirs)) => theirs,
            _ => &self.ours,
        }
    }

    /// The merged document alone; see [`value`](Merge::value).
    pub fn into_value(self, side: Side) -> Value {
        match (side, self.theirs) {
            (Side::Theirs, Some(theirs)) => theirs,
            _ => self.ours,
        }
    }
}
