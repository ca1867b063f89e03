//! All readings of one text: what earlier ones have found out about its values, and the report.

use std::collections::HashMap;

use crate::read::Input;
use crate::report::{Action, Issue, Outcome, Processing, Report, ResultCode, Task};
use crate::value::Locator;
use crate::{Error, ErrorKind, Options, Result};

/// The code of a load that did nothing.
pub(super) const IDLE: ResultCode = ResultCode::idle(Task::ReadField);

/// How a reading treats issues.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// They are errors.
    Strict,
    /// They are reported.
    Report,
    /// They were reported by an earlier reading.
    Silent,
}

/// The finding of an earlier reading about a value.
#[derive(Clone)]
pub(super) enum Verdict {
    /// It is not what the text says.
    Exclude,
    /// The same, and the load stops there.
    Stop,
    /// Its type refused it, in these words.
    Refused(Outcome, String),
}

pub(crate) struct Readings<'de, 'o> {
    options: &'o Options,
    text: Input<'de>,
    stage: Stage,
    locator: Option<Box<Locator<'de>>>,
    /// By the offsets of the values.
    verdicts: HashMap<usize, Verdict>,
    /// Answers of the callback, so that it is asked once.
    answers: HashMap<(usize, Task, Outcome), Action>,
    report: Report,
    /// Bytes of all pointers, so that long names are not repeated without end.
    pointers: usize,
    /// Values to leave out, found in this reading.
    found: HashMap<usize, Verdict>,
    /// The value that its own type refused, which ends the reading.
    refused: Option<(usize, Outcome, String)>,
    /// The issue for which the type was shown a value that it refused.
    cause: Option<(Outcome, String)>,
}

impl<'de, 'o> Readings<'de, 'o> {
    pub(super) fn new(text: Input<'de>, options: &'o Options, stage: Stage) -> Self {
        Readings {
            options,
            text,
            stage,
            locator: None,
            verdicts: HashMap::new(),
            answers: HashMap::new(),
            report: Report::new(Task::ReadField),
            pointers: 0,
            found: HashMap::new(),
            refused: None,
            cause: None,
        }
    }

    /// A reading begins. Only one that comes to its end is reported.
    pub(super) fn begin(&mut self) {
        if self.stage == Stage::Report {
            (self.report.issues, self.report.omitted, self.pointers) = (Vec::new(), 0, 0);
        }
        self.found.clear();
        (self.refused, self.cause) = (None, None);
    }

    /// A reading came to its end. Returns whether another one must leave out more.
    pub(super) fn end(&mut self, code: ResultCode) -> bool {
        if self.stage == Stage::Report {
            (self.stage, self.report.code) = (Stage::Silent, code);
        }
        let mut any = false;
        for (at, verdict) in self.found.drain() {
            any |= !self.verdicts.contains_key(&at);
            self.verdicts.entry(at).or_insert(verdict);
        }
        any
    }

    /// A reading ended with an error. Returns whether the next one can do without the value that was
    /// refused.
    pub(super) fn exclude_refused(&mut self) -> bool {
        let Some((at, outcome, message)) = self.refused.take() else { return false };
        self.verdicts.insert(at, Verdict::Refused(outcome, message.clone()));
        if self.stage == Stage::Silent {
            let issue = self.make(Task::ReadField, outcome, at, message);
            self.report.add_code(ResultCode::new(issue.task, issue.outcome));
            let after = self.report.issues.partition_point(|other| other.offset <= issue.offset);
            self.report.issues.insert(after, issue);
        }
        true
    }

    /// Forgets all but the answers of the callback.
    pub(super) fn restart(&mut self) {
        self.stage = Stage::Report;
        self.verdicts.clear();
    }

    pub(super) fn into_report(self) -> Report {
        self.report
    }

    /// Whether issues are reported, not errors.
    #[inline]
    pub(super) fn is_lenient(&self) -> bool {
        self.stage != Stage::Strict
    }

    /// Whether no earlier reading has found anything, so that no value needs a look.
    #[inline]
    pub(super) fn is_fresh(&self) -> bool {
        self.verdicts.is_empty()
    }

