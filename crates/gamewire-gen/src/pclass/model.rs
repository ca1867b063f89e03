//! Which Rust types stand for which C++ types.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use kiwi_pclass::Schema;
use kiwi_pclass::schema::{Class, Container, Kind, Property, Scalar};
use kiwi_pclass::types::PropertyFlags;

use super::names::{Names, constant_name, field_name, type_name, variant_name};
use super::options::Options;
use crate::{Error, Result};

/// Everything that is generated, in the order in which it is.
pub(super) struct Model {
    pub(super) structs: Vec<Struct>,
    /// Classes without a struct that may stand in the same files: for the schema.
    pub(super) others: Vec<Struct>,
    pub(super) unions: Vec<Union>,
    pub(super) enums: Vec<Enum>,
    /// The types of kiwi-pclass that are used.
    pub(super) imports: HashSet<&'static str>,
}

pub(super) struct Struct {
    pub(super) name: String,
    pub(super) class: Arc<Class>,
    /// Whether the hash is not that of the name.
    pub(super) hash: Option<u32>,
    /// Those of its own, if it has a base.
    pub(super) fields: Vec<Field>,
    /// The struct with the properties of the class that it is derived from.
    pub(super) base: Option<String>,
    /// Whether bases may be shared: it is made by the macro.
    pub(super) is_shared: bool,
}

pub(super) struct Field {
    /// Empty for a property whose layout is not known.
    pub(super) name: String,
    pub(super) rust_type: String,
    pub(super) property: Property,
    /// The constant with the names of its options.
    pub(super) options: Option<String>,
    /// Whether the hash is not that of type and name.
    pub(super) hash: Option<u32>,
}

/// A class and those derived from it, for pointers.
pub(super) struct Union {
    pub(super) name: String,
    pub(super) class: String,
    /// Names of the structs and of the classes.
    pub(super) variants: Vec<(String, String)>,
}

/// An enum, or bit flags.
pub(super) struct Enum {
    pub(super) name: String,
    /// Its name in the type list.
    pub(super) about: String,
    pub(super) is_bits: bool,
    pub(super) default: Option<u32>,
    /// Names in Rust and in the type list, values. Of equal values, those after the first are
    /// aliases.
    pub(super) options: Vec<(String, String, u32)>,
    /// The constant with the options.
    pub(super) constant: String,
}

/// The parts that are equal in enums that are one type.
type EnumKey = (bool, Option<u32>, Vec<(String, u32)>);

struct Builder<'a> {
    schema: &'a Schema,
    options: Options,
    types: Names,
    /// Names of structs by class, for classes that have been or will be looked at.
    known: HashMap<String, String>,
    waiting: VecDeque<Arc<Class>>,
    /// Names of unions by class.
    unions: HashMap<String, usize>,
    enums: HashMap<EnumKey, usize>,
    /// All classes that are derived from one, by its name without `class `.
    derived: HashMap<&'a str, Vec<&'a Arc<Class>>>,
    model: Model,
}

impl Model {
    pub(super) fn new(schema: &Schema, roots: &[String], options: Options) -> Result<Self> {
        let mut derived: HashMap<&str, Vec<&Arc<Class>>> = HashMap::new();
        for class in schema.classes().filter(|class| !schema.is_alias(class)) {
            for base in class.bases() {
                derived.entry(bare(base)).or_default().push(class);
            }
        }
        let model = Model {
            structs: Vec::new(),
            others: Vec::new(),
            unions: Vec::new(),
            enums: Vec::new(),
            imports: HashSet::new(),
        };
        let mut builder = Builder {
            schema,
            options,
            types: Names::of_types(),
            known: HashMap::new(),
            waiting: VecDeque::new(),
            unions: HashMap::new(),
            enums: HashMap::new(),
            derived,
            model,
        };
        for root in roots {
            let class = schema.class(root).ok_or_else(|| no_class(schema, root))?;
            builder.struct_of(class);
        }
        while let Some(class) = builder.waiting.pop_front() {
            let made = builder.class(&class);
            builder.model.structs.push(made);
        }
        builder.model.others = builder.others();
        Ok(box_cycles(builder.model))
    }
}

/// The name of a class without `class `.
fn bare(name: &str) -> &str {
    name.strip_prefix("class ").or(name.strip_prefix("struct ")).unwrap_or(name)
}

