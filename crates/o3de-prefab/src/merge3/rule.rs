//! The meaning of members to the editor, where that decides how they merge.

use o3de_json::Value;
use o3de_json::value::Names;

/// How a member merges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Plain,
    /// A list of different things, whose order is only for show.
    OrderedSet,
    /// Entries of components with the position of each.
    ComponentOrder,
    /// A member that the editor computes from others of the same object.
    Cache,
    /// A number of this run of the editor, which stands for the entity around it.
    Alias,
}

pub(super) const SORT_INDEX: &str = "SortIndex";

/// The members that a [`Rule::Cache`] is computed from.
pub(super) const TRUTH: [&str; 2] = ["Transform Data", "Parent Entity"];

impl Rule {
    pub(super) fn of(name: &str) -> Self {
        match name {
            "Child Entity Order" => Rule::OrderedSet,
            "ComponentOrderEntryArray" => Rule::ComponentOrder,
            "Cached World Transform" | "Cached World Transform Parent" => Rule::Cache,
            "EditorEntityId" => Rule::Alias,
            _ => Rule::Plain,
        }
    }

    /// Whether a change of it alone is no change by a person.
    fn is_computed(self) -> bool {
        matches!(self, Rule::Cache | Rule::Alias | Rule::ComponentOrder)
    }
}

/// Whether a value is what was there before, but for members that are gone and for what the editor
/// computes. Removing all of it then loses no change.
pub(super) fn only_removes(base: &Value, left: &Value) -> bool {
    let mut waiting = vec![(base, left)];
    while let Some((base, left)) = waiting.pop() {
        match (base, left) {
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                waiting.extend(a.iter().zip(b.iter()));
            }
            (Value::Object(a), Value::Object(b)) => {
                let before = Names::of(a);
                for (name, value) in b.iter().filter(|(name, _)| !Rule::of(name).is_computed()) {
                    match before.find(name) {
                        Some(before) => waiting.push((before, value)),
                        None => return false,
                    }
                }
            }
            _ if base.same(left) => {}
            _ => return false,
        }
    }
    true
}
