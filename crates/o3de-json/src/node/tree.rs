//! A Rust value as a [`Node`].

use serde_core::ser::{self, Error as _, Serialize, SerializeMap as _};

use super::{MapKind, Node, Order, Shape, UNKNOWN, name_of};
use crate::types::{Uuid, handoff};
use crate::value::as_text;
use crate::write::{Ask, Limits, into_text};
use crate::{Error, ErrorKind, Options, Result};

/// The node of a value.
pub(crate) fn node_of<T: Serialize + ?Sized>(value: &T, options: &Options) -> Result<Node> {
    value.serialize(tree(options))
}

/// The serializer that makes nodes.
pub(crate) fn tree(options: &Options) -> Tree {
    Tree { left: options.limits.max_typed_depth }
}

/// Whether a map key is of a string type, not an enum that is written as one.
pub(crate) fn is_text<T: Serialize + ?Sized>(key: &T, options: &Options) -> bool {
    matches!(node_of(key, options), Ok(Node::Text(_)))
}

#[derive(Clone, Copy)]
pub(crate) struct Tree {
    /// How deep it may still go.
    left: usize,
}

impl Tree {
    fn deeper(self) -> Result<Tree> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Tree { left }),
            None => Err(Error::new(
                ErrorKind::DepthLimit,
                "more than max_typed_depth nested containers",
            )),
        }
    }
}

macro_rules! leaves {
    ($($method:ident $type:ty => |$value:ident| $node:expr),* $(,)?) => {$(
        fn $method(self, $value: $type) -> Result<Node> {
            Ok($node)
        }
    )*};
}

fn signed(value: i64) -> Node {
    match u64::try_from(value) {
        Ok(value) => Node::Unsigned(value),
        Err(_) => Node::Signed(value),
    }
}

impl ser::Serializer for Tree {
    type Ok = Node;
    type Error = Error;
    type SerializeSeq = NodeElements;
    type SerializeTuple = NodeElements;
    type SerializeTupleStruct = NodeElements;
    type SerializeTupleVariant = NodeElements;
    type SerializeMap = NodeEntries;
    type SerializeStruct = NodeMembers;
    type SerializeStructVariant = NodeMembers;

    leaves! {
        serialize_bool bool => |value| Node::Bool(value),
        serialize_i8 i8 => |value| signed(value.into()),
        serialize_i16 i16 => |value| signed(value.into()),
        serialize_i32 i32 => |value| signed(value.into()),
        serialize_i64 i64 => |value| signed(value),
        serialize_u8 u8 => |value| Node::Unsigned(value.into()),
        serialize_u16 u16 => |value| Node::Unsigned(value.into()),
        serialize_u32 u32 => |value| Node::Unsigned(value.into()),
        serialize_u64 u64 => |value| Node::Unsigned(value),
        serialize_f32 f32 => |value| Node::Float(value),
        serialize_f64 f64 => |value| Node::Double(value),
        serialize_char char => |value| Node::Text(value.to_string()),
        serialize_str &str => |value| Node::Text(value.to_owned()),
        serialize_bytes &[u8] => |value| Node::Bytes(value.to_owned()),
    }

    fn serialize_i128(self, value: i128) -> Result<Node> {
        Ok(match (u64::try_from(value), i64::try_from(value)) {
            (Ok(value), _) => Node::Unsigned(value),
            (_, Ok(value)) => Node::Signed(value),
            _ => Node::Raw(value.to_string()),
        })
    }

    fn serialize_u128(self, value: u128) -> Result<Node> {
        Ok(u64::try_from(value).map_or_else(|_| Node::Raw(value.to_string()), Node::Unsigned))
    }

