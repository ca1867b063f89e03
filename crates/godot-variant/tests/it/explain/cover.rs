//! Whatever the bytes are: each is in one span, and the error is that of the reader.

use std::path::PathBuf;
use std::sync::Arc;

use gamewire_testkit::hostile::{Hostile, Limits, SplitMix64, mutate};
use gamewire_testkit::vectors::Rows;
use gamewire_testkit::{on_big_stack, on_small_stack};
use godot_variant::explain::{Explanation, Role};
use godot_variant::frame::Framing;
use godot_variant::{ClassDb, Dialect, Options, Precision};
use proptest::prelude::*;

use super::{check, check_bare, check_frames, check_project, nested};
use crate::cases::Case;
use crate::support::{hex, testdata};

/// Knows few classes and scripts, so that the errors about them occur.
struct FewClasses;

impl ClassDb for FewClasses {
    fn can_instantiate(&self, class: &str) -> bool {
        matches!(class, "RefCounted" | "Node")
    }
    fn inherits(&self, class: &str, base: &str) -> bool {
        class == base
    }
    fn script_exists(&self, path: &str) -> bool {
        path == "res://thing.gd"
    }
}

/// Every combination of what changes how bytes are read.
fn all_options() -> Vec<Options> {
    let mut all = Vec::new();
    for dialect in [Dialect::Godot4, Dialect::Godot3, Dialect::Docs] {
        for precision in [Precision::Keep, Precision::Single, Precision::Double] {
            for strict in [false, true] {
                for objects in [false, true] {
                    let options = Options::new().dialect(dialect).precision(precision);
                    all.push(options.strict(strict).allow_objects(objects));
                }
            }
        }
    }
    all.push(Options::new().allow_objects(true).classes(Arc::new(FewClasses)));
    all.push(Options::new().max_depth(3));
    all
}

fn options(index: usize) -> Options {
    let all = all_options();
    all[index % all.len()].clone()
}

fn vector_files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(testdata("vectors")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|own| own != "md")).collect()
}

#[test]
fn cases_are_explained_as_they_are_read() {
    for Case { bytes, .. } in Case::all().iter().filter(|case| case.bytes.len() < 200) {
        for options in all_options() {
            (0..=bytes.len()).for_each(|end| check_bare(&bytes[..end], &options));
        }
    }
}

#[test]
fn vectors_are_explained_as_they_are_read() {
    let mut rng = SplitMix64::new(7);
    let mut rows = 0;
    for file in vector_files() {
        for row in Rows::open(&file).unwrap() {
            let row = row.unwrap();
            rows += 1;
            // Each row with every sixth of the options, so six rows of a kind see them all.
            let some: Vec<Options> = all_options().into_iter().skip(rows % 6).step_by(6).collect();
            for field in ["hex", "hex_raw", "reencoded"] {
                let Ok(bytes) = row.hex(field) else { continue };
                on_big_stack(|| some.iter().for_each(|options| check_bare(&bytes, options)));
                check_frames(&bytes, &Framing::new());
                check_frames(&bytes, &Framing::new().big_endian(true));
                for _ in 0..2 {
                    let changed = mutate(&mut rng, &bytes);
                    check_bare(&changed, &options(rng.below(64)));
                    check_frames(&changed, &Framing::new().options(options(rng.below(64))));
                }
            }
        }
    }
    assert!(rows > 100, "{rows} rows");
}

#[test]
fn files_are_explained_as_they_are_read() {
    let mut rng = SplitMix64::new(11);
    let read = |name: &str| std::fs::read(testdata(name)).unwrap();
    let frames = [Case::load("frames-slack.hex").bytes, read("savegame.dat"), read("stream.dat")];
    let projects = [Case::load("project.hex").bytes, read("project.binary")];
    for options in all_options() {
        let framing = Framing::new().options(options.clone());
        for file in &frames {
            check_frames(file, &framing);
            check_frames(&file[..rng.below(file.len())], &framing);
            (0..8).for_each(|_| check_frames(&mutate(&mut rng, file), &framing));
        }
        for file in &projects {
            check_project(file, &options);
            check_project(&file[..rng.below(file.len())], &options);
            (0..8).for_each(|_| check_project(&mutate(&mut rng, file), &options));
        }
    }
    for end in 0..64 {
        check_project(&projects[0][..end], &Options::new());
        check_frames(&frames[0][..end.min(frames[0].len())], &Framing::new());
    }
    check_frames(&frames[0], &Framing::new().options(Options::new().max_alloc(16)));
}

