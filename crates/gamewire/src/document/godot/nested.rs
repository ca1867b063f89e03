//! Variants in base64 that are strings of a JSON text: what is in them is found, listed, compared and merged.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use gamewire_core::bytes::part;

use super::body::VariantBody;
use super::json::GodotJson;
use super::settings::Framing;
use super::{Godot, content};
use crate::document::codec::Codec as _;
use crate::document::diff::{self, Change, ChangeKind};
use crate::document::edit::{self, Edit};
use crate::document::error::Error;
use crate::document::json::{Style, TextBody, leaf_end};
use crate::document::merge::{Conflict, Merger, Side};
use crate::document::node::{Found, descend};
use crate::document::path::{self, PathSet, Step};
use crate::document::ranges::{self, RangeNode};
use crate::document::settings::{Settings, Target};
use crate::document::{self, AsOpened};

/// The strings of a text that are variants in base64, in order; found when one is asked for.
#[derive(Clone, Default)]
pub(in crate::document) struct Blobs(OnceLock<Arc<Vec<Blob>>>);

impl Blobs {
    /// Whether it is known that there are none.
    pub(super) fn are_none(&self) -> bool {
        self.0.get().is_some_and(|own| own.is_empty())
    }
}

impl fmt::Debug for Blobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Blobs")
    }
}

/// A string that is a variant in base64, and where it stands.
pub(super) struct Blob {
    pub(super) at: usize,
    pub(super) codec: Godot,
    pub(super) body: VariantBody,
}

impl Blob {
    pub(super) fn root(&self) -> RangeNode<'_, Godot> {
        self.codec.root(&self.body)
    }
}

type Node<'a> = RangeNode<'a, GodotJson>;

/// Strings that are variants, with the ways to them.
type Nested<'c> = Vec<(Found<Node<'c>>, &'c Blob)>;

fn by_path<'c>(all: &Nested<'c>) -> HashMap<String, &'c Blob> {
    all.iter().map(|(own, blob)| (own.shown(), *blob)).collect()
}

