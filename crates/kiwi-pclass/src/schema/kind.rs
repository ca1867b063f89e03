//! C++ type names and their encodings
//! ([description](https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-pclass.md#types)).

use std::sync::Arc;

use super::Property;
use crate::compound::count_wrapper;

/// A number of whole bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    /// The scalar of a C++ type name. `long` has 32 bits.
    pub fn from_type_name(name: &str) -> Option<Scalar> {
        Some(match name {
            "char" | "signed char" => Scalar::I8,
            "unsigned char" => Scalar::U8,
            "short" => Scalar::I16,
            "unsigned short" | "wchar_t" => Scalar::U16,
            "int" | "long" => Scalar::I32,
            "unsigned int" | "unsigned long" => Scalar::U32,
            "__int64" => Scalar::I64,
            "unsigned __int64" | "gid" | "union gid" => Scalar::U64,
            "float" => Scalar::F32,
            "double" => Scalar::F64,
            _ => return None,
        })
    }

    /// Bits on the wire.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Scalar::I8 | Scalar::U8 => 8,
            Scalar::I16 | Scalar::U16 => 16,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 64,
        }
    }

    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// A whole number as it is declared, if it fits.
    pub(crate) fn declare(self, number: Number) -> Option<Number> {
        Some(match self {
            Scalar::I8 => Number::Int(number.fit::<i8>()?.into()),
            Scalar::I16 => Number::Int(number.fit::<i16>()?.into()),
            Scalar::I32 => Number::Int(number.fit::<i32>()?.into()),
            Scalar::I64 => Number::Int(number.fit()?),
            Scalar::U8 => Number::UInt(number.fit::<u8>()?.into()),
            Scalar::U16 => Number::UInt(number.fit::<u16>()?.into()),
            Scalar::U32 => Number::UInt(number.fit::<u32>()?.into()),
            Scalar::U64 => Number::UInt(number.fit()?),
            Scalar::F32 | Scalar::F64 => return None,
        })
    }

    /// The C++ type name that Rust's own types are given.
    pub(crate) const fn type_name(self) -> &'static str {
        match self {
            Scalar::I8 => "char",
            Scalar::U8 => "unsigned char",
            Scalar::I16 => "short",
            Scalar::U16 => "unsigned short",
            Scalar::I32 => "int",
            Scalar::U32 => "unsigned int",
            Scalar::I64 => "__int64",
            Scalar::U64 => "unsigned __int64",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
        }
    }
}

/// The kinds that are read and written without a further look where Rust has the type that is declared: most
/// of what there is.
#[derive(Clone, Copy)]
pub(crate) enum Leaf {
    Other,
    Bool,
    String,
    Object,
    Scalar(Scalar),
}

impl Leaf {
    #[inline(always)]
    const fn code(self) -> u32 {
        match self {
            Leaf::Other => 0,
            Leaf::Bool => 1,
            Leaf::String => 2,
            Leaf::Object => 3,
            Leaf::Scalar(scalar) => 4 | (scalar as u32) << 3,
        }
    }
}

/// All that reading or writing a value has to know, in one word that is handed on in a register: the leaf in the lowest
/// byte, two flags, and the number of newtypes and options around the value.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Hint(u32);

impl Hint {
    const LEAF: u32 = 0xff;
    const DELTA: u32 = 0x100;
    const PRESENT: u32 = 0x200;
    const WRAPPER: u32 = 0x1_0000;

    /// Nothing is known.
    pub(crate) const NONE: Hint = Hint(0);

    /// Of an element of a list, before which no bit stands.
    #[inline]
    pub(crate) fn of(kind: &Kind) -> Hint {
        let leaf = match kind {
            Kind::Bool => Leaf::Bool,
            Kind::String => Leaf::String,
            Kind::Object => Leaf::Object,
            Kind::Scalar(scalar) => Leaf::Scalar(*scalar),
            _ => Leaf::Other,
        };
        Hint(leaf.code())
    }

    pub(super) fn of_property(property: &Property) -> Hint {
        let hint = if property.is_list() { Hint::NONE } else { Hint::of(&property.kind) };
        Hint(hint.0 | if property.is_delta() { Hint::DELTA } else { 0 })
    }

