//! The workspace's own commands; `cargo xtask help` lists them.

#![forbid(unsafe_code)]
// A tool for those who work on the crates: it reads no foreign data, and a panic is a bug report.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]

mod bench;
mod ci;
mod conventions;
mod docs;
mod fuzz;
mod parts;
mod process;
mod snapshots;
mod test;
mod vectors;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// What a command comes to: the exit status, or the message of an error.
type Outcome = Result<Status, String>;

/// The exit status of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// 0: everything holds.
    Good,
    /// 1: something does not hold, or nothing was there to run.
    Bad,
    /// 2: wrong use.
    Usage,
}

impl From<bool> for Status {
    fn from(good: bool) -> Self {
        if good { Status::Good } else { Status::Bad }
    }
}

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about, version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Everything a change must pass: unit, doc and snapshot tests, conventions, vector files, examples
    Test,
    /// Run vector files through a format crate
    ///
    /// Prints one line for each row that fails or is skipped, and `N passed, N failed, N skipped`
    /// at the end. The exit status is 1 on any failure, and when nothing at all ran.
    Vectors {
        /// A format crate, such as godot-variant
        #[arg(value_name = "CRATE")]
        name: String,
        /// Files of JSON lines, in the notation of the crate
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where the files are that rows name [default: beside the vector file]
        #[arg(long = "files", value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Measure the format crates beside their peers, and rewrite docs/benchmarks.md
    Bench {
        /// One group of tables instead of all
        name: Option<String>,
    },
    /// Run every fuzz target for a while
    Fuzz {
        /// Seconds for each target
        #[arg(long, default_value_t = 60)]
        seconds: u64,
    },
    /// Show snapshots that changed, or accept them
    Snapshots {
        /// Take the new snapshots as the right ones
        #[arg(long)]
        accept: bool,
    },
    /// Check that all format crates have the same files, names and README headings
    Conventions {
        /// Rewrite the hashes in testdata/*/MANIFEST.toml
        #[arg(long)]
        fix: bool,
    },
    /// Regenerate the generated parts of the documentation
    Docs {
        /// Change nothing, and fail when a part is stale
        #[arg(long)]
        check: bool,
    },
    /// All checks: format, lints, docs, tests, feature matrix, MSRV, no_std, WebAssembly, licences
    Ci,
}

fn main() -> ExitCode {
    let outcome = workspace::root().and_then(|root| match Arguments::parse().command {
        Command::Test => test::run(&root),
        Command::Vectors { name, files, folder } => {
            vectors::run(&root, &name, &files, folder.as_deref())
        }
        Command::Bench { name } => bench::run(&root, name.as_deref()),
        Command::Fuzz { seconds } => fuzz::run(&root, seconds),
        Command::Snapshots { accept } => snapshots::run(&root, accept),
        Command::Conventions { fix } => conventions::run(&root, fix),
        Command::Docs { check } => docs::run(&root, check),
        Command::Ci => ci::run(&root),
    });
    match outcome {
        Ok(Status::Good) => ExitCode::SUCCESS,
        Ok(Status::Bad) => ExitCode::from(1),
        Ok(Status::Usage) => ExitCode::from(2),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory as _;
        Arguments::command().debug_assert();
    }
}
