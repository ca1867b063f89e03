//! From the text to its spans.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::Explanation;
use super::sink::{Sink, count, cut, quoted};
use super::span::{Place, Role};
use crate::error::{Segment, Shortened};
use crate::read::Reader;
use crate::value::{Number, located};
use crate::{Error, Options, Result};

/// Explains a text; bytes that are not UTF-8 end it.
pub(crate) fn explain(bytes: &[u8], options: &Options) -> Explanation {
    let (text, wrong) = match Reader::check_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let head = bytes.get(..error.offset().unwrap_or(0)).unwrap_or_default();
            (std::str::from_utf8(head).unwrap_or_default(), Some(error))
        }
    };
    let mut walk = Walk {
        text,
        reader: Reader::new(text, options),
        sink: Sink::default(),
        levels: Vec::new(),
        place: Arc::default(),
    };
    let done = walk.all();
    let done = done.map_err(|error| located(error, text, options));
    let error = wrong.or(done.err()).map(|error| error.placed(bytes));
    if let Some(error) = &error {
        walk.fail(error, bytes);
    }
    walk.sink.finish(bytes, error)
}

struct Walk<'t> {
    text: &'t str,
    reader: Reader<'t>,
    sink: Sink,
    levels: Vec<Level<'t>>,
    /// Place of the value that comes next.
    place: Arc<Place>,
}

/// A container that is open.
struct Level<'t> {
    is_object: bool,
    first: bool,
    /// Index of its span.
    own: usize,
    place: Arc<Place>,
    children: usize,
    /// The names so far, and which members they are of.
    names: HashMap<Cow<'t, str>, usize>,
}

impl<'t> Walk<'t> {
    fn all(&mut self) -> Result<()> {
        loop {
            self.value()?;
            loop {
                let Some(level) = self.levels.last_mut() else {
                    let done = self.reader.end();
                    self.gap();
                    return done;
                };
                let more = match level.is_object {
                    true => self.reader.next_member(&mut level.first)?,
                    false => self.reader.next_element(&mut level.first)?,
                };
                if more {
                    break;
                }
                self.close();
            }
            self.child()?;
        }
    }

    /// The value that comes next, up to what is inside of it.
    fn value(&mut self) -> Result<()> {
        let byte = self.reader.peek()?;
        self.gap();
        let (kind, value): (&'static str, Cow<'static, str>) = match byte {
            b'{' | b'[' => {
                self.reader.open()?;
                let kind = if byte == b'{' { "type Object" } else { "type Array" };
                let own = self.push(Role::Header, kind, "".into());
                self.levels.push(Level {
                    is_object: byte == b'{',
                    first: true,
                    own,
                    place: Arc::clone(&self.place),
                    children: 0,
                    names: HashMap::new(),
                });
                return Ok(());
            }
            b'"' => ("type String", quoted(&self.reader.string()?).into()),
            b'-' | b'0'..=b'9' => {
                let text = self.reader.number_text()?;
                let kind = match Number::spelled(text.into()) {
                    number if number.as_i64().is_some() => "type Integer",
                    number if number.as_u64().is_some() => "type Integer · above the signed range",
                    _ => "type Double",
                };
                (kind, cut(format_args!("{text}")).into())
            }
            b'n' => {
                self.reader.literal("null")?;
                ("type Null", "null".into())
            }
            b't' | b'f' => ("type Bool", if self.reader.bool()? { "true" } else { "false" }.into()),
            _ => return Err(self.reader.unexpected("a value")),
        };
        self.push(Role::Header, kind, value);
        Ok(())
    }

