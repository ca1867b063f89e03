//! Lines of Rust, laid out as rustfmt lays them out.

/// The longest line, and the longest list of arguments in an attribute.
const WIDTH: usize = 100;
const ATTRIBUTE: usize = 70;

/// Source under construction.
#[derive(Default)]
pub(super) struct Out {
    text: String,
    level: usize,
    /// Whether nothing was written since a block was opened.
    is_fresh: bool,
}

impl Out {
    pub(super) fn finish(self) -> String {
        self.text
    }

    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(&"    ".repeat(self.level));
        self.text.push_str(line);
        self.text.push('\n');
        self.is_fresh = false;
    }

    /// A blank line, unless the block begins here.
    pub(super) fn item(&mut self) {
        if !self.is_fresh {
            self.text.push('\n');
        }
    }

    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.level += 1;
        self.is_fresh = true;
    }

    pub(super) fn close(&mut self, line: &str) {
        self.level = self.level.saturating_sub(1);
        self.line(line);
    }

    pub(super) fn doc(&mut self, text: &str) {
        // Characters that no editor shows and rustc refuses in comments: controls, directions of text.
        let text: String =
            text.chars().map(|c| if is_hidden(c) { shown(c) } else { c.to_string() }).collect();
        self.line(format!("/// {text}").trim_end());
    }

    /// A paragraph of documentation after the first, if there is anything to say.
    pub(super) fn comment(&mut self, text: &str) {
        if !text.is_empty() {
            self.comment_line(&escaped(text));
        }
    }

    /// The same, for text that is Markdown already.
    pub(super) fn comment_line(&mut self, text: &str) {
        self.line("///");
        self.doc(text);
    }

    fn width(&self) -> usize {
        WIDTH.saturating_sub(4 * self.level)
    }

    pub(super) fn attribute(&mut self, name: &str, arguments: &[&str]) {
        let list = arguments.join(", ");
        let is_wide = arguments.iter().any(|argument| columns(argument) + 5 > self.width());
        if columns(&list) <= ATTRIBUTE || is_wide {
            self.line(&format!("#[{name}({list})]"));
            return;
        }
        self.open(&format!("#[{name}("));
        for (at, argument) in arguments.iter().enumerate() {
            let comma = if at + 1 < arguments.len() { "," } else { "" };
            self.line(&format!("{argument}{comma}"));
        }
        self.close(")]");
    }

    /// `head kind tail`, where the type goes onto its own line, or is taken apart, if it is
    /// too long.
    pub(super) fn typed(&mut self, head: &str, kind: &str, tail: &str) {
        let whole = format!("{head} {kind}{tail}");
        if columns(&whole) <= self.width() {
            return self.line(&whole);
        }
        if columns(kind) + columns(tail) + 4 <= self.width() {
            self.open(head);
            self.line(&format!("{kind}{tail}"));
            self.level = self.level.saturating_sub(1);
            return;
        }
        let Some((outer, arguments)) = kind.strip_suffix('>').and_then(|kind| kind.split_once('<'))
        else {
            return self.line(&whole);
        };
        let arguments: Vec<&str> = arguments.split(", ").collect();
        let is_narrow = arguments.iter().all(|one| columns(one) + 5 <= self.width());
        if !is_narrow {
            return self.line(&whole);
        }
        self.open(&format!("{head} {outer}<"));
        arguments.iter().for_each(|argument| self.line(&format!("{argument},")));
        self.close(&format!(">{tail}"));
    }

    /// A derive, on one line, with its arguments on one, or with one line for each.
    pub(super) fn derive(&mut self, list: &str) {
        if columns(list) + 15 <= self.width() && columns(list) <= ATTRIBUTE {
            return self.line(&format!("#[derive({list})]"));
        }
        self.open("#[derive(");
        if columns(list) + 5 <= self.width() && columns(list) <= ATTRIBUTE {
            self.line(&format!("{list},"));
        } else {
            list.split(", ").for_each(|one| self.line(&format!("{one},")));
        }
        self.close(")]");
    }

    /// A variant with one value in it.
    pub(super) fn variant(&mut self, name: &str, kind: &str) {
        let line = format!("{name}({kind}),");
        if columns(&line) <= self.width() {
            return self.line(&line);
        }
        self.open(&format!("{name}("));
        match kind.strip_suffix('>').and_then(|kind| kind.split_once('<')) {
            Some((outer, arguments)) if columns(kind) >= self.width() => {
                self.open(&format!("{outer}<"));
                arguments.split(", ").for_each(|argument| self.line(&format!("{argument},")));
                self.close(">,");
            }
            _ => self.line(&format!("{kind},")),
        }
        self.close("),");
    }

    /// An arm of a match, with its value on its own line if it is too long.
    pub(super) fn arm(&mut self, pattern: &str, value: &str) {
        let line = format!("{pattern} => {value},");
        if columns(&line) <= self.width() {
            return self.line(&line);
        }
        self.open(&format!("{pattern} => {{"));
        self.line(value);
        self.close("}");
    }

    /// A function's head, with each argument on its own line if all of it is too long for one.
    pub(super) fn open_fn(&mut self, head: &str, arguments: &[&str], tail: &str) {
        let line = format!("{head}{}{tail}", arguments.join(", "));
        if columns(&line) <= self.width() {
            return self.open(&line);
        }
        self.open(head);
        arguments.iter().for_each(|argument| self.line(&format!("{argument},")));
        self.level = self.level.saturating_sub(1);
        self.open(tail);
    }

    /// An item. If names in it are too long for their lines, which rustfmt would break in many ways,
    /// it is told to leave it.
    pub(super) fn checked(&mut self, item: impl FnOnce(&mut Out)) {
        let start = self.text.len();
        item(self);
        let lines = self.text.get(start..).unwrap_or_default().lines();
        let is_wide = |line: &str| columns(line) > WIDTH && !line.trim_start().starts_with("///");
        if lines.into_iter().any(is_wide) {
            let skip = format!("{}#[rustfmt::skip]\n", "    ".repeat(self.level));
            self.text.insert_str(start, &skip);
        }
    }

    /// `impl Trait for Type {`.
    pub(super) fn open_impl(&mut self, head: &str, tail: &str) {
        if columns(head) + columns(tail) + 3 <= self.width() {
            return self.open(&format!("{head} {tail} {{"));
        }
        self.line(head);
        self.level += 1;
        self.line(tail);
        self.level = self.level.saturating_sub(1);
        self.open("{");
    }
}

fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn shown(c: char) -> String {
    c.escape_default().collect()
}

fn columns(text: &str) -> usize {
    text.chars().count()
}

/// Text as Markdown.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '\\' | '[' | ']' | '<' | '>' | '*' | '`' | '#' | '|' | '_') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
