//! The text of a document with the changes of its value in it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::tape::{Child, Node, Tape};
use crate::read::Reader;
use crate::value::encode::{self, Layout};
use crate::value::{Array, Object, Text, Value};
use crate::write::{Limits, quoted, too_long};
use crate::{Options, Result};

pub(super) fn splice(
    source: &Arc<String>,
    tape: &Tape,
    value: &Value,
    options: &Options,
) -> Result<String> {
    let mut splicer = Splicer {
        source,
        tape,
        limits: Limits::new(options.max_depth, options.max_output),
        newline: if source.contains("\r\n") { "\r\n" } else { "\n" },
        unit: unit(source),
        is_one_line: !source.trim_end().contains('\n'),
        out: Vec::with_capacity(source.len()),
        done: 0,
        open: Vec::new(),
    };
    splicer.old(0, value)?;
    while let Some(level) = splicer.open.pop() {
        match level {
            Level::Same { value, next, index } => splicer.same(value, next, index)?,
            Level::Changed(changed) => splicer.changed(*changed)?,
        }
    }
    splicer.keep_to(source.len())?;
    Ok(String::from_utf8(splicer.out).unwrap_or_default())
}

struct Splicer<'s, 'v> {
    source: &'s Arc<String>,
    tape: &'s Tape,
    limits: Limits,
    newline: &'static str,
    unit: &'s str,
    is_one_line: bool,
    out: Vec<u8>,
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
    old: Vec<Child>,
    /// Of each child of the value, which of the old ones it is.
    plan: Vec<Option<usize>>,
    index: usize,
    place: Place,
    /// What stands between new children.
    between: String,
    /// What stands between the last old child and the bracket.
    tail: Range<usize>,
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

impl<'s, 'v> Splicer<'s, 'v> {
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

    fn put(&mut self, text: &str) -> Result<()> {
        self.out.extend_from_slice(text.as_bytes());
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
        encode::value(&mut self.out, value, layout, self.limits)
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
        let Some(node) = self.tape.get(at) else { return Ok(()) };
        if self.fits(at, node, value) {
            if node.children() > 0 {
                self.open.push(Level::Same { value, next: at.saturating_add(1), index: 0 });
            }
            return Ok(());
        }
        let plan = match (self.open_bracket(node), value) {
            (b'[', Value::Array(items)) => {
                let old: Vec<Child> = self.tape.children(at, false).collect();
                Some((self.plan_of_array(&old, items), old))
            }
            (b'{', Value::Object(object)) => {
                let old: Vec<Child> = self.tape.children(at, true).collect();
                self.plan_of_object(&old, object).map(|plan| (plan, old))
            }
            _ => None,
        };
        match plan {
            Some((plan, old)) => self.begin(node, value, plan, old),
            None => self.replace(node, value),
        }
    }

