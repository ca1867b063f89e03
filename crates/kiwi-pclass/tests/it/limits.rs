//! Limits, and hostile input of every sort.

use std::io;

use gamewire_testkit::hostile::{self, Hostile, Limits};
use kiwi_pclass::types::SerializerFlags;
use kiwi_pclass::*;

use crate::classes::{Leaf, Prims, Rec};
use crate::support::{bytes, deep, hex, rows, sample, shallow, types};

#[test]
fn max_alloc_is_the_most_that_a_reader_gives() {
    let bytes = hex("85f5ae41");
    let limit = |most| shallow().max_alloc(most);
    limit(4).from_reader::<_, Value>(&bytes[..]).unwrap();
    let error = limit(3).from_reader::<_, Value>(&bytes[..]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit);
    let error = limit(1 << 16).from_reader::<_, Value>(io::repeat(1)).unwrap_err();
    assert_eq!(error.to_string(), "the reader has more than max_alloc, which is 65536 bytes");
    limit(usize::MAX).from_reader::<_, Value>(&bytes[..]).unwrap();
}

#[test]
fn max_output_is_the_most_that_is_written_and_inflated() {
    let (options, bytes) = sample("zlib_compressed/deep/f9");
    let len = options.header(&bytes).unwrap().inflated_len.unwrap() as usize;
    let value: Value = options.clone().max_output(len).from_slice(&bytes).unwrap();
    let error = options.clone().max_output(len - 1).from_slice::<Value>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutputLimit);
    let plain = options.flags(SerializerFlags::NONE);
    assert_eq!(plain.clone().max_output(len).to_vec(&value).unwrap().len(), len);
    let error = plain.max_output(len - 1).to_vec(&value).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutputLimit);
}

/// Streams of classes by hash, for attacks.
fn class(name: &str) -> Vec<u8> {
    types().class(name).unwrap().hash().to_le_bytes().to_vec()
}

#[test]
fn hostile_values() {
    let schema = types();
    for (mode, flags) in [(Mode::Shallow, 0), (Mode::Shallow, 2), (Mode::Deep, 0), (Mode::Deep, 6)]
    {
        let options = Options::new()
            .mode(mode)
            .flags(SerializerFlags(flags))
            .schema(schema.clone())
            .unknown(Unknown::Keep);
        let mut hostile = Hostile::new(|bytes| options.from_slice::<Value>(bytes).map(drop));
        let form = if mode == Mode::Deep { "deep" } else { "shallow" };
        for row in rows("vectors.jsonl") {
            let plain = row["mode"] == form && row["flags"] == flags && row["mask"] == 24;
            let bytes = bytes(&row);
            if plain
                && row["error"].is_null()
                && row["core_types"].is_null()
                && row["manual_compression"] != true
                && row["bind"] != true
                && bytes.len() < 300
                && row["skip_unknown_types"] != true
                && row["encode_exact"] == true
            {
                hostile.sample(row["name"].as_str().unwrap(), &bytes);
            }
        }
        hostile.random(42, 500, 200);
        hostile.finish();
    }
}

#[test]
fn counts_that_lie() {
    for flags in [0, 2] {
        let options = shallow().flags(SerializerFlags(flags));
        let mut hostile = Hostile::new(|bytes| options.from_slice::<Value>(bytes).map(drop));
        let mut typed = Hostile::new(|bytes| {
            options.from_slice::<std::collections::BTreeMap<String, Vec<::serde::de::IgnoredAny>>>(
                bytes,
            )
        });
        let claim = |number: u64| {
            let number = u32::try_from(number).ok().filter(|n| flags == 0 || *n < 1 << 31)?;
            let number = if flags == 0 { number } else { number << 1 | 1 };
            Some([class("class TvLists"), number.to_le_bytes().to_vec(), vec![0; 8]].concat())
        };
        hostile.all_refused("lists", hostile::length_claims(claim));
        typed.all_refused("lists", hostile::length_claims(claim));
        let string = |number: u64| {
            let head = [class("class TvLeaf"), vec![1, 0, 0, 0]].concat();
            let number = match flags {
                0 => u16::try_from(number).ok()?.to_le_bytes().to_vec(),
                _ => (u32::try_from(number).ok().filter(|n| *n < 1 << 31)? << 1 | 1)
                    .to_le_bytes()
                    .to_vec(),
            };
            Some([head, number, b"abc".to_vec()].concat())
        };
        hostile.all_refused("strings", hostile::length_claims(string));
        // A list of bools takes one bit each.
        hostile.linear("bools", 4096, |count| {
            let lists = "00000000 00000000";
            let count = u32::try_from(count * 8).unwrap();
            let empty = match flags {
                0 => hex(lists),
                _ => hex("00 00"),
            };
            let len = if flags == 0 { count } else { count << 1 | 1 };
            let rest = vec![0; 64];
            let bits = vec![0x55; count as usize / 8];
            [class("class TvLists"), empty, len.to_le_bytes().to_vec(), bits, rest].concat()
        });
        hostile.finish();
        typed.finish();
    }
}

