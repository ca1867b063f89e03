use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};

use super::{
    AskingF32, AskingF64, AskingI8, AskingI16, AskingI32, AskingI64, AskingU8, AskingU16,
    AskingU32, AskingU64, Between, Bytes, ClosedTeam, Deep, ExplainFace, Face, Failing, Listed,
    Mapped, NeedyTeam, NewTeam, Newtype, OldTeam, One, OtherShape, OwnFace, OwnValueFace, Pair,
    Picky, Player, Readable, Shape, SlowReader, Team, TurnedTeam, Unit, ValueFace,
    fault_of_message,
};
use crate::hostile::{SplitMix64, bit_flips, mutations, random_bytes};
use crate::{on_big_stack, on_small_stack};

/// Writes a value at the root, reads it back by slice, and compares.
fn round_trip_root<F: Face, T>(value: &T)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let bytes = written::<F>(value);
    match F::from_slice::<T>(&bytes) {
        Ok(read) => assert_eq!(&read, value, "read back from {}", shown(&bytes)),
        Err(error) => panic!("{value:?} cannot be read back: {error}; from {}", shown(&bytes)),
    }
}

/// The same with the value as the field of a struct.
fn round_trip<F: Face, T>(value: T)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    round_trip_root::<F, _>(&One { value });
}

/// The same for several values.
fn round_trips<F: Face, T>(values: impl IntoIterator<Item = T>)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    values.into_iter().for_each(round_trip::<F, T>);
}

fn written<F: Face>(value: &(impl Serialize + Debug + ?Sized)) -> Vec<u8> {
    F::to_vec(value).unwrap_or_else(|error| panic!("{value:?} cannot be written: {error}"))
}

fn shown(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// The error of a result that must be one.
fn refused<T: Debug, E>(result: Result<T, E>, what: &str) -> E {
    match result {
        Ok(value) => panic!("{what} was accepted as {value:?}"),
        Err(error) => error,
    }
}

/// A struct with every kind of member.
pub fn structs_round_trip<F: Face>() {
    round_trip_root::<F, _>(&Team::sample());
    let empty = Team {
        name: String::new(),
        round: 0,
        ratio: 0.0,
        open: false,
        captain: None,
        players: Vec::new(),
        scores: BTreeMap::new(),
        place: (0, String::new(), 0.0),
    };
    round_trip_root::<F, _>(&empty);
}

/// Newtypes, tuple structs and tuples.
pub fn newtypes_and_tuples_round_trip<F: Face>() {
    round_trip::<F, _>(Newtype(vec![1, -2, 3]));
    round_trip::<F, _>(Pair(-5, "five".to_owned()));
    round_trip::<F, _>((1, "two".to_owned(), 3.5));
    round_trip::<F, _>(((1, 2), (true, Pair(0, String::new()))));
    round_trip::<F, _>([1i16, 2, 3]);
}

/// Structs in structs.
pub fn nested_structs_round_trip<F: Face>() {
    round_trip::<F, _>(One { value: One { value: One { value: 7 } } });
    round_trip::<F, _>(vec![One { value: Team::sample() }, One { value: Team::sample() }]);
}

/// `None` and `Some`, alone and in structs.
pub fn options_round_trip<F: Face>() {
    round_trip::<F, _>(None::<i32>);
    round_trip::<F, _>(Some(-5));
    round_trip::<F, _>(Some(String::new()));
    round_trip::<F, _>(Some(vec![1, 2]));
    round_trip::<F, _>(Some(One { value: Some(true) }));
}

/// Sequences: empty, long, of structs, of sequences.
pub fn sequences_round_trip<F: Face>() {
    round_trips::<F, _>([Vec::<i32>::new(), (0..1000).collect()]);
    round_trip::<F, _>(vec![vec![1, 2], vec![], vec![3]]);
    round_trip::<F, _>(vec!["a".to_owned(), String::new(), "ccc".to_owned()]);
    round_trip::<F, _>(Team::sample().players);
    round_trip::<F, _>(vec![0.5f32, -1.5]);
    round_trip::<F, _>(vec![true, false, true]);
}

/// Maps with string keys.
pub fn maps_round_trip<F: Face>() {
    round_trip::<F, _>(BTreeMap::<String, i32>::new());
    let numbers: BTreeMap<String, i32> = (0..100).map(|n| (format!("key {n}"), n)).collect();
    round_trip::<F, _>(numbers);
    round_trip::<F, _>(BTreeMap::from([("".to_owned(), vec![1]), ("ö".to_owned(), vec![])]));
    round_trip::<F, _>(BTreeMap::from([("team".to_owned(), Team::sample())]));
}

/// A list of nodes by `Option<Box<_>>` takes one level for each node, both ways.
pub fn an_option_is_no_level<F: OwnFace>() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Node {
        next: Option<Box<Node>>,
    }
    #[derive(Debug, Deserialize)]
    #[serde(transparent)]
    #[allow(dead_code)]
    struct Link(Option<Box<Link>>);
    on_small_stack(|| {
        // Options that hold nothing else need stack too.
        let number = written::<F>(&One { value: 7 });
        refused(F::from_slice::<One<Link>>(&number), "a number as options without end");
        let chain =
            |len| (0..len).fold(Node { next: None }, |next, _| Node { next: Some(Box::new(next)) });
        round_trip_root::<F, _>(&chain(100));
        let error = refused(F::to_vec(&chain(300)), "300 levels");
        assert_eq!(fault_of_message(&error.to_string()), None, "{error}");
    })
    .unwrap();
}

