//! Says what every byte of a file means.
//!
//! `cargo run --example explain -p resonite-brson`, with the path of another file as argument if
//! wanted.

use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let named = std::env::args_os().nth(1).map(PathBuf::from);
    let sample =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/resonite-brson/lamp.brson");
    if named.is_none() && !sample.is_file() {
        println!("SKIPPED: the samples are in the repository, not in the package; name a file");
        return Ok(());
    }
    let path = named.unwrap_or(sample);
    let explanation = resonite_brson::explain(&std::fs::read(path)?);
    print!("{explanation}");
    Ok(())
}
