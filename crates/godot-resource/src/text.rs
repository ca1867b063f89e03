//! Files of text, kept as they are.

mod entries;
mod rebuild;
mod references;
mod section;

pub use entries::Outline;
pub(crate) use entries::{Owner, joined, word};
pub(crate) use references::{Mention, mentions, replaced};
pub use section::Section;
pub(crate) use section::Style;

use std::fmt;

use godot_variant::Spelling;
use godot_variant::text::parts::{Part, Parts};

use crate::{Error, ErrorKind, Options, Result};

/// A text file, in sections: a scene, a resource, or settings (`.import`, `project.godot` and the like).
///
/// Each section keeps its own text, with comments and spelling. A change replaces the text of one value, so
/// that what is not changed is written as it was read, to the byte.
///
/// ```
/// use godot_resource::Text;
/// use godot_variant::types::Vector2;
///
/// let scene = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"] ; mine\nposition = Vector2( 1,2 )\n";
/// let mut text = Text::parse(scene)?;
/// let node = &mut text.sections_mut()[2];
/// assert_eq!((node.tag(), node.field("name")), ("node", Some("A".into())));
/// assert_eq!(node.get("position"), Some(Vector2::new(1.0, 2.0).into()));
/// node.set("position", &Vector2::new(3.0, 4.0).into())?;
/// assert_eq!(text.to_string(), scene.replace("Vector2( 1,2 )", "Vector2(3, 4)"));
/// # Ok::<(), godot_resource::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Text {
    sections: Vec<Section>,
    has_tags: bool,
}

/// The newest format of text files.
const FORMAT: i64 = 4;

impl Text {
    /// The byte order mark that editors of other systems put before text.
    pub(crate) const BOM: &str = "\u{feff}";

    /// Reads a text.
    ///
    /// # Errors
    /// As [`Options::parse`].
    pub fn parse(text: &str) -> Result<Self> {
        Options::new().parse(text)
    }

    /// The text with other sections, of the same kind.
    pub(crate) fn with_sections(&self, sections: Vec<Section>) -> Text {
        Text { sections, has_tags: self.has_tags }
    }

    /// Whether heads are tags with fields, as in scenes and resources, and no names.
    pub fn has_tags(&self) -> bool {
        self.has_tags
    }

    /// The sections in order. The first one has no head: it is what stands before all heads, mostly nothing.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The sections, to change, to take out and to put in.
    pub fn sections_mut(&mut self) -> &mut Vec<Section> {
        &mut self.sections
    }

    /// Puts the sections with some numbers into another order, in their places. What is between two places stays.
    pub(crate) fn rearrange(&mut self, places: &[usize], order: Vec<usize>) {
        let mut sections: Vec<_> =
            std::mem::take(&mut self.sections).into_iter().map(Some).collect();
        let ends: Vec<String> = sections.iter().flatten().map(Section::end).collect();
        let mut all: Vec<usize> = (0..sections.len()).collect();
        for (place, number) in places.iter().zip(order) {
            if let Some(own) = all.get_mut(*place) {
                *own = number;
            }
        }
        for (number, end) in all.iter().zip(ends) {
            let Some(mut section) = sections.get_mut(*number).and_then(Option::take) else {
                continue;
            };
            section.set_end(&end);
            self.sections.push(section);
        }
        debug_assert!(sections.iter().all(Option::is_none), "an order that leaves some out");
    }

    /// The `format` of a scene or resource: 2 for engines 3.x, 3 and 4 for 4.x; `None` for settings.
    pub fn format(&self) -> Option<i64> {
        self.head().map(format_of)
    }

    /// The line, from 1, at which each section begins.
    pub(crate) fn lines(&self) -> impl Iterator<Item = usize> {
        let ends = self.sections.iter().map(|own| own.as_str().matches('\n').count());
        let mut line = 1_usize;
        ends.map(move |len| {
            let after = line.saturating_add(len);
            std::mem::replace(&mut line, after)
        })
    }

    /// The name of the first node of a scene.
    pub(crate) fn root_name(&self) -> Option<String> {
        let root = self.sections.iter().find(|own| own.tag() == "node")?;
        root.field("name")?.as_str().map(str::to_owned)
    }

