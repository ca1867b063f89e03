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
