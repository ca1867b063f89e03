//! The steps of patches and imports, reported as the engine reports them.

use std::borrow::Cow;

use gamewire_core::walk;

use super::{Text, Value, pointer};
use crate::report::{Outcome, Processing, ResultCode, Task};

/// One step that a patch or an import has taken, or why it was not taken.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step<'a> {
    /// The step in words.
    pub message: Cow<'static, str>,
    /// Where: a JSON pointer into the patch for what is wrong with the patch and for `test`, into
    /// the target for a step that succeeded, into the document for imports.
    pub pointer: &'a str,
    /// The engine's code for the result.
    pub code: ResultCode,
}

/// The function that receives every step, and returns the code that counts: that of the step, or a
/// milder or stricter one.
pub(super) type Say<'a> = &'a mut dyn FnMut(&Step<'_>) -> ResultCode;

/// The most levels of a value that patches are made of and applied to.
pub(super) const MAX_LEVELS: usize = 512;

/// The most bytes that the `copy` operations of one patch may make, and the pointers of a patch that is
/// made, unless the values are large themselves.
pub(super) const MAX_MADE: usize = 64 << 20;

pub(super) struct Steps<'a> {
    pub(super) task: Task,
    /// Where in the patch, the target or the document.
    pub(super) pointer: String,
    pub(super) say: Say<'a>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(task: Task, say: Say<'a>) -> Self {
        Steps { task, pointer: String::new(), say }
    }

    /// A code for the task without any work done.
    pub(super) fn idle(&self) -> ResultCode {
        ResultCode::idle(self.task)
    }

    pub(super) fn code(&self, outcome: Outcome) -> ResultCode {
        ResultCode::new(self.task, outcome)
    }

    /// Reports a step at the present place.
    pub(super) fn say(
        &mut self,
        outcome: Outcome,
        message: impl Into<Cow<'static, str>>,
    ) -> ResultCode {
        let code = self.code(outcome);
        (self.say)(&Step { message: message.into(), pointer: &self.pointer, code })
    }

    /// Reports a step at another place.
    pub(super) fn say_at(
        &mut self,
        pointer: &str,
        outcome: Outcome,
        message: impl Into<Cow<'static, str>>,
    ) -> ResultCode {
        let code = self.code(outcome);
        (self.say)(&Step { message: message.into(), pointer, code })
    }

    /// Does something with one more step in the pointer.
    pub(super) fn within<T>(&mut self, name: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        pointer::append_pointer(&mut self.pointer, name);
        let done = work(self);
        self.pointer.truncate(length);
        done
    }
}

/// Whether the work cannot continue.
pub(super) fn is_halted(code: ResultCode) -> bool {
    code.processing() == Processing::Halted
}

/// Returns how many values a value holds, itself included; `usize::MAX` where that is above `most`.
pub fn count_values(value: &Value, most: usize) -> usize {
    sum(value, most, |_| 1)
}

/// About how many bytes a value takes, without the text that it was read from; stops counting above
/// `most`.
pub(crate) fn weight(value: &Value, most: usize) -> usize {
    sum(value, most, |value| {
        let name = |name: &Text| size_of::<Text>().saturating_add(name.owned());
        let own = match value {
            Value::String(text) => text.owned(),
            Value::Object(object) => object.keys().map(name).fold(0, usize::saturating_add),
            _ => 0,
        };
        own.saturating_add(size_of::<Value>())
    })
}

/// The sum over all values in a value; `usize::MAX` when it is above `most`.
fn sum(value: &Value, most: usize, one: impl Fn(&Value) -> usize) -> usize {
    let within = |found: usize, value| found.checked_add(one(value)).filter(|sum| *sum <= most);
    walk::all(value).try_fold(0, within).unwrap_or(usize::MAX)
}
