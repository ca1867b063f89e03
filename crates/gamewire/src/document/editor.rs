//! A document that is edited by hand: every change can be undone, and taken back alone.

use std::collections::HashMap;

use gamewire_core::bytes::part;

use super::diff::{Change, ChangeKind};
use super::edit::Edit;
use super::error::Error;
use super::node::Edge;
use super::path::{self, New};
use super::ranges::{Body, Run, common_bytes, common_start};
use super::{Document, Node, Nodes};

/// A document, what it was when it was opened, and what was done since.
///
/// ```
/// use gamewire::document::{Document, Edit, Editor, Settings};
///
/// # let bytes = gamewire::godot_variant::frame::Framing::new()
/// #     .to_vec(&std::collections::BTreeMap::from([("hp", 1), ("gold", 20)]))?;
/// let mut save = Editor::new(Document::open(bytes, &Settings::default())?);
/// save.edit(&[Edit::Rename { path: "hp", key: "health" }])?;
/// save.edit(&[Edit::Remove { path: "gold" }])?;
/// assert_eq!(save.changes(40)?.len(), 2);
/// save.undo()?;
/// assert_eq!(save.document().get("gold")?[0].text()?, "20");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Editor {
    original: Document,
    document: Document,
    done: Vec<Inverse>,
    undone: Vec<Inverse>,
    /// Whether the first step was made of the original.
    is_fresh: bool,
}

/// Undoes a change of the body: the bytes that were replaced, in order, and what is known of the body then.
#[derive(Clone, Debug)]
struct Inverse {
    splices: Vec<Splice>,
    before: Body,
}

/// The bytes that were at a place, and how many are there now.
#[derive(Clone, Debug)]
struct Splice {
    at: usize,
    bytes: Vec<u8>,
    len: usize,
}

impl Inverse {
    /// Between two bodies, from the newer to the older one.
    fn between(old: &Body, new: &Body) -> Self {
        // The runs that stay, in the order of both.
        let mut runs: Vec<Run> = Vec::new();
        for run in &new.runs {
            let is_over = |last: &Run| last.old + last.len > run.old;
            while runs.last().is_some_and(|last| is_over(last) && last.len < run.len) {
                runs.pop();
            }
            if !runs.last().is_some_and(is_over) {
                runs.push(*run);
            }
        }
        if runs.is_empty() {
            let at = common_start(&old.bytes, &new.bytes);
            let rests = [old, new].map(|own| part(&own.bytes, at..));
            let len = common_bytes(rests[0], rests[1]);
            runs.push(Run { old: 0, new: 0, len: at });
            let [old, new] = [old, new].map(|own| own.bytes.len() - len);
            runs.push(Run { old, new, len });
        }
        runs.push(Run { old: old.bytes.len(), new: new.bytes.len(), len: 0 });
        let (mut splices, mut ends) = (Vec::new(), [0, 0]);
        for Run { old: from, new: at, len } in runs {
            let (bytes, gone) = (part(&old.bytes, ends[0]..from), at - ends[1]);
            if !bytes.is_empty() || gone > 0 {
                splices.push(Splice { at: ends[1], bytes: bytes.to_vec(), len: gone });
            }
            ends = [from + len, at + len];
        }
        Inverse { splices, before: old.emptied() }
    }

    /// The body after it, and what undoes it.
    fn apply(&self, body: &Body) -> (Vec<u8>, Inverse) {
        let mut made = Vec::with_capacity(body.bytes.len());
        let (mut splices, mut from) = (Vec::new(), 0);
        for Splice { at, bytes, len } in &self.splices {
            let end = at + len;
            debug_assert!(end <= body.bytes.len(), "it was made of this body");
            made.extend_from_slice(part(&body.bytes, from..*at));
            let gone = part(&body.bytes, *at..end).to_vec();
            splices.push(Splice { at: made.len(), bytes: gone, len: bytes.len() });
            made.extend_from_slice(bytes);
            from = end;
        }
        made.extend_from_slice(part(&body.bytes, from..));
        (made, Inverse { splices, before: body.emptied() })
    }
}

impl Editor {
    /// Begins to edit a document.
    pub fn new(document: Document) -> Self {
        let (done, undone) = (Vec::new(), Vec::new());
        Editor { original: document.clone(), document, done, undone, is_fresh: true }
    }

    /// Goes on to edit a document, which was made of another one before.
    pub fn resumed(original: Document, document: Document) -> Self {
        Editor { original, is_fresh: false, ..Editor::new(document) }
    }

    /// The document as it is now.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The document as it was opened.
    pub fn original(&self) -> &Document {
        &self.original
    }

    /// How many steps can be undone, and done again.
    pub fn steps(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }

