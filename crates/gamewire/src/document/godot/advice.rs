//! Advice for a file of no known format.

use godot_variant::wrapped::Compression;
use godot_variant::{Dialect, Options, frame};

use super::{json, salvage};
use crate::Format;
use crate::document;
use crate::document::error::{Error, Hint};
use crate::document::salvage::TRIED;

/// Says what to try, if the bytes tell.
pub(super) fn advice(bytes: &[u8]) -> Option<Error> {
    let options = Options::new().allow_objects(true).max_alloc(bytes.len());
    let framing = frame::Framing::new().options(options);
    let reads = |own: &[u8]| [Dialect::Godot4, Dialect::Godot3].into_iter().any(|by| by.reads(own));
    if framing.split(bytes).is_ok_and(|(own, rest)| own.len() > 8 && !rest.is_empty() && reads(own))
    {
        let text = "not recognized as any format, but begins with a value of store_var";
        return Some(Error::new(text).with_hint(Hint::Framing("mixed")));
    }
    if Compression::FastLz.decompress(bytes, 1 << 24).is_ok_and(|own| is_known(&own)) {
        let text = "not recognized as any format, but a stream of FastLZ with values of Godot";
        return Some(Error::new(text).with_hint(Hint::Stream("fastlz")));
    }
    if let Some(head) = skipped(bytes) {
        let text =
            format!("not recognized as any format, but values of Godot from byte {head:#x} on");
        return Some(Error::new(text).with_hint(Hint::Skip(head.to_string())));
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Some(Error::new(
            "a ZIP archive, as of ZIPPacker; unpack it, and open the files in it",
        ));
    }
    let mut seen = [0_usize; 256];
    for byte in bytes.iter().take(1 << 12) {
        if let Some(count) = seen.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let distinct = seen.iter().filter(|count| **count > 0).count();
    // Of random bytes, nearly half are others than those before them even in the shortest.
    let is_noise = bytes.len() >= 32 && distinct * 2 >= bytes.len().min(256);
    let is_text = bytes.iter().all(|byte| *byte >= b' ' || byte.is_ascii_whitespace());
    let start = bytes.trim_ascii_start();
    if is_text
        && (start.starts_with(b"{") || start.starts_with(b"["))
        && let Err(why) = json::style_of(bytes, usize::MAX)
    {
        let message = format!("not recognized as any format; as JSON: {}", why.message());
        return Some(Error { message, ..why }.with_hint(Hint::Format));
    }
    (bytes.len().is_multiple_of(16) && is_noise && !is_text).then(|| {
        let blocks = bytes.len() / 16;
        let text = format!(
            "not recognized as any format; {blocks} blocks of 16 bytes without a head: it looks encrypted by the game \
             itself (AESContext), which only its own code opens"
        );
        Error::new(text).with_hint(Hint::Format)
    })
}

fn is_known(bytes: &[u8]) -> bool {
    document::detect(bytes, None, true) == Some(Format::GodotVariant)
}

/// How many bytes stand before values that reach to the end.
fn skipped(bytes: &[u8]) -> Option<usize> {
    const FAR: usize = 1 << 16;
    // Each place may read all the rest.
    let most = (TRIED / bytes.len().max(1)).clamp(8, 64);
    let rest = |at: &usize| bytes.get(*at..).unwrap_or_default();
    let all = || 1..bytes.len().min(FAR);
    let is_value = |at: &usize| crate::detect(rest(at), None) == Some(Format::GodotVariant);
    let mut values = all().filter(|at| salvage::begins(rest(at))).take(most);
    let mut texts = all().filter(|at| matches!(rest(at), [b'{' | b'[', ..])).take(most);
    let mut streams = all().filter(|at| Compression::of_stream(rest(at)).is_some()).take(most);
    // Bytes do not unpack by chance.
    let stream = streams.find(|at| is_known(rest(at)));
    let value = stream.or_else(|| values.find(is_value));
    value.or_else(|| texts.find(|at| json::is_json(rest(at))))
}
