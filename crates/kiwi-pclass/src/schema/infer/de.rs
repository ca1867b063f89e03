//! Types that are read: each is shown made-up values.

use gamewire_core::words::{Name, Names};
use serde_core::de::value::{BorrowedBytesDeserializer, BorrowedStrDeserializer};
use serde_core::de::{self, Deserialize, DeserializeSeed, Visitor};

use super::{Form, Game, Schema, Tracer, merge_fields};
use crate::compound::binary;
use crate::types::{MARK, RAW_OBJECT, STRING, VALUE, WSTRING};
use crate::value::UNKNOWN_VARIANT;
use crate::{Error, ErrorKind, Result};
use std::collections::{HashMap, HashSet};

/// Finds the classes of a type as serde-reflection does: each pass reads one made-up value of it. The
/// first pass takes the first variant of every enum; for each other variant there is a pass that goes
/// the way on which its enum was met.
pub(crate) fn infer<'de, T: Deserialize<'de>>(game: Game) -> Result<Schema> {
    let mut trace = Trace::default();
    let (mut form, mut passed, mut refused) = (Form::Unknown, false, None);
    trace.work.push(Vec::new());
    while let Some(route) = trace.work.pop() {
        (trace.route, trace.short, trace.tracer.depth) = (route, 0, 0);
        trace.open.clear();
        match T::deserialize(TypeProbe { trace: &mut trace, form: &mut form, hint: None }) {
            Ok(_) => passed = true,
            // A variant may refuse its made-up value.
            Err(error) => refused = Some(error),
        }
    }
    match refused {
        Some(error) if !passed && error.kind() == ErrorKind::Data => {
            let name = std::any::type_name::<T>();
            let message =
                format!("the classes of `{name}` cannot be found out, give a schema: {error}");
            return Err(Error::new(ErrorKind::Schema, message));
        }
        Some(error) if !passed => return Err(error),
        _ => {}
    }
    let Trace { mut tracer, enums, .. } = trace;
    tracer.enums.retain(|name, _| enums.get(name) != Some(&true));
    tracer.finish(game)
}

/// A class or an enum around a value; of an enum the index of the variant.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Class(&'static str),
    Enum(&'static str, usize),
}

#[derive(Default)]
struct Trace {
    tracer: Tracer,
    /// Variants that are still to be read, each as the last step of the way to it.
    work: Vec<Vec<Step>>,
    /// The way of this pass.
    route: Vec<Step>,
    /// Around the value that is read.
    open: Vec<Step>,
    /// Levels of values that only have to exist, because their type was read or is being read: they
    /// are as short as can be.
    short: usize,
    /// Classes whose fields were read.
    read: HashSet<&'static str>,
    /// Whether there are objects in the variants of an enum.
    enums: HashMap<&'static str, bool>,
    /// A variant of each enum that could be read.
    readable: HashMap<&'static str, usize>,
}

impl Trace {
    /// Reads something one level further in.
    fn inside<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.tracer.enter()?;
        let value = read(self)?;
        self.tracer.leave();
        Ok(value)
    }

    fn learn(&mut self, form: &mut Form, new: Form) {
        if matches!(form, Form::Unknown) {
            *form = new;
        }
    }

    /// The variant that is read, and whether to learn from it.
    fn choose(&mut self, name: &'static str, variants: usize) -> (usize, bool) {
        let is_own = |step: &&Step| matches!(step, Step::Enum(own, _) if *own == name);
        let nested = self.open.iter().filter(is_own).count();
        if self.short == 0 && nested == 0 {
            if let Some(Step::Enum(_, variant)) = self.route.iter().find(is_own) {
                return (*variant, true);
            }
            if !self.enums.contains_key(name) {
                self.enums.insert(name, false);
                // The last is taken first.
                self.work.extend((1..variants).rev().map(|variant| {
                    self.open.iter().copied().chain([Step::Enum(name, variant)]).collect()
                }));
                return (0, true);
            }
        }
        // Inside of itself another one each time, until one does not need the enum again.
        let other = nested.checked_rem(variants).unwrap_or(0);
        (self.readable.get(name).copied().unwrap_or(other), false)
    }
}

/// One place that is asked.
struct TypeProbe<'t> {
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

