//! Findings of `lint`, as they are reported.

use serde::Serialize;

use crate::output::Shown as _;

/// A finding as it is reported.
#[derive(Serialize)]
pub(crate) struct FindingRow {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) rule: &'static str,
    pub(crate) pointer: String,
    pub(crate) message: String,
    /// Whether `--fix` mends it.
    pub(crate) fixable: bool,
    /// Whether it was mended.
    pub(crate) fixed: bool,
    /// The word for the change that was made.
    #[serde(skip)]
    pub(crate) done: &'static str,
}

impl FindingRow {
    pub(crate) fn text(&self) -> String {
        let FindingRow { file, line, column, rule, message, done, .. } = self;
        let (joint, done) = if self.fixed { (", ", *done) } else { ("", "") };
        format!("{}:{line}:{column}: {message} [{rule}]{joint}{done}\n", file.shown())
    }
}
