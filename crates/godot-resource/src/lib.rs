#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod align;
mod binary;
mod contents;
mod faults;
mod lint;
mod options;
mod project;
mod refactor;
mod scene;
mod text;
mod tiles;
mod typed;
mod uid;

pub use align::{Aligned, align, differing};
pub use binary::{Binary, BinaryResource};
pub use contents::{Contents, Converted, External, Loss, Properties, Resource};
pub use faults::Fault;
#[cfg(feature = "explain")]
#[cfg_attr(docsrs, doc(cfg(feature = "explain")))]
pub use godot_variant::explain::Explanation;
pub use godot_variant::value::Reference;
pub use godot_variant::{Dialect, Error, ErrorKind, Result, Value};
pub use lint::{Finding, Rule, fix, lint};
pub use options::Options;
pub use project::Project;
pub use refactor::{Change, Renamed, rename_node};
pub use scene::{Connection, Node, Scene};
pub use text::{Outline, Section, Text};
pub use uid::Uid;

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

/// Reads a Rust type from a file of either form.
///
/// A resource is a struct of its properties; resources in the file are structs where they are referred to, and
/// other files are their paths. A scene is a map of nodes by their paths from the root, which is `.`.
///
/// # Errors
/// As [`Contents::open`]; data that does not fit `T`; a limit.
///
/// # Example
/// ```
/// #[derive(serde::Deserialize)]
/// struct Save { level: i64, hero: Hero }
/// #[derive(serde::Deserialize)]
/// struct Hero { name: String, script: String }
///
/// let text = "[gd_resource type=\"Resource\" format=3]\n
/// [ext_resource type=\"Script\" path=\"res://hero.gd\" id=\"1_a\"]\n
/// [sub_resource type=\"Resource\" id=\"Resource_b\"]
/// script = ExtResource(\"1_a\")
/// name = \"Åsa\"\n
/// [resource]
/// level = 7
/// hero = SubResource(\"Resource_b\")\n";
/// let save: Save = godot_resource::from_slice(text.as_bytes())?;
/// assert_eq!((save.level, &*save.hero.name, &*save.hero.script), (7, "Åsa", "res://hero.gd"));
/// # Ok::<(), godot_resource::Error>(())
/// ```
pub fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    Options::new().from_slice(bytes)
}

/// Reads a Rust type from text.
///
/// # Errors
/// As [`from_slice`].
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T> {
    Options::new().from_str(text)
}

/// Writes a struct or map as the text of a resource of the class `Resource`. What has another class, a script
/// or resources inside is made with [`Contents`], or changed in a [`Text`] or [`Binary`].
///
/// # Errors
/// Anything but a struct or map; a value that text cannot say.
///
/// # Example
/// ```
/// #[derive(serde::Serialize)]
/// struct Save { level: i64 }
///
/// let text = godot_resource::to_string(&Save { level: 7 })?;
/// assert_eq!(text, "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nlevel = 7\n");
/// # Ok::<(), godot_resource::Error>(())
/// ```
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    Options::new().to_string(value)
}

/// Writes a struct or map as the binary form of a resource; see [`to_string`].
///
/// # Errors
/// Anything but a struct or map; a value that the form cannot hold.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    Options::new().to_vec(value)
}

/// Says what every byte of a binary file means; never fails, see [`Explanation::error`].
#[cfg(feature = "explain")]
#[cfg_attr(docsrs, doc(cfg(feature = "explain")))]
pub fn explain(bytes: &[u8]) -> Explanation {
    Options::new().explain(bytes)
}
