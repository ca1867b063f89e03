//! The outcome of a merge as a change of OURS.

use super::edit::{Ranged, changed_bytes};
use super::grammar::NewKey;
use super::index::RangeNode;
use super::rewrite::{Change, Source};
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
    match change(merged, &root).map_err(Error::new)? {
        Some(change) => changed_bytes(codec, ours, change),
        None => Ok(root.all_bytes().to_vec()),
    }
}

fn change<'d, V: Values>(
    merged: Merged<RangeNode<'d, V>>,
    ours: &RangeNode<'d, V>,
) -> Result<Option<Change<'d, V>>, String> {
    Ok(match merged {
        Merged::Ours => None,
        Merged::Theirs(node) => Some(Change::Value(V::adopted(&node, None, ours)?.1)),
        Merged::Children(children) => Some(Change::Children(sources(children, ours)?)),
    })
}

fn sources<'d, V: Values>(
    children: Children<RangeNode<'d, V>>,
    ours: &RangeNode<'d, V>,
) -> Result<Vec<Source<'d, V>>, String> {
    let Children { front, merged, rest, .. } = children;
    let mut sources: Vec<Source<'_, V>> = vec![Source::Keep(0..front)];
    for Child { from, value } in merged {
        match (from, value) {
            (Ok(at), value) => match (change(value, ours)?, sources.last_mut()) {
                (Some(change), _) => sources.push(Source::Own(at, change)),
                (None, Some(Source::Keep(range))) if range.end == at => range.end += 1,
                (None, _) => sources.push(Source::Keep(at..at + 1)),
            },
            (Err((around, at)), Merged::Theirs(node)) => {
                let key: Option<NewKey> = around.list().nth(at).map(|(child, _)| child.key.into());
                debug_assert!(key.is_some(), "a merged child stands in THEIRS");
                let (key, piece) = V::adopted(&node, key, ours)?;
                sources.extend(key.map(|key| Source::New(key, piece)));
            }
            // A child that OURS lacks has nothing of OURS.
            (Err(_), _) => debug_assert!(false, "a new child is one of THEIRS"),
        }
    }
    if rest < usize::MAX {
        sources.push(Source::Keep(rest..usize::MAX));
    }
    Ok(sources)
}
