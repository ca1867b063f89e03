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

#[inline]
pub(super) fn read(reader: &mut Reader<'_>) -> Result<Number> {
    let bytes = reader.bytes;
    let start = reader.at;
    let mut at = start;
    let negative = bytes.get(at) == Some(&b'-');
    if negative {
        at = at.wrapping_add(1);
    }
    let first = at;
    let mut value = 0_u64;
    let whole = digits(bytes, &mut at, &mut value);
    if whole == 0 || (whole > 1 && bytes.get(first) == Some(&b'0')) {
        return Err(broken(reader, at, first));
    }
    match bytes.get(at) {
        Some(b'.' | b'e' | b'E') => double(reader, start, at, value, whole, negative),
        // 19 digits are below 10^19, so that `value` has not wrapped.
        _ if whole < 20 => {
            reader.at = at;
            Ok(integer(value, negative))
        }
        _ => long(reader, start, at, negative),
    }
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
fn long(reader: &mut Reader<'_>, start: usize, end: usize, negative: bool) -> Result<Number> {
    let first = if negative { start.wrapping_add(1) } else { start };
    match reader.between(first, end).parse::<u64>() {
        Ok(value) => {
            reader.at = end;
            Ok(integer(value, negative))
        }
        Err(_) => parsed(reader, start, end),
    }
}

/// From the point or the `e` on.
#[inline]
fn double(
    reader: &mut Reader<'_>,
    start: usize,
    mut at: usize,
    mut value: u64,
    whole: usize,
    negative: bool,
) -> Result<Number> {
    let bytes = reader.bytes;
    let mut fraction = 0;
    if bytes.get(at) == Some(&b'.') {
        at = at.wrapping_add(1);
        fraction = digits(bytes, &mut at, &mut value);
        if fraction == 0 {
            return Err(broken(reader, at, at));
        }
    }
    let mut exponent = 0_i64;
    let mut long_exponent = false;
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at = at.wrapping_add(1);
        let minus = bytes.get(at) == Some(&b'-');
        if minus || bytes.get(at) == Some(&b'+') {
            at = at.wrapping_add(1);
        }
        let mut power = 0_u64;
        let count = digits(bytes, &mut at, &mut power);
        if count == 0 {
            return Err(broken(reader, at, at));
        }
        // What wrapped, or is too long for the mask, is left to the standard library.
        long_exponent = count > 6;
        let power = i64::try_from(power & 0xf_ffff).unwrap_or_default();
        exponent = if minus { power.wrapping_neg() } else { power };
    }
    let exponent = exponent.wrapping_sub(i64::try_from(fraction).unwrap_or(i64::MAX));
    // Clinger's fast path: below 2^53 the digits are an exact double, as are the powers up to 1e22,
    // so that one operation rounds correctly. All else goes through the standard library; proptest
    // compares both with serde_json.
    if whole.wrapping_add(fraction) < 20 && value < 1 << 53 && !long_exponent {
        let power = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
        if let Some(&power) = POWERS.get(power) {
            #[allow(clippy::cast_precision_loss, reason = "it is below 2^53")]
            let value = value as f64;
            let value = if exponent < 0 { value / power } else { value * power };
            reader.at = at;
            return Ok(Number::Double(if negative { -value } else { value }));
        }
    }
    parsed(reader, start, at)
}

/// Through the standard library, which rounds correctly too.
fn parsed(reader: &mut Reader<'_>, start: usize, end: usize) -> Result<Number> {
    match reader.between(start, end).parse::<f64>() {
        Ok(value) if value.is_finite() => {
            reader.at = end;
            Ok(Number::Double(value))
        }
        _ => Err(Error::at(
            ErrorKind::InvalidNumber,
            start,
            "expected a number that a double can hold, found a larger one",
        )),
    }
}

/// Takes a number without its value.
pub(super) fn skip(reader: &mut Reader<'_>) -> Result<()> {
    let bytes = reader.bytes;
    let start = reader.at;
    let mut at = start;
    let mut value = 0;
    if bytes.get(at) == Some(&b'-') {
        at = at.wrapping_add(1);
    }
    let first = at;
    let whole = digits(bytes, &mut at, &mut value);
    if whole == 0 || (whole > 1 && bytes.get(first) == Some(&b'0')) {
        return Err(broken(reader, at, first));
    }
    if bytes.get(at) == Some(&b'.') {
        at = at.wrapping_add(1);
        if digits(bytes, &mut at, &mut value) == 0 {
            return Err(broken(reader, at, at));
        }
    }
    let mut power = 0;
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at = at.wrapping_add(1);
        if matches!(bytes.get(at), Some(b'-' | b'+')) {
            at = at.wrapping_add(1);
        }
        power = digits(bytes, &mut at, &mut value);
        if power == 0 {
            return Err(broken(reader, at, at));
        }
    }
    // Two hundred digits times 10^99 are below 10^308: only what has more can be too large.
    if whole > 200 || power > 2 {
        return parsed(reader, start, at).map(drop);
    }
    reader.at = at;
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
