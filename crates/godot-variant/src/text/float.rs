//! Digits of floats as the engine lays them out.

use std::fmt::Write as _;

use gamewire_core::float::{Digits, Ties};

use crate::Spelling;
use crate::types::fits_f32;

/// Writes a component or an element: `1`, `0.25`, `1e-05`, `inf_neg`.
#[allow(clippy::cast_possible_truncation, reason = "checked to be exact, or as engines 3.x do it")]
pub(super) fn write_number(out: &mut String, value: f64, spelling: Spelling) {
    let is_old = spelling == Spelling::Format2;
    let value = if is_old { f64::from(value as f32) } else { value };
    if spelling == Spelling::Exact && value.is_finite() {
        // The shortest digits that tell the float from all others.
        _ = write!(out, "{value:?}");
    } else if value == 0.0 {
        out.push('0');
    } else if value.is_nan() {
        out.push_str("nan");
    } else if value.is_infinite() {
        // The old name, which every version reads.
        out.push_str(if value > 0.0 { "inf" } else { "inf_neg" });
    } else if is_old {
        layout(out, value < 0.0, six_digits(value.abs()), 6);
    } else if fits_f32(value) {
        // Digits that tell the 32-bit float from its neighbours.
        layout(out, value < 0.0, Digits::of_f32(value.abs() as f32, Ties::Within), 15);
    } else {
        layout(out, value < 0.0, Digits::of_f64(value.abs(), Ties::Within), 15);
    }
}

/// The first six digits, rounded, without zeros at the end.
fn six_digits(value: f64) -> Digits {
    let text = format!("{value:.5e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_end_matches('0');
    // The power is that of the first digit.
    let after = i32::try_from(digits.len()).unwrap_or_default().saturating_sub(1);
    let exponent = power.parse::<i32>().unwrap_or_default().saturating_sub(after);
    Digits { number: digits.parse().unwrap_or_default(), exponent }
}

/// Writes a float alone, which is no integer in the text.
pub(super) fn write_float(out: &mut String, value: f64, spelling: Spelling) {
    let start = out.len();
    write_number(out, value, spelling);
    let written = out.get(start..).unwrap_or_default();
    // Digits alone are an integer.
    if written.ends_with(|c: char| c.is_ascii_digit()) && !written.contains(['.', 'e']) {
        out.push_str(".0");
    }
}

/// The engine's layout: an exponent of two digits and more for what has more than `most` digits before the
/// point or more than three zeros after it, else none.
fn layout(out: &mut String, negative: bool, digits: Digits, most: i32) {
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
        0.. if exponent < most => {
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
