//! Values in binary files, which are encoded in another way than by `store_var`.

use godot_variant::types::{Callable, GString, NodePath, PackedStringArray, Rid, StringName, Type};
use godot_variant::value::{Instance, Object, Reference};
use godot_variant::{Dialect, Value};

use gamewire_core::Segment;

use super::read::{Meaning, Noted, Notes, Reader};
use crate::{Error, ErrorKind, Result};

/// The numbers of types in files.
const TYPES: [(u32, Type); 36] = [
    (1, Type::Nil),
    (2, Type::Bool),
    (3, Type::Int),
    (4, Type::Float),
    (5, Type::String),
    (10, Type::Vector2),
    (11, Type::Rect2),
    (12, Type::Vector3),
    (13, Type::Plane),
    (14, Type::Quaternion),
    (15, Type::Aabb),
    (16, Type::Basis),
    (17, Type::Transform3D),
    (18, Type::Transform2D),
    (20, Type::Color),
    (22, Type::NodePath),
    (23, Type::Rid),
    (24, Type::Object),
    (26, Type::Dictionary),
    (30, Type::Array),
    (31, Type::PackedByteArray),
    (32, Type::PackedInt32Array),
    (33, Type::PackedFloat32Array),
    (34, Type::PackedStringArray),
    (35, Type::PackedVector3Array),
    (36, Type::PackedColorArray),
    (37, Type::PackedVector2Array),
    (42, Type::Callable),
    (43, Type::Signal),
    (44, Type::StringName),
    (45, Type::Vector2i),
    (46, Type::Rect2i),
    (47, Type::Vector3i),
    (48, Type::PackedInt64Array),
    (49, Type::PackedFloat64Array),
    (50, Type::Vector4),
];

/// Those that came last, which do not fit the row above.
const NEW_TYPES: [(u32, Type); 3] =
    [(51, Type::Vector4i), (52, Type::Projection), (53, Type::PackedVector4Array)];

/// Integers and floats of 64 bits.
pub(super) const INT64: u32 = 40;
pub(super) const DOUBLE: u32 = 41;
/// The types that engines before 3.0 had besides.
const IMAGE: u32 = 21;
const INPUT_EVENT: u32 = 25;

/// The kinds of objects.
pub(super) const OBJECT_EMPTY: u32 = 0;
pub(super) const OBJECT_FILE: u32 = 1;
pub(super) const OBJECT_INTERNAL: u32 = 2;
pub(super) const OBJECT_EXTERNAL: u32 = 3;

/// The number of a type in files.
pub(super) fn id_of(kind: Type) -> Option<u32> {
    TYPES.iter().chain(&NEW_TYPES).find(|(_, own)| *own == kind).map(|(id, _)| *id)
}

/// The targets of references in a file, and how they are written there.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) big_endian: bool,
    /// `real_t` has 64 bits.
    pub(super) wide: bool,
    /// The format of the file.
    pub(super) version: u32,
    pub(super) dialect: Dialect,
    /// Internal resources are known by their place, and not by the number that they have.
    pub(super) has_named_ids: bool,
    pub(super) strings: &'a [GString],
    /// How many external resources there are.
    pub(super) externals: usize,
    /// The ids of the internal resources.
    pub(super) internals: &'a [GString],
    pub(super) max_depth: usize,
}

/// A container whose end was not reached yet.
enum OpenValue {
    Array { left: usize, items: Vec<Value> },
    Dictionary { left: usize, entries: Vec<(Value, Value)>, key: Option<Value> },
}

impl OpenValue {
    fn left(&self) -> usize {
        match self {
            OpenValue::Array { left, .. } | OpenValue::Dictionary { left, .. } => *left,
        }
    }

    fn add(&mut self, value: Value) {
        match self {
            OpenValue::Array { left, items } => {
                *left = left.saturating_sub(1);
                items.push(value);
            }
            OpenValue::Dictionary { left, entries, key } => match key.take() {
                None => *key = Some(value),
                Some(own) => {
                    *left = left.saturating_sub(1);
                    entries.push((own, value));
                }
            },
        }
    }