    /// The finding of an earlier reading about the value at an offset.
    #[inline(never)]
    pub(super) fn verdict(&self, at: usize) -> Option<Verdict> {
        self.verdicts.get(&at).cloned()
    }

    /// The next reading is to do without the value at an offset.
    #[cold]
    pub(super) fn exclude(&mut self, at: usize, verdict: Verdict) {
        self.found.insert(at, verdict);
    }

    /// The type's own code refuses the value at an offset. What this crate itself finds wrong comes
    /// with its offset, or is a limit.
    #[cold]
    pub(super) fn refuse(&mut self, at: usize, error: Error) -> Error {
        if self.is_lenient() && error.offset().is_none() && error.is_data() {
            let cause = self.cause.take();
            let (outcome, message) =
                cause.unwrap_or_else(|| (Outcome::Unsupported, error.message().to_owned()));
            self.refused.get_or_insert((at, outcome, message));
        }
        error.or_at(at)
    }

    /// The type refuses what it was shown in the place of a value with an issue.
    #[cold]
    pub(super) fn refuse_for(&mut self, outcome: Outcome, message: String, error: Error) -> Error {
        self.cause = Some((outcome, message)).filter(|_| error.offset().is_none());
        error
    }

    /// Notes an issue. An error where it is not taken down, or the callback says so.
    #[cold]
    #[inline(never)]
    pub(super) fn issue(
        &mut self,
        task: Task,
        outcome: Outcome,
        offset: usize,
        message: String,
    ) -> Result<ResultCode> {
        let key = (offset, task, outcome);
        if self.stage == Stage::Silent {
            return Ok(match self.answers.get(&key) {
                Some(Action::Replace(outcome)) => ResultCode::new(task, *outcome),
                _ => ResultCode::new(task, outcome),
            });
        }
        let mut code = ResultCode::new(task, outcome);
        if let Some(callback) = &self.options.on_issue {
            let action = match self.answers.get(&key) {
                Some(action) => *action,
                None => {
                    let issue = self.make(task, outcome, offset, message.clone());
                    let action = callback.ask(&issue);
                    self.answers.insert(key, action);
                    action
                }
            };
            match action {
                Action::Keep => {}
                Action::Replace(outcome) => {
                    code = ResultCode::new(task, outcome);
                    if code.is_clean() {
                        return Ok(code);
                    }
                }
                Action::Refuse => {
                    return Err(Error::at(ErrorKind::of(outcome), offset, message));
                }
            }
        }
        if self.stage == Stage::Strict {
            let fatal = match self.options.strict {
                true => !code.is_clean(),
                false => code.processing() != Processing::Completed,
            };
            return match fatal {
                true => Err(Error::at(ErrorKind::of(code.outcome()), offset, message)),
                false => Ok(code),
            };
        }
        // No more is kept than is in proportion to the text.
        let room = self.text.bytes.len().saturating_mul(4).saturating_add(16 << 10);
        let most = self.options.max_issues.min((self.text.bytes.len() >> 3).saturating_add(64));
        if self.report.issues.len() >= most || self.pointers > room {
            self.report.omitted = self.report.omitted.saturating_add(1);
            return Ok(code);
        }
        let issue = self.make(task, code.outcome(), offset, message);
        self.pointers = self.pointers.saturating_add(issue.pointer.len());
        self.report.issues.push(issue);
        Ok(code)
    }

    fn make(&mut self, task: Task, outcome: Outcome, offset: usize, message: String) -> Issue {
        let (text, options) = (self.text, self.options);
        let locator = self.locator.get_or_insert_with(|| Box::new(Locator::new(text, options)));
        let (line, column) = locator.place(offset);
        Issue { pointer: locator.pointer(offset), offset, line, column, task, outcome, message }
    }

    /// Whether unknown members and spare elements are worth a note.
    #[inline]
    pub(super) fn notes_skips(&self) -> bool {
        self.is_lenient() || self.options.strict || self.options.on_issue.is_some()
    }
}
