//! Edits by paths, made in the bytes.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use gamewire_core::bytes::part;

use super::Bytes;
use super::grammar::NewKey;
use super::index::{Body, Listed, RangeNode};
use super::patch::{Told, composed};
use super::rewrite::{Change, Piece, Source, rewrite, rewrite_value};
use super::values::{NewChild, Values};
use crate::document::codec::{Edited, Ranged, does_not_fit};
use crate::document::diff;
use crate::document::edit::{Changed, Edit, Input, SETTINGS, runs};
use crate::document::error::Error;
use crate::document::node::{Edge, Found, ambiguous, find_all, why_not};
use crate::document::path::{self, New};

/// Values with their paths.
type Nodes<'c, V> = Vec<Found<RangeNode<'c, V>>>;

/// Returns the bytes of a body with a change of its outermost value, and what the writer tells of them.
pub(in crate::document) fn changed_bytes<'c, V: Ranged>(
    codec: &'c V,
    content: &'c V::Content,
    change: Change<'c, V>,
) -> Result<(Vec<u8>, Told<'c, V>), Error> {
    match codec.around(content) {
        Some(outer) => rewrite(outer, Change::Children(vec![Source::Own(0, change)])),
        None => rewrite(codec.root(content), change),
    }
}

/// The values and the file that a change makes; `None` where nothing changes.
pub(in crate::document) type Outcome<V> =
    Result<Option<Edited<<V as crate::document::codec::Codec>::Content>>, Error>;

