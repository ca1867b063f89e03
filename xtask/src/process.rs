//! Running other programs, with the command and its time on the screen.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The cargo that runs this program.
pub(crate) fn cargo(root: &Path) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root);
    command
}

/// The cargo of a named toolchain, through rustup.
pub(crate) fn cargo_of(toolchain: &str, root: &Path) -> Command {
    let mut command = command("rustup", root);
    command.args(["run", toolchain, "cargo"]);
    command
}

/// Any program, in the folder of the workspace.
pub(crate) fn command(program: &str, root: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root);
    command
}

/// Prints a command, runs it, prints how long it took; says whether it succeeded.
pub(crate) fn run(command: &mut Command) -> Result<bool, String> {
    let (shown, start) = announce(command);
    let status = command.status().map_err(|error| format!("{shown}: {error}"))?;
    conclude(&shown, status.success(), start.elapsed());
    Ok(status.success())
}

/// As [`run`], and hands each line of the standard output on as it is printed.
pub(crate) fn run_lines(command: &mut Command, mut each: impl FnMut(&str)) -> Result<bool, String> {
    let (shown, start) = announce(command);
    let failed = |error: std::io::Error| format!("{shown}: {error}");
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
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let shown = shown(command);
    let output = command.output().map_err(|error| format!("{shown}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{shown}: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{shown}: the output is not UTF-8"))
}

/// Whether a command runs and succeeds; nothing is printed.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn announce(command: &Command) -> (String, Instant) {
    let shown = shown(command);
    println!("$ {shown}");
    let _ = std::io::stdout().flush();
    (shown, Instant::now())
}

fn conclude(shown: &str, success: bool, time: Duration) {
    let verdict = if success { "done" } else { "FAILED" };
    println!("{verdict} in {:.1} s: {shown}\n", time.as_secs_f64());
    let _ = std::io::stdout().flush();
}

/// A command as one would type it, with the variables set for it.
fn shown(command: &Command) -> String {
    let mut words: Vec<String> = command
        .get_envs()
        .filter_map(|(name, value)| {
            Some(quoted(&format!("{}={}", name.to_string_lossy(), value?.to_string_lossy())))
        })
        .collect();
    let program = Path::new(command.get_program());
    words.push(program.file_stem().unwrap_or_default().to_string_lossy().into_owned());
    words.extend(command.get_args().map(|word| quoted(&word.to_string_lossy())));
    words.join(" ")
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
}
