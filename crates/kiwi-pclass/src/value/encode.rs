//! [`Value`]s to bytes.

use std::sync::Arc;

use super::{Field, Object, Value};
use crate::core_object::CoreTypes;
use crate::read::{ClassHeader, Wire};
use crate::schema::{Class, Kind, Property, Scalar};
use crate::types::{Color, Euler, Matrix3x3, Point, Quaternion, Rect, Size, Vector3D};
use crate::write::Writer;
use crate::{Error, ErrorKind, Result};

/// What encoding needs besides the value.
#[derive(Clone)]
pub(crate) struct Rules {
    pub(crate) wire: Wire,
    pub(crate) fill_defaults: bool,
    pub(crate) core_types: Option<Arc<CoreTypes>>,
}

/// The root, which is an object.
pub(crate) fn encode_root(writer: &mut Writer, rules: &Rules, value: &Value) -> Result<()> {
    match value {
        Value::Object(_) | Value::Raw(_) => object(writer, rules, value),
        other => {
            let found = other.kind_name();
            Err(Error::new(ErrorKind::Null, format!("expected an object, found {found}")))
        }
    }
}

/// The value of a property, or one of its elements.
pub(crate) fn encode(
    writer: &mut Writer,
    rules: &Rules,
    property: &Property,
    element: Option<&Kind>,
    value: &Value,
) -> Result<()> {
    match element {
        Some(kind) => one(writer, rules, property, kind, value),
        None if property.is_list() => list(writer, rules, property, &property.kind, value),
        None => one(writer, rules, property, &property.kind, value),
    }
}

