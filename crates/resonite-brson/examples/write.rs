//! Changes a save and writes it in several containers.
//!
//! `cargo run --example write -p resonite-brson`, with the path of another file as argument if wanted.

use std::error::Error;
use std::path::{Path, PathBuf};

use resonite_brson::{Container, Options, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let named = std::env::args_os().nth(1).map(PathBuf::from);
    let sample =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/resonite-brson/lamp.7zbson");
    if named.is_none() && !sample.is_file() {
        println!("SKIPPED: the samples are in the repository, not in the package; name a file");
        return Ok(());
    }
    let path = named.unwrap_or(sample);
    let file = std::fs::read(path)?;

    let mut tree: Value = resonite_brson::from_slice(&file)?;
    let name = tree.pointer_mut("/Object/Name/Data").ok_or("the save has no named root slot")?;
    println!("{name:?} becomes \"Lamp, copied\"");
    *name = "Lamp, copied".into();

    for container in
        [Container::BRSON, Container::LZ4_BSON, Container::SEVEN_Z_BSON, Container::BSON]
    {
        let bytes = Options::new().container(container).to_vec(&tree)?;
        println!("{:>6} bytes of .{}", bytes.len(), container.extension());
        let back: Value = resonite_brson::from_slice(&bytes)?;
        assert_eq!(back, tree);
    }
    Ok(())
}
