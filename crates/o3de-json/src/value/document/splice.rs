//! The text of a document with the changes of its value in it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::tape::{Kind, Node, Tape};
use crate::read::Reader;
use crate::value::encode::{self, Layout, Limits};
use crate::value::{Array, Object, Text, Value, build};
use crate::{Error, ErrorKind, Options, Result};

pub(super) fn splice(source: &Arc<String>, value: &Value, options: &Options) -> Result<String> {
    let tape = Tape::read(&mut Reader::new(source, options))?;
    let mut splicer = Splicer {
        source,
        options,
        limits: Limits::new(options.max_depth, options.max_output),
        newline: if source.contains("\r\n") { "\r\n" } else { "\n" },
        unit: unit(source),
        is_one_line: !source.trim_end().contains('\n'),
        tape,
        out: String::with_capacity(source.len()),
    };
    splicer.run(value)?;
    Ok(splicer.out)
}

struct Splicer<'s> {
    source: &'s Arc<String>,
    options: &'s Options,
    limits: Limits,
    newline: &'static str,
    unit: &'s str,
    is_one_line: bool,
    tape: Tape,
    out: String,
}

/// What is to be written next.
enum Job<'v> {
    Source(Range<usize>),
    Text(String),
    /// A value that stands in the source, perhaps changed.
    Old(usize, &'v Value),
    New(&'v Value, Place),
}

/// How something new is laid out.
#[derive(Clone)]
enum Place {
    Inline,
    /// On lines of their own, with this indentation.
    Lines(String),
}

/// A child of a container: a member or an element.
#[derive(Clone, Copy)]
struct Child {
    /// Name and value, or the element.
    start: usize,
    end: usize,
    value: usize,
}

/// The children that a container gets.
enum Next<'v> {
    Kept(usize, &'v Value),
    New(Option<&'v Text>, &'v Value),
}

impl<'s> Splicer<'s> {
    fn run<'v>(&mut self, root: &'v Value) -> Result<()> {
        let first = self.tape.get(0).map_or(0..0, |node| node.range());
        let mut jobs: Vec<Job<'v>> = vec![
            Job::Source(first.end..self.source.len()),
            Job::Old(0, root),
            Job::Source(0..first.start),
        ];
        while let Some(job) = jobs.pop() {
            match job {
                Job::Source(range) => self.out.push_str(self.text(range)),
                Job::Text(text) => self.out.push_str(&text),
                Job::New(value, place) => self.fresh(value, &place)?,
                Job::Old(at, value) => self.old(at, value, &mut jobs)?,
            }
            if self.out.len() > self.limits.max_output {
                let message =
                    format!("more than max_output, which is {}, bytes", self.limits.max_output);
                return Err(Error::new(ErrorKind::OutputLimit, message));
            }
        }
        Ok(())
    }

    fn text(&self, range: Range<usize>) -> &'s str {
        self.source.get(range).unwrap_or_default()
    }

    fn fresh(&mut self, value: &Value, place: &Place) -> Result<()> {
        let layout = match place {
            Place::Inline => Layout::Inline,
            Place::Lines(base) => Layout::Lines { newline: self.newline, unit: self.unit, base },
        };
        encode::value(&mut self.out, value, layout, self.limits)
    }

    fn old<'v>(&mut self, at: usize, value: &'v Value, jobs: &mut Vec<Job<'v>>) -> Result<()> {
        let Some(node) = self.tape.get(at) else { return Ok(()) };
        match (node.kind, value) {
            (Kind::Array, Value::Array(items)) => self.array(at, node, items, jobs),
            (Kind::Object, Value::Object(object)) => self.object((at, node), value, object, jobs),
            _ if self.is_same(node, value)? => {
                jobs.push(Job::Source(node.range()));
                Ok(())
            }
            _ => {
                jobs.push(Job::New(value, self.place_at(node.start)));
                Ok(())
            }
        }
    }

    /// Whether a value of the source has these characters.
    fn is_same(&self, node: Node, value: &Value) -> Result<bool> {
        if node.kind != Kind::Leaf {
            let fits = matches!(
                (node.kind, value),
                (Kind::Array, Value::Array(_)) | (Kind::Object, Value::Object(_))
            );
            return Ok(fits && self.read(node)? == *value);
        }
        Ok(match value {
            Value::Number(number) => *number.text() == *self.text(node.range()),
            Value::Array(_) | Value::Object(_) => false,
            Value::String(text) if self.plain(node).is_some() => {
                self.plain(node) == Some(text.as_str())
            }
            leaf => self.read(node)? == *leaf,
        })
    }

    /// The characters of a string that has no escape.
    fn plain(&self, node: Node) -> Option<&'s str> {
        let inner = self.text(node.range()).strip_prefix('"')?.strip_suffix('"')?;
        (!inner.contains('\\')).then_some(inner)
    }

    fn read(&self, node: Node) -> Result<Value> {
        let text = Arc::new(self.text(node.range()).to_owned());
        build::value(&mut Reader::new(&text, self.options), &text)
    }

    fn array<'v>(
        &mut self,
        at: usize,
        node: Node,
        items: &'v Array,
        jobs: &mut Vec<Job<'v>>,
    ) -> Result<()> {
        let children: Vec<Child> = self
            .tape
            .children(at)
            .map(|(value, node)| Child { start: node.start, end: node.end, value })
            .collect();
        let kept = |(index, value): (usize, &'v Value)| Next::Kept(index, value);
        if children.len() == items.len() {
            let next = items.0.iter().enumerate().map(kept).collect();
            return self.container(node, &children, next, jobs);
        }
        // What is the same at both ends stays; what is between is paired as far as it goes.
        let same = |child: Option<&Child>, value: Option<&'v Value>| match (child, value) {
            (Some(child), Some(value)) => match self.tape.get(child.value) {
                Some(node) => self.is_same(node, value),
                None => Ok(false),
            },
            _ => Ok(false),
        };
        let fewer = children.len().min(items.len());
        let mut head = 0usize;
        while head < fewer && same(children.get(head), items.0.get(head))? {
            head = head.saturating_add(1);
        }
        let mut tail = 0usize;
        while tail < fewer.saturating_sub(head) {
            let from_end = |len: usize| len.checked_sub(tail.saturating_add(1));
            let child = from_end(children.len()).and_then(|index| children.get(index));
            let value = from_end(items.len()).and_then(|index| items.0.get(index));
            if !same(child, value)? {
                break;
            }
            tail = tail.saturating_add(1);
        }
        let (old_end, new_end) =
            (children.len().saturating_sub(tail), items.len().saturating_sub(tail));
        let mut next: Vec<Next<'v>> = Vec::with_capacity(items.len());
        for (index, value) in items.0.iter().enumerate() {
            next.push(if index >= new_end {
                let after = index.saturating_sub(new_end);
                Next::Kept(old_end.saturating_add(after), value)
            } else if index < old_end {
                Next::Kept(index, value)
            } else {
                Next::New(None, value)
            });
        }
        self.container(node, &children, next, jobs)
    }

    fn object<'v>(
        &mut self,
        (at, node): (usize, Node),
        whole: &'v Value,
        object: &'v Object,
        jobs: &mut Vec<Job<'v>>,
    ) -> Result<()> {
        let mut children = Vec::new();
        let mut known: HashMap<(Text, usize), usize> = HashMap::new();
        let mut counts = HashMap::new();
        let mut nodes = self.tape.children(at);
        while let (Some((_, key)), Some((value, inner))) = (nodes.next(), nodes.next()) {
            let name = match (self.plain(key), object.0.get(children.len())) {
                // Most names are those of the member at the same place, which has them already.
                (Some(plain), Some((name, _))) if name == plain => name.clone(),
                (Some(plain), _) => Text::from(plain),
                (None, _) => match self.read(key)? {
                    Value::String(name) => name,
                    _ => continue,
                },
            };
            let number = occurrence(&mut counts, &name);
            known.insert((name, number), children.len());
            children.push(Child { start: key.start, end: inner.end, value });
        }
        drop(nodes);
        counts.clear();
        let mut last = None;
        let mut next = Vec::with_capacity(object.len());
        for (name, value) in &object.0 {
            let number = occurrence(&mut counts, name);
            next.push(match known.get(&(name.clone(), number)).copied() {
                Some(index) if last.is_none_or(|last| index > last) => {
                    last = Some(index);
                    Next::Kept(index, value)
                }
                // Members in another order: no text can stay.
                Some(_) => {
                    jobs.push(Job::New(whole, self.place_at(node.start)));
                    return Ok(());
                }
                None => Next::New(Some(name), value),
            });
        }
        self.container(node, &children, next, jobs)
    }

    fn container<'v>(
        &mut self,
        node: Node,
        children: &[Child],
        next: Vec<Next<'v>>,
        jobs: &mut Vec<Job<'v>>,
    ) -> Result<()> {
        let open = node.start.saturating_add(1);
        let close = node.end.saturating_sub(1);
        let first_gap = children.first().map_or(open..close, |child| open..child.start);
        let mut tail = children.last().map_or(close..close, |child| child.end..close);
        let place = self.place_inside(node, children);
        let between = match &place {
            Place::Inline => match children {
                // As between the first two.
                [first, second, ..] => match self.text(first.end..second.start) {
                    gap if has_comment(gap) => " ".to_owned(),
                    gap => gap.replace(',', ""),
                },
                _ => " ".to_owned(),
            },
            Place::Lines(indent) => format!("{}{indent}", self.newline),
        };
        let mut list: Vec<Job<'v>> = vec![Job::Source(node.start..open)];
        let is_empty = next.is_empty();
        let mut previous: Option<Option<usize>> = None;
        for child in next {
            let kept = match &child {
                Next::Kept(index, _) => Some(*index),
                Next::New(..) => None,
            };
            let own_gap = kept.and_then(|index| {
                let end = children.get(index)?.start;
                let start = index.checked_sub(1).and_then(|before| children.get(before));
                Some(start.map_or(open, |child| child.end)..end)
            });
            list.push(match (previous, kept, own_gap) {
                // In its own place, after what it stood after or what took its place.
                (None, Some(0), Some(gap)) => Job::Source(gap),
                (Some(_), Some(1..), Some(gap)) => Job::Source(gap),
                (None, Some(_), Some(gap)) => {
                    Job::Text(match has_comment(self.text(gap.clone())) {
                        true => without_comma(self.text(gap)),
                        false => blank(self.text(first_gap.clone())),
                    })
                }
                (Some(_), Some(_), Some(gap)) => {
                    Job::Text(match has_comment(self.text(gap.clone())) {
                        true => format!(",{}", self.text(gap)),
                        false => format!(",{between}"),
                    })
                }
                (None, ..) if children.is_empty() => match &place {
                    Place::Inline => Job::Text(String::new()),
                    Place::Lines(_) => Job::Text(between.clone()),
                },
                (None, ..) => Job::Text(blank(self.text(first_gap.clone()))),
                (Some(Some(index)), ..)
                    if index.saturating_add(1) == children.len()
                        && matches!(place, Place::Lines(_)) =>
                {
                    // A comment on the line of the last child stays there.
                    let comment = comment_on_line(self.text(tail.clone())).len();
                    let start = tail.start;
                    tail.start = start.saturating_add(comment);
                    Job::Text(format!(",{}{between}", self.text(start..tail.start)))
                }
                (Some(_), ..) => Job::Text(format!(",{between}")),
            });
            match child {
                Next::Kept(index, value) => {
                    if let Some(child) = children.get(index) {
                        let start = self.tape.get(child.value).map_or(child.start, |v| v.start);
                        list.push(Job::Source(child.start..start));
                        list.push(Job::Old(child.value, value));
                    }
                }
                Next::New(name, value) => {
                    if let Some(name) = name {
                        let mut text = String::new();
                        crate::write::push_string(&mut text, name);
                        text.push_str(": ");
                        list.push(Job::Text(text));
                    }
                    list.push(Job::New(value, place.clone()));
                }
            }
            previous = Some(kept);
        }
        match &place {
            _ if is_empty && !children.is_empty() => {}
            Place::Lines(_) if children.is_empty() && !is_empty => {
                let indent = self.indent_at(node.start);
                list.push(Job::Text(format!("{}{indent}", self.newline)));
            }
            _ if children.is_empty() && !is_empty => {}
            _ if children.is_empty() => list.push(Job::Source(open..close)),
            _ => list.push(Job::Source(tail)),
        }
        list.push(Job::Source(close..node.end));
        jobs.extend(list.into_iter().rev());
        Ok(())
    }

    /// How a value in the place of another one is laid out.
    fn place_at(&self, offset: usize) -> Place {
        match self.is_one_line {
            true => Place::Inline,
            false => Place::Lines(self.indent_at(offset).to_owned()),
        }
    }

    /// How a new child is laid out.
    fn place_inside(&self, node: Node, children: &[Child]) -> Place {
        match children.first() {
            Some(child) => {
                let gap = self.text(node.start..child.start);
                match gap.contains('\n') {
                    true => Place::Lines(self.indent_at(child.start).to_owned()),
                    false => Place::Inline,
                }
            }
            None if self.is_one_line => Place::Inline,
            None => Place::Lines(format!("{}{}", self.indent_at(node.start), self.unit)),
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

/// How often a name came before.
fn occurrence(counts: &mut HashMap<Text, usize>, name: &Text) -> usize {
    let count = counts.entry(name.clone()).or_default();
    let before = *count;
    *count = count.saturating_add(1);
    before
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
