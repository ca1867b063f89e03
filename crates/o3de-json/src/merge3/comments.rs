//! Comments of THEIRS, in what was merged.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::list::position_of;
use super::rule::Rule;
use crate::read::{Kind, Reader, comment_at};
use crate::value::decode::{Leaf, Listener, decode};
use crate::value::{Document, Pointer, append_pointer};
use crate::{Options, Result, Value};

/// What became of the comments that THEIRS alone has; see [`carry_comments`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comments {
    /// How many were put into the merged document.
    pub carried: usize,
    /// Those of members and elements that the merged document lacks.
    pub left_out: Vec<String>,
}

/// Puts the comments that neither `base` nor the merged document has into that document, each at the
/// member or element that it stands at in `theirs`: before it, after it on its line, or at the end
/// of what holds it.
///
/// Where `theirs` has another comment in the place of one of `base`, it takes its place in the merged
/// document too, if it is there. A comment that `theirs` removed stays.
///
/// ```
/// use o3de_json::merge3::{Merge, Side, carry_comments};
/// use o3de_json::value::Document;
///
/// let base: Document = "{\n    \"a\": 1,\n    \"b\": 2\n}".parse()?;
/// let mut ours: Document = "{\n    \"a\": 3,\n    \"b\": 2\n}".parse()?;
/// let theirs: Document = "{\n    \"a\": 1, // Why one.\n    \"b\": 4\n}".parse()?;
///
/// let merge = Merge::new(base.value(), ours.value(), theirs.value());
/// *ours.value_mut() = merge.into_value(Side::Ours);
/// assert_eq!(carry_comments(&base, &theirs, &mut ours)?.carried, 1);
/// assert_eq!(ours.to_text()?, "{\n    \"a\": 3, // Why one.\n    \"b\": 4\n}");
/// # Ok::<(), o3de_json::Error>(())
/// ```
///
/// # Errors
/// As [`Document::to_text`].
pub fn carry_comments(
    base: &Document,
    theirs: &Document,
    merged: &mut Document,
) -> Result<Comments> {
    let mut done = Comments::default();
    let new = new_comments(base, theirs);
    if new.is_empty() {
        return Ok(done);
    }
    let text = merged.to_text()?;
    // A place is the same whatever became of what is around it.
    let mut found: Vec<(Comment<'_>, String)> = Vec::new();
    for comment in new {
        match counterpart(theirs.value(), merged.value(), &comment.pointer) {
            Some(pointer) => found.push((comment, pointer)),
            None => done.left_out.push(comment.text.to_owned()),
        }
    }
    let wanted = found.iter().map(|(_, pointer)| pointer.clone()).collect();
    let there = Walk::of(&text, merged.options(), wanted);
    let known: HashMap<Mark<'_>, &Range<usize>> =
        there.comments.iter().map(|own| (own.mark(), &own.range)).collect();
    let lines = Lines { text: &text, unit: merged.unit(), newline: merged.newline() };
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (comment, pointer) in &found {
        let find = |text| known.get(&(text, comment.anchor, pointer.as_str()));
        if find(comment.text).is_some() {
            continue;
        }
        if let Some(old) = comment.instead_of.and_then(find) {
            edits.push(((*old).clone(), comment.text.to_owned()));
            continue;
        }
        let spot = there.spots.get(pointer.as_str()).and_then(Option::as_ref);
        match spot.map(|spot| lines.insert(comment, spot)) {
            Some((at, text)) => edits.push((at..at, text)),
            None => done.left_out.push(comment.text.to_owned()),
        }
    }
    if edits.is_empty() {
        return Ok(done);
    }
    done.carried = edits.len();
    // Those of one place stay in their order.
    edits.sort_by_key(|(range, _)| range.start);
    let mut result = String::with_capacity(text.len());
    let mut from = 0;
    for (Range { start, end }, edit) in edits {
        result.push_str(text.get(from..start).unwrap_or_default());
        result.push_str(&edit);
        from = end;
    }
    result.push_str(text.get(from..).unwrap_or_default());
    *merged = merged.with_text(result)?;
    Ok(done)
}

/// The comments that THEIRS has more of than BASE, or elsewhere.
fn new_comments<'t>(base: &'t Document, theirs: &'t Document) -> Vec<Comment<'t>> {
    if !theirs.source().contains("//") && !theirs.source().contains("/*") {
        return Vec::new();
    }
    let walk = |own: &'t Document| Walk::of(own.source(), own.options(), HashSet::new()).comments;
    let (before, after) = (walk(base), walk(theirs));
    let [places, still]: [HashSet<Mark<'_>>; 2] =
        [&before, &after].map(|all| all.iter().map(Comment::mark).collect());
    // What is gone from its place may have gone to another one, or another one may stand there.
    let gone: Vec<&Comment<'t>> =
        before.iter().filter(|own| !still.contains(&own.mark())).collect();
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
    let is_new: Vec<bool> = after.iter().map(|own| !places.contains(&own.mark())).collect();
    let mut new: Vec<Comment<'_>> =
        after.into_iter().zip(is_new).filter_map(|(own, is_new)| is_new.then_some(own)).collect();
    new.retain(|own| take(by_text.get_mut(own.text)).is_none());
    for own in &mut new {
        own.instead_of = take(by_place.get_mut(&(own.anchor, own.pointer.as_str())));
    }
    new
}

/// The pointer in the merged document of what has a pointer in THEIRS.
fn counterpart(theirs: &Value, merged: &Value, pointer: &str) -> Option<String> {
    let path = Pointer::parse(pointer)?;
    let (mut theirs, mut merged) = (theirs, merged);
    let (mut found, mut rule) = (String::new(), Rule::Plain);
    for token in path.tokens() {
        match (theirs, merged) {
            (Value::Object(own), Value::Object(other)) => {
                (theirs, merged) = (own.get(&token.name)?, other.get(&token.name)?);
                rule = Rule::of(&token.name);
                append_pointer(&mut found, &token.name);
            }
            (Value::Array(own), Value::Array(other)) => {
                let at = token.index?;
                let to = position_of(own, other, at, rule)?;
                (theirs, merged) = (own.get(at)?, other.get(to)?);
                rule = Rule::Plain;
                append_pointer(&mut found, &to.to_string());
            }
            _ => return None,
        }
    }
    Some(found)
}

/// Where a comment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Anchor {
    /// Before a member or element, or the root.
    Before,
    /// Between the name of a member and its value.
    Value,
    /// After a value, on its line; or after the root.
    After,
    /// Before the bracket that ends an array or object.
    End,
}

/// A comment, and the pointer of what it stands at.
struct Comment<'t> {
    text: &'t str,
    range: Range<usize>,
    anchor: Anchor,
    pointer: String,
    /// The comment that stood there before, and does no more.
    instead_of: Option<&'t str>,
}

