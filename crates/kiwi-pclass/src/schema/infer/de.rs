//! What a type reads: it is shown made-up values until nothing new is learned.

use gamewire_core::words::{Name, Names};
use serde_core::de::value::{BorrowedBytesDeserializer, BorrowedStrDeserializer};
use serde_core::de::{self, Deserialize, DeserializeSeed, Visitor};

use super::{Form, Tracer, merge_fields};
use crate::compound::binary;
use crate::types::{MARK, RAW_OBJECT, RAW_POINTER, SHARED_POINTER, STRING, VALUE, WSTRING};
use crate::value::UNKNOWN_VARIANT;
use crate::{Error, ErrorKind, Result};
use std::collections::{HashMap as Map, HashSet as Set};

/// Passes over one type.
const MAX_PASSES: usize = 10_000;

pub(super) fn trace<'de, T: Deserialize<'de>>() -> Result<Tracer> {
    let mut trace = Trace::default();
    let mut form = Form::Unknown;
    for _ in 0..MAX_PASSES {
        let before = trace.facts;
        trace.tracer.depth = 0;
        trace.open.clear();
        trace.open_enums.clear();
        let outcome = T::deserialize(Probe { trace: &mut trace, form: &mut form, hint: None });
        match outcome {
            Ok(_) if trace.is_done() => return Ok(trace.tracer),
            // Another variant of an enum, or what a recursion stood in the way of.
            Ok(_) | Err(_) if trace.facts != before => {}
            Ok(_) => return Ok(trace.tracer),
            Err(error) if error.kind() == ErrorKind::Data => {
                let name = std::any::type_name::<T>();
                return Err(Error::new(
                    ErrorKind::Schema,
                    format!("the classes of `{name}` cannot be found out, give a schema: {error}"),
                ));
            }
            Err(error) => return Err(error),
        }
    }
    Err(Error::new(ErrorKind::Schema, "the type is too large to find out its classes"))
}

#[derive(Default)]
struct Trace {
    tracer: Tracer,
    /// Classes of which every field is known.
    done: Set<&'static str>,
    /// How far each enum was explored.
    explored: Map<&'static str, Explored>,
    /// Classes that are being read.
    open: Vec<&'static str>,
    /// Enums that are being read. An enum over classes often has the name of one of them.
    open_enums: Vec<&'static str>,
    facts: usize,
}

#[derive(Default)]
struct Explored {
    variants: &'static [&'static str],
    next: usize,
    /// A variant that could be read.
    good: Option<usize>,
    /// Whether there are objects in its variants.
    objects: bool,
}

impl Trace {
    fn is_done(&self) -> bool {
        self.explored.values().all(|explored| explored.next >= explored.variants.len())
    }

    /// Whether nothing can be learned from reading it once more.
    fn knows(&self, form: &Form) -> bool {
        match form {
            Form::Unknown => false,
            Form::Simple(_) => true,
            Form::Native(RAW_POINTER | SHARED_POINTER, form)
            | Form::List(form)
            | Form::Option(form) => self.knows(form),
            Form::Native(_, form) => match &**form {
                Form::Unknown => false,
                Form::Tuple(forms) => forms.iter().all(|form| self.knows(form)),
                _ => true,
            },
            Form::Enum(name) | Form::Object(name) => match self.explored.get(name) {
                Some(explored) => {
                    explored.next >= explored.variants.len()
                        || self.open_enums.contains(name)
                        || self.open.contains(name)
                }
                None => self.done.contains(name) || self.open.contains(name),
            },
            Form::Map(pair) => pair.iter().all(|form| self.knows(form)),
            Form::Tuple(forms) => forms.iter().all(|form| self.knows(form)),
        }
    }

    fn learn(&mut self, form: &mut Form, new: Form) {
        if matches!(form, Form::Unknown) {
            *form = new;
            self.facts = self.facts.saturating_add(1);
        }
    }
}

/// One place that is asked.
struct Probe<'t> {
    trace: &'t mut Trace,
    form: &'t mut Form,
    hint: Option<&'static str>,
}

#[cold]
fn recursion() -> Error {
    Error::new(ErrorKind::Data, "the type contains itself without an end")
}

#[cold]
fn unsupported(message: &'static str) -> Error {
    Error::new(ErrorKind::Schema, message)
}

#[cold]
fn other_type() -> Error {
    Error::new(ErrorKind::Data, "one place reads values of two types")
}

macro_rules! simple {
    ($($method:ident = $name:literal, $visit:ident($value:expr);)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.trace.learn(self.form, Form::Simple($name));
            visitor.$visit($value)
        }
    )+};
}

