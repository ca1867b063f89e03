//! Explanations of every byte, whatever the format is.

use std::collections::HashSet;
use std::io::Write;

use gamewire_core::Segment;
use gamewire_core::explain::{self, Failure, Span};

use super::error::Error;
use super::json::{self, Layout};

/// An explanation of every byte of a file, as far as it can be read.
pub struct Explanation(Box<dyn Explained>);

impl Explanation {
    pub(super) fn of<E: Failure + 'static>(explained: explain::Explanation<E>) -> Self
    where
        for<'e> Error: From<&'e E>,
    {
        Explanation(Box::new(explained))
    }

    /// Why the rest could not be read.
    pub fn error(&self) -> Option<Error> {
        self.0.error()
    }

    /// A table of lines: as wide as a terminal of `columns`, else with nothing cut off.
    pub fn to_text(&self, columns: Option<usize>, color: bool) -> String {
        self.0.text(columns, color)
    }

    /// A page for a browser.
    pub fn to_html(&self, title: &str) -> String {
        self.0.html(title)
    }

    /// The data of the page as JSON, for a page with the same script that has it from elsewhere.
    pub fn to_page_data(&self) -> String {
        self.0.page_data()
    }

    /// Writes the spans as JSON.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write_json(&self, out: &mut dyn Write) -> Result<(), serde_json::Error> {
        self.0.write_json(out)
    }

    /// The paths of the values in it, each once.
    pub fn paths(&self) -> Vec<String> {
        self.0.paths()
    }

    /// Only a part; `None` where there is nothing.
    pub fn part(self, part: &Part) -> Option<Self> {
        self.0.part(part).map(Explanation)
    }
}

/// A part of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// From an offset on.
    From {
        /// The space, by its index.
        space: usize,
        /// The offset in the space.
        offset: usize,
    },
    /// The bytes of the value at a path, and of the values in it.
    Path(String),
}

/// An explanation with the errors of any format.
trait Explained {
    fn error(&self) -> Option<Error>;
    fn text(&self, columns: Option<usize>, color: bool) -> String;
    fn html(&self, title: &str) -> String;
    fn page_data(&self) -> String;
    fn write_json(&self, out: &mut dyn Write) -> Result<(), serde_json::Error>;
    fn paths(&self) -> Vec<String>;
    fn part(self: Box<Self>, part: &Part) -> Option<Box<dyn Explained>>;
}

impl<E: Failure + 'static> Explained for explain::Explanation<E>
where
    for<'e> Error: From<&'e E>,
{
    fn error(&self) -> Option<Error> {
        let (error, space) = (self.error()?, self.error_space()?);
        // The space may be the file, what the file is in another notation, or what is packed in it.
        let offset = error.bit().and_then(|bit| usize::try_from(bit / 8).ok());
        Some(Error::from(error).within(offset, space.bytes()))
    }

    fn text(&self, columns: Option<usize>, color: bool) -> String {
        self.to_text_in(columns, color)
    }

    fn html(&self, title: &str) -> String {
        self.to_html(title)
    }

    fn page_data(&self) -> String {
        self.to_page_data()
    }

    fn write_json(&self, out: &mut dyn Write) -> Result<(), serde_json::Error> {
        json::write(out, self, Layout::Lines)
    }

    fn paths(&self) -> Vec<String> {
        let all = self.spans().iter().map(|span| span.path().display(self.notation()).to_string());
        let mut all: Vec<String> = all.collect();
        all.dedup();
        let mut seen = HashSet::new();
        all.retain(|path| seen.insert(path.clone()));
        all
    }

    fn part(self: Box<Self>, part: &Part) -> Option<Box<dyn Explained>> {
        let (space, range) = match part {
            Part::From { space, offset } => {
                (*space, *offset..self.spaces().get(*space)?.bytes().len())
            }
            Part::Path(path) => {
                let is_in = |span: &&Span| {
                    let own = span.path().display(self.notation()).to_string();
                    let rest = own.strip_prefix(path.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '/']))
                };
                let first = self.spans().iter().find(is_in)?;
                let inside = self.spans_in(first.space()).iter().filter(is_in);
                (first.space(), first.offset()..inside.map(|span| span.range().end).max()?)
            }
        };
        if range.is_empty() {
            return None;
        }
        Some(Box::new(explain::Explanation::part(*self, space, range)))
    }
}

/// Lets the paths of a file with only one framed value begin inside of that value, as they do in
/// comparisons. Where there is an error, it is not known whether there are more.
pub(super) fn alone<E: Failure>(explained: explain::Explanation<E>) -> explain::Explanation<E> {
    let first = Segment::Index(0);
    let last = explained.spans().iter().rev().map(Span::path);
    let last = last.filter_map(|path| path.segments().next().cloned()).next();
    match explained.error().is_none() && last.as_ref() == Some(&first) {
        true => explained.inside(&first),
        false => explained,
    }
}
