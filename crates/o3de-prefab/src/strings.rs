//! All values of a document, in its order and without recursion.

use std::iter::Enumerate;
use std::slice::Iter;

use o3de_json::value::{Text, Value, append_pointer};

/// Where a value stands.
pub(crate) struct Place<'p, 'v> {
    /// Its JSON pointer.
    pub(crate) pointer: &'p str,
    /// The name of the innermost member that it is in; empty where there is none.
    pub(crate) member: &'v str,
}

enum Rest<'v> {
    Items(Enumerate<Iter<'v, Value>>),
    Members(Iter<'v, (Text, Value)>),
}

/// A container on the way.
struct Level<'v> {
    rest: Rest<'v>,
    member: &'v str,
    /// Length of its pointer.
    length: usize,
}

/// Shows a value and all values in it. `at` is its pointer.
pub(crate) fn each_value<'v>(
    root: &'v Value,
    at: &str,
    look: &mut dyn FnMut(Place<'_, 'v>, &'v Value),
) {
    let mut pointer = at.to_owned();
    look(Place { pointer: &pointer, member: "" }, root);
    let mut levels: Vec<Level<'v>> = Vec::new();
    levels.extend(rest(root).map(|rest| Level { rest, member: "", length: pointer.len() }));
    while let Some(level) = levels.last_mut() {
        pointer.truncate(level.length);
        let (member, value) = match &mut level.rest {
            Rest::Items(items) => match items.next() {
                Some((index, value)) => {
                    append_pointer(&mut pointer, &index.to_string());
                    (level.member, value)
                }
                None => {
                    levels.pop();
                    continue;
                }
            },
            Rest::Members(members) => match members.next() {
                Some((name, value)) => {
                    append_pointer(&mut pointer, name);
                    (name.as_str(), value)
                }
                None => {
                    levels.pop();
                    continue;
                }
            },
        };
        look(Place { pointer: &pointer, member }, value);
        levels.extend(rest(value).map(|rest| Level { rest, member, length: pointer.len() }));
    }
}

/// Shows the strings of a value.
pub(crate) fn each_string<'v>(
    root: &'v Value,
    at: &str,
    look: &mut dyn FnMut(Place<'_, 'v>, &'v str),
) {
    each_value(root, at, &mut |place, value| {
        if let Some(text) = value.as_str() {
            look(place, text);
        }
    });
}

fn rest(value: &Value) -> Option<Rest<'_>> {
    match value {
        Value::Array(items) => Some(Rest::Items(items.iter().enumerate())),
        Value::Object(object) => Some(Rest::Members(object.iter())),
        _ => None,
    }
}
