//! Source made from `*Messages.xml`, and the generated types at work.

use gamewire_gen::dml;
use kiwi_dml::{Protocol, Protocols};

use crate::{must_be_formatted, must_be_fresh, testdata};

fn protocols() -> Protocols {
    let mut protocols = Protocols::default();
    for name in ["GardenMessages.xml", "GateMessages.xml"] {
        let xml = std::fs::read(testdata("kiwi-dml/messages").join(name)).unwrap();
        protocols.add(Protocol::from_xml(&xml).unwrap()).unwrap();
    }
    protocols
}

/// `GAMEWIRE_GENERATED=write` writes the module again.
#[test]
fn the_generated_module_is_fresh() {
    let file = testdata("kiwi-dml/messages.rs");
    must_be_fresh(&file, &dml::generate(&protocols()));
    must_be_formatted(&file, "2024");
}
