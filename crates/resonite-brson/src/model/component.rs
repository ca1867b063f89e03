use super::member::{Member, members};
use super::type_name::TypeName;
use crate::Value;
use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::types::Int;
use crate::value::{Array, Document};

/// How a component says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeRef<'a> {
    /// By its place in `Types`, an int32 or an int64.
    Index(Int),
    /// By its name, in saves of NeosVR.
    Name(&'a str),
}

/// A component: what it is, and its members.
#[derive(Clone, Copy, Debug)]
pub struct Component<'a> {
    document: &'a Document,
    types: Option<&'a Array>,
}

impl<'a> Component<'a> {
    pub(super) fn new(document: &'a Document, types: Option<&'a Array>) -> Self {
        Component { document, types }
    }

    /// Everything: `Type` and `Data`.
    pub fn document(self) -> &'a Document {
        self.document
    }

    /// What is under `Data`.
    pub fn data(self) -> Option<&'a Document> {
        self.document.get("Data")?.as_document()
    }

    /// How it says what it is.
    pub fn type_ref(self) -> Option<TypeRef<'a>> {
        match self.document.get("Type")? {
            Value::String(name) => Some(TypeRef::Name(name)),
            other => other.as_int().map(TypeRef::Index),
        }
    }

    /// The name of its type, as the file has it; `None` if `Type` is not in `Types`.
    pub fn type_name(self) -> Option<&'a str> {
        match self.type_ref()? {
            TypeRef::Name(name) => Some(name),
            TypeRef::Index(index) => {
                let index = usize::try_from(index.get()).ok()?;
                self.types?.get(index)?.as_str()
            }
        }
    }

    /// The name of its type, understood.
    ///
    /// # Errors
    /// A `Type` that leads nowhere, or a name that is none.
    pub fn parsed_type(self) -> Result<TypeName> {
        match self.type_ref() {
            Some(TypeRef::Name(name)) => TypeName::parse_net(name),
            _ => self.type_name().ok_or_else(no_type)?.parse(),
        }
    }

    /// Whether it is of this type, by its whole name as in the file, the name without assembly and
    /// arguments, the last part of that, or [`TypeName::short`].
    pub fn is_a(self, name: &str) -> bool {
        let is_named = |own: &TypeName| {
            own.simple_name() == name || own.full_name() == name || own.short().to_string() == name
        };
        self.type_name() == Some(name) || self.parsed_type().is_ok_and(|own| is_named(&own))
    }

    /// Its identifier.
    pub fn id(self) -> Option<&'a str> {
        self.data()?.get("ID")?.as_str()
    }

    /// Whether it works; components are enabled unless they say otherwise.
    pub fn is_enabled(self) -> bool {
        let enabled = self.member("Enabled").and_then(|member| member.value()?.as_bool());
        enabled.unwrap_or(true)
    }

    /// A member by its key.
    pub fn member(self, key: &str) -> Option<Member<'a>> {
        self.data()?.get(key).map(|value| Member::of(key, value))
    }

    /// The members in order, `UpdateOrder` and `Enabled` included, the component's own identifier
    /// not.
    pub fn members(self) -> impl Iterator<Item = (&'a str, Member<'a>)> {
        self.data().into_iter().flat_map(members)
    }
}

#[cold]
fn no_type() -> Error {
    Error::new(ErrorKind::Data, "expected a Type that is in Types, found something else")
}

/// A component, to change.
#[derive(Debug)]
pub struct ComponentMut<'a> {
    document: &'a mut Document,
}

impl<'a> ComponentMut<'a> {
    pub(super) fn new(document: &'a mut Document) -> Self {
        ComponentMut { document }
    }

    /// Everything: `Type` and `Data`.
    pub fn document(self) -> &'a mut Document {
        self.document
    }

    /// Sets what a field holds and returns what it was. Integers take the width that was there.
    ///
    /// # Errors
    /// No member with that key that is a field, or a number that does not fit.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) -> Result<Value> {
        match self.document.get_mut("Data").and_then(Value::as_document_mut) {
            Some(data) => set_field(data, key, value.into()),
            None => Err(no_field(key)),
        }
    }
}

/// Sets the `Data` of a member that is a field.
pub(super) fn set_field(document: &mut Document, key: &str, value: Value) -> Result<Value> {
    let member = document.get_mut(key).and_then(Value::as_document_mut);
    let Some(data) = member.and_then(|member| member.get_mut("Data")) else {
        return Err(no_field(key));
    };
    let value = match (data.as_int(), value.as_int()) {
        (Some(old), Some(new)) => old.with(new.get()).map_err(|error| error.in_field(key))?.into(),
        _ => value,
    };
    Ok(std::mem::replace(data, value))
}

#[cold]
fn no_field(key: &str) -> Error {
    Error::new(
        ErrorKind::Data,
        format!("expected a field `{}` with Data, found none", Shortened(key)),
    )
}
