//! Visits of all parts of a value, for its texts.

pub(crate) use super::tree::MAX_INDENT;
use super::{Field, Object, Value};
use crate::schema::Property;

/// Receives the parts of a value, in their order.
pub(crate) trait Visit<'v> {
    type Error;
    /// An object or a list begins, as level `depth`.
    fn begin(&mut self, container: Nested<'v>, depth: usize) -> Result<(), Self::Error>;
    /// The next value is a part of the container that is open, after `before` others.
    fn part(&mut self, part: Part<'v>, before: usize, depth: usize) -> Result<(), Self::Error>;
    /// A value that holds no others. A property adds to what it means.
    fn leaf(&mut self, value: &'v Value, property: Option<&'v Property>)
    -> Result<(), Self::Error>;
    /// The container ends.
    fn end(&mut self, container: Nested<'v>, parts: usize, depth: usize)
    -> Result<(), Self::Error>;
}

/// A value that holds others.
#[derive(Clone, Copy)]
pub(crate) enum Nested<'v> {
    Object(&'v Object),
    List(&'v [Value]),
}

impl<'v> Nested<'v> {
    /// `None` for a value that holds no others.
    #[inline]
    pub(crate) fn of(value: &'v Value) -> Option<Self> {
        match value {
            Value::Object(object) => Some(Nested::Object(object)),
            Value::List(list) => Some(Nested::List(list)),
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
    container: Nested<'v>,
    property: Option<&'v Property>,
    next: usize,
}

/// Goes through a container and all that is in it.
pub(crate) fn walk<'v, V: Visit<'v>>(container: Nested<'v>, visit: &mut V) -> Result<(), V::Error> {
    let mut stack = vec![Level { container, property: None, next: 0 }];
    visit.begin(container, 1)?;
    loop {
        let depth = stack.len();
        let Some(Level { container, property, next }) = stack.last_mut() else { return Ok(()) };
        let before = *next;
        *next = before.saturating_add(1);
        let part = match container {
            Nested::Object(object) => object
                .fields()
                .get(before)
                .map(|field| (Part::Field(object, field), &field.value, object.property_of(field))),
            Nested::List(list) => list.get(before).map(|value| (Part::Item, value, *property)),
        };
        let Some((part, value, property)) = part else {
            visit.end(*container, before, depth)?;
            stack.pop();
            continue;
        };
        visit.part(part, before, depth)?;
        match Nested::of(value) {
            None => visit.leaf(value, property)?,
            Some(container) => {
                visit.begin(container, depth.saturating_add(1))?;
                stack.push(Level { container, property, next: 0 });
            }
        }
    }
}
