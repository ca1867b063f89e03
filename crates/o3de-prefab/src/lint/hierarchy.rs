//! Whether the entities of a prefab hang together: parents, and the orders of children.

use std::collections::{HashMap, HashSet};

use super::finding::{Finding, Rule, shown};
use crate::prefab::{CONTAINER, ENTITIES, Entity, Prefab};
use o3de_json::value::{Value, append_pointer};

/// An entity, or an instance by the entity that contains it.
struct Node<'v> {
    name: String,
    parent: Option<&'v str>,
    is_detached: bool,
    /// The pointer of what says the parent.
    pointer: String,
}

/// The children of an entity in their order, with their pointers.
struct Order<'v> {
    of: String,
    entries: Vec<(&'v str, String)>,
}

/// In the order of the document, by alias.
type Nodes<'v> = Vec<(&'v str, Node<'v>)>;

/// By the alias of the entity; `None` for an order in the form of older engines.
type Orders<'v> = HashMap<&'v str, Option<Order<'v>>>;

const ORDER: &str = "/Child Entity Order";

/// The name by which orders and parents mean a node: an alias of the document, without what is inside of
/// an instance.
fn node_of<'v>(reference: &'v str, ids: &HashMap<&'v str, &'v str>) -> &'v str {
    let first = reference.split('/').next().unwrap_or_default();
    ids.get(first).copied().unwrap_or(first)
}

pub(super) fn hierarchy(document: &Value, prefab: &Prefab<'_>, findings: &mut Vec<Finding>) {
    let mut add = |pointer: String, rule, message| {
        findings.push(Finding { pointer, rule, message, is_removable: false });
    };
    if document.get(ENTITIES).is_none() {
        let message = "the prefab has no `Entities`".to_owned();
        add(String::new(), Rule::NoEntities, message);
    }
    if let Some(container) = prefab.container()
        && container.component("EditorPrefabComponent").is_none()
    {
        let message = "`ContainerEntity` has no EditorPrefabComponent".to_owned();
        add(container.pointer(""), Rule::NoPrefabComponent, message);
    }
    let entities: Vec<Entity<'_>> =
        prefab.container().into_iter().chain(prefab.entities()).collect();
    // Files of older engines name entities by ids that are not their aliases.
    let ids: HashMap<&str, &str> =
        entities.iter().filter_map(|own| Some((own.id()?, own.alias()))).collect();
    let (nodes, orders) = looked_through(prefab, &entities);
    cycles(&nodes, &ids, &mut add);

    let mut places: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
    for (alias, order) in &orders {
        for (child, pointer) in order.iter().flat_map(|own| &own.entries) {
            places.entry(node_of(child, &ids)).or_default().push((alias, pointer));
        }
    }
    // Nothing can be attached to one without a transform component.
    let container = prefab.container().filter(|own| own.component("TransformComponent").is_some());
    let container = container.map(|own| shown(&own));
    for (alias, node) in &nodes {
        if let (true, Some(container)) = (node.is_detached, &container) {
            let message = format!("{} has no parent, and stands beside {container}", node.name);
            add(node.pointer.clone(), Rule::NoParent, message);
        }
        // Entities below a part of an instance are in an order there.
        let parent = node.parent.filter(|own| !own.contains('/'));
        let Some(parent) = parent.map(|own| node_of(own, &ids)) else { continue };
        let Some(order) = orders.get(parent) else { continue };
        let own = places.get(alias).map_or(&[][..], |own| own);
        let Node { name, pointer, .. } = node;
        let others = own.iter().filter(|(around, _)| *around != parent);
        let is_here = own.iter().any(|(around, _)| *around == parent);
        for (around, pointer) in others {
            let around = orders.get(around).and_then(Option::as_ref).map_or("", |own| &own.of);
            let (rule, message) = match is_here {
                true => {
                    let message = format!(
                        "{name} is in the order of children of {around}, and in that of its parent"
                    );
                    (Rule::OrderedTwice, message)
                }
                false => {
                    let message = format!(
                        "{name} is in the order of children of {around}, and its parent is another"
                    );
                    (Rule::OtherParent, message)
                }
            };
            add((*pointer).to_owned(), rule, message);
        }
        if let (true, Some(order)) = (own.is_empty(), order) {
            let message =
                format!("{name} is not in the order of children of its parent {}", order.of);
            add(pointer.clone(), Rule::UnorderedChild, message);
        }
    }
}

/// The entities and instances, and the orders of those that have one.
fn looked_through<'v>(prefab: &Prefab<'v>, entities: &[Entity<'v>]) -> (Nodes<'v>, Orders<'v>) {
    let mut nodes = Vec::new();
    let mut orders = HashMap::new();
    for entity in entities {
        let transform = entity.component("TransformComponent");
        let pointer = transform.map_or(String::new(), |own| {
            let has_parent = own.get("/Parent Entity").is_some();
            own.pointer(if has_parent { "/Parent Entity" } else { "" })
        });
        let (name, parent, is_detached) = (shown(entity), entity.parent(), entity.is_detached());
        nodes.push((entity.alias(), Node { name, parent, is_detached, pointer }));
        let Some(sort) = entity.component("EditorEntitySortComponent") else { continue };
        let list = sort.get(ORDER).and_then(Value::as_array).into_iter().flatten();
        let entries = list.enumerate().filter_map(|(index, own)| {
            let mut pointer = sort.pointer(ORDER);
            append_pointer(&mut pointer, &index.to_string());
            Some((own.as_str()?, pointer))
        });
        let order = Order { of: shown(entity), entries: entries.collect() };
        let is_older = sort.get("/ChildEntityOrderEntryArray").is_some();
        orders.insert(entity.alias(), (!is_older).then_some(order));
    }
    for instance in prefab.instances() {
        let name = match instance.name() {
            Some(name) => format!("{name:?}"),
            None => format!("`{}`", instance.alias()),
        };
        let (parent, is_detached) = (instance.parent(), instance.is_detached());
        let node = Node { name, parent, is_detached, pointer: instance.pointer("") };
        nodes.push((instance.alias(), node));
    }
    (nodes, orders)
}

/// Reports each cycle of parents once, at its first entity.
fn cycles(nodes: &Nodes<'_>, ids: &HashMap<&str, &str>, add: &mut dyn FnMut(String, Rule, String)) {
    let all: HashMap<&str, &Node<'_>> = nodes.iter().map(|(alias, own)| (*alias, own)).collect();
    let mut done: HashSet<&str> = HashSet::new();
    for (start, _) in nodes {
        let mut way: Vec<&str> = Vec::new();
        let mut on_way: HashSet<&str> = HashSet::new();
        let mut next = Some(*start);
        while let Some(alias) = next.filter(|own| !done.contains(own) && on_way.insert(own)) {
            way.push(alias);
            let parent = all.get(alias).and_then(|own| own.parent);
            next = parent.map(|own| node_of(own, ids)).filter(|own| *own != CONTAINER);
        }
        if let Some(first) = next.filter(|own| on_way.contains(own))
            && let Some(node) = all.get(first)
        {
            let round = way.iter().skip_while(|own| **own != first);
            let names = round.filter_map(|own| all.get(own)).map(|own| own.name.as_str());
            let names: Vec<&str> = names.chain([node.name.as_str()]).collect();
            let message = format!("{} is its own ancestor: {}", node.name, names.join(" below "));
            add(node.pointer.clone(), Rule::ParentCycle, message);
        }
        done.extend(way);
    }
}
