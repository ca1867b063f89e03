//! Runs the tool.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) const TOOL: &str = env!("CARGO_BIN_EXE_gamewire");

/// The folder of the samples, in which the commands run.
pub(crate) fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/godot-variant")
}

pub(crate) fn sample(name: &str) -> Vec<u8> {
    std::fs::read(samples().join(name)).unwrap()
}

/// A command that looks the same on every machine.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(TOOL);
    command.args(args).current_dir(samples()).stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// What a command said and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    /// The standard output of a command that must have gone well.
    pub(crate) fn good(self) -> Vec<u8> {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""));
        self.stdout
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            code: output.status.code().unwrap(),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub(crate) fn run(args: &[&str]) -> Ran {
    command(args).output().unwrap().into()
}

/// In a folder.
pub(crate) fn run_in(folder: &Path, args: &[&str]) -> Ran {
    command(args).current_dir(folder).output().unwrap().into()
}

/// With something on standard input.
pub(crate) fn feed(args: &[&str], input: &[u8]) -> Ran {
    let mut command = command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap().into()
    })
}

/// Command lines and what they print, as one text. A command without an entry for standard input has
/// none.
pub(crate) fn session(commands: &[(&str, &[u8])]) -> String {
    let mut text = String::new();
    for (line, input) in commands {
        let args: Vec<&str> = line.split_whitespace().collect();
        let ran = feed(&args, input);
        let stdout = String::from_utf8_lossy(&ran.stdout);
        _ = write!(text, "$ gamewire {line}\n{stdout}{}(exit {})\n\n", ran.stderr, ran.code);
    }
    text
}
