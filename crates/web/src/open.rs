//! Documents that stay open, and are edited.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use gamewire::document::{
    Change, ChangeKind, Document, Edit, Editor, Error, Merge, Node, Side, shortened,
};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::answer::way_out;

/// The open documents by their numbers.
static OPEN: Mutex<Option<(u32, HashMap<u32, Editor>)>> = Mutex::new(None);

/// Characters of a value that a row shows.
const SHOWN: usize = 200;

/// What is asked of an open document. A way is the positions that lead to a value.
#[derive(Deserialize)]
#[serde(tag = "verb", rename_all = "lowercase")]
pub(crate) enum Call {
    Close { id: u32 },
    Fork { id: u32 },
    Children { id: u32, way: Vec<usize>, from: usize, count: usize },
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
    let part = |own: &Node<'_>| json!({"key": own.key(), "path": own.path(), "text": own.text().unwrap_or_default()});
    let (mut text, mut value, mut parts) = (String::new(), Json::Null, Json::Null);
    let (mut is_cut, mut wrong) = (false, None);
    match is_list {
        Some(true) => {}
        Some(false) => {
            let inside = if is_nested { Vec::new() } else { node.children_in(0..8) };
            let leaves = inside.iter().filter(|own| own.is_list().is_none()).take(3);
            let texts = leaves.filter_map(|own| own.text().ok());
            text = texts.map(|own| shortened(&own, 24)).collect::<Vec<_>>().join(" · ");
        }
        None => match node.text() {
            Ok(own) => {
                is_cut = own.chars().nth(SHOWN).is_some();
                text = own.chars().take(SHOWN).collect();
                if !is_cut {
                    value = plain(node);
                }
                if !components.is_empty() {
                    parts = components.iter().map(part).collect();
                }
            }
            Err(why) => wrong = Some(why.to_string()),
        },
    }
    json!({
        "key": node.key(), "path": node.path(), "kind": node.kind(), "type": node.type_name(),
        "count": count, "isList": is_list, "text": text, "isCut": is_cut, "value": value,
        "parts": parts, "wrong": wrong,
    })
}

fn plain(node: &Node<'_>) -> Json {
    let made = node.to_plain_json().ok().map(|own| own.to_string());
    made.and_then(|own| serde_json::from_str(&own).ok()).unwrap_or_default()
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

/// Looks for a text in keys and values from a way on, in at most `budget` values.
fn find(document: &Document, text: &str, after: &[usize], mut budget: usize) -> Json {
    let text = text.to_lowercase();
    let mut hits: Vec<Json> = Vec::new();
    // Of each value that is open, its next child.
    let mut open: Vec<(Node<'_>, usize)> = Vec::new();
    let mut node = Some(document.root());
    for (depth, at) in after.iter().enumerate() {
        let is_last = depth.saturating_add(1) == after.len();
        let Some(own) = node else { break };
        node = inside(&own, *at, 1).pop().filter(|_| !is_last);
        open.push((own, if is_last { *at } else { at.saturating_add(1) }));
    }
    if let Some(root) = node.filter(|_| after.is_empty()) {
        open.push((root, 0));
    }
    const CHUNK: usize = 256;
    while let Some((own, from)) = open.pop() {
        let chunk = inside(&own, from, CHUNK);
        let is_end = chunk.len() < CHUNK;
        let ways: Vec<usize> = open.iter().map(|(_, next)| next.saturating_sub(1)).collect();
        let (mut at, mut deeper) = (from, None);
        for child in chunk {
            if budget == 0 {
                let next: Vec<usize> = ways.iter().copied().chain([at]).collect();
                return json!({"hits": hits, "next": next});
            }
            budget = budget.saturating_sub(1);
            let is_leaf = child.is_list().is_none();
            let is_in = |own: &str| own.to_lowercase().contains(&text);
            if is_in(&child.key()) || is_leaf && child.text().is_ok_and(|own| is_in(&own)) {
                let way: Vec<usize> = ways.iter().copied().chain([at]).collect();
                hits.push(json!(way));
            }
            at = at.saturating_add(1);
            let is_packed = child.kind().starts_with("Packed");
            if !is_leaf && !is_packed {
                deeper = Some(child);
                break;
            }
        }
        if deeper.is_some() || !is_end {
            open.push((own, at));
        }
        open.extend(deeper.map(|child| (child, 0)));
    }
    json!({"hits": hits, "next": null})
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
            // What a text stands for is not in its bytes.
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
        Call::Value { id, way } => with(id, |own, _| {
            node(own, &way, &|node| {
                let (row, range) = (row(node), node.range());
                let (start, end) = (range.start, range.end);
                let value = plain(node);
                Ok(json!({"row": row, "text": node.text()?, "value": value, "range": [start, end]}))
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
            // From behind, so that what is taken first leaves the positions of the others.
            for (path, newer) in changes.iter().rev() {
                let found = match &other {
                    Some(other) => own.document().diff(other, SHOWN)?,
                    None => own.changes(SHOWN)?,
                };
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
                Ok(body.get(from.min(end)..end).unwrap_or_default().to_vec())
            });
        }
        Call::Save { id } => return with(id, |own, _| Ok(own.document().to_bytes().to_vec())),
        Call::Original { id } => return with(id, |own, _| Ok(own.original().to_bytes().to_vec())),
        Call::Merge { id, base, other, sides } => merge(id, base, other, sides)?,
    };
    Ok(json.to_string().into_bytes())
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
        let merged = merge.take(Side::Ours)?;
        let taken = differences(&merged.diff(&ours, SHOWN)?);
        return Ok(json!({"conflicts": conflicts, "taken": taken}));
    };
    let mut sides = sides.iter();
    let mut choose = |_: &gamewire::document::Conflict| match sides.next().map(String::as_str) {
        Some("theirs") => Side::Theirs,
        _ => Side::Ours,
    };
    let merged = merge.take_each(&mut choose, &mut |_| {})?;
    Ok(open(Editor::resumed(ours.clone(), merged)))
}