/// Kinds of errors are shown as words.
pub fn kinds_are_shown_as_words<F: OwnFace>() {
    let error = refused(
        F::from_slice::<Team>(&with_trailing::<F>(&written::<F>(&Team::sample()))),
        "a byte",
    );
    assert_eq!((&*F::kind(&error), &*F::kind_words(&error)), ("TrailingBytes", "trailing bytes"));
}

/// `check` accepts what comes back, and names the field that does not.
pub fn checks_find_what_is_lost<F: OwnFace>() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Leaky {
        kept: f64,
        #[serde(skip_deserializing)]
        computed: i32,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Signless {
        #[serde(serialize_with = "without_sign")]
        ratio: f64,
    }
    fn without_sign<S: Serializer>(ratio: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(if *ratio == 0.0 { 0.0 } else { *ratio })
    }
    F::check(&Team::sample()).unwrap();
    F::check(&One { value: HashMap::from(["a", "b", "c", "d"].map(|key| (key.to_owned(), 1))) })
        .unwrap();
    if !F::TEXT {
        F::check(&Signless { ratio: f64::NAN }).unwrap();
    }
    let ends = |error: F::Error, dotted: &str, pointer: &str| {
        let text = error.to_string();
        assert!(text.ends_with(dotted) || text.ends_with(pointer), "{text}");
    };
    let error = refused(F::check(&Leaky { kept: 1.0, computed: 7 }), "a field that is not read");
    assert_eq!(fault_of_message(&error.to_string()), None, "{error}");
    ends(error, "Leaky.computed", "/Leaky/computed");
    let error = refused(F::check(&Signless { ratio: -0.0 }), "a zero without its sign");
    assert!(error.to_string().contains("`ratio: -0.0`, found `ratio: 0.0`"), "{error}");
    ends(error, "Signless.ratio", "/Signless/ratio");
}

/// A value written in parts, or without its length, has the bytes of the whole, and reads as it does.
fn as_the_whole<F: Face, T>(whole: &T, parts: impl Serialize + Debug)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let bytes = written::<F>(&Between { before: true, value: whole, after: -7 });
    let parts = Between { before: true, value: parts, after: -7 };
    let of_parts = F::to_vec(&parts).unwrap_or_else(|error| panic!("{parts:?}: {error}"));
    assert_eq!(shown(&of_parts), shown(&bytes), "{parts:?}");
    let read = F::from_slice::<Between<T>>(&of_parts).unwrap();
    assert_eq!((&read.value, read.after), (whole, -7));
}

/// Lists whose length serde is not told have the bytes of the same lists with it.
pub fn lists_of_unknown_length_are_as_others<F: Face>() {
    fn check<F: Face, T>(items: Vec<T>)
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug + Clone,
    {
        for len in 0..=items.len() {
            let items = items[..len].to_vec();
            as_the_whole::<F, _>(&items, Listed::Filtered(items.clone()));
            as_the_whole::<F, _>(&items, Listed::OneByOne(items.clone()));
        }
    }
    check::<F, u8>(vec![1, 0, 255]);
    check::<F, u16>(vec![1, 0, 300]);
    check::<F, i32>(vec![-1, 0, 70_000]);
    check::<F, i64>(vec![i64::MIN, 0, i64::MAX]);
    check::<F, bool>(vec![true, false, false, true]);
    check::<F, f32>(vec![0.5, -1.5]);
    check::<F, f64>(vec![0.1, 1e300]);
    check::<F, char>(vec!['a', '日']);
    check::<F, String>(["a", "", "日本"].map(str::to_owned).to_vec());
    check::<F, Vec<i32>>(vec![vec![], vec![1, 2], vec![3]]);
    check::<F, (i32, String)>(vec![(1, String::new()), (-2, "two".to_owned())]);
    check::<F, Pair>(vec![Pair(1, "one".to_owned()), Pair(2, String::new())]);
    check::<F, Player>(Team::sample().players);
    check::<F, BTreeMap<String, i32>>(vec![BTreeMap::from([("a".to_owned(), 1)]), BTreeMap::new()]);
    // Lists without a length in lists without one.
    let whole = vec![vec![1u16, 2], vec![], vec![300]];
    let parts = whole.iter().cloned().map(Listed::OneByOne).collect();
    as_the_whole::<F, _>(&whole, Listed::Filtered(parts));
}

