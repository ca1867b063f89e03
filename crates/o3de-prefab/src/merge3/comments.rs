//! Comments of THEIRS, in what was merged.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::list::positions;
use super::rule::Rule;
use o3de_json::value::{Document, Names, Pointer, TextPart, append_pointer, comment_at, walk_text};
use o3de_json::{Error, ErrorKind, Options, Result, Value};

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
/// A comment with the same text between the same two members or elements is the same one, so that a
/// second call changes nothing. Of several members of one name, it comes to the first.
///
/// ```
/// use o3de_prefab::merge3::{Merge, Side, carry_comments};
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
/// As [`Document::to_text`], and [`ErrorKind::MemoryLimit`](o3de_json::ErrorKind::MemoryLimit) where the
/// pointers of all comments take more than [`Options::max_memory`](o3de_json::Options::max_memory).
pub fn carry_comments(
    base: &Document,
    theirs: &Document,
    merged: &mut Document,
) -> Result<Comments> {
    let mut done = Comments::default();
    let new = new_comments(base, theirs)?;
    if new.is_empty() {
        return Ok(done);
    }
    let text = merged.to_text()?;
    // A place is the same whatever became of what is around it.
    let mut found: Vec<(Comment<'_>, String)> = Vec::new();
    let mut pairs = Pairs::default();
    for comment in new {
        match pairs.counterpart(theirs.value(), merged.value(), comment.pointer()) {
            Some(pointer) => found.push((comment, pointer)),
            None => done.left_out.push(comment.text.to_owned()),
        }
    }
    let wanted = found.iter().map(|(_, pointer)| pointer.clone()).collect();
    let there = Walk::of(&text, merged.options(), wanted)?;
    let own: HashMap<Mark<'_>, &Range<usize>> =
        there.comments.iter().map(|own| (own.mark(), &own.range)).collect();
    // One that was put at the end of a line may be read as one before what follows, and the other way
    // around.
    let beside: HashSet<Mark<'_>> = there.comments.iter().filter_map(Comment::other_mark).collect();
    let mut lines = Lines::new(&text, merged);
    let mut edits: Vec<Edit> = Vec::new();
    // Those that take the place of others come first: what is put behind them depends on them.
    let mut added = Vec::new();
    let mut replaced = HashSet::new();
    for (comment, pointer) in &found {
        let mark = |text| (text, comment.anchor(), pointer.as_str());
        if own.contains_key(&mark(comment.text)) || beside.contains(&mark(comment.text)) {
            continue;
        }
        let old = comment.instead_of.and_then(|old| own.get(&mark(old)));
        match old.filter(|old| replaced.insert(old.start)) {
            Some(old) => edits.push(lines.replace(comment, old)),
            None => added.push((comment, pointer)),
        }
    }
    for (comment, pointer) in added {
        let spot = there.spots.get(pointer.as_str()).and_then(Option::as_ref);
        match spot.and_then(|spot| lines.insert(comment, spot)) {
            Some(edit) => edits.push(edit),
            None => done.left_out.push(comment.text.to_owned()),
        }
    }
    if edits.is_empty() {
        return Ok(done);
    }
    done.carried = edits.len();
    // Those of one place stay in their order.
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end, edit.anchor));
    let mut result = String::with_capacity(text.len());
    let mut from = 0;
    for Edit { range: Range { start, end }, text: new, .. } in edits {
        result.push_str(text.get(from..start).unwrap_or_default());
        result.push_str(&new);
        from = end;
    }
    result.push_str(text.get(from..).unwrap_or_default());
    *merged = merged.with_text(result)?;
    Ok(done)
}

