//! A value that many changes go through, without a look through its large containers for each one.

use std::collections::HashMap;

use super::{Array, Object, Text, Token, Value};

/// A value that many pointers are looked up in.
///
/// The containers on the way to what is looked for are indexed, each once, and become values again in the
/// end: members are found by their names without a look at the others, and an element is put into an array,
/// or taken out, without moving all behind it.
#[derive(Debug)]
pub struct Indexed<'v> {
    root: Part,
    value: &'v mut Value,
}

/// A value, perhaps indexed.
#[derive(Debug)]
pub(super) struct Part {
    /// Null while it is indexed.
    value: Value,
    index: Option<Box<Index>>,
}

#[derive(Debug)]
pub(super) enum Index {
    Members(MemberIndex),
    Elements(ElementRuns),
}

/// The members of an object.
#[derive(Debug)]
pub(super) struct MemberIndex {
    /// In order; `None` for those that are gone.
    list: Vec<Option<(Text, Part)>>,
    /// The positions of the names, in a large object.
    names: Option<NamePositions>,
}

#[derive(Debug)]
struct NamePositions {
    /// The first member of each name.
    first: HashMap<Text, usize>,
    /// The next member of the same name, by position.
    later: HashMap<usize, usize>,
}

/// The elements of an array, in runs.
#[derive(Debug)]
pub(super) struct ElementRuns(Vec<Vec<Part>>);

impl<'v> Indexed<'v> {
    /// Takes the value, until this is dropped.
    pub fn new(value: &'v mut Value) -> Self {
        Indexed { root: Part::new(value.take()), value }
    }

    /// The value at a pointer.
    pub fn find(&mut self, tokens: &[Token<'_>]) -> Option<&mut Value> {
        self.part(tokens).map(Part::whole)
    }

    pub(super) fn part(&mut self, tokens: &[Token<'_>]) -> Option<&mut Part> {
        tokens.iter().try_fold(&mut self.root, |part, token| match part.index()? {
            Index::Members(members) => members.get_mut(&token.name),
            Index::Elements(elements) => elements.get_mut(token.index?),
        })
    }
}

impl Drop for Indexed<'_> {
    fn drop(&mut self) {
        *self.value = self.root.whole().take();
    }
}

impl Part {
    pub(super) fn new(value: Value) -> Self {
        Part { value, index: None }
    }

    /// The members or elements; `None` for a leaf.
    pub(super) fn index(&mut self) -> Option<&mut Index> {
        if self.index.is_none() {
            self.index = match self.value.take() {
                Value::Object(object) => Some(Box::new(Index::Members(MemberIndex::new(object)))),
                Value::Array(items) => Some(Box::new(Index::Elements(ElementRuns::new(items)))),
                leaf => {
                    self.value = leaf;
                    None
                }
            };
        }
        self.index.as_deref_mut()
    }

    /// The value as a whole.
    pub(super) fn whole(&mut self) -> &mut Value {
        match self.index.take().map(|index| *index) {
            Some(Index::Members(members)) => self.value = members.into_object().into(),
            Some(Index::Elements(elements)) => self.value = elements.into_array().into(),
            None => {}
        }
        &mut self.value
    }
}

impl MemberIndex {
    /// Fewer members are searched one by one.
    const MANY: usize = 16;

    pub(super) fn new(object: Object) -> Self {
        let members = object.into_iter().map(|(name, value)| Some((name, Part::new(value))));
        let mut own = MemberIndex { list: members.collect(), names: None };
        own.index_names();
        own
    }

    fn index_names(&mut self) {
        if self.names.is_some() || self.list.len() <= Self::MANY {
            return;
        }
        let (mut first, mut later) = (HashMap::with_capacity(self.list.len()), HashMap::new());
        for (at, member) in self.list.iter().enumerate().rev() {
            let next = member.as_ref().and_then(|(name, _)| first.insert(name.clone(), at));
            later.extend(next.map(|next| (at, next)));
        }
        self.names = Some(NamePositions { first, later });
    }

    // Plain loops, because these nest as deep as values do.
    pub(super) fn into_object(self) -> Object {
        let mut members = Vec::with_capacity(self.list.len());
        for (name, mut part) in self.list.into_iter().flatten() {
            members.push((name, part.whole().take()));
        }
        Object(members)
    }

    fn position(&self, name: &str) -> Option<usize> {
        match &self.names {
            Some(names) => names.first.get(name).copied(),
            None => self.list.iter().position(|own| own.as_ref().is_some_and(|own| own.0 == *name)),
        }
    }

    /// The first member of a name.
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Part> {
        let at = self.position(name)?;
        self.list.get_mut(at)?.as_mut().map(|(_, part)| part)
    }

    /// Adds a member of a name that there is none of.
    pub(super) fn push(&mut self, name: Text, value: Value) {
        if let Some(names) = &mut self.names {
            names.first.insert(name.clone(), self.list.len());
        }
        self.list.push(Some((name, Part::new(value))));
        self.index_names();
    }

    /// Takes out the first member of a name, if there is one.
    pub(super) fn remove(&mut self, name: &str) -> bool {
        let Some(at) = self.position(name) else { return false };
        let gone = self.list.get_mut(at).and_then(Option::take);
        if let (Some(names), Some((name, _))) = (&mut self.names, gone) {
            match names.later.remove(&at) {
                Some(next) => _ = names.first.insert(name, next),
                None => _ = names.first.remove(&name),
            }
        }
        true
    }
}

impl ElementRuns {
    /// The longest run; one that gets longer becomes two.
    const LONGEST: usize = 1024;

    fn new(items: Array) -> Self {
        let mut elements = items.into_iter().map(Part::new);
        let mut runs = Vec::new();
        while elements.len() > 0 {
            runs.push(elements.by_ref().take(Self::LONGEST / 2).collect());
        }
        ElementRuns(runs)
    }

    fn into_array(self) -> Array {
        let mut items = Vec::with_capacity(self.len());
        for mut part in self.0.into_iter().flatten() {
            items.push(part.whole().take());
        }
        Array(items)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(Vec::len).fold(0, usize::saturating_add)
    }

    fn get_mut(&mut self, at: usize) -> Option<&mut Part> {
        let (run, at) = self.position(at)?;
        self.0.get_mut(run)?.get_mut(at)
    }

    /// Puts an element in; behind the last one where there are fewer.
    pub(super) fn insert(&mut self, at: usize, value: Value) {
        let end = || self.0.len().checked_sub(1).map(|last| (last, usize::MAX));
        let Some((run, at)) = self.position(at).or_else(end) else {
            self.0.push(vec![Part::new(value)]);
            return;
        };
        let Some(list) = self.0.get_mut(run) else { return };
        list.insert(at.min(list.len()), Part::new(value));
        if list.len() > Self::LONGEST {
            let rest = list.split_off(Self::LONGEST / 2);
            self.0.insert(run.saturating_add(1), rest);
        }
    }

    /// Takes an element out.
    pub(super) fn remove(&mut self, at: usize) {
        let Some((run, at)) = self.position(at) else { return };
        let Some(list) = self.0.get_mut(run) else { return };
        list.remove(at);
        if list.is_empty() {
            self.0.remove(run);
        }
    }

    /// The run that an element is in, and its position there.
    fn position(&self, at: usize) -> Option<(usize, usize)> {
        let mut left = at;
        for (run, list) in self.0.iter().enumerate() {
            match left.checked_sub(list.len()) {
                Some(rest) => left = rest,
                None => return Some((run, left)),
            }
        }
        None
    }
}
