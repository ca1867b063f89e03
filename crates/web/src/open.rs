//! Documents that stay open, and are edited.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use gamewire::document::{
    Change, ChangeKind, Document, Edit, Editor, Error, Merge, Node, Side, shortened,
};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::answer::{made, way_out};

/// The open documents by their numbers.
static OPEN: Mutex<Option<(u32, HashMap<u32, Editor>)>> = Mutex::new(None);

/// Characters of a value that a row shows.
const SHOWN: usize = 200;

/// A question to an open document. A way is the positions that lead to a value.
#[derive(Deserialize)]
#[serde(tag = "verb", rename_all = "lowercase")]
pub(crate) enum Call {
    Close { id: u32 },
    Fork { id: u32 },
    Children { id: u32, way: Vec<usize>, from: usize, count: usize },
    Row { id: u32, way: Vec<usize> },
    Value { id: u32, way: Vec<usize> },
    Edit { id: u32, edits: Vec<Made> },
    Undo { id: u32 },
    Redo { id: u32 },
    Changes { id: u32, other: Option<u32> },
    Take { id: u32, other: Option<u32>, changes: Vec<(String, String)> },
    Find { id: u32, text: String, after: Vec<usize>, budget: usize },
    Way { id: u32, path: Option<String>, offset: Option<usize> },
    Bytes { id: u32, from: usize, count: usize },
    Save { id: u32 },
    Original { id: u32 },
    Merge { id: u32, base: Option<u32>, other: u32, sides: Option<Vec<String>> },
}

/// An edit of the value at a path.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub(crate) enum Made {
    Set { path: String, value: String, kind: Option<String> },
    Insert { path: String, value: String, kind: Option<String> },
    Remove { path: String },
    Move { path: String, to: usize },
    Rename { path: String, key: String },
    Copy { path: String, key: String },
}

impl Made {
    fn edit(&self) -> Edit<'_> {
        match self {
            Made::Set { path, value, kind } => {
                Edit::Set { path, value: value.into(), kind: kind.as_deref() }
            }
            Made::Insert { path, value, kind } => {
                Edit::Insert { path, value: value.into(), kind: kind.as_deref() }
            }
            Made::Remove { path } => Edit::Remove { path },
            Made::Move { path, to } => Edit::Move { path, to: *to },
            Made::Rename { path, key } => Edit::Rename { path, key },
            Made::Copy { path, key } => Edit::Copy { path, key },
        }
    }
}

fn gone() -> Error {
    Error::new("the value is gone")
}

fn closed() -> Error {
    Error::new("the document is closed")
}

/// Keeps a document open; says its number, and what it is.
pub(crate) fn open(editor: Editor) -> Json {
    let document = editor.document();
    let mut all = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let (last, all) = all.get_or_insert_default();
    *last = last.wrapping_add(1);
    let unsure = document.must_be_sure().err();
    let unsure =
        unsure.map(|own| json!({"message": own.message(), "hint": own.hint().and_then(way_out)}));
    let about = json!({
        "unsure": unsure, "id": *last, "format": document.format().crate_name(), "about": document.describe(),
        "caution": document.caution(), "length": document.body().len(),
    });
    all.insert(*last, editor);
    about
}

/// Does something with an open document and the others.
fn with<T>(
    id: u32,
    then: impl FnOnce(&mut Editor, &HashMap<u32, Editor>) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut all = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, all) = all.get_or_insert_default();
    let mut own = all.remove(&id).ok_or_else(closed)?;
    let made = then(&mut own, all);
    all.insert(id, own);
    made
}

fn state(editor: &Editor) -> Json {
    let (undo, redo) = editor.steps();
    json!({"undo": undo, "redo": redo, "length": editor.document().body().len()})
}

