//! The notation to [`Value`].

use super::node::Node;
use crate::core_object::CoreHeader;
use crate::error::Shortened;
use crate::notation::{Terms, compact, from_hex, hash};
use crate::schema::{Class, Kind, Property, Scalar};
use crate::types::{Color, Euler, Matrix3x3, Point, Quaternion, Rect, Size, Vector3D};
use crate::value::{Field, List, Object, RawBits, RawObject};
use crate::{Error, ErrorKind, Options, Result, Value};

/// The root: an object.
pub(super) fn value(node: Node, options: &Options) -> Result<Value> {
    Builder(Terms::new(options)?).object(node, 1)
}

struct Builder<'a>(Terms<'a>);

/// The members of a JSON object, taken one by one.
struct Members(Vec<(String, Node)>);

impl Members {
    fn take(&mut self, name: &str) -> Option<Node> {
        let at = self.0.iter().position(|(own, _)| own == name)?;
        Some(self.0.remove(at).1)
    }

    fn need(&mut self, name: &'static str) -> Result<Node> {
        self.take(name).ok_or_else(|| wrong(format!("the member \"{name}\" is missing")))
    }

    fn done(self) -> Result<()> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => {
                Err(wrong(format!("the member \"{}\" is not known here", Shortened(name))))
            }
        }
    }
}

#[cold]
fn wrong(message: String) -> Error {
    Error::new(ErrorKind::Data, message)
}

#[cold]
fn expected(what: &str, node: &Node) -> Error {
    wrong(match node {
        Node::Text(text) => format!("expected {what}, found \"{}\"", Shortened(text)),
        Node::Int(number) => format!("expected {what}, found {number}"),
        Node::UInt(number) => format!("expected {what}, found {number}"),
        Node::Float(number) => format!("expected {what}, found {number}"),
        other => format!("expected {what}, found {}", other.name()),
    })
}

