//! Digits of floats as the engine lays them out.

use alloc::string::String;
use core::fmt::Write as _;

use gamewire_core::float::{Digits, Ties};

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
        // Digits that tell the 32-bit float from its neighbours.
        layout(out, value < 0.0, Digits::of_f32(value.abs() as f32, Ties::Within));
    } else {
        layout(out, value < 0.0, Digits::of_f64(value.abs(), Ties::Within));
    }
}

/// Writes a float alone, which is no integer in the text.
pub(super) fn write_float(out: &mut String, value: f64) {
    let start = out.len();
    write_number(out, value);
    let written = out.get(start..).unwrap_or_default();
    if value.is_finite() && !written.contains(['.', 'e']) {
        out.push_str(".0");
    }
}

/// The engine's layout: an exponent of two digits and more for what has more than 15 digits before the
/// point or more than three zeros after it, else none.
fn layout(out: &mut String, negative: bool, digits: Digits) {
    let mut buffer = [0; 20];
    let text = digits.text(&mut buffer);
    let (first, rest) = text.split_at_checked(1).unwrap_or((text, ""));
    // The exponent of the first digit.
    let after = i32::try_from(rest.len()).unwrap_or(i32::MAX);
    let exponent = digits.exponent.saturating_add(after);
    if negative {
        out.push('-');
    }
    match exponent {
        -4..0 => {
            out.push_str("0.");
            (1..exponent.unsigned_abs()).for_each(|_| out.push('0'));
            out.push_str(text);
        }
        0..15 => {
            let before = usize::try_from(exponent).unwrap_or(0);
            out.push_str(first);
            match rest.split_at_checked(before) {
                Some((whole, "")) => out.push_str(whole),
                Some((whole, part)) => out.extend([whole, ".", part]),
                None => {
                    out.push_str(rest);
                    (rest.len()..before).for_each(|_| out.push('0'));
                }
            }
        }
        _ => {
            out.push_str(first);
            if !rest.is_empty() {
                out.extend([".", rest]);
            }
            let sign = if exponent < 0 { '-' } else { '+' };
            // Writing to a string cannot fail.
            let _ = write!(out, "e{sign}{:02}", exponent.unsigned_abs());
        }
    }
}
