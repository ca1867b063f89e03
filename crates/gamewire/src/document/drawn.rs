//! The hierarchy of a file: what has others in it, with the rest as notes.

use super::diff::{self, Tree};
use super::drawing::{Drawing, Hierarchy, Page, as_json, draw};
use super::path::{self, Step};

/// Characters of a value that are shown.
const MAX_SHOWN: usize = 60;

/// A value that has others in it: its line, what has nothing in it, and what has.
struct Line {
    text: String,
    notes: Vec<String>,
    children: Vec<usize>,
}

struct Lines(Vec<Line>);

impl Hierarchy for Lines {
    type Node = usize;

    fn lines(&mut self, node: usize) -> Option<(String, Vec<String>)> {
        let line = self.0.get_mut(node)?;
        Some((std::mem::take(&mut line.text), std::mem::take(&mut line.notes)))
    }

    fn children(&self, node: usize) -> Vec<usize> {
        self.0.get(node).map_or_else(Vec::new, |line| line.children.clone())
    }
}

pub(super) fn tree<T: Tree>(root: &T, columns: Option<usize>) -> Drawing {
    let mut text = String::new();
    draw(&mut text, &mut lines(root), 0, Page::narrow(columns));
    let json = as_json(&mut lines(root), 0).unwrap_or_default();
    Drawing { text, json }
}

fn lines<T: Tree>(root: &T) -> Lines {
    let mut lines = vec![Line::of(None, root)];
    let mut todo = vec![(0, root.children())];
    while let Some((at, children)) = todo.pop() {
        for (step, node) in children.entries() {
            let next = lines.len();
            let Some(line) = lines.get_mut(at) else { continue };
            if node.is_row() {
                let step = path::text(&[step]).unwrap_or_default();
                line.notes.push(format!("{step}: {}", diff::text(&node, MAX_SHOWN)));
            } else {
                line.children.push(next);
                lines.push(Line::of(Some(step), &node));
                todo.push((next, node.children()));
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
        Line { text, notes: Vec::new(), children: Vec::new() }
    }
}
