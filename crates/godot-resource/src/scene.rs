//! Scenes: nodes, connections, editable instances.

mod bundle;

pub(crate) use bundle::{simplified, weight};

use godot_variant::Value;
use godot_variant::types::{GString, NodePath};
use godot_variant::value::Reference;

use crate::contents::{Properties, get};

/// `Object.CONNECT_PERSIST`, the flags of a connection that says none.
pub(crate) const PERSIST: i32 = 2;

/// The nodes of a scene, each after its parent, as files have them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The nodes; the first one is the root.
    pub nodes: Vec<Node>,
    /// The connections of signals.
    pub connections: Vec<Connection>,
    /// Instances whose children may be changed.
    pub editable: Vec<NodePath>,
}

/// A node, or what is changed of a node that an instanced or inherited scene has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The name.
    pub name: GString,
    /// The engine's class; `None` for an instance, and for a node of another scene.
    pub class: Option<GString>,
    /// The path of the parent from the root, `.` for the root itself; `None` of the root.
    pub parent: Option<NodePath>,
    /// The unique ids on the way to the parent, where it is in another scene (4.6 on).
    pub parent_id_path: Vec<i32>,
    /// The path of the owner, if that is not the root.
    pub owner: Option<NodePath>,
    /// The unique ids on the way to the owner (4.6 on).
    pub owner_id_path: Vec<i32>,
    /// The place among its siblings, if it is said.
    pub index: Option<i32>,
    /// The unique id in the scene (4.6 on).
    pub unique_id: Option<i32>,
    /// The properties whose node paths become nodes (4.1 on).
    pub node_paths: Vec<GString>,
    /// The groups.
    pub groups: Vec<GString>,
    /// The scene that is instanced; at the root, the one that is inherited.
    pub instance: Option<Reference>,
    /// The path of a scene that is instanced only when a script says so.
    pub placeholder: Option<GString>,
    /// The properties.
    pub properties: Properties,
}

/// A connection of a signal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Connection {
    /// The signal.
    pub signal: GString,
    /// The path of the node that has it.
    pub from: NodePath,
    /// The unique ids on the way to that node, where it is in another scene (4.6 on).
    pub from_id_path: Vec<i32>,
    /// The path of the node that is called.
    pub to: NodePath,
    /// The unique ids on the way to that node (4.6 on).
    pub to_id_path: Vec<i32>,
    /// The method.
    pub method: GString,
    /// `Object.ConnectFlags`.
    pub flags: i32,
    /// How many arguments of the signal are left out (4.0 on).
    pub unbinds: i32,
    /// Arguments after those of the signal.
    pub binds: Vec<Value>,
}

impl Scene {
    /// The node at a path from the root, which is `.`.
    pub fn find(&self, path: &str) -> Option<&Node> {
        let wanted = NodePath::new(path);
        match &*wanted.names {
            [dot] if dot == "." => self.nodes.iter().find(|node| node.parent.is_none()),
            [above @ .., name] => self.nodes.iter().find(|node| {
                node.name == *name
                    && node.parent.as_ref().is_some_and(|parent| match &*parent.names {
                        [dot] if dot == "." => above.is_empty(),
                        names => names == above,
                    })
            }),
            [] => None,
        }
    }
}

impl Node {
    /// The value of a property. Of two that have one name the last counts.
    pub fn get(&self, property: &str) -> Option<&Value> {
        get(&self.properties, property)
    }

    /// The path from the root, which is `.`.
    pub fn path(&self) -> NodePath {
        let Some(parent) = &self.parent else { return NodePath::new(".") };
        let mut names = match &*parent.names {
            [dot] if dot == "." => Vec::new(),
            names => names.to_vec(),
        };
        names.push(self.name.clone());
        NodePath { absolute: false, names, subnames: Vec::new() }
    }
}