#[test]
fn depth_bombs() {
    let mut value = Hostile::new(|bytes| shallow().from_slice::<Value>(bytes).map(drop));
    let mut typed = Hostile::new(|bytes| shallow().from_slice::<Rec>(bytes).map(drop));
    let mut ignored =
        Hostile::new(|bytes| shallow().from_slice::<::serde::de::IgnoredAny>(bytes).map(drop));
    let bomb = hostile::nest(100_000, &[class("class TvRec"), vec![1]].concat(), &[0; 4], &[]);
    value.refused("recursion", &bomb);
    typed.refused("recursion", &bomb);
    ignored.refused("recursion", &bomb);
    value.finish();
    typed.finish();
    ignored.finish();

    // Deep: sizes around sizes, and the size of an object that lies.
    let next = types().class("class TvRec").unwrap().property("m_next").unwrap().hash();
    let bomb = hostile::nest_sized(20_000, &[0; 4], &[], |inner| {
        let bits = |len: usize| u32::try_from(len * 8).unwrap().to_le_bytes().to_vec();
        [class("class TvRec"), bits(12 + inner), bits(8 + inner), next.to_le_bytes().to_vec()]
            .concat()
    });
    let mut value = Hostile::new(|bytes| deep().from_slice::<Value>(bytes).map(drop));
    value.refused("recursion", &bomb);
    let sample = sample("pointers/deep/f0").1;
    for at in (0..sample.len() - 4).step_by(4) {
        for size in [0, 1, 31, 32, 33, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
            let mut lie = sample.clone();
            lie[at..at + 4].copy_from_slice(&u32::to_le_bytes(size));
            value.case(&format!("{size:#x} at {at}"), &lie);
        }
    }
    value.finish();
}

#[test]
fn zlib_bombs() {
    let limits = Limits { base: (64 << 10) + (3 << 20), ..Limits::default() };
    let options = deep().flags(SerializerFlags::COMPRESS).max_output(1 << 20);
    let mut hostile =
        Hostile::new(|bytes| options.from_slice::<Value>(bytes).map(drop)).limits(limits);
    let zeros = envelope::wrap(&vec![0; 16 << 20], true).unwrap();
    for (name, claim) in
        [("true size", 16u32 << 20), ("small size", 1000), ("limit", 1 << 20), ("huge", u32::MAX)]
    {
        let bomb = [&[1][..], &claim.to_le_bytes(), &zeros[4..]].concat();
        hostile.refused(name, &bomb);
    }
    let sample = &sample("zlib_compressed/deep/f9").1[4..];
    hostile.accepted("sample", sample);
    for len in 0..sample.len() {
        hostile.refused("cut", &sample[..len]);
    }
    hostile.cases("mutations", hostile::mutations("zlib", sample, 3, 2000));
    hostile.finish();
}

#[test]
fn hostile_layers() {
    let limits = Limits { base: (64 << 10) + (1 << 20), ..Limits::default() };
    for name in ["bind_f15", "manual/deep/f9", "bind_f7"] {
        let (options, sample) = sample(name);
        let options = options.max_output(1 << 18);
        let mut hostile =
            Hostile::new(|bytes| options.from_slice::<Value>(bytes).map(drop)).limits(limits);
        hostile.sample(name, &sample);
        hostile.random(7, 300, 100);
        hostile.finish();
    }
}

#[test]
fn hostile_types() {
    for name in ["prims/deep/f0", "prims/shallow/f0"] {
        let (options, sample) = sample(name);
        let mut typed = Hostile::new(|bytes| options.from_slice::<Prims>(bytes).map(drop));
        typed.sample(name, &sample);
        typed.finish();
        let mut explained = Hostile::new(|bytes| {
            let explanation = options.explain(bytes);
            match explanation.error() {
                None => Ok(()),
                Some(error) => Err(error.to_string()),
            }
        })
        .limits(Limits { per_byte: 4096, ..Limits::default() });
        explained.sample(name, &sample);
        explained.finish();
    }
    let mut leaf = Hostile::new(|bytes| deep().from_slice::<Leaf>(bytes).map(drop));
    leaf.random(11, 1000, 64);
    leaf.finish();
    let mut lists = Hostile::new(|json| Schema::from_json(json).map(drop));
    let list =
        std::fs::read(crate::support::testdata().join("vectors/types/types_page.json")).unwrap();
    lists.cases("type lists", hostile::mutations("types", &list, 5, 500));
    lists.finish();
}
