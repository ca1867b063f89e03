//! Classes and their properties: what the bytes do not say.
//!
//! A [`Schema`] comes from a type list ([`Schema::from_json`], or [`Schema::builder`] for several),
//! from constants ([`ClassDef`]), or from Rust types ([`Schema::infer`]). It never changes, and
//! threads share it behind an `Arc`.
//!
//! ```
//! use kiwi_pclass::{Options, Schema};
//! use kiwi_pclass::schema::{ClassDef, Container, PropertyDef};
//!
//! const LEAF: ClassDef = ClassDef::new("class Leaf", &["PropertyClass"], &[
//!     PropertyDef::new("m_id", "unsigned int", 0x1f),
//!     PropertyDef::new("m_names", "std::string", 0x1f).container(Container::Vector),
//! ]);
//!
//! let schema = Schema::builder().class(&LEAF)?.build()?;
//! let leaf = schema.class("class Leaf").unwrap();
//! assert_eq!(leaf.property("m_id").unwrap().hash(), 2_301_988_666);
//! let options = Options::new().schema(schema);
//! # let _ = options;
//! # Ok::<(), kiwi_pclass::Error>(())
//! ```

mod build;
mod diff;
mod infer;
#[cfg(feature = "json")]
mod json;
#[cfg(not(feature = "json"))]
mod json {
    pub(super) fn read(_: &[u8], _: super::Game) -> crate::Result<Vec<super::Class>> {
        let message = "a type list in JSON needs the feature `json` of kiwi-pclass";
        Err(crate::Error::new(crate::ErrorKind::Unsupported, message))
    }
}
mod kind;
mod options;
#[cfg(feature = "xml")]
mod xml;
use std::collections::HashMap;
use std::fmt;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

pub use build::{ClassDef, PropertyDef, SchemaBuilder};
pub use diff::{Change, Part};
#[doc(hidden)]
pub use kind::Kinds;
pub(crate) use kind::{Hint, Leaf, Number, Numbers, Row};
pub use kind::{Kind, Scalar};
pub use options::EnumOptions;

pub(crate) use infer::{CONTENT, builtin_type, infer_from_value};

use crate::hash::Game;
use crate::types::PropertyFlags;
use crate::{Error, Result, Value};

/// Classes, found by name and by hash.
#[derive(Default)]
pub struct Schema {
    game: Game,
    classes: Vec<Arc<Class>>,
    /// Indices of classes, by hash.
    by_hash: HashMap<u32, usize, BuildHasherDefault<Mixed>>,
    /// Indices of classes, by name.
    by_name: Vec<u32>,
    /// Made from Rust types: other classes may have the same properties with other types.
    inferred: bool,
}

/// A class: its properties in the order of their ids, inherited ones included.
pub struct Class {
    name: Box<str>,
    hash: u32,
    bases: Vec<Box<str>>,
    properties: Vec<Property>,
    /// Hash of each property and its index, by hash.
    by_hash: Vec<(u32, u32)>,
    /// Indices of properties, by name.
    by_name: Vec<u32>,
    /// Other names of the fields that Rust types have for the properties, by the index of the property.
    aliases: Vec<(usize, &'static str)>,
    /// Made from a Rust type.
    pub(crate) is_inferred: bool,
    /// The flags that all properties have, and those that any has.
    pub(crate) common: PropertyFlags,
    pub(crate) any: PropertyFlags,
}

/// A property of a class.
#[derive(Clone, PartialEq)]
pub struct Property {
    pub(crate) name: Box<str>,
    pub(crate) type_name: Box<str>,
    pub(crate) hash: u32,
    pub(crate) id: u32,
    pub(crate) flags: PropertyFlags,
    pub(crate) container: Container,
    pub(crate) kind: Kind,
    pub(crate) options: Option<Arc<EnumOptions>>,
    /// The value of a new object, where the type list says one and it is no enum.
    pub(crate) default: Option<Value>,
    /// Why its layout is not known, if the type list is odd.
    pub(crate) oddity: Option<Box<str>>,
    /// How its value is written where Rust has the declared type; set by the class.
    pub(crate) hint: Hint,
}

/// Whether a property is one value or a list of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Container {
    /// One value.
    #[default]
    Static,
    /// A vector: a count and its elements.
    Vector,
    /// A list: the same on the wire.
    List,
}

