//! Compact variants to and from Rust types.

use godot_multiplayer::{Args, Packet, State};
use godot_variant::types::*;
use godot_variant::*;
use serde::{Deserialize, Serialize};

use crate::support::words;

fn bytes(values: &impl Serialize) -> String {
    State::new(values).unwrap().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn bools_and_ints_are_short() {
    assert_eq!(bytes(&(false, true)), "0181");
    assert_eq!(bytes(&(0, 127, -128)), "0200027f0280");
    assert_eq!(bytes(&(128, -129)), "428000427fff");
    assert_eq!(bytes(&(32_768, -32_769)), "820080000082ff7fffff");
    assert_eq!(bytes(&(1_i64 << 31,)), "c20000008000000000");
    assert_eq!(bytes(&(i64::MIN,)), "c20000000000000080");
    // Values inside of an array are not.
    assert_eq!(bytes(&([1],)), "1c000000010000000200000001000000");
    let numbers = [0, 1, -1, 127, 128, -128, -129, 32_767, 32_768, i64::MAX, i64::MIN];
    for number in numbers {
        let args = Args::new(&[number]).unwrap();
        assert_eq!(args.read::<[i64; 1]>().unwrap(), [number]);
        assert_eq!(args.read::<Vec<Value>>().unwrap(), [Value::Int(number)]);
    }
}

#[test]
fn arguments_are_tuples_lists_and_structs() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Shot<'a> {
        who: &'a str,
        at: Vector2,
        power: Option<f32>,
    }
    let shot = Shot { who: "Åsa", at: Vector2::new(1.0, 2.0), power: Some(4.0) };
    let args = Args::new(&shot).unwrap();
    assert_eq!(args.len(), 3);
    assert_eq!(args.read::<Shot<'_>>().unwrap(), shot);
    assert_eq!(args, Args::new(&("Åsa", Vector2::new(1.0, 2.0), 4.0)).unwrap());
    let values: Vec<Value> = args.read().unwrap();
    assert_eq!(args, Args::new(&values).unwrap());
    assert_eq!(args, Args::new(&Value::from(values)).unwrap());

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Wrapper((u8, bool));
    let wrapped = Wrapper((7, true));
    assert_eq!(Args::new(&wrapped).unwrap().read::<Wrapper>().unwrap(), wrapped);

    let none = Args::new(&()).unwrap();
    assert!(none.is_empty());
    none.read::<()>().unwrap();
    assert_eq!(none.read::<Vec<i64>>().unwrap().len(), 0);
}

#[test]
fn numbers_become_what_is_asked_for() {
    let args = Args::new(&(3, 4.0, 5)).unwrap();
    assert_eq!(args.read::<(f64, i32, Option<u8>)>().unwrap(), (3.0, 4, Some(5)));
    let error = args.read::<(String, f64, f64)>().unwrap_err();
    assert!(
        error.to_string().starts_with("invalid type: integer `3`, expected a string")
            || error.to_string().starts_with("expected a string, found integer 3"),
        "{error}"
    );
    assert_eq!(error.path().to_string(), "[0]");
    let wide = Args::new(&((1_i64 << 53) + 1,)).unwrap();
    assert_eq!(wide.read::<(f64,)>().unwrap_err().kind(), ErrorKind::NumberRange);
    let nothing: (Option<i64>,) = Args::new(&(None::<i64>,)).unwrap().read().unwrap();
    assert_eq!(nothing, (None,));
}

#[test]
fn another_number_of_arguments_is_an_error() {
    let args = Args::new(&(1, 2, 3)).unwrap();
    let error = args.read::<(i64, i64)>().unwrap_err();
    assert_eq!(error.to_string(), "expected 2 values, found 3 at byte 0x4");
    assert!(args.read::<(i64, i64, i64, i64)>().is_err());
    assert!(args.read::<()>().is_err());
    let state = State::new(&(1, 2, 3)).unwrap();
    let error = state.read::<(i64, i64)>().unwrap_err();
    assert_eq!(error.to_string(), "expected 2 values, found more at byte 0x4");
    assert!(Args::new(&vec![0; 255]).is_ok());
    let error = Args::new(&vec![0; 256]).unwrap_err();
    assert_eq!(error.to_string(), "expected up to 255 arguments, found 256");
    for single in [Args::new(&5), Args::new("text"), Args::new(&Vector2::new(1.0, 2.0))] {
        assert_eq!(single.unwrap_err().kind(), ErrorKind::Data);
    }
}

