//! Names of a solution in the JSON notation, and back.
//!
//! ```text
//! {"1:int": 7, "2:list": {"bean": [{"1:int": 1}]}, "9:int": 5}      the notation
//! {"level": 7, "items": [{"count": 1}], "9:int": 5}                 with names
//! ```
//!
//! A field that the solution does not know keeps its number, and one of another wire type than the
//! solution's has it behind its name: `level:float`. What has no names in it stays as it is, so that
//! the way back takes both.

mod place;

use std::collections::HashMap;
use std::sync::Arc;

use crate::zeze::schema::{Kind, Schema, Shape, Target, Variable};
use gamewire_core::json::{Map, Value as Json};

pub use self::place::{At, ShownBean, ShownValue};

/// Names that members of the notation have already.
const RESERVED: [&str; 2] = ["base", "frames"];

/// A solution, to show data by its names.
#[derive(Debug)]
pub struct Solution {
    schema: Schema,
    /// Beans by the type ids that they have where a dynamic gives them none.
    by_type_id: HashMap<i64, usize>,
    /// By module and protocol.
    protocols: HashMap<(u64, u64), Beans>,
}

/// A protocol, and what its frames have in them; `None` for empty beans.
#[derive(Debug)]
struct Beans {
    full: String,
    argument: Option<usize>,
    result: Option<usize>,
}

/// A solution, and the bean at the root.
#[derive(Clone, Debug)]
pub struct View {
    /// The solution.
    pub solution: Arc<Solution>,
    /// The bean at the root of data without frames.
    pub bean: Option<usize>,
}

impl Solution {
    /// Reads the text of a solution, as [`Schema::parse`].
    ///
    /// # Errors
    ///
    /// Those of [`Schema::parse`].
    pub fn parse(solution: &str) -> crate::Result<Self> {
        Schema::parse(solution).map(Solution::new)
    }

    /// Makes it of a schema, which [`Schema::read`] reads from files.
    pub fn new(schema: Schema) -> Self {
        let by_type_id = schema.beans.iter().enumerate().map(|(at, bean)| (bean.type_id, at));
        let by_type_id = by_type_id.collect();
        let here = |target: &Option<Target>| match target {
            Some(Target::Here(at)) => Some(*at),
            _ => None,
        };
        let mut protocols = HashMap::new();
        for space in &schema.spaces {
            for protocol in &space.protocols {
                let result = match &protocol.shape {
                    Shape::Protocol => None,
                    Shape::Rpc { result, .. } => here(result),
                };
                let key = (u64::from(space.id.unwrap_or(0)), u64::from(protocol.id));
                let (full, argument) = (protocol.full.clone(), here(&protocol.argument));
                protocols.insert(key, Beans { full, argument, result });
            }
        }
        Solution { schema, by_type_id, protocols }
    }

    /// A bean by its full name, or by a shorter one that only one bean has.
    ///
    /// # Errors
    ///
    /// If no bean has the name, or several.
    pub fn bean(&self, name: &str) -> Result<usize, String> {
        if let Some(at) = self.schema.by_name.get(name) {
            return Ok(*at);
        }
        let end = format!(".{name}");
        let all = self.schema.beans.iter().enumerate();
        let found: Vec<_> = all.filter(|(_, bean)| bean.full.ends_with(&end)).collect();
        match found.as_slice() {
            [(at, _)] => Ok(*at),
            [] => Err(format!("the solution has no bean {name}")),
            several => {
                let names: Vec<&str> = several.iter().map(|own| own.1.full.as_str()).collect();
                Err(format!("several beans are called {name}: {}", names.join(", ")))
            }
        }
    }

    /// The variable of an id that can be shown by its name.
    fn variable(&self, bean: usize, id: u32) -> Option<&Variable> {
        let all = &self.schema.beans.get(bean)?.variables;
        let at = all.binary_search_by_key(&id, Variable::id).ok()?;
        all.get(at).filter(|own| is_shown(own))
    }

    fn by_name(&self, bean: usize, name: &str) -> Option<&Variable> {
        let all = &self.schema.beans.get(bean)?.variables;
        all.iter().find(|own| own.name() == name && is_shown(own))
    }

    fn base(&self, bean: usize) -> Option<usize> {
        self.schema.beans.get(bean)?.base
    }

