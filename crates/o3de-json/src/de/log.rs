//! What is noted while a text is read: issues, and what must be left out of the value.

use std::collections::{HashMap, HashSet};

use crate::locate::Locator;
use crate::report::{Action, Issue, Outcome, Processing, Report, ResultCode, Task};
use crate::{Error, ErrorKind, Options, Policy, Result};

/// What one attempt to read a text passes on to the next one.
#[derive(Default)]
pub(crate) struct Session {
    /// Members that a later one of the same name overrides.
    pub(crate) superseded: HashSet<usize>,
    /// Values that a type's own code refused, with its words.
    pub(crate) refused: HashMap<usize, String>,
    /// What the callback said, so that it is asked once.
    answers: HashMap<(usize, Task, Outcome), Action>,
    /// Values to leave out, once it is known which.
    pub(crate) dropped: HashSet<usize>,
}

pub(crate) struct Log<'de, 'o> {
    options: &'o Options,
    locator: Option<Box<Locator<'de>>>,
    text: &'de str,
    pub(crate) session: Session,
    issues: Vec<Issue>,
    omitted: usize,
    /// Bytes of all pointers, so that long names are not repeated without end.
    pointers: usize,
    /// Whether issues are taken down, or are errors.
    pub(crate) lenient: bool,
    /// In the second reading of a text nothing is said again.
    pub(crate) silent: bool,
    /// Values that were not what the text says, found in this reading.
    pub(crate) dropped: HashSet<usize>,
    /// The text must be read again.
    pub(crate) again: bool,
}

impl<'de, 'o> Log<'de, 'o> {
    pub(crate) fn new(text: &'de str, options: &'o Options, session: Session) -> Self {
        Log {
            options,
            locator: None,
            text,
            session,
            issues: Vec::new(),
            omitted: 0,
            pointers: 0,
            lenient: options.policy == Policy::Lenient,
            silent: false,
            dropped: HashSet::new(),
            again: false,
        }
    }

    /// Notes an issue. An error where the policy or the callback says so.
    #[cold]
    #[inline(never)]
    pub(crate) fn issue(
        &mut self,
        task: Task,
        outcome: Outcome,
        offset: usize,
        message: String,
    ) -> Result<ResultCode> {
        let mut code = ResultCode::new(task, outcome);
        if self.silent {
            return Ok(code);
        }
        let mut kept = true;
        if let Some(callback) = &self.options.on_issue {
            let key = (offset, task, outcome);
            let action = match self.session.answers.get(&key) {
                Some(action) => *action,
                None => {
                    let issue = self.make(task, outcome, offset, message.clone());
                    let action = callback(&issue);
                    self.session.answers.insert(key, action);
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
            let fatal = match self.options.policy {
                Policy::Strict => !code.is_clean(),
                _ => code.processing() != Processing::Completed,
            };
            if fatal {
                return Err(Error::at(ErrorKind::of(code.outcome()), offset, message));
            }
            return Ok(code);
        }
        // No more is kept than is in proportion to the text.
        let room = self.text.len().saturating_mul(4).saturating_add(16 << 10);
        let most = self.options.max_issues.min((self.text.len() >> 3).saturating_add(64));
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
    pub(crate) fn notes_skips(&self) -> bool {
        self.lenient || self.options.policy == Policy::Strict || self.options.on_issue.is_some()
    }

    pub(crate) fn into_report(self, code: ResultCode) -> (Report, Session) {
        (Report { code, issues: self.issues, omitted: self.omitted }, self.session)
    }
}
