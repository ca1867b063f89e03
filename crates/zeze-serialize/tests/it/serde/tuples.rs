//! Tuples, arrays and tuple structs.

use super::*;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct One<T> {
    #[serde(rename = "1:value")]
    value: T,
}

#[test]
fn of_one_wire_type_they_are_lists() {
    assert_eq!(round_trip(&One { value: [1, 2, 3] }), "143001020300");
    assert_eq!(round_trip(&One { value: (1_i8, true, -1_i64) }), "14300101ff00");
    assert_eq!(round_trip(&One { value: [0.5_f32, 0.0] }), "14210000003f0000000000");
    assert_eq!(
        round_trip(&One { value: [(1, 2), (3, 4)] }),
        "14242001022003 0400".replace(' ', "")
    );
    assert_eq!(round_trip(&One { value: [0; 2] }), "1420000000");
    let empty: [i32; 0] = [];
    assert_eq!(round_trip(&One { value: empty }), "00");
    // Absent, or empty, is as many zeros.
    assert_eq!(from_slice::<One<[i32; 3]>>(&[0]).unwrap().value, [0; 3]);
    assert_eq!(from_slice::<One<[i32; 3]>>(&hex("140000")).unwrap().value, [0; 3]);
    refused(from_slice::<One<[i32; 3]>>(&hex("1420010200")));
    refused(from_slice::<One<[i32; 1]>>(&hex("1420010200")));
}

#[test]
fn of_several_wire_types_they_are_beans() {
    assert_eq!(round_trip(&One { value: (1, "a".to_owned()) }), "1610011301610000");
    assert_eq!(round_trip(&One { value: (0, "a".to_owned()) }), "162301610000");
    assert_eq!(round_trip(&One { value: (0, String::new()) }), "00");
    assert_eq!(
        round_trip(&One { value: (5, (0, "x".to_owned()), 0.0) }),
        "1610051623017800 0000".replace(' ', "")
    );
    // An option makes it a bean whether there is a value or not.
    assert_eq!(round_trip(&One { value: (Some(0), 1) }), "16100010010000");
    assert_eq!(round_trip(&One { value: (None::<i32>, 1) }), "1620010000");
    assert_eq!(round_trip(&vec![(Some(1), 2), (None, 3)]), "26100110020020030 0".replace(' ', ""));
    assert_eq!(
        round_trip(&vec![(1, "a".to_owned()), (0, String::new())]),
        "261001130161 0000".replace(' ', "")
    );
}

#[test]
fn each_is_read_as_the_other() {
    let list: One<(i32, i32)> = from_slice(&hex("14 20 01 02 00")).unwrap();
    let bean: One<(i32, i32)> = from_slice(&hex("16 1001 1002 00 00")).unwrap();
    assert_eq!(list, bean);
    // A vector of as many components, too.
    let vector: One<[f32; 2]> = from_slice(&hex("18 0000803f 00000040 00")).unwrap();
    assert_eq!(vector.value, [1.0, 2.0]);
    let other: One<[f32; 3]> = from_slice(&hex("18 0000803f 00000040 00")).unwrap();
    assert_eq!(other.value, [0.0; 3]);
    refused(
        Options::new().strict(true).from_slice::<One<[f32; 3]>>(&hex("18 0000803f 00000040 00")),
    );
}

#[test]
fn at_the_root_they_are_beans() {
    assert_eq!(round_trip(&(1, 2)), "1001100200");
    assert_eq!(round_trip(&[0, 2]), "200200");
    assert_eq!(round_trip(&((1, 2), 3)), "142001021003 00".replace(' ', ""));
}

#[test]
fn tuple_structs_are_beans() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Pair(i32, i32);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Unit;
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Deep(Pair, Unit, Option<Unit>);
    assert_eq!(round_trip(&Pair(0, 5)), "200500");
    assert_eq!(
        round_trip(&Deep(Pair(1, 2), Unit, Some(Unit))),
        "16100110020026 0000".replace(' ', "")
    );
    assert_eq!(round_trip(&Unit), "00");
    assert_eq!(round_trip(&vec![Unit, Unit]), "260000");
}

#[test]
fn an_error_in_a_tuple_says_where() {
    let error = refused(to_vec(&One { value: (1, (2, u64::MAX)) }));
    assert!(error.ends_with(", in value[1][1]"), "{error}");
    let error =
        refused(from_slice::<One<(i32, (i32, u8))>>(&hex("16 1001 16 1001 10412c 00 00 00")));
    assert_eq!(error, "expected u8, found integer 300 at byte 0x7, in value[1][1]");
}