impl<'de> de::Deserializer<'de> for TypeProbe<'_> {
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
        if self.trace.short > 0 {
            return visitor.visit_none();
        }
        let hint = self.hint;
        self.trace.inside(|trace| visitor.visit_some(TypeProbe { trace, form, hint }))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Tuple(Vec::new()));
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: Name, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Object(name));
        let name = self.hint.unwrap_or(name);
        self.trace.tracer.class(name);
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        let TypeProbe { trace, form, hint } = self;
        trace.inside(|trace| match name {
            VALUE => Err(unsupported(
                "a Value needs a schema: a type list, or Options::schema with another one",
            )),
            RAW_OBJECT => {
                trace.learn(form, Form::Object(""));
                visitor.visit_newtype_struct(BorrowedBytesDeserializer::new(&[0; 12]))
            }
            STRING | WSTRING => {
                trace.learn(form, Form::Simple(name.trim_start_matches(MARK)));
                visitor.visit_newtype_struct(BorrowedBytesDeserializer::new(&[]))
            }
            _ if name.starts_with(MARK) => {
                trace.learn(form, Form::Native(name, Box::default()));
                let Form::Native(_, form) = form else { return Err(other_type()) };
                visitor.visit_newtype_struct(TypeProbe { trace, form, hint })
            }
            _ => visitor.visit_newtype_struct(TypeProbe { trace, form, hint }),
        })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::List(Box::default()));
        let Form::List(form) = self.form else { return Err(other_type()) };
        let forms = match self.trace.short {
            0 => std::slice::from_mut(&mut **form),
            _ => &mut [],
        };
        self.trace.inside(|trace| visitor.visit_seq(MadeMembers { trace, forms, next: 0 }))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        const MAX: usize = 1 << 12;
        if len > MAX {
            return Err(unsupported("a tuple or an array has too many members: give a schema"));
        }
        self.trace.learn(self.form, Form::Tuple(vec![Form::Unknown; len]));
        let Form::Tuple(forms) = self.form else { return Err(other_type()) };
        self.trace.inside(|trace| visitor.visit_seq(MadeMembers { trace, forms, next: 0 }))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.trace.learn(self.form, Form::Map(Box::default()));
        let Form::Map(pair) = self.form else { return Err(other_type()) };
        let forms = if self.trace.short > 0 { &mut [][..] } else { &mut pair[..] };
        self.trace.inside(|trace| visitor.visit_map(MadeMembers { trace, forms, next: 0 }))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        const MAX_NESTED: usize = 32;
        let TypeProbe { trace, form, hint } = self;
        trace.learn(form, Form::Object(name));
        let name = hint.unwrap_or(name);
        let step = Step::Class(name);
        let nested = trace.open.iter().filter(|own| **own == step).count();
        if nested > MAX_NESTED {
            return Err(recursion());
        }
        let is_new = !trace.read.contains(name) || trace.route.contains(&step);
        let learns = trace.short == 0 && nested == 0 && is_new;
        let mut known = match learns {
            true => std::mem::take(trace.tracer.class(name)),
            false => super::Fields::new(),
        };
        for field in fields {
            if !known.iter().any(|(other, _)| other == field) {
                known.push((field, Form::Unknown));
            }
        }
        trace.tracer.enter()?;
        let short = trace.short;
        trace.short = short.saturating_add(usize::from(!learns));
        trace.open.push(step);
        let mut access = MadeFields { trace: &mut *trace, forms: &mut known, next: 0 };
        let outcome = visitor.visit_map(&mut access);
        trace.open.pop();
        trace.short = short;
        if learns {
            merge_fields(trace.tracer.class(name), known);
        }
        let value = outcome?;
        if learns {
            trace.read.insert(name);
        }
        trace.tracer.leave();
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let TypeProbe { trace, form, .. } = self;
        let (chosen, learns) = trace.choose(name, variants.len());
        let Some(variant) = variants.get(chosen).copied() else { return Err(recursion()) };
        trace.tracer.enter()?;
        let short = trace.short;
        trace.short = short.saturating_add(usize::from(!learns));
        trace.open.push(Step::Enum(name, chosen));
        let mut objects = false;
        let access = MadeVariant { trace: &mut *trace, variant, objects: &mut objects };
        let outcome = visitor.visit_enum(access);
        trace.open.pop();
        trace.short = short;
        if let Some(known) = trace.enums.get_mut(name) {
            *known |= objects;
        }
        let value = outcome?;
        trace.readable.entry(name).or_insert(chosen);
        trace.learn(form, Form::Enum(name));
        let known = (variants.iter().copied()).zip(0..).collect();
        trace.tracer.enums.insert(name, known);
        trace.tracer.leave();
        Ok(value)
    }
}

/// Names and made-up values of the fields.
struct MadeFields<'t> {
    trace: &'t mut Trace,
    forms: &'t mut super::Fields,
    next: usize,
}

impl<'de> de::MapAccess<'de> for MadeFields<'_> {
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
        let probe = TypeProbe { trace: &mut *self.trace, form, hint: None };
        seed.deserialize(probe).map_err(|error| error.inside(name))
    }
}

/// MadeMembers of a tuple, or elements of a list.
struct MadeMembers<'t> {
    trace: &'t mut Trace,
    forms: &'t mut [Form],
    next: usize,
}

impl<'de> de::SeqAccess<'de> for MadeMembers<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(form) = self.forms.get_mut(self.next) else { return Ok(None) };
        self.next = self.next.saturating_add(1);
        seed.deserialize(TypeProbe { trace: &mut *self.trace, form, hint: None }).map(Some)
    }
}

/// The key and the value of a map's entry.
impl<'de> de::MapAccess<'de> for MadeMembers<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        de::SeqAccess::next_element_seed(self, seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        de::SeqAccess::next_element_seed(self, seed)?.ok_or_else(recursion)
    }
}

/// One variant of an enum.
struct MadeVariant<'t> {
    trace: &'t mut Trace,
    variant: &'static str,
    objects: &'t mut bool,
}

impl<'de> de::EnumAccess<'de> for MadeVariant<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let variant = seed.deserialize(BorrowedStrDeserializer::<Error>::new(self.variant))?;
        Ok((variant, self))
    }
}

impl<'de> de::VariantAccess<'de> for MadeVariant<'_> {
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
        let value =
            seed.deserialize(TypeProbe { trace: &mut *self.trace, form: &mut form, hint })?;
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
        let probe = TypeProbe { trace: &mut *self.trace, form: &mut form, hint: None };
        de::Deserializer::deserialize_struct(probe, self.variant, fields, visitor)
    }
}
