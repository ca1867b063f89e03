//! The comments of a document, by the values that they stand at.

use std::collections::HashMap;
use std::ops::Range;

use gamewire_core::bytes::text_part;
use gamewire_core::gap::{Gap, ends_line, line_comments};

use super::decor;
use super::{Document, TextToken};
use crate::read::comment_at;
use crate::{Error, Result};

/// Where a comment stands at a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Anchor {
    /// After it: before its comma, or behind that at the end of the line.
    After,
    /// In it, before the bracket that ends it.
    End,
    /// Before it, or before its name.
    Before,
    /// Between its name and it.
    Value,
}

/// A comment of a [`Document`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Comment<'t> {
    /// Its characters, from the slash on.
    pub text: &'t str,
    /// Where it stands at the value.
    pub anchor: Anchor,
    /// The JSON pointer of the value.
    pub pointer: String,
    /// The value on its other side, where there is one: in another layout it stands at that one.
    pub other: Option<(Anchor, String)>,
}

/// A comment that is put into a [`Document`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NewComment<'t> {
    /// Its characters, from the slash on.
    pub text: &'t str,
    /// Where it is to stand at the value.
    pub anchor: Anchor,
    /// The JSON pointer of the value; of several members of one name, the first.
    pub pointer: String,
    /// The comment in whose place it comes, if that stands there.
    pub instead_of: Option<&'t str>,
}

/// White space and comments between two tokens.
struct Between<'g> {
    range: Range<usize>,
    /// The pointer of the value that ends before it.
    after: Option<&'g str>,
    /// The place of the next token at the value of a pointer.
    anchor: Anchor,
    pointer: &'g str,
}

impl Document {
    fn each_gap(&self, look: &mut dyn FnMut(&Between<'_>) -> bool) {
        let (mut done, mut is_after, mut is_named) = (0, false, false);
        let mut after = String::new();
        self.each_token(&mut |token, Range { start, end }, pointer| {
            let anchor = match token {
                TextToken::End => Anchor::End,
                _ if is_named => Anchor::Value,
                _ => Anchor::Before,
            };
            let own = is_after.then_some(after.as_str());
            let goes_on = look(&Between { range: done..start, after: own, anchor, pointer });
            is_named = matches!(token, TextToken::Name(_));
            is_after =
                !is_named && !matches!(token, TextToken::BeginArray | TextToken::BeginObject);
            after.clear();
            after.push_str(pointer);
            done = end;
            goes_on
        });
        let range = done..self.source.len();
        look(&Between { range, after: Some(""), anchor: Anchor::After, pointer: "" });
    }

    /// The comments of the text as it was read.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`](crate::ErrorKind::MemoryLimit) where their pointers take more than
    /// [`Options::max_memory`](crate::Options::max_memory).
    ///
    /// ```
    /// let document: o3de_json::value::Document = "[1, // One.\n 2]".parse()?;
    /// let comments = document.comments()?;
    /// assert_eq!((comments[0].text, comments[0].pointer.as_str()), ("// One.", "/0"));
    /// # Ok::<(), o3de_json::Error>(())
    /// ```
    pub fn comments(&self) -> Result<Vec<Comment<'_>>> {
        let mut found = Vec::new();
        let mut left = Some(self.options.limits.memory(self.source.len()));
        self.each_gap(&mut |gap| {
            let text = self.text(&gap.range);
            let split = Gap::at(text.as_bytes(), 0);
            let own = split.after.len().saturating_add(split.line.len());
            let own = own.saturating_add(usize::from(split.has_comma));
            let mut at = 0;
            while let Some(Range { start, end }) = comment_at(text, at) {
                at = end;
                let next = (gap.anchor, gap.pointer.to_owned());
                let after = gap.after.map(|pointer| (Anchor::After, pointer.to_owned()));
                let size = after.as_ref().map_or(0, |after| after.1.len());
                left = left.and_then(|left| left.checked_sub(size.saturating_add(next.1.len())));
                let ((anchor, pointer), other) = match after {
                    Some(after) if start < own => (after, Some(next)),
                    after => (next, after),
                };
                let text = text_part(text, start..end).trim_end();
                found.push(Comment { text, anchor, pointer, other });
                if left.is_none() {
                    return false;
                }
            }
            true
        });
        left.map(|_| found).ok_or_else(|| Error::memory(&self.options))
    }

    fn text(&self, range: &Range<usize>) -> &str {
        text_part(&self.source, range.clone())
    }

