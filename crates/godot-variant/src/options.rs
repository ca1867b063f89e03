//! Settings for reading and writing. What they do is beside the machines that do it.

use std::sync::Arc;

use gamewire_core::limits::Limits;

use crate::class_db::ClassDb;
use crate::error::{Error, ErrorKind, Result};

/// Which table of type ids and layouts the bytes follow. Nothing in the bytes says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Godot 4.x, as of 4.6 (39 types). Reads everything that 4.0 to 4.6 wrote.
    #[default]
    Godot4,
    /// Godot 3.x, as of 3.6 (27 types).
    Godot3,
    /// The published page on the binary serialization API, taken literally (29 types). No engine
    /// reads or writes it; see the
    /// [list of differences](https://github.com/gamewire/gamewire/blob/main/docs/formats/godot-variant.md#the-published-page).
    Docs,
}

impl Dialect {
    /// How errors call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Dialect::Godot4 => "Godot 4",
            Dialect::Godot3 => "Godot 3",
            Dialect::Docs => "the published page",
        }
    }
}

/// Width of the components of `Vector2`, `Transform3D` and the other real-typed values.
///
/// `Color` is 32 bits in every engine, and `float` picks its own width. [`Dialect::Godot3`] has no
/// 64-bit components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Precision {
    /// As the data says: a `Vector3<f32>` is written with 32-bit and a `Vector3<f64>` with 64-bit
    /// components, and a [`Value`](crate::Value) keeps the width that was read. Single in [`Dialect::Docs`].
    #[default]
    Keep,
    /// A usual engine build: 64-bit components are narrowed (IEEE rounding), both ways.
    Single,
    /// An engine built with `precision=double`: 32-bit components are widened, both ways.
    Double,
}

/// How text spells values: the `format` of a scene or resource file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Spelling {
    /// As engines 3.x: `PoolIntArray( 1, 2 )`, floats of six digits.
    Format2,
    /// As engines 4.x where they can: `PackedByteArray(1, 2)`.
    #[default]
    Format3,
    /// As engines 4.3 and later: `PackedByteArray("AQI=")`.
    Format4,
    /// As [`Format4`](Self::Format4) with all digits of each float and with the entries of dictionaries as they stand,
    /// which no engine writes: what is read so is what was written, to the sign of a zero.
    Exact,
}

/// Settings for reading and writing: dialect, strictness, limits.
///
/// A builder by value whose verbs are the free functions of the crate. Reading never changes it.
///
/// ```
/// use godot_variant::{Dialect, Options};
///
/// let godot3 = Options::new().dialect(Dialect::Godot3).max_depth(64);
/// let bytes = godot3.to_vec(&vec!["a", "b"])?;
/// assert_eq!(bytes[0], 19); // an Array is type 19 in 3.x and 28 in 4.x
/// let names: Vec<String> = godot3.from_slice(&bytes)?;
/// assert_eq!(names, ["a", "b"]);
/// # Ok::<(), godot_variant::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub(crate) dialect: Dialect,
    pub(crate) precision: Precision,
    pub(crate) strict: bool,
    pub(crate) allow_objects: bool,
    pub(crate) unchecked_types: bool,
    /// How many values that do not fit into typed containers are read; `None` for any number.
    pub(crate) max_misfits: Option<usize>,
    pub(crate) human_readable: bool,
    pub(crate) whole_frames: bool,
    pub(crate) references: bool,
    pub(crate) spelling: Spelling,
    pub(crate) plain_buffering: bool,
    pub(crate) limits: Limits,
    pub(crate) classes: Option<Arc<dyn ClassDb>>,
    /// Nothing is lost: bytes that never leave the program, between a `Value` and a Rust type.
    pub(crate) in_memory: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options::new()
    }
}

impl Options {
    /// Godot 4, widths as given, the engine's leniency, no objects, finite limits.
    #[inline]
    pub const fn new() -> Self {
        Options {
            dialect: Dialect::Godot4,
            precision: Precision::Keep,
            strict: false,
            allow_objects: false,
            unchecked_types: false,
            max_misfits: None,
            human_readable: false,
            whole_frames: false,
            references: false,
            spelling: Spelling::Format3,
            plain_buffering: false,
            limits: Limits::DEFAULT.with_depth(1024).with_output(0x7fff_ffff),
            classes: None,
            in_memory: false,
        }
    }

    /// The type table and layouts to follow. Default [`Dialect::Godot4`].
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Component width of real-typed values. Default [`Precision::Keep`].
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    /// Refuses input that would not be written back the same. Default `false`.
    ///
    /// The engine reads text only up to the first NUL, strips a leading byte order mark, drops or
    /// converts elements of the wrong type in typed containers, keeps the last of equal keys, and
    /// ignores padding bytes, unknown flags and needlessly wide numbers. So does this crate by
    /// default, because the engine reads such data. With `strict` all of it is an error of kind
    /// [`NotCanonical`](ErrorKind::NotCanonical).
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Whether [`strict`](Self::strict) is on.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// Reads and writes whole objects, as `bytes_to_var_with_objects` does. Default `false`.
    ///
    /// Objects from strangers are how 3.x games were made to run foreign scripts. Without this, an
    /// object is only its instance id, and typed containers of objects name the class
    /// `EncodedObjectAsID`.
    #[must_use]
    pub fn allow_objects(mut self, allow: bool) -> Self {
        self.allow_objects = allow;
        self
    }