/// Makes changes of a file; `None` where nothing changes.
pub(in crate::document) fn edit<V: Ranged>(
    codec: &V,
    file: &[u8],
    content: &V::Content,
    edits: &[Edit<'_>],
) -> Outcome<V> {
    codec.must_be_sure(content)?;
    let Some(after) = edited(codec, content, edits)? else {
        return Ok(None);
    };
    let made = codec.closed(file, content, after);
    made.map(Some).map_err(|error| does_not_fit(edits, &error))
}

/// Makes changes of the values of a file. Of several edits in a row that set or remove, the paths are those before the
/// first of them.
pub(in crate::document) fn edited<V: Ranged>(
    codec: &V,
    content: &V::Content,
    edits: &[Edit<'_>],
) -> Result<Option<V::Content>, Error> {
    let mut current = None;
    let mut todo = edits;
    // How many edits are left of which the first has got what the file left out.
    let mut restored = None;
    while !todo.is_empty() {
        let run = runs(todo).next().unwrap_or(todo);
        let bodies: Vec<OnceCell<Body>> = run.iter().map(|_| OnceCell::new()).collect();
        let content = current.as_ref().unwrap_or(content);
        let here = RangeEditor { codec, content, bodies: &bodies };
        let (plan, done) = match run.first() {
            Some(Edit::Set { .. }) => here.set(run, restored == Some(todo.len()))?,
            Some(insert @ Edit::Insert { .. }) => (here.insert(insert)?, 1),
            Some(Edit::Remove { .. }) | None => (here.remove(run)?, run.len()),
            Some(edit) => (here.rearrange(edit)?, 1),
        };
        let paths = || todo.iter().take(done).map(Edit::path).collect::<Vec<_>>().join(", ");
        let why = |error: Error| Error::new(error.message).of_path(&paths());
        let change = plan.into_change();
        let made = change.map(|change| changed_bytes(codec, here.content, change));
        let made = made.transpose().map_err(why)?;
        let before = here.root().body;
        let made = made.filter(|(made, _)| *made.as_slice() != *before.bytes);
        let patched = made.map(|(made, told)| (told.patch(codec, &made), made));
        if let Some((patch, made)) = patched {
            let why = |error: Error| {
                let why = error.message().split(", in ").next().unwrap_or_default();
                Error::new(format!("{}: does not fit: {why}", paths()))
            };
            let made = Bytes::from(made);
            let patched = patch.and_then(|patch| {
                let is_first = current.is_none();
                let mut after = here.content.clone();
                let own = codec.own_body(&mut after, &made, Some(&patch))?;
                *own = patch.body(made.clone());
                if !is_first {
                    own.runs = composed(&before.runs, &own.runs);
                }
                Some(after)
            });
            current = Some(match patched {
                Some(after) => {
                    debug_assert!(
                        codec.rescanned(here.content, made.to_vec()).is_ok_and(|all| {
                            codec.root(&all).body.has_known(codec.root(&after).body)
                        }),
                        "what is not scanned again is as it was"
                    );
                    after
                }
                None => codec.rescanned(here.content, made.into_vec()).map_err(why)?,
            });
        }
        restored = (done == 0).then_some(todo.len());
        todo = part(todo, done..);
    }
    Ok(current)
}

/// Changes of containers by the ways to these, to be made at once.
pub(in crate::document) struct Plan<'a, V: Values> {
    /// A new value for the root.
    root: Option<Piece<'a, V>>,
    /// The innermost first, so that each is a change of a child when its parent comes.
    containers: BTreeMap<(Reverse<usize>, Vec<usize>), Slots<'a, V>>,
}

/// The changes in a container, by position.
type Slots<'a, V> = BTreeMap<usize, Slot<'a, V>>;

/// A position in a container: what comes before the child there, and what happens to it.
struct Slot<'a, V: Values> {
    before: Vec<(NewKey, Piece<'a, V>)>,
    own: Fate<'a, V>,
}

enum Fate<'a, V: Values> {
    Kept,
    Removed,
    Changed(Change<'a, V>),
    /// It stands under another key.
    Renamed(NewKey, Piece<'a, V>),
}

impl<'a, V: Values> Plan<'a, V> {
    fn new() -> Self {
        Plan { root: None, containers: BTreeMap::new() }
    }

    fn slot(&mut self, container: &[usize], at: usize) -> &mut Slot<'a, V> {
        let key = (Reverse(container.len()), container.to_vec());
        let slots = self.containers.entry(key).or_default();
        slots.entry(at).or_insert_with(|| Slot { before: Vec::new(), own: Fate::Kept })
    }

    fn set(&mut self, way: &[usize], value: Piece<'a, V>) {
        match way.split_last() {
            Some((at, container)) => {
                self.slot(container, *at).own = Fate::Changed(Change::Value(value));
            }
            None => self.root = Some(value),
        }
    }

    /// Makes it one change of the root.
    fn into_change(mut self) -> Option<Change<'a, V>> {
        if let Some(root) = self.root {
            return Some(Change::Value(root));
        }
        while let Some(((_, way), slots)) = self.containers.pop_first() {
            let change = sources(slots);
            let Some((at, container)) = way.split_last() else { return Some(change) };
            let slot = self.slot(container, *at);
            // A value that is replaced or removed goes with all that is in it.
            if let Fate::Kept = slot.own {
                slot.own = Fate::Changed(change);
            }
        }
        None
    }
}

fn sources<'a, V: Values>(slots: Slots<'a, V>) -> Change<'a, V> {
    let (mut sources, mut next) = (Vec::new(), 0);
    for (at, slot) in slots {
        if at > next {
            sources.push(Source::Keep(next..at));
        }
        sources.extend(slot.before.into_iter().map(|(key, value)| Source::New(key, value)));
        next = at + 1;
        match slot.own {
            Fate::Kept => next = at,
            Fate::Removed => {}
            Fate::Changed(change) => sources.push(Source::Own(at, change)),
            Fate::Renamed(key, value) => sources.push(Source::New(key, value)),
        }
    }
    sources.push(Source::Keep(next..usize::MAX));
    Change::Children(sources)
}

/// The positions of the children on a way, and the edges from the first on that is none to a child.
fn positions(way: &[Edge]) -> (Vec<usize>, &[Edge]) {
    let child = |edge: &Edge| if let Edge::Child(at) = edge { Some(*at) } else { None };
    let positions: Vec<usize> = way.iter().map_while(child).collect();
    let rest = way.get(positions.len()..).unwrap_or_default();
    (positions, rest)
}