    /// The document with comments put in, and those left out because the values that they are for are missing.
    /// It begins with the text as it was read, without changes since.
    ///
    /// # Errors
    /// As [`with_text`](Document::with_text).
    pub fn with_comments<'n, 't>(
        &self,
        comments: &'n [NewComment<'t>],
    ) -> Result<(Document, Vec<&'n NewComment<'t>>)> {
        let mut wanted = Wanted::new();
        for own in comments {
            wanted.entry(&own.pointer).or_default().push(own);
        }
        let (mut text, mut done) = (String::with_capacity(self.source.len()), 0);
        self.each_gap(&mut |gap| {
            let after = gap.after.map(|after| take(&mut wanted, Anchor::After, after));
            let (after, next) =
                (after.unwrap_or_default(), take(&mut wanted, gap.anchor, gap.pointer));
            if !after.is_empty() || !next.is_empty() {
                text.push_str(self.text(&(done..gap.range.start)));
                text.push_str(&self.filled(gap, &after, &next));
                done = gap.range.end;
            }
            !wanted.is_empty()
        });
        text.push_str(self.text(&(done..self.source.len())));
        let is_left = |own: &&NewComment<'t>| {
            let left = wanted.get(own.pointer.as_str()).into_iter().flatten();
            left.into_iter().any(|left| left.anchor == own.anchor)
        };
        Ok((self.with_text(text)?, comments.iter().filter(is_left).collect()))
    }

    /// A gap with comments for the value before it, and for the next token.
    fn filled(
        &self,
        gap: &Between<'_>,
        after: &[&NewComment<'_>],
        next: &[&NewComment<'_>],
    ) -> String {
        let (text, newline) = (self.text(&gap.range), decor::newline(&self.source));
        let is_foot = gap.anchor == Anchor::After;
        let split = match gap.after {
            Some(_) if is_foot => text.trim_end().len(),
            Some(_) => {
                let split = Gap::at(text.as_bytes(), 0);
                let comma = split.after.len().saturating_add(usize::from(split.has_comma));
                let behind = text_part(text, comma..);
                comma.saturating_add(line_comments(behind.as_bytes()))
            }
            None => 0,
        };
        let (own, rest) = text.split_at_checked(split).unwrap_or(("", text));
        let (mut own, mut rest) = (own.to_owned(), rest.to_owned());
        let is_end = ends_line(rest.as_bytes())
            || rest.trim().is_empty() && gap.range.end == self.source.len();

        let indent = decor::indent(&self.source, gap.range.start);
        let mut is_open = is_foot || last(&own).is_some_and(is_line);
        for new in after {
            if replace(&mut own, new, is_end, &format!("{newline}{indent}")) {
                continue;
            }
            let between = if is_open { format!("{newline}{indent}") } else { " ".to_owned() };
            own.push_str(&between);
            own.push_str(new.text);
            is_open = is_foot || is_open || is_line(new.text) && is_end;
            if is_line(new.text) && !is_end {
                own.push_str(newline);
                own.push_str(indent);
                is_open = false;
            }
        }

        let line = rest.rsplit_once('\n').map(|(_, line)| line);
        let line = line.or((gap.range.start == 0).then_some(&*rest));
        let is_first = line.is_some_and(|line| line.trim_start_matches([' ', '\t']).is_empty());
        let indent = decor::indent(&self.source, gap.range.end);
        let alone = format!("{newline}{indent}");
        let mut tail = String::new();
        if gap.anchor == Anchor::End && !next.is_empty() {
            tail = rest.split_off(rest.trim_end().len());
        }
        let mut is_added = false;
        for new in next {
            if replace(&mut rest, new, false, &alone) {
                continue;
            }
            is_added = true;
            match gap.anchor {
                Anchor::End => rest.extend([alone.as_str(), decor::unit(&self.source), new.text]),
                _ if is_first || is_line(new.text) => rest.extend([new.text, &alone]),
                _ => rest.extend([new.text, " "]),
            }
        }
        // The bracket comes onto its own line.
        if gap.anchor == Anchor::End && is_added && !is_first {
            rest.push_str(&alone);
        }
        own + &rest + &tail
    }
}

/// Comments that are not put in yet, by their pointers.
type Wanted<'n, 't> = HashMap<&'n str, Vec<&'n NewComment<'t>>>;

/// Takes out the comments for a place.
fn take<'n, 't>(
    wanted: &mut Wanted<'n, 't>,
    anchor: Anchor,
    pointer: &str,
) -> Vec<&'n NewComment<'t>> {
    let Some(all) = wanted.get_mut(pointer) else { return Vec::new() };
    let (found, left): (Vec<_>, Vec<_>) =
        std::mem::take(all).into_iter().partition(|own| own.anchor == anchor);
    *all = left;
    if all.is_empty() {
        wanted.remove(pointer);
    }
    found
}

fn is_line(comment: &str) -> bool {
    comment.starts_with("//")
}

/// The last comment.
fn last(text: &str) -> Option<&str> {
    let next = |from: &Range<usize>| comment_at(text, from.end);
    std::iter::successors(comment_at(text, 0), next).last().and_then(|last| text.get(last))
}

/// Puts a comment in the place of the one that it replaces, if that is present; `alone` before the rest of the line,
/// which would be a part of it else.
fn replace(text: &mut String, new: &NewComment<'_>, is_end: bool, alone: &str) -> bool {
    let Some(old) = new.instead_of else { return false };
    let mut at = 0;
    while let Some(Range { start, end }) = comment_at(text, at) {
        let own = text_part(text, start..end).trim_end();
        if own == old {
            let end = start.saturating_add(own.len());
            let rest = text_part(text, end..);
            let is_whole = !is_line(new.text)
                || ends_line(rest.as_bytes())
                || rest.trim().is_empty() && is_end;
            let alone = if is_whole { "" } else { alone };
            text.replace_range(start..end, &format!("{}{alone}", new.text));
            return true;
        }
        at = end;
    }
    false
}
