//! `Debug` as JSON, without recursion.

use std::fmt::{self, Debug, Formatter};

use super::encode::{self, Layout, Level};
use super::{Array, Object, Value};
use crate::write::Limits;

/// Puts a text where a formatter wants it.
fn show(
    f: &mut Formatter<'_>,
    write: impl FnOnce(&mut Vec<u8>, Layout<'_>, Limits) -> crate::Result<()>,
) -> fmt::Result {
    let layout = match f.alternate() {
        true => Layout::Lines { newline: "\n", unit: "    ", base: "" },
        false => Layout::Inline,
    };
    let limits = Limits { debug: true, ..Limits::new(usize::MAX, usize::MAX) };
    let mut text = Vec::new();
    write(&mut text, layout, limits).map_err(|_| fmt::Error)?;
    f.write_str(&String::from_utf8(text).unwrap_or_default())
}

impl Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        show(f, |out, layout, limits| encode::value(out, self, layout, limits))
    }
}

macro_rules! container {
    ($($own:ident $level:ident $open:literal),+) => {$(
        impl Debug for $own {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                show(f, |out, layout, limits| {
                    out.push($open);
                    encode::children(out, Level::$level(&self.0, 0), layout, limits)
                })
            }
        }
    )+};
}

container!(Array Items b'[', Object Members b'{');