/// Maps whose length serde is not told, or of whose keys and values it is told one by one, have the
/// bytes of the same maps in one piece.
pub fn maps_in_parts_are_as_others<F: Face>() {
    fn check<F: Face, V>(values: Vec<V>)
    where
        V: Serialize + DeserializeOwned + PartialEq + Debug + Clone,
    {
        for len in 0..=values.len() {
            let keys = ["", "b", "cc", "é"].map(str::to_owned).into_iter();
            let entries: Vec<(String, V)> = keys.zip(values[..len].iter().cloned()).collect();
            let whole: BTreeMap<String, V> = entries.iter().cloned().collect();
            as_the_whole::<F, _>(&whole, Mapped::Filtered(entries.clone()));
            as_the_whole::<F, _>(&whole, Mapped::Entries(entries.clone()));
            as_the_whole::<F, _>(&whole, Mapped::Parts(entries.clone()));
            as_the_whole::<F, _>(&whole, Mapped::PartsOfMany(entries));
        }
    }
    check::<F, u16>(vec![1, 0, 300]);
    check::<F, i64>(vec![-1, 0, i64::MAX]);
    check::<F, bool>(vec![true, false]);
    check::<F, f64>(vec![0.5, -1e300]);
    check::<F, String>(["a", "", "日本"].map(str::to_owned).to_vec());
    check::<F, Vec<u8>>(vec![vec![], vec![1, 2]]);
    check::<F, Player>(Team::sample().players);
    check::<F, BTreeMap<String, i32>>(vec![BTreeMap::from([("a".to_owned(), 1)]), BTreeMap::new()]);
}

/// Both widths: zero with its sign, subnormals, limits; in binary formats infinities and NaN too.
pub fn floats_round_trip<F: Face>() {
    let singles =
        [0.0, -0.0, 1.0, -1.5, 0.1, f32::MIN, f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1)];
    let doubles = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        1e300,
        f64::MIN,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::from_bits(1),
        16_777_217.0,
        9_007_199_254_740_993.0,
    ];
    let infinite = if F::TEXT { &[][..] } else { &[f32::INFINITY, f32::NEG_INFINITY, f32::NAN] };
    macro_rules! come_back {
        ($float:ty, $values:expr) => {
            for value in $values {
                let bytes = written::<F>(&One { value });
                let read = F::from_slice::<One<$float>>(&bytes).unwrap().value;
                assert!(
                    read.to_bits() == value.to_bits() || read.is_nan() && value.is_nan(),
                    "{value:e} came back as {read:e}"
                );
            }
        };
    }
    come_back!(f32, singles.iter().chain(infinite).copied());
    come_back!(f64, doubles.into_iter().chain(infinite.iter().map(|&single| f64::from(single))));
}

/// The limits of `i8` to `i64`.
pub fn signed_integers_round_trip<F: Face>() {
    round_trips::<F, _>([0, -1, 1, i8::MIN, i8::MAX]);
    round_trips::<F, _>([0, -1, 255, 256, i16::MIN, i16::MAX]);
    round_trips::<F, _>([0, -1, 65_535, 65_536, i32::MIN, i32::MAX]);
    for bit in 0..63 {
        let power = 1i64 << bit;
        round_trips::<F, _>([power - 1, power, -power, -power - 1]);
    }
    round_trip::<F, _>(i64::MIN);
    round_trip::<F, _>(i64::MAX);
}

/// The limits of `u8` to `u32`, and `u64` up to the limit of `i64`.
pub fn unsigned_integers_round_trip<F: Face>() {
    round_trips::<F, _>([0, 1, 127, 128, u8::MAX]);
    round_trips::<F, _>([0, 255, 256, u16::MAX]);
    round_trips::<F, _>([0, 65_536, 0x7fff_ffff, 0x8000_0000, u32::MAX]);
    round_trips::<F, _>([0, 1 << 32, (1 << 53) + 1, i64::MAX as u64]);
}

/// Text of every length from 0 to 20 bytes, in every width of UTF-8, and long text.
pub fn text_round_trips<F: Face>() {
    for letter in ["a", "é", "日", "😀", "\u{1}", "\"", "\\", "\n", "\u{7f}"] {
        round_trips::<F, _>((0..=20).map(|count| letter.repeat(count)));
    }
    round_trip::<F, _>("mixed é 日本 \u{10ffff} e\u{301} text".to_owned());
    round_trip::<F, _>("x".repeat(70_000));
}

/// `bool` and `char`.
pub fn booleans_and_characters_round_trip<F: Face>() {
    round_trips::<F, _>([true, false]);
    round_trips::<F, _>(['a', 'é', '日', '😀', '\u{10ffff}']);
}

/// A reader of fewer fields skips the others, whatever they hold.
pub fn unknown_fields_are_ignored<F: Face>() {
    let bytes = written::<F>(&Team::sample());
    let expected = OldTeam { name: Team::sample().name, round: Team::sample().round };
    assert_eq!(F::from_slice::<OldTeam>(&bytes).unwrap(), expected);
}

/// `deny_unknown_fields` is heeded.
pub fn unknown_fields_are_refused_where_denied<F: Face>() {
    let team = ClosedTeam { name: "closed".to_owned(), round: 1 };
    round_trip_root::<F, _>(&team);
    let bytes = written::<F>(&Team::sample());
    refused(F::from_slice::<ClosedTeam>(&bytes), "a field that the type has not");
}

/// An optional field that the data has not is `None`.
pub fn absent_options_are_none<F: Face>() {
    let bytes = written::<F>(&OldTeam { name: "old".to_owned(), round: 1 });
    let expected = NewTeam { name: "old".to_owned(), round: 1, sponsor: None, colour: None };
    assert_eq!(F::from_slice::<NewTeam>(&bytes).unwrap(), expected);
}