    fn serialize_none(self) -> Result<Node> {
        Ok(Node::None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Node> {
        let content = match value.serialize(self.deeper()?)? {
            Node::Null => Node::Unit,
            content => content,
        };
        Ok(Node::Some(Box::new(content)))
    }

    fn serialize_unit(self) -> Result<Node> {
        Ok(Node::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Node> {
        Ok(Node::Unit)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Node> {
        Ok(Node::Name(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Node> {
        if !name.starts_with(handoff::PREFIX) {
            return value.serialize(self.deeper()?);
        }
        let left = handoff::take_enum();
        let inner = || value.serialize(self.deeper()?);
        if let Some(shape) = Shape::of(name) {
            let Node::Tuple(parts) = inner()? else { return Err(reserved(name)) };
            let values = parts.iter().map(|part| match part {
                Node::Float(value) => Ok(*value),
                _ => Err(reserved(name)),
            });
            return Ok(Node::Reals(shape, values.collect::<Result<_>>()?));
        }
        Ok(match (name, left) {
            (handoff::ENUM, Some((info, bits))) => Node::Flags(bits, info),
            (handoff::UUID, _) => match inner()? {
                Node::Text(text) => Node::Uuid(Uuid::find(&text).ok_or_else(|| reserved(name))?),
                _ => return Err(reserved(name)),
            },
            (handoff::BYTES, _) => match inner()? {
                Node::Bytes(bytes) => Node::Base64(bytes),
                _ => return Err(reserved(name)),
            },
            (handoff::RAW, _) => {
                let limits = Limits::new(usize::MAX, usize::MAX);
                let (text, done) = as_text(Ask { out: Vec::new(), pretty: false, limits }, inner);
                done.map(|()| Node::Raw(into_text(text)))?
            }
            (handoff::ANY, _) => match inner()? {
                Node::Class(members) => match <[_; 2]>::try_from(members) {
                    Ok([(_, Node::Text(name)), (_, Node::Raw(value))]) => Node::Any(name, value),
                    _ => Node::Unit,
                },
                _ => return Err(reserved(name)),
            },
            (handoff::REFUSED, _) => return Err(refused()),
            (handoff::MULTI_MAP, _) => match inner()? {
                Node::Map(_, entries) => Node::Map(MapKind::Multi, entries),
                node => node,
            },
            (
                handoff::UNORDERED_MAP
                | handoff::UNORDERED_SET
                | handoff::MULTI_SET
                | handoff::SORTED,
                _,
            ) => match inner()? {
                Node::Map(_, entries) => Node::Map(MapKind::Sorted, entries),
                Node::Seq(_, elements) => Node::Seq(Order::Sorted, elements),
                node => node,
            },
            _ => inner()?,
        })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Node> {
        let content = value.serialize(self.deeper()?)?;
        if variant == UNKNOWN && matches!(content, Node::Raw(_)) {
            return Ok(content);
        }
        Ok(in_variant(Some((name, variant)), content))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<NodeElements> {
        NodeElements::new(self, len)
    }

    fn serialize_tuple(self, len: usize) -> Result<NodeElements> {
        let mut elements = NodeElements::new(self, Some(len))?;
        elements.tuple = true;
        Ok(elements)
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<NodeElements> {
        self.serialize_tuple(len)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<NodeElements> {
        let mut elements = self.deeper()?.serialize_tuple(len)?;
        elements.variant = Some((name, variant));
        Ok(elements)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<NodeEntries> {
        Ok(NodeEntries { tree: self.deeper()?, key: None, entries: Vec::new() })
    }

    fn collect_map<K: Serialize, V: Serialize, I: IntoIterator<Item = (K, V)>>(
        self,
        entries: I,
    ) -> Result<Node> {
        let mut map = self.serialize_map(None)?;
        entries.into_iter().try_for_each(|(key, value)| map.serialize_entry(&key, &value))?;
        Ok(Node::Map(MapKind::Given, map.entries))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<NodeMembers> {
        Ok(NodeMembers { tree: self.deeper()?, members: Vec::new(), variant: None })
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<NodeMembers> {
        let mut members = self.deeper()?.serialize_struct(name, len)?;
        members.variant = Some((name, variant));
        Ok(members)
    }

    fn collect_str<T: std::fmt::Display + ?Sized>(self, value: &T) -> Result<Node> {
        Ok(Node::Text(value.to_string()))
    }
}

/// An enum and its variant.
type VariantName = (&'static str, &'static str);

fn in_variant(variant: Option<VariantName>, content: Node) -> Node {
    let Some((name, variant)) = variant else { return content };
    let base = name_of(variant).eq_ignore_ascii_case(name);
    Node::Variant { name: variant, base, content: Box::new(content) }
}

/// The error for a type that the engine does not store.
#[cold]
pub(crate) fn refused() -> Error {
    Error::new(ErrorKind::Invalid, "expected anything but a type that the engine does not store")
}

/// A type that is not of this crate uses one of its reserved names.
#[cold]
fn reserved(name: &str) -> Error {
    Error::custom(format_args!("the name `{name}` is reserved"))
}

pub(crate) struct NodeElements {
    tree: Tree,
    elements: Vec<Node>,
    tuple: bool,
    variant: Option<VariantName>,
}

impl NodeElements {
    fn new(tree: Tree, len: Option<usize>) -> Result<Self> {
        let elements = Vec::with_capacity(len.map_or(0, |len| len.min(1 << 12)));
        Ok(NodeElements { tree: tree.deeper()?, elements, tuple: false, variant: None })
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.elements.len();
        let node = value.serialize(self.tree).map_err(|error| error.in_index(index))?;
        self.elements.push(node);
        Ok(())
    }

    fn node(self) -> Node {
        let node = match self.tuple {
            true => Node::Tuple(self.elements),
            false => Node::Seq(Order::Given, self.elements),
        };
        in_variant(self.variant, node)
    }
}

pub(crate) struct NodeEntries {
    tree: Tree,
    key: Option<Node>,
    entries: Vec<(Node, Node)>,
}

impl ser::SerializeMap for NodeEntries {
    type Ok = Node;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key = Some(key.serialize(self.tree)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let index = self.entries.len();
        let value = value.serialize(self.tree).map_err(|error| match &self.key {
            Some(Node::Text(key)) => error.in_field(key),
            _ => error.in_field("Value").in_index(index),
        })?;
        let key = self.key.take().ok_or_else(|| Error::custom("a value before its key"))?;
        self.entries.push((key, value));
        Ok(())
    }

    fn end(self) -> Result<Node> {
        Ok(Node::Map(MapKind::Open, self.entries))
    }
}

pub(crate) struct NodeMembers {
    tree: Tree,
    members: Vec<(&'static str, Node)>,
    variant: Option<VariantName>,
}

impl NodeMembers {
    fn push<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        let node = value.serialize(self.tree).map_err(|error| error.in_field(name))?;
        self.members.push((name, node));
        Ok(())
    }

    fn node(self) -> Node {
        in_variant(self.variant, Node::Class(self.members))
    }
}

macro_rules! compound {
    ($($own:ident: $trait:ident $method:ident($($name:ident: $type:ty)?);)*) => {$(
        impl ser::$trait for $own {
            type Ok = Node;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($name: $type,)?
                value: &T,
            ) -> Result<()> {
                self.push($($name,)? value)
            }

            fn end(self) -> Result<Node> {
                Ok(self.node())
            }
        }
    )*};
}

compound! {
    NodeElements: SerializeSeq serialize_element();
    NodeElements: SerializeTuple serialize_element();
    NodeElements: SerializeTupleStruct serialize_field();
    NodeElements: SerializeTupleVariant serialize_field();
    NodeMembers: SerializeStruct serialize_field(name: &'static str);
    NodeMembers: SerializeStructVariant serialize_field(name: &'static str);
}