type Mark<'a> = (&'a str, Anchor, &'a str);

impl Comment<'_> {
    fn mark(&self) -> Mark<'_> {
        (self.text, self.anchor, &self.pointer)
    }
}

/// Where a member or element is in a text, from its name on, and where its value is.
#[derive(Clone)]
struct Spot {
    start: usize,
    value: Range<usize>,
}

/// The comments of a text, and where some of its values are.
struct Walk<'t> {
    text: &'t str,
    comments: Vec<Comment<'t>>,
    spots: HashMap<String, Option<Spot>>,
    /// Of the value that comes next, or of the last one.
    pointer: String,
    /// Of each open container, the length of its pointer and how many elements it has.
    levels: Vec<(usize, usize)>,
    /// Where the last token ends, and whether it ends a value.
    done: usize,
    is_after: bool,
    /// Where the present member begins, if its value did not.
    name: Option<usize>,
}

impl<'t> Walk<'t> {
    /// Of a text that was read or written by these options.
    fn of(text: &'t str, options: &Options, wanted: HashSet<String>) -> Self {
        let spots = wanted.into_iter().map(|pointer| (pointer, None)).collect();
        let mut walk = Walk {
            text,
            comments: Vec::new(),
            spots,
            pointer: String::new(),
            levels: Vec::new(),
            done: 0,
            is_after: false,
            name: None,
        };
        // It was read once: what would be wrong with it was said then.
        _ = decode(&mut Reader::new(text, options).without_limit(), &mut walk);
        walk.gap(Anchor::After, false);
        walk
    }

    /// Notes the comments after the last token: those on its line stand after its value, the others
    /// at `next`, whose pointer the caller has still to add where it `is_pending`.
    fn gap(&mut self, next: Anchor, is_pending: bool) -> Range<usize> {
        let first = self.comments.len();
        let mut at = self.done;
        while let Some(Range { start, end }) = comment_at(self.text, at) {
            let text = self.text.get(start..end).unwrap_or_default().trim_end();
            let before = self.text.get(self.done..start).unwrap_or_default();
            let rest = self.text.get(end..).unwrap_or_default();
            let ends_line =
                rest.trim_start_matches([' ', '\t', ',']).starts_with(['\n', '\r', '/']);
            let is_after = self.is_after && ends_line && !before.contains('\n');
            let anchor = if is_after { Anchor::After } else { next };
            let pointer = match is_pending && !is_after {
                true => String::new(),
                false => self.pointer.clone(),
            };
            let range = start..start.saturating_add(text.len());
            self.comments.push(Comment { text, range, anchor, pointer, instead_of: None });
            at = end;
        }
        first..self.comments.len()
    }

    /// A member or element begins: what was noted before it gets its pointer.
    fn step(&mut self, name: &str, noted: Range<usize>) {
        append_pointer(&mut self.pointer, name);
        for own in self.comments.get_mut(noted).unwrap_or_default() {
            if own.anchor == Anchor::Before {
                own.pointer.clone_from(&self.pointer);
            }
        }
    }