/// A struct is read by the names of its fields, not by their order. Formats that name fields by
/// their place read them in that order, and say no more than that here.
pub fn fields_in_any_order_are_read<F: Face>() {
    let bytes = written::<F>(&OldTeam { name: "turned".to_owned(), round: 1 });
    match F::from_slice::<TurnedTeam>(&bytes) {
        Ok(read) => assert_eq!(read, TurnedTeam { round: 1, name: "turned".to_owned() }),
        Err(error) => assert_eq!(fault_of_message(&error.to_string()), None, "{error}"),
    }
}

/// A visitor is told a number by the method for the type that was asked for.
pub fn numbers_are_told_as_asked<F: Face>() {
    round_trips::<F, _>([AskingU8(0), AskingU8(u8::MAX)]);
    round_trips::<F, _>([AskingU16(1), AskingU16(u16::MAX)]);
    round_trips::<F, _>([AskingU32(1), AskingU32(u32::MAX)]);
    round_trips::<F, _>([AskingU64(1), AskingU64(1 << 40)]);
    round_trips::<F, _>([AskingI8(1), AskingI8(i8::MIN)]);
    round_trips::<F, _>([AskingI16(1), AskingI16(i16::MIN)]);
    round_trips::<F, _>([AskingI32(1), AskingI32(i32::MIN)]);
    round_trips::<F, _>([AskingI64(1), AskingI64(i64::MIN)]);
    round_trips::<F, _>([AskingF32(1.0), AskingF32(-0.5)]);
    round_trips::<F, _>([AskingF64(1.0), AskingF64(-0.1)]);
}

/// A number that does not fit the Rust type is an error, never cut.
pub fn numbers_out_of_range_are_refused<F: Face>() {
    let big = written::<F>(&One { value: 300i64 });
    let negative = written::<F>(&One { value: -1i64 });
    let wide = written::<F>(&One { value: 1i64 << 40 });
    refused(F::from_slice::<One<u8>>(&big), "300 as u8");
    refused(F::from_slice::<One<i8>>(&big), "300 as i8");
    refused(F::from_slice::<One<u8>>(&negative), "-1 as u8");
    refused(F::from_slice::<One<u32>>(&negative), "-1 as u32");
    refused(F::from_slice::<One<i32>>(&wide), "2^40 as i32");
    refused(F::from_slice::<One<u32>>(&wide), "2^40 as u32");
}

/// A negative number is none that has no sign.
pub fn negative_numbers_are_no_u64<F: Face>() {
    let negative = written::<F>(&One { value: -1i64 });
    refused(F::from_slice::<One<u64>>(&negative), "-1 as u64");
}

/// The same value gives the same bytes.
pub fn writing_is_repeatable<F: Face>() {
    assert_eq!(written::<F>(&Team::sample()), written::<F>(&Team::sample()));
}

/// `from_reader` gives what `from_slice` gives, whatever pieces the reader hands out.
pub fn reader_equals_slice<F: Face>() {
    let bytes = written::<F>(&Team::sample());
    assert_eq!(F::from_reader::<_, Team>(&bytes[..]).unwrap(), Team::sample());
    assert_eq!(F::from_reader::<_, Team>(SlowReader::new(&bytes)).unwrap(), Team::sample());
    for len in 0..bytes.len() {
        refused(F::from_reader::<_, Team>(&bytes[..len]), "a truncated sample");
    }
    let longer = with_trailing::<F>(&bytes);
    refused(F::from_reader::<_, Team>(&longer[..]), "a sample with a trailing byte");
    let mut rng = SplitMix64::new(6);
    for case in mutations("sample", &bytes, rng.next_u64(), 300) {
        let by_slice = F::from_slice::<Team>(&case.bytes).ok();
        let by_reader = F::from_reader::<_, Team>(&case.bytes[..]).ok();
        // As text, because a NaN is not equal to itself.
        assert_eq!(format!("{by_slice:?}"), format!("{by_reader:?}"), "{}", shown(&case.bytes));
    }
}

/// `to_writer` writes what `to_vec` gives.
pub fn writer_equals_vec<F: Face>() {
    let mut out = Vec::new();
    F::to_writer(&mut out, &Team::sample()).unwrap();
    assert_eq!(out, written::<F>(&Team::sample()));
}

/// Errors of the reader and of the writer come back as errors, with their words.
pub fn failing_readers_and_writers_are_errors<F: Face>() {
    let byte = written::<F>(&Team::sample())[0];
    let error = refused(
        F::from_reader::<_, Team>(Failing { after: 0, byte }),
        "a reader that fails at once",
    );
    assert!(error.to_string().contains(Failing::WORDS), "{error}");
    for after in [0, 1, 10] {
        let writer = Failing { after, byte: 0 };
        let error = refused(F::to_writer(writer, &Team::sample()), "a writer that fails");
        assert!(error.to_string().contains(Failing::WORDS), "{error}");
    }
}

fn with_trailing<F: Face>(bytes: &[u8]) -> Vec<u8> {
    [bytes, if F::TEXT { b"x" } else { &[0] }].concat()
}

