//! Values of a file, by their paths. A place has the pointer that the value has in the JSON notation.

use godot_variant::Value;
use godot_variant::native_json::{NativeJson, NativeJsonSeed};
use godot_variant::value::{Object, Real64};
use serde::de::DeserializeSeed as _;
use serde_json::Value as Json;

use super::content::{Body, Content};
use super::tree::{of_value, step};
use crate::document::diff::Children;
use crate::document::edit::{
    self, Place, Values, Whole, boolean, float, integer, last_first, shown, text,
};
use crate::document::json;
use crate::document::path::{New, Step};

/// The kinds of roots that are no values.
const STREAM: &str = "values";

/// The values of the engine, with the depth that they may have.
pub(crate) struct Native {
    pub(super) levels: usize,
}

/// The kinds that are text with a prefix.
const PREFIXES: [(&str, &str); 5] =
    [("i:", "int"), ("f:", "float"), ("s:", "String"), ("sn:", "StringName"), ("np:", "NodePath")];

/// The packed arrays, their elements, and how many parts each has.
const PACKED: [(&str, &str, usize); 10] = [
    ("PackedByteArray", "number", 1),
    ("PackedInt32Array", "number", 1),
    ("PackedInt64Array", "number", 1),
    ("PackedFloat32Array", "number", 1),
    ("PackedFloat64Array", "number", 1),
    ("PackedStringArray", "text", 1),
    ("PackedVector2Array", "Vector2", 2),
    ("PackedVector3Array", "Vector3", 3),
    ("PackedColorArray", "Color", 4),
    ("PackedVector4Array", "Vector4", 4),
];

/// The members that say of which types the parts of a value are.
const TYPES: [&str; 4] = ["elem_type", "key_type", "value_type", "precision"];

fn packed(kind: &str) -> Option<(&'static str, usize)> {
    PACKED.iter().find(|(own, ..)| *own == kind).map(|(_, element, len)| (*element, *len))
}

/// The kind of a value in the notation.
fn kind_of(value: &Json) -> &str {
    match value {
        Json::Null => "Nil",
        Json::Bool(_) => "bool",
        Json::Number(_) => "number",
        Json::Array(_) => "Array",
        Json::String(text) => {
            let prefix = text.find(':').and_then(|at| text.get(..=at)).unwrap_or_default();
            PREFIXES.iter().find(|(own, _)| *own == prefix).map_or("text", |(_, kind)| kind)
        }
        Json::Object(_) => value.get("type").and_then(Json::as_str).unwrap_or("Object"),
    }
}

/// The name of a value's kind.
fn name_of(value: &Value) -> String {
    match value {
        Value::Object(Object::Instance(instance)) => instance.class.to_string(),
        value => value.kind().to_string(),
    }
}

/// The container of values that a pointer leads into, in the notation of a value.
fn within(value: &Value) -> &'static str {
    match value {
        Value::Array(_) => "",
        Value::Object(_) => "/props",
        _ => "/args",
    }
}

/// A packed array with only some elements of another one.
fn slice_of(value: &Value, at: usize, len: usize) -> Option<Value> {
    macro_rules! slice {
        ($($kind:ident)+; $($wide:ident)+) => {
            match value {
                $(Value::$kind(own) => {
                    Value::$kind(own.get(at..at.checked_add(len)?)?.to_vec().into())
                })+
                Value::Real64(real) => Value::Real64(Box::new(match &**real {
                    $(Real64::$wide(own) => {
                        Real64::$wide(own.get(at..at.checked_add(len)?)?.to_vec().into())
                    })+
                    _ => return None,
                })),
                _ => return None,
            }
        };
    }
    Some(slice! {
        PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array
        PackedStringArray PackedVector2Array PackedVector3Array PackedColorArray
        PackedVector4Array;
        PackedVector2Array PackedVector3Array PackedColorArray PackedVector4Array
    })
}

/// The number of elements of a packed array.
fn packed_len(value: &Value) -> usize {
    match of_value(value) {
        Children::Items(items) => items.len(),
        _ => 0,
    }
}

