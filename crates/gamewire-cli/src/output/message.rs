//! Messages on standard error.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};

use super::text::{Looks, Text};
use crate::fault;

/// A message on standard error. When even that is closed, nothing can be done.
pub(crate) fn error(message: &str) {
    say(AnsiColor::Red.on_default(), "error:", message);
}

/// Prints a question on standard error, and stays in the line.
pub(crate) fn ask(question: &str) {
    let looks = Looks::of(&io::stderr());
    _ = io::stderr().write_all(Text::from(question).render(looks).as_bytes());
}

/// Prints a note on standard error.
pub(crate) fn note(message: &str) {
    say(Style::new(), "note:", message);
}

fn say(style: Style, word: &str, message: &str) {
    let mut text = Text::default();
    text.paint(style.bold(), word);
    _ = text.write_str(" ");
    fault::paint(&mut text, message);
    _ = text.write_str("\n");
    let looks = Looks::of(&io::stderr());
    _ = anstream::AutoStream::new(io::stderr(), choice(looks))
        .write_all(text.render(looks).as_bytes());
}

/// Text without colours has no sequences of any kind.
pub(super) fn choice(looks: Looks) -> ColorChoice {
    if looks.escaped { ColorChoice::Always } else { ColorChoice::AlwaysAnsi }
}
