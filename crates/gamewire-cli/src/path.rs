//! The way from the root of a file's data to one value: `players[3].name` or `/players/3/name`, as
//! the crates show it.

use std::fmt::Write as _;

/// Steps of a path that are shown: the innermost ones.
const MAX_STEPS: usize = 64;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Index(usize),
    /// Text, shown in quotes unless it is an identifier.
    Key(String),
    /// Shown as it is.
    Name(String),
    /// A name in a JSON pointer; positions are parts of pointers then too.
    Pointer(String),
    /// A key that is not text, in readable form.
    Other(String),
}

/// The path in readable form; `None` for the root.
pub(crate) fn text(path: &[Step]) -> Option<String> {
    let cut = path.len().saturating_sub(MAX_STEPS);
    let is_pointer = path.iter().any(|step| matches!(step, Step::Pointer(_)));
    let mut text = if cut > 0 { "…".to_owned() } else { String::new() };
    for step in path.iter().skip(cut) {
        let dot = if text.is_empty() { "" } else { "." };
        _ = match step {
            Step::Index(index) if is_pointer => write!(text, "/{index}"),
            Step::Pointer(name) => {
                write!(text, "/{}", name.replace('~', "~0").replace('/', "~1"))
            }
            Step::Index(index) => write!(text, "[{index}]"),
            Step::Other(key) => write!(text, "[{key}]"),
            Step::Name(name) => write!(text, "{dot}{name}"),
            Step::Key(key) if is_identifier(key) => write!(text, "{dot}{key}"),
            Step::Key(key) => write!(text, "[{key:?}]"),
        };
    }
    Some(text).filter(|text| !text.is_empty())
}

fn is_identifier(key: &str) -> bool {
    let mut chars = key.chars();
    chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
        && chars.all(|c| c == '_' || c.is_alphanumeric())
}

/// The last step of a path to something that is not there yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum New {
    Name(String),
    /// A position in a list; `None` for the end.
    Index(Option<usize>),
    /// What stands in brackets and is neither.
    Other(String),
}

/// What is left of a typed path after a step, for each way in which it can be this one. A path is
/// typed as it is shown; `*` stands for any step, or for anything in a name.
pub(crate) fn after<'p>(rest: &'p str, step: &Step, is_first: bool) -> Vec<&'p str> {
    let mut found = Vec::new();
    let mut add = |left: Option<&'p str>| {
        found.extend(left.filter(|left| left.is_empty() || left.starts_with(['.', '[', '/'])));
    };
    let bare = match rest.strip_prefix(['.', '/']) {
        Some(bare) => Some(bare),
        None => Some(rest).filter(|_| is_first),
    };
    let in_brackets = rest.strip_prefix('[');
    let own = match step {
        Step::Index(index) => index.to_string(),
        Step::Key(name) | Step::Name(name) | Step::Pointer(name) | Step::Other(name) => {
            name.clone()
        }
    };
    let is_name = matches!(step, Step::Key(_) | Step::Name(_) | Step::Pointer(_));
    add(in_brackets.and_then(|rest| rest.strip_prefix(&own)?.strip_prefix(']')));
    add(in_brackets.and_then(|rest| rest.strip_prefix("*]")));
    if is_name {
        add(in_brackets.and_then(|rest| rest.strip_prefix(&format!("{own:?}"))?.strip_prefix(']')));
    }
    let Some(bare) = bare else { return found };
    if is_name || rest.starts_with('/') {
        add(bare.strip_prefix(&own).filter(|_| !own.is_empty() || rest.starts_with('/')));
        let token = own.replace('~', "~0").replace('/', "~1");
        if token != own {
            add(bare.strip_prefix(&token));
        }
    }
    if is_name && own.contains(['/', '.']) && bare.contains('*') && is_like(&own, bare) {
        add(Some(""));
    }
    // A name with `*` ends where the next step begins.
    let end = bare.find(['.', '[', '/']).unwrap_or(bare.len());
    if let Some((pattern, left)) = bare.split_at_checked(end)
        && pattern.contains('*')
        && !pattern.contains("**")
        && (pattern == "*" || is_name)
        && is_like(&own, pattern)
    {
        add(Some(left));
    }
    found.dedup();
    found
}

/// Whether a name is like a pattern in which `*` stands for anything.
fn is_like(name: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut left) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, inner)) = parts.split_last() else { return left.is_empty() };
    for part in inner {
        let Some((_, after)) = left.split_once(part) else { return false };
        left = after;
    }
    left.ends_with(last)
}

/// The position of a key, and what follows it, in `[key 3].x`.
pub(crate) fn key(rest: &str) -> Option<(usize, &str)> {
    let (index, after) = rest.strip_prefix("[key ")?.split_once(']')?;
    Some((index.parse().ok()?, after))
}

/// What follows `**`, or the `…` of a path that was shown shortened: both stand for any number of steps.
pub(crate) fn any_depth(rest: &str) -> Option<&str> {
    let bare = rest.strip_prefix(['.', '/']).unwrap_or(rest);
    let after = bare.strip_prefix("**").or_else(|| bare.strip_prefix('…'));
    after.filter(|left| left.starts_with(['.', '[', '/']))
}

/// The path without its last step, and that step.
pub(crate) fn split_last(path: &str) -> Option<(&str, New)> {
    if path.starts_with('/') {
        let (outer, token) = path.rsplit_once('/')?;
        let name = token.replace("~1", "/").replace("~0", "~");
        return Some((outer, position(&name).unwrap_or(New::Name(name))));
    }
    if let Some(inner) = path.strip_suffix(']') {
        let quoted = inner.strip_suffix('"').and_then(|inner| inner.rfind("[\""));
        let start = quoted.or_else(|| inner.rfind('['))?;
        let (outer, step) = inner.split_at_checked(start)?;
        let step = step.strip_prefix('[')?;
        let step = match crate::edit::json(step) {
            Some(serde_json::Value::String(name)) => New::Name(name),
            _ => position(step).unwrap_or_else(|| New::Other(step.to_owned())),
        };
        return Some((outer, step));
    }
    // A dot in brackets joins nothing.
    let end = path.rfind(']').map_or(0, |at| at + 1);
    let start = path.get(end..)?.rfind('.').map(|at| at + end);
    let (outer, name) = match start {
        Some(start) => (path.get(..start)?, path.get(start + 1..)?),
        None => ("", path),
    };
    (!name.is_empty()).then(|| (outer, New::Name(name.to_owned())))
}

fn position(text: &str) -> Option<New> {
    match text {
        "-" => Some(New::Index(None)),
        text => text.parse().ok().map(|at| New::Index(Some(at))),
    }
}

/// Whether a beginning of a path ends where one of its steps does.
pub(crate) fn is_boundary(path: &str, outer: &str) -> bool {
    path.get(outer.len()..).is_some_and(|rest| rest.starts_with(['.', '[', '/']))
        || outer.is_empty()
}
