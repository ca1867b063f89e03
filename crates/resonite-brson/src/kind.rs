use std::fmt;

/// A BSON element type, with its byte on the wire.
///
/// The engine writes `Double` to `Array`, `Bool`, `DateTime`, `Null`, `Int32` and `Int64`; the
/// others are read and kept all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u8)]
pub enum Kind {
    /// 64-bit float.
    Double = 0x01,
    /// UTF-8 text with its length; may contain NUL.
    String = 0x02,
    /// Keys and values in order.
    Document = 0x03,
    /// Values in order; on the wire a document with the keys "0", "1", ...
    Array = 0x04,
    /// Bytes with a subtype.
    Binary = 0x05,
    /// Deprecated.
    Undefined = 0x06,
    /// 12 bytes.
    ObjectId = 0x07,
    /// One byte, 0 or 1.
    Bool = 0x08,
    /// Milliseconds since 1970, UTC.
    DateTime = 0x09,
    /// Null.
    Null = 0x0a,
    /// A pattern and its options.
    Regex = 0x0b,
    /// Deprecated: a namespace and an ObjectId.
    DbPointer = 0x0c,
    /// JavaScript.
    Code = 0x0d,
    /// Deprecated: text.
    Symbol = 0x0e,
    /// Deprecated: JavaScript and a document of variables.
    CodeWithScope = 0x0f,
    /// 32-bit integer.
    Int32 = 0x10,
    /// Increment and seconds of MongoDB's replication.
    Timestamp = 0x11,
    /// 64-bit integer.
    Int64 = 0x12,
    /// IEEE 754 decimal of 128 bits.
    Decimal128 = 0x13,
    /// Lower than every other value.
    MinKey = 0xff,
    /// Higher than every other value.
    MaxKey = 0x7f,
}

impl Kind {
    /// The type of a byte.
    #[inline]
    pub fn from_byte(byte: u8) -> Option<Kind> {
        Some(match byte {
            0x01 => Kind::Double,
            0x02 => Kind::String,
            0x03 => Kind::Document,
            0x04 => Kind::Array,
            0x05 => Kind::Binary,
            0x06 => Kind::Undefined,
            0x07 => Kind::ObjectId,
            0x08 => Kind::Bool,
            0x09 => Kind::DateTime,
            0x0a => Kind::Null,
            0x0b => Kind::Regex,
            0x0c => Kind::DbPointer,
            0x0d => Kind::Code,
            0x0e => Kind::Symbol,
            0x0f => Kind::CodeWithScope,
            0x10 => Kind::Int32,
            0x11 => Kind::Timestamp,
            0x12 => Kind::Int64,
            0x13 => Kind::Decimal128,
            0x7f => Kind::MaxKey,
            0xff => Kind::MinKey,
            _ => return None,
        })
    }

    /// The byte on the wire.
    pub fn byte(self) -> u8 {
        self as u8
    }

    /// Name of the type: `Int32`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Double => "Double",
            Kind::String => "String",
            Kind::Document => "Document",
            Kind::Array => "Array",
            Kind::Binary => "Binary",
            Kind::Undefined => "Undefined",
            Kind::ObjectId => "ObjectId",
            Kind::Bool => "Bool",
            Kind::DateTime => "DateTime",
            Kind::Null => "Null",
            Kind::Regex => "Regex",
            Kind::DbPointer => "DbPointer",
            Kind::Code => "Code",
            Kind::Symbol => "Symbol",
            Kind::CodeWithScope => "CodeWithScope",
            Kind::Int32 => "Int32",
            Kind::Timestamp => "Timestamp",
            Kind::Int64 => "Int64",
            Kind::Decimal128 => "Decimal128",
            Kind::MinKey => "MinKey",
            Kind::MaxKey => "MaxKey",
        }
    }

    /// In sentences: `a document`.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Kind::Double => "a double",
            Kind::String => "a string",
            Kind::Document => "a document",
            Kind::Array => "an array",
            Kind::Binary => "binary data",
            Kind::Undefined => "undefined",
            Kind::ObjectId => "an ObjectId",
            Kind::Bool => "a bool",
            Kind::DateTime => "a date",
            Kind::Null => "null",
            Kind::Regex => "a regular expression",
            Kind::DbPointer => "a DBPointer",
            Kind::Code => "code",
            Kind::Symbol => "a symbol",
            Kind::CodeWithScope => "code with a scope",
            Kind::Int32 => "an int32",
            Kind::Timestamp => "a timestamp",
            Kind::Int64 => "an int64",
            Kind::Decimal128 => "a decimal128",
            Kind::MinKey => "the lowest key",
            Kind::MaxKey => "the highest key",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
