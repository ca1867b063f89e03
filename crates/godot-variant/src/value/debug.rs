//! `Debug` in the manner of GDScript, without recursion.

use std::fmt::{self, Debug, Formatter, Write};

use crate::Value;
use crate::types::{Components, GString};
use crate::value::walk::Children;
use crate::value::{Array, Dictionary, Instance, Object, by_numbers};

impl Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_nested(f, Step::Value(self))
    }
}

impl Debug for Array {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_nested(f, Step::Open("[", Children::Items(self.iter()), Layout::Items, "]"))
    }
}

impl Debug for Dictionary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_nested(f, Step::Open("{", Children::Entries(self.iter(), None), Layout::Entries, "}"))
    }
}

impl Debug for Instance {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class)?;
        write_nested(f, instance(self))
    }
}

/// What stands between the children of a container.
#[derive(Clone)]
enum Layout<'a> {
    Items,
    Entries,
    Properties(std::slice::Iter<'a, (GString, Value)>),
}

enum Step<'a> {
    Value(&'a Value),
    /// Opening bracket, children, layout, closing bracket.
    Open(&'static str, Children<'a>, Layout<'a>, &'static str),
}

fn instance(instance: &Instance) -> Step<'_> {
    let properties = instance.properties.iter();
    Step::Open("(", Children::Properties(properties.clone()), Layout::Properties(properties), ")")
}

struct Level<'a> {
    children: Children<'a>,
    layout: Layout<'a>,
    close: &'static str,
    written: usize,
}

fn write_nested(f: &mut Formatter<'_>, first: Step<'_>) -> fmt::Result {
    let pretty = f.alternate();
    let mut stack: Vec<Level<'_>> = Vec::new();
    let mut step = Some(first);
    loop {
        match step.take() {
            Some(Step::Value(value)) => {
                if let Some(open) = start(f, value)? {
                    step = Some(open);
                    continue;
                }
            }
            Some(Step::Open(open, children, layout, close)) => {
                f.write_str(open)?;
                stack.push(Level { children, layout, close, written: 0 });
            }
            None => {}
        }
        let depth = stack.len();
        let Some(level) = stack.last_mut() else { return Ok(()) };
        let Some(child) = level.children.next() else {
            let (close, filled) = (level.close, level.written > 0);
            stack.pop();
            if pretty && filled {
                new_line(f, stack.len())?;
            }
            f.write_str(close)?;
            continue;
        };
        let is_value = matches!(level.layout, Layout::Entries) && level.written % 2 == 1;
        match level.written {
            _ if is_value => f.write_str(": ")?,
            0 => {}
            _ if pretty => f.write_char(',')?,
            _ => f.write_str(", ")?,
        }
        if pretty && !is_value {
            new_line(f, depth)?;
        }
        if let Layout::Properties(names) = &mut level.layout
            && let Some((name, _)) = names.next()
        {
            write!(f, "{name:?}: ")?;
        }
        level.written = level.written.saturating_add(1);
        step = Some(Step::Value(child));
    }
}

fn new_line(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    f.write_char('\n')?;
    (0..depth).try_for_each(|_| f.write_str("    "))
}

/// Writes a value, or returns the container that is to be opened.
fn start<'a>(f: &mut Formatter<'_>, value: &'a Value) -> Result<Option<Step<'a>>, fmt::Error> {
    use Value::*;
    by_numbers!(
        value,
        ints v => components(f, v)?,
        reals v => components(f, v)?,
        packed v => packed(f, value, v.iter().flat_map(|v| v.to_array()))?,
        Nil => f.write_str("null")?,
        Bool(v) => write!(f, "{v}")?,
        Int(v) => write!(f, "{v}")?,
        Float(v) => write!(f, "{v:?}")?,
        String(v) => write!(f, "{:?}", v.as_str())?,
        StringName(v) => write!(f, "&{:?}", v.as_str())?,
        NodePath(v) => write!(f, "^{:?}", v.to_string())?,
        Rid(v) => write!(f, "{v}")?,
        Callable(_) => f.write_str("Callable()")?,
        Signal(v) => write!(f, "Signal({}, {:?})", v.object, v.name.as_str())?,
        Object(self::Object::Null) => f.write_str("Object(null)")?,
        Object(self::Object::Id(id)) => write!(f, "Object({id})")?,
        Object(self::Object::Instance(v)) => {
            f.write_str(&v.class)?;
            return Ok(Some(instance(v)));
        },
        TypedArray(v) => write!(f, "Array[{}]", v.element)?,
        TypedDictionary(v) => write!(f, "Dictionary[{}, {}]", v.key, v.value)?,
        Array(_) | Dictionary(_) => {},
        PackedByteArray(v) => packed(f, value, v.iter())?,
        PackedInt32Array(v) => packed(f, value, v.iter())?,
        PackedInt64Array(v) => packed(f, value, v.iter())?,
        PackedFloat32Array(v) => packed(f, value, v.iter())?,
        PackedFloat64Array(v) => packed(f, value, v.iter())?,
        PackedStringArray(v) => packed(f, value, v.iter())?,
    );
    Ok(Children::of(value).map(|children| match children {
        Children::Items(_) => Step::Open("[", children, Layout::Items, "]"),
        Children::Entries(..) => Step::Open("{", children, Layout::Entries, "}"),
        Children::Properties(_) => Step::Open("(", children, Layout::Items, ")"),
    }))
}

fn components<T>(f: &mut Formatter<'_>, value: &T) -> fmt::Result
where
    T: Components,
    T::Scalar: Debug,
{
    let components = value.to_components();
    listed(f, T::TYPE.name(), components.as_ref().iter())
}

fn packed<T: Debug>(
    f: &mut Formatter<'_>,
    value: &Value,
    items: impl Iterator<Item = T>,
) -> fmt::Result {
    listed(f, value.kind().name(), items)
}

fn listed<T: Debug>(
    f: &mut Formatter<'_>,
    name: &str,
    items: impl Iterator<Item = T>,
) -> fmt::Result {
    write!(f, "{name}(")?;
    for (index, item) in items.enumerate() {
        // Not with `f`: its alternate form would put each number on a line of its own.
        write!(f, "{}{}", if index == 0 { "" } else { ", " }, format_args!("{item:?}"))?;
    }
    f.write_char(')')
}
