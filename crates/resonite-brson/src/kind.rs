use std::fmt;

use crate::read::payload_len;

/// The table of types: meaning, name, byte, words for sentences.
macro_rules! kinds {
    ($($(#[$meaning:meta])+ $name:ident = $byte:literal, $words:literal;)+) => {
        /// A BSON element type, with its byte on the wire.
        ///
        /// The engine writes `Double` to `Array`, `Bool`, `DateTime`, `Null`, `Int32` and `Int64`;
        /// the others are read and kept all the same.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$meaning])+ $name = $byte,)+
        }

        impl Kind {
            /// The type of a byte.
            #[inline(always)]
            pub fn from_byte(byte: u8) -> Option<Kind> {
                Some(match byte {
                    $($byte => Kind::$name,)+
                    _ => return None,
                })
            }

            /// Name of the type: `Int32`.
            pub fn name(self) -> &'static str {
                match self { $(Kind::$name => stringify!($name),)+ }
            }

            /// In sentences: `a document`.
            pub fn words(self) -> &'static str {
                match self { $(Kind::$name => $words,)+ }
            }
        }
    };
}

kinds! {
    /// 64-bit float.
    Double = 0x01, "a double";
    /// UTF-8 text with its length; may contain NUL.
    String = 0x02, "a string";
    /// Keys and values in order.
    Document = 0x03, "a document";
    /// Values in order; on the wire a document with the keys "0", "1", ...
    Array = 0x04, "an array";
    /// Bytes with a subtype.
    Binary = 0x05, "binary data";
    /// Deprecated.
    Undefined = 0x06, "undefined";
    /// 12 bytes.
    ObjectId = 0x07, "an ObjectId";
    /// One byte, 0 or 1.
    Bool = 0x08, "a bool";
    /// Milliseconds since 1970, UTC.
    DateTime = 0x09, "a date";
    /// Null.
    Null = 0x0a, "null";
    /// A pattern and its options.
    Regex = 0x0b, "a regular expression";
    /// Deprecated: a namespace and an ObjectId.
    DbPointer = 0x0c, "a DBPointer";
    /// JavaScript.
    Code = 0x0d, "code";
    /// Deprecated: text.
    Symbol = 0x0e, "a symbol";
    /// Deprecated: JavaScript and a document of variables.
    CodeWithScope = 0x0f, "code with a scope";
    /// 32-bit integer.
    Int32 = 0x10, "an int32";
    /// Increment and seconds of MongoDB's replication.
    Timestamp = 0x11, "a timestamp";
    /// 64-bit integer.
    Int64 = 0x12, "an int64";
    /// IEEE 754 decimal of 128 bits.
    Decimal128 = 0x13, "a decimal128";
    /// Lower than every other value.
    MinKey = 0xff, "the lowest key";
    /// Higher than every other value.
    MaxKey = 0x7f, "the highest key";
}

impl Kind {
    /// Whether no engine writes it, so that a value of it is only its bytes.
    pub(crate) fn is_other(self) -> bool {
        use Kind::*;
        let known = matches!(self, Double | String | Document | Array | Binary | Bool | DateTime);
        !known && !matches!(self, Null | Int32 | Int64)
    }

    /// The length of the value of this type at the start of `bytes`, as its head says it; `None` where no
    /// such length can be. Whether the value is valid, and there as a whole, is not looked at.
    #[inline]
    pub fn len_in(self, bytes: &[u8]) -> Option<usize> {
        payload_len(self, bytes)
    }

    /// The byte on the wire.
    pub fn byte(self) -> u8 {
        self as u8
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
