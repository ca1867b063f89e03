//! The workspace's own commands; `cargo xtask help` lists them.

#![forbid(unsafe_code)]
// A tool for those who work on the crates: it reads no foreign data, and a panic is a bug report.
#![allow(clippy::pedantic, clippy::restriction)]

mod bench;
mod ci;
mod conventions;
mod dist;
mod docs;
mod fuzz;
mod package;
mod process;
mod python;
mod registry;
mod snapshots;
mod soak;
mod test;
mod vectors;
mod web;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// The workspace's own commands
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Everything a change must pass: unit, doc, snapshot and vector tests, conventions, examples
    Test,
    /// Run vector files through a crate
    ///
    /// Prints one line for each row that fails or is skipped, and `N passed, N failed, N skipped` at the
    /// end. The exit status is 1 on any failure, and when nothing at all ran.
    Vectors {
        /// A crate with vectors, such as godot-variant
        #[arg(value_name = "CRATE")]
        name: String,
        /// Files of JSON lines, in the notation of the crate
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Where the files are that rows name [default: beside the vector file]
        #[arg(long = "files", value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Measure the format crates beside their peers, and rewrite docs/benchmarks.md
    Bench {
        /// Print one group of tables instead; of build, rewrite its part of the page
        #[arg(value_parser = bench::GROUPS)]
        name: Option<String>,
    },
    /// Run every fuzz target for a while
    Fuzz {
        /// One target instead of all
        target: Option<String>,
        /// For each target
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// Every target for one second, or a word about why not
        #[arg(long, conflicts_with_all = ["target", "seconds"])]
        smoke: bool,
    },
    /// Run servers with clients that play and clients that attack; rewrites its part of docs/benchmarks.md
    Soak {
        /// One server instead of all: websocket, enet or zeze
        server: Option<String>,
        /// For each of them; what waits for who reads nothing comes to its bound in half a minute
        #[arg(long, default_value_t = 90)]
        seconds: u64,
    },
    /// Write the snapshots as the tests make them, and show what git finds changed
    Snapshots,
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
    /// Make the packages of the published crates, and test each with nothing but what is in it
    Package,
    /// Build the wheel of crates/python, install it in target/python, and test it
    Python,
    /// Make the npm package and the page, and test them in Node.js and in a browser
    Web,
    /// Make what a release has, in target/dist: archives of the tool, wheel, npm package, page, vectors
    Dist,
    /// All checks: format, lints, docs, tests, packages, each feature alone, other machines, licences
    Ci {
        /// Only the steps with this in their name
        step: Option<String>,
    },
}

fn main() -> ExitCode {
    let root = workspace::root();
    let outcome = match Command::parse() {
        Command::Test => test::run(&root),
        Command::Vectors { name, files, folder } => {
            vectors::run(&root, &name, &files, folder.as_deref())
        }
        Command::Bench { name } => bench::run(&root, name.as_deref()),
        Command::Fuzz { smoke: true, .. } => match fuzz::smoke(&root) {
            Err(process::Fault::Missing(why)) => {
                println!("SKIPPED fuzz: {why}");
                Ok(true)
            }
            outcome => outcome,
        },
        Command::Fuzz { target, seconds, .. } => fuzz::run(&root, target.as_deref(), seconds),
        Command::Soak { server, seconds } => soak::run(&root, server.as_deref(), seconds),
        Command::Snapshots => snapshots::run(&root),
        Command::Conventions { fix } => conventions::run(&root, fix),
        Command::Docs { check } => docs::run(&root, check),
        Command::Package => package::run(&root),
        Command::Python => python::run(&root),
        Command::Web => web::run(&root),
        Command::Dist => dist::run(&root),
        Command::Ci { step } => ci::run(&root, step.as_deref().unwrap_or_default()),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

#[test]
fn the_command_line_holds_together() {
    <Command as clap::CommandFactory>::command().debug_assert();
}