/// `from_slice` takes the whole input or refuses it.
pub fn trailing_bytes_are_refused<F: Face>() {
    let bytes = written::<F>(&Team::sample());
    refused(F::from_slice::<Team>(&with_trailing::<F>(&bytes)), "a trailing byte");
    refused(F::from_slice::<Team>(&[&bytes[..], &bytes].concat()), "a value after a value");
}

/// `take_from_slice` stops at the end of the value.
pub fn take_from_slice_gives_the_rest<F: Face>() {
    let bytes = written::<F>(&Team::sample());
    let twice = [&bytes[..], &bytes].concat();
    let (first, rest) = F::take_from_slice::<Team>(&twice).unwrap();
    assert_eq!((first, rest), (Team::sample(), &bytes[..]));
    let (second, rest) = F::take_from_slice::<Team>(rest).unwrap();
    assert_eq!((second, rest), (Team::sample(), &[][..]));
    refused(F::take_from_slice::<Team>(rest), "nothing");
}

/// Every proper prefix of a sample is an error.
pub fn truncations_are_refused<F: Face>() {
    let bytes = written::<F>(&Team::sample());
    let run = || {
        for len in 0..bytes.len() {
            refused(F::from_slice::<Team>(&bytes[..len]), &format!("the first {len} bytes"));
        }
    };
    on_small_stack(run).unwrap();
}

/// No input is an error.
pub fn empty_input_is_refused<F: Face>() {
    refused(F::from_slice::<Team>(&[]), "nothing");
    refused(F::from_reader::<_, Team>(&[][..]), "nothing");
}

/// Flipped bits, mutations and random bytes, read as a struct on a 2 MiB thread.
pub fn random_input_does_not_panic<F: Face>() {
    let bytes = written::<F>(&Team::sample());
    let flips = bit_flips("sample", &bytes);
    let mutants = mutations("sample", &bytes, 1, 1_000);
    let cases = flips.chain(mutants).chain(random_bytes(2, 1_000, 200));
    on_small_stack(|| {
        for case in cases {
            let read = std::panic::catch_unwind(|| drop(F::from_slice::<Team>(&case.bytes)));
            assert!(read.is_ok(), "{} panics: {}", case.name, shown(&case.bytes));
        }
    })
    .unwrap();
}

/// A Rust type of 100 000 levels is an error on writing, not the end of the process.
pub fn deep_types_are_refused_on_write<F: Face>() {
    let error = on_small_stack(|| match F::to_vec(&One { value: Deep(100_000) }) {
        Ok(_) => panic!("100000 levels were written"),
        Err(error) => error.to_string(),
    });
    assert_eq!(fault_of_message(&error.unwrap()), None);
    written::<F>(&One { value: Deep(4) });
}

/// `Error` is one word wide, and so is `Result<(), Error>`.
pub fn errors_are_one_word<F: Face>() {
    assert_eq!(size_of::<F::Error>(), size_of::<usize>());
    assert_eq!(size_of::<Result<(), F::Error>>(), size_of::<usize>());
    fn bounds<E: std::error::Error + Send + Sync + 'static>() {}
    bounds::<F::Error>();
}

/// Errors of every origin that a test can reach with derived types.
fn many_errors<F: Face>() -> Vec<F::Error> {
    fn push<T: Debug, E>(errors: &mut Vec<E>, what: &str, result: Result<T, E>) {
        errors.push(refused(result, what));
    }
    let mut errors = Vec::new();
    let bytes = written::<F>(&Team::sample());
    for len in 0..bytes.len() {
        push(&mut errors, "a prefix", F::from_slice::<Team>(&bytes[..len]));
    }
    let e = &mut errors;
    push(e, "a trailing byte", F::from_slice::<Team>(&with_trailing::<F>(&bytes)));
    let text = written::<F>(&One { value: "text" });
    push(e, "text as a struct", F::from_slice::<One<OldTeam>>(&text));
    push(e, "text as a sequence", F::from_slice::<One<Vec<OldTeam>>>(&text));
    push(e, "text the type refuses", F::from_slice::<One<Picky>>(&text));
    let number = written::<F>(&One { value: 300 });
    push(e, "300 as u8", F::from_slice::<One<u8>>(&number));
    push(e, "a number as a struct", F::from_slice::<One<OldTeam>>(&number));
    push(e, "a type that refuses to be written", F::to_vec(&One { value: Picky }));
    let failing = Failing { after: 0, byte: 0 };
    push(e, "a writer that fails", F::to_writer(failing, &Team::sample()));
    push(e, "a reader that fails", F::from_reader::<_, Team>(failing));
    let old = written::<F>(&OldTeam { name: "old".to_owned(), round: 1 });
    // Formats that take absent fields as zero accept this one.
    errors.extend(F::from_slice::<NeedyTeam>(&old).err());
    errors
}

/// Every error is one sentence: a small letter first, no full stop, no look of `{:?}`, not longer
/// than a few hundred bytes.
pub fn errors_read_as_sentences<F: Face>() {
    for error in many_errors::<F>() {
        let message = error.to_string();
        assert_eq!(fault_of_message(&message), None, "{message}");
        assert!(message.len() < 400, "{} bytes are too long: {message}", message.len());
    }
}

