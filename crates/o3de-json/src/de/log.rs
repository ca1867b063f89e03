//! What is noted while a text is read: issues, and what must be left out of the value.

use std::collections::{HashMap, HashSet};

use crate::read::Input;
use crate::report::{Action, Issue, Outcome, Processing, Report, ResultCode, Task};
use crate::value::Locator;
use crate::{Error, ErrorKind, Options, Result};

/// The code of a load that did nothing.
pub(super) const IDLE: ResultCode = ResultCode::idle(Task::ReadField);

/// What earlier readings of the same text have found.
#[derive(Default)]
pub(crate) struct Known {
    /// Values to leave out.
    pub(super) dropped: HashSet<usize>,
    /// Values that a type's own code refused, with its words.
    pub(super) refused: HashMap<usize, String>,
    /// What the callback said, so that it is asked once.
    answers: HashMap<(usize, Task, Outcome), Action>,
}

pub(crate) struct Log<'de, 'o> {
    options: &'o Options,
    text: Input<'de>,
    locator: Option<Box<Locator<'de>>>,
    known: Known,
    issues: Vec<Issue>,
    omitted: usize,
    /// Bytes of all pointers, so that long names are not repeated without end.
    pointers: usize,
    /// Whether issues are taken down, or are errors.
    pub(super) lenient: bool,
    /// In the second reading of a text nothing is said again.
    pub(super) silent: bool,
    /// Values that were not what the text says, found in this reading.
    dropped: HashSet<usize>,
    /// The value that its own type refused, which ends the reading.
    refusal: Option<(usize, String)>,
}

/// What an earlier reading has found out about a value.
pub(super) enum Verdict {
    LeaveOut,
    Refused(String),
}

impl<'de, 'o> Log<'de, 'o> {
    pub(super) fn new(text: Input<'de>, options: &'o Options, known: Known) -> Self {
        Log {
            options,
            text,
            locator: None,
            known,
            issues: Vec::new(),
            omitted: 0,
            pointers: 0,
            lenient: false,
            silent: false,
            dropped: HashSet::new(),
            refusal: None,
        }
    }

    /// Whether no earlier reading has found anything, so that no value needs a look.
    #[inline]
    pub(super) fn is_fresh(&self) -> bool {
        self.known.dropped.is_empty() && self.known.refused.is_empty()
    }

    /// What an earlier reading has found out about the value at an offset.
    #[inline(never)]
    pub(super) fn verdict(&self, at: usize) -> Option<Verdict> {
        if let Some(message) = self.known.refused.get(&at) {
            return Some(Verdict::Refused(message.clone()));
        }
        self.known.dropped.contains(&at).then_some(Verdict::LeaveOut)
    }

    /// The next reading is to do without the value at an offset.
    #[cold]
    pub(super) fn drop(&mut self, at: usize) {
        self.dropped.insert(at);
    }

    /// The type's own code refuses the value at an offset. What this crate itself finds wrong comes
    /// with its offset, or is a limit.
    #[cold]
    pub(super) fn refuse(&mut self, at: usize, error: Error) -> Error {
        if self.lenient && error.offset().is_none() && error.is_data() {
            self.refusal.get_or_insert_with(|| (at, error.message().to_owned()));
        }
        error.or_at(at)
    }

    pub(super) fn take_refusal(&mut self) -> Option<Issue> {
        let (at, message) = self.refusal.take()?;
        Some(self.make(Task::ReadField, Outcome::Unsupported, at, message))
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
        let mut code = ResultCode::new(task, outcome);
        let key = (offset, task, outcome);
        if self.silent {
            if let Some(Action::Replace(outcome)) = self.known.answers.get(&key) {
                code = ResultCode::new(task, *outcome);
            }
            return Ok(code);
        }
        let mut kept = true;
        if let Some(callback) = &self.options.on_issue {
            let action = match self.known.answers.get(&key) {
                Some(action) => *action,
                None => {
                    let issue = self.make(task, outcome, offset, message.clone());
                    let action = callback.ask(&issue);
                    self.known.answers.insert(key, action);
                    action
                }
            };
            match action {
                Action::Keep => {}
                Action::Replace(outcome) => {
                    code = ResultCode::new(task, outcome);
                    kept = !code.is_clean();
                }
                Action::Refuse => {
                    return Err(Error::at(ErrorKind::of(outcome), offset, message));
                }
            }
        }
        if !kept {
            return Ok(code);
        }
        if !self.lenient {
            let fatal = match self.options.strict {
                true => !code.is_clean(),
                false => code.processing() != Processing::Completed,
            };
            if fatal {
                return Err(Error::at(ErrorKind::of(code.outcome()), offset, message));
            }
            return Ok(code);
        }
        // No more is kept than is in proportion to the text.
        let room = self.text.bytes.len().saturating_mul(4).saturating_add(16 << 10);
        let most = self.options.max_issues.min((self.text.bytes.len() >> 3).saturating_add(64));
        if self.issues.len() >= most || self.pointers > room {
            self.omitted = self.omitted.saturating_add(1);
            return Ok(code);
        }
        let issue = self.make(task, code.outcome(), offset, message);
        self.pointers = self.pointers.saturating_add(issue.pointer.len());
        self.issues.push(issue);
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
        self.lenient || self.options.strict || self.options.on_issue.is_some()
    }

    /// The report, what is known now, and what this reading would leave out.
    pub(super) fn into_parts(self, code: ResultCode) -> (Report, Known, HashSet<usize>) {
        let report = Report { code, issues: self.issues, omitted: self.omitted };
        (report, self.known, self.dropped)
    }
}
