//! Saves as trees that can be compared: by the names of slots and components, by members, and with
//! references that say where they lead.

use std::fmt;
use std::ptr::from_ref;

use resonite_brson::Value;
use resonite_brson::model::{Component, Member, Places, Slot, numbered};
use resonite_brson::value::{Array, Document};

use crate::document::diff::{Children, Tree};
use crate::document::path::Step;
use crate::document::words::count;

/// The document of a save.
pub(super) fn save(value: &Value) -> Option<&Document> {
    value.as_document().filter(|document| Slot::root_of(document).is_some())
}

/// The tree of a document, which is that of a save if it is one.
pub(super) fn root(value: &Value) -> Node<'_> {
    match save(value) {
        Some(document) => {
            let places = Some(std::rc::Rc::new(Places::of(document)));
            Node { what: SavePart::Save(document), places }
        }
        None => Node { what: SavePart::Value(value), places: None },
    }
}

/// A place in a save.
pub(super) struct Node<'a> {
    what: SavePart<'a>,
    /// Where identifiers lead, in a save.
    places: Option<std::rc::Rc<Places<'a>>>,
}

enum SavePart<'a> {
    Save(&'a Document),
    Slot(Slot<'a>),
    Components(Vec<Component<'a>>),
    Component(Component<'a>),
    Member(Member<'a>),
    Value(&'a Value),
}

impl<'a> Node<'a> {
    fn with(&self, what: SavePart<'a>) -> Node<'a> {
        Node { what, places: self.places.clone() }
    }

    /// Where the value or document in it is in memory, which tells it from all others.
    pub(super) fn address(&self) -> Option<usize> {
        Some(match &self.what {
            SavePart::Save(document) => from_ref(*document).addr(),
            SavePart::Slot(slot) => from_ref(slot.document()).addr(),
            SavePart::Component(component) => from_ref(component.document()).addr(),
            SavePart::Member(Member::Field { data, .. }) => from_ref(*data).addr(),
            SavePart::Member(Member::List { items, .. }) => from_ref(*items).addr(),
            SavePart::Member(Member::Object { document, .. }) => from_ref(*document).addr(),
            SavePart::Member(Member::Other(value)) | SavePart::Value(value) => {
                from_ref(*value).addr()
            }
            SavePart::Components(_) | SavePart::Member(_) => return None,
        })
    }

    fn value(&self, value: &'a Value) -> Node<'a> {
        self.with(SavePart::Value(value))
    }

    /// The path that a text leads to, if it is an identifier of something.
    fn text(&self, text: &str) -> Option<String> {
        self.places.as_ref()?.show(text)
    }

    /// Whether two texts are the same, or lead to the same object.
    fn leads_to(&self, own: &str, other: &Self, text: &str) -> bool {
        match (&self.places, &other.places) {
            (Some(places), Some(others)) => places.is_same(own, others, text),
            _ => own == text,
        }
    }

    fn entries(&self, document: &'a Document) -> Children<Node<'a>> {
        let entries = document.iter();
        Children::Entries(
            entries.map(|(key, value)| (Step::Key(key.to_string()), self.value(value))).collect(),
        )
    }

    fn save(&self, save: &'a Document) -> Vec<(Step, Node<'a>)> {
        let mut entries = Vec::new();
        for (key, value) in save.iter() {
            match key.as_str() {
                "Object" | "Slots" => {
                    let Some(root) = Slot::root_of(save) else { continue };
                    let name = "Object".to_owned();
                    entries.push((Step::Name(name), self.with(SavePart::Slot(root))));
                }
                // Components are known by their names.
                "Types" => {}
                "Assets" | "Asset" => {
                    let assets = Component::assets_of(save).collect();
                    entries.push((
                        Step::Name("Assets".to_owned()),
                        self.with(SavePart::Components(assets)),
                    ));
                }
                key => entries.push((Step::Key(key.to_owned()), self.value(value))),
            }
        }
        entries
    }

    fn slot(&self, slot: Slot<'a>) -> Vec<(Step, Node<'a>)> {
        let mut entries = Vec::new();
        for (key, value) in slot.document().iter() {
            match key.as_str() {
                "ID" | "Persistent-ID" | "Persistant-ID" | "ParentReference" => {}
                "Components" => entries.extend(self.components(slot.components())),
                "Children" => {
                    let children: Vec<Slot<'a>> = slot.children().collect();
                    let names = children.iter().map(|child| name_of(*child));
                    for (step, child) in numbered(names.collect()).into_iter().zip(children) {
                        entries.push((Step::Name(step), self.with(SavePart::Slot(child))));
                    }
                }
                key => {
                    let member = Member::of(key, value);
                    entries.push((Step::Key(key.to_owned()), self.with(SavePart::Member(member))));
                }
            }
        }
        entries
    }

    fn components(&self, components: impl Iterator<Item = Component<'a>>) -> Vec<(Step, Node<'a>)> {
        let components: Vec<Component<'a>> = components.collect();
        let names = components.iter().map(|component| type_of(*component)).collect();
        let steps = numbered(names).into_iter().map(Step::Name);
        steps
            .zip(components)
            .map(|(step, own)| (step, self.with(SavePart::Component(own))))
            .collect()
    }

    fn members(
        &self,
        members: impl Iterator<Item = (&'a str, Member<'a>)>,
    ) -> Vec<(Step, Node<'a>)> {
        let shown = members.filter(|(_, member)| !matches!(member, Member::Bare { .. }));
        shown
            .map(|(key, member)| (Step::Key(key.to_owned()), self.with(SavePart::Member(member))))
            .collect()
    }

    fn member(&self, member: Member<'a>) -> Children<Node<'a>> {
        match member {
            Member::Field { data, .. } => self.value(data).children(),
            Member::List { items, .. } => Children::Items(
                items
                    .iter()
                    .map(|item| self.with(SavePart::Member(Member::of("", item))))
                    .collect(),
            ),
            Member::Object { document, .. } => {
                let members = document.iter().filter(|(key, _)| key != "ID");
                let members =
                    members.map(|(key, value)| (key.as_str(), Member::of(key.as_str(), value)));
                Children::Entries(self.members(members))
            }
            Member::Other(value) => self.value(value).children(),
            _ => Children::None,
        }
    }
}

impl Tree for Node<'_> {
    fn full_kind(&self) -> String {
        let name = |value: &Value| value.kind().to_string();
        match &self.what {
            SavePart::Member(Member::Field { data, .. } | Member::Other(data)) => name(data),
            SavePart::Value(value) => name(value),
            _ => String::new(),
        }
    }

    fn children(&self) -> Children<Self> {
        match &self.what {
            SavePart::Save(document) => Children::Entries(self.save(document)),
            SavePart::Slot(slot) => Children::Entries(self.slot(*slot)),
            SavePart::Components(list) => Children::Entries(self.components(list.iter().copied())),
            SavePart::Component(component) => Children::Entries(self.members(component.members())),
            SavePart::Member(member) => self.member(*member),
            SavePart::Value(Value::Document(document)) => self.entries(document),
            SavePart::Value(Value::Array(items)) => {
                Children::Items(items.iter().map(|item| self.value(item)).collect())
            }
            SavePart::Value(_) => Children::None,
        }
    }

    fn is_flat(&self) -> bool {
        let is_flat = |value: &Value| match value {
            Value::Document(_) => false,
            Value::Array(items) => is_row(items),
            _ => true,
        };
        match &self.what {
            SavePart::Member(Member::Field { data, .. } | Member::Other(data)) => is_flat(data),
            SavePart::Member(Member::Bare { .. } | Member::Delegate { .. }) => true,
            SavePart::Value(value) => is_flat(value),
            _ => false,
        }
    }

    fn identity(&self) -> Option<String> {
        match &self.what {
            SavePart::Slot(slot) => slot.id().map(str::to_owned),
            // One that has another type is another component.
            SavePart::Component(component) => {
                Some(format!("{} {}", type_of(*component), component.id()?))
            }
            _ => None,
        }
    }

    fn is_name(&self, step: &Step) -> bool {
        matches!(&self.what, SavePart::Slot(_)) && matches!(step, Step::Key(key) if key == "Name")
    }

    fn same(&self, other: &Self) -> bool {
        match (&self.what, &other.what) {
            (SavePart::Value(a), SavePart::Value(b))
            | (
                SavePart::Member(Member::Field { data: a, .. }),
                SavePart::Member(Member::Field { data: b, .. }),
            ) => match (a.as_str().zip(b.as_str()), a.as_i64().zip(b.as_i64())) {
                (Some((a, b)), _) => self.leads_to(a, other, b),
                // Integers of any width: a tree that is saved again may have others.
                (_, Some((a, b))) => a == b,
                _ => a == b,
            },
            (SavePart::Member(Member::Bare { .. }), SavePart::Member(Member::Bare { .. })) => true,
            (
                SavePart::Member(Member::Delegate { target: a, method: old, .. }),
                SavePart::Member(Member::Delegate { target: b, method: new, .. }),
            ) => {
                let is_same = a.zip(*b).map_or(a == b, |(a, b)| self.leads_to(a, other, b));
                old == new && is_same
            }
            (SavePart::Member(Member::Other(a)), SavePart::Member(Member::Other(b))) => a == b,
            _ => false,
        }
    }

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match &self.what {
            SavePart::Save(_) => out.write_str("a save"),
            SavePart::Slot(slot) => {
                let (children, components) = (slot.children().count(), slot.components().count());
                let components = count(components, "component");
                let children =
                    if children == 1 { "1 child" } else { &format!("{children} children") };
                write!(out, "a slot with {components} and {children}")
            }
            SavePart::Components(list) => out.write_str(&count(list.len(), "component")),
            SavePart::Component(component) => match component.type_name() {
                Some(name) => out.write_str(name),
                None => out.write_str("a component of an unknown type"),
            },
            SavePart::Member(Member::Field { data, .. } | Member::Other(data)) => {
                self.value(data).write(out)
            }
            SavePart::Member(Member::List { items, .. }) => {
                out.write_str(&count(items.len(), "element"))
            }
            SavePart::Member(Member::Delegate { target, method, .. }) => {
                let target = target.map(|id| self.text(id).unwrap_or_else(|| id.to_owned()));
                write!(
                    out,
                    "{} of {}",
                    method.unwrap_or("no method"),
                    target.as_deref().unwrap_or("nothing")
                )
            }
            SavePart::Member(_) => out.write_str("an object"),
            SavePart::Value(value) => match value.as_str().and_then(|text| self.text(text)) {
                Some(place) => write!(out, "ref {place}"),
                None => match value.as_i64() {
                    Some(number) => write!(out, "{number}"),
                    None => write!(out, "{value:?}"),
                },
            },
        }
    }
}

/// Whether all elements are small: a vector, a colour.
fn is_row(items: &Array) -> bool {
    items.iter().all(|item| item.as_array().is_none() && item.as_document().is_none())
}

fn name_of(slot: Slot<'_>) -> String {
    slot.name().unwrap_or("?").to_owned()
}

pub(super) fn type_of(component: Component<'_>) -> String {
    match component.parsed_type() {
        Ok(name) => name.short().to_string(),
        Err(_) => component.type_name().unwrap_or("?").to_owned(),
    }
}
