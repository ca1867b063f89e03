//! Explanations: every bit of every space once, in text, JSON and page.

use gamewire_core::explain::{Explanation, Failure};
use godot_variant::explain::File;
use godot_variant::frame::Framing as GodotFraming;
use zeze_serialize::frame::Framing;

use crate::lot;

pub(crate) fn whole<E: Failure>(explanation: &Explanation<E>) {
    for (number, space) in explanation.spaces().iter().enumerate() {
        let mut at = 0;
        for span in explanation.spans_in(number) {
            assert_eq!(span.bit_range().start, at, "in {}", space.name());
            at = span.bit_range().end;
        }
        let all = space.bytes().len() as u64 * 8;
        assert!(at == all || explanation.unlisted() > 0, "{at} of {all} bits of {}", space.name());
    }
    let _ = explanation.to_text();
    let _ = explanation.to_html("fuzz");
    serde_json::to_string(explanation).expect("an explanation is JSON");
}

pub(crate) fn godot(data: &[u8]) {
    let choice = lot(data, 12);
    let dialect = [
        godot_variant::Dialect::Godot4,
        godot_variant::Dialect::Godot3,
        godot_variant::Dialect::Docs,
    ][choice % 3];
    let options = godot_variant::Options::new().dialect(dialect).allow_objects(choice & 1 != 0);
    whole(&options.explain(data));
    whole(&GodotFraming::new().big_endian(choice & 2 != 0).options(options).explain(data));
    whole(&File::settings(&godot_variant::Options::new()).explain(data));
}

pub(crate) fn o3de(data: &[u8]) {
    let options = o3de_json::Options::new();
    for commas in [false, true] {
        whole(&options.clone().trailing_commas(commas).explain(data));
    }
}

pub(crate) fn kiwi(data: &[u8], mut all: impl Iterator<Item = kiwi_pclass::Options>) {
    let chosen = all.nth(lot(data, 57));
    whole(&chosen.unwrap_or_default().explain(data));
}

pub(crate) fn zeze(data: &[u8]) {
    let choice = lot(data, 4);
    let options = zeze_serialize::Options::new().strict(choice & 1 != 0);
    whole(&options.explain(data));
    let framing = if choice & 2 == 0 { Framing::new() } else { Framing::without_family() };
    whole(&framing.options(options).explain(data));
}

pub(crate) fn brson(data: &[u8]) {
    let options = resonite_brson::Options::new().max_output(1 << 20).max_alloc(1 << 20);
    whole(&options.explain(data));
    whole(&resonite_save::package::explain(data, &options));
}