fn object(writer: &mut Writer, rules: &Rules, value: &Value) -> Result<()> {
    let object = match value {
        Value::Null => {
            writer.class_header(&rules.wire, ClassHeader::Null);
            return Ok(());
        }
        Value::Raw(raw) if rules.wire.deep => {
            writer.class_header(&rules.wire, ClassHeader::Hash(raw.hash));
            let open = writer.open_object();
            writer.raw(&raw.bits);
            return writer.close(&open);
        }
        Value::Raw(_) => {
            let message = "an object of an unknown class can only be written in deep mode";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        Value::Object(object) => object,
        other => {
            let found = other.kind_name();
            return Err(Error::new(ErrorKind::Data, format!("expected an object, found {found}")));
        }
    };
    let class = object.class();
    let hash = ClassHeader::Hash(class.hash());
    let header = match object.core() {
        Some(core) if rules.wire.core => ClassHeader::Core(core),
        _ => hash,
    };
    if matches!(header, ClassHeader::Core(core) if core.block == 0 && core.template_type == 0) {
        let message = "a core object cannot have the types 0 and 0, which stand for a class hash";
        return Err(Error::new(ErrorKind::Data, message));
    }
    writer.class_header(&rules.wire, header);
    writer.enter(&rules.wire)?;
    if rules.wire.deep {
        deep(writer, rules, object)?;
    } else {
        shallow(writer, rules, class, object)?;
    }
    writer.leave();
    Ok(())
}

fn deep(writer: &mut Writer, rules: &Rules, object: &Object) -> Result<()> {
    let open = writer.open_object();
    for field in object.fields() {
        match object.property_of(field) {
            Some(property) => {
                if !field.is_kept() && !rules.wire.saves(property) {
                    continue;
                }
                let entry = writer.open_entry(property.hash);
                // What was kept of a type whose layout nobody knows.
                let written = match (&property.kind, &field.value) {
                    (Kind::Unsupported, Value::Bits(bits)) => {
                        writer.raw(bits);
                        Ok(())
                    }
                    (_, value) => encode(writer, rules, property, None, value),
                };
                written
                    .and_then(|()| writer.close(&entry))
                    .map_err(|error| error.in_field(property.name()))?;
            }
            None => unknown(writer, field)?,
        }
    }
    writer.close(&open)
}

fn unknown(writer: &mut Writer, field: &Field) -> Result<()> {
    match (&field.value, field.unknown_hash()) {
        (Value::Bits(bits), Some(hash)) => {
            let entry = writer.open_entry(hash);
            writer.raw(bits);
            writer.close(&entry)
        }
        (_, Some(_)) => {
            let message = "a property that the class does not have is written from raw bits only";
            Err(Error::new(ErrorKind::Data, message))
        }
        (_, None) => {
            let message = "a field has an index that is none of its class";
            Err(Error::new(ErrorKind::Data, message))
        }
    }
}

fn shallow(writer: &mut Writer, rules: &Rules, class: &Class, object: &Object) -> Result<()> {
    let fields = object.fields();
    // Fields mostly come in order.
    let mut next = 0usize;
    for (index, property) in class.properties().iter().enumerate() {
        if !rules.wire.has(property) {
            continue;
        }
        let is = |field: &&Field| field.index() == Some(index);
        while fields.get(next).is_some_and(|f| f.index().is_none_or(|other| other < index)) {
            next = next.wrapping_add(1);
        }
        let field = fields.get(next).filter(is).or_else(|| fields.iter().find(is));
        let value = field.map(|field| &field.value);
        shallow_field(writer, rules, property, value)
            .map_err(|error| error.in_field(property.name()))?;
    }
    Ok(())
}

fn shallow_field(
    writer: &mut Writer,
    rules: &Rules,
    property: &Property,
    value: Option<&Value>,
) -> Result<()> {
    let is_delta = property.is_delta();
    match value {
        Some(value) => {
            if is_delta {
                writer.bits.bit(true);
            }
            encode(writer, rules, property, None, value)
        }
        None => absent(writer, rules, property),
    }
}

/// A property of shallow mode for which there is no value.
pub(crate) fn absent(writer: &mut Writer, rules: &Rules, property: &Property) -> Result<()> {
    let is_delta = property.is_delta();
    if is_delta && !rules.wire.forbids_delta() {
        writer.bits.bit(false);
        return Ok(());
    }
    if rules.fill_defaults {
        if is_delta {
            writer.bits.bit(true);
        }
        return encode(writer, rules, property, None, &default_of(property));
    }
    let name = property.name();
    let message = if is_delta {
        format!("`{name}` may not be left out under these flags, and there is no value for it")
    } else {
        format!("there is no value for `{name}`, and shallow mode cannot leave it out")
    };
    Err(Error::new(if is_delta { ErrorKind::MissingDelta } else { ErrorKind::Data }, message))
}

/// What a new object has: zero, empty, null, or the default of the type list.
fn default_of(property: &Property) -> Value {
    if property.is_list() {
        return match property.kind {
            Kind::Bool => Value::Bools(Box::default()),
            Kind::Bits { width: 1..=7, .. } => Value::SmallInts(Box::default()),
            _ => Value::List(super::List::default()),
        };
    }
    let default = property.options().and_then(crate::EnumOptions::default_value);
    default_of_kind(&property.kind, default)
}

fn default_of_kind(kind: &Kind, default: Option<u32>) -> Value {
    let zero = |scalar: Scalar| match scalar {
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => Value::Int(0),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => Value::UInt(0),
        Scalar::F32 => Value::Float(0.0),
        Scalar::F64 => Value::Double(0.0),
    };
    match kind {
        Kind::Bool => Value::Bool(false),
        Kind::Scalar(scalar) => zero(*scalar),
        Kind::Bits { signed: true, .. } => Value::Int(0),
        Kind::Bits { signed: false, .. } => Value::UInt(0),
        Kind::String => Value::String(Default::default()),
        Kind::WString => Value::WString(Default::default()),
        Kind::Color => Value::Color(Color::default()),
        Kind::Vector3D => Value::Vector3D(Vector3D::default()),
        Kind::Quaternion => Value::Quaternion(Quaternion::new(1.0, 0.0, 0.0, 0.0)),
        Kind::Euler => Value::Euler(Euler::default()),
        Kind::Matrix3x3 => Value::Matrix3x3(Box::new(Matrix3x3::new(
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ))),
        Kind::Size(s) => Value::Size(Box::new(Size::new(zero(*s), zero(*s)))),
        Kind::Point(s) => Value::Point(Box::new(Point::new(zero(*s), zero(*s)))),
        Kind::Rect(s) => Value::Rect(Box::new(Rect::new(zero(*s), zero(*s), zero(*s), zero(*s)))),
        Kind::Enum => Value::Enum(default.unwrap_or(0)),
        Kind::Tuple(kinds) => kinds.iter().map(|kind| default_of_kind(kind, None)).collect(),
        Kind::List(_) => Value::List(super::List::default()),
        Kind::Object | Kind::Optional(_) | Kind::Unsupported | Kind::Unseen => Value::Null,
    }
}

fn list(
    writer: &mut Writer,
    rules: &Rules,
    property: &Property,
    kind: &Kind,
    value: &Value,
) -> Result<()> {
    let Some(len) = value.list_len() else {
        return Err(mismatch(format_args!("a list of {}", property.type_name()), value));
    };
    writer.list_len(&rules.wire, len)?;
    match (value, kind) {
        (Value::Bools(list), Kind::Bool) => {
            list.iter().for_each(|value| writer.bits.bit(*value));
            Ok(())
        }
        (Value::List(list), _) => list.iter().enumerate().try_for_each(|(index, value)| {
            one(writer, rules, property, kind, value).map_err(|error| error.in_index(index))
        }),
        _ => value.items().enumerate().try_for_each(|(index, value)| {
            one(writer, rules, property, kind, &value).map_err(|error| error.in_index(index))
        }),
    }
}

fn one(
    writer: &mut Writer,
    rules: &Rules,
    property: &Property,
    kind: &Kind,
    value: &Value,
) -> Result<()> {
    match (kind, value) {
        (Kind::Bool, Value::Bool(value)) => writer.bits.bit(*value),
        (Kind::Scalar(scalar), value) => return number(writer, *scalar, value),
        (Kind::Bits { width, signed }, value) => {
            return small(writer, (*width, *signed), value);
        }
        (Kind::String, Value::String(text)) => {
            return writer.string(&rules.wire, text.as_bytes());
        }
        (Kind::WString, Value::WString(text)) => {
            return writer.wstring(&rules.wire, text.units().iter().copied());
        }
        (Kind::Object, value) => return object(writer, rules, value),
        (Kind::Enum, value) => {
            let number = match value {
                Value::Enum(number) => Some(*number),
                Value::UInt(number) => u32::try_from(*number).ok(),
                Value::Int(number) => u32::try_from(*number).ok(),
                _ => None,
            };
            let number =
                number.ok_or_else(|| mismatch(format_args!("{}", property.type_name()), value))?;
            return writer.option(&rules.wire, property, number);
        }
        _ => return rare(writer, rules, property, kind, value),
    }
    Ok(())
}

fn rare(
    writer: &mut Writer,
    rules: &Rules,
    property: &Property,
    kind: &Kind,
    value: &Value,
) -> Result<()> {
    let mut floats = |row: &[f32]| row.iter().for_each(|x| writer.bits.u32(x.to_bits()));
    match (kind, value) {
        (Kind::Color, Value::Color(Color { r, g, b, a })) => writer.bits.put(&[*b, *g, *r, *a]),
        (Kind::Vector3D, Value::Vector3D(Vector3D { x, y, z })) => floats(&[*x, *y, *z]),
        (Kind::Quaternion, Value::Quaternion(Quaternion { w, x, y, z })) => {
            floats(&[*w, *x, *y, *z]);
        }
        (Kind::Euler, Value::Euler(Euler { pitch, yaw, roll })) => floats(&[*pitch, *yaw, *roll]),
        (Kind::Matrix3x3, Value::Matrix3x3(matrix)) => {
            let Matrix3x3 { i, j, k } = &**matrix;
            [i, j, k].into_iter().for_each(|row| floats(row));
        }
        (Kind::Size(scalar), Value::Size(size)) => {
            return [&size.width, &size.height]
                .into_iter()
                .try_for_each(|value| number(writer, *scalar, value));
        }
        (Kind::Point(scalar), Value::Point(point)) => {
            return [&point.x, &point.y]
                .into_iter()
                .try_for_each(|value| number(writer, *scalar, value));
        }
        (Kind::Rect(scalar), Value::Rect(rect)) => {
            return [&rect.left, &rect.top, &rect.right, &rect.bottom]
                .into_iter()
                .try_for_each(|value| number(writer, *scalar, value));
        }
        (Kind::Unsupported, _) => {
            let name = property.type_name();
            let message = format!("the layout of the type `{name}` is not known");
            return Err(Error::new(ErrorKind::UnsupportedType, message));
        }
        (Kind::Tuple(kinds), value) if value.list_len() == Some(kinds.len()) => {
            writer.enter(&rules.wire)?;
            for (index, (kind, value)) in kinds.iter().zip(value.items()).enumerate() {
                one(writer, rules, property, kind, &value)
                    .map_err(|error| error.in_index(index))?;
            }
            writer.leave();
        }
        (Kind::List(kind), value) => {
            writer.enter(&rules.wire)?;
            list(writer, rules, property, kind, value)?;
            writer.leave();
        }
        (Kind::Optional(kind), value) => {
            writer.bits.bit(!value.is_null());
            if !value.is_null() {
                writer.enter(&rules.wire)?;
                one(writer, rules, property, kind, value)?;
                writer.leave();
            }
        }
        (_, value) => return Err(mismatch(format_args!("{}", property.type_name()), value)),
    }
    Ok(())
}

#[cold]
fn mismatch(expected: std::fmt::Arguments<'_>, value: &Value) -> Error {
    Error::new(ErrorKind::Data, format!("expected {expected}, found {}", value.kind_name()))
}

#[cold]
fn range(expected: std::fmt::Arguments<'_>, value: &Value) -> Error {
    Error::new(ErrorKind::NumberRange, format!("expected {expected}, found integer {value:?}"))
}

fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Int(value) => Some(i128::from(*value)),
        Value::UInt(value) => Some(i128::from(*value)),
        Value::Enum(value) => Some(i128::from(*value)),
        _ => None,
    }
}

