// The save of the README is a `.brson`.
#![cfg_attr(feature = "brotli", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "brotli"), doc = "What is in saves of Resonite and NeosVR.")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod error;
#[cfg(feature = "gltf")]
mod glb;
pub mod mesh;
pub mod model;
#[cfg(feature = "package")]
#[cfg_attr(docsrs, doc(cfg(feature = "package")))]
pub mod package;

pub use model::SavedObject;
pub use resonite_brson::{Error, ErrorKind, Options, Result, Value};