/// The positions of a component, and of components in it.
fn components(edges: &[Edge]) -> Vec<usize> {
    let part = |edge: &Edge| if let Edge::Hidden(at) = edge { Some(*at) } else { None };
    edges.iter().map_while(part).collect()
}

/// The change of a value by which one in it is another.
fn within<'a, V: Values>(way: &[usize], change: Change<'a, V>) -> Change<'a, V> {
    way.iter().rev().fold(change, |change, at| {
        let own = Source::Own(*at, change);
        Change::Children(vec![Source::Keep(0..*at), own, Source::Keep(at + 1..usize::MAX)])
    })
}

fn child_at<'a, V: Values>(node: RangeNode<'a, V>, way: &[usize]) -> Option<RangeNode<'a, V>> {
    way.iter().try_fold(node, |node, at| node.list().nth(*at).map(|(_, node)| node))
}

struct RangeEditor<'c, V: Ranged> {
    codec: &'c V,
    content: &'c V::Content,
    /// New values of which parts may be there already, for each edit.
    bodies: &'c [OnceCell<Body>],
}

impl<'c, V: Ranged> RangeEditor<'c, V> {
    fn root(&self) -> RangeNode<'c, V> {
        self.codec.root(self.content)
    }

    fn find(&self, paths: &[&str]) -> Vec<Nodes<'c, V>> {
        let named = self.codec.by_name(self.content, paths);
        find_all(&self.root(), self.codec.is_only(self.content), paths, named)
    }

    /// The value at the end of a way.
    fn at(&self, way: &[usize]) -> Option<RangeNode<'c, V>> {
        child_at(self.root(), way)
    }

    /// There must be values, and of a path that was shown shortened only one.
    fn must_be_meant(&self, path: &str, found: &Nodes<'c, V>) -> Result<(), Error> {
        if found.is_empty() {
            return Err(Error::new(self.nothing(path)));
        }
        ambiguous(path, found).map_or(Ok(()), |why| Err(Error::new(why)))
    }

    /// Why a path leads nowhere.
    fn nothing(&self, path: &str) -> String {
        let why = why_not(&self.root(), self.codec.is_only(self.content), &[path]).pop();
        why.unwrap_or_else(|| format!("{path}: there is no such value"))
    }

    /// The value that a piece for an edit is.
    fn value_of(&self, at: usize, piece: &Piece<'c, V>) -> Result<Option<RangeNode<'c, V>>, Error> {
        let (Piece::Bytes { bytes, context, .. }, Some(body)) = (piece, self.bodies.get(at)) else {
            return Ok(None);
        };
        if body.get().is_none() {
            let made = Body::scan(self.codec, bytes.as_slice().into(), 0, *context);
            let was = body.set(made.map_err(|error| Error::new(error.message))?);
            debug_assert!(was.is_ok(), "it was empty");
        }
        let body = body.get().filter(|body| *body.bytes == **bytes);
        Ok(body.map(|body| RangeNode::root(self.codec, body, *context)))
    }

    /// In a text, what of a new container is there already keeps its layout: it becomes a value, to be compared.
    fn scanned(&self, at: usize, piece: Piece<'c, V>) -> Result<Piece<'c, V>, Error> {
        let value = if V::HAS_LAYOUT { self.value_of(at, &piece)? } else { None };
        Ok(value.map_or(piece, Piece::Of))
    }

    /// Whether a piece has the value that is there already, which stays as it is written.
    fn is_same(&self, old: &RangeNode<'c, V>, at: usize, piece: &Piece<'c, V>) -> bool {
        let new = (V::UNIT == 8).then(|| self.value_of(at, piece).ok().flatten()).flatten();
        new.is_some_and(|new| diff::compare(old, &new, 1).is_empty())
    }

    /// Sets values until one is about what another has changed; returns how many edits that were. None where what a
    /// file left out is restored, which was not tried if not `is_restored`.
    fn set(&self, edits: &[Edit<'_>], is_restored: bool) -> Result<(Plan<'c, V>, usize), Error> {
        let paths: Vec<&str> = edits.iter().map(Edit::path).collect();
        let mut plan = Plan::new();
        let mut changed = Changed::default();
        let mut leaves: BTreeMap<Vec<usize>, Piece<'c, V>> = BTreeMap::new();
        let mut done = 0;
        for (edit, found) in edits.iter().zip(self.find(&paths)) {
            let Edit::Set { path, value, kind } = edit else { break };
            let is_changed = found.iter().any(|own| changed.has(&own.way));
            if is_changed || (found.is_empty() && done > 0) {
                break;
            }
            if found.is_empty()
                && !is_restored
                && let Some((way, made)) = self.codec.restored(self.content, path)
            {
                plan.set(&way, self.scanned(0, made)?);
                return Ok((plan, 0));
            }
            self.must_be_meant(path, &found)?;
            for own in found {
                let failed = |why: Error| why.of_path(&own.shown());
                let none = || failed(Error::new("there is no such value"));
                let (way, rest) = positions(&own.way);
                match rest {
                    [Edge::Key(at), inner @ ..] => {
                        let container = self.at(&way).ok_or_else(none)?;
                        let child = container.list().nth(*at).ok_or_else(none)?;
                        let key = V::key_node(&container, &child).ok_or_else(none)?;
                        let key =
                            new_key(key, inner, &own.node, (*value, *kind)).map_err(failed)?;
                        plan.slot(&way, *at).own = Fate::Renamed(key, Piece::Of(child.1));
                    }
                    [Edge::Hidden(_), ..] => {
                        let leaf = self.at(&way).ok_or_else(none)?;
                        let piece = leaves.remove(&way);
                        let made =
                            V::with_component(&leaf, piece, &components(rest), *value, *kind);
                        let made = made.map_err(failed)?;
                        leaves.insert(way.clone(), made.clone());
                        plan.set(&way, made);
                    }
                    _ => {
                        let made = V::parse_value(&own.node, *value, *kind).map_err(failed)?;
                        if !self.is_same(&own.node, done, &made) {
                            plan.set(&way, self.scanned(done, made).map_err(failed)?);
                        }
                    }
                }
                // A key is written as a whole.
                let is_key = |edge: &Edge| matches!(edge, Edge::Key(_));
                let end = own.way.iter().position(is_key).map_or(own.way.len(), |at| at + 1);
                changed.add(own.way.get(..end).unwrap_or(&own.way).to_vec());
            }
            done += 1;
        }
        Ok((plan, done.max(1)))
    }

    fn insert(&self, edit: &Edit<'_>) -> Result<Plan<'c, V>, Error> {
        let mut plan = Plan::new();
        let Edit::Insert { path, value, kind } = edit else { return Ok(plan) };
        let failed = |why: Error| why.of_path(path);
        let (containers, step) = self.containers(path)?;
        let is_new = matches!(step, New::Index(_));
        if !is_new && self.find(&[path]).first().is_some_and(|found| !found.is_empty()) {
            return Err(failed(Error::new("is there already; `set` changes it")));
        }
        for container in containers {
            let (mut way, rest) = positions(&container.way);
            if !rest.is_empty() {
                return Err(failed(Error::new(format!(
                    "nothing can be added to a {} so",
                    container.node.kind()
                ))));
            }
            let new = V::new_child(&container.node, &step, *value, *kind).map_err(failed)?;
            let NewChild { way: inner, at, key, value } = new;
            way.extend(inner);
            let at = match at {
                Some(at) if matches!(key, NewKey::Position) => {
                    let len = self.at(&way).map_or(0, |node| node.count());
                    if at > len {
                        return Err(failed(Error::new(format!("there are only {len} elements"))));
                    }
                    at
                }
                Some(at) => at,
                None => self.at(&way).map_or(0, |node| node.count()),
            };
            plan.slot(&way, at).before.push((key, value));
        }
        Ok(plan)
    }

    /// The containers that a path for something new leads to, and the last step.
    fn containers(&self, path: &str) -> Result<(Nodes<'c, V>, New), Error> {
        let root = self.root();
        if root.kind() == SETTINGS {
            let name = match path::split_last(path) {
                Some(("", New::Name(name))) => name,
                _ => path.to_owned(),
            };
            return Ok((vec![Found::root(root)], New::Name(name)));
        }
        let (outer, step) = path::split_last(path)
            .ok_or_else(|| Error::new(format!("{path}: ends with no key or position")))?;
        let found = self.find(&[outer]).pop().unwrap_or_default();
        if found.is_empty() {
            return Err(Error::new(self.nothing(outer)));
        }
        Ok((found, step))
    }

    fn remove(&self, edits: &[Edit<'_>]) -> Result<Plan<'c, V>, Error> {
        let paths: Vec<&str> = edits.iter().map(Edit::path).collect();
        let mut plan = Plan::new();
        for (path, found) in paths.iter().zip(self.find(&paths)) {
            self.must_be_meant(path, &found)?;
            for own in found {
                let failed = |why: Error| why.of_path(&own.shown());
                let (way, rest) = positions(&own.way);
                match (rest.last(), way.split_last()) {
                    (Some(Edge::Key(_)), _) => {
                        return Err(failed(Error::new("remove the entry, not its key")));
                    }
                    (Some(Edge::Child(_)), _) => {
                        return Err(failed(Error::new("a key is changed as a whole")));
                    }
                    (Some(Edge::Hidden(at)), _) => {
                        let leaf = self
                            .at(&way)
                            .ok_or_else(|| failed(Error::new("there is no such value")))?;
                        plan.set(&way, V::without_component(&leaf, *at).map_err(failed)?);
                    }
                    (_, None) => return Err(failed(Error::new("the root cannot be removed"))),
                    (_, Some((at, container))) => {
                        let outer = self.at(container);
                        let child = outer.and_then(|outer| Some((outer, outer.list().nth(*at)?)));
                        if let Some(why) =
                            child.and_then(|(outer, child)| V::must_stay(&outer, &child))
                        {
                            return Err(failed(Error::new(why)));
                        }
                        plan.slot(container, *at).own = Fate::Removed;
                    }
                }
            }
        }
        Ok(plan)
    }

    /// Moves, renames or copies a child of a container.
    fn rearrange(&self, edit: &Edit<'_>) -> Result<Plan<'c, V>, Error> {
        let path = edit.path();
        let failed = |why: &str| Error::new(why).of_path(path);
        let found = self.find(&[path]).pop().unwrap_or_default();
        self.must_be_meant(path, &found)?;
        let [own] = found.as_slice() else {
            return Err(failed(&format!("leads to {} values", found.len())));
        };
        let (way, rest) = positions(&own.way);
        let (Some((at, way)), []) = (way.split_last(), rest) else {
            return Err(failed("it is a part of what is around it"));
        };
        let outer = self.at(way).ok_or_else(|| failed("there is no such value"))?;
        let child = outer.list().nth(*at).ok_or_else(|| failed("there is no such value"))?;
        let open = outer.open().ok_or_else(|| failed("there is no such value"))?;
        let renamed = |key: &str| -> Result<NewKey, Error> {
            let is_there = |(at, own): (usize, Listed<'c, V>)| {
                V::step(&outer, at, &own).is_some_and(|step| step.name() == key)
            };
            if open.is_list {
                return Err(failed("an element has a position, and no key"));
            }
            if outer.list().enumerate().any(is_there) {
                return Err(failed(&format!("there is {key} already")));
            }
            match V::key_node(&outer, &child) {
                Some(node) => V::made_key(&node, key.into(), None),
                None => {
                    let name = New::Name(key.to_owned());
                    V::new_child(&outer, &name, "null".into(), None).map(|new| new.key)
                }
            }
            .map_err(|why| why.of_path(path))
        };
        if !matches!(edit, Edit::Copy { .. })
            && let Some(why) = V::must_stay(&outer, &child)
        {
            return Err(failed(&why));
        }
        let mut plan = Plan::new();
        let value = Piece::Of(child.1);
        match edit {
            Edit::Rename { key, .. } => {
                plan.slot(way, *at).own = Fate::Renamed(renamed(key)?, value);
            }
            Edit::Copy { key, .. } => {
                let key = match open.is_list {
                    true => child.0.key.into(),
                    false => renamed(key)?,
                };
                plan.slot(way, at + 1).before.push((key, value));
            }
            Edit::Move { to, .. } if to != at => {
                if is_ordered(&outer, &child) {
                    return Err(failed("the format says in which order they stand"));
                }
                if *to >= outer.count() {
                    return Err(failed(&format!("there are only {} values", outer.count())));
                }
                plan.slot(way, *at).own = Fate::Removed;
                let before = if to > at { to + 1 } else { *to };
                plan.slot(way, before).before.push((child.0.key.into(), value));
            }
            _ => {}
        }
        Ok(plan)
    }
}

/// Whether a child stands where its key says.
fn is_ordered<'a, V: Values>(outer: &RangeNode<'a, V>, child: &Listed<'a, V>) -> bool {
    let open = outer.open();
    open.is_some_and(|open| outer.grammar.order(&open.state, child.0.key).is_some())
}

/// Returns a key in which the value at the end of a way is another.
fn new_key<'a, V: Values>(
    key: RangeNode<'a, V>,
    way: &[Edge],
    own: &RangeNode<'a, V>,
    (value, kind): (Input<'_>, Option<&str>),
) -> Result<NewKey, Error> {
    let (way, rest) = positions(way);
    let made = match rest {
        [] if way.is_empty() => return V::made_key(&key, value, kind),
        [] => V::parse_value(own, value, kind)?,
        [Edge::Hidden(_), ..] => {
            let leaf = child_at(key, &way).ok_or("there is no such value")?;
            V::with_component(&leaf, None, &components(rest), value, kind)?
        }
        _ => return Err(Error::new("a key inside of a key is changed with that as a whole")),
    };
    let change = within(&way, Change::Value(made));
    let bytes = rewrite_value(key, change);
    bytes.map(NewKey::Bytes).map_err(|error| Error::new(error.message))
}

/// Returns the bytes with the entries of lists counted again by [`Values::NUMBER`] where two are equal: from 0,
/// which is left out.
pub(in crate::document) fn count_again<V: Ranged>(
    codec: &V,
    content: &V::Content,
    lists: &[Vec<usize>],
) -> Result<Vec<u8>, Error> {
    let editor = RangeEditor { codec, content, bodies: &[] };
    let mut plan = Plan::new();
    for way in lists {
        let Some(list) = editor.at(way) else { continue };
        let entries: Vec<RangeNode<'_, V>> = list.list().map(|(_, entry)| entry).collect();
        let number = |entry: &RangeNode<'_, V>| {
            let number = entry.member(V::NUMBER).map(|own| own.plain()).transpose()?;
            Ok(number.and_then(|own| own.as_u64()).unwrap_or(0))
        };
        let numbers: Result<HashSet<u64>, Error> = entries.iter().map(number).collect();
        if numbers?.len() == entries.len() {
            continue;
        }
        for (at, entry) in entries.iter().enumerate() {
            if entry.open().is_none_or(|open| open.is_list) {
                continue;
            }
            let way: Vec<usize> = way.iter().copied().chain([at]).collect();
            let mut members = entry.list().enumerate();
            let own = members.find(|(own, child)| {
                V::step(entry, *own, child).is_some_and(|step| step.name() == V::NUMBER)
            });
            let number = at.to_string();
            let name = New::Name(V::NUMBER.to_owned());
            let new = V::new_child(entry, &name, Input::from(&number), None);
            let new = new?;
            match (at, own) {
                (0, Some((own, _))) => plan.slot(&way, own).own = Fate::Removed,
                (0, None) => {}
                (_, Some((own, _))) => {
                    plan.slot(&way, own).own = Fate::Changed(Change::Value(new.value));
                }
                (_, None) => plan.slot(&way, entry.count()).before.push((new.key, new.value)),
            }
        }
    }
    match plan.into_change() {
        Some(change) => changed_bytes(codec, content, change).map(|(made, _)| made),
        None => Ok(editor.root().all_bytes().to_vec()),
    }
}
