//! Resolving the names in a solution.

use std::collections::{HashMap, HashSet};

use zeze_serialize::hash::type_id;

use super::parse::Parsed;
use super::place::Place;
use super::schema::{
    Bean, BeanText, Choice, Kind, Protocol, Schema, Shape, Target, Variable, VariableText,
};
use super::{Options, services};
use crate::Result;

/// Beans that hold each other directly, one in another.
const MAX_NESTED: usize = 1000;

/// Resolves all names.
pub(super) fn schema(parsed: Parsed, options: &Options) -> Result<(Schema, Vec<String>)> {
    let Parsed { spaces, beans, protocols, externals, services, notes, .. } = parsed;
    let mut names = Names {
        paths: spaces.iter().map(|space| space.full.clone()).collect(),
        here: HashMap::new(),
        externals: &externals,
        options,
        derived: HashMap::new(),
        keys: beans.iter().map(|bean| bean.is_key).collect(),
    };
    for (at, bean) in beans.iter().enumerate() {
        names.here.insert(names.full(bean.space, &bean.name), at);
    }
    let bases = beans.iter().map(|bean| names.base(bean)).collect::<Result<Vec<_>>>()?;
    check_bases(&beans, &bases)?;
    for (at, base) in bases.iter().enumerate() {
        if let Some(base) = base {
            names.derived.entry(*base).or_default().push(at);
        }
    }
    let mut schema = Schema { spaces, by_name: names.here.clone(), ..Schema::default() };
    let mut ids: HashMap<i64, String> = HashMap::new();
    for (bean, base) in beans.iter().zip(&bases) {
        let full = names.full(bean.space, &bean.name);
        let (type_id, is_hashed) = names.own_type_id(bean);
        if let Some(other) = ids.insert(type_id, full.clone()) {
            return Err(bean.place.wrong(format!("{full} has the type id of {other}")));
        }
        let variables = bean.variables.iter().map(|own| names.variable(bean, own, &beans));
        let variables = variables.collect::<Result<_>>()?;
        let text = BeanText { variables: Vec::new(), ..bean.clone() };
        schema.beans.push(Bean { text, full, base: *base, type_id, is_hashed, variables });
    }
    let mut protocol_ids: HashMap<(usize, u32), String> = HashMap::new();
    for text in protocols {
        let full = names.full(text.space, &text.name);
        let target = |name: &str| match name {
            "" => Ok(None),
            name => names.bean(text.space, name, &text.place).map(Some),
        };
        let argument = target(&text.argument)?;
        let shape = match &text.result {
            None => Shape::Protocol,
            Some(result) => Shape::Rpc { result: target(result)?, is_raft: text.is_raft },
        };
        let id = text.id.unwrap_or_else(|| hash32(&full)).cast_unsigned();
        let Some(space) = schema.spaces.get_mut(text.space) else { continue };
        if id == 0 || space.id.is_none() {
            return Err(text.place.wrong(format!("protocol {full} needs a module, and an id")));
        }
        if let Some(other) = protocol_ids.insert((text.space, id), full.clone()) {
            return Err(text.place.wrong(format!("{full} has the id of {other}")));
        }
        space.protocols.push(Protocol { text, full, id, argument, shape });
    }
    for (at, space) in schema.spaces.iter_mut().enumerate() {
        for table in &mut space.tables {
            table.key = names.kind(at, &table.key_name, &table.place).ok();
            table.value = match names.find(at, &table.value_name) {
                Some(Target::Here(bean)) => Some(bean),
                _ => None,
            };
        }
    }
    check_nesting(&schema)?;
    check_keys(&schema)?;
    let notes = services::resolve(&mut schema, services, notes);
    Ok((schema, notes))
}

struct Names<'a> {
    /// Full names of the spaces.
    paths: Vec<String>,
    here: HashMap<String, usize>,
    externals: &'a HashMap<String, bool>,
    options: &'a Options,
    /// The beans that are derived from a bean directly.
    derived: HashMap<usize, Vec<usize>>,
    keys: Vec<bool>,
}