impl<'de> Probe<'_> {
    fn object<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Object(name));
        let name = self.hint.unwrap_or(name);
        if self.trace.open.contains(&name) {
            return Err(recursion());
        }
        self.trace.tracer.enter()?;
        self.trace.open.push(name);
        let mut known = std::mem::take(self.trace.tracer.class(name));
        for field in fields {
            if !known.iter().any(|(other, _)| other == field) {
                known.push((field, Form::Unknown));
                self.trace.facts = self.trace.facts.saturating_add(1);
            }
        }
        let mut access = Fields { trace: &mut *self.trace, forms: &mut known, next: 0 };
        let outcome = visitor.visit_map(&mut access);
        self.trace.open.pop();
        merge_fields(self.trace.tracer.class(name), known);
        let value = outcome?;
        if self.trace.done.insert(name) {
            self.trace.facts = self.trace.facts.saturating_add(1);
        }
        self.trace.tracer.leave();
        Ok(value)
    }

    fn tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        const MAX: usize = 1 << 12;
        if len > MAX {
            return Err(unsupported("a tuple or an array has too many members: give a schema"));
        }
        self.trace.learn(self.form, Form::Tuple(vec![Form::Unknown; len]));
        let Form::Tuple(forms) = self.form else { return Err(other_type()) };
        self.trace.tracer.enter()?;
        let value = visitor.visit_seq(Members { trace: &mut *self.trace, forms, next: 0 })?;
        self.trace.tracer.leave();
        Ok(value)
    }
}

impl<'de> de::Deserializer<'de> for Probe<'_> {
    type Error = Error;

    binary!();

    simple! {
        deserialize_bool = "bool", visit_bool(false);
        deserialize_i8 = "char", visit_i8(0);
        deserialize_i16 = "short", visit_i16(0);
        deserialize_i32 = "int", visit_i32(0);
        deserialize_i64 = "__int64", visit_i64(0);
        deserialize_u8 = "unsigned char", visit_u8(0);
        deserialize_u16 = "unsigned short", visit_u16(0);
        deserialize_u32 = "unsigned int", visit_u32(0);
        deserialize_u64 = "unsigned __int64", visit_u64(0);
        deserialize_f32 = "float", visit_f32(0.0);
        deserialize_f64 = "double", visit_f64(0.0);
        deserialize_char = "std::string", visit_char('a');
        deserialize_str = "std::string", visit_borrowed_str("");
        deserialize_string = "std::string", visit_borrowed_str("");
        deserialize_bytes = "std::string", visit_borrowed_bytes(&[]);
        deserialize_byte_buf = "std::string", visit_borrowed_bytes(&[]);
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(unsupported(
            "a type that reads anything (flattened, untagged, internally tagged) needs a schema",
        ))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Option(Box::default()));
        let Form::Option(form) = self.form else { return Err(other_type()) };
        if self.trace.knows(form) {
            return visitor.visit_none();
        }
        self.trace.tracer.enter()?;
        let value = visitor.visit_some(Probe { trace: &mut *self.trace, form, hint: self.hint })?;
        self.trace.tracer.leave();
        Ok(value)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Tuple(Vec::new()));
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: Name, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Object(name));
        let name = self.hint.unwrap_or(name);
        self.trace.tracer.class(name);
        self.trace.done.insert(name);
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        let Probe { trace, form, hint } = self;
        trace.tracer.enter()?;
        let value = match name {
            VALUE => {
                return Err(unsupported(
                    "a Value needs a schema: a type list, or Options::schema with another one",
                ));
            }
            RAW_OBJECT => {
                trace.learn(form, Form::Object(""));
                trace.done.insert("");
                visitor.visit_newtype_struct(BorrowedBytesDeserializer::new(&[0; 12]))?
            }
            STRING | WSTRING => {
                trace.learn(form, Form::Simple(name.trim_start_matches(MARK)));
                visitor.visit_newtype_struct(BorrowedBytesDeserializer::new(&[]))?
            }
            _ if name.starts_with(MARK) => {
                trace.learn(form, Form::Native(name, Box::default()));
                let Form::Native(_, form) = form else { return Err(other_type()) };
                visitor.visit_newtype_struct(Probe { trace: &mut *trace, form, hint })?
            }
            _ => visitor.visit_newtype_struct(Probe { trace: &mut *trace, form, hint })?,
        };
        trace.tracer.leave();
        Ok(value)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::List(Box::default()));
        let Form::List(form) = self.form else { return Err(other_type()) };
        // One element, or none if there is nothing to learn from it.
        let forms = match self.trace.knows(form) {
            true => &mut [][..],
            false => std::slice::from_mut(&mut **form),
        };
        self.trace.tracer.enter()?;
        let value = visitor.visit_seq(Members { trace: &mut *self.trace, forms, next: 0 })?;
        self.trace.tracer.leave();
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.tuple(len, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Map(Box::default()));
        let Form::Map(pair) = self.form else { return Err(other_type()) };
        let is_known = pair.iter().all(|form| self.trace.knows(form));
        let forms = if is_known { &mut [][..] } else { &mut pair[..] };
        self.trace.tracer.enter()?;
        let value = visitor.visit_map(Members { trace: &mut *self.trace, forms, next: 0 })?;
        self.trace.tracer.leave();
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.object(name, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let Probe { trace, form, .. } = self;
        let within = trace.open_enums.contains(&name);
        let explored = trace.explored.entry(name).or_default();
        explored.variants = variants;
        let fresh = explored.next < variants.len();
        let chosen = match explored.good {
            Some(good) if within || !fresh => good,
            _ if fresh => {
                let next = explored.next;
                explored.next = next.saturating_add(1);
                trace.facts = trace.facts.saturating_add(1);
                next
            }
            _ => return Err(recursion()),
        };
        let Some(variant) = variants.get(chosen).copied() else { return Err(recursion()) };
        trace.tracer.enter()?;
        trace.open_enums.push(name);
        let mut objects = false;
        let content = Variant { trace: &mut *trace, variant, objects: &mut objects };
        let outcome = visitor.visit_enum(content);
        trace.open_enums.pop();
        let explored = trace.explored.entry(name).or_default();
        explored.objects |= objects;
        let value = outcome?;
        explored.good.get_or_insert(chosen);
        // What is first seen as a plain enum may turn out to have classes.
        if explored.objects {
            trace.learn(form, Form::Object(name));
            *form = Form::Object(name);
        } else {
            trace.learn(form, Form::Enum(name));
            let known = (variants.iter().copied()).zip(0..).collect();
            trace.tracer.enums.insert(name, known);
        }
        trace.tracer.leave();
        Ok(value)
    }
}

