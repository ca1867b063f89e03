//! Numbers at the beginning of a text, as C reads them.

use gamewire_core::bytes::{part, text_part};

/// The integer that `strtoll` with base 0 finds at the beginning of a text.
pub(crate) struct IntegerPrefix {
    negative: bool,
    magnitude: u64,
    overflow: bool,
}

impl IntegerPrefix {
    /// Whether it is 0; a number out of range is not.
    pub(crate) fn is_zero(&self) -> bool {
        !self.overflow && self.magnitude == 0
    }

    /// As `strtoll`, with its range error.
    pub(crate) fn signed(&self) -> Option<i64> {
        if self.overflow {
            return None;
        }
        if self.negative {
            return 0_i64.checked_sub_unsigned(self.magnitude);
        }
        self.magnitude.try_into().ok()
    }

    /// As `strtoull`, with a sign refused.
    pub(crate) fn unsigned(&self) -> Option<u64> {
        let fits = !self.overflow && (!self.negative || self.magnitude == 0);
        fits.then_some(self.magnitude)
    }
}

/// Leading space, a sign, `0x` or a leading 0 for another base; what follows the digits is ignored.
pub(crate) fn integer_prefix(text: &str) -> Option<IntegerPrefix> {
    let (negative, rest) = sign(text.trim_start_matches(is_space));
    let digit = |rest: &str, base| rest.chars().next().and_then(|c| c.to_digit(base));
    let (base, rest) = match rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        Some(hex) if digit(hex, 16).is_some() => (16, hex),
        _ if rest.starts_with('0') => (8, rest),
        _ => (10, rest),
    };
    digit(rest, base)?;
    let mut prefix = IntegerPrefix { negative, magnitude: 0, overflow: false };
    for digit in rest.chars().map_while(|c| c.to_digit(base)) {
        let next = prefix.magnitude.checked_mul(base.into());
        match next.and_then(|next| next.checked_add(digit.into())) {
            Some(next) => prefix.magnitude = next,
            None => prefix.overflow = true,
        }
    }
    Some(prefix)
}

/// `isspace` in the C locale.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// The double that `strtod` finds at the beginning of a text; `None` on a range error too.
pub(crate) fn double_prefix(text: &str) -> Option<f64> {
    let (negative, rest) = sign(text.trim_start_matches(is_space));
    let signed = |value: f64| if negative { -value } else { value };
    let lower: String = rest.chars().take(8).flat_map(char::to_lowercase).collect();
    if lower.starts_with("nan") {
        return Some(signed(f64::NAN));
    }
    if lower.starts_with("inf") {
        return Some(signed(f64::INFINITY));
    }
    let hex = lower.starts_with("0x").then(|| rest.get(2..)).flatten();
    if let Some(value) = hex.and_then(hex_prefix) {
        return value.map(signed);
    }
    let bytes = rest.as_bytes();
    let run = |from: usize| {
        let rest = part(bytes, from..);
        from.saturating_add(rest.iter().take_while(|byte| byte.is_ascii_digit()).count())
    };
    let whole = run(0);
    let mut end = whole;
    if bytes.get(whole) == Some(&b'.') {
        let point = whole.saturating_add(1);
        let fraction = run(point);
        if whole > 0 || fraction > point {
            end = fraction;
        }
    }
    if end == 0 {
        return None;
    }
    let mantissa = rest.get(..end)?;
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let after = end.saturating_add(1);
        let first = match bytes.get(after) {
            Some(b'-' | b'+') => after.saturating_add(1),
            _ => after,
        };
        let last = run(first);
        if last > first {
            end = last;
        }
    }
    let value: f64 = rest.get(..end)?.parse().ok()?;
    let nonzero = mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    let underflow = nonzero && value.abs() < f64::MIN_POSITIVE;
    (value.is_finite() && !underflow).then(|| signed(value))
}

/// A hexadecimal float after its `0x`; outer `None` where there is no digit, inner on a range error.
fn hex_prefix(text: &str) -> Option<Option<f64>> {
    let mut mantissa = 0.0_f64;
    let (mut digits, mut scale, mut end) = (0_usize, 0_i32, 0_usize);
    let mut fraction = false;
    for (at, c) in text.char_indices() {
        match c.to_digit(16) {
            Some(digit) => {
                digits = digits.saturating_add(1);
                mantissa = mantissa * 16.0 + f64::from(digit);
                scale = scale.saturating_sub(if fraction { 4 } else { 0 });
            }
            None if c == '.' && !fraction => fraction = true,
            None => break,
        }
        end = at.saturating_add(1);
    }
    if digits == 0 {
        return None;
    }
    let rest = text_part(text, end..);
    if let Some(power) = rest.strip_prefix(['p', 'P']) {
        let (negative, power) = sign(power);
        let count = power.bytes().take_while(u8::is_ascii_digit).count();
        if let Some(digits) = power.get(..count).filter(|digits| !digits.is_empty()) {
            let power = digits.parse::<i32>().unwrap_or(1 << 20).min(1 << 20);
            scale = scale.saturating_add(if negative { power.saturating_neg() } else { power });
        }
    }
    let value = mantissa * 2.0_f64.powi(scale);
    let in_range = value.is_finite() && (mantissa == 0.0 || value.abs() >= f64::MIN_POSITIVE);
    Some(in_range.then_some(value))
}
