//! The meaning of every byte of a binary file. Feature `explain`.

use gamewire_core::Segment;
use gamewire_core::explain::{Note, Role, Sink, shortened};
use godot_variant::explain::{Explanation, compressed};

use super::PACKED_MAGIC;
use super::read::{Meaning, Noted, Notes};
use crate::{ErrorKind, Options};

/// Notes for a sink.
struct Noter<'s>(&'s mut Sink);

impl Notes for Noter<'_> {
    fn part(&mut self, end: usize, noted: impl FnOnce() -> Noted) {
        if self.0.is_full() {
            self.0.push(end, Note::new(Role::Data, ""));
            return;
        }
        let Noted { role, meaning, value } = noted();
        let role = match role {
            Meaning::Magic => Role::Magic,
            Meaning::Header => Role::Header,
            Meaning::Length => Role::Length,
            Meaning::Text => Role::Text,
            Meaning::Data => Role::Data,
            Meaning::Padding => Role::Padding,
        };
        self.0.push(end, Note::new(role, meaning).value(shortened(format_args!("{value}"))));
    }

    fn enter(&mut self, step: impl FnOnce() -> Segment) {
        self.0.enter(step());
        self.0.indent();
    }

    fn leave(&mut self) {
        self.0.outdent();
        self.0.leave();
    }
}

impl Options {
    /// Says what every byte of a binary file means; never fails, see [`Explanation::error`].
    pub fn explain(&self, bytes: &[u8]) -> Explanation {
        let memory = self.limits.memory(bytes.len());
        let mut sink = Sink::new(bytes).max_memory(memory);
        let is_packed = bytes.starts_with(PACKED_MAGIC);
        let wrong = match is_packed {
            true => match compressed(&mut sink, bytes, self.limits.max_alloc) {
                Ok(wrong) => wrong,
                Err(error) => return sink.finish(Some(error)),
            },
            false => None,
        };
        let body = sink.bytes();
        let (read, _) = self.body(&body, is_packed, Noter(&mut sink));
        let inner = read.err();
        if let Some(error) = &inner {
            // All that is there is too little, or a word is wrong.
            let end = match error.offset() {
                Some(at) if error.kind() != ErrorKind::UnexpectedEof => at.saturating_add(4),
                _ => body.len(),
            };
            sink.fail(error, end.min(body.len()));
        }
        sink.finish(wrong.or(inner))
    }
}