    fn named_bean(&self, json: Json, bean: Option<usize>) -> Json {
        let (Some(bean), Json::Object(members)) = (bean, &json) else { return json };
        let member = |(name, value): (&String, &Json)| {
            if name == "base" {
                return (name.clone(), self.named_bean(value.clone(), self.base(bean)));
            }
            let own = field(name).and_then(|(id, kind)| Some((self.variable(bean, id)?, kind)));
            match own {
                Some((own, kind)) if kind == wire(&own.kind) => {
                    (own.name().to_owned(), self.named(value.clone(), &own.kind, own))
                }
                Some((own, kind)) => (format!("{}:{kind}", own.name()), value.clone()),
                None => (name.clone(), value.clone()),
            }
        };
        Json::Object(members.iter().map(member).collect())
    }

    /// A value whose wire type is that of the kind.
    fn named(&self, json: Json, kind: &Kind, own: &Variable) -> Json {
        match kind {
            Kind::Bool => match json.as_i64() {
                Some(0) => Json::Bool(false),
                Some(1) => Json::Bool(true),
                _ => json,
            },
            Kind::List(inner) | Kind::Set(inner) => match only(&json) {
                Some((name, Json::Array(items))) if name == wire(inner) => {
                    items.iter().map(|item| self.named(item.clone(), inner, own)).collect()
                }
                _ => json,
            },
            Kind::Map(key, value) => match only(&json) {
                Some((name, Json::Array(entries))) if *name == kinds(key, value) => {
                    entries.iter().map(|entry| self.named_pair(entry, (key, value), own)).collect()
                }
                _ => json,
            },
            // A row is a bean whose field 1 are the cells.
            Kind::Table(row, column, cell) => match only(&json) {
                Some((name, Json::Array(rows))) if *name == format!("{}:bean", wire(row)) => {
                    let cells = format!("{}:{}", wire(column), wire(cell));
                    let entry = |entry: &Json| {
                        let (Some(key), Some(bean)) = (entry.at(0), entry.at(1)) else {
                            return entry.clone();
                        };
                        let inside = only(bean).filter(|(name, _)| *name == "1:map");
                        let inside = inside.and_then(|(_, map)| only(map));
                        let Some((_, Json::Array(all))) = inside.filter(|own| *own.0 == cells)
                        else {
                            return Json::from(vec![
                                self.named(key.clone(), row, own),
                                bean.clone(),
                            ]);
                        };
                        let all =
                            all.iter().map(|entry| self.named_pair(entry, (column, cell), own));
                        Json::from(vec![self.named(key.clone(), row, own), all.collect()])
                    };
                    rows.iter().map(entry).collect()
                }
                _ => json,
            },
            Kind::Bean(Target::Here(bean)) => self.named_bean(json, Some(*bean)),
            Kind::Dynamic => {
                let id = json.get("type").and_then(Json::as_i64);
                let Some((id, bean)) = id.and_then(|id| Some((id, self.choice(own, id)?))) else {
                    return json;
                };
                let full = self.schema.beans.get(bean).map(|bean| bean.full.as_str());
                let full = full.unwrap_or_default();
                // Of a name that stands for another id as well there would be no way back.
                if self.type_id(own, full) != Some(id) {
                    return json;
                }
                let mut dynamic = Map::new();
                for (name, value) in json.as_object().into_iter().flatten() {
                    let value = match name.as_str() {
                        "type" => Json::from(full),
                        "bean" => self.named_bean(value.clone(), Some(bean)),
                        _ => value.clone(),
                    };
                    dynamic.insert(name.clone(), value);
                }
                Json::Object(dynamic)
            }
            _ => json,
        }
    }

    fn named_pair(&self, entry: &Json, (key, value): (&Kind, &Kind), own: &Variable) -> Json {
        match entry.as_array().map(Vec::as_slice) {
            Some([own_key, own_value]) => Json::from(vec![
                self.named(own_key.clone(), key, own),
                self.named(own_value.clone(), value, own),
            ]),
            _ => entry.clone(),
        }
    }

