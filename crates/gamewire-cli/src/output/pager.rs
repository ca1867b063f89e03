//! Long text for people goes through a pager where standard output is a terminal, as git's does.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::{Sink, Text};
use crate::failure::Failure;

/// Options of `less` where the environment has none: end at once if all fits on the screen, show
/// colours, leave the text there, and end with the tool that is interrupted.
const LESS: &str = "FRXK";

/// The exit code of a shell for a command that cannot be run.
const NO_COMMAND: [i32; 2] = [126, 127];

/// For commands that print for people.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Paging {
    /// Print without a pager [default: $GAMEWIRE_PAGER, $PAGER or less, on terminals]
    #[arg(long)]
    no_pager: bool,
}

/// Whether the command line wants none, whatever the command.
static IS_OFF: AtomicBool = AtomicBool::new(false);

impl Paging {
    /// Holds for all that is printed from now on.
    pub(crate) fn apply(self) {
        IS_OFF.fetch_or(self.no_pager, Ordering::Relaxed);
    }

    /// Prints text. Whoever leaves the pager early has seen enough, so that is no failure.
    pub(crate) fn print(self, text: impl Into<Text>) -> Result<(), Failure> {
        let text = text.into();
        if !self.no_pager && is_shown(&text) { Ok(()) } else { super::print(text) }
    }

    /// Prints lines, into a pipe as they come.
    pub(crate) fn write_lines(
        self,
        write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if !io::stdout().is_terminal() {
            return Sink::Stdout.write_lines(write);
        }
        let mut lines = Vec::new();
        write(&mut lines).map_err(|error| Failure::stdout(&error))?;
        self.print(String::from_utf8_lossy(&lines))
    }
}

/// Shows text in a pager, if there is to be one; whether it was shown.
pub(crate) fn is_shown(text: &Text) -> bool {
    if IS_OFF.load(Ordering::Relaxed) || !io::stdout().is_terminal() || text.is_empty() {
        return false;
    }
    let Some(pager) = choice(&|name| env::var_os(name), &is_program) else { return false };
    through(&pager, &text.render(super::looks())).unwrap_or(false)
}

/// The pager that is meant, if any is: an empty one and `cat` are none.
fn choice(
    variable: &dyn Fn(&str) -> Option<OsString>,
    is_program: &dyn Fn(&str) -> bool,
) -> Option<OsString> {
    let own = ["GAMEWIRE_PAGER", "PAGER"].into_iter().find_map(variable);
    let less = || is_program("less").then(|| format!("less -{LESS}").into());
    own.or_else(less).filter(|own| {
        let own = own.to_string_lossy();
        !matches!(own.trim(), "" | "cat")
    })
}

fn is_program(name: &str) -> bool {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| folder.join(Path::new(&name)).is_file())
}

/// Runs a pager on a text; whether there is such a pager.
fn through(pager: &OsStr, text: &str) -> io::Result<bool> {
    let mut command = command(pager);
    for (name, value) in [("LESS", LESS), ("LV", "-c")] {
        if env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    let mut child = command.stdin(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A pager that was left reads no more.
        _ = stdin.write_all(text.as_bytes());
    }
    let status = child.wait()?;
    Ok(status.code().is_none_or(|code| !NO_COMMAND.contains(&code)))
}

/// A command line, which may have options, pipes and variables in it.
#[cfg(unix)]
fn command(line: &OsStr) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line);
    command
}

/// A program and its options.
#[cfg(not(unix))]
fn command(line: &OsStr) -> Command {
    let line = line.to_string_lossy();
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The choice with these variables, with and without `less`.
    fn choices(variables: &[(&str, &str)]) -> [Option<String>; 2] {
        let variable = |name: &str| {
            let found = variables.iter().find(|(own, _)| *own == name);
            found.map(|(_, value)| OsString::from(value))
        };
        [true, false].map(|has_less| {
            let is_program = |name: &str| name == "less" && has_less;
            choice(&variable, &is_program).map(|own| own.into_string().unwrap())
        })
    }

    #[test]
    fn the_pager_is_that_of_the_environment_or_less() {
        let both = |own: &str| [Some(own.to_owned()), Some(own.to_owned())];
        assert_eq!(choices(&[]), [Some("less -FRXK".to_owned()), None]);
        assert_eq!(choices(&[("PAGER", "more -d")]), both("more -d"));
        assert_eq!(choices(&[("GAMEWIRE_PAGER", "bat"), ("PAGER", "more")]), both("bat"));
        for none in ["", " ", "cat"] {
            assert_eq!(choices(&[("PAGER", none)]), [None, None]);
            assert_eq!(choices(&[("GAMEWIRE_PAGER", none), ("PAGER", "more")]), [None, None]);
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_pager_that_is_not_there_or_is_left_costs_nothing() {
        assert!(!through(OsStr::new("/no/such/pager"), "text").unwrap());
        assert!(through(OsStr::new("exit 3"), &"line\n".repeat(100_000)).unwrap());
    }
}
