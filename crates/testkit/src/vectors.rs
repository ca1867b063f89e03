//! Vector files: one JSON object a line, one report line for each row that does not pass.
//!
//! A file whose name ends in `.json` is one object instead, whose members are lists of rows.
//!
//! Each format crate has `tests/vectors.rs`, a test target with `harness = false`. It holds the
//! [`Runner`] of its rows, and [`vectors!`](crate::vectors!) makes its `main`:
//!
//! ```
//! use gamewire_testkit::vectors::{Context, Outcome, Row, run_text, same_bytes};
//!
//! fn run(row: &Row, _: &Context<'_>) -> Outcome {
//!     (|| {
//!         let bytes = row.hex("hex")?;
//!         // ... decode, compare with row.need("value")?, encode again ...
//!         same_bytes("re-encoded", &bytes, &bytes)
//!     })()
//!     .into()
//! }
//!
//! let rows = "{\"name\":\"a\",\"hex\":\"00ff\"}\n";
//! let tally = run_text(run, "a.jsonl".as_ref(), rows, &mut std::io::stdout());
//! assert_eq!(tally.exit_status(), 0);
//! ```
//!
//! [`spoilt`] changes the rows of a crate, and tests that the runner fails them.

mod run;
pub mod spoilt;
mod suite;

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::ops::AddAssign;
use std::path::Path;

use serde_json::Value;

use crate::on_big_stack;

pub use run::{Context, Runner, run_files, run_text};
pub use suite::{Test, main};

/// The result of checking a row: the difference, in words.
pub type Check<T = ()> = Result<T, String>;

/// An error of the format, in the words of a report.
pub fn said(error: impl fmt::Display) -> String {
    format!("refused: {error}")
}

/// JSON that nests deeper than this is parsed on a big stack.
const SHALLOW: usize = 100;

/// JSON that nests deeper than this is refused: no vector needs it, and no stack would hold it.
const DEEPEST: usize = 100_000;

/// One row of a vector file.
///
/// Dropping a row needs no recursion, so rows of any depth may be dropped on any stack. Comparing
/// or printing deep ones does; see [`on_big_stack`].
#[derive(Clone, Debug)]
pub struct Row {
    /// The file as it was named by the caller.
    pub file: String,
    /// Line number, from 1.
    pub line: usize,
    /// The whole row.
    pub value: Value,
}

impl Row {
    /// `file:line`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// The row's `name`; its `source` where it has no name; `-` where it has neither.
    pub fn name(&self) -> &str {
        self.text("name").or_else(|| self.text("source")).unwrap_or("-")
    }

    /// A field.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.value.get(key)
    }

    /// A field that holds text.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// A field that is `true`; `false` where it is anything else or absent.
    pub fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Value::as_bool).unwrap_or(false)
    }

    /// A field that the row must have.
    ///
    /// # Errors
    /// A message that names the field, where it is absent.
    pub fn need(&self, key: &str) -> Result<&Value, String> {
        self.get(key).ok_or_else(|| format!("the row has no `{key}`"))
    }

    /// A field of text that the row must have.
    ///
    /// # Errors
    /// A message that names the field, where it is absent or not text.
    pub fn need_text(&self, key: &str) -> Result<&str, String> {
        self.need(key)?.as_str().ok_or_else(|| format!("`{key}` of the row is not text"))
    }

    /// A field of hexadecimal digits that the row must have.
    ///
    /// # Errors
    /// A message that names the field, where it is absent or not hexadecimal.
    pub fn hex(&self, key: &str) -> Result<Vec<u8>, String> {
        from_hex(self.need_text(key)?).map_err(|error| format!("`{key}` of the row: {error}"))
    }
}

impl Drop for Row {
    fn drop(&mut self) {
        let mut rest = vec![std::mem::take(&mut self.value)];
        while let Some(value) = rest.pop() {
            match value {
                Value::Array(items) => rest.extend(items),
                Value::Object(fields) => rest.extend(fields.into_iter().map(|(_, value)| value)),
                _ => {}
            }
        }
    }
}

