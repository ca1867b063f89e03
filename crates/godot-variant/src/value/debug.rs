//! `Debug` in the manner of GDScript.

use std::fmt::{self, Debug, Formatter, Write};

use gamewire_core::walk;

use crate::Value;
use crate::value::numbers::Numbers;
use crate::value::walk::Inside;
use crate::value::{Array, Dictionary, Instance, Object};

impl Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        walk::debug(Shown::Value(self), f)
    }
}

/// The same text as `Debug`: on one line, or with `{:#}` on many.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(self, f)
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

impl walk::DebugTree for Shown<'_> {
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
    match value {
        Nil => f.write_str("null"),
        Bool(v) => write!(f, "{v}"),
        Int(v) => write!(f, "{v}"),
        Float(v) => write!(f, "{v:?}"),
        String(v) => write!(f, "{:?}", v.as_str()),
        StringName(v) => write!(f, "&{:?}", v.as_str()),
        NodePath(v) => write!(f, "^{:?}", v.to_string()),
        Rid(v) => write!(f, "{v}"),
        Callable(_) => f.write_str("Callable()"),
        Signal(v) => write!(f, "Signal({}, {:?})", v.object, v.name.as_str()),
        Object(self::Object::Null) => f.write_str("Object(null)"),
        Object(self::Object::Id(id)) => write!(f, "Object({id})"),
        Object(self::Object::Instance(v)) => f.write_str(&v.class),
        Object(self::Object::Reference(v)) => write!(f, "{v}"),
        TypedArray(v) => write!(f, "Array[{}]", v.element),
        TypedDictionary(v) => write!(f, "Dictionary[{}, {}]", v.key, v.value),
        Array(_) | Dictionary(_) => Ok(()),
        other => row(f, other),
    }
}

/// A row of numbers or texts.
fn row(f: &mut Formatter<'_>, value: &Value) -> fmt::Result {
    write!(f, "{}(", value.kind())?;
    let mut comma = "";
    let mut item = |item: &dyn Debug| {
        // Not with `f`: its alternate form would put each number on its own line.
        let written = write!(f, "{comma}{}", format_args!("{item:?}"));
        comma = ", ";
        written
    };
    let mut written = Ok(());
    match (value, Numbers::of(value)) {
        (_, Some(numbers)) => {
            numbers.all(&mut |number| {
                written = item(&number);
                written.is_ok()
            });
        }
        (Value::PackedStringArray(texts), _) => written = texts.iter().try_for_each(|v| item(v)),
        _ => {}
    }
    written?;
    f.write_char(')')
}
