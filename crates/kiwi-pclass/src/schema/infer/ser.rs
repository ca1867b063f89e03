//! What a value writes.

use gamewire_core::words::Name;
use serde_core::ser::{self, Impossible, Serialize, Serializer};

use super::{Fields, Form, Tracer, merge_fields};
use crate::compound::{lists, structs};
use crate::types::{MARK, RAW_OBJECT, RAW_POINTER, SHARED_POINTER, VALUE};
use crate::value::UNKNOWN_VARIANT;
use crate::{Error, ErrorKind, Result};

pub(super) fn trace<T: Serialize + ?Sized>(value: &T) -> Result<Tracer> {
    let mut tracer = Tracer::default();
    let mut form = Form::Unknown;
    value.serialize(Probe { tracer: &mut tracer, form: &mut form, hint: None })?;
    Ok(tracer)
}

/// One place that is asked.
pub(super) struct Probe<'t> {
    tracer: &'t mut Tracer,
    form: &'t mut Form,
    hint: Option<&'static str>,
}

impl<'t> Probe<'t> {
    fn simple(self, name: &'static str) -> Result<()> {
        if matches!(self.form, Form::Unknown) {
            *self.form = Form::Simple(name);
        }
        Ok(())
    }

    fn object(self, name: &'static str) -> Result<ObjectProbe<'t>> {
        if matches!(self.form, Form::Unknown) {
            *self.form = Form::Object(name);
        }
        let name = self.hint.unwrap_or(name);
        self.tracer.class(name);
        self.tracer.enter()?;
        Ok(ObjectProbe { tracer: self.tracer, name, fields: Fields::new() })
    }

    fn list(self) -> Result<ListProbe<'t>> {
        if matches!(self.form, Form::Unknown) {
            *self.form = Form::List(Box::default());
        }
        self.tracer.enter()?;
        Ok(ListProbe { tracer: self.tracer, form: self.form, next: 0 })
    }

    fn tuple(self, len: usize) -> Result<ListProbe<'t>> {
        if matches!(self.form, Form::Unknown) {
            *self.form = Form::Tuple(vec![Form::Unknown; len]);
        }
        self.tracer.enter()?;
        Ok(ListProbe { tracer: self.tracer, form: self.form, next: 0 })
    }
}

/// The form inside of another, made if there is none yet.
macro_rules! inside {
    ($form:expr, $pattern:pat => $inner:expr, $new:expr) => {{
        if matches!($form, Form::Unknown) {
            *$form = $new;
        }
        match $form {
            $pattern => Ok($inner),
            _ => Err(other_type()),
        }
    }};
}

#[cold]
fn other_type() -> Error {
    let message = "one place has values of two types: give a schema that says which it is";
    Error::new(ErrorKind::Schema, message)
}

macro_rules! simple {
    ($($method:ident $type:ty = $name:literal;)+) => {$(
        fn $method(self, _: $type) -> Result<()> {
            self.simple($name)
        }
    )+};
}

