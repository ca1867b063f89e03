//! The table of types, and what typed containers hold.

use std::fmt;

use crate::error::Shortened;
use crate::options::Dialect;
use crate::types::GString;

macro_rules! types {
    ($($name:ident $engine:literal),+ $(,)?) => {
        /// The engine's types, in the order of the 4.x table.
        ///
        /// The same type has another number in 3.x and on the published page; see [`Type::id`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the names are the engine's own")]
        pub enum Type { $($name),+ }

        impl Type {
            /// All types, in the order of their 4.x ids.
            pub const ALL: [Type; 39] = [$(Type::$name),+];

            /// The 4.x engine's name, as `type_string()` has it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Type::$name => $engine,)+
                }
            }
        }
    };
}

// The index of each is its id in 4.x.
types! {
    Nil "Nil", Bool "bool", Int "int", Float "float", String "String", Vector2 "Vector2",
    Vector2i "Vector2i", Rect2 "Rect2", Rect2i "Rect2i", Vector3 "Vector3", Vector3i "Vector3i",
    Transform2D "Transform2D", Vector4 "Vector4", Vector4i "Vector4i", Plane "Plane",
    Quaternion "Quaternion", Aabb "AABB", Basis "Basis", Transform3D "Transform3D",
    Projection "Projection", Color "Color", StringName "StringName", NodePath "NodePath",
    Rid "RID", Object "Object", Callable "Callable", Signal "Signal", Dictionary "Dictionary",
    Array "Array", PackedByteArray "PackedByteArray", PackedInt32Array "PackedInt32Array",
    PackedInt64Array "PackedInt64Array", PackedFloat32Array "PackedFloat32Array",
    PackedFloat64Array "PackedFloat64Array", PackedStringArray "PackedStringArray",
    PackedVector2Array "PackedVector2Array", PackedVector3Array "PackedVector3Array",
    PackedColorArray "PackedColorArray", PackedVector4Array "PackedVector4Array",
}

use Type::*;

macro_rules! table {
    ($($name:ident)+) => { [$(Type::$name),+] };
}

/// The ids of 3.x; the index is the id.
const GODOT3: [Type; 27] = table! {
    Nil Bool Int Float String Vector2 Rect2 Vector3 Transform2D Plane Quaternion Aabb Basis
    Transform3D Color NodePath Rid Object Dictionary Array PackedByteArray PackedInt32Array
    PackedFloat32Array PackedStringArray PackedVector2Array PackedVector3Array PackedColorArray
};

/// The ids of the published page, which are those of no engine.
const DOCS: [Type; 29] = table! {
    Nil Bool Int Float String Vector2 Rect2 Vector3 Transform2D Plane Quaternion Aabb Basis
    Transform3D Color NodePath Rid Object Dictionary Array PackedByteArray PackedInt32Array
    PackedInt64Array PackedFloat32Array PackedFloat64Array PackedStringArray PackedVector2Array
    PackedVector3Array PackedColorArray
};

/// The reverse of a table; 0xff where the dialect lacks the type.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "evaluated at compile time, where a panic is a build error"
)]
const fn reversed(table: &[Type]) -> [u8; 39] {
    let mut ids = [0xff; 39];
    let mut id = 0;
    while id < table.len() {
        ids[table[id] as usize] = id as u8;
        id += 1;
    }
    ids
}

const GODOT3_IDS: [u8; 39] = reversed(&GODOT3);
const DOCS_IDS: [u8; 39] = reversed(&DOCS);

impl Type {
    /// The number of this type in a dialect, or `None` if the dialect lacks it.
    #[inline]
    pub fn id(self, dialect: Dialect) -> Option<u8> {
        match dialect {
            Dialect::Godot4 => Some(self as u8),
            Dialect::Godot3 => GODOT3_IDS.get(self as usize).copied().filter(|&id| id != 0xff),
            Dialect::Docs => DOCS_IDS.get(self as usize).copied().filter(|&id| id != 0xff),
        }
    }

    /// The type with this number in a dialect.
    #[inline]
    pub fn from_id(id: u32, dialect: Dialect) -> Option<Type> {
        let id = usize::try_from(id).ok()?;
        match dialect {
            Dialect::Godot4 => Type::ALL.get(id).copied(),
            Dialect::Godot3 => GODOT3.get(id).copied(),
            Dialect::Docs => DOCS.get(id).copied(),
        }
    }