impl Container {
    /// As type lists call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Container::Static => "Static",
            Container::Vector => "Vector",
            Container::List => "List",
        }
    }
}

/// Takes a hash as it is: those of classes are well mixed.
#[derive(Clone, Copy, Default)]
struct Mixed(u64);

impl std::hash::Hasher for Mixed {
    fn write(&mut self, _: &[u8]) {}

    #[inline]
    fn write_u32(&mut self, hash: u32) {
        // Tables look at the upper bits too.
        self.0 = u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

impl Schema {
    /// From one type list in JSON, wiztype version 1 or 2. It needs the feature `json`.
    ///
    /// # Errors
    /// Text that is no type list, with the place of the fault; without the feature, an error that names it.
    pub fn from_json(json: &[u8]) -> Result<Schema> {
        Schema::builder().json(json)?.build()
    }

    /// From one type list in KingsIsle's own XML: a `ClassList`, as the game's programs write it.
    ///
    /// # Errors
    /// Text that is no type list, with the place of the fault.
    #[cfg(feature = "xml")]
    pub fn from_xml(xml: &[u8]) -> Result<Schema> {
        Schema::builder().xml(xml)?.build()
    }

    /// Classes from several sources.
    pub fn builder() -> SchemaBuilder {
        SchemaBuilder::default()
    }

    /// The classes that a Rust type reads: structs by their serde name and fields, and what those
    /// reach.
    ///
    /// | Rust | property |
    /// |---|---|
    /// | `bool`, `i8`…`i64`, `u8`…`u64`, `f32`, `f64` | `bool`, `char`…`__int64`, `unsigned char`…`unsigned __int64`, `float`, `double` |
    /// | strings, bytes, `char` | `std::string` |
    /// | types of this crate | the C++ type of their name |
    /// | a struct | the class of its name, inline |
    /// | `Ptr<T>`, `Shared<T>` | a pointer to the class, or to the enum's name |
    /// | an enum of unit variants | an enum of its name, options numbered from 0 |
    /// | `Vec<T>` | a vector of `T`'s type |
    /// | `Option<T>` | `T`'s type with `DELTA_ENCODE` |
    ///
    /// All properties have the flags [`PropertyFlags::INFERRED`] and ids in order. Maps, tuples, lists in
    /// lists, and variants whose content is no struct work too, but are nothing that the games know.
    ///
    /// The type is shown values on trial. Where it refuses zero or the empty text, others are tried: other
    /// numbers and lengths, dates, times, addresses, ids, versions in their usual forms.
    ///
    /// # Errors
    /// A type that is nested without end, reads anything or refuses every value it is shown, and two types of
    /// one name.
    pub fn infer<'de, T: serde_core::Deserialize<'de>>() -> Result<Schema> {
        Schema::infer_for::<T>(Game::Wizard101)
    }

    /// [`infer`](Self::infer), with the hashes of a game.
    ///
    /// # Errors
    /// As [`infer`](Self::infer).
    pub fn infer_for<'de, T: serde_core::Deserialize<'de>>(game: Game) -> Result<Schema> {
        infer::infer::<T>(game)
    }

    /// The classes of the objects in a value.
    pub(crate) fn of_value(value: &Value) -> Result<Schema> {
        let mut builder = Schema::builder();
        for object in gamewire_core::walk::all(value).filter_map(Value::as_object) {
            builder.add_shared(Arc::clone(object.class()));
        }
        builder.build()
    }

    pub(crate) fn from_classes(
        classes: Vec<Arc<Class>>,
        game: Game,
        inferred: bool,
    ) -> Result<Schema> {
        let mut schema = Schema { game, inferred, ..Schema::default() };
        for class in classes {
            let index = schema.classes.len();
            if let Some(other) = schema.by_hash.insert(class.hash, index) {
                let other = schema.classes.get(other).map_or("", |class| class.name());
                return Err(Error::new(
                    crate::ErrorKind::Schema,
                    format!("`{}` and `{other}` have the same hash {}", class.name, class.hash),
                ));
            }
            schema.classes.push(class);
        }
        let Schema { classes, by_name, .. } = &mut schema;
        let name = |at: &u32| classes.get(*at as usize).map(|class| class.name());
        by_name.extend((0..).take(classes.len()));
        by_name.sort_by(|a, b| name(a).cmp(&name(b)));
        Ok(schema)
    }

    /// A class by its whole name, such as `class CoreObject`.
    pub fn class(&self, name: &str) -> Option<&Arc<Class>> {
        self.classes.get(self.index_of(name)?)
    }

    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        let name_of = |at: u32| self.classes.get(at as usize).map_or("", |class| class.name());
        let found = self.by_name.binary_search_by(|at| name_of(*at).cmp(name)).ok()?;
        self.by_name.get(found).map(|at| *at as usize)
    }

    #[inline]
    pub(crate) fn class_at(&self, index: usize) -> Option<&Arc<Class>> {
        self.classes.get(index)
    }

    /// A class by its hash.
    #[inline]
    pub fn class_by_hash(&self, hash: u32) -> Option<&Arc<Class>> {
        self.classes.get(*self.by_hash.get(&hash)?)
    }

    /// The class that a type names, itself or by a pointer: `class Duel`, `class Duel*`,
    /// `class SharedPointer<class Duel>`. Type lists have templates without the `class ` that their pointers
    /// have: `class MadlibArgT<float>*` points to `MadlibArgT<float>`.
    pub fn pointee(&self, type_name: &str) -> Option<&Arc<Class>> {
        let name = type_name.trim();
        let shared =
            name.strip_prefix("class SharedPointer<").and_then(|rest| rest.strip_suffix('>'));
        let name = name.strip_suffix('*').or(shared).unwrap_or(name).trim();
        self.class(name).or_else(|| self.class(bare_name(name)))
    }

    /// Whether a class of the list is only another name: that of a pointer to a class, or of a template
    /// without properties.
    pub fn is_alias(&self, class: &Class) -> bool {
        let is_bare = class.properties.is_empty() && class.name.ends_with(['*', '>']);
        is_bare || self.pointee(&class.name).is_some_and(|own| own.name != class.name)
    }

    /// All classes, in the order in which they were given.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = &Arc<Class>> {
        self.classes.iter()
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether there is no class.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The game whose hashes these are.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Whether it was made from Rust types.
    pub(crate) fn is_inferred(&self) -> bool {
        self.inferred
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Schema { game, classes, inferred, .. } = self;
        let classes = classes.len();
        write!(f, "Schema {{ game: {game:?}, classes: {classes}, inferred: {inferred} }}")
    }
}

impl Class {
    pub(crate) fn new(
        name: Box<str>,
        hash: u32,
        bases: Vec<Box<str>>,
        mut properties: Vec<Property>,
    ) -> Result<Class> {
        properties.sort_by_key(|property| property.id);
        let index = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let mut by_hash: Vec<(u32, u32)> =
            properties.iter().enumerate().map(|(at, p)| (p.hash, index(at))).collect();
        by_hash.sort_unstable();
        let mut by_name: Vec<u32> = (0..properties.len()).map(index).collect();
        let name_of = |at: &u32| properties.get(*at as usize).map_or("", |p| &*p.name);
        by_name.sort_by(|a, b| name_of(a).cmp(name_of(b)));
        let twice = by_name.windows(2).find_map(|pair| match pair {
            [a, b] if name_of(a) == name_of(b) => Some(name_of(a)),
            _ => None,
        });
        if let Some(twice) = twice {
            return Err(Error::new(
                crate::ErrorKind::Schema,
                format!("`{name}` has the property `{twice}` twice"),
            ));
        }
        for property in &mut properties {
            property.set_hint();
        }
        let (common, any) = properties.iter().fold((u32::MAX, 0), |(common, any), property| {
            (common & property.flags.0, any | property.flags.0)
        });
        let (common, any) = (PropertyFlags(common), PropertyFlags(any));
        let (aliases, is_inferred) = (Vec::new(), false);
        Ok(Class {
            name,
            hash,
            bases,
            properties,
            by_hash,
            by_name,
            aliases,
            is_inferred,
            common,
            any,
        })
    }

