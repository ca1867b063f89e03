//! A server's answer to a Godot client: a struct to the bytes that `bytes_to_var` reads, and the
//! same framed as `get_var` reads it from a stream or a file.
//!
//! `cargo run --example write -p godot-variant`

use godot_variant::frame::Framing;
use godot_variant::types::{Color, PackedVector3Array, StringName, TypedArray, Vector3};
use godot_variant::{from_slice, to_vec};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Spawn {
    id: u32,
    kind: StringName,
    position: Vector3,
    tint: Color,
    /// GDScript: `Array[String]`.
    tags: TypedArray<String>,
    path: PackedVector3Array,
    owner: Option<String>,
}

fn main() -> godot_variant::Result<()> {
    let answer = Spawn {
        id: 7,
        kind: StringName::new("boat"),
        position: Vector3::new(1.0, 0.0, -2.5),
        tint: Color::new(1.0, 0.5, 0.25, 1.0),
        tags: vec!["floats".into(), "red".into()].into(),
        path: [Vector3::new(0.0, 0.0, 0.0), Vector3::new(8.0, 0.0, 4.0)].into_iter().collect(),
        owner: None,
    };

    let bytes = to_vec(&answer)?;
    println!("{} bytes, in GDScript: bytes_to_var(\"…\".hex_decode())", bytes.len());
    println!("{}", hex(&bytes));
    assert_eq!(from_slice::<Spawn>(&bytes)?, answer);

    // Anything that implements `Write` does: a `File`, a `TcpStream`, here a vector.
    let mut stream = Vec::new();
    let framing = Framing::new();
    framing.to_writer(&mut stream, &answer)?;
    framing.to_writer(&mut stream, "bye")?;
    println!("\nthe same with store_var, and then a string: {} bytes", stream.len());

    let mut reader = framing.reader(stream.as_slice());
    let first: Option<Spawn> = reader.read()?;
    let second: Option<String> = reader.read()?;
    println!("read back: {first:?}, then {second:?}");
    Ok(())
}

/// Sixteen bytes a line.
fn hex(bytes: &[u8]) -> String {
    let line = |line: &[u8]| line.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    bytes.chunks(16).map(line).collect::<Vec<_>>().join("\n")
}
