use gamewire_core::float::{Digits, Ties};

const BOTH: [Ties; 2] = [Ties::Below, Ties::Within];

fn f64_text(value: f64, ties: Ties) -> String {
    let digits = Digits::of_f64(value, ties);
    format!("{}e{}", digits.text(&mut [0; 20]), digits.exponent)
}

fn f32_text(value: f32, ties: Ties) -> String {
    let digits = Digits::of_f32(value, ties);
    format!("{}e{}", digits.number, digits.exponent)
}

#[test]
fn digits_are_the_fewest_of_well_known_floats() {
    for ties in BOTH {
        let double = |value| f64_text(value, ties);
        assert_eq!(double(1.0), "1e0");
        assert_eq!(double(0.1), "1e-1");
        assert_eq!(double(100.0), "1e2");
        assert_eq!(double(1.0 / 3.0), "3333333333333333e-16");
        assert_eq!(double(123_456_789.125), "123456789125e-3");
        assert_eq!(double(f64::MAX), "17976931348623157e292");
        assert_eq!(double(f64::MIN_POSITIVE), "22250738585072014e-324");
        assert_eq!(double(5e-324), "5e-324");
        assert_eq!(double(1e23), "9999999999999999e7");
        assert_eq!(double(9_007_199_254_740_993.0), "9007199254740992e0");
        let single = |value| f32_text(value, ties);
        assert_eq!(single(0.1), "1e-1");
        assert_eq!(single(16_777_216.0), "16777216e0");
        assert_eq!(single(f32::MAX), "34028235e31");
        assert_eq!(single(f32::MIN_POSITIVE), "11754944e-45");
        assert_eq!(single(1e-45), "1e-45");
    }
}

#[test]
fn floats_come_back_from_their_digits() {
    let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..20_000 {
        // A generator of well spread numbers (xorshift).
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        for ties in BOTH {
            let double = f64::from_bits(bits >> 1);
            if double.is_finite() && double > 0.0 {
                assert_eq!(f64_text(double, ties).parse::<f64>().unwrap(), double);
            }
            let single = f32::from_bits((bits >> 33) as u32);
            if single.is_finite() && single > 0.0 {
                assert_eq!(f32_text(single, ties).parse::<f32>().unwrap(), single);
            }
        }
    }
}

#[test]
fn powers_of_ten_and_their_neighbours_come_back() {
    for exponent in -323..=308 {
        let power: f64 = format!("1e{exponent}").parse().unwrap();
        for bits in [power.to_bits() - 1, power.to_bits(), power.to_bits() + 1] {
            let double = f64::from_bits(bits);
            if double > 0.0 {
                for ties in BOTH {
                    assert_eq!(f64_text(double, ties).parse::<f64>().unwrap(), double);
                }
            }
        }
    }
}