/// The comments that THEIRS has more of than BASE, or elsewhere.
fn new_comments<'t>(base: &'t Document, theirs: &'t Document) -> Result<Vec<Comment<'t>>> {
    if !theirs.source().contains("//") && !theirs.source().contains("/*") {
        return Ok(Vec::new());
    }
    let walk = |own: &'t Document| {
        Walk::of(own.source(), own.options(), HashSet::new()).map(|walk| walk.comments)
    };
    let (before, after) = (walk(base)?, walk(theirs)?);
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
        by_place.entry((own.anchor(), own.pointer())).or_default().push(at);
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
    let replaced: Vec<Option<&str>> =
        new.iter().map(|own| take(by_place.get_mut(&(own.anchor(), own.pointer())))).collect();
    for (own, old) in new.iter_mut().zip(replaced) {
        own.instead_of = old;
    }
    Ok(new)
}

/// What is where in THEIRS and in the merged document.
#[derive(Default)]
struct Pairs<'v> {
    /// Of containers of THEIRS, each with its counterpart.
    known: HashMap<*const Value, Children<'v>>,
}

/// The children of a container, by those of its counterpart.
enum Children<'v> {
    Members([Names<'v>; 2]),
    /// Of each element, the place of the other one.
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
                    Children::Elements(positions(own, other, rule))
                }
                _ => Children::None,
            });
            match children {
                Children::Members([own, other]) => {
                    (theirs, merged) = (own.find(&token.name)?, other.find(&token.name)?);
                    rule = Rule::of(&token.name);
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

/// Where a comment stands. Of those that are put at one place, the first ones come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Anchor {
    /// After a value, on its line; or after the root.
    After,
    /// Before the bracket that ends an array or object.
    End,
    /// Before a member or element, or the root.
    Before,
    /// Between the name of a member and its value.
    Value,
}

/// A comment, and the pointers of what it stands between.
struct Comment<'t> {
    text: &'t str,
    range: Range<usize>,
    /// Of the value before it, unless a bracket or a name is.
    after: Option<String>,
    /// What it stands at otherwise.
    next: (Anchor, String),
    /// Whether it stands on the line of the value before it, at its end.
    is_after: bool,
    /// The comment that stood there before, and does no more.
    instead_of: Option<&'t str>,
}

type Mark<'a> = (&'a str, Anchor, &'a str);

impl Comment<'_> {
    fn anchor(&self) -> Anchor {
        if self.is_after { Anchor::After } else { self.next.0 }
    }

    fn pointer(&self) -> &str {
        match &self.after {
            Some(after) if self.is_after => after,
            _ => &self.next.1,
        }
    }

    fn mark(&self) -> Mark<'_> {
        (self.text, self.anchor(), self.pointer())
    }

    /// As what it would be read in another layout.
    fn other_mark(&self) -> Option<Mark<'_>> {
        let after = self.after.as_ref()?;
        Some(match self.is_after {
            true => (self.text, self.next.0, &self.next.1),
            false => (self.text, Anchor::After, after),
        })
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
    levels: Vec<Level>,
    /// Where the last token ends, and whether it ends a value.
    done: usize,
    is_after: bool,
    /// Where the present member begins, if its value did not.
    name: Option<usize>,
    /// How many bytes of memory pointers may still take, and whether they have taken more.
    left: usize,
    is_over: bool,
}

/// An open container.
struct Level {
    start: usize,
    /// Length of its pointer.
    length: usize,
    elements: usize,
}

