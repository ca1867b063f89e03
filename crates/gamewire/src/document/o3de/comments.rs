//! Comments of THEIRS, in what was merged.

use std::collections::{HashMap, HashSet};

use o3de_json::value::{Anchor, Comment, Document, NewComment, Pointer, append_pointer};

use super::node::{Node, rule_of};
use super::{O3de, TextBody};
use crate::document::codec::Codec as _;
use crate::document::error::Error;
use crate::document::json::has_comments;
use crate::document::json::values::by_name;
use crate::document::merge::positions;
use crate::document::node::Rule;

/// Puts the comments that neither `base` nor the merged document has into that document, each at the
/// member or element that it stands at in `theirs`: before it, after it on its line, or at the end
/// of what holds it. `left_out` receives those that have no place there.
///
/// Where `theirs` has another comment in the place of one of `base`, it takes its place in the merged
/// document too, if it is present. A comment that `theirs` removed stays.
///
/// A comment with the same text between the same two members or elements is the same one, so that a
/// second call changes nothing. Of several members of one name, it comes to the first.
pub(super) fn carry_comments(
    codec: &O3de,
    base: Option<&TextBody>,
    theirs: &TextBody,
    merged: Vec<u8>,
    left_out: &mut dyn FnMut(&str),
) -> Result<Vec<u8>, Error> {
    if !has_comments(&theirs.body.bytes)? {
        return Ok(merged);
    }
    let read = |bytes: &[u8]| Document::from_slice(bytes, &codec.options);
    let before = read(base.map_or(b"null", |base| &base.body.bytes))?;
    let after = read(&theirs.body.bytes)?;
    let new = new_comments(&before, &after)?;
    if new.is_empty() {
        return Ok(merged);
    }
    let (now, content) = (read(&merged)?, codec.read(&merged.as_slice().into())?);
    let there = now.comments()?;
    // A comment that was put at the end of a line may be read as one before what follows, and the other
    // way around.
    let beside = there.iter().filter_map(|own| Some((own.text, own.other.as_ref()?)));
    let beside = beside.map(|(text, (anchor, pointer))| (text, *anchor, pointer.as_str()));
    let known: HashSet<Mark<'_>> = there.iter().map(mark).chain(beside).collect();
    let mut pairs = Pairs::default();
    let mut added = Vec::new();
    for (comment, instead_of) in new {
        let text = comment.text;
        let roots = [theirs, &content].map(|own| codec.root(own));
        match pairs.counterpart(roots, &comment.pointer) {
            Some(pointer) if known.contains(&(text, comment.anchor, &pointer)) => {}
            Some(pointer) => {
                added.push(NewComment { text, anchor: comment.anchor, pointer, instead_of });
            }
            None => left_out(text),
        }
    }
    if added.is_empty() {
        return Ok(merged);
    }
    let (result, left) = now.with_comments(&added)?;
    left.iter().for_each(|own| left_out(own.text));
    Ok(if left.len() < added.len() { result.to_vec()? } else { merged })
}

/// The identity of a comment: its text and where it stands.
type Mark<'a> = (&'a str, Anchor, &'a str);

fn mark<'a>(own: &'a Comment<'_>) -> Mark<'a> {
    (own.text, own.anchor, &own.pointer)
}

/// The comments that THEIRS has more of than BASE, or elsewhere, each with the one that it replaces.
fn new_comments<'t>(
    base: &'t Document,
    theirs: &'t Document,
) -> Result<Vec<(Comment<'t>, Option<&'t str>)>, Error> {
    let (before, after) = (base.comments()?, theirs.comments()?);
    let [places, still]: [HashSet<Mark<'_>>; 2] =
        [&before, &after].map(|all| all.iter().map(mark).collect());
    // A comment that is gone may have gone to another place, or another one may stand in its place.
    let gone: Vec<&Comment<'t>> = before.iter().filter(|own| !still.contains(&mark(own))).collect();
    // The first of equal ones stands last, so that it is taken first.
    let mut by_text: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut by_place: HashMap<(Anchor, &str), Vec<usize>> = HashMap::new();
    for (at, own) in gone.iter().enumerate().rev() {
        by_text.entry(own.text).or_default().push(at);
        by_place.entry((own.anchor, &own.pointer)).or_default().push(at);
    }
    let mut is_taken = vec![false; gone.len()];
    let mut take = |found: Option<&mut Vec<usize>>| -> Option<&'t str> {
        let found = found?;
        while let Some(at) = found.pop() {
            if !std::mem::replace(is_taken.get_mut(at)?, true) {
                return gone.get(at).map(|own| own.text);
            }
        }
        None
    };
    let mut new: Vec<&Comment<'t>> =
        after.iter().filter(|own| !places.contains(&mark(own))).collect();
    new.retain(|own| take(by_text.get_mut(own.text)).is_none());
    let mut pairs = Vec::with_capacity(new.len());
    for own in new {
        let replaced = take(by_place.get_mut(&(own.anchor, own.pointer.as_str())));
        pairs.push((own.clone(), replaced));
    }
    Ok(pairs)
}

/// The values of THEIRS beside those of the merged document.
#[derive(Default)]
struct Pairs<'v> {
    /// The children of each container of THEIRS that was looked at, and of its counterpart, by where it begins.
    known: HashMap<usize, Children<'v>>,
}

/// The children of a container, by those of its counterpart.
enum Children<'v> {
    /// The first of each name.
    Members([HashMap<String, Node<'v>>; 2]),
    /// The elements of both; for each of THEIRS, the position of the other one.
    Elements([Vec<Node<'v>>; 2], Vec<Option<usize>>),
    None,
}

fn elements<'v>(node: &Node<'v>) -> Vec<Node<'v>> {
    node.list().map(|(_, node)| node).collect()
}

impl<'v> Pairs<'v> {
    /// The pointer in the merged document of what has a pointer in THEIRS.
    fn counterpart(
        &mut self,
        [mut theirs, mut merged]: [Node<'v>; 2],
        pointer: &str,
    ) -> Option<String> {
        let path = Pointer::parse(pointer)?;
        let (mut found, mut rule) = (String::new(), Rule::Plain);
        for token in path.tokens() {
            // There is one way to each value, and so one counterpart.
            let children = self.known.entry(theirs.extent.start).or_insert_with(|| {
                match [&theirs, &merged].map(|own| own.open().map(|open| open.is_list)) {
                    [Some(false), Some(false)] => {
                        Children::Members([&theirs, &merged].map(by_name))
                    }
                    [Some(true), Some(true)] => {
                        let lists = [&theirs, &merged].map(elements);
                        let [own, other] = &lists;
                        let places = positions(own, other, rule);
                        Children::Elements(lists, places)
                    }
                    _ => Children::None,
                }
            });
            match children {
                Children::Members([own, other]) => {
                    let name: &str = &token.name;
                    (theirs, merged) = (*own.get(name)?, *other.get(name)?);
                    rule = rule_of(name);
                    append_pointer(&mut found, name);
                }
                Children::Elements([own, other], places) => {
                    let at = token.index?;
                    let to = places.get(at).copied().flatten()?;
                    (theirs, merged) = (*own.get(at)?, *other.get(to)?);
                    rule = Rule::Plain;
                    append_pointer(&mut found, &to.to_string());
                }
                Children::None => return None,
            }
        }
        Some(found)
    }
}
