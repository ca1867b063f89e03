//! Files to bytes.

use godot_variant::types::GString;

use super::encode::{Tables, Writer, path_names};
use super::{
    Binary, BinaryExternal, BinaryHead, BinaryProperty, BinaryResource, Encoded, FLAG_SCRIPT_CLASS,
    FLAG_UIDS, MAGIC,
};
use crate::{Error, ErrorKind, Options, Properties, Result};

impl Binary {
    /// Writes the file: as it was read where nothing was changed. Blocks of a compressed file that was
    /// changed are packed anew.
    ///
    /// # Errors
    /// More than [`max_output`](Options::max_output) bytes.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let out = match (self.is_changed, &self.packed) {
            (false, Some((_, packed))) => packed.clone(),
            (false, None) => self.body.clone(),
            (true, Some((wrapper, _))) => wrapper.to_vec(&self.written()?)?,
            (true, None) => self.written()?,
        };
        if out.len() > self.limits.max_output {
            let most = self.limits.max_output;
            let text = format!("{} bytes are more than max_output, which is {most}", out.len());
            return Err(Error::new(ErrorKind::OutputLimit, text));
        }
        Ok(out)
    }

    /// The body, of which every table is written anew.
    pub(crate) fn written(&self) -> Result<Vec<u8>> {
        let mut writer = Writer::default();
        if self.packed.is_none() {
            writer.out.extend_from_slice(MAGIC);
        }
        let import_at = self.head.write(&mut writer)?;
        writer.count(self.strings.len())?;
        self.strings.iter().try_for_each(|name| writer.text(name))?;
        writer.count(self.externals.len())?;
        for external in &self.externals {
            writer.text(&external.class)?;
            writer.text(&external.path)?;
            if self.head.flags & FLAG_UIDS != 0 {
                writer.u64(external.uid);
            }
        }
        writer.count(self.resources.len())?;
        let mut offsets = Vec::with_capacity(self.resources.len());
        for resource in &self.resources {
            writer.text(&resource.path)?;
            offsets.push(writer.out.len());
            writer.u64(0);
        }
        for (resource, at) in self.resources.iter().zip(offsets) {
            writer.patch(at, writer.out.len() as u64);
            writer.text(&resource.class)?;
            writer.count(resource.properties.len())?;
            for property in &resource.properties {
                match property.place {
                    Some(place) => writer.u32(place),
                    None => writer.inline(&property.name)?,
                }
                writer.out.extend_from_slice(self.bytes(property));
            }
        }
        // Engines before 3.0 have import data behind the resources.
        if let Some(behind) =
            self.head.import.checked_sub(self.tail_at as u64).filter(|_| self.head.import > 0)
        {
            writer.patch(import_at, behind.saturating_add(writer.out.len() as u64));
        }
        writer.out.extend_from_slice(&self.tail);
        Ok(writer.out)
    }
}

impl BinaryHead {
    /// Returns where the offset of import data is.
    fn write(&self, writer: &mut Writer) -> Result<usize> {
        writer.u32(self.big_endian.into());
        writer.big_endian = self.big_endian;
        let (major, minor) = self.engine;
        [self.real64, major, minor, self.format].into_iter().for_each(|word| writer.u32(word));
        writer.text(&self.class)?;
        let import_at = writer.out.len();
        writer.u64(self.import);
        writer.u32(self.flags);
        writer.u64(self.uid);
        if self.flags & FLAG_SCRIPT_CLASS != 0 {
            writer.text(&self.script_class)?;
        }
        self.reserved.into_iter().for_each(|word| writer.u32(word));
        Ok(import_at)
    }
}

impl Writer {
    /// Puts an offset where one was left out.
    fn patch(&mut self, at: usize, offset: u64) {
        let mut offset = offset.to_le_bytes();
        if self.big_endian {
            offset.reverse();
        }
        if let Some(place) = self.out.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<8>()) {
            *place = offset;
        }
    }
}

/// A file that is made anew.
pub(crate) struct NewBinary<'a> {
    pub(crate) class: &'a str,
    pub(crate) script_class: Option<&'a str>,
    pub(crate) engine: (u32, u32),
    pub(crate) format: u32,
    pub(crate) flags: u32,
    pub(crate) uid: u64,
    pub(crate) externals: Vec<BinaryExternal>,
    /// The main resource is the last one.
    pub(crate) resources: Vec<NewResource<'a>>,
}

/// A resource of a file that is made anew.
pub(crate) struct NewResource<'a> {
    pub(crate) path: GString,
    pub(crate) class: &'a str,
    pub(crate) properties: &'a Properties,
}

impl NewBinary<'_> {
    /// Makes the file as the engine does: names first in the order in which node paths and properties have
    /// them.
    pub(crate) fn build(self, options: &Options) -> Result<Binary> {
        let mut strings: Vec<GString> = Vec::new();
        let mut known = std::collections::HashSet::new();
        let mut add = |name: &GString| {
            if known.insert(name.clone()) {
                strings.push(name.clone());
            }
        };
        let all = || self.resources.iter().flat_map(|own| own.properties);
        all().for_each(|(_, value)| path_names(value, &mut |name| add(name)));
        all().for_each(|(name, _)| add(name));
        let head = BinaryHead {
            engine: self.engine,
            format: self.format,
            class: self.class.into(),
            flags: self.flags,
            uid: self.uid,
            script_class: self.script_class.unwrap_or_default().into(),
            ..BinaryHead::default()
        };
        let ids: Vec<GString> = self
            .resources
            .iter()
            .map(|own| own.path.strip_prefix("local://").unwrap_or(&own.path).into())
            .collect();
        let max_depth = options.limits.max_depth;
        let tables = Tables::new(head.context(&strings, self.externals.len(), &ids, max_depth));
        let mut resources = Vec::new();
        for NewResource { path, class, properties } in self.resources {
            let mut own = Vec::new();
            for (name, value) in properties {
                let mut writer = Writer::default();
                let inside = |error: Error| error.inside(name.as_str()).inside(path.as_str());
                writer.value(value, &tables).map_err(inside)?;
                own.push(BinaryProperty {
                    name: name.clone(),
                    place: tables.name(name),
                    value: Encoded::Changed(writer.out),
                });
            }
            resources.push(BinaryResource { path, class: class.into(), properties: own });
        }
        drop(tables);
        Ok(Binary {
            body: Vec::new(),
            packed: None,
            is_changed: true,
            head,
            strings,
            externals: self.externals,
            resources,
            ids,
            tail: MAGIC.to_vec(),
            tail_at: 0,
            limits: options.limits,
        })
    }
}