    #[inline(always)]
    pub(crate) const fn is(self, leaf: Leaf) -> bool {
        self.0 & Hint::LEAF == leaf.code()
    }

    /// Whether it is the leaf, and no bit stands before it.
    #[inline(always)]
    pub(crate) const fn is_only(self, leaf: Leaf) -> bool {
        self.0 & (Hint::LEAF | Hint::DELTA) == leaf.code()
    }

    /// Whether a bit stands before a leaf that says that it is present.
    #[inline(always)]
    pub(crate) const fn is_delta(self) -> bool {
        self.0 & Hint::DELTA != 0
    }

    /// Whether an option around it said that it is present.
    #[inline(always)]
    pub(crate) const fn is_present(self) -> bool {
        self.0 & Hint::PRESENT != 0
    }

    /// Inside of an option that is present.
    #[inline(always)]
    pub(crate) const fn present(self) -> Hint {
        Hint(self.0 | Hint::PRESENT)
    }

    /// The same without the leaf, so that the value goes the slow way.
    #[inline(always)]
    pub(crate) const fn slow(self) -> Hint {
        Hint(self.0 & !Hint::LEAF)
    }

    /// Inside of one more newtype or option.
    #[inline(always)]
    pub(crate) fn wrapped(self) -> crate::Result<Hint> {
        let [_, _, mut wrappers, _] = self.0.to_le_bytes();
        count_wrapper(&mut wrappers)?;
        // The count above is bounded, so that this carries into no other byte.
        Ok(Hint(self.0.wrapping_add(Hint::WRAPPER)))
    }
}

/// A number between the wire and serde or a `Value`: with its sign and, for floats, its width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(i64),
    UInt(u64),
    Float(f32),
    Double(f64),
}

impl Number {
    /// The number that a scalar is, by its bits; of a signed one they are extended to 64.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "a float has the lowest 32 bits")]
    pub(crate) fn of_bits(scalar: Scalar, bits: u64) -> Number {
        match scalar {
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => Number::Int(bits.cast_signed()),
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => Number::UInt(bits),
            Scalar::F32 => Number::Float(f32::from_bits(bits as u32)),
            Scalar::F64 => Number::Double(f64::from_bits(bits)),
        }
    }

    /// The number as an integer of a smaller type, if it is a whole one and fits.
    #[inline]
    pub(crate) fn fit<T: TryFrom<i64> + TryFrom<u64>>(self) -> Option<T> {
        match self {
            Number::Int(number) => T::try_from(number).ok(),
            Number::UInt(number) => T::try_from(number).ok(),
            Number::Float(_) | Number::Double(_) => None,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::Int(number) => write!(f, "integer {number}"),
            Number::UInt(number) => write!(f, "integer {number}"),
            Number::Float(number) => write!(f, "float {number:?}"),
            Number::Double(number) => write!(f, "float {number:?}"),
        }
    }
}

/// A few numbers in a row: at most the nine of a matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    all: [Number; Numbers::MAX],
    len: usize,
}

impl Numbers {
    const MAX: usize = 9;

    /// Adds one; `None` if there are nine.
    #[inline]
    pub(crate) fn push(&mut self, number: Number) -> Option<()> {
        *self.all.get_mut(self.len)? = number;
        self.len = self.len.wrapping_add(1);
        Some(())
    }
}

impl Default for Numbers {
    #[inline]
    fn default() -> Self {
        Numbers { all: [Number::Int(0); Numbers::MAX], len: 0 }
    }
}

impl std::ops::Deref for Numbers {
    type Target = [Number];
    #[inline]
    fn deref(&self) -> &[Number] {
        self.all.get(..self.len).unwrap_or_default()
    }
}

/// The first nine.
impl FromIterator<Number> for Numbers {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Number>>(all: I) -> Self {
        let mut numbers = Numbers::default();
        all.into_iter().map_while(|number| numbers.push(number)).for_each(drop);
        numbers
    }
}

