//! XML to [`Value`].

use std::borrow::Cow;

use super::lex::{Element, Lexer, Token, xml};
use super::text::{read_double, read_float};
use crate::core_object::CoreHeader;
use crate::error::Shortened;
use crate::notation::{Terms, compact, from_hex, hash, is_written};
use crate::schema::{Class, Kind, Property, Scalar};
use crate::types::{Color, Euler, Matrix3x3, Point, Quaternion, Rect, Size, Vector3D, WString};
use crate::value::{Field, Object, RawBits, RawObject};
use crate::{Error, ErrorKind, Options, Result, Unknown, Value};

pub(super) fn document(text: &str, options: &Options) -> Result<Vec<Value>> {
    let mut reader = Reader { lexer: Lexer::new(text), terms: Terms::new(options)? };
    let root = loop {
        match reader.lexer.next()? {
            Token::Start(element) => break element,
            Token::Text(text) if is_blank(&text) => {}
            Token::Text(_) | Token::End | Token::Eof => {
                let at = reader.lexer.offset();
                return Err(xml(at, "expected the element `Objects`".to_owned()));
            }
        }
    };
    if root.name() != "Objects" {
        let name = Shortened(root.name());
        return Err(xml(root.at, format!("expected the element `Objects`, found `{name}`")));
    }
    let mut objects = Vec::new();
    while let Some(element) = reader.child()? {
        objects.extend(reader.class(&element, 1)?);
    }
    loop {
        match reader.lexer.next()? {
            Token::Eof => return Ok(objects),
            Token::Text(text) if is_blank(&text) => {}
            _ => {
                let at = reader.lexer.offset();
                return Err(xml(at, "expected nothing after `Objects`".to_owned()));
            }
        }
    }
}

/// What the debug form of the games puts between elements.
fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    terms: Terms<'a>,
}

/// An object while it is read.
struct Draft {
    fields: Vec<Field>,
    /// Where the elements of a list are collected: the place among `fields`, by the property's index.
    lists: Vec<(usize, usize, Vec<Value>)>,
}

