//! Values as the numbers that they consist of, and what a new object has.

use super::{List, Value};
use crate::schema::{Kind, Number, Numbers, Property, Row, Scalar};
use crate::types::{
    ByteString, Color, Euler, Matrix3x3, Point, Quaternion, Rect, Size, Vector3D, WString,
};

/// The number that a value is.
#[inline]
pub(super) fn number_of(value: &Value) -> Option<Number> {
    match value {
        Value::Int(number) => Some(Number::Int(*number)),
        Value::UInt(number) => Some(Number::UInt(*number)),
        Value::Float(number) => Some(Number::Float(*number)),
        Value::Double(number) => Some(Number::Double(*number)),
        Value::Enum(number) => Some(Number::UInt(u64::from(*number))),
        _ => None,
    }
}

impl Value {
    /// The parts of a value of a few numbers in a row, and the numbers in the order of its fields.
    pub(crate) fn row(&self) -> Option<(Row, Numbers)> {
        let bytes = |row: [u8; 4]| Some(row.iter().map(|n| Number::UInt((*n).into())).collect());
        let floats = |row: &[f32]| Some(row.iter().copied().map(Number::Float).collect());
        let few = |values: &[&Value]| values.iter().map(|value| number_of(value)).collect();
        // Only reading bytes looks at the scalar.
        let any = Scalar::F32;
        let (kind, numbers): (_, Option<Numbers>) = match self {
            Value::Color(v) => (Kind::Color, bytes([v.r, v.g, v.b, v.a])),
            Value::Vector3D(v) => (Kind::Vector3D, floats(&[v.x, v.y, v.z])),
            Value::Quaternion(v) => (Kind::Quaternion, floats(&[v.w, v.x, v.y, v.z])),
            Value::Euler(v) => (Kind::Euler, floats(&[v.pitch, v.yaw, v.roll])),
            Value::Matrix3x3(v) => (Kind::Matrix3x3, floats([v.i, v.j, v.k].as_flattened())),
            Value::Size(v) => (Kind::Size(any), few(&[&v.width, &v.height])),
            Value::Point(v) => (Kind::Point(any), few(&[&v.x, &v.y])),
            Value::Rect(v) => (Kind::Rect(any), few(&[&v.left, &v.top, &v.right, &v.bottom])),
            _ => return None,
        };
        Some((kind.row()?, numbers?))
    }

    /// The value of a few numbers in a row, in the order of its fields; `None` if the kind has not
    /// these numbers. The other way of [`row`](Self::row).
    pub(crate) fn from_numbers(kind: &Kind, row: &[Number]) -> Option<Value> {
        let value = |at: usize| row.get(at).copied().map(Value::from);
        let float = |at: usize| match row.get(at)? {
            Number::Float(number) => Some(*number),
            _ => None,
        };
        let byte = |at: usize| row.get(at)?.fit();
        let line = |at: usize| {
            let [x, y, z] = [0, 1, 2].map(|n: usize| float(n.saturating_add(at)));
            Some([x?, y?, z?])
        };
        if kind.row()?.len() != row.len() {
            return None;
        }
        Some(match kind {
            Kind::Color => Value::Color(Color::new(byte(0)?, byte(1)?, byte(2)?, byte(3)?)),
            Kind::Vector3D => Value::Vector3D(Vector3D::new(float(0)?, float(1)?, float(2)?)),
            Kind::Quaternion => {
                Value::Quaternion(Quaternion::new(float(0)?, float(1)?, float(2)?, float(3)?))
            }
            Kind::Euler => Value::Euler(Euler::new(float(0)?, float(1)?, float(2)?)),
            Kind::Matrix3x3 => {
                Value::Matrix3x3(Box::new(Matrix3x3::new(line(0)?, line(3)?, line(6)?)))
            }
            Kind::Size(_) => Value::Size(Box::new(Size::new(value(0)?, value(1)?))),
            Kind::Point(_) => Value::Point(Box::new(Point::new(value(0)?, value(1)?))),
            Kind::Rect(_) => {
                Value::Rect(Box::new(Rect::new(value(0)?, value(1)?, value(2)?, value(3)?)))
            }
            _ => return None,
        })
    }

    /// The text of a string, or of a wide one.
    #[inline]
    pub(crate) fn of_text(wide: bool, bytes: &[u8]) -> Value {
        match wide {
            false => Value::String(ByteString::new(bytes)),
            true => Value::WString(WString::from_le_bytes(bytes)),
        }
    }

    /// An empty list of a kind, as the decoder makes it.
    pub(crate) fn empty_list(kind: &Kind) -> Value {
        match kind {
            Kind::Bool => Value::Bools(Box::default()),
            Kind::Bits { width: 1..=7, .. } => Value::SmallInts(Box::default()),
            _ => Value::List(List::default()),
        }
    }
}

/// The value of a new object: zero, empty, null, or the default of the type list.
pub(super) fn default_of(property: &Property) -> Value {
    if property.is_list() {
        return Value::empty_list(&property.kind);
    }
    property.default_value().unwrap_or_else(|| default_of_kind(&property.kind))
}

fn default_of_kind(kind: &Kind) -> Value {
    let zero = |scalar: Scalar| match scalar {
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => Number::Int(0),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => Number::UInt(0),
        Scalar::F32 => Number::Float(0.0),
        Scalar::F64 => Number::Double(0.0),
    };
    match kind {
        Kind::Bool => Value::Bool(false),
        Kind::Scalar(scalar) => zero(*scalar).into(),
        Kind::Bits { signed: true, .. } => Value::Int(0),
        Kind::Bits { signed: false, .. } => Value::UInt(0),
        Kind::String => Value::String(Default::default()),
        Kind::WString => Value::WString(Default::default()),
        Kind::Quaternion => Value::Quaternion(Quaternion::new(1.0, 0.0, 0.0, 0.0)),
        Kind::Matrix3x3 => Value::Matrix3x3(Box::new(Matrix3x3::new(
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ))),
        Kind::Enum => Value::Enum(0),
        Kind::Tuple(kinds) => kinds.iter().map(default_of_kind).collect(),
        Kind::List(_) => Value::List(List::default()),
        kind => {
            let row = kind.row().map(|row| vec![zero(row.scalar); row.len()]);
            // Any other value is null.
            row.and_then(|row| Value::from_numbers(kind, &row)).unwrap_or(Value::Null)
        }
    }
}