    fn begins(&mut self, start: usize, end: usize) {
        if self.levels.is_empty() {
            self.gap(Anchor::Before, false);
        } else if self.name.is_some() {
            self.gap(Anchor::Value, false);
        }
        let name = self.name.take();
        if let Some(spot) = self.spots.get_mut(&self.pointer) {
            // Of several members of one name a pointer means the first.
            spot.get_or_insert(Spot { start: name.unwrap_or(start), value: start..end });
        }
        self.done = end;
    }
}

impl<'t> Listener<'t> for Walk<'t> {
    fn begin(&mut self, _: Kind, start: usize) {
        self.begins(start, start.saturating_add(1));
        self.is_after = false;
        self.levels.push((self.pointer.len(), 0));
    }

    fn name(&mut self, start: usize, end: usize, name: Cow<'t, str>) {
        let noted = self.gap(Anchor::Before, true);
        if let Some((length, _)) = self.levels.last() {
            self.pointer.truncate(*length);
        }
        self.step(&name, noted);
        (self.done, self.is_after, self.name) = (end, false, Some(start));
    }

    fn element(&mut self) {
        let noted = self.gap(Anchor::Before, true);
        let Some((length, count)) = self.levels.last_mut() else { return };
        let at = *count;
        *count = at.saturating_add(1);
        self.pointer.truncate(*length);
        self.step(&at.to_string(), noted);
    }

    fn leaf(&mut self, start: usize, end: usize, _: Leaf<'t>) {
        self.begins(start, end);
        self.is_after = true;
    }

    fn end(&mut self, _: Kind, end: usize) {
        let noted = self.gap(Anchor::End, true);
        let Some((length, _)) = self.levels.pop() else { return };
        self.pointer.truncate(length);
        for own in self.comments.get_mut(noted).unwrap_or_default() {
            if own.anchor == Anchor::End {
                own.pointer.clone_from(&self.pointer);
            }
        }
        if let Some(Some(spot)) = self.spots.get_mut(&self.pointer) {
            spot.value.end = end;
        }
        (self.done, self.is_after) = (end, true);
    }
}

/// A text, and how it is laid out.
struct Lines<'t> {
    text: &'t str,
    unit: &'t str,
    newline: &'static str,
}

impl Lines<'_> {
    fn text(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// What is put where for a comment.
    fn insert(&self, comment: &Comment<'_>, spot: &Spot) -> (usize, String) {
        let Comment { text, anchor, ref pointer, .. } = *comment;
        let newline = self.newline;
        let (start, Range { start: value, end }) = (spot.start, spot.value.clone());
        let is_line = text.starts_with("//");
        match anchor {
            Anchor::Before | Anchor::Value => {
                let at = if anchor == Anchor::Before { start } else { value };
                let (indent, is_first) = self.indent(at);
                match is_line || is_first {
                    true => (at, format!("{text}{newline}{indent}")),
                    false => (at, format!("{text} ")),
                }
            }
            Anchor::After if pointer.is_empty() => {
                (self.text.trim_end().len(), format!("{newline}{text}"))
            }
            Anchor::After => self.after(text, end, is_line),
            Anchor::End => {
                let bracket = end.saturating_sub(1);
                let at = self.text(0..bracket).trim_end().len();
                let (indent, is_first) = self.indent(bracket);
                let inner = format!("{newline}{indent}{}{text}", self.unit);
                // The bracket comes onto a line of its own.
                let tail = if is_first { String::new() } else { format!("{newline}{indent}") };
                (at, inner + &tail)
            }
        }
    }

    /// After a value and its comma; on a line of its own if the rest of the line is taken.
    fn after(&self, text: &str, end: usize, is_line: bool) -> (usize, String) {
        let (newline, (indent, _)) = (self.newline, self.indent(end));
        let rest = self.text(end..self.text.len());
        let line = rest.split_inclusive('\n').next().unwrap_or_default().trim_end();
        let comma = line.len().saturating_sub(line.trim_start().len());
        let comma = if line.trim_start().starts_with(',') { comma.saturating_add(1) } else { 0 };
        let at = end.saturating_add(comma);
        match line.get(comma..).unwrap_or_default().trim_start() {
            taken if taken.starts_with('/') => {
                (end.saturating_add(line.len()), format!("{newline}{indent}{text}"))
            }
            "" => (at, format!(" {text}")),
            _ if is_line => (at, format!(" {text}{newline}{indent}")),
            _ => (at, format!(" {text}")),
        }
    }

    /// The white space at the start of the line of an offset, and whether nothing else stands before
    /// that on the line.
    fn indent(&self, offset: usize) -> (&str, bool) {
        let before = self.text(0..offset);
        let line = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
        let before = self.text(line..offset);
        let end = before.find(|c| c != ' ' && c != '\t').unwrap_or(before.len());
        (before.get(..end).unwrap_or_default(), end == before.len())
    }
}