    fn numbered_bean(&self, json: Json, bean: Option<usize>) -> Result<Json, String> {
        let (Some(bean), Json::Object(members)) = (bean, &json) else { return Ok(json) };
        let full = self.schema.beans.get(bean).map_or("", |bean| bean.full.as_str());
        let member = |(name, value): (&String, &Json)| {
            let value = value.clone();
            if name == "base" {
                return Ok((name.clone(), self.numbered_bean(value, self.base(bean))?));
            }
            if field(name).is_some() {
                return Ok((name.clone(), value));
            }
            let (short, kind) = match name.split_once(':') {
                Some((short, kind)) => (short, Some(kind)),
                None => (name.as_str(), None),
            };
            let own = self.by_name(bean, short);
            let own = own.ok_or_else(|| format!("{full} has no variable {short}"))?;
            let value = match kind {
                None => self.numbered(value, &own.kind, own)?,
                Some(_) => value,
            };
            Ok((format!("{}:{}", own.id(), kind.unwrap_or(wire(&own.kind))), value))
        };
        let members: Result<Map, String> = members.iter().map(member).collect();
        members.map(Json::Object)
    }

    fn numbered(&self, json: Json, kind: &Kind, own: &Variable) -> Result<Json, String> {
        let object = |name: String, value: Json| Json::Object(Map::from_iter([(name, value)]));
        Ok(match (kind, json) {
            (Kind::Bool, Json::Bool(value)) => Json::from(i64::from(value)),
            (Kind::List(inner) | Kind::Set(inner), Json::Array(items)) => {
                let items = items.into_iter().map(|item| self.numbered(item, inner, own));
                object(wire(inner).to_owned(), Json::Array(items.collect::<Result<_, _>>()?))
            }
            (Kind::Map(key, value), Json::Array(entries)) => {
                let entry = |entry: Json| match entry {
                    Json::Array(pair) if pair.len() == 2 => {
                        let kinds = [key, value].into_iter().zip(pair);
                        let pair = kinds.map(|(kind, part)| self.numbered(part, kind, own));
                        Ok(Json::Array(pair.collect::<Result<_, _>>()?))
                    }
                    other => Ok(other),
                };
                let entries = entries.into_iter().map(entry).collect::<Result<_, String>>()?;
                object(kinds(key, value), Json::Array(entries))
            }
            (Kind::Table(row, column, cell), Json::Array(rows)) => {
                let entry = |mut entry: Json| {
                    let Some(pair) = entry.as_array_mut().filter(|pair| pair.len() == 2) else {
                        return Ok(entry);
                    };
                    if let Some(key) = pair.first_mut() {
                        *key = self.numbered(key.take(), row, own)?;
                    }
                    if let Some(cells) = pair.last_mut().filter(|cells| cells.is_array()) {
                        let map = Kind::Map(column.clone(), cell.clone());
                        let map = self.numbered(cells.take(), &map, own)?;
                        *cells = object("1:map".to_owned(), map);
                    }
                    Ok(entry)
                };
                let rows = rows.into_iter().map(entry).collect::<Result<_, String>>()?;
                object(format!("{}:bean", wire(row)), Json::Array(rows))
            }
            (Kind::Bean(Target::Here(bean)), json) => self.numbered_bean(json, Some(*bean))?,
            (Kind::Dynamic, Json::Object(dynamic)) => {
                let (id, bean) = match dynamic.get("type") {
                    Some(Json::String(full)) => {
                        let id = self.type_id(own, full);
                        let id = id
                            .ok_or_else(|| format!("{} cannot hold the bean {full}", own.name()))?;
                        (Some(id), self.choice(own, id))
                    }
                    _ => (None, None),
                };
                let mut out = Map::new();
                for (name, value) in dynamic {
                    let value = match (name.as_str(), id) {
                        ("type", Some(id)) => Json::from(id),
                        ("bean", Some(_)) => self.numbered_bean(value, bean)?,
                        _ => value,
                    };
                    out.insert(name, value);
                }
                Json::Object(out)
            }
            (_, json) => json,
        })
    }

    /// The bean of a type id in a dynamic.
    fn choice(&self, own: &Variable, id: i64) -> Option<usize> {
        let target = own.choices.iter().find(|choice| choice.type_id == id);
        match target.map(|choice| &choice.bean) {
            Some(Target::Here(at)) => Some(*at),
            Some(Target::External { .. }) => None,
            // A dynamic whose beans the server chooses, or a bean of a newer peer.
            None => self.by_type_id.get(&id).copied().filter(|_| id != 0),
        }
    }

