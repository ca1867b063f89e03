//! The workspace's own commands; `cargo xtask help` lists them.

#![forbid(unsafe_code)]
// A tool for those who work on the crates: it reads no foreign data, and a panic is a bug report.
#![allow(clippy::pedantic, clippy::restriction)]

mod arguments;
mod bench;
mod ci;
mod conventions;
mod dist;
mod docs;
mod fuzz;
mod package;
mod parts;
mod process;
mod python;
mod snapshots;
mod test;
mod vectors;
mod web;
mod workspace;

use std::process::ExitCode;

use arguments::Command;

/// The result of a command: the exit status, or the message of an error.
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

fn main() -> ExitCode {
    let command = match arguments::parse(std::env::args_os().skip(1)) {
        Ok(command) => command,
        Err(message) => {
            eprint!("error: {message}");
            return ExitCode::from(2);
        }
    };
    let outcome = workspace::root().and_then(|root| match command {
        Command::Test => test::run(&root),
        Command::Vectors { name, files, folder } => {
            vectors::run(&root, &name, &files, folder.as_deref())
        }
        Command::Bench { name } => bench::run(&root, name.as_deref()),
        Command::Fuzz { target, seconds } => fuzz::run(&root, target.as_deref(), seconds),
        Command::Snapshots { accept } => snapshots::run(&root, accept),
        Command::Conventions { fix } => conventions::run(&root, fix),
        Command::Docs { check } => docs::run(&root, check),
        Command::Package => package::run(&root),
        Command::Python => python::run_all(&root),
        Command::Web => web::run(&root),
        Command::Dist => dist::run(&root),
        Command::Ci => ci::run(&root),
        Command::Help(text) => {
            print!("{text}");
            Ok(Status::Good)
        }
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