impl<'t> Serializer for Probe<'t> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = ListProbe<'t>;
    type SerializeTuple = ListProbe<'t>;
    type SerializeTupleStruct = ListProbe<'t>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = MapProbe<'t>;
    type SerializeStruct = ObjectProbe<'t>;
    type SerializeStructVariant = ObjectProbe<'t>;

    fn is_human_readable(&self) -> bool {
        false
    }

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

    fn serialize_none(self) -> Result<()> {
        if matches!(self.form, Form::Unknown) {
            *self.form = Form::Option(Box::default());
        }
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        let form = inside!(self.form, Form::Option(form) => form, Form::Option(Box::default()))?;
        self.tracer.enter()?;
        value.serialize(Probe { tracer: &mut *self.tracer, form, hint: self.hint })?;
        self.tracer.leave();
        Ok(())
    }

    fn serialize_unit(self) -> Result<()> {
        if matches!(self.form, Form::Unknown) {
            *self.form = Form::Tuple(Vec::new());
        }
        Ok(())
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<()> {
        self.object(name)?.finish()
    }

    fn serialize_unit_variant(self, name: Name, index: u32, variant: Name) -> Result<()> {
        match self.form {
            Form::Unknown => *self.form = Form::Enum(name),
            // A variant of an enum over classes: a class without properties.
            Form::Object(_) => {
                self.tracer.class(variant);
                return Ok(());
            }
            _ => {}
        }
        // Without fields it may be both; the class harms nobody.
        if variant.starts_with("class ") || variant.starts_with("struct ") {
            self.tracer.class(variant);
        }
        let variants = self.tracer.enums.entry(name).or_default();
        if !variants.iter().any(|(other, _)| *other == variant) {
            variants.push((variant, index));
        }
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: Name, value: &T) -> Result<()> {
        let Probe { tracer, form, hint } = self;
        tracer.enter()?;
        match name {
            // The root needs no schema; inside of structs nobody knows the type.
            VALUE if tracer.depth == 1 => {}
            VALUE => {
                let message = "a Value inside of a struct needs a schema that says its type";
                return Err(Error::new(ErrorKind::Schema, message));
            }
            RAW_OBJECT => {
                if matches!(form, Form::Unknown) {
                    *form = Form::Object("");
                }
            }
            RAW_POINTER | SHARED_POINTER => {
                let form = inside!(
                    form,
                    Form::Pointer(_, form) => form,
                    Form::Pointer(name, Box::default())
                )?;
                value.serialize(Probe { tracer: &mut *tracer, form, hint })?;
            }
            _ if name.starts_with(MARK) => {
                let form = inside!(
                    form,
                    Form::Native(_, form) => form,
                    Form::Native(name, Box::default())
                )?;
                value.serialize(Probe { tracer: &mut *tracer, form, hint })?;
            }
            _ => value.serialize(Probe { tracer: &mut *tracer, form, hint })?,
        }
        tracer.leave();
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        if matches!(self.form, Form::Unknown | Form::Enum(_)) {
            *self.form = Form::Object(name);
        }
        let hint = if variant == UNKNOWN_VARIANT { None } else { Some(variant) };
        let mut content = Form::Unknown;
        self.tracer.enter()?;
        value.serialize(Probe { tracer: &mut *self.tracer, form: &mut content, hint })?;
        self.tracer.leave();
        match content {
            Form::Object(_) => Ok(()),
            _ => {
                let message = format!(
                    "the variant `{variant}` of `{name}` holds no struct, so it is no class"
                );
                Err(Error::new(ErrorKind::Unsupported, message))
            }
        }
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ListProbe<'t>> {
        self.list()
    }

    fn serialize_tuple(self, len: usize) -> Result<ListProbe<'t>> {
        self.tuple(len)
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<ListProbe<'t>> {
        self.tuple(len)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        let message = format!("the variant `{variant}` of `{name}` is a tuple, so it is no class");
        Err(Error::new(ErrorKind::Unsupported, message))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<MapProbe<'t>> {
        let pair = inside!(self.form, Form::Map(pair) => pair, Form::Map(Box::default()))?;
        self.tracer.enter()?;
        Ok(MapProbe { tracer: self.tracer, pair })
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<ObjectProbe<'t>> {
        self.object(name)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ObjectProbe<'t>> {
        if matches!(self.form, Form::Unknown | Form::Enum(_)) {
            *self.form = Form::Object(name);
        }
        Probe { hint: Some(variant), ..self }.object(variant)
    }
}

pub(super) struct ObjectProbe<'t> {
    tracer: &'t mut Tracer,
    name: &'static str,
    fields: Fields,
}

impl ObjectProbe<'_> {
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        let mut form = Form::Unknown;
        value
            .serialize(Probe { tracer: &mut *self.tracer, form: &mut form, hint: None })
            .map_err(|error| error.in_field(key))?;
        self.fields.push((key, form));
        Ok(())
    }

    /// A field that is not there may be left out: its type stays unknown.
    fn skip(&mut self, key: &'static str) -> Result<()> {
        self.fields.push((key, Form::Option(Box::default())));
        Ok(())
    }

    fn finish(self) -> Result<()> {
        merge_fields(self.tracer.class(self.name), self.fields);
        self.tracer.leave();
        Ok(())
    }
}

structs!(ObjectProbe<'t> => ());

pub(super) struct ListProbe<'t> {
    tracer: &'t mut Tracer,
    form: &'t mut Form,
    next: usize,
}

impl ListProbe<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.next;
        self.next = index.saturating_add(1);
        let form = match self.form {
            Form::List(form) => &mut **form,
            Form::Tuple(forms) => forms.get_mut(index).ok_or_else(other_type)?,
            // What is in a type of this crate is known already.
            _ => &mut Form::Unknown,
        };
        value
            .serialize(Probe { tracer: &mut *self.tracer, form, hint: None })
            .map_err(|error| error.in_index(index))
    }

    fn finish(self) -> Result<()> {
        self.tracer.leave();
        Ok(())
    }
}

lists!(ListProbe<'t> => ());

pub(super) struct MapProbe<'t> {
    tracer: &'t mut Tracer,
    pair: &'t mut (Form, Form),
}

impl ser::SerializeMap for MapProbe<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        key.serialize(Probe { tracer: &mut *self.tracer, form: &mut self.pair.0, hint: None })
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(Probe { tracer: &mut *self.tracer, form: &mut self.pair.1, hint: None })
    }

    fn end(self) -> Result<()> {
        self.tracer.leave();
        Ok(())
    }
}
