//! Two ways to compare beside `==`: as RapidJSON's `==`, and in the engine's order.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Number, Object, Text, Value};
use crate::read::Worth;

impl Value {
    /// Whether both mean the same, as the engine's patches see it: objects without regard to the
    /// order of their members, numbers by value, integers exactly, `1` and `1.0` the same.
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => same_number(a, b),
            (Value::Array(a), Value::Array(b)) => {
                a.0.len() == b.0.len() && a.0.iter().zip(&b.0).all(|(a, b)| a.same(b))
            }
            (Value::Object(a), Value::Object(b)) if a.0.len() == b.0.len() => {
                let mut members = a.0.iter().zip(&b.0);
                if members.clone().all(|((a, _), (b, _))| a == b) {
                    return members.all(|((_, a), (_, b))| a.same(b));
                }
                let names = Names::of(b);
                let find = |name| names.find(name);
                a.0.iter().all(|(name, value)| find(name).is_some_and(|found| value.same(found)))
            }
            _ => self == other,
        }
    }

    /// The engine's order of JSON values, in which it writes sets and maps without order.
    ///
    /// By type first: null, `false`, `true`, objects, arrays, strings, numbers. Numbers by their
    /// value as a double, so that large integers can be equal; strings by bytes; arrays by length,
    /// then by their elements; objects by the count of members, then by name and value of the
    /// members in the order of their names.
    pub fn compare(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => {
                let (a, b) = (a.as_f64(), b.as_f64());
                // NaN, which a document may hold until it is written, comes last.
                a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
            }
            (Value::String(a), Value::String(b)) => a.as_bytes().cmp(b.as_bytes()),
            (Value::Array(a), Value::Array(b)) => {
                let items = a.0.iter().zip(&b.0).map(|(a, b)| a.compare(b));
                a.0.len().cmp(&b.0.len()).then_with(|| first_unequal(items))
            }
            (Value::Object(a), Value::Object(b)) => a.0.len().cmp(&b.0.len()).then_with(|| {
                let members = sorted(a).into_iter().zip(sorted(b));
                first_unequal(members.map(|((a_name, a), (b_name, b))| {
                    a_name.as_bytes().cmp(b_name.as_bytes()).then_with(|| a.compare(b))
                }))
            }),
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

fn first_unequal(mut orders: impl Iterator<Item = Ordering>) -> Ordering {
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn sorted(object: &Object) -> Vec<&(Text, Value)> {
    let mut members: Vec<_> = object.0.iter().collect();
    members.sort_by(|(a, _), (b, _)| a.as_bytes().cmp(b.as_bytes()));
    members
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(false) => 1,
        Value::Bool(true) => 2,
        Value::Object(_) => 3,
        Value::Array(_) => 4,
        Value::String(_) => 5,
        Value::Number(_) => 6,
    }
}

fn same_number(a: &Number, b: &Number) -> bool {
    match (a.worth(), b.worth()) {
        (Worth::Double(_), _) | (_, Worth::Double(_)) => a.as_f64() == b.as_f64(),
        (a, b) => a == b,
    }
}

/// Finds the first member of each name without a look through all of a large object.
#[derive(Clone, Debug)]
pub struct Names<'a>(Found<'a>);

#[derive(Clone, Debug)]
enum Found<'a> {
    Few(&'a Object),
    Many(HashMap<&'a str, &'a Value>),
}

impl<'a> Names<'a> {
    const FEW: usize = 16;

    /// The members of an object.
    pub fn of(object: &'a Object) -> Self {
        if object.0.len() <= Self::FEW {
            return Names(Found::Few(object));
        }
        let mut names = HashMap::with_capacity(object.0.len());
        for (name, value) in &object.0 {
            names.entry(name.as_str()).or_insert(value);
        }
        Names(Found::Many(names))
    }

    /// The value of the first member of a name.
    pub fn find(&self, name: &str) -> Option<&'a Value> {
        match &self.0 {
            Found::Few(object) => object.get(name),
            Found::Many(names) => names.get(name).copied(),
        }
    }
}
