//! What the engine makes of a boolean, number or text where a bool, integer or float is wanted.

use crate::node::Node;
use crate::read::Number;

pub(crate) trait Scalar: Copy + Default {
    const EXPECTED: &'static str;
    fn from_bool(value: bool) -> Self;
    fn from_number(value: Number) -> Option<Self>;
    fn from_text(text: &str) -> Option<Self>;
    fn from_node(node: &Node) -> Option<Self>;
    /// For telling values apart.
    fn bits(self) -> u64;
}

impl Scalar for bool {
    const EXPECTED: &'static str = "a boolean";

    #[inline]
    fn from_bool(value: bool) -> Self {
        value
    }

    fn from_number(value: Number) -> Option<Self> {
        Some(match value {
            Number::Unsigned(value) => value != 0,
            Number::Signed(value) => value != 0,
            Number::Double(value) => value != 0.0,
        })
    }

    fn from_text(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("true") {
            return Some(true);
        }
        if text.eq_ignore_ascii_case("false") {
            return Some(false);
        }
        // Overflow saturates in C, which is true.
        integer_prefix(text).map(|prefix| prefix.overflow || prefix.magnitude != 0)
    }

    fn from_node(node: &Node) -> Option<Self> {
        match node {
            Node::Bool(value) => Some(*value),
            _ => None,
        }
    }

    fn bits(self) -> u64 {
        u64::from(self)
    }
}

macro_rules! integer {
    ($($type:ident $expected:literal $two_to:literal $signed:ident),*) => {$(
        impl Scalar for $type {
            const EXPECTED: &'static str = $expected;

            #[inline]
            fn from_bool(value: bool) -> Self {
                value.into()
            }

            #[inline]
            fn from_number(value: Number) -> Option<Self> {
                match value {
                    Number::Unsigned(value) => value.try_into().ok(),
                    Number::Signed(value) => value.try_into().ok(),
                    // The range is checked before the fraction is cut off. The upper end is the
                    // power of two itself, which the engine lets through and then overflows on.
                    Number::Double(value) => {
                        let lowest = $type::MIN as f64;
                        let highest = (2.0_f64).powi($two_to);
                        let fits = value >= lowest
                            && value < highest
                            && ($two_to > 53 || value <= $type::MAX as f64);
                        #[allow(
                            clippy::cast_possible_truncation,
                            clippy::cast_sign_loss,
                            reason = "the fraction is to be cut off, and the range is checked"
                        )]
                        fits.then(|| value as $type)
                    }
                }
            }

            fn from_text(text: &str) -> Option<Self> {
                integer_prefix(text)?.$signed()?.try_into().ok()
            }

            fn from_node(node: &Node) -> Option<Self> {
                match *node {
                    Node::Unsigned(value) => value.try_into().ok(),
                    Node::Signed(value) => value.try_into().ok(),
                    _ => None,
                }
            }

            fn bits(self) -> u64 {
                #[allow(
                    clippy::cast_sign_loss,
                    clippy::cast_lossless,
                    reason = "any distinct bits will do"
                )]
                {
                    self as u64
                }
            }
        }
    )*};
}

integer! {
    i8 "an integer of 8 bits" 7 signed, i16 "an integer of 16 bits" 15 signed,
    i32 "an integer of 32 bits" 31 signed, i64 "an integer of 64 bits" 63 signed,
    u8 "an unsigned integer of 8 bits" 8 unsigned, u16 "an unsigned integer of 16 bits" 16 unsigned,
    u32 "an unsigned integer of 32 bits" 32 unsigned,
    u64 "an unsigned integer of 64 bits" 64 unsigned
}

impl Scalar for f64 {
    const EXPECTED: &'static str = "a double";

    #[inline]
    fn from_bool(value: bool) -> Self {
        value.into()
    }

    #[inline]
    fn from_number(value: Number) -> Option<Self> {
        Some(value.to_f64())
    }

    fn from_text(text: &str) -> Option<Self> {
        // Infinity is beyond the largest double, which the engine's range check finds.
        double_prefix(text).filter(|value| !value.is_infinite())
    }

    fn from_node(node: &Node) -> Option<Self> {
        match *node {
            Node::Double(value) => Some(value),
            Node::Float(value) => Some(value.into()),
            _ => None,
        }
    }

    fn bits(self) -> u64 {
        self.to_bits()
    }
}

impl Scalar for f32 {
    const EXPECTED: &'static str = "a float";

    #[inline]
    fn from_bool(value: bool) -> Self {
        if value { 1.0 } else { 0.0 }
    }

    #[inline]
    fn from_number(value: Number) -> Option<Self> {
        narrowed(value.to_f64())
    }

    fn from_text(text: &str) -> Option<Self> {
        double_prefix(text).and_then(narrowed)
    }

    fn from_node(node: &Node) -> Option<Self> {
        match *node {
            Node::Float(value) => Some(value),
            _ => None,
        }
    }

    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

/// A double as a float, if it is in a float's range; tiny ones become zero.
#[inline]
fn narrowed(value: f64) -> Option<f32> {
    if value.abs() > f64::from(f32::MAX) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, reason = "rounding is what is wanted")]
    Some(value as f32)
}

/// The integer that `strtoll` with base 0 finds at the beginning of a text.
pub(crate) struct IntegerPrefix {
    negative: bool,
    magnitude: u64,
    overflow: bool,
}

impl IntegerPrefix {
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

/// What `isspace` says in the C locale.
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
fn double_prefix(text: &str) -> Option<f64> {
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
        let rest = bytes.get(from..).unwrap_or_default();
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
    let rest = text.get(end..).unwrap_or_default();
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