impl Builder<'_> {
    /// `depth` is that of the object itself.
    fn object(&self, node: Node, depth: usize) -> Result<Value> {
        self.0.check_depth(depth)?;
        let Node::Map(members) = node else {
            return Err(expected("an object with the member \"$type\"", &node));
        };
        let mut members = Members(members);
        let name = match members.need("$type")? {
            Node::Text(name) => name,
            other => return Err(expected("the name of a class", &other).in_field("$type")),
        };
        if let Some(bits) = members.take("$bits") {
            let hash = hash(&name).ok_or_else(|| {
                wrong(format!("expected a hash such as 0x1234abcd, found \"{}\"", Shortened(&name)))
                    .in_field("$type")
            })?;
            let bits = self.bits(bits, members)?;
            return Ok(Value::Raw(Box::new(RawObject { hash, bits })));
        }
        let class = self.0.class(&name)?;
        let mut object = Object::new(class.clone());
        for (name, node) in members.0 {
            if name == "$core" {
                object.set_core(Some(core(node).map_err(|error| error.in_field("$core"))?));
                continue;
            }
            let field = self.field(class, &name, node, depth);
            object.push_field(field.map_err(|error| error.in_field(&name))?);
        }
        Ok(Value::Object(Box::new(object)))
    }

    fn field(&self, class: &Class, name: &str, node: Node, depth: usize) -> Result<Field> {
        let again = || name.rsplit_once('#').map(|(first, _)| first);
        let index = class.index_of(name).or_else(|| class.index_of(again()?));
        if let Some((index, property)) =
            index.and_then(|index| Some((index, class.properties().get(index)?)))
        {
            let value = self.property(property, node, depth)?;
            return Ok(Field::at(index, self.0.is_kept(property), value));
        }
        let Some(hash) = hash(again().unwrap_or(name)) else {
            let message = format!("`{}` has no such property", class.name());
            return Err(Error::new(ErrorKind::UnknownProperty, message));
        };
        match node {
            Node::Map(members) => {
                let mut members = Members(members);
                let bits = self.bits(members.need("$bits")?, members)?;
                Ok(Field::unknown(hash, Value::Bits(Box::new(bits))))
            }
            other => Err(expected("the bits of an unknown property", &other)),
        }
    }

    fn bits(&self, count: Node, mut members: Members) -> Result<RawBits> {
        let count: usize = integer(count).map_err(|error| error.in_field("$bits"))?;
        let bytes = hex(members.need("$hex")?).map_err(|error| error.in_field("$hex"))?;
        members.done()?;
        if count.div_ceil(8) != bytes.len() {
            let found = bytes.len();
            return Err(wrong(format!("{count} bits are not {found} bytes")));
        }
        Ok(RawBits::new(&bytes, count))
    }

    fn property(&self, property: &Property, node: Node, depth: usize) -> Result<Value> {
        if !property.is_list() || matches!(property.kind(), Kind::Unsupported) {
            return self.value(property.kind(), property, node, depth);
        }
        self.list(property.kind(), property, node, depth)
    }

    fn list(&self, kind: &Kind, property: &Property, node: Node, depth: usize) -> Result<Value> {
        let depth = depth.saturating_add(1);
        self.0.check_depth(depth)?;
        let Node::List(items) = node else { return Err(expected("a list", &node)) };
        let values = items.into_iter().enumerate().map(|(index, node)| {
            self.value(kind, property, node, depth).map_err(|error| error.in_index(index))
        });
        let values: Vec<Value> = values.collect::<Result<_>>()?;
        compact(kind, values)
    }

    /// What nests is apart from the rest, whose many cases need much stack.
    fn value(&self, kind: &Kind, property: &Property, node: Node, depth: usize) -> Result<Value> {
        match (kind, node) {
            (Kind::Object, Node::Null) => Ok(Value::Null),
            (Kind::Object, node) => self.object(node, depth.saturating_add(1)),
            (kind, node) => self.other(kind, property, node, depth),
        }
    }

    #[inline(never)]
    fn other(&self, kind: &Kind, property: &Property, node: Node, depth: usize) -> Result<Value> {
        Ok(match kind {
            Kind::Bool => match node {
                Node::Bool(value) => Value::Bool(value),
                other => return Err(expected("true or false", &other)),
            },
            Kind::Scalar(scalar) => number(*scalar, node)?,
            Kind::Bits { signed: true, .. } => Value::Int(integer(node)?),
            Kind::Bits { signed: false, .. } => Value::UInt(integer(node)?),
            Kind::String => match node {
                Node::Text(text) => Value::String(text.into()),
                Node::Map(members) => {
                    let mut members = Members(members);
                    let bytes = hex(members.need("$bytes")?)?;
                    members.done()?;
                    Value::String(bytes.into())
                }
                other => return Err(expected("text", &other)),
            },
            Kind::WString => match node {
                Node::Text(text) => Value::WString(text.into()),
                Node::Map(members) => {
                    let mut members = Members(members);
                    let units = each(members.need("$utf16")?, integer::<u16>)?;
                    members.done()?;
                    Value::WString(units.into())
                }
                other => return Err(expected("text", &other)),
            },
            Kind::Enum => Value::Enum(match (node, property.options()) {
                (Node::Text(text), Some(options)) => options.parse(&text)?,
                (node @ Node::Text(_), None) => {
                    return Err(expected("a number, because the options have no names", &node));
                }
                (node, _) => integer(node)?,
            }),
            Kind::Color => {
                let [r, g, b, a] = tuple(node, ["r", "g", "b", "a"], integer::<u8>)?;
                Value::Color(Color::new(r, g, b, a))
            }
            Kind::Vector3D => {
                let [x, y, z] = tuple(node, ["x", "y", "z"], float)?;
                Value::Vector3D(Vector3D::new(x, y, z))
            }
            Kind::Quaternion => {
                let [w, x, y, z] = tuple(node, ["w", "x", "y", "z"], float)?;
                Value::Quaternion(Quaternion::new(w, x, y, z))
            }
            Kind::Euler => {
                let [pitch, yaw, roll] = tuple(node, ["pitch", "yaw", "roll"], float)?;
                Value::Euler(Euler::new(pitch, yaw, roll))
            }
            Kind::Matrix3x3 => {
                let [i, j, k] = tuple(node, ["i", "j", "k"], |node| exact(node, float))?;
                Value::Matrix3x3(Box::new(Matrix3x3::new(i, j, k)))
            }
            Kind::Size(scalar) => {
                let [width, height] =
                    tuple(node, ["width", "height"], |node| number(*scalar, node))?;
                Value::Size(Box::new(Size::new(width, height)))
            }
            Kind::Point(scalar) => {
                let [x, y] = tuple(node, ["x", "y"], |node| number(*scalar, node))?;
                Value::Point(Box::new(Point::new(x, y)))
            }
            Kind::Rect(scalar) => {
                let names = ["left", "top", "right", "bottom"];
                let [left, top, right, bottom] = tuple(node, names, |node| number(*scalar, node))?;
                Value::Rect(Box::new(Rect::new(left, top, right, bottom)))
            }
            Kind::Object => self.value(kind, property, node, depth)?,
            Kind::Unsupported => match node {
                Node::Map(members) => {
                    let mut members = Members(members);
                    Value::Bits(Box::new(self.bits(members.need("$bits")?, members)?))
                }
                other => return Err(expected("bits", &other)),
            },
            Kind::List(kind) => self.list(kind, property, node, depth)?,
            Kind::Optional(kind) => match node {
                Node::Null => Value::Null,
                node => self.value(kind, property, node, depth)?,
            },
            Kind::Tuple(kinds) => {
                let Node::List(items) = node else { return Err(expected("a list", &node)) };
                if items.len() != kinds.len() {
                    let (need, found) = (kinds.len(), items.len());
                    return Err(wrong(format!("expected {need} elements, found {found}")));
                }
                let items = items.into_iter().zip(kinds.iter()).enumerate();
                let values = items.map(|(index, (node, kind))| {
                    self.value(kind, property, node, depth).map_err(|error| error.in_index(index))
                });
                Value::List(List::from(values.collect::<Result<Vec<_>>>()?))
            }
            Kind::Unseen => return Err(wrong("the type of this property is not known".to_owned())),
        })
    }
}