impl<'a> Reader<'a> {
    /// The next element inside the one that is open; `None` at its end.
    fn child(&mut self) -> Result<Option<Element<'a>>> {
        loop {
            let at = self.lexer.offset();
            match self.lexer.next()? {
                Token::Start(element) => return Ok(Some(element)),
                Token::End => return Ok(None),
                Token::Text(text) if is_blank(&text) => {}
                Token::Text(text) => {
                    let text = text.trim();
                    let message = format!("expected an element, found `{}`", Shortened(text));
                    return Err(xml(at, message));
                }
                Token::Eof => return Err(xml(at, "the document ends too early".to_owned())),
            }
        }
    }

    /// The text of the element that is open, up to its end.
    fn text(&mut self) -> Result<Cow<'a, str>> {
        let mut found: Cow<'a, str> = Cow::Borrowed("");
        loop {
            let at = self.lexer.offset();
            match self.lexer.next()? {
                Token::Text(text) => found = text,
                Token::End => return Ok(found),
                Token::Start(element) => {
                    let name = Shortened(element.name());
                    return Err(xml(at, format!("expected text, found the element `{name}`")));
                }
                Token::Eof => return Err(xml(at, "the document ends too early".to_owned())),
            }
        }
    }

    /// Passes over the element that is open.
    fn skip(&mut self) -> Result<()> {
        let mut open = 1_usize;
        while open > 0 {
            match self.lexer.next()? {
                Token::Start(_) => open = open.saturating_add(1),
                Token::End => open = open.saturating_sub(1),
                Token::Text(_) => {}
                Token::Eof => {
                    let at = self.lexer.offset();
                    return Err(xml(at, "the document ends too early".to_owned()));
                }
            }
        }
        Ok(())
    }

    /// An object after its start tag; `None` if its class is unknown and skipped.
    fn class(&mut self, element: &Element<'a>, depth: usize) -> Result<Option<Value>> {
        let bit = element.at.saturating_mul(8);
        if element.name() != "Class" {
            let name = Shortened(element.name());
            return Err(xml(element.at, format!("expected the element `Class`, found `{name}`")));
        }
        self.terms.check_depth(depth).map_err(|error| error.or_at(bit))?;
        let Some(name) = element.attribute("Name")? else {
            return Err(xml(element.at, "the element `Class` has no attribute `Name`".to_owned()));
        };
        if let Some(bits) = self.raw_bits(element)? {
            let hash = hash(&name).ok_or_else(|| {
                xml(element.at, format!("expected a hash, found `{}`", Shortened(&name)))
            })?;
            return Ok(Some(Value::Raw(Box::new(RawObject { hash, bits }))));
        }
        let class = match self.terms.class(&name) {
            Ok(class) => class,
            // What is unknown at the root is no object at all.
            Err(_) if self.terms.options.unknown != Unknown::Refuse && depth > 1 => {
                self.skip()?;
                return Ok(None);
            }
            Err(error) => return Err(error.or_at(bit)),
        };
        let mut object = Object::new(class.clone());
        if let Some(core) = element.attribute("Core")? {
            object.set_core(Some(core_header(&core).ok_or_else(|| {
                let message = format!("expected three numbers in `Core`, found `{core:.32}`");
                xml(element.at, message)
            })?));
        }
        let absent = element.attribute("Absent")?.unwrap_or_default();
        let mut draft = Draft { fields: Vec::new(), lists: Vec::new() };
        while let Some(child) = self.child()? {
            let name = child.name();
            self.property(class, &child, &mut draft, depth)
                .map_err(|error| error.or_at(child.at.saturating_mul(8)).in_field(name))?;
        }
        for field in self.finish(class, draft, &absent)? {
            object.push_field(field);
        }
        Ok(Some(Value::Object(Box::new(object))))
    }

    /// The fields in their order, with lists that have no element.
    fn finish(&self, class: &Class, mut draft: Draft, absent: &str) -> Result<Vec<Field>> {
        for (index, place, values) in draft.lists {
            let Some(property) = class.properties().get(index) else { continue };
            if let Some(field) = draft.fields.get_mut(place) {
                let list = compact(property.kind(), values);
                field.value = list.map_err(|error| error.in_field(property.name()))?;
            }
        }
        let mut there: Vec<usize> = draft.fields.iter().filter_map(Field::index).collect();
        there.sort_unstable();
        let absent: Vec<Option<usize>> =
            absent.split_ascii_whitespace().map(|name| index_of(class, name)).collect();
        for (index, property) in class.properties().iter().enumerate() {
            if !property.is_list()
                || matches!(property.kind(), Kind::Unsupported)
                || property.is_delta()
                || !is_written(property, self.terms.options)
                || there.binary_search(&index).is_ok()
                || absent.contains(&Some(index))
            {
                continue;
            }
            let after = |field: &Field| field.index().is_some_and(|other| other > index);
            let place = draft.fields.iter().position(after).unwrap_or(draft.fields.len());
            let empty = compact(property.kind(), Vec::new())?;
            draft.fields.insert(place, Field::at(index, self.terms.is_kept(property), empty));
        }
        Ok(draft.fields)
    }

    /// A property after its start tag.
    fn property(
        &mut self,
        class: &Class,
        element: &Element<'a>,
        draft: &mut Draft,
        depth: usize,
    ) -> Result<()> {
        let name = element.name();
        let index = index_of(class, name);
        let Some((index, property)) =
            index.and_then(|index| Some((index, class.properties().get(index)?)))
        else {
            return self.unknown_property(class, element, draft);
        };
        let kept = self.terms.is_kept(property);
        if !property.is_list() || matches!(property.kind(), Kind::Unsupported) {
            if let Some(value) = self.value(property, element, depth)? {
                draft.fields.push(Field::at(index, kept, value));
            }
            return Ok(());
        }
        let at = match draft.lists.iter().rposition(|(other, ..)| *other == index) {
            Some(at) => at,
            None => {
                draft.lists.push((index, draft.fields.len(), Vec::new()));
                draft.fields.push(Field::at(index, kept, Value::Null));
                draft.lists.len().saturating_sub(1)
            }
        };
        let depth = depth.saturating_add(1);
        self.terms.check_depth(depth)?;
        if element.attribute("Count")?.is_some_and(|count| count.trim() == "0") {
            return self.skip();
        }
        let item = self.value(property, element, depth);
        let Some((.., values)) = draft.lists.get_mut(at) else { return Ok(()) };
        match item {
            Ok(item) => values.push(item.unwrap_or_default()),
            Err(error) => return Err(error.in_index(values.len())),
        }
        Ok(())
    }

    fn unknown_property(
        &mut self,
        class: &Class,
        element: &Element<'a>,
        draft: &mut Draft,
    ) -> Result<()> {
        let hash = element.name().strip_prefix('_').and_then(hash);
        if let Some(hash) = hash
            && let Some(bits) = self.raw_bits(element)?
        {
            draft.fields.push(Field::unknown(hash, Value::Bits(Box::new(bits))));
            return Ok(());
        }
        if self.terms.options.unknown != Unknown::Refuse {
            return self.skip();
        }
        let message = format!("`{}` has no such property", class.name());
        Err(Error::new(ErrorKind::UnknownProperty, message))
    }

    /// The content of an element that has the attributes for raw bits.
    fn raw_bits(&mut self, element: &Element<'a>) -> Result<Option<RawBits>> {
        if element.attribute("Encoding")?.as_deref() != Some("bits") {
            return Ok(None);
        }
        let count = element.attribute("Bits")?.and_then(|count| count.trim().parse().ok());
        let text = self.text()?;
        let bytes = from_hex(text.trim());
        match (count, bytes) {
            (Some(count), Some(bytes)) if usize::div_ceil(count, 8) == bytes.len() => {
                Ok(Some(RawBits::new(&bytes, count)))
            }
            _ => {
                let message = "expected as many hexadecimal digits as `Bits` says".to_owned();
                Err(xml(element.at, message))
            }
        }
    }

    /// A value after its start tag; `None` for an object of an unknown class that is skipped.
    fn value(
        &mut self,
        property: &Property,
        element: &Element<'a>,
        depth: usize,
    ) -> Result<Option<Value>> {
        match property.kind() {
            Kind::Object => return self.object(depth.saturating_add(1)).map(Some),
            Kind::Unsupported => {
                return match self.raw_bits(element)? {
                    Some(bits) => Ok(Some(Value::Bits(Box::new(bits)))),
                    None => Err(Error::new(
                        ErrorKind::UnsupportedType,
                        format!("nobody knows the layout of `{}`", property.type_name()),
                    )),
                };
            }
            _ => {}
        }
        let encoding = element.attribute("Encoding")?.map(Cow::into_owned);
        let text = self.text()?;
        match (encoding.as_deref(), property.kind()) {
            (Some("hex"), Kind::String) => {
                let bytes = from_hex(text.trim()).ok_or_else(|| wrong("hexadecimal", &text))?;
                Ok(Some(Value::String(bytes.into())))
            }
            (Some("utf16"), Kind::WString) => {
                let bytes = from_hex(text.trim()).unwrap_or_default();
                let (units, rest) = bytes.as_chunks::<2>();
                if !rest.is_empty() || (bytes.is_empty() && !text.trim().is_empty()) {
                    return Err(wrong("four hexadecimal digits for each unit", &text));
                }
                let units: Vec<u16> = units.iter().map(|pair| u16::from_be_bytes(*pair)).collect();
                Ok(Some(Value::WString(units.into())))
            }
            _ => single(property, text).map(Some),
        }
    }

    /// The object in the element that is open; null if there is none.
    fn object(&mut self, depth: usize) -> Result<Value> {
        let Some(element) = self.child()? else { return Ok(Value::Null) };
        let value = self.class(&element, depth)?;
        match self.child()? {
            None => Ok(value.unwrap_or_default()),
            Some(more) => Err(xml(more.at, "expected one object".to_owned())),
        }
    }
}

