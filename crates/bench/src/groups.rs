//! The groups of tables that the command line names.

pub mod borrowed;
pub mod brson;
pub mod build;
pub mod by_hand;
pub mod growth;
pub mod level;
pub mod packed;
pub mod pclass;
pub mod peers;
pub mod units;
pub mod value;
pub mod zeze;

use clap::ValueEnum;

use crate::Outcome;
use crate::table::Table;
use crate::task::Task;

/// A group of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Group {
    /// The program `gamewire`, where --tool names it, on files of up to 256 MB. It comes first, because the
    /// system counts the memory that this program needed before as that of the other.
    Growth,
    /// Every format on the four data sets, into structs.
    Peers,
    /// Every format that has one, into its dynamic value type.
    Value,
    /// `log` with strings that borrow from the input, beside owned ones.
    Borrowed,
    /// The purpose of godot-variant: an Array of objects, packed arrays beside memcpy.
    Godot,
    /// The purpose of zeze-serialize: a list of integers, small beans, triangles without serde.
    Zeze,
    /// The purpose of kiwi-pclass: a list of objects in both modes, and bit fields.
    Pclass,
    /// The purpose of o3de-json: a level of 3 MB, where the folder `../shared/realdata` has it.
    O3de,
    /// The purpose of resonite-brson: a whole save, as types, as values, and behind its codecs.
    Brson,
    /// The cost of a release build of one struct with each crate; only where it is named.
    Build,
}

impl Group {
    /// Whether one round is enough, because no figure of it has a goal or it takes minutes.
    pub fn is_shown_only(self) -> bool {
        matches!(self, Group::Value | Group::Growth | Group::Build)
    }

    /// Measures the group.
    pub fn run(self, task: &Task) -> Outcome<Vec<Table>> {
        match self {
            Group::Peers => peers::tables(task),
            Group::Value => value::tables(task),
            Group::Borrowed => Ok(vec![borrowed::table(task)?]),
            Group::Godot => {
                let mut tables = vec![units::table(task)?];
                tables.extend(packed::tables(task)?);
                Ok(tables)
            }
            Group::Zeze => {
                let mut tables = zeze::tables(task)?;
                tables.push(by_hand::table(task)?);
                Ok(tables)
            }
            Group::Pclass => pclass::tables(task),
            Group::O3de => level::tables(task),
            Group::Brson => brson::tables(task),
            Group::Growth => growth::tables(task),
            Group::Build => Ok(vec![build::table()?]),
        }
    }
}
