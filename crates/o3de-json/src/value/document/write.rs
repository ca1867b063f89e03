//! The text of a document with the changes of its value in it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use gamewire_core::bytes::{part, text_part};
use gamewire_core::gap::{Gap, blank, ends_line, gap_end, has_comment};

use super::decor::{indent, newline, unit};
use super::nodes::{Child, TextNode, TextNodes};
use crate::read::Reader;
use crate::value::encode::{self, Layout};
use crate::value::{Array, Object, Text, Value};
use crate::write::{Limits, quoted, too_long};
use crate::{Options, Result};

/// Writes the source at the end of `out`, with the differences of the values at some positions of children,
/// from the root on. None is inside of another one.
pub(super) fn write(
    out: &mut Vec<u8>,
    source: &Arc<String>,
    nodes: &TextNodes,
    value: &Value,
    places: &[Vec<usize>],
    options: &Options,
) -> Result<()> {
    let mut limits = Limits::new(options.limits.max_depth, options.limits.max_output);
    limits.max_len = limits.max_len.saturating_add(out.len());
    // Most edits are short.
    out.reserve(source.len().saturating_add(256));
    let mut writer = ChangeWriter {
        source,
        nodes,
        limits,
        newline: newline(source),
        unit: unit(source),
        is_one_line: !source.trim_end().contains('\n'),
        out,
        done: 0,
        is_after_line: false,
        open: Vec::new(),
    };
    let found: Option<Vec<_>> = places.iter().map(|place| writer.find(value, place)).collect();
    debug_assert!(found.is_some(), "what was touched is within what was read");
    let mut found = found.unwrap_or_else(|| vec![(0, value)]);
    found.sort_unstable_by_key(|(at, _)| *at);
    for (at, value) in found {
        writer.old(at, value)?;
        while let Some(level) = writer.open.pop() {
            match level {
                OpenContainer::Same { value, next, index } => writer.same(value, next, index)?,
                OpenContainer::Changed(changed) => writer.changed(*changed)?,
            }
        }
    }
    writer.keep_to(source.len())
}

struct ChangeWriter<'s, 'v> {
    source: &'s Arc<String>,
    nodes: &'s TextNodes,
    limits: Limits,
    newline: &'static str,
    unit: &'s str,
    is_one_line: bool,
    out: &'s mut Vec<u8>,
    /// How much of the source is in `out`, or replaced there.
    done: usize,
    /// Whether comments were written that end the line.
    is_after_line: bool,
    /// The containers that are being compared with the source, outermost first.
    open: Vec<OpenContainer<'v>>,
}

enum OpenContainer<'v> {
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
    node: TextNode,
    /// The first node of each child that was there.
    old: Vec<usize>,
    /// For each child of the value, which of the old ones it is, or [`NEW`].
    plan: Vec<usize>,
    index: usize,
    place: Spread,
    /// The space between new children.
    between: Vec<u8>,
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
enum Spread {
    Inline,
    /// On their own lines, with this indentation.
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

impl<'s, 'v> ChangeWriter<'s, 'v> {
    fn text(&self, range: Range<usize>) -> &'s str {
        text_part(self.source, range)
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

    fn put(&mut self, text: impl AsRef<[u8]>) -> Result<()> {
        self.out.extend_from_slice(text.as_ref());
        if self.out.len() > self.limits.max_len {
            return Err(too_long());
        }
        Ok(())
    }

    fn fresh(&mut self, value: &Value, place: &Spread) -> Result<()> {
        let layout = match place {
            Spread::Inline => Layout::Inline,
            Spread::Lines(base) => Layout::Lines { newline: self.newline, unit: self.unit, base },
        };
        let left = self.limits.max_len.saturating_sub(self.out.len());
        let mut text = Vec::new();
        encode::value(&mut text, value, layout, Limits { max_len: left, ..self.limits })?;
        self.put(text)
    }

    /// Writes another value in the place of one of the source.
    fn replace(&mut self, node: TextNode, value: &Value) -> Result<()> {
        let Range { start, end } = node.range();
        self.keep_to(start)?;
        let place = match self.is_one_line {
            true => Spread::Inline,
            false => Spread::Lines(self.indent(start).to_owned()),
        };
        self.fresh(value, &place)?;
        self.done = end;
        Ok(())
    }

