//! One section of a text file, with its own text.

use std::ops::Range;

use godot_variant::text::parts::{self, Assignment, Head};
use godot_variant::text::{self, respelled};
use godot_variant::types::GString;
use godot_variant::{Spelling, Value};

use crate::{Error, ErrorKind, Options, Result};

/// A head and what is assigned below it, with its text up to the next head.
///
/// Values are read from the text where they are asked for.
#[derive(Clone, Debug)]
pub struct Section {
    text: String,
    tag: GString,
    /// The head with its brackets; empty in the section before all heads.
    head: Range<usize>,
    fields: Vec<Entry>,
    properties: Vec<Entry>,
    style: Style,
}

/// How new text is written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    pub(crate) spelling: Spelling,
    /// With spaces around the equals signs of properties, as in scenes and resources.
    pub(crate) has_tags: bool,
}

impl Style {
    /// The options for values.
    fn values(self) -> godot_variant::Options {
        Options::new().values().spelling(self.spelling)
    }
}

/// A key and where its value stands in the text of the section.
#[derive(Clone, Debug)]
struct Entry {
    key: GString,
    /// From the key on.
    span: Range<usize>,
    place: Range<usize>,
}

impl Entry {
    fn new(assignment: &Assignment, base: usize) -> Self {
        let moved =
            |range: &Range<usize>| range.start.saturating_sub(base)..range.end.saturating_sub(base);
        Entry {
            key: (&*assignment.key).into(),
            span: moved(&assignment.span),
            place: moved(&assignment.place),
        }
    }
}

impl Section {
    /// The text before all heads.
    pub(super) fn start() -> Self {
        Section {
            text: String::new(),
            tag: GString::default(),
            head: 0..0,
            fields: Vec::new(),
            properties: Vec::new(),
            style: Style { has_tags: true, ..Style::default() },
        }
    }

    pub(super) fn of_head(head: Head) -> Self {
        let base = head.span.start;
        Section {
            text: String::new(),
            tag: head.name.into(),
            head: 0..head.span.end.saturating_sub(base),
            fields: head.fields.iter().map(|field| Entry::new(field, base)).collect(),
            properties: Vec::new(),
            style: Style { has_tags: true, ..Style::default() },
        }
    }

    pub(super) fn assign(&mut self, assignment: &Assignment, base: usize) {
        self.properties.push(Entry::new(assignment, base));
    }

    pub(super) fn fill(&mut self, text: &str) {
        text.clone_into(&mut self.text);
    }

    /// Puts a byte order mark before the first section, in which nothing is assigned.
    pub(super) fn mark(&mut self, mark: &str) {
        self.text.insert_str(0, mark);
    }

    /// The line ends and spaces with which it ends.
    pub(super) fn end(&self) -> String {
        let text = self.text.trim_end_matches([' ', '\t', '\r', '\n']);
        self.text.get(text.len()..).unwrap_or_default().to_owned()
    }

    /// Replaces what [`end`](Self::end) returns.
    pub(super) fn set_end(&mut self, end: &str) {
        self.text.truncate(self.text.len().saturating_sub(self.end().len()));
        self.text.push_str(end);
    }

    pub(crate) fn style(&mut self, style: Style) {
        self.style = style;
    }

    pub(crate) fn own_style(&self) -> Style {
        self.style
    }

    /// Reads one section: a head, and what is assigned below it.
    ///
    /// # Errors
    /// A head or a value that is none; more than one head.
    pub fn parse(text: &str) -> Result<Self> {
        let options = Options::new().values();
        let mut section: Option<Section> = None;
        for part in parts::Parts::tags(text, &options) {
            match (part.map_err(|error| error.in_text(text))?, &mut section) {
                (parts::Part::Head(head), None) => section = Some(Section::of_head(head)),
                (parts::Part::Assignment(own), Some(section)) => section.assign(&own, 0),
                _ => section = None,
            }
        }
        let section = section.filter(|_| text.starts_with('['));
        let mut section = section.ok_or_else(|| {
            Error::new(ErrorKind::Data, "expected one section, found no head or more than one")
        })?;
        section.fill(text);
        Ok(section)
    }

