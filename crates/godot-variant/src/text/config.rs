//! Text with sections: `ConfigFile`, `project.godot`, `override.cfg`, `.import`.
//!
//! ```
//! use godot_variant::text::config::{self, ConfigFile};
//! use godot_variant::types::Vector2i;
//! use serde::{Deserialize, Serialize};
//!
//! let text = "; by hand\n[video]\n\nsize = Vector2i(640, 360) ; small\nfull=false\n";
//! // One value is changed, every other byte is kept.
//! let mut file = ConfigFile::parse(text)?;
//! assert_eq!(file.get("video", "full"), Some(&false.into()));
//! file.set("video", "size", Vector2i::new(1280, 720))?;
//! assert_eq!(file.as_str(), text.replace("640, 360", "1280, 720"));
//!
//! // Sections are structs.
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Settings { video: Video }
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Video { size: Vector2i, full: bool }
//!
//! let settings: Settings = config::from_str(file.as_str())?;
//! assert_eq!(settings.video, Video { size: Vector2i::new(1280, 720), full: false });
//! // As the engine writes it.
//! let written = config::to_string(&settings)?;
//! assert_eq!(written, "[video]\n\nsize=Vector2i(1280, 720)\nfull=false\n");
//! # Ok::<(), godot_variant::Error>(())
//! ```
//!
//! Read as the engine reads it, which is generous: white space in names is skipped (`a b=1` is `ab`), a
//! line without `=` belongs to the name after it, with the head of a section if one comes between
//! ([`ConfigFile::lost`]), `[]` continues the section before, and a
//! value of null removes the key. An encrypted one
//! (`save_encrypted_pass`) is opened by [`Opener`](crate::wrapped::Opener) first.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use super::parts::{self, Assignment, Head, Part, Parts};
use super::{dialect_of, in_dialect, respelled, write};
use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::value::Dictionary;
use crate::{Dialect, Options, Value};

/// A text with sections, and the values in it.
///
/// The text is kept as it was; a change replaces what has to be changed of it. Each change reads the text
/// once more, and looking up a value takes time by the number of keys.
#[derive(Clone, Debug, Default)]
pub struct ConfigFile {
    text: String,
    /// Whether names without quotes are read byte by byte.
    is_file: bool,
    options: Options,
    parts: Vec<ConfigPart>,
}

/// The head of a section, or one assignment.
#[derive(Clone, Debug)]
struct ConfigPart {
    section: String,
    /// `None` at the head of a section.
    assigned: Option<(String, Value)>,
    /// All of it, and the value alone.
    span: Range<usize>,
    value: Range<usize>,
}

impl ConfigPart {
    fn assigns(&self, section: &str, key: &str) -> bool {
        self.section == section && self.assigned.as_ref().is_some_and(|(own, _)| own == key)
    }
}

impl ConfigFile {
    /// Reads a text.
    ///
    /// # Errors
    /// A section without its `]`, or a value that is none, with its offset and the path to it.
    pub fn parse(text: &str) -> Result<Self> {
        ConfigFile::parse_with(text, &Options::new())
    }