/// A value as one row of the page.
fn row(node: &Node<'_>) -> Json {
    let components = node.components();
    let is_nested = components.iter().any(|own| !own.components().is_empty());
    let is_list = if is_nested { Some(false) } else { node.is_list() };
    let count = match is_nested {
        true => Some(components.len()),
        false => is_list.map(|_| node.child_count()),
    };
    let range = node.range();
    let mut made = json!({
        "key": node.key(), "path": node.path(), "kind": node.kind(), "type": node.type_name(),
        "count": count, "isList": is_list, "text": "", "isCut": false, "value": null, "parts": null,
        "choices": [], "wrong": null, "range": [range.start, range.end],
    });
    let shown = match is_list {
        Some(true) => Ok(json!({})),
        Some(false) => {
            let inside = if is_nested { Vec::new() } else { node.children_in(0..8) };
            let leaves = inside.iter().filter(|own| own.is_list().is_none()).take(3);
            let texts: Vec<String> = leaves.map(|own| shortened(&summary(own), 24)).collect();
            Ok(json!({"text": texts.join(" · ")}))
        }
        None => leaf(node, &components),
    };
    let shown = shown.unwrap_or_else(|why| json!({"wrong": why.to_string()}));
    if let (Json::Object(made), Json::Object(shown)) = (&mut made, shown) {
        made.extend(shown);
    }
    made
}

/// Says a value in the row around it, or why it cannot be shown.
fn summary(node: &Node<'_>) -> String {
    node.text().unwrap_or_else(|why| why.to_string())
}

/// Returns the part of a row that only values without others in them have.
fn leaf(node: &Node<'_>, components: &[Node<'_>]) -> Result<Json, Error> {
    let own = node.text()?;
    let is_cut = own.chars().nth(SHOWN).is_some();
    let text: String = own.chars().take(SHOWN).collect();
    let value = if is_cut { Json::Null } else { plain(node)? };
    let part = |own: &Node<'_>| -> Result<Json, Error> {
        Ok(json!({"key": own.key(), "path": own.path(), "text": own.text()?}))
    };
    let parts: Result<Vec<Json>, Error> = components.iter().map(part).collect();
    let parts = Some(parts?).filter(|parts| !parts.is_empty());
    Ok(json!({
        "text": text, "isCut": is_cut, "value": value, "parts": parts, "choices": node.choices(),
    }))
}

fn plain(node: &Node<'_>) -> Result<Json, Error> {
    Ok(serde_json::from_str(&node.to_plain_json()?.to_string())?)
}

/// The values in one: its children, or, where it has none, its parts.
fn inside<'a>(node: &Node<'a>, from: usize, count: usize) -> Vec<Node<'a>> {
    let children = node.children_in(from..from.saturating_add(count));
    match children.is_empty() && node.is_list().is_none() {
        true => node.components().into_iter().skip(from).take(count).collect(),
        false => children,
    }
}

/// The differences of a document to another, as changes that made it what it is.
fn differences(changes: &[Change]) -> Json {
    let row = |change: &Change| {
        let (kind, now, was) = match &change.what {
            ChangeKind::Changed(now, was) => ("changed", Some(now), Some(was)),
            ChangeKind::Added(was) => ("removed", None, Some(was)),
            ChangeKind::Removed(now) => ("added", Some(now), None),
            ChangeKind::Retyped(now, was) => ("type", Some(now), Some(was)),
            ChangeKind::Renamed(was) => ("renamed", None, Some(was)),
            _ => ("reordered", None, None),
        };
        json!({
            "path": change.path, "other": change.newer, "change": kind, "now": now, "was": was,
            "about": change.about,
        })
    };
    changes.iter().map(row).collect()
}

/// A value whose children are looked at.
struct Level<'a> {
    of: Node<'a>,
    /// The position of the next child.
    at: usize,
    chunk: std::vec::IntoIter<Node<'a>>,
}

impl<'a> Level<'a> {
    fn new(of: Node<'a>, at: usize) -> Self {
        Level { of, at, chunk: Vec::new().into_iter() }
    }

