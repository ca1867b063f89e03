//! Values out of random bytes.

use std::collections::HashSet;

use gamewire_testkit::hostile::SplitMix64;

use arbitrary::Unstructured;
use godot_variant::{Options, Value};

#[test]
fn arbitrary_values_come_back_from_their_bytes() {
    let options = Options::new().allow_objects(true).strict(true);
    let mut random = SplitMix64::new(7);
    let (mut kinds, mut shapes) = (HashSet::new(), HashSet::new());
    for round in 0..2000 {
        let input: Vec<u8> = (0..512).flat_map(|_| random.next_u64().to_le_bytes()).collect();
        let value = super::random::value(&mut Unstructured::new(&input)).unwrap();
        kinds.insert(value.kind());
        shapes.insert(std::mem::discriminant(&value));
        let bytes = options.to_vec(&value).unwrap();
        let back: Value = options.from_slice(&bytes).unwrap_or_else(|error| {
            panic!("{round}: {error}\n{value:?}");
        });
        assert_eq!(back, value, "{round}");
    }
    assert_eq!(kinds.len(), 39);
    assert_eq!(shapes.len(), 42);
}
