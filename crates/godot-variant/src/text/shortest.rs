//! The digits that the engine writes for a float: those of the algorithm Grisu2, which are the
//! fewest that read back as the same float in all but one of a thousand cases.
//!
//! A float and the ends of the interval that reads back as it are scaled by a power of ten, rounded
//! to 64 bits, such that their binary exponent is small; then digits are taken off until what is left
//! is less than the width of the interval (Loitsch, "Printing Floating-Point Numbers Quickly and
//! Accurately with Integers", 2010, figure 3 and section 5).

use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::sync::LazyLock;

/// A number `f · 2^e`.
#[derive(Clone, Copy, Debug)]
struct Binary {
    f: u64,
    e: i32,
}

impl Binary {
    /// With the top bit of `f` set.
    fn normalized(self) -> Self {
        let zeros = self.f.leading_zeros();
        Binary { f: self.f << zeros, e: self.e.saturating_sub_unsigned(zeros) }
    }

    /// With the exponent of another.
    fn at(self, e: i32) -> Self {
        let shift = u32::try_from(self.e.saturating_sub(e)).unwrap_or(0);
        Binary { f: self.f << shift, e }
    }

    /// The upper 64 bits of the product, rounded.
    fn times(self, other: Self) -> Self {
        let product = u128::from(self.f).wrapping_mul(u128::from(other.f));
        let rounded = product.wrapping_add(1 << 63) >> 64;
        let e = self.e.saturating_add(other.e).saturating_add(64);
        Binary { f: u64::try_from(rounded).unwrap_or(u64::MAX), e }
    }
}

/// The digits of a positive number and the power of ten of the last one.
pub(super) struct Digits {
    pub(super) digits: Vec<u8>,
    pub(super) exponent: i32,
}

/// Of a float with 32 bits.
pub(super) fn single(value: f32) -> Digits {
    let bits = value.to_bits();
    let (fraction, exponent) = (bits & 0x7f_ffff, bits >> 23 & 0xff);
    digits(u64::from(fraction), i32::try_from(exponent).unwrap_or(0), 23, 150)
}

/// Of a float with 64 bits.
pub(super) fn double(value: f64) -> Digits {
    let bits = value.to_bits();
    let (fraction, exponent) = (bits & 0xf_ffff_ffff_ffff, bits >> 52 & 0x7ff);
    digits(fraction, i32::try_from(exponent).unwrap_or(0), 52, 1075)
}

/// Of a fraction and a biased exponent, where the fraction has so many bits.
fn digits(fraction: u64, exponent: i32, bits: u32, bias: i32) -> Digits {
    let hidden = 1_u64 << bits;
    let value = match exponent {
        0 => Binary { f: fraction, e: 1_i32.saturating_sub(bias) },
        _ => Binary { f: fraction | hidden, e: exponent.saturating_sub(bias) },
    };
    // Halfway to the neighbours. Below a power of two the neighbour is nearer by half.
    let half_up = Binary { f: (value.f << 1).wrapping_add(1), e: value.e.saturating_sub(1) };
    let upper = half_up.normalized();
    let lower = match fraction == 0 && exponent > 1 {
        true => Binary { f: (value.f << 2).wrapping_sub(1), e: value.e.saturating_sub(2) },
        false => Binary { f: (value.f << 1).wrapping_sub(1), e: value.e.saturating_sub(1) },
    };
    let lower = lower.at(upper.e);
    let (power, ten) = scale(upper.e);
    let value = value.normalized().times(power);
    // One unit off each end, for the rounding of the power.
    let low = Binary { f: lower.times(power).f.wrapping_add(1), ..value };
    let high = Binary { f: upper.times(power).f.wrapping_sub(1), ..value };
    generate(low, value, high, ten.saturating_neg())
}

/// A power of ten that brings an exponent to between −60 and −32, and its exponent to ten. Every
/// eighth one is used.
fn scale(e: i32) -> (Binary, i32) {
    const ALPHA: i32 = -60;
    // The least power of ten that is not below 2^(ALPHA - e - 1): 78913 / 2^18 is log10(2).
    let f = ALPHA.saturating_sub(e).saturating_sub(1);
    let k = (f.wrapping_mul(78913) / (1 << 18)).saturating_add(i32::from(f > 0));
    let index = k.saturating_sub(LEAST).saturating_add(7) / 8;
    let ten = index.saturating_mul(8).saturating_add(LEAST);
    (cached(index).unwrap_or_else(|| power_of_ten(ten)), ten)
}

/// The least power of ten that is used.
const LEAST: i32 = -300;

/// 10 to one of the powers −300, −292 … 324, by its place in their row.
#[cfg(feature = "std")]
fn cached(index: i32) -> Option<Binary> {
    usize::try_from(index).ok().and_then(|index| TENS.get(index)).copied()
}

/// Without a lock there is nothing to keep them in.
#[cfg(not(feature = "std"))]
fn cached(_: i32) -> Option<Binary> {
    None
}

