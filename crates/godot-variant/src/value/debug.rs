//! `Debug` in the manner of GDScript.

use alloc::string::ToString as _;
use core::fmt::{self, Debug, Formatter, Write};

use gamewire_core::walk;

use crate::Value;
use crate::types::Components;
use crate::value::walk::Inside;
use crate::value::{Array, Dictionary, Instance, Object, by_numbers};

impl Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        walk::debug(Shown::Value(self), f)
    }
}

impl Debug for Array {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        walk::debug(Shown::Inside(Inside::Items(&self.0)), f)
    }
}

impl Debug for Dictionary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        walk::debug(Shown::Inside(Inside::Entries(self.as_slice())), f)
    }
}

impl Debug for Instance {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class)?;
        walk::debug(Shown::Inside(Inside::Properties(&self.properties)), f)
    }
}

/// A value, or what is inside of a container.
#[derive(Clone, Copy)]
enum Shown<'a> {
    Value(&'a Value),
    Inside(Inside<'a>),
}

impl<'a> Shown<'a> {
    fn inside(self) -> Option<Inside<'a>> {
        match self {
            Shown::Value(value) => Inside::of(value),
            Shown::Inside(inside) => Some(inside),
        }
    }

    fn brackets(self) -> (&'static str, &'static str) {
        match self.inside() {
            Some(Inside::Items(_)) => ("[", "]"),
            Some(Inside::Entries(_)) => ("{", "}"),
            Some(Inside::Properties(_)) => ("(", ")"),
            None => ("", ""),
        }
    }
}

impl walk::Shown for Shown<'_> {
    fn child(self, index: usize) -> Option<Self> {
        self.inside()?.get(index).map(Shown::Value)
    }

    fn open(self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Shown::Value(value) = self {
            start(f, value)?;
        }
        f.write_str(self.brackets().0)
    }

    fn close(self) -> &'static str {
        self.brackets().1
    }

    fn before(self, index: usize, f: &mut Formatter<'_>) -> fmt::Result {
        match self.inside().and_then(|inside| inside.name(index)) {
            Some(name) => write!(f, "{name:?}: "),
            None => Ok(()),
        }
    }

    fn is_paired(self, index: usize) -> bool {
        index % 2 == 1 && matches!(self.inside(), Some(Inside::Entries(_)))
    }
}

/// Writes a leaf, or what stands before the brackets of a container.
fn start(f: &mut Formatter<'_>, value: &Value) -> fmt::Result {
    use Value::*;
    by_numbers!(
        value,
        ints v => components(f, v)?,
        reals v => components(f, v)?,
        scalars v => listed(f, value.kind().name(), v.iter())?,
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
        PackedStringArray(v) => listed(f, value.kind().name(), v.iter())?,
    );
    Ok(())
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
        // Not with `f`: its alternate form would put each number on its own line.
        write!(f, "{}{}", if index == 0 { "" } else { ", " }, format_args!("{item:?}"))?;
    }
    f.write_char(')')
}
