//! Running other programs, with the command and its time on the screen.

use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// What comes of a command: whether everything holds, or something that was made.
pub(crate) type Outcome<T = bool> = Result<T, Fault>;

/// Why a command has no result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A tool is missing, and cannot be had: `ci` and `dist` skip the step.
    Missing(String),
    Failed(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Missing(message) | Self::Failed(message)) = self;
        f.write_str(message)
    }
}

impl<T: Into<String>> From<T> for Fault {
    fn from(message: T) -> Self {
        Self::Failed(message.into())
    }
}

/// The fault of a file that cannot be read or written.
pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> Fault {
    move |error| format!("{}: {error}", path.display()).into()
}

/// The cargo that runs this program.
pub(crate) fn cargo(folder: &Path) -> Command {
    command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()), folder)
}

/// Any program, in a folder.
pub(crate) fn command(program: &str, folder: &Path) -> Command {
    // On Windows it is a script, and only found by its whole name.
    let is_script = cfg!(windows) && program == "npm";
    let mut command = Command::new(if is_script { "npm.cmd" } else { program });
    command.current_dir(folder);
    command
}

/// Whether a program, or a command of cargo, is on this machine.
pub(crate) fn needs(program: &str, root: &Path) -> Outcome<()> {
    let mut version = match program.strip_prefix("cargo ") {
        Some(subcommand) => {
            let mut version = cargo(root);
            version.arg(subcommand);
            version
        }
        None => command(program, root),
    };
    if succeeds(version.arg("--version")) {
        return Ok(());
    }
    Err(Fault::Missing(format!("{program} is not installed")))
}

/// Whether the standard library is here for a target; rustup brings it if it can.
pub(crate) fn needs_target(target: &str, root: &Path) -> Outcome<()> {
    let installed = output(command("rustup", root).args(["target", "list", "--installed"]));
    if installed.is_ok_and(|all| all.lines().any(|own| own == target))
        || succeeds(command("rustup", root).args(["target", "add", target]))
    {
        return Ok(());
    }
    Err(Fault::Missing(format!("target {target} is not installed, and cannot be")))
}

/// Prints a command, runs it, prints how long it took; says whether it succeeded.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let (shown, start) = announce(command);
    let status = command.status().map_err(|error| format!("{shown}: {error}"))?;
    conclude(&shown, status.success(), start.elapsed());
    Ok(status.success())
}

/// As [`run`], where nothing follows a command that fails.
pub(crate) fn done(command: &mut Command) -> Outcome<()> {
    match run(command)? {
        true => Ok(()),
        false => Err(format!("{} failed", shown(command)).into()),
    }
}

/// As [`run`], and hands each line of the standard output on as it is printed.
pub(crate) fn run_lines(command: &mut Command, mut each: impl FnMut(&str)) -> Outcome {
    let (shown, start) = announce(command);
    let failed = |error: io::Error| format!("{shown}: {error}");
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(failed)?;
    let lines = BufReader::new(child.stdout.take().expect("the output is piped"));
    for line in lines.split(b'\n') {
        let line = line.map_err(failed)?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        each(&line);
    }
    let success = child.wait().map_err(failed)?.success();
    conclude(&shown, success, start.elapsed());
    Ok(success)
}

/// Runs a command without a word and gives its standard output.
pub(crate) fn output(command: &mut Command) -> Outcome<String> {
    let shown = shown(command);
    let output = command.output().map_err(|error| format!("{shown}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{shown}: {}", String::from_utf8_lossy(&output.stderr).trim()).into());
    }
    Ok(String::from_utf8(output.stdout).map_err(|_| format!("{shown}: the output is not UTF-8"))?)
}

/// Whether a command runs and succeeds; nothing is printed.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Builds programs, and returns their kinds and paths. The messages of cargo are switched on here.
pub(crate) fn built(build: &mut Command) -> Outcome<Vec<(String, String)>> {
    let messages = output(build.arg("--message-format=json"))?;
    Ok(messages.lines().filter_map(executable).collect())
}

/// Builds one program, and returns its path.
pub(crate) fn built_one(build: &mut Command) -> Outcome<String> {
    let last = built(build)?.pop();
    Ok(last.ok_or_else(|| format!("{}: no program was built", shown(build)))?.1)
}

/// The kind and the path of the program in a message of cargo.
fn executable(message: &str) -> Option<(String, String)> {
    let message: Value = serde_json::from_str(message).ok()?;
    let kind = message["target"]["kind"][0].as_str()?;
    Some((kind.to_owned(), message["executable"].as_str()?.to_owned()))
}

fn announce(command: &Command) -> (String, Instant) {
    let shown = shown(command);
    println!("$ {shown}");
    let _ = io::stdout().flush();
    (shown, Instant::now())
}

fn conclude(shown: &str, success: bool, time: Duration) {
    let verdict = if success { "done" } else { "FAILED" };
    println!("{verdict} in {:.1} s: {shown}\n", time.as_secs_f64());
    let _ = io::stdout().flush();
}

/// A command as one would type it, with the variables set for it.
fn shown(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| {
        Some(quoted(&format!("{}={}", name.to_string_lossy(), value?.to_string_lossy())))
    });
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let program = program.to_string_lossy().into_owned();
    let arguments = command.get_args().map(|word| quoted(&word.to_string_lossy()));
    variables.chain([program]).chain(arguments).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains([' ', '\'', '"', '*', '$']) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_as_typed() {
        let mut command = Command::new("/somewhere/bin/cargo");
        command.env("RUSTDOCFLAGS", "-D warnings").args(["doc", "", "a b"]);
        assert_eq!(shown(&command), "'RUSTDOCFLAGS=-D warnings' cargo doc '' 'a b'");
    }

    #[test]
    fn programs_are_in_messages_of_cargo() {
        let message = r#"{"target":{"kind":["example"]},"executable":"/x/read-1"}"#;
        assert_eq!(executable(message), Some(("example".to_owned(), "/x/read-1".to_owned())));
        assert_eq!(executable(r#"{"target":{"kind":["lib"]},"executable":null}"#), None);
        assert_eq!(executable(r#"{"reason":"build-finished"}"#), None);
    }

    #[test]
    fn what_is_missing_is_no_failure() {
        let missing = |name: &str| Err(Fault::Missing(format!("{name} is not installed")));
        assert_eq!(needs("no-such-program", Path::new(".")), missing("no-such-program"));
        assert_eq!(
            needs("cargo no-such-command", Path::new(".")),
            missing("cargo no-such-command")
        );
        assert_eq!(needs("rustc", Path::new(".")), Ok(()));
    }
}