/// Says that a schema has no such class, and which one may be meant.
pub fn no_class(schema: &Schema, name: &str) -> Error {
    let wanted = bare(name).to_ascii_lowercase();
    let close = schema
        .classes()
        .map(|class| class.name())
        .find(|other| bare(other).to_ascii_lowercase() == wanted);
    Error(match close {
        Some(close) => format!("the type list has no `{name}`; perhaps `{close}`"),
        None => format!("the type list has no `{name}`"),
    })
}

/// The class that a type names, and whether by pointer.
fn pointee(type_name: &str) -> (&str, Pointer) {
    let name = type_name.trim();
    if let Some(name) = name.strip_suffix('*') {
        return (name.trim_end(), Pointer::Raw);
    }
    let inner = name.strip_prefix("class SharedPointer<").and_then(|rest| rest.strip_suffix('>'));
    match inner {
        Some(inner) => (inner.trim(), Pointer::Shared),
        None => (name, Pointer::None),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pointer {
    None,
    Raw,
    Shared,
}

impl Builder<'_> {
    /// The name of the struct for a class, which will be made.
    fn struct_of(&mut self, class: &Arc<Class>) -> String {
        if let Some(name) = self.known.get(class.name()) {
            return name.clone();
        }
        // Before the struct itself, so that the schema has it first.
        if let Some(base) = self.shared_base(class).map(Arc::clone) {
            self.struct_of(&base);
        }
        let name = self.types.claim(type_name(class.name()));
        self.known.insert(class.name().to_owned(), name.clone());
        self.waiting.push_back(Arc::clone(class));
        name
    }

    /// Whether a struct for the class is made by the macro, which has no place for unknown layouts.
    fn is_shared(class: &Class) -> bool {
        let is_known = |own: &Property| !matches!(own.kind(), Kind::Unsupported);
        class.properties().iter().all(is_known)
    }

    /// The nearest class that a class is derived from, if its properties come first in it as they are.
    fn shared_base(&self, class: &Class) -> Option<&Arc<Class>> {
        if !Self::is_shared(class) {
            return None;
        }
        let bases = class.bases().filter_map(|base| {
            let names = [format!("class {base}"), format!("struct {base}"), base.to_owned()];
            names.iter().find_map(|name| self.schema.class(name))
        });
        let base = bases.into_iter().find(|base| !base.properties().is_empty())?;
        let is_derived = base.bases().len() < class.bases().len();
        let is_first = class.properties().starts_with(base.properties());
        (is_derived && is_first && base.name() != class.name()).then_some(base)
    }

    /// All classes that the properties of a struct, and theirs, may point to without a struct for
    /// them: what a `Value` holds, what is derived from a class that stands inline.
    fn others(&self) -> Vec<Struct> {
        let mut seen: HashSet<&str> = self.known.keys().map(String::as_str).collect();
        let known = self.model.structs.iter().filter_map(|own| self.schema.class(own.class.name()));
        let mut waiting: Vec<&Arc<Class>> = known.collect();
        let mut others = Vec::new();
        while let Some(class) = waiting.pop() {
            for property in class.properties().iter().filter(|p| *p.kind() == Kind::Object) {
                let (name, _) = pointee(property.type_name());
                let own = self.schema.pointee(name);
                let derived = self.derived.get(bare(name)).into_iter().flatten().copied();
                let mut reached: Vec<&Arc<Class>> = own.into_iter().chain(derived).collect();
                if reached.is_empty() {
                    // It may be the base of any class.
                    reached.extend(self.schema.classes());
                }
                for class in reached {
                    if !self.schema.is_alias(class) && seen.insert(class.name()) {
                        waiting.push(class);
                        others.push(class);
                    }
                }
            }
        }
        // In the order of the list, whichever way they were found.
        let place = |class: &Arc<Class>| self.schema.classes().position(|other| other == class);
        others.sort_by_cached_key(|class| place(class));
        others.into_iter().map(|class| self.described(class)).collect()
    }

    /// A class for the schema alone.
    fn described(&self, class: &Arc<Class>) -> Struct {
        let game = self.schema.game();
        let fields = class.properties().iter().map(|property| {
            let computed = game.property_hash(property.type_name(), property.name());
            Field {
                name: String::new(),
                rust_type: String::new(),
                property: property.clone(),
                options: None,
                hash: Some(property.hash()).filter(|hash| *hash != computed),
            }
        });
        let hash = Some(class.hash()).filter(|hash| *hash != game.class_hash(class.name()));
        let (name, fields) = (String::new(), fields.collect());
        let (base, is_shared) = (None, false);
        Struct { name, class: Arc::clone(class), hash, fields, base, is_shared }
    }

    fn class(&mut self, class: &Arc<Class>) -> Struct {
        let name = self.struct_of(class);
        let mut names = Names::default();
        let game = self.schema.game();
        let is_shared = Self::is_shared(class);
        let base = self.shared_base(class).map(Arc::clone);
        let inherited = base.as_ref().map_or(0, |base| base.properties().len());
        let base = base.map(|base| self.struct_of(&base));
        if is_shared {
            names.claim("base".to_owned());
        }
        let fields = class.properties().iter().skip(inherited).map(|property| {
            let rust_type = self.field_type(&name, property);
            let options = self.options_of(&name, property);
            let computed = game.property_hash(property.type_name(), property.name());
            Field {
                name: match property.kind() {
                    Kind::Unsupported => String::new(),
                    _ => names.claim(field_name(property.name())),
                },
                rust_type,
                property: property.clone(),
                options,
                hash: Some(property.hash()).filter(|hash| *hash != computed),
            }
        });
        let fields = fields.collect();
        let hash = Some(class.hash()).filter(|hash| *hash != game.class_hash(class.name()));
        Struct { name, class: Arc::clone(class), hash, fields, base, is_shared }
    }

    fn import(&mut self, name: &'static str) -> &'static str {
        self.model.imports.insert(name);
        name
    }

    fn field_type(&mut self, owner: &str, property: &Property) -> String {
        let one = self.value_type(owner, property);
        let value = match property.container() {
            Container::Static => one,
            _ => {
                self.import("Container");
                format!("Vec<{one}>")
            }
        };
        if property.is_delta() { format!("Option<{value}>") } else { value }
    }

    fn value_type(&mut self, owner: &str, property: &Property) -> String {
        let name = match property.kind() {
            Kind::Bool => "bool",
            Kind::Scalar(_) if property.type_name().ends_with("gid") => self.import("Gid"),
            Kind::Scalar(scalar) => rust_scalar(*scalar),
            Kind::Bits { width: 24, signed: true } if property.type_name() == "s24" => {
                // Not imported: editions sort these names differently.
                "kiwi_pclass::types::S24"
            }
            Kind::Bits { width: 24, signed: false } if property.type_name() == "u24" => {
                "kiwi_pclass::types::U24"
            }
            Kind::Bits { width, signed } => {
                let name = self.import(if *signed { "Bi" } else { "Bui" });
                return format!("{name}<{width}>");
            }
            Kind::String => {
                let is_blob = property.flags().contains(PropertyFlags::BLOB);
                if self.options.bytes || is_blob { self.import("ByteString") } else { "String" }
            }
            Kind::WString => self.import("WString"),
            Kind::Color => self.import("Color"),
            Kind::Vector3D => self.import("Vector3D"),
            Kind::Quaternion => self.import("Quaternion"),
            Kind::Euler => self.import("Euler"),
            Kind::Matrix3x3 => self.import("Matrix3x3"),
            Kind::Size(scalar) => return generic(self.import("Size"), *scalar),
            Kind::Point(scalar) => return generic(self.import("Point"), *scalar),
            Kind::Rect(scalar) => return generic(self.import("Rect"), *scalar),
            Kind::Enum => return self.enum_of(owner, property),
            Kind::Object => return self.object_type(property),
            _ => "()",
        };
        name.to_owned()
    }

    fn object_type(&mut self, property: &Property) -> String {
        let (name, pointer) = pointee(property.type_name());
        let Some(class) = self.schema.pointee(name).map(Arc::clone) else {
            return self.import("Value").to_owned();
        };
        let pointer = match pointer {
            Pointer::None => return self.struct_of(&class),
            Pointer::Raw => "Ptr",
            Pointer::Shared => "Shared",
        };
        let derived = self.derived.get(bare(class.name())).map_or(0, Vec::len);
        let target = match derived {
            0 => self.struct_of(&class),
            _ if derived > self.options.most_derived.unwrap_or(usize::MAX) => {
                return self.import("Value").to_owned();
            }
            // The base of all classes says nothing about the class that is meant.
            _ if class.properties().is_empty() && class.bases().len() == 0 => {
                return self.import("Value").to_owned();
            }
            _ => self.union_of(&class),
        };
        format!("{}<{target}>", self.import(pointer))
    }

    fn union_of(&mut self, class: &Arc<Class>) -> String {
        if let Some(union) = self.unions.get(class.name()).and_then(|at| self.model.unions.get(*at))
        {
            return union.name.clone();
        }
        let own = self.struct_of(class);
        let name = self.types.claim(format!("Any{own}"));
        let mut variants = vec![(own, class.name().to_owned())];
        for derived in self.derived.get(bare(class.name())).cloned().unwrap_or_default() {
            variants.push((self.struct_of(derived), derived.name().to_owned()));
        }
        self.unions.insert(class.name().to_owned(), self.model.unions.len());
        let class = class.name().to_owned();
        self.model.unions.push(Union { name: name.clone(), class, variants });
        name
    }

    fn enum_of(&mut self, owner: &str, property: &Property) -> String {
        let Some(at) = self.enum_at(owner, property) else { return "u32".to_owned() };
        self.model.enums.get(at).map_or_else(String::new, |own| own.name.clone())
    }

    fn options_of(&mut self, owner: &str, property: &Property) -> Option<String> {
        let at = self.enum_at(owner, property)?;
        self.model.enums.get(at).map(|own| own.constant.clone())
    }

    /// The enum of a property whose options have names.
    fn enum_at(&mut self, owner: &str, property: &Property) -> Option<usize> {
        let options = property.options().filter(|options| options.iter().len() > 0)?;
        if !matches!(property.kind(), Kind::Enum) {
            return None;
        }
        let own: Vec<_> = options.iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let is_bits = options.is_bits();
        let key = (is_bits, options.default_value(), own);
        if let Some(at) = self.enums.get(&key) {
            return Some(*at);
        }
        let is_named = property.type_name().starts_with("enum ");
        let wanted = match is_named {
            true => type_name(property.type_name()),
            false => format!("{owner}{}", type_name(property.name().trim_start_matches("m_"))),
        };
        let name = self.types.claim(wanted);
        let constant = self.types.claim(format!("{}_OPTIONS", constant_name(&name)));
        let mut names = Names::default();
        if !is_bits {
            names.claim("Other".to_owned());
        }
        let options = key.2.iter().map(|(name, value)| {
            let rust = if is_bits { constant_name(name) } else { variant_name(name) };
            (names.claim(rust), name.clone(), *value)
        });
        let options = options.collect();
        let about = match is_named {
            true => property.type_name().to_owned(),
            false => format!("{owner}, {}", property.name()),
        };
        let default = key.1;
        let at = self.model.enums.len();
        self.model.enums.push(Enum { name, about, is_bits, default, options, constant });
        self.enums.insert(key, at);
        Some(at)
    }
}

fn generic(name: &str, scalar: Scalar) -> String {
    format!("{name}<{}>", rust_scalar(scalar))
}

fn rust_scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I8 => "i8",
        Scalar::U8 => "u8",
        Scalar::I16 => "i16",
        Scalar::U16 => "u16",
        Scalar::I32 => "i32",
        Scalar::U32 => "u32",
        Scalar::I64 => "i64",
        Scalar::U64 => "u64",
        Scalar::F32 => "f32",
        Scalar::F64 => "f64",
    }
}

