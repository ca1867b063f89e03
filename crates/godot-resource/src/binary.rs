//! Binary files: `RSRC`, and `RSCC`, which is compressed in blocks.

mod encode;
#[cfg(feature = "explain")]
mod explain;
mod read;
mod variant;
mod write;

use std::ops::Range;

use gamewire_core::Segment;
use gamewire_core::limits::Limits;
use godot_variant::types::GString;
use godot_variant::wrapped::Compressed;
use godot_variant::{Dialect, Value};

use crate::{Error, ErrorKind, Options, Result, Uid};
use read::{Meaning, Noted, Notes, Reader};
use variant::Context;

pub(crate) use variant::external_id;
pub(crate) use write::{NewBinary, NewResource};

const MAGIC: &[u8] = b"RSRC";
const PACKED_MAGIC: &[u8] = b"RSCC";

/// The newest format of binary files, that of 4.3 and later.
pub(crate) const FORMAT: u32 = 6;

/// The flags of a file.
pub(crate) const FLAG_NAMED_IDS: u32 = 1;
pub(crate) const FLAG_UIDS: u32 = 2;
pub(crate) const FLAG_WIDE: u32 = 4;
pub(crate) const FLAG_SCRIPT_CLASS: u32 = 8;

/// A binary file: a scene or a resource.
///
/// Values stay bytes until they are asked for, and what is not changed is written as it was read.
///
/// ```
/// use godot_resource::{Binary, Text};
///
/// let text = Text::parse("[gd_resource type=\"Curve\" format=3]\n\n[resource]\nbake_resolution = 7\n")?;
/// let bytes = text.contents()?.to_binary(&Default::default())?.file;
/// let mut file = Binary::parse(&bytes)?;
/// assert_eq!((file.class(), file.engine()), ("Curve", (4, 6)));
///
/// let main = file.resources().len() - 1;
/// assert_eq!(file.get(main, "bake_resolution"), Some(7.into()));
/// file.set(main, "bake_resolution", &9.into())?;
/// assert_eq!(Binary::parse(&file.to_vec()?)?.get(main, "bake_resolution"), Some(9.into()));
/// # Ok::<(), godot_resource::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Binary {
    /// As it was read, unpacked.
    body: Vec<u8>,
    /// How the body was packed, and the packed bytes.
    packed: Option<(Compressed, Vec<u8>)>,
    is_changed: bool,
    head: BinaryHead,
    strings: Vec<GString>,
    externals: Vec<BinaryExternal>,
    resources: Vec<BinaryResource>,
    /// The ids of the resources.
    ids: Vec<GString>,
    /// After the last resource, and where that was read.
    tail: Vec<u8>,
    tail_at: usize,
    limits: Limits,
}

/// The fields before the tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct BinaryHead {
    big_endian: bool,
    /// A flag that no engine sets.
    real64: u32,
    engine: (u32, u32),
    format: u32,
    class: GString,
    import: u64,
    flags: u32,
    uid: u64,
    script_class: GString,
    reserved: [u32; 11],
}

/// A file that a binary file refers to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BinaryExternal {
    pub(crate) class: GString,
    pub(crate) path: GString,
    pub(crate) uid: u64,
}

/// A resource in a binary file.
#[derive(Clone, Debug)]
pub struct BinaryResource {
    path: GString,
    class: GString,
    properties: Vec<BinaryProperty>,
}

#[derive(Clone, Debug)]
struct BinaryProperty {
    name: GString,
    /// Its place in the table of strings, if it is not written out.
    place: Option<u32>,
    value: Encoded,
}

/// The bytes of a value.
#[derive(Clone, Debug)]
enum Encoded {
    /// In the body.
    Read(Range<usize>),
    Changed(Vec<u8>),
}

impl BinaryResource {
    /// Its id in the file, or the path of a resource that has one.
    pub fn id(&self) -> &str {
        self.path.strip_prefix("local://").unwrap_or(&self.path)
    }

    /// The engine's class.
    pub fn class(&self) -> &str {
        &self.class
    }

    /// The names of its properties, in order.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.properties.iter().map(|property| &*property.name)
    }

    fn find(&self, name: &str) -> Option<&BinaryProperty> {
        self.properties.iter().rfind(|property| property.name == *name)
    }
}

