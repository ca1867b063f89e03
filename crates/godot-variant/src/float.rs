//! Functions of floats that `core` has not.

/// Without what stands after the point, towards zero; NaN and infinities as they are.
#[allow(clippy::cast_possible_truncation, reason = "checked to be in range")]
pub(crate) fn trunc(value: f64) -> f64 {
    // From here on all are whole.
    const ALL_BITS: f64 = (1_u64 << 52) as f64;
    match value.abs() < ALL_BITS {
        true => (value as i64 as f64).copysign(value),
        false => value,
    }
}

/// Whether nothing stands after the point. Infinities and NaN are no numbers of this sort.
pub(crate) fn is_whole(value: f64) -> bool {
    value.is_finite() && trunc(value) == value
}

/// The square root, correctly rounded; NaN below zero.
pub(crate) fn sqrt(value: f64) -> f64 {
    if value == 0.0 || value == f64::INFINITY {
        return value;
    }
    if value.is_nan() || value < 0.0 {
        return f64::NAN;
    }
    let bits = value.to_bits();
    let (fraction, exponent) = (bits & 0xf_ffff_ffff_ffff, bits >> 52);
    let exponent = i32::try_from(exponent).unwrap_or(0);
    // The number is `significand · 2^exponent`.
    let (significand, exponent) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent.saturating_sub(1075)),
    };
    let significand = u128::from(significand);
    // As many bits as there are, and an even exponent, half of which is that of the root.
    let zeros = significand.leading_zeros();
    let shift = zeros.saturating_sub(u32::from(exponent.saturating_sub_unsigned(zeros) & 1 != 0));
    let (square, exponent) = (significand << shift, exponent.saturating_sub_unsigned(shift));
    let root = square.isqrt();
    // All but 53 of the 63 bits or more are rounded away; a remainder decides between two halves.
    let exact = root.wrapping_mul(root) == square;
    let rounded = (root | u128::from(!exact)) as f64;
    let biased = u64::try_from((exponent / 2).saturating_add(1023)).unwrap_or(0);
    rounded * f64::from_bits(biased << 52)
}