    /// Goes on with a container that has the children of the source.
    fn same(&mut self, value: &'v Value, mut next: usize, mut index: usize) -> Result<()> {
        let is_object = matches!(value, Value::Object(_));
        while let Some((_, own)) = child(value, index) {
            let Some((old, after)) = self.tape.child(next, is_object) else { return Ok(()) };
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
                let mut names = self.tape.children(at, true).zip(object.keys());
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
        let mut waiting = vec![(old, value)];
        while let Some((old, value)) = waiting.pop() {
            if !self.fits(old.at, old.node, value) {
                return false;
            }
            if old.node.children() > 0 {
                let is_object = matches!(value, Value::Object(_));
                let inside = self.tape.children(old.at, is_object).enumerate();
                let pairs = inside.filter_map(|(at, old)| Some((old, child(value, at)?.1)));
                waiting.extend(pairs);
            }
        }
        true
    }

    /// What is the same at both ends stays; what is between is paired as far as it goes.
    fn plan_of_array(&self, old: &[Child], items: &Array) -> Vec<Option<usize>> {
        let same = |(old, item): &(&Child, &Value)| self.is_same(**old, item);
        let head = old.iter().zip(&items.0).take_while(same).count();
        let rest = old.len().min(items.len()).saturating_sub(head);
        let from_end = old.iter().rev().zip(items.0.iter().rev()).take(rest);
        let tail = from_end.take_while(same).count();
        let (old_end, new_end) = (old.len().saturating_sub(tail), items.len().saturating_sub(tail));
        let which = |index: usize| match index.checked_sub(new_end) {
            Some(after) => Some(old_end.saturating_add(after)),
            None => Some(index).filter(|index| *index < old_end),
        };
        (0..items.len()).map(which).collect()
    }

    /// `None` for members in another order: no text can stay.
    fn plan_of_object(&self, old: &[Child], object: &Object) -> Option<Vec<Option<usize>>> {
        let mut known: HashMap<Cow<'_, str>, Vec<usize>> = HashMap::new();
        for (index, own) in old.iter().enumerate().rev() {
            known.entry(self.string(own.name?)?).or_default().push(index);
        }
        let mut least = 0;
        let which = |(name, _): &(Text, Value)| {
            let index = known.get_mut(name.as_str()).and_then(Vec::pop);
            let is_next = index.is_none_or(|index| index >= least);
            least = index.map_or(least, |index| index.saturating_add(1));
            is_next.then_some(index)
        };
        object.0.iter().map(which).collect()
    }

    fn begin(
        &mut self,
        node: Node,
        value: &'v Value,
        plan: Vec<Option<usize>>,
        old: Vec<Child>,
    ) -> Result<()> {
        let Range { start, end } = node.range();
        let (open, close) = (start.saturating_add(1), end.saturating_sub(1));
        let place = self.place_inside(start, old.first());
        let between = match &place {
            Place::Inline => match old.as_slice() {
                // As between the first two.
                [first, second, ..] => match self.text(first.node.range().end..second.start) {
                    gap if has_comment(gap) => " ".to_owned(),
                    gap => gap.replace(',', ""),
                },
                _ => " ".to_owned(),
            },
            Place::Lines(indent) => format!("{}{indent}", self.newline),
        };
        let tail = old.last().map_or(close, |last| last.node.range().end)..close;
        self.keep_to(open)?;
        self.open.push(Level::Changed(Box::new(Changed {
            value,
            node,
            old,
            plan,
            index: 0,
            place,
            between,
            tail,
        })));
        Ok(())
    }

    /// Goes on with a container whose children have changed, up to the next one that was there.
    fn changed(&mut self, mut own: Changed<'v>) -> Result<()> {
        let end_of = |index: usize| own.old.get(index).map(|old| old.node.range().end);
        if let Some(Some(index)) = own.index.checked_sub(1).and_then(|at| own.plan.get(at)) {
            self.keep_to(end_of(*index).unwrap_or_default())?;
        }
        while let Some((name, value)) = child(own.value, own.index) {
            let gap = self.gap(&mut own);
            self.put(&gap)?;
            let kept = own.plan.get(own.index).copied().flatten();
            own.index = own.index.saturating_add(1);
            if let Some(old) = kept.and_then(|index| own.old.get(index)).copied() {
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
        let open = own.node.range().start.saturating_add(1);
        let end_of = |index: usize| own.old.get(index).map_or(open, |old| old.node.range().end);
        let kept = own.plan.get(own.index).copied().flatten();
        let previous = own.index.checked_sub(1).map(|at| own.plan.get(at).copied().flatten());
        let between = &own.between;
        if let Some(index) = kept {
            let start = own.old.get(index).map_or(open, |old| old.start);
            let gap = self.text(index.checked_sub(1).map_or(open, end_of)..start);
            return match (previous, index) {
                // In its own place, after what it stood after or what took its place.
                (None, 0) | (Some(_), 1..) => gap.into(),
                (None, _) if has_comment(gap) => without_comma(gap).into(),
                (None, _) => blank(self.first_gap(own)).into(),
                (Some(_), 0) if has_comment(gap) => format!(",{gap}").into(),
                (Some(_), 0) => format!(",{between}").into(),
            };
        }
        match (previous, &own.place) {
            (None, Place::Inline) if own.old.is_empty() => "".into(),
            (None, Place::Lines(_)) if own.old.is_empty() => between.clone().into(),
            (None, _) => blank(self.first_gap(own)).into(),
            (Some(Some(index)), Place::Lines(_)) if index.saturating_add(1) == own.old.len() => {
                // A comment on the line of the last child stays there.
                let comment = comment_on_line(self.text(own.tail.clone()));
                own.tail.start = own.tail.start.saturating_add(comment.len());
                format!(",{comment}{between}").into()
            }
            (Some(_), _) => format!(",{between}").into(),
        }
    }

    /// What stands before the first old child.
    fn first_gap(&self, own: &Changed<'_>) -> &'s str {
        let Range { start, end } = own.node.range();
        let end = own.old.first().map_or(end.saturating_sub(1), |old| old.start);
        self.text(start.saturating_add(1)..end)
    }

    /// How a new child is laid out.
    fn place_inside(&self, start: usize, first: Option<&Child>) -> Place {
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
    let mut rest = gap;
    let mut before = String::with_capacity(gap.len());
    while let Some(at) = rest.find([',', '/']) {
        let (head, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
        before.push_str(head);
        let end = match tail.get(..2) {
            Some("//") => tail.find('\n').unwrap_or(tail.len()),
            Some("/*") => tail.find("*/").map_or(tail.len(), |at| at.saturating_add(2)),
            _ => return before + tail.strip_prefix(',').unwrap_or(tail),
        };
        before.push_str(tail.get(..end).unwrap_or_default());
        rest = tail.get(end..).unwrap_or_default();
    }
    before + rest
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

/// Indentation of one level: that of the first line that has any.
fn unit(source: &str) -> &str {
    let indented = source.lines().skip(1).find(|line| {
        line.starts_with([' ', '\t']) && line.trim_start().starts_with(['"', '{', '[', '/'])
    });
    indented
        .and_then(|line| line.get(..line.len().saturating_sub(line.trim_start().len())))
        .unwrap_or("    ")
}
