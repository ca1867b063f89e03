//! The walk along three documents at once.

use super::conflict::{Conflict, ConflictKind, Side};
use super::rule::{Rule, TRUTH, only_removes};
use super::table::Table;
use o3de_json::Value;
use o3de_json::value::{Object, Text, append_pointer};

/// How deep the walk goes. A value below that both sides changed is taken whole, so that no document
/// costs more stack than this.
const MAX_LEVELS: usize = 100;

/// One place in the three documents.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Three<'v> {
    pub(super) base: Option<&'v Value>,
    pub(super) ours: Option<&'v Value>,
    pub(super) theirs: Option<&'v Value>,
}

impl<'v> Three<'v> {
    fn of(self, side: Side) -> Option<&'v Value> {
        match side {
            Side::Ours => self.ours,
            Side::Theirs => self.theirs,
        }
    }

    /// The same member of each.
    fn member(self, name: &str) -> Self {
        let get = |value: Option<&'v Value>| value?.as_object()?.get(name);
        Three { base: get(self.base), ours: get(self.ours), theirs: get(self.theirs) }
    }
}

pub(super) struct Merger {
    /// Which side a conflict is resolved to.
    pub(super) side: Side,
    levels: usize,
    pointer: String,
    /// The `Name` of the innermost object around.
    name: Option<String>,
    conflicts: Vec<Conflict>,
}

impl Merger {
    pub(super) fn new(side: Side) -> Self {
        Merger { side, levels: 0, pointer: String::new(), name: None, conflicts: Vec::new() }
    }

    pub(super) fn into_conflicts(self) -> Vec<Conflict> {
        self.conflicts
    }

    pub(super) fn root(&mut self, base: &Value, ours: &Value, theirs: &Value) -> Value {
        let three = Three { base: Some(base), ours: Some(ours), theirs: Some(theirs) };
        self.merge(three, Rule::Plain).unwrap_or_default()
    }

    /// Merges one step further down.
    pub(super) fn below(&mut self, step: &str, three: Three<'_>, rule: Rule) -> Option<Value> {
        self.levels = self.levels.saturating_add(1);
        let merged = self.within(step, |merger| merger.merge(three, rule));
        self.levels = self.levels.saturating_sub(1);
        merged
    }

    /// Does something with one more step in the pointer.
    pub(super) fn within<T>(&mut self, step: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        append_pointer(&mut self.pointer, step);
        let done = work(self);
        self.pointer.truncate(length);
        done
    }

    /// Merges one place: `None` if nothing is there.
    fn merge(&mut self, three: Three<'_>, rule: Rule) -> Option<Value> {
        let Three { base, ours, theirs } = three;
        let (ours, theirs) = match (ours, theirs) {
            (Some(ours), Some(theirs)) => (ours, theirs),
            (None, None) => return None,
            (Some(left), None) | (None, Some(left)) => {
                return match base {
                    None => Some(left.clone()),
                    Some(base) if only_removes(base, left) || rule == Rule::Alias => None,
                    Some(_) => self.conflict(three, ConflictKind::Value),
                };
            }
        };
        let is = |one: &Value| base.is_some_and(|base| base == one);
        let means = |one: &Value| base.is_some_and(|base| base.same(one));
        // Spelling counts as a change as long as the other side changed nothing else.
        if ours == theirs || is(theirs) {
            return Some(ours.clone());
        }
        if is(ours) {
            return Some(theirs.clone());
        }
        if self.levels < MAX_LEVELS {
            match (ours, theirs) {
                (Value::Object(a), Value::Object(b)) if is_plain(a) && is_plain(b) => {
                    return Some(self.object(three, a, b));
                }
                (Value::Array(a), Value::Array(b)) => {
                    let base = base.and_then(Value::as_array).map(|items| items.as_slice());
                    return Some(self.list([base.unwrap_or_default(), a, b], rule));
                }
                _ => {}
            }
        }
        if ours.same(theirs) || means(theirs) || rule == Rule::Alias {
            return Some(ours.clone());
        }
        if means(ours) {
            return Some(theirs.clone());
        }
        self.conflict(three, ConflictKind::Value)
    }

    pub(super) fn conflict(&mut self, three: Three<'_>, kind: ConflictKind) -> Option<Value> {
        let Three { base, ours, theirs } = three;
        self.conflicts.push(Conflict {
            pointer: self.pointer.clone(),
            name: self.name.clone(),
            kind,
            base: base.cloned(),
            ours: ours.cloned(),
            theirs: theirs.cloned(),
        });
        three.of(self.side).cloned()
    }

    fn object(&mut self, three: Three<'_>, ours: &Object, theirs: &Object) -> Value {
        let empty = Object::new();
        let base = three.base.and_then(Value::as_object).filter(|base| is_plain(base));
        let base = base.unwrap_or(&empty);
        let outer = self.name.clone();
        let named = |object: &Object| Some(object.get("Name")?.as_str()?.to_owned());
        if let Some(name) = named(ours).or_else(|| named(theirs)) {
            self.name = Some(name);
        }

        let mut table: Table<'_, &str, Option<&Text>> = Table::new();
        for (origin, object) in
            [(None, base), (Some(Side::Ours), ours), (Some(Side::Theirs), theirs)]
        {
            for (name, value) in object {
                if let Some(noted) = table.add(origin, name, value) {
                    noted.get_or_insert(name);
                }
            }
        }
        let mut merged: Vec<Option<(Text, Value)>> = Vec::with_capacity(table.rows.len());
        for (name, member) in &table.rows {
            let value = name.and_then(|name| match Rule::of(name) {
                Rule::Cache => cache(three, *member),
                rule => self.below(name, *member, rule),
            });
            merged.push((*name).cloned().zip(value));
        }
        self.name = outer;
        Value::Object(table.arrange(self.side, merged).0.into())
    }
}

/// Whether each name is there once: by name alone duplicates cannot be told apart.
fn is_plain(object: &Object) -> bool {
    let mut names: Vec<&str> = object.keys().map(Text::as_str).collect();
    names.sort_unstable();
    names.is_sorted_by(|a, b| a < b)
}

/// A member that the editor computes from others: of the side that changed those.
fn cache(object: Three<'_>, member: Three<'_>) -> Option<Value> {
    let Three { base, ours, theirs } = member;
    let unlike = |one: Option<&Value>, other: Option<&Value>| one != other;
    if !unlike(ours, base) {
        return theirs.cloned();
    }
    if !unlike(theirs, base) {
        return ours.cloned();
    }
    let changed = |side: Side| {
        TRUTH.iter().any(|name| {
            let truth = object.member(name);
            unlike(truth.of(side), truth.base)
        })
    };
    match changed(Side::Theirs) && !changed(Side::Ours) {
        true => theirs.cloned(),
        false => ours.cloned(),
    }
}
