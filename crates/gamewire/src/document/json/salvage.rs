//! Damaged JSON, as far as it can be read: the text up to the last member that is whole, and an end for
//! all that is open there.

use gamewire_core::bytes::text_part;

use crate::document::error::Error;
use crate::document::salvage::{Salvaged, most_ends};

/// Makes a whole text of a damaged one. `check` says where a text is wrong, and why.
pub(in crate::document) fn salvage(
    bytes: &[u8],
    check: impl Fn(&[u8]) -> Result<(), (Option<usize>, Error)>,
) -> Result<Salvaged, Error> {
    let (limit, why) = match check(bytes) {
        Ok(()) => {
            return Ok(Salvaged { bytes: bytes.to_vec(), kept: bytes.len(), lost: Vec::new() });
        }
        Err(fault) => fault,
    };
    let limit = limit.unwrap_or(bytes.len()).min(bytes.len());
    let text = match std::str::from_utf8(bytes.get(..limit).unwrap_or_default()) {
        Ok(text) => text,
        Err(error) => {
            let end = error.valid_up_to();
            std::str::from_utf8(bytes.get(..end).unwrap_or_default()).unwrap_or_default()
        }
    };
    for end in ends(text).into_iter().rev() {
        let mut closed = text_part(text, ..end).to_owned();
        let open = scan(&closed, |_| {});
        closed.extend(open.chars().rev());
        if check(closed.as_bytes()).is_ok() {
            let lost = vec![format!("from byte {end:#x} on: {why}")];
            return Ok(Salvaged { bytes: closed.into_bytes(), kept: end, lost });
        }
    }
    Err(why)
}

/// Where a value or a container may end, of which only the last places are tried.
fn ends(text: &str) -> Vec<usize> {
    let most = most_ends(text.len());
    let mut found = Vec::new();
    _ = scan(text, |end| {
        if found.len() == 2 * most {
            found.drain(..most);
        }
        found.push(end);
    });
    found.drain(..found.len().saturating_sub(most));
    found
}

/// Tells each place where a value or a container may end. Returns the brackets of what is open at the end.
fn scan(text: &str, mut found: impl FnMut(usize)) -> String {
    let mut open = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match (c, chars.peek().map(|(_, next)| *next)) {
            ('"', _) => {
                while let Some((_, inner)) = chars.next() {
                    match inner {
                        '\\' => _ = chars.next(),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            ('/', Some('/')) => while chars.next_if(|(_, inner)| *inner != '\n').is_some() {},
            ('/', Some('*')) => {
                let mut before = ' ';
                for (_, inner) in chars.by_ref().skip(1) {
                    if before == '*' && inner == '/' {
                        break;
                    }
                    before = inner;
                }
            }
            ('{', _) => {
                open.push('}');
                found(at + 1);
            }
            ('[', _) => {
                open.push(']');
                found(at + 1);
            }
            ('}' | ']', _) => {
                open.pop();
                found(at + 1);
            }
            // All before it is whole.
            (',', _) => found(at),
            _ => {}
        }
    }
    open
}
