//! Going through nested values without recursion, so that depth costs heap and never stack.
use std::cell::Cell;

use super::row::number_of;
use super::{Field, List, Object, Value};
use crate::schema::{Number, Property};

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
std::thread_local! {
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
    drop_waiting(values);
}

fn drop_waiting(values: impl Iterator<Item = Value>) {
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

/// The value with null in the place of what nests in it.
fn clone_level(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let fields =
                object.fields().iter().map(|field| field.with_value(clone_leaf(&field.value)));
            Value::Object(Box::new(object.with_same_head(fields.collect())))
        }
        Value::List(list) => list.iter().map(clone_leaf).collect(),
        leaf => clone_leaf(leaf),
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        let mut whole = Value::Null;
        let mut waiting = vec![(self, &mut whole)];
        while let Some((from, to)) = waiting.pop() {
            *to = clone_level(from);
            match (from, to) {
                (Value::Object(from), Value::Object(to)) => {
                    let pairs = from.fields().iter().zip(to.fields_mut());
                    let pairs = pairs.map(|(from, to)| (&from.value, &mut to.value));
                    waiting.extend(pairs.filter(|(from, _)| from.is_nested()));
                }
                (Value::List(from), Value::List(to)) => {
                    let pairs = from.iter().zip(to.iter_mut());
                    waiting.extend(pairs.filter(|(from, _)| from.is_nested()));
                }
                _ => {}
            }
        }
        whole
    }
}

impl Clone for Object {
    fn clone(&self) -> Self {
        self.with_same_head(self.fields().to_vec())
    }
}

impl Clone for List {
    fn clone(&self) -> Self {
        List::new(self.to_vec())
    }
}

/// Whether two values are the same, by `same_leaf` of those that hold no others.
pub(super) fn same(a: &Value, b: &Value, same_leaf: impl Fn(&Value, &Value) -> bool) -> bool {
    let mut waiting = vec![(a, b)];
    while let Some(pair) = waiting.pop() {
        // What nests is looked into later.
        let mut may_be_same = |a, b| match Value::is_nested(a) && Value::is_nested(b) {
            true => {
                waiting.push((a, b));
                true
            }
            false => same_leaf(a, b),
        };
        let same = match pair {
            (Value::Object(a), Value::Object(b)) => {
                let mut fields = a.fields().iter().zip(b.fields());
                a.has_same_head(b)
                    && a.fields().len() == b.fields().len()
                    && fields.all(|(a, b)| a.has_same_key(b) && may_be_same(&a.value, &b.value))
            }
            (Value::List(a), Value::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| may_be_same(a, b))
            }
            (a, b) => same_leaf(a, b),
        };
        if !same {
            return false;
        }
    }
    true
}

/// The same with every bit of floats.
pub(super) fn identical(a: &Value, b: &Value) -> bool {
    let bits = |number: &Number| match *number {
        Number::Float(number) => u64::from(number.to_bits()),
        Number::Double(number) => number.to_bits(),
        Number::Int(number) => number.cast_unsigned(),
        Number::UInt(number) => number,
    };
    same(a, b, |a, b| {
        let is_same_kind = std::mem::discriminant(a) == std::mem::discriminant(b);
        let numbers = |value: &Value| match number_of(value) {
            Some(number) => Some([number].into_iter().collect()),
            None => value.row().map(|(_, numbers)| numbers),
        };
        match (numbers(a), numbers(b)) {
            (Some(a), Some(b)) => is_same_kind && a.iter().map(bits).eq(b.iter().map(bits)),
            _ => same_leaf(a, b),
        }
    })
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        same(self, other, same_leaf)
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.has_same_head(other) && self.fields() == other.fields()
    }
}

impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