/// The target of a pointer.
enum Spot<'a> {
    Stream(&'a [Value]),
    Settings(&'a [(String, Value)]),
    Value(&'a Value),
    /// An element of a packed array, or the parts of it.
    Element(&'a Value, usize),
    Gone,
}

/// The value at the steps of a pointer, or the packed array and the position in it.
fn value_at<'a>(mut value: &'a Value, mut steps: &[&str]) -> Spot<'a> {
    while let [first, rest @ ..] = steps {
        let at = match (value, rest) {
            (Value::Array(_), _) => Some((first.parse().ok(), rest)),
            (_, [second, rest @ ..]) => Some((second.parse().ok(), rest)),
            _ => None,
        };
        let next = match at {
            Some((Some(at), rest)) => {
                steps = rest;
                if let Some(items) = value.as_array() {
                    items.get(at)
                } else if let Some(entries) = value.as_dictionary() {
                    let entry = entries.iter().nth(at / 2);
                    entry.map(|(key, value)| if at % 2 == 0 { key } else { value })
                } else if let Some(instance) = value.as_object().and_then(Object::as_instance) {
                    instance.properties.get(at / 2).map(|(_, value)| value)
                } else {
                    return Spot::Element(value, at);
                }
            }
            _ => None,
        };
        match next {
            Some(next) => value = next,
            None => return Spot::Gone,
        }
    }
    Spot::Value(value)
}

/// Does something with the value at the steps of a pointer. A changed key keeps its position.
fn with_value(
    value: &mut Value,
    steps: &[&str],
    then: &mut dyn FnMut(&mut Value) -> Result<(), String>,
) -> Result<(), String> {
    let gone = || "it is gone".to_owned();
    let (at, rest) = match (&*value, steps) {
        (_, []) => return then(value),
        (Value::Array(_), [first, rest @ ..]) | (_, [_, first, rest @ ..]) => {
            (first.parse::<usize>().map_err(|_| gone())?, rest)
        }
        _ => return Err(gone()),
    };
    if let Some(items) = value.as_array_mut() {
        return with_value(items.get_mut(at).ok_or_else(gone)?, rest, then);
    }
    if let Some(entries) = value.as_dictionary_mut() {
        if at % 2 == 1 {
            return with_value(entries.values_mut().nth(at / 2).ok_or_else(gone)?, rest, then);
        }
        let mut all = std::mem::take(entries).into_vec();
        let done = match all.get_mut(at / 2) {
            Some((key, _)) => with_value(key, rest, then),
            None => Err(gone()),
        };
        *entries = all.into_iter().collect();
        return done;
    }
    match value {
        Value::Object(Object::Instance(instance)) => {
            let property = instance.properties.get_mut(at / 2);
            with_value(&mut property.ok_or_else(gone)?.1, rest, then)
        }
        _ => Err(gone()),
    }
}

/// The root in a content that a pointer begins with, and the steps that are left.
fn begin(pointer: &str) -> (Option<&str>, Vec<&str>) {
    let mut steps = pointer.split('/').skip(2);
    (steps.next(), steps.collect())
}

fn spot<'a>(content: &'a Content, place: &Place) -> Spot<'a> {
    let (first, steps) = begin(&place.pointer);
    match (&content.body, first) {
        (Body::Values(values), None) => Spot::Stream(values),
        (Body::Settings(settings), None) => Spot::Settings(&settings.entries),
        (Body::Values(values), Some(at)) => {
            let value = at.parse().ok().and_then(|at: usize| values.get(at));
            value.map_or(Spot::Gone, |value| element(value_at(value, &steps), value, place))
        }
        (Body::Settings(settings), Some(name)) => {
            let name = name.replace("~1", "/").replace("~0", "~");
            let entry = settings.entries.iter().find(|(own, _)| *own == name);
            entry.map_or(Spot::Gone, |(_, value)| element(value_at(value, &steps), value, place))
        }
    }
}

/// A vector of a packed array has the pointer of the array's parts.
fn element<'a>(found: Spot<'a>, root: &'a Value, place: &Place) -> Spot<'a> {
    let Some((start, len)) = place.run else { return found };
    let (_, steps) = begin(&place.pointer);
    let steps = steps.split_last().map_or(&[][..], |(_, outer)| outer);
    match value_at(root, steps) {
        Spot::Value(array) => Spot::Element(array, start / len.max(1)),
        _ => Spot::Gone,
    }
}

