//! The data sets are the published ones in everything but the strings.

use gamewire_bench::Outcome;
use gamewire_bench::data::{DataSets, Logs};
use gamewire_bench::harness::Codec;
use gamewire_bench::peers::{Cbor, Json, MessagePackNamed, Postcard};
use serde::Serialize;

fn size<C: Codec>(value: &impl Serialize) -> Outcome<usize> {
    let mut out = Vec::new();
    C::encode(value, &mut out)?;
    Ok(out.len())
}

/// Figures of an earlier harness for JSON, MessagePack with names, CBOR and postcard; those of its
/// own data are within 2 % of the published ones.
#[test]
fn sizes_are_within_five_per_cent() -> Outcome<()> {
    let data = DataSets::generate();
    check("log", &data.log, [1_830_823, 1_378_167, 1_410_645, 728_161])?;
    check("mesh", &data.mesh, [26_191_642, 13_125_016, 13_125_016, 6_000_003])?;
    let savedata = [1_653_257, 1_115_805, 1_128_179, 372_770];
    check("minecraft_savedata", &data.minecraft_savedata, savedata)?;
    check("mk48", &data.mk48, [9_268_228, 5_871_216, 5_940_554, 1_284_825])
}

fn check(name: &str, value: &impl Serialize, expected: [usize; 4]) -> Outcome<()> {
    let sizes = [
        size::<Json>(value)?,
        size::<MessagePackNamed>(value)?,
        size::<Cbor>(value)?,
        size::<Postcard>(value)?,
    ];
    for (size, expected) in sizes.into_iter().zip(expected) {
        let ratio = size as f64 / expected as f64;
        println!("{name}: {size} for {expected}, {:+.1} %", (ratio - 1.0) * 100.0);
        assert!((0.95..1.05).contains(&ratio), "{name}: {size} bytes, expected {expected}");
    }
    Ok(())
}

#[test]
fn data_is_the_same_in_every_run() {
    assert_eq!(Logs::generate(11, 100), Logs::generate(11, 100));
    assert_ne!(Logs::generate(11, 100), Logs::generate(12, 100));
}
