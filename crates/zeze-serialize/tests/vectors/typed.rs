//! Values of the types that rows and schemas name (`list[int]`, `map[string,bean:Inner]`,
//! `dynamic:1=Inner;77=Scalars`), as serde sees those of derived types. What a value is stands in the
//! notation of the rows.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _};
use serde::de::{EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeStruct, Serializer};
use serde_bytes::ByteBuf;
use serde_json::{Map, Value as Json, json};
use zeze_serialize::{
    Base, Error, Options, Quaternion, Unknown, Vector2, Vector2Int, Vector3, Vector3Int, Vector4,
};

use crate::Check;
use crate::vectors::notation::{Notation, member, only};

/// A type.
#[derive(Clone, Debug)]
pub(crate) enum Type {
    Scalar(Scalar),
    List(Box<Type>),
    Set(Box<Type>),
    Map(Box<(Type, Type)>),
    Bean(&'static Bean),
    Dynamic(&'static Dynamic),
}

/// A bean of a schema. Names live as long as the program, as those of a derived type.
#[derive(Debug)]
pub(crate) struct Bean {
    /// `id:name` of each field, and of the base; before those of a bean that keeps what it does not
    /// know, there is one more.
    names: &'static [&'static str],
    /// The names in the notation.
    members: Vec<&'static str>,
    /// Resolved when they are needed, for beans are in beans.
    types: Vec<String>,
    base: Option<String>,
    /// Whether a dynamic that is not there can be told from one of the id 0.
    has_options: bool,
}

#[derive(Debug)]
pub(crate) struct Dynamic {
    /// Of each variant the name, which is its number; `0` is first.
    variants: &'static [&'static str],
    /// Its type id, and the name of its bean; none is the empty value.
    beans: Vec<(i64, Option<String>)>,
}

macro_rules! scalars {
    ($($variant:ident($kind:ty) = $name:literal;)+) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Scalar { $($variant),+ }

        impl Scalar {
            fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Scalar::$variant),)+ _ => None }
            }

            fn settle(self, json: &Json) -> Check<Json> {
                match self { $(Scalar::$variant => <$kind>::read(json).map(|value| value.show())),+ }
            }

            fn read<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
                match self {
                    $(Scalar::$variant => <$kind>::deserialize(deserializer).map(|value| value.show())),+
                }
            }

            fn write<S: Serializer>(self, json: &Json, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Scalar::$variant => {
                        <$kind>::read(json).map_err(S::Error::custom)?.serialize(serializer)
                    })+
                }
            }
        }
    };
}

scalars! {
    Bool(bool) = "bool";
    Byte(i8) = "byte";
    Short(i16) = "short";
    Int(i32) = "int";
    Long(i64) = "long";
    Float(f32) = "float";
    Double(f64) = "double";
    Text(String) = "string";
    Binary(ByteBuf) = "binary";
    Vector2(Vector2) = "vector2";
    Vector2Int(Vector2Int) = "vector2int";
    Vector3(Vector3) = "vector3";
    Vector3Int(Vector3Int) = "vector3int";
    Vector4(Vector4) = "vector4";
    Quaternion(Quaternion) = "quaternion";
}

fn leak(text: impl Into<String>) -> &'static str {
    text.into().leak()
}

/// The beans of both schemas in testdata.
fn beans() -> &'static HashMap<String, Bean> {
    static BEANS: OnceLock<HashMap<String, Bean>> = OnceLock::new();
    BEANS.get_or_init(|| {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/zeze-serialize/vectors");
        let read = |name| std::fs::read(folder.join(name)).expect("a schema");
        let schemas = ["schema.json", "demo_schema.json"].map(read);
        let schemas = schemas.iter().map(|text| serde_json::from_slice::<Map<String, Json>>(text));
        let beans = schemas.flat_map(|schema| schema.expect("JSON"));
        beans.map(|(name, json)| (name, Bean::of(&json).expect("a bean"))).collect()
    })
}

impl Bean {
    fn of(json: &Json) -> Check<Bean> {
        let (mut names, mut members, mut types) = (vec!["unknown"], Vec::new(), Vec::new());
        let base = json.get("base").and_then(Json::as_str).map(str::to_owned);
        for field in json["fields"].as_array().ok_or("a bean without fields")? {
            let name = field["name"].as_str().ok_or("a field without name")?;
            names.push(leak(format!("{}:{name}", field["id"])));
            members.push(leak(name));
            types.push(field["type"].as_str().ok_or("a field without type")?.to_owned());
        }
        if base.is_some() {
            names.push("base");
            members.push("$base");
        }
        Ok(Bean { names: names.leak(), members, types, base, has_options: true })
    }