    /// The step to the value that comes next.
    fn step(&self) -> Segment {
        match self {
            OpenValue::Array { items, .. } => Segment::Index(items.len()),
            OpenValue::Dictionary { entries, key: None, .. } => Segment::KeyOf(entries.len()),
            OpenValue::Dictionary { key: Some(key), .. } => match key.as_str() {
                Some(text) => Segment::field(text),
                None => Segment::key(&format!("{key:?}")),
            },
        }
    }

    fn close(self) -> Value {
        match self {
            OpenValue::Array { items, .. } => Value::from(items),
            OpenValue::Dictionary { entries, .. } => Value::Dictionary(entries.into()),
        }
    }
}

enum BeginValue {
    Whole(Value),
    Open(OpenValue),
}

impl<N: Notes> Reader<'_, N> {
    /// Reads one value, without recursion.
    pub(super) fn value(&mut self, context: &Context<'_>) -> Result<Value> {
        let mut open: Vec<OpenValue> = Vec::new();
        let read = self.value_in(context, &mut open);
        read.map_err(|error| open.iter().rev().fold(error, |error, own| error.inside(own.step())))
    }

    fn value_in(&mut self, context: &Context<'_>, open: &mut Vec<OpenValue>) -> Result<Value> {
        loop {
            let at = self.at;
            if let Some(own) = open.last() {
                self.notes.enter(|| own.step());
            }
            let mut value = match self.begin(context)? {
                BeginValue::Whole(value) => Some(value),
                BeginValue::Open(_) if open.len() > context.max_depth => {
                    let text =
                        format!("nested deeper than max_depth, which is {}", context.max_depth);
                    return Err(Error::at(ErrorKind::DepthLimit, at, text));
                }
                BeginValue::Open(own) => {
                    open.push(own);
                    None
                }
            };
            loop {
                if let Some(value) = value.take() {
                    let Some(own) = open.last_mut() else { return Ok(value) };
                    self.notes.leave();
                    own.add(value);
                }
                match open.pop_if(|own| own.left() == 0) {
                    Some(own) => value = Some(own.close()),
                    None => break,
                }
            }
        }
    }

    fn begin(&mut self, context: &Context<'_>) -> Result<BeginValue> {
        let at = self.at;
        let id = self.word("the type of a value")?;
        let kind =
            TYPES.iter().chain(&NEW_TYPES).find(|(own, _)| *own == id).map(|(_, kind)| *kind);
        let name = match (kind, id) {
            (Some(kind), _) => kind.name(),
            (None, INT64) => "int, 64 bits",
            (None, DOUBLE) => "float, 64 bits",
            (None, IMAGE) => "Image",
            (None, INPUT_EVENT) => "InputEvent",
            _ => {
                let text = format!("expected the type of a value, found {id}");
                return Err(Error::at(ErrorKind::UnknownType, at, text));
            }
        };
        self.notes.part(self.at, || Noted::new(Meaning::Header, name, ""));
        Ok(BeginValue::Whole(match kind {
            None if id == INT64 => {
                let value = self.long("64-bit integer")?.cast_signed();
                self.notes.part(self.at, || Noted::new(Meaning::Data, "64-bit integer", value));
                Value::Int(value)
            }
            None if id == DOUBLE => Value::Float(self.real(true)?),
            None if id == IMAGE => self.image()?,
            None | Some(Type::Nil) => Value::Nil,
            Some(Type::Bool) => Value::Bool(self.u32(Meaning::Data, "bool")? != 0),
            Some(Type::Int) => {
                let value = self.word("32-bit integer")?.cast_signed();
                self.notes.part(self.at, || Noted::new(Meaning::Data, "32-bit integer", value));
                Value::Int(value.into())
            }
            Some(Type::Float) => Value::Float(self.real(context.wide)?),
            Some(Type::String) => Value::String(self.text("text")?),
            Some(Type::StringName) => Value::StringName(StringName(self.text("text")?)),
            Some(Type::NodePath) => self.node_path(context)?,
            Some(Type::Rid) => Value::Rid(Rid(self.u32(Meaning::Data, "id")?.into())),
            Some(Type::Object) => self.object(context)?,
            Some(Type::Callable) => Value::Callable(Callable),
            Some(Type::Signal) => Value::Signal(Box::default()),
            Some(Type::Array) => {
                let left = self.open_count(4, "count of elements")?;
                return Ok(BeginValue::Open(OpenValue::Array { left, items: Vec::new() }));
            }
            Some(Type::Dictionary) => {
                let left = self.open_count(8, "count of entries")?;
                let (entries, key) = (Vec::new(), None);
                return Ok(BeginValue::Open(OpenValue::Dictionary { left, entries, key }));
            }
            Some(Type::PackedStringArray) => {
                let count = self.count(4, "count of texts")?;
                let mut texts = Vec::new();
                for index in 0..count {
                    self.notes.enter(|| Segment::Index(index));
                    texts.push(self.text("text").map_err(|error| error.inside(index))?);
                    self.notes.leave();
                }
                Value::from(PackedStringArray(texts))
            }
            Some(kind) => self.row(kind, context)?,
        }))
    }

    /// A count, of which the highest bit once meant that the container is shared.
    fn open_count(&mut self, least: usize, what: &'static str) -> Result<usize> {
        let at = self.at;
        let count = self.word(what)? & 0x7fff_ffff;
        let count = self.fits(count, least, at, what)?;
        self.notes.part(self.at, || Noted::new(Meaning::Length, what, count));
        Ok(count)
    }

    fn real(&mut self, wide: bool) -> Result<f64> {
        let value = match wide {
            true => f64::from_bits(self.long("64-bit float")?),
            false => f32::from_bits(self.word("32-bit float")?).into(),
        };
        let what = if wide { "64-bit float" } else { "32-bit float" };
        self.notes.part(self.at, || Noted::new(Meaning::Data, what, format!("{value:?}")));
        Ok(value)
    }

    /// A row of numbers: a math type, or a packed array.
    fn row(&mut self, kind: Type, context: &Context<'_>) -> Result<Value> {
        let at = self.at;
        let (count, size) = kind.numbers(context.wide).unwrap_or((1, 1));
        let each = count.saturating_mul(size);
        let is_packed = kind >= Type::PackedByteArray;
        let len = match is_packed {
            true => self.count(each, "count of elements")?.saturating_mul(each),
            false => each,
        };
        let bytes = self.numbers(len, size, kind.name())?;
        let value =
            Value::from_numbers(kind, &bytes, context.wide).map_err(|error| error.or_at(at))?;
        let what = if is_packed { "elements" } else { "numbers" };
        self.notes.part(self.at, || Noted::new(Meaning::Data, what, shown(&value)));
        if kind == Type::PackedByteArray {
            self.pad(len)?;
        }
        Ok(value)
    }

    /// The bytes that fill up to a word.
    fn pad(&mut self, len: usize) -> Result<()> {
        let missing = len.next_multiple_of(4).saturating_sub(len);
        self.take(missing, "padding")?;
        self.notes.part(self.at, || Noted::new(Meaning::Padding, "padding", ""));
        Ok(())
    }

    fn node_path(&mut self, context: &Context<'_>) -> Result<Value> {
        let names = self.u16("count of names")?;
        let subnames = self.u16("count of property names; the highest bit: absolute")?;
        let absolute = subnames & 0x8000 != 0;
        // Up to format 2 the last one was not counted.
        let last = u16::from(context.version < 3);
        let subnames = (subnames & 0x7fff).saturating_add(last);
        let mut read = |count: u16| -> Result<Vec<GString>> {
            (0..count).map(|_| self.name(context.strings).map(|(_, name)| name)).collect()
        };
        let names = read(names)?;
        let subnames = read(subnames)?.into_iter().filter(|name| last == 0 || !name.is_empty());
        let subnames = subnames.collect();
        Ok(Value::NodePath(Box::new(NodePath { absolute, names, subnames })))
    }

    /// A name: its place in the table, or the text itself.
    pub(super) fn name(&mut self, strings: &[GString]) -> Result<(Option<u32>, GString)> {
        let at = self.at;
        let id = self.word("a name")?;
        if id & 0x8000_0000 != 0 {
            let len = id & 0x7fff_ffff;
            self.notes.part(self.at, || Noted::new(Meaning::Length, "length of a text", len));
            return self.text_of(len, at, "name").map(|name| (None, name));
        }
        let found = usize::try_from(id).ok().and_then(|id| strings.get(id));
        let Some(name) = found else {
            let count = strings.len();
            let text = format!("expected one of {count} names, found number {id}");
            return Err(Error::at(ErrorKind::Data, at, text));
        };
        self.notes.part(self.at, || {
            Noted::new(Meaning::Data, "number of a name", format!("{id}, {name:?}"))
        });
        Ok((Some(id), name.clone()))
    }

    fn object(&mut self, context: &Context<'_>) -> Result<Value> {
        let at = self.at;
        let kind = self.word("the kind of an object")?;
        let what = match kind {
            OBJECT_EMPTY => "no object",
            OBJECT_FILE => "resource by its path",
            OBJECT_INTERNAL => "internal resource",
            OBJECT_EXTERNAL => "external resource",
            _ => {
                let text = format!("expected the kind of an object, found {kind}");
                return Err(Error::at(ErrorKind::Data, at, text));
            }
        };
        self.notes.part(self.at, || Noted::new(Meaning::Data, what, ""));
        let reference = match kind {
            OBJECT_EMPTY => return Ok(Value::Object(Object::Null)),
            OBJECT_FILE => {
                self.text("class")?;
                Reference::file(&self.text("path")?)
            }
            OBJECT_INTERNAL => {
                let at = self.at;
                let index = self.u32(Meaning::Data, "number of the internal resource")?;
                let place = usize::try_from(index).unwrap_or(usize::MAX);
                let id = match context.has_named_ids {
                    true => context.internals.get(place).cloned(),
                    false => Some(index.to_string().into()),
                };
                Reference::Internal(id.ok_or_else(|| out_of(index, context.internals.len(), at))?)
            }
            _ => {
                let at = self.at;
                let index = self.u32(Meaning::Data, "number of the external resource")?;
                let place = usize::try_from(index).unwrap_or(usize::MAX);
                if place >= context.externals {
                    return Err(out_of(index, context.externals, at));
                }
                Reference::External(external_id(place))
            }
        };
        Ok(Value::Object(Object::Reference(Box::new(reference))))
    }

    /// The pixels of engines before 3.0, as an object.
    fn image(&mut self) -> Result<Value> {
        let mut image = Instance::new("Image");
        let encoding = self.u32(Meaning::Data, "encoding of the image")?;
        let mut property = |name: &str, value: Value| image.properties.push((name.into(), value));
        property("encoding", encoding.into());
        if encoding != 0 {
            if encoding == 1 {
                for name in ["width", "height", "mipmaps", "format"] {
                    property(name, self.u32(Meaning::Data, name)?.into());
                }
            }
            let len = self.count(1, "bytes of the image")?;
            let data = self.take(len, "the image")?;
            self.notes.part(self.at, || Noted::new(Meaning::Data, "image", ""));
            self.pad(len)?;
            property("data", Value::from_numbers(Type::PackedByteArray, data, false)?);
        }
        Ok(image.into())
    }
}

#[cold]
fn out_of(index: u32, count: usize, at: usize) -> Error {
    let text = format!("expected one of {count} resources, found number {index}");
    Error::at(ErrorKind::Data, at, text)
}

/// The id that an external resource gets by its place.
pub(crate) fn external_id(place: usize) -> GString {
    place.saturating_add(1).to_string().into()
}

/// The beginning of a value in words.
fn shown(value: &Value) -> String {
    let text = format!("{value:?}");
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
