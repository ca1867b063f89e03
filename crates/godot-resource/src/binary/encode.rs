//! Values to the bytes of binary files, as the engine writes them.

use std::collections::HashMap;

use godot_variant::types::{GString, Type};
use godot_variant::value::{Object, Reference};
use godot_variant::{Dialect, Value};

use gamewire_core::Segment;

use super::variant::{
    Context, DOUBLE, INT64, OBJECT_EMPTY, OBJECT_EXTERNAL, OBJECT_INTERNAL, id_of,
};
use crate::{Error, ErrorKind, Result};

/// Appends to the bytes of a file, in the order of bytes that it has.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub(super) out: Vec<u8>,
    pub(super) big_endian: bool,
}

impl Writer {
    fn number<const LEN: usize>(&mut self, mut little: [u8; LEN]) {
        if self.big_endian {
            little.reverse();
        }
        self.out.extend_from_slice(&little);
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.number(value.to_le_bytes());
    }

    pub(super) fn u64(&mut self, value: u64) {
        self.number(value.to_le_bytes());
    }

    /// A count or length.
    pub(super) fn count(&mut self, count: usize) -> Result<()> {
        self.u32(u32::try_from(count).map_err(|_| {
            let text = format!("expected at most {} things, found {count}", u32::MAX);
            Error::new(ErrorKind::OutputLimit, text)
        })?);
        Ok(())
    }

    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        if text.contains('\0') {
            let text = "expected strings without NUL, at which texts end, found one that has it";
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        self.count(text.len().saturating_add(1))?;
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(0);
        Ok(())
    }

    /// A name that the table of strings does not have.
    pub(super) fn inline(&mut self, text: &str) -> Result<()> {
        let at = self.out.len();
        self.text(text)?;
        // The highest bit of the length says so.
        let byte = at.saturating_add(if self.big_endian { 0 } else { 3 });
        if let Some(byte) = self.out.get_mut(byte) {
            *byte |= 0x80;
        }
        Ok(())
    }
}

/// Where what values refer to is found.
pub(super) struct Tables<'a> {
    pub(super) context: Context<'a>,
    strings: HashMap<&'a str, u32>,
    internals: HashMap<&'a str, u32>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(context: Context<'a>) -> Self {
        let places = |all: &'a [GString]| {
            // Of two that are the same the first counts.
            let mut found = HashMap::new();
            for (place, text) in (0_u32..).zip(all) {
                found.entry(text.as_str()).or_insert(place);
            }
            found
        };
        Tables { strings: places(context.strings), internals: places(context.internals), context }
    }

    pub(super) fn name(&self, name: &str) -> Option<u32> {
        self.strings.get(name).copied()
    }
}