    /// A bean with one field.
    fn one(of: &str) -> Bean {
        let (names, types) = (vec!["unknown", "1:f"].leak(), vec![of.to_owned()]);
        Bean { names, members: vec!["f"], types, base: None, has_options: false }
    }
}

/// The bean of a schema.
pub(crate) fn bean(name: &str) -> Check<Type> {
    let bean = beans().get(name).ok_or_else(|| format!("no bean of the schema is `{name}`"))?;
    Ok(Type::Bean(bean))
}

/// A bean with a field `f` of a type.
pub(crate) fn one(of: &str) -> Check<Type> {
    named(of)?;
    Ok(Type::Bean(Box::leak(Box::new(Bean::one(of)))))
}

/// The type of a name. A key has no comma in its name.
pub(crate) fn named(name: &str) -> Check<Type> {
    let unknown = || format!("no type is `{name}`");
    let inside = |start: &str| name.strip_prefix(start)?.strip_suffix(']');
    if let Some(scalar) = Scalar::named(name) {
        return Ok(Type::Scalar(scalar));
    }
    Ok(match (inside("list["), inside("set["), inside("map[")) {
        (Some(inner), ..) => Type::List(named(inner)?.into()),
        (_, Some(inner), _) => Type::Set(named(inner)?.into()),
        (.., Some(inner)) => {
            let (key, value) = inner.split_once(',').ok_or_else(unknown)?;
            Type::Map((named(key)?, named(value)?).into())
        }
        _ => match name.split_once(':') {
            Some(("bean", name)) => return bean(name),
            Some(("dynamic", variants)) => dynamic(variants)?,
            // The schemas have no dynamic without beans.
            None if name == "dynamic" => dynamic("1=Inner;2=Scalars")?,
            _ => return Err(unknown()),
        },
    })
}

/// Each is made once.
fn dynamic(text: &str) -> Check<Type> {
    let (mut variants, mut beans) = (Vec::new(), Vec::new());
    if !text.starts_with("0=") {
        variants.push("0");
        beans.push((0, None));
    }
    for variant in text.split(';') {
        let wrong = || format!("no variant is `{variant}`");
        let (id, name) = variant.split_once('=').ok_or_else(wrong)?;
        bean(name)?;
        // The name of a bean for its hash.
        let is_hash = id == "4513771153805810055";
        variants.push(if is_hash { "demo.Module1.BSimple" } else { leak(format!("{id}:{name}")) });
        beans.push((id.parse().map_err(|_| wrong())?, Some(name.to_owned())));
    }
    Ok(Type::Dynamic(Box::leak(Box::new(Dynamic { variants: variants.leak(), beans }))))
}

impl Type {
    /// The notation of a value as it is after writing and reading, if it is one of the type.
    pub(crate) fn settle(&self, json: &Json) -> Check<Json> {
        let list = || json.as_array().ok_or_else(|| format!("the row has {json}, not a list"));
        match self {
            Type::Scalar(scalar) => scalar.settle(json),
            Type::List(of) | Type::Set(of) => list()?.iter().map(|item| of.settle(item)).collect(),
            Type::Map(of) => {
                let entry = |entry: &Json| match entry.as_array().map(Vec::as_slice) {
                    Some([key, value]) => Ok(json!([of.0.settle(key)?, of.1.settle(value)?])),
                    _ => Err(format!("the row has {entry}, not an entry of a map")),
                };
                list()?.iter().map(entry).collect()
            }
            Type::Bean(bean) => {
                only(json, &bean.members)?;
                let mut settled = Map::new();
                for (index, name) in bean.members.iter().enumerate() {
                    let (of, value) = (bean.part(index)?, member(json, name)?);
                    let is_none = bean.is_option(&of) && value.is_null();
                    let value = if is_none { Json::Null } else { of.settle(value)? };
                    settled.insert((*name).to_owned(), value);
                }
                Ok(settled.into())
            }
            // What has a bean of the id 0 has no other empty value.
            Type::Dynamic(dynamic) if json.is_null() => match &dynamic.beans[0] {
                (_, Some(name)) => Ok(shown(0, name, zero(&bean(name)?)?)),
                (_, None) => Ok(Json::Null),
            },
            Type::Dynamic(dynamic) => {
                only(json, &["$typeId", "$bean", "value"])?;
                let (_, id, name) = dynamic.variant(json)?;
                Ok(shown(id, name, bean(name)?.settle(member(json, "value")?)?))
            }
        }
    }