    fn next(&mut self) -> Option<Node<'a>> {
        const CHUNK: usize = 256;
        if self.chunk.len() == 0 {
            self.chunk = inside(&self.of, self.at, CHUNK).into_iter();
        }
        let next = self.chunk.next()?;
        self.at = self.at.saturating_add(1);
        Some(next)
    }
}

/// Looks for a text in keys and values from a way on, in at most `budget` values.
fn find(document: &Document, text: &str, after: &[usize], mut budget: usize) -> Json {
    let text = text.to_lowercase();
    let mut hits: Vec<Json> = Vec::new();
    let is_in = |own: &str| own.to_lowercase().contains(&text);
    let mut open: Vec<Level<'_>> = Vec::new();
    let mut node = Some(document.root());
    for (depth, at) in after.iter().enumerate() {
        let is_last = depth.saturating_add(1) == after.len();
        let Some(own) = node else { break };
        node = inside(&own, *at, 1).pop().filter(|_| !is_last);
        open.push(Level::new(own, if is_last { *at } else { at.saturating_add(1) }));
    }
    open.extend(node.filter(|_| after.is_empty()).map(|root| Level::new(root, 0)));
    let next = loop {
        let Some(level) = open.last_mut() else { break None };
        let Some(child) = level.next() else {
            open.pop();
            continue;
        };
        let way: Vec<usize> = open.iter().map(|own| own.at.saturating_sub(1)).collect();
        if budget == 0 {
            break Some(way);
        }
        budget = budget.saturating_sub(1);
        let is_leaf = child.is_list().is_none();
        if is_in(&child.key()) || is_leaf && child.text().is_ok_and(|own| is_in(&own)) {
            hits.push(json!(way));
        }
        if !is_leaf && !child.kind().starts_with("Packed") {
            open.push(Level::new(child, 0));
        }
    };
    json!({"hits": hits, "next": next})
}

