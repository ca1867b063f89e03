//! Objects as a tree that can be compared.

use std::borrow::Cow;
use std::fmt;

use kiwi_pclass::schema::Property;
use kiwi_pclass::value::Object;
use kiwi_pclass::{Value, json};

use super::content::Content;
use crate::document::diff::{Children, Tree};
use crate::document::path::Step;

/// A place in a file.
pub(super) enum Node<'a> {
    /// The objects of an XML file that has several.
    All(&'a [Value]),
    /// A value, and the property that it or the list around it is of.
    Value(Cow<'a, Value>, Option<&'a Property>),
}

impl<'a> Node<'a> {
    /// The whole file. A file of one object is that object, whatever its form.
    pub(super) fn root(content: &'a Content) -> Self {
        match content.objects.as_slice() {
            [only] => Node::Value(Cow::Borrowed(only), None),
            objects => Node::All(objects),
        }
    }
}

impl Tree for Node<'_> {
    fn kind(&self) -> String {
        match self {
            Node::Value(value, property) => match &**value {
                Value::Object(object) => object.class().name().to_owned(),
                Value::Raw(raw) => format!("class {:#010x}", raw.hash),
                _ => property.map_or_else(String::new, |own| own.type_name().to_owned()),
            },
            Node::All(_) => String::new(),
        }
    }

    fn children(&self) -> Children<Self> {
        match self {
            Node::All(objects) => {
                let node = |object| Node::Value(Cow::Borrowed(object), None);
                Children::Items(objects.iter().map(node).collect())
            }
            Node::Value(Cow::Borrowed(Value::Object(object)), _) => properties(object),
            Node::Value(Cow::Borrowed(value), property) if value.list_len().is_some() => {
                Children::Items(value.items().map(|item| Node::Value(item, *property)).collect())
            }
            Node::Value(..) => Children::None,
        }
    }

    fn is_flat(&self) -> bool {
        match self {
            Node::All(_) => false,
            Node::Value(value, _) => match &**value {
                Value::Object(_) => false,
                Value::List(list) => !list.iter().any(|item| matches!(item, Value::Object(_))),
                _ => true,
            },
        }
    }

    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            // By text, which tells NaNs and signs of zero apart.
            (Node::Value(a, _), Node::Value(b, _)) => {
                json::to_string(a).is_ok_and(|a| json::to_string(b).is_ok_and(|b| a == b))
            }
            _ => false,
        }
    }

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match self {
            Node::All(objects) => write!(out, "{} objects", objects.len()),
            Node::Value(value, property) => {
                let options = property.and_then(Property::options);
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

fn properties(object: &Object) -> Children<Node<'_>> {
    let entries = object.fields().iter().map(|field| {
        let property = object.property_of(field);
        let step = match property {
            Some(property) => Step::Name(property.name().to_owned()),
            None => Step::Name(format!("{:#010x}", field.unknown_hash().unwrap_or_default())),
        };
        (step, Node::Value(Cow::Borrowed(&field.value), property))
    });
    Children::Entries(entries.collect())
}