    /// Writes a value; `keeps` is whether beans have a field for the unknown.
    pub(crate) fn to_vec(
        &self,
        json: &Json,
        options: &Options,
        keeps: bool,
    ) -> Result<Vec<u8>, Error> {
        options.to_vec(&Typed { of: self, json, keeps })
    }

    /// Reads a value; returns how many bytes it took, too.
    pub(crate) fn take(
        &self,
        bytes: &[u8],
        options: &Options,
        keeps: bool,
    ) -> Result<(Json, usize), Error> {
        let mut deserializer = zeze_serialize::Deserializer::new(bytes, *options);
        let value = Read { of: self, keeps }.deserialize(&mut deserializer)?;
        Ok((value, deserializer.byte_offset()))
    }
}

/// What is read from an empty bean.
fn zero(of: &Type) -> Check<Json> {
    of.take(&[0], &Options::new(), false).map(|read| read.0).map_err(|error| error.to_string())
}

fn shown(id: i64, bean: &str, value: Json) -> Json {
    json!({ "$typeId": id, "$bean": bean, "value": value })
}

impl Bean {
    /// The type of a field, or of the base after them.
    fn part(&self, index: usize) -> Check<Type> {
        match self.types.get(index) {
            Some(name) => named(name),
            None => bean(self.base.as_deref().unwrap_or_default()),
        }
    }

    fn is_option(&self, of: &Type) -> bool {
        self.has_options && matches!(of, Type::Dynamic(of) if of.beans[0].1.is_some())
    }

    /// The reference keeps nothing in beans with a base, and nothing in bases.
    fn names(&self, keeps: bool) -> &'static [&'static str] {
        if keeps && self.base.is_none() { self.names } else { &self.names[1..] }
    }
}

impl Dynamic {
    /// Position, id and bean of the variant that a value has.
    fn variant(&self, json: &Json) -> Check<(usize, i64, &str)> {
        let (id, name) = (member(json, "$typeId")?.as_i64(), member(json, "$bean")?.as_str());
        let variants = self.beans.iter().enumerate();
        let mut named = variants.filter_map(|(at, (id, name))| Some((at, *id, name.as_deref()?)));
        let found = named.find(|variant| Some(variant.1) == id && Some(variant.2) == name);
        found.ok_or_else(|| format!("the row has {json}, which is no variant"))
    }
}

/// A value of a type, to be written.
struct Typed<'a> {
    of: &'a Type,
    json: &'a Json,
    keeps: bool,
}

impl Serialize for Typed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Typed { of, json, keeps } = *self;
        let list = || json.as_array().into_iter().flatten();
        match of {
            Type::Scalar(scalar) => scalar.write(json, serializer),
            Type::List(of) | Type::Set(of) => {
                serializer.collect_seq(list().map(|json| Typed { of, json, keeps }))
            }
            Type::Map(of) => serializer.collect_map(list().map(|entry| {
                let (key, value) = (&entry[0], &entry[1]);
                (Typed { of: &of.0, json: key, keeps }, Typed { of: &of.1, json: value, keeps })
            })),
            Type::Bean(bean) => {
                let names = bean.names(keeps);
                let mut fields = serializer.serialize_struct("Bean", names.len())?;
                let mut names = names.iter();
                if keeps && bean.base.is_none() {
                    let unknown = json.get("$unknown").cloned().unwrap_or_else(|| json!({}));
                    let unknown: Unknown =
                        serde_json::from_value(unknown).map_err(S::Error::custom)?;
                    fields.serialize_field(names.next().unwrap_or(&""), &unknown)?;
                }
                for (index, (name, member)) in names.zip(&bean.members).enumerate() {
                    let of = &bean.part(index).map_err(S::Error::custom)?;
                    let json = &json[*member];
                    match *member {
                        "$base" => {
                            fields.serialize_field(name, &Base(Typed { of, json, keeps: false }))?
                        }
                        _ if bean.is_option(of) => {
                            let value = Some(Typed { of, json, keeps }).filter(|_| !json.is_null());
                            fields.serialize_field(name, &value)?;
                        }
                        _ => fields.serialize_field(name, &Typed { of, json, keeps })?,
                    }
                }
                fields.end()
            }
            Type::Dynamic(_) if json.is_null() => {
                serializer.serialize_unit_variant("dynamic", 0, "0")
            }
            Type::Dynamic(dynamic) => {
                let (at, _, name) = dynamic.variant(json).map_err(S::Error::custom)?;
                let (of, json) = (&bean(name).map_err(S::Error::custom)?, &json["value"]);
                let index = u32::try_from(at).unwrap_or(0);
                let value = Typed { of, json, keeps };
                serializer.serialize_newtype_variant("dynamic", index, dynamic.variants[at], &value)
            }
        }
    }
}

