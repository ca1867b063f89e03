//! `conformance`: the vectors of a format through any program, in whatever language it is written.

mod row;

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use clap::Args;
use gamewire::Format;
use gamewire::document::{count, shortened};
use serde_json::Value as Json;

use self::row::{MAX_SHOWN, Question, Verdict};
use crate::args::format_parser;
use crate::failure::{Failure, Outcome};
use crate::files::{self, Bound};
use crate::output;
use crate::output::Shown as _;

/// Run the vectors of a format through any program
///
/// CMD is started once. It gets one JSON object on each line of its standard input and writes one for
/// each to its standard output. `op` is `read` or `write`, `ask` the member that is asked for, `row` the
/// row of the vector file without what is to be found out, `at` its file and line:
///
/// {"op":"read","ask":"value","row":{"kind":"int","hex":"3f"},"at":"int.jsonl:1"}
///
/// An answer is {"value":63}, or {"error":"why"} where the bytes are to be refused, or {"skip":"why"} for
/// what the program does not do. Exits with 1 when an answer is wrong or none is right.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire conformance zeze-serialize -- python3 docs/conformance/zeze.py
  gamewire conformance godot-variant --vectors vectors/godot4.jsonl -- node variant.js
  gamewire conformance kiwi-pclass --timeout 60 -- dotnet run")]
pub(crate) struct Conformance {
    /// The format
    #[arg(value_parser = format_parser())]
    format: Format,
    /// Vector files, or folders of them [default: testdata/FORMAT/vectors, here or in a folder above]
    #[arg(long, value_name = "PATH")]
    vectors: Vec<PathBuf>,
    /// How long an answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    timeout: u64,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
    #[command(flatten)]
    bound: Bound,
}

/// How many answers were right, wrong and not given.
#[derive(Default)]
struct Count {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Conformance {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let questions = self.questions()?;
        let mut program = Program::start(&self.command, &questions)?;
        let mut count = Count::default();
        let mut questions: VecDeque<Question> = questions.into();
        while let Some(question) = questions.pop_front() {
            let answer = match program.answer(Duration::from_secs(self.timeout)) {
                Ok(answer) => answer,
                Err(why) => {
                    // The rest has no answer.
                    count.failed += questions.len() + 1;
                    output::print(format!("FAIL {} {}: {why}\n", question.at, question.op))?;
                    break;
                }
            };
            match serde_json::from_str(&answer).ok().map(|json| question.judge(&json)) {
                Some(Verdict::Passed) => count.passed += 1,
                Some(Verdict::Skipped) => count.skipped += 1,
                Some(Verdict::Wrong(why)) => {
                    count.failed += 1;
                    let shown = format!("{} {} {}", question.at, question.op, question.name);
                    output::print(format!("FAIL {}: {why}\n", shown.trim_end()))?;
                }
                None => {
                    count.failed += 1;
                    let shown = shortened(&answer, MAX_SHOWN);
                    output::print(format!("FAIL {}: no JSON: {shown}\n", question.at))?;
                }
            }
        }
        program.end();
        let Count { passed, failed, skipped } = count;
        output::print(format!("{passed} passed, {failed} failed, {skipped} skipped\n"))?;
        Ok(Outcome::good_if(failed == 0 && passed > 0))
    }

    /// The questions, in the order of the files and their lines.
    fn questions(&self) -> Result<Vec<Question>, Failure> {
        let paths =
            if self.vectors.is_empty() { vec![self.folder()?] } else { self.vectors.clone() };
        let walk = files::expand(&paths);
        let mut questions = Vec::new();
        for file in walk.files {
            let is_vectors = file.path.extension().is_some_and(|own| own == "jsonl");
            if !file.is_named && !is_vectors {
                continue;
            }
            let bytes = file.read(self.bound)?.bytes.into_vec();
            let name = file.path.shown();
            let text = String::from_utf8(bytes)
                .map_err(|_| Failure::Data(format!("{name}: not UTF-8")))?;
            for (line, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty())
            {
                let at = format!("{name}:{}", line + 1);
                let Some(Json::Object(row)) = serde_json::from_str(text).ok() else {
                    return Err(Failure::Data(format!("{at}: expected a JSON object")));
                };
                questions.extend(row::questions(&row, &at));
            }
        }
        if questions.is_empty() {
            return Err(Failure::Usage("no rows that ask for anything".to_owned()));
        }
        Ok(questions)
    }

    /// The vectors that are in a clone of the repository.
    fn folder(&self) -> Result<PathBuf, Failure> {
        let own = Path::new("testdata").join(self.format.crate_name()).join("vectors");
        let here = fs::canonicalize(".").unwrap_or_default();
        let found = here.ancestors().enumerate().find(|(_, folder)| folder.join(&own).is_dir());
        let up = |(levels, _)| PathBuf::from("../".repeat(levels)).join(&own);
        found.map(up).ok_or_else(|| {
            let own = own.shown();
            Failure::Usage(format!("{own}: not here nor above; --vectors names vector files"))
        })
    }
}

/// A running program, with its answers as they come.
struct Program {
    child: Child,
    answers: Receiver<String>,
}

impl Program {
    /// Starts it and begins to ask. It may read ahead, or answer each line before it reads the next.
    fn start(command: &[OsString], questions: &[Question]) -> Result<Self, Failure> {
        let failed = |error: &std::io::Error| {
            let name = command.first().map(|own| own.to_string_lossy()).unwrap_or_default();
            Failure::io(&name, error)
        };
        let mut own = Command::new(command.first().cloned().unwrap_or_default());
        own.args(command.get(1..).unwrap_or_default());
        own.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = own.spawn().map_err(|error| failed(&error))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let lines: String = questions.iter().map(Question::line).collect();
        // Threads end with the program: its end closes both pipes.
        std::thread::spawn(move || {
            // A program that ends early is noticed by its answers.
            stdin.map(|mut stdin| stdin.write_all(lines.as_bytes()))
        });
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let lines = stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).split(b'\n'));
            for line in lines.map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        Ok(Program { child, answers })
    }

    fn answer(&mut self, most: Duration) -> Result<String, String> {
        self.answers.recv_timeout(most).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                let seconds = usize::try_from(most.as_secs()).unwrap_or(usize::MAX);
                format!("no answer for {}; is its output flushed?", count(seconds, "second"))
            }
            RecvTimeoutError::Disconnected => "the program has ended".to_owned(),
        })
    }

    /// Everything is asked, or nothing more is answered.
    fn end(&mut self) {
        // One that has ended cannot be killed, and that is as well.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
