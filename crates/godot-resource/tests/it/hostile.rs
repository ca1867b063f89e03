//! Files from strangers.

use gamewire_testkit::hostile::{Hostile, Limits, bit_flips, mutations, nest, truncations};
use godot_resource::{Binary, Contents, Error, Options, Text, Value};

use crate::support::{files, testdata};

/// Everything that is done with a file.
fn read(bytes: &[u8]) -> Result<(), Error> {
    if Binary::is_binary(bytes) {
        let file = Binary::parse(bytes)?;
        assert_eq!(file.to_vec()?, bytes);
    } else if let Ok(text) = std::str::from_utf8(bytes) {
        let mut read = Text::parse(text)?;
        assert_eq!(read.to_string(), text);
        for section in read.sections_mut() {
            for (name, value) in
                section.values().map(|(name, value)| (name.to_owned(), value)).collect::<Vec<_>>()
            {
                // Of two of one name the last counts.
                if section.get(&name).as_ref() == Some(&value) {
                    section.set(&name, &value)?;
                }
            }
        }
        assert_eq!(read.to_string(), text);
    }
    use_contents(&Contents::open(bytes)?);
    Ok(())
}

/// What a file holds may not fit the other form, or Rust types.
fn use_contents(contents: &Contents) {
    let _ = contents.to_text(&Options::new());
    let _ = contents.to_binary(&Options::new()).map(|made| {
        // What is written can be read.
        Contents::open(&made.file).unwrap();
    });
    let _ = contents.read::<Value>(&Options::new());
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(testdata().join(name)).unwrap()
}

/// A codec has windows, and writing both forms holds both.
fn limits() -> Limits {
    Limits { per_byte: 256, base: 16 << 20, ..Limits::default() }
}

#[test]
fn every_truncation_and_flipped_bit_is_read_or_refused() {
    let mut hostile = Hostile::new(read).limits(limits());
    let names = [
        "pairs/ar16.tres",
        "pairs/as07.tscn",
        "pairs/os03.tscn",
        "scenes46/pid1.scn",
        "pairs/br17.res",
        "pairs/os03.scn",
        "scenes46/pid1.tscn",
        "pairs/or00.tres",
        "pairs/or00.res",
    ];
    for name in names {
        let bytes = sample(name);
        hostile.accepted(name, &bytes);
        hostile.cases("truncations", truncations(name, &bytes));
        // One of each byte's bits.
        let flips = bit_flips(name, &bytes).enumerate().filter(|(at, _)| at % 8 == (at / 8) % 8);
        hostile.cases("bit flips", flips.map(|(_, case)| case));
    }
    hostile.random(7, 300, 200);
    hostile.finish();
}

/// `GODOT_MUTATIONS` makes more of them.
#[test]
fn mutated_samples_are_read_or_refused() {
    let count = std::env::var("GODOT_MUTATIONS").map_or(3, |count| count.parse().unwrap());
    let mut hostile = Hostile::new(read).limits(limits());
    for (seed, file) in files(&testdata(), &[".res", ".scn", ".tres", ".tscn"]).iter().enumerate() {
        let bytes = std::fs::read(file).unwrap();
        if bytes.len() < 1500 {
            hostile
                .cases("mutations", mutations(&file.to_string_lossy(), &bytes, seed as u64, count));
        }
    }
    hostile.finish();
}

/// The bytes of a file with one value, for others to be put in its place.
fn around(value: &[u8]) -> Vec<u8> {
    let file = godot_resource::to_vec(&std::collections::BTreeMap::from([("x", 5)])).unwrap();
    let (head, _) = file.split_at(file.len() - 12);
    [head, value, b"RSRC"].concat()
}

#[test]
fn depth_costs_no_stack_and_claims_are_claims() {
    let mut hostile = Hostile::new(read).limits(limits());
    let word = |number: u32| number.to_le_bytes();
    let list = [word(30), word(1)].concat();
    let map = [word(26), word(1), word(1)].concat();
    // Around a place there may be 1 024.
    for levels in [1, 1024, 1025, 1026, 100_000] {
        for open in [&list, &map] {
            let bytes = around(&nest(levels, open, &word(1), b""));
            let what = format!("{levels} levels");
            if levels < 1026 {
                hostile.accepted(&what, &bytes)
            } else {
                hostile.refused(&what, &bytes)
            }
        }
        let keys = around(&nest(
            levels,
            &[word(26), word(1)].concat(),
            &[word(24), word(0)].concat(),
            &word(1),
        ));
        let what = format!("{levels} levels of keys");
        if levels < 1026 {
            hostile.accepted(&what, &keys)
        } else {
            hostile.refused(&what, &keys)
        }
        let text = nest(levels, b"[", b"1", b"]");
        let text = [b"[gd_resource type=\"R\" format=3]\n[resource]\nx = ", &*text, b"\n"].concat();
        let what = format!("{levels} levels of text");
        if levels < 1026 { hostile.accepted(&what, &text) } else { hostile.refused(&what, &text) }
    }
    for kind in [5, 26, 30, 31, 32, 33, 34, 35, 36, 37, 44, 48, 49, 53] {
        for claim in [100, 0x7fff_ffff, u32::MAX] {
            let bytes = around(&[word(kind), word(claim)].concat());
            hostile.refused(&format!("{claim} of {kind}"), &bytes);
        }
    }
    hostile.finish();
}

#[test]
fn time_grows_with_the_file() {
    let mut hostile = Hostile::new(read).limits(limits());
    hostile.linear("nodes", 40_000, |size| {
        let mut text = String::from("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n");
        for at in 0.. {
            if text.len() >= size {
                break;
            }
            text += &format!(
                "\n[node name=\"N{at}\" type=\"Node\" parent=\".\"]\nx = {{\n{at}: [1, 2]\n}}\n"
            );
        }
        text.into_bytes()
    });
    hostile.linear("resources", 40_000, |size| {
        let mut text = String::from("[gd_resource type=\"R\" format=3]\n");
        for at in 0.. {
            if text.len() >= size {
                break;
            }
            text +=
                &format!("\n[sub_resource type=\"R\" id=\"R_{at}\"]\nx = SubResource(\"R_0\")\n");
        }
        text.into_bytes()
    });
    hostile.finish();
}

/// A large value in the tables of a scene, of which each node has one.
#[test]
fn nodes_of_one_large_value_are_bounded() {
    let nodes: String = (0..2000)
        .map(|at| format!("\n[node name=\"N{at}\" type=\"Node\" parent=\".\"]\nx = 1\n"))
        .collect();
    let text = ["[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n", &nodes].concat();
    let contents = Contents::open(text.as_bytes()).unwrap();
    let bytes = contents.to_binary(&Options::new()).unwrap().file;
    let mut file = Binary::parse(&bytes).unwrap();
    let mut bundle = file.get(0, "_bundled").unwrap();
    let large = godot_variant::types::PackedByteArray(vec![7; 1 << 20]);
    bundle["variants"] = vec![large; 1].into_iter().map(Value::from).collect();
    let Value::PackedInt32Array(rows) = &mut bundle["nodes"] else { panic!() };
    // Of each row the value is the last but one; the first row has none.
    rows.0[7..].chunks_mut(9).for_each(|row| row[7] = 0);
    file.set(0, "_bundled", &bundle).unwrap();
    let error = Contents::open(&file.to_vec().unwrap()).unwrap_err();
    assert_eq!(error.kind(), godot_resource::ErrorKind::MemoryLimit);
}
