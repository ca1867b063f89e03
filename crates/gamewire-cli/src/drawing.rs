//! Hierarchies as pictures of lines.

use std::fmt::Write as _;

/// Levels below this are not indented further, or a small file could become a long picture.
const MAX_INDENT: usize = 40;

/// A hierarchy of nodes that are known by a `Copy` key.
pub(crate) trait Hierarchy {
    type Node: Copy;

    /// The line of a node, and those of what it has beside children; `None` for a node that was
    /// drawn before.
    fn lines(&mut self, node: Self::Node) -> Option<(String, Vec<String>)>;

    fn children(&self, node: Self::Node) -> Vec<Self::Node>;
}

/// Draws a node and all that is below it.
pub(crate) fn draw<H: Hierarchy>(text: &mut String, hierarchy: &mut H, root: H::Node) {
    // What is still to come, with the lines before it and before what is below it.
    let mut todo = vec![(root, String::new(), String::new(), 0)];
    while let Some((node, before, below, level)) = todo.pop() {
        let Some((line, notes)) = hierarchy.lines(node) else { continue };
        _ = writeln!(text, "{before}{line}");
        let children = hierarchy.children(node);
        let bar = if children.is_empty() { "  " } else { "│ " };
        for note in notes {
            _ = writeln!(text, "{below}{bar}• {note}");
        }
        let last = children.len().saturating_sub(1);
        let placed = children.into_iter().enumerate().map(|(index, child)| {
            let (branch, line) =
                if index == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let inner = if level < MAX_INDENT { format!("{below}{line}") } else { below.clone() };
            (child, format!("{below}{branch}"), inner, level + 1)
        });
        todo.extend(placed.rev());
    }
}