/// The message of a user's type is part of the error.
pub fn errors_of_user_types_are_kept<F: Face>() {
    let error = refused(F::to_vec(&One { value: Picky }), "a type that refuses to be written");
    assert!(error.to_string().contains(Picky::WORDS), "{error}");
    let bytes = written::<F>(&One { value: "text" });
    let error = refused(F::from_slice::<One<Picky>>(&bytes), "text the type refuses");
    assert!(error.to_string().contains(Picky::WORDS), "{error}");
}

/// Too short, too long and of the wrong type are different kinds of error, and I/O is another.
pub fn error_kinds_differ<F: Face>() {
    let bytes = written::<F>(&Team::sample());
    let text = written::<F>(&One { value: "text" });
    let failing = Failing { after: 0, byte: 0 };
    let kinds = [
        refused(F::from_slice::<Team>(&bytes[..bytes.len() - 1]), "a truncated sample"),
        refused(F::from_slice::<Team>(&with_trailing::<F>(&bytes)), "a trailing byte"),
        refused(F::from_slice::<One<OldTeam>>(&text), "text as a struct"),
        refused(F::from_reader::<_, Team>(failing), "a reader that fails"),
    ]
    .map(|error| F::kind(&error));
    for (n, kind) in kinds.iter().enumerate() {
        assert!(!kinds[..n].contains(kind), "one kind for two errors: {kinds:?}");
    }
}

/// `is_human_readable` is false for binary formats and true for text, in both directions.
pub fn human_readable_is_as_the_format<F: Face>() {
    let bytes = written::<F>(&One { value: Readable { written: false, read: false } });
    let read = F::from_slice::<One<Readable>>(&bytes).unwrap().value;
    assert_eq!(read, Readable { written: F::TEXT, read: F::TEXT });
}

/// Scalars, sequences and text at the root.
pub fn scalars_round_trip<F: Face>() {
    round_trip_root::<F, _>(&-7i32);
    round_trip_root::<F, _>(&true);
    round_trip_root::<F, _>(&1.25f64);
    round_trip_root::<F, _>(&"text".to_owned());
    round_trip_root::<F, _>(&vec![1, 2, 3]);
    round_trip_root::<F, _>(&(1, "a".to_owned()));
    round_trip_root::<F, _>(&BTreeMap::from([("a".to_owned(), 1)]));
    round_trip_root::<F, _>(&Some('x'));
    // Slices and text need no owner to be written.
    assert_eq!(written::<F>("text"), written::<F>(&"text".to_owned()));
    assert_eq!(written::<F>(&[1, 2][..]), written::<F>(&vec![1, 2]));
    // Nor do lists and maps need to say how long they are.
    assert_eq!(written::<F>(&Listed::OneByOne(vec![1, 2])), written::<F>(&vec![1, 2]));
    let map = BTreeMap::from([("a", 1), ("b", 2)]);
    let parts = Mapped::PartsOfMany(map.clone().into_iter().collect());
    assert_eq!(written::<F>(&parts), written::<F>(&map));
}

/// `()` and a struct without fields.
pub fn units_round_trip<F: Face>() {
    round_trip::<F, _>(());
    round_trip::<F, _>(Unit);
    round_trip::<F, _>((1, (), Unit, 2));
    round_trip::<F, _>(vec![(), (), ()]);
}

/// Enums in serde's external representation: every kind of variant, nested and in containers.
pub fn enums_round_trip<F: Face>() {
    let shapes = vec![
        Shape::Empty,
        Shape::Circle(0.5),
        Shape::Line(-1, 1),
        Shape::Named { name: "alone".to_owned(), inner: None },
        Shape::Named {
            name: "outer".to_owned(),
            inner: Some(Box::new(Shape::Named {
                name: "inner".to_owned(),
                inner: Some(Box::new(Shape::Empty)),
            })),
        },
    ];
    for shape in &shapes {
        round_trip::<F, _>(shape.clone());
        round_trip::<F, _>(Some(shape.clone()));
    }
    round_trip::<F, _>(BTreeMap::from([("shape".to_owned(), shapes[4].clone())]));
    round_trip::<F, _>(shapes);
    round_trip::<F, _>(Ok::<i32, String>(5));
}

/// A variant that the type has not is an error that reads as a sentence.
pub fn unknown_variants_are_refused<F: Face>() {
    for shape in [Shape::Empty, Shape::Circle(1.0)] {
        let bytes = written::<F>(&One { value: shape });
        let error = refused(F::from_slice::<One<OtherShape>>(&bytes), "an unknown variant");
        assert_eq!(fault_of_message(&error.to_string()), None, "{error}");
    }
}

/// Byte strings of every length from 0 to 20, and a long one.
pub fn bytes_round_trip<F: Face>() {
    round_trips::<F, _>((0..=20).map(|len| Bytes((0..len).map(|n| 255 - n).collect())));
    round_trip::<F, _>(Bytes(vec![7; 70_000]));
    round_trip::<F, _>(vec![Bytes(vec![0]), Bytes(vec![]), Bytes(vec![1, 2])]);
}

