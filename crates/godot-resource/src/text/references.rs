//! References in the text of values: where they stand, and others in their place.

use std::ops::Range;

/// A reference to a resource, or a node path, in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention<'t> {
    /// `ExtResource`, `SubResource` or `NodePath`.
    pub(crate) word: &'t str,
    /// Where the id or path stands, without quotes.
    pub(crate) place: Range<usize>,
    pub(crate) text: &'t str,
}

const WORDS: [&str; 3] = ["ExtResource", "SubResource", "NodePath"];

/// The references in a text that was read, one after another. Those in strings and comments are none.
pub(crate) fn mentions(text: &str) -> impl Iterator<Item = Mention<'_>> {
    let mut at = 0_usize;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let next = rest.find(['"', ';', 'E', 'S', 'N'])?;
            at = at.saturating_add(next);
            let rest = text.get(at..)?;
            let len = match rest.as_bytes().first()? {
                b'"' => string_len(rest),
                b';' => rest.find('\n').unwrap_or(rest.len()),
                _ => {
                    let is_inner =
                        text.get(..at)?.ends_with(|c: char| c.is_alphanumeric() || c == '_');
                    let word = WORDS.into_iter().find(|word| rest.starts_with(word) && !is_inner);
                    let found = word.and_then(|word| mention(text, at, word));
                    match found {
                        Some(found) => {
                            at = found.place.end.saturating_add(1);
                            return Some(found);
                        }
                        None => 1,
                    }
                }
            };
            at = at.saturating_add(len);
        }
    })
}

fn mention<'t>(text: &'t str, at: usize, word: &str) -> Option<Mention<'t>> {
    let end = at.saturating_add(word.len());
    let rest = text.get(end..)?;
    let inner = rest.trim_start().strip_prefix('(')?.trim_start();
    let mut start = text.len().saturating_sub(inner.len());
    let len = if inner.starts_with('"') {
        start = start.saturating_add(1);
        string_len(inner).checked_sub(2)?
    } else {
        inner.find(|c: char| !c.is_ascii_digit()).filter(|len| *len > 0)?
    };
    let place = start..start.saturating_add(len);
    Some(Mention { word: text.get(at..end)?, text: text.get(place.clone())?, place })
}

/// The length of a string with its quotes.
fn string_len(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at.saturating_add(1),
            _ => {}
        }
    }
    text.len()
}

/// Returns the text with others in place of ids and paths; `None` where all stay.
pub(crate) fn replaced(
    text: &str,
    mut to: impl FnMut(&Mention<'_>) -> Option<String>,
) -> Option<String> {
    let (mut out, mut from) = (String::new(), 0);
    for found in mentions(text) {
        if let Some(new) = to(&found).filter(|new| *new != found.text) {
            out.push_str(text.get(from..found.place.start).unwrap_or_default());
            out.push_str(&new);
            from = found.place.end;
        }
    }
    (from > 0).then(|| {
        out.push_str(text.get(from..).unwrap_or_default());
        out
    })
}
