//! What was measured where a goal is missed, and what was tried. Instructions are counted by callgrind.

/// What is in a goal's name, and the reason; the first that fits counts.
pub(super) const REASONS: [(&str, &str); 25] = [
    (
        "godot-variant check",
        "the values take six times the file, as each has 32 bytes and a text of its name; the file and \
         the bytes that are written again stand beside them",
    ),
    (
        "o3de-json encode",
        "the JSON is 2.2 times the file: it, the copy that a document shares, and the bytes of the file are in \
         memory beside the values",
    ),
    (
        "LZ4",
        "the old and the new document are in memory beside the packed files, as no part of LZ4 changes alone",
    ),
    (
        "kiwi-pclass set",
        "values begin at bits, so that the file is read, changed and written as a whole",
    ),
    (
        "kiwi-pclass del",
        "values begin at bits, so that the file is read, changed and written as a whole",
    ),
    (
        "zeze, derive, mesh ser over code by hand",
        "code by hand takes 4.7 ms where it takes 10.3 in profile plain, and ours 5.9 where it takes 6.8: each \
         number is compared with zero",
    ),
    (
        "godot-variant, mesh, ser",
        "it stores 41.5 MB to 13.1: 10 000 triangles, whose output stays in the cache, take half of \
         rmp-serde's time (37 ns each to 72), and of 125 000, which take 67 to 86 ns each, a loop that \
         only appends as many bytes in as many pieces takes 37 to 67. Larger pieces and a block that is \
         copied as a whole took as long there",
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
        "94 million instructions for mesh to 108 of the peer, but 23.0 MB to 13.1, as keys are in each \
         document: while the output stays in the cache it takes 0.6 of the peer's time (45 ns for each \
         triangle to 75), and of 125 000 triangles 0.8 to 1.2, by where the pages of the output stand",
    ),
    (
        "zeze-serialize, mesh",
        "106 million instructions to 97 of the peer, whose own time was 5.9 to 10.0 ms in builds of one \
         hour, where ours was 6.7 to 8.1: each number is compared with zero, and each point has an end",
    ),
    (
        "zeze-serialize",
        "56 million instructions to 36 of the peer on mk48, whose own time was 3.5 to 5.4 ms in builds of \
         one hour, where ours was 4.1 to 4.5: ids are compared, and zeros left out. Tried: \
         no branch on a number, lists and tuples that are not moved when they end",
    ),
    (
        "kiwi-pclass, mesh",
        "200 million instructions to 48: each object has the hash of its class, and each field is \
         compared with the property that is expected, where the peer has the numbers alone",
    ),
    (
        "kiwi-pclass",
        "78 million instructions to 36 of the peer on mk48, whose own time was 3.5 to 5.4 ms in builds of \
         one hour, where ours was 5.3 to 6.1: each value is compared with its property",
    ),
    (
        "o3de-json",
        "303 million instructions to 314 of the peer on mk48 (de), but floats have the digits of a \
         double: 5 % more bytes. No single place takes more than a tenth of the time",
    ),
    ("zeze, 200 000 beans, skip", "the place of each tag depends on the one before it"),
    ("zeze, 200 000 beans", "a tag for each field and an end, where the peer has values alone"),
    (
        "items shallow, structs ser",
        "157 million instructions to 67 of the peer: 132 001 objects have the hash of their class each, \
         and 13 fields are compared with properties",
    ),
    (
        "items shallow, structs de",
        "398 million instructions to 261 of the peer: the class of each object is looked up by its hash",
    ),
    (
        "kiwi, `Vec<bool>`",
        "serde gives and takes one element at a time; `Value` reads them by words",
    ),
    (
        "o3de, NewStarbase typed",
        "60 million instructions to 52 of the peer: 14 % of the time is white space, in which \
         comments are looked for, and 10 % the search for members in text that is not compact",
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