/// The values that are still to be written.
enum WriteStep<'a> {
    Value(&'a Value, usize),
    /// A value inside of another one.
    Enter(Segment, &'a Value, usize),
    Leave,
}

impl Writer {
    /// Writes one value, without recursion.
    pub(super) fn value(&mut self, value: &Value, tables: &Tables<'_>) -> Result<()> {
        let mut steps = vec![WriteStep::Value(value, 0)];
        let mut path: Vec<Segment> = Vec::new();
        while let Some(step) = steps.pop() {
            let (value, depth) = match step {
                WriteStep::Value(value, depth) => (value, depth),
                WriteStep::Enter(segment, value, depth) => {
                    path.push(segment);
                    steps.push(WriteStep::Leave);
                    (value, depth)
                }
                WriteStep::Leave => {
                    path.pop();
                    continue;
                }
            };
            let done = self.begin(value, depth, tables, &mut steps);
            done.map_err(|error| {
                path.iter().rev().fold(error, |all, own| all.inside(own.clone()))
            })?;
        }
        Ok(())
    }

    fn begin<'v>(
        &mut self,
        value: &'v Value,
        depth: usize,
        tables: &Tables<'_>,
        steps: &mut Vec<WriteStep<'v>>,
    ) -> Result<()> {
        let context = &tables.context;
        let kind = value.kind();
        let id = id_of(kind).filter(|_| match context.dialect {
            Dialect::Godot3 => kind.id(Dialect::Godot3).is_some(),
            // Format 6 brought it.
            _ => kind != Type::PackedVector4Array || context.version >= 6,
        });
        let Some(id) = id else {
            let text = format!("expected a type that format {} has, found {kind}", context.version);
            return Err(Error::new(ErrorKind::Unsupported, text));
        };
        match value {
            Value::Int(int) => match i32::try_from(*int) {
                Ok(short) => {
                    self.u32(id);
                    self.u32(short.cast_unsigned());
                }
                Err(_) => {
                    self.u32(INT64);
                    self.u64(int.cast_unsigned());
                }
            },
            Value::Float(float) => self.float(*float, id, context.wide),
            value => {
                self.u32(id);
                self.content(value, depth, tables, steps)?;
            }
        }
        Ok(())
    }

    #[allow(clippy::cast_possible_truncation, clippy::float_cmp, reason = "checked to be exact")]
    fn float(&mut self, float: f64, id: u32, wide: bool) {
        let short = float as f32;
        match (f64::from(short) == float, wide) {
            (false, _) => {
                self.u32(DOUBLE);
                self.u64(float.to_bits());
            }
            (true, true) => {
                self.u32(id);
                self.u64(float.to_bits());
            }
            (true, false) => {
                self.u32(id);
                self.u32(short.to_bits());
            }
        }
    }

    fn content<'v>(
        &mut self,
        value: &'v Value,
        depth: usize,
        tables: &Tables<'_>,
        steps: &mut Vec<WriteStep<'v>>,
    ) -> Result<()> {
        let inner = depth.saturating_add(1);
        match value {
            Value::Nil | Value::Callable(_) | Value::Signal(_) => {}
            Value::Bool(value) => self.u32((*value).into()),
            Value::String(text) => self.text(text)?,
            Value::StringName(name) => self.text(name)?,
            Value::NodePath(path) => {
                let absolute = if path.absolute { 0x8000 } else { 0 };
                // Up to format 2 one property name is always there, and is not counted.
                let has_last = tables.context.version < 3;
                let subnames = path.subnames.len().saturating_sub(usize::from(has_last));
                let (names, subnames) = (u16::try_from(path.names.len()), u16::try_from(subnames));
                let (Ok(names), Ok(subnames @ ..0x8000)) = (names, subnames) else {
                    let text = "expected a path of at most 32 767 names, found a longer one";
                    return Err(Error::new(ErrorKind::Unsupported, text));
                };
                self.number(names.to_le_bytes());
                self.number((subnames | absolute).to_le_bytes());
                let none = GString::default();
                let last = Some(&none).filter(|_| has_last && path.subnames.is_empty());
                for name in path.names.iter().chain(&path.subnames).chain(last) {
                    match tables.name(name) {
                        Some(place) => self.u32(place),
                        None => self.inline(name)?,
                    }
                }
            }
            Value::Rid(rid) => match u32::try_from(rid.0) {
                Ok(id) => self.u32(id),
                Err(_) => {
                    let text = format!("expected an RID of 32 bits, found {}", rid.0);
                    return Err(Error::new(ErrorKind::Unsupported, text));
                }
            },
            Value::Object(object) => self.object(object, tables)?,
            Value::PackedStringArray(texts) => {
                self.count(texts.len())?;
                texts.iter().try_for_each(|text| self.text(text))?;
            }
            other => match (other.as_array(), other.as_dictionary()) {
                (Some(items), _) => {
                    self.enter(depth, tables)?;
                    self.count(items.len())?;
                    let items = items.iter().enumerate().rev();
                    steps.extend(
                        items.map(|(at, item)| WriteStep::Enter(Segment::Index(at), item, inner)),
                    );
                }
                (None, Some(entries)) => {
                    self.enter(depth, tables)?;
                    self.count(entries.len())?;
                    for (at, (key, value)) in entries.iter().enumerate().rev() {
                        let step = match key.as_str() {
                            Some(text) => Segment::field(text),
                            None => Segment::KeyOf(at),
                        };
                        steps.push(WriteStep::Enter(step.clone(), value, inner));
                        steps.push(WriteStep::Enter(step, key, inner));
                    }
                }
                (None, None) => self.row(other, tables.context.wide)?,
            },
        }
        Ok(())
    }

    fn enter(&self, depth: usize, tables: &Tables<'_>) -> Result<()> {
        let most = tables.context.max_depth;
        if depth > most {
            let text = format!("nested deeper than max_depth, which is {most}");
            return Err(Error::new(ErrorKind::DepthLimit, text));
        }
        Ok(())
    }

    /// A row of numbers, in the width of the file.
    fn row(&mut self, value: &Value, wide: bool) -> Result<()> {
        let kind = value.kind();
        let Some(((bytes, has_wide), (count, _))) = value.to_numbers().zip(kind.numbers(false))
        else {
            debug_assert!(false, "{kind} is no row of numbers");
            return Ok(());
        };
        let size = kind.numbers(wide).map_or(1, |(_, size)| size);
        let own = kind.numbers(has_wide).map_or(1, |(_, size)| size);
        let len = bytes.len();
        if kind >= Type::PackedByteArray {
            self.count(len.checked_div(own.saturating_mul(count)).unwrap_or_default())?;
        }
        for number in bytes.chunks_exact(own) {
            match (number.first_chunk::<8>(), number.first_chunk::<4>()) {
                (Some(long), _) if size == 4 => self.number(narrow(f64::from_le_bytes(*long))),
                (Some(long), _) => self.number(*long),
                (None, Some(short)) if size == 8 => {
                    self.number(f64::from(f32::from_le_bytes(*short)).to_le_bytes());
                }
                (None, Some(short)) => self.number(*short),
                (None, None) => self.out.extend_from_slice(number),
            }
        }
        if kind == Type::PackedByteArray {
            let missing = len.next_multiple_of(4).saturating_sub(len);
            self.out.extend((0..missing).map(|_| 0));
        }
        Ok(())
    }

    fn object(&mut self, object: &Object, tables: &Tables<'_>) -> Result<()> {
        let (kind, place) = match object {
            Object::Null => {
                self.u32(OBJECT_EMPTY);
                return Ok(());
            }
            Object::Reference(reference) => match &**reference {
                Reference::External(id) => {
                    let place = id.parse::<usize>().ok().and_then(|id| id.checked_sub(1));
                    let place = place.filter(|place| *place < tables.context.externals);
                    (OBJECT_EXTERNAL, place.and_then(|place| u32::try_from(place).ok()))
                }
                Reference::Internal(id) if tables.context.has_named_ids => {
                    (OBJECT_INTERNAL, tables.internals.get(id.as_str()).copied())
                }
                Reference::Internal(id) => (OBJECT_INTERNAL, id.parse().ok()),
                _ => (OBJECT_EXTERNAL, None),
            },
            _ => (OBJECT_INTERNAL, None),
        };
        let Some(place) = place else {
            let found = Value::Object(object.clone());
            let text = format!("expected a resource that the file has, found {found:?}");
            return Err(Error::new(ErrorKind::Unsupported, text));
        };
        self.u32(kind);
        self.u32(place);
        Ok(())
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the file has components of 32 bits")]
fn narrow(float: f64) -> [u8; 4] {
    (float as f32).to_le_bytes()
}

/// The bytes of one value.
pub(super) fn encode(value: &Value, context: Context<'_>) -> Result<Vec<u8>> {
    let mut writer = Writer { out: Vec::new(), big_endian: context.big_endian };
    writer.value(value, &Tables::new(context))?;
    Ok(writer.out)
}

/// The names that node paths in a value have.
pub(super) fn path_names<'v>(value: &'v Value, each: &mut dyn FnMut(&'v GString)) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::NodePath(path) => path.names.iter().chain(&path.subnames).for_each(&mut *each),
            other => match (other.as_array(), other.as_dictionary()) {
                (Some(items), _) => open.extend(items.iter().rev()),
                (None, Some(entries)) => {
                    open.extend(entries.iter().rev().flat_map(|(key, value)| [value, key]));
                }
                (None, None) => {}
            },
        }
    }
}