impl Binary {
    /// Reads a file.
    ///
    /// # Errors
    /// As [`Options::parse_binary`].
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        Options::new().parse_binary(bytes)
    }

    /// Whether a file begins as a binary one.
    pub fn is_binary(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC) || bytes.starts_with(PACKED_MAGIC)
    }

    /// The class of the main resource; `PackedScene` of a scene.
    pub fn class(&self) -> &str {
        &self.head.class
    }

    /// The name of the script class of the main resource (4.x).
    pub fn script_class(&self) -> Option<&str> {
        (self.head.flags & FLAG_SCRIPT_CLASS != 0).then_some(&*self.head.script_class)
    }

    /// The uid of the file (4.x).
    pub fn uid(&self) -> Option<Uid> {
        Uid::from_field(self.head.uid).filter(|_| self.head.flags & FLAG_UIDS != 0)
    }

    /// The major and minor version of the engine that wrote it.
    pub fn engine(&self) -> (u32, u32) {
        self.head.engine
    }

    /// The format, from 1 to 6.
    pub fn format(&self) -> u32 {
        self.head.format
    }

    /// Whether it is compressed.
    pub fn is_packed(&self) -> bool {
        self.packed.is_some()
    }

    /// Writes a file with other contents, for the same engine and packed in the same way.
    ///
    /// # Errors
    /// As [`Contents::to_binary`](crate::Contents::to_binary).
    pub fn with_contents(&self, contents: &crate::Contents, options: &Options) -> Result<Vec<u8>> {
        let mut made = options.parse_binary(&contents.to_binary(options)?.file)?;
        let is_new = made.head.format >= 4;
        if is_new && (4..=made.head.format).contains(&self.head.format) {
            made.head.format = self.head.format;
        }
        if is_new == (self.head.format >= 4) {
            made.head.engine = self.head.engine;
        }
        made.packed.clone_from(&self.packed);
        made.is_changed = true;
        made.to_vec()
    }

    /// The resources in the file; the last one is the main resource.
    pub fn resources(&self) -> &[BinaryResource] {
        &self.resources
    }

    pub(crate) fn externals(&self) -> &[BinaryExternal] {
        &self.externals
    }

    /// The memory that nodes made of it may take.
    pub(crate) fn max_memory(&self) -> usize {
        self.limits.memory(self.body.len())
    }

    pub(crate) fn dialect(&self) -> Dialect {
        if self.head.engine.0 < 4 { Dialect::Godot3 } else { Dialect::Godot4 }
    }

    /// The value of a property of a resource.
    pub fn get(&self, resource: usize, property: &str) -> Option<Value> {
        self.value(self.resources.get(resource)?.find(property)?)
    }

    /// The properties of a resource and their values.
    pub fn values(&self, resource: usize) -> impl Iterator<Item = (&str, Value)> {
        let all = self.resources.get(resource).map(|own| &*own.properties).unwrap_or_default();
        all.iter().filter_map(|own| Some((&*own.name, self.value(own)?)))
    }

    fn bytes<'a>(&'a self, property: &'a BinaryProperty) -> &'a [u8] {
        match &property.value {
            Encoded::Read(place) => self.body.get(place.clone()).unwrap_or_default(),
            Encoded::Changed(bytes) => bytes,
        }
    }

    fn value(&self, property: &BinaryProperty) -> Option<Value> {
        let context = self.context();
        let (bytes, big_endian) = (self.bytes(property), self.head.big_endian);
        let read = Reader { bytes, at: 0, big_endian, notes: () }.value(&context);
        // It was read before, by the same rules.
        debug_assert!(read.is_ok(), "{read:?}");
        read.ok()
    }

    fn context(&self) -> Context<'_> {
        self.head.context(&self.strings, self.externals.len(), &self.ids, self.limits.max_depth)
    }

    /// Sets a property of a resource: in its place, or after the last one.
    ///
    /// # Errors
    /// A resource that is not there; a value that the file cannot hold: a type that its engine has not, a
    /// resource that the file has not. Nothing is changed then.
    pub fn set(&mut self, resource: usize, property: &str, value: &Value) -> Result<()> {
        let bytes = encode::encode(value, self.context())
            .map_err(|error| error.inside(property).inside(resource))?;
        let count = self.resources.len();
        let Some(own) = self.resources.get_mut(resource) else {
            let text = format!("expected one of {count} resources, found number {resource}");
            return Err(Error::new(ErrorKind::Data, text));
        };
        self.is_changed = true;
        match own.properties.iter_mut().rfind(|own| own.name == *property) {
            Some(own) => own.value = Encoded::Changed(bytes),
            None => {
                let known = self.strings.iter().position(|name| name == property);
                let place = known.unwrap_or_else(|| {
                    self.strings.push(property.into());
                    self.strings.len().saturating_sub(1)
                });
                let (name, value) = (property.into(), Encoded::Changed(bytes));
                own.properties.push(BinaryProperty {
                    name,
                    place: u32::try_from(place).ok(),
                    value,
                });
            }
        }
        Ok(())
    }

    /// Removes a property of a resource. Returns whether it was there.
    pub fn remove(&mut self, resource: usize, property: &str) -> bool {
        let Some(own) = self.resources.get_mut(resource) else { return false };
        let before = own.properties.len();
        own.properties.retain(|own| own.name != *property);
        let found = own.properties.len() < before;
        self.is_changed |= found;
        found
    }
}

