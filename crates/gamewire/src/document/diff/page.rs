//! The differences of two files as a page: for a pull request, without a network.

use std::fmt::Write as _;

use gamewire_core::bytes::text_part;

use super::{Change, ChangeKind};
use crate::document::json::Json;
use crate::document::words::{count, is_control_or_bidi};

/// Characters of a value beyond which it is folded.
const LONG: usize = 160;

const STYLE: &str = "\
:root{--paper:#fcfbf9;--ink:#23262b;--faint:#5a606b;--line:#e0ddd5;--old:#fbe3e1;--new:#ddf3e2}
@media(prefers-color-scheme:dark){:root{--paper:#15171c;--ink:#d9dce2;--faint:#aab0bb;--line:#2e323b;--old:#4a2224;--new:#1d3d28}}
body{margin:1rem auto;max-width:72rem;padding:0 1rem;background:var(--paper);color:var(--ink);font:14px/1.5 system-ui,sans-serif}
h1{font-size:1.2rem}h2{font-size:1rem;margin:1.5rem 0 .25rem;border-bottom:1px solid var(--line)}
p{color:var(--faint)}table{width:100%;border-collapse:collapse;table-layout:fixed}
th{text-align:left;font-weight:normal;width:34%}th,td{padding:.15rem .4rem;vertical-align:top;overflow-wrap:anywhere;font-family:ui-monospace,monospace;font-size:13px}
tr+tr>*{border-top:1px solid var(--line)}del,ins{text-decoration:none;padding:0 .2em;white-space:pre-wrap}
del{background:var(--old)}ins{background:var(--new)}.how{color:var(--faint)}
@media(max-width:44rem){table,tbody,tr,th,td{display:block;width:auto}tr+tr>td{border:0}}";

impl Change {
    /// The change as JSON: `path`, `about` where it has one, what kind of `change` it is, and the values
    /// `old` and `new` as far as there are any.
    pub fn to_json(&self) -> Json {
        let (kind, old, new) = match &self.what {
            ChangeKind::Changed(old, new) => ("changed", Some(old), Some(new)),
            ChangeKind::Added(new) => ("added", None, Some(new)),
            ChangeKind::Removed(old) => ("removed", Some(old), None),
            ChangeKind::Retyped(old, new) => ("type", Some(old), Some(new)),
            ChangeKind::Renamed(new) => ("renamed", None, Some(new)),
            ChangeKind::Reordered => ("reordered", None, None),
        };
        let (path, kind) = (Some(&self.path), kind.to_owned());
        let members = [
            ("path", path),
            ("about", self.about.as_ref()),
            ("change", Some(&kind)),
            ("old", old),
            ("new", new),
        ];
        let members = members
            .into_iter()
            .filter_map(|(name, text)| Some((name.to_owned(), Json::String(text?.clone()))));
        members.collect()
    }
}

/// One self-contained page of the differences of two files: the changes below the names of what they are
/// in, else below the first step of their paths.
pub fn page(old: &str, new: &str, changes: &[Change]) -> String {
    let mut groups: Vec<(String, Vec<&Change>)> = Vec::new();
    for change in changes {
        let group = change.about.clone().unwrap_or_else(|| first_step(&change.path).to_owned());
        match groups.iter_mut().find(|(own, _)| *own == group) {
            Some((_, all)) => all.push(change),
            None => groups.push((group, vec![change])),
        }
    }
    let title = format!("{old} → {new}");
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n\
         <style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p>{1}</p>\n",
        escaped(&title),
        count(changes.len(), "difference"),
    );
    for (group, changes) in groups {
        _ = writeln!(text, "<h2>{}</h2>\n<table>", escaped(&group));
        for change in changes {
            let path = escaped(&change.path);
            _ = writeln!(text, "<tr><th scope=\"row\">{path}</th><td>{}</td></tr>", row(change));
        }
        text.push_str("</table>\n");
    }
    text.push_str("</body>\n</html>\n");
    text
}

fn row(change: &Change) -> String {
    let old = |text: &str| value("del", text);
    let new = |text: &str| value("ins", text);
    match &change.what {
        ChangeKind::Changed(was, is) => format!("{} → {}", old(was), new(is)),
        ChangeKind::Added(is) => format!("<span class=\"how\">added</span> {}", new(is)),
        ChangeKind::Removed(was) => format!("<span class=\"how\">removed</span> {}", old(was)),
        ChangeKind::Retyped(was, is) => {
            format!("<span class=\"how\">type</span> {} → {}", old(was), new(is))
        }
        ChangeKind::Renamed(is) => format!("<span class=\"how\">renamed to</span> {}", new(is)),
        _ => "<span class=\"how\">the keys in another order</span>".to_owned(),
    }
}

fn value(tag: &str, text: &str) -> String {
    let whole = format!("<{tag}>{}</{tag}>", escaped(text));
    match text.char_indices().nth(LONG) {
        Some((end, _)) => {
            let start = escaped(text_part(text, ..end));
            format!("<details><summary><{tag}>{start}…</{tag}></summary>{whole}</details>")
        }
        None => whole,
    }
}

/// The part of a path that says in what it is.
fn first_step(path: &str) -> &str {
    let inner = path.trim_start_matches('/');
    let start = path.len() - inner.len();
    let end = inner.char_indices().skip(1).find(|(_, c)| ['.', '[', '/'].contains(c));
    end.and_then(|(end, _)| path.get(..start + end)).unwrap_or(path)
}

/// Text in HTML. Characters that turn the reading direction or control a terminal are shown by their
/// numbers.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push(c),
            c if is_control_or_bidi(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}
