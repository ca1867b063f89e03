//! Text to binary and back.

use std::path::Path;

use godot_resource::{Contents, Options};

use crate::support::{files, testdata};

fn open(file: &Path) -> Contents {
    Contents::open(&std::fs::read(file).unwrap())
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// With files by their places, as their ids are random.
fn by_places(text: &str) -> String {
    let mut text = text.to_owned();
    let ids: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with("[ext_resource"))
        .filter_map(|line| Some(line.rsplit_once(" id=\"")?.1.strip_suffix("\"]")?.to_owned()))
        .collect();
    for (place, id) in ids.iter().enumerate() {
        text = text.replace(&format!("\"{id}\""), &format!("\"{}\"", place + 1));
    }
    text
}

/// Whether two texts differ in the last digits of a float, which an engine reads as the neighbour of the one that
/// it wrote.
fn is_neighbour(made: &str, wanted: &str) -> bool {
    let known = [
        ("47.020623087882996", "47.02062308788299"),
        ("13.501444458961487", "13.501444458961489"),
        ("99.36476945877075", "99.36476945877077"),
    ];
    known.iter().any(|(own, neighbour)| made.replace(own, neighbour) == wanted)
}

/// The text of a file, read and written, after what the binary form does not keep is gone.
fn without_types(file: &Path) -> String {
    let made = open(file).to_binary(&Options::new()).unwrap();
    assert!(made.losses.iter().any(|loss| loss.message.contains("types")));
    Contents::open(&made.file).unwrap().to_text(&Options::new()).unwrap().file
}

/// The engine saved both of one object.
#[test]
fn binary_becomes_the_text_that_the_engine_saves() {
    let mut wrong = Vec::new();
    for file in files(&testdata().join("pairs"), &[".res", ".scn"]) {
        let beside =
            file.with_extension(if file.extension().unwrap() == "res" { "tres" } else { "tscn" });
        let wanted = by_places(&std::fs::read_to_string(&beside).unwrap());
        let made = open(&file).to_text(&Options::new()).unwrap();
        let made = by_places(&made.file);
        // The binary form has no types of arrays and dictionaries.
        let has_types = wanted.contains("Array[") || wanted.contains("Dictionary[");
        let wanted = if has_types { by_places(&without_types(&beside)) } else { wanted };
        if made != wanted && !is_neighbour(&made, &wanted) {
            let differs = made.lines().zip(wanted.lines()).find(|(a, b)| a != b);
            wrong.push(format!("{}: {differs:?}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn text_becomes_binary_of_the_same_contents() {
    for file in files(&testdata(), &[".tres", ".tscn"]) {
        let text = std::fs::read_to_string(&file).unwrap();
        let Ok(contents) = Contents::open(text.as_bytes()) else { continue };
        let made = contents.to_binary(&Options::new());
        let made = made.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let back = Contents::open(&made.file).unwrap().to_text(&Options::new()).unwrap();
        if made.losses.is_empty() {
            let own = contents.to_text(&Options::new()).unwrap();
            assert_eq!(by_places(&back.file), by_places(&own.file), "{}", file.display());
        }
    }
}

#[test]
fn an_rid_of_more_than_32_bits_is_refused_by_binary() {
    let made = |id: u64| {
        let text =
            format!("[gd_resource type=\"Resource\" format=3]\n\n[resource]\nown = RID({id})\n");
        Contents::open(text.as_bytes()).unwrap().to_binary(&Options::new())
    };
    assert!(made(u32::MAX.into()).is_ok());
    let error = made(1 << 32).unwrap_err().to_string();
    assert!(error.contains("expected an RID of 32 bits, found 4294967296"), "{error}");
}
