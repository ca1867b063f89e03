//! `gamewire-bench`: times our formats and their peers side by side.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum, builder::PossibleValuesParser};
use gamewire_bench::data::{DataSets, NAMES};
use gamewire_bench::groups::Group;
use gamewire_bench::harness::Plan;
use gamewire_bench::table::Table;
use gamewire_bench::task::Task;
use gamewire_bench::{Outcome, alloc, goals, report};

/// Times our formats and their peers side by side, in one run.
#[derive(Debug, Parser)]
#[command(name = "gamewire-bench")]
struct Arguments {
    /// What to measure; without it, everything.
    #[arg(value_name = "GROUP")]
    groups: Vec<Group>,
    /// Three runs and 0.05 s for each figure: shows that it works, not how fast.
    #[arg(long, conflicts_with_all = ["runs", "seconds"])]
    quick: bool,
    /// The least number of runs for each figure.
    #[arg(long, value_name = "N", default_value_t = 15)]
    runs: u32,
    /// The least time spent on each figure.
    #[arg(long, value_name = "S", default_value = "0.7", value_parser = seconds)]
    seconds: Duration,
    /// Repeat whole groups and keep the shortest times: a spell of noise then hits one row once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Only this data set, for the groups peers and value; may be repeated.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(NAMES))]
    data: Vec<String>,
    /// Let the allocator give freed memory back to the system, as it does by default: shows what
    /// the first use of large blocks costs, but the times are less steady.
    #[arg(long)]
    cold: bool,
    /// Write the tables of each group to a file of its name in this folder as Markdown, and to
    /// goals.md, if every group was measured, what they say of the goals.
    #[arg(long, value_name = "FOLDER")]
    markdown: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|error| format!("{error}"))?;
    Duration::try_from_secs_f64(seconds).map_err(|error| format!("{error}"))
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gamewire-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Outcome<()> {
    let plan = if arguments.quick {
        Plan { runs: 3, time: Duration::from_millis(50) }
    } else {
        Plan { runs: arguments.runs.max(1), time: arguments.seconds }
    };
    if !arguments.cold {
        alloc::keep_memory();
    }
    let task = Task { plan, sets: arguments.data.clone(), data: DataSets::generate() };
    let groups = match arguments.groups.as_slice() {
        [] => Group::value_variants(),
        groups => groups,
    };

    let header = report::header(&plan, arguments.rounds, arguments.cold);
    println!("{header}\n");
    let mut all = Vec::new();
    for &group in groups {
        let mut tables = group.run(&task)?;
        for _ in 1..arguments.rounds {
            let again = group.run(&task)?;
            tables.iter_mut().zip(&again).for_each(|(table, other)| table.merge(other));
        }
        for table in &tables {
            println!("{}", table.to_text());
        }
        if let Some(folder) = &arguments.markdown {
            report::write(
                folder,
                group.name(),
                &header,
                &tables.iter().map(Table::to_markdown).collect::<String>(),
            )?;
        }
        all.extend(tables);
    }
    if !Group::value_variants().iter().all(|group| groups.contains(group)) {
        return Ok(());
    }
    let (page, unexplained) = goals::markdown(&all)?;
    println!("{page}");
    if let Some(folder) = &arguments.markdown {
        report::write(folder, "goals", &header, &page)?;
    }
    for goal in &unexplained {
        println!("missed without a reason in goals/reasons.rs: {goal}");
    }
    Ok(())
}
