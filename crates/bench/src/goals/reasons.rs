//! The measurements where a goal is missed. Instructions are counted by callgrind.

/// A part of a goal's name, and the reason; the first that fits counts.
pub(super) const REASONS: [(&str, &str); 20] = [
    ("zeze mesh, ser", "numbers are compared with zero"),
    ("godot-variant, mesh, ser", "it stores 41.5 MB to 13.1; in the cache it takes half the time"),
    ("godot-variant, mk48, ser", "it stores 15.6 MB to 5.9"),
    ("godot-variant", "each value has a header of four bytes: two to three times the bytes"),
    ("resonite-brson", "it stores 23.0 MB to 13.1; in the cache it takes 0.6 of the time"),
    ("zeze-serialize, mesh", "numbers are compared with zero"),
    ("zeze-serialize", "ids are compared, zeros left out"),
    ("kiwi-pclass, mesh", "objects have hashes, fields are compared with properties"),
    ("kiwi-pclass", "values are compared with properties"),
    ("o3de-json", "floats have the digits of doubles"),
    ("zeze beans, skip", "the place of each tag depends on the one before it"),
    ("zeze beans", "each field has a tag, each bean an end"),
    ("kiwi items, ser", "objects have hashes, fields are compared with properties"),
    ("kiwi items, de", "classes are looked up by hash"),
    ("kiwi bit fields", "serde passes one element at a time"),
    ("o3de NewStarbase", "white space is searched for comments"),
    ("brson types", "half of it is `Value`s"),
    ("brson Value", "entries own their keys and texts"),
    ("godot dictionaries", "each dictionary has names: 3.5 times the bytes"),
    ("borrowed over owned", "only texts are borrowed"),
];