#[test]
fn one_array_of_bytes_is_sent_as_it_is() {
    let args = Args::new(&(PackedByteArray(vec![1, 2, 3]),)).unwrap();
    assert_eq!(args.len(), 1);
    assert_eq!(args.read::<(&[u8],)>().unwrap(), (&[1, 2, 3][..],));
    assert_eq!(args.read::<(PackedByteArray,)>().unwrap().0.0, [1, 2, 3]);
    assert_eq!(args.read::<(Vec<u8>,)>().unwrap().0, [1, 2, 3]);
    assert_eq!(args.read::<([u8; 3],)>().unwrap().0, [1, 2, 3]);
    assert_eq!(
        args.read::<Value>().unwrap(),
        Value::from(vec![Value::from(PackedByteArray(vec![1, 2, 3]))])
    );
    assert!(args.read::<(Vector2,)>().is_err());
    assert!(args.read::<()>().is_err());
    // Two are variants, and none alone arrives as no argument, as in the engine.
    let two = Args::new(&(PackedByteArray(vec![1]), 5)).unwrap();
    assert_eq!(two.read::<(PackedByteArray, i64)>().unwrap().1, 5);
    assert!(Args::new(&(PackedByteArray(vec![]),)).unwrap().is_empty());
}

#[test]
fn every_type_is_an_argument() {
    let text =
        std::fs::read_to_string(crate::support::testdata("godot-variant/vectors/godot4.jsonl"))
            .unwrap();
    let mut count = 0;
    for row in text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
        let Some(bytes) = row["hex"].as_str().filter(|hex| !hex.is_empty() && hex.len() < 400)
        else {
            continue;
        };
        let bytes = gamewire_testkit::vectors::from_hex(bytes).unwrap();
        let Ok(value) = from_slice::<Value>(&bytes) else { continue };
        // As a null object, which is sent as nil. Dictionaries with values of other types are not written.
        let Ok(bytes) = to_vec(&value) else { continue };
        let value: Value = from_slice(&bytes).unwrap();
        let args = (value, 7);
        let encoded = State::new(&args).unwrap();
        assert_eq!(encoded.read::<(Value, i64)>().unwrap(), args, "{}", words(&bytes));
        count += 1;
    }
    assert!(count > 300, "{count}");
}

#[test]
fn strict_reading_takes_the_shortest_form_only() {
    let strict = Options::new().strict(true);
    for long in [&[0x42, 5, 0][..], &[0x82, 5, 0, 0, 0], &[0xc2, 5, 0, 0, 0, 0, 0, 0, 0], &[0xc1]] {
        let packet = [&[0, 1, 0, 1], long].concat();
        let packet = Packet::from_slice(&packet).unwrap();
        let Packet::Call(call) = &packet else { panic!("{packet:?}") };
        call.args::<(Value,)>().unwrap();
        let error = call.arguments.read_with::<(Value,)>(&strict).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::NotCanonical, Some(4)));
    }
}

#[test]
fn whole_objects_are_allowed_by_option_and_never_in_states() {
    let object = Value::from(value::Instance::new("RefCounted"));
    assert!(Args::new(&[&object]).is_err());
    let allowed = Options::new().allow_objects(true);
    let args = Args::new_with(&[&object], &allowed).unwrap();
    assert_eq!(args.read::<[Value; 1]>().unwrap_err().kind(), ErrorKind::ObjectsNotAllowed);
    assert_eq!(args.read_with::<[Value; 1]>(&allowed).unwrap(), std::slice::from_ref(&object));
    assert!(State::new_with(&[&object], &allowed).is_err());
}

/// A GDScript function with `Array[String]` refuses an untyped Array.
#[test]
fn a_typed_array_is_a_type_of_its_own() {
    let names = vec!["a".to_owned()];
    let plain = Args::new(&(&names,)).unwrap().read::<(Value,)>().unwrap().0;
    assert_eq!(text::to_string(&plain).unwrap(), "[\"a\"]");
    let typed = Args::new(&(TypedArray(names.clone()),)).unwrap();
    let (value,) = typed.read::<(Value,)>().unwrap();
    assert_eq!(text::to_string(&value).unwrap(), "Array[String]([\"a\"])");
    assert_eq!(typed.read::<(TypedArray<String>,)>().unwrap().0.0, names);
}
