//! Digits of floats by Grisu2 (Loitsch, "Printing floating-point numbers quickly and accurately with
//! integers", 2010), as the writers of Godot and O3DE find them: text that reads back as the same
//! float, and in more than 99 of 100 cases the shortest such text. Where the point or an exponent
//! stands is the format's affair.
//!
//! ```
//! use gamewire_core::float::{Digits, Ties};
//!
//! let digits = Digits::of_f64(0.3, Ties::Below);
//! assert_eq!((digits.number, digits.exponent), (3, -1));
//! let digits = Digits::of_f32(12.5, Ties::Below);
//! assert_eq!((digits.text(&mut [0; 20]), digits.exponent), ("125", -1));
//! ```

use powers::POWERS;

mod powers;

/// Where two known writers differ, which is in fewer than one of a thousand million floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// RapidJSON, and so O3DE: digits that are exactly on the border read back as the neighbour.
    Below,
    /// Godot: they read back as the float, and the least normal float is as far from the neighbour
    /// below as from the one above.
    Within,
}

/// `f × 2^e`.
#[derive(Clone, Copy)]
struct Wide {
    f: u64,
    e: i32,
}

impl Wide {
    #[inline]
    fn normal(self) -> Wide {
        let shift = self.f.leading_zeros();
        Wide { f: self.f << shift, e: self.e.wrapping_sub_unsigned(shift) }
    }

    /// The upper 64 bits of the product, rounded.
    #[inline]
    fn times(self, other: Wide) -> Wide {
        let product = u128::from(self.f).wrapping_mul(u128::from(other.f));
        let low = u64::try_from(product & u128::from(u64::MAX)).unwrap_or_default();
        let high = u64::try_from(product >> 64).unwrap_or_default();
        Wide { f: high.wrapping_add(low >> 63), e: self.e.wrapping_add(other.e).wrapping_add(64) }
    }
}

/// The digits of a positive, finite float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    /// Up to 17 digits, as a number.
    pub number: u64,
    /// The power of ten of the last one.
    pub exponent: i32,
}

const SMALL_TENS: [u32; 10] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

impl Digits {
    /// The digits that tell a positive, finite `f64` from its neighbours.
    #[inline]
    pub fn of_f64(value: f64, ties: Ties) -> Self {
        let bits = value.to_bits();
        let biased = i32::try_from(bits >> 52 & 0x7ff).unwrap_or_default();
        digits(bits & 0xf_ffff_ffff_ffff, biased, 1 << 52, 1075, ties)
    }

    /// The digits that tell a positive, finite `f32` from other `f32`.
    #[inline]
    pub fn of_f32(value: f32, ties: Ties) -> Self {
        let bits = value.to_bits();
        let biased = i32::try_from(bits >> 23 & 0xff).unwrap_or_default();
        digits(u64::from(bits & 0x7f_ffff), biased, 1 << 23, 150, ties)
    }

    /// The digits as text, in a buffer that any number fits.
    #[inline]
    pub fn text(self, buffer: &mut [u8; 20]) -> &str {
        let (mut start, mut left) = (buffer.len(), self.number);
        for digit in buffer.iter_mut().rev() {
            *digit = b'0' | u8::try_from(left % 10).unwrap_or_default();
            left /= 10;
            start = start.wrapping_sub(1);
            if left == 0 {
                break;
            }
        }
        std::str::from_utf8(buffer.get(start..).unwrap_or_default()).unwrap_or_default()
    }

    #[inline]
    fn push(&mut self, digit: u64) {
        self.number = self.number.wrapping_mul(10).wrapping_add(digit);
    }

    /// Takes from the last digit what brings the number nearer to `w`.
    #[inline]
    fn round(&mut self, delta: u64, mut rest: u64, ten: u64, distance: u64) {
        while rest < distance
            && delta.wrapping_sub(rest) >= ten
            && (rest.wrapping_add(ten) < distance
                || distance.wrapping_sub(rest) > rest.wrapping_add(ten).wrapping_sub(distance))
        {
            self.number = self.number.wrapping_sub(1);
            rest = rest.wrapping_add(ten);
        }
    }
}

