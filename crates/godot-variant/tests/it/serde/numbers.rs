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
fn floats_beyond_32_bits_are_no_infinity() {
    let infinite = [f64::INFINITY, f64::NEG_INFINITY];
    assert_eq!(infinite.map(|v| read::<f32>(v).unwrap()), [f32::INFINITY, f32::NEG_INFINITY]);
    let (large, wide) = (-1e40, Vector2::<f64>::from([0.5, 1e40]));
    assert_eq!(read::<f64>(large).unwrap(), large);
    assert_eq!(read::<Vector2<f64>>(wide).unwrap(), wide);
    let said = [
        refused(read::<f32>(large)),
        refused(read::<Vec<f32>>(vec![0.5, large])),
        refused(read::<Vec<f32>>(PackedFloat64Array(vec![0.5, large]))),
        refused(read::<[f32; 2]>(wide)),
        refused(read::<Vector2>(wide)),
        refused(read::<PackedVector2Array>(PackedVector2Array(vec![wide]))),
        refused(read::<Vec<Vector2>>(PackedVector2Array(vec![wide]))),
    ];
    assert_snapshot_above!(said.join("\n"));
    // An engine of single precision has infinity there.
    let single = Options::new().precision(Precision::Single);
    let read: Vector2 = single.from_slice(&to_vec(&wide).unwrap()).unwrap();
    assert_eq!(read.y, f32::INFINITY);
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

/// Visitors that are not derived may have one method alone.
#[test]
fn integers_are_shown_as_the_type_that_asks() {
    use std::result::Result;
    macro_rules! only {
        ($($integer:ident $asks:ident $visit:ident),+) => {$({
            struct Only($integer);
            impl<'de> serde::Deserialize<'de> for Only {
                fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                    struct OnlyVisitor;
                    impl serde::de::Visitor<'_> for OnlyVisitor {
                        type Value = Only;
                        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                            f.write_str("a number")
                        }
                        fn $visit<E>(self, value: $integer) -> Result<Only, E> {
                            Ok(Only(value))
                        }
                    }
                    from.$asks(OnlyVisitor)
                }
            }
            let read = |value: Value| -> Only {
                from_slice(&to_vec(&value).unwrap()).unwrap_or_else(|e| panic!("{value:?}: {e}"))
            };
            assert_eq!(read(7.into()).0, 7 as $integer);
            assert_eq!(read(7.0.into()).0, 7 as $integer);
            let list: Vec<Only> = from_slice(&to_vec(&PackedInt32Array(vec![5])).unwrap()).unwrap();
            assert_eq!(list[0].0, 5 as $integer);
        })+};
    }
    only! {
        u8 deserialize_u8 visit_u8, u16 deserialize_u16 visit_u16, u32 deserialize_u32 visit_u32,
        u64 deserialize_u64 visit_u64, u128 deserialize_u128 visit_u128, i8 deserialize_i8 visit_i8,
        i16 deserialize_i16 visit_i16, i32 deserialize_i32 visit_i32,
        i128 deserialize_i128 visit_i128, f32 deserialize_f32 visit_f32
    }
    let far = to_vec(&(1_i64 << 40)).unwrap();
    assert_eq!(from_slice::<u64>(&far).unwrap(), 1 << 40);
    assert!(from_slice::<u32>(&far).unwrap_err().to_string().contains("1099511627776"));
}