    /// The type with this engine name.
    pub fn from_name(name: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Number of components of a math type, 0 for the others.
    pub fn components(self) -> usize {
        match self {
            Vector2 | Vector2i => 2,
            Vector3 | Vector3i => 3,
            Rect2 | Rect2i | Vector4 | Vector4i | Plane | Quaternion | Color => 4,
            Transform2D | Aabb => 6,
            Basis => 9,
            Transform3D => 12,
            Projection => 16,
            _ => 0,
        }
    }

    /// The type of the elements of a packed array of vectors or colours.
    pub fn element(self) -> Option<Type> {
        Some(match self {
            PackedVector2Array => Vector2,
            PackedVector3Array => Vector3,
            PackedVector4Array => Vector4,
            PackedColorArray => Color,
            _ => return None,
        })
    }

    /// Whether it is a row of numbers: a math type, or a packed array of anything but strings.
    pub(crate) fn is_row(self) -> bool {
        self.components() > 0 || (self >= PackedByteArray && self != PackedStringArray)
    }

    /// Whether the components are `real_t`, so that the 64-bit flag applies in 4.x.
    #[inline]
    pub fn is_real(self) -> bool {
        match self {
            Vector2i | Vector3i | Vector4i | Rect2i | Color | PackedColorArray => false,
            kind => kind.components() > 0 || kind.element().is_some(),
        }
    }

    /// How many numbers a value of this type has, or an element of this packed array, and the bytes of each
    /// of them where `real_t` has 64 bits or not; `None` for a type that is no row of numbers.
    ///
    /// ```
    /// use godot_variant::types::Type;
    ///
    /// assert_eq!(Type::Vector3.numbers(false), Some((3, 4)));
    /// assert_eq!(Type::PackedVector2Array.numbers(true), Some((2, 8)));
    /// ```
    pub fn numbers(self, wide: bool) -> Option<(usize, usize)> {
        let count =
            if self.components() > 0 { self.components() } else { self.packed_components() };
        let size = crate::read::Number::of(self, wide && self.is_real()).size();
        self.is_row().then_some((count, size))
    }

    /// Number of components of one element of a packed array; 1 for those of scalars and for other types.
    pub fn packed_components(self) -> usize {
        self.element().map_or(1, Type::components)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Bits 16 to 31 of a header.
pub(crate) const FLAG_64: u32 = 1;
pub(crate) const FLAG_OBJECT_AS_ID: u32 = 1;

/// Whether the engine sends this float with 32 bits: when that loses nothing. Never NaN.
#[inline]
#[allow(clippy::cast_possible_truncation, clippy::float_cmp, reason = "that is the rule")]
pub(crate) fn fits_f32(value: f64) -> bool {
    f64::from(value as f32) == value
}

/// The type of the elements of an array, or of the keys or values of a dictionary (4.3 and 4.4 on).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// Anything: the container is not typed.
    #[default]
    Any,
    /// One of the engine's types.
    Builtin(Type),
    /// Objects of a class, by its name, as in `Array[Node]`.
    Class(GString),
    /// Objects with a script, by its `res://` path.
    Script(GString),
}

impl ElementType {
    /// The class name that stands for every class and script when whole objects are not sent.
    pub const ENCODED_OBJECT_AS_ID: &'static str = "EncodedObjectAsID";

    /// Whether the container is typed at all.
    pub fn is_typed(&self) -> bool {
        *self != ElementType::Any
    }

    /// The builtin type: `Object` for classes and scripts, `None` when not typed.
    pub fn builtin(&self) -> Option<Type> {
        match self {
            ElementType::Any => None,
            ElementType::Builtin(kind) => Some(*kind),
            ElementType::Class(_) | ElementType::Script(_) => Some(Object),
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ElementType::Any => f.write_str("Variant"),
            ElementType::Builtin(kind) => kind.fmt(f),
            ElementType::Class(name) => write!(f, "{}", Shortened(name)),
            ElementType::Script(path) => write!(f, "\"{}\"", Shortened(path)),
        }
    }
}