    /// A value that stands in the source, perhaps changed.
    fn old(&mut self, at: usize, value: &'v Value) -> Result<()> {
        let Some(node) = self.nodes.get(at) else {
            debug_assert!(false, "each old value has a node");
            return Ok(());
        };
        if self.fits(at, node, value) {
            if node.children() > 0 {
                self.open.push(OpenContainer::Same { value, next: at.saturating_add(1), index: 0 });
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
            let Some((old, after)) = self.nodes.child(next, is_object) else {
                debug_assert!(false, "there are as many children as before");
                return Ok(());
            };
            (next, index) = (after, index.saturating_add(1));
            if old.node.children() > 0 {
                self.open.push(OpenContainer::Same { value, next, index });
                return self.old(old.at, own);
            }
            if !self.fits(old.at, old.node, own) {
                // The children of a container that was empty are laid out by its position.
                let depth = self.open.len();
                self.old(old.at, own)?;
                if self.open.len() > depth {
                    self.open.insert(depth, OpenContainer::Same { value, next, index });
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn open_bracket(&self, node: TextNode) -> u8 {
        self.source.as_bytes().get(node.range().start).copied().unwrap_or_default()
    }

    /// Whether a leaf has these characters, or a container this number of children with these names.
    fn fits(&self, at: usize, node: TextNode, value: &Value) -> bool {
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
    fn is_text(&self, node: TextNode, text: &Text) -> bool {
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
    fn string(&self, node: TextNode) -> Option<Cow<'s, str>> {
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

    /// Pairs equal elements at both ends, then equal ones anywhere between, as far as the search is cheap, then
    /// the rest in order.
    fn plan_of_array(&self, old: &[usize], items: &Array) -> Vec<usize> {
        const MAX_PAIRS: usize = 1 << 12;
        let same = |(old, item): &(&usize, &Value)| {
            self.nodes.child(**old, false).is_some_and(|(old, _)| self.is_same(old, item))
        };
        let head = old.iter().zip(&items.0).take_while(same).count();
        let rest = old.len().min(items.len()).saturating_sub(head);
        let from_end = old.iter().rev().zip(items.0.iter().rev()).take(rest);
        let tail = from_end.take_while(same).count();
        let (old_end, new_end) = (old.len().saturating_sub(tail), items.len().saturating_sub(tail));
        let mut plan: Vec<usize> = (0..head).collect();
        plan.resize(new_end.max(head), NEW);
        let mut left: Vec<usize> = (head..old_end).collect();
        if left.len().saturating_mul(plan.len().saturating_sub(head)) <= MAX_PAIRS {
            for (which, item) in plan.iter_mut().zip(&items.0).skip(head) {
                let is_own = |at: &usize| old.get(*at).is_some_and(|old| same(&(old, item)));
                if let Some(found) = left.iter().position(is_own) {
                    *which = left.remove(found);
                }
            }
        }
        let open = plan.iter_mut().filter(|which| **which == NEW);
        open.zip(left).for_each(|(which, old)| *which = old);
        plan.extend(old_end..old.len());
        plan
    }

    /// Pairs members by their names.
    fn plan_of_object(&self, old: &[usize], object: &Object) -> Vec<usize> {
        let mut places: HashMap<Cow<'_, str>, Vec<usize>> = HashMap::with_capacity(old.len());
        // The last one of a name goes in first, so that the first one comes out first.
        for (index, first) in old.iter().enumerate().rev() {
            let name = self.nodes.get(*first).and_then(|name| self.string(name));
            debug_assert!(name.is_some(), "a member has a name");
            places.entry(name.unwrap_or_default()).or_default().push(index);
        }
        let mut take = |name: &Text| places.get_mut(name.as_str())?.pop();
        object.keys().map(|name| take(name).unwrap_or(NEW)).collect()
    }

    /// A child of a container that has changed, as it was.
    fn child_of(&self, own: &Changed<'_>, index: usize) -> Option<Child> {
        let is_object = matches!(own.value, Value::Object(_));
        self.nodes.child(*own.old.get(index)?, is_object).map(|(child, _)| child)
    }

    fn begin(
        &mut self,
        node: TextNode,
        value: &'v Value,
        plan: Vec<usize>,
        old: Vec<usize>,
    ) -> Result<()> {
        let (place, between) = (Spread::Inline, Vec::new());
        let mut own = Changed { value, node, old, plan, index: 0, place, between };
        let start = node.range().start;
        own.place = self.place_inside(start, self.child_of(&own, 0));
        own.between = match &own.place {
            // As between the first two.
            Spread::Inline if own.old.len() > 1 => {
                let (source, start) = (self.source.as_bytes(), self.gap_start(&own, 1));
                match part(source, start..gap_end(source, start)) {
                    gap if has_comment(gap) => b" ".to_vec(),
                    gap => gap.iter().copied().filter(|byte| *byte != b',').collect(),
                }
            }
            Spread::Inline => b" ".to_vec(),
            Spread::Lines(indent) => format!("{}{indent}", self.newline).into_bytes(),
        };
        self.keep_to(start.saturating_add(1))?;
        self.put_line(self.gap(&own, 0).line)?;
        self.open.push(OpenContainer::Changed(Box::new(own)));
        Ok(())
    }

    /// Goes on with a container whose children have changed, up to the next one that was there.
    fn changed(&mut self, mut own: Changed<'v>) -> Result<()> {
        let before = own.index.checked_sub(1).and_then(|index| own.kept(index));
        if let Some(old) = before.and_then(|index| self.child_of(&own, index)) {
            self.keep_to(old.node.range().end)?;
            self.end_child(&own)?;
        }
        while let Some((name, value)) = child(own.value, own.index) {
            let kept = own.kept(own.index);
            let space = self.space_before(&own, kept);
            self.put_space(&space, own.node)?;
            own.index = own.index.saturating_add(1);
            if let Some(old) = kept.and_then(|index| self.child_of(&own, index)) {
                self.done = old.start;
                self.open.push(OpenContainer::Changed(Box::new(own)));
                return self.old(old.at, value);
            }
            if let Some(name) = name {
                self.put(quoted(name) + ": ")?;
            }
            self.fresh(value, &own.place)?;
            self.end_child(&own)?;
        }
        let Range { start, end } = own.node.range();
        let tail = self.gap(&own, own.old.len()).rest;
        let alone = format!("{}{}", self.newline, self.indent(start));
        match &own.place {
            _ if own.index == 0 && has_comment(tail) => self.put_space(tail, own.node)?,
            _ if own.index == 0 && self.is_after_line => {
                self.put_space(alone.as_bytes(), own.node)?
            }
            _ if own.index == 0 => {}
            Spread::Lines(_) if own.old.is_empty() => self.put_space(alone.as_bytes(), own.node)?,
            Spread::Inline if own.old.is_empty() => {}
            _ => self.put_space(tail, own.node)?,
        }
        self.done = end.saturating_sub(1);
        Ok(())
    }

    /// Where the text between two old children begins, or that between one and a bracket.
    fn gap_start(&self, own: &Changed<'_>, index: usize) -> usize {
        match index.checked_sub(1).and_then(|index| self.child_of(own, index)) {
            Some(before) => before.node.range().end,
            None => own.node.range().start.saturating_add(1),
        }
    }

    fn gap(&self, own: &Changed<'_>, index: usize) -> Gap<'s> {
        Gap::at(self.source.as_bytes(), self.gap_start(own, index))
    }

    /// The space before the next child of a container that has changed: its own where it was there.
    fn space_before(&self, own: &Changed<'_>, kept: Option<usize>) -> Cow<'s, [u8]> {
        let first = self.gap(own, 0).rest;
        let between = &own.between;
        match (own.index, kept) {
            (0, Some(0)) => first.into(),
            (0, None) if own.old.is_empty() => match (has_comment(first), &own.place) {
                (true, _) => [first.trim_ascii_end(), between].concat().into(),
                (false, Spread::Lines(_)) => between.clone().into(),
                (false, Spread::Inline) => Cow::Borrowed(&[]),
            },
            (0, None) => blank(first).into(),
            (_, None) => between.clone().into(),
            (at, Some(index)) => match self.gap(own, index).rest {
                space if has_comment(space) || (at > 0 && index > 0) => space.into(),
                _ if at == 0 => blank(first).into(),
                _ => between.clone().into(),
            },
        }
    }

    /// Writes the space after a child that it owns, and its comma.
    fn end_child(&mut self, own: &Changed<'_>) -> Result<()> {
        let index = own.index.checked_sub(1).and_then(|index| own.kept(index));
        let gap = index.map(|index| self.gap(own, index.saturating_add(1)));
        let is_last = child(own.value, own.index).is_none();
        self.put(gap.map_or(&[][..], |gap| gap.after))?;
        if !is_last || self.gap(own, own.old.len()).has_comma {
            self.put(",")?;
        }
        self.put_line(gap.map_or(&[], |gap| gap.line))
    }

    /// Writes comments that end a line.
    fn put_line(&mut self, line: &[u8]) -> Result<()> {
        self.is_after_line = !line.is_empty();
        self.put(line)
    }

    /// Writes space, on a new line where comments end the one before.
    fn put_space(&mut self, space: &[u8], around: TextNode) -> Result<()> {
        if std::mem::take(&mut self.is_after_line) && !ends_line(space) {
            let indent = self.indent(around.range().start);
            self.put(self.newline)?;
            self.put(indent)?;
        }
        self.put(space)
    }

    /// How a new child is laid out.
    fn place_inside(&self, start: usize, first: Option<Child>) -> Spread {
        match first {
            Some(child) => match self.text(start..child.start).contains('\n') {
                true => Spread::Lines(self.indent(child.start).to_owned()),
                false => Spread::Inline,
            },
            None if self.is_one_line => Spread::Inline,
            None => Spread::Lines(format!("{}{}", self.indent(start), self.unit)),
        }
    }

    fn indent(&self, offset: usize) -> &'s str {
        indent(self.source, offset)
    }
}