#[cfg(feature = "std")]
static TENS: LazyLock<Vec<Binary>> =
    LazyLock::new(|| (LEAST..=324).step_by(8).map(power_of_ten).collect());

/// 10 to a power, rounded to 64 bits, by whole numbers of any size: 64 bits at a time.
fn power_of_ten(ten: i32) -> Binary {
    let mut words = vec![1_u64];
    (0..ten.unsigned_abs()).for_each(|_| multiply(&mut words, 10));
    if ten >= 0 {
        return top(&words, 0);
    }
    // 1 with more zero bits after it than the power has.
    let zeros = words.len().saturating_add(2);
    let mut words = vec![0_u64; zeros];
    words.push(1);
    (ten..0).for_each(|_| divide(&mut words, 10));
    let bits = i32::try_from(zeros.saturating_mul(64)).unwrap_or(i32::MAX);
    top(&words, bits.saturating_neg())
}

fn multiply(words: &mut Vec<u64>, factor: u64) {
    let mut carry = 0_u128;
    for word in words.iter_mut() {
        let product = u128::from(*word).wrapping_mul(u128::from(factor)).wrapping_add(carry);
        [*word, _] = split(product);
        carry = product >> 64;
    }
    if carry > 0 {
        words.push(u64::try_from(carry).unwrap_or(u64::MAX));
    }
}

fn divide(words: &mut [u64], divisor: u64) {
    let mut rest = 0_u128;
    for word in words.iter_mut().rev() {
        let part = rest << 64 | u128::from(*word);
        let quotient = part.checked_div(u128::from(divisor)).unwrap_or(0);
        [*word, _] = split(quotient);
        rest = part.checked_rem(u128::from(divisor)).unwrap_or(0);
    }
}

fn split(wide: u128) -> [u64; 2] {
    let mask = u128::from(u64::MAX);
    [wide & mask, wide >> 64].map(|half| u64::try_from(half).unwrap_or(u64::MAX))
}

/// The top 64 bits, rounded.
fn top(words: &[u64], e: i32) -> Binary {
    let mut words = words.iter().rev().skip_while(|word| **word == 0);
    let left = i32::try_from(words.clone().count()).unwrap_or(i32::MAX);
    let mut next = || u128::from(words.next().copied().unwrap_or(0));
    let wide = next() << 64 | next();
    let zeros = wide.leading_zeros();
    let [low, high] = split(wide << zeros);
    let e = e.saturating_add(left.saturating_sub(1).saturating_mul(64));
    let e = e.saturating_sub_unsigned(zeros);
    match high.checked_add(low >> 63) {
        Some(f) => Binary { f, e },
        None => Binary { f: 1 << 63, e: e.saturating_add(1) },
    }
}

/// Takes digits off the upper end until what is left is within the interval, then goes down towards
/// the value.
fn generate(low: Binary, value: Binary, high: Binary, exponent: i32) -> Digits {
    let mut width = high.f.wrapping_sub(low.f);
    let mut distance = high.f.wrapping_sub(value.f);
    let shift = high.e.unsigned_abs();
    let one = 1_u64.checked_shl(shift).unwrap_or(1);
    let mut whole = high.f >> shift.min(63);
    let mut part = high.f & one.wrapping_sub(1);
    let mut digits = Vec::with_capacity(17);
    // The largest power of ten in the whole part.
    let mut places = whole.checked_ilog10().unwrap_or(0).saturating_add(1);
    while places > 0 {
        let power = 10_u64.pow(places.saturating_sub(1));
        digits.push(u8::try_from(whole.checked_div(power).unwrap_or(0)).unwrap_or(9));
        whole = whole.checked_rem(power).unwrap_or(0);
        places = places.saturating_sub(1);
        let rest = (whole << shift).wrapping_add(part);
        if rest <= width {
            let ten = power << shift;
            round(&mut digits, distance, width, rest, ten);
            let exponent = exponent.saturating_add_unsigned(places);
            return Digits { digits, exponent };
        }
    }
    let mut below = 0_u32;
    loop {
        part = part.wrapping_mul(10);
        digits.push(u8::try_from(part >> shift.min(63)).unwrap_or(9));
        part &= one.wrapping_sub(1);
        below = below.saturating_add(1);
        width = width.wrapping_mul(10);
        distance = distance.wrapping_mul(10);
        if part <= width || digits.len() > 20 {
            round(&mut digits, distance, width, part, one);
            return Digits { digits, exponent: exponent.saturating_sub_unsigned(below) };
        }
    }
}

/// Makes the last digit smaller while that comes nearer to the value and stays in the interval.
fn round(digits: &mut [u8], distance: u64, width: u64, mut rest: u64, ten: u64) {
    let Some(last) = digits.last_mut() else { return };
    while rest < distance
        && width.wrapping_sub(rest) >= ten
        && (rest.wrapping_add(ten) < distance
            || distance.wrapping_sub(rest) > rest.wrapping_add(ten).wrapping_sub(distance))
    {
        *last = last.saturating_sub(1);
        rest = rest.wrapping_add(ten);
    }
}