    /// Writes typed arrays and dictionaries without a look at what is in them. Default `false`: as the
    /// engine does when an element is assigned, [`Value::accept`](crate::Value::accept), and else an
    /// error.
    ///
    /// The engine drops elements that do not fit when it reads them, and keeps values of a dictionary
    /// that do not: GDScript then takes their memory for that of the declared type. This is for
    /// writing such data back as it was read.
    #[must_use]
    pub fn unchecked_types(mut self, unchecked: bool) -> Self {
        self.unchecked_types = unchecked;
        self
    }

    /// Tells Rust types that the format is read by people, so that those that ask (`uuid`, `chrono`,
    /// `IpAddr`, `bitflags`) are text, as they are in an engine that has no such types. Default `false`:
    /// they take their binary forms. Reading and writing have to agree.
    ///
    /// ```
    /// use godot_variant::Options;
    /// use std::net::Ipv4Addr;
    ///
    /// let readable = Options::new().human_readable(true);
    /// let bytes = readable.to_vec(&Ipv4Addr::LOCALHOST)?;
    /// assert_eq!(readable.from_slice::<&str>(&bytes)?, "127.0.0.1");
    /// assert_eq!(readable.from_slice::<Ipv4Addr>(&bytes)?, Ipv4Addr::LOCALHOST);
    /// # Ok::<(), godot_variant::Error>(())
    /// ```
    #[must_use]
    pub fn human_readable(mut self, readable: bool) -> Self {
        self.human_readable = readable;
        self
    }

    /// Refuses bytes that are left in a frame after its variant. Default `false`, as the engine does;
    /// but no engine writes such bytes, so they mostly say that the frame is another dialect's.
    #[must_use]
    pub fn whole_frames(mut self, whole: bool) -> Self {
        self.whole_frames = whole;
        self
    }

    /// Reads `ExtResource`, `SubResource` and `Resource` in [text](crate::text) as
    /// [`Reference`](crate::value::Reference)s, as they stand in scene and resource files. Default
    /// `false`: they are an error.
    #[must_use]
    pub fn references(mut self, references: bool) -> Self {
        self.references = references;
        self
    }

    /// How [text](crate::text) is spelled that is written. Default [`Spelling::Format3`].
    #[must_use]
    pub fn spelling(mut self, spelling: Spelling) -> Self {
        self.spelling = spelling;
        self
    }

    /// Shows native types as plain sequences to `serde`'s buffers. Default `false`.
    ///
    /// Fields of internally tagged and untagged enums and of flattened structs pass through a
    /// buffer inside `serde` that knows no `Vector3`. By default they are tagged there, so that
    /// `Vector3`, `PackedFloat32Array` and [`Value`](crate::Value) come out whole; with this option they are
    /// sequences of numbers or strings, so that a `Vec<f32>` can be read from them.
    #[must_use]
    pub fn plain_buffering(mut self, plain: bool) -> Self {
        self.plain_buffering = plain;
        self
    }

    /// The engine's classes and scripts; asked only when objects are allowed.
    /// Default: every class can be instantiated, every `res://` script exists.
    #[must_use]
    pub fn classes(mut self, classes: Arc<dyn ClassDb>) -> Self {
        self.classes = Some(classes);
        self
    }

    /// The dialect that can say everything, for conversions that never leave the program.
    #[must_use]
    pub fn in_memory(&self) -> Options {
        Options {
            dialect: Dialect::Godot4,
            allow_objects: true,
            strict: false,
            in_memory: true,
            classes: None,
            ..self.clone()
        }
    }

    pub(crate) fn check_output(&self, len: usize) -> Result<()> {
        if len > self.limits.max_output {
            return Err(Error::new(
                ErrorKind::OutputLimit,
                format!(
                    "{len} bytes are more than max_output, which is {} bytes",
                    self.limits.max_output
                ),
            ));
        }
        Ok(())
    }
}

gamewire_core::limit_methods! { Options;
    /// How deep containers may nest inside a [`Value`](crate::Value), reading and writing; the root
    /// is 0. Default 1024, the engine's own limit.
    max_depth;
    /// How deep Rust types may nest through `serde`, which needs stack for each level. Default 128.
    max_typed_depth;
    /// The most bytes that a reader is drained into, and the longest frame that is accepted.
    /// Default 256 MiB.
    max_alloc;
    /// The most bytes that one value may be encoded to. Default 2³¹ − 1, the engine's limit;
    /// a `PacketPeer` takes 8 MiB by default.
    max_output;
    /// About the most bytes of memory that reading one input may hold: a [`Value`](crate::Value) of
    /// it, what serde's buffers keep of it, the spans of an explanation.
    max_memory;
}
