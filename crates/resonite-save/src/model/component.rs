use resonite_brson::value::{Array, Document};
use resonite_brson::{Int, Value};

use super::member::{Member, members};
use super::part::EditedPart;
use super::type_name::TypeName;
use crate::error::{Error, Result, Shortened};

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

    /// The components in the list of assets of a save: what [`SavedObject::assets`](super::SavedObject::assets)
    /// gives.
    pub fn assets_of(save: &'a Document) -> impl Iterator<Item = Component<'a>> {
        let list = super::object::asset_key(save).and_then(|key| save.get(key)?.as_array());
        let documents =
            list.into_iter().flat_map(|list| list.iter()).filter_map(Value::as_document);
        documents.map(|document| Component::new(document, super::object::type_list(save)))
    }

    /// Everything: `Type` and `Data`.
    pub fn document(self) -> &'a Document {
        self.document
    }

    /// The document under `Data`.
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
            _ => match self.type_name() {
                Some(name) => name.parse(),
                None => Err(Error::data("expected a Type that is in Types, found something else")),
            },
        }
    }

    /// The name of its type without assemblies and namespaces, `ValueField<float>`; the text that is present if
    /// it is no name, `?` if there is none.
    pub fn short_name(self) -> String {
        match self.parsed_type() {
            Ok(name) => name.short().to_string(),
            Err(_) => self.type_name().unwrap_or("?").to_owned(),
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

/// A component, to change.
#[derive(Debug)]
pub struct ComponentMut<'a>(pub(super) EditedPart<'a>);

impl<'a> ComponentMut<'a> {
    /// Everything: `Type` and `Data`.
    pub fn document(self) -> &'a mut Document {
        self.0.into_document()
    }

    /// Sets what a field holds and returns what it was. The kind stays, as
    /// [`Value::in_place_of`] says.
    ///
    /// # Errors
    /// No member with that key that is a field, a number that does not fit exactly, or a value of
    /// another kind, for which there is [`replace`](Self::replace).
    pub fn set(&mut self, key: &str, value: impl Into<Value>) -> Result<Value> {
        let value = value.into();
        self.0.learn(&value);
        set_field(self.data(key)?, key, value)
    }

    /// Puts a value into a field as it is and returns what it was. Its kind may change.
    ///
    /// # Errors
    /// No member with that key that is a field.
    pub fn replace(&mut self, key: &str, value: impl Into<Value>) -> Result<Value> {
        let value = value.into();
        self.0.learn(&value);
        Ok(std::mem::replace(field_mut(self.data(key)?, key)?, value))
    }

    fn data(&mut self, key: &str) -> Result<&mut Document> {
        let data = self.0.document.get_mut("Data").and_then(Value::as_document_mut);
        data.ok_or_else(|| no_field(key))
    }
}

fn field_mut<'a>(document: &'a mut Document, key: &str) -> Result<&'a mut Value> {
    let member = document.get_mut(key).and_then(Value::as_document_mut);
    member.and_then(|member| member.get_mut("Data")).ok_or_else(|| no_field(key))
}

/// Sets the `Data` of a member that is a field.
pub(super) fn set_field(document: &mut Document, key: &str, value: Value) -> Result<Value> {
    let data = field_mut(document, key)?;
    let value = value.in_place_of(data).map_err(|error| error.inside(key))?;
    Ok(std::mem::replace(data, value))
}

#[cold]
fn no_field(key: &str) -> Error {
    Error::data(format!("expected a field `{}` with Data, found none", Shortened(key)))
}
