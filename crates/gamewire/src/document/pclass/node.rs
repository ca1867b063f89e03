//! The values of objects, by their properties. The schema says of which kind each is.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use kiwi_pclass::schema::Property;
use kiwi_pclass::value::{List, Object};
use kiwi_pclass::{Options, Value, json};
use serde_json::Value as Json;

use super::content::{Content, Terms};
use crate::document::diff::{Children, Tree};
use crate::document::edit::{self, boolean, float, kind_of, text};
use crate::document::node::{self, Fresh, GONE, Item, Part, Source, Turn, arranged};
use crate::document::path::{New, Step};

/// A value of a file.
#[derive(Clone)]
pub(in crate::document) struct Node<'a> {
    what: FileValue<'a>,
    /// The property that it or the list around it is of, and the object that has it.
    property: Option<(&'a Object, &'a Property)>,
    is_element: bool,
    content: &'a Content,
    terms: &'a Terms,
}

#[derive(Clone)]
enum FileValue<'a> {
    /// The objects of an XML file that has several.
    All(&'a [Value]),
    Value(Cow<'a, Value>),
    /// A component of a vector and its kin: the names that lead to it in the notation.
    Component(Cow<'a, Value>, Vec<String>),
}

impl<'a> Node<'a> {
    /// The whole file. A file of one object is that object, whatever its form.
    pub(super) fn root(content: &'a Content, terms: &'a Terms) -> Self {
        let what = match content.objects.as_slice() {
            [only] => FileValue::Value(Cow::Borrowed(only)),
            objects => FileValue::All(objects),
        };
        Node { what, property: None, is_element: false, content, terms }
    }

    fn with(&self, what: FileValue<'a>) -> Self {
        Node { what, ..self.clone() }
    }

    fn element(&self, value: Cow<'a, Value>) -> Self {
        Node { is_element: true, ..self.with(FileValue::Value(value)) }
    }

    fn properties(&self, object: &'a Object) -> Vec<(Step, Self)> {
        let entries = object.fields().iter().map(|field| {
            let property = object.property_of(field);
            let name = property.map(|own| own.name().to_owned());
            let name = name
                .unwrap_or_else(|| format!("{:#010x}", field.unknown_hash().unwrap_or_default()));
            let node = Node {
                property: property.map(|own| (object, own)),
                is_element: false,
                ..self.with(FileValue::Value(Cow::Borrowed(&field.value)))
            };
            (Step::Name(name), node)
        });
        entries.collect()
    }

    /// The notation of a value, which its property knows.
    fn notation(&self, value: &Value) -> Result<Json, String> {
        let parsed = |value: &Value| {
            let text = json::to_string(value).map_err(|error| error.to_string())?;
            edit::json(&text).ok_or_else(|| "a value nests too deep to be shown".to_owned())
        };
        let (Some((object, property)), false) = (self.property, value.as_object().is_some()) else {
            return parsed(value);
        };
        let whole = if self.is_element { listed(value) } else { value.clone() };
        let mut alone = Object::new(Arc::clone(object.class()));
        if alone.push(property.name(), whole).is_err() {
            return Err("the value does not fit its property".to_owned());
        }
        let mut json = parsed(&Value::Object(Box::new(alone)))?;
        let own = json.get_mut(property.name()).map(Json::take).ok_or(GONE)?;
        Ok(match own {
            Json::Array(mut items) if self.is_element => items.pop().ok_or(GONE)?,
            own => own,
        })
    }

    /// The value of a notation.
    fn read(&self, json: &Json, is_element: bool) -> Result<Value, String> {
        let options = self.options()?;
        let failed = |error: kiwi_pclass::Error| {
            let why = error.to_string();
            format!("does not fit: {}", why.split(", in ").next().unwrap_or_default())
        };
        let Some((object, property)) = self.property else {
            return json::from_str(&json.to_string(), &options).map_err(failed);
        };
        let own = if is_element { Json::Array(vec![json.clone()]) } else { json.clone() };
        let alone = serde_json::json!({ "$type": object.class().name(), property.name(): own });
        let alone = json::from_str(&alone.to_string(), &options).map_err(failed)?;
        let value = alone.get(property.name()).ok_or(GONE)?;
        match is_element {
            true => value.items().next().map(Cow::into_owned).ok_or_else(|| GONE.to_owned()),
            false => Ok(value.clone()),
        }
    }

    fn options(&self) -> Result<Options, String> {
        let Content { form, mode, flags, mask, .. } = *self.content;
        let options = self.terms.options(form).map_err(|error| error.message)?;
        Ok(options.mode(mode).flags(flags).mask(mask))
    }

    /// The notation that a text says in place of another one.
    fn text_as(old: &Json, new: &str) -> Result<Json, String> {
        Ok(match old {
            Json::Bool(_) => Json::Bool(boolean(new)?),
            Json::String(_) => Json::String(text(new)?),
            // An enum whose value has no name may get one.
            Json::Number(_) => match float(new) {
                Ok(_) => edit::notation(new, "a number")?,
                Err(why) if new.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                    return Err(why);
                }
                Err(_) => Json::String(text(new)?),
            },
            _ => edit::notation(new, "an object or list")?,
        })
    }
}

/// A list of one element, of the kind that it has in a list.
fn listed(value: &Value) -> Value {
    Value::List(List::new(vec![value.clone()]))
}

/// The member of a notation that some names lead to.
fn member<'j>(json: &'j mut Json, names: &[String]) -> Option<&'j mut Json> {
    names.iter().try_fold(json, |json, name| json.get_mut(name))
}

