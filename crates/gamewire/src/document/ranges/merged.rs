//! The outcome of a merge as a change of OURS.

use super::bytes::Bytes;
use super::edit::{changed_bytes, count_again};
use super::grammar::NewKey;
use super::index::{List, RangeNode};
use super::rewrite::{Change, Source};
use super::values::Values;
use crate::document::codec::Ranged;
use crate::document::error::Error;
use crate::document::merge::{Child, Children, Merged};
use crate::document::node::Rule;

/// Makes the file of a merge, of that of OURS; `None` where that is it.
pub(in crate::document) fn apply<'d, V: Ranged>(
    codec: &'d V,
    file: &[u8],
    ours: &'d V::Content,
    merged: Merged<RangeNode<'d, V>>,
) -> super::edit::Outcome<V> {
    if let Merged::Theirs(theirs) = &merged
        && let Some(made) = codec.replaced(ours, *theirs)?
    {
        let made = Bytes::from(made);
        return Ok(Some((codec.read(&made)?, made)));
    }
    let Some(made) = merged_bytes(codec, ours, merged)? else { return Ok(None) };
    codec.closed(file, ours, codec.rescanned(ours, made)?).map(Some)
}

/// Makes the bytes of a merge, of those of OURS; `None` where these are it.
pub(in crate::document) fn merged_bytes<'d, V: Ranged>(
    codec: &'d V,
    ours: &'d V::Content,
    merged: Merged<RangeNode<'d, V>>,
) -> Result<Option<Vec<u8>>, Error> {
    let root = codec.root(ours);
    let mut merging = Merging { ours: root, way: Vec::new(), numbered: Vec::new() };
    let Some(change) = merging.change(merged)? else { return Ok(None) };
    let (mut made, _) = changed_bytes(codec, ours, change)?;
    if !merging.numbered.is_empty() {
        made = count_again(codec, &codec.rescanned(ours, made)?, &merging.numbered)?;
    }
    Ok((made != root.all_bytes()).then_some(made))
}

struct Merging<'d, V: Values> {
    ours: RangeNode<'d, V>,
    /// The positions of the merged children that lead to the present value.
    way: Vec<usize>,
    /// The ways to lists whose entries are counted.
    numbered: Vec<Vec<usize>>,
}

impl<'d, V: Values> Merging<'d, V> {
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
        let mut sources: Vec<Source<'_, V>> = Vec::new();
        let mut position = 0usize;
        // The children of THEIRS, and the position of the next one: new ones come in order, but for those that moved.
        let mut theirs: Option<(usize, List<'_, V>)> = None;
        for child in children.all {
            self.way.push(position);
            match (child, sources.last_mut()) {
                (Child::Kept(range), Some(Source::Keep(last))) if last.end == range.start => {
                    position = position.saturating_add(range.len());
                    last.end = range.end;
                }
                (Child::Kept(range), _) => {
                    position = position.saturating_add(range.len());
                    sources.push(Source::Keep(range));
                }
                (Child::Own(at, value), _) => {
                    position += 1;
                    sources.push(match self.change(value)? {
                        Some(change) => Source::Own(at, change),
                        None => Source::Keep(at..at + 1),
                    });
                }
                (Child::New(around, at, node), _) => {
                    position += 1;
                    let (next, mut list) = match theirs.take().filter(|(next, _)| *next <= at) {
                        Some(known) => known,
                        None => (0, around.list()),
                    };
                    let key = list.nth(at - next).map(|(child, _)| NewKey::from(child.key));
                    debug_assert!(key.is_some(), "a merged child stands in THEIRS");
                    theirs = Some((at + 1, list));
                    let (key, piece) = V::adopted(&node, key, &self.ours)?;
                    sources.extend(key.map(|key| Source::New(key, piece)));
                }
            }
            self.way.pop();
        }
        Ok(sources)
    }
}
