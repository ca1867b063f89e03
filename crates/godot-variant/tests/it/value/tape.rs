//! `Tape`: values that are only looked at say what `Value` says.

use gamewire_testkit::hostile::{SplitMix64, mutate};

use super::*;
use godot_variant::value::{Tape, ValueRef};

/// A tape is read, refused and walked as the value is.
#[track_caller]
pub(crate) fn agrees(options: &Options, bytes: &[u8]) {
    match (Tape::new(bytes, options), options.from_slice::<Value>(bytes)) {
        (Ok(tape), Ok(value)) => same(tape.root(), &value),
        (Ok(_), Err(error)) => panic!("the tape does not say {error}"),
        (Err(error), Ok(_)) => panic!("only the tape says {error}"),
        (Err(error), Err(other)) => {
            assert_eq!((error.kind(), error.offset()), (other.kind(), other.offset()));
            assert_eq!(error.path().to_string(), other.path().to_string());
        }
    }
}

#[track_caller]
fn same(own: ValueRef<'_>, value: &Value) {
    assert_eq!(&own.to_value().unwrap(), value);
    assert_eq!(format!("{own:?}"), format!("{value:?}"));
    assert_eq!((own.kind(), own.is_null()), (value.kind(), value.is_null()));
    assert_eq!(own.as_str().as_deref(), value.as_str());
    assert_eq!(own.as_bytes(), value.as_bytes());
    assert_eq!(own.as_bool(), value.as_bool());
    assert_eq!((own.as_i64(), own.as_u64()), (value.as_i64(), value.as_u64()));
    assert_eq!(own.as_f64().map(f64::to_bits), value.as_f64().map(f64::to_bits));
    let items = value.as_array().map(|items| items.as_slice()).unwrap_or_default();
    assert_eq!(own.items().count(), items.len());
    own.items().zip(items).for_each(|(item, value)| same(item, value));
    let entries = value.as_dictionary().into_iter().flatten();
    // Keys that come again are still there.
    assert!(own.entries().count() >= entries.clone().count());
    // Whole objects are found by no key.
    for (key, value) in entries.filter(|entry| value.get(&entry.0).is_some()) {
        same(own.get(key).unwrap(), value);
    }
    let object = value.as_object().and_then(Object::as_instance);
    let properties = object.map(|object| object.properties.as_slice()).unwrap_or_default();
    let names = properties.iter().map(|(name, _)| name.as_str());
    assert!(own.properties().map(|(name, _)| name.into_owned()).eq(names));
    own.properties().zip(properties).for_each(|((_, own), (_, value))| same(own, value));
}

#[test]
fn samples_are_read_where_they_lie() {
    for sample in samples() {
        agrees(&sample.options, &sample.bytes);
    }
}

#[test]
fn changed_samples_are_refused_alike() {
    let mut rng = SplitMix64::new(12);
    for sample in samples() {
        for strict in [false, true] {
            let options = sample.options.clone().strict(strict);
            for _ in 0..40 {
                agrees(&options, &mutate(&mut rng, &sample.bytes));
            }
        }
    }
}

#[test]
fn values_are_found_by_keys_positions_and_pointers() {
    let value: Value = dict! {
        "players" => array![dict! { "name" => "Ada Lovelace, countess", "b" => PackedByteArray(vec![1, 2]) }],
        5 => array![],
        Vector2i::new(1, 2) => true,
    }
    .into();
    let bytes = to_vec(&value).unwrap();
    agrees(&Options::new(), &bytes);
    let tape = Tape::new(&bytes, &Options::new()).unwrap();
    // The root, three keys and values, the player, and two keys and values in it.
    assert_eq!((tape.len(), tape.is_empty()), (12, false));
    let player = tape.root().pointer("/players/0").unwrap();
    // The text is the input's own.
    let name = player.get("name").unwrap().as_str().unwrap();
    assert!(bytes.as_ptr_range().contains(&name.as_ptr()));
    assert_eq!(player.get("b").unwrap().as_bytes(), Some(&[1, 2][..]));
    assert_eq!(tape.root().get(Vector2i::new(1, 2)).unwrap().as_bool(), Some(true));
    assert_eq!(tape.root().get(5).unwrap().items().count(), 0);
    assert!(tape.root().get(6).is_none() && tape.root().pointer("/players/1").is_none());
    assert!(player.get("name").unwrap().get(0).is_none());
    assert_eq!(format!("{tape:?}"), format!("{value:?}"));
}

