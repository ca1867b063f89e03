//! Changes of strings in the text, one by one.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use super::change::{Change, Changed};
use o3de_json::value::{Document, TextToken};
use o3de_json::{Error, ErrorKind, Result};

/// A string that may change, or the name of a member.
pub(super) struct Site<'s> {
    pub(super) is_name: bool,
    pub(super) pointer: &'s str,
    /// The name of the innermost member that it is in, or its own.
    pub(super) member: &'s str,
    /// The name of the member that the object around it is in.
    pub(super) around: &'s str,
    /// The path of the override that it is the `value` of, or is in.
    pub(super) path: Option<&'s str>,
    pub(super) text: &'s str,
}

/// A string with its place in the text.
pub(super) struct Edit {
    range: Range<usize>,
    pub(super) change: Change,
}

/// Asks of each string and each name what it becomes.
///
/// # Errors
/// Where an object has the new name of a member already.
pub(super) fn edits(
    document: &Document,
    decide: &mut dyn FnMut(&Site<'_>) -> Option<String>,
) -> Result<Vec<Edit>> {
    let mut walk = Walk { decide, levels: Vec::new(), found: Vec::new(), taken: None };
    document.each_token(&mut |token, range, pointer| {
        match token {
            TextToken::BeginObject => walk.begin(true),
            TextToken::BeginArray => walk.begin(false),
            TextToken::Name(name) => walk.name(range, pointer, &name),
            TextToken::String(text) => walk.string(range, pointer, text),
            TextToken::End => walk.end(pointer),
            _ => {}
        }
        true
    });
    match walk.taken {
        Some(message) => Err(Error::with_kind(ErrorKind::Invalid, message)),
        None => Ok(walk.found),
    }
}

/// The text with the changes in it.
pub(super) fn applied(source: &str, edits: &[Edit]) -> Result<String> {
    let mut text = String::with_capacity(source.len());
    let mut done = 0;
    for edit in edits {
        text.push_str(source.get(done..edit.range.start).unwrap_or_default());
        text.push_str(&o3de_json::to_string(&edit.change.new)?);
        done = edit.range.end;
    }
    text.push_str(source.get(done..).unwrap_or_default());
    Ok(text)
}

struct Walk<'w> {
    decide: &'w mut dyn FnMut(&Site<'_>) -> Option<String>,
    levels: Vec<Level>,
    found: Vec<Edit>,
    /// The error of the first name that is taken.
    taken: Option<String>,
}

struct Level {
    is_object: bool,
    /// The member that the container is in.
    around: Rc<str>,
    /// The member that comes next.
    member: Rc<str>,
    /// Its `path`, once that was read.
    path: Option<String>,
    /// The names of the members that stay, and the new ones.
    names: Vec<Rc<str>>,
    renamed: Vec<Rc<str>>,
}

impl Level {
    /// A new name that another member has.
    fn taken(&self) -> Option<&Rc<str>> {
        if self.renamed.is_empty() {
            return None;
        }
        let names: HashSet<&Rc<str>> = self.names.iter().collect();
        self.renamed.iter().find(|own| names.contains(own))
    }
}

impl Walk<'_> {
    /// Asks what a string becomes, and returns the new name of a member.
    fn look(
        &mut self,
        range: Range<usize>,
        pointer: &str,
        is_name: bool,
        text: &str,
    ) -> Option<Rc<str>> {
        let (level, outer) = self.levels.split_last()?;
        let path = match (is_name, &*level.member, &*level.around) {
            (false, "value", _) => level.path.as_deref(),
            (true, _, "value") => outer.last().and_then(|outer| outer.path.as_deref()),
            _ => None,
        };
        let site = Site {
            is_name,
            pointer,
            member: if level.is_object { &level.member } else { &level.around },
            around: &level.around,
            path,
            text,
        };
        let new = (self.decide)(&site).filter(|new| new != text)?;
        let name = is_name.then(|| Rc::from(new.as_str()));
        let place = match site.member {
            _ if is_name => Changed::Member,
            "path" | "from" => Changed::OverridePath,
            _ => Changed::Text,
        };
        let (pointer, old) = (pointer.to_owned(), text.to_owned());
        self.found.push(Edit { range, change: Change { pointer, place, old, new } });
        name
    }

    fn begin(&mut self, is_object: bool) {
        let around = self.levels.last().map_or_else(Rc::default, |level| match level.is_object {
            true => Rc::clone(&level.member),
            false => Rc::clone(&level.around),
        });
        self.levels.push(Level {
            is_object,
            around,
            member: Rc::default(),
            path: None,
            names: Vec::new(),
            renamed: Vec::new(),
        });
    }

    fn name(&mut self, range: Range<usize>, pointer: &str, name: &str) {
        if let Some(level) = self.levels.last_mut() {
            level.member = Rc::from(name);
        }
        let new = self.look(range, pointer, true, name);
        if let Some(level) = self.levels.last_mut() {
            match new {
                Some(new) => level.renamed.push(new),
                None => level.names.push(Rc::clone(&level.member)),
            }
        }
    }

    fn string(&mut self, range: Range<usize>, pointer: &str, text: Cow<'_, str>) {
        _ = self.look(range, pointer, false, &text);
        if let Some(level) = self.levels.last_mut().filter(|level| &*level.member == "path") {
            level.path = Some(text.into_owned());
        }
    }

    fn end(&mut self, pointer: &str) {
        if let Some(level) = self.levels.pop()
            && let Some(name) = level.taken().filter(|_| self.taken.is_none())
        {
            self.taken = Some(format!("`{name}` is there already, in {pointer}"));
        }
    }
}
