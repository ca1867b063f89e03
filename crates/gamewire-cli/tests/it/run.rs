//! Runs the tool.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) const TOOL: &str = env!("CARGO_BIN_EXE_gamewire");

/// A file or folder of the test data, by its path from `testdata`.
pub(crate) fn testdata(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(path)
}

/// The folder of the samples, in which the commands run.
pub(crate) fn samples() -> PathBuf {
    testdata("godot-variant")
}

/// A copy of the sample project.
pub(crate) fn project() -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let (path, name) = (entry.as_ref().unwrap().path(), entry.unwrap().file_name());
            match path.is_dir() {
                true => copy(&path, &to.join(name)),
                false => _ = std::fs::copy(&path, to.join(name)).unwrap(),
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    copy(&testdata("o3de-json/project"), folder.path());
    folder
}

pub(crate) fn sample(name: &str) -> Vec<u8> {
    std::fs::read(samples().join(name)).unwrap()
}

/// A command line: its words, or a text of words without blanks in them.
pub(crate) trait Line {
    fn words(&self) -> Vec<&str>;
}

impl Line for str {
    fn words(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

impl Line for [&str] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl<const N: usize> Line for [&str; N] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl Line for Vec<&str> {
    fn words(&self) -> Vec<&str> {
        self.clone()
    }
}

/// A command that looks the same on every machine.
pub(crate) fn command(line: &(impl Line + ?Sized)) -> Command {
    let mut command = Command::new(TOOL);
    command.args(line.words()).current_dir(samples()).stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE", "COLUMNS"] {
        command.env_remove(name);
    }
    // In which the user of this one has registered no engine.
    command.env("HOME", samples());
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

    /// How a command ended, and what it said of that.
    pub(crate) fn end(&self) -> (i32, &str) {
        (self.code, &self.stderr)
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
            code: output.status.code().unwrap_or_else(|| panic!("{}", output.status)),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub(crate) fn run(line: &(impl Line + ?Sized)) -> Ran {
    command(line).output().unwrap().into()
}

/// In a folder, with so many seconds of a processor, where a shell can say so: a clock knows of other work.
pub(crate) fn run_within(seconds: u32, folder: &Path, line: &str) -> Ran {
    let mut command = command(line);
    if cfg!(unix) {
        let mut limited = Command::new("sh");
        limited.args(["-c", &format!("ulimit -t {seconds}; exec \"$0\" \"$@\""), TOOL]);
        limited.args(command.get_args()).stdin(Stdio::null());
        command = limited;
    }
    command.current_dir(folder).output().unwrap().into()
}

/// In a folder.
pub(crate) fn run_in(folder: &Path, line: &(impl Line + ?Sized)) -> Ran {
    command(line).current_dir(folder).output().unwrap().into()
}

/// With something on standard input.
pub(crate) fn feed(line: &(impl Line + ?Sized), input: &[u8]) -> Ran {
    feed_to(command(line), input)
}

fn feed_to(mut command: Command, input: &[u8]) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap().into()
    })
}

/// Command lines with what is on standard input, and what they print, as one text.
pub(crate) fn session(commands: &[(&str, &[u8])]) -> String {
    let shown = commands.iter().map(|(line, input)| shown(line, &feed(*line, input)));
    shown.collect()
}

/// Command lines in a folder and what they print.
pub(crate) fn session_in(folder: &Path, lines: &[&str]) -> String {
    lines.iter().map(|line| shown(line, &run_in(folder, *line))).collect()
}

fn shown(line: &str, ran: &Ran) -> String {
    let stdout = String::from_utf8_lossy(&ran.stdout);
    format!("$ gamewire {line}\n{stdout}{}(exit {})\n\n", ran.stderr, ran.code)
}

/// Whatever the bytes are, there is a sentence and no trace of how the tool is made. All broken files
/// are given to one run of each command.
pub(crate) fn broken_files_end_in_a_sentence(format: &str, file: &[u8], step: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    std::fs::create_dir(folder.path().join("in")).unwrap();
    for at in (0..file.len()).step_by(step) {
        let mut broken = file.to_vec();
        broken[at] ^= 0xff;
        for (name, bytes) in [("changed", broken.as_slice()), ("cut", &file[..at])] {
            std::fs::write(folder.path().join(format!("in/{name}-{at}")), bytes).unwrap();
            count += 1;
        }
    }
    for command in ["decode", "explain", "check"] {
        let out = if command == "check" { "" } else { "--out-dir" };
        let line =
            format!("{command} in -f {format} {out} {}", if out.is_empty() { "" } else { command });
        let ran = run_in(folder.path(), line.as_str());
        let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), ran.stderr);
        assert!(ran.code <= 1, "{line}: {said}");
        for trace in ["panicked", "Error(", "RUST_BACKTRACE", "a fault of gamewire"] {
            assert!(!said.contains(trace), "{line}: {said}");
        }
        // Each of them is counted, or named with what is wrong in it.
        let counts = said.lines().find(|line| line.contains(" files")).unwrap_or_default();
        let numbers =
            counts.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<usize>().ok());
        let sum: usize = if command == "check" { numbers.take(1).sum() } else { numbers.sum() };
        assert_eq!(sum, count, "{line}: {counts}");
    }
}