/// Names and made-up values of the fields.
struct Fields<'t> {
    trace: &'t mut Trace,
    forms: &'t mut super::Fields,
    next: usize,
}

impl<'de> de::MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        match self.forms.get(self.next) {
            Some((name, _)) => seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let (name, form) = self.forms.get_mut(self.next).ok_or_else(recursion)?;
        self.next = self.next.saturating_add(1);
        let name = *name;
        let probe = Probe { trace: &mut *self.trace, form, hint: None };
        seed.deserialize(probe).map_err(|error| error.inside(name))
    }
}

/// Members of a tuple, or elements of a list.
struct Members<'t> {
    trace: &'t mut Trace,
    forms: &'t mut [Form],
    next: usize,
}

impl<'de> de::SeqAccess<'de> for Members<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(form) = self.forms.get_mut(self.next) else { return Ok(None) };
        self.next = self.next.saturating_add(1);
        seed.deserialize(Probe { trace: &mut *self.trace, form, hint: None }).map(Some)
    }
}

/// The key and the value of a map's entry.
impl<'de> de::MapAccess<'de> for Members<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        de::SeqAccess::next_element_seed(self, seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        de::SeqAccess::next_element_seed(self, seed)?.ok_or_else(recursion)
    }
}

/// One variant of an enum.
struct Variant<'t> {
    trace: &'t mut Trace,
    variant: &'static str,
    objects: &'t mut bool,
}

impl<'de> de::EnumAccess<'de> for Variant<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let variant = seed.deserialize(BorrowedStrDeserializer::new(self.variant))?;
        Ok((variant, self))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        if self.variant.starts_with("class ") || self.variant.starts_with("struct ") {
            self.trace.tracer.class(self.variant);
        }
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        *self.objects = true;
        let hint = if self.variant == UNKNOWN_VARIANT { None } else { Some(self.variant) };
        let mut form = Form::Unknown;
        let value = seed.deserialize(Probe { trace: &mut *self.trace, form: &mut form, hint })?;
        match form {
            Form::Object(_) => Ok(value),
            _ => Err(unsupported("a variant with content holds a struct, which is its class")),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value> {
        Err(unsupported("a tuple variant is no class"))
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: Names, visitor: V) -> Result<V::Value> {
        *self.objects = true;
        let mut form = Form::Unknown;
        Probe { trace: &mut *self.trace, form: &mut form, hint: None }.object(
            self.variant,
            fields,
            visitor,
        )
    }
}
