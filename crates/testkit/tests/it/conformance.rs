//! The macro on a format that holds, and each check on a format with one fault.

use std::io::{Read, Write};

use gamewire_testkit::conformance::{self as checks, Face, ValueFace};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::msgpack;

mod binary {
    gamewire_testkit::conformance!(crate::msgpack, numbers_as_written, peer);
}

/// MessagePack with a fault.
enum Faulty<const FAULT: char> {}

impl<const FAULT: char> Face for Faulty<FAULT> {
    const TEXT: bool = FAULT == 'h';
    type Error = msgpack::Error;

    fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> msgpack::Result<T> {
        match FAULT {
            // Trailing bytes pass.
            't' => msgpack::take_from_slice(bytes).map(|(value, _)| value),
            'p' if bytes.is_empty() => panic!("no byte"),
            // The text of errors has a full stop.
            's' => msgpack::from_slice(bytes)
                .map_err(|error| msgpack::Error::new(error.kind(), format!("{error}."))),
            'D' => msgpack::from_slice(bytes)
                .map_err(|error| msgpack::Error::new(error.kind(), format!("got {error:?}"))),
            // Offsets are beyond the end.
            'o' => msgpack::from_slice(bytes).map_err(|error| error.at(bytes.len() + 1)),
            _ => msgpack::from_slice(bytes),
        }
    }

    fn take_from_slice<'de, T: Deserialize<'de>>(
        bytes: &'de [u8],
    ) -> msgpack::Result<(T, &'de [u8])> {
        let (value, rest) = msgpack::take_from_slice(bytes)?;
        Ok((value, if FAULT == 'r' { &[] } else { rest }))
    }

    fn from_reader<R: Read, T: DeserializeOwned>(mut reader: R) -> msgpack::Result<T> {
        let mut buffer = vec![0; 1 << 20];
        match FAULT {
            // One call of `read` is taken for the whole input.
            'R' => match reader.read(&mut buffer) {
                Ok(len) => msgpack::from_slice(&buffer[..len]),
                Err(error) => Err(msgpack::Error::new(msgpack::ErrorKind::Io, error)),
            },
            // The reader's own error is lost.
            'w' => msgpack::from_reader(reader)
                .map_err(|error| msgpack::Error::new(error.kind(), "it failed")),
            _ => msgpack::from_reader(reader),
        }
    }

    fn to_vec<T: Serialize + ?Sized>(value: &T) -> msgpack::Result<Vec<u8>> {
        let bytes = msgpack::to_vec(value)?;
        // One bit of long output is wrong.
        Ok(match FAULT {
            'b' if bytes.len() > 100 => [&bytes[..100], &[bytes[100] ^ 1], &bytes[101..]].concat(),
            'c' => [&bytes[..], &[0xc1]].concat(),
            _ => bytes,
        })
    }

    fn to_writer<W: Write, T: Serialize + ?Sized>(mut writer: W, value: &T) -> msgpack::Result<()> {
        match FAULT {
            // Part of the output is lost.
            'W' => {
                let _ = writer.write(&msgpack::to_vec(value)?[1..]);
                Ok(())
            }
            _ => msgpack::to_writer(writer, value),
        }
    }

    fn kind(error: &msgpack::Error) -> String {
        if FAULT == 'k' { "Data".to_owned() } else { format!("{:?}", error.kind()) }
    }

    fn offset(error: &msgpack::Error) -> Option<usize> {
        error.offset()
    }
}

impl<const FAULT: char> ValueFace for Faulty<FAULT> {
    type Value = msgpack::Value;

    fn to_value<T: Serialize + ?Sized>(value: &T) -> msgpack::Result<Self::Value> {
        match (FAULT, msgpack::to_value(value)?) {
            // A field is lost.
            ('v', msgpack::Value::Map(mut fields)) => {
                fields.pop();
                Ok(msgpack::Value::Map(fields))
            }
            (_, value) => Ok(value),
        }
    }

    fn from_value<T: DeserializeOwned>(value: &Self::Value) -> msgpack::Result<T> {
        msgpack::from_value(value)
    }

    fn shallow_value(bytes: &[u8]) -> msgpack::Result<Self::Value> {
        let options = msgpack::Options::new();
        if FAULT == 'd' { options } else { options.max_depth(8) }.from_slice(bytes)
    }
}

/// Whether a check fails with a panic.
fn catches(check: fn()) -> bool {
    std::panic::catch_unwind(check).is_err()
}

#[test]
fn each_fault_is_caught_by_its_check() {
    assert!(catches(checks::trailing_bytes_are_refused::<Faulty<'t'>>));
    assert!(catches(checks::empty_input_is_refused::<Faulty<'p'>>));
    assert!(catches(checks::truncations_are_refused::<Faulty<'p'>>));
    assert!(catches(checks::errors_read_as_sentences::<Faulty<'s'>>));
    assert!(catches(checks::errors_read_as_sentences::<Faulty<'D'>>));
    assert!(catches(checks::offsets_are_within_the_input::<Faulty<'o'>>));
    assert!(catches(checks::take_from_slice_gives_the_rest::<Faulty<'r'>>));
    assert!(catches(checks::reader_equals_slice::<Faulty<'R'>>));
    assert!(catches(checks::failing_readers_and_writers_are_errors::<Faulty<'w'>>));
    assert!(catches(checks::failing_readers_and_writers_are_errors::<Faulty<'W'>>));
    assert!(catches(checks::writer_equals_vec::<Faulty<'W'>>));
    assert!(catches(checks::structs_round_trip::<Faulty<'b'>>));
    assert!(catches(checks::text_round_trips::<Faulty<'b'>>));
    assert!(catches(checks::scalars_round_trip::<Faulty<'c'>>));
    assert!(catches(checks::error_kinds_differ::<Faulty<'k'>>));
    assert!(catches(checks::human_readable_is_as_the_format::<Faulty<'h'>>));
    assert!(catches(checks::values_agree_with_bytes::<Faulty<'v'>>));
    assert!(catches(checks::values_read_as_types::<Faulty<'v'>>));
    assert!(catches(checks::max_depth_is_kept::<Faulty<'d'>>));
    assert!(catches(checks::numbers_are_told_as_asked::<Faulty<'-'>>));
    assert!(catches(checks::verbs_agree::<Faulty<'-'>, Faulty<'b'>>));
}

#[test]
fn without_a_fault_the_same_checks_pass() {
    checks::trailing_bytes_are_refused::<Faulty<'-'>>();
    checks::errors_read_as_sentences::<Faulty<'-'>>();
    checks::offsets_are_within_the_input::<Faulty<'-'>>();
    checks::reader_equals_slice::<Faulty<'-'>>();
    checks::failing_readers_and_writers_are_errors::<Faulty<'-'>>();
    checks::error_kinds_differ::<Faulty<'-'>>();
    checks::values_agree_with_bytes::<Faulty<'-'>>();
    checks::max_depth_is_kept::<Faulty<'-'>>();
    checks::verbs_agree::<Faulty<'-'>, Faulty<'-'>>();
}