/// Does something with the value at a pointer.
fn change(
    content: &mut Content,
    pointer: &str,
    then: &mut dyn FnMut(&mut Value) -> Result<(), String>,
) -> Result<(), String> {
    let (first, steps) = begin(pointer);
    let first = first.unwrap_or_default();
    let root = match &mut content.body {
        Body::Values(values) => first.parse().ok().and_then(|at: usize| values.get_mut(at)),
        Body::Settings(settings) => {
            let name = first.replace("~1", "/").replace("~0", "~");
            settings.entries.iter_mut().find(|(own, _)| *own == name).map(|(_, value)| value)
        }
    };
    with_value(root.ok_or("it is gone")?, &steps, then)
}

impl Native {
    /// A value in the notation.
    fn notation(&self, value: &Value) -> String {
        serde_json::to_string(&NativeJson(value).write_deep(self.levels)).unwrap_or_default()
    }

    fn json(&self, value: &Value) -> Json {
        json::read(self.notation(value).as_bytes(), std::marker::PhantomData).unwrap_or_default()
    }

    /// The notation of an element of a packed array: a part, or as many as a vector has.
    fn json_of_element(&self, array: &Value, at: usize) -> Json {
        let mut alone = slice_of(array, at, 1).map(|alone| self.json(&alone)).unwrap_or_default();
        let parts = alone.get_mut("args").map(Json::take).unwrap_or_default();
        match parts {
            Json::Array(mut parts) if parts.len() == 1 => parts.pop().unwrap_or_default(),
            parts => parts,
        }
    }

    fn json_at(&self, content: &Content, place: &Place) -> Json {
        match spot(content, place) {
            Spot::Value(value) => self.json(value),
            Spot::Element(array, at) => self.json_of_element(array, at),
            Spot::Stream(values) => values.iter().map(|value| self.json(value)).collect(),
            Spot::Settings(settings) => {
                settings.iter().map(|(name, value)| (name.clone(), self.json(value))).collect()
            }
            Spot::Gone => Json::Null,
        }
    }

    /// The value of a notation.
    fn value(&self, json: &Json) -> Result<Value, String> {
        NativeJsonSeed::new(self.levels).deserialize(json).map_err(|error| {
            let why = error.to_string();
            format!("does not fit: {}", why.split(", in ").next().unwrap_or_default())
        })
    }

    /// The value that a text says for a kind. What stands there says of which types its parts are.
    fn made(&self, kind: &str, text_: &str, old: Option<&Value>) -> Result<Value, String> {
        let prefixed = |prefix: &str, text: String| Json::String(format!("{prefix}{text}"));
        let json = match kind {
            "Nil" | "null" | "nil" => match text_ {
                "null" => Json::Null,
                _ => {
                    return Err(format!(
                        "expected null, found {text_}; --kind says what it is to be"
                    ));
                }
            },
            "bool" => boolean(text_)?,
            "int" => prefixed("i:", integer(text_, 64)?.to_string()),
            "float" => prefixed(
                "f:",
                match float(text_)? {
                    value if value.is_nan() => "nan".to_owned(),
                    value => format!("{value:?}"),
                },
            ),
            "String" => prefixed("s:", text(text_)?),
            "StringName" => prefixed("sn:", text(text_)?),
            "NodePath" => prefixed("np:", text(text_)?),
            kind => self.composed(kind, edit::notation(text_, kind)?, old)?,
        };
        self.value(&json)
    }

    fn composed(&self, kind: &str, new: Json, old: Option<&Value>) -> Result<Json, String> {
        let old = old.filter(|old| name_of(old) == kind).map(|old| self.json(old));
        let typed = |json: &Json| TYPES.map(|name| json.get(name).cloned());
        if new.is_array() {
            if kind == "Array" && old.as_ref().is_none_or(Json::is_array) {
                return Ok(new);
            }
            // The parts alone.
            let mut made = old.unwrap_or_else(|| serde_json::json!({ "type": kind }));
            if let Json::Object(members) = &mut made {
                members.insert("args".to_owned(), new);
            }
            return Ok(made);
        }
        let (found, parts) = (kind_of(&new), typed(&new));
        if found != kind {
            return Err(format!("expected {kind}, found {found}; --kind {found} makes it one"));
        }
        if old.is_some_and(|old| typed(&old) != parts) {
            return Err(format!("expected {kind} with the same types of its parts"));
        }
        Ok(new)
    }