    /// The whole C++ name: `class CoreObject`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number that stands for the class in the bytes.
    pub fn hash(&self) -> u32 {
        self.hash
    }

    /// Names of the classes it is derived from, as the type list spells them: without `class `.
    pub fn bases(&self) -> impl ExactSizeIterator<Item = &str> {
        self.bases.iter().map(|base| &**base)
    }

    /// The properties in the order of their ids.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// A property by name.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.get(self.index_of(name)?)
    }

    /// The place of a property among [`properties`](Self::properties), by name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        let name_of = |at: u32| self.properties.get(at as usize).map_or("", |p| &*p.name);
        let found = self.by_name.binary_search_by(|at| name_of(*at).cmp(name)).ok()?;
        self.by_name.get(found).map(|at| *at as usize)
    }

    /// The place of a property among [`properties`](Self::properties), by hash.
    pub fn index_of_hash(&self, hash: u32) -> Option<usize> {
        let found = self.by_hash.partition_point(|(other, _)| *other < hash);
        self.by_hash.get(found).filter(|(other, _)| *other == hash).map(|(_, at)| *at as usize)
    }

    /// The property of a hash and its place, at `next` if it is present: properties mostly come in
    /// order, and then no search is needed.
    #[inline]
    pub(crate) fn find(&self, hash: u32, next: usize) -> Option<(usize, &Property)> {
        match self.properties.get(next) {
            Some(property) if property.hash == hash => Some((next, property)),
            _ => {
                let index = self.index_of_hash(hash)?;
                Some((index, self.properties.get(index)?))
            }
        }
    }

    /// Other names of fields, with the index of the property.
    pub(crate) fn aliases(&self) -> impl Iterator<Item = (usize, &str)> {
        self.aliases.iter().map(|(index, name)| (*index, *name))
    }

    /// Whether it stands for a variant whose content is no struct.
    pub(crate) fn has_content(&self) -> bool {
        matches!(&*self.properties, [content] if *content.name == *CONTENT)
    }

    /// The first difference of another class of this name.
    fn difference(&self, other: &Class) -> Option<String> {
        let of = |class: &Class| class.properties.len();
        if self.hash != other.hash {
            return Some(format!("the hashes {} and {}", self.hash, other.hash));
        }
        let mut pairs = self.properties.iter().zip(&other.properties);
        match pairs.find(|(own, other)| own != other) {
            Some((own, other)) => Some(format!("the properties `{own:?}` and `{other:?}`")),
            None if of(self) == of(other) => None,
            None => Some(format!("{} properties and {}", of(self), of(other))),
        }
    }

    /// Whether it is the class of this name or derived from it; `class ` before the name or not.
    pub fn is_a(&self, name: &str) -> bool {
        self.is_called(name) || self.bases.iter().any(|base| bare_name(base) == bare_name(name))
    }

    /// Whether it is the class of this name; `class ` before the name or not.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        *self.name == *name || bare_name(&self.name) == bare_name(name)
    }
}

