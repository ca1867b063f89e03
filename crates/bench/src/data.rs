//! The data sets: shape, counts and distributions of djkoloski's rust_serialization_benchmark, so
//! that figures can be held against the published ones. Types, strings and generator are our own.
//!
//! Field names and their order are part of the shape, because self-describing formats write them;
//! they say what a field is, and it would only be said twice by a comment on each.
#![allow(missing_docs)]

use serde::{Deserialize, Serialize};

use crate::rng::SplitMix64;

/// Structs with their generators. The fields are made in their order, each by what stands after `=`,
/// in which the first name is the random numbers; further arguments stand in parentheses, and what is
/// made before the fields in brackets.
macro_rules! generated {
    ($rng:ident: $(
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(($($argument:ident: $given:ty),+))?
        $([$($first:pat = $made:expr),+ $(,)?])?
        { $($(#[$about:meta])* $field:ident: $type:ty = $make:expr,)+ }
    )+) => {$(
        #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
        $(#[$meta])*
        $vis struct $name {
            $($(#[$about])* pub $field: $type,)+
        }

        impl $name {
            fn generate($rng: &mut SplitMix64 $($(, $argument: $given)+)?) -> Self {
                $($(let $first = $made;)+)?
                Self { $($field: $make,)+ }
            }
        }
    )+};
}

/// Lists of what [`generated!`] makes, each as the only field of a struct.
macro_rules! lists {
    ($($name:ident { $field:ident: $item:ident })+) => {$(
        #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
        pub struct $name {
            pub $field: Vec<$item>,
        }

        impl $name {
            pub fn generate(seed: u64, count: usize) -> Self {
                Self { $field: SplitMix64::new(seed).list(count, $item::generate) }
            }
        }
    )+};
}

/// The four data sets in the published sizes; the types are those of the module.
macro_rules! data_sets {
    () => {
        #[derive(Debug)]
        pub struct DataSets {
            pub log: Logs,
            pub mesh: Mesh,
            pub minecraft_savedata: Players,
            pub mk48: Updates,
        }

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
    };
}

pub mod items;
/// `log`: requests in the manner of a web server's access log; short strings and small integers.
pub mod log;
/// `mesh`: triangles with normals, nothing but `f32`.
pub mod mesh;
/// `mk48`: what the server of a naval game sends its players; many small integers, lists of
/// booleans and of numbers, a few long runs of bytes.
pub mod mk48;
pub mod roles;
/// `minecraft_savedata`: player records of a save file; wide structs, options, lists of small
/// structs, strings, 64-bit numbers.
pub mod savedata;
pub mod units;

/// The types of all four data sets in one module. The compiler then puts their code into one unit,
/// where it inlines less than where each set has a module for itself.
#[allow(unused_imports)]
pub mod together {
    include!("data/log.rs");
    include!("data/mesh.rs");
    include!("data/savedata.rs");
    include!("data/mk48.rs");
    data_sets!();
}

pub use log::{Logs, LogsRef};
pub use mesh::Mesh;
pub use mk48::Updates;
pub use roles::{Field, Role, integers, roles};
pub use savedata::Players;
pub use units::{Unit, units};

data_sets!();

/// The names on the command line and in the tables, in the order of the tables.
pub const NAMES: [&str; 4] = ["log", "mesh", "minecraft_savedata", "mk48"];
