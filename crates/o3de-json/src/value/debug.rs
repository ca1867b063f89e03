//! `Debug` as JSON.

use std::fmt::{self, Debug, Formatter};

use super::encode::{Encoder, Layout};
use super::{Array, Object, Value};
use crate::Result;
use crate::write::{Limits, into_text};

/// Puts a text where a formatter wants it.
fn show(f: &mut Formatter<'_>, write: impl FnOnce(&mut Encoder<'_>) -> Result<()>) -> fmt::Result {
    let layout = match f.alternate() {
        true => Layout::Lines { newline: "\n", unit: "    ", base: "" },
        false => Layout::Inline,
    };
    let limits = Limits { debug: true, ..Limits::new(usize::MAX, usize::MAX) };
    let mut text = Vec::new();
    write(&mut Encoder { out: &mut text, layout, limits }).map_err(|_| fmt::Error)?;
    f.write_str(&into_text(text))
}

impl Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        show(f, |encoder| encoder.value(self, 0))
    }
}

/// The same text as `Debug`: on one line, or with `{:#}` on many.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(self, f)
    }
}

impl Debug for Array {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        show(f, |encoder| encoder.array(&self.0, 0))
    }
}

impl Debug for Object {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        show(f, |encoder| encoder.object(&self.0, 0))
    }
}