/// The parts of a type of a few equal numbers.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// How each number is written.
    pub(crate) scalar: Scalar,
    /// The fields, in the order of the Rust types.
    pub(crate) names: &'static [&'static str],
    /// Numbers in each field: 3 in a matrix.
    pub(crate) each: usize,
}

impl Row {
    /// Numbers in all.
    pub(crate) fn len(self) -> usize {
        self.names.len().saturating_mul(self.each)
    }
}

/// How a value of a property is encoded; for containers, how one element is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// One bit.
    Bool,
    /// A number of whole bytes, byte aligned.
    Scalar(Scalar),
    /// A number of `width` bits, 1 to 32, not aligned: `biN`, `buiN`, `s24`, `u24`.
    Bits {
        /// Number of bits.
        width: u8,
        /// Whether the top bit is the sign.
        signed: bool,
    },
    /// Bytes after their count.
    String,
    /// UTF-16 code units after their count.
    WString,
    /// Four bytes: blue, green, red, alpha.
    Color,
    /// Three floats: x, y, z.
    Vector3D,
    /// Four floats: w, x, y, z.
    Quaternion,
    /// Three floats: pitch, yaw, roll.
    Euler,
    /// Nine floats, row by row.
    Matrix3x3,
    /// Two scalars: width, height.
    Size(Scalar),
    /// Two scalars: x, y.
    Point(Scalar),
    /// Four scalars: left, top, right, bottom.
    Rect(Scalar),
    /// An enum or bit flags: 32 bits, or the names.
    Enum,
    /// An object with its class hash, or null. Inline objects and pointers are the same.
    Object,
    /// A type of unknown layout: `SerializedBuffer`, `SimpleVert`, `SimpleFace`.
    Unsupported,
    /// Values one after another. Only in schemas inferred from Rust types.
    Tuple(Arc<[Kind]>),
    /// A list inside a list. Only in schemas inferred from Rust types.
    List(Arc<Kind>),
    /// One bit that says whether a value follows. Only in schemas inferred from Rust types.
    Optional(Arc<Kind>),
    /// An unknown type: the elements of an empty list. Only in schemas inferred from Rust values.
    Unseen,
}

impl Kind {
    /// The encoding of a C++ type, as type lists spell it. What is no known type is an object.
    pub fn from_type_name(name: &str) -> Kind {
        if let Some(scalar) = Scalar::from_type_name(name) {
            return Kind::Scalar(scalar);
        }
        let bits = |digits: &str, signed| {
            let width = digits.parse().ok().filter(|width| (1..=32u8).contains(width))?;
            (!digits.starts_with(['0', '+'])).then_some(Kind::Bits { width, signed })
        };
        if let Some(kind) = name.strip_prefix("bi").and_then(|digits| bits(digits, true)) {
            return kind;
        }
        if let Some(kind) = name.strip_prefix("bui").and_then(|digits| bits(digits, false)) {
            return kind;
        }
        let bare = name.strip_prefix("class ").or(name.strip_prefix("struct ")).unwrap_or(name);
        if let Some((template, argument)) = bare.strip_suffix('>').and_then(|b| b.split_once('<'))
            && let Some(scalar) = Scalar::from_type_name(argument)
        {
            match template {
                "Size" => return Kind::Size(scalar),
                "Point" => return Kind::Point(scalar),
                "Rect" => return Kind::Rect(scalar),
                _ => {}
            }
        }
        match name {
            "bool" => return Kind::Bool,
            "s24" => return Kind::Bits { width: 24, signed: true },
            "u24" => return Kind::Bits { width: 24, signed: false },
            "std::string" | "char*" => return Kind::String,
            "std::wstring" | "wchar_t*" => return Kind::WString,
            _ => {}
        }
        match bare {
            "Color" => Kind::Color,
            "Vector3D" => Kind::Vector3D,
            "Quaternion" => Kind::Quaternion,
            "Euler" => Kind::Euler,
            "Matrix3x3" => Kind::Matrix3x3,
            "SerializedBuffer" | "SimpleVert" | "SimpleFace" => Kind::Unsupported,
            _ if name.starts_with("enum ") => Kind::Enum,
            _ => Kind::Object,
        }
    }