/// By name, or by the hash that stands for a name.
fn index_of(class: &Class, name: &str) -> Option<usize> {
    let by_hash = || class.index_of_hash(hash(name.strip_prefix('_')?)?);
    class.index_of(name).or_else(by_hash)
}

fn core_header(text: &str) -> Option<CoreHeader> {
    let mut numbers = text.split(',').map(str::trim);
    let header = CoreHeader::new(
        numbers.next()?.parse().ok()?,
        numbers.next()?.parse().ok()?,
        numbers.next()?.parse().ok()?,
    );
    numbers.next().is_none().then_some(header)
}

#[cold]
fn wrong(expected: &str, found: &str) -> Error {
    let message = format!("expected {expected}, found \"{}\"", Shortened(found));
    Error::new(ErrorKind::Data, message)
}

/// A value that is only text.
fn single(property: &Property, text: Cow<'_, str>) -> Result<Value> {
    let trimmed = text.trim();
    Ok(match property.kind() {
        Kind::String => Value::String(match text {
            Cow::Borrowed(text) => text.into(),
            Cow::Owned(text) => text.into(),
        }),
        Kind::WString => Value::WString(WString::from(&*text)),
        Kind::Bool => match trimmed {
            "1" => Value::Bool(true),
            "0" => Value::Bool(false),
            text if text.eq_ignore_ascii_case("true") => Value::Bool(true),
            text if text.eq_ignore_ascii_case("false") => Value::Bool(false),
            _ => return Err(wrong("true or false", trimmed)),
        },
        Kind::Scalar(scalar) => number(*scalar, trimmed)?,
        Kind::Bits { signed: true, .. } => Value::Int(parse(trimmed)?),
        Kind::Bits { signed: false, .. } => Value::UInt(parse(trimmed)?),
        Kind::Enum => Value::Enum(match property.options() {
            Some(options) => options.parse(trimmed)?,
            None => parse(trimmed)?,
        }),
        Kind::Color => color(trimmed)?,
        Kind::Vector3D => {
            let [x, y, z] = floats(trimmed)?;
            Value::Vector3D(Vector3D::new(x, y, z))
        }
        Kind::Quaternion => {
            let [w, x, y, z] = floats(trimmed)?;
            Value::Quaternion(Quaternion::new(w, x, y, z))
        }
        Kind::Euler => {
            let [pitch, yaw, roll] = floats(trimmed)?;
            Value::Euler(Euler::new(pitch, yaw, roll))
        }
        Kind::Matrix3x3 => {
            let [ix, iy, iz, jx, jy, jz, kx, ky, kz] = floats(trimmed)?;
            Value::Matrix3x3(Box::new(Matrix3x3::new([ix, iy, iz], [jx, jy, jz], [kx, ky, kz])))
        }
        Kind::Size(scalar) => {
            let [width, height] = tuple(trimmed, |text| number(*scalar, text))?;
            Value::Size(Box::new(Size::new(width, height)))
        }
        Kind::Point(scalar) => {
            let [x, y] = tuple(trimmed, |text| number(*scalar, text))?;
            Value::Point(Box::new(Point::new(x, y)))
        }
        Kind::Rect(scalar) => {
            let [left, top, right, bottom] = tuple(trimmed, |text| number(*scalar, text))?;
            Value::Rect(Box::new(Rect::new(left, top, right, bottom)))
        }
        Kind::Object
        | Kind::Unsupported
        | Kind::Tuple(_)
        | Kind::List(_)
        | Kind::Optional(_)
        | Kind::Unseen => {
            let message = format!("the XML form has no `{}`", property.type_name());
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
    })
}

/// AARRGGBB, or the components as they stand in the bytes.
fn color(text: &str) -> Result<Value> {
    let digits = from_hex(text).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
    if let Some([a, r, g, b]) = digits {
        return Ok(Value::Color(Color::new(r, g, b, a)));
    }
    if !text.contains(',') {
        return Err(wrong("a colour as eight hexadecimal digits", text));
    }
    let [b, g, r, a] = tuple(text, parse::<u8>)?;
    Ok(Value::Color(Color::new(r, g, b, a)))
}

fn number(scalar: Scalar, text: &str) -> Result<Value> {
    Ok(match scalar {
        Scalar::I8 => Value::Int(parse::<i8>(text)?.into()),
        Scalar::I16 => Value::Int(parse::<i16>(text)?.into()),
        Scalar::I32 => Value::Int(parse::<i32>(text)?.into()),
        Scalar::I64 => Value::Int(parse(text)?),
        Scalar::U8 => Value::UInt(parse::<u8>(text)?.into()),
        Scalar::U16 => Value::UInt(parse::<u16>(text)?.into()),
        Scalar::U32 => Value::UInt(parse::<u32>(text)?.into()),
        Scalar::U64 => Value::UInt(parse(text)?),
        Scalar::F32 => Value::Float(read_float(text).ok_or_else(|| wrong("a number", text))?),
        Scalar::F64 => Value::Double(read_double(text).ok_or_else(|| wrong("a number", text))?),
    })
}

/// A whole number. Too large and no number at all are different errors.
fn parse<T: std::str::FromStr>(text: &str) -> Result<T> {
    text.parse().map_err(|_| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return wrong("a whole number", text);
        }
        let bits = size_of::<T>().saturating_mul(8);
        let message = format!("{} does not fit into {bits} bits", Shortened(text));
        Error::new(ErrorKind::NumberRange, message)
    })
}

fn floats<const N: usize>(text: &str) -> Result<[f32; N]> {
    tuple(text, |part| read_float(part).ok_or_else(|| wrong("a number", part)))
}

fn tuple<T, const N: usize>(text: &str, read: impl Fn(&str) -> Result<T>) -> Result<[T; N]> {
    let parts: Vec<T> = text.split(',').map(|part| read(part.trim())).collect::<Result<_>>()?;
    let found = parts.len();
    parts.try_into().map_err(|_| {
        let message = format!("expected {N} numbers with commas, found {found}");
        Error::new(ErrorKind::Data, message)
    })
}