/// A `&str` points into the input.
pub fn text_is_borrowed<F: Face>() {
    #[derive(Debug, Deserialize)]
    struct Borrowed<'a> {
        #[serde(borrow)]
        value: &'a str,
    }
    let bytes = written::<F>(&One { value: "borrowed text" });
    let read: Borrowed<'_> = F::from_slice(&bytes).unwrap();
    assert_eq!(read.value, "borrowed text");
    assert!(bytes.as_ptr_range().contains(&read.value.as_ptr()));
}

/// Samples for the checks of `Value`, as bytes.
fn encoded_samples<F: Face>() -> Vec<Vec<u8>> {
    vec![
        written::<F>(&Team::sample()),
        written::<F>(&One { value: Team::sample().players }),
        written::<F>(&One { value: vec![i64::MIN, -1, 0, 1, i64::MAX] }),
        written::<F>(&One { value: vec![0.1, -0.0, 1e300, 0.5] }),
        written::<F>(&One { value: [1.5f32, 0.1] }),
        written::<F>(&One { value: BTreeMap::from([("b", 1), ("a", 2)]) }),
        written::<F>(&One { value: (true, "é", None::<i32>, Some(3)) }),
    ]
}

/// Bytes read as `Value` are written back the same, also through a clone.
pub fn values_write_the_same_bytes<F: ValueFace>() {
    for bytes in encoded_samples::<F>() {
        let value = F::from_slice::<F::Value>(&bytes).unwrap();
        assert_eq!(shown(&written::<F>(&value)), shown(&bytes), "{value:?}");
        assert_eq!(value.clone(), value);
        assert_eq!(F::from_reader::<_, F::Value>(&bytes[..]).unwrap(), value);
    }
}

/// `to_value` gives what reading the written bytes gives.
pub fn values_agree_with_bytes<F: ValueFace>() {
    fn check<F: ValueFace, T: Serialize + Debug>(sample: &T) {
        let bytes = written::<F>(sample);
        let value = F::to_value(sample).unwrap();
        assert_eq!(value, F::from_slice::<F::Value>(&bytes).unwrap(), "{sample:?}");
        assert_eq!(shown(&written::<F>(&value)), shown(&bytes), "{sample:?}");
    }
    check::<F, _>(&Team::sample());
    check::<F, _>(&One { value: (1, -1, true, "text", 0.5) });
    check::<F, _>(&One { value: BTreeMap::from([("b", vec![1]), ("a", vec![])]) });
    check::<F, _>(&One { value: Listed::OneByOne(vec![1u16, 0, 300]) });
    check::<F, _>(&One { value: Mapped::PartsOfMany(vec![("b", 1u16), ("a", 300)]) });
    let error = refused(F::to_value(&One { value: Picky }), "a type that refuses to be written");
    assert!(error.to_string().contains(Picky::WORDS), "{error}");
}

/// `from_value` reads the types that were written, and refuses others.
pub fn values_read_as_types<F: ValueFace>() {
    let value = F::to_value(&Team::sample()).unwrap();
    assert_eq!(F::from_value::<Team>(&value).unwrap(), Team::sample());
    let bytes = written::<F>(&Team::sample());
    let value = F::from_slice::<F::Value>(&bytes).unwrap();
    assert_eq!(F::from_value::<Team>(&value).unwrap(), Team::sample());
    assert_eq!(F::from_value::<F::Value>(&value).unwrap(), value);
    let text = F::to_value(&One { value: "text" }).unwrap();
    refused(F::from_value::<One<OldTeam>>(&text), "text as a struct");
}

/// A value is a deserializer, by itself and by reference: what reads from it reads as from its bytes, and may
/// borrow text and names from it.
pub fn values_are_deserializers<F: OwnValueFace>() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Lent<'a> {
        name: &'a str,
        round: i32,
        ratio: f64,
        open: bool,
        #[serde(borrow)]
        captain: Option<LentPlayer<'a>>,
        players: Vec<LentPlayer<'a>>,
        scores: BTreeMap<&'a str, i64>,
        place: (i32, &'a str, f32),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct LentPlayer<'a> {
        name: &'a str,
        score: i64,
        #[serde(borrow)]
        tags: Vec<&'a str>,
    }
    let value = F::to_value(&Team::sample()).unwrap();
    assert_eq!(F::read_value::<Team>(&value).unwrap(), Team::sample());
    assert_eq!(F::read_value::<F::Value>(&value).unwrap(), value);
    let lent = F::read_value::<Lent<'_>>(&value).unwrap();
    let team = Team::sample();
    assert_eq!((lent.name, lent.place.1), (&*team.name, &*team.place.1));
    assert_eq!(shown(&written::<F>(&lent)), shown(&written::<F>(&team)));
    assert_eq!(F::take_value::<Team>(value).unwrap(), team);
    let text = F::to_value(&One { value: "text" }).unwrap();
    let error = refused(F::read_value::<One<Picky>>(&text), "text the type refuses");
    assert_eq!(F::offset(&error), None, "{error}");
    let by_value = refused(F::from_value::<One<Picky>>(&text), "text the type refuses");
    assert_eq!(error.to_string(), by_value.to_string());
}