/// The way to the innermost value that a byte of the body belongs to.
fn way_at(document: &Document, offset: usize) -> Vec<usize> {
    let (mut way, mut node) = (Vec::new(), document.root());
    loop {
        let (count, whole) = (node.child_count(), node.range());
        let is_here =
            |own: &Node<'_>| whole.start <= own.range().start && own.range().end <= whole.end;
        let (mut low, mut high) = (0_usize, count);
        // Children stand in the order of the bytes.
        while low < high {
            let middle = low.midpoint(high);
            // The value that a text stands for is not in its bytes.
            let child = node.children_in(middle..middle.saturating_add(1)).pop().filter(is_here);
            let Some(child) = child else { return way };
            if child.range().end <= offset {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        match node.children_in(low..low.saturating_add(1)).pop().filter(is_here) {
            Some(child) => {
                let is_here = child.range().contains(&offset);
                way.push(low);
                if !is_here {
                    return way;
                }
                node = child;
            }
            None => return way,
        }
    }
}

/// Answers what is asked of an open document.
pub(crate) fn answer(call: Call) -> Result<Vec<u8>, Error> {
    let node = |own: &Editor, way: &[usize], then: &dyn Fn(&Node<'_>) -> Result<Json, Error>| {
        then(&own.document().node(way).ok_or_else(gone)?)
    };
    let other_of = |all: &HashMap<u32, Editor>, id: Option<u32>| match id {
        None => Ok(None),
        Some(id) => all.get(&id).map(|own| Some(own.document().clone())).ok_or_else(closed),
    };
    let json = match call {
        Call::Close { id } => {
            let mut all = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
            all.get_or_insert_default().1.remove(&id);
            Json::Null
        }
        Call::Fork { id } => {
            let document = with(id, |own, _| Ok(own.document().clone()))?;
            open(Editor::new(document))
        }
        Call::Children { id, way, from, count } => with(id, |own, _| {
            node(own, &way, &|node| Ok(inside(node, from, count).iter().map(row).collect()))
        })?,
        Call::Row { id, way } => with(id, |own, _| node(own, &way, &|node| Ok(row(node))))?,
        Call::Value { id, way } => with(id, |own, _| {
            node(own, &way, &|node| {
                Ok(json!({"row": row(node), "text": node.text()?, "value": plain(node)?}))
            })
        })?,
        Call::Edit { id, edits } => with(id, |own, _| {
            own.edit(&edits.iter().map(Made::edit).collect::<Vec<_>>())?;
            Ok(state(own))
        })?,
        Call::Undo { id } => with(id, |own, _| own.undo().map(|_| state(own)))?,
        Call::Redo { id } => with(id, |own, _| own.redo().map(|_| state(own)))?,
        Call::Changes { id, other } => with(id, |own, all| {
            let changes = match other_of(all, other)? {
                Some(other) => own.document().diff(&other, SHOWN)?,
                None => own.changes(SHOWN)?,
            };
            Ok(differences(&changes))
        })?,
        Call::Take { id, other, changes } => with(id, |own, all| {
            let other = other_of(all, other)?;
            let found = match &other {
                Some(other) => own.document().diff(other, SHOWN)?,
                None => own.changes(SHOWN)?,
            };
            // From behind, so that what is taken first leaves the positions of the others.
            for (path, newer) in changes.iter().rev() {
                let change = found.iter().find(|own| own.path == *path && own.newer == *newer);
                own.take(other.as_ref(), change.ok_or_else(gone)?)?;
            }
            Ok(state(own))
        })?,
        Call::Find { id, text, after, budget } => {
            with(id, |own, _| Ok(find(own.document(), &text, &after, budget)))?
        }
        Call::Way { id, path, offset } => with(id, |own, _| match (path, offset) {
            (Some(path), _) => {
                let found = own.document().get(&path)?;
                Ok(json!(found.first().ok_or_else(gone)?.way()))
            }
            (None, offset) => Ok(json!(way_at(own.document(), offset.unwrap_or_default()))),
        })?,
        Call::Bytes { id, from, count } => {
            return with(id, |own, _| {
                let body = own.document().body();
                let end = from.saturating_add(count).min(body.len());
                Ok(made(body.get(from.min(end)..end).unwrap_or_default()))
            });
        }
        Call::Save { id } => return with(id, |own, _| Ok(made(own.document().as_bytes()))),
        Call::Original { id } => return with(id, |own, _| Ok(made(own.original().as_bytes()))),
        Call::Merge { id, base, other, sides } => merge(id, base, other, sides)?,
    };
    Ok(made(json.to_string().as_bytes()))
}

/// Merges three documents: the conflicts, or, with a side for each, the number of the merged document.
fn merge(
    id: u32,
    base: Option<u32>,
    other: u32,
    sides: Option<Vec<String>>,
) -> Result<Json, Error> {
    let of = |id: u32| with(id, |own, _| Ok(own.document().clone()));
    let (ours, theirs, base) = (of(id)?, of(other)?, base.map(of).transpose()?);
    let merge = Merge::new(base.as_ref(), &ours, &theirs)?;
    let Some(sides) = sides else {
        let conflict = |own: &gamewire::document::Conflict| {
            let text = |version: &Option<gamewire::document::Version>| {
                version.as_ref().map(|own| shortened(&own.line(), SHOWN))
            };
            json!({
                "path": own.path, "name": own.name, "base": text(&own.base), "ours": text(&own.ours),
                "theirs": text(&own.theirs), "message": own.message,
            })
        };
        let conflicts: Json = merge.conflicts().iter().map(conflict).collect();
        let merged = merge.resolve(Side::Ours)?;
        let taken = differences(&merged.diff(&ours, SHOWN)?);
        return Ok(json!({"conflicts": conflicts, "taken": taken}));
    };
    let mut sides = sides.iter();
    let mut choose = |_: &gamewire::document::Conflict| match sides.next().map(String::as_str) {
        Some("theirs") => Side::Theirs,
        _ => Side::Ours,
    };
    let merged = merge.resolve_each(&mut choose, &mut |_| {})?;
    Ok(open(Editor::resumed(ours.clone(), merged)))
}
