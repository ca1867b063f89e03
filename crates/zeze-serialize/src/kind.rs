use std::fmt;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $number:literal $name:literal $article:literal;)+) => {
        /// A wire type: the low four bits of a tag, as in the [table of types].
        ///
        /// The numbers 13 to 15 are free on the published page and defined by no implementation.
        /// Because nothing says how long such a value is, it cannot be read or skipped.
        ///
        /// [table of types]: https://github.com/gamewire/gamewire/blob/main/docs/formats/zeze-serialize.md#types
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$doc])* $kind = $number,)+
        }

        impl Kind {
            /// All wire types, by number.
            pub const ALL: [Kind; 13] = [$(Kind::$kind),+];

            /// The wire type of a number; `None` for 13 and above.
            #[inline]
            pub const fn from_number(number: u8) -> Option<Kind> {
                match number {
                    $($number => Some(Kind::$kind),)+
                    _ => None,
                }
            }

            /// The name in explanations and in the JSON notation: `int`, `vector2int`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Kind::$kind => $name,)+
                }
            }

            /// With its article, for errors.
            pub(crate) const fn article(self) -> &'static str {
                match self {
                    $(Kind::$kind => $article,)+
                }
            }
        }
    };
}

kinds! {
    /// `bool`, `byte`, `short`, `int`, `long`: a signed integer of 1 to 9 bytes.
    #[default]
    Int = 0 "int" "an integer";
    /// `float`: 4 bytes, little-endian.
    Float = 1 "float" "a float";
    /// `double`: 8 bytes, little-endian.
    Double = 2 "double" "a double";
    /// `string`, `binary`, `decimal`: a length, and that number of bytes.
    Bytes = 3 "string" "a string";
    /// `list`, `set`: elements of one wire type.
    List = 4 "list" "a list";
    /// `map`: keys of one wire type and values of one wire type.
    Map = 5 "map" "a map";
    /// A bean: fields with ids, in ascending order.
    Bean = 6 "bean" "a bean";
    /// A dynamic bean: a type id and a bean.
    Dynamic = 7 "dynamic" "a dynamic bean";
    /// Two floats.
    Vector2 = 8 "vector2" "a vector2";
    /// Two signed integers.
    Vector2Int = 9 "vector2int" "a vector2int";
    /// Three floats.
    Vector3 = 10 "vector3" "a vector3";
    /// Three signed integers.
    Vector3Int = 11 "vector3int" "a vector3int";
    /// Four floats; also the quaternion.
    Vector4 = 12 "vector4" "a vector4";
}

impl Kind {
    /// The number, 0 to 12.
    #[inline]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The wire type of a name, as [`name`](Self::name) returns it.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The fewest bytes that a value of this type takes.
    #[inline]
    pub(crate) const fn smallest(self) -> usize {
        match self {
            Kind::Int | Kind::Bytes | Kind::List | Kind::Bean => 1,
            Kind::Map | Kind::Dynamic | Kind::Vector2Int => 2,
            Kind::Vector3Int => 3,
            Kind::Float => 4,
            Kind::Double | Kind::Vector2 => 8,
            Kind::Vector3 => 12,
            Kind::Vector4 => 16,
        }
    }

    /// Bytes of a value, where all values of the type have the same number of them.
    #[inline]
    pub(crate) const fn fixed(self) -> Option<usize> {
        match self {
            Kind::Float => Some(4),
            Kind::Double | Kind::Vector2 => Some(8),
            Kind::Vector3 => Some(12),
            Kind::Vector4 => Some(16),
            _ => None,
        }
    }

    /// Components of a vector; 0 for the other types.
    #[inline]
    pub(crate) const fn components(self) -> usize {
        match self {
            Kind::Vector2 | Kind::Vector2Int => 2,
            Kind::Vector3 | Kind::Vector3Int => 3,
            Kind::Vector4 => 4,
            _ => 0,
        }
    }

    /// Whether there are values inside.
    #[inline]
    pub(crate) const fn is_container(self) -> bool {
        matches!(self, Kind::List | Kind::Map | Kind::Bean | Kind::Dynamic)
    }

    /// Whether it is a vector of integers.
    #[inline]
    pub(crate) const fn has_ints(self) -> bool {
        matches!(self, Kind::Vector2Int | Kind::Vector3Int)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
