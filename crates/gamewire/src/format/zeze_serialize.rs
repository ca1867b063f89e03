//! How frames of Zeze are distinguished from other files. Beans alone have no mark: almost any short run of
//! bytes that ends in a zero is one.

use serde_core::de::IgnoredAny;
use zeze_serialize::Options;
use zeze_serialize::frame::Framing;

use super::Facts;

pub(super) const FACTS: Facts = Facts {
    name: "Zeze",
    crate_name: "zeze-serialize",
    // Frames are sent, and beans kept in databases: neither is a file by itself.
    extensions: &[],
    magic: &[],
    is_sure,
    is_named: |_, _| false,
};

/// Deeper than anyone nests beans, and no deeper than 2 MiB of memory can follow.
const MAX_DEPTH: usize = 1 << 16;

/// Whether the input is frames from end to end, of implementations or of the page, each filled by
/// one bean.
fn is_sure(bytes: &[u8]) -> bool {
    is_stream(bytes, Framing::new()) || is_stream(bytes, Framing::without_family())
}

/// Data beyond a limit of size is of the format all the same.
fn is_stream(bytes: &[u8], framing: Framing) -> bool {
    let options = Options::new().max_depth(MAX_DEPTH).strict(true);
    let framing = framing.max_size(usize::MAX).options(options);
    let mut rest = bytes;
    while !rest.is_empty() {
        match framing.split(rest) {
            // Strict: nothing is left behind the bean.
            Ok((frame, after)) if frame.read::<IgnoredAny>().is_ok() => rest = after,
            _ => return false,
        }
    }
    !bytes.is_empty()
}
