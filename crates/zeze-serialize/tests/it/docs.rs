//! Annotated examples for the description of Zeze's format, as `explain` prints them.

use gamewire_testkit::docs::assert_examples;
use gamewire_testkit::vectors::from_hex;
use zeze_serialize::frame::Framing;
use zeze_serialize::{Explanation, explain};

/// What an example shows, how it is explained, and the bytes.
type Example = (&'static str, fn(&[u8]) -> Explanation, &'static str);

const EXAMPLES: &[Example] = &[
    (
        "`{1: 7, 3: \"hi\", 18: -0.5f}`: a step of 15 needs a second byte",
        explain,
        "10 07 23 02 6869 f1 00 000000bf 00",
    ),
    (
        "Integers of 1, 2, 3 and 9 bytes",
        explain,
        "10 c0 10 4040 10 9fdfff 10 800000000000000000 00",
    ),
    (
        "A list of three integers, and a map of integers to text",
        explain,
        "14 30 01 00 ff 15 03 02 01 01 61 02 00 00",
    ),
    (
        "A bean in a bean, and a list of two beans, the second empty",
        explain,
        "16 10 05 00 14 26 10 01 00 00 00",
    ),
    ("A dynamic bean with the type id 77", explain, "17 404d 1301 61 00 00"),
    (
        "`vector3`, `vector2int` and `quaternion`",
        explain,
        "1a 0000803f 00000040 000040c0 19 01 ff 1c 00000000 00000000 00000000 0000803f 00",
    ),
    ("A derived bean", explain, "10 01 01 10 02 01 10 03 13 01 6e 00"),
    (
        "A call of an rpc, as it is sent",
        |bytes| Framing::new().explain(bytes),
        "07000000 38e6630b 09000000 01 2a 13 04 c3857361 00",
    ),
    (
        "The answer with a result code",
        |bytes| Framing::new().explain(bytes),
        "07000000 38e6630b 04000000 20 fd 2a 00",
    ),
];

#[test]
fn examples_are_what_explain_prints() {
    let explained = EXAMPLES.iter().map(|(title, explained, hex)| {
        let bytes = from_hex(&hex.replace(' ', "")).unwrap();
        (*title, explained(&bytes).to_text())
    });
    assert_examples(env!("CARGO_MANIFEST_DIR"), explained);
}