impl GodotJson {
    /// The strings of a text that are variants in base64.
    pub(super) fn blobs<'c>(&self, bytes: &[u8], style: &'c Style) -> &'c [Blob] {
        style.blobs.0.get_or_init(|| Arc::new(self.blobs_in(bytes, 0..bytes.len()).collect()))
    }

    /// Those that begin in a range, which begins outside of strings.
    pub(super) fn blobs_in(&self, bytes: &[u8], range: Range<usize>) -> impl Iterator<Item = Blob> {
        let mut at = range.start;
        std::iter::from_fn(move || {
            loop {
                let rest = bytes.get(at..range.end)?;
                let start = at + rest.iter().position(|b| *b == b'"')?;
                at = leaf_end(bytes, start).ok()?;
                let text = part(bytes, start + 1..at - 1);
                // The zeros of a header.
                let is_header = text.get(2) == Some(&b'A') && text.get(4) == Some(&b'A');
                let variant = if is_header { content::from_base64(text).ok() } else { None };
                let Some(variant) = variant else { continue };
                let mut settings = Settings { limits: self.limits, ..Settings::default() };
                settings.godot.framing = Some(Framing::Bare);
                let target = Target { godot: self.target, ..Target::default() };
                let codec = Godot::new(&settings, &target);
                if let Ok(body) = codec.read(&variant.into()) {
                    return Some(Blob { at: start, codec, body });
                }
            }
        })
    }

    /// The variant that a string is.
    pub(super) fn blob<'c>(node: &Node<'c>) -> Option<&'c Blob> {
        let blobs = node.grammar.blobs(node.all_bytes(), node.context());
        blobs
            .binary_search_by_key(&node.extent.start, |own| own.at)
            .ok()
            .and_then(|at| blobs.get(at))
    }

    /// All strings that are variants, and what stands in arrays and objects around them.
    pub(super) fn all_nested<'c>(&'c self, content: &'c TextBody) -> Nested<'c> {
        let style = content.style.of_line().unwrap_or(&content.style);
        let blobs = self.blobs(&content.body.bytes, style);
        let is_around = |own: &Node<'_>| {
            let next = blobs.partition_point(|blob| blob.at < own.extent.start);
            blobs.get(next).is_some_and(|blob| blob.at < own.extent.end)
        };
        let (mut nested, mut todo) = (Vec::new(), vec![Found::root(self.root(content))]);
        while let Some(here) = todo.pop().filter(|_| !blobs.is_empty()) {
            match Self::blob(&here.node) {
                Some(blob) => nested.push((here, blob)),
                None => {
                    let inside = here.node.each_part(&|_| true).filter(|(.., own)| is_around(own));
                    let inside: Vec<_> = inside.map(|part| here.part(part)).collect();
                    todo.extend(inside.into_iter().rev());
                }
            }
        }
        nested
    }

    /// The text with other strings at some paths.
    fn with_strings(
        &self,
        content: &TextBody,
        strings: &[(String, String)],
    ) -> Result<TextBody, Error> {
        let edits: Vec<Edit<'_>> = strings
            .iter()
            .map(|(path, text)| Edit::Set { path, value: text.into(), kind: Some("string") })
            .collect();
        let made = ranges::edit(self, &[], content, &edits)?;
        Ok(made.map_or_else(|| content.clone(), |(made, _)| made))
    }

    /// The variant that a path leads into, the way to it, and the rest of the path.
    pub(super) fn leads_into<'c, 'p>(
        &'c self,
        content: &'c TextBody,
        path: &'p str,
    ) -> Option<(&'c Blob, Found<Node<'c>>, &'p str)> {
        let ends = path.char_indices().filter_map(|(end, _)| path.split_at_checked(end));
        ends.filter(|(outer, _)| path::is_boundary(path, outer)).find_map(|(outer, rest)| {
            let found = edit::find(self, content, &[outer]).pop()?.pop()?;
            Some((Self::blob(&found.node)?, found, rest))
        })
    }

    /// The values in such variants that a path leads to.
    pub(super) fn found_nested<'c>(
        &'c self,
        content: &'c TextBody,
        path: &str,
    ) -> Vec<document::Node<'c>> {
        let path_set = PathSet::new([(path, 0)]);
        let mut all = Vec::new();
        for (outer, blob) in self.all_nested(content) {
            let rest = outer.path.iter().fold(path_set.clone(), |own, step| own.after(step));
            let mut found = [Vec::new()];
            let Found { path, way, .. } = outer;
            let is_inside = |own: &Found<_>| own.path.len() > path.len();
            let root = Found { path: path.clone(), way, node: blob.root() };
            descend(&root, &rest, &mut found);
            all.extend(
                found.into_iter().flatten().filter(is_inside).map(<Godot as AsOpened>::node),
            );
        }
        all
    }

    /// The differences of two texts: what differs in variants takes the place of the strings that are these.
    pub(super) fn compared(&self, old: &TextBody, new: &TextBody, most: usize) -> Vec<Change> {
        let changes = diff::compare(&self.root(old), &self.root(new), most);
        let [was, is] = [old, new].map(|own| by_path(&self.all_nested(own)));
        let inside = |change: Change| {
            let (was, is) = (was.get(&change.path), is.get(&change.newer));
            let inner = match (&change.what, was, is) {
                (ChangeKind::Changed(..), Some(was), Some(is)) => {
                    diff::compare(&was.root(), &is.root(), most)
                }
                _ => Vec::new(),
            };
            if inner.is_empty() {
                return vec![change];
            }
            let within = |own: Change| Change {
                path: path::joined(&change.path, &own.path),
                newer: path::joined(&change.newer, &own.newer),
                ..own
            };
            inner.into_iter().map(within).collect()
        };
        changes.into_iter().flat_map(inside).collect()
    }

    /// Merges variants that all three have at one path: where that leaves no conflict, the outcome stands in THEIRS,
    /// and OURS did not change.
    pub(super) fn merged_nested(&self, contents: &[&TextBody]) -> Result<Vec<TextBody>, Error> {
        let [ours, theirs, base] = contents else { return Ok(Vec::new()) };
        let all = [ours, theirs, base].map(|own| self.all_nested(own));
        let [mine, other, old] = all.each_ref().map(by_path);
        // In lists, positions may mean others.
        let has_all =
            |other: &HashMap<String, &Blob>| mine.keys().all(|own| other.contains_key(own));
        let is_even = mine.len() == other.len()
            && mine.len() == old.len()
            && has_all(&other)
            && has_all(&old);
        let mut strings = [Vec::new(), Vec::new(), Vec::new()];
        for (found, own) in all.iter().take(1).flatten() {
            let path = found.shown();
            let is_listed = found.path.iter().any(|step| matches!(step, Step::Index(_)));
            let (Some(theirs), Some(base)) = (other.get(&path), old.get(&path)) else {
                continue;
            };
            let [a, b, c] = [own, theirs, base].map(|own| &*own.body.body.bytes);
            if is_listed && !is_even || a == b || b == c || a == c {
                continue;
            }
            let mut is_clean = true;
            let mut merged = |side| {
                let mut choose = |_: &Conflict| {
                    is_clean = false;
                    side
                };
                let mut merged = Merger::new(own.root(), theirs.root(), &mut choose);
                let made = own.codec.merged(&[], &own.body, merged.root(Some(base.root())))?;
                Ok(content::to_base64(made.as_ref().map_or(a, |(_, made)| made)))
            };
            let made: Result<[String; 2], Error> =
                merged(Side::Ours).and_then(|ours| Ok([ours, merged(Side::Theirs)?]));
            let [mine, other, old] = &mut strings;
            match made {
                Ok([made, _]) if is_clean => {
                    other.push((path.clone(), made));
                    old.push((path, content::to_base64(a)));
                }
                Ok([ours, theirs]) => {
                    mine.push((path.clone(), ours));
                    other.push((path, theirs));
                }
                Err(_) => {}
            }
        }
        let made = contents.iter().zip(&strings);
        made.map(|(own, strings)| self.with_strings(own, strings)).collect()
    }
}