impl BinaryHead {
    fn context<'a>(
        &self,
        strings: &'a [GString],
        externals: usize,
        internals: &'a [GString],
        max_depth: usize,
    ) -> Context<'a> {
        Context {
            big_endian: self.big_endian,
            wide: self.flags & FLAG_WIDE != 0,
            version: self.format,
            dialect: if self.engine.0 < 4 { Dialect::Godot3 } else { Dialect::Godot4 },
            has_named_ids: self.flags & FLAG_NAMED_IDS != 0,
            strings,
            externals,
            internals,
            max_depth,
        }
    }
}

impl Options {
    /// Reads a binary file, compressed or not.
    ///
    /// # Errors
    /// Another file, or one that is cut off or damaged, with the byte and the path; a format that is newer
    /// than 6; a limit. Bytes of a compressed file count where they are unpacked.
    pub fn parse_binary(&self, bytes: &[u8]) -> Result<Binary> {
        if bytes.len() > self.limits.max_alloc {
            let most = self.limits.max_alloc;
            let text = format!("{} bytes are more than max_alloc, which is {most}", bytes.len());
            return Err(Error::new(ErrorKind::AllocLimit, text));
        }
        if !bytes.starts_with(PACKED_MAGIC) {
            let (file, ()) = self.body(bytes, false, ());
            return file;
        }
        let (wrapper, plain) = Compressed::open(bytes, self.limits.max_alloc)?;
        let (file, ()) = self.body(&plain, true, ());
        file.map(|file| Binary { packed: Some((wrapper, bytes.to_vec())), ..file })
    }

    /// Reads what is in the blocks of a compressed file, or a file that is not.
    fn body<N: Notes>(&self, bytes: &[u8], is_packed: bool, notes: N) -> (Result<Binary>, N) {
        let mut reader = Reader { bytes, at: 0, big_endian: false, notes };
        let read = reader.file(self, is_packed);
        (read, reader.notes)
    }
}

