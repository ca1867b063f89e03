//! Saves where they stand in the bytes: slots, components, members. `resonite_save::model` has the same of
//! values, and says what they are.

use std::cell::OnceCell;

use resonite_brson::Kind;
use resonite_save::model::TypeName;

use super::node::Node;
use super::places::Places;

/// A document that has a root slot.
pub(super) struct Save<'a> {
    pub(super) document: Node<'a>,
    /// The names of types, in order.
    types: Vec<Option<&'a str>>,
    /// Where identifiers lead.
    places: OnceCell<Places<'a>>,
    /// Whether the same bytes mean the same in the save that this one is compared with.
    is_alike: OnceCell<bool>,
}

fn is_document(node: &Node<'_>) -> bool {
    node.bson_kind() == Kind::Document
}

impl<'a> Save<'a> {
    pub(super) fn of(document: Node<'a>) -> Option<Self> {
        Slot::root_of(&document)?;
        let types = document.get("Types").into_iter();
        let types = types.flat_map(|list| list.elements()).map(|name| name.as_str()).collect();
        Some(Save { document, types, places: OnceCell::new(), is_alike: OnceCell::new() })
    }

    pub(super) fn places(&self) -> &Places<'a> {
        self.places.get_or_init(|| Places::of(self))
    }

    /// Whether the same bytes mean the same in both: identifiers lead to the same objects, and components have
    /// the same types. Asked of one other save alone.
    pub(super) fn reads_alike(&self, other: &Self) -> bool {
        let is_alike = || self.types == other.types && self.places().are_same(other.places());
        *self.is_alike.get_or_init(is_alike)
    }

    pub(super) fn root(&self) -> Option<Slot<'a>> {
        Slot::root_of(&self.document)
    }

    /// The components that provide assets.
    pub(super) fn assets(&self) -> impl Iterator<Item = Component<'a>> + use<'a> {
        // The published page names it without its `s`.
        let list = self.document.get("Assets").or_else(|| self.document.get("Asset"));
        let nodes = list.into_iter().flat_map(|list| list.elements());
        nodes.filter(is_document).map(Component)
    }

    /// The name of a component's type, as the file has it.
    pub(super) fn type_name(&self, component: Component<'a>) -> Option<&'a str> {
        let own = component.0.get("Type")?;
        match own.as_i64() {
            Some(index) => *self.types.get(usize::try_from(index).ok()?)?,
            None => own.as_str(),
        }
    }

    /// The name without assemblies and namespaces; as it is, if it is none; `None` if there is no type.
    pub(super) fn short_type(&self, component: Component<'a>) -> Option<String> {
        let name = self.type_name(component)?;
        let is_named = component.0.get("Type").is_some_and(|own| own.as_str().is_some());
        let parsed = if is_named { TypeName::parse_net(name) } else { name.parse() };
        Some(parsed.map_or_else(|_| name.to_owned(), |name| name.short().to_string()))
    }
}

/// A node of the tree, with components and children.
#[derive(Clone, Copy)]
pub(super) struct Slot<'a>(pub(super) Node<'a>);

impl<'a> Slot<'a> {
    fn root_of(save: &Node<'a>) -> Option<Self> {
        let root = save.get("Object").or_else(|| save.get("Slots"));
        root.filter(is_document).map(Slot)
    }

    fn data(self, key: &str) -> Option<Node<'a>> {
        self.0.get(key)?.get("Data")
    }

    pub(super) fn id(self) -> Option<&'a str> {
        self.0.get("ID")?.as_str()
    }

    pub(super) fn name(self) -> Option<&'a str> {
        self.data("Name")?.as_str()
    }

    pub(super) fn tag(self) -> Option<&'a str> {
        self.data("Tag")?.as_str()
    }

    pub(super) fn is_active(self) -> bool {
        self.data("Active").and_then(|active| active.as_bool()).unwrap_or(true)
    }

    pub(super) fn components(self) -> impl Iterator<Item = Component<'a>> + use<'a> {
        let list = self.data("Components").into_iter().flat_map(|list| list.elements());
        list.filter(is_document).map(Component)
    }

    pub(super) fn children(self) -> impl Iterator<Item = Slot<'a>> + use<'a> {
        let list = self.0.get("Children").into_iter().flat_map(|list| list.elements());
        list.filter(is_document).map(Slot)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Component<'a>(pub(super) Node<'a>);

impl<'a> Component<'a> {
    pub(super) fn id(self) -> Option<&'a str> {
        self.0.get("Data")?.get("ID")?.as_str()
    }

    pub(super) fn is_enabled(self) -> bool {
        let enabled = self.0.get("Data").and_then(|data| data.get("Enabled"));
        match enabled.map(|own| Member::of("Enabled", own)) {
            Some(Member::Field { data, .. }) => data.as_bool().unwrap_or(true),
            _ => true,
        }
    }

    pub(super) fn members(self) -> impl Iterator<Item = (&'a str, Member<'a>)> + use<'a> {
        self.0.get("Data").into_iter().flat_map(|data| members(&data))
    }
}

/// A member of a component or slot, by its shape, as [`resonite_save::model::Member`].
#[derive(Clone, Copy)]
pub(super) enum Member<'a> {
    Field { id: &'a str, data: Node<'a> },
    List { id: &'a str, items: Node<'a> },
    Object { id: &'a str, document: Node<'a> },
    Delegate { id: &'a str, target: Option<&'a str>, method: Option<&'a str> },
    Bare { id: &'a str },
    Other(Node<'a>),
}

impl<'a> Member<'a> {
    pub(super) fn of(key: &str, node: Node<'a>) -> Self {
        let known = match node.as_str() {
            Some(id) => key.ends_with("-ID").then_some(Member::Bare { id }),
            None => Member::of_document(node),
        };
        known.unwrap_or(Member::Other(node))
    }

    fn of_document(document: Node<'a>) -> Option<Self> {
        let id = document.get("ID")?.as_str()?;
        let Some(data) = document.get("Data") else { return Some(Member::Object { id, document }) };
        if document.list().nth(2).is_some() {
            return None;
        }
        let is_member = |item: Node<'a>| item.get("ID").is_some_and(|id| id.as_str().is_some());
        Some(match data.bson_kind() {
            Kind::Array if data.elements().all(is_member) => Member::List { id, items: data },
            Kind::Document if data.get("Target").is_some() => {
                let text = |key: &str| data.get(key).and_then(|own| own.as_str());
                Member::Delegate { id, target: text("Target"), method: text("Method") }
            }
            _ => Member::Field { id, data },
        })
    }

    pub(super) fn id(&self) -> Option<&'a str> {
        match self {
            Member::Field { id, .. }
            | Member::List { id, .. }
            | Member::Object { id, .. }
            | Member::Delegate { id, .. }
            | Member::Bare { id } => Some(id),
            Member::Other(_) => None,
        }
    }

    /// The elements of a list, which have no key, and the members of an object.
    pub(super) fn members(&self) -> Vec<(&'a str, Member<'a>)> {
        match self {
            Member::List { items, .. } => {
                items.elements().map(|item| ("", Member::of("", item))).collect()
            }
            Member::Object { document, .. } => members(document).collect(),
            _ => Vec::new(),
        }
    }
}

/// The members of a document, without its own identifier.
pub(super) fn members<'a>(
    document: &Node<'a>,
) -> impl Iterator<Item = (&'a str, Member<'a>)> + use<'a> {
    document
        .entries()
        .filter(|(key, _)| *key != "ID")
        .map(|(key, node)| (key, Member::of(key, node)))
}
