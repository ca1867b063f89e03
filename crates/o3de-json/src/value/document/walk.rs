//! The tokens of a document's text, in their order.

use std::borrow::Cow;
use std::ops::Range;

use super::Document;
use crate::read::{Kind, Reader};
use crate::value::append_pointer;
use crate::value::decode::{Decoder, Leaf, Listener};

/// A token of a document's text; see [`Document::each_token`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TextToken<'t> {
    /// The bracket that begins an array.
    BeginArray,
    /// The bracket that begins an object.
    BeginObject,
    /// The bracket that ends an array or object.
    End,
    /// The name of a member.
    Name(Cow<'t, str>),
    /// A string.
    String(Cow<'t, str>),
    /// A number, `true`, `false` or `null`.
    Literal,
}

impl Document {
    /// Shows the tokens of the text as it was read, each with its range and the JSON pointer of its value, or
    /// member; stops where the function returns `false`.
    pub fn each_token<'t>(
        &'t self,
        look: &mut dyn FnMut(TextToken<'t>, Range<usize>, &str) -> bool,
    ) {
        let mut walk = Walk { look, is_over: false, pointer: String::new(), levels: Vec::new() };
        let mut reader = Reader::new(&self.source, &self.options).without_limit();
        let done = Decoder::default().run(&mut reader, &mut walk);
        debug_assert!(done.is_ok(), "what was accepted is accepted again");
    }
}

struct Walk<'w, 't> {
    look: &'w mut dyn FnMut(TextToken<'t>, Range<usize>, &str) -> bool,
    is_over: bool,
    /// The pointer of the present value.
    pointer: String,
    /// For each open container, the length of its pointer and its number of elements.
    levels: Vec<(usize, usize)>,
}

impl<'t> Walk<'_, 't> {
    fn show(&mut self, token: TextToken<'t>, range: Range<usize>) {
        self.is_over = self.is_over || !(self.look)(token, range, &self.pointer);
    }
}

impl<'t> Listener<'t> for Walk<'_, 't> {
    fn open(&mut self, start: usize, kind: Kind) {
        let token = match kind {
            Kind::Object => TextToken::BeginObject,
            _ => TextToken::BeginArray,
        };
        self.show(token, start..start.saturating_add(1));
        self.levels.push((self.pointer.len(), 0));
    }

    fn key(&mut self, range: Range<usize>, name: Cow<'t, str>) {
        if let Some((length, _)) = self.levels.last() {
            self.pointer.truncate(*length);
            append_pointer(&mut self.pointer, &name);
        }
        self.show(TextToken::Name(name), range);
    }

    fn element(&mut self) {
        if let Some((length, elements)) = self.levels.last_mut() {
            self.pointer.truncate(*length);
            append_pointer(&mut self.pointer, &elements.to_string());
            *elements = elements.saturating_add(1);
        }
    }

    fn leaf(&mut self, range: Range<usize>, leaf: Leaf<'t>) {
        let token = match leaf {
            Leaf::String(text) => TextToken::String(text),
            _ => TextToken::Literal,
        };
        self.show(token, range);
    }

    fn close(&mut self, end: usize) {
        if let Some((length, _)) = self.levels.pop() {
            self.pointer.truncate(length);
        }
        self.show(TextToken::End, end.saturating_sub(1)..end);
    }

    fn pauses(&self) -> bool {
        self.is_over
    }
}
