//! The command line.

use std::collections::HashSet;

use clap::{CommandFactory as _, Parser, Subcommand};
use gamewire::Format;

use crate::args;
use crate::commands::{
    backup, check, conformance, convert, decode, detect, diff, encode, explain, formats, r#gen,
    generate, get, git, merge3, package, salvage, set, slot, tree, wrap,
};
use crate::failure::{Failure, Outcome};
use crate::formats::o3de;
use crate::formats::pclass::rows::Rows;
use crate::formats::pclass::types::command::Types;
use crate::output::Paging;

/// Inspect, convert, check and compare game data files.
///
/// Exit codes: 0 when all is well, 1 when data is bad or differs, 2 for wrong usage and for files
/// that cannot be read or written.
#[derive(Parser)]
#[command(name = "gamewire", version, max_term_width = 100)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) paging: Paging,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  gamewire decode savegame.dat | jq .
  gamewire check saves/
  gamewire diff before.dat after.dat

`gamewire COMMAND --help` has the options of a command. `-` as a file stands for standard input or output.
Colours are for terminals only; NO_COLOR turns them off.";

/// The commands by what they are for.
const GROUPS: [(&str, &[&str]); 10] = [
    ("Look into files", &["detect", "explain", "tree", "get", "diff", "check", "formats"]),
    ("Change files", &["set", "ins", "del", "convert", "salvage"]),
    ("To JSON and back", &["decode", "encode"]),
    ("Work with git", &["git", "merge3"]),
    ("Packages, archives, Resonite", &["package", "slot", "backup"]),
    ("Projects of Godot and O3DE", &["lint", "refactor"]),
    ("Godot", &["unwrap", "wrap"]),
    ("O3DE", &["graph", "resolve", "patch", "merge"]),
    ("PropertyClass and Zeze", &["rows", "types", "gen"]),
    ("For programs", &["conformance", "completions", "man", "help"]),
];

/// The command line with the help that is asked for: the commands in groups, and of the options for
/// formats those of `formats`, where a command has them for several.
pub(crate) fn for_help(formats: &[Format]) -> clap::Command {
    let mut tool = whole();
    tool.build();
    let names: Vec<String> = tool.get_subcommands().map(|own| own.get_name().to_owned()).collect();
    for name in names {
        tool = tool.mut_subcommand(name, |own| with_options_of(own, formats));
    }
    let mut list = String::new();
    for (title, names) in GROUPS {
        list += &format!("{title}:\n");
        for name in names {
            let own = tool.find_subcommand(name).and_then(clap::Command::get_about);
            let about = own.map(ToString::to_string).unwrap_or_default();
            list += &format!("  {name:13}{about}\n");
        }
        list += "\n";
    }
    tool.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
    ))
}

fn with_options_of(command: clap::Command, formats: &[Format]) -> clap::Command {
    let of = |own: &clap::Arg| {
        let heading = own.get_help_heading()?;
        Format::ALL.iter().copied().find(|format| heading.starts_with(args::heading(*format)))
    };
    let met: HashSet<Format> = command.get_arguments().filter_map(of).collect();
    if met.len() < 2 {
        return command;
    }
    let mut others: Vec<&str> = Vec::new();
    others.extend(
        Format::ALL.iter().filter(|own| !formats.contains(own)).map(|own| own.crate_name()),
    );
    let more = match others.as_slice() {
        [] => String::new(),
        others => format!("\n\nOptions for one format: --help-format {}", others.join(", ")),
    };
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    command.after_help(format!("{}{more}", examples.trim_end())).mut_args(|own| {
        let is_other = of(&own).is_some_and(|format| !formats.contains(&format));
        own.hide(is_other)
    })
}