impl<N: Notes> Reader<'_, N> {
    fn file(&mut self, options: &Options, is_packed: bool) -> Result<Binary> {
        if !is_packed {
            let found = self.take(4, "RSRC")?;
            if found != MAGIC {
                let text = "expected RSRC or RSCC, found something else";
                return Err(Error::at(ErrorKind::Frame, 0, text));
            }
            self.notes.part(self.at, || Noted::new(Meaning::Magic, "magic", "\"RSRC\""));
        }
        let head = self.head()?;
        let mut strings = Vec::new();
        for index in 0..self.count(4, "count of names")? {
            strings.push(self.text("name").map_err(|error| error.inside(index).inside("names"))?);
        }
        let has_uids = head.flags & FLAG_UIDS != 0;
        let mut externals = Vec::new();
        for index in 0..self.count(8, "count of external resources")? {
            let read = self.external(has_uids);
            externals.push(read.map_err(|error| error.inside(index).inside("external"))?);
        }
        let mut paths = Vec::new();
        for _ in 0..self.count(12, "count of internal resources")? {
            let path = self.text("path of an internal resource")?;
            let at = self.at;
            let offset = self.long("offset")?;
            self.notes
                .part(self.at, || Noted::new(Meaning::Data, "offset", format!("{offset:#x}")));
            paths.push((path, offset, at));
        }
        let ids: Vec<GString> = paths
            .iter()
            .map(|(path, ..)| path.strip_prefix("local://").unwrap_or(path).into())
            .collect();
        let mut resources = Vec::new();
        for (index, (path, offset, at)) in paths.into_iter().enumerate() {
            if usize::try_from(offset) != Ok(self.at) {
                let text = format!(
                    "expected the offset {:#x}, where the resource follows, found {offset:#x}",
                    self.at
                );
                return Err(Error::at(ErrorKind::Unsupported, at, text));
            }
            let max_depth = options.limits.max_depth;
            let context = head.context(&strings, externals.len(), &ids, max_depth);
            self.notes.enter(|| Segment::Index(index));
            let read = self.resource(path, &context);
            resources.push(read.map_err(|error| error.inside(index))?);
            self.notes.leave();
        }
        let tail_at = self.at;
        let tail = self.take(self.rest(), "the end")?.to_vec();
        self.notes.part(self.at, || Noted::new(Meaning::Magic, "magic at the end", shown(&tail)));
        Ok(Binary {
            body: self.bytes.to_vec(),
            packed: None,
            is_changed: false,
            head,
            strings,
            externals,
            resources,
            ids,
            tail,
            tail_at,
            limits: options.limits,
        })
    }

    fn head(&mut self) -> Result<BinaryHead> {
        // This word alone has the lowest byte first in all files.
        let big_endian = self.u32(Meaning::Header, "big endian")? != 0;
        self.big_endian = big_endian;
        let real64 = self.u32(Meaning::Header, "64-bit file, in no engine")?;
        let engine = (
            self.u32(Meaning::Header, "major version of the engine")?,
            self.u32(Meaning::Header, "minor version of the engine")?,
        );
        let at = self.at;
        let format = self.u32(Meaning::Header, "format")?;
        if format > FORMAT {
            let text = format!("expected a format up to {FORMAT}, found {format}");
            return Err(Error::at(ErrorKind::Unsupported, at, text));
        }
        let class = self.text("class of the main resource")?;
        let import = self.long("offset of import data")?;
        self.notes.part(self.at, || Noted::new(Meaning::Data, "offset of import data", import));
        let flags = self.u32(Meaning::Header, "flags")?;
        let uid = self.long("uid")?;
        self.notes.part(self.at, || {
            let value = Uid::from_field(uid).map_or("none".to_owned(), |uid| uid.to_string());
            Noted::new(Meaning::Data, "uid", value)
        });
        let script_class = match flags & FLAG_SCRIPT_CLASS != 0 {
            true => self.text("script class")?,
            false => GString::default(),
        };
        let mut reserved = [0; 11];
        for word in &mut reserved {
            *word = self.u32(Meaning::Padding, "reserved")?;
        }
        Ok(BinaryHead {
            big_endian,
            real64,
            engine,
            format,
            class,
            import,
            flags,
            uid,
            script_class,
            reserved,
        })
    }

    fn external(&mut self, has_uids: bool) -> Result<BinaryExternal> {
        let class = self.text("class")?;
        let path = self.text("path")?;
        let uid = if has_uids { self.long("uid")? } else { u64::MAX };
        self.notes.part(self.at, || {
            let value = Uid::from_field(uid).map_or("none".to_owned(), |uid| uid.to_string());
            Noted::new(Meaning::Data, "uid", value)
        });
        Ok(BinaryExternal { class, path, uid })
    }

    fn resource(&mut self, path: GString, context: &Context<'_>) -> Result<BinaryResource> {
        let class = self.text("class")?;
        let mut properties = Vec::new();
        for _ in 0..self.count(8, "count of properties")? {
            let (place, name) = self.name(context.strings)?;
            let start = self.at;
            self.notes.enter(|| Segment::field(&name));
            self.value(context).map_err(|error| error.inside(&*name))?;
            self.notes.leave();
            let value = Encoded::Read(start..self.at);
            properties.push(BinaryProperty { name, place, value });
        }
        Ok(BinaryResource { path, class, properties })
    }
}

/// The bytes at the end.
fn shown(tail: &[u8]) -> String {
    match std::str::from_utf8(tail) {
        Ok(text) if tail.len() < 60 => format!("{text:?}"),
        _ => format!("{} bytes", tail.len()),
    }
}