    /// [`parse`](Self::parse) with options: limits, and whole objects, which the input map of a
    /// `project.godot` has.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_with(text: &str, options: &Options) -> Result<Self> {
        ConfigFile::read(text, false, options)
    }

    /// Reads the text of a file, as the engine's `load` does: each byte of a name without quotes is a character, so that
    /// `ä=1` has the key `Ã¤`.
    ///
    /// ```
    /// use godot_variant::{Options, text::config::ConfigFile};
    ///
    /// let file = ConfigFile::load_with("ä=1\n\"ä\"=2\n", &Options::new())?;
    /// assert_eq!((file.get("", "Ã¤"), file.get("", "ä")), (Some(&1.into()), Some(&2.into())));
    /// # Ok::<(), godot_variant::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn load_with(text: &str, options: &Options) -> Result<Self> {
        ConfigFile::read(text, true, options)
    }

    fn read(text: &str, is_file: bool, options: &Options) -> Result<Self> {
        let (mut parts, mut section) = (Vec::new(), String::new());
        let mut reader = Parts::sections(text, options).of_file(is_file);
        while let Some(part) = reader.next() {
            let is_in_head = reader.is_in_head();
            parts.push(
                match part.map_err(|error| match is_in_head || error.path().is_empty() {
                    true => error,
                    false => error.inside(&*section),
                })? {
                    Part::Head(Head { span, name, .. }) => {
                        if !name.is_empty() {
                            section = name;
                        }
                        ConfigPart { section: section.clone(), assigned: None, span, value: 0..0 }
                    }
                    Part::Assignment(Assignment { key, value, span, place }) => ConfigPart {
                        section: section.clone(),
                        assigned: Some((key, value)),
                        span,
                        value: place,
                    },
                },
            );
        }
        Ok(ConfigFile { text: text.to_owned(), is_file, options: options.clone(), parts })
    }

    /// The text, with all changes.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The value of a key; keys before the first section are in the section `""`.
    pub fn get(&self, section: &str, key: &str) -> Option<&Value> {
        let (_, value) = self.assignment(section, key)?.assigned.as_ref()?;
        Some(value).filter(|value| !value.is_null())
    }

    /// The last assignment to a key.
    fn assignment(&self, section: &str, key: &str) -> Option<&ConfigPart> {
        self.parts.iter().rfind(|part| part.assigns(section, key))
    }

    /// Sections, keys and values in the engine's order: sections that come again continue where they were
    /// first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        let mut sections: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let mut keys: BTreeMap<(&str, &str), (usize, &Value)> = BTreeMap::new();
        for (at, part) in self.parts.iter().enumerate() {
            let Some((key, value)) = &part.assigned else { continue };
            let section = part.section.as_str();
            if value.is_null() {
                // With its last key a section goes.
                if keys.remove(&(section, key)).is_some()
                    && let Some((_, count)) = sections.get_mut(section)
                {
                    *count = count.saturating_sub(1);
                    if *count == 0 {
                        sections.remove(section);
                    }
                }
                continue;
            }
            let entry = keys.entry((section, key)).or_insert_with(|| {
                let (_, count) = sections.entry(section).or_insert((at, 0));
                *count = count.saturating_add(1);
                (at, value)
            });
            entry.1 = value;
        }
        let place = |section: &str| sections.get(section).map(|(at, _)| *at);
        let mut all: Vec<_> = keys
            .into_iter()
            .map(|((section, key), (at, value))| ((place(section), at), (section, key, value)))
            .collect();
        all.sort_unstable_by_key(|(place, _)| *place);
        all.into_iter().map(|(_, own)| own)
    }

    /// Sets the value of a key: in its place, after the last key of its section, or in a new section at the
    /// end. Null removes the key, as in the engine.
    ///
    /// # Errors
    /// A value that [text](crate::text) cannot say; an empty key; a section whose name would be read as
    /// another; a place where the engine would not read it back, after a name without a value. Nothing is
    /// changed then.
    pub fn set(&mut self, section: &str, key: &str, value: impl Into<Value>) -> Result<()> {
        let value = value.into();
        if value.is_null() {
            return self.remove(section, key);
        }
        if let Some(part) = self.assignment(section, key) {
            let old = self.text.get(part.value.clone()).unwrap_or_default();
            let new = respelled(old, &value, &self.options)?;
            return self.parsed(&self.spliced(&part.value, &new));
        }
        let mut made = self.clone();
        made.append(section, key, &write::write(&value, &self.options)?)?;
        let is_own = |entry: &(&str, &str, &Value)| (entry.0, entry.1) == (section, key);
        let others = made.iter().filter(|entry| !is_own(entry));
        if made.get(section, key).is_none() || !others.eq(self.iter()) {
            let text = "expected a place where the engine reads the key back, found a name without a \
                        value before it";
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        *self = made;
        Ok(())
    }

    /// Adds a key that there is not, with the text of its value.
    fn append(&mut self, section: &str, key: &str, value: &str) -> Result<()> {
        let end = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let line = assignment(key, value)?;
        let before = self.parts.iter().rfind(|part| part.section == section);
        match (before, section) {
            (Some(part), _) => {
                let at = part.span.end;
                let rest = self.text.get(at..).unwrap_or_default();
                let blank = rest.trim_start_matches([' ', '\t', '\r']);
                // The rest of the line is white space or a comment.
                let is_free = blank.is_empty() || blank.starts_with(['\n', ';']);
                let Some((_, after)) = blank.split_once('\n').filter(|_| is_free) else {
                    let at = if is_free { self.text.len() } else { at };
                    return self.parsed(&self.spliced(&(at..at), &format!("{end}{line}{end}")));
                };
                // As the engine does, a line is left free after the head.
                let free = after.strip_prefix(end).filter(|_| part.assigned.is_none());
                let at = self.text.len().saturating_sub(free.unwrap_or(after).len());
                self.parsed(&self.spliced(&(at..at), &format!("{line}{end}")))
            }
            (None, "") => {
                let gap = if self.text.is_empty() { "" } else { end };
                self.parsed(&self.spliced(&(0..0), &format!("{line}{end}{gap}")))
            }
            (None, section) => {
                let gap = match &*self.text {
                    "" => "",
                    text if text.ends_with('\n') => end,
                    _ => &format!("{end}{end}"),
                };
                let at = self.text.len();
                let head = head(section)?;
                let new = format!("{gap}{head}{end}{end}{line}{end}");
                self.parsed(&self.spliced(&(at..at), &new))
            }
        }
    }

    /// Removes a key, and the lines that only it stood on.
    ///
    /// # Errors
    /// None of its own: what is left was read before.
    pub fn remove(&mut self, section: &str, key: &str) -> Result<()> {
        let mut left = self.clone();
        for part in self.parts.iter().rev().filter(|part| part.assigns(section, key)) {
            let Range { mut start, mut end } = part.span.clone();
            let (before, after) = (left.text.get(..start), left.text.get(end..));
            let before = before.unwrap_or_default().trim_end_matches([' ', '\t']);
            let after = after.unwrap_or_default().trim_start_matches([' ', '\t', '\r']);
            if (before.is_empty() || before.ends_with('\n'))
                && (after.is_empty() || after.starts_with('\n'))
            {
                let after = after.strip_prefix('\n').unwrap_or(after);
                (start, end) = (before.len(), left.text.len().saturating_sub(after.len()));
            }
            left.text = left.spliced(&(start..end), "");
        }
        self.parsed(&left.text)
    }

    /// The text with a part replaced.
    fn spliced(&self, span: &Range<usize>, new: &str) -> String {
        let before = self.text.get(..span.start).unwrap_or_default();
        let after = self.text.get(span.end..).unwrap_or_default();
        [before, new, after].concat()
    }

    fn parsed(&mut self, text: &str) -> Result<()> {
        *self = ConfigFile::read(text, self.is_file, &self.options)?;
        Ok(())
    }

    /// Lines that the engine takes for a part of a name, or passes over: the
    /// lines after which it is so, counted from 1, and the text.
    ///
    /// ```
    /// use godot_variant::text::config::ConfigFile;
    ///
    /// let file = ConfigFile::parse("[a]\nx=1\njunk\n[b]\ny=2\n")?;
    /// assert_eq!(file.get("a", "junk[b]y"), Some(&2.into()));
    /// assert_eq!(file.lost().collect::<Vec<_>>(), [(3, "junk\n[b]")]);
    /// # Ok::<(), godot_variant::Error>(())
    /// ```
    pub fn lost(&self) -> impl Iterator<Item = (usize, &str)> {
        let names = self.parts.iter().filter_map(|part| {
            let span = part.assigned.as_ref().map(|_| part.span.start..part.value.start)?;
            let name = self.text.get(span.clone())?.trim_end();
            let name = name.strip_suffix('=').unwrap_or(name).trim_end();
            // The name itself stands on the last line.
            let lines = name.rfind('\n').and_then(|at| name.get(..at));
            lines.map(|lines| (span.start, lines.trim_end()))
        });
        let end = self.parts.last().map_or(0, |part| part.span.end);
        let rest =
            Parts::sections(self.text.get(end..).unwrap_or_default(), &self.options).unread();
        let rest = rest.map(|(at, text)| (end.saturating_add(at), text));
        names.chain(rest).map(|(at, text)| {
            let before = self.text.get(..at).unwrap_or_default();
            (before.matches('\n').count().saturating_add(1), text)
        })
    }

    /// Finds which engine wrote the file, as [`dialect_of`] does, or by the `config_version` of a project; `None` where
    /// it is the same for both.
    pub fn dialect(&self) -> Option<Dialect> {
        match self.get("", "config_version").and_then(Value::as_i64) {
            Some(version) => Some(if version < 5 { Dialect::Godot3 } else { Dialect::Godot4 }),
            None => self.values().find_map(|(_, value)| dialect_of(value)),
        }
    }

    /// Writes the file for another engine, as [`in_dialect`] does.
    ///
    /// # Errors
    /// A value that the other engine cannot hold, with its path.
    pub fn in_dialect(&self, dialect: Dialect) -> Result<String> {
        let (mut text, mut copied) = (String::new(), 0);
        for (part, value) in self.values() {
            let made = in_dialect(value, dialect, &self.options).map_err(|error| {
                let key = part.assigned.as_ref().map_or("", |(key, _)| key);
                error.inside(key).inside(&*part.section)
            })?;
            text.push_str(self.text.get(copied..part.value.start).unwrap_or_default());
            text.push_str(&made);
            copied = part.value.end;
        }
        text.push_str(self.text.get(copied..).unwrap_or_default());
        Ok(text)
    }

    /// The texts of all values that are assigned.
    fn values(&self) -> impl Iterator<Item = (&ConfigPart, &str)> {
        let assigned = self.parts.iter().filter(|part| part.assigned.is_some());
        assigned.map(|part| (part, self.text.get(part.value.clone()).unwrap_or_default()))
    }

    /// The values as the engine writes them (`encode_to_text`): without comments.
    ///
    /// # Errors
    /// A section whose name would be read as another.
    pub fn to_text(&self) -> Result<String> {
        let mut text = String::new();
        let mut last = None;
        for (section, key, value) in self.iter() {
            if last != Some(section) {
                text.push_str(if last.is_some() { "\n" } else { "" });
                if !section.is_empty() {
                    text.push_str(&head(section)?);
                    text.push_str("\n\n");
                }
                last = Some(section);
            }
            let inside = |error: Error| error.inside(key).inside(section);
            let value = write::write(value, &self.options).map_err(inside)?;
            text.push_str(&assignment(key, &value).map_err(inside)?);
            text.push('\n');
        }
        Ok(text)
    }

    /// Sections as dictionaries in a dictionary.
    fn to_value(&self) -> Value {
        let mut all = Dictionary::new();
        for (section, key, value) in self.iter() {
            if !all.contains(section) {
                all.insert(section, Dictionary::new());
            }
            if let Some(Value::Dictionary(entries)) = all.get_mut(section) {
                entries.insert(key, value.clone());
            }
        }
        Value::Dictionary(all)
    }
}

