//! Shows what every byte of a bean means.
//!
//! `cargo run --example explain -p zeze-serialize`, with the path of another file as argument if
//! wanted.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let sample: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", "zeze-serialize", "bvalue.bean"]
            .iter()
            .collect();
    let bytes = std::fs::read(std::env::args_os().nth(1).map_or(sample, PathBuf::from))?;
    let explanation = zeze_serialize::explain(&bytes);
    print!("{explanation}");
    if let Some(error) = explanation.error() {
        println!("not all of it can be read: {error}");
    }
    Ok(())
}