impl<'t> Walk<'t> {
    /// Of a text that was read or written by these options.
    fn of(text: &'t str, options: &Options, wanted: HashSet<String>) -> Result<Self> {
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
            left: options.memory(text.len()),
            is_over: false,
        };
        walk_text(text, options, &mut |part, start, end| {
            match part {
                TextPart::Begin(_) => walk.begin(start),
                TextPart::Name(name) => walk.name(start, end, &name),
                TextPart::Element => walk.element(),
                TextPart::Text(_) | TextPart::Leaf => walk.leaf(start, end),
                TextPart::End => walk.end(end),
            }
            !walk.is_over
        });
        walk.gap(Anchor::After, false);
        match walk.is_over {
            true => {
                let message = "comments take more than max_memory".to_owned();
                Err(Error::with_kind(ErrorKind::MemoryLimit, message))
            }
            false => Ok(walk),
        }
    }

    /// Notes the comments after the last token: those on its line stand after its value, the others
    /// at `next`, whose pointer the caller has still to add where it `is_pending`.
    fn gap(&mut self, next: Anchor, is_pending: bool) -> Range<usize> {
        let first = self.comments.len();
        let (mut at, mut is_on_line) = (self.done, true);
        while let Some(Range { start, end }) = comment_at(self.text, at).filter(|_| !self.is_over) {
            let text = self.text.get(start..end).unwrap_or_default().trim_end();
            is_on_line &= !self.text.get(at..start).unwrap_or_default().contains('\n');
            let rest = self.text.get(end..).unwrap_or_default();
            let ends_line =
                rest.trim_start_matches([' ', '\t', ',']).starts_with(['\n', '\r', '/']);
            let own = start..start.saturating_add(text.len());
            at = own.end;
            let after = self.is_after.then(|| self.pointer.clone());
            let pointer = if is_pending { String::new() } else { self.pointer.clone() };
            self.take(after.as_ref().map_or(0, String::len).saturating_add(pointer.len()));
            self.comments.push(Comment {
                text,
                range: own,
                after,
                next: (next, pointer),
                is_after: self.is_after && ends_line && is_on_line,
                instead_of: None,
            });
            is_on_line &= !text.contains('\n');
        }
        first..self.comments.len()
    }

    fn take(&mut self, bytes: usize) {
        let (left, is_over) = self.left.overflowing_sub(bytes);
        self.left = left;
        self.is_over |= is_over;
    }

    /// Gives what was noted the pointer of what it stands before.
    fn give(&mut self, noted: Range<usize>) {
        self.take(self.pointer.len().saturating_mul(noted.len()));
        for own in self.comments.get_mut(noted).unwrap_or_default() {
            if self.is_over {
                return;
            }
            own.next.1.clone_from(&self.pointer);
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

impl Walk<'_> {
    fn begin(&mut self, start: usize) {
        self.begins(start, start.saturating_add(1));
        self.is_after = false;
        self.levels.push(Level { start, length: self.pointer.len(), elements: 0 });
    }

    fn name(&mut self, start: usize, end: usize, name: &str) {
        let noted = self.gap(Anchor::Before, true);
        if let Some(level) = self.levels.last() {
            self.pointer.truncate(level.length);
        }
        append_pointer(&mut self.pointer, name);
        self.give(noted);
        (self.done, self.is_after, self.name) = (end, false, Some(start));
    }

    fn element(&mut self) {
        let noted = self.gap(Anchor::Before, true);
        let Some(level) = self.levels.last_mut() else { return };
        self.pointer.truncate(level.length);
        append_pointer(&mut self.pointer, &level.elements.to_string());
        level.elements = level.elements.saturating_add(1);
        self.give(noted);
    }

    fn leaf(&mut self, start: usize, end: usize) {
        self.begins(start, end);
        self.is_after = true;
    }

    fn end(&mut self, end: usize) {
        let noted = self.gap(Anchor::End, true);
        let Some(level) = self.levels.pop() else { return };
        self.pointer.truncate(level.length);
        self.give(noted);
        if let Some(Some(spot)) = self.spots.get_mut(&self.pointer)
            && spot.value.start == level.start
        {
            spot.value.end = end;
        }
        (self.done, self.is_after) = (end, true);
    }
}

/// What is put in the place of a part of a text.
struct Edit {
    range: Range<usize>,
    anchor: Anchor,
    text: String,
}

/// A text, and how it is laid out.
struct Lines<'t> {
    text: &'t str,
    unit: &'t str,
    newline: &'static str,
    /// Where lines begin.
    starts: Vec<usize>,
    /// Offsets behind which a comment runs to the end of its line, when the edits are made.
    open: HashSet<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str, layout: &'t Document) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at.saturating_add(1));
        Lines {
            text,
            unit: layout.unit(),
            newline: layout.newline(),
            starts: std::iter::once(0).chain(ends).collect(),
            open: HashSet::new(),
        }
    }

    fn text(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or_default()
    }

    /// A comment in the place of another one.
    fn replace(&mut self, comment: &Comment<'_>, old: &Range<usize>) -> Edit {
        let Range { start, end } = *old;
        let mut text = comment.text.to_owned();
        if is_line(&text) {
            match self.is_end(end) {
                true => _ = self.open.insert(end),
                // Else the rest of the line would be a part of it.
                false => text = text + self.newline + self.indent(start).0,
            }
        }
        Edit { range: start..end, anchor: comment.anchor(), text }
    }

    /// What is put where for a comment; `None` for the end of what is no container, and for the name of
    /// what is no member: what has the same pointer may be something else.
    fn insert(&mut self, comment: &Comment<'_>, spot: &Spot) -> Option<Edit> {
        let text = comment.text;
        let newline = self.newline;
        let (start, Range { start: value, end }) = (spot.start, spot.value.clone());
        let anchor = comment.anchor();
        let (at, text) = match anchor {
            Anchor::Value if start == value => return None,
            Anchor::Before | Anchor::Value => {
                let at = if anchor == Anchor::Before { start } else { value };
                let (indent, is_first) = self.indent(at);
                match is_line(text) || is_first {
                    true => (at, format!("{text}{newline}{indent}")),
                    false => (at, format!("{text} ")),
                }
            }
            Anchor::After if comment.pointer().is_empty() => {
                (self.text.trim_end().len(), format!("{newline}{text}"))
            }
            Anchor::After => self.after(text, end),
            Anchor::End => {
                let bracket = end.saturating_sub(1);
                if !self.text(value..end).starts_with(['[', '{']) {
                    return None;
                }
                let at = self.text(0..bracket).trim_end().len();
                let (indent, is_first) = self.indent(bracket);
                let inner = format!("{newline}{indent}{}{text}", self.unit);
                // The bracket comes onto a line of its own.
                let tail = if is_first { String::new() } else { format!("{newline}{indent}") };
                (at, inner + &tail)
            }
        };
        Some(Edit { range: at..at, anchor, text })
    }

    /// After a value, its comma and the comments on its line; on a line of its own after one that
    /// takes the rest of the line.
    fn after(&mut self, text: &str, end: usize) -> (usize, String) {
        let (newline, (indent, _)) = (self.newline, self.indent(end));
        let mut at = end;
        let mut is_taken = false;
        loop {
            let rest = self.text(at..self.text.len());
            let space = rest.find(|c| c != ' ' && c != '\t').unwrap_or(rest.len());
            let next = at.saturating_add(space);
            if self.text(next..self.text.len()).starts_with(',') {
                at = next.saturating_add(1);
                continue;
            }
            let Some(own) = comment_at(self.text, at).filter(|own| own.start == next) else {
                break;
            };
            let comment = self.text(own).trim_end();
            at = next.saturating_add(comment.len());
            is_taken = is_line(comment);
        }
        if is_taken || self.open.contains(&at) {
            return (at, format!("{newline}{indent}{text}"));
        }
        match (is_line(text), self.is_end(at)) {
            (true, false) => (at, format!(" {text}{newline}{indent}")),
            (is_line, _) => {
                self.open.extend(is_line.then_some(at));
                (at, format!(" {text}"))
            }
        }
    }

    /// Whether nothing stands between an offset and the end of its line.
    fn is_end(&self, offset: usize) -> bool {
        let rest = self.text(offset..self.text.len()).trim_start_matches([' ', '\t', '\r']);
        rest.is_empty() || rest.starts_with('\n')
    }

    /// The white space at the start of the line of an offset, and whether nothing else stands before
    /// that on the line.
    fn indent(&self, offset: usize) -> (&'t str, bool) {
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let line = self.starts.get(line).copied().unwrap_or_default();
        let before = self.text(line..offset);
        let end = before.find(|c| c != ' ' && c != '\t').unwrap_or(before.len());
        (before.get(..end).unwrap_or_default(), end == before.len())
    }
}

fn is_line(comment: &str) -> bool {
    comment.starts_with("//")
}
