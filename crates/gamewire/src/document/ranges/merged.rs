//! The outcome of a merge as a change of OURS.

use super::edit::Ranged;
use super::index::RangeNode;
use super::rewrite::{Change, Piece, Source, rewrite};
use super::values::Values;
use crate::document::error::Error;
use crate::document::merge::{Child, Children, Merged};

/// Returns the bytes of OURS with what a merge changes.
pub(in crate::document) fn apply<'d, V: Ranged>(
    codec: &'d V,
    ours: &'d V::Content,
    merged: Merged<RangeNode<'d, V>>,
) -> Result<Vec<u8>, Error> {
    let root = codec.outermost(ours);
    match change(merged) {
        Some(change) => rewrite(root, &change),
        None => Ok(root.all_bytes().to_vec()),
    }
}

fn change<V: Values>(merged: Merged<RangeNode<'_, V>>) -> Option<Change<'_, V>> {
    match merged {
        Merged::Ours => None,
        Merged::Theirs(node) => Some(Change::Value(Piece::Of(node))),
        Merged::Children(children) => Some(Change::Children(sources(children))),
    }
}

fn sources<V: Values>(children: Children<RangeNode<'_, V>>) -> Vec<Source<'_, V>> {
    let Children { front, merged, rest, .. } = children;
    let mut sources: Vec<Source<'_, V>> = vec![Source::Keep(0..front)];
    for Child { from, value } in merged {
        match (from, value) {
            (Ok(at), value) => match (change(value), sources.last_mut()) {
                (Some(change), _) => sources.push(Source::Own(at, change)),
                (None, Some(Source::Keep(range))) if range.end == at => range.end += 1,
                (None, _) => sources.push(Source::Keep(at..at + 1)),
            },
            (Err((around, at)), Merged::Theirs(node)) => {
                let key = around.list().nth(at).map(|(child, _)| child.key.into());
                debug_assert!(key.is_some(), "a merged child stands in THEIRS");
                sources.extend(key.map(|key| Source::New(key, Piece::Of(node))));
            }
            // A child that OURS lacks has nothing of OURS.
            (Err(_), _) => debug_assert!(false, "a new child is one of THEIRS"),
        }
    }
    if rest < usize::MAX {
        sources.push(Source::Keep(rest..usize::MAX));
    }
    sources
}
