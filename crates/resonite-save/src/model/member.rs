use resonite_brson::value::{Array, Document};
use resonite_brson::{Url, Value};

/// A member of a component, or an element of a list of members.
///
/// The file does not say which type a member has; the shapes below are what its value shows. A
/// reference that points to nothing, a `string` and a nullable number that are null are all
/// [`Field`](Self::Field)s of null.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Member<'a> {
    /// `{ID, Data}`: a value, a vector, an address, a reference.
    Field {
        /// Its identifier.
        id: &'a str,
        /// The value.
        data: &'a Value,
    },
    /// `{ID, Data: [{ID, …}, …]}`: a list of members or of objects. An empty list, too.
    List {
        /// Its identifier.
        id: &'a str,
        /// The elements, each a member.
        items: &'a Array,
    },
    /// `{ID, A: {…}, …}` without `Data`: an object with separate members.
    Object {
        /// Its identifier.
        id: &'a str,
        /// The identifier and the members.
        document: &'a Document,
    },
    /// `{ID, Data: {Target, Method}}`: a delegate.
    Delegate {
        /// Its identifier.
        id: &'a str,
        /// The identifier of what has the method.
        target: Option<&'a str>,
        /// The method's name.
        method: Option<&'a str>,
    },
    /// Under a key that ends in `-ID`: the identifier of a member that is not stored.
    Bare {
        /// The identifier.
        id: &'a str,
    },
    /// None of these.
    Other(&'a Value),
}

impl<'a> Member<'a> {
    /// The shape of what is under `key`.
    pub fn of(key: &str, value: &'a Value) -> Member<'a> {
        match value {
            Value::String(id) if key.ends_with("-ID") => Member::Bare { id },
            Value::Document(document) => {
                Member::of_document(document).unwrap_or(Member::Other(value))
            }
            other => Member::Other(other),
        }
    }

    fn of_document(document: &'a Document) -> Option<Member<'a>> {
        let id = document.get("ID")?.as_str()?;
        let Some(data) = document.get("Data") else {
            return Some(Member::Object { id, document });
        };
        if document.len() != 2 {
            return None;
        }
        Some(match data {
            Value::Array(items) if items.iter().all(is_member) => Member::List { id, items },
            Value::Document(data) if data.contains_key("Target") => {
                let text = |key: &str| data.get(key).and_then(Value::as_str);
                Member::Delegate { id, target: text("Target"), method: text("Method") }
            }
            data => Member::Field { id, data },
        })
    }

    /// The identifier.
    pub fn id(&self) -> Option<&'a str> {
        match self {
            Member::Field { id, .. }
            | Member::List { id, .. }
            | Member::Object { id, .. }
            | Member::Delegate { id, .. }
            | Member::Bare { id } => Some(id),
            Member::Other(_) => None,
        }
    }

    /// The value of a [`Field`](Self::Field).
    pub fn value(&self) -> Option<&'a Value> {
        match self {
            Member::Field { data, .. } => Some(data),
            _ => None,
        }
    }

    /// The identifier in a field, or the target of a delegate.
    ///
    /// Text that is written like an identifier cannot be distinguished from a reference.
    pub fn target(&self) -> Option<&'a str> {
        match self {
            Member::Field { data, .. } => data.as_str().filter(|text| super::is_id(text)),
            Member::Delegate { target, .. } => *target,
            _ => None,
        }
    }

    /// The address in a field, without its `@`.
    pub fn url(&self) -> Option<&'a str> {
        self.value()?.as_str().and_then(Url::of_stored)
    }

    /// The elements of a list, the members of an object: key and member. Elements have no key.
    pub fn members(&self) -> Vec<(&'a str, Member<'a>)> {
        match self {
            Member::List { items, .. } => {
                items.iter().map(|item| ("", Member::of("", item))).collect()
            }
            Member::Object { document, .. } => members(document).collect(),
            _ => Vec::new(),
        }
    }
}

/// Whether a value is a document with an identifier.
fn is_member(value: &Value) -> bool {
    let id = value.as_document().and_then(|document| document.get("ID"));
    id.is_some_and(|id| id.as_str().is_some())
}

/// The members of a document, without its own identifier.
pub(super) fn members(document: &Document) -> impl Iterator<Item = (&str, Member<'_>)> {
    document
        .iter()
        .filter(|(key, _)| key != "ID")
        .map(|(key, value)| (key.as_str(), Member::of(key, value)))
}
