//! Access by key, position and pointer.

use std::borrow::Cow;
use std::ops::{Index, IndexMut};

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
        let mut value = self;
        for token in tokens(pointer)? {
            value = value.inside(Step::of(&token, value.as_array().is_some())?)?;
        }
        Some(value)
    }

    /// The value at a JSON pointer, to change.
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Value> {
        let mut value = self;
        for token in tokens(pointer)? {
            let step = Step::of(&token, value.as_array().is_some())?;
            value = value.inside_mut(step)?;
        }
        Some(value)
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

impl<'t> Step<'t> {
    /// The meaning of a token of a pointer in an array or document. Positions have no sign and no leading
    /// zeros.
    pub(super) fn of(token: &'t str, in_array: bool) -> Option<Self> {
        if !in_array {
            return Some(Step::Key(token));
        }
        let is_plain = token.len() == 1 || !token.starts_with('0');
        let digits = token.bytes().all(|byte| byte.is_ascii_digit()) && is_plain;
        token.parse().ok().filter(|_| digits).map(Step::Position)
    }
}

pub(super) fn tokens(pointer: &str) -> Option<impl Iterator<Item = Cow<'_, str>>> {
    let rest = match pointer {
        "" => None,
        _ => Some(pointer.strip_prefix('/')?.split('/')),
    };
    Some(rest.into_iter().flatten().map(|token| match token.contains('~') {
        true => Cow::Owned(token.replace("~1", "/").replace("~0", "~")),
        false => Cow::Borrowed(token),
    }))
}
