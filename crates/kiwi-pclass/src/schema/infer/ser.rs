//! Types of values that are written.

use std::any::type_name;
use std::fmt::{self, Write as _};
use std::panic::Location;

use gamewire_core::tag::is_tag;
use serde_core::ser::{self, Serialize, Serializer};

use super::{CONTENT, Fields, Form, Game, Schema, Tracer, is_class_name, merge, no_schema};
use crate::compound::{binary, lists, structs};
use crate::core_object::FIELD as CORE;
use crate::options::Mode;
use crate::types::{GENERATED, MARK, RAW_OBJECT, VALUE};
use crate::value::UNKNOWN_VARIANT;
use crate::{Error, ErrorKind, Result};

/// The classes that writing `value` needs. Elements of empty lists and the classes of null
/// pointers stay unknown. `bytes` is the mode where bytes are written, which have to be read without the
/// value: tagged enums are refused then.
pub(crate) fn infer_from_value<T: Serialize + ?Sized>(
    value: &T,
    game: Game,
    bytes: Option<Mode>,
) -> Result<Schema> {
    let mut probe = Probe { tracer: Tracer::default(), bytes };
    value.serialize(ValueProbe { probe: &mut probe, hint: None })?;
    probe.tracer.finish(game)
}

struct Probe {
    tracer: Tracer,
    bytes: Option<Mode>,
}

/// One place that is asked what it is. `hint` is the class of the variant around it.
struct ValueProbe<'t> {
    probe: &'t mut Probe,
    hint: Option<&'static str>,
}

impl<'t> ValueProbe<'t> {
    /// A level further in.
    fn inside<T: Serialize + ?Sized>(self, hint: Option<&'static str>, value: &T) -> Result<Form> {
        self.probe.tracer.enter()?;
        let form = value.serialize(ValueProbe { probe: &mut *self.probe, hint })?;
        self.probe.tracer.leave();
        Ok(form)
    }

    fn compound(self, form: Form) -> Result<Compound<'t>> {
        self.probe.tracer.enter()?;
        let fields = Fields::new();
        let (class, variant_of, opened) = ("", "", None);
        Ok(Compound { probe: self.probe, form, next: 0, class, variant_of, fields, opened })
    }

    fn object(self, form: Form, class: &'static str) -> Result<Compound<'t>> {
        self.probe.tracer.class(class);
        Ok(Compound { class, ..self.compound(form)? })
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
    type SerializeTupleVariant = Compound<'t>;
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
        Ok(Form::Option(Box::new(self.inside(None, value)?)))
    }

    fn serialize_unit(self) -> Result<Form> {
        Ok(Form::Tuple(Vec::new()))
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<Form> {
        let class = self.hint.unwrap_or(name);
        self.object(Form::Object(name), class)?.finish()
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<Form> {
        let tracer = &mut self.probe.tracer;
        if is_class_name(variant) {
            tracer.class(variant);
            tracer.over_classes.insert(name);
        } else {
            let variants = tracer.enums.entry(name).or_default();
            if !variants.iter().any(|(other, _)| *other == variant) {
                variants.push((variant, index));
            }
        }
        Ok(Form::Enum(name))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Form> {
        match name {
            // The root needs no schema; inside of structs the type is not known.
            VALUE if self.probe.tracer.depth == 0 => Ok(Form::Unknown),
            VALUE => {
                let message = "a Value inside of a struct needs a schema that says its type";
                Err(Error::new(ErrorKind::Schema, message))
            }
            RAW_OBJECT => Ok(Form::Object("")),
            _ if name.starts_with(MARK) => {
                Ok(Form::Native(name, Box::new(self.inside(None, value)?)))
            }
            _ => {
                let hint = self.hint;
                self.inside(hint, value)
            }
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Form> {
        let ValueProbe { probe, .. } = self;
        probe.tracer.over_classes.insert(name);
        let hint = if variant == UNKNOWN_VARIANT { None } else { Some(variant) };
        let content = ValueProbe { probe: &mut *probe, hint: None }.inside(hint, value)?;
        if !matches!(content, Form::Object(_)) {
            probe.tracer.learn_fields(variant, vec![(CONTENT, content)])?;
        }
        Ok(Form::Enum(name))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'t>> {
        self.compound(Form::List(Box::default()))
    }

    fn serialize_tuple(self, len: usize) -> Result<Compound<'t>> {
        self.compound(Form::Tuple(vec![Form::Unknown; len]))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Compound<'t>> {
        self.serialize_tuple(len)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'t>> {
        self.probe.tracer.over_classes.insert(name);
        let tuple = self.object(Form::Tuple(vec![Form::Unknown; len]), variant)?;
        Ok(Compound { variant_of: name, ..tuple })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'t>> {
        self.compound(Form::Map(Box::default()))
    }

    #[track_caller]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Compound<'t>> {
        let class = self.hint.unwrap_or(name);
        let opened = Some(Location::caller());
        Ok(Compound { opened, ..self.object(Form::Object(name), class)? })
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'t>> {
        self.probe.tracer.over_classes.insert(name);
        self.object(Form::Enum(name), variant)
    }
}

/// Whether the first field of the struct `name`, which is a text, is the tag of an enum, or of the struct where
/// that matters. `places` are those of the calls that began the struct and wrote the field.
fn writes_tag<T: Serialize + ?Sized>(
    value: &T,
    name: &str,
    mode: Mode,
    places: (Option<&Location<'_>>, &Location<'_>),
) -> bool {
    struct Shown<'a, T: ?Sized>(&'a T);
    impl<T: Serialize + ?Sized> fmt::Display for Shown<'_, T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.serialize(f)
        }
    }
    // The fields of a struct have a size; a tag has none.
    if size_of::<&T>() == size_of::<usize>() {
        return false;
    }
    let mut text = String::new();
    let is_own = write!(text, "{}", Shown(value)).is_ok() && text == name;
    if type_name::<T>() != type_name::<str>() {
        // Behind a trait object, the calls are at the same places for all.
        return is_own && mode == Mode::Shallow;
    }
    // Deep mode finds properties by their names, and skips the tag of a struct.
    let (opened, field) = places;
    opened.is_some_and(|opened| is_tag(opened, field)) && (mode == Mode::Shallow || !is_own)
}

