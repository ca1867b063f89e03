//! Numbers. An integer that fits 64 bits is an integer, everything else a double, as in the
//! engine's document.

use super::Reader;
use crate::{Error, ErrorKind, Result};

/// A number of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// An integer that is not negative.
    Unsigned(u64),
    /// A negative integer.
    Signed(i64),
    /// A number with a fraction or an exponent, or beyond 64 bits.
    Double(f64),
}

impl Number {
    #[allow(clippy::cast_precision_loss, reason = "what a cast of the engine does")]
    #[inline]
    pub(crate) fn to_f64(self) -> f64 {
        match self {
            Number::Unsigned(value) => value as f64,
            Number::Signed(value) => value as f64,
            Number::Double(value) => value,
        }
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

/// The parts of a number.
struct Parts {
    negative: bool,
    /// All digits before the exponent; wrapped where there are more than 19 of them.
    value: u64,
    /// How many digits stand before the point, after it, and in the exponent.
    counts: [usize; 3],
    exponent: i64,
    is_double: bool,
    end: usize,
}

/// Finds the parts of a number by the grammar of JSON, and whether they are whole.
#[inline]
fn parts(reader: &Reader<'_>) -> Result<Parts> {
    let bytes = reader.bytes;
    let mut at = reader.at;
    let negative = bytes.get(at) == Some(&b'-');
    if negative {
        at = at.wrapping_add(1);
    }
    let (first, mut value) = (at, 0);
    let whole = digits(bytes, &mut at, &mut value);
    if whole == 0 || (whole > 1 && bytes.get(first) == Some(&b'0')) {
        return Err(broken(reader, at, first));
    }
    let mut parts =
        Parts { negative, value, counts: [whole, 0, 0], exponent: 0, is_double: false, end: at };
    if matches!(bytes.get(at), Some(b'.' | b'e' | b'E')) {
        rest(reader, &mut parts)?;
    }
    Ok(parts)
}

/// From the point or the `e` on.
#[inline]
fn rest(reader: &Reader<'_>, parts: &mut Parts) -> Result<()> {
    let bytes = reader.bytes;
    let mut at = parts.end;
    parts.is_double = true;
    if bytes.get(at) == Some(&b'.') {
        at = at.wrapping_add(1);
        parts.counts[1] = digits(bytes, &mut at, &mut parts.value);
        if parts.counts[1] == 0 {
            return Err(broken(reader, at, at));
        }
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at = at.wrapping_add(1);
        let minus = bytes.get(at) == Some(&b'-');
        if minus || bytes.get(at) == Some(&b'+') {
            at = at.wrapping_add(1);
        }
        let mut power = 0_u64;
        parts.counts[2] = digits(bytes, &mut at, &mut power);
        if parts.counts[2] == 0 {
            return Err(broken(reader, at, at));
        }
        let power = i64::try_from(power & 0xf_ffff).unwrap_or_default();
        parts.exponent = if minus { power.wrapping_neg() } else { power };
    }
    parts.end = at;
    Ok(())
}

#[inline]
pub(super) fn read(reader: &mut Reader<'_>) -> Result<Number> {
    let parts = parts(reader)?;
    let start = std::mem::replace(&mut reader.at, parts.end);
    let [whole, fraction, power] = parts.counts;
    if !parts.is_double {
        // 19 digits are below 10^19, so that the value has not wrapped.
        return if whole < 20 {
            Ok(integer(parts.value, parts.negative))
        } else {
            long(reader, start, parts.negative)
        };
    }
    // Clinger's fast path: below 2^53 the digits are an exact double, as are the powers up to 1e22,
    // so that one operation rounds correctly. What has wrapped, or has too long an exponent for the
    // mask, is left to the standard library, as all else; proptest compares both with serde_json.
    if whole.wrapping_add(fraction) < 20 && parts.value < 1 << 53 && power <= 6 {
        let exponent = parts.exponent.wrapping_sub(i64::try_from(fraction).unwrap_or(i64::MAX));
        let power = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
        if let Some(&power) = POWERS.get(power) {
            #[allow(clippy::cast_precision_loss, reason = "it is below 2^53")]
            let value = parts.value as f64;
            let value = if exponent < 0 { value / power } else { value * power };
            return Ok(Number::Double(if parts.negative { -value } else { value }));
        }
    }
    parsed(reader, start)
}

#[inline]
fn integer(value: u64, negative: bool) -> Number {
    if !negative {
        return Number::Unsigned(value);
    }
    match 0_i64.checked_sub_unsigned(value) {
        Some(0) => Number::Unsigned(0),
        Some(value) => Number::Signed(value),
        #[allow(clippy::cast_precision_loss, reason = "the nearest double is what is wanted")]
        None => Number::Double(-(value as f64)),
    }
}

/// An integer of twenty digits or more.
#[cold]
fn long(reader: &mut Reader<'_>, start: usize, negative: bool) -> Result<Number> {
    let first = if negative { start.wrapping_add(1) } else { start };
    match reader.between(first, reader.at).parse::<u64>() {
        Ok(value) => Ok(integer(value, negative)),
        Err(_) => parsed(reader, start),
    }
}

/// What was taken from `start` on, through the standard library, which rounds correctly too.
fn parsed(reader: &mut Reader<'_>, start: usize) -> Result<Number> {
    match reader.between(start, reader.at).parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Number::Double(value)),
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
    let parts = parts(reader)?;
    let start = std::mem::replace(&mut reader.at, parts.end);
    let [whole, _, power] = parts.counts;
    // Two hundred digits times 10^99 are below 10^308: only what has more can be too large.
    if whole > 200 || power > 2 {
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
