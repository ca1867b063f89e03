//! What was measured where a goal is missed, and what was tried. Instructions are counted by callgrind.

/// What is in a goal's name, and the reason; the first that fits counts.
pub(super) const REASONS: [(&str, &str); 21] = [
    (
        "godot-variant, mesh, ser",
        "it takes fewer instructions than the peer (106 million to 108), but stores 41.5 MB to 13.1, and \
         a plain copy of as many bytes takes half of its time",
    ),
    (
        "godot-variant, mk48, ser",
        "it takes 37 million instructions to 63 of rmp-serde, but stores 15.6 MB to 5.9",
    ),
    (
        "godot-variant",
        "each value has a header of four bytes: two to three times the bytes to pass",
    ),
    (
        "resonite-brson",
        "keys are in each document, and its length is put in front when it ends: 91 million \
         instructions for mesh to 108 of the peer, but 23.0 MB to 13.1",
    ),
    (
        "zeze-serialize, mesh",
        "240 instructions for a point, which is a bean with a tag for each number and an end; tags and \
         beans are inlined, and a slot is one word, so no word goes through memory",
    ),
    (
        "zeze-serialize",
        "30 to 40 % more instructions than the peer: ids are compared, zeros left out, limits checked. \
         Integers by a table, tuples without a copy and smaller inlined readers took 8 % off mk48",
    ),
    (
        "kiwi-pclass, mesh",
        "187 million instructions to 55: each object has the hash of its class, and each field is \
         compared with the property that is expected, where the peer has the numbers alone",
    ),
    (
        "kiwi-pclass",
        "76 % more instructions than the peer on mk48: each value is looked up in its class",
    ),
    (
        "o3de-json",
        "7 % fewer instructions than the peer, but floats have the digits of a double, so there are 3 to \
         5 % more bytes, and digits wait for one another; they are made eight at a time, in registers",
    ),
    (
        "zeze, 200 000 beans, ser",
        "a tag for each field and an end, where postcard has values alone",
    ),
    ("zeze, 200 000 beans, de", "a tag for each field and an end, where postcard has values alone"),
    ("zeze, 200 000 beans, skip", "the place of each tag depends on the one before it"),
    (
        "items shallow, structs ser",
        "pointers to items go through the class of the object, and short lists are begun and ended",
    ),
    (
        "items shallow, structs de",
        "each object begins with the hash of its class, which is looked up",
    ),
    (
        "kiwi, `Vec<bool>`",
        "serde gives and takes one element at a time; `Value` reads them by words",
    ),
    (
        "o3de, NewStarbase typed",
        "the goal is the time of RapidJSON's tree, which is built without looking at what a text is for",
    ),
    (
        "o3de, Document, parse",
        "names and values are owned, and checked for repeated names; the peer keeps views into one block",
    ),
    ("brson, 11 MB as types", "half of it is `Value`s inside of the types, whose texts are copied"),
    ("brson, 11 MB as Value", "each entry owns its key, and each text its bytes"),
    (
        "godot, 100 000 dictionaries",
        "names are compared and passed with their padding: three and a half times the bytes of the peer, \
         which has no names",
    ),
    (
        "borrowed log",
        "the allocations of texts are all that differs, and the rest takes longer than they do",
    ),
];
