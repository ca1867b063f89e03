//! Registered enums and flags: names, numbers, and arrays of both.

use std::borrow::Cow;

use gamewire_core::words::Shortened;

use crate::Result;
use crate::de::readings::IDLE;
use crate::de::slot::{Loader, Source};
use crate::node::Node;
use crate::read::{Kind, Worth, integer_prefix};
use crate::report::{Outcome, ResultCode, Task};
use crate::types::EnumInfo;
use crate::value::decode::skip;

pub(super) fn read<'de, 'o>(
    loader: &mut Loader<'de, 'o>,
    source: Source<'de, 'o>,
    info: &'static EnumInfo,
) -> Result<u64> {
    let old = match source {
        Source::Text(old) => old.map_or(0, of_node),
        Source::Key(key) => return text(loader, info, key, 0),
        source => return Ok(loader.fallback(source, info.expected())?.map_or(0, of_node)),
    };
    let kind = loader.reader.peek_kind()?;
    if loader.reader.take_empty_object()? {
        loader.defaulted();
        return Ok(old);
    }
    let bits = match kind {
        Kind::Array => array(loader, info, old)?,
        _ => element(loader, info, kind, old)?,
    };
    loader.trace(bits);
    Ok(bits)
}

fn of_node(node: &Node) -> u64 {
    match *node {
        Node::Flags(bits, _) | Node::Unsigned(bits) => bits,
        Node::Signed(value) => value.cast_unsigned(),
        _ => 0,
    }
}

/// The bits of a number of the text; a double has none.
pub(in crate::de) fn bits_of(info: &EnumInfo, number: Worth) -> Option<u64> {
    match number {
        Worth::Unsigned(value) => info.underlying.unsigned(value),
        Worth::Signed(value) => info.underlying.signed(value),
        Worth::Double(_) => None,
    }
}

/// A number or a string.
fn element(
    loader: &mut Loader<'_, '_>,
    info: &'static EnumInfo,
    kind: Kind,
    old: u64,
) -> Result<u64> {
    let at = loader.reader.offset();
    match kind {
        Kind::String => {
            let name = loader.reader.string()?;
            loader.reader.seek(at);
            let bits = text(loader, info, name, old)?;
            if loader.reader.offset() == at {
                skip(&mut loader.reader)?;
            }
            return Ok(bits);
        }
        Kind::Number => {
            if let Some(bits) = bits_of(info, loader.reader.number()?) {
                loader.code = ResultCode::SUCCESS;
                return Ok(bits);
            }
            loader.reader.seek(at);
        }
        _ => {}
    }
    loader.reject_value(info.expected())?;
    Ok(old)
}

/// Text: an integer first and then a name, or on the page the other way round.
fn text(
    loader: &mut Loader<'_, '_>,
    info: &'static EnumInfo,
    text: Cow<'_, str>,
    old: u64,
) -> Result<u64> {
    if text.is_empty() {
        loader.defaulted();
        return Ok(old);
    }
    let named = || info.value_of(&text);
    let number = || info.number_of(&text);
    let found = match (loader.docs(), integer_prefix(&text)) {
        (true, _) => named().or_else(number),
        // A number out of range is no name either.
        (false, Some(_)) => number(),
        (false, None) => named(),
    };
    match found {
        Some(bits) => {
            loader.code = ResultCode::SUCCESS;
            Ok(bits)
        }
        None => {
            let at = loader.reader.offset();
            let message = format!("expected {}, found \"{}\"", info.expected(), Shortened(&text));
            loader.issue(Outcome::Unsupported, at, message)?;
            Ok(old)
        }
    }
}

/// Names and numbers together; what does not fit does not stop the rest.
fn array(loader: &mut Loader<'_, '_>, info: &'static EnumInfo, old: u64) -> Result<u64> {
    let mut code = IDLE;
    let (mut bits, mut first, mut any) = (0, true, false);
    loader.reader.open()?;
    while loader.reader.next_element(&mut first)? {
        any = true;
        let kind = loader.reader.peek_kind()?;
        bits |= element(loader, info, kind, 0)?;
        code = code.combine(loader.code);
    }
    if any {
        loader.code = code;
        Ok(bits)
    } else {
        loader.code = ResultCode::new(Task::ReadField, Outcome::DefaultsUsed);
        Ok(old)
    }
}
