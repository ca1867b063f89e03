//! Text to values, without recursion.

mod token;

use std::borrow::Cow;
use std::ops::Range;

use base64::Engine as _;

use super::BASE64;
use crate::error::{Count, Error, ErrorKind, Result, Shortened};
use crate::options::{Dialect, Precision};
use crate::read::{Number, Reader};
use crate::types::{
    Callable, ElementType, GString, NodePath, PackedByteArray, PackedStringArray, Real, Rid,
    StringName, Type,
};
use crate::value::{
    Dictionary, Instance, Object, Reals, Reference, Typed, TypedArray, TypedDictionary,
    converted_element, merge_same_keys, of_numbers,
};
use crate::{Options, Spelling, Value};
pub(super) use token::{Token, Tokens};

/// Reads the one value of the text.
pub(super) fn read(text: &str, options: &Options) -> Result<Value> {
    let mut parser = Parser::new(text, 0, options);
    let value = parser.value()?;
    match parser.tokens.next()? {
        Token::End => Ok(value),
        other => {
            let text = format!("expected the end after the value, found {other}");
            Err(Error::at(ErrorKind::TrailingBytes, parser.tokens.at, text))
        }
    }
}

/// Reads the value that begins at an offset, and what may stand before it; returns where it is.
pub(super) fn read_at(text: &str, at: usize, options: &Options) -> Result<(Value, Range<usize>)> {
    let mut parser = Parser::new(text, at, options);
    parser.tokens.skip();
    let start = parser.tokens.offset();
    let value = parser.value()?;
    Ok((value, start..parser.tokens.offset()))
}

/// Containers that may be open where a value is passed over.
const MAX_SKIMMED: usize = 2048;

/// Passes over the value that begins at an offset, and what may stand before it; returns where it is. Looks at
/// brackets and words alone.
pub(super) fn skim_at(text: &str, at: usize) -> Result<Range<usize>> {
    let mut tokens = Tokens::at(text, at);
    tokens.skip();
    let start = tokens.offset();
    // The brackets that are open, and whether any word may stand there.
    let mut open: Vec<(Token<'_>, bool)> = Vec::new();
    let (mut is_named, mut is_after) = (false, false);
    loop {
        let token = tokens.next()?;
        let any_word = open.last().is_some_and(|(_, any)| *any);
        let is_value = !matches!(
            token,
            Token::CloseBrace | Token::CloseBracket | Token::CloseParen | Token::OpenParen
        );
        if matches!(token, Token::Comma | Token::Colon) {
            if open.is_empty() || !is_after {
                return Err(tokens.wrong("a value", &token));
            }
            is_after = false;
            continue;
        }
        if is_value && is_after {
            return Err(tokens.wrong(Token::Comma, &token));
        }
        let close = match token {
            Token::OpenBrace => Some(Token::CloseBrace),
            Token::OpenBracket => Some(Token::CloseBracket),
            Token::OpenParen if is_named || !open.is_empty() => Some(Token::CloseParen),
            Token::Word(word) if tokens.next_is('(') || tokens.next_is('[') => {
                let is_known = named(word).is_some() || Type::from_name(word).is_some();
                let others = ["Object", "Resource", "SubResource", "ExtResource"];
                if !is_known && !any_word && !others.contains(&word) {
                    return Err(tokens.wrong("a value", &token));
                }
                is_named = true;
                continue;
            }
            Token::Word("true" | "false" | "null" | "nil") => None,
            Token::Word(word) if special(word).is_some() || any_word => None,
            Token::Int(_) | Token::Float(_) | Token::Text(_) | Token::Name(_) | Token::Color(_) => {
                None
            }
            _ if open.last().is_some_and(|(close, _)| *close == token) => {
                open.pop();
                None
            }
            _ => return Err(tokens.wrong("a value", &token)),
        };
        if open.len() > MAX_SKIMMED {
            let text = "nested deeper than any engine reads";
            return Err(Error::at(ErrorKind::DepthLimit, tokens.offset(), text));
        }
        is_after = close.is_none();
        let any = std::mem::take(&mut is_named);
        open.extend(close.map(|close| (close, any)));
        // `Array[int](` goes on.
        let end = tokens.offset();
        if open.is_empty() && !(token == Token::CloseBracket && tokens.next_is('(')) {
            return Ok(start..end);
        }
        is_named = open.is_empty();
    }
}

/// Reads the one value of the text, with the place of each value in it.
pub(super) fn read_places(text: &str, options: &Options) -> Result<(Value, Vec<ValuePlace>)> {
    let mut parser = Parser { places: Some(Vec::new()), ..Parser::new(text, 0, options) };
    let value = parser.value()?;
    Ok((value, parser.places.unwrap_or_default()))
}

/// Where a value stands in a text.
pub(super) struct ValuePlace {
    pub(super) span: Range<usize>,
    /// The index of the place after those of the values inside of it.
    pub(super) next: usize,
}

struct Parser<'a> {
    tokens: Tokens<'a>,
    options: Options,
    /// The containers whose end was not reached yet, the innermost last.
    stack: Vec<OpenText<'a>>,
    /// The places of the values so far in the order of their beginnings, if they are wanted.
    places: Option<Vec<ValuePlace>>,
}

