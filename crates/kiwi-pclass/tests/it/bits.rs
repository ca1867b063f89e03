//! Objects bit by bit, beside `bitvec`.

use bitvec::prelude::*;
use kiwi_pclass::value::Object;
use kiwi_pclass::{ErrorKind, Options, Schema, Value};
use proptest::prelude::*;

/// One property and its value.
#[derive(Clone, Debug)]
enum Step {
    Bit(bool),
    Unsigned(u32, u32),
    Signed(u32, u32),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    Bytes(Vec<u8>),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        any::<bool>().prop_map(Step::Bit),
        (any::<u32>(), 1..=32u32).prop_map(|(value, width)| Step::Unsigned(value, width)),
        (any::<u32>(), 1..=32u32).prop_map(|(value, width)| Step::Signed(value, width)),
        any::<u8>().prop_map(Step::U8),
        any::<u16>().prop_map(Step::U16),
        any::<u32>().prop_map(Step::U32),
        any::<u64>().prop_map(Step::U64),
        prop::collection::vec(any::<u8>(), 0..10).prop_map(Step::Bytes),
    ]
}

impl Step {
    fn type_name(&self) -> String {
        match self {
            Step::Bit(_) => "bool".to_owned(),
            Step::Unsigned(_, width) => format!("bui{width}"),
            Step::Signed(_, width) => format!("bi{width}"),
            Step::U8(_) => "unsigned char".to_owned(),
            Step::U16(_) => "unsigned short".to_owned(),
            Step::U32(_) => "unsigned int".to_owned(),
            Step::U64(_) => "unsigned __int64".to_owned(),
            Step::Bytes(_) => "std::string".to_owned(),
        }
    }

    fn value(&self) -> Value {
        match self {
            Step::Bit(bit) => (*bit).into(),
            Step::Unsigned(value, width) => {
                let mask = if *width == 32 { u32::MAX } else { (1 << width) - 1 };
                (value & mask).into()
            }
            Step::Signed(value, width) => {
                let spare = 32 - width;
                ((value << spare).cast_signed() >> spare).into()
            }
            Step::U8(value) => (*value).into(),
            Step::U16(value) => (*value).into(),
            Step::U32(value) => (*value).into(),
            Step::U64(value) => (*value).into(),
            Step::Bytes(bytes) => bytes.as_slice().into(),
        }
    }
}

/// Every bit, with the ranges of those that are read at once; what is in none of them is padding.
#[derive(Default)]
struct Oracle {
    bits: BitVec<u8, Lsb0>,
    ranges: Vec<std::ops::Range<usize>>,
}

impl Oracle {
    fn new(hash: u32, steps: &[Step]) -> Self {
        let mut oracle = Oracle::default();
        oracle.whole(hash.into(), 32);
        for step in steps {
            match step {
                Step::Bit(bit) => oracle.push((*bit).into(), 1),
                Step::Unsigned(value, width) | Step::Signed(value, width) => {
                    oracle.push((*value).into(), *width);
                }
                Step::U8(value) => oracle.whole((*value).into(), 8),
                Step::U16(value) => oracle.whole((*value).into(), 16),
                Step::U32(value) => oracle.whole((*value).into(), 32),
                Step::U64(value) => oracle.whole(*value, 64),
                Step::Bytes(bytes) => {
                    oracle.whole(bytes.len() as u64, 16);
                    let start = oracle.bits.len();
                    for byte in bytes {
                        oracle.push((*byte).into(), 8);
                        oracle.ranges.pop();
                    }
                    oracle.ranges.push(start..oracle.bits.len());
                }
            }
        }
        oracle.align();
        oracle
    }

    fn align(&mut self) {
        while !self.bits.len().is_multiple_of(8) {
            self.bits.push(false);
        }
    }

    fn push(&mut self, value: u64, width: u32) {
        let start = self.bits.len();
        (0..width).for_each(|bit| self.bits.push(value >> bit & 1 != 0));
        self.ranges.push(start..self.bits.len());
    }

    fn whole(&mut self, value: u64, width: u32) {
        self.align();
        self.push(value, width);
    }

    fn is_padding(&self, bit: usize) -> bool {
        !self.ranges.iter().any(|range| range.contains(&bit))
    }
}

/// The class of the steps, and the object.
fn object(steps: &[Step]) -> (Options, Value) {
    let property = |(id, step): (usize, &Step)| {
        let name = step.type_name();
        format!("\"p{id}\":{{\"type\":\"{name}\",\"id\":{id},\"flags\":31}}")
    };
    let properties: Vec<String> = steps.iter().enumerate().map(property).collect();
    let list = format!("{{\"class Row\":{{\"properties\":{{{}}}}}}}", properties.join(","));
    let schema = Schema::from_json(list.as_bytes()).unwrap();
    let mut object = Object::new(schema.class("class Row").unwrap().clone());
    for (id, step) in steps.iter().enumerate() {
        object.set(&format!("p{id}"), step.value()).unwrap();
    }
    (Options::new().schema(schema), object.into())
}

proptest! {
    #[test]
    fn objects_are_written_and_read_as_bitvec_has_them(
        steps in prop::collection::vec(step(), 0..60),
        stale in any::<bool>(),
    ) {
        let (options, object) = object(&steps);
        let mut bytes = options.to_vec(&object).unwrap();
        let oracle = Oracle::new(object.as_object().unwrap().class().hash(), &steps);
        prop_assert_eq!(&bytes, &oracle.bits.clone().into_vec());
        // Padding may be anything.
        if stale {
            let bits = bytes.view_bits_mut::<Lsb0>();
            let padding: Vec<usize> = (0..bits.len()).filter(|bit| oracle.is_padding(*bit)).collect();
            padding.into_iter().for_each(|bit| bits.set(bit, true));
        }
        prop_assert_eq!(options.from_slice::<Value>(&bytes).unwrap(), object);
    }

    #[test]
    fn reading_past_the_end_is_an_error(steps in prop::collection::vec(step(), 0..20)) {
        let (options, object) = object(&steps);
        let bytes = options.to_vec(&object).unwrap();
        let oracle = Oracle::new(object.as_object().unwrap().class().hash(), &steps);
        for len in 0..bytes.len() {
            let error = options.from_slice::<Value>(&bytes[..len]).unwrap_err();
            prop_assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
            let cut = oracle.ranges.iter().find(|range| range.end > len * 8).unwrap();
            prop_assert_eq!(error.bit_offset(), Some(cut.start as u64));
        }
    }
}