macro_rules! commands {
    ($($(#[$attribute:meta])* $variant:ident($command:ty $(, $whole:ident)?),)+) => {
        // The options of a command are made when it is called: those of all take three times as long as
        // to read a small file.
        #[derive(Subcommand)]
        #[command(defer = true)]
        pub(crate) enum Command {
            $($(#[$attribute])* $variant($command),)+
        }

        impl Command {
            pub(crate) fn run(self) -> Result<Outcome, Failure> {
                match self {
                    $(Command::$variant(command) => command.run($($whole)?),)+
                }
            }
        }

        /// The command line with the options of all commands, for what shows them.
        pub(crate) fn whole() -> clap::Command {
            let mut tool = Cli::command();
            $(
                tool = tool.mut_subcommand(stringify!($variant).to_lowercase(), |own| {
                    // Now, in place of when it is called.
                    <$command as clap::Args>::augment_args(own.defer(|own| own))
                });
            )+
            tool
        }
    };
}

commands! {
    Formats(formats::Formats, whole),
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
    Unwrap(wrap::Unwrap),
    Wrap(wrap::Wrap),
    Git(git::Git),
    Gen(r#gen::Gen),
    Conformance(conformance::Conformance),
    Tree(tree::Tree),
    Rows(Rows),
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
    Completions(generate::Completions, whole),
    Man(generate::Man, whole),
    #[command(hide = true)]
    Generate(generate::Generate, whole),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of values, and what help must say of each beside; nothing where the name says enough.
    const FORMS: [(&str, &str); 26] = [
        ("FILE", ""),
        ("OUT", ""),
        ("DIR", ""),
        ("PATH", ""),
        ("FILE.rs", ""),
        ("OLD.xml", ""),
        ("SOLUTION.xml", ""),
        ("BYTES", ""),
        ("SECONDS", ""),
        ("TEXT", ""),
        ("NAME", ""),
        ("SLOT", ""),
        ("ID", ""),
        ("N", ""),
        ("TAG", "such as "),
        ("KEY", "JSON pointer"),
        ("FLAGS", "0x"),
        ("HASH", "0x"),
        ("HEX", "64 hexadecimal digits"),
        ("OFFSET", "0x1f"),
        ("KIND", "`get --kinds` prints them"),
        ("CLASS", "class"),
        ("NAME=DIR", "such as "),
        ("N=CLASS", "such as "),
        ("BEAN=PATH", "such as "),
        ("BEAN", ""),
    ];

    /// All options of a command and of those in it, with the command's name.
    fn options(command: &clap::Command, name: &str) -> Vec<(String, clap::Arg)> {
        let own = command.get_opts().filter(|own| !own.is_hide_set());
        let mut all: Vec<_> = own.map(|own| (name.to_owned(), own.clone())).collect();
        for inner in command.get_subcommands() {
            all.extend(options(inner, &format!("{name} {}", inner.get_name())));
        }
        all
    }

    #[test]
    fn every_command_is_in_one_group() {
        let mut command = whole();
        command.build();
        let shown = command.get_subcommands().filter(|own| !own.is_hide_set());
        let mut shown: Vec<&str> = shown.map(clap::Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        shown.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(shown, grouped);
    }

    /// An option lists its values, or its help says what they look like.
    #[test]
    fn every_option_says_which_values_it_takes() {
        let mut command = whole();
        command.build();
        let all = options(&command, "gamewire");
        assert!(all.len() > 300, "{}", all.len());
        for (name, option) in all {
            let shown = format!("{name} --{}", option.get_long().unwrap_or_default());
            if !option.get_possible_values().is_empty() {
                assert!(!option.is_hide_possible_values_set(), "{shown}");
                continue;
            }
            let values = option.get_value_names().unwrap_or_default();
            let value = values.first().map(|own| own.as_str()).unwrap_or_default();
            let help = option.get_help().map(ToString::to_string).unwrap_or_default();
            let form = FORMS.iter().find(|(own, _)| *own == value);
            let says = form.is_some_and(|(_, form)| help.contains(form));
            assert!(says, "{shown} <{value}>: {help}");
        }
    }
}
