//! Hierarchies as pictures of lines.

use std::fmt::Write as _;

use super::json::Json;

/// How much room a picture has.
#[derive(Clone, Copy, Debug)]
pub struct LineWidth {
    /// Columns; longer lines continue below.
    width: usize,
    /// Levels below this are not indented further, or a small file could become a long picture.
    max_indent: usize,
    /// The most notes, and the most children, that are drawn of a node.
    most: usize,
    /// The text after their number.
    see_more: &'static str,
}

/// How a hierarchy is drawn.
#[derive(Clone, Copy, Debug)]
pub struct TreeOptions {
    /// The columns of a terminal, if it is drawn on one.
    pub columns: Option<usize>,
    /// The most values in a value that are drawn; a line says how many more there are.
    pub most: usize,
    /// The end of such a line, such as how to see them.
    pub see_more: &'static str,
    /// Makes JSON, with all that is there, and no text.
    pub is_json: bool,
}

impl TreeOptions {
    /// Values in a value that fit on a large screen.
    pub const SCREEN: usize = 100;
}

/// The line of those that are not drawn.
pub(crate) fn more(all: usize, most: usize, see_more: &str) -> Option<String> {
    let more = all.checked_sub(most).filter(|more| *more > 0)?;
    Some(format!("… {more} more{see_more}"))
}

impl LineWidth {
    /// Lines as long as they are; on a terminal of `columns`, as wide as that is.
    pub fn wide(columns: Option<usize>) -> LineWidth {
        LineWidth::of(columns.unwrap_or(usize::MAX), 40)
    }

    /// As wide as a terminal of `columns`, else 80 columns.
    pub fn narrow(columns: Option<usize>) -> LineWidth {
        LineWidth::of(columns.unwrap_or(80), 15)
    }

    /// Names have half of the columns at least, and 32 where there are as many.
    fn of(width: usize, max_indent: usize) -> LineWidth {
        let room = width.saturating_sub(32).max(width / 2);
        LineWidth { width, max_indent: max_indent.min(room / 3), most: usize::MAX, see_more: "" }
    }

    /// The same with so many notes and children of a node at most as the picture has.
    #[must_use]
    pub fn folded(self, picture: TreeOptions) -> LineWidth {
        let TreeOptions { most, see_more, .. } = picture;
        LineWidth { most, see_more, ..self }
    }
}

/// A hierarchy of nodes that are known by a `Copy` key.
pub trait Hierarchy {
    /// The key of a node.
    type Node: Copy;

    /// The line of a node, and those of what it has beside children; `None` for a node that was
    /// drawn before.
    fn lines(&mut self, node: Self::Node) -> Option<(String, Vec<String>)>;

    /// The nodes below a node, in order.
    fn children(&self, node: Self::Node) -> Vec<Self::Node>;
}

/// Draws a node and all that is below it.
pub fn draw<H: Hierarchy>(text: &mut String, hierarchy: &mut H, root: H::Node, page: LineWidth) {
    // Nodes still to draw, with the lines before them and before the nodes below.
    let mut todo = vec![(root, String::new(), String::new(), 0)];
    while let Some((node, before, below, level)) = todo.pop() {
        let Some((line, mut notes)) = hierarchy.lines(node) else { continue };
        let mut children = hierarchy.children(node);
        let left_out = more(notes.len(), page.most, page.see_more);
        notes.truncate(page.most);
        notes.extend(left_out);
        notes.extend(more(children.len(), page.most, page.see_more));
        children.truncate(page.most);
        let bar = if children.is_empty() { "  " } else { "│ " };
        let mut add = |first: &str, more: &str, line: &str| {
            let room = page.width.saturating_sub(more.chars().count());
            let mut start = first;
            for line in folded(line, room) {
                _ = writeln!(text, "{start}{line}");
                start = more;
            }
        };
        let more = format!("{below}{bar}  ");
        add(&before, &more, &line);
        for note in notes {
            add(&format!("{below}{bar}• "), &more, &note);
        }
        let last = children.len().saturating_sub(1);
        let placed = children.into_iter().enumerate().map(|(index, child)| {
            let (branch, line) =
                if index == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let inner =
                if level < page.max_indent { format!("{below}{line}") } else { below.clone() };
            (child, format!("{below}{branch}"), inner, level + 1)
        });
        todo.extend(placed.rev());
    }
}

/// A line with a mark before it, below the picture.
pub(crate) fn note(text: &mut String, line: &str, page: LineWidth) {
    let mut start = "  • ";
    for line in folded(line, page.width.saturating_sub(4)) {
        _ = writeln!(text, "{start}{line}");
        start = "    ";
    }
}

/// Wraps text at `room` characters, breaking long words.
fn folded(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut left = room;
    for word in text.split_inclusive(' ') {
        let length = word.trim_end().chars().count();
        if length > left && left < room {
            lines.push(String::new());
            left = room;
        }
        for c in word.chars() {
            if left == 0 && c == ' ' {
                continue;
            }
            if left == 0 {
                lines.push(String::new());
                left = room;
            }
            if let Some(line) = lines.last_mut() {
                line.push(c);
            }
            left = left.saturating_sub(1);
        }
    }
    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    lines
}

/// A picture of lines, and the same for other programs.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The picture.
    pub text: String,
    /// The same as JSON.
    pub json: Json,
}

/// A node and all that is below it, as objects with `line`, `notes` and `children`; `None` for one that
/// was drawn before.
pub fn as_json<H: Hierarchy>(hierarchy: &mut H, root: H::Node) -> Option<Json> {
    let (line, notes) = hierarchy.lines(root)?;
    let mut children = Vec::new();
    for child in hierarchy.children(root) {
        children.extend(as_json(hierarchy, child));
    }
    let members = [("line", line.into()), ("notes", notes.into()), ("children", children.into())];
    Some(Json::from(members))
}
