use std::fmt::{self, Debug, Formatter};

use gamewire_core::limits::{Limits, MAX_DEPTH};
use gamewire_core::walk::{self, DebugTree, Nested};

#[derive(Clone, PartialEq)]
enum Value {
    Int(i64),
    List(List),
    Map(Map),
}

#[derive(PartialEq, Default)]
struct List(Vec<Value>);

/// Keys are values too.
#[derive(PartialEq)]
struct Map(String, Vec<(Value, Value)>);

impl Nested for Value {
    fn count(&self) -> usize {
        match self {
            Value::Int(_) => 0,
            Value::List(list) => list.0.len(),
            Value::Map(map) => map.1.len() * 2,
        }
    }

    fn child(&self, index: usize) -> Option<&Self> {
        match self {
            Value::Int(_) => None,
            Value::List(list) => list.0.get(index),
            Value::Map(map) => map
                .1
                .get(index / 2)
                .map(|(key, value)| if index.is_multiple_of(2) { key } else { value }),
        }
    }

    fn rebuilt(&self, children: Vec<Self>) -> Self {
        match self {
            Value::Map(map) => {
                let mut children = children.into_iter();
                let pairs = std::iter::from_fn(|| children.next().zip(children.next()));
                Value::Map(Map(map.0.clone(), pairs.collect()))
            }
            _ => Value::List(List(children)),
        }
    }
}

impl Clone for List {
    fn clone(&self) -> Self {
        List(self.0.iter().map(walk::clone).collect())
    }
}

impl Clone for Map {
    fn clone(&self) -> Self {
        let pairs = self.1.iter().map(|(key, value)| (walk::clone(key), walk::clone(value)));
        Map(self.0.clone(), pairs.collect())
    }
}

impl DebugTree for &Value {
    const ENDS_WITH_COMMA: bool = true;
    const MAX_INDENT: usize = 3;

    fn child(self, index: usize) -> Option<Self> {
        Nested::child(self, index)
    }

    fn open(self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(number) => write!(f, "{number}"),
            Value::List(_) => f.write_str("["),
            Value::Map(map) => write!(f, "{} {{", map.0),
        }
    }

    fn close(self) -> &'static str {
        match self {
            Value::Int(_) => "",
            Value::List(_) => "]",
            Value::Map(_) => "}",
        }
    }

    fn before(self, index: usize, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::List(_) if index > 1 => write!(f, "#{index} "),
            _ => Ok(()),
        }
    }

    fn is_paired(self, index: usize) -> bool {
        matches!(self, Value::Map(_)) && index % 2 == 1
    }

    fn padding(self) -> &'static str {
        if let Value::Map(_) = self { " " } else { "" }
    }
}

impl Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        walk::debug(self, f)
    }
}

fn sample() -> Value {
    let empty = || Value::List(List::default());
    let inner = Value::List(List(vec![Value::Int(1), empty(), Value::Int(2)]));
    Value::Map(Map("m".to_owned(), vec![(Value::Int(7), inner), (empty(), Value::Int(8))]))
}

#[test]
fn clones_are_the_same() {
    let value = sample();
    assert!(value.clone() == value);
    assert!(walk::clone(&value) == value);
    assert!(walk::clone(&Value::Int(3)) == Value::Int(3));
}

#[test]
fn all_values_come_in_order() {
    let value = sample();
    let shown: Vec<String> = walk::all(&value).map(|value| format!("{value:?}")).collect();
    let whole = format!("{value:?}");
    assert_eq!(shown, [&whole, "7", "[1, [], #2 2]", "1", "[]", "2", "[]", "8"]);
    assert_eq!(walk::all(&Value::Int(3)).count(), 1);
}

#[test]
fn values_are_shown_on_one_line_or_on_many() {
    let value = sample();
    assert_eq!(format!("{value:?}"), "m { 7: [1, [], #2 2], []: 8 }");
    let lines = "m {\n    7: [\n        1,\n        [],\n        #2 2,\n    ],\n    []: 8,\n}";
    assert_eq!(format!("{value:#?}"), lines);
    let deep = (0..5).fold(Value::Int(1), |value, _| Value::List(List(vec![value])));
    assert!(format!("{deep:#?}").contains("\n            [\n            [\n            1,\n"));
}

#[test]
fn depth_costs_heap_and_never_stack() {
    let values = || {
        let value = (0..MAX_DEPTH).fold(Value::Int(1), |value, _| Value::List(List(vec![value])));
        let clone = value.clone();
        let text = format!("{clone:?}");
        (value, clone, text)
    };
    let small = std::thread::Builder::new().stack_size(64 << 10).spawn(values).unwrap();
    let (value, clone, text) = small.join().unwrap();
    assert_eq!(text.len(), 2 * MAX_DEPTH + 1);
    // Dropping and comparing recurse.
    assert!(value == clone);
}

#[test]
fn depth_has_a_ceiling_and_memory_goes_by_the_input() {
    assert_eq!(Limits::DEFAULT.with_depth(usize::MAX).max_depth, MAX_DEPTH);
    assert_eq!(Limits::DEFAULT.with_depth(7).max_depth, 7);
    assert_eq!(Limits::DEFAULT.memory(0), 64 << 20);
    assert_eq!(Limits::DEFAULT.memory(usize::MAX), usize::MAX);
}