    /// The notation of an element of a packed array, which a text says.
    fn element(&self, element: &str, new: &str) -> Result<Json, String> {
        let (len, json) = match PACKED.iter().find(|(_, own, len)| *own == element && *len > 1) {
            Some((.., len)) => (*len, edit::notation(new, element)?),
            None if element == "text" => return Ok(Json::String(text(new)?)),
            None => return edit::notation(new, "a number"),
        };
        let parts = if json.is_array() { Some(json) } else { json.get("args").cloned() };
        let parts = parts.filter(|parts| parts.as_array().is_some_and(|own| own.len() == len));
        parts.ok_or_else(|| format!("expected an array of {len} numbers, found {new}"))
    }

    /// Replaces parts of a packed array.
    fn splice(
        &self,
        array: &mut Value,
        start: usize,
        len: usize,
        new: &[Json],
    ) -> Result<(), String> {
        let mut json = self.json(array);
        let Some(Json::Array(parts)) = json.get_mut("args") else {
            return Err("it holds nothing".to_owned());
        };
        let end = start.checked_add(len).filter(|end| *end <= parts.len());
        let Some(end) = end else { return Err(format!("there are only {} parts", parts.len())) };
        parts.splice(start..end, new.iter().cloned());
        *array = self.value(&json)?;
        Ok(())
    }
}

impl Values for Native {
    type Data = Content;

    fn root(&self, content: &Content) -> Place {
        match &content.body {
            Body::Values(values) if values.len() == 1 => Place::root("/values/0", ""),
            Body::Values(_) => Place::root("/values", STREAM),
            Body::Settings(_) => Place::root("/settings", edit::SETTINGS),
        }
    }

    fn is_only(&self, content: &Content) -> bool {
        let is_framed = content.framing != super::settings::Framing::Bare;
        is_framed && matches!(&content.body, Body::Values(values) if values.len() == 1)
    }

    fn key(&self, content: &Content, place: &Place, index: usize) -> Option<Place> {
        let Spot::Value(value) = spot(content, place) else { return None };
        let is_there = value.as_dictionary().is_some_and(|entries| index < entries.len());
        is_there.then(|| place.key(index, "/args", index.checked_mul(2).unwrap_or(index), ""))
    }

    fn children(&self, content: &Content, place: &Place) -> Vec<Place> {
        let index = |within: &str, count: usize, kind: &str| -> Vec<Place> {
            (0..count).map(|at| place.element(Step::Index(at), within, at, kind)).collect()
        };
        let pairs = |within: &str, steps: &mut dyn Iterator<Item = Step>| -> Vec<Place> {
            let made = steps.enumerate().map(|(pair, step)| {
                let mut child = place.element(step, within, 2 * pair + 1, "");
                child.whole = Whole::Parts(format!("{}{within}", place.pointer), 2 * pair, 2);
                child
            });
            made.collect()
        };
        let value = match spot(content, place) {
            Spot::Stream(values) => return index("", values.len(), ""),
            Spot::Settings(settings) => {
                let member = |(name, _): &(String, Value)| {
                    place.member(Step::Name(name.clone()), "", name, "")
                };
                return settings.iter().map(member).collect();
            }
            Spot::Value(value) => value,
            Spot::Element(..) | Spot::Gone => return Vec::new(),
        };
        let inside = within(value);
        if let Some(items) = value.as_array() {
            return index(inside, items.len(), "");
        }
        if let Some(entries) = value.as_dictionary() {
            return pairs(inside, &mut entries.keys().map(step));
        }
        if let Some(instance) = value.as_object().and_then(Object::as_instance) {
            let names = instance.properties.iter();
            return pairs(inside, &mut names.map(|(name, _)| Step::Key(name.to_string())));
        }
        match packed(&name_of(value)) {
            None => Vec::new(),
            Some((element, 1)) => index(inside, packed_len(value), element),
            Some((element, len)) => {
                let runs = (0..packed_len(value)).map(|at| {
                    let mut child = place.element(Step::Index(at), inside, at, element);
                    child.pointer = format!("{}{inside}", place.pointer);
                    child.run = Some((at * len, len));
                    child.whole = Whole::Parts(child.pointer.clone(), at * len, len);
                    child
                });
                runs.collect()
            }
        }
    }

