#![cfg_attr(all(feature = "document", feature = "godot-variant"), doc = include_str!("../README.md"))]
#![cfg_attr(
    not(all(feature = "document", feature = "godot-variant")),
    doc = "Serialization formats of game engines and online games, under one feature each."
)]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

// Without a format there is nothing to open.
#[cfg(all(
    feature = "document",
    any(
        feature = "godot-variant",
        feature = "kiwi-pclass",
        feature = "o3de-prefab",
        feature = "resonite-save",
        feature = "zeze-serialize"
    )
))]
#[cfg_attr(
    not(feature = "all"),
    allow(dead_code, unused_imports, unused_macros, reason = "what only some of the formats use")
)]
#[allow(
    clippy::arithmetic_side_effects,
    reason = "positions and counts of what is held in memory; the crates of the formats do the decoding"
)]
pub mod document;
mod format;

#[cfg(all(
    feature = "document",
    any(
        feature = "godot-variant",
        feature = "kiwi-pclass",
        feature = "o3de-prefab",
        feature = "resonite-save",
        feature = "zeze-serialize"
    )
))]
pub use document::{Document, Settings};
pub use format::{Format, UnknownFormat, detect};

#[cfg(feature = "explain")]
pub use gamewire_core::explain;
#[cfg(feature = "godot-multiplayer")]
pub use godot_multiplayer;
#[cfg(feature = "godot-resource")]
pub use godot_resource;
#[cfg(feature = "godot-variant")]
pub use godot_variant;
#[cfg(feature = "kiwi-dml")]
pub use kiwi_dml;
#[cfg(feature = "kiwi-pclass")]
pub use kiwi_pclass;
#[cfg(feature = "o3de-json")]
pub use o3de_json;
#[cfg(feature = "o3de-prefab")]
pub use o3de_prefab;
#[cfg(feature = "resonite-brson")]
pub use resonite_brson;
#[cfg(feature = "resonite-save")]
pub use resonite_save;
#[cfg(feature = "zeze-net")]
pub use zeze_net;
#[cfg(feature = "zeze-serialize")]
pub use zeze_serialize;
