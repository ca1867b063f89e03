//! The text of a document with the changes of its value in it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::read::{Reader, comment_at};
use crate::value::encode::{self, Layout};
use crate::value::nodes::{Child, Node, Nodes};
use crate::value::{Array, Object, Text, Value};
use crate::write::{Limits, quoted, too_long};
use crate::{Options, Result};

/// What a text is written to.
pub(super) trait Out {
    fn len(&self) -> usize;
    fn reserve(&mut self, bytes: usize);
    fn put(&mut self, text: &str);
}

impl Out for String {
    fn len(&self) -> usize {
        self.len()
    }

    fn reserve(&mut self, bytes: usize) {
        self.reserve(bytes);
    }

    fn put(&mut self, text: &str) {
        self.push_str(text);
    }
}

impl Out for Vec<u8> {
    fn len(&self) -> usize {
        self.len()
    }

    fn reserve(&mut self, bytes: usize) {
        self.reserve(bytes);
    }

    fn put(&mut self, text: &str) {
        self.extend_from_slice(text.as_bytes());
    }
}

/// Writes the source with what is different in the values at some places, each of them given by the
/// positions of children on the way to it. None is inside of another one.
pub(super) fn splice<O: Out>(
    out: &mut O,
    source: &Arc<String>,
    nodes: &Nodes,
    value: &Value,
    places: &[Vec<usize>],
    options: &Options,
) -> Result<()> {
    let mut limits = Limits::new(options.limits.max_depth, options.limits.max_output);
    limits.max_len = limits.max_len.saturating_add(out.len());
    // Most edits are short.
    out.reserve(source.len().saturating_add(256));
    let mut splicer = Splicer {
        source,
        nodes,
        limits,
        newline: newline(source),
        unit: unit(source),
        is_one_line: !source.trim_end().contains('\n'),
        out,
        done: 0,
        open: Vec::new(),
    };
    let found: Option<Vec<_>> = places.iter().map(|place| splicer.find(value, place)).collect();
    let mut found = found.unwrap_or_else(|| vec![(0, value)]);
    found.sort_unstable_by_key(|(at, _)| *at);
    for (at, value) in found {
        splicer.old(at, value)?;
        while let Some(level) = splicer.open.pop() {
            match level {
                Level::Same { value, next, index } => splicer.same(value, next, index)?,
                Level::Changed(changed) => splicer.changed(*changed)?,
            }
        }
    }
    splicer.keep_to(source.len())
}

struct Splicer<'s, 'v, O> {
    source: &'s Arc<String>,
    nodes: &'s Nodes,
    limits: Limits,
    newline: &'static str,
    unit: &'s str,
    is_one_line: bool,
    out: &'s mut O,
    /// How much of the source is in `out`, or replaced there.
    done: usize,
    /// The containers that are being compared with the source, outermost first.
    open: Vec<Level<'v>>,
}

enum Level<'v> {
    /// As many children of the same names as in the source: the node of the next one, and its index.
    Same {
        value: &'v Value,
        next: usize,
        index: usize,
    },
    Changed(Box<Changed<'v>>),
}

/// A container that has other children than in the source.
struct Changed<'v> {
    value: &'v Value,
    node: Node,
    /// The first node of each child that was there.
    old: Vec<usize>,
    /// Of each child of the value, which of the old ones it is, or [`NEW`].
    plan: Vec<usize>,
    index: usize,
    place: Place,
    /// What stands between new children.
    between: String,
    /// What stands between the last old child and the bracket.
    tail: Range<usize>,
}

/// A child that was not there.
const NEW: usize = usize::MAX;

impl Changed<'_> {
    /// Which of the old children a child is.
    fn kept(&self, index: usize) -> Option<usize> {
        self.plan.get(index).copied().filter(|old| *old != NEW)
    }
}

/// How something new is laid out.
enum Place {
    Inline,
    /// On lines of their own, with this indentation.
    Lines(String),
}