/// The digits of a fraction with a biased exponent; `hidden` is the bit above the fraction.
#[inline]
fn digits(fraction: u64, biased: i32, hidden: u64, bias: i32, ties: Ties) -> Digits {
    let v = match biased {
        0 => Wide { f: fraction, e: 1_i32.wrapping_sub(bias) },
        _ => Wide { f: fraction | hidden, e: biased.wrapping_sub(bias) },
    };
    // Below a power of two the neighbour is nearer than above.
    let is_power = fraction == 0 && biased > i32::from(ties == Ties::Within);
    // Half way to the neighbours.
    let upper = Wide { f: (v.f << 1).wrapping_add(1), e: v.e.wrapping_sub(1) }.normal();
    let lower = if is_power {
        Wide { f: (v.f << 2).wrapping_sub(1), e: v.e.wrapping_sub(2) }
    } else {
        Wide { f: (v.f << 1).wrapping_sub(1), e: v.e.wrapping_sub(1) }
    };
    let shift = lower.e.wrapping_sub(upper.e).unsigned_abs();
    let lower = Wide { f: lower.f.wrapping_shl(shift), e: upper.e };

    let (scale, mut exponent) = power_for(upper.e);
    let w = v.normal().times(scale);
    let mut high = upper.times(scale);
    let mut low = lower.times(scale);
    low.f = low.f.wrapping_add(1);
    high.f = high.f.wrapping_sub(1);
    let mut delta = high.f.wrapping_sub(low.f);
    let distance = high.f.wrapping_sub(w.f);

    let mut digits = Digits { number: 0, exponent: 0 };
    let shift = high.e.unsigned_abs();
    let one = 1_u64.wrapping_shl(shift);
    // Below 2^32, where division is cheaper.
    let mut whole = u32::try_from(high.f.wrapping_shr(shift)).unwrap_or(u32::MAX);
    let mut part = high.f & one.wrapping_sub(1);
    if part > delta {
        // Nearly always the fraction is needed too, and then every digit before it.
        digits.number = whole.into();
    } else {
        let more = SMALL_TENS.iter().skip(1).take_while(|ten| whole >= **ten).count();
        for kappa in (0..=more).rev() {
            let ten = SMALL_TENS.get(kappa).copied().unwrap_or(1);
            digits.push(whole.checked_div(ten).unwrap_or_default().into());
            whole = whole.checked_rem(ten).unwrap_or_default();
            let rest = u64::from(whole).wrapping_shl(shift).wrapping_add(part);
            if rest <= delta {
                let kappa = u32::try_from(kappa).unwrap_or_default();
                digits.exponent = exponent.wrapping_add_unsigned(kappa);
                digits.round(delta, rest, u64::from(ten).wrapping_shl(shift), distance);
                return digits;
            }
        }
    }
    // Seventeen digits tell any two doubles apart.
    let mask = one.wrapping_sub(1);
    let mut scale = 1_u64;
    // Several at a time where none of them is the last: one that was would leave less than the last does.
    for many in [100_000_000, 10_000, 100] {
        let product = u128::from(part).wrapping_mul(many.into());
        let rest = u64::try_from(product & u128::from(mask)).unwrap_or_default();
        match delta.checked_mul(many) {
            Some(wider) if wider < rest => {
                let found = u64::try_from(product >> shift).unwrap_or_default();
                digits.number = digits.number.wrapping_mul(many).wrapping_add(found);
                exponent = exponent.wrapping_sub_unsigned(many.ilog10());
                (part, delta, scale) = (rest, wider, scale.wrapping_mul(many));
            }
            _ => {}
        }
    }
    for _ in 0..19 {
        scale = scale.wrapping_mul(10);
        part = part.wrapping_mul(10);
        delta = delta.wrapping_mul(10);
        digits.push(part.wrapping_shr(shift));
        part &= mask;
        exponent = exponent.wrapping_sub(1);
        if part < delta || (part == delta && ties == Ties::Within) {
            digits.round(delta, part, one, distance.wrapping_mul(scale));
            break;
        }
    }
    digits.exponent = exponent;
    digits
}

/// A power of ten that brings a number with this exponent into range, and its decimal exponent
/// with the sign turned.
#[inline]
fn power_for(e: i32) -> (Wide, i32) {
    let wanted = f64::from((-61_i32).wrapping_sub(e)) * std::f64::consts::LOG10_2 + 347.0;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 700")]
    let below = wanted as usize;
    // Rounded up.
    let index = (below.wrapping_add(usize::from(wanted > below as f64)) >> 3).wrapping_add(1);
    let (f, e) = POWERS.get(index).copied().unwrap_or((1 << 63, 1));
    let decimal = i32::try_from(index << 3).unwrap_or_default();
    (Wide { f, e }, 348_i32.wrapping_sub(decimal))
}
