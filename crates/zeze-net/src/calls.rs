//! Calls that wait for their answers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::{Error, ErrorKind, Result};
use gamewire_core::words::Count;
use zeze_serialize::frame::RawFrame;

/// A call that waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallId {
    /// Id of the module.
    pub module_id: u32,
    /// Id of the protocol in the module.
    pub protocol_id: u32,
    /// Which of the calls of this side it is.
    pub session_id: i64,
}

/// A call, and when its answer is late.
#[derive(Clone, Copy, Debug)]
struct Call {
    id: CallId,
    deadline: Duration,
    /// Whether the application waits for the answer.
    is_wanted: bool,
}

/// The call of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A call that the application waits for.
    Wanted,
    /// A call of the connection itself.
    Own,
    /// Nothing: it comes too late, or twice, or was never called for.
    Nothing,
}

/// The calls of one side.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    last: i64,
    by_id: BTreeMap<i64, Call>,
    by_deadline: BTreeSet<(Duration, i64)>,
    /// Calls that no longer wait, and whose answers may still come.
    given_up: usize,
    /// Answers that nothing has called for.
    pub(crate) unexpected: usize,
}

impl Calls {
    /// The id of the next call; ids begin with 1.
    ///
    /// # Errors
    /// As many calls as may be already wait.
    pub(crate) fn next(&mut self, max: usize) -> Result<i64> {
        if self.by_id.len() >= max {
            let text = format!(
                "expected an answer first: {} wait, which is max_calls",
                Count(self.by_id.len(), "call")
            );
            return Err(Error::new(ErrorKind::CallLimit, text));
        }
        loop {
            // After 2⁶³ calls the ids begin again at 1, without those that still wait.
            self.last = self.last.checked_add(1).unwrap_or(1);
            if !self.by_id.contains_key(&self.last) {
                return Ok(self.last);
            }
        }
    }

    pub(crate) fn add(&mut self, id: CallId, deadline: Duration, is_wanted: bool) {
        self.by_id.insert(id.session_id, Call { id, deadline, is_wanted });
        self.by_deadline.insert((deadline, id.session_id));
    }

    /// The call that a frame is the answer to; it does not wait any longer.
    pub(crate) fn answer(&mut self, frame: &RawFrame<'_>) -> Found {
        let Some(session_id) = frame.header.session_id() else { return Found::Nothing };
        let (module_id, protocol_id) = (frame.module_id, frame.protocol_id);
        match self.by_id.get(&session_id) {
            Some(call) if call.id == (CallId { module_id, protocol_id, session_id }) => {
                let is_wanted = call.is_wanted;
                self.remove(session_id);
                if is_wanted { Found::Wanted } else { Found::Own }
            }
            _ => {
                match self.given_up.checked_sub(1) {
                    Some(others) => self.given_up = others,
                    None => self.unexpected = self.unexpected.saturating_add(1),
                }
                Found::Nothing
            }
        }
    }

    /// An answer may come that no call waits for.
    pub(crate) fn give_up(&mut self) {
        self.given_up = self.given_up.saturating_add(1);
    }

    /// No longer waits for an answer.
    pub(crate) fn remove(&mut self, session_id: i64) -> bool {
        let Some(call) = self.by_id.remove(&session_id) else { return false };
        self.by_deadline.remove(&(call.deadline, session_id));
        true
    }

    /// When the first of them has waited too long.
    pub(crate) fn first_deadline(&self) -> Option<Duration> {
        self.by_deadline.first().map(|(deadline, _)| *deadline)
    }

    /// Takes out a call of the application that has waited too long; those of the connection itself
    /// are forgotten.
    pub(crate) fn expired(&mut self, now: Duration) -> Option<CallId> {
        while let Some((deadline, session_id)) = self.by_deadline.first().copied()
            && deadline <= now
        {
            self.by_deadline.pop_first();
            let call = self.by_id.remove(&session_id);
            debug_assert!(call.is_some(), "a deadline without a call");
            self.give_up();
            if let Some(call) = call.filter(|call| call.is_wanted) {
                return Some(call.id);
            }
        }
        None
    }

    pub(crate) fn len(&self) -> usize {
        self.by_id.len()
    }
}
