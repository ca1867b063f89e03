//! Runs of the program.

use std::env;
use std::fs;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::harness::Plan;
use crate::table::Table;

/// The measurements of one run of the program.
#[derive(Debug, Serialize, Deserialize)]
pub struct Run {
    /// The profile that the program was built with.
    pub profile: String,
    /// Compiler, day, processor and plan.
    pub header: String,
    /// The tables of each round.
    pub rounds: Vec<Vec<Table>>,
}

impl Run {
    /// A run without figures.
    pub fn new(plan: &Plan, rounds: usize, cold: bool) -> Self {
        let header = format!(
            "{}, {}, {}; thread CPU time, the shortest of {} runs and {} s at least, {rounds} rounds{}",
            env!("GAMEWIRE_BENCH_RUSTC"),
            OffsetDateTime::now_utc().date(),
            processor(),
            plan.runs,
            plan.time.as_secs_f64(),
            if cold { "; cold memory" } else { "" },
        );
        let rounds = (0..rounds).map(|_| Vec::new()).collect();
        Run { profile: profile(), header, rounds }
    }

    /// The tables with the shortest times of all rounds.
    pub fn shortest(&self) -> Vec<Table> {
        let mut rounds = self.rounds.iter();
        let mut tables = rounds.next().cloned().unwrap_or_default();
        for table in &mut tables {
            let same = |other: &&Table| other.title == table.title;
            for other in
                rounds.clone().filter_map(|round| round.iter().find(same)).collect::<Vec<_>>()
            {
                table.merge(other);
            }
        }
        tables
    }
}

/// Cargo tells neither the build script nor the program whether a build has LTO. So whoever starts
/// the program says it in the variable `GAMEWIRE_BENCH_PROFILE`; without it, the folder is all that is
/// known.
fn profile() -> String {
    env::var("GAMEWIRE_BENCH_PROFILE").unwrap_or_else(|_| env!("GAMEWIRE_BENCH_FOLDER").to_owned())
}

fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| "unknown processor".to_owned(), |(_, name)| name.trim().to_owned())
}