    fn set(
        &self,
        content: &mut Content,
        place: &Place,
        new: &str,
        kind: Option<&str>,
    ) -> Result<(), String> {
        match (place.kind.as_str(), kind) {
            ("", kind) => change(content, &place.pointer, &mut |old| {
                let own = name_of(old);
                *old = self.made(kind.unwrap_or(&own), new, Some(old))?;
                Ok(())
            }),
            (STREAM | edit::SETTINGS, _) => Err("only what is in the file can be set".to_owned()),
            (_, Some(_)) => Err("elements of a packed array have one kind".to_owned()),
            (element, None) => {
                let (array, start, len) = match &place.whole {
                    Whole::Parts(parts, start, len) => (parts, *start, *len),
                    _ => return Err("it is gone".to_owned()),
                };
                let new = match self.element(element, new)? {
                    Json::Array(new) if place.run.is_some() => new,
                    new => vec![new],
                };
                let array = array.strip_suffix("/args").unwrap_or(array);
                change(content, array, &mut |array| self.splice(array, start, len, &new))
            }
        }
    }

    fn insert(
        &self,
        content: &mut Content,
        container: &Place,
        step: &New,
        new: &str,
        kind: Option<&str>,
    ) -> Result<(), String> {
        let guessed = || self.made(kind.unwrap_or_else(|| guess(new)), new, None);
        if let (Body::Settings(settings), edit::SETTINGS) =
            (&mut content.body, container.kind.as_str())
        {
            let New::Name(name) = step else {
                return Err("nothing can be added to a value of the kind settings so".to_owned());
            };
            settings.entries.push((name.clone(), guessed()?));
            return Ok(());
        }
        if let (Body::Values(values), STREAM) = (&mut content.body, container.kind.as_str()) {
            let New::Index(position) = step else {
                return Err("nothing can be added to a value of the kind Array so".to_owned());
            };
            return put(values, *position, guessed()?);
        }
        change(content, &container.pointer, &mut |value| {
            let own = name_of(value);
            if let (Some(items), New::Index(position)) = (value.as_array_mut(), step) {
                return put(items, *position, guessed()?);
            }
            let is_name = matches!(value, Value::TypedDictionary(typed)
                if typed.key.to_string() == "StringName");
            if let Some(entries) = value.as_dictionary_mut() {
                let key = match step {
                    New::Name(name) => format!("{}{name}", if is_name { "sn:" } else { "s:" }),
                    New::Index(Some(key)) => format!("i:{key}"),
                    _ => {
                        return Err(format!(
                            "nothing can be added to a value of the kind {own} so"
                        ));
                    }
                };
                entries.insert(self.value(&Json::String(key))?, guessed()?);
                return Ok(());
            }
            match (value, packed(&own), step) {
                (value, Some((element, len)), New::Index(position)) => {
                    let made = match self.element(element, new)? {
                        Json::Array(made) if len > 1 => made,
                        made => vec![made],
                    };
                    let end = packed_len(value) * len;
                    self.splice(value, position.map_or(end, |at| at * len), 0, &made)
                }
                (Value::Object(Object::Instance(instance)), _, New::Name(name)) => {
                    instance.properties.push((name.as_str().into(), guessed()?));
                    Ok(())
                }
                _ => Err(format!("nothing can be added to a value of the kind {own} so")),
            }
        })
    }

    fn remove(&self, content: &mut Content, mut places: Vec<Place>) -> Result<(), String> {
        last_first(&mut places);
        for place in places.iter().rev() {
            match (&place.whole, &mut content.body) {
                (Whole::Never(why), _) => return Err(format!("{}: {why}", place.shown())),
                (Whole::Member(_, name), Body::Settings(settings)) => {
                    settings.entries.retain(|(own, _)| own != name);
                }
                (Whole::Parts(list, start, _), Body::Values(values)) if list == "/values" => {
                    if *start < values.len() {
                        values.remove(*start);
                    }
                }
                (Whole::Parts(list, start, len), _) => {
                    let outer = list.strip_suffix("/args").or(list.strip_suffix("/props"));
                    let outer = outer.unwrap_or(list);
                    change(content, outer, &mut |value| self.cut(value, *start, *len))?;
                }
                (Whole::Member(..), _) => {}
            }
        }
        Ok(())
    }

    fn holds(&self, content: &Content, place: &Place) -> bool {
        match spot(content, place) {
            Spot::Value(value) => !within(value).is_empty() || value.as_array().is_some(),
            Spot::Element(..) => false,
            _ => true,
        }
    }

