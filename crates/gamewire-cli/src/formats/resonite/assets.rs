//! Kinds of assets in a package, and the extensions that their files get.

use std::path::{Component, Path, PathBuf};

use gamewire::resonite_brson::container;
use gamewire::resonite_save::package::is_hash;

/// The kind of an asset, by its looks.
pub(super) struct Kind {
    /// The name in lists.
    pub(super) name: String,
    /// The extension of such files, if one is known.
    pub(super) extension: Option<&'static str>,
}

/// How files begin, what they are, and the extension of their names.
const KNOWN: [(&[u8], &str, &str); 23] = [
    (b"\x89PNG\r\n\x1a\n", "PNG", "png"),
    (b"\xff\xd8\xff", "JPEG", "jpg"),
    (b"GIF87a", "GIF", "gif"),
    (b"GIF89a", "GIF", "gif"),
    (b"II*\0", "TIFF", "tif"),
    (b"MM\0*", "TIFF", "tif"),
    (b"#?RADIANCE\n", "Radiance", "hdr"),
    (b"v/1\x01", "OpenEXR", "exr"),
    (b"DDS ", "DDS", "dds"),
    (b"OggS", "Ogg", "ogg"),
    (b"fLaC", "FLAC", "flac"),
    (b"ID3\x02", "MP3", "mp3"),
    (b"ID3\x03", "MP3", "mp3"),
    (b"ID3\x04", "MP3", "mp3"),
    (b"\x05MeshX", "MeshX", "meshx"),
    (b"\x05AnimX", "AnimX", "animx"),
    (b"glTF", "glTF", "glb"),
    (b"\0\x01\0\0", "TrueType", "ttf"),
    (b"OTTO", "OpenType", "otf"),
    (b"wOFF", "WOFF", "woff"),
    (b"wOF2", "WOFF2", "woff2"),
    (b"\x1aE\xdf\xa3", "Matroska", "mkv"),
    (b"%PDF-", "PDF", "pdf"),
];

impl Kind {
    pub(super) fn of(bytes: &[u8]) -> Kind {
        let known = |name: &str, extension| Kind { name: name.to_owned(), extension };
        if let Some((_, name, own)) = KNOWN.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
            return known(name, Some(*own));
        }
        match (bytes.get(..4), bytes.get(4..8), bytes.get(8..12)) {
            (Some(b"RIFF"), _, Some(b"WEBP")) => return known("WebP", Some("webp")),
            (Some(b"RIFF"), _, Some(b"WAVE")) => return known("WAVE", Some("wav")),
            (Some(b"RIFF"), ..) => return known("RIFF", None),
            (_, Some(b"ftyp"), _) => return known("MP4", Some("mp4")),
            _ => {}
        }
        match container::detect(bytes) {
            Ok(Some(head)) => {
                let container = head.container();
                Kind { name: format!("save ({container})"), extension: Some(container.extension()) }
            }
            // Last, because its mark is only eleven bits and what they rule out.
            _ if is_mpeg_audio(bytes) => known("MP3", Some("mp3")),
            _ => known("data", None),
        }
    }
}

/// Whether bytes begin as a frame of MPEG audio of layer 3 does: eleven bits that are set, and a version,
/// rate of bits and rate of samples that there are.
fn is_mpeg_audio(bytes: &[u8]) -> bool {
    let &[0xff, second, third, _, ..] = bytes else { return false };
    let (version, layer) = (second >> 3 & 3, second >> 1 & 3);
    let (bits, samples) = (third >> 4, third >> 2 & 3);
    second >> 5 == 7 && version != 1 && layer == 1 && !matches!(bits, 0 | 15) && samples != 3
}

/// The path of an asset's file with the extension of what it is. The paths of other entries stay, and
/// those of assets whose names could not be written as they are.
pub(crate) fn with_extension(path: PathBuf, bytes: &[u8]) -> PathBuf {
    match path.to_str().and_then(|text| text.strip_prefix("Assets/")) {
        Some(name) if is_hash(name) => match Kind::of(bytes).extension {
            Some(extension) => path.with_extension(extension),
            None => path,
        },
        _ => path,
    }
}

/// The path of an asset's file without its extension, whatever that is; `None` if this is not one.
pub(super) fn without_extension(path: &Path) -> Option<PathBuf> {
    let mut parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => part.to_str(),
        _ => None,
    });
    let (folder, file) = (parts.next()?, parts.next()?);
    let (hash, extension) = file.split_once('.')?;
    let is_extension =
        !extension.is_empty() && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_asset = folder == "Assets" && parts.next().is_none() && is_hash(hash);
    (is_asset && is_extension).then(|| Path::new(folder).join(hash))
}
