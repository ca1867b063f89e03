//! How a file of PropertyClass objects is detected: by the magic of binary files and of archives, or by
//! the outermost elements of the debug form; files without a mark that the games have, by their names. Network
//! blobs have no mark.

use std::path::Path;

use kiwi_pclass::archive::is_bare_object;

use super::Facts;

pub(super) const FACTS: Facts = Facts {
    name: "KingsIsle PropertyClass",
    crate_name: "kiwi-pclass",
    // Files of both forms are called `.xml`, as many others are.
    extensions: &[],
    magic: &[b"BINd", b"KIWAD"],
    is_sure,
    is_named,
};

/// Whether it is called as the games call an object without a magic, and has a whole one's size: in bits, after the
/// hash of the class. Other games have files of these names.
fn is_named(path: &Path, bytes: &[u8]) -> bool {
    let size = bytes.get(4..).and_then(<[u8]>::first_chunk);
    let size = size.map(|size| u64::from(u32::from_le_bytes(*size)).div_ceil(8));
    path.to_str().is_some_and(is_bare_object)
        && size.is_some_and(|size| size.saturating_add(4) == bytes.len() as u64)
}

/// Whether the text begins with `<Objects>` and a `<Class Name=` in it, whatever XML allows around.
fn is_sure(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let inside = after_misc(text).strip_prefix(b"<Objects>").map(after_misc);
    let class = inside.and_then(|inside| inside.strip_prefix(b"<Class"));
    class.is_some_and(|rest| {
        rest.trim_ascii_start().starts_with(b"Name") && !rest.starts_with(b"Name")
    })
}

/// The text after white space, comments and processing instructions.
fn after_misc(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'?', ..] => b"?>",
            _ => return rest,
        };
        let Some(at) = rest.windows(end.len()).position(|window| window == end) else {
            return &[];
        };
        rest = rest.get(at.saturating_add(end.len())..).unwrap_or_default().trim_ascii_start();
    }
}
