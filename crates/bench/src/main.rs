//! `gamewire-bench`: times our formats and their peers side by side.

use std::cell::LazyCell;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum, builder::PossibleValuesParser};
use gamewire_bench::data::{DataSets, NAMES, together};
use gamewire_bench::groups::{Group, growth};
use gamewire_bench::harness::Plan;
use gamewire_bench::page;
use gamewire_bench::run::Run;
use gamewire_bench::task::Task;
use gamewire_bench::{Outcome, system};

/// Times our formats and their peers side by side, in one run.
#[derive(Debug, Parser)]
#[command(name = "gamewire-bench")]
struct Arguments {
    /// The groups to measure; without it, all.
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
    /// Repeat whole groups, so that ours and the peers alternate: a spell of noise then hits one row once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Only this data set, for the groups peers and value; may be repeated.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(NAMES))]
    data: Vec<String>,
    /// Let the allocator give freed memory back to the system, as it does by default: shows what
    /// the first use of large blocks costs, but the times are less steady.
    #[arg(long)]
    cold: bool,
    /// Leave out what no goal is about.
    #[arg(long, conflicts_with = "groups")]
    brief: bool,
    /// Print tables of Markdown.
    #[arg(long)]
    markdown: bool,
    /// The program `gamewire`, for the group growth.
    #[arg(long, value_name = "PROGRAM")]
    tool: Option<PathBuf>,
    /// Write all figures to a file, for --page.
    #[arg(long, value_name = "FILE")]
    figures: Option<PathBuf>,
    /// Measure nothing; print the page that the figures of several runs make, as Markdown.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "groups")]
    page: Vec<PathBuf>,
    /// Measure nothing; make the files of the group growth in this folder.
    #[arg(long, value_name = "FOLDER", hide = true)]
    files: Option<PathBuf>,
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
    if let Some(folder) = &arguments.files {
        return growth::make(folder, arguments.quick);
    }
    if !arguments.page.is_empty() {
        let read = |path| -> Outcome<Run> { Ok(serde_json::from_slice(&fs::read(path)?)?) };
        let runs = arguments.page.iter().map(read).collect::<Outcome<Vec<_>>>()?;
        println!("{}", page::page(&runs)?);
        return Ok(());
    }
    let plan = if arguments.quick {
        Plan { runs: 3, time: Duration::from_millis(50) }
    } else {
        Plan { runs: arguments.runs.max(1), time: arguments.seconds }
    };
    if !arguments.cold {
        system::keep_memory();
    }
    let task = Task {
        plan,
        sets: arguments.data.clone(),
        data: LazyCell::new(DataSets::generate),
        together: LazyCell::new(together::DataSets::generate),
        tool: arguments.tool.clone(),
        quick: arguments.quick,
    };
    let wanted = |group: &&Group| match arguments.brief {
        true => !group.is_shown_only(),
        false => **group != Group::Build,
    };
    let all: Vec<Group> = Group::value_variants().iter().filter(wanted).copied().collect();
    let groups = if arguments.groups.is_empty() { &all } else { &arguments.groups };
    let mut run = Run::new(&plan, arguments.rounds as usize, arguments.cold);
    eprintln!("profile {}; {}\n", run.profile, run.header);
    for group in groups {
        let rounds = if group.is_shown_only() { 1 } else { run.rounds.len() };
        for tables in &mut run.rounds[..rounds] {
            tables.extend(group.run(&task)?);
        }
    }
    for table in run.shortest() {
        match arguments.markdown {
            true => print!("{}", table.to_markdown()),
            false => println!("{}", table.to_text()),
        }
    }
    if let Some(file) = &arguments.figures {
        fs::write(file, serde_json::to_vec(&run)?)?;
    }
    Ok(())
}