    /// The text, with all changes.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The first word of the tag, or the name of a section of settings.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// How errors name it: the path of a node, the id of a resource, or the tag.
    pub(crate) fn place(&self, root: Option<&str>) -> String {
        let field = |name| self.field(name).unwrap_or_default();
        match (&*self.tag, root) {
            ("node", Some(root)) => match (field("parent").as_str(), field("name").as_str()) {
                (None, name) => name.unwrap_or(root).to_owned(),
                (Some("."), name) => [root, "/", name.unwrap_or_default()].concat(),
                (Some(parent), name) => [root, "/", parent, "/", name.unwrap_or_default()].concat(),
            },
            ("sub_resource" | "ext_resource", _) => match field("id") {
                Value::Int(id) => id.to_string(),
                id => id.as_str().unwrap_or(&self.tag).to_owned(),
            },
            (tag, _) => tag.to_owned(),
        }
    }

    /// The value of a field of the tag.
    pub fn field(&self, name: &str) -> Option<Value> {
        self.value(self.tag_field(name)?)
    }

    /// The names of the fields and the texts of their values.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries(&self.fields)
    }

    /// The text of the value of a field.
    pub(crate) fn raw_field(&self, name: &str) -> Option<&str> {
        self.text.get(self.tag_field(name)?.place.clone())
    }

    /// The value of a property. Of two that have one name the last counts, as in the engine.
    pub fn get(&self, property: &str) -> Option<Value> {
        self.value(self.property(property)?)
    }

    /// The text of a property's value.
    pub fn raw(&self, property: &str) -> Option<&str> {
        self.text.get(self.property(property)?.place.clone())
    }

    /// The names of the properties and the texts of their values.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries(&self.properties)
    }

    /// The properties and their values.
    pub fn values(&self) -> impl Iterator<Item = (&str, Value)> {
        self.properties.iter().filter_map(|entry| Some((&*entry.key, self.value(entry)?)))
    }

    /// The name and the value of the property at a place.
    pub(super) fn value_of(&self, place: usize) -> Option<(&str, Value)> {
        let entry = self.properties.get(place)?;
        Some((&*entry.key, self.value(entry)?))
    }

    /// Where a field begins in the text; for one that is not there, the head.
    pub(crate) fn field_offset(&self, name: &str) -> usize {
        self.tag_field(name).map_or(self.head.start, |entry| entry.span.start)
    }

    /// Where a property begins in the text.
    pub(crate) fn offset_of(&self, property: &str) -> usize {
        self.property(property).map_or(self.head.start, |entry| entry.span.start)
    }

    /// How many lines are above an offset, and the column from 1.
    pub(crate) fn position(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
        let last = before.get(start..).unwrap_or_default().chars().count();
        (before.matches('\n').count(), last.saturating_add(1))
    }

    /// Where the property at a place begins in the text, and its name.
    pub(crate) fn assigned(&self, place: usize) -> Option<(usize, &str)> {
        self.properties.get(place).map(|entry| (entry.span.start, &*entry.key))
    }

    /// Of two fields of one name, the last one counts, as in the engine.
    fn tag_field(&self, name: &str) -> Option<&Entry> {
        self.fields.iter().rfind(|entry| entry.key == name)
    }

    fn property(&self, name: &str) -> Option<&Entry> {
        self.properties.iter().rfind(|entry| entry.key == name)
    }

    fn entries<'a>(&'a self, all: &'a [Entry]) -> impl Iterator<Item = (&'a str, &'a str)> {
        all.iter().filter_map(|own| Some((&*own.key, self.text.get(own.place.clone())?)))
    }

    fn value(&self, entry: &Entry) -> Option<Value> {
        // It was read before, by the same rules.
        let read = text::value_at(&self.text, entry.place.start, &self.style.values());
        debug_assert!(read.is_ok(), "{read:?}");
        read.ok().map(|(value, _)| value)
    }
}