impl Names<'_> {
    fn full(&self, space: usize, name: &str) -> String {
        match self.paths.get(space) {
            Some(path) => format!("{path}.{name}"),
            None => name.to_owned(),
        }
    }

    /// A name without a dot is one of the same space.
    fn find(&self, space: usize, name: &str) -> Option<Target> {
        let full = if name.contains('.') { name.to_owned() } else { self.full(space, name) };
        if let Some(at) = self.here.get(&full) {
            return Some(Target::Here(*at));
        }
        let name = [name, &full].into_iter().find(|name| self.externals.contains_key(*name))?;
        let path = self.options.externals.iter().find(|(own, _)| own == name);
        Some(Target::External {
            name: name.to_owned(),
            path: path.map(|(_, path)| path.clone()),
            is_key: self.externals.get(name).copied().unwrap_or(false),
        })
    }

    fn bean(&self, space: usize, name: &str, place: &Place) -> Result<Target> {
        self.find(space, name).ok_or_else(|| {
            place.wrong(format!(
                "there is no bean {name} in {}",
                self.full(space, "").trim_end_matches('.')
            ))
        })
    }

    fn base(&self, bean: &BeanText) -> Result<Option<usize>> {
        match bean.base.as_str() {
            "" => Ok(None),
            name => match self.find(bean.space, name) {
                Some(Target::Here(at)) if !self.is_key(at) => Ok(Some(at)),
                Some(_) => Err(bean.place.wrong(format!("{name} cannot be a base"))),
                None => Err(bean.place.wrong(format!("there is no bean {name} to derive from"))),
            },
        }
    }

    fn is_key(&self, at: usize) -> bool {
        self.keys.get(at).copied().unwrap_or(false)
    }

    fn own_type_id(&self, bean: &BeanText) -> (i64, bool) {
        let hash = type_id(&self.full(bean.space, &bean.name));
        match bean.type_id {
            Some(id) if id != hash => (id, false),
            _ => (hash, true),
        }
    }

    fn variable(
        &self,
        bean: &BeanText,
        text: &VariableText,
        beans: &[BeanText],
    ) -> Result<Variable> {
        let place = &text.place;
        let spelling = &text.spelling;
        let one = |name: &str| self.kind(bean.space, name, place);
        let value = || {
            let value = spelling.value.as_deref();
            one(value.ok_or_else(|| place.wrong(format!("{} needs a value", spelling.name)))?)
        };
        let key = |at: usize, of: usize| {
            if spelling.keys.len() != of {
                let keys = if of == 1 { "a key" } else { "two keys" };
                return Err(place.wrong(format!("{} needs {keys}", spelling.name)));
            }
            let name = spelling.keys.get(at).map(String::as_str).unwrap_or_default();
            self.keyable(one(name)?, name, place)
        };
        let kind = match spelling.name.as_str() {
            "list" | "array" => Kind::List(Box::new(value()?)),
            "set" => {
                let element = value()?;
                let name = spelling.value.as_deref().unwrap_or_default();
                Kind::Set(Box::new(self.keyable(element, name, place)?))
            }
            "map" | "sortedmap" => Kind::Map(Box::new(key(0, 1)?), Box::new(value()?)),
            "gtable" => Kind::Table(Box::new(key(0, 2)?), Box::new(key(1, 2)?), Box::new(value()?)),
            name => {
                let is_dynamic = name == "dynamic";
                if !spelling.keys.is_empty() || (spelling.value.is_some() && !is_dynamic) {
                    return Err(place.wrong(format!("{name} takes no key and no value")));
                }
                one(name)?
            }
        };
        let choices = self.choices_of(bean, text, beans)?;
        Ok(Variable { text: text.clone(), kind, choices })
    }

    /// A type that is no container.
    fn kind(&self, space: usize, name: &str, place: &Place) -> Result<Kind> {
        Ok(match name {
            "bool" => Kind::Bool,
            "byte" => Kind::Byte,
            "short" => Kind::Short,
            "int" => Kind::Int,
            "long" => Kind::Long,
            "float" => Kind::Float,
            "double" => Kind::Double,
            "binary" => Kind::Binary,
            "string" => Kind::String,
            "decimal" => Kind::Decimal,
            "vector2" => Kind::Vector2,
            "vector2int" => Kind::Vector2Int,
            "vector3" => Kind::Vector3,
            "vector3int" => Kind::Vector3Int,
            "vector4" => Kind::Vector4,
            "quaternion" => Kind::Quaternion,
            "dynamic" => Kind::Dynamic,
            "list" | "array" | "set" | "map" | "sortedmap" | "gtable" => {
                return Err(place.wrong(format!("{name} cannot be inside of another container")));
            }
            name => match self.find(space, name) {
                Some(target) => Kind::Bean(target),
                None => return Err(place.wrong(format!("unknown type {name}"))),
            },
        })
    }

    /// Checks that the type can be a key.
    fn keyable(&self, kind: Kind, name: &str, place: &Place) -> Result<Kind> {
        match &kind {
            Kind::Vector2 | Kind::Vector3 | Kind::Vector4 | Kind::Quaternion => {
                Err(place.wrong(format!("{name} as a key has no order in Rust")))
            }
            Kind::Float | Kind::Double | Kind::Dynamic => {
                Err(place.wrong(format!("{name} cannot be a key")))
            }
            Kind::Bean(Target::Here(at)) if !self.is_key(*at) => {
                Err(place.wrong(format!("{name} cannot be a key: it is a bean and no beankey")))
            }
            Kind::Bean(Target::External { is_key: false, .. }) => {
                Err(place.wrong(format!("{name} cannot be a key: it is an external bean")))
            }
            Kind::Bean(Target::External { name, path: None, .. }) => Err(place.wrong(format!(
                "the Rust type of the external key {name} is not known; give it with --extern {name}=PATH"
            ))),
            _ => Ok(kind),
        }
    }

    /// The beans of a dynamic, in ascending order of their ids.
    fn choices_of(
        &self,
        bean: &BeanText,
        text: &VariableText,
        beans: &[BeanText],
    ) -> Result<Vec<Choice>> {
        let place = &text.place;
        let mut choices: Vec<Choice> = Vec::new();
        let mut explicit = 0_usize;
        for spelled in text.choices.iter().filter(|spelled| !spelled.is_empty()) {
            let (name, id) = match spelled.split_once(':') {
                None => (spelled.as_str(), None),
                Some((name, id)) => (name.trim(), Some(id.trim())),
            };
            let target = self.bean(bean.space, name, place)?;
            if matches!(&target, Target::Here(at) if self.is_key(*at)) {
                return Err(place.wrong(format!("{name} is a key, and cannot be in a dynamic")));
            }
            let (type_id, is_hashed) = match (id, &target) {
                (Some(id), _) => {
                    explicit += 1;
                    let id = id.parse().ok().filter(|id: &i64| *id > 0);
                    let wrong = || place.wrong(format!("`{spelled}`: type ids are above 0"));
                    (id.ok_or_else(wrong)?, false)
                }
                (None, Target::Here(at)) => match beans.get(*at) {
                    Some(bean) => self.own_type_id(bean),
                    None => continue,
                },
                (None, Target::External { name, .. }) => (type_id(name), true),
            };
            choices.push(Choice { type_id, is_hashed, bean: target });
        }
        if explicit != 0 && explicit != choices.len() {
            return Err(place.wrong("some beans of the dynamic have type ids, and some have none"));
        }
        if choices.is_empty()
            && let Some(base) = &text.spelling.base
        {
            let Target::Here(base) = self.bean(bean.space, base, place)? else {
                return Err(place.wrong(format!("{base} cannot be the base of a dynamic")));
            };
            // With all that are derived, directly or not.
            let mut open = vec![base];
            while let Some(at) = open.pop() {
                open.extend(self.derived.get(&at).into_iter().flatten());
                let Some(bean) = beans.get(at) else { continue };
                let (type_id, is_hashed) = self.own_type_id(bean);
                choices.push(Choice { type_id, is_hashed, bean: Target::Here(at) });
            }
        }
        choices.sort_by_key(|choice| choice.type_id);
        let ids = choices.iter().map(|choice| choice.type_id);
        if let Some((one, _)) = ids.clone().zip(ids.skip(1)).find(|(one, next)| one == next) {
            return Err(place.wrong(format!("two beans of the dynamic have the type id {one}")));
        }
        Ok(choices)
    }
}