/// A line of a vector file that could not be read.
#[derive(Clone, Debug)]
pub struct RowError {
    /// The file as it was named by the caller.
    pub file: String,
    /// Line number, from 1.
    pub line: usize,
    /// The fault of the line.
    pub message: String,
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for RowError {}

/// The rows of one file, in order. Blank lines are no rows, but count as lines.
///
/// A line may nest as deep as 100 000 levels: deep lines are parsed on a big stack.
pub struct Rows {
    file: String,
    line: usize,
    /// `None` after a read error, which is the last item.
    lines: Option<Box<dyn BufRead>>,
    /// The rows of a `.json` file, with their lines.
    listed: std::vec::IntoIter<(usize, Result<Value, String>)>,
}

impl Rows {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Rows> {
        let path = path.as_ref();
        let file = path.display().to_string();
        if path.extension().is_some_and(|own| own == "json") {
            return Ok(Rows::from_lists(&file, &std::fs::read(path)?));
        }
        let lines: Box<dyn BufRead> = Box::new(BufReader::new(File::open(path)?));
        Ok(Rows { file, line: 0, lines: Some(lines), listed: Vec::new().into_iter() })
    }

    /// Rows from text in memory, under a file name of the caller's choice.
    pub fn from_text(file: &str, text: impl Into<String>) -> Rows {
        let lines = Box::new(io::Cursor::new(text.into()));
        let listed = Vec::new().into_iter();
        Rows { file: file.to_owned(), line: 0, lines: Some(lines), listed }
    }

    /// Rows from one object whose members are lists of rows: `{"hashes": [row, …], …}`.
    pub fn from_lists(file: &str, text: &[u8]) -> Rows {
        let rows = match parse(text) {
            Ok(Value::Object(lists)) => {
                let rows = lists.into_iter().flat_map(|(name, list)| match list {
                    Value::Array(rows) => rows.into_iter().map(Ok).collect(),
                    _ => vec![Err(format!("`{name}` is not a list of rows"))],
                });
                rows.map(|row| match row {
                    Ok(row @ Value::Object(_)) => Ok(row),
                    Ok(_) => Err("not a JSON object".to_owned()),
                    Err(error) => Err(error),
                })
                .collect()
            }
            Ok(_) => vec![Err("not a JSON object".to_owned())],
            Err(error) => vec![Err(error)],
        };
        // Where a row cannot be an object, the lines after it are not known for sure.
        let lines = lines_of_rows(text).into_iter().chain(std::iter::repeat(1));
        let listed: Vec<_> = lines.zip(rows).collect();
        Rows { file: file.to_owned(), line: 0, lines: None, listed: listed.into_iter() }
    }
}

/// The lines on which objects at the third level begin: those of the rows in lists.
fn lines_of_rows(text: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    brackets(text, |line, level| found.extend((level == 3).then_some(line)));
    found
}

/// Calls `open` with line and level, both from 1, of each bracket that opens in JSON text, strings
/// apart.
fn brackets(text: &[u8], mut open: impl FnMut(usize, usize)) {
    let (mut line, mut level) = (1, 0_usize);
    let (mut in_string, mut escaped) = (false, false);
    for &byte in text {
        match byte {
            b'\n' => line += 1,
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                level += 1;
                open(line, level);
            }
            b']' | b'}' if !in_string => level = level.saturating_sub(1),
            _ => {}
        }
    }
}

impl Iterator for Rows {
    type Item = Result<Row, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some((line, row)) = self.listed.next() {
            let file = self.file.clone();
            return Some(match row {
                Ok(value) => Ok(Row { file, line, value }),
                Err(message) => Err(RowError { file, line, message }),
            });
        }
        let mut text = Vec::new();
        let read = loop {
            text.clear();
            self.line += 1;
            match self.lines.as_mut()?.read_until(b'\n', &mut text) {
                Ok(0) => return None,
                Ok(_) if text.trim_ascii().is_empty() => {}
                Ok(_) => break parse(text.trim_ascii()),
                Err(error) => {
                    self.lines = None;
                    break Err(error.to_string());
                }
            }
        };
        let (file, line) = (self.file.clone(), self.line);
        Some(match read {
            Ok(value) => Ok(Row { file, line, value }),
            Err(message) => Err(RowError { file, line, message }),
        })
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rows({}:{})", self.file, self.line)
    }
}