    fn kind(&self, content: &Content, place: &Place) -> String {
        match (place.kind.as_str(), spot(content, place)) {
            ("", Spot::Value(value)) => name_of(value),
            (kind, _) => kind.to_owned(),
        }
    }

    fn text(&self, content: &Content, place: &Place) -> String {
        let json = self.json_at(content, place);
        shown(&json, plain(&json))
    }

    fn plain(&self, content: &Content, place: &Place) -> Json {
        match (spot(content, place), self.json_at(content, place)) {
            (Spot::Settings(_), Json::Object(settings)) => {
                settings.iter().map(|(name, value)| (name.clone(), plain(value))).collect()
            }
            (_, json) => plain(&json),
        }
    }
}

impl Native {
    /// Takes parts out of a container.
    fn cut(&self, value: &mut Value, start: usize, len: usize) -> Result<(), String> {
        if let Some(items) = value.as_array_mut() {
            if start < items.len() {
                items.remove(start);
            }
            return Ok(());
        }
        if let Some(entries) = value.as_dictionary_mut() {
            let mut all = std::mem::take(entries).into_vec();
            if start / 2 < all.len() {
                all.remove(start / 2);
            }
            *entries = all.into_iter().collect();
            return Ok(());
        }
        match value {
            Value::Object(Object::Instance(instance)) => {
                if start / 2 < instance.properties.len() {
                    instance.properties.remove(start / 2);
                }
                Ok(())
            }
            array => self.splice(array, start, len, &[]),
        }
    }
}

/// Puts a value into a list, at its end where no position is given.
fn put(items: &mut Vec<Value>, position: Option<usize>, new: Value) -> Result<(), String> {
    let position = position.unwrap_or(items.len());
    if position > items.len() {
        return Err(format!("there are only {} parts", items.len()));
    }
    items.insert(position, new);
    Ok(())
}

/// The kind that a text looks like.
fn guess(text: &str) -> &'static str {
    match edit::json(text) {
        Some(Json::Null) => "Nil",
        Some(Json::Bool(_)) => "bool",
        Some(Json::Number(number)) if number.is_i64() => "int",
        Some(Json::Number(_)) => "float",
        Some(Json::Array(_)) => "Array",
        Some(value @ Json::Object(_)) => {
            let kind = kind_of(&value);
            let known = PACKED.iter().map(|(own, ..)| *own).find(|own| *own == kind);
            known.unwrap_or(match kind {
                "Dictionary" => "Dictionary",
                _ => "Object",
            })
        }
        _ => "String",
    }
}

fn plain(json: &Json) -> Json {
    match json {
        Json::String(text) => match kind_of(json) {
            "text" => json.clone(),
            kind => {
                let rest = text.split_once(':').map_or("", |(_, rest)| rest);
                let number = match kind {
                    "int" => rest.parse::<i64>().ok().map(Json::from),
                    "float" => rest.parse::<f64>().ok().filter(|f| f.is_finite()).map(Json::from),
                    _ => None,
                };
                number.unwrap_or_else(|| Json::String(rest.to_owned()))
            }
        },
        Json::Array(items) => items.iter().map(plain).collect(),
        Json::Object(members) => object(json, members),
        other => other.clone(),
    }
}

fn object(json: &Json, members: &serde_json::Map<String, Json>) -> Json {
    let list = |name| members.get(name).and_then(Json::as_array);
    let pairs = |parts: &[Json]| -> Json {
        let key = |key: &Json| match plain(key) {
            Json::String(text) => text,
            other => other.to_string(),
        };
        let (keys, values) = (parts.iter().step_by(2), parts.iter().skip(1).step_by(2));
        keys.zip(values).map(|(own, value)| (key(own), plain(value))).collect()
    };
    match (kind_of(json), list("args"), list("props")) {
        ("Dictionary", Some(args), _) => pairs(args),
        ("Array", Some(args), _) => args.iter().map(plain).collect(),
        (kind, Some(args), _) => match packed(kind) {
            Some((_, len)) if len > 1 => {
                args.chunks(len).map(|own| Json::from(own.to_vec())).collect()
            }
            _ => Json::from(args.clone()),
        },
        (_, _, Some(props)) => pairs(props),
        _ => Json::Null,
    }
}
