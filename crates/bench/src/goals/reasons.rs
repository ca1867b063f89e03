//! What it would take to meet the goals that are missed.

/// What is in a goal's name, and what it would take; the first that fits counts.
pub(super) const REASONS: [(&str, &str); 26] = [
    (
        "godot-variant, minecraft_savedata",
        "a name is a key of four bytes of header and padding that is compared whole; it would take \
         fields that are told by the position where the writer puts them, before any comparison",
    ),
    (
        "godot-variant",
        "each value has a header of four bytes, so that there are two to three times the bytes of \
         the peer to pass; it would take reading several headers at once",
    ),
    (
        "resonite-brson",
        "documents have their length in front, which is written when they end, and arrays have \
         their positions as text; it would take a writer that knows the lengths of types ahead",
    ),
    (
        "zeze-serialize, mesh",
        "a point is a bean with a header for each number, and serde begins and ends a struct for \
         each; it would take a derive of the crate's own",
    ),
    (
        "zeze-serialize",
        "the fields of a bean come with ids, which are compared with those that serde has by name; \
         it would take the derive that is named at mesh",
    ),
    (
        "kiwi-pclass, mesh",
        "a struct of three numbers is begun and ended like any other object, which may be of another \
         class than its property says; it would take objects whose class is known to have no others \
         being written as a run of scalars",
    ),
    (
        "kiwi-pclass",
        "lists of few elements are begun and ended one by one, and each value is looked up in the \
         class at the position that is expected; it would take a plan for each type, made once, of \
         runs of scalars",
    ),
    (
        "o3de-json, mesh",
        "the engine prints and reads floats with the digits of a double, nine to seventeen; it \
         would take a printer and a reader for exactly this, several digits at a time",
    ),
    (
        "o3de-json",
        "any value may be text, absent or of another case of name, which is asked before it is read \
         as what it is; it would take a first try of the plain form for whole objects",
    ),
    ("zeze, derive", "see mesh of zeze-serialize above"),
    (
        "zeze, 200 000 beans, ser",
        "a header for each field and a byte at the end, where postcard has the values alone; it \
         would take the derive that is named at mesh",
    ),
    (
        "zeze, 200 000 beans, de",
        "headers are read and compared for each field, where postcard reads values alone; it would \
         take the derive that is named at mesh",
    ),
    (
        "zeze, 200 000 beans, skip",
        "each header is read in turn, because its length depends on it; it would take a table of \
         lengths by the first two bytes",
    ),
    (
        "kiwi, 120 000 items shallow, structs ser over Value",
        "a `Value` has its class and the order of its properties in it, and structs find theirs by \
         name once for each object; it would take the plan for each type that is named above",
    ),
    ("kiwi, 120 000 items shallow, structs de over Value", "see the line before it"),
    (
        "kiwi, 120 000 items shallow, structs ser over rmp-serde array",
        "pointers to items go the slow way through the class of the object, and short lists are \
         begun and ended; see the lines above",
    ),
    (
        "kiwi, 120 000 items shallow, structs de over rmp-serde array",
        "each object begins with the hash of its class, which is looked up; it would take \
         remembering the last class of each property while reading, as writing does",
    ),
    (
        "kiwi, `Vec<bool>`",
        "serde gives and takes one element at a time, through two calls of the crate; it would take \
         a type of the crate for lists of bits, which reads them by words",
    ),
    (
        "o3de, NewStarbase typed",
        "RapidJSON's tree is built without looking at what a text is for; it would take the passing \
         over of properties that no field asks for by words of 32 bytes, which safe Rust has no \
         stable way for",
    ),
    (
        "o3de, Document, parse",
        "names and values are owned and checked for repeated names, where the peer keeps views into \
         one block",
    ),
    (
        "brson, 48 MB as types, ser",
        "half of it is `Value`s inside of the types, which are written as such; the other half is \
         copying text, which the peer does too",
    ),
    ("brson, 48 MB as types, de", "half of it is `Value`s inside of the types; see below"),
    (
        "brson, 48 MB as Value, de",
        "each entry owns its key, and each text its bytes; it would take keys that are shared by all \
         documents of a tree",
    ),
    (
        "godot, 100 000 dictionaries, de",
        "a name is compared with the field that is expected, and then passed with its padding, \
         where the peer has no names at all; it is by the names that the data grows to three and a \
         half times the bytes",
    ),
    ("godot, 100 000 dictionaries, Value", "a `Value` owns its texts, and the peer's are views"),
    (
        "borrowed log",
        "the allocations of texts are all that differs, and the rest of the work takes longer than \
         they do; it would take that rest to be faster",
    ),
];