    /// What stands before a child: a name, or nothing.
    fn child(&mut self) -> Result<()> {
        self.gap();
        let depth = self.levels.len();
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        let index = level.children;
        level.children = index.saturating_add(1);
        if !level.is_object {
            self.place = Place::inside(&level.place, Segment::Index(index));
            return Ok(());
        }
        let name = self.reader.string()?;
        let segment = Segment::Key(Shortened(&name).to_string());
        let shown = quoted(&name);
        let meaning: Cow<'static, str> = match &*name {
            "$type" => "name · the class of the object".into(),
            "$import" => "name · another file takes the place of the object".into(),
            _ => match level.names.get(&name) {
                Some(first) => format!("name · the same as member {first}").into(),
                None => "name".into(),
            },
        };
        level.names.entry(name).or_insert(index);
        let outer = Arc::clone(&level.place);
        let len = self.reader.offset().saturating_sub(self.sink.at());
        self.sink.push(len, Role::Name, depth, &outer, meaning, shown.into());
        self.place = Place::inside(&outer, segment);
        self.reader.colon()
    }

    fn close(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        // All but the bracket.
        let end = self.reader.offset().saturating_sub(1);
        self.gap_to(end, self.levels.len().saturating_add(1), &level.place);
        let what = if level.is_object { "object" } else { "array" };
        let meaning: Cow<'static, str> = match level.place.step() {
            Some((_, Segment::Key(key))) => format!("end of {key}").into(),
            Some((_, Segment::Index(index))) => format!("end of [{index}]").into(),
            None => format!("end of the {what}").into(),
        };
        self.sink.push(1, Role::Close, self.levels.len(), &level.place, meaning, "".into());
        let noun = if level.is_object { "member" } else { "element" };
        if let Some(span) = self.sink.get_mut(level.own) {
            span.value = count(level.children, noun);
        }
        if level.is_object && level.children == 0 {
            self.sink.note(level.own, "explicit default");
        }
    }

    /// A span up to where the reader is.
    fn push(&mut self, role: Role, meaning: &'static str, value: Cow<'static, str>) -> usize {
        let len = self.reader.offset().saturating_sub(self.sink.at());
        let place = Arc::clone(&self.place);
        self.sink.push(len, role, self.levels.len(), &place, meaning.into(), value)
    }

    /// Spans for what is between the last token and the next one.
    fn gap(&mut self) {
        let place = self.levels.last().map_or_else(Arc::default, |level| Arc::clone(&level.place));
        self.gap_to(self.reader.offset(), self.levels.len(), &place);
    }

    fn gap_to(&mut self, end: usize, depth: usize, place: &Arc<Place>) {
        let mut rest = self.text.get(self.sink.at()..end).unwrap_or_default();
        while !rest.is_empty() {
            let is_comment = rest.starts_with('/');
            let len = match rest.get(..2) {
                Some("//") => rest.find('\n').unwrap_or(rest.len()),
                Some("/*") => rest.find("*/").map_or(rest.len(), |at| at.saturating_add(2)),
                _ => rest.find('/').filter(|at| *at > 0).unwrap_or(rest.len()),
            };
            let (part, after) = rest.split_at_checked(len).unwrap_or((rest, ""));
            let (role, meaning, value) = match is_comment {
                true => (Role::Comment, "comment", cut(format_args!("{part}"))),
                false => (Role::Space, "separator", quoted(part)),
            };
            self.sink.push(part.len(), role, depth, place, meaning.into(), value.into());
            rest = after;
        }
    }

    /// Where the space ends that begins after the last token, no later than `end`.
    fn gap_end(&self, end: usize) -> usize {
        let mut at = self.sink.at();
        loop {
            let rest = self.text.get(at..end).unwrap_or_default();
            let comment = match rest.get(..2) {
                Some("//") => rest.find('\n').unwrap_or(rest.len()),
                Some("/*") => rest.find("*/").map_or(rest.len(), |at| at.saturating_add(2)),
                _ => 0,
            };
            let is_space = |c| matches!(c, ' ' | '\t' | '\n' | '\r' | ',' | ':');
            let space = rest.find(|c| !is_space(c)).unwrap_or(rest.len());
            match comment.max(space) {
                0 => return at,
                len => at = at.saturating_add(len),
            }
        }
    }

    /// The error, which takes the character at its offset, or the number or word that begins there.
    fn fail(&mut self, error: &Error, bytes: &[u8]) {
        let at = error.offset().unwrap_or(bytes.len());
        self.gap_to(self.gap_end(at), self.levels.len(), &Arc::default());
        let rest = self.text.get(at..).unwrap_or_default();
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let one = rest.chars().next().map_or(1, char::len_utf8);
        let end = at.saturating_add(word.max(one)).min(bytes.len());
        let place = Arc::clone(&self.place);
        self.sink.fail(error, end, self.levels.len(), &place, bytes.len());
    }
}
