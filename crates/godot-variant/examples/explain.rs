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
    let bytes = std::fs::read(std::env::args_os().nth(1).map_or(sample, PathBuf::from))?;
    let explanation = Framing::new().explain(&bytes);
    print!("{explanation}");
    if let Some(error) = explanation.error() {
        println!("not all of it can be read: {error}");
    }
    Ok(())
}