/// Reads a Rust type: a struct or map of sections, each a struct or map of keys. Keys before the first
/// section are in the section `""`.
///
/// # Errors
/// As [`ConfigFile::parse`], or data that does not fit `T`.
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T> {
    let file = ConfigFile::parse(text)?;
    file.options.from_value(&file.to_value())
}

/// Writes a struct or map of sections as the engine does. `None` and sections without keys are left out.
///
/// # Errors
/// Something else than sections of keys, with its path; what [`ConfigFile::set`] refuses.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    let expected = |what: &str, found: &Value| {
        Error::new(ErrorKind::Data, format!("expected {what}, found {}", found.kind()))
    };
    let all: Value = crate::to_value(value)?;
    let sections = all.as_dictionary().ok_or_else(|| expected("a struct of sections", &all))?;
    let mut file = ConfigFile::default();
    for (section, entries) in sections {
        let section = section.as_str().ok_or_else(|| expected("a name of a section", section))?;
        if entries.is_null() {
            continue;
        }
        let keys = entries.as_dictionary();
        let keys = keys.ok_or_else(|| expected("a section of keys", entries).inside(section))?;
        for (key, value) in keys {
            let key = key.as_str().ok_or_else(|| expected("a key of text", key).inside(section))?;
            file.parts.push(ConfigPart {
                section: section.to_owned(),
                assigned: Some((key.to_owned(), value.clone())),
                span: 0..0,
                value: 0..0,
            });
        }
    }
    file.to_text()
}

/// `[section]`
fn head(section: &str) -> Result<String> {
    let text = format!("[{}]", section.replace(']', "\\]"));
    match Parts::sections(&text, &Options::new()).next() {
        Some(Ok(Part::Head(read))) if read.name == section && !section.is_empty() => Ok(text),
        _ => Err(Error::new(
            ErrorKind::Unsupported,
            format!(
                "expected a section without white space around it and a backslash before ], found \"{}\"",
                Shortened(section)
            ),
        )),
    }
}

/// `key=value`
fn assignment(key: &str, value: &str) -> Result<String> {
    Ok([&*parts::key(key)?, "=", value].concat())
}
