//! The data sets: shape, counts and distributions of djkoloski's rust_serialization_benchmark, so
//! that figures can be held against the published ones. Types, strings and generator are our own.
//!
//! Field names and their order are part of the shape, because self-describing formats write them;
//! they say what a field is, and it would only be said twice by a comment on each.
#![allow(missing_docs)]

pub mod log;
pub mod mesh;
pub mod mk48;
pub mod roles;
pub mod savedata;
pub mod units;

pub use log::{Logs, LogsRef};
pub use mesh::Mesh;
pub use mk48::Updates;
pub use roles::{Field, Role, integers, roles};
pub use savedata::Players;
pub use units::{Unit, units};

/// The four data sets in the published sizes.
#[derive(Debug)]
pub struct DataSets {
    pub log: Logs,
    pub mesh: Mesh,
    pub minecraft_savedata: Players,
    pub mk48: Updates,
}

/// The names on the command line and in the tables, in the order of the tables.
pub const NAMES: [&str; 4] = ["log", "mesh", "minecraft_savedata", "mk48"];

impl DataSets {
    /// Generates all four; under half a second in release.
    pub fn generate() -> Self {
        Self {
            log: Logs::generate(11, 10_000),
            mesh: Mesh::generate(12, 125_000),
            minecraft_savedata: Players::generate(13, 500),
            mk48: Updates::generate(14, 1_000),
        }
    }
}
