//! Three ways to compare: by characters, as RapidJSON's `==`, and in the engine's order.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::slice;

use super::number::Worth;
use super::{Number, Object, Text, Value};

/// Two values are equal when they would be written as the same characters: order of members,
/// duplicates and the spelling of numbers count. [`Value::same`] compares by meaning.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        alike(self, other, true)
    }
}

/// Compares without recursion, by characters or by meaning.
fn alike(left: &Value, right: &Value, exactly: bool) -> bool {
    let mut waiting = vec![(left, right)];
    while let Some(pair) = waiting.pop() {
        let alike = match pair {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) if exactly => a == b,
            (Value::Number(a), Value::Number(b)) => same_number(a, b),
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => {
                waiting.extend(a.0.iter().zip(&b.0));
                a.0.len() == b.0.len()
            }
            (Value::Object(a), Value::Object(b)) if a.0.len() == b.0.len() => {
                let members = a.0.iter().zip(&b.0);
                if members.clone().all(|((a, _), (b, _))| a == b) {
                    waiting.extend(members.map(|((_, a), (_, b))| (a, b)));
                    true
                } else {
                    let names = Names::of(b);
                    !exactly
                        && a.0.iter().all(|(name, value)| {
                            let found = names.find(name);
                            waiting.extend(found.map(|found| (value, found)));
                            found.is_some()
                        })
                }
            }
            _ => false,
        };
        if !alike {
            return false;
        }
    }
    true
}

impl Eq for Value {}

impl Value {
    /// Whether both mean the same, as the engine's patches see it: objects without regard to the
    /// order of their members, numbers by value, integers exactly, `1` and `1.0` the same.
    pub fn same(&self, other: &Value) -> bool {
        alike(self, other, false)
    }

    /// The engine's order of JSON values, in which it writes sets and maps without order.
    ///
    /// By type first: null, `false`, `true`, objects, arrays, strings, numbers. Numbers by their
    /// value as a double, so that large integers can be equal; strings by bytes; arrays by length,
    /// then by their elements; objects by the count of members, then by name and value of the
    /// members in the order of their names.
    pub fn compare(&self, other: &Value) -> Ordering {
        let mut levels = Vec::new();
        let mut order = shallow(self, other, &mut levels);
        while order.is_eq() {
            let Some(level) = levels.last_mut() else { break };
            let step = match level {
                Level::Items(left, right) => left.next().zip(right.next()),
                Level::Members(left, right) => match left.next().zip(right.next()) {
                    Some(((a, _), (b, _))) if a != b => return a.as_bytes().cmp(b.as_bytes()),
                    Some(((_, a), (_, b))) => Some((a, b)),
                    None => None,
                },
            };
            match step {
                Some((a, b)) => order = shallow(a, b, &mut levels),
                None => drop(levels.pop()),
            }
        }
        order
    }
}

type Members<'a> = std::vec::IntoIter<&'a (Text, Value)>;

enum Level<'a> {
    Items(slice::Iter<'a, Value>, slice::Iter<'a, Value>),
    Members(Members<'a>, Members<'a>),
}

/// Compares without what is inside, which is left for later.
fn shallow<'a>(a: &'a Value, b: &'a Value, levels: &mut Vec<Level<'a>>) -> Ordering {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal)
        }
        (Value::String(a), Value::String(b)) => a.as_bytes().cmp(b.as_bytes()),
        (Value::Array(a), Value::Array(b)) => {
            levels.push(Level::Items(a.0.iter(), b.0.iter()));
            a.0.len().cmp(&b.0.len())
        }
        (Value::Object(a), Value::Object(b)) if a.0.len() == b.0.len() => {
            levels.push(Level::Members(sorted(a), sorted(b)));
            Ordering::Equal
        }
        (Value::Object(a), Value::Object(b)) => a.0.len().cmp(&b.0.len()),
        _ => rank(a).cmp(&rank(b)),
    }
}

fn sorted(object: &Object) -> Members<'_> {
    let mut members: Vec<_> = object.0.iter().collect();
    members.sort_by(|(a, _), (b, _)| a.as_bytes().cmp(b.as_bytes()));
    members.into_iter()
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
        (Worth::Int(a), Worth::Int(b)) => a == b,
        (Worth::Uint(a), Worth::Uint(b)) => a == b,
        (Worth::Int(_), Worth::Uint(_)) | (Worth::Uint(_), Worth::Int(_)) => false,
        _ => a.as_f64() == b.as_f64(),
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
