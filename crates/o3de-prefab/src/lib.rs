#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod assets;
mod caption;
mod defaults;
mod expand;
mod graph;
mod imports;
mod lint;
mod migrate;
mod prefab;
mod project;
mod references;
mod registry;
mod rename;
mod strings;

pub use assets::Asset;
pub use caption::{Captions, caption};
pub use defaults::{Defaults, restore, set};
pub use expand::{Loader, Resolved};
pub use graph::{Graph, GraphFile, Link};
pub use imports::{Directive, Imports, Resolution};
pub use lint::{Finding, Rule, lint, lint_assets, lint_instances, remove};
pub use migrate::Recipe;
pub use prefab::{CONTAINER, Component, Entity, Instance, Prefab};
pub use project::{Project, Search};
pub use references::{Reference, ReferenceKind, references};
pub use registry::{Origin, Registry};
pub use rename::{Change, Changed, Rename, Renamed, Undecided, asset_guid};
