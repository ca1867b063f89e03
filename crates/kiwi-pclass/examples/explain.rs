//! Says what every bit of a file means.
//!
//! `cargo run -p kiwi-pclass --example explain`

use std::error::Error;
use std::path::Path;

use kiwi_pclass::{Options, Schema};

fn main() -> Result<(), Box<dyn Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/kiwi-pclass");
    if !data.is_dir() {
        println!("SKIPPED: the samples are in the repository, not in the package");
        return Ok(());
    }
    let types = std::fs::read(data.join("vectors/types/arena.json"))?;
    let options = Options::file().schema(Schema::from_json(&types)?);
    let explanation = options.explain(&std::fs::read(data.join("boss.xml"))?);
    print!("{explanation}");
    Ok(())
}
