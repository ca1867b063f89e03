//! The hierarchy of a file: what has others in it, with the rest as notes.

use super::diff::{self, Tree};
use super::drawing::{Drawing, Hierarchy, LineWidth, TreeOptions, as_json, draw, more};
use super::json::Json;
use super::path::{self, Step};
use super::ranges::{RangeNode as Node, Values};

/// Characters of a value that are shown.
const MAX_SHOWN: usize = 60;

/// A value that has others in it: its line, what has nothing in it, and what has.
struct Line {
    text: String,
    notes: Vec<String>,
    children: Vec<usize>,
    /// How many are left out.
    more: Option<String>,
}

struct Lines(Vec<Line>);

impl Hierarchy for Lines {
    type Node = usize;

    fn lines(&mut self, node: usize) -> Option<(String, Vec<String>)> {
        let line = self.0.get_mut(node)?;
        line.notes.extend(line.more.take());
        Some((std::mem::take(&mut line.text), std::mem::take(&mut line.notes)))
    }

    fn children(&self, node: usize) -> Vec<usize> {
        self.0.get(node).map_or_else(Vec::new, |line| line.children.clone())
    }
}

pub(super) fn tree<'a, V: Values>(root: &Node<'a, V>, picture: TreeOptions) -> Drawing {
    let mut text = String::new();
    if picture.is_json {
        let json = as_json(&mut lines(root, TreeOptions { most: usize::MAX, ..picture }), 0)
            .unwrap_or_default();
        return Drawing { text, json };
    }
    draw(&mut text, &mut lines(root, picture), 0, LineWidth::narrow(picture.columns));
    Drawing { text, json: Json::Null }
}

/// The values in a value, so many at most, and how many there are.
fn first<'a, V: Values>(node: &Node<'a, V>, most: usize) -> (Vec<(Step, Node<'a, V>)>, usize) {
    if let (Some(len), true) = (node.len(), most < usize::MAX) {
        let elements = (0..).map(Step::Index).zip(node.elements(0..most));
        return (elements.collect(), len);
    }
    let mut all = node.children().entries();
    let len = all.len();
    all.truncate(most);
    (all, len)
}

fn lines<'a, V: Values>(root: &Node<'a, V>, picture: TreeOptions) -> Lines {
    let most = picture.most;
    let mut lines = vec![Line::of(None, root)];
    let mut todo = vec![(0, *root)];
    while let Some((at, node)) = todo.pop() {
        let (children, all) = first(&node, most);
        if let (Some(more), Some(line)) = (more(all, most, picture.see_more), lines.get_mut(at)) {
            line.more = Some(more);
        }
        for (step, node) in children {
            let next = lines.len();
            let Some(line) = lines.get_mut(at) else { continue };
            if node.is_row() {
                let step = path::text(&[step]).unwrap_or_default();
                line.notes.push(format!("{step}: {}", diff::text(&node, MAX_SHOWN)));
            } else {
                line.children.push(next);
                lines.push(Line::of(Some(step), &node));
                todo.push((next, node));
            }
        }
    }
    Lines(lines)
}

impl Line {
    fn of<T: Tree>(step: Option<Step>, node: &T) -> Self {
        let step = step.and_then(|step| path::text(&[step]));
        let what = node.title();
        let text = match step {
            Some(step) => format!("{step}: {what}"),
            None => what,
        };
        Line { text, notes: Vec::new(), children: Vec::new(), more: None }
    }
}
