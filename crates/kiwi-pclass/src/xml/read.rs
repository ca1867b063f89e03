//! XML to [`Value`], without recursion.

use std::borrow::Cow;
use std::sync::Arc;

use gamewire_core::bytes::from_hex;

use super::lex::{Element, Lexer, Token, xml};
use super::text::{is_written, read_double, read_float};
use crate::core_object::CoreHeader;
use crate::error::Shortened;
use crate::notation::{Budget, Terms, compact, hash};
use crate::schema::{Class, Kind, Number, Property, Row, Scalar};
use crate::types::{Color, WString};
use crate::value::{Field, Object, RawBits, RawObject};
use crate::{Error, ErrorKind, Options, Result, Unknown, Value};

pub(super) fn document(text: &str, options: &Options) -> Result<Vec<Value>> {
    let budget = Budget::new(options.limits.memory(text.len()));
    let mut reader = XmlReader { lexer: Lexer::new(text), terms: Terms::new(options)?, budget };
    let root = loop {
        match reader.lexer.token()? {
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
        match reader.class(&element, 1)? {
            Begun::Whole(value) => objects.extend(value),
            Begun::Level(level) => objects.push(reader.run(*level)?),
        }
    }
    loop {
        match reader.lexer.token()? {
            Token::Eof => return Ok(objects),
            Token::Text(text) if is_blank(&text) => {}
            _ => {
                let at = reader.lexer.offset();
                return Err(xml(at, "expected nothing after `Objects`".to_owned()));
            }
        }
    }
}

/// Whether a text is only the white space between elements.
fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

struct XmlReader<'a> {
    lexer: Lexer<'a>,
    terms: Terms<'a>,
    budget: Budget,
}

/// An object, or what became of an element that is over: `None` if its class is unknown and skipped.
enum Begun<'a> {
    Whole(Option<Value>),
    Level(Box<OpenObject<'a>>),
}

/// An object while it is read.
struct OpenObject<'a> {
    class: &'a Arc<Class>,
    core: Option<CoreHeader>,
    /// Names of lists that are missing.
    absent: String,
    /// Objects and lists around what is in it, itself included.
    depth: usize,
    fields: Vec<Field>,
    /// Where the elements of a list are collected: the place among `fields`, by the property's index.
    lists: Vec<(usize, usize, Vec<Value>)>,
    /// The element in which an object is being read.
    open: Option<OpenElement>,
}

/// An element of a property: its name, where it stands, whose value it is.
struct OpenElement {
    name: String,
    at: usize,
    index: usize,
    /// The place among the lists.
    list: Option<usize>,
}

impl OpenObject<'_> {
    /// Adds to an error where in this object it happened.
    fn locate(&self, error: Error) -> Error {
        let Some(open) = &self.open else { return error };
        let list = open.list.and_then(|list| self.lists.get(list));
        let error = match list {
            Some((.., values)) => error.inside(values.len()),
            None => error,
        };
        error.or_at(open.at.saturating_mul(8)).inside(&*open.name)
    }
}