    /// The section `gd_scene` or `gd_resource`, with which scenes and resources begin.
    pub fn head(&self) -> Option<&Section> {
        self.sections.get(1).filter(|_| self.has_tags)
    }
}

/// Engines take 3 where a file says nothing.
fn format_of(head: &Section) -> i64 {
    head.field("format").and_then(|format| format.as_i64()).unwrap_or(3)
}

/// The text, with all changes.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sections.iter().try_for_each(|section| f.write_str(section.as_str()))
    }
}

impl Options {
    /// Reads a text file. One that begins with `[gd_scene` or `[gd_resource` has tags, any other is made of
    /// settings; a byte order mark is kept, though the engine loads no scene with one.
    ///
    /// # Errors
    /// A head or a value that is none, with line, column and path; a format that is newer than 4; a limit.
    pub fn parse(&self, text: &str) -> Result<Text> {
        if text.len() > self.limits.max_alloc {
            let most = self.limits.max_alloc;
            let text = format!("{} bytes are more than max_alloc, which is {most}", text.len());
            return Err(Error::new(ErrorKind::AllocLimit, text));
        }
        let body = text.strip_prefix(Text::BOM).unwrap_or(text);
        let first = body.trim_start_matches(|c| c <= ' ');
        let has_tags = ["[gd_scene", "[gd_resource"].iter().any(|tag| first.starts_with(tag));
        // To settings it is a part of the first key.
        let body = if has_tags { body } else { text };
        let mark = text.len().saturating_sub(body.len());
        let options = self.values();
        let mut parts = match has_tags {
            true => Parts::tags(body, &options),
            false => Parts::sections(body, &options),
        };
        let mut reader = SectionReader { sections: vec![Section::start()], begin: 0, root: None };
        while let Some(part) = parts.next() {
            match part {
                Ok(part) => reader.take(body, part),
                Err(error) => {
                    let error = match parts.is_in_head() {
                        true => error,
                        false => error.inside(&*reader.place(body)),
                    };
                    return Err(error.shifted(mark).in_text(text));
                }
            }
        }
        reader.close(body, body.len());
        let mut read = Text { sections: reader.sections, has_tags };
        let format = read.format();
        if format.is_some_and(|format| format > FORMAT) {
            let text = format!("expected a format up to {FORMAT}, found a newer one");
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        let version = read.sections.first().and_then(|first| first.get("config_version"));
        let style = Style {
            spelling: match (format, version.and_then(|version| version.as_i64())) {
                _ if self.exact => Spelling::Exact,
                (Some(..=2), _) | (None, Some(..=4)) => Spelling::Format2,
                (Some(4), _) => Spelling::Format4,
                _ => Spelling::Format3,
            },
            has_tags,
        };
        read.sections.iter_mut().for_each(|section| section.style(style));
        if let Some(first) = read.sections.first_mut() {
            first.mark(text.get(..mark).unwrap_or_default());
        }
        Ok(read)
    }
}

/// Makes sections of parts.
struct SectionReader {
    sections: Vec<Section>,
    /// Where the last one begins.
    begin: usize,
    /// The name of the first node.
    root: Option<String>,
}

impl SectionReader {
    /// How errors name the section that is being read.
    fn place(&mut self, text: &str) -> String {
        self.close(text, text.len());
        self.sections.last().map_or_else(String::new, |own| own.place(self.root.as_deref()))
    }

    fn take(&mut self, text: &str, part: Part) {
        match part {
            Part::Head(head) => {
                if self.root.is_none() && head.name == "node" {
                    let name = head.fields.iter().find(|field| field.key == "name");
                    let name = name.and_then(|name| name.value.as_str());
                    self.root = name.map(str::to_owned);
                }
                self.close(text, head.span.start);
                self.begin = head.span.start;
                self.sections.push(Section::of_head(head));
            }
            Part::Assignment(assignment) => {
                if let Some(section) = self.sections.last_mut() {
                    section.assign(&assignment, self.begin);
                }
            }
        }
    }

    /// Gives the last section its text.
    fn close(&mut self, text: &str, end: usize) {
        if let Some(section) = self.sections.last_mut() {
            section.fill(text.get(self.begin..end).unwrap_or_default());
        }
    }
}
