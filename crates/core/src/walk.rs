//! `Clone` and `Debug` of nested values in a loop, so that depth costs heap and never stack.
//!
//! A `Value` derives everything else: [`MAX_DEPTH`](crate::limits::MAX_DEPTH) keeps that within a
//! small stack. Derived `Clone` and `Debug` would take 1 to 2 KiB for each level in a debug build.
//!
//! To clone, the types of containers implement `Clone` by [`clone`] of each child; the enum derives it,
//! which is called for values without children only. To print, a format says what stands before,
//! between and after children, and [`debug`] lays it out. [`all`] goes through what is in a value.
//!
//! ```
//! use gamewire_core::walk::{self, Nested};
//!
//! #[derive(Clone, Debug, PartialEq)]
//! enum Value { Int(i32), List(List) }
//!
//! #[derive(Debug, PartialEq)]
//! struct List(Vec<Value>);
//!
//! impl Nested for Value {
//!     fn count(&self) -> usize {
//!         if let Value::List(list) = self { list.0.len() } else { 0 }
//!     }
//!     fn child(&self, index: usize) -> Option<&Self> {
//!         if let Value::List(list) = self { list.0.get(index) } else { None }
//!     }
//!     fn rebuilt(&self, children: Vec<Self>) -> Self {
//!         Value::List(List(children))
//!     }
//! }
//!
//! impl Clone for List {
//!     fn clone(&self) -> Self {
//!         List(self.0.iter().map(walk::clone).collect())
//!     }
//! }
//!
//! let list = Value::List(List(vec![Value::Int(1), Value::List(List(vec![]))]));
//! assert_eq!(list.clone(), list);
//! assert_eq!(walk::all(&list).count(), 3);
//! ```

use std::fmt::{self, Formatter};
use std::iter;

/// A value that may hold values of its type.
///
/// `Clone` of a value without children must not call [`clone`] of that value; a derived one does not.
pub trait Nested: Clone {
    /// The number of values directly inside; keys of a map that are values count.
    fn count(&self) -> usize;

    /// One of the values directly inside.
    fn child(&self, index: usize) -> Option<&Self>;

    /// A container like this one with other children, in the order of [`child`](Self::child). Only
    /// called for values with children.
    #[must_use]
    fn rebuilt(&self, children: Vec<Self>) -> Self;
}

/// Returns a value and all that is in it, each container before what it holds.
pub fn all<T: Nested>(root: &T) -> impl Iterator<Item = &T> {
    // The containers that are open, each with the index of its next child.
    let (mut next, mut open) = (Some(root), Vec::<(&T, usize)>::new());
    iter::from_fn(move || {
        let value = next.take()?;
        if value.count() > 0 {
            open.push((value, 0));
        }
        while let Some((container, index)) = open.last_mut() {
            next = container.child(*index);
            if next.is_some() {
                *index = index.saturating_add(1);
                break;
            }
            open.pop();
        }
        Some(value)
    })
}

/// A container whose children are being cloned.
struct Cloning<'a, T> {
    original: &'a T,
    done: Vec<T>,
}

impl<'a, T: Nested> Cloning<'a, T> {
    fn new(original: &'a T) -> Self {
        Cloning { original, done: Vec::with_capacity(original.count()) }
    }
}

/// Clones a value and all that is in it.
#[inline]
pub fn clone<T: Nested>(value: &T) -> T {
    match value.count() {
        0 => value.clone(),
        _ => clone_nested(value),
    }
}

fn clone_nested<T: Nested>(value: &T) -> T {
    let mut around = Vec::new();
    let mut current = Cloning::new(value);
    loop {
        match current.original.child(current.done.len()) {
            Some(child) if child.count() == 0 => current.done.push(child.clone()),
            Some(child) => around.push(std::mem::replace(&mut current, Cloning::new(child))),
            None => {
                let whole = current.original.rebuilt(current.done);
                let Some(outer) = around.pop() else { return whole };
                current = outer;
                current.done.push(whole);
            }
        }
    }
}

/// A value as [`debug`] shows it: a reference, or an enum of references where more than values have
/// children.
///
/// Default methods are those of a list: parts with commas between, and no names.
pub trait DebugTree: Copy {
    /// Whether a comma follows the last part too where each part has its own line.
    const ENDS_WITH_COMMA: bool = false;

    /// Parts deeper than this are not indented further.
    const MAX_INDENT: usize = usize::MAX;

    /// One of the parts directly inside.
    fn child(self, index: usize) -> Option<Self>;

    /// Writes a leaf, or what stands before the parts of a container. Use `write!` for what must
    /// stay on one line: `f.alternate()` may be set.
    ///
    /// # Errors
    /// Those of the formatter.
    fn open(self, f: &mut Formatter<'_>) -> fmt::Result;

    /// The closing bracket of a container; empty for a leaf.
    fn close(self) -> &'static str;

    /// Writes what stands directly before a part, such as the name of a field.
    ///
    /// # Errors
    /// Those of the formatter.
    fn before(self, _index: usize, _f: &mut Formatter<'_>) -> fmt::Result {
        Ok(())
    }

    /// Whether a part is the value of the key before it, and so follows `: ` in place of a comma.
    fn is_paired(self, _index: usize) -> bool {
        false
    }

    /// Written inside the brackets of a container with parts that is on one line.
    fn padding(self) -> &'static str {
        ""
    }
}

/// Writes a value on one line, or with `{:#?}` one part a line.
///
/// # Errors
/// Those of the formatter.
pub fn debug<S: DebugTree>(root: S, f: &mut Formatter<'_>) -> fmt::Result {
    root.open(f)?;
    // The containers that are open, with the number of parts written.
    let mut stack = vec![(root, 0_usize)];
    while let Some((container, written)) = stack.last_mut() {
        let (container, index) = (*container, *written);
        let Some(part) = container.child(index) else {
            stack.pop();
            if index > 0 {
                let end = if S::ENDS_WITH_COMMA { "," } else { "" };
                line::<S>(f, end, stack.len(), container.padding())?;
            }
            f.write_str(container.close())?;
            continue;
        };
        *written = index.saturating_add(1);
        let depth = stack.len();
        match index {
            _ if container.is_paired(index) => f.write_str(": ")?,
            0 => line::<S>(f, "", depth, container.padding())?,
            _ if f.alternate() => line::<S>(f, ",", depth, "")?,
            _ => f.write_str(", ")?,
        }
        container.before(index, f)?;
        part.open(f)?;
        stack.push((part, 0));
    }
    Ok(())
}

/// A new line after `end`, or `padding` where all is on one line.
fn line<S: DebugTree>(
    f: &mut Formatter<'_>,
    end: &str,
    depth: usize,
    padding: &str,
) -> fmt::Result {
    if !f.alternate() {
        return f.write_str(padding);
    }
    f.write_str(end)?;
    f.write_str("\n")?;
    (0..depth.min(S::MAX_INDENT)).try_for_each(|_| f.write_str("    "))
}