/// No bean is derived from itself.
fn check_bases(beans: &[BeanText], bases: &[Option<usize>]) -> Result<()> {
    let mut done = vec![false; bases.len()];
    for start in 0..bases.len() {
        let (mut way, mut next) = (HashSet::new(), Some(start));
        while let Some(at) = next.filter(|at| !done.get(*at).copied().unwrap_or(true)) {
            if let (false, Some(bean)) = (way.insert(at), beans.get(at)) {
                return Err(bean.place.wrong("the bean is derived from itself"));
            }
            next = bases.get(at).copied().flatten();
        }
        for at in way {
            if let Some(done) = done.get_mut(at) {
                *done = true;
            }
        }
    }
    Ok(())
}

/// A bean in itself, without a container or a dynamic in between, has no end.
fn check_nesting(schema: &Schema) -> Result<()> {
    let mut done: HashSet<usize> = HashSet::new();
    for start in 0..schema.beans.len() {
        let mut open = Vec::from([(start, false)]);
        let mut around: HashSet<usize> = HashSet::new();
        while let Some((at, left)) = open.pop() {
            let Some(bean) = schema.beans.get(at) else { continue };
            if left {
                around.remove(&at);
                done.insert(at);
                continue;
            }
            if around.contains(&at) {
                return Err(bean.text.place.wrong(format!("{} is in itself", bean.full)));
            }
            if done.contains(&at) {
                continue;
            }
            around.insert(at);
            if around.len() > MAX_NESTED {
                return Err(bean.text.place.wrong("too many beans in beans"));
            }
            open.push((at, true));
            let inner = bean.variables.iter().filter_map(|own| match own.kind {
                Kind::Bean(Target::Here(at)) => Some(at),
                _ => None,
            });
            open.extend(inner.chain(bean.base).map(|at| (at, false)));
        }
    }
    Ok(())
}

