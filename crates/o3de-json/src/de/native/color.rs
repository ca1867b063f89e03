//! Colours, in six spellings.

use crate::Result;
use crate::de::slot::Loader;
use crate::read::{Kind, Number};
use crate::report::{Outcome, ResultCode, Task};
use crate::value::decode::skip;

/// The members that say a colour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Rgb,
    Rgba,
    Rgb8,
    Rgba8,
    Hex,
    Hexa,
}

impl Spelling {
    fn of(key: &str) -> Option<Spelling> {
        [
            ("RGBA8", Spelling::Rgba8),
            ("RGB8", Spelling::Rgb8),
            ("RGBA", Spelling::Rgba),
            ("RGB", Spelling::Rgb),
            ("HEXA", Spelling::Hexa),
            ("HEX", Spelling::Hex),
        ]
        .iter()
        .find(|(name, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, spelling)| *spelling)
    }

    fn channels(self) -> usize {
        match self {
            Spelling::Rgb | Spelling::Rgb8 | Spelling::Hex => 3,
            Spelling::Rgba | Spelling::Rgba8 | Spelling::Hexa => 4,
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Spelling::Rgb => "an array of three numbers with a point",
            Spelling::Rgba => "an array of four numbers with a point",
            Spelling::Rgb8 => "an array of three integers",
            Spelling::Rgba8 => "an array of four integers",
            Spelling::Hex => "six hexadecimal digits",
            Spelling::Hexa => "eight hexadecimal digits",
        }
    }
}

/// `[r, g, b]` or `[r, g, b, a]`.
pub(super) fn array(loader: &mut Loader<'_, '_>, current: [f32; 16]) -> Result<[f32; 16]> {
    let start = loader.reader.offset();
    let mut values = current;
    match channels(loader, &mut values, 4, false)? {
        Channels::Read(4) => loader.code = ResultCode::SUCCESS,
        Channels::Read(3) => {
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

/// How far an array could be read.
enum Channels {
    Read(usize),
    Bad,
}

/// Up to `most` channels of an array, which is passed over as a whole: doubles as they are, or
/// integers of 8 bits.
fn channels(
    loader: &mut Loader<'_, '_>,
    values: &mut [f32; 16],
    most: usize,
    bytes: bool,
) -> Result<Channels> {
    let mut result = Channels::Read(0);
    let mut first = true;
    loader.reader.open()?;
    while loader.reader.next_element(&mut first)? {
        let kind = loader.reader.peek_kind()?;
        let Channels::Read(count) = result else {
            skip(&mut loader.reader)?;
            continue;
        };
        if count >= most {
            skip(&mut loader.reader)?;
            continue;
        }
        if kind != Kind::Number {
            skip(&mut loader.reader)?;
            result = Channels::Bad;
            continue;
        }
        let value = match loader.reader.number()? {
            #[allow(clippy::cast_possible_truncation, reason = "rounding to a float")]
            Number::Double(value) if !bytes => Some(value as f32),
            Number::Unsigned(value) if bytes => Some(channel(value)),
            Number::Signed(_) if bytes => Some(0.0),
            _ => None,
        };
        match (value, values.get_mut(count)) {
            (Some(value), Some(place)) => {
                *place = value;
                result = Channels::Read(count.saturating_add(1));
            }
            _ => result = Channels::Bad,
        }
    }
    Ok(result)
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
        if let Some(spelling) = Spelling::of(&key) {
            last = Some((spelling, kind, loader.reader.offset()));
            count = count.saturating_add(1);
        }
        skip(&mut loader.reader)?;
    }
    let end = loader.reader.offset();
    let Some((spelling, kind, at)) = last.filter(|_| count == 1 || !loader.docs()) else {
        let message = "expected RGB, RGBA, RGB8, RGBA8, HEX or HEXA for a Color".to_owned();
        loader.issue(Outcome::Unsupported, start, message)?;
        return Ok(current);
    };
    loader.reader.seek(at);
    let mut values = current;
    let read = match (spelling, kind) {
        (Spelling::Hex | Spelling::Hexa, Kind::String) => {
            let text = loader.reader.string()?;
            hex(&text, spelling.channels(), &mut values)
        }
        (Spelling::Hex | Spelling::Hexa, _) => false,
        (_, Kind::Array) => {
            let bytes = matches!(spelling, Spelling::Rgb8 | Spelling::Rgba8);
            let wanted = spelling.channels();
            matches!(channels(loader, &mut values, wanted, bytes)?, Channels::Read(n) if n == wanted)
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
    let message = format!("expected {}, found {found}", spelling.expected());
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
