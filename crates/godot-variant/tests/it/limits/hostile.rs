//! Input that was made to do harm: the attacks that all formats share.

use gamewire_testkit::hostile::{Hostile, length_claims, nest, u32_le};
use serde::de::IgnoredAny;

use super::*;
use crate::cases::Case;

fn attack(mut hostile: Hostile<'_>) {
    for wrap in depth::wraps() {
        let bytes = nest(100_000, &hex(wrap.open), &hex("1c000000 00000000"), &hex(wrap.close));
        hostile.refused(wrap.name, &bytes);
    }
    for id in 0..39_u8 {
        // As a length or count, and as the second count of a path.
        hostile
            .cases("counts", length_claims(|n| Some([&[id, 0, 0, 0], &u32_le(n)?[..]].concat())));
        let typed = |n| Some([&hex("1c000100 02000000")[..], &u32_le(n)?, &[id, 0, 0, 0]].concat());
        hostile.cases("typed", length_claims(typed));
    }
    let path = |n| Some([&hex("16000000 01000080")[..], &u32_le(n)?, &[0; 8]].concat());
    hostile.cases("paths", length_claims(path));
    for name in ["every-type.hex", "object.hex", "read-otherwise.hex", "passed-over.hex"] {
        hostile.sample(name, &Case::load(name).bytes);
    }
    let many = |id: u8, n: usize, each: &[u8]| {
        [&[id, 0, 0, 0], &u32_le(n as u64).unwrap()[..], &each.repeat(n)].concat()
    };
    hostile.linear("nils", 1000, |n| many(28, n, &[0; 4]));
    hostile.linear("equal keys", 1000, |n| many(27, n, &[0; 8]));
    hostile.linear("packed strings", 1000, |n| many(34, n, &hex("01000000 00000000")));
    hostile.random(3, 2000, 200);
    hostile.finish();
}

fn options() -> Options {
    Options::new().allow_objects(true)
}

#[test]
fn values() {
    attack(Hostile::new(|bytes| options().from_slice::<Value>(bytes)));
}

#[test]
fn skipped_values() {
    attack(Hostile::new(|bytes| options().from_slice::<IgnoredAny>(bytes)));
}

/// Values that pass through serde's buffers on their way.
#[test]
fn buffered_values() {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Buffered {
        Any(#[allow(dead_code, reason = "only read")] Value),
    }
    attack(Hostile::new(|bytes| options().from_slice::<Buffered>(bytes)));
}