/// Elements that engines convert or drop, at every level, and beside elements that stay.
#[test]
fn typed_containers_are_what_engines_make_of_them() {
    // An Array[float] with an int, an Array[int] with a String that is dropped.
    let float = "1c000100 03000000 01000000 02000000 07000000";
    let int = "1c000100 02000000 02000000 04000000 01000000 78000000 02000000 05000000";
    // An Array[Array] around a PackedInt32Array, which becomes one, and around those.
    let nested = format!("1c000100 1c000000 03000000 1e000000 01000000 09000000 {float} {int}");
    // A dictionary with keys that become StringNames, and an Array that is as it says.
    let keys = format!("1b000100 15000000 01000000 04000000 01000000 61000000 {nested}");
    let plain = "1c000100 02000000 01000000 02000000 08000000";
    let whole = format!("1c000000 05000000 {float} {int} {nested} {keys} {plain}");
    for text in [float, int, &nested, &keys, plain, &whole] {
        agrees(&Options::new(), &hex(text));
    }
    let bytes = hex(&whole);
    let tape = Tape::new(&bytes, &Options::new()).unwrap();
    assert_eq!(tape.root().pointer("/0/0").unwrap().as_f64(), Some(7.0));
    assert_eq!(tape.root().pointer("/1/0").unwrap().as_i64(), Some(5));
    assert_eq!(tape.root().pointer("/2/0/0").unwrap().as_i64(), Some(9));
    let keys = tape.root().get(3).unwrap();
    assert_eq!(keys.entries().next().unwrap().0.kind(), Type::StringName);
    assert_eq!(keys.pointer("/a/1/0").unwrap().as_f64(), Some(7.0));
    assert_eq!(tape.root().pointer("/4/0").unwrap().as_i64(), Some(8));
    // Strict reading refuses them, as it does for a value.
    agrees(&Options::new().strict(true), &bytes);
}

#[test]
fn of_equal_keys_the_last_one_is_found() {
    let twice =
        hex("1b000000 02000000 02000000 01000000 00000000 02000000 01000000 02000000 05000000");
    let tape = Tape::new(&twice, &Options::new()).unwrap();
    assert_eq!(tape.root().entries().count(), 2);
    assert_eq!(tape.root().get(1).unwrap().as_i64(), Some(5));
    agrees(&Options::new(), &twice);
    let error = Tape::new(&twice, &Options::new().strict(true)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotCanonical);
}

#[test]
fn depth_and_memory_are_limited() {
    let deep = (0..1025).fold(Value::Nil, |inner, _| array![inner].into());
    let bytes = Options::new().max_depth(2000).to_vec(&deep).unwrap();
    agrees(&Options::new(), &bytes);
    agrees(&Options::new().max_depth(1000), &bytes);
    let nils = [&hex("1c000000 e8030000")[..], &[0; 4000]].concat();
    let limited = |bytes: usize| Options::new().max_memory(bytes);
    assert_eq!(Tape::new(&nils, &limited(24_000)).unwrap().len(), 1001);
    let error = Tape::new(&nils, &limited(23_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    // What is converted counts beside the nodes.
    let ints =
        [&hex("1c000100 03000000 e8030000")[..], &hex("02000000 01000000").repeat(1000)].concat();
    assert!(Tape::new(&ints, &limited(24_000 + 1000 * size_of::<Value>() + 12_000)).is_ok());
    let error = Tape::new(&ints, &limited(24_000 + 1000 * size_of::<Value>() - 1)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit);
}