impl Tree for Node<'_> {
    fn full_kind(&self) -> String {
        match &self.what {
            FileValue::Value(value) => match &**value {
                Value::Object(object) => object.class().name().to_owned(),
                Value::Raw(raw) => format!("class {:#010x}", raw.hash),
                _ => self.property.map_or_else(String::new, |own| own.1.type_name().to_owned()),
            },
            FileValue::All(_) | FileValue::Component(..) => String::new(),
        }
    }

    fn children(&self) -> Children<Self> {
        match &self.what {
            FileValue::All(objects) => {
                let node = |object| self.with(FileValue::Value(Cow::Borrowed(object)));
                Children::Items(objects.iter().map(node).collect())
            }
            FileValue::Value(Cow::Borrowed(Value::Object(object))) => {
                Children::Entries(self.properties(object))
            }
            FileValue::Value(Cow::Borrowed(value)) if value.list_len().is_some() => {
                Children::Items(value.items().map(|item| self.element(item)).collect())
            }
            FileValue::Value(_) | FileValue::Component(..) => Children::None,
        }
    }

    fn len(&self) -> Option<usize> {
        match &self.what {
            FileValue::Value(Cow::Borrowed(Value::List(list))) => Some(list.len()),
            _ => None,
        }
    }

    fn element_at(&self, at: usize) -> Option<Option<Self>> {
        match &self.what {
            FileValue::Value(Cow::Borrowed(Value::List(list))) => {
                Some(<[_]>::get(list, at).map(|own| self.element(Cow::Borrowed(own))))
            }
            _ => None,
        }
    }

    fn is_flat(&self) -> bool {
        match &self.what {
            FileValue::All(_) => false,
            FileValue::Component(..) => true,
            FileValue::Value(value) => match &**value {
                Value::Object(_) => false,
                Value::List(list) => !list.iter().any(|item| matches!(item, Value::Object(_))),
                _ => true,
            },
        }
    }

    fn same(&self, other: &Self) -> bool {
        match (&self.what, &other.what) {
            // By text, which tells NaNs and signs of zero apart.
            (FileValue::Value(a), FileValue::Value(b)) => {
                json::to_string(a).is_ok_and(|a| json::to_string(b).is_ok_and(|b| a == b))
            }
            _ => false,
        }
    }

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match &self.what {
            FileValue::All(objects) => write!(out, "{} objects", objects.len()),
            FileValue::Component(..) => match node::Node::json(self) {
                Ok(json) => write!(out, "{json}"),
                Err(why) => out.write_str(&why),
            },
            FileValue::Value(value) => {
                let options = self.property.and_then(|own| own.1.options());
                match (&**value, options) {
                    (Value::Enum(own), Some(options)) => match options.format(*own).as_str() {
                        "" => write!(out, "{own}"),
                        name => out.write_str(name),
                    },
                    _ => write!(out, "{value:?}"),
                }
            }
        }
    }
}

