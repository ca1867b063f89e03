//! The bit buffer beside `bitvec`.

use bitvec::prelude::*;
use kiwi_pclass::bits::{BitReader, BitWriter};
use proptest::prelude::*;

/// One step of a program.
#[derive(Clone, Debug)]
enum Step {
    Bit(bool),
    Bits(u32, u32),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    Bytes(Vec<u8>),
    Align,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        any::<bool>().prop_map(Step::Bit),
        (any::<u32>(), 1..=32u32).prop_map(|(value, width)| Step::Bits(value, width)),
        any::<u8>().prop_map(Step::U8),
        any::<u16>().prop_map(Step::U16),
        any::<u32>().prop_map(Step::U32),
        any::<u64>().prop_map(Step::U64),
        prop::collection::vec(any::<u8>(), 0..10).prop_map(Step::Bytes),
        Just(Step::Align),
    ]
}

type Oracle = BitVec<u8, Lsb0>;

fn align(oracle: &mut Oracle) {
    while !oracle.len().is_multiple_of(8) {
        oracle.push(false);
    }
}

/// What the steps write, bit by bit.
fn oracle(steps: &[Step]) -> Oracle {
    let mut bits = Oracle::new();
    let push = |bits: &mut Oracle, value: u64, width: u32| {
        (0..width).for_each(|bit| bits.push(value >> bit & 1 != 0));
    };
    let whole = |bits: &mut Oracle, value: u64, width: u32| {
        align(bits);
        push(bits, value, width);
    };
    for step in steps {
        match step {
            Step::Bit(bit) => bits.push(*bit),
            Step::Bits(value, width) => push(&mut bits, u64::from(*value), *width),
            Step::Align => align(&mut bits),
            Step::U8(value) => whole(&mut bits, u64::from(*value), 8),
            Step::U16(value) => whole(&mut bits, u64::from(*value), 16),
            Step::U32(value) => whole(&mut bits, u64::from(*value), 32),
            Step::U64(value) => whole(&mut bits, *value, 64),
            Step::Bytes(bytes) => {
                align(&mut bits);
                bytes.iter().for_each(|byte| push(&mut bits, u64::from(*byte), 8));
            }
        }
    }
    bits
}

proptest! {
    #[test]
    fn programs_write_and_read_what_bitvec_does(
        steps in prop::collection::vec(step(), 0..60),
        stale in any::<bool>(),
    ) {
        let mut writer = BitWriter::new();
        let mut position = Vec::new();
        for step in &steps {
            match step {
                Step::Bit(bit) => writer.bit(*bit),
                Step::Bits(value, width) => writer.bits(*value, *width),
                Step::U8(value) => writer.u8(*value),
                Step::U16(value) => writer.u16(*value),
                Step::U32(value) => writer.u32(*value),
                Step::U64(value) => writer.u64(*value),
                Step::Bytes(bytes) => writer.put(bytes),
                Step::Align => writer.align(),
            }
            position.push(writer.position());
        }
        let expected = oracle(&steps);
        prop_assert_eq!(writer.position(), expected.len());
        let mut bytes = writer.into_bytes();
        let mut whole = expected.clone();
        align(&mut whole);
        prop_assert_eq!(&bytes, &whole.clone().into_vec());

        // Padding may be anything.
        if stale {
            let mut bits = Oracle::from_vec(bytes);
            let len = expected.len();
            bits[len..].fill(true);
            bytes = bits.into_vec();
        }
        let mut reader = BitReader::new(&bytes);
        for (step, position) in steps.iter().zip(position) {
            let mask = |width: u32| if width == 32 { u32::MAX } else { (1 << width) - 1 };
            match step {
                Step::Bit(bit) => prop_assert_eq!(reader.bit().unwrap(), *bit),
                Step::Bits(value, width) => {
                    let mut signed = reader.clone();
                    prop_assert_eq!(reader.bits(*width).unwrap(), value & mask(*width));
                    let spare = 32 - width;
                    let expected = (value << spare).cast_signed() >> spare;
                    prop_assert_eq!(signed.signed_bits(*width).unwrap(), expected);
                }
                Step::U8(value) => prop_assert_eq!(reader.u8().unwrap(), *value),
                Step::U16(value) => prop_assert_eq!(reader.u16().unwrap(), *value),
                Step::U32(value) => prop_assert_eq!(reader.u32().unwrap(), *value),
                Step::U64(value) => prop_assert_eq!(reader.u64().unwrap(), *value),
                Step::Bytes(bytes) => prop_assert_eq!(reader.take(bytes.len()).unwrap(), &bytes[..]),
                Step::Align => reader.align(),
            }
            prop_assert_eq!(reader.position(), position);
        }
    }

    #[test]
    fn reading_past_the_end_is_an_error(bytes in prop::collection::vec(any::<u8>(), 0..12), at in 0usize..100, width in 1..=32u32) {
        let mut reader = BitReader::new(&bytes);
        if reader.seek(at).is_err() {
            prop_assert!(at > bytes.len() * 8);
            return Ok(());
        }
        let left = bytes.len() * 8 - at;
        match reader.bits(width) {
            Ok(value) => {
                prop_assert!(width as usize <= left);
                let bits = bytes.view_bits::<Lsb0>();
                let expected = bits[at..at + width as usize].load_le::<u32>();
                prop_assert_eq!(value, expected);
            }
            Err(error) => {
                prop_assert!(width as usize > left);
                prop_assert_eq!(error.bit_offset(), Some(at));
                prop_assert_eq!(reader.position(), at);
            }
        }
    }
}
