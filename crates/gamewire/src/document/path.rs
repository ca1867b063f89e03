//! The way from the root of a file's data to one value: `players[3].name` or `/players/3/name`, as
//! the crates show it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use gamewire_core::bytes::{part, text_part};
use gamewire_core::{Segment, pointer};

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
    /// The same, and how else it may be typed.
    Typed(String, String),
}

impl Step {
    /// The name, the key, or the digits of the position.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        match self {
            Step::Index(index) => Cow::Owned(index.to_string()),
            Step::Key(name)
            | Step::Name(name)
            | Step::Pointer(name)
            | Step::Other(name)
            | Step::Typed(name, _) => Cow::Borrowed(name),
        }
    }
}

/// The path of the root, as it is shown.
pub(crate) const ROOT: &str = "(root)";

/// The path as it is shown.
pub(crate) fn shown(path: &[Step]) -> String {
    text(path).unwrap_or_else(|| ROOT.to_owned())
}

/// The path of a value that stands in another one.
#[cfg(feature = "godot-variant")]
pub(crate) fn joined(outer: &str, inner: &str) -> String {
    match (outer, inner) {
        (outer, ROOT) => outer.to_owned(),
        (ROOT, inner) => inner.to_owned(),
        (outer, inner) if inner.starts_with('[') => format!("{outer}{inner}"),
        (outer, inner) => format!("{outer}.{inner}"),
    }
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
            Step::Pointer(name) => write!(text, "/{}", pointer::escaped(name)),
            Step::Index(index) => write!(text, "[{index}]"),
            Step::Other(key) | Step::Typed(key, _) => write!(text, "[{key}]"),
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

/// The last step of a path to something that is not present yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum New {
    Name(String),
    /// A position in a list; `None` for the end.
    Index(Option<usize>),
    /// Any other text in brackets.
    Other(String),
}

