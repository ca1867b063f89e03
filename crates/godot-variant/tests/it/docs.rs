//! Annotated examples for the description of Godot's format, as `explain` prints them.

use gamewire_testkit::docs::assert_examples;
use gamewire_testkit::vectors::from_hex;
use godot_variant::explain::File;
use godot_variant::frame::Framing;
use godot_variant::wrapped::{Key, Opener};
use godot_variant::{Dialect, Options};

/// The title of each example, the dialect, and the bytes.
const EXAMPLES: &[(&str, Dialect, &str)] = &[
    (
        "`{\"pos\": Vector3(1, 0, -2.5)}` of Godot 4",
        Dialect::Godot4,
        "1b000000010000000400000003000000706f7300090000000000803f00000000000020c0",
    ),
    (
        "`[1, 2^32] as Array[int]`: a typed array, and both widths of int",
        Dialect::Godot4,
        "1c00010002000000020000000200000001000000020001000000000001000000",
    ),
    (
        "`NodePath(\"/root/A:position\")`",
        Dialect::Godot4,
        "160000000200008001000000010000000400000072 6f6f74010000004100000008000000706f736974696f6e",
    ),
    (
        "`PackedStringArray([\"a\"])`: the length counts a NUL",
        Dialect::Godot4,
        "22000000010000000200000061000000",
    ),
    (
        "`Basis(Vector3(1,2,3), Vector3(4,5,6), Vector3(7,8,9))`: by rows",
        Dialect::Godot4,
        "110000000000803f000080400000e040000000400000a0400000004100004040 0000c04000001041",
    ),
    (
        "The first dictionary in Godot 3, and on the page",
        Dialect::Godot3,
        "12000000010000000400000003000000706f7300070000000000803f00000000000020c0",
    ),
    ("A string that is cut off", Dialect::Godot4, "1c00000001000000040000000500000068656c6c6f00"),
];

/// Files in wrappers that hold a frame with the String "text".
const FILES: &[(&str, &str)] = &[
    (
        "A frame with the String \"text\", compressed (Deflate)",
        "4743504601000000001000001000000012000000789ce36160606081e292d48a1200058301da47435046",
    ),
    (
        "The same frame, encrypted by Godot 4 with the password \"pw\"",
        "4744454394f2882fa92b9c4076604d4f720d91d51000000000000000dc43e1de8b7b7cbd3d3e2c2ed626fa869b4b\
         bde8c8894613733d4a3c3a10875e",
    ),
];

fn files() -> impl Iterator<Item = (&'static str, String)> {
    let opener = Opener::new().key(Key::from_password("pw"));
    let file = File::frames(&Framing::new()).opener(opener);
    FILES.iter().map(move |(title, digits)| {
        let explained = file.explain(&from_hex(digits).unwrap());
        assert!(explained.error().is_none(), "{title}");
        (*title, explained.to_text())
    })
}

#[test]
fn examples_are_what_explain_prints() {
    let explained = EXAMPLES.iter().map(|(title, dialect, hex)| {
        let bytes = from_hex(&hex.replace(' ', "")).unwrap();
        (*title, Options::new().dialect(*dialect).explain(&bytes).to_text())
    });
    assert_examples(env!("CARGO_MANIFEST_DIR"), explained.chain(files()));
}
