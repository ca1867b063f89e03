//! Saves as trees that can be compared: by the names of slots and components, by members, and with
//! references that say where they lead.

use std::fmt;
use std::hash::RandomState;
use std::mem::discriminant;
use std::rc::Rc;

use resonite_brson::Kind;

use super::node::Node;
use super::places::{names, type_names};
use super::save::{Component, Member, Save, Slot, members};
use crate::document::diff::{self, Children, Hunk, Hunks, Tree};
use crate::document::node::{Edge, Found, Way};
use crate::document::path::Step;
use crate::document::ranges::{Memo, Values as _};
use crate::document::words::count;

/// The tree of a document, which is that of a save if it is one.
pub(super) fn root(node: Node<'_>) -> TreeNode<'_> {
    match Save::of(node) {
        Some(save) => TreeNode { what: SavePart::Save(node), save: Some(Rc::new(save)) },
        None => TreeNode { what: SavePart::Value(node), save: None },
    }
}

/// The values that paths lead to by the names of slots, components and members, for each path.
pub(super) fn find<'a>(root: Node<'a>, paths: &[&str]) -> Vec<Vec<Found<Node<'a>>>> {
    let mut all = vec![Vec::new(); paths.len()];
    let tree = self::root(root);
    if tree.save.is_none() {
        return all;
    }
    let mut hits = Vec::new();
    diff::find(&tree, paths, &mut |at, path, own| {
        hits.extend(own.node().map(|node| (at, path.to_vec(), node)));
    });
    let mut starts: Vec<usize> = hits.iter().map(|(_, _, node)| node.extent.start).collect();
    starts.sort_unstable();
    starts.dedup();
    let ways = ways(root, &starts);
    for (at, path, node) in hits {
        let way = starts.binary_search(&node.extent.start).ok().and_then(|own| ways.get(own));
        debug_assert!(way.is_some(), "what was found is in the document");
        let found = way.map(|way| Found { path, way: way.clone(), node });
        all.get_mut(at).into_iter().for_each(|all| all.extend(found.clone()));
    }
    all
}

/// The ways to the values that begin at some offsets, which are sorted.
fn ways(root: Node<'_>, starts: &[usize]) -> Vec<Way> {
    let (mut found, mut way) = (Vec::new(), Way::new());
    let mut left = starts.iter().peekable();
    let mut open = vec![root.list().enumerate()];
    while let (Some(children), Some(start)) = (open.last_mut(), left.peek()) {
        let Some((at, (_, node))) = children.next() else {
            open.pop();
            way.pop();
            continue;
        };
        let is_here = node.extent.start == **start;
        if !is_here && node.extent.end <= **start {
            continue;
        }
        way.push(Edge::Child(at));
        if is_here {
            found.push(way.clone());
            left.next();
        }
        match left.peek() {
            Some(start) if **start < node.extent.end => open.push(node.list().enumerate()),
            _ => _ = way.pop(),
        }
    }
    found
}

/// A place in a save, or in any document.
pub(super) struct TreeNode<'a> {
    what: SavePart<'a>,
    save: Option<Rc<Save<'a>>>,
}