/// A child of a value, by its index.
fn child(value: &Value, index: usize) -> Option<(Option<&Text>, &Value)> {
    match value {
        Value::Array(items) => items.0.get(index).map(|item| (None, item)),
        Value::Object(object) => object.0.get(index).map(|(name, value)| (Some(name), value)),
        _ => None,
    }
}

impl<'s, 'v, O: Out> Splicer<'s, 'v, O> {
    fn text(&self, range: Range<usize>) -> &'s str {
        self.source.get(range).unwrap_or_default()
    }

    /// Takes the source over up to an offset.
    fn keep_to(&mut self, end: usize) -> Result<()> {
        let kept = self.text(self.done..end);
        self.put(kept)?;
        self.done = end;
        Ok(())
    }

    /// The node of the value at a place in the source, and the value there now.
    fn find(&self, mut value: &'v Value, place: &[usize]) -> Option<(usize, &'v Value)> {
        let mut at = 0;
        for index in place {
            let is_object = matches!(value, Value::Object(_));
            at = self.nodes.children(at, is_object).nth(*index)?.at;
            value = child(value, *index)?.1;
        }
        Some((at, value))
    }

    fn put(&mut self, text: &str) -> Result<()> {
        self.out.put(text);
        if self.out.len() > self.limits.max_len {
            return Err(too_long());
        }
        Ok(())
    }

    fn fresh(&mut self, value: &Value, place: &Place) -> Result<()> {
        let layout = match place {
            Place::Inline => Layout::Inline,
            Place::Lines(base) => Layout::Lines { newline: self.newline, unit: self.unit, base },
        };
        let left = self.limits.max_len.saturating_sub(self.out.len());
        let mut text = Vec::new();
        encode::value(&mut text, value, layout, Limits { max_len: left, ..self.limits })?;
        self.put(&String::from_utf8(text).unwrap_or_default())
    }

    /// Writes another value in the place of one of the source.
    fn replace(&mut self, node: Node, value: &Value) -> Result<()> {
        let Range { start, end } = node.range();
        self.keep_to(start)?;
        let place = match self.is_one_line {
            true => Place::Inline,
            false => Place::Lines(self.indent_at(start).to_owned()),
        };
        self.fresh(value, &place)?;
        self.done = end;
        Ok(())
    }

    /// A value that stands in the source, perhaps changed.
    fn old(&mut self, at: usize, value: &'v Value) -> Result<()> {
        let Some(node) = self.nodes.get(at) else { return Ok(()) };
        if self.fits(at, node, value) {
            if node.children() > 0 {
                self.open.push(Level::Same { value, next: at.saturating_add(1), index: 0 });
            }
            return Ok(());
        }
        let is_object = matches!(value, Value::Object(_));
        let old = || {
            let mut old = Vec::with_capacity(node.children());
            let starts = self.nodes.children(at, is_object).map(|child| child.first);
            old.extend(starts);
            old
        };
        let (plan, old) = match (self.open_bracket(node), value) {
            (b'[', Value::Array(items)) => {
                let old = old();
                (self.plan_of_array(&old, items), old)
            }
            (b'{', Value::Object(object)) => {
                let old = old();
                (self.plan_of_object(&old, object), old)
            }
            _ => return self.replace(node, value),
        };
        self.begin(node, value, plan, old)
    }

    /// Goes on with a container that has the children of the source.
    fn same(&mut self, value: &'v Value, mut next: usize, mut index: usize) -> Result<()> {
        let is_object = matches!(value, Value::Object(_));
        while let Some((_, own)) = child(value, index) {
            let Some((old, after)) = self.nodes.child(next, is_object) else { return Ok(()) };
            (next, index) = (after, index.saturating_add(1));
            if old.node.children() > 0 {
                self.open.push(Level::Same { value, next, index });
                return self.old(old.at, own);
            }
            if !self.fits(old.at, old.node, own) {
                // Of an empty container, what comes into it is laid out by its place.
                let depth = self.open.len();
                self.old(old.at, own)?;
                if self.open.len() > depth {
                    self.open.insert(depth, Level::Same { value, next, index });
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn open_bracket(&self, node: Node) -> u8 {
        self.source.as_bytes().get(node.range().start).copied().unwrap_or_default()
    }

    /// Whether a leaf has these characters, or a container this number of children with these names.
    fn fits(&self, at: usize, node: Node, value: &Value) -> bool {
        match (self.open_bracket(node), value) {
            (b'[', Value::Array(items)) => node.children() == items.len(),
            (b'{', Value::Object(object)) => {
                let mut names = self.nodes.children(at, true).zip(object.keys());
                node.children() == object.len()
                    && names.all(|(old, name)| old.name.is_some_and(|old| self.is_text(old, name)))
            }
            (b'[' | b'{', _) | (_, Value::Array(_) | Value::Object(_)) => false,
            (b'"', Value::String(text)) => self.is_text(node, text),
            (_, Value::Number(number)) => {
                number.is_part(self.source, &node.range())
                    || *number.text() == *self.text(node.range())
            }
            (byte, Value::Null) => byte == b'n',
            (byte, Value::Bool(value)) => byte == if *value { b't' } else { b'f' },
            _ => false,
        }
    }

    /// Whether a string of the source is a text.
    fn is_text(&self, node: Node, text: &Text) -> bool {
        let Range { start, end } = node.range();
        let inner = start.saturating_add(1)..end.saturating_sub(1);
        if text.is_part(self.source, &inner) {
            return true;
        }
        let plain = self.text(inner);
        match plain.contains('\\') {
            true => self.string(node).is_some_and(|own| own == text.as_str()),
            false => plain == text.as_str(),
        }
    }

    /// The characters of a string of the source.
    fn string(&self, node: Node) -> Option<Cow<'s, str>> {
        Reader::new(self.text(node.range()), &Options::new()).string().ok()
    }

    /// Whether a value of the source is the same as another one, with all that is in it.
    fn is_same(&self, old: Child, value: &Value) -> bool {
        if !self.fits(old.at, old.node, value) {
            return false;
        }
        let mut open = vec![(value, old.at.saturating_add(1), 0_usize)];
        while let Some((value, mut next, mut index)) = open.pop() {
            let is_object = matches!(value, Value::Object(_));
            while let Some((_, own)) = child(value, index) {
                let Some((old, after)) = self.nodes.child(next, is_object) else { return false };
                (next, index) = (after, index.saturating_add(1));
                if !self.fits(old.at, old.node, own) {
                    return false;
                }
                if old.node.children() > 0 {
                    open.push((value, next, index));
                    open.push((own, old.at.saturating_add(1), 0));
                    break;
                }
            }
        }
        true
    }

    /// What is the same at both ends stays; what is between is paired as far as it goes.
    fn plan_of_array(&self, old: &[usize], items: &Array) -> Vec<usize> {
        let same = |(old, item): &(&usize, &Value)| {
            self.nodes.child(**old, false).is_some_and(|(old, _)| self.is_same(old, item))
        };
        let head = old.iter().zip(&items.0).take_while(same).count();
        let rest = old.len().min(items.len()).saturating_sub(head);
        let from_end = old.iter().rev().zip(items.0.iter().rev()).take(rest);
        let tail = from_end.take_while(same).count();
        let (old_end, new_end) = (old.len().saturating_sub(tail), items.len().saturating_sub(tail));
        let which = |index: usize| match index.checked_sub(new_end) {
            Some(after) => old_end.saturating_add(after),
            None if index < old_end => index,
            None => NEW,
        };
        (0..items.len()).map(which).collect()
    }

    /// Members that come in the order of the source stay; others are new.
    fn plan_of_object(&self, old: &[usize], object: &Object) -> Vec<usize> {
        let name = |first: &usize| {
            self.nodes.get(*first).and_then(|name| self.string(name)).unwrap_or_default()
        };
        let mut left: HashMap<Cow<'_, str>, usize> = HashMap::new();
        for own in old {
            let count = left.entry(name(own)).or_default();
            *count = count.saturating_add(1);
        }
        let mut rest = old.iter().enumerate();
        let mut which = |(wanted, _): &(Text, Value)| {
            if left.get(wanted.as_str()).is_none_or(|count| *count == 0) {
                return NEW;
            }
            let found = rest.by_ref().find(|(_, own)| {
                let own = name(own);
                left.entry(own.clone()).and_modify(|count| *count = count.saturating_sub(1));
                own == wanted.as_str()
            });
            found.map_or(NEW, |(index, _)| index)
        };
        object.0.iter().map(&mut which).collect()
    }

    /// A child of a container that has changed, as it was.
    fn child_of(&self, own: &Changed<'_>, index: usize) -> Option<Child> {
        let is_object = matches!(own.value, Value::Object(_));
        self.nodes.child(*own.old.get(index)?, is_object).map(|(child, _)| child)
    }

    fn begin(
        &mut self,
        node: Node,
        value: &'v Value,
        plan: Vec<usize>,
        old: Vec<usize>,
    ) -> Result<()> {
        let Range { start, end } = node.range();
        let (open, close) = (start.saturating_add(1), end.saturating_sub(1));
        let (place, between) = (Place::Inline, String::new());
        let mut own =
            Changed { value, node, old, plan, index: 0, place, between, tail: close..close };
        let child = |index: usize| self.child_of(&own, index);
        let (first, second) = (child(0), child(1));
        let last = own.old.len().checked_sub(1).and_then(child);
        own.tail.start = last.map_or(close, |last| last.node.range().end);
        own.place = self.place_inside(start, first);
        own.between = match (&own.place, first, second) {
            // As between the first two.
            (Place::Inline, Some(first), Some(second)) => {
                match self.text(first.node.range().end..second.start) {
                    gap if has_comment(gap) => " ".to_owned(),
                    gap => gap.replace(',', ""),
                }
            }
            (Place::Inline, ..) => " ".to_owned(),
            (Place::Lines(indent), ..) => format!("{}{indent}", self.newline),
        };
        self.keep_to(open)?;
        self.open.push(Level::Changed(Box::new(own)));
        Ok(())
    }

    /// Goes on with a container whose children have changed, up to the next one that was there.
    fn changed(&mut self, mut own: Changed<'v>) -> Result<()> {
        let before = own.index.checked_sub(1).and_then(|index| own.kept(index));
        if let Some(old) = before.and_then(|index| self.child_of(&own, index)) {
            self.keep_to(old.node.range().end)?;
        }
        while let Some((name, value)) = child(own.value, own.index) {
            let gap = self.gap(&mut own);
            self.put(&gap)?;
            let kept = own.kept(own.index).and_then(|index| self.child_of(&own, index));
            own.index = own.index.saturating_add(1);
            if let Some(old) = kept {
                self.done = old.start;
                self.open.push(Level::Changed(Box::new(own)));
                return self.old(old.at, value);
            }
            if let Some(name) = name {
                self.put(&(quoted(name) + ": "))?;
            }
            self.fresh(value, &own.place)?;
        }
        let Range { start, end } = own.node.range();
        match &own.place {
            _ if own.index == 0 => {}
            Place::Lines(_) if own.old.is_empty() => {
                let indent = self.indent_at(start);
                self.put(self.newline)?;
                self.put(indent)?;
            }
            _ => self.put(self.text(own.tail))?,
        }
        self.done = end.saturating_sub(1);
        Ok(())
    }

    /// What stands before the next child of a container that has changed.
    fn gap(&self, own: &mut Changed<'_>) -> Cow<'s, str> {
        let previous = own.index.checked_sub(1).map(|index| own.kept(index));
        let between = &own.between;
        if let Some(index) = own.kept(own.index) {
            let gap = self.gap_before(own, index);
            return match (previous, index) {
                // In its own place, after what it stood after or what took its place.
                (None, 0) | (Some(_), 1..) => gap.into(),
                (None, _) if has_comment(gap) => without_comma(gap).into(),
                (None, _) => blank(self.gap_before(own, 0)).into(),
                (Some(_), 0) if has_comment(gap) => format!(",{gap}").into(),
                (Some(_), 0) => format!(",{between}").into(),
            };
        }
        match (previous, &own.place) {
            (None, Place::Inline) if own.old.is_empty() => "".into(),
            (None, Place::Lines(_)) if own.old.is_empty() => between.clone().into(),
            (None, _) => blank(self.gap_before(own, 0)).into(),
            (Some(Some(index)), Place::Lines(_)) if index.saturating_add(1) == own.old.len() => {
                // A comment on the line of the last child stays there.
                let comment = comment_on_line(self.text(own.tail.clone()));
                own.tail.start = own.tail.start.saturating_add(comment.len());
                format!(",{comment}{between}").into()
            }
            (Some(_), _) => format!(",{between}").into(),
        }
    }

    /// What stands before an old child.
    fn gap_before(&self, own: &Changed<'_>, index: usize) -> &'s str {
        let open = own.node.range().start.saturating_add(1);
        let before = index.checked_sub(1).and_then(|index| self.child_of(own, index));
        let start = before.map_or(open, |before| before.node.range().end);
        self.text(start..self.child_of(own, index).map_or(own.tail.end, |child| child.start))
    }

    /// How a new child is laid out.
    fn place_inside(&self, start: usize, first: Option<Child>) -> Place {
        match first {
            Some(child) => match self.text(start..child.start).contains('\n') {
                true => Place::Lines(self.indent_at(child.start).to_owned()),
                false => Place::Inline,
            },
            None if self.is_one_line => Place::Inline,
            None => Place::Lines(format!("{}{}", self.indent_at(start), self.unit)),
        }
    }

    /// The white space at the start of the line of an offset.
    fn indent_at(&self, offset: usize) -> &'s str {
        let before = self.text(0..offset);
        let line = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
        let line = self.text(line..self.source.len());
        let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(line.len());
        line.get(..end).unwrap_or_default()
    }
}

fn has_comment(gap: &str) -> bool {
    gap.contains('/')
}

/// A gap without the comma in it, which is the first one outside of comments.
fn without_comma(gap: &str) -> String {
    let mut from = 0;
    loop {
        let comment = comment_at(gap, from);
        let end = comment.as_ref().map_or(gap.len(), |comment| comment.start);
        let comma = gap.get(from..end).and_then(|part| part.find(','));
        match (comma.map(|comma| gap.split_at(from.saturating_add(comma))), comment) {
            (Some((before, after)), _) => {
                return before.to_owned() + after.strip_prefix(',').unwrap_or(after);
            }
            (None, Some(comment)) => from = comment.end,
            (None, None) => return gap.to_owned(),
        }
    }
}

/// What follows a child on its line, if that is a comment and the line ends after it.
fn comment_on_line(tail: &str) -> &str {
    let line = tail.split_once('\n').map_or("", |(line, _)| line.trim_end_matches('\r'));
    let comment = line.trim_start();
    let is_whole = comment.starts_with("//") || (comment.starts_with("/*") && line.ends_with("*/"));
    if is_whole { line } else { "" }
}

/// The white space of a gap, without its comments.
fn blank(gap: &str) -> String {
    match gap.rfind('\n') {
        Some(_) if gap.trim().is_empty() => gap.to_owned(),
        Some(at) => {
            let newline = if gap.contains("\r\n") { "\r\n" } else { "\n" };
            let line = gap.get(at.saturating_add(1)..).unwrap_or_default();
            let indent = line.len().saturating_sub(line.trim_start().len());
            format!("{newline}{}", line.get(..indent).unwrap_or_default())
        }
        None => gap.chars().take_while(|c| c.is_whitespace()).collect(),
    }
}

/// What ends the first line.
pub(super) fn newline(source: &str) -> &'static str {
    let first = source.split_once('\n').map_or("", |(line, _)| line);
    if first.ends_with('\r') { "\r\n" } else { "\n" }
}

/// Indentation of one level: that of the first line that has any.
pub(super) fn unit(source: &str) -> &str {
    let indented = source.lines().skip(1).find(|line| {
        line.starts_with([' ', '\t']) && line.trim_start().starts_with(['"', '{', '[', '/'])
    });
    indented
        .and_then(|line| line.get(..line.len().saturating_sub(line.trim_start().len())))
        .unwrap_or("    ")
}