    /// A number, as a place to point to.
    pub(crate) fn of_scalar(scalar: Scalar) -> &'static Kind {
        macro_rules! kinds {
            ($($scalar:ident)+) => {
                match scalar { $(Scalar::$scalar => &Kind::Scalar(Scalar::$scalar),)+ }
            };
        }
        kinds!(I8 U8 I16 U16 I32 U32 I64 U64 F32 F64)
    }

    /// The numbers of a type that is a few of them in a row. On the wire they are in the order of
    /// the fields, except those of a `Color`.
    pub(crate) fn row(&self) -> Option<Row> {
        let (scalar, names): (Scalar, &[&str]) = match self {
            Kind::Color => (Scalar::U8, &["r", "g", "b", "a"]),
            Kind::Vector3D => (Scalar::F32, &["x", "y", "z"]),
            Kind::Quaternion => (Scalar::F32, &["w", "x", "y", "z"]),
            Kind::Euler => (Scalar::F32, &["pitch", "yaw", "roll"]),
            Kind::Matrix3x3 => (Scalar::F32, &["i", "j", "k"]),
            Kind::Size(scalar) => (*scalar, &["width", "height"]),
            Kind::Point(scalar) => (*scalar, &["x", "y"]),
            Kind::Rect(scalar) => (*scalar, &["left", "top", "right", "bottom"]),
            _ => return None,
        };
        let each = if matches!(self, Kind::Matrix3x3) { 3 } else { 1 };
        Some(Row { scalar, names, each })
    }

    /// The fewest bits of a value: what a count of elements is checked against. `options` is whether an object
    /// may be a variant without content.
    pub(crate) fn min_bits(&self, compact: bool, options: bool) -> usize {
        match self {
            Kind::Bool | Kind::Optional(_) => 1,
            Kind::Scalar(scalar) => scalar_bits(*scalar),
            Kind::Bits { width, .. } => usize::from(*width),
            Kind::Object if !options => 32,
            Kind::String | Kind::WString if compact => 8,
            Kind::String | Kind::WString => 16,
            Kind::List(_) if compact => 8,
            Kind::List(_) => 32,
            // With names: a string.
            Kind::Enum | Kind::Object => 8,
            Kind::Tuple(kinds) => kinds
                .iter()
                .map(|kind| kind.min_bits(compact, options))
                .fold(0, usize::saturating_add),
            other => other.row().map_or(1, |row| scalar_bits(row.scalar).saturating_mul(row.len())),
        }
    }
}

/// The encodings of the elements of a list, or of the members of a tuple.
#[derive(Clone, Copy, Debug)]
pub enum Kinds<'k> {
    /// All have the same.
    Same(&'k Kind),
    /// Each has its own.
    Each(&'k [Kind]),
}

impl<'k> Kinds<'k> {
    /// That of one of them; `None` after the last member of a tuple.
    #[inline]
    pub fn get(self, index: usize) -> Option<&'k Kind> {
        match self {
            Kinds::Same(kind) => Some(kind),
            Kinds::Each(kinds) => kinds.get(index),
        }
    }
}

fn scalar_bits(scalar: Scalar) -> usize {
    usize::try_from(scalar.bits()).unwrap_or(64)
}

/// The types without a class, to find the hash of a property by its name alone. For schemas inferred
/// from Rust types, which may declare `int` where Rust has `u8`.
pub(crate) const BUILTIN: &str = "\
    bool, char, unsigned char, short, unsigned short, wchar_t, int, unsigned int, long, \
    unsigned long, __int64, unsigned __int64, gid, union gid, float, double, bi2, bi3, bi4, \
    bi5, bi6, bi7, bui2, bui3, bui4, bui5, bui6, bui7, s24, u24, std::string, char*, \
    std::wstring, class Color, class Vector3D, class Quaternion, class Euler, class Matrix3x3, \
    class Size<int>, class Size<unsigned int>, class Size<float>, class Point<int>, \
    class Point<float>, class Point<unsigned int>, class Point<unsigned char>, class Rect<int>, \
    class Rect<float>, class Rect<unsigned int>";
