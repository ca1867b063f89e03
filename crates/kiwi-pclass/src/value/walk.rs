//! Going through nested values without recursion, so that depth costs heap and never stack.

use std::cell::Cell;
use std::convert::Infallible;

use super::{Field, List, Object, Value};
use crate::schema::Property;

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

/// Levels below this are not indented further, or a deep value would become a very long text.
pub(crate) const MAX_INDENT: usize = 40;

/// What hears of the parts of a value, in their order.
pub(crate) trait Visit<'v> {
    type Error;
    /// An object or a list begins, as level `depth`.
    fn begin(&mut self, container: Container<'v>, depth: usize) -> Result<(), Self::Error>;
    /// What follows is a part of the container that is open, after `before` others.
    fn part(&mut self, part: Part<'v>, before: usize, depth: usize) -> Result<(), Self::Error>;
    /// A value that holds no others. A property adds to what it means.
    fn leaf(&mut self, value: &'v Value, property: Option<&'v Property>)
    -> Result<(), Self::Error>;
    /// The container ends after so many parts.
    fn end(
        &mut self,
        container: Container<'v>,
        parts: usize,
        depth: usize,
    ) -> Result<(), Self::Error>;
}

/// What holds other values.
#[derive(Clone, Copy)]
pub(crate) enum Container<'v> {
    Object(&'v Object),
    List(&'v [Value]),
}

impl<'v> Container<'v> {
    /// `None` for a value that holds no others.
    #[inline]
    pub(crate) fn of(value: &'v Value) -> Option<Self> {
        match value {
            Value::Object(object) => Some(Container::Object(object)),
            Value::List(list) => Some(Container::List(list)),
            _ => None,
        }
    }
}

/// Where a value stands in its container.
#[derive(Clone, Copy)]
pub(crate) enum Part<'v> {
    Field(&'v Object, &'v Field),
    Item,
}

/// A container of which parts are still to come, and the property that a list is of.
struct Level<'v> {
    container: Container<'v>,
    property: Option<&'v Property>,
    next: usize,
}

/// Goes through a container and all that is in it.
pub(crate) fn walk<'v, V: Visit<'v>>(
    container: Container<'v>,
    visit: &mut V,
) -> Result<(), V::Error> {
    let mut stack = vec![Level { container, property: None, next: 0 }];
    visit.begin(container, 1)?;
    loop {
        let depth = stack.len();
        let Some(Level { container, property, next }) = stack.last_mut() else { return Ok(()) };
        let before = *next;
        *next = before.saturating_add(1);
        let part = match container {
            Container::Object(object) => object
                .fields()
                .get(before)
                .map(|field| (Part::Field(object, field), &field.value, object.property_of(field))),
            Container::List(list) => list.get(before).map(|value| (Part::Item, value, *property)),
        };
        let Some((part, value, property)) = part else {
            visit.end(*container, before, depth)?;
            stack.pop();
            continue;
        };
        visit.part(part, before, depth)?;
        match Container::of(value) {
            None => visit.leaf(value, property)?,
            Some(container) => {
                visit.begin(container, depth.saturating_add(1))?;
                stack.push(Level { container, property, next: 0 });
            }
        }
    }
}

/// The containers whose values are being cloned.
struct Cloning(Vec<Cloned>);

enum Cloned {
    Fields(Vec<Field>),
    Values(Vec<Value>),
}

impl<'v> Visit<'v> for Cloning {
    type Error = Infallible;

    fn begin(&mut self, container: Container<'v>, _: usize) -> Result<(), Infallible> {
        self.0.push(match container {
            Container::Object(object) => Cloned::Fields(Vec::with_capacity(object.fields().len())),
            Container::List(list) => Cloned::Values(Vec::with_capacity(list.len())),
        });
        Ok(())
    }

    fn part(&mut self, part: Part<'v>, _: usize, _: usize) -> Result<(), Infallible> {
        if let (Part::Field(_, field), Some(Cloned::Fields(fields))) = (part, self.0.last_mut()) {
            fields.push(field.with_value(Value::Null));
        }
        Ok(())
    }

    fn leaf(&mut self, value: &'v Value, _: Option<&'v Property>) -> Result<(), Infallible> {
        self.put(clone_leaf(value));
        Ok(())
    }

    fn end(&mut self, container: Container<'v>, _: usize, depth: usize) -> Result<(), Infallible> {
        // The outermost one is left for who asked.
        if depth > 1 {
            let value = match (container, self.0.pop()) {
                (Container::Object(object), Some(Cloned::Fields(fields))) => {
                    Value::Object(Box::new(object.with_same_head(fields)))
                }
                (_, Some(Cloned::Values(values))) => Value::List(List::new(values)),
                _ => Value::Null,
            };
            self.put(value);
        }
        Ok(())
    }
}

impl Cloning {
    /// Puts a value in the place that was made for it.
    fn put(&mut self, value: Value) {
        match self.0.last_mut() {
            Some(Cloned::Fields(fields)) => {
                if let Some(field) = fields.last_mut() {
                    field.value = value;
                }
            }
            Some(Cloned::Values(values)) => values.push(value),
            None => {}
        }
    }

    fn run(container: Container<'_>) -> Option<Cloned> {
        let mut all = Cloning(Vec::new());
        let Ok(()) = walk(container, &mut all);
        all.0.pop()
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        match self {
            Value::Object(object) => Value::Object(object.clone()),
            Value::List(list) => Value::List(list.clone()),
            leaf => clone_leaf(leaf),
        }
    }
}

impl Clone for Object {
    fn clone(&self) -> Self {
        match Cloning::run(Container::Object(self)) {
            Some(Cloned::Fields(fields)) => self.with_same_head(fields),
            _ => self.with_same_head(Vec::new()),
        }
    }
}

impl Clone for List {
    fn clone(&self) -> Self {
        match Cloning::run(Container::List(self)) {
            Some(Cloned::Values(values)) => List::new(values),
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