/// Reads a value of a type.
#[derive(Clone, Copy)]
struct Read<'a> {
    of: &'a Type,
    keeps: bool,
}

impl<'de> DeserializeSeed<'de> for Read<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        match self.of {
            Type::Scalar(scalar) => scalar.read(deserializer),
            Type::List(_) | Type::Set(_) => deserializer.deserialize_seq(self),
            Type::Map(_) => deserializer.deserialize_map(self),
            Type::Bean(bean) => {
                deserializer.deserialize_struct("Bean", bean.names(self.keeps), self)
            }
            Type::Dynamic(dynamic) => {
                deserializer.deserialize_enum("dynamic", dynamic.variants, self)
            }
        }
    }
}

/// A field: the base, or what may not be there, or any other.
struct Field<'a>(Read<'a>, bool, bool);

impl<'de> DeserializeSeed<'de> for Field<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        match (self.1, self.2) {
            (true, _) => deserializer.deserialize_newtype_struct("$zeze_serialize::Base", self.0),
            (_, true) => deserializer.deserialize_option(self.0),
            _ => self.0.deserialize(deserializer),
        }
    }
}

impl<'de> Visitor<'de> for Read<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.of)
    }

    fn visit_none<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let bean = match self.of {
            Type::Bean(bean) => bean,
            Type::List(of) | Type::Set(of) => {
                let (seed, mut items) = (Read { of, ..self }, Vec::new());
                while let Some(item) = seq.next_element_seed(seed)? {
                    // Of a set the first of each stays.
                    if matches!(self.of, Type::List(_)) || !items.contains(&item) {
                        items.push(item);
                    }
                }
                return Ok(items.into());
            }
            _ => return Err(A::Error::custom("a sequence")),
        };
        let mut members = Map::new();
        if self.keeps && bean.base.is_none() {
            let unknown: Option<Unknown> = seq.next_element()?;
            members.insert("$unknown".to_owned(), serde_json::to_value(unknown).unwrap());
        }
        for (index, name) in bean.members.iter().enumerate() {
            let of = &bean.part(index).map_err(A::Error::custom)?;
            let is_base = *name == "$base";
            let read = Read { of, keeps: self.keeps && !is_base };
            let value = seq.next_element_seed(Field(read, is_base, bean.is_option(of)))?;
            members.insert((*name).to_owned(), value.ok_or_else(|| A::Error::custom(*name))?);
        }
        Ok(members.into())
    }

    /// In the order in which keys came first, with the value that came last.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let Type::Map(of) = self.of else { return Err(A::Error::custom("a map")) };
        let (key, value) = (Read { of: &of.0, ..self }, Read { of: &of.1, ..self });
        let mut entries: Vec<(Json, Json)> = Vec::new();
        while let Some((key, value)) = map.next_entry_seed(key, value)? {
            match entries.iter_mut().find(|(own, _)| *own == key) {
                Some((_, own)) => *own = value,
                None => entries.push((key, value)),
            }
        }
        Ok(entries.into_iter().map(|(key, value)| json!([key, value])).collect())
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Json, A::Error> {
        let Type::Dynamic(dynamic) = self.of else { return Err(A::Error::custom("a dynamic")) };
        let (name, content) = data.variant::<String>()?;
        let at = dynamic.variants.iter().position(|own| *own == name);
        let at = at.ok_or_else(|| A::Error::unknown_variant(&name, dynamic.variants))?;
        let (id, Some(name)) = &dynamic.beans[at] else {
            return content.unit_variant().map(|()| Json::Null);
        };
        let of = &bean(name).map_err(A::Error::custom)?;
        Ok(shown(*id, name, content.newtype_variant_seed(Read { of, ..self })?))
    }
}