impl node::Node for Node<'_> {
    type Item = ObjectItem;

    fn kind(&self) -> String {
        match &self.what {
            FileValue::All(_) => "objects".to_owned(),
            FileValue::Value(value) if value.list_len().is_some() => "array".to_owned(),
            FileValue::Value(value) if value.as_object().is_some() => "object".to_owned(),
            _ => self.json().map_or("value", |json| kind_of(&json)).to_owned(),
        }
    }

    fn parts(&self) -> Vec<Part<Self>> {
        let (value, names) = match &self.what {
            FileValue::Component(value, names) => (value, names.clone()),
            FileValue::Value(value)
                if value.as_object().is_none() && value.list_len().is_none() =>
            {
                (value, Vec::new())
            }
            _ => {
                let entries = self.children().entries().into_iter().enumerate();
                return entries
                    .map(|(at, (step, node))| (step, vec![Turn::Child(at)], node))
                    .collect();
            }
        };
        let json = self.json().ok();
        let members =
            json.as_ref().and_then(Json::as_object).into_iter().flat_map(|own| own.keys());
        let members = members.filter(|name| !name.starts_with('$'));
        let part = |(at, name): (usize, &String)| {
            let names = names.iter().chain([name]).cloned().collect();
            let node = self.with(FileValue::Component(value.clone(), names));
            (Step::Name(name.clone()), vec![Turn::Hidden(at)], node)
        };
        members.enumerate().map(part).collect()
    }

    fn json(&self) -> Result<Json, String> {
        match &self.what {
            FileValue::All(objects) => objects.iter().map(|own| self.notation(own)).collect(),
            FileValue::Value(value) => self.notation(value),
            FileValue::Component(value, names) => {
                let mut whole = self.notation(value)?;
                member(&mut whole, names).map(Json::take).ok_or_else(|| GONE.to_owned())
            }
        }
    }

    fn typed(&self) -> Option<node::Typed<'_>> {
        match &self.what {
            FileValue::Value(value) => Some(node::Typed::Pclass(value)),
            FileValue::All(_) | FileValue::Component(..) => None,
        }
    }

    fn made(&self, new: &str, kind: Option<&str>) -> Result<ObjectItem, String> {
        if kind.is_some() {
            return Err("the schema says which kind it is".to_owned());
        }
        let old = self.json()?;
        let new = Self::text_as(&old, new)?;
        let value = match &self.what {
            FileValue::All(_) => return Err("only what is in the file can be set".to_owned()),
            FileValue::Value(_) => self.read(&new, self.is_element)?,
            // The vector with the component.
            FileValue::Component(value, names) => {
                let mut whole = self.notation(value)?;
                *member(&mut whole, names).ok_or(GONE)? = new;
                self.read(&whole, self.is_element)?
            }
        };
        Ok(ObjectItem::Value(value))
    }

    fn fresh(
        &self,
        step: &New,
        new: &str,
        _kind: Option<&str>,
    ) -> Result<Fresh<ObjectItem>, String> {
        let is_text = match &self.what {
            FileValue::Value(value) if value.list_len().is_some() => {
                value.items().all(|item| item.as_string().is_some())
            }
            FileValue::All(_) => false,
            _ => {
                return Err(
                    "objects have the properties of their class; only lists grow".to_owned()
                );
            }
        };
        let New::Index(at) = step else {
            return Err("an element needs a position, such as [0] or [-]".to_owned());
        };
        let json = match edit::json(new) {
            Some(made) => made,
            None if is_text => Json::String(new.to_owned()),
            None => return Err(format!("expected JSON, found {new}")),
        };
        let is_element = self.property.is_some();
        Ok(Fresh::element(*at, ObjectItem::Value(self.read(&json, is_element)?)))
    }

    fn item(&self) -> ObjectItem {
        match &self.what {
            FileValue::All(objects) => ObjectItem::All(objects.to_vec()),
            FileValue::Value(value) | FileValue::Component(value, _) => {
                ObjectItem::Value(value.clone().into_owned())
            }
        }
    }

    /// Objects have the properties of their class.
    fn key_item(&self, _at: usize) -> Option<ObjectItem> {
        None
    }
}

