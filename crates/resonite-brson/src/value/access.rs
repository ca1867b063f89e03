//! Access by key, position and pointer.

use std::ops::{Index, IndexMut};

use gamewire_core::pointer;

use super::{Document, Value};
pub(super) use sealed::Step;

mod sealed {
    /// From a value to one inside of it.
    #[derive(Clone, Copy)]
    pub enum Step<'a> {
        Key(&'a str),
        Position(usize),
    }

    pub trait IntoStep {
        fn step(&self) -> Step<'_>;
    }
}

/// An index into a [`Value`]: a key of a document or a position in an array.
pub trait ValueIndex: sealed::IntoStep {}

macro_rules! steps {
    ($($index:ty: $own:ident => $step:expr;)+) => {$(
        impl ValueIndex for $index {}

        impl sealed::IntoStep for $index {
            fn step(&self) -> Step<'_> {
                let $own = self;
                $step
            }
        }
    )+};
}

steps! {
    str: key => Step::Key(key);
    &str: key => Step::Key(key);
    String: key => Step::Key(key);
    usize: at => Step::Position(*at);
}

impl<I: ValueIndex> Index<I> for Value {
    type Output = Value;

    /// The value there, or null when there is none.
    fn index(&self, index: I) -> &Value {
        const NULL: &Value = &Value::Null;
        self.get(index).unwrap_or(NULL)
    }
}

impl<I: ValueIndex> IndexMut<I> for Value {
    /// The value there. A document, and null, which becomes one, gets an entry for a new key.
    ///
    /// ```
    /// use resonite_brson::{Value, brson};
    ///
    /// let mut slot = Value::Null;
    /// slot["Name"]["Data"] = "Lamp".into();
    /// slot["Tags"] = brson!(["a", "b"]);
    /// slot["Tags"][1] = "c".into();
    /// assert_eq!(slot.pointer("/Name/Data"), Some(&"Lamp".into()));
    /// assert_eq!(slot["Tags"][1], "c");
    /// ```
    ///
    /// # Panics
    /// For a position that an array does not have, and in any other value.
    #[track_caller]
    #[allow(clippy::panic, reason = "what `IndexMut` does everywhere")]
    fn index_mut(&mut self, index: I) -> &mut Value {
        let step = index.step();
        if let Step::Key(key) = step {
            if matches!(self, Value::Null) {
                *self = Document::new().into();
            }
            if let Value::Document(document) = self
                && !document.contains_key(key)
            {
                document.insert(key, Value::Null);
            }
        }
        match self.inside_mut(step) {
            Some(value) => value,
            None => panic!("nothing is at this index"),
        }
    }
}

impl Value {
    /// The value at a key or position.
    pub fn get<I: ValueIndex>(&self, index: I) -> Option<&Value> {
        self.inside(index.step())
    }

    /// The value at a key or position, to change.
    pub fn get_mut<I: ValueIndex>(&mut self, index: I) -> Option<&mut Value> {
        self.inside_mut(index.step())
    }

    /// The value at a JSON pointer (RFC 6901) such as `/Object/Children/0/Name`. Steps
    /// are keys or positions; `~1` stands for `/` and `~0` for `~`.
    pub fn pointer(&self, pointer: &str) -> Option<&Value> {
        pointer::find(self, pointer, |value, step| value.inside(value.step(step)?))
    }

    /// The value at a JSON pointer, to change.
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Value> {
        pointer::find(self, pointer, |value, step| value.inside_mut(value.step(step)?))
    }

    /// The meaning of a step of a pointer.
    fn step<'t>(&self, step: &'t str) -> Option<Step<'t>> {
        match self {
            Value::Array(_) => pointer::position(step).map(Step::Position),
            _ => Some(Step::Key(step)),
        }
    }

    fn inside(&self, step: Step<'_>) -> Option<&Value> {
        match step {
            Step::Key(key) => self.as_document()?.get(key),
            Step::Position(at) => self.as_array()?.get(at),
        }
    }

    fn inside_mut(&mut self, step: Step<'_>) -> Option<&mut Value> {
        match step {
            Step::Key(key) => self.as_document_mut()?.get_mut(key),
            Step::Position(at) => self.as_array_mut()?.get_mut(at),
        }
    }
}
