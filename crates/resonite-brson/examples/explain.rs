//! Says what every byte of a file means.
//!
//! `cargo run --example explain -p resonite-brson`, with the path of another file as argument if
//! wanted.

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/resonite-brson/lamp.brson");
    let path = std::env::args_os().nth(1).map_or_else(|| PathBuf::from(sample), PathBuf::from);
    let explanation = resonite_brson::explain(&std::fs::read(path)?);
    print!("{explanation}");
    Ok(())
}
