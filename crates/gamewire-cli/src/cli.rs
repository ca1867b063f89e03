//! The command line.

use clap::{Parser, Subcommand};

use crate::commands::{
    backup, check, conformance, convert, decode, detect, diff, encode, explain, formats, r#gen,
    generate, get, git, merge3, package, salvage, set, slot, tree,
};
use crate::failure::{Failure, Outcome};
use crate::formats::o3de;
use crate::formats::pclass::types::command::Types;

/// Inspect, convert, check and compare game data files.
///
/// Exit codes: 0 when all is well, 1 when data is bad or differs, 2 for wrong usage and for files
/// that cannot be read or written.
#[derive(Parser)]
#[command(name = "gamewire", version, max_term_width = 100)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  gamewire decode savegame.dat | jq .
  gamewire check saves/
  gamewire diff before.dat after.dat

`-` as a file stands for standard input or output. Colours are for terminals only; NO_COLOR turns
them off.";

#[derive(Subcommand)]
pub(crate) enum Command {
    Formats(formats::Formats),
    Detect(detect::Detect),
    Decode(decode::Decode),
    Encode(encode::Encode),
    Explain(explain::Explain),
    Check(check::Check),
    Diff(diff::Diff),
    Convert(convert::Convert),
    Get(get::Get),
    Set(set::Set),
    Ins(set::Ins),
    Del(set::Del),
    Salvage(salvage::Salvage),
    Git(git::Git),
    Gen(r#gen::Gen),
    Conformance(conformance::Conformance),
    Tree(tree::Tree),
    Types(Types),
    Package(package::Package),
    Slot(slot::Slot),
    Backup(backup::Backup),
    Patch(o3de::edit::Patch),
    Merge(o3de::edit::Merge),
    Merge3(merge3::Merge3),
    Resolve(o3de::resolve::Resolve),
    Lint(o3de::lint::Lint),
    Refactor(o3de::refactor::Refactor),
    Graph(o3de::graph::Graph),
    Completions(generate::Completions),
    Man(generate::Man),
    #[command(hide = true)]
    Generate(generate::Generate),
}

impl Command {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        match self {
            Command::Formats(command) => command.run(),
            Command::Detect(command) => command.run(),
            Command::Decode(command) => command.run(),
            Command::Encode(command) => command.run(),
            Command::Explain(command) => command.run(),
            Command::Check(command) => command.run(),
            Command::Diff(command) => command.run(),
            Command::Convert(command) => command.run(),
            Command::Get(command) => command.run(),
            Command::Set(command) => command.run(),
            Command::Ins(command) => command.run(),
            Command::Del(command) => command.run(),
            Command::Salvage(command) => command.run(),
            Command::Git(command) => command.run(),
            Command::Gen(command) => command.run(),
            Command::Conformance(command) => command.run(),
            Command::Tree(command) => command.run(),
            Command::Types(command) => command.run(),
            Command::Package(command) => command.run(),
            Command::Slot(command) => command.run(),
            Command::Backup(command) => command.run(),
            Command::Patch(command) => command.run(),
            Command::Merge(command) => command.run(),
            Command::Merge3(command) => command.run(),
            Command::Resolve(command) => command.run(),
            Command::Lint(command) => command.run(),
            Command::Refactor(command) => command.run(),
            Command::Graph(command) => command.run(),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
            Command::Generate(command) => command.run(),
        }
    }
}