#[cold]
fn tagged(name: &str) -> Error {
    let message = format!(
        "`{name}` is written with the tag of an enum in front, which nothing but a schema tells from a \
         property: make the enum one without a `tag`, or give a schema (a macro's own `Serialize` passes \
         a text that comes first as `&&str`)"
    );
    Error::new(ErrorKind::Unsupported, message)
}

/// Traces a container.
struct Compound<'t> {
    probe: &'t mut Probe,
    form: Form,
    next: usize,
    /// Of an object, or of a tuple variant.
    class: &'static str,
    /// Of a tuple variant: the enum.
    variant_of: &'static str,
    fields: Fields,
    /// Where a struct was begun.
    opened: Option<&'static Location<'static>>,
}

impl Compound<'_> {
    fn ask<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<Form> {
        value.serialize(ValueProbe { probe: &mut *self.probe, hint: None })
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.next;
        self.next = index.saturating_add(1);
        let new = self.ask(value).map_err(|error| error.inside(index))?;
        match &mut self.form {
            Form::List(form) => {
                merge(form, new);
            }
            Form::Tuple(forms) => {
                forms.get_mut(index).map(|form| merge(form, new));
            }
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

    #[track_caller]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        if key == CORE {
            return Ok(());
        }
        let form = self.ask(value).map_err(|error| error.inside(key))?;
        if let (Some(mode), Form::Object(name), true) =
            (self.probe.bytes, &self.form, self.fields.is_empty())
        {
            let is_text = form == Form::Simple("std::string");
            let places = (self.opened, Location::caller());
            if form == Form::Enum(name) || is_text && writes_tag(value, name, mode, places) {
                return Err(tagged(name).inside(key));
            }
        }
        self.fields.push((key, form));
        Ok(())
    }

    /// The type of a field that is left out is not known, unless another struct of the class has it.
    fn skip(&mut self, key: &'static str) -> Result<()> {
        if key == GENERATED {
            return Err(no_schema(self.class));
        }
        self.fields.push((key, Form::Unknown));
        Ok(())
    }

    fn finish(self) -> Result<Form> {
        let Compound {
            probe: Probe { tracer, bytes }, form, class, variant_of, fields, next, ..
        } = self;
        tracer.leave();
        if bytes.is_some() && next > 0 && form == Form::List(Box::new(Form::Tuple(Vec::new()))) {
            let message =
                "a list of elements without content has no bytes that it could be read from";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        match (class, variant_of) {
            ("", _) => Ok(form),
            (class, "") => tracer.learn_fields(class, fields).map(|()| form),
            (class, name) => {
                tracer.learn_fields(class, vec![(CONTENT, form)]).map(|()| Form::Enum(name))
            }
        }
    }
}

lists!(Compound<'t> => Form);
lists!(@one SerializeTupleVariant serialize_field Compound<'t> => Form);
structs!(#[track_caller] Compound<'t> => Form);

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
