//! Digits of floats as the engine lays them out.

use std::fmt::Write as _;

use crate::types::fits_f32;

/// Writes a component or an element: `1`, `0.25`, `1e-05`, `inf_neg`.
#[allow(clippy::cast_possible_truncation, reason = "checked to be exact")]
pub(super) fn write_number(out: &mut String, value: f64) {
    if value == 0.0 {
        out.push('0');
    } else if value.is_nan() {
        out.push_str("nan");
    } else if value.is_infinite() {
        // The old name, which every version reads.
        out.push_str(if value > 0.0 { "inf" } else { "inf_neg" });
    } else if fits_f32(value) {
        // The fewest digits that tell the 32-bit float from its neighbours.
        layout(out, &format!("{:e}", value as f32));
    } else {
        layout(out, &format!("{value:e}"));
    }
}

/// Writes a float of its own, which is no integer in the text.
pub(super) fn write_float(out: &mut String, value: f64) {
    let start = out.len();
    write_number(out, value);
    let written = out.get(start..).unwrap_or_default();
    if value.is_finite() && !written.contains(['.', 'e']) {
        out.push_str(".0");
    }
}

/// From `-1.25e-7` to the engine's layout: an exponent of two digits and more for what has more than
/// 15 digits before the point or more than three zeros after it, else none.
fn layout(out: &mut String, scientific: &str) {
    let (sign, unsigned) = match scientific.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", scientific),
    };
    let (mantissa, exponent) = unsigned.split_once('e').unwrap_or((unsigned, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (first, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    out.push_str(sign);
    match exponent {
        -4..0 => {
            out.push_str("0.");
            (1..exponent.unsigned_abs()).for_each(|_| out.push('0'));
            out.push_str(first);
            out.push_str(rest);
        }
        0..15 => {
            let before = usize::try_from(exponent).unwrap_or(0);
            out.push_str(first);
            match rest.split_at_checked(before) {
                Some((whole, "")) => out.push_str(whole),
                Some((whole, part)) => {
                    out.push_str(whole);
                    out.push('.');
                    out.push_str(part);
                }
                None => {
                    out.push_str(rest);
                    (rest.len()..before).for_each(|_| out.push('0'));
                }
            }
        }
        _ => {
            out.push_str(mantissa);
            let sign = if exponent < 0 { '-' } else { '+' };
            // Writing to a string cannot fail.
            let _ = write!(out, "e{sign}{:02}", exponent.unsigned_abs());
        }
    }
}
