//! Going through nested values without recursion, so that depth costs heap and never stack.

use std::cell::Cell;

use super::{Field, List, Object, Value};

macro_rules! leaves {
    ($($leaf:ident)+) => {
        /// A value that holds no others.
        fn clone_leaf(value: &Value) -> Value {
            match value {
                $(Value::$leaf(value) => Value::$leaf(Clone::clone(value)),)+
                Value::Null | Value::Object(_) | Value::List(_) => Value::Null,
            }
        }

        /// Whether two values that hold no others are the same.
        fn same_leaf(a: &Value, b: &Value) -> bool {
            match (a, b) {
                (Value::Null, Value::Null) => true,
                $((Value::$leaf(a), Value::$leaf(b)) => a == b,)+
                _ => false,
            }
        }
    };
}

leaves! {
    Bool Int UInt Float Double Enum String WString Color Vector3D Quaternion Euler Matrix3x3 Size
    Point Rect Bools SmallInts Raw Bits
}

impl Value {
    /// Whether it may hold other values.
    #[inline]
    pub(super) fn is_nested(&self) -> bool {
        matches!(self, Value::Object(_) | Value::List(_))
    }
}

thread_local! {
    /// Containers whose values are being dropped on this thread's stack.
    static DROPPING: Cell<u32> = const { Cell::new(0) };
}

/// Drops by recursion while it is shallow, which is the fast way, and from some depth on with a
/// list. `deep_values_are_dropped_without_recursion` in tests/it/value.rs gets there.
pub(super) fn drop_values(values: impl Iterator<Item = Value>) {
    const SHALLOW: u32 = 32;
    let levels = DROPPING.get();
    if levels < SHALLOW {
        DROPPING.set(levels.saturating_add(1));
        values.for_each(drop);
        DROPPING.set(levels);
        return;
    }
    let mut waiting: Vec<Value> = values.filter(Value::is_nested).collect();
    while let Some(mut value) = waiting.pop() {
        match &mut value {
            Value::Object(object) => {
                let values = object.take_fields().into_iter().map(|field| field.value);
                waiting.extend(values.filter(Value::is_nested));
            }
            Value::List(list) => {
                let values = std::mem::take(list).into_vec().into_iter();
                waiting.extend(values.filter(Value::is_nested));
            }
            _ => {}
        }
    }
}

/// A container whose values are being cloned.
enum Cloning<'v> {
    Object(&'v Object, Vec<Field>),
    List(&'v [Value], Vec<Value>),
}

impl<'v> Cloning<'v> {
    fn object(object: &'v Object) -> Self {
        Cloning::Object(object, Vec::with_capacity(object.fields().len()))
    }

    fn list(list: &'v [Value]) -> Self {
        Cloning::List(list, Vec::with_capacity(list.len()))
    }

    /// The value that is to be cloned next.
    fn next(&self) -> Option<&'v Value> {
        match self {
            Cloning::Object(object, done) => {
                object.fields().get(done.len()).map(|field| &field.value)
            }
            Cloning::List(list, done) => list.get(done.len()),
        }
    }

    fn push(&mut self, value: Value) {
        match self {
            Cloning::Object(object, done) => {
                done.extend(object.fields().get(done.len()).map(|field| field.with_value(value)));
            }
            Cloning::List(_, done) => done.push(value),
        }
    }

    fn finish(self) -> Value {
        match self {
            Cloning::Object(object, done) => Value::Object(Box::new(object.with_same_head(done))),
            Cloning::List(_, done) => Value::List(List::new(done)),
        }
    }

    /// Clones all that is left of it.
    fn run(self) -> Value {
        let mut top = self;
        let mut stack = Vec::new();
        loop {
            match top.next() {
                Some(Value::Object(inner)) => {
                    stack.push(std::mem::replace(&mut top, Cloning::object(inner)));
                }
                Some(Value::List(inner)) => {
                    stack.push(std::mem::replace(&mut top, Cloning::list(inner)));
                }
                Some(leaf) => top.push(clone_leaf(leaf)),
                None => {
                    let Some(outer) = stack.pop() else { return top.finish() };
                    let value = std::mem::replace(&mut top, outer).finish();
                    top.push(value);
                }
            }
        }
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        match self {
            Value::Object(object) => Cloning::object(object).run(),
            Value::List(list) => Cloning::list(list).run(),
            leaf => clone_leaf(leaf),
        }
    }
}

impl Clone for Object {
    fn clone(&self) -> Self {
        match Cloning::object(self).run() {
            Value::Object(object) => *object,
            _ => self.with_same_head(Vec::new()),
        }
    }
}

impl Clone for List {
    fn clone(&self) -> Self {
        match Cloning::list(self).run() {
            Value::List(list) => list,
            _ => List::default(),
        }
    }
}

/// Compares all that is in pairs of containers.
#[derive(Default)]
struct Comparing<'v>(Vec<(&'v Value, &'v Value)>);

impl<'v> Comparing<'v> {
    /// Whether two values may be the same: containers are looked into later.
    fn may_be_same(&mut self, a: &'v Value, b: &'v Value) -> bool {
        if a.is_nested() && b.is_nested() {
            self.0.push((a, b));
            return true;
        }
        same_leaf(a, b)
    }

    fn objects(&mut self, a: &'v Object, b: &'v Object) -> bool {
        let fields = a.fields().iter().zip(b.fields());
        a.has_same_head(b)
            && a.fields().len() == b.fields().len()
            && fields
                .into_iter()
                .all(|(a, b)| a.has_same_key(b) && self.may_be_same(&a.value, &b.value))
    }

    fn lists(&mut self, a: &'v [Value], b: &'v [Value]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.may_be_same(a, b))
    }

    fn run(mut self) -> bool {
        while let Some(pair) = self.0.pop() {
            let same = match pair {
                (Value::Object(a), Value::Object(b)) => self.objects(a, b),
                (Value::List(a), Value::List(b)) => self.lists(a, b),
                _ => false,
            };
            if !same {
                return false;
            }
        }
        true
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        let mut all = Comparing::default();
        all.may_be_same(self, other) && all.run()
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        let mut all = Comparing::default();
        all.objects(self, other) && all.run()
    }
}

impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        let mut all = Comparing::default();
        all.lists(self, other) && all.run()
    }
}
