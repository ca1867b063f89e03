//! The groups of tables that the command line names.

pub mod borrowed;
#[cfg(feature = "resonite")]
pub mod brson;
pub mod level;
pub mod packed;
pub mod peers;
pub mod units;
pub mod value;
pub mod zeze;

use clap::ValueEnum;

use crate::Outcome;
use crate::data::DataSets;
use crate::harness::Plan;
use crate::table::Table;

/// A group of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Group {
    /// Every format on the four data sets, into structs.
    Peers,
    /// Every format that has one, into its dynamic value type.
    Value,
    /// `log` with strings that borrow from the input, beside owned ones.
    Borrowed,
    /// What godot-variant is for: an Array of objects, and packed arrays beside memcpy.
    Godot,
    /// What zeze-serialize is for: a list of integers, and small beans.
    Zeze,
    /// What kiwi-pclass is for: a list of objects in both modes, and bit fields.
    Pclass,
    /// What o3de-json is for: a level of 3 MB, where the folder `../shared/realdata` has it.
    O3de,
    /// What resonite-brson is for: a whole save, as types, as values, and behind its codecs.
    #[cfg(feature = "resonite")]
    Brson,
}

/// What to run and on what.
#[derive(Debug)]
pub struct Task {
    /// How long to repeat.
    pub plan: Plan,
    /// The names of the data sets to run on; `borrowed` and the groups of one format have their own.
    pub sets: Vec<String>,
    /// The data.
    pub data: DataSets,
}

impl Task {
    /// Whether the data set of this name is wanted.
    pub fn wants(&self, set: &str) -> bool {
        self.sets.is_empty() || self.sets.iter().any(|name| name == set)
    }

    /// Measures one group.
    pub fn run(&self, group: Group) -> Outcome<Vec<Table>> {
        match group {
            Group::Peers => peers::tables(self),
            Group::Value => value::tables(self),
            Group::Borrowed => Ok(vec![borrowed::table(self)?]),
            Group::Godot => {
                let mut tables = vec![units::table(self)?];
                tables.extend(packed::tables(self)?);
                Ok(tables)
            }
            Group::Zeze => zeze::tables(self),
            Group::Pclass => crate::ours::pclass(&self.plan),
            Group::O3de => level::tables(self),
            #[cfg(feature = "resonite")]
            Group::Brson => brson::tables(self),
        }
    }
}
