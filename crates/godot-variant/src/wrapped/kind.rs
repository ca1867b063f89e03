//! Kinds of the engine's files, by their first bytes.

use std::fmt;

/// Sorts of the engine's files that begin with their name.
///
/// ```
/// use godot_variant::wrapped::FileKind;
///
/// let kind = FileKind::of(b"RSRC\0\0\0\0").unwrap();
/// assert_eq!(kind.to_string(), "a Godot resource (binary, RSRC), which ResourceLoader opens");
/// assert!(!kind.is_read());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// `GCPF`: a file of `FileAccess.open_compressed`.
    Compressed,
    /// `GDEC`: a file of `FileAccess.open_encrypted` or `open_encrypted_with_pass`.
    Encrypted,
    /// `ECFG`: a `project.binary`; see [`project`](crate::project).
    ProjectSettings,
    /// `RSRC`: a `.res`, `.scn` or other binary resource, with another encoding of variants.
    Resource,
    /// `RSCC`: a compressed binary resource.
    CompressedResource,
    /// `GDPC`: a `.pck`, which holds the files of a project.
    Pack,
    /// Text that begins with `[gd_resource`: a `.tres`.
    TextResource,
    /// Text that begins with `[gd_scene`: a `.tscn`.
    TextScene,
    /// Other text with sections, as of `ConfigFile`: a `.cfg`, `.import` or `project.godot`.
    ConfigText,
}

impl FileKind {
    /// The kind by the first bytes; `None` for variants, frames and foreign data.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [b'G', b'C', b'P', b'F', ..] => Some(FileKind::Compressed),
            [b'G', b'D', b'E', b'C', ..] => Some(FileKind::Encrypted),
            [b'E', b'C', b'F', b'G', ..] => Some(FileKind::ProjectSettings),
            [b'R', b'S', b'R', b'C', ..] => Some(FileKind::Resource),
            [b'R', b'S', b'C', b'C', ..] => Some(FileKind::CompressedResource),
            [b'G', b'D', b'P', b'C', ..] => Some(FileKind::Pack),
            _ => text(bytes),
        }
    }

    /// Whether this crate reads it. `Encrypted` and `Compressed` take their features.
    pub fn is_read(self) -> bool {
        match self {
            FileKind::Compressed => cfg!(feature = "gcpf"),
            FileKind::Encrypted => cfg!(feature = "gdec"),
            other => other == FileKind::ProjectSettings,
        }
    }

    /// The class or function that opens it.
    fn opener(self) -> &'static str {
        match self {
            FileKind::Compressed => "wrapped::Compressed opens with the feature gcpf",
            FileKind::Encrypted => "wrapped::Encrypted opens with the feature gdec",
            FileKind::ProjectSettings => "project::ProjectSettings reads",
            FileKind::Resource
            | FileKind::CompressedResource
            | FileKind::TextResource
            | FileKind::TextScene => "ResourceLoader opens",
            FileKind::Pack => "ProjectSettings.load_resource_pack opens",
            FileKind::ConfigText => "ConfigFile reads",
        }
    }

    /// The name without the class that opens it: `a Godot resource (binary, RSRC)`.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Compressed => "a compressed file (GCPF)",
            FileKind::Encrypted => "an encrypted file (GDEC)",
            FileKind::ProjectSettings => "a project.binary (ECFG)",
            FileKind::Resource => "a Godot resource (binary, RSRC)",
            FileKind::CompressedResource => "a Godot resource (binary and compressed, RSCC)",
            FileKind::Pack => "a Godot pack of files (.pck, GDPC)",
            FileKind::TextResource => "a Godot resource (text, .tres)",
            FileKind::TextScene => "a Godot scene (text, .tscn)",
            FileKind::ConfigText => "a Godot configuration (text, .cfg)",
        }
    }
}

impl fmt::Display for FileKind {
    /// The name, and the class that opens it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, which {}", self.name(), self.opener())
    }
}

/// Text with a section at its start, after comments and empty lines.
fn text(bytes: &[u8]) -> Option<FileKind> {
    const LINES: usize = 64;
    const LONGEST: usize = 256;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut lines = bytes.splitn(LINES.saturating_add(1), |&byte| byte == b'\n').take(LINES);
    let first = lines.find(|line| {
        let line = line.trim_ascii();
        !line.is_empty() && !line.starts_with(b";")
    })?;
    let line = first.get(..LONGEST.min(first.len()))?.trim_ascii();
    let section = line.strip_prefix(b"[")?;
    if section.starts_with(b"gd_resource") {
        Some(FileKind::TextResource)
    } else if section.starts_with(b"gd_scene") {
        Some(FileKind::TextScene)
    } else {
        // A section has a name and nothing after its bracket. `["a", 1]` is JSON.
        let name = section.strip_suffix(b"]")?;
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./ ".contains(byte);
        let begins = name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        (begins && name.iter().all(is_name) && !matches!(name, b"null" | b"true" | b"false"))
            .then_some(FileKind::ConfigText)
    }
}