fn number(writer: &mut Writer, scalar: Scalar, value: &Value) -> Result<()> {
    let name = scalar.type_name();
    let bits = &mut writer.bits;
    match (scalar, value) {
        (Scalar::F32, Value::Float(value)) => bits.u32(value.to_bits()),
        (Scalar::F32, Value::Double(value)) => {
            let narrow = crate::ser::narrow(*value).ok_or_else(|| {
                let message = format!("expected a float, found {value:?}, which needs a double");
                Error::new(ErrorKind::NumberRange, message)
            })?;
            bits.u32(narrow.to_bits());
        }
        (Scalar::F64, Value::Double(value)) => bits.u64(value.to_bits()),
        (Scalar::F64, Value::Float(value)) => bits.u64(f64::from(*value).to_bits()),
        (scalar, value) => {
            let number = whole(value).ok_or_else(|| mismatch(format_args!("{name}"), value))?;
            let out_of_range = || range(format_args!("{name}"), value);
            macro_rules! put {
                ($type:ty) => {
                    bits.put_array(
                        <$type>::try_from(number).map_err(|_| out_of_range())?.to_le_bytes(),
                    )
                };
            }
            match scalar {
                Scalar::I8 => put!(i8),
                Scalar::U8 => put!(u8),
                Scalar::I16 => put!(i16),
                Scalar::U16 => put!(u16),
                Scalar::I32 => put!(i32),
                Scalar::U32 => put!(u32),
                Scalar::I64 => put!(i64),
                Scalar::U64 => put!(u64),
                Scalar::F32 | Scalar::F64 => {
                    return Err(mismatch(format_args!("{name}"), value));
                }
            }
        }
    }
    Ok(())
}

fn small(writer: &mut Writer, (width, signed): (u8, bool), value: &Value) -> Result<()> {
    let sign = if signed { "" } else { "un" };
    let expected = format_args!("{sign}signed number of {width} bits");
    let number = match whole(value) {
        Some(number) => number,
        None => {
            let sign = if signed { "a " } else { "an un" };
            return Err(mismatch(format_args!("{sign}signed number of {width} bits"), value));
        }
    };
    let bits = crate::ser::fit_bits(number, width, signed);
    writer.bits.bits(bits.ok_or_else(|| range(expected, value))?, u32::from(width));
    Ok(())
}
