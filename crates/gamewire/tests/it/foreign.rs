//! Files of other programs, and files of zeros, cost little on every path: time and memory grow with the file.

use gamewire::document::{self, DecodedFile, Settings};
use gamewire::{Format, detect};
use gamewire_testkit::hostile::{Hostile, Limits, foreign};

/// A path of a file through the library.
type Way = Box<dyn Fn(&[u8]) -> Result<(), String> + Sync>;

/// Holds a path to so many bytes of memory for each of the file, and to time in proportion.
fn hold(name: &str, per_byte: u64, way: Way) {
    // JSON is read by recursion.
    let limits = Limits { per_byte, base: 1 << 20, stack: 64 << 20, ..Limits::default() };
    let mut hostile = Hostile::new(way).limits(limits);
    hostile.cases(name, foreign(1000));
    hostile.cases(name, foreign(1 << 16));
    for case in foreign(256) {
        let last = case.bytes[255];
        let made = |len: usize| {
            let mut bytes = case.bytes.clone();
            bytes.resize(len.max(256), last);
            bytes
        };
        hostile.linear(&format!("{name}: {}", case.name), 1 << 12, made);
    }
    hostile.finish();
}

fn told(format: Option<Format>) -> Result<(), String> {
    format.map(|_| ()).ok_or_else(|| "no format".to_owned())
}

fn way(
    format: Option<Format>,
    run: impl Fn(&[u8], &Settings) -> Result<(), document::Error> + Sync + 'static,
) -> Way {
    let settings = Settings { format, ..Settings::default() };
    Box::new(move |bytes| run(bytes, &settings).map_err(|error| error.to_string()))
}

#[test]
fn they_are_told_in_proportion() {
    let settings = Settings::default;
    hold("detect", 8, Box::new(|bytes| told(detect(bytes, None))));
    hold("detect for sure", 8, Box::new(|bytes| told(document::detect(bytes, None, true))));
    hold("guess", 8, Box::new(move |bytes| told(document::detect_damaged(bytes, &settings()))));
    hold("check", 8, way(None, |bytes, own| document::check(bytes, own).map(drop)));
}

/// Salvage explains the file, in words, to find where it ends.
#[test]
fn they_are_salvaged_in_proportion() {
    hold("salvage", 512, way(None, |bytes, own| document::salvage(bytes, own).map(drop)));
}

#[test]
fn they_are_read_as_any_format_in_proportion() {
    for format in Format::ALL {
        let (name, format) = (format.crate_name(), Some(*format));
        let check = way(format, |bytes, own| document::check(bytes, own).map(drop));
        hold(&format!("check as {name}"), 512, check);
        let read = way(format, |bytes, own| DecodedFile::read(bytes, own).map(drop));
        hold(&format!("read as {name}"), 512, read);
    }
}

/// What the first bytes do not point to is not salvaged.
#[test]
fn no_format_is_guessed() {
    for case in foreign(100_000) {
        assert_eq!(
            document::detect_damaged(&case.bytes, &Settings::default()),
            None,
            "{}",
            case.name
        );
    }
}

/// What to try with a large file is said after a few readings of it.
#[test]
fn advice_reads_a_large_file_a_few_times() {
    let bytes = vec![b'['; 1 << 20];
    let best = |run: &dyn Fn()| {
        let times = (0..5).map(|_| {
            let start = std::time::Instant::now();
            run();
            start.elapsed()
        });
        times.min().unwrap()
    };
    let once = best(&|| assert_eq!(document::detect(&bytes, None, true), None));
    let all = best(&|| drop(document::advice(&bytes)));
    assert!(all < once * 16, "{all:?}, and {once:?} to detect it");
}

/// Words that are length and head of frames, none of which is whole.
#[test]
fn losses_of_frames_have_an_end() {
    let bytes = [0x1c, 0, 0, 0].repeat(1 << 18);
    let settings = Settings { format: Some(Format::GodotVariant), ..Settings::default() };
    let salvaged = document::salvage(&bytes, &settings).unwrap();
    assert!(salvaged.lost.len() < 1000, "{} lines", salvaged.lost.len());
}
