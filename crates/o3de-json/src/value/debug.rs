//! `Debug` as JSON, without recursion.

use std::fmt::{self, Debug, Formatter};

use super::encode::{self, Children, Layout, Limits};
use super::{Array, Object, Value};

const LIMITS: Limits = Limits { max_depth: usize::MAX, max_output: usize::MAX, debug: true };

fn layout(f: &Formatter<'_>) -> Layout<'static> {
    match f.alternate() {
        true => Layout::Lines { newline: "\n", unit: "    ", base: "" },
        false => Layout::Inline,
    }
}

impl Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        encode::value(&mut text, self, layout(f), LIMITS).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl Debug for Array {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = "[".to_owned();
        let children = Children::Items(self.0.iter());
        encode::children(&mut text, children, layout(f), LIMITS).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl Debug for Object {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = "{".to_owned();
        let children = Children::Members(self.0.iter());
        encode::children(&mut text, children, layout(f), LIMITS).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}