impl<'a> XmlReader<'a> {
    /// The next element inside the one that is open; `None` at its end.
    fn child(&mut self) -> Result<Option<Element<'a>>> {
        loop {
            let at = self.lexer.offset();
            match self.lexer.token()? {
                Token::Start(element) => return Ok(Some(element)),
                Token::End | Token::Eof => return Ok(None),
                Token::Text(text) if is_blank(&text) => {}
                Token::Text(text) => {
                    let text = text.trim();
                    let message = format!("expected an element, found `{}`", Shortened(text));
                    return Err(xml(at, message));
                }
            }
        }
    }

    /// The text of the element that is open, up to its end.
    fn text(&mut self) -> Result<Cow<'a, str>> {
        let mut found: Cow<'a, str> = Cow::Borrowed("");
        loop {
            let at = self.lexer.offset();
            match self.lexer.token()? {
                Token::Text(text) => found = text,
                Token::End | Token::Eof => return Ok(found),
                Token::Start(element) => {
                    let name = Shortened(element.name());
                    return Err(xml(at, format!("expected text, found the element `{name}`")));
                }
            }
        }
    }

    /// Skips the element that is open.
    fn skip(&mut self) -> Result<()> {
        let mut open = 1_usize;
        while open > 0 {
            match self.lexer.token()? {
                Token::Start(_) => open = open.saturating_add(1),
                Token::End => open = open.saturating_sub(1),
                Token::Text(_) => {}
                Token::Eof => break,
            }
        }
        Ok(())
    }

    /// Reads an object and all that is in it.
    fn run(&mut self, level: OpenObject<'a>) -> Result<Value> {
        let mut stack: Vec<OpenObject<'a>> = Vec::new();
        let mut top = level;
        loop {
            let outcome = match self.advance(&mut top) {
                Ok(Some(inner)) => {
                    stack.push(std::mem::replace(&mut top, inner));
                    continue;
                }
                Ok(None) => match stack.pop() {
                    None => return self.finish(top),
                    Some(outer) => {
                        let inner = std::mem::replace(&mut top, outer);
                        self.finish(inner).and_then(|value| self.put(&mut top, Some(value)))
                    }
                },
                Err(error) => Err(error),
            };
            if let Err(error) = outcome {
                let error = top.locate(error);
                return Err(stack.iter().rev().fold(error, |error, level| level.locate(error)));
            }
        }
    }

    /// Reads properties until an object begins in one; `None` at the end.
    fn advance(&mut self, level: &mut OpenObject<'a>) -> Result<Option<OpenObject<'a>>> {
        while let Some(child) = self.child()? {
            let begun = self.property(level, &child).map_err(|error| {
                // Where an object was being read, the level knows itself.
                if level.open.is_some() {
                    return error;
                }
                error.or_at(child.at.saturating_mul(8)).inside(child.name())
            })?;
            if let Some(inner) = begun {
                return Ok(Some(inner));
            }
        }
        Ok(None)
    }

    /// An object after its start tag.
    fn class(&mut self, element: &Element<'a>, depth: usize) -> Result<Begun<'a>> {
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
            return Ok(Begun::Whole(Some(Value::Raw(Box::new(RawObject { hash, bits })))));
        }
        let class = match self.terms.class(&name) {
            Ok(class) => class,
            // At the root there would be no object at all.
            Err(_) if self.terms.options.unknown != Unknown::Refuse && depth > 1 => {
                self.skip()?;
                return Ok(Begun::Whole(None));
            }
            Err(error) => return Err(error.or_at(bit)),
        };
        let core = match element.attribute("Core")? {
            None => None,
            Some(core) => Some(core_header(&core).ok_or_else(|| {
                let message = format!("expected three numbers in `Core`, found `{core:.32}`");
                xml(element.at, message)
            })?),
        };
        let absent = element.attribute("Absent")?.unwrap_or_default().into_owned();
        let (fields, lists) = (Vec::new(), Vec::new());
        let level = OpenObject { class, core, absent, depth, fields, lists, open: None };
        Ok(Begun::Level(Box::new(level)))
    }

    /// The object, with lists that have no element in their places.
    fn finish(&mut self, mut draft: OpenObject<'a>) -> Result<Value> {
        let class = draft.class;
        for (index, place, values) in draft.lists {
            let Some(property) = class.properties().get(index) else { continue };
            if let Some(field) = draft.fields.get_mut(place) {
                let list = compact(property.kind(), values);
                field.value = list.map_err(|error| error.inside(property.name()))?;
            }
        }
        let mut present: Vec<usize> = draft.fields.iter().filter_map(Field::index).collect();
        present.sort_unstable();
        let absent: Vec<Option<usize>> =
            draft.absent.split_ascii_whitespace().map(|name| index_of(class, name)).collect();
        for (index, property) in class.properties().iter().enumerate() {
            if !property.is_list()
                || matches!(property.kind(), Kind::Unsupported)
                || property.is_delta()
                || !is_written(property, self.terms.options)
                || present.binary_search(&index).is_ok()
                || absent.contains(&Some(index))
            {
                continue;
            }
            let after = |field: &Field| field.index().is_some_and(|other| other > index);
            let place = draft.fields.iter().position(after).unwrap_or(draft.fields.len());
            let empty = Value::empty_list(property.kind());
            self.budget.take_for(&empty)?;
            draft.fields.insert(place, Field::at(index, self.terms.is_kept(property), empty));
        }
        let object = Object::with_fields(Arc::clone(class), draft.fields, draft.core);
        Ok(Value::Object(Box::new(object)))
    }

    /// A property after its start tag. Returns the object that begins in it.
    fn property(
        &mut self,
        level: &mut OpenObject<'a>,
        element: &Element<'a>,
    ) -> Result<Option<OpenObject<'a>>> {
        let class = level.class;
        let index = index_of(class, element.name());
        let Some((index, property)) =
            index.and_then(|index| Some((index, class.properties().get(index)?)))
        else {
            self.unknown_property(level, element)?;
            return Ok(None);
        };
        let mut list = None;
        let mut depth = level.depth;
        if property.is_list() && !matches!(property.kind(), Kind::Unsupported) {
            depth = depth.saturating_add(1);
            self.terms.check_depth(depth)?;
            list = Some(self.list(level, index, property));
            if element.attribute("Count")?.is_some_and(|count| count.trim() == "0") {
                self.skip()?;
                return Ok(None);
            }
        }
        let (name, at) = (element.name().to_owned(), element.at);
        level.open = Some(OpenElement { name, at, index, list });
        if *property.kind() != Kind::Object {
            let value = self.value(property, element)?;
            return self.place(level, Some(value)).map(|()| None);
        }
        let Some(inner) = self.child()? else {
            return self.place(level, Some(Value::Null)).map(|()| None);
        };
        match self.class(&inner, depth.saturating_add(1))? {
            Begun::Level(inner) => Ok(Some(*inner)),
            Begun::Whole(value) => {
                self.put(level, value)?;
                Ok(None)
            }
        }
    }

    /// The place among the lists of a property, which is made where it is met first.
    fn list(&self, level: &mut OpenObject<'a>, index: usize, property: &Property) -> usize {
        if let Some(at) = level.lists.iter().rposition(|(other, ..)| *other == index) {
            return at;
        }
        level.lists.push((index, level.fields.len(), Vec::new()));
        level.fields.push(Field::at(index, self.terms.is_kept(property), Value::Null));
        level.lists.len().saturating_sub(1)
    }

    /// An object is over, and with it the element of its property must be.
    fn put(&mut self, level: &mut OpenObject<'a>, value: Option<Value>) -> Result<()> {
        if let Some(more) = self.child()? {
            return Err(xml(more.at, "expected one object".to_owned()));
        }
        self.place(level, value)
    }

    /// Puts a value where the element that is open belongs.
    fn place(&mut self, level: &mut OpenObject<'a>, value: Option<Value>) -> Result<()> {
        let value = value.unwrap_or(Value::Null);
        self.budget.take_for(&value)?;
        let Some(open) = level.open.take() else { return Ok(()) };
        match open.list.and_then(|list| level.lists.get_mut(list)) {
            Some((.., values)) => values.push(value),
            None => {
                let kept = level.class.properties().get(open.index);
                let kept = kept.is_some_and(|property| self.terms.is_kept(property));
                level.fields.push(Field::at(open.index, kept, value));
            }
        }
        Ok(())
    }

    fn unknown_property(
        &mut self,
        level: &mut OpenObject<'a>,
        element: &Element<'a>,
    ) -> Result<()> {
        let hash = element.name().strip_prefix('_').and_then(hash);
        if let Some(hash) = hash
            && let Some(bits) = self.raw_bits(element)?
        {
            let value = Value::Bits(Box::new(bits));
            self.budget.take_for(&value)?;
            level.fields.push(Field::unknown(hash, value));
            return Ok(());
        }
        if self.terms.options.unknown != Unknown::Refuse {
            return self.skip();
        }
        let message = format!("`{}` has no such property", level.class.name());
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

    /// A value that is no object, after its start tag.
    fn value(&mut self, property: &Property, element: &Element<'a>) -> Result<Value> {
        if *property.kind() == Kind::Unsupported {
            return match self.raw_bits(element)? {
                Some(bits) => Ok(Value::Bits(Box::new(bits))),
                None => Err(Error::new(
                    ErrorKind::UnsupportedType,
                    format!("nobody knows the layout of `{}`", property.type_name()),
                )),
            };
        }
        let encoding = element.attribute("Encoding")?.map(Cow::into_owned);
        let text = self.text()?;
        match (encoding.as_deref(), property.kind()) {
            (Some("hex"), Kind::String) => {
                let bytes = from_hex(text.trim()).ok_or_else(|| wrong("hexadecimal", &text))?;
                Ok(Value::String(bytes.into()))
            }
            (Some("utf16"), Kind::WString) => {
                let odd = || wrong("four hexadecimal digits for each unit", &text);
                let bytes = from_hex(text.trim()).ok_or_else(odd)?;
                let (units, []) = bytes.as_chunks::<2>() else { return Err(odd()) };
                let units: Vec<u16> = units.iter().map(|pair| u16::from_be_bytes(*pair)).collect();
                Ok(Value::WString(units.into()))
            }
            _ => single(property, text),
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
        Kind::Scalar(scalar) => number(*scalar, trimmed)?.into(),
        Kind::Bits { signed: true, .. } => Value::Int(parse(trimmed)?),
        Kind::Bits { signed: false, .. } => Value::UInt(parse(trimmed)?),
        Kind::Enum => Value::Enum(match property.options() {
            Some(options) => options.parse(trimmed)?,
            None => parse(trimmed)?,
        }),
        kind => match kind.row() {
            Some(row) => tuple(kind, row, trimmed)?,
            None => {
                let message = format!("the XML form has no `{}`", property.type_name());
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
        },
    })
}

/// The components as they stand in the bytes, with commas; a colour also as AARRGGBB.
fn tuple(kind: &Kind, row: Row, text: &str) -> Result<Value> {
    let is_color = *kind == Kind::Color;
    let digits = from_hex(text).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
    if let (Some([a, r, g, b]), true) = (digits, is_color) {
        return Ok(Value::Color(Color::new(r, g, b, a)));
    }
    if is_color && !text.contains(',') {
        return Err(wrong("a colour as eight hexadecimal digits", text));
    }
    let parts = text.split(',').map(|part| number(row.scalar, part.trim()));
    let mut numbers: Vec<Number> = parts.collect::<Result<_>>()?;
    if let ([b, _, r, _], true) = (&mut *numbers, is_color) {
        std::mem::swap(b, r);
    }
    Value::from_numbers(kind, &numbers).ok_or_else(|| {
        let (len, found) = (row.len(), numbers.len());
        let message = format!("expected {len} numbers with commas, found {found}");
        Error::new(ErrorKind::Data, message)
    })
}

fn number(scalar: Scalar, text: &str) -> Result<Number> {
    let float = || wrong("a number", text);
    Ok(match scalar {
        Scalar::I8 => Number::Int(parse::<i8>(text)?.into()),
        Scalar::I16 => Number::Int(parse::<i16>(text)?.into()),
        Scalar::I32 => Number::Int(parse::<i32>(text)?.into()),
        Scalar::I64 => Number::Int(parse(text)?),
        Scalar::U8 => Number::UInt(parse::<u8>(text)?.into()),
        Scalar::U16 => Number::UInt(parse::<u16>(text)?.into()),
        Scalar::U32 => Number::UInt(parse::<u32>(text)?.into()),
        Scalar::U64 => Number::UInt(parse(text)?),
        Scalar::F32 => Number::Float(read_float(text).ok_or_else(float)?),
        Scalar::F64 => Number::Double(read_double(text).ok_or_else(float)?),
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