/// A container whose end was not reached yet.
struct OpenText<'a> {
    contents: TextContents<'a>,
    /// Where it starts.
    at: usize,
    /// The index of its place.
    place: usize,
    /// A value was read and no comma after it.
    needs_comma: bool,
}

enum TextContents<'a> {
    Items(Vec<Value>, Option<ElementType>),
    Entries(Vec<(Value, Value)>, Option<Value>, Option<Box<(ElementType, ElementType)>>),
    Properties(Box<Instance>, Option<Cow<'a, str>>),
}

enum Begun<'a> {
    Whole(Value),
    OpenText(TextContents<'a>),
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, at: usize, options: &Options) -> Self {
        let options = options.clone().dialect(Dialect::Godot4);
        let mut tokens = Tokens::at(text, at);
        tokens.is_exact = options.spelling == Spelling::Exact;
        Parser { tokens, options, stack: Vec::new(), places: None }
    }

    fn value(&mut self) -> Result<Value> {
        let token = self.tokens.next()?;
        let mut whole = self.start(token)?;
        loop {
            if let Some(value) = whole.take() {
                let Some(open) = self.stack.last_mut() else { return Ok(value) };
                open.add(value);
            }
            whole = match self.next()? {
                Some(token) => self.start(token)?,
                None => self.close()?,
            };
        }
    }

    /// Reads a value, or opens the container that begins.
    fn start(&mut self, token: Token<'a>) -> Result<Option<Value>> {
        let at = self.tokens.at;
        let place = self.places.as_mut().map_or(0, |places| {
            places.push(ValuePlace { span: at..at, next: 0 });
            places.len().saturating_sub(1)
        });
        let contents = match self.begin(token)? {
            Begun::Whole(value) => {
                self.end_place(place);
                return Ok(Some(value));
            }
            Begun::OpenText(contents) => contents,
        };
        let limit = self.options.limits.max_depth;
        if self.stack.len() > limit {
            let text = format!("nested deeper than max_depth, which is {limit}");
            return Err(Error::at(ErrorKind::DepthLimit, at, text));
        }
        self.stack.push(OpenText { contents, at, place, needs_comma: false });
        Ok(None)
    }

    /// Notes where a value ends.
    fn end_place(&mut self, place: usize) {
        let (end, next) = (self.tokens.offset(), self.places.as_ref().map_or(0, Vec::len));
        if let Some(own) = self.places.as_mut().and_then(|places| places.get_mut(place)) {
            own.span.end = end;
            own.next = next;
        }
    }

    /// The token with which the next value in the innermost container begins; `None` at its end.
    fn next(&mut self) -> Result<Option<Token<'a>>> {
        let Some(open) = self.stack.last_mut() else { return Ok(None) };
        let (close, after_key) = match &open.contents {
            TextContents::Items(..) => (Token::CloseBracket, false),
            TextContents::Entries(_, key, _) => (Token::CloseBrace, key.is_some()),
            TextContents::Properties(..) => (Token::CloseParen, false),
        };
        if after_key {
            self.tokens.expect(&Token::Colon)?;
            return self.tokens.next().map(Some);
        }
        let mut token = self.tokens.next()?;
        if open.needs_comma && token != close {
            if token != Token::Comma {
                return Err(self.tokens.wrong(format_args!("{} or {close}", Token::Comma), &token));
            }
            open.needs_comma = false;
            token = self.tokens.next()?;
        }
        if token == close {
            return Ok(None);
        }
        if let TextContents::Properties(_, name) = &mut open.contents {
            let Token::Text(text) = token else {
                return Err(self.tokens.wrong("the name of a property", &token));
            };
            *name = Some(text);
            self.tokens.expect(&Token::Colon)?;
            return self.tokens.next().map(Some);
        }
        Ok(Some(token))
    }

    /// The innermost container is complete.
    fn close(&mut self) -> Result<Option<Value>> {
        let Some(OpenText { contents, at, place, .. }) = self.stack.pop() else {
            debug_assert!(false, "a container ends that did not begin");
            return Ok(None);
        };
        let value = self.closed(contents, at)?;
        self.end_place(place);
        Ok(Some(value))
    }

    /// The value of a container whose brackets are closed.
    fn closed(&mut self, contents: TextContents<'a>, at: usize) -> Result<Value> {
        Ok(match contents {
            TextContents::Items(items, None) => Value::Array(items.into()),
            TextContents::Items(items, Some(element)) => {
                self.tokens.expect(&Token::CloseParen)?;
                let items = self.fitted(items, &element, at)?.unwrap_or_default();
                match element {
                    ElementType::Any => Value::Array(items.into()),
                    element => TypedArray { element, items: items.into() }.into(),
                }
            }
            TextContents::Entries(mut entries, _, types) => {
                merge_same_keys(&mut entries);
                let Some(types) = types else {
                    return Ok(Value::Dictionary(entries.into()));
                };
                self.tokens.expect(&Token::CloseParen)?;
                let (key, value) = *types;
                let (keys, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
                let fitted = self.fitted(keys, &key, at)?.zip(self.fitted(values, &value, at)?);
                let entries = match fitted {
                    Some((keys, values)) => keys.into_iter().zip(values).collect(),
                    None => Dictionary::new(),
                };
                if key.is_typed() || value.is_typed() {
                    TypedDictionary { key, value, entries }.into()
                } else {
                    entries.into()
                }
            }
            TextContents::Properties(instance, _) => Value::Object(Object::Instance(instance)),
        })
    }

    /// The elements of a typed container, converted to its type; `None` if one cannot be, for then
    /// the engine takes none of them.
    fn fitted(
        &self,
        items: Vec<Value>,
        wanted: &ElementType,
        at: usize,
    ) -> Result<Option<Vec<Value>>> {
        if !wanted.is_typed() {
            return Ok(Some(items));
        }
        let mut reader = Reader::new(&[], self.options.clone());
        let types = (wanted.clone(), ElementType::Any);
        let mut fitted = Vec::with_capacity(items.len());
        for item in items {
            match converted_element(item, Typed { types: &types, at, reader: &mut reader })? {
                Some(item) => fitted.push(item),
                None => {
                    reader.canonical(false, at, "an element does not fit its container")?;
                    return Ok(None);
                }
            }
        }
        Ok(Some(fitted))
    }

    fn begin(&mut self, token: Token<'a>) -> Result<Begun<'a>> {
        Ok(Begun::Whole(match token {
            Token::OpenBracket => {
                return Ok(Begun::OpenText(TextContents::Items(Vec::new(), None)));
            }
            Token::OpenBrace => {
                return Ok(Begun::OpenText(TextContents::Entries(Vec::new(), None, None)));
            }
            Token::Int(value) => Value::Int(value),
            Token::Float(value) => Value::Float(value),
            Token::Text(text) => Value::String(text.into()),
            Token::Name(name) => Value::StringName(StringName(name.into())),
            Token::Color(channels) => Value::Color(channels.into()),
            Token::Word(word) => return self.word(word),
            other => return Err(self.tokens.wrong("a value", &other)),
        }))
    }

    fn word(&mut self, word: &'a str) -> Result<Begun<'a>> {
        let at = self.tokens.at;
        let value = match word {
            "null" | "nil" => Value::Nil,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "Array" => {
                self.tokens.expect(&Token::OpenBracket)?;
                let element = self.element_type()?;
                self.tokens.expect(&Token::CloseBracket)?;
                self.tokens.expect(&Token::OpenParen)?;
                self.tokens.expect(&Token::OpenBracket)?;
                return Ok(Begun::OpenText(TextContents::Items(Vec::new(), Some(element))));
            }
            "Dictionary" => {
                self.tokens.expect(&Token::OpenBracket)?;
                let key = self.element_type()?;
                self.tokens.expect(&Token::Comma)?;
                let value = self.element_type()?;
                self.tokens.expect(&Token::CloseBracket)?;
                self.tokens.expect(&Token::OpenParen)?;
                self.tokens.expect(&Token::OpenBrace)?;
                let types = Some(Box::new((key, value)));
                return Ok(Begun::OpenText(TextContents::Entries(Vec::new(), None, types)));
            }
            "Object" => return self.object(at),
            "NodePath" => {
                self.tokens.expect(&Token::OpenParen)?;
                let path = self.tokens.text("the text of a node path")?;
                self.tokens.expect(&Token::CloseParen)?;
                Value::NodePath(Box::new(NodePath::new(&path)))
            }
            "RID" => {
                self.tokens.expect(&Token::OpenParen)?;
                match self.tokens.next()? {
                    Token::CloseParen => Value::Rid(Rid(0)),
                    Token::Int(id) => {
                        self.tokens.expect(&Token::CloseParen)?;
                        Value::Rid(Rid(id.cast_unsigned()))
                    }
                    other => return Err(self.tokens.wrong("the id of a RID", &other)),
                }
            }
            "Signal" | "Callable" => {
                self.tokens.expect(&Token::OpenParen)?;
                self.tokens.expect(&Token::CloseParen)?;
                if word == "Signal" {
                    Value::Signal(Box::default())
                } else {
                    Value::Callable(Callable)
                }
            }
            "Resource" | "SubResource" | "ExtResource" if self.options.references => {
                self.reference(word)?.into()
            }
            "Resource" | "SubResource" | "ExtResource" => {
                let text = format!("expected a value, found a {word}, which only the engine loads");
                return Err(Error::at(ErrorKind::Unsupported, at, text));
            }
            word => match (special(word), named(word)) {
                (Some(number), _) => Value::Float(number),
                (None, Some(Type::PackedStringArray)) => self.strings()?,
                (None, Some(Type::PackedByteArray)) => self.bytes()?,
                (None, Some(kind)) => self.numbers(kind, at)?,
                (None, None) => {
                    let word = Shortened(word);
                    let text = format!("expected a value, found the word {word}");
                    return Err(Error::at(ErrorKind::Data, at, text));
                }
            },
        };
        Ok(Begun::Whole(value))
    }

    /// Reads the type between the brackets of a typed container.
    fn element_type(&mut self) -> Result<ElementType> {
        let word = match self.tokens.next()? {
            Token::Word(word) => word,
            other => return Err(self.tokens.wrong("a type", &other)),
        };
        Ok(match word {
            "Variant" => ElementType::Any,
            "Resource" | "SubResource" | "ExtResource" if self.tokens.next_is('(') => {
                match self.reference(word)? {
                    Reference::File { uid, path } if path.is_empty() => ElementType::Script(uid),
                    Reference::File { path, .. } => ElementType::Script(path),
                    reference if self.options.references => {
                        ElementType::Script(reference.to_string().into())
                    }
                    Reference::External(id) | Reference::Internal(id) => ElementType::Script(id),
                }
            }
            word => match Type::from_name(word) {
                Some(kind) => ElementType::Builtin(kind),
                None => ElementType::Class(word.into()),
            },
        })
    }

    /// Reads what stands in the parentheses after the word of a reference.
    fn reference(&mut self, word: &str) -> Result<Reference> {
        self.tokens.expect(&Token::OpenParen)?;
        let id: GString = match self.tokens.next()? {
            Token::Text(text) => text.into(),
            // How 3.x numbered them.
            Token::Int(number) if word != "Resource" => number.to_string().into(),
            other => return Err(self.tokens.wrong("the id or path of a resource", &other)),
        };
        let mut reference = match word {
            "ExtResource" => Reference::External(id),
            "SubResource" => Reference::Internal(id),
            _ => Reference::file(&id),
        };
        if self.tokens.takes(&Token::Comma)? {
            let other = self.tokens.text("the path of a resource")?.into();
            match &mut reference {
                Reference::File { uid, path } if !uid.is_empty() => *path = other,
                Reference::File { uid, .. } => *uid = other,
                _ => {}
            }
        }
        self.tokens.expect(&Token::CloseParen)?;
        Ok(reference)
    }

    fn object(&mut self, at: usize) -> Result<Begun<'a>> {
        if !self.options.allow_objects {
            let text = "expected no whole object, as Options::allow_objects is off, found one";
            return Err(Error::at(ErrorKind::ObjectsNotAllowed, at, text));
        }
        self.tokens.expect(&Token::OpenParen)?;
        let class = match self.tokens.next()? {
            Token::Word(class) => class,
            other => return Err(self.tokens.wrong("the class of an object", &other)),
        };
        self.tokens.expect(&Token::Comma)?;
        Ok(Begun::OpenText(TextContents::Properties(Box::new(Instance::new(class)), None)))
    }

    fn strings(&mut self) -> Result<Value> {
        self.tokens.expect(&Token::OpenParen)?;
        let mut strings = Vec::new();
        loop {
            match self.tokens.next()? {
                Token::CloseParen => break,
                Token::Text(text) => strings.push(text.into()),
                other => return Err(self.tokens.wrong("a string", &other)),
            }
            match self.tokens.next()? {
                Token::Comma => {}
                Token::CloseParen => break,
                other => return Err(self.tokens.wrong("a comma or )", &other)),
            }
        }
        Ok(PackedStringArray(strings).into())
    }

    /// Numbers, or base64 in a string.
    fn bytes(&mut self) -> Result<Value> {
        self.tokens.expect(&Token::OpenParen)?;
        let at = self.tokens.at;
        match self.tokens.next()? {
            Token::Text(text) => {
                self.tokens.expect(&Token::CloseParen)?;
                let bytes = BASE64.decode(&*text).map_err(|_| {
                    Error::at(ErrorKind::Data, at, "expected base64 text, found other text")
                })?;
                Ok(PackedByteArray(bytes).into())
            }
            first => {
                let bytes = self.list(first)?.into_iter().map(|number| number.integer::<u8>());
                Ok(PackedByteArray(bytes.collect::<Result<_>>()?).into())
            }
        }
    }

    /// Numbers up to the closing parenthesis, of which the first token was read.
    fn list(&mut self, first: Token<'a>) -> Result<Vec<NumberText>> {
        let mut numbers = Vec::new();
        let mut token = first;
        if token == Token::CloseParen {
            return Ok(numbers);
        }
        loop {
            let at = self.tokens.at;
            numbers.push(match token {
                Token::Int(value) => NumberText { at, int: Some(value), float: value as f64 },
                Token::Float(float) => NumberText { at, int: None, float },
                Token::Word(word) => match special(word) {
                    Some(float) => NumberText { at, int: None, float },
                    None => return Err(self.tokens.wrong("a number", &Token::Word(word))),
                },
                other => return Err(self.tokens.wrong("a number", &other)),
            });
            match self.tokens.next()? {
                Token::Comma => token = self.tokens.next()?,
                Token::CloseParen => return Ok(numbers),
                other => return Err(self.tokens.wrong("a comma or )", &other)),
            }
        }
    }

    /// A value that is a row of numbers, in which a basis stands by rows.
    fn numbers(&mut self, kind: Type, at: usize) -> Result<Value> {
        self.tokens.expect(&Token::OpenParen)?;
        let first = self.tokens.next()?;
        let numbers = self.list(first)?;
        let wide = self.options.precision == Precision::Double && kind.is_real();
        let each = kind.packed_components();
        match kind.components() {
            0 if numbers.len().checked_rem(each) != Some(0) => {
                let text = format!(
                    "expected {each} numbers for each element of {kind}, found {} in all",
                    numbers.len()
                );
                return Err(Error::at(ErrorKind::Data, at, text));
            }
            count if count != 0 && numbers.len() != count => {
                let (expected, found) = (Count(count, "number"), numbers.len());
                let text = format!("expected {expected} in {kind}, found {found}");
                return Err(Error::at(ErrorKind::Data, at, text));
            }
            _ => {}
        }
        let mut bytes = Vec::new();
        for number in numbers {
            match Number::of(kind, wide) {
                Number::U8 => bytes.push(number.integer()?),
                Number::I32 => bytes.extend(number.integer::<i32>()?.to_le_bytes()),
                Number::I64 => bytes.extend(number.integer::<i64>()?.to_le_bytes()),
                Number::F32 => bytes.extend(f32::from_f64(number.float).to_le_bytes()),
                Number::F64 => bytes.extend(number.float.to_le_bytes()),
            }
        }
        Ok(of_numbers(kind, &Reals { bytes: &bytes, wide, keep: wide, rows: true }))
    }
}

impl OpenText<'_> {
    fn add(&mut self, value: Value) {
        match &mut self.contents {
            TextContents::Items(items, _) => items.push(value),
            TextContents::Entries(entries, key, _) => match key.take() {
                Some(key) => entries.push((key, value)),
                None => {
                    *key = Some(value);
                    return;
                }
            },
            TextContents::Properties(instance, name) => {
                debug_assert!(name.is_some(), "a value without a name");
                let name = name.take().unwrap_or_default();
                instance.properties.push((name.into(), value));
            }
        }
        self.needs_comma = true;
    }
}

