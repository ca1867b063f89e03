//! Numbers. An integer that fits 64 bits is an integer, everything else a double, as in the
//! engine's document.

use super::Reader;
use crate::{Error, ErrorKind, Result};

/// The value of a number of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Worth {
    /// An integer that is not negative.
    Unsigned(u64),
    /// A negative integer.
    Signed(i64),
    /// A number with a fraction or an exponent, or beyond 64 bits.
    Double(f64),
}

impl Worth {
    #[allow(clippy::cast_precision_loss, reason = "what a cast of the engine does")]
    #[inline]
    pub(crate) fn to_f64(self) -> f64 {
        match self {
            Worth::Unsigned(value) => value as f64,
            Worth::Signed(value) => value as f64,
            Worth::Double(value) => value,
        }
    }
}

impl From<i64> for Worth {
    fn from(value: i64) -> Self {
        u64::try_from(value).map_or(Worth::Signed(value), Worth::Unsigned)
    }
}

/// Powers of ten that a double holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Takes digits onto `value` and returns how many there were. Beyond 19 of them `value` has wrapped;
/// whoever uses it looks at the count first.
#[inline]
fn digits(bytes: &[u8], at: &mut usize, value: &mut u64) -> usize {
    let start = *at;
    while let Some(&byte) = bytes.get(*at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        *value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        *at = at.wrapping_add(1);
    }
    at.wrapping_sub(start)
}

/// The digits before the point: sign, value, how many, and where they end. The value has wrapped where
/// there are more than 19 of them.
#[inline(always)]
fn whole(reader: &Reader<'_>) -> Result<(bool, u64, usize, usize)> {
    let bytes = reader.bytes;
    let mut at = reader.at;
    let negative = bytes.get(at) == Some(&b'-');
    if negative {
        at = at.wrapping_add(1);
    }
    let (first, mut value) = (at, 0);
    let count = digits(bytes, &mut at, &mut value);
    if count == 0 || (count > 1 && bytes.get(first) == Some(&b'0')) {
        return Err(broken(reader, at, first));
    }
    Ok((negative, value, count, at))
}

/// The number after the digits before the point.
struct Rest {
    /// How many digits are after the point, and in the exponent.
    fraction: usize,
    power: usize,
    exponent: i64,
    end: usize,
}

/// From the point or the `e` on; more digits go onto `value`.
#[inline(always)]
fn rest(reader: &Reader<'_>, mut at: usize, value: &mut u64) -> Result<Rest> {
    let bytes = reader.bytes;
    let (mut fraction, mut power, mut exponent) = (0, 0, 0);
    if bytes.get(at) == Some(&b'.') {
        at = at.wrapping_add(1);
        fraction = digits(bytes, &mut at, value);
        if fraction == 0 {
            return Err(broken(reader, at, at));
        }
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at = at.wrapping_add(1);
        let minus = bytes.get(at) == Some(&b'-');
        if minus || bytes.get(at) == Some(&b'+') {
            at = at.wrapping_add(1);
        }
        let mut value = 0_u64;
        power = digits(bytes, &mut at, &mut value);
        if power == 0 {
            return Err(broken(reader, at, at));
        }
        let value = i64::try_from(value & 0xf_ffff).unwrap_or_default();
        exponent = if minus { value.wrapping_neg() } else { value };
    }
    Ok(Rest { fraction, power, exponent, end: at })
}

#[inline]
pub(super) fn read(reader: &mut Reader<'_>) -> Result<Worth> {
    let (negative, mut value, whole, at) = whole(reader)?;
    let start = reader.at;
    if !matches!(reader.bytes.get(at), Some(b'.' | b'e' | b'E')) {
        reader.at = at;
        // 19 digits are below 10^19, so that the value has not wrapped.
        return if whole < 20 {
            Ok(integer(value, negative))
        } else {
            long(reader, start, negative)
        };
    }
    let Rest { fraction, power, exponent, end } = rest(reader, at, &mut value)?;
    reader.at = end;
    // Clinger's fast path: below 2^53 the digits are an exact double, as are the powers up to 1e22,
    // so that one operation rounds correctly. What has wrapped, or has too long an exponent for the
    // mask, is left to the standard library, as all else; proptest compares both with serde_json.
    if whole.wrapping_add(fraction) < 20 && value < 1 << 53 && power <= 6 {
        let exponent = exponent.wrapping_sub(i64::try_from(fraction).unwrap_or(i64::MAX));
        let power = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
        if let Some(&power) = POWERS.get(power) {
            #[allow(clippy::cast_precision_loss, reason = "it is below 2^53")]
            let value = value as f64;
            let value = if exponent < 0 { value / power } else { value * power };
            return Ok(Worth::Double(if negative { -value } else { value }));
        }
    }
    parsed(reader, start)
}

#[inline]
fn integer(value: u64, negative: bool) -> Worth {
    if !negative {
        return Worth::Unsigned(value);
    }
    match 0_i64.checked_sub_unsigned(value) {
        Some(0) => Worth::Unsigned(0),
        Some(value) => Worth::Signed(value),
        #[allow(clippy::cast_precision_loss, reason = "the nearest double is what is wanted")]
        None => Worth::Double(-(value as f64)),
    }
}

/// An integer of twenty digits or more.
#[cold]
fn long(reader: &mut Reader<'_>, start: usize, negative: bool) -> Result<Worth> {
    let first = if negative { start.wrapping_add(1) } else { start };
    match reader.between(first, reader.at).parse::<u64>() {
        Ok(value) => Ok(integer(value, negative)),
        Err(_) => parsed(reader, start),
    }
}

/// Parses the text from `start` on with the standard library, which rounds correctly too.
fn parsed(reader: &mut Reader<'_>, start: usize) -> Result<Worth> {
    match reader.between(start, reader.at).parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Worth::Double(value)),
        _ => {
            reader.at = start;
            let message = "expected a number that a double can hold, found a larger one";
            Err(Error::at(ErrorKind::InvalidNumber, start, message))
        }
    }
}

/// Takes a number without its value.
#[inline]
pub(super) fn skip(reader: &mut Reader<'_>) -> Result<()> {
    let (_, mut value, whole, mut end) = whole(reader)?;
    let (start, mut digits) = (reader.at, 0);
    if matches!(reader.bytes.get(end), Some(b'.' | b'e' | b'E')) {
        let rest = rest(reader, end, &mut value)?;
        (end, digits) = (rest.end, rest.power);
    }
    reader.at = end;
    // Two hundred digits times 10^99 are below 10^308: only what has more can be too large.
    if whole > 200 || digits > 2 {
        return parsed(reader, start).map(drop);
    }
    Ok(())
}

/// A digit is missing at `at`, or a zero leads at `first`.
#[cold]
#[inline(never)]
fn broken(reader: &Reader<'_>, at: usize, first: usize) -> Error {
    if at > first {
        return Error::at(
            ErrorKind::InvalidNumber,
            first,
            "expected a number without leading zeros",
        );
    }
    let mut ahead = reader.clone();
    ahead.at = at;
    if at >= reader.bytes.len() {
        return ahead.eof("a digit");
    }
    Error::at(ErrorKind::InvalidNumber, at, format!("expected a digit, found {}", ahead.found()))
}