/// All rows of a file, for tests.
///
/// # Panics
/// Where the file or a line of it cannot be read.
pub fn all_rows(file: impl AsRef<Path>) -> Vec<Row> {
    let file = file.as_ref();
    let rows = Rows::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    rows.map(|row| row.unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// Parses JSON of any depth up to 100 000 levels.
fn parse(text: &[u8]) -> Result<Value, String> {
    let unlimited = || {
        let mut deserializer = serde_json::Deserializer::from_slice(text);
        deserializer.disable_recursion_limit();
        let value = serde::Deserialize::deserialize(&mut deserializer)?;
        deserializer.end().map(|()| value)
    };
    let mut levels = 0;
    brackets(text, |_, level| levels = levels.max(level));
    if levels > DEEPEST {
        return Err(format!("{levels} levels are more than {DEEPEST}"));
    }
    let parsed = if levels > SHALLOW { on_big_stack(unlimited) } else { unlimited() };
    match parsed {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err("not a JSON object".to_owned()),
        Err(error) => Err(format!("not JSON: {error}")),
    }
}

/// Bytes as lower-case hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes from hexadecimal digits of either case, without separators.
///
/// # Errors
/// An odd number of digits, or a character that is no digit.
pub fn from_hex(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<u8> = text
        .chars()
        .enumerate()
        .map(|(at, digit)| match digit.to_digit(16) {
            Some(value) => Ok(value as u8),
            None => Err(format!("`{digit}` at character {at} is no hexadecimal digit")),
        })
        .collect::<Result<_, _>>()?;
    if !digits.len().is_multiple_of(2) {
        return Err(format!("{} hexadecimal digits are an odd number", digits.len()));
    }
    Ok(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Whether two byte strings are equal, with a message about the first difference.
///
/// # Errors
/// `{what}` with both lengths, the place of the first difference and the bytes there.
pub fn same_bytes(what: &str, expected: &[u8], found: &[u8]) -> Result<(), String> {
    const SHOWN: usize = 16;
    if expected == found {
        return Ok(());
    }
    let at = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
    let shown = |bytes: &[u8]| {
        let end = bytes.len().min(at + SHOWN);
        match &bytes[at..end] {
            [] => "the end".to_owned(),
            part if end < bytes.len() => format!("{}…", to_hex(part)),
            part => to_hex(part),
        }
    };
    Err(format!(
        "{what}: expected {} bytes, found {}; at byte {at:#x} expected {}, found {}",
        expected.len(),
        found.len(),
        shown(expected),
        shown(found),
    ))
}

/// The outcome of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything the row says was checked and holds.
    Passed,
    /// The difference.
    Failed(String),
    /// Why the row was not checked.
    Skipped(String),
}

impl From<Result<(), String>> for Outcome {
    fn from(result: Result<(), String>) -> Self {
        match result {
            Ok(()) => Outcome::Passed,
            Err(what) => Outcome::Failed(what),
        }
    }
}

/// How many rows passed, failed and were skipped. Displays as `N passed, N failed, N skipped`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows that hold.
    pub passed: u64,
    /// Rows that do not hold, and lines that could not be read.
    pub failed: u64,
    /// Rows that were not checked.
    pub skipped: u64,
}

impl Tally {
    /// Whether at least one row ran and none failed.
    pub fn is_success(&self) -> bool {
        self.failed == 0 && self.passed > 0
    }

    /// 0 on success; 1 on any failure, or when nothing at all ran.
    pub fn exit_status(&self) -> u8 {
        u8::from(!self.is_success())
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// Counts rows and prints one line for each that failed or was skipped.
#[derive(Debug)]
pub struct Report<W> {
    out: W,
    tally: Tally,
}

impl<W: Write> Report<W> {
    /// A report to any writer.
    pub fn new(out: W) -> Self {
        Report { out, tally: Tally::default() }
    }

    /// Notes what became of a row: `FAIL file:line name: what` or `SKIP file:line name: why`.
    pub fn row(&mut self, row: &Row, outcome: &Outcome) {
        let (word, text) = match outcome {
            Outcome::Passed => {
                self.tally.passed += 1;
                return;
            }
            Outcome::Failed(what) => {
                self.tally.failed += 1;
                ("FAIL", what)
            }
            Outcome::Skipped(why) => {
                self.tally.skipped += 1;
                ("SKIP", why)
            }
        };
        self.print(&format!("{word} {} {}: {text}", row.place(), row.name()));
    }

    /// Notes a line that could not be read, which counts as failed.
    pub fn unreadable(&mut self, error: &RowError) {
        self.tally.failed += 1;
        self.print(&format!("FAIL {}:{} -: {}", error.file, error.line, error.message));
    }

    /// Notes a file that could not be opened, which counts as failed.
    pub fn unopened(&mut self, file: &Path, error: &io::Error) {
        let (file, message) = (file.display().to_string(), error.to_string());
        self.unreadable(&RowError { file, line: 0, message });
    }

    /// The count so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Prints the last line, `N passed, N failed, N skipped`.
    pub fn finish(mut self) -> Tally {
        self.print(&self.tally.to_string());
        self.tally
    }

    /// One line, whatever the text holds. A closed pipe ends no report: the count is still right.
    fn print(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}", text.replace(['\n', '\r'], " "));
    }
}
