//! Values to bytes.

use super::walk::{Open, Place, Step, Walk};
use super::{Bean, Value};
use crate::error::{Error, ErrorKind, Path, Result, Segment};
use crate::kind::Kind;
use crate::options::Options;
use crate::write;

/// Levels that are gone through by recursion, which is faster; a [`Walk`] takes those below.
const MAX_RECURSION: usize = 24;

/// Writes a value, without a tag. Returns how many levels of containers it has.
pub(crate) fn encode(value: &Value, out: &mut Vec<u8>, options: &Options) -> Result<usize> {
    let mut encoder = Encoder { out, options, deepest: 0 };
    encoder.value(value, 0)?;
    let deepest = encoder.deepest;
    options.check_output(out.len()).map(|()| deepest)
}

struct Encoder<'a> {
    out: &'a mut Vec<u8>,
    options: &'a Options,
    deepest: usize,
}

impl Encoder<'_> {
    /// Writes a value inside of `level` containers.
    fn value(&mut self, value: &Value, level: usize) -> Result<()> {
        if !value.kind().is_container() {
            return write_value(value, self.out);
        }
        if level >= MAX_RECURSION {
            return self.deep(value, level);
        }
        self.open(level)?;
        write_value(value, self.out)?;
        match value {
            Value::List(list) => list.items.iter().enumerate().try_for_each(|(index, item)| {
                let written = self.part(Place::Item(list.element), item, level);
                written.map_err(|error| error.inside(index))
            }),
            Value::Map(map) => {
                map.entries.iter().enumerate().try_for_each(|(index, (key, value))| {
                    self.part(Place::Key(map.types.0), key, level)
                        .map_err(|error| error.inside(Segment::KeyOf(index)))?;
                    self.part(Place::Entry(map.types.1), value, level)
                        .map_err(|error| error.inside(key.as_key()))
                })
            }
            Value::Bean(bean) => self.bean(bean, level),
            Value::Dynamic(dynamic) => self.bean(&dynamic.bean, level),
            _ => Ok(()),
        }
    }

    #[inline]
    fn part(&mut self, place: Place, value: &Value, level: usize) -> Result<()> {
        before(place, value, self.out)?;
        self.value(value, level.saturating_add(1))
    }

    fn bean(&mut self, bean: &Bean, level: usize) -> Result<()> {
        // Layers of bases are as many as the value likes, so they take a loop.
        let (mut layer, mut bases) = (bean, 0_usize);
        let written = loop {
            let (level, mut last) = (level.saturating_add(bases), 0);
            let written = layer.fields.iter().try_for_each(|(id, value)| {
                let place = Place::Field { id: *id, last };
                last = *id;
                let written = self.part(place, value, level);
                written.map_err(|error| error.inside(Segment::Id(*id)))
            });
            let Some(base) = layer.base().filter(|_| written.is_ok()) else { break written };
            self.out.push(write::BASE);
            (layer, bases) = (base, bases.saturating_add(1));
            if let Err(error) = self.open(level.saturating_add(1)) {
                break Err(error);
            }
        };
        self.out.push(write::END);
        let shown = 0..bases.min(Path::MAX_SEGMENTS.saturating_add(1));
        written.map_err(|error| shown.fold(error, |error, _| error.inside(Segment::Base)))
    }

    /// A container begins inside of `level` others.
    #[inline]
    fn open(&mut self, level: usize) -> Result<()> {
        if level >= self.options.max_depth {
            return Err(self.options.too_deep(None));
        }
        self.deepest = self.deepest.max(level.saturating_add(1));
        self.options.check_output(self.out.len())
    }

    /// The same without recursion.
    fn deep(&mut self, value: &Value, level: usize) -> Result<()> {
        let mut walk = Walk::new(value);
        while let Some(step) = walk.next() {
            match step {
                Step::Value(place, value) => {
                    let written = before(place, value, self.out);
                    let written = written.and_then(|()| write_value(value, self.out));
                    written.map_err(|error| walk.located(error))?;
                }
                Step::Base => self.out.push(write::BASE),
                // The base ends the bean.
                Step::Close(Open::Bean(bean, _)) if bean.base().is_none() => {
                    self.out.push(write::END);
                }
                Step::Close(_) => continue,
            }
            let level = level.saturating_add(walk.levels()).saturating_sub(1);
            self.open(level).map_err(|error| walk.located(error))?;
        }
        Ok(())
    }
}

/// The tag of a field; elsewhere the wire type has to be the one of the header.
#[inline]
fn before(place: Place, value: &Value, out: &mut Vec<u8>) -> Result<()> {
    match place {
        Place::Field { id, last } => {
            let step = id.checked_sub(last).filter(|step| *step > 0 && id <= write::MAX_ID);
            let Some(step) = step else {
                return Err(Error::new(
                    ErrorKind::InvalidId,
                    format!("expected a field id of 1 to {}, found {id}", write::MAX_ID),
                ));
            };
            write::tag(out, step, value.kind());
            Ok(())
        }
        Place::Item(number) | Place::Key(number) | Place::Entry(number)
            if number != value.kind().number() =>
        {
            let wanted = Kind::from_number(number).map_or("no element", Kind::article);
            let found = value.kind().article();
            Err(Error::new(
                ErrorKind::MixedTypes,
                format!("expected {wanted} by the container's wire type, found {found}"),
            ))
        }
        _ => Ok(()),
    }
}

/// A value, or what stands before the parts of a container.
#[inline]
fn write_value(value: &Value, out: &mut Vec<u8>) -> Result<()> {
    match value {
        Value::Int(value) => write::int(out, *value),
        Value::Float(value) => out.extend_from_slice(&value.to_le_bytes()),
        Value::Double(value) => out.extend_from_slice(&value.to_le_bytes()),
        Value::Bytes(bytes) => {
            write::uint(out, write::length(bytes.len())?);
            out.extend_from_slice(bytes);
        }
        Value::Vector2(vector) => floats(out, &vector.to_array()),
        Value::Vector3(vector) => floats(out, &vector.to_array()),
        Value::Vector4(vector) => floats(out, &vector.to_array()),
        Value::Vector2Int(vector) => vector.iter().for_each(|value| write::int(out, *value)),
        Value::Vector3Int(vector) => vector.iter().for_each(|value| write::int(out, *value)),
        Value::List(list) => write::list_header(out, write::length(list.len())?, list.element),
        Value::Map(map) => {
            write::map_header(out, write::length(map.len())?, map.types.0, map.types.1);
        }
        Value::Bean(_) => {}
        Value::Dynamic(dynamic) => write::int(out, dynamic.type_id),
    }
    Ok(())
}

fn floats(out: &mut Vec<u8>, floats: &[f32]) {
    floats.iter().for_each(|float| out.extend_from_slice(&float.to_le_bytes()));
}
