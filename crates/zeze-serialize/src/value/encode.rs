//! Values to bytes.

use super::{Bean, Value};
use crate::error::{Error, ErrorKind, Path, Result, Segment};
use crate::kind::Kind;
use crate::options::Options;
use crate::write;

/// Writes a value inside of `level` containers, without a tag.
pub(crate) fn encode(
    value: &Value,
    level: usize,
    out: &mut Vec<u8>,
    options: &Options,
) -> Result<()> {
    Encoder { out, options }.value(value, level)?;
    options.check_output(out.len())
}

struct Encoder<'a> {
    out: &'a mut Vec<u8>,
    options: &'a Options,
}

impl Encoder<'_> {
    /// Writes a value inside of `level` containers. `max_depth` bounds the recursion.
    fn value(&mut self, value: &Value, level: usize) -> Result<()> {
        match value {
            Value::Int(value) => write::int(self.out, *value),
            Value::Float(value) => self.floats(&[*value]),
            Value::Double(value) => self.out.extend_from_slice(&value.to_le_bytes()),
            Value::Bytes(bytes) => write::bytes(self.out, bytes)?,
            Value::Vector2(vector) => self.floats(&vector.to_array()),
            Value::Vector3(vector) => self.floats(&vector.to_array()),
            Value::Vector4(vector) => self.floats(&vector.to_array()),
            Value::Vector2Int(vector) => vector.iter().for_each(|int| write::int(self.out, *int)),
            Value::Vector3Int(vector) => vector.iter().for_each(|int| write::int(self.out, *int)),
            Value::List(list) => {
                self.open(level)?;
                write::list_header(self.out, write::length(list.len())?, list.element);
                for (index, item) in list.items.iter().enumerate() {
                    let written = self.element(list.element, item, level);
                    written.map_err(|error| error.inside(index))?;
                }
            }
            Value::Map(map) => {
                self.open(level)?;
                let (keys, values) = map.types;
                write::map_header(self.out, write::length(map.len())?, keys, values);
                for (index, (key, value)) in map.entries.iter().enumerate() {
                    let written = self.element(keys, key, level);
                    written.map_err(|error| error.inside(Segment::KeyOf(index)))?;
                    let written = self.element(values, value, level);
                    written.map_err(|error| error.inside(key.as_key()))?;
                }
            }
            Value::Bean(bean) => self.bean(bean, level)?,
            Value::Dynamic(dynamic) => {
                write::int(self.out, dynamic.type_id);
                self.bean(&dynamic.bean, level)?;
            }
        }
        Ok(())
    }

    fn floats(&mut self, floats: &[f32]) {
        floats.iter().for_each(|float| self.out.extend_from_slice(&float.to_le_bytes()));
    }

    /// Writes an element of a container, which has to be of the wire type in the container's header.
    #[inline]
    fn element(&mut self, number: u8, value: &Value, level: usize) -> Result<()> {
        if number != value.kind().number() {
            let wanted = Kind::from_number(number).map_or("no element", Kind::article);
            let found = value.kind().article();
            return Err(Error::new(
                ErrorKind::MixedTypes,
                format!("expected {wanted} by the container's wire type, found {found}"),
            ));
        }
        self.value(value, level.saturating_add(1))
    }

    fn bean(&mut self, bean: &Bean, level: usize) -> Result<()> {
        let mut level = level;
        for (bases, layer) in bean.layers().enumerate() {
            if bases > 0 {
                self.out.push(write::BASE);
                level = level.saturating_add(1);
            }
            let written = self.open(level).and_then(|()| self.layer(layer, level));
            let shown = 0..bases.min(Path::MAX_SEGMENTS.saturating_add(1));
            written.map_err(|error| shown.fold(error, |error, _| error.inside(Segment::Base)))?;
        }
        self.out.push(write::END);
        Ok(())
    }

    fn layer(&mut self, layer: &Bean, level: usize) -> Result<()> {
        let mut last = 0;
        for (id, value) in &layer.fields {
            let written = self.field(*id, last, value, level);
            written.map_err(|error| error.inside(Segment::Id(*id)))?;
            last = *id;
        }
        Ok(())
    }

    #[inline]
    fn field(&mut self, id: u32, last: u32, value: &Value, level: usize) -> Result<()> {
        let step = id.checked_sub(last).filter(|step| *step > 0 && id <= write::MAX_ID);
        let Some(step) = step else {
            return Err(Error::new(
                ErrorKind::InvalidId,
                format!("expected a field id of 1 to {}, found {id}", write::MAX_ID),
            ));
        };
        write::tag(self.out, step, value.kind());
        self.value(value, level.saturating_add(1))
    }

    /// Begins a container inside of `level` others.
    #[inline]
    fn open(&mut self, level: usize) -> Result<()> {
        if level >= self.options.limits.max_depth {
            return Err(self.options.too_deep(None));
        }
        self.options.check_output(self.out.len())
    }
}
