//! Comments of THEIRS, in what was merged.

use std::collections::{HashMap, HashSet};

use o3de_json::value::{Anchor, Comment, Document, Names, NewComment, Pointer, append_pointer};
use o3de_json::{Result, Value};

use super::node::{Node, rule_of};
use crate::document::merge::positions;
use crate::document::node::Rule;

/// Puts the comments that neither `base` nor the merged document has into that document, each at the
/// member or element that it stands at in `theirs`: before it, after it on its line, or at the end
/// of what holds it.
///
/// Where `theirs` has another comment in the place of one of `base`, it takes its place in the merged
/// document too, if it is present. A comment that `theirs` removed stays.
///
/// A comment with the same text between the same two members or elements is the same one, so that a
/// second call changes nothing. Of several members of one name, it comes to the first.
///
/// # Errors
/// As [`Document::to_text`], and [`ErrorKind::MemoryLimit`](o3de_json::ErrorKind::MemoryLimit) where the
/// pointers of all comments take more than [`Options::max_memory`](o3de_json::Options::max_memory).
pub(super) fn carry_comments(
    base: &Document,
    theirs: &Document,
    merged: &mut Document,
) -> Result<Vec<String>> {
    let mut left_out = Vec::new();
    let new = new_comments(base, theirs)?;
    if new.is_empty() {
        return Ok(left_out);
    }
    let now = merged.with_text(merged.to_text()?)?;
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
        match pairs.counterpart(theirs.value(), now.value(), &comment.pointer) {
            Some(pointer) if known.contains(&(text, comment.anchor, &pointer)) => {}
            Some(pointer) => {
                added.push(NewComment { text, anchor: comment.anchor, pointer, instead_of });
            }
            None => left_out.push(text.to_owned()),
        }
    }
    if added.is_empty() {
        return Ok(left_out);
    }
    let (result, left) = now.with_comments(&added)?;
    left_out.extend(left.iter().map(|own| own.text.to_owned()));
    if left.len() < added.len() {
        *merged = result;
    }
    Ok(left_out)
}

fn nodes(items: &[Value]) -> Vec<Node<'_>> {
    items.iter().map(Node).collect()
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
) -> Result<Vec<(Comment<'t>, Option<&'t str>)>> {
    if !theirs.source().contains("//") && !theirs.source().contains("/*") {
        return Ok(Vec::new());
    }
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
    /// The children of each container of THEIRS, and of its counterpart.
    known: HashMap<*const Value, Children<'v>>,
}

/// The children of a container, by those of its counterpart.
enum Children<'v> {
    Members([Names<'v>; 2]),
    /// For each element, the position of the other one.
    Elements(Vec<Option<usize>>),
    None,
}

impl<'v> Pairs<'v> {
    /// The pointer in the merged document of what has a pointer in THEIRS.
    fn counterpart(
        &mut self,
        mut theirs: &'v Value,
        mut merged: &'v Value,
        pointer: &str,
    ) -> Option<String> {
        let path = Pointer::parse(pointer)?;
        let (mut found, mut rule) = (String::new(), Rule::Plain);
        for token in path.tokens() {
            // There is one way to each value, and so one counterpart.
            let key: *const Value = theirs;
            let children = self.known.entry(key).or_insert_with(|| match (theirs, merged) {
                (Value::Object(own), Value::Object(other)) => {
                    Children::Members([own, other].map(Names::of))
                }
                (Value::Array(own), Value::Array(other)) => {
                    Children::Elements(positions(&nodes(own), &nodes(other), rule))
                }
                _ => Children::None,
            });
            match children {
                Children::Members([own, other]) => {
                    (theirs, merged) = (own.find(&token.name)?, other.find(&token.name)?);
                    rule = rule_of(&token.name);
                    append_pointer(&mut found, &token.name);
                }
                Children::Elements(places) => {
                    let at = token.index?;
                    let to = places.get(at).copied().flatten()?;
                    (theirs, merged) = (theirs.get(at)?, merged.get(to)?);
                    rule = Rule::Plain;
                    append_pointer(&mut found, &to.to_string());
                }
                Children::None => return None,
            }
        }
        Some(found)
    }
}
