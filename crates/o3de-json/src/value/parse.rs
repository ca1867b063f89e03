//! From text to [`Value`], without recursion.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Array, Number, Object, Text, Value};
use crate::locate::Locator;
use crate::read::Reader;
use crate::{Error, Options, Result};

/// A container that is open, and where its children begin in the list of those that wait.
enum Level {
    Items { from: usize, first: bool },
    Members { from: usize, first: bool },
}

/// Reads the value that comes next. `source` is the reader's whole text.
pub(crate) fn value(reader: &mut Reader<'_>, source: &Arc<String>) -> Result<Value> {
    let mut levels: Vec<Level> = Vec::new();
    // Children of all open containers, innermost last. The last member is the one being read.
    let mut items: Vec<Value> = Vec::new();
    let mut members: Vec<(Text, Value)> = Vec::new();
    'value: loop {
        let mut done = match reader.peek()? {
            b'"' => Value::String(text(reader, source)?),
            b'{' => {
                reader.open()?;
                levels.push(Level::Members { from: members.len(), first: true });
                Value::Null
            }
            b'[' => {
                reader.open()?;
                levels.push(Level::Items { from: items.len(), first: true });
                Value::Null
            }
            b'-' | b'0'..=b'9' => {
                let start = reader.offset();
                reader.number_text()?;
                Value::Number(Number::spelled(Text::shared(source, start, reader.offset())))
            }
            b'n' => {
                reader.literal("null")?;
                Value::Null
            }
            b't' | b'f' => Value::Bool(reader.bool()?),
            _ => return Err(reader.unexpected("a value")),
        };
        // On to the next value: to the container around it, and out of those that end.
        loop {
            match levels.last_mut() {
                None => return Ok(done),
                Some(Level::Items { from, first }) => {
                    if !*first {
                        items.push(done);
                    }
                    if reader.next_element(first)? {
                        continue 'value;
                    }
                    done = Value::Array(Array(take_last(&mut items, *from)));
                }
                Some(Level::Members { from, first }) => {
                    if !*first && let Some((_, place)) = members.last_mut() {
                        *place = done;
                    }
                    if reader.next_member(first)? {
                        let name = text(reader, source)?;
                        reader.colon()?;
                        members.push((name, Value::Null));
                        continue 'value;
                    }
                    done = Value::Object(Object(take_last(&mut members, *from)));
                }
            }
            levels.pop();
        }
    }
}

/// The elements from a position on, in a vector of their size.
fn take_last<T>(list: &mut Vec<T>, from: usize) -> Vec<T> {
    if from == 0 {
        let mut all = std::mem::take(list);
        all.shrink_to_fit();
        return all;
    }
    list.split_off(from.min(list.len()))
}

/// Takes a string; the next character is `"`.
#[inline]
fn text(reader: &mut Reader<'_>, source: &Arc<String>) -> Result<Text> {
    match reader.string()? {
        Cow::Borrowed(text) => {
            let end = reader.offset().saturating_sub(1);
            Ok(Text::shared(source, end.saturating_sub(text.len()), end))
        }
        Cow::Owned(text) => Ok(text.into()),
    }
}

/// A whole document.
pub(crate) fn document(source: &Arc<String>, options: &Options) -> Result<Value> {
    let mut reader = Reader::new(source, options);
    value(&mut reader, source)
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|error| located(error, source, options))
}

/// The error with its line, column and path.
#[cold]
pub(crate) fn located(error: Error, text: &str, options: &Options) -> Error {
    let Some(offset) = error.offset() else { return error };
    // The walk must come as far as the reader did.
    let options = options.clone().max_depth(usize::MAX);
    let path = Locator::new(text, &options).path(offset);
    error.placed(text.as_bytes()).in_path(path)
}

/// A whole document from bytes.
pub(crate) fn bytes(bytes: Vec<u8>, options: &Options) -> Result<Value> {
    Reader::check_utf8(&bytes)?;
    document(&Arc::new(String::from_utf8(bytes).unwrap_or_default()), options)
}