/// `Display` of a value is short, and one line.
pub fn values_are_shown<F: OwnValueFace>() {
    let value = F::to_value(&Team::sample()).unwrap();
    let text = value.to_string();
    for part in ["Ada", "Cleo", "-70000", "1.5"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(!text.contains('\n') && text.len() < 600, "{text}");
    assert!(format!("{value:#}").lines().count() > 10, "{value:#}");
}

/// A `Value` of any bytes can be printed, compared, written and read again.
pub fn values_from_other_bytes_do_not_panic<F: ValueFace>() {
    let sample = written::<F>(&Team::sample());
    let flips = bit_flips("sample", &sample);
    let mutants = mutations("sample", &sample, 3, 1_000);
    let cases = flips.chain(mutants).chain(random_bytes(4, 1_000, 100));
    on_small_stack(|| {
        for case in cases {
            let run = std::panic::catch_unwind(|| {
                let Ok(value) = F::from_slice::<F::Value>(&case.bytes) else { return };
                let _ = format!("{value:?}");
                let _ = value.clone() == value;
                // A Value may hold what the encoder refuses; what it writes must be readable.
                let Ok(again) = F::to_vec(&value) else { return };
                if let Err(error) = F::from_slice::<F::Value>(&again) {
                    panic!("its own bytes {} are refused: {error}", shown(&again));
                }
            });
            assert!(run.is_ok(), "{} panics: {}", case.name, shown(&case.bytes));
        }
    })
    .unwrap();
}

/// `max_depth(8)` refuses 20 levels and takes 4.
pub fn max_depth_is_kept<F: ValueFace>() {
    // Typed writing may need more stack a level than a test thread has in a debug build.
    let (flat, deep) = on_big_stack(|| {
        (written::<F>(&One { value: Deep(4) }), written::<F>(&One { value: Deep(20) }))
    });
    F::shallow_value(&flat).unwrap();
    let error = refused(F::shallow_value(&deep), "20 levels under max_depth(8)");
    assert_eq!(fault_of_message(&error.to_string()), None, "{error}");
    F::from_slice::<F::Value>(&deep).unwrap();
}

/// The methods of `Options::new()` do what the free functions do.
pub fn verbs_agree<F: Face, O: Face<Error = F::Error>>() {
    let team = Team::sample();
    let bytes = written::<F>(&team);
    assert_eq!(written::<O>(&team), bytes);
    let mut out = Vec::new();
    O::to_writer(&mut out, &team).unwrap();
    assert_eq!(out, bytes);
    assert_eq!(O::from_slice::<Team>(&bytes).unwrap(), team);
    assert_eq!(O::from_reader::<_, Team>(&bytes[..]).unwrap(), team);
    let (read, rest) = O::take_from_slice::<Team>(&bytes).unwrap();
    assert_eq!((read, rest.len()), (team, 0));
    let by_function = refused(F::from_slice::<Team>(&bytes[..9]), "a prefix").to_string();
    let by_method = refused(O::from_slice::<Team>(&bytes[..9]), "a prefix").to_string();
    assert_eq!(by_function, by_method);
}

/// An error of decoding has an offset inside of the input, also on a truncated one; an error of
/// the trailing bytes points at the first of them.
pub fn offsets_are_within_the_input<F: Face>() {
    let bytes = written::<F>(&Team::sample());
    for len in 0..bytes.len() {
        let error = refused(F::from_slice::<Team>(&bytes[..len]), "a prefix");
        let offset = F::offset(&error);
        assert!(offset.is_some_and(|at| at <= len), "{offset:?} of {len} bytes: {error}");
    }
    let error = refused(F::from_slice::<Team>(&with_trailing::<F>(&bytes)), "a trailing byte");
    assert_eq!(F::offset(&error), Some(bytes.len()), "{error}");
    let text = written::<F>(&One { value: "text" });
    let error = refused(F::from_slice::<One<OldTeam>>(&text), "text as a struct");
    assert!(F::offset(&error).is_some_and(|at| at < text.len()), "{error}");
}

/// The text of an error says where in the data: `players[1].score`.
pub fn errors_name_the_path<F: Face>() {
    #[derive(Debug, Serialize)]
    struct Out<T> {
        players: Vec<Member<T>>,
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Member<T> {
        name: String,
        score: T,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct In {
        players: Vec<Member<u8>>,
    }
    let member = |score| Member { name: "x".to_owned(), score };
    let bytes = written::<F>(&Out { players: vec![member(1), member(300), member(2)] });
    let error = refused(F::from_slice::<In>(&bytes), "300 as u8");
    let text = error.to_string();
    // Formats of text may have a JSON Pointer.
    assert!(text.ends_with("players[1].score") || text.ends_with("/players/1/score"), "{text}");
}

/// `explain` takes samples, truncations, mutations and random bytes without a panic.
pub fn explain_takes_any_bytes<F: ExplainFace>() {
    let sample = written::<F>(&Team::sample());
    on_small_stack(|| {
        F::explain(&sample);
        for len in 0..sample.len() {
            F::explain(&sample[..len]);
        }
        for case in mutations("sample", &sample, 5, 500).chain(random_bytes(6, 500, 100)) {
            let run = std::panic::catch_unwind(|| F::explain(&case.bytes));
            assert!(run.is_ok(), "{} panics: {}", case.name, shown(&case.bytes));
        }
    })
    .unwrap();
}
