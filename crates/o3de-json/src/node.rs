//! A Rust value as serde shows it, kept in memory with its types: what stripping compares, and what
//! is loaded onto.

mod tree;

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::types::{EnumInfo, Uuid, handoff};

pub(crate) use tree::{is_text, node_of, refused, tree};

/// The variant that takes unknown classes whole.
pub(crate) const UNKNOWN: &str = "$unknown";

/// The variant of the declared type: the one that is named as the enum is.
pub(crate) fn base(name: &'static str, variants: &'static [&'static str]) -> Option<&'static str> {
    variants.iter().copied().find(|variant| name_of(variant).eq_ignore_ascii_case(name))
}

/// `{UUID} Name` or `Name`: the name.
pub(crate) fn name_of(variant: &str) -> &str {
    match variant.split_once('}') {
        Some((uuid, name)) if uuid.starts_with('{') => name.trim(),
        _ => variant,
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// Unit structs: classes without members.
    Unit,
    /// `()`, and null where a value has no type.
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f32),
    Double(f64),
    Text(String),
    /// Bytes of serde: an array of numbers.
    Bytes(Vec<u8>),
    /// [`Bytes`](crate::types::Bytes).
    Base64(Vec<u8>),
    Uuid(Uuid),
    Reals(Shape, Vec<f32>),
    /// JSON text.
    Raw(String),
    /// An enum with a table.
    Flags(u64, &'static EnumInfo),
    /// A unit variant.
    Name(&'static str),
    Seq(Order, Vec<Node>),
    /// Arrays, pairs, tuples.
    Tuple(Vec<Node>),
    Class(Vec<(&'static str, Node)>),
    Map(MapKind, Vec<(Node, Node)>),
    None,
    Some(Box<Node>),
    /// A variant with data: a pointer to a class. `base` says whether it is the declared one.
    Variant {
        name: &'static str,
        base: bool,
        content: Box<Node>,
    },
    /// `AZStd::any` with a value.
    Any(String, String),
}

impl Node {
    /// The number that reading the same value from a text has too, by `Loader::traced`.
    pub(crate) fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.feed(&mut hasher);
        hasher.finish()
    }

    /// Whether `{}` makes a zero of it where it is the value of a key: the engine loads it as new.
    pub(crate) fn is_plain(&self) -> bool {
        use Node::*;
        matches!(
            self,
            Bool(_) | Unsigned(_) | Signed(_) | Float(_) | Double(_) | Uuid(_) | Reals(..)
        )
    }

    fn feed(&self, hasher: &mut DefaultHasher) {
        match self {
            Node::Unit | Node::Null | Node::None => {}
            Node::Bool(value) => u64::from(*value).hash(hasher),
            Node::Unsigned(value) | Node::Flags(value, _) => value.hash(hasher),
            Node::Signed(value) => value.cast_unsigned().hash(hasher),
            Node::Float(value) => u64::from(value.to_bits()).hash(hasher),
            Node::Double(value) => value.to_bits().hash(hasher),
            Node::Text(text) | Node::Raw(text) => text.as_str().hash(hasher),
            Node::Bytes(bytes) | Node::Base64(bytes) => bytes.hash(hasher),
            Node::Uuid(uuid) => uuid.0.hash(hasher),
            Node::Reals(_, values) => {
                values.iter().for_each(|value| u64::from(value.to_bits()).hash(hasher));
            }
            Node::Name(name) => name.hash(hasher),
            Node::Seq(_, nodes) | Node::Tuple(nodes) => {
                nodes.iter().for_each(|node| node.feed(hasher));
            }
            Node::Class(fields) => fields.iter().for_each(|(_, node)| node.feed(hasher)),
            Node::Map(_, entries) => entries.iter().for_each(|(key, value)| {
                key.feed(hasher);
                value.feed(hasher);
            }),
            Node::Some(node) => node.feed(hasher),
            Node::Variant { name, content, .. } => {
                name.hash(hasher);
                content.feed(hasher);
            }
            Node::Any(name, value) => (name.as_str(), value.as_str()).hash(hasher),
        }
    }
}

/// Types that are written as a row of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Vector2,
    Vector3,
    Vector4,
    Quaternion,
    Matrix3x3,
    Matrix3x4,
    Matrix4x4,
    Color,
}

impl Shape {
    /// Reserved name of each, and its name in messages.
    const ALL: [(Shape, &str, &str); 8] = [
        (Shape::Vector2, handoff::VECTOR2, "a Vector2"),
        (Shape::Vector3, handoff::VECTOR3, "a Vector3"),
        (Shape::Vector4, handoff::VECTOR4, "a Vector4"),
        (Shape::Quaternion, handoff::QUATERNION, "a Quaternion"),
        (Shape::Matrix3x3, handoff::MATRIX3X3, "a Matrix3x3"),
        (Shape::Matrix3x4, handoff::MATRIX3X4, "a Matrix3x4"),
        (Shape::Matrix4x4, handoff::MATRIX4X4, "a Matrix4x4"),
        (Shape::Color, handoff::COLOR, "a Color"),
    ];

    pub(crate) fn of(name: &str) -> Option<Shape> {
        Self::ALL.iter().find(|(_, own, _)| *own == name).map(|(shape, ..)| *shape)
    }

    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(shape, ..)| *shape == self).map_or("", |(.., name)| *name)
    }

    pub(crate) fn len(self) -> usize {
        match self {
            Shape::Vector2 => 2,
            Shape::Vector3 => 3,
            Shape::Vector4 | Shape::Quaternion | Shape::Color => 4,
            Shape::Matrix3x3 => 9,
            Shape::Matrix3x4 => 12,
            Shape::Matrix4x4 => 16,
        }
    }

    /// A new instance: zeros, or the identity.
    pub(crate) fn initial(self) -> [f32; 16] {
        let mut values = [0.0; 16];
        let ones: &[usize] = match self {
            Shape::Quaternion => &[3],
            Shape::Matrix3x3 => &[0, 4, 8],
            Shape::Matrix3x4 => &[0, 5, 10],
            Shape::Matrix4x4 => &[0, 5, 10, 15],
            _ => &[],
        };
        for &index in ones {
            if let Some(value) = values.get_mut(index) {
                *value = 1.0;
            }
        }
        values
    }
}

/// Whether a sequence is written as it is, or sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Given,
    Sorted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MapKind {
    Given,
    /// A map of no known type: an object when it is empty.
    Open,
    Sorted,
    /// Several values for a key; sorted.
    Multi,
}