impl Section {
    /// Sets a property: in its place, or after the last one. What is the same inside of the value keeps its
    /// spelling.
    ///
    /// # Errors
    /// A value that text cannot say; an empty name. Nothing is changed then.
    pub fn set(&mut self, property: &str, value: &Value) -> Result<()> {
        let options = self.style.values();
        if let Some(entry) = self.property(property) {
            let place = entry.place.clone();
            let old = self.text.get(place.clone()).unwrap_or_default();
            let new = respelled(old, value, &options).map_err(|error| error.inside(property))?;
            self.splice(place, &new);
            return Ok(());
        }
        let value =
            text::value_to_string(value, &options).map_err(|error| error.inside(property))?;
        self.insert_raw(property, &value, usize::MAX)
    }

    /// Sets a property to the text of a value, as it is.
    ///
    /// # Errors
    /// A text that is no value; an empty name. Nothing is changed then.
    pub fn set_raw(&mut self, property: &str, raw: &str) -> Result<()> {
        text::value_from_str(raw, &self.style.values()).map_err(|error| error.inside(property))?;
        match self.property(property) {
            Some(entry) => {
                self.splice(entry.place.clone(), raw);
                Ok(())
            }
            None => self.insert_raw(property, raw, usize::MAX),
        }
    }

    /// Puts a new property at a place among the others.
    pub(super) fn insert(&mut self, property: &str, value: &Value, place: usize) -> Result<()> {
        let value = text::value_to_string(value, &self.style.values());
        self.insert_raw(property, &value.map_err(|error| error.inside(property))?, place)
    }

    /// The place after a property.
    pub(super) fn place_after(&self, property: Option<&str>) -> usize {
        let found = self.properties.iter().rposition(|own| Some(&*own.key) == property);
        found.map_or(0, |found| found.saturating_add(1))
    }

    /// The text of another value of a property, as engines spell it; `None` where the old one is spelled otherwise.
    pub(super) fn as_engines_spell(&self, property: &str, value: &Value) -> Option<String> {
        let options = self.style.values();
        let spelled = |value: &Value| text::value_to_string(value, &options).ok();
        let is_theirs = spelled(&self.get(property)?).as_deref() == self.raw(property);
        is_theirs.then(|| spelled(value)).flatten()
    }

    pub(super) fn insert_raw(&mut self, property: &str, value: &str, place: usize) -> Result<()> {
        let key = parts::key(property)?;
        let end = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let equals = if self.style.has_tags { " = " } else { "=" };
        let position = place.min(self.properties.len());
        let before = position.checked_sub(1).and_then(|before| self.properties.get(before));
        let after = before.map_or(self.head.end, |before| before.span.end);
        let rest = self.text.get(after..).unwrap_or_default();
        // The rest of the line may be a comment.
        let (at, line) = match rest.split_once('\n') {
            Some((_, below)) => {
                // In settings a line is left free after the head.
                let free = below
                    .strip_prefix(end)
                    .filter(|_| !self.style.has_tags && position == 0 && self.head.end > 0);
                let at = self.text.len().saturating_sub(free.unwrap_or(below).len());
                (at, [&*key, equals, value, end].concat())
            }
            None => (self.text.len(), [end, &*key, equals, value, end].concat()),
        };
        self.text.insert_str(at, &line);
        for entry in self.properties.iter_mut().filter(|entry| entry.span.start >= at) {
            for range in [&mut entry.span, &mut entry.place] {
                range.start = range.start.saturating_add(line.len());
                range.end = range.end.saturating_add(line.len());
            }
        }
        let start = if line.starts_with(end) { at.saturating_add(end.len()) } else { at };
        let place = start.saturating_add(key.len()).saturating_add(equals.len());
        let stop = place.saturating_add(value.len());
        let entry = Entry { key: property.into(), span: start..stop, place: place..stop };
        self.properties.insert(position, entry);
        Ok(())
    }

