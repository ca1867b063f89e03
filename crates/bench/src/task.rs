//! The tasks and their inputs.

use std::cell::LazyCell;
use std::path::PathBuf;

use crate::data::{DataSets, together};
use crate::harness::Plan;

/// The tasks and their inputs.
#[derive(Debug)]
pub struct Task {
    /// How long to repeat.
    pub plan: Plan,
    /// The names of the data sets to run on; `borrowed` and the groups of one format have their own.
    pub sets: Vec<String>,
    /// The data, in types that stand in a module for each set. It is made when it is asked for: the system counts the
    /// memory of this program as that of those that it starts.
    pub data: LazyCell<DataSets>,
    /// The same data, in types that all stand in one module.
    pub together: LazyCell<together::DataSets>,
    /// The program `gamewire`, for what it needs on files of many sizes.
    pub tool: Option<PathBuf>,
    /// Small files are enough.
    pub quick: bool,
}

impl Task {
    /// Whether the data set of this name is wanted.
    pub fn wants(&self, set: &str) -> bool {
        self.sets.is_empty() || self.sets.iter().any(|name| name == set)
    }
}

/// One table for each data set that is wanted, by a function of the task, the name and the data.
macro_rules! each_set {
    ($task:ident.$data:ident, $table:ident: $($set:ident),+) => {{
        let mut tables = Vec::new();
        $(if $task.wants(stringify!($set)) {
            tables.push($table($task, stringify!($set), &$task.$data.$set)?);
        })+
        tables
    }};
    ($task:ident.$data:ident, $table:ident) => {
        $crate::task::each_set!($task.$data, $table: log, mesh, minecraft_savedata, mk48)
    };
}

pub(crate) use each_set;