/// The rests of typed paths at a value of a tree. A path is typed as it is shown; `*` stands for any
/// step, or for anything in a name, `**` for any number of steps.
///
/// All paths go through the tree together: what leads on to a child is looked up by the ways in which the
/// child can be written, and not tried for each path.
#[derive(Clone, Default)]
pub(crate) struct PathSet<'p> {
    /// The rest of each path, sorted by the text.
    rests: Vec<(&'p str, usize)>,
    /// Those of them in which a `*` may be part of the next step.
    patterns: Vec<(&'p str, usize)>,
    /// Those that continue below every child as they are.
    deep: Vec<(&'p str, usize)>,
    is_root: bool,
}

impl<'p> PathSet<'p> {
    /// Paths from the root.
    pub(crate) fn new(paths: impl IntoIterator<Item = (&'p str, usize)>) -> Self {
        Self::at(paths.into_iter().collect(), true)
    }

    fn at(mut rests: Vec<(&'p str, usize)>, is_root: bool) -> Self {
        let mut deep = Vec::new();
        let mut next = 0;
        while let Some((rest, path)) = rests.get(next).copied() {
            next += 1;
            if let Some(below) = any_depth(rest) {
                deep.push((rest, path));
                if !below.is_empty() {
                    rests.push((below, path));
                }
            }
        }
        rests.sort_unstable();
        rests.dedup();
        let patterns = rests
            .iter()
            .copied()
            .filter(|(rest, _)| rest.contains('*') && any_depth(rest).is_none());
        let patterns = patterns.collect();
        PathSet { rests, patterns, deep, is_root }
    }

    /// Whether any of them leads on from here.
    pub(crate) fn go_on(&self) -> bool {
        self.rests.last().is_some_and(|(rest, _)| !rest.is_empty())
    }

    /// Whether none of them leads here.
    pub(crate) fn is_empty(&self) -> bool {
        self.rests.is_empty()
    }

    /// The paths that end here.
    pub(crate) fn ended(&self) -> impl Iterator<Item = usize> {
        self.rests.iter().take_while(|(rest, _)| rest.is_empty()).map(|(_, path)| *path)
    }

    /// The positions of keys that are next, in `[key 3].x`, and what is left after each.
    pub(crate) fn keys(&self) -> Vec<(usize, PathSet<'p>)> {
        let key = |(rest, path): &(&'p str, usize)| {
            let (index, after) = rest.strip_prefix("[key ")?.split_once(']')?;
            Some((index.parse().ok()?, Self::at(vec![(after, *path)], false)))
        };
        self.starting("[key ").iter().filter_map(key).collect()
    }

    /// The rests inside of a child.
    pub(crate) fn after(&self, step: &Step) -> PathSet<'p> {
        let mut after = self.exactly(step);
        after.rests.extend(&self.deep);
        // At the end, any number of steps leads to everything below.
        let ends = self.deep.iter().filter(|(rest, _)| any_depth(rest) == Some(""));
        after.rests.extend(ends.map(|(_, path)| ("", *path)));
        for (rest, path) in &self.patterns {
            let left = after_pattern(rest, step, self.is_root);
            after.rests.extend(left.into_iter().map(|left| (left, *path)));
        }
        Self::at(after.rests, false)
    }

    /// The positions in a list that lead on, in order, where nothing else does.
    pub(crate) fn positions(&self) -> Option<BTreeSet<usize>> {
        let position = |(rest, _): &(&str, usize)| {
            let bare = rest.strip_prefix(['[', '/'])?;
            bare.get(..bare.find([']', '/', '.', '[']).unwrap_or(bare.len()))?.parse().ok()
        };
        let is_plain = self.deep.is_empty() && self.patterns.is_empty();
        let rests = self.rests.iter().filter(|(rest, _)| !rest.is_empty());
        is_plain.then(|| rests.map(position).collect()).flatten()
    }

    /// Whether some path may lead on by this step.
    pub(crate) fn may_lead_to(&self, step: &Step) -> bool {
        !self.deep.is_empty() || !self.patterns.is_empty() || self.may_have(step)
    }

    /// Whether some path may have this step next; a look at its beginning, for lists and objects with
    /// many steps.
    fn may_have(&self, step: &Step) -> bool {
        let bare = |rest: &'p str| rest.trim_start_matches(['[', '"', '/', '.', '&']);
        match step {
            Step::Typed(..) => true,
            Step::Index(index) => self.rests.iter().any(|(rest, _)| {
                let bare = bare(rest);
                let end = bare.find(|c: char| !c.is_ascii_digit()).unwrap_or(bare.len());
                bare.get(..end).is_some_and(|digits| digits.parse() == Ok(*index))
            }),
            _ => {
                let name = step.name();
                let end = name.bytes().take(16).take_while(u8::is_ascii_alphanumeric).count();
                let start = text_part(&name, ..end);
                self.rests.iter().any(|(rest, _)| bare(rest).starts_with(start))
            }
        }
    }

    /// The same without patterns.
    pub(crate) fn exactly(&self, step: &Step) -> PathSet<'p> {
        let mut found = Vec::new();
        if !self.may_have(step) {
            return Self::at(found, false);
        }
        let mut add = |spelling: &str, is_all: bool| {
            for (rest, path) in self.starting(spelling) {
                let left = rest.get(spelling.len()..).filter(|left| is_end(left));
                let left = left.filter(|left| !is_all || !left.starts_with('['));
                found.extend(left.map(|left| (left, *path)));
            }
        };
        self.spellings(step).iter().for_each(|own| add(own, false));
        // A name without its number means all of that name.
        if let Some(name) = unnumbered(step) {
            for start in ["/", "."].into_iter().chain(self.is_root.then_some("")) {
                add(&format!("{start}{name}"), true);
            }
        }
        Self::at(found, false)
    }

    /// The rests that begin with a text.
    fn starting(&self, start: &str) -> &[(&'p str, usize)] {
        let from = self.rests.partition_point(|(rest, _)| *rest < start);
        let rests = part(&self.rests, from..);
        let len = rests.partition_point(|(rest, _)| rest.starts_with(start));
        part(rests, ..len)
    }

    /// The ways in which a step can be written, those of errors and `explain` included, which cut names
    /// short.
    fn spellings(&self, step: &Step) -> Vec<String> {
        let own = step.name();
        let mut bare: Vec<Cow<'_, str>> = Vec::new();
        let mut spellings = vec![format!("[{own}]")];
        let is_name = matches!(step, Step::Key(_) | Step::Name(_) | Step::Pointer(_));
        if is_name {
            spellings.push(format!("[{own:?}]"));
            bare.push(Cow::Borrowed(&*own));
        }
        let segment = match step {
            Step::Index(_) => None,
            _ if !is_altered_when_shown(&own) => None,
            Step::Other(key) | Step::Typed(key, _) => Some(Segment::key(key)),
            _ => Some(Segment::field(&own)),
        };
        match segment {
            Some(Segment::Field(short)) => {
                spellings.push(format!("[\"{short}\"]"));
                bare.push(Cow::Owned(short));
            }
            Some(Segment::Key(short)) => spellings.push(format!("[{short}]")),
            _ => {}
        }
        match step {
            Step::Typed(_, typed) => spellings.push(format!("[{typed}]")),
            // Godot's StringName.
            Step::Key(name) => spellings.push(format!("[&{name:?}]")),
            _ => {}
        }
        if own.contains(['~', '/']) {
            let tokens: Vec<String> =
                bare.iter().map(|name| pointer::escaped(name).into_owned()).collect();
            bare.extend(tokens.into_iter().map(Cow::Owned));
        }
        for name in &bare {
            spellings.push(format!("/{name}"));
            if !name.is_empty() {
                spellings.push(format!(".{name}"));
                spellings.extend(self.is_root.then(|| name.to_string()));
            }
        }
        if !is_name {
            spellings.push(format!("/{}", pointer::escaped(&own)));
        }
        spellings
    }
}

/// The name of one of several that have the same, such as `Light[1]`.
pub(super) fn unnumbered(step: &Step) -> Option<&str> {
    let Step::Name(name) = step else { return None };
    let (name, number) = name.strip_suffix(']')?.rsplit_once('[')?;
    number.bytes().all(|digit| digit.is_ascii_digit()).then_some(name)
}

/// Whether a name may be shown otherwise than it is: cut off, or with escapes.
fn is_altered_when_shown(name: &str) -> bool {
    name.len() > 32
        || !name.chars().all(|c| c.is_ascii_graphic() || c == ' ')
        || name.contains(['"', '\\'])
}

/// Whether a step ends before this.
fn is_end(left: &str) -> bool {
    left.is_empty() || left.starts_with(['.', '[', '/'])
}

/// The rests of a path whose next step has a `*`, for each way in which it can be this one.
fn after_pattern<'p>(rest: &'p str, step: &Step, is_first: bool) -> Vec<&'p str> {
    let mut found = Vec::new();
    found.extend(rest.strip_prefix("[*]").filter(|left| is_end(left)));
    let bare = match rest.strip_prefix(['.', '/']) {
        Some(bare) => bare,
        None if is_first && !rest.starts_with('[') => rest,
        None => return found,
    };
    let own = step.name();
    let is_name = matches!(step, Step::Key(_) | Step::Name(_) | Step::Pointer(_));
    if is_name && own.contains(['/', '.']) && is_like(&own, bare) {
        found.push("");
    }
    // A name with `*` ends where the next step begins.
    let end = bare.find(['.', '[', '/']).unwrap_or(bare.len());
    if let Some((pattern, left)) = bare.split_at_checked(end)
        && pattern.contains('*')
        && !pattern.contains("**")
        && (pattern == "*" || is_name)
        && (is_like(&own, pattern) || unnumbered(step).is_some_and(|own| is_like(own, pattern)))
    {
        found.push(left);
    }
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

/// The rest after `**`, or after the `…` of a path that was shown shortened: both stand for any number of steps.
fn any_depth(rest: &str) -> Option<&str> {
    let bare = rest.strip_prefix(['.', '/']).unwrap_or(rest);
    let after = bare.strip_prefix("**").or_else(|| bare.strip_prefix('…'));
    after.filter(|left| left.is_empty() || left.starts_with(['.', '[', '/']))
}

/// The path without its last step, and that step.
pub(crate) fn split_last(path: &str) -> Option<(&str, New)> {
    if path.starts_with('/') {
        let (outer, token) = path.rsplit_once('/')?;
        let name = pointer::unescaped(token);
        let step = position(&name).unwrap_or_else(|| New::Name(name.into_owned()));
        return Some((outer, step));
    }
    if let Some(inner) = path.strip_suffix(']') {
        let quoted = inner.strip_suffix('"').and_then(|inner| inner.rfind("[\""));
        let start = quoted.or_else(|| inner.rfind('['))?;
        let (outer, step) = inner.split_at_checked(start)?;
        let step = step.strip_prefix('[')?;
        let step = match crate::document::json::parse(step) {
            Some(crate::document::json::Json::String(name)) => New::Name(name),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The rest of a path after a step at the root, if it leads there.
    fn after<'p>(path: &'p str, step: &Step) -> Vec<&'p str> {
        let after = PathSet::new([(path, 0)]).after(step);
        after.rests.into_iter().map(|(rest, _)| rest).collect()
    }

    #[test]
    fn a_step_is_typed_as_it_is_shown() {
        let name = |name: &str| Step::Name(name.to_owned());
        for (path, step, left) in [
            ("a.b", name("a"), vec![".b"]),
            ("ab", name("a"), vec![]),
            ("[\"a\"][3]", name("a"), vec!["[3]"]),
            ("[a]", name("a"), vec![""]),
            ("/a/b", name("a"), vec!["/b"]),
            ("/a~1b/c", Step::Pointer("a/b".to_owned()), vec!["/c"]),
            ("a/b/c", name("a/b"), vec!["/c"]),
            ("[12].x", Step::Index(12), vec![".x"]),
            ("[1]", Step::Index(12), vec![]),
            ("/12/x", Step::Index(12), vec!["/x"]),
            ("12", Step::Index(12), vec![]),
            ("[*].x", Step::Index(12), vec![".x"]),
            ("*.x", name("a"), vec![".x"]),
            ("a*.x", name("abc"), vec![".x"]),
            ("a*", name("b"), vec![]),
            ("**.x", name("a"), vec!["**.x", ".x"]),
            ("**.a", name("a"), vec!["", "**.a", ".a"]),
            ("**", name("a"), vec!["", "**"]),
            ("a.**", name("a"), vec![".**"]),
            ("Light", name("Light[1]"), vec![""]),
            ("Light[1].x", name("Light[1]"), vec![".x"]),
            ("Light[0]", name("Light[1]"), vec![]),
            ("…[3]", name("a"), vec!["[3]", "…[3]"]),
            ("", name("a"), vec![]),
        ] {
            assert_eq!(after(path, &step), left, "{path} {step:?}");
        }
    }

    #[test]
    fn names_that_errors_cut_short_are_known() {
        let long = "display/window/size/viewport_width";
        let shown = gamewire_core::Path::from_innermost([Segment::field(long)]);
        let shown = shown.to_string();
        assert_eq!(shown, "[\"display/window/size/viewport_wid…\"]");
        assert_eq!(after(&shown, &Step::Name(long.to_owned())), [""]);
        assert_eq!(after(&shown, &Step::Name(format!("{long}x"))), [""]);
        let odd = Step::Key("a \"b\"\n".to_owned());
        assert_eq!(after("[\"a \\\"b\\\"\\n\"].c", &odd), [".c"]);
        assert_eq!(after("[(1, 2)]", &Step::Other("(1, 2)".to_owned())), [""]);
    }
}