enum SavePart<'a> {
    Save(Node<'a>),
    Slot(Slot<'a>),
    Components(Vec<Component<'a>>),
    Component(Component<'a>),
    Member(Member<'a>),
    Value(Node<'a>),
}

impl<'a> TreeNode<'a> {
    fn with(&self, what: SavePart<'a>) -> TreeNode<'a> {
        TreeNode { what, save: self.save.clone() }
    }

    /// Whether it is in a save.
    fn is_save(&self) -> bool {
        self.save.is_some()
    }

    /// The value or document that it is.
    fn node(&self) -> Option<Node<'a>> {
        match &self.what {
            SavePart::Slot(slot) => Some(slot.0),
            SavePart::Component(component) => Some(component.0),
            SavePart::Member(
                Member::List { items: node, .. } | Member::Object { document: node, .. },
            )
            | SavePart::Member(Member::Field { data: node, .. } | Member::Other(node))
            | SavePart::Save(node)
            | SavePart::Value(node) => Some(*node),
            SavePart::Components(_) | SavePart::Member(_) => None,
        }
    }

    /// The value that is shown as such.
    fn shown_value(&self) -> Option<Node<'a>> {
        match &self.what {
            SavePart::Member(Member::Field { data, .. } | Member::Other(data)) => Some(*data),
            SavePart::Value(value) => Some(*value),
            _ => None,
        }
    }

    fn value(&self, value: Node<'a>) -> TreeNode<'a> {
        self.with(SavePart::Value(value))
    }

    /// The path that a text leads to, if it is an identifier of something.
    fn text(&self, text: &str) -> Option<String> {
        let save = self.save.as_ref()?;
        save.places().show(save, text)
    }

    /// Whether two texts are the same, or lead to the same object.
    fn leads_to(&self, own: &str, other: &Self, text: &str) -> bool {
        match (&self.save, &other.save) {
            (Some(save), Some(others)) => save.places().is_same(own, others.places(), text),
            _ => own == text,
        }
    }

    fn save(&self, save: &Save<'a>) -> Vec<(Step, TreeNode<'a>)> {
        let mut entries = Vec::new();
        for (key, value) in save.document.entries() {
            match key {
                "Object" | "Slots" => {
                    let Some(root) = save.root() else { continue };
                    let name = "Object".to_owned();
                    entries.push((Step::Name(name), self.with(SavePart::Slot(root))));
                }
                // Components are known by their names.
                "Types" => {}
                "Assets" | "Asset" => {
                    let assets = save.assets().collect();
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

    fn slot(&self, slot: Slot<'a>) -> Vec<(Step, TreeNode<'a>)> {
        let mut entries = Vec::new();
        for (key, value) in slot.0.entries() {
            match key {
                "ID" | "Persistent-ID" | "Persistant-ID" | "ParentReference" => {}
                "Components" => entries.extend(self.components(slot.components().collect())),
                "Children" => {
                    let children: Vec<Slot<'a>> = slot.children().collect();
                    for (step, child) in names(&children).into_iter().zip(children) {
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

    fn components(&self, components: Vec<Component<'a>>) -> Vec<(Step, TreeNode<'a>)> {
        let names = self.save.as_ref().map(|save| type_names(save, &components));
        let steps = names.into_iter().flatten().map(Step::Name);
        steps
            .zip(components)
            .map(|(step, own)| (step, self.with(SavePart::Component(own))))
            .collect()
    }

    fn members(
        &self,
        members: impl Iterator<Item = (&'a str, Member<'a>)>,
    ) -> Vec<(Step, TreeNode<'a>)> {
        let shown = members.filter(|(_, member)| !matches!(member, Member::Bare { .. }));
        shown
            .map(|(key, member)| (Step::Key(key.to_owned()), self.with(SavePart::Member(member))))
            .collect()
    }

    /// The values in a value that is no part of a save's structure.
    fn values(&self, value: &Node<'a>) -> Children<TreeNode<'a>> {
        match value.bson_kind() {
            Kind::Document => {
                let entries = value.entries();
                let entry = |(key, own): (&str, _)| (Step::Key(key.to_owned()), self.value(own));
                Children::Entries(entries.map(entry).collect())
            }
            Kind::Array => Children::Items(value.elements().map(|item| self.value(item)).collect()),
            _ => Children::None,
        }
    }
}

impl Tree for TreeNode<'_> {
    fn full_kind(&self) -> String {
        self.shown_value().map(|value| value.bson_kind().to_string()).unwrap_or_default()
    }

    fn children(&self) -> Children<Self> {
        match &self.what {
            SavePart::Save(_) => {
                let entries = self.save.as_ref().map(|save| self.save(save));
                Children::Entries(entries.unwrap_or_default())
            }
            SavePart::Slot(slot) => Children::Entries(self.slot(*slot)),
            SavePart::Components(list) => Children::Entries(self.components(list.clone())),
            SavePart::Component(component) => Children::Entries(self.members(component.members())),
            SavePart::Member(Member::List { items, .. }) => {
                let member = |item| self.with(SavePart::Member(Member::of("", item)));
                Children::Items(items.elements().map(member).collect())
            }
            SavePart::Member(Member::Object { document, .. }) => {
                Children::Entries(self.members(members(document)))
            }
            SavePart::Member(Member::Field { data: value, .. } | Member::Other(value))
            | SavePart::Value(value) => self.values(value),
            SavePart::Member(_) => Children::None,
        }
    }

    fn is_flat(&self) -> bool {
        match (self.shown_value(), &self.what) {
            // All elements are small: a vector, a colour.
            (Some(value), _) => Tree::is_row(&value),
            (None, what) => {
                matches!(what, SavePart::Member(Member::Bare { .. } | Member::Delegate { .. }))
            }
        }
    }

    fn identity(&self) -> Option<String> {
        match &self.what {
            SavePart::Slot(slot) => slot.id().map(str::to_owned),
            // One that has another type is another component.
            SavePart::Component(component) => {
                let name = self.save.as_ref()?.short_type(*component);
                Some(format!("{} {}", name.as_deref().unwrap_or("?"), component.id()?))
            }
            _ => None,
        }
    }

    fn is_name(&self, step: &Step) -> bool {
        matches!(&self.what, SavePart::Slot(_)) && matches!(step, Step::Key(key) if key == "Name")
    }

    fn same_bytes(&self, other: &Self, memo: &Memo) -> bool {
        let Some((own, theirs)) = self.node().zip(other.node()) else { return false };
        discriminant(&self.what) == discriminant(&other.what)
            && own.same_bytes(&theirs, memo)
            && match (&self.save, &other.save) {
                (Some(save), Some(others)) => save.reads_alike(others),
                (None, None) => true,
                _ => false,
            }
    }

    /// Of documents that are no saves.
    fn hunks(&self, other: &Self, memo: &Memo, is_in_step: bool) -> Option<Hunks<Self, 2>> {
        let (SavePart::Value(own), SavePart::Value(theirs)) = (&self.what, &other.what) else {
            return None;
        };
        if self.is_save() || other.is_save() {
            return None;
        }
        let Hunks { is_list, hunks } = own.hunks(theirs, memo, is_in_step)?;
        let hunk = |Hunk { at, children }: Hunk<_, 2>| {
            let children = children.map(|all: Vec<(Step, _)>| {
                all.into_iter().map(|(step, node)| (step, self.value(node))).collect()
            });
            Hunk { at, children }
        };
        Some(Hunks { is_list, hunks: hunks.into_iter().map(hunk).collect() })
    }

    /// In a save, values with other identifiers may be the same.
    fn mark(&self, hasher: &RandomState) -> Option<u64> {
        match &self.what {
            SavePart::Value(value) if !self.is_save() && !self.is_flat() => value.mark(hasher),
            _ => None,
        }
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
                _ => Tree::same(a, b),
            },
            (SavePart::Member(Member::Bare { .. }), SavePart::Member(Member::Bare { .. })) => true,
            (
                SavePart::Member(Member::Delegate { target: a, method: old, .. }),
                SavePart::Member(Member::Delegate { target: b, method: new, .. }),
            ) => {
                let is_same = a.zip(*b).map_or(a == b, |(a, b)| self.leads_to(a, other, b));
                old == new && is_same
            }
            (SavePart::Member(Member::Other(a)), SavePart::Member(Member::Other(b))) => {
                Tree::same(a, b)
            }
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
            SavePart::Component(component) => {
                let name = self.save.as_ref().and_then(|save| save.type_name(*component));
                out.write_str(name.unwrap_or("a component of an unknown type"))
            }
            SavePart::Member(Member::List { items, .. }) => {
                out.write_str(&count(items.elements().count(), "element"))
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
            SavePart::Member(Member::Field { data: value, .. } | Member::Other(value))
            | SavePart::Value(value) => match value.as_str().and_then(|text| self.text(text)) {
                Some(place) => write!(out, "ref {place}"),
                None => match value.as_i64() {
                    Some(number) => write!(out, "{number}"),
                    None => super::Resonite::write(value, out),
                },
            },
            SavePart::Member(_) => out.write_str("an object"),
        }
    }
}
