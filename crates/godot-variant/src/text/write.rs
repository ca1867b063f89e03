//! Values to text, without recursion.

use std::fmt::Write as _;

use base64::Engine as _;

use super::dialect::old_name;
use super::float::{write_float, write_number};
use super::{BASE64, in_word, order};
use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::types::{ElementType, Type, escaped, escaped_in_lines, quoted};
use crate::value::numbers::{Numbers, Scalar};
use crate::value::{Array, Dictionary, Instance, Object, Reference};
use crate::{Dialect, Options, Spelling, Value};

/// A piece that is still to be written.
enum Step<'a> {
    Value(&'a Value),
    Text(&'static str),
    /// The elements from an index on, and whether none was written yet.
    Items(&'a [Value], bool),
    Entries(Vec<&'a (Value, Value)>, usize),
    Properties(&'a Instance, usize),
    /// A container ends.
    Leave,
}

pub(super) fn write(value: &Value, options: &Options) -> Result<String> {
    let mut writer = TextWriter {
        out: String::new(),
        pieces: vec![Step::Value(value)],
        depth: 0,
        spelling: options.spelling,
    };
    while let Some(piece) = writer.pieces.pop() {
        writer.piece(piece, options)?;
        options.check_output(writer.out.len())?;
    }
    // Words and numbers have none, so it is in a string.
    if writer.out.contains('\0') {
        let text = "expected strings without NUL, at which texts end, found one that has it";
        return Err(Error::new(ErrorKind::Unsupported, text));
    }
    Ok(writer.out)
}

struct TextWriter<'a> {
    out: String,
    pieces: Vec<Step<'a>>,
    depth: usize,
    spelling: Spelling,
}

impl<'a> TextWriter<'a> {
    fn is_old(&self) -> bool {
        self.spelling == Spelling::Format2
    }

    fn piece(&mut self, piece: Step<'a>, options: &Options) -> Result<()> {
        match piece {
            Step::Text(text) => self.out.push_str(text),
            Step::Leave => self.depth = self.depth.saturating_sub(1),
            Step::Value(value) => return self.value(value, options),
            Step::Items(items, first) => {
                if let Some((item, rest)) = items.split_first() {
                    if !first {
                        self.out.push_str(", ");
                    }
                    self.pieces.extend([Step::Items(rest, false), Step::Value(item)]);
                }
            }
            Step::Entries(entries, at) => match entries.get(at) {
                Some((key, value)) => {
                    self.out.push_str(if at == 0 { "{\n" } else { ",\n" });
                    let next = Step::Entries(entries, at.saturating_add(1));
                    let pair = [Step::Value(value), Step::Text(": "), Step::Value(key)];
                    self.pieces.push(next);
                    self.pieces.extend(pair);
                }
                None => self.out.push_str(match at {
                    0 if self.is_old() => "{\n}",
                    0 => "{}",
                    _ => "\n}",
                }),
            },
            Step::Properties(instance, at) => {
                if let Some((name, value)) = instance.properties.get(at) {
                    if at > 0 {
                        self.out.push(',');
                    }
                    quoted(&mut self.out, "\"", name, escaped_in_lines);
                    self.out.push(':');
                    let next = Step::Properties(instance, at.saturating_add(1));
                    self.pieces.extend([next, Step::Value(value)]);
                }
            }
        }
        Ok(())
    }

    fn enter(&mut self, options: &Options) -> Result<()> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > options.limits.max_depth.saturating_add(1) {
            let text =
                format!("nested deeper than max_depth, which is {}", options.limits.max_depth);
            return Err(Error::new(ErrorKind::DepthLimit, text));
        }
        self.pieces.push(Step::Leave);
        Ok(())
    }

    fn value(&mut self, value: &'a Value, options: &Options) -> Result<()> {
        use Value::*;
        let is_old = self.is_old();
        let spelling = self.spelling;
        let out = &mut self.out;
        if is_old {
            let typed = matches!(value, TypedArray(_) | TypedDictionary(_) | Real64(_));
            if typed || value.kind().id(Dialect::Godot3).is_none() {
                let kind = if typed { "a typed or wide one" } else { value.kind().name() };
                return Err(unsupported("a type that engines 3.x have", kind));
            }
        }
        match value {
            Nil => out.push_str("null"),
            Bool(v) => out.push_str(if *v { "true" } else { "false" }),
            Int(v) => display(out, v),
            Float(v) => write_float(out, *v, spelling),
            String(v) => quoted(out, "\"", v, escaped_in_lines),
            StringName(v) => quoted(out, "&\"", v, escaped),
            NodePath(v) => {
                if !v.is_plain() {
                    return Err(unsupported("a path that its text stands for", &v.to_string()));
                }
                quoted(out, "NodePath(\"", &v.to_string(), escaped);
                out.push(')');
            }
            Rid(v) => match v.0 {
                0 => out.push_str("RID()"),
                // With a sign, as the engine reads it.
                id => display(out, format_args!("RID({})", id.cast_signed())),
            },
            Callable(_) => out.push_str("Callable()"),
            Signal(_) => out.push_str("Signal()"),
            Object(object) => return self.object(object, options),
            Array(items) => return self.array(items, options),
            Dictionary(entries) => return self.dictionary(entries, options),
            TypedArray(typed) => {
                out.push_str("Array[");
                element_type(out, &typed.element, spelling)?;
                out.push_str("](");
                self.pieces.push(Step::Text(")"));
                return self.array(&typed.items, options);
            }
            TypedDictionary(typed) => {
                out.push_str("Dictionary[");
                element_type(out, &typed.key, spelling)?;
                out.push_str(", ");
                element_type(out, &typed.value, spelling)?;
                out.push_str("](");
                self.pieces.push(Step::Text(")"));
                return self.dictionary(&typed.entries, options);
            }
            PackedByteArray(bytes) if matches!(spelling, Spelling::Format4 | Spelling::Exact) => {
                out.push_str("PackedByteArray(\"");
                BASE64.encode_string(&**bytes, out);
                out.push_str("\")");
            }
            other => row(out, other, spelling),
        }
        Ok(())
    }

    fn array(&mut self, items: &'a Array, options: &Options) -> Result<()> {
        self.enter(options)?;
        let (open, close) = if self.is_old() { ("[ ", " ]") } else { ("[", "]") };
        self.out.push_str(open);
        self.pieces.extend([Step::Text(close), Step::Items(items, true)]);
        Ok(())
    }

    fn dictionary(&mut self, entries: &'a Dictionary, options: &Options) -> Result<()> {
        self.enter(options)?;
        let mut sorted: Vec<_> = entries.iter().collect();
        if options.spelling != Spelling::Exact {
            order::sort(&mut sorted);
        }
        self.pieces.push(Step::Entries(sorted, 0));
        Ok(())
    }

    fn object(&mut self, object: &'a Object, options: &Options) -> Result<()> {
        match object {
            Object::Null => self.out.push_str("null"),
            Object::Id(id) => display(
                &mut self.out,
                format_args!(
                    "Object({},\"object_id\":{},\"script\":null)\n",
                    ElementType::ENCODED_OBJECT_AS_ID,
                    id.0.cast_signed()
                ),
            ),
            Object::Reference(reference) => self.reference(reference),
            Object::Instance(instance) => {
                self.enter(options)?;
                self.out.push_str("Object(");
                class(&mut self.out, &instance.class)?;
                self.out.push(',');
                self.pieces.extend([Step::Text(")\n"), Step::Properties(instance, 0)]);
            }
        }
        Ok(())
    }
}

impl TextWriter<'_> {
    fn reference(&mut self, reference: &Reference) {
        if !self.is_old() {
            return display(&mut self.out, reference);
        }
        let (word, id) = match reference {
            Reference::External(id) => ("ExtResource", id),
            Reference::Internal(id) => ("SubResource", id),
            Reference::File { path, .. } => ("Resource", path),
        };
        self.out.extend([word, "( "]);
        match id.parse::<u32>() {
            Ok(number) => display(&mut self.out, number),
            Err(_) => quoted(&mut self.out, "\"", id, escaped_in_lines),
        }
        self.out.push_str(" )");
    }
}

/// Writing to a string cannot fail.
fn display(out: &mut String, value: impl std::fmt::Display) {
    let _ = write!(out, "{value}");
}

/// The error for a value that would be read as something else or not at all.
#[cold]
fn unsupported(expected: &str, found: &str) -> Error {
    let text = format!("expected {expected}, found \"{}\"", Shortened(found));
    Error::new(ErrorKind::Unsupported, text)
}

#[cold]
fn no_class(name: &str) -> Error {
    unsupported("a class whose name is a word", name)
}

/// The name of a class, if the reader takes it for one word.
fn class(out: &mut String, name: &str) -> Result<()> {
    if !name.starts_with(|c: char| !c.is_ascii_digit()) || !name.chars().all(in_word) {
        return Err(no_class(name));
    }
    out.push_str(name);
    Ok(())
}

fn element_type(out: &mut String, element: &ElementType, spelling: Spelling) -> Result<()> {
    match element {
        ElementType::Any => out.push_str("Variant"),
        ElementType::Builtin(kind) => out.push_str(kind.name()),
        ElementType::Class(name) => {
            let kind = if **name == *"Variant" { Some(Type::Nil) } else { Type::from_name(name) };
            // These words are built-in types, of which one is a class, too.
            if kind.is_some_and(|kind| kind != Type::Object || spelling == Spelling::Exact) {
                return Err(no_class(name));
            }
            class(out, name)?;
        }
        // A reference, as it was read.
        ElementType::Script(path)
            if path.starts_with("ExtResource(") || path.starts_with("SubResource(") =>
        {
            out.push_str(path);
        }
        ElementType::Script(path) => {
            quoted(out, "Resource(\"", path, escaped_in_lines);
            out.push(')');
        }
    }
    Ok(())
}

/// `Name(a, b, …)`: a row of numbers or texts. A basis stands by rows, as on the wire.
fn row(out: &mut String, value: &Value, spelling: Spelling) {
    let is_old = spelling == Spelling::Format2;
    out.push_str(if is_old { old_name(value.kind()) } else { value.kind().name() });
    out.push_str(if is_old { "( " } else { "(" });
    let mut comma = "";
    let mut next = |out: &mut String| out.push_str(std::mem::replace(&mut comma, ", "));
    if let Value::PackedStringArray(texts) = value {
        for text in texts.iter() {
            next(out);
            quoted(out, "\"", text, escaped);
        }
    } else if let Some(numbers) = Numbers::of(value) {
        numbers.by_rows().each(&mut |number| {
            next(out);
            match number {
                Scalar::Int(value) => display(out, value),
                float => write_number(out, float.to_f64(), spelling),
            }
        });
    }
    out.push_str(if is_old { " )" } else { ")" });
}
