//! Decimal128 and its text, in the binary integer encoding of IEEE 754-2008 that BSON uses.
//!
//! ```text
//! bit 127      sign
//! 126 to 113   exponent + 6176, unless bits 126 and 125 are both set
//! 112 to 0     coefficient; more than 34 digits count as 0
//! 126 to 122   11110 infinite, 11111 NaN
//! ```

use std::fmt;

use super::Decimal128;

const BIAS: i32 = 6176;
const MAX_EXPONENT: i32 = 6111;
const MAX_DIGITS: usize = 34;
const MAX_COEFFICIENT: u128 = 9_999_999_999_999_999_999_999_999_999_999_999;

enum Parts {
    NaN,
    Infinite,
    Finite(u128, i32),
}

impl Decimal128 {
    fn bits(self) -> u128 {
        u128::from_le_bytes(self.0)
    }

    fn is_negative(self) -> bool {
        self.bits() >> 127 != 0
    }

    fn parts(self) -> Parts {
        let bits = self.bits();
        let exponent =
            |shift: u32| i32::try_from(bits >> shift & 0x3fff).unwrap_or(0).saturating_sub(BIAS);
        match bits >> 122 & 0x1f {
            0x1f => Parts::NaN,
            0x1e => Parts::Infinite,
            // The coefficient of this form has more than 34 digits.
            0x18..=0x1d => Parts::Finite(0, exponent(111)),
            _ => {
                let coefficient = bits & ((1 << 113) - 1);
                let coefficient = if coefficient > MAX_COEFFICIENT { 0 } else { coefficient };
                Parts::Finite(coefficient, exponent(113))
            }
        }
    }

    /// Reads decimal text as [`Display`](fmt::Display) writes it: digits with an optional sign,
    /// point and exponent, `Infinity`, `NaN`. `None` where it is something else, or does not fit
    /// without rounding.
    pub fn parse(text: &str) -> Option<Decimal128> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let sign = u128::from(negative) << 127;
        let lower = rest.to_ascii_lowercase();
        let bits = match lower.as_str() {
            "infinity" | "inf" => 0x1e << 122,
            "nan" => 0x1f << 122,
            _ => finite(&lower)?,
        };
        Some(Decimal128((sign | bits).to_le_bytes()))
    }
}

fn finite(text: &str) -> Option<u128> {
    let (mantissa, exponent) = match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let digits: String = whole.chars().chain(fraction.chars()).collect();
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut digits = digits.trim_start_matches('0').to_owned();
    let mut exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    if digits.is_empty() {
        // Zero has no digits to lose.
        exponent = exponent.clamp(-BIAS, MAX_EXPONENT);
    }
    while (digits.len() > MAX_DIGITS || exponent < -BIAS) && digits.ends_with('0') {
        digits.pop();
        exponent = exponent.checked_add(1)?;
    }
    while exponent > MAX_EXPONENT && digits.len() < MAX_DIGITS {
        digits.push('0');
        exponent = exponent.checked_sub(1)?;
    }
    if digits.len() > MAX_DIGITS || !(-BIAS..=MAX_EXPONENT).contains(&exponent) {
        return None;
    }
    let coefficient = if digits.is_empty() { 0 } else { digits.parse::<u128>().ok()? };
    let biased = u128::try_from(exponent.checked_add(BIAS)?).ok()?;
    Some(biased << 113 | coefficient)
}

impl fmt::Display for Decimal128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        let (coefficient, exponent) = match self.parts() {
            Parts::NaN => return f.pad("NaN"),
            Parts::Infinite => return f.pad(&format!("{sign}Infinity")),
            Parts::Finite(coefficient, exponent) => (coefficient, exponent),
        };
        let digits = coefficient.to_string();
        let len = i32::try_from(digits.len()).unwrap_or(0);
        let adjusted = exponent.saturating_add(len).saturating_sub(1);
        let text = if exponent > 0 || adjusted < -6 {
            let (first, rest) = digits.split_at_checked(1).unwrap_or((&digits, ""));
            let point = if rest.is_empty() { "" } else { "." };
            format!("{sign}{first}{point}{rest}E{adjusted:+}")
        } else if exponent == 0 {
            format!("{sign}{digits}")
        } else {
            let places = usize::try_from(exponent.saturating_neg()).unwrap_or(0);
            let padded = format!("{digits:0>width$}", width = places.saturating_add(1));
            let (whole, fraction) =
                padded.split_at_checked(padded.len().saturating_sub(places)).unwrap_or_default();
            format!("{sign}{whole}.{fraction}")
        };
        f.pad(&text)
    }
}
