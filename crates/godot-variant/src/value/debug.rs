//! `Debug` in the manner of GDScript, without recursion.

use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter, Write};

use crate::Value;
use crate::types::Components;
use crate::value::walk::{Children, Inside, Place};
use crate::value::{Array, Dictionary, Instance, Object, by_numbers};

impl Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_nested(f, Step::Value(self))
    }
}

impl Debug for Array {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_nested(f, Step::Open(Children::new(Inside::Items(&self.0))))
    }
}

impl Debug for Dictionary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_nested(f, Step::Open(Children::new(Inside::Entries(self.as_slice()))))
    }
}

impl Debug for Instance {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class)?;
        write_nested(f, Step::Open(Children::new(Inside::Properties(&self.properties))))
    }
}

enum Step<'a> {
    Value(&'a Value),
    Open(Children<'a>),
}

fn write_nested(f: &mut Formatter<'_>, first: Step<'_>) -> fmt::Result {
    let pretty = f.alternate();
    // Containers that are open, how many of their values were written, and how they end.
    let mut stack: Vec<(Children<'_>, usize, &str)> = Vec::new();
    let mut step = Some(first);
    loop {
        match step.take() {
            Some(Step::Value(value)) => {
                step = start(f, value)?.map(Step::Open);
                if step.is_some() {
                    continue;
                }
            }
            Some(Step::Open(children)) => {
                let (open, close) = children.brackets();
                f.write_str(open)?;
                stack.push((children, 0, close));
            }
            None => {}
        }
        let depth = stack.len();
        let Some((children, written, close)) = stack.last_mut() else { return Ok(()) };
        let Some(child) = children.next() else {
            let (close, filled) = (*close, *written > 0);
            stack.pop();
            if pretty && filled {
                new_line(f, stack.len())?;
            }
            f.write_str(close)?;
            continue;
        };
        let place = children.place();
        let is_value = matches!(place, Place::Entry(_));
        match written {
            _ if is_value => f.write_str(": ")?,
            0 => {}
            _ if pretty => f.write_char(',')?,
            _ => f.write_str(", ")?,
        }
        if pretty && !is_value {
            new_line(f, depth)?;
        }
        if let Place::Property(name) = place {
            write!(f, "{name:?}: ")?;
        }
        *written = written.saturating_add(1);
        step = Some(Step::Value(child));
    }
}

fn new_line(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    f.write_char('\n')?;
    (0..depth).try_for_each(|_| f.write_str("    "))
}

/// Writes a value, or returns the container that is to be opened.
fn start<'a>(f: &mut Formatter<'_>, value: &'a Value) -> Result<Option<Children<'a>>, fmt::Error> {
    use Value::*;
    by_numbers!(
        value,
        ints v => components(f, v)?,
        reals v => components(f, v)?,
        packed v => listed(f, value.kind().name(), v.iter().flat_map(|v| v.to_array()))?,
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
        Object(self::Object::Instance(v)) => f.write_str(&v.class)?,
        TypedArray(v) => write!(f, "Array[{}]", v.element)?,
        TypedDictionary(v) => write!(f, "Dictionary[{}, {}]", v.key, v.value)?,
        Array(_) | Dictionary(_) => {},
        PackedByteArray(v) => listed(f, value.kind().name(), v.iter())?,
        PackedInt32Array(v) => listed(f, value.kind().name(), v.iter())?,
        PackedInt64Array(v) => listed(f, value.kind().name(), v.iter())?,
        PackedFloat32Array(v) => listed(f, value.kind().name(), v.iter())?,
        PackedFloat64Array(v) => listed(f, value.kind().name(), v.iter())?,
        PackedStringArray(v) => listed(f, value.kind().name(), v.iter())?,
    );
    Ok(Children::of(value))
}

fn components<T>(f: &mut Formatter<'_>, value: &T) -> fmt::Result
where
    T: Components,
    T::Scalar: Debug,
{
    let components = value.to_components();
    listed(f, T::TYPE.name(), components.as_ref().iter())
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