/// A number of a list.
struct NumberText {
    at: usize,
    /// If it is written as an integer.
    int: Option<i64>,
    float: f64,
}

impl NumberText {
    /// The integer; what stands after the point is cut off, as the engine does it.
    #[allow(clippy::cast_possible_truncation, reason = "checked to be in range")]
    fn integer<T: TryFrom<i64>>(&self) -> Result<T> {
        const END: f64 = 9_223_372_036_854_775_808.0;
        let whole = crate::float::trunc(self.float);
        let int = self.int.or_else(|| (-END..END).contains(&whole).then_some(whole as i64));
        int.and_then(|int| T::try_from(int).ok()).ok_or_else(|| {
            let text = format!("expected a number that fits, found {}", self.float);
            Error::at(ErrorKind::NumberRange, self.at, text)
        })
    }
}

/// Floats that have no digits.
fn special(word: &str) -> Option<f64> {
    Some(match word {
        "inf" => f64::INFINITY,
        "-inf" | "inf_neg" => f64::NEG_INFINITY,
        "nan" => f64::NAN,
        _ => return None,
    })
}

/// The types that are rows of numbers or strings, with the names of older engines.
fn named(word: &str) -> Option<Type> {
    Some(match word {
        "Matrix32" => Type::Transform2D,
        "Quat" => Type::Quaternion,
        "Rect3" => Type::Aabb,
        "Matrix3" => Type::Basis,
        "Transform" => Type::Transform3D,
        "PoolByteArray" | "ByteArray" => Type::PackedByteArray,
        "PackedIntArray" | "PoolIntArray" | "IntArray" => Type::PackedInt32Array,
        "PackedRealArray" | "PoolRealArray" | "FloatArray" => Type::PackedFloat32Array,
        "PoolStringArray" | "StringArray" => Type::PackedStringArray,
        "PoolVector2Array" | "Vector2Array" => Type::PackedVector2Array,
        "PoolVector3Array" | "Vector3Array" => Type::PackedVector3Array,
        "PoolVector4Array" | "Vector4Array" => Type::PackedVector4Array,
        "PoolColorArray" | "ColorArray" => Type::PackedColorArray,
        word => {
            let kind = Type::from_name(word)?;
            return (kind.is_row() || kind == Type::PackedStringArray).then_some(kind);
        }
    })
}
