//! How a scene, a resource or a project file of Godot is distinguished from other files.

use std::path::Path;

use super::Facts;

pub(super) const FACTS: Facts = Facts {
    name: "Godot scene or resource",
    crate_name: "godot-resource",
    extensions: &["tscn", "tres", "escn", "scn", "godot", "gdextension"],
    // Binary files, plain and compressed.
    magic: &[b"RSRC", b"RSCC"],
    is_sure,
    is_named,
};

/// Whether it is a text with tags.
fn is_sure(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    [&b"[gd_scene"[..], b"[gd_resource"].iter().any(|tag| text.starts_with(tag))
}

/// Whether it is a file of settings that the engine writes.
fn is_named(path: &Path, _: &[u8]) -> bool {
    let name = path.file_name().and_then(|own| own.to_str()).unwrap_or_default();
    name.ends_with(".import") || name.ends_with(".remap")
}
