//! Objects and lists: what values are made of.
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::Value;
use crate::core_object::CoreHeader;
use crate::schema::{Class, Property};
use crate::{Error, ErrorKind, Result};

/// An object: its class, and its properties in the order in which they are written.
///
/// In shallow mode the order is that of the class, whatever it is here.
#[derive(Clone, PartialEq)]
pub struct Object {
    class: Arc<Class>,
    fields: Vec<Field>,
    core: Option<CoreHeader>,
}

/// A property of an [`Object`] with its value.
#[derive(PartialEq)]
pub struct Field {
    pub(super) key: FieldKey,
    /// Its value.
    pub value: Value,
}

/// Whose value it is.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) struct FieldKey {
    /// Index into the properties of the class, or the hash of a property that it does not have.
    number: u32,
    unknown: bool,
    /// Stood in the bytes although it is deprecated or the mask does not select it.
    kept: bool,
}

impl FieldKey {
    #[inline]
    pub(super) fn at(index: usize, kept: bool) -> Self {
        FieldKey { number: u32::try_from(index).unwrap_or(u32::MAX), unknown: false, kept }
    }

    #[inline]
    pub(super) fn unknown(hash: u32) -> Self {
        FieldKey { number: hash, unknown: true, kept: true }
    }

    #[inline]
    pub(super) fn with(self, value: Value) -> Field {
        Field { key: self, value }
    }
}

impl Field {
    /// A property of the class by its place among [`Class::properties`].
    #[inline]
    pub(crate) fn at(index: usize, kept: bool, value: Value) -> Self {
        FieldKey::at(index, kept).with(value)
    }

    /// A property that the class does not have: its hash and its bits.
    pub fn unknown(hash: u32, value: Value) -> Self {
        FieldKey::unknown(hash).with(value)
    }

    /// Whether it is the same property, kept or not.
    pub(super) fn is_same_property(&self, other: &Self) -> bool {
        (self.key.number, self.key.unknown) == (other.key.number, other.key.unknown)
    }

    /// Place among [`Class::properties`]; `None` if the class does not have the property.
    #[inline]
    pub fn index(&self) -> Option<usize> {
        if self.key.unknown { None } else { Some(self.key.number as usize) }
    }

    /// The hash of a property that the class does not have.
    pub fn unknown_hash(&self) -> Option<u32> {
        self.key.unknown.then_some(self.key.number)
    }

    /// Whether it stood in the bytes of deep mode although it is deprecated or not selected by the
    /// mask. Such a field is written back; others are left out if they are not selected.
    pub fn is_kept(&self) -> bool {
        self.key.kept
    }

    /// Says whether deep mode writes it although it is deprecated or not selected.
    pub fn set_kept(&mut self, kept: bool) {
        self.key.kept = kept;
    }
}

impl Object {
    /// An object without any properties.
    pub fn new(class: Arc<Class>) -> Self {
        Object { class, fields: Vec::new(), core: None }
    }

    #[inline]
    pub(crate) fn with_fields(
        class: Arc<Class>,
        fields: Vec<Field>,
        core: Option<CoreHeader>,
    ) -> Self {
        Object { class, fields, core }
    }

    /// The same class and header with other fields.
    pub(super) fn with_same_head(&self, fields: Vec<Field>) -> Self {
        Object { class: Arc::clone(&self.class), fields, core: self.core }
    }

    /// Its class.
    pub fn class(&self) -> &Arc<Class> {
        &self.class
    }

    /// The properties that are present, in their order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The properties that are present, to change their values.
    pub fn fields_mut(&mut self) -> &mut [Field] {
        &mut self.fields
    }

    /// The property that a field is of; `None` if the class does not have it.
    pub fn property_of(&self, field: &Field) -> Option<&Property> {
        self.class.properties().get(field.index()?)
    }

    /// Names and values in order, without what the class does not have.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.fields.iter().filter_map(|field| {
            self.property_of(field).map(|property| (property.name(), &field.value))
        })
    }

    /// The value of a property; `None` if it is missing.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let index = self.class.index_of(name)?;
        self.fields.iter().find(|field| field.index() == Some(index)).map(|field| &field.value)
    }

    /// The value of a property, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let index = self.class.index_of(name)?;
        let field = self.fields.iter_mut().find(|field| field.index() == Some(index))?;
        Some(&mut field.value)
    }

    /// Sets a property. A new one is put in the order of the class.
    ///
    /// # Errors
    /// A name that the class does not have. Whether the value fits is said when it is written.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) -> Result<()> {
        let field = Field::at(self.index_of(name)?, false, value.into());
        match self.fields.iter_mut().find(|other| other.is_same_property(&field)) {
            Some(old) => old.value = field.value,
            None => self.insert(field),
        }
        Ok(())
    }

    /// Adds a property at the end, even if it is present already.
    ///
    /// # Errors
    /// A name that the class does not have.
    pub fn push(&mut self, name: &str, value: impl Into<Value>) -> Result<()> {
        let index = self.index_of(name)?;
        self.fields.push(Field::at(index, false, value.into()));
        Ok(())
    }

    /// Replaces the field of the same property, or adds one in the order of the class.
    pub(super) fn put(&mut self, field: Field) {
        match self.fields.iter_mut().find(|other| other.is_same_property(&field)) {
            Some(old) => *old = field,
            None => self.insert(field),
        }
    }

    fn insert(&mut self, field: Field) {
        let index = field.index();
        let after = |other: &Field| index.is_some() && other.index() > index;
        let at = self.fields.iter().position(after).unwrap_or(self.fields.len());
        self.fields.insert(at, field);
    }

    /// Adds a field at the end. Its index must be one of this object's class.
    pub fn push_field(&mut self, field: Field) {
        self.fields.push(field);
    }

    /// Takes a property out.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let index = self.class.index_of(name)?;
        let at = self.fields.iter().position(|field| field.index() == Some(index))?;
        Some(self.fields.remove(at).value)
    }

    /// The header of a core object.
    pub fn core(&self) -> Option<CoreHeader> {
        self.core
    }

    /// Makes it a core object, or an ordinary one.
    pub fn set_core(&mut self, core: Option<CoreHeader>) {
        self.core = core;
    }

    fn index_of(&self, name: &str) -> Result<usize> {
        self.class.index_of(name).ok_or_else(|| {
            let name = crate::error::Shortened(name);
            Error::new(
                ErrorKind::UnknownProperty,
                format!("`{}` has no property `{name}`", self.class.name()),
            )
        })
    }
}

/// The values of a vector or list.
#[derive(Default, PartialEq)]
pub struct List(Box<[Value]>);

impl List {
    /// From its values.
    #[inline]
    pub fn new(values: impl Into<Box<[Value]>>) -> Self {
        List(values.into())
    }

    /// The values in a vector.
    #[must_use]
    pub fn into_vec(self) -> Vec<Value> {
        self.0.into_vec()
    }

    /// Adds a value at the end; copies the list, so collect many values first.
    pub fn push(&mut self, value: Value) {
        let mut values = std::mem::take(&mut self.0).into_vec();
        values.push(value);
        self.0 = values.into();
    }
}

impl Deref for List {
    type Target = [Value];
    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl DerefMut for List {
    fn deref_mut(&mut self) -> &mut [Value] {
        &mut self.0
    }
}

impl From<Vec<Value>> for List {
    fn from(values: Vec<Value>) -> Self {
        List(values.into())
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        List(values.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a List {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
