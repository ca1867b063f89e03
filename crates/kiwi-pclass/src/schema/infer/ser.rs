//! Types of values that are written.

use gamewire_core::words::Name;
use serde_core::ser::{self, Impossible, Serialize, Serializer};

use super::{Fields, Form, Game, Schema, Tracer, merge, merge_fields};
use crate::compound::{binary, lists, structs};
use crate::core_object::FIELD as CORE;
use crate::types::{MARK, RAW_OBJECT, VALUE};
use crate::value::UNKNOWN_VARIANT;
use crate::{Error, ErrorKind, Result};

/// The classes that writing `value` needs. Elements of empty lists and the classes of null
/// pointers stay unknown.
pub(crate) fn infer_from_value<T: Serialize + ?Sized>(value: &T, game: Game) -> Result<Schema> {
    let mut tracer = Tracer::default();
    value.serialize(ValueProbe { tracer: &mut tracer, hint: None })?;
    tracer.finish(game)
}

/// One place that is asked what it is. `hint` is the class of the variant around it.
struct ValueProbe<'t> {
    tracer: &'t mut Tracer,
    hint: Option<&'static str>,
}

impl<'t> ValueProbe<'t> {
    /// A level further in.
    fn inside<T: Serialize + ?Sized>(self, value: &T) -> Result<Form> {
        self.tracer.enter()?;
        let form = value.serialize(ValueProbe { tracer: &mut *self.tracer, hint: self.hint })?;
        self.tracer.leave();
        Ok(form)
    }

    fn compound(self, form: Form) -> Result<Compound<'t>> {
        self.tracer.enter()?;
        Ok(Compound { tracer: self.tracer, form, next: 0, class: "", fields: Fields::new() })
    }

    fn object(self, name: &'static str, class: &'static str) -> Result<Compound<'t>> {
        self.tracer.class(class);
        Ok(Compound { class, ..self.compound(Form::Object(name))? })
    }
}

macro_rules! simple {
    ($($method:ident $type:ty = $name:literal;)+) => {$(
        fn $method(self, _: $type) -> Result<Form> {
            Ok(Form::Simple($name))
        }
    )+};
}

impl<'t> Serializer for ValueProbe<'t> {
    type Ok = Form;
    type Error = Error;
    type SerializeSeq = Compound<'t>;
    type SerializeTuple = Compound<'t>;
    type SerializeTupleStruct = Compound<'t>;
    type SerializeTupleVariant = Impossible<Form, Error>;
    type SerializeMap = Compound<'t>;
    type SerializeStruct = Compound<'t>;
    type SerializeStructVariant = Compound<'t>;

    binary!();

    simple! {
        serialize_bool bool = "bool";
        serialize_i8 i8 = "char";
        serialize_i16 i16 = "short";
        serialize_i32 i32 = "int";
        serialize_i64 i64 = "__int64";
        serialize_u8 u8 = "unsigned char";
        serialize_u16 u16 = "unsigned short";
        serialize_u32 u32 = "unsigned int";
        serialize_u64 u64 = "unsigned __int64";
        serialize_f32 f32 = "float";
        serialize_f64 f64 = "double";
        serialize_char char = "std::string";
        serialize_str &str = "std::string";
        serialize_bytes &[u8] = "std::string";
    }

