use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign};

macro_rules! flags {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $flag:ident = $bit:literal $text:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        pub struct $name(
            /// The bits.
            pub u32,
        );

        impl $name {
            /// No flag.
            pub const NONE: $name = $name(0);
            $($(#[$doc])* pub const $flag: $name = $name(1 << $bit);)+

            /// Names of the flags by their bit, as documents of the format call them.
            pub const NAMES: &'static [(u32, &'static str)] = &[$(($bit, $text)),+];

            /// Both together.
            #[must_use]
            pub const fn union(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }

            /// Whether all bits of `other` are set.
            #[must_use]
            pub const fn contains(self, other: $name) -> bool {
                self.0 & other.0 == other.0
            }

            /// The same without the bits of `other`.
            #[must_use]
            pub const fn without(self, other: $name) -> $name {
                $name(self.0 & !other.0)
            }
        }

        impl BitOr for $name {
            type Output = $name;
            fn bitor(self, other: $name) -> $name {
                self.union(other)
            }
        }

        impl BitOrAssign for $name {
            fn bitor_assign(&mut self, other: $name) {
                *self = self.union(other);
            }
        }

        impl BitAnd for $name {
            type Output = $name;
            fn bitand(self, other: $name) -> $name {
                $name(self.0 & other.0)
            }
        }

        impl From<u32> for $name {
            fn from(bits: u32) -> $name {
                $name(bits)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        /// Names joined by `|`, bits without a name as a hexadecimal number; `0` for none.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut left = self.0;
                let mut first = true;
                for (bit, name) in Self::NAMES {
                    if self.0 & (1 << bit) != 0 {
                        left &= !(1 << bit);
                        f.write_str(if first { "" } else { "|" })?;
                        f.write_str(name)?;
                        first = false;
                    }
                }
                match (left, first) {
                    (0, true) => f.write_str("0"),
                    (0, false) => Ok(()),
                    (_, true) => write!(f, "{left:#x}"),
                    (_, false) => write!(f, "|{left:#x}"),
                }
            }
        }
    };
}

flags! {
    /// Flags of a serializer.
    SerializerFlags {
        /// The flags word leads the stream, and the reader takes it for its own flags.
        STATEFUL = 0 "STATEFUL",
        /// Lengths take 8 or 32 bits instead of 16 and 32.
        COMPACT_LENGTHS = 1 "COMPACT_LENGTHS",
        /// Enums are the names of their options.
        ENUM_NAMES = 2 "ENUM_NAMES",
        /// The objects may be compressed.
        COMPRESS = 3 "COMPRESS",
        /// Properties with [`PropertyFlags::DELTA_ENCODE`] are never left out.
        FORBID_DELTA = 4 "FORBID_DELTA",
    }
}

impl SerializerFlags {
    /// The usual flags of BINd files: stateful, compact lengths, names of enums.
    pub const FILE: SerializerFlags = SerializerFlags(7);
}

flags! {
    /// Flags of a property, as type lists give them. All 32 bits are kept.
    PropertyFlags {
        /// Stands in files.
        SAVE = 0 "SAVE",
        /// Is copied with the object.
        COPY = 1 "COPY",
        /// Other players may see it.
        PUBLIC = 2 "PUBLIC",
        /// Is sent to the player.
        TRANSMIT = 3 "TRANSMIT",
        /// Is sent to those with authority.
        PRIVILEGED_TRANSMIT = 4 "PRIVILEGED_TRANSMIT",
        /// Stands in the database.
        PERSIST = 5 "PERSIST",
        /// No longer used; deep mode leaves it out.
        DEPRECATED = 6 "DEPRECATED",
        /// Scripts do not see it.
        NO_SCRIPT = 7 "NO_SCRIPT",
        /// May be left out when it has not changed.
        DELTA_ENCODE = 8 "DELTA_ENCODE",
        /// A string that holds binary data.
        BLOB = 9 "BLOB",
        /// Not for editors.
        NO_EDIT = 16 "NO_EDIT",
        /// A name of a file.
        FILENAME = 17 "FILENAME",
        /// A colour.
        COLOR = 18 "COLOR",
        /// Constrained to a range.
        RANGE = 19 "RANGE",
        /// Bit flags with names.
        BITS = 20 "BITS",
        /// An enum.
        ENUM = 21 "ENUM",
        /// A key of a translation.
        LOCALIZED = 22 "LOCALIZED",
        /// A key of a string table.
        STRING_KEY = 23 "STRING_KEY",
        /// Id of an object.
        OBJECT_ID = 24 "OBJECT_ID",
        /// Id of a reference.
        REFERENCE_ID = 25 "REFERENCE_ID",
        /// An angle in radians.
        RADIANS = 26 "RADIANS",
        /// Name of an object.
        OBJECT_NAME = 27 "OBJECT_NAME",
        /// Has a base class.
        HAS_BASECLASS = 28 "HAS_BASECLASS",
        /// Overrides, or is a behaviour.
        OVERRIDE = 29 "OVERRIDE",
        /// An asset, or a weak reference.
        WEAK = 30 "WEAK",
    }
}

impl PropertyFlags {
    /// The mask of messages to a player: `TRANSMIT` and `PRIVILEGED_TRANSMIT`.
    pub const TRANSMITTED: PropertyFlags = PropertyFlags(0x18);
    /// The flags of properties that are inferred from Rust types: the first five.
    pub const INFERRED: PropertyFlags = PropertyFlags(0x1f);
}
