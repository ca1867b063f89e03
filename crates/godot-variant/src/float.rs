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
    // Of the 63 bits or more, all but 53 are rounded away; a remainder decides between two halves.
    let exact = root.wrapping_mul(root) == square;
    let rounded = (root | u128::from(!exact)) as f64;
    let biased = u64::try_from((exponent / 2).saturating_add(1023)).unwrap_or(0);
    rounded * f64::from_bits(biased << 52)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn they_are_those_of_std() {
        let mut seed = 1_u64;
        let random: Vec<f64> = core::iter::repeat_with(|| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            f64::from_bits(seed.rotate_right(29))
        })
        .take(2000)
        .collect();
        let near = [0.0, -0.0, 0.5, -0.5, 1.0, 1.5, 2.0, 4.5e15, -4.5e15, 9.1e15, 5e-324, 1e-310];
        let ends = [f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let small = random.iter().map(|value| value % 1e6);
        for value in near.into_iter().chain(ends).chain(small).chain(random.iter().copied()) {
            let (own, of_std) = (sqrt(value.abs()), value.abs().sqrt());
            assert_eq!(own.to_bits(), of_std.to_bits(), "the root of {value}");
            assert_eq!(trunc(value).to_bits(), value.trunc().to_bits(), "{value}");
            assert_eq!(is_whole(value), value.fract() == 0.0, "{value}");
        }
        assert!(sqrt(-1.0).is_nan());
    }
}