/// Words that are often types, counts and lengths.
fn words() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        4 => (0..40u32).prop_map(u32::to_le_bytes),
        2 => (0..40u32, 0..16u32).prop_map(|(id, flags)| (id | flags << 16).to_le_bytes()),
        2 => (0..6u32).prop_map(u32::to_le_bytes),
        1 => any::<[u8; 4]>(),
        1 => (0..6u32).prop_map(|count| (count | 0x8000_0000).to_le_bytes()),
        1 => Just(*b"abc\0"),
    ];
    (prop::collection::vec(word, 0..40), 0..4usize).prop_map(|(words, cut)| {
        let mut bytes: Vec<u8> = words.concat();
        bytes.truncate(bytes.len().saturating_sub(cut));
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn any_bytes_are_covered(bytes in prop::collection::vec(any::<u8>(), 0..80), index in 0..64usize) {
        check_bare(&bytes, &options(index));
        check_project(&bytes, &options(index));
    }

    #[test]
    fn any_words_are_covered(bytes in words(), index in 0..64usize) {
        check_bare(&bytes, &options(index));
        check_frames(&bytes, &Framing::new().options(options(index)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn mutated_values_are_covered(
        value in crate::strategy::value(), index in 0..64usize, seed in any::<u64>()
    ) {
        let options = options(index);
        let writer = Options::new().allow_objects(true);
        let bytes = writer.to_vec(&value).unwrap();
        let mut rng = SplitMix64::new(seed);
        for _ in 0..8 {
            check_bare(&mutate(&mut rng, &bytes), &writer);
            check_bare(&mutate(&mut rng, &bytes), &options);
        }
    }
}

/// A length before a value is named, in both.
#[test]
fn framed_values_are_covered() {
    for len in [1, 38, 39, 43, 256 + 27, 300] {
        let bytes = [&[len as u8, (len >> 8) as u8, 0, 0][..], &vec![0; len]].concat();
        check_bare(&bytes, &Options::new());
    }
}

#[test]
fn deep_values_need_no_stack() {
    on_small_stack(|| {
        check_bare(&nested(1025), &Options::new());
        check_bare(&nested(1026), &Options::new());
        let deep = Options::new().max_depth(1_000_000);
        check_bare(&nested(200_000), &deep);
        let explanation = Options::new().explain(&nested(1025));
        assert!(explanation.error().is_none());
        for text in [explanation.to_text(), explanation.to_html("deep")] {
            assert!(text.contains("0 elements"));
        }
        assert!(explanation.spans().iter().any(|span| span.depth() == 1025));
        let last = explanation.spans().last().unwrap().path().to_string();
        assert_eq!(last, format!("…{}", "[0]".repeat(64)));
    })
    .unwrap();
}

/// The cost to explain, at most `per_byte` bytes of memory for each byte of input and `base` more.
fn check_costs(per_byte: u64, base: u64, explain: fn(&[u8]) -> Result<Explanation, String>) {
    let mut hostile = Hostile::new(explain).limits(Limits { per_byte, base, ..Limits::default() });
    let many = |id: u32, n: usize, each: &[u8]| {
        let count = u32::try_from(n).unwrap().to_le_bytes();
        [&id.to_le_bytes()[..], &count, &each.repeat(n)].concat()
    };
    hostile.linear("nils", 2000, |n| many(28, n, &[0; 4]));
    hostile.linear("equal keys", 1000, |n| many(27, n, &[0; 8]));
    hostile.linear("typed keys", 1000, |n| {
        let mut bytes = many(27, n, &[2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
        bytes[2] = 1;
        bytes.splice(4..4, 3u32.to_le_bytes());
        bytes
    });
    hostile.linear("nested arrays", 1000, nested);
    hostile.linear("nested names", 100, |n| {
        let name = godot_variant::to_vec("a very long name for every level").unwrap();
        [&hex("1b000000 01000000")[..], &name, &hex("1c000000 02000000 00000000")]
            .concat()
            .repeat(n)
    });
    hostile.linear("strings", 1000, |n| many(28, n, &hex("04000000 01000000 61000000")));
    hostile.linear("packed strings", 1000, |n| many(34, n, &hex("01000000 00000000")));
    hostile.linear("one string", 10_000, |n| {
        many(4, n * 4, &[]).into_iter().chain([b'a', b'b', b'"', 1].repeat(n)).collect()
    });
    hostile.linear("bytes", 10_000, |n| many(29, n * 4, &[1]));
    hostile.linear("floats", 10_000, |n| many(32, n, &[0, 0, 0x80, 0x3f]));
    hostile.random(5, 200, 200);
    hostile.finish();
}

/// A value of four bytes has a span of its own, with its place, and is in the value that is built.
#[test]
fn explaining_is_linear() {
    check_costs(96, 64 << 10, |bytes| Ok(Options::new().max_depth(1 << 20).explain(bytes)));
}

#[test]
fn writing_it_out_is_linear() {
    // A page without any bytes has its styles and its script.
    check_costs(512, 192 << 10, |bytes| {
        let explanation = Options::new().max_depth(1 << 20).explain(bytes);
        let shown = explanation.to_text().len() + explanation.to_html("").len();
        if shown == 0 { Err("nothing is shown".into()) } else { Ok(explanation) }
    });
}

#[test]
fn the_number_of_spans_is_bounded() {
    let elements = 600_000u32;
    let mut bytes = [&28u32.to_le_bytes()[..], &elements.to_le_bytes()].concat();
    bytes.extend([2, 0, 0, 0, 7, 0, 0, 0].repeat(elements as usize));
    let explanation = godot_variant::explain(&bytes);
    check(&explanation, &bytes, explanation.error());
    assert!(explanation.error().is_none());
    assert_eq!(explanation.spans().len(), Explanation::MAX_SPANS + 1);
    let last = explanation.spans().last().unwrap();
    assert_eq!(last.role(), Role::Omitted);
    assert_eq!(last.meaning(), "read, but not listed: 1000000 spans are");

    // An error behind them has its place all the same.
    let len = bytes.len();
    bytes[len - 8] = 0xff;
    let explanation = godot_variant::explain(&bytes);
    check(&explanation, &bytes, explanation.error());
    assert_eq!(explanation.error().unwrap().offset(), Some(len - 8));
    let roles: Vec<Role> =
        explanation.spans().iter().rev().map(|span| span.role()).take(3).collect();
    assert_eq!(roles, [Role::NotReached, Role::Error, Role::Omitted]);
}

#[test]
fn bytes_are_found_by_offset() {
    let bytes = Case::load("every-type.hex").bytes;
    let explanation = godot_variant::explain(&bytes);
    for (offset, byte) in bytes.iter().enumerate() {
        let span = explanation.span_at(offset).unwrap();
        assert_eq!(explanation.bytes_of(span)[offset - span.offset()], *byte);
    }
    assert!(explanation.span_at(bytes.len()).is_none());
    assert!(godot_variant::explain(&[]).span_at(0).is_none());
}