/// Without `class ` or `struct `.
fn bare_name(name: &str) -> &str {
    name.strip_prefix("class ").or(name.strip_prefix("struct ")).unwrap_or(name)
}

/// The same classes with the same properties, in the same order.
impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        fn parts(all: &Schema) -> impl Iterator<Item = (&str, &[Box<str>], &[Property])> {
            all.classes.iter().map(|class| (&*class.name, &*class.bases, &*class.properties))
        }
        self.game == other.game && self.inferred == other.inferred && parts(self).eq(parts(other))
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.name)?;
        f.debug_list().entries(&self.properties).finish()
    }
}

/// The same class, whichever schema it is from.
impl PartialEq for Class {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.name == other.name
    }
}

impl Eq for Class {}

impl Property {
    /// The declaration of the root of a stream.
    pub(crate) fn of_root() -> Self {
        let place = (PropertyFlags::NONE, Container::Static);
        build::property(("", "an object"), 0, place, 0, None)
    }

    /// Three numbers, or none.
    pub(crate) fn of_core_header() -> Self {
        let numbers = [Scalar::U8, Scalar::U8, Scalar::U32].map(Kind::Scalar);
        let (kind, flags) = (Kind::Tuple(numbers.into()), PropertyFlags::DELTA_ENCODE);
        Property { kind, flags, ..Property::of_root() }
    }

