//! Shows what every byte of a file of `FileAccess.store_var` means.
//!
//! `cargo run --example explain -p godot-variant`, with the path of another file as argument if
//! wanted.

use std::path::PathBuf;

use godot_variant::frame::Framing;

fn main() -> std::io::Result<()> {
    let sample: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", "godot-variant", "stream.dat"]
            .iter()
            .collect();
    let named = std::env::args_os().nth(1).map(PathBuf::from);
    if named.is_none() && !sample.is_file() {
        println!("SKIPPED: the samples are in the repository, not in the package; name a file");
        return Ok(());
    }
    let bytes = std::fs::read(named.unwrap_or(sample))?;
    let explanation = Framing::new().explain(&bytes);
    print!("{explanation}");
    if let Some(error) = explanation.error() {
        println!("not all of it can be read: {error}");
    }
    Ok(())
}
