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
    let named = std::env::args_os().nth(1).map(PathBuf::from);
    if named.is_none() && !sample.is_file() {
        println!("SKIPPED: the samples are in the repository, not in the package; name a file");
        return Ok(());
    }
    let bytes = std::fs::read(named.unwrap_or(sample))?;
    let explanation = zeze_serialize::explain(&bytes);
    print!("{explanation}");
    if let Some(error) = explanation.error() {
        println!("not all of it can be read: {error}");
    }
    Ok(())
}