    /// Its name: `m_id`; a path for members of unions: `m_globalID.m_full`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The C++ type, of the elements for containers.
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// The number that stands for it in deep mode.
    pub fn hash(&self) -> u32 {
        self.hash
    }

    /// Its place in the order of shallow mode.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Its flags.
    pub fn flags(&self) -> PropertyFlags {
        self.flags
    }

    /// One value or a list.
    pub fn container(&self) -> Container {
        self.container
    }

    /// How the value is encoded, or each element of the list.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Names of an enum or of bit flags.
    pub fn options(&self) -> Option<&EnumOptions> {
        self.options.as_deref()
    }

    /// The names, or none.
    pub(crate) fn options_or_none(&self) -> &EnumOptions {
        static NONE: EnumOptions =
            EnumOptions { entries: Vec::new(), default: None, is_bits: false, is_inferred: false };
        self.options().unwrap_or(&NONE)
    }

    /// The value of a new object, where the type list says one.
    pub fn default_value(&self) -> Option<Value> {
        let of_enum = || self.options().and_then(EnumOptions::default_value).map(Value::Enum);
        self.default.clone().or_else(|| of_enum().filter(|_| self.kind == Kind::Enum))
    }

    /// Why its layout is not known, where that is because of an odd type list: a container or an
    /// option that is not known, a default of another type.
    pub fn oddity(&self) -> Option<&str> {
        self.oddity.as_deref()
    }

    pub(crate) fn set_hint(&mut self) {
        self.hint = Hint::of_property(self);
    }

    fn set_odd(&mut self, oddity: String) {
        self.kind = Kind::Unsupported;
        self.container = Container::Static;
        self.oddity = Some(oddity.into());
    }

    /// Whether it is a list.
    pub fn is_list(&self) -> bool {
        self.container != Container::Static
    }

    /// Whether it may be left out when it has not changed.
    pub fn is_delta(&self) -> bool {
        self.flags.contains(PropertyFlags::DELTA_ENCODE)
    }

    /// Whether it is no longer used.
    pub fn is_deprecated(&self) -> bool {
        self.flags.contains(PropertyFlags::DEPRECATED)
    }

    /// Whether a mask selects it: all bits of the mask must be set.
    pub fn is_selected(&self, mask: PropertyFlags) -> bool {
        self.flags.contains(mask)
    }
}

impl fmt::Debug for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.type_name, self.name)?;
        match self.container {
            Container::Static => Ok(()),
            container => write!(f, " ({})", container.name()),
        }
    }
}