    /// The type id of a bean in a dynamic, by its full name.
    fn type_id(&self, own: &Variable, full: &str) -> Option<i64> {
        let at = *self.schema.by_name.get(full)?;
        let choice = own.choices.iter().find(|choice| choice.bean == Target::Here(at));
        match choice {
            Some(choice) => Some(choice.type_id),
            None => self.schema.beans.get(at).map(|bean| bean.type_id),
        }
    }
}

impl View {
    /// The notation of a file with names.
    pub fn named(&self, mut json: Json) -> Json {
        if json.get("frames").is_none() {
            return self.solution.named_bean(json, self.bean);
        }
        for (bean, at) in self.beans(&mut json) {
            *bean = self.solution.named_bean(bean.take(), at);
        }
        json
    }

    /// The notation of a file without names.
    ///
    /// # Errors
    ///
    /// If a name is none of the solution.
    pub fn numbered(&self, mut json: Json) -> Result<Json, String> {
        if json.get("frames").is_none() {
            return self.solution.numbered_bean(json, self.bean);
        }
        for (bean, at) in self.beans(&mut json) {
            *bean = self.solution.numbered_bean(bean.take(), at)?;
        }
        Ok(json)
    }

    /// The beans in what is around them, with what each is.
    fn beans<'j>(&self, json: &'j mut Json) -> Vec<(&'j mut Json, Option<usize>)> {
        let Json::Object(members) = json else { return Vec::new() };
        let mut found = Vec::new();
        for (name, value) in members.iter_mut() {
            match (name.as_str(), value) {
                ("bean", bean) => found.push((bean, self.bean)),
                ("list", Json::Array(frames)) => {
                    for frame in frames {
                        let at = self.of_frame(frame);
                        found.extend(frame.get_mut("bean").map(|bean| (bean, at)));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// The bean of a frame in the notation.
    fn of_frame(&self, frame: &Json) -> Option<usize> {
        let number = |name: &str| frame.get(name).and_then(Json::as_u64);
        let is_answer = frame.get("family").and_then(Json::as_str);
        let is_answer = is_answer.is_some_and(|family| family.ends_with("response"));
        let protocol = number("module").zip(number("protocol"));
        protocol.map_or(self.bean, |own| self.bean_of(own, is_answer))
    }

    /// The bean of a frame, by its module and protocol; else the one that was given.
    fn bean_of(&self, protocol: (u64, u64), is_answer: bool) -> Option<usize> {
        match self.solution.protocols.get(&protocol) {
            Some(own) if is_answer => own.result,
            Some(own) => own.argument,
            None => self.bean,
        }
    }
}

/// Whether the name of a variable can stand for its id.
fn is_shown(own: &Variable) -> bool {
    let name = own.name();
    !own.is_transient() && !RESERVED.contains(&name) && name.parse::<u32>().is_err()
}

/// `7:int` as the id and the kind.
fn field(name: &str) -> Option<(u32, &str)> {
    let (id, kind) = name.split_once(':')?;
    Some((id.parse().ok()?, kind))
}

/// The only member of an object.
fn only(json: &Json) -> Option<(&String, &Json)> {
    let members = json.as_object()?;
    if members.len() == 1 { members.iter().next() } else { None }
}

fn kinds(key: &Kind, value: &Kind) -> String {
    format!("{}:{}", wire(key), wire(value))
}

/// The name of the wire type in the notation.
fn wire(kind: &Kind) -> &'static str {
    match kind {
        Kind::Bool | Kind::Byte | Kind::Short | Kind::Int | Kind::Long => "int",
        Kind::Float => "float",
        Kind::Double => "double",
        Kind::Binary | Kind::String | Kind::Decimal => "string",
        Kind::Vector2 => "vector2",
        Kind::Vector2Int => "vector2int",
        Kind::Vector3 => "vector3",
        Kind::Vector3Int => "vector3int",
        Kind::Vector4 | Kind::Quaternion => "vector4",
        Kind::Bean(_) => "bean",
        Kind::Dynamic => "dynamic",
        Kind::List(_) | Kind::Set(_) => "list",
        Kind::Map(..) | Kind::Table(..) => "map",
    }
}
