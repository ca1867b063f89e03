//! The parts of a text in their order, for crates that look at what is around the values.

use std::borrow::Cow;

use crate::Options;
use crate::read::{Kind, Reader};
use crate::value::decode::{Decoder, Leaf, Listener};

/// A part of a text; see [`walk_text`].
#[derive(Clone, Debug)]
pub enum TextPart<'t> {
    /// The bracket that begins an object, or an array.
    Begin(bool),
    /// The bracket that ends an object or array.
    End,
    /// An element of an array comes next.
    Element,
    /// The name of a member.
    Name(Cow<'t, str>),
    /// A string.
    Text(Cow<'t, str>),
    /// Another value without children.
    Leaf,
}

/// Shows the parts of a text that was read before, each with its range, as long as the function returns
/// `true`.
pub fn walk_text<'t>(
    text: &'t str,
    options: &Options,
    look: &mut dyn FnMut(TextPart<'t>, usize, usize) -> bool,
) {
    let mut walk = Walk { look, pauses: false };
    let mut reader = Reader::new(text, options).without_limit();
    // The text was read once: what is wrong with it was said then.
    _ = Decoder::default().run(&mut reader, &mut walk);
}

struct Walk<'w, 't> {
    look: &'w mut dyn FnMut(TextPart<'t>, usize, usize) -> bool,
    pauses: bool,
}

impl<'t> Walk<'_, 't> {
    fn show(&mut self, part: TextPart<'t>, start: usize, end: usize) {
        self.pauses |= !(self.look)(part, start, end);
    }
}

impl<'t> Listener<'t> for Walk<'_, 't> {
    fn begin(&mut self, kind: Kind, start: usize) {
        self.show(TextPart::Begin(kind == Kind::Object), start, start.saturating_add(1));
    }

    fn name(&mut self, start: usize, end: usize, name: Cow<'t, str>) {
        self.show(TextPart::Name(name), start, end);
    }

    fn element(&mut self) {
        self.show(TextPart::Element, 0, 0);
    }

    fn leaf(&mut self, start: usize, end: usize, leaf: Leaf<'t>) {
        let part = match leaf {
            Leaf::String(text) => TextPart::Text(text),
            _ => TextPart::Leaf,
        };
        self.show(part, start, end);
    }

    fn end(&mut self, _: Kind, end: usize) {
        self.show(TextPart::End, end.saturating_sub(1), end);
    }

    fn pauses(&self) -> bool {
        self.pauses
    }
}