    /// Removes a property, and the lines that only it stood on. Returns whether it was there.
    pub fn remove(&mut self, property: &str) -> bool {
        let mut found = false;
        while let Some(at) = self.properties.iter().rposition(|entry| entry.key == property) {
            found = true;
            self.remove_at(at);
        }
        found
    }

    /// Removes the property at a place, which is there.
    pub(crate) fn remove_at(&mut self, place: usize) {
        if place >= self.properties.len() {
            return;
        }
        let Range { mut start, mut end } = self.properties.remove(place).span;
        let before = self.text.get(..start).unwrap_or_default().trim_end_matches([' ', '\t']);
        let after = self.text.get(end..).unwrap_or_default();
        let after = after.trim_start_matches([' ', '\t', '\r']);
        if (before.is_empty() || before.ends_with('\n'))
            && (after.is_empty() || after.starts_with('\n'))
        {
            let after = after.strip_prefix('\n').unwrap_or(after);
            (start, end) = (before.len(), self.text.len().saturating_sub(after.len()));
        }
        self.splice(start..end, "");
    }

    /// Sets a field of the tag: in its place, or as the last one.
    ///
    /// # Errors
    /// A value that text cannot say; a name that is no word. Nothing is changed then.
    pub fn set_field(&mut self, name: &str, value: &Value) -> Result<()> {
        let options = self.style.values();
        let new = text::value_to_string(value, &options).map_err(|error| error.inside(name))?;
        self.set_field_raw(name, &new)
    }

    /// Sets a field of the tag to the text of a value, as it is.
    pub(crate) fn set_field_raw(&mut self, name: &str, new: &str) -> Result<()> {
        if let Some(entry) = self.tag_field(name) {
            self.splice(entry.place.clone(), new);
            return Ok(());
        }
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            let text = format!("expected a name of a field that is a word, found {name:?}");
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        let at = self.head.end.saturating_sub(1);
        self.splice(at..at, &[" ", name, "=", new].concat());
        let start = at.saturating_add(1);
        let place = start.saturating_add(name.len()).saturating_add(1);
        let stop = place.saturating_add(new.len());
        self.fields.push(Entry { key: name.into(), span: start..stop, place: place..stop });
        Ok(())
    }

    /// Removes a field of the tag, and the space before it. Returns whether it was there.
    pub fn remove_field(&mut self, name: &str) -> bool {
        let Some(at) = self.fields.iter().rposition(|entry| entry.key == name) else {
            return false;
        };
        let Range { start, end } = self.fields.remove(at).span;
        let before = self.text.get(..start).unwrap_or_default();
        self.splice(before.trim_end_matches(' ').len()..end, "");
        true
    }

    /// Sets what stands between this section and the next one.
    pub(super) fn end_with(&mut self, gap: &str) {
        self.text.truncate(self.text.trim_end_matches(|c| c <= ' ').len());
        self.text.push_str(gap);
    }

    /// Replaces a part of the text, and moves what stands after it.
    fn splice(&mut self, span: Range<usize>, new: &str) {
        let (end, len) = (span.end, span.len());
        self.text.replace_range(span, new);
        let moved = |at: usize| match at >= end {
            true => at.saturating_sub(len).saturating_add(new.len()),
            false => at,
        };
        self.head.end = moved(self.head.end);
        for entry in self.fields.iter_mut().chain(&mut self.properties) {
            for range in [&mut entry.span, &mut entry.place] {
                // A range that begins where a text is put in stays before it.
                let start = if range.start == end && len > 0 || range.start > end {
                    moved(range.start)
                } else {
                    range.start
                };
                *range = start..moved(range.end);
            }
        }
    }
}