    /// Makes several changes, which are one step.
    ///
    /// # Errors
    ///
    /// Those of [`Document::edit`]; nothing is changed then.
    pub fn edit(&mut self, edits: &[Edit<'_>]) -> Result<(), Error> {
        let mut after = self.document.clone();
        after.edit(edits)?;
        if after.body() == self.document.body() {
            return Ok(());
        }
        self.done.push(Inverse::between(self.document.ranges(), after.ranges()));
        self.undone.clear();
        self.document = after;
        Ok(())
    }

    /// Undoes the last step. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, which the change should have said.
    pub fn undo(&mut self) -> Result<bool, Error> {
        let Some(step) = self.done.last() else { return Ok(false) };
        let (body, back) = step.apply(self.document.ranges());
        match self.done.len() {
            // To the last byte, where the file was not as a writer would make it.
            1 if self.is_fresh => self.document = self.original.clone(),
            _ => self.document.set_body(body, &step.before)?,
        }
        self.done.pop();
        self.undone.push(back);
        Ok(true)
    }

    /// Does the step again that was undone last. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// As [`undo`](Editor::undo).
    pub fn redo(&mut self) -> Result<bool, Error> {
        let Some(step) = self.undone.last() else { return Ok(false) };
        let (body, back) = step.apply(self.document.ranges());
        self.document.set_body(body, &step.before)?;
        self.undone.pop();
        self.done.push(back);
        Ok(true)
    }

    /// The differences from the document as it is now to that as it was opened. Values are shown with at
    /// most `max_shown` characters.
    ///
    /// # Errors
    ///
    /// If they cannot be compared.
    pub fn changes(&self, max_shown: usize) -> Result<Vec<Change>, Error> {
        self.document.diff(&self.original, max_shown)
    }

    /// Takes a difference over from another document, to which this one was compared: from the document as
    /// it was opened, this takes a change back. `None` stands for that one.
    ///
    /// # Errors
    ///
    /// If what differs cannot stand here so; nothing is changed then.
    pub fn take(&mut self, other: Option<&Document>, change: &Change) -> Result<(), Error> {
        let other = other.unwrap_or(&self.original);
        let one = |document: &Document, path: &str| -> Result<(String, String, usize), Error> {
            let found = document.get(path)?;
            let node = found.first().ok_or_else(|| Error::new(format!("{path}: is gone")))?;
            Ok((node.text()?, node.kind(), node.way().last().copied().unwrap_or_default()))
        };
        let path = change.path.as_str();
        let mut order = Vec::new();
        let (value, kind);
        let mut edits = match &change.what {
            ChangeKind::Changed(..) | ChangeKind::Retyped(..) => {
                let (_, own, _) = one(&self.document, path)?;
                (value, kind, _) = one(other, &change.newer)?;
                let kind = Some(kind.as_str()).filter(|kind| *kind != own);
                vec![Edit::Set { path, value: value.as_str().into(), kind }]
            }
            ChangeKind::Added(_) => {
                let at;
                (value, kind, at) = one(other, &change.newer)?;
                let outer = path::split_last(path);
                let around = outer.as_ref().map(|(outer, _)| *outer).unwrap_or_default();
                let len = self.document.get(around)?.first().map_or(0, Node::child_count);
                let is_key = !matches!(outer, Some((_, New::Index(Some(_)))));
                let is_inside = is_key && at < len;
                let kind = Some(kind.as_str()).filter(|_| other.node_is_free(&change.newer));
                let insert = Edit::Insert { path, value: value.as_str().into(), kind };
                let back = Edit::Move { path, to: at };
                std::iter::once(insert).chain(is_inside.then_some(back)).collect()
            }
            ChangeKind::Removed(_) => vec![Edit::Remove { path }],
            ChangeKind::Renamed(_) => {
                let found = other.get(&change.newer)?;
                let gone = || Error::new(format!("{}: is gone", change.newer));
                value = found.first().map(Node::key).ok_or_else(gone)?;
                vec![Edit::Rename { path, key: &value }]
            }
            ChangeKind::Reordered => {
                let inside = |document: &Document, path: &str| -> Result<Vec<_>, Error> {
                    let found = document.get(path)?;
                    let inside = found.first().map(Node::children).unwrap_or_default();
                    Ok(inside.iter().map(|own| (own.key(), own.path())).collect())
                };
                let mut own: HashMap<String, String> =
                    inside(&self.document, path)?.into_iter().collect();
                let wanted = inside(other, &change.newer)?;
                order.extend(wanted.into_iter().filter_map(|(key, _)| own.remove(&key)));
                order.iter().enumerate().map(|(to, path)| Edit::Move { path, to }).collect()
            }
        };
        let result = self.edit(&edits);
        // A format that orders its entries puts them where they belong.
        if result.is_err() && edits.len() == 2 && matches!(change.what, ChangeKind::Added(_)) {
            edits.truncate(1);
            return self.edit(&edits);
        }
        result
    }
}

impl Document {
    /// Whether the value at a path may have any kind: it is no element of a packed array.
    fn node_is_free(&self, path: &str) -> bool {
        let around = path::split_last(path).and_then(|(outer, _)| self.get(outer).ok());
        let around = around.and_then(|found| found.into_iter().next());
        !around.is_some_and(|own| own.kind().starts_with("Packed"))
    }
}

impl Node<'_> {
    /// The positions that lead to it, as [`Document::node`] takes them.
    pub fn way(&self) -> Vec<usize> {
        let at = |edge: &Edge| match edge {
            Edge::Child(at) | Edge::Key(at) | Edge::Hidden(at) => *at,
        };
        with_format!(Nodes: &self.0, own => own.way.iter().map(at).collect())
    }
}
