//! Bytes to [`Value`], without recursion: open containers are on a stack of their own.

use crate::Value;
use crate::error::{Error, ErrorKind, Result, Segment};
use crate::options::{Dialect, Precision};
use crate::read::{Header, ObjectHead, Reader};
use crate::types::{
    Callable, Components, ElementType, GString, ObjectId, PackedByteArray, PackedColorArray,
    PackedFloat32Array, PackedFloat64Array, PackedInt32Array, PackedInt64Array, PackedStringArray,
    PackedVector2Array, PackedVector3Array, PackedVector4Array, Real, Rid, Signal, StringName,
    Type, WireElement, transpose_basis,
};
use crate::value::{
    Array, Dictionary, Instance, Object, Real64, TypedArray, TypedDictionary, compare, convert,
};

/// What [`decode_traced`] tells about its way, for `explain`. The one for `()` is empty, so plain
/// decoding pays nothing.
pub(crate) trait Trace {
    /// Whether anybody listens; if not, decoding may take shortcuts.
    const LISTENS: bool = true;
    /// A value begins at the reader, inside `around`.
    fn begins(&mut self, _reader: &Reader<'_>, _around: Option<&Frame>) {}
    /// A value that has nothing inside was read.
    fn whole(&mut self, _header: &Header, _value: &Value, _reader: &Reader<'_>) {}
    /// What stands before the contents of a container was read.
    fn opened(&mut self, _header: &Header, _reader: &Reader<'_>) {}
    /// The name of a property begins, and was read.
    fn naming(&mut self) {}
    fn named(&mut self, _reader: &Reader<'_>) {}
    /// A value is being added to a container, and was.
    fn attaching(&mut self, _value: &Value, _frame: &Frame) {}
    fn attached(&mut self, _frame: &Frame) {}
    /// The last value of a container was added.
    fn closing(&mut self, _frame: &Frame) {}
}

impl Trace for () {
    const LISTENS: bool = false;
}

/// A container whose end was not reached yet.
pub(crate) struct Frame {
    pub(crate) contents: Contents,
    /// Where its header starts.
    at: usize,
    /// Elements, entries or properties on the wire, and how many of them were begun.
    count: usize,
    pub(crate) begun: usize,
    /// In a dictionary: the last entry has its key, and nil in the place of its value.
    pub(crate) at_value: bool,
    /// Where the last key starts.
    key_at: usize,
    /// Types of elements or keys, and of values.
    pub(crate) typed: Option<Box<(ElementType, ElementType)>>,
}

pub(crate) enum Contents {
    Items(Vec<Value>),
    Entries(Vec<(Value, Value)>),
    Object(Box<Instance>),
}

enum Started {
    Whole(Value),
    Open(Frame),
}

/// Reads one value that stands `depth` containers deep.
pub(crate) fn decode(reader: &mut Reader<'_>, depth: usize) -> Result<Value> {
    decode_traced(reader, depth, &mut ())
}

/// [`decode`] with a listener.
pub(crate) fn decode_traced<T: Trace>(
    reader: &mut Reader<'_>,
    depth: usize,
    trace: &mut T,
) -> Result<Value> {
    let mut stack = Vec::new();
    decode_onto(reader, depth, &mut stack, trace).map_err(|error| {
        let error = error.or_at(reader.offset());
        stack.iter().rev().fold(error, |error, frame: &Frame| error.in_segment(frame.segment()))
    })
}

fn decode_onto<T: Trace>(
    reader: &mut Reader<'_>,
    depth: usize,
    stack: &mut Vec<Frame>,
    trace: &mut T,
) -> Result<Value> {
    let limit = reader.options.max_depth;
    trace.begins(reader, None);
    if depth > limit {
        return Err(reader.too_deep(limit, "max_depth"));
    }
    let header = reader.header()?;
    // A value that is complete and not yet in its container, and where it starts.
    let mut whole = None;
    match start(reader, &header)? {
        Started::Whole(value) => {
            trace.whole(&header, &value, reader);
            return Ok(value);
        }
        Started::Open(frame) => {
            trace.opened(&header, reader);
            stack.push(frame);
        }
    }
    loop {
        let levels = depth.saturating_add(stack.len());
        let Some(frame) = stack.last_mut() else {
            return Ok(whole.map(|(value, _)| value).unwrap_or_default());
        };
        if let Some((value, at)) = whole.take() {
            trace.attaching(&value, frame);
            frame.attach(value, at, reader)?;
            trace.attached(frame);
        }
        if !T::LISTENS && levels <= limit && frame.typed.is_none() {
            frame.fill(reader);
        }
        if frame.is_complete() {
            // The whole container is an element of the one around it.
            trace.closing(frame);
            let Some(frame) = stack.pop() else { return Ok(Value::Nil) };
            let at = frame.at;
            whole = Some((frame.finish(reader)?, at));
            continue;
        }
        frame.begin(reader, trace)?;
        trace.begins(reader, Some(frame));
        if levels > limit {
            return Err(reader.too_deep(limit, "max_depth"));
        }
        let header = reader.header()?;
        match start(reader, &header)? {
            Started::Whole(value) => {
                trace.whole(&header, &value, reader);
                whole = Some((value, header.at));
            }
            Started::Open(frame) => {
                trace.opened(&header, reader);
                stack.push(frame);
            }
        }
    }
}

/// Puts one of the most common values to its place; `false` leaves the input as it was.
///
/// Each value is made where it goes: a copy through memory would wait for what was just written.
#[inline(always)]
fn leaf(reader: &mut Reader<'_>, mut put: impl FnMut(Value)) -> bool {
    match reader.peek_u32() {
        Some(0) if reader.after_word::<0>(0).is_some() => put(Value::Nil),
        Some(1) => match reader.after_word::<4>(1) {
            Some(word) => put(Value::Bool(word != [0; 4])),
            None => return false,
        },
        Some(2) => match reader.after_word(2) {
            Some(bytes) => put(Value::Int(i64::from(i32::from_le_bytes(bytes)))),
            None => return false,
        },
        Some(3) => match reader.after_word(3) {
            Some(bytes) => put(Value::Float(f64::from(f32::from_le_bytes(bytes)))),
            None => return false,
        },
        Some(4) => match reader.short_text() {
            Some((len, words)) => put(Value::String(GString::from_words(len, words))),
            None => match reader.plain_text() {
                Some(text) => put(Value::String(text)),
                None => return false,
            },
        },
        _ => return false,
    }
    true
}

impl Frame {
    fn new(contents: Contents, count: usize, header: &Header) -> Self {
        Frame { contents, at: header.at, count, begun: 0, at_value: false, key_at: 0, typed: None }
    }

    /// Containers that are not typed need no place for the types.
    #[cold]
    fn with_types(mut self, first: ElementType, second: ElementType) -> Self {
        if first.is_typed() || second.is_typed() {
            self.typed = Some(Box::new((first, second)));
        }
        self
    }

    /// The step from the container to its next value.
    pub(crate) fn segment(&self) -> Segment {
        let index = self.begun.saturating_sub(1);
        match &self.contents {
            Contents::Items(_) => Segment::Index(index),
            Contents::Entries(entries) => match entries.last().filter(|_| self.at_value) {
                Some((key, _)) => Segment::of_key(key),
                None => Segment::Other(format!("key {index}")),
            },
            Contents::Object(instance) => match instance.properties.last() {
                Some((name, _)) if instance.properties.len() == self.begun => Segment::key(name),
                _ => Segment::Other(format!("property {index}")),
            },
        }
    }

    /// Reads as many of the most common values as come next, straight to their places.
    fn fill(&mut self, reader: &mut Reader<'_>) {
        if reader.strict() {
            return;
        }
        match &mut self.contents {
            Contents::Items(items) => {
                while self.begun < self.count && leaf(reader, |value| items.push(value)) {
                    self.begun = self.begun.saturating_add(1);
                }
            }
            Contents::Entries(entries) => loop {
                if !self.at_value {
                    if self.begun == self.count {
                        return;
                    }
                    match reader.short_text() {
                        Some((len, words)) => {
                            let key = GString::from_words(len, words);
                            entries.push((Value::String(key), Value::Nil));
                        }
                        None => match reader.plain_text() {
                            Some(key) => entries.push((Value::String(key), Value::Nil)),
                            None => return,
                        },
                    }
                    self.begun = self.begun.saturating_add(1);
                    self.at_value = true;
                }
                let Some((_, place)) = entries.last_mut() else { return };
                if !leaf(reader, |value| *place = value) {
                    return;
                }
                self.at_value = false;
            },
            Contents::Object(_) => {}
        }
    }

    #[inline]
    fn is_complete(&self) -> bool {
        self.begun == self.count && !self.at_value
    }

    /// Before a value is read: counts the element, or reads the name of the property.
    #[inline]
    fn begin<T: Trace>(&mut self, reader: &mut Reader<'_>, trace: &mut T) -> Result<()> {
        if self.at_value {
            return Ok(());
        }
        self.begun = self.begun.saturating_add(1);
        if let Contents::Object(instance) = &mut self.contents {
            trace.naming();
            let name = GString::from(reader.string()?);
            trace.named(reader);
            instance.properties.push((name, Value::Nil));
        }
        Ok(())
    }

    /// Adds a value.
    #[inline]
    fn attach(&mut self, value: Value, at: usize, reader: &Reader<'_>) -> Result<()> {
        match &mut self.contents {
            Contents::Items(items) => match &self.typed {
                None => items.push(value),
                Some(types) => items.extend(convert::element(value, &types.0, at, reader)?),
            },
            Contents::Entries(entries) if !self.at_value => {
                entries.push((value, Value::Nil));
                self.at_value = true;
                self.key_at = at;
            }
            Contents::Entries(entries) => {
                self.at_value = false;
                if let Some((_, place)) = entries.last_mut() {
                    *place = value;
                }
                if let Some(types) = &self.typed
                    && let Some((key, value)) = entries.pop()
                    && let Some(key) = convert::element(key, &types.0, self.key_at, reader)?
                {
                    entries.push((key, value));
                }
            }
            Contents::Object(instance) => {
                if let Some((name, place)) = instance.properties.last_mut() {
                    if *name == "script"
                        && reader.dialect() == Dialect::Godot4
                        && !reader.options.in_memory
                    {
                        check_script(&value, at, reader)?;
                    }
                    *place = value;
                }
            }
        }
        Ok(())
    }

    fn finish(self, reader: &Reader<'_>) -> Result<Value> {
        Ok(match self.contents {
            Contents::Items(items) => match self.typed {
                None => Value::Array(Array(items)),
                Some(types) => {
                    let (element, _) = *types;
                    Value::TypedArray(Box::new(TypedArray { element, items: Array(items) }))
                }
            },
            Contents::Entries(mut entries) => {
                if compare::has_same_keys(&entries) {
                    reader.canonical(false, reader.offset(), "two keys are the same")?;
                    compare::merge_same_keys(&mut entries);
                }
                let entries = Dictionary(entries);
                match self.typed {
                    None => Value::Dictionary(entries),
                    Some(types) => {
                        let (key, value) = *types;
                        Value::TypedDictionary(Box::new(TypedDictionary { key, value, entries }))
                    }
                }
            }
            Contents::Object(instance) => Value::Object(Object::Instance(instance)),
        })
    }
}

/// 4.3 and later send a script by its path (spec §4).
fn check_script(value: &Value, at: usize, reader: &Reader<'_>) -> Result<()> {
    match value {
        Value::Nil => Ok(()),
        Value::String(path) => reader.check_script(path, at),
        other => Err(Error::at(
            ErrorKind::InvalidScript,
            at,
            format!("expected the res:// path of a script, found {}", other.kind()),
        )),
    }
}

fn start(reader: &mut Reader<'_>, header: &Header) -> Result<Started> {
    Ok(Started::Whole(match header.kind {
        Type::Nil => Value::Nil,
        Type::Bool => Value::Bool(reader.bool()?),
        Type::Int => Value::Int(reader.int(header)?),
        Type::Float => Value::Float(reader.float(header)?),
        Type::String => match reader.plain_string() {
            Some(text) => Value::String(GString::new(text)),
            None => Value::String(reader.string()?.into()),
        },
        Type::StringName => Value::StringName(StringName(reader.string()?.into())),
        Type::Vector2i => Value::Vector2i(reader.components(header.kind)?.into()),
        Type::Rect2i => Value::Rect2i(reader.components(header.kind)?.into()),
        Type::Vector3i => Value::Vector3i(reader.components(header.kind)?.into()),
        Type::Vector4i => Value::Vector4i(reader.components(header.kind)?.into()),
        Type::NodePath => Value::NodePath(Box::new(reader.node_path()?)),
        Type::Rid => Value::Rid(rid(reader, header.at)?),
        Type::Callable => Value::Callable(Callable),
        Type::Signal => {
            let name = StringName(reader.string()?.into());
            let object = ObjectId(reader.u64("a signal's object")?);
            Value::Signal(Box::new(Signal { name, object }))
        }
        Type::PackedByteArray => {
            Value::PackedByteArray(PackedByteArray(reader.packed_bytes()?.to_vec()))
        }
        Type::PackedInt32Array => Value::PackedInt32Array(PackedInt32Array(packed(reader)?)),
        Type::PackedInt64Array => Value::PackedInt64Array(PackedInt64Array(packed(reader)?)),
        Type::PackedFloat32Array => Value::PackedFloat32Array(PackedFloat32Array(packed(reader)?)),
        Type::PackedFloat64Array => Value::PackedFloat64Array(PackedFloat64Array(packed(reader)?)),
        Type::PackedStringArray => {
            Value::PackedStringArray(PackedStringArray(reader.packed_strings()?))
        }
        Type::Object => return object(reader, header),
        Type::Array => {
            let element = match reader.dialect() {
                Dialect::Godot4 if header.flags & 3 != 0 => reader.element_type(header.flags)?,
                _ => ElementType::Any,
            };
            let count = reader.count()?;
            let items = Vec::with_capacity(reader.reserve(count, 4));
            let frame = Frame::new(Contents::Items(items), count, header);
            return Ok(Started::Open(match element {
                ElementType::Any => frame,
                element => frame.with_types(element, ElementType::Any),
            }));
        }
        Type::Dictionary => {
            let types = match reader.dialect() {
                Dialect::Godot4 if header.flags & 0xf != 0 => Some((
                    reader.element_type(header.flags)?,
                    reader.element_type(header.flags >> 2)?,
                )),
                _ => None,
            };
            let count = reader.count()?;
            let entries = Vec::with_capacity(reader.reserve(count, 8));
            let frame = Frame::new(Contents::Entries(entries), count, header);
            return Ok(Started::Open(match types {
                None => frame,
                Some((key, value)) => frame.with_types(key, value),
            }));
        }
        _ => real(reader, header)?,
    }))
}

/// 3.x sends nothing of an RID, and the published page lists it as not supported.
fn rid(reader: &mut Reader<'_>, at: usize) -> Result<Rid> {
    match reader.dialect() {
        Dialect::Godot4 => Ok(Rid(reader.u64("an RID")?)),
        Dialect::Godot3 => Ok(Rid(0)),
        Dialect::Docs => Err(Error::at(
            ErrorKind::Unsupported,
            at,
            "expected a type that the published page has, found RID",
        )),
    }
}

fn object(reader: &mut Reader<'_>, header: &Header) -> Result<Started> {
    let class = match reader.object_head(header)? {
        ObjectHead::Null => return Ok(Started::Whole(Value::Object(Object::Null))),
        ObjectHead::Id(id) => return Ok(Started::Whole(Value::Object(Object::Id(ObjectId(id))))),
        ObjectHead::Class(class) => GString::from(class),
    };
    let count = reader.property_count()?;
    let properties = Vec::with_capacity(reader.reserve(count, 8));
    let instance = Box::new(Instance { class, properties });
    Ok(Started::Open(Frame::new(Contents::Object(instance), count, header)))
}

fn packed<T: WireElement>(reader: &mut Reader<'_>) -> Result<Vec<T>> {
    Ok(T::read_all(reader.packed(T::SIZE)?))
}

/// The real-typed values and colours, in the width that the options ask for.
fn real(reader: &mut Reader<'_>, header: &Header) -> Result<Value> {
    macro_rules! by_width {
        ($read:ident: $($name:ident $(($boxed:ident))?),+ $(,)?) => {
            match header.kind {
                $(Type::$name => match $read(reader, header)? {
                    Width::Single(value) => Value::$name(by_width!(@box value $($boxed)?)),
                    Width::Double(value) => Value::Real64(Box::new(Real64::$name(value))),
                },)+
                kind => return Err(unhandled(kind, header.at)),
            }
        };
        (@box $value:ident) => { $value };
        (@box $value:ident boxed) => { Box::new($value) };
    }
    Ok(match header.kind {
        Type::PackedVector2Array => match packed_real(reader, header)? {
            Width::Single(v) => Value::PackedVector2Array(PackedVector2Array(v)),
            Width::Double(v) => real64(Real64::PackedVector2Array(PackedVector2Array(v))),
        },
        Type::PackedVector3Array => match packed_real(reader, header)? {
            Width::Single(v) => Value::PackedVector3Array(PackedVector3Array(v)),
            Width::Double(v) => real64(Real64::PackedVector3Array(PackedVector3Array(v))),
        },
        Type::PackedVector4Array => match packed_real(reader, header)? {
            Width::Single(v) => Value::PackedVector4Array(PackedVector4Array(v)),
            Width::Double(v) => real64(Real64::PackedVector4Array(PackedVector4Array(v))),
        },
        Type::PackedColorArray => match packed_real(reader, header)? {
            Width::Single(v) => Value::PackedColorArray(PackedColorArray(v)),
            Width::Double(v) => real64(Real64::PackedColorArray(PackedColorArray(v))),
        },
        Type::Basis | Type::Transform3D if reader.dialect() != Dialect::Docs => {
            by_width!(by_rows: Basis(boxed), Transform3D(boxed))
        }
        _ => by_width!(
            by_columns: Vector2, Rect2, Vector3, Transform2D, Vector4, Plane, Quaternion, Aabb,
            Basis(boxed), Transform3D(boxed), Projection(boxed), Color,
        ),
    })
}

fn real64(value: Real64) -> Value {
    Value::Real64(Box::new(value))
}

#[cold]
fn unhandled(kind: Type, at: usize) -> Error {
    Error::at(ErrorKind::Unsupported, at, format!("type {kind} has no reader"))
}

enum Width<A, B> {
    Single(A),
    Double(B),
}

/// Whether a value is to be kept with 64-bit components.
fn keep_wide(reader: &Reader<'_>, header: &Header, wide: bool) -> Result<bool> {
    let color = matches!(header.kind, Type::Color | Type::PackedColorArray);
    let keep = match reader.options.precision {
        Precision::Keep => wide,
        Precision::Single => false,
        // Every engine's colours have 32 bits, and everything has them in Godot 3.
        Precision::Double => match reader.dialect() {
            Dialect::Godot4 => !color,
            Dialect::Godot3 => false,
            Dialect::Docs => true,
        },
    };
    reader.canonical(keep == wide, header.at, "the components have the other precision's width")?;
    Ok(keep)
}

fn by_columns<A, B, const N: usize>(reader: &mut Reader<'_>, header: &Header) -> Result<Width<A, B>>
where
    A: Components<Array = [f32; N]>,
    B: Components<Array = [f64; N]>,
{
    real_value(reader, header, |c| c, |c| c)
}

fn by_rows<A, B, const N: usize>(reader: &mut Reader<'_>, header: &Header) -> Result<Width<A, B>>
where
    A: Components<Array = [f32; N]>,
    B: Components<Array = [f64; N]>,
{
    real_value(reader, header, transpose_basis, transpose_basis)
}

#[inline]
fn real_value<A, B, const N: usize>(
    reader: &mut Reader<'_>,
    header: &Header,
    single: fn([f32; N]) -> [f32; N],
    double: fn([f64; N]) -> [f64; N],
) -> Result<Width<A, B>>
where
    A: Components<Array = [f32; N]>,
    B: Components<Array = [f64; N]>,
{
    let wide = reader.wide(header);
    let keep = keep_wide(reader, header, wide)?;
    Ok(if wide {
        let read: [f64; N] = reader.components(header.kind)?;
        if keep {
            Width::Double(B::from_components(double(read)))
        } else {
            Width::Single(A::from_components(single(read.map(f32::from_f64))))
        }
    } else {
        let read: [f32; N] = reader.components(header.kind)?;
        if keep {
            Width::Double(B::from_components(double(read.map(f64::from))))
        } else {
            Width::Single(A::from_components(single(read)))
        }
    })
}

fn packed_real<A, B, const N: usize>(
    reader: &mut Reader<'_>,
    header: &Header,
) -> Result<Width<Vec<A>, Vec<B>>>
where
    A: Components<Array = [f32; N]> + WireElement,
    B: Components<Array = [f64; N]> + WireElement,
{
    let wide = reader.wide(header);
    let keep = keep_wide(reader, header, wide)?;
    Ok(if wide {
        let read: Vec<B> = packed(reader)?;
        if keep {
            Width::Double(read)
        } else {
            let narrow = |v: B| A::from_components(v.to_components().map(f32::from_f64));
            Width::Single(read.into_iter().map(narrow).collect())
        }
    } else {
        let read: Vec<A> = packed(reader)?;
        if keep {
            let widen = |v: A| B::from_components(v.to_components().map(f64::from));
            Width::Double(read.into_iter().map(widen).collect())
        } else {
            Width::Single(read)
        }
    })
}

/// Moves over one value and checks it as [`decode`] does, without keeping anything.
pub(crate) fn skip(reader: &mut Reader<'_>, depth: usize) -> Result<()> {
    if reader.strict() {
        return decode(reader, depth).map(drop);
    }
    let limit = reader.options.max_depth;
    // Values left in each open container.
    let mut stack: Vec<usize> = Vec::new();
    loop {
        if depth.saturating_add(stack.len()) > limit {
            return Err(reader.too_deep(limit, "max_depth"));
        }
        let header = reader.header()?;
        let mut opened = 0;
        match header.kind {
            Type::Array => {
                if reader.dialect() == Dialect::Godot4 {
                    reader.element_type(header.flags)?;
                }
                opened = reader.count()?;
            }
            Type::Dictionary => {
                if reader.dialect() == Dialect::Godot4 {
                    reader.element_type(header.flags)?;
                    reader.element_type(header.flags >> 2)?;
                }
                opened = reader.count()?.saturating_mul(2);
            }
            Type::Object if reader.options.allow_objects => {
                // Scripts and classes have to be checked: that is what decoding does.
                reader.rewind(header.at);
                decode(reader, depth.saturating_add(stack.len()))?;
            }
            Type::Bool => drop(reader.bool()?),
            Type::Int => drop(reader.int(&header)?),
            Type::Float => drop(reader.float(&header)?),
            Type::String | Type::StringName => drop(reader.string()?),
            Type::PackedByteArray => drop(reader.packed_bytes()?),
            Type::PackedInt32Array | Type::PackedFloat32Array => drop(reader.packed(4)?),
            Type::PackedInt64Array | Type::PackedFloat64Array => drop(reader.packed(8)?),
            Type::PackedVector2Array
            | Type::PackedVector3Array
            | Type::PackedVector4Array
            | Type::PackedColorArray => {
                let size = if reader.wide(&header) { 8 } else { 4 };
                reader.packed(header.kind.packed_components().saturating_mul(size))?;
            }
            kind if kind.components() > 0 => {
                let size = if reader.wide(&header) { 8 } else { 4 };
                reader.take(kind.components().saturating_mul(size), kind.name())?;
            }
            _ => drop(start(reader, &header)?),
        }
        if opened > 0 {
            stack.push(opened);
            continue;
        }
        loop {
            let Some(left) = stack.last_mut() else { return Ok(()) };
            *left = left.saturating_sub(1);
            if *left > 0 {
                break;
            }
            stack.pop();
        }
    }
}
