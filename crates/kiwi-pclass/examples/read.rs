//! Reads a file of the game's kind with a type list, without Rust types, and changes it.
//!
//! `cargo run -p kiwi-pclass --example read`

use std::error::Error;
use std::path::Path;

use kiwi_pclass::{Options, Schema, Unknown, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/kiwi-pclass");
    if !data.is_dir() {
        println!("SKIPPED: the samples are in the repository, not in the package");
        return Ok(());
    }
    let schema = Schema::builder()
        .json(&std::fs::read(data.join("vectors/types/arena.json"))?)?
        .json(&std::fs::read(data.join("vectors/types/arena_server.json"))?)?
        .build()?;
    let options = Options::file().schema(schema).unknown(Unknown::Keep);

    let bytes = std::fs::read(data.join("boss.xml"))?;
    let header = options.header(&bytes)?;
    println!("{} bytes, flags {}", bytes.len(), header.flags);

    let value: Value = options.from_slice(&bytes)?;
    let object = value.as_object().ok_or("the root is an object")?;
    println!("{}", object.class().name());
    for (name, value) in object.iter() {
        println!("  {name}: {value:?}");
    }

    // Unchanged, it is written back byte for byte.
    let again = options.clone().flags(header.flags).to_vec(&value)?;
    println!("written back the same: {}", again == bytes);
    Ok(())
}
