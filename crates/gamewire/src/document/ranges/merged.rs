//! The outcome of a merge as a change of OURS.

use super::edit::{Ranged, changed_bytes, count_again};
use super::grammar::NewKey;
use super::index::RangeNode;
use super::rewrite::{Change, Source};
use super::values::Values;
use crate::document::error::Error;
use crate::document::merge::{Child, Children, Merged};
use crate::document::node::Rule;

/// Returns the bytes of OURS with what a merge changes.
pub(in crate::document) fn apply<'d, V: Ranged>(
    codec: &'d V,
    ours: &'d V::Content,
    merged: Merged<RangeNode<'d, V>>,
) -> Result<Vec<u8>, Error> {
    let root = codec.outermost(ours);
    let mut outcome = Outcome { ours: root, way: Vec::new(), numbered: Vec::new() };
    let made = match outcome.change(merged)? {
        Some(change) => changed_bytes(codec, ours, change)?,
        None => root.all_bytes().to_vec(),
    };
    match outcome.numbered.as_slice() {
        [] => Ok(made),
        numbered => count_again(codec, &codec.rescanned(ours, made)?, numbered),
    }
}

struct Outcome<'d, V: Values> {
    ours: RangeNode<'d, V>,
    /// The positions of the merged children that lead to the present value.
    way: Vec<usize>,
    /// The ways to lists whose entries are counted.
    numbered: Vec<Vec<usize>>,
}

impl<'d, V: Values> Outcome<'d, V> {
    fn change(&mut self, merged: Merged<RangeNode<'d, V>>) -> Result<Option<Change<'d, V>>, Error> {
        Ok(match merged {
            Merged::Ours => None,
            Merged::Theirs(node) => Some(Change::Value(V::adopted(&node, None, &self.ours)?.1)),
            Merged::Children(children) => {
                if children.rule == Rule::Numbered {
                    self.numbered.push(self.way.clone());
                }
                Some(Change::Children(self.sources(children)?))
            }
        })
    }

    fn sources(
        &mut self,
        children: Children<RangeNode<'d, V>>,
    ) -> Result<Vec<Source<'d, V>>, Error> {
        let Children { front, merged, rest, .. } = children;
        let mut sources: Vec<Source<'_, V>> = vec![Source::Keep(0..front)];
        for (position, Child { from, value }) in (front..).zip(merged) {
            self.way.push(position);
            match (from, value) {
                (Ok(at), value) => match (self.change(value)?, sources.last_mut()) {
                    (Some(change), _) => sources.push(Source::Own(at, change)),
                    (None, Some(Source::Keep(range))) if range.end == at => range.end += 1,
                    (None, _) => sources.push(Source::Keep(at..at + 1)),
                },
                (Err((around, at)), Merged::Theirs(node)) => {
                    let key: Option<NewKey> =
                        around.list().nth(at).map(|(child, _)| child.key.into());
                    debug_assert!(key.is_some(), "a merged child stands in THEIRS");
                    let (key, piece) = V::adopted(&node, key, &self.ours)?;
                    sources.extend(key.map(|key| Source::New(key, piece)));
                }
                // A child that OURS lacks has nothing of OURS.
                (Err(_), _) => debug_assert!(false, "a new child is one of THEIRS"),
            }
            self.way.pop();
        }
        if rest < usize::MAX {
            sources.push(Source::Keep(rest..usize::MAX));
        }
        Ok(sources)
    }
}