/// Keys hold only what can be a key.
fn check_keys(schema: &Schema) -> Result<()> {
    for bean in schema.beans.iter().filter(|bean| bean.text.is_key) {
        for own in &bean.variables {
            let is_keyable = match &own.kind {
                Kind::Bean(Target::Here(at)) => {
                    schema.beans.get(*at).is_some_and(|inner| inner.text.is_key)
                }
                Kind::Bean(Target::External { is_key, path, .. }) => *is_key && path.is_some(),
                Kind::Float | Kind::Double | Kind::Dynamic => false,
                Kind::Vector2 | Kind::Vector3 | Kind::Vector4 | Kind::Quaternion => false,
                Kind::List(_) | Kind::Set(_) | Kind::Map(..) | Kind::Table(..) => false,
                _ => true,
            };
            if !is_keyable {
                return Err(own.text.place.wrong(format!(
                    "{}.{}: {} cannot be in a key",
                    bean.full, own.text.name, own.text.spelled
                )));
            }
        }
    }
    Ok(())
}

/// The halves of the type id of such a name on each other: the id of a protocol.
fn hash32(name: &str) -> i32 {
    let hash = type_id(name).cast_unsigned();
    let low = u32::try_from(hash & 0xffff_ffff).unwrap_or_default();
    let high = u32::try_from(hash >> 32).unwrap_or_default();
    (low ^ high).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_zeze() {
        // `ProtocolId_` of a class that Zeze generated.
        assert_eq!(hash32("Zeze.Beans.Provider.ModuleRedirect"), -543_704_706);
    }
}
