//! The cost of a file on every path, whatever it is: allocations and memory by its bytes.

use gamewire::Format;
use gamewire::document::{self, DecodedFile, Error, Settings};
use gamewire_testkit::hostile::measure;
use resonite_brson::container;

/// Bytes of memory, and allocations, for each byte of a file and beside that: to salvage a file is to explain it in words.
const MEMORY: (u64, u64) = (512, 2 << 20);
/// The most that a stream of Brotli looks back, and the table of its encoder. It has no magic, and is tried on any
/// bytes.
const WINDOW: u64 = 32 << 20;
const ALLOCATIONS: (u64, u64) = (256, 1 << 16);

type Way = fn(&[u8], &Settings) -> Result<(), Error>;

const WAYS: [(&str, Way); 4] = [
    ("check", |bytes, own| document::check(bytes, own).map(drop)),
    ("salvage", |bytes, own| document::salvage(bytes, own).map(drop)),
    ("read", |bytes, own| DecodedFile::read(bytes, own).map(drop)),
    ("guess", |bytes, own| {
        document::detect_damaged(bytes, own);
        document::detect(bytes, None, true);
        Ok(())
    }),
];

/// No path takes more than the length of the file explains.
pub(crate) fn cost(data: &[u8]) {
    // Unpacked bytes have bounds of their own.
    let is_packed =
        [&b"GCPF"[..], b"PK", b"BINd", b"KIWAD"].iter().any(|own| data.starts_with(own))
            || !matches!(container::detect(data), Ok(None));
    if is_packed {
        return;
    }
    let len = data.len() as u64;
    for format in [None].into_iter().chain(Format::ALL.iter().copied().map(Some)) {
        let settings = Settings { format, ..Settings::default() };
        for (name, way) in WAYS {
            let cost = measure(data, |bytes| way(bytes, &settings));
            let place = || format!("{name} as {format:?}, {len} bytes: {cost:?}");
            let is_tried = name == "salvage" || format == Some(Format::ResoniteBrson);
            let window = if is_tried { WINDOW } else { 0 };
            assert!(cost.peak <= MEMORY.0 * len + MEMORY.1 + window, "{}", place());
            assert!(cost.allocations <= ALLOCATIONS.0 * len + ALLOCATIONS.1, "{}", place());
        }
    }
}
