//! Digits to floats as the engine does it, which is not always the nearest float.
//!
//! It takes the first 18 digits, leading zeros among them, as two integers of nine, and multiplies
//! or divides by a power of ten that is itself a product of rounded powers.

/// 10 to the powers 1, 2, 4, 8 …: the exponent's bits choose among them.
const POWERS: [f64; 9] = [1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256];

/// The largest exponent that the bits can say.
const MAX_EXPONENT: u64 = 511;

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

    // The text's own exponent may be any number, and saturates.
    let exponent = exponent.saturating_add_unsigned(whole.len() as u64);
    let exponent = exponent.saturating_sub_unsigned(taken as u64);
    let power = exponent.unsigned_abs().min(MAX_EXPONENT);
    let mut scale = 1.0;
    for (bit, factor) in POWERS.iter().enumerate() {
        if power >> bit & 1 == 1 {
            scale *= factor;
        }
    }
    if exponent < 0 { fraction / scale } else { fraction * scale }
}
