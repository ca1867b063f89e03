//! Numbers: every width, and one kind from the other only when nothing is lost.

use super::*;

fn read<T: for<'de> Deserialize<'de>>(value: impl Into<Value>) -> Result<T> {
    from_value(&value.into())
}

#[test]
fn integers_of_every_width() {
    round_trip(&Options::new(), &(i8::MIN, i16::MIN, i32::MIN, i64::MIN));
    round_trip(&Options::new(), &(u8::MAX, u16::MAX, u32::MAX, i64::MAX as u64));
    round_trip(&Options::new(), &(i128::from(i64::MIN), i64::MAX as u128, -1_i128));
    for (value, bytes) in [
        (0_i64, "02000000 00000000"),
        (-1, "02000000 ffffffff"),
        (0x7fff_ffff, "02000000 ffffff7f"),
        (0x8000_0000, "02000100 00000080 00000000"),
        (-0x8000_0000, "02000000 00000080"),
        (-0x8000_0001, "02000100 ffffff7f ffffffff"),
    ] {
        assert_eq!(words(&to_vec(&value).unwrap()), bytes, "{value}");
    }
}

#[test]
fn integers_that_do_not_fit_are_errors_with_their_path() {
    let mut said = Vec::new();
    #[derive(Debug, Serialize)]
    struct Out<T> {
        ids: Vec<T>,
    }
    said.push(refused(to_vec(&Out { ids: vec![0_u64, 1 << 63] })));
    said.push(refused(to_vec(&Out { ids: vec![i128::MIN] })));
    said.push(refused(to_vec(&Out { ids: vec![u128::MAX] })));
    said.push(refused(read::<u8>(256)));
    said.push(refused(read::<u64>(-1)));
    said.push(refused(read::<(i8,)>(vec![-129])));
    assert_snapshot_above!(said.join("\n"));
}

#[test]
fn floats_take_64_bits_only_where_32_do_not_hold_them() {
    for (value, bytes) in [
        (0.5, "03000000 0000003f"),
        (0.1, "03000100 9a999999 9999b93f"),
        (-0.0, "03000000 00000080"),
        (f64::INFINITY, "03000000 0000807f"),
        (1e40, "03000100 a55cc3f1 29633d48"),
        (f64::NAN, "03000100 00000000 0000f87f"),
    ] {
        let written = to_vec(&value).unwrap();
        assert_eq!(words(&written), bytes, "{value}");
        let read: f64 = from_slice(&written).unwrap();
        assert_eq!(read.to_bits(), value.to_bits());
    }
    // Any f32 fits 32 bits but NaN, which keeps its bits with 64.
    assert_eq!(words(&to_vec(&0.1_f32).unwrap()), "03000000 cdcccc3d");
    assert_eq!(from_slice::<f32>(&to_vec(&0.1_f32).unwrap()).unwrap(), 0.1);
    assert_eq!(from_slice::<f32>(&to_vec(&0.1_f64).unwrap()).unwrap(), 0.1, "rounded");
}

#[test]
fn integers_from_floats_only_when_they_are_whole() {
    assert_eq!(read::<i64>(5.0).unwrap(), 5);
    assert_eq!(read::<u8>(255.0).unwrap(), 255);
    assert_eq!(read::<i64>(-0.0).unwrap(), 0);
    assert_eq!(read::<i64>(-9_223_372_036_854_775_808.0).unwrap(), i64::MIN);
    assert_eq!(read::<i128>(1e15).unwrap(), 1_000_000_000_000_000);
    for wrong in [0.5, 9_223_372_036_854_775_808.0, 1e300, f64::NAN, f64::INFINITY] {
        assert_eq!(read::<i64>(wrong).unwrap_err().kind(), ErrorKind::NumberRange, "{wrong}");
    }
    assert_eq!(read::<u8>(256.0).unwrap_err().kind(), ErrorKind::NumberRange);
    assert_eq!(refused(read::<i64>(0.5)), "expected an integer, found float 0.5");
    assert_eq!(refused(read::<u8>(256.0)), "expected u8, found integer 256");
}

#[test]
fn floats_from_integers_only_when_they_are_exact() {
    assert_eq!(read::<f64>(5).unwrap(), 5.0);
    assert_eq!(read::<f32>(-5).unwrap(), -5.0);
    assert_eq!(read::<f64>(1_i64 << 53).unwrap(), 9_007_199_254_740_992.0);
    assert_eq!(read::<f64>(i64::MIN).unwrap(), i64::MIN as f64);
    for wrong in [(1_i64 << 53) + 1, i64::MAX] {
        assert_eq!(read::<f64>(wrong).unwrap_err().kind(), ErrorKind::NumberRange, "{wrong}");
    }
    refused(read::<Vector2>(Vector2i::new((1 << 24) + 1, 0)));
    assert_eq!(read::<f32>((1_i64 << 24) + 1).unwrap_err().kind(), ErrorKind::NumberRange);
    assert_eq!(
        refused(read::<f64>(i64::MAX)),
        "expected a float, found integer 9223372036854775807, which no 64-bit float holds exactly"
    );
}

#[test]
fn bools_are_no_numbers() {
    refused(read::<i64>(true));
    refused(read::<f64>(true));
    refused(read::<bool>(1));
    assert!(read::<bool>(true).unwrap());
    // Any word but zero is true.
    assert!(from_slice::<bool>(&crate::support::hex("01000000 00000100")).unwrap());
}
