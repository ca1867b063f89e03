//! The tool `gamewire`; `gamewire help` lists its commands.

#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    reason = "columns, counts and row numbers of what is held in memory; the crates do the decoding"
)]

mod args;
mod cli;
mod commands;
mod failure;
mod fault;
mod files;
mod formats;
mod glob;
mod names;
mod output;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use gamewire::Format;

use crate::cli::Cli;
use crate::commands::sources::begins_as_archive;
use crate::failure::{Failure, Outcome};
use crate::files::Bound;

/// Stack of the working thread. JSON is read and written by recursion: two levels of it for each
/// container, and up to [`MAX_DEPTH`](gamewire::document::MAX_DEPTH) containers; a test holds one
/// against the other. Only what is used of it is ever real memory.
const STACK: usize = 64 << 20;

/// Prints the message of clap; help is paged.
fn said(error: &clap::Error) -> ExitCode {
    let message = error.render();
    if error.use_stderr() {
        // It repeats words of the command line.
        output::error(message.to_string().trim_start_matches("error: ").trim_end());
        return ExitCode::from(failure::WRONG_USAGE);
    }
    let text = output::Text::of_ansi(&message.ansi().to_string());
    let is_help = error.kind() == ErrorKind::DisplayHelp;
    let is_paged = is_help && std::env::args_os().all(|own| own != "--no-pager");
    if !(is_paged && output::is_shown(&text)) {
        _ = output::print(text);
    }
    ExitCode::SUCCESS
}

/// The command line of this process, and the formats whose options its help is to have: the one after
/// `--help-format`, else those of the files that are named.
fn asked() -> (Vec<OsString>, Vec<Format>) {
    let (mut all, mut formats) = (Vec::new(), Vec::new());
    let mut words = std::env::args_os();
    while let Some(word) = words.next() {
        let own = word.to_str().and_then(|own| own.strip_prefix("--help-format"));
        let name = match own {
            Some("") => words.next(),
            Some(own) => own.strip_prefix('=').map(OsString::from),
            None => {
                all.push(word);
                continue;
            }
        };
        let name = name.unwrap_or_default();
        match name.to_string_lossy().parse() {
            Ok(format) => {
                all.push("--help".into());
                formats.push(format);
            }
            // clap says what is wrong with it, and which there are.
            Err(_) => all.extend(["--format".into(), name]),
        }
    }
    (all, formats)
}

/// The formats of the files among the words of a command line.
fn of_files(words: &[OsString]) -> Vec<Format> {
    let mut formats = Vec::new();
    for path in words.iter().skip(2).map(Path::new).filter(|path| path.is_file()) {
        if begins_as_archive(path) {
            formats.push(Format::KiwiPclass);
            continue;
        }
        let head = files::read(path, Bound::default()).unwrap_or_default();
        formats.extend(gamewire::detect(&head, Some(path)));
    }
    formats
}

fn main() -> ExitCode {
    let (words, formats) = asked();
    let command = match Cli::try_parse_from(&words) {
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            let formats = if formats.is_empty() { of_files(&words) } else { formats };
            let help = cli::for_help(&formats).try_get_matches_from(&words);
            return said(&help.err().unwrap_or(error));
        }
        // It shows all commands.
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            return said(&cli::whole().try_get_matches_from(&words).err().unwrap_or(error));
        }
        Ok(cli) => {
            cli.paging.apply();
            cli.command
        }
        Err(error) => return said(&error),
    };
    std::panic::set_hook(Box::new(|bug| output::error(&failure::internal(bug))));
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(|| command.run());
    let result = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(result)) => result,
        // The hook has said it.
        Ok(Err(_)) => return ExitCode::from(failure::BUG),
        Err(error) => Err(Failure::Usage(format!("cannot start a thread: {error}"))),
    };
    match result {
        Ok(Outcome::Good) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Ok(Outcome::Bad) => ExitCode::from(failure::BAD_DATA),
        Err(Failure::Data(message)) => {
            output::error(&message);
            ExitCode::from(failure::BAD_DATA)
        }
        Err(Failure::Usage(message)) => {
            output::error(&message);
            ExitCode::from(failure::WRONG_USAGE)
        }
    }
}