/// A value of a file by itself.
#[derive(Clone)]
pub(in crate::document) enum ObjectItem {
    All(Vec<Value>),
    Value(Value),
}

impl ObjectItem {
    fn value(self) -> Result<Value, String> {
        match self {
            ObjectItem::Value(value) => Ok(value),
            ObjectItem::All(_) => Err("does not fit there".to_owned()),
        }
    }
}

impl Item for ObjectItem {
    fn take(&mut self, turn: Turn) -> Option<Self> {
        let Turn::Child(at) = turn else { return Some(self.clone()) };
        Some(ObjectItem::Value(match self {
            ObjectItem::All(objects) => objects.get_mut(at)?.take(),
            ObjectItem::Value(Value::Object(object)) => {
                object.fields_mut().get_mut(at)?.value.take()
            }
            ObjectItem::Value(list) => list.items().nth(at)?.into_owned(),
        }))
    }

    fn put(&mut self, turn: Turn, part: Self) -> Result<(), String> {
        let Turn::Child(at) = turn else {
            *self = part;
            return Ok(());
        };
        let new = part.value()?;
        match self {
            ObjectItem::All(objects) => *objects.get_mut(at).ok_or(GONE)? = new,
            ObjectItem::Value(Value::Object(object)) => {
                object.fields_mut().get_mut(at).ok_or(GONE)?.value = new;
            }
            ObjectItem::Value(Value::Bools(list)) => {
                *list.get_mut(at).ok_or(GONE)? = new.as_bool().ok_or(GONE)?;
            }
            ObjectItem::Value(Value::SmallInts(list)) => {
                let number = new.as_i64().and_then(|own| i8::try_from(own).ok());
                *list.get_mut(at).ok_or(GONE)? = number.ok_or(GONE)?;
            }
            ObjectItem::Value(Value::List(list)) => {
                let mut items = std::mem::take(list).into_vec();
                *items.get_mut(at).ok_or(GONE)? = new;
                *list = List::new(items);
            }
            ObjectItem::Value(_) => return Err(GONE.to_owned()),
        }
        Ok(())
    }

    fn len(&self) -> usize {
        match self {
            ObjectItem::All(objects) => objects.len(),
            ObjectItem::Value(Value::Object(object)) => object.fields().len(),
            ObjectItem::Value(list) => list.list_len().unwrap_or(0),
        }
    }

    fn arrange(&mut self, children: Vec<Source<Self>>) -> Result<(), String> {
        match self {
            ObjectItem::All(objects) => {
                *objects = arranged(std::mem::take(objects), children, |new| new.value.value())?;
            }
            ObjectItem::Value(Value::Object(object)) => {
                let mut all = Object::new(Arc::clone(object.class()));
                all.set_core(object.core());
                let fields = object.fields().to_vec();
                let none = |_| Err("objects have the properties of their class".to_owned());
                for field in arranged(fields, children, none)? {
                    all.push_field(field);
                }
                **object = all;
            }
            ObjectItem::Value(value) if value.list_len().is_some() => {
                let own = value.items().map(Cow::into_owned).collect();
                let items = arranged(own, children, |new| new.value.value())?;
                *value = match value {
                    Value::Bools(_) => {
                        let all: Option<Vec<bool>> = items.iter().map(Value::as_bool).collect();
                        Value::Bools(all.ok_or(GONE)?.into())
                    }
                    Value::SmallInts(_) => {
                        let small = |own: &Value| i8::try_from(own.as_i64()?).ok();
                        let all: Option<Vec<i8>> = items.iter().map(small).collect();
                        Value::SmallInts(all.ok_or(GONE)?.into())
                    }
                    _ => Value::List(List::new(items)),
                };
            }
            ObjectItem::Value(_) => return Err("it holds nothing".to_owned()),
        }
        Ok(())
    }
}