/// A struct that holds itself inline has no size in Rust. C++ has no such class, but a type list
/// may say so.
fn box_cycles(mut model: Model) -> Model {
    let inline: HashMap<String, Vec<String>> = model
        .structs
        .iter()
        .map(|own| {
            let fields = own.fields.iter().map(|field| inline_type(&field.rust_type).to_owned());
            (own.name.clone(), own.base.iter().cloned().chain(fields).collect())
        })
        .collect();
    for own in &mut model.structs {
        for field in &mut own.fields {
            let inner = inline_type(&field.rust_type).to_owned();
            if reaches(&inline, &inner, &own.name) {
                field.rust_type = field.rust_type.replace(&inner, &format!("Box<{inner}>"));
            }
        }
    }
    model
}

/// The type in a field without a pointer or a vector between.
fn inline_type(rust_type: &str) -> &str {
    let inner = rust_type.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>'));
    inner.unwrap_or(rust_type)
}

fn reaches(inline: &HashMap<String, Vec<String>>, from: &str, to: &str) -> bool {
    let (mut seen, mut waiting) = (HashSet::new(), vec![from]);
    while let Some(name) = waiting.pop() {
        if name == to {
            return true;
        }
        if let Some(fields) = inline.get(name).filter(|_| seen.insert(name)) {
            waiting.extend(fields.iter().map(String::as_str));
        }
    }
    false
}