    fn serialize_none(self) -> Result<Form> {
        Ok(Form::Option(Box::default()))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Form> {
        Ok(Form::Option(Box::new(self.inside(value)?)))
    }

    fn serialize_unit(self) -> Result<Form> {
        Ok(Form::Tuple(Vec::new()))
    }

    fn serialize_unit_struct(self, name: Name) -> Result<Form> {
        let class = self.hint.unwrap_or(name);
        self.object(name, class)?.finish()
    }

    fn serialize_unit_variant(self, name: Name, index: u32, variant: Name) -> Result<Form> {
        // Of an enum over classes it is a class without properties; the class does no harm where it
        // turns out to be no such enum.
        if variant.starts_with("class ") || variant.starts_with("struct ") {
            self.tracer.class(variant);
        }
        let variants = self.tracer.enums.entry(name).or_default();
        if !variants.iter().any(|(other, _)| *other == variant) {
            variants.push((variant, index));
        }
        Ok(Form::Enum(name))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: Name,
        value: &T,
    ) -> Result<Form> {
        match name {
            // The root needs no schema; inside of structs the type is not known.
            VALUE if self.tracer.depth == 0 => Ok(Form::Unknown),
            VALUE => {
                let message = "a Value inside of a struct needs a schema that says its type";
                Err(Error::new(ErrorKind::Schema, message))
            }
            RAW_OBJECT => Ok(Form::Object("")),
            _ if name.starts_with(MARK) => Ok(Form::Native(name, Box::new(self.inside(value)?))),
            _ => self.inside(value),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: Name,
        _: u32,
        variant: Name,
        value: &T,
    ) -> Result<Form> {
        let hint = if variant == UNKNOWN_VARIANT { None } else { Some(variant) };
        match (ValueProbe { hint, ..self }).inside(value)? {
            Form::Object(_) => Ok(Form::Object(name)),
            _ => Err(no_class(name, variant, "holds no struct")),
        }
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'t>> {
        self.compound(Form::List(Box::default()))
    }

    fn serialize_tuple(self, len: usize) -> Result<Compound<'t>> {
        self.compound(Form::Tuple(vec![Form::Unknown; len]))
    }

    fn serialize_tuple_struct(self, _: Name, len: usize) -> Result<Compound<'t>> {
        self.serialize_tuple(len)
    }

    fn serialize_tuple_variant(
        self,
        name: Name,
        _: u32,
        variant: Name,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(no_class(name, variant, "is a tuple"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'t>> {
        self.compound(Form::Map(Box::default()))
    }

    fn serialize_struct(self, name: Name, _: usize) -> Result<Compound<'t>> {
        let class = self.hint.unwrap_or(name);
        self.object(name, class)
    }

    fn serialize_struct_variant(
        self,
        name: Name,
        _: u32,
        variant: Name,
        _: usize,
    ) -> Result<Compound<'t>> {
        self.object(name, variant)
    }
}

#[cold]
fn no_class(name: &str, variant: &str, why: &str) -> Error {
    let message = format!("the variant `{variant}` of `{name}` {why}, so it is no class");
    Error::new(ErrorKind::Unsupported, message)
}

/// Traces a container.
struct Compound<'t> {
    tracer: &'t mut Tracer,
    form: Form,
    next: usize,
    /// Of an object.
    class: &'static str,
    fields: Fields,
}

impl Compound<'_> {
    fn ask<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<Form> {
        value.serialize(ValueProbe { tracer: &mut *self.tracer, hint: None })
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.next;
        self.next = index.saturating_add(1);
        let new = self.ask(value).map_err(|error| error.inside(index))?;
        match &mut self.form {
            Form::List(form) => merge(form, new),
            Form::Tuple(forms) => forms.get_mut(index).map_or((), |form| merge(form, new)),
            _ => {}
        }
        Ok(())
    }

    /// The key or the value of a map's entry.
    fn half<T: Serialize + ?Sized>(&mut self, which: usize, value: &T) -> Result<()> {
        let new = self.ask(value)?;
        if let Form::Map(pair) = &mut self.form
            && let Some(form) = pair.get_mut(which)
        {
            merge(form, new);
        }
        Ok(())
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        if key != CORE {
            let form = self.ask(value).map_err(|error| error.inside(key))?;
            self.fields.push((key, form));
        }
        Ok(())
    }

    /// A field that is not there may be left out: its type stays unknown.
    fn skip(&mut self, key: &'static str) -> Result<()> {
        self.fields.push((key, Form::Option(Box::default())));
        Ok(())
    }

    fn finish(self) -> Result<Form> {
        if let Form::Object(_) = self.form {
            merge_fields(self.tracer.class(self.class), self.fields);
        }
        self.tracer.leave();
        Ok(self.form)
    }
}

lists!(Compound<'t> => Form);
structs!(Compound<'t> => Form);

impl ser::SerializeMap for Compound<'_> {
    type Ok = Form;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.half(0, key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.half(1, value)
    }

    fn end(self) -> Result<Form> {
        self.finish()
    }
}