fn hex(node: Node) -> Result<Vec<u8>> {
    let bytes = match &node {
        Node::Text(digits) => from_hex(digits),
        _ => None,
    };
    bytes.ok_or_else(|| expected("pairs of hexadecimal digits", &node))
}

fn core(node: Node) -> Result<CoreHeader> {
    let names = ["block", "type", "template_id"];
    let [block, template_type, template_id] = tuple(node, names, integer::<u32>)?;
    let byte = |value: u32| {
        u8::try_from(value).map_err(|_| wrong(format!("expected a byte, found {value}")))
    };
    Ok(CoreHeader::new(byte(block)?, byte(template_type)?, template_id))
}

fn number(scalar: Scalar, node: Node) -> Result<Value> {
    Ok(match scalar {
        Scalar::I8 => Value::Int(integer::<i8>(node)?.into()),
        Scalar::I16 => Value::Int(integer::<i16>(node)?.into()),
        Scalar::I32 => Value::Int(integer::<i32>(node)?.into()),
        Scalar::I64 => Value::Int(integer(node)?),
        Scalar::U8 => Value::UInt(integer::<u8>(node)?.into()),
        Scalar::U16 => Value::UInt(integer::<u16>(node)?.into()),
        Scalar::U32 => Value::UInt(integer::<u32>(node)?.into()),
        Scalar::U64 => Value::UInt(integer(node)?),
        Scalar::F32 => Value::Float(float(node)?),
        Scalar::F64 => Value::Double(double(node)?),
    })
}

fn integer<T: TryFrom<i64> + TryFrom<u64>>(node: Node) -> Result<T> {
    let found = match &node {
        Node::Int(value) => T::try_from(*value).ok(),
        Node::UInt(value) => T::try_from(*value).ok(),
        _ => return Err(expected("a whole number", &node)),
    };
    found.ok_or_else(|| {
        let bits = size_of::<T>().saturating_mul(8);
        let message = match node {
            Node::Int(value) => format!("{value} does not fit into {bits} bits"),
            Node::UInt(value) => format!("{value} does not fit into {bits} bits"),
            _ => String::new(),
        };
        Error::new(ErrorKind::NumberRange, message)
    })
}

#[allow(clippy::cast_possible_truncation, reason = "rounded, as reading a float is")]
fn float(node: Node) -> Result<f32> {
    match node {
        Node::Float(value) => Ok(value as f32),
        Node::Int(value) => Ok(value as f32),
        Node::UInt(value) => Ok(value as f32),
        Node::Map(members) => {
            let digits = float_bits(members, 8)?;
            u32::from_str_radix(&digits, 16).map(f32::from_bits).map_err(|_| not_bits(&digits))
        }
        other => Err(expected("a number", &other)),
    }
}

fn double(node: Node) -> Result<f64> {
    match node {
        Node::Float(value) => Ok(value),
        Node::Int(value) => Ok(value as f64),
        Node::UInt(value) => Ok(value as f64),
        Node::Map(members) => {
            let digits = float_bits(members, 16)?;
            u64::from_str_radix(&digits, 16).map(f64::from_bits).map_err(|_| not_bits(&digits))
        }
        other => Err(expected("a number", &other)),
    }
}

fn float_bits(members: Vec<(String, Node)>, digits: usize) -> Result<String> {
    let mut members = Members(members);
    let text = match members.need("$float")? {
        Node::Text(text) if text.len() == digits && !text.starts_with('+') => text,
        other => return Err(expected("the bits of a float in hexadecimal digits", &other)),
    };
    members.done()?;
    Ok(text)
}

#[cold]
fn not_bits(digits: &str) -> Error {
    wrong(format!("expected the bits of a float, found \"{}\"", Shortened(digits)))
}

/// The components by their names, or in a list in that order.
fn tuple<T, const N: usize>(
    node: Node,
    names: [&'static str; N],
    read: impl Fn(Node) -> Result<T>,
) -> Result<[T; N]> {
    let Node::Map(members) = node else { return exact(node, read) };
    let mut members = Members(members);
    let mut found = Vec::with_capacity(N);
    for name in names {
        found.push(read(members.need(name)?).map_err(|error| error.in_field(name))?);
    }
    members.done()?;
    found.try_into().map_err(|_| wrong(format!("expected {N} components")))
}

fn exact<T, const N: usize>(node: Node, read: impl Fn(Node) -> Result<T>) -> Result<[T; N]> {
    let found = each(node, read)?;
    let len = found.len();
    found.try_into().map_err(|_| wrong(format!("expected {N} components, found {len}")))
}

fn each<T>(node: Node, read: impl Fn(Node) -> Result<T>) -> Result<Vec<T>> {
    let Node::List(items) = node else { return Err(expected("a list", &node)) };
    let items = items.into_iter().enumerate();
    items.map(|(index, node)| read(node).map_err(|error| error.in_index(index))).collect()
}
