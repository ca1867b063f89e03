//! Colours, in six spellings.

use crate::Result;
use crate::de::slot::Loader;
use crate::read::{Kind, Worth};
use crate::report::{Outcome, ResultCode, Task};
use crate::value::decode::skip;

/// The content of a spelling.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Floats,
    Bytes,
    Digits,
}

/// The members that say a colour: their names, channels, and what is expected in them.
const SPELLINGS: [(&str, usize, Spelling, &str); 6] = [
    ("RGBA8", 4, Spelling::Bytes, "an array of four integers"),
    ("RGB8", 3, Spelling::Bytes, "an array of three integers"),
    ("RGBA", 4, Spelling::Floats, "an array of four numbers with a point"),
    ("RGB", 3, Spelling::Floats, "an array of three numbers with a point"),
    ("HEXA", 4, Spelling::Digits, "eight hexadecimal digits"),
    ("HEX", 3, Spelling::Digits, "six hexadecimal digits"),
];

/// `[r, g, b]` or `[r, g, b, a]`.
pub(super) fn array(loader: &mut Loader<'_, '_>, current: [f32; 16]) -> Result<[f32; 16]> {
    let start = loader.reader.offset();
    let mut values = current;
    match channels(loader, &mut values, 4, false)? {
        Some(4) => loader.code = ResultCode::SUCCESS,
        Some(3) => {
            loader.code = ResultCode::new(Task::ReadField, Outcome::PartialDefaults);
        }
        _ => {
            let expected = "three or four numbers with a point";
            let message = format!("expected an array of {expected} for a Color");
            loader.issue(Outcome::Unsupported, start, message)?;
            return Ok(current);
        }
    }
    Ok(values)
}

/// Reads up to `most` channels of an array, which is skipped as a whole: doubles as they are, or
/// integers of 8 bits. Returns how many there were, or none if one did not fit.
fn channels(
    loader: &mut Loader<'_, '_>,
    values: &mut [f32; 16],
    most: usize,
    bytes: bool,
) -> Result<Option<usize>> {
    let mut read = Some(0);
    let mut first = true;
    loader.reader.open()?;
    while loader.reader.next_element(&mut first)? {
        let is_number = loader.reader.peek_kind()? == Kind::Number;
        let place = read.filter(|count| *count < most && is_number);
        let Some(place) = place.and_then(|count| values.get_mut(count)) else {
            // Spare channels may be anything.
            read = read.filter(|count| *count >= most);
            skip(&mut loader.reader)?;
            continue;
        };
        let value = match loader.reader.number()? {
            #[allow(clippy::cast_possible_truncation, reason = "rounding to a float")]
            Worth::Double(value) if !bytes => Some(value as f32),
            Worth::Unsigned(value) if bytes && i64::try_from(value).is_ok() => Some(channel(value)),
            Worth::Signed(_) if bytes => Some(0.0),
            _ => None,
        };
        *place = value.unwrap_or(*place);
        read = read.filter(|_| value.is_some()).map(|count| count.saturating_add(1));
    }
    Ok(read)
}

/// A byte as a float, clamped.
fn channel(value: u64) -> f32 {
    f32::from(u8::try_from(value).unwrap_or(u8::MAX)) / 255.0
}

/// `{"RGB": …}` and the other five.
pub(super) fn object(loader: &mut Loader<'_, '_>, current: [f32; 16]) -> Result<[f32; 16]> {
    let start = loader.reader.offset();
    // The engine looks from the last member to the first one.
    let (mut last, mut count, mut first) = (None, 0_usize, true);
    loader.reader.open()?;
    while let Some(key) = loader.reader.next_key(&mut first)? {
        let kind = loader.reader.peek_kind()?;
        if let Some(spelling) = SPELLINGS.iter().find(|(name, ..)| key.eq_ignore_ascii_case(name)) {
            last = Some((spelling, kind, loader.reader.offset()));
            count = count.saturating_add(1);
        }
        skip(&mut loader.reader)?;
    }
    let end = loader.reader.offset();
    let Some((&(_, wanted, form, expected), kind, at)) =
        last.filter(|_| count == 1 || !loader.docs())
    else {
        let message = "expected RGB, RGBA, RGB8, RGBA8, HEX or HEXA for a Color".to_owned();
        loader.issue(Outcome::Unsupported, start, message)?;
        return Ok(current);
    };
    loader.reader.seek(at);
    let mut values = current;
    let read = match (form, kind) {
        (Spelling::Digits, Kind::String) => hex(&loader.reader.string()?, wanted, &mut values),
        (Spelling::Floats | Spelling::Bytes, Kind::Array) => {
            channels(loader, &mut values, wanted, form == Spelling::Bytes)? == Some(wanted)
        }
        _ => false,
    };
    if read {
        loader.reader.seek(end);
        loader.code = ResultCode::SUCCESS;
        return Ok(values);
    }
    loader.reader.seek(at);
    let found = loader.reader.describe();
    loader.reader.seek(end);
    let message = format!("expected {expected}, found {found}");
    loader.issue(Outcome::Unsupported, at, message)?;
    Ok(current)
}

fn hex(text: &str, channels: usize, values: &mut [f32; 16]) -> bool {
    let mut digits = text.chars().map(|c| c.to_digit(16));
    for value in values.iter_mut().take(channels) {
        let (Some(Some(high)), Some(Some(low))) = (digits.next(), digits.next()) else {
            return false;
        };
        *value = channel(u64::from(high << 4 | low));
    }
    true
}
