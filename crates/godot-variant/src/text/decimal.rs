//! Digits to floats as the engine does it, which is not always the nearest float.
//!
//! It takes the first 18 digits, leading zeros among them, as two integers of nine, and multiplies
//! or divides by a power of ten that is itself a product of rounded powers.

/// 10 to the powers 1, 2, 4, 8 …: the exponent's bits choose among them.
const POWERS: [f64; 9] = [1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256];

/// The largest exponent that the bits can say.
const MAX_EXPONENT: u32 = 511;

/// The most digits that are looked at.
const MAX_DIGITS: usize = 18;

/// The float of digits before and after the point, and an exponent.
pub(super) fn float(whole: &str, part: &str, exponent: i64) -> f64 {
    let digits = || whole.bytes().chain(part.bytes()).map(|byte| byte.wrapping_sub(b'0'));
    let all = whole.len().saturating_add(part.len());
    let taken = all.min(MAX_DIGITS);
    let first = taken.saturating_sub(9);
    let fold = |value: u32, digit: u8| value.wrapping_mul(10).wrapping_add(u32::from(digit));
    let high = digits().take(first).fold(0, fold);
    let low = digits().skip(first).take(taken.saturating_sub(first)).fold(0, fold);
    let fraction = 1e9 * f64::from(high) + f64::from(low);

    let as_int = |len: usize| i64::try_from(len).unwrap_or(i64::MAX);
    let exponent = exponent.saturating_add(as_int(whole.len())).saturating_sub(as_int(taken));
    let power = u32::try_from(exponent.unsigned_abs()).unwrap_or(u32::MAX).min(MAX_EXPONENT);
    let mut scale = 1.0;
    for (bit, factor) in POWERS.iter().enumerate() {
        if power >> bit & 1 == 1 {
            scale *= factor;
        }
    }
    if exponent < 0 { fraction / scale } else { fraction * scale }
}
