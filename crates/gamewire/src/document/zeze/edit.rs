//! Values in the JSON notation of beans and frames, by their paths.

use std::marker::PhantomData;

use serde_json::Value as Json;
use zeze_serialize::explain::Part;
use zeze_serialize::{Kind, Value};

use crate::document::edit::{self, Place, Values, Whole, float, integer, last_first, shown, text};
use crate::document::json;
use crate::document::path::{New, Step};
use gamewire_gen::zeze::view::{At, ShownValue, View};

/// With the solution of the data, fields are known by their names.
pub(crate) struct Beans {
    pub(super) view: Option<View>,
}

const FRAME: &str = "frame";
const FRAMES: &str = "frames";
const HEADER: &str = "number";

/// The member of a frame in which the bean is.
const BEAN: &str = "bean";

/// A part of a frame.
fn of_frame(frame: &Place, name: &str, kind: &str) -> Place {
    let mut part = frame.member(Step::Name(name.to_owned()), "", name, kind);
    part.whole = Whole::Never("a frame needs it");
    part
}

/// `7:int` as the id and the kind.
fn field(name: &str) -> Option<(u32, &str)> {
    let (id, kind) = name.split_once(':')?;
    Some((id.parse().ok()?, kind))
}

fn made(kind: &str, new: &str, old: Option<&Json>) -> Result<Json, String> {
    Ok(match kind {
        "int" | HEADER => Json::from(integer(new, 64)?),
        "float" | "double" => match float(new)? {
            value if value.is_finite() => Json::from(value),
            value => Json::String(format!("{value:?}")),
        },
        "string" => match edit::json(new) {
            Some(json @ Json::Object(_)) if json.get("hex").is_some() => json,
            _ => Json::String(text(new)?),
        },
        kind => match (edit::notation(new, kind)?, old) {
            // The elements alone.
            (new @ Json::Array(_), Some(Json::Object(old))) if kind == "list" || kind == "map" => {
                Json::Object(old.keys().take(1).map(|name| (name.clone(), new.clone())).collect())
            }
            (new, old) => {
                let name =
                    |json: &Json| json.as_object().and_then(|own| own.keys().next().cloned());
                let is_container = kind == "list" || kind == "map";
                if is_container && old.is_some_and(|old| name(old) != name(&new)) {
                    return Err(format!("expected a {kind} with the same kinds of elements"));
                }
                new
            }
        },
    })
}

impl Values for Beans {
    type Data = Json;

    fn root(&self, json: &Json) -> Place {
        match json.get("list").and_then(Json::as_array) {
            None => Place::root("/bean", "bean"),
            Some(list) if list.len() == 1 => Place::root("/list/0", FRAME),
            Some(_) => Place::root("/list", FRAMES),
        }
    }

    fn children(&self, json: &Json, place: &Place) -> Vec<Place> {
        let value = value_at(json, place);
        let list = |within: &str, items: Option<&Json>, kind: &str| -> Vec<Place> {
            let count = items.and_then(Json::as_array).map_or(0, Vec::len);
            (0..count).map(|at| place.element(Step::Index(at), within, at, kind)).collect()
        };
        match (place.kind.as_str(), value) {
            (FRAMES, _) => list("", Some(value), FRAME),
            (FRAME, Json::Object(members)) => {
                let kind = |name: &str| match name {
                    "unique" => "bean",
                    "family" | "rest" => "string",
                    _ => HEADER,
                };
                let header = members.keys().filter(|name| *name != BEAN);
                let header = header.map(|name| of_frame(place, name, kind(name)));
                let mut fields = self.fields(json, place, "/bean", members.get(BEAN));
                // A field with the name of a number of the frame is known by its own number.
                for field in &mut fields {
                    let Some(Step::Name(name)) = field.path.last() else { continue };
                    let own = field.pointer.rsplit('/').next().and_then(self::field);
                    if let Some((id, _)) = own.filter(|_| members.contains_key(name)) {
                        field.path.pop();
                        field.path.push(Step::Other(format!("field {id}")));
                    }
                }
                header.chain(fields).collect()
            }
            ("list", Json::Object(members)) => {
                let Some((kind, items)) = members.iter().next() else { return Vec::new() };
                list(&format!("/{kind}"), Some(items), kind)
            }
            ("map", Json::Object(members)) => {
                let Some((kinds, entries)) = members.iter().next() else { return Vec::new() };
                let kind = kinds.split_once(':').map(|kinds| kinds.1);
                let entries = entries.as_array().into_iter().flatten().enumerate();
                let keys = Keys::of(self.view.as_ref(), json, place, kinds);
                let child = |(at, entry): (usize, &Json)| {
                    let step = keys.step(entry.get(0).unwrap_or(&Json::Null));
                    let within = format!("/{kinds}/{at}");
                    let mut child = place.element(step, &within, 1, kind.unwrap_or_default());
                    let entries = format!("{}/{kinds}", place.pointer);
                    child.whole = Whole::Parts(entries, at, 1);
                    child
                };
                entries.map(child).collect()
            }
            ("dynamic", Json::Object(dynamic)) => {
                self.fields(json, place, "/bean", dynamic.get("bean"))
            }
            ("bean", bean) => self.fields(json, place, "", Some(bean)),
            _ => Vec::new(),
        }
    }

    fn key(&self, json: &Json, place: &Place, index: usize) -> Option<Place> {
        let map = match place.kind.as_str() {
            "map" => place,
            _ => &self.row(json, place)?,
        };
        let value = value_at(json, map);
        let (kinds, entries) = value.as_object()?.iter().next()?;
        entries.get(index)?.get(0)?;
        let kind = kinds.split_once(':')?.0;
        Some(map.key(index, &format!("/{kinds}/{index}"), 0, kind))
    }

    fn is_only(&self, json: &Json) -> bool {
        json.get("list").and_then(Json::as_array).is_some_and(|own| own.len() == 1)
    }

    /// The bean of a frame, whose fields are shown as those of the frame.
    fn aside(&self, json: &Json, place: &Place) -> Option<Place> {
        let is_frame = place.kind == FRAME && value_at(json, place).get(BEAN).is_some();
        is_frame.then(|| of_frame(place, BEAN, "bean"))
    }

    fn set(
        &self,
        json: &mut Json,
        place: &Place,
        new: &str,
        kind: Option<&str>,
    ) -> Result<(), String> {
        let old = value_at(json, place).clone();
        let Some(kind) = kind.filter(|kind| *kind != place.kind) else {
            return put(json, place, made(&place.kind, new, Some(&old))?);
        };
        let new = made(kind, new, None)?;
        // The kind is a part of the name.
        let Whole::Member(object, name) = &place.whole else {
            return Err("elements of a list or map have one kind".to_owned());
        };
        let Some((id, _)) = field(name) else {
            return Err(format!("it is always {}", place.kind));
        };
        let Some(Json::Object(members)) = json.pointer_mut(object) else {
            return Err("it is gone".to_owned());
        };
        let renamed = std::mem::take(members).into_iter().map(|(own, value)| {
            if own == *name { (format!("{id}:{kind}"), new.clone()) } else { (own, value) }
        });
        *members = renamed.collect();
        Ok(())
    }

    fn insert(
        &self,
        json: &mut Json,
        container: &Place,
        step: &New,
        new: &str,
        kind: Option<&str>,
    ) -> Result<(), String> {
        if let Some(cells) = self.cells(json, container, step) {
            return self.insert(json, &cells, step, new, kind);
        }
        // The kinds of the elements, which are the name of the only member.
        let own = value_at(json, container);
        let kinds = own.as_object().and_then(|own| own.keys().next().cloned()).unwrap_or_default();
        let element = kinds.split_once(':').map_or(kinds.as_str(), |kinds| kinds.1).to_owned();
        let is_around = ["dynamic", FRAME].contains(&container.kind.as_str());
        let within = if is_around { "/bean" } else { "" };
        match (container.kind.as_str(), step) {
            ("bean" | "dynamic" | FRAME, New::Other(name) | New::Name(name)) => {
                let pointer = format!("{}{within}", container.pointer);
                let id = name.strip_prefix("field ").and_then(|id| id.parse::<u32>().ok());
                let known = self.view.as_ref();
                let known = known.and_then(|view| view.by_name(view.at(json, &pointer)?, name));
                let kind = kind.or(known.map(|known| known.1));
                let id = known.map(|known| known.0).or(id);
                let id = id.ok_or("expected a field as [field 7], or its name in the --schema")?;
                let kind = kind.unwrap_or(match edit::json(new) {
                    Some(Json::Number(number)) if number.is_i64() => "int",
                    Some(Json::Number(_)) => "double",
                    Some(Json::Object(_)) => return Err("--kind says which kind it is".to_owned()),
                    _ => "string",
                });
                let Some(Json::Object(members)) = json.pointer_mut(&pointer) else {
                    return Err("it is gone".to_owned());
                };
                let mut all: Vec<(String, Json)> = std::mem::take(members).into_iter().collect();
                // Fields rise; the base comes last.
                let place = |name: &str| field(name).map_or(u32::MAX, |(own, _)| own);
                let at = all.iter().position(|(own, _)| place(own) > id).unwrap_or(all.len());
                all.insert(at, (format!("{id}:{kind}"), made(kind, new, None)?));
                *members = all.into_iter().collect();
                Ok(())
            }
            ("list", New::Index(at)) => {
                let made = made(&element, new, None)?;
                insert_at(json, &format!("{}/{kinds}", container.pointer), *at, made)
            }
            ("map", step) => {
                let key = match step {
                    New::Name(name) => Json::String(name.clone()),
                    New::Index(Some(key)) => Json::from(*key),
                    New::Other(key) => edit::notation(key, "a key")?,
                    New::Index(None) => return Err("an entry needs a key".to_owned()),
                };
                let entry = Json::Array(vec![key, made(&element, new, None)?]);
                insert_at(json, &format!("{}/{kinds}", container.pointer), None, entry)
            }
            (kind, _) => Err(format!("nothing can be added to a {kind} so")),
        }
    }

    fn remove(&self, json: &mut Json, places: Vec<Place>) -> Result<(), String> {
        remove(json, places)
    }

    fn holds(&self, json: &Json, place: &Place) -> bool {
        let value = json.pointer(&place.pointer);
        value.is_none_or(|own| own.is_array() || own.is_object())
    }

    fn kind(&self, _json: &Json, place: &Place) -> String {
        place.kind.clone()
    }

    fn text(&self, json: &Json, place: &Place) -> String {
        let value = value_at(json, place);
        shown(value, self.plain_of(value))
    }

    fn plain(&self, json: &Json, place: &Place) -> Json {
        self.plain_of(value_at(json, place))
    }

    fn all_plain(&self, json: &Json) -> Json {
        self.plain_of(json)
    }
}

/// The JSON of a place.
fn value_at<'j>(json: &'j Json, place: &Place) -> &'j Json {
    json.pointer(&place.pointer).unwrap_or(&Json::Null)
}

/// Puts other JSON at a place.
fn put(json: &mut Json, place: &Place, new: Json) -> Result<(), String> {
    *json.pointer_mut(&place.pointer).ok_or("it is gone")? = new;
    Ok(())
}

/// Removes values.
fn remove(json: &mut Json, mut places: Vec<Place>) -> Result<(), String> {
    last_first(&mut places);
    for place in places.iter().rev() {
        match &place.whole {
            Whole::Member(object, name) => {
                if let Some(Json::Object(members)) = json.pointer_mut(object) {
                    members.shift_remove(name);
                }
            }
            Whole::Parts(array, start, len) => {
                if let Some(Json::Array(parts)) = json.pointer_mut(array)
                    && start + len <= parts.len()
                {
                    parts.drain(*start..start + len);
                }
            }
            Whole::Never(why) => return Err(format!("{}: {why}", place.shown())),
        }
    }
    Ok(())
}

impl Beans {
    /// Notation without the kinds of fields.
    fn plain_of(&self, json: &Json) -> Json {
        // Only of a whole file is it known what its beans are.
        if let (Some(view), Some(_)) = (&self.view, json.get(FRAMES)) {
            return Beans { view: None }.plain_of(&view.named(json.clone()));
        }
        let Json::Object(members) = json else {
            return match json {
                Json::Array(items) => items.iter().map(|item| self.plain_of(item)).collect(),
                other => other.clone(),
            };
        };
        let get = |name: &str| members.get(name).map(|own| self.plain_of(own));
        if members.contains_key("frames") {
            return get("list").or(get("bean")).unwrap_or_default();
        }
        if let (1, Some((name, Json::Array(items)))) = (members.len(), members.iter().next()) {
            let is_kind = |name: &str| Kind::from_name(name).is_some();
            if is_kind(name) {
                return items.iter().map(|item| self.plain_of(item)).collect();
            }
            if name.split_once(':').is_some_and(|kinds| is_kind(kinds.0) && is_kind(kinds.1)) {
                let text = |key: &Json| key.as_str().map_or_else(|| key.to_string(), str::to_owned);
                let entry = |entry: &Json| {
                    let part = |at| self.plain_of(entry.get(at).unwrap_or(&Json::Null));
                    (text(&part(0)), part(1))
                };
                return items.iter().map(entry).collect();
            }
        }
        let name = |name: &String| field(name).map_or(name.clone(), |(id, _)| id.to_string());
        members.iter().map(|(own, value)| (name(own), self.plain_of(value))).collect()
    }
}

impl Beans {
    /// The fields of a bean.
    fn fields(&self, json: &Json, place: &Place, within: &str, bean: Option<&Json>) -> Vec<Place> {
        let members = bean.and_then(Json::as_object);
        let pointer = format!("{}{within}", place.pointer);
        let at = self.view.as_ref().and_then(|view| Some((view, view.at(json, &pointer)?)));
        let mut children = Vec::new();
        for name in members.into_iter().flat_map(|members| members.keys()) {
            let Some((id, kind)) = field(name) else {
                let step = Step::Other(name.clone());
                children.push(place.member(step, within, name, "bean"));
                continue;
            };
            let own = at.zip(Kind::from_name(kind));
            let known = own.and_then(|((view, at), kind)| view.field(at, id, kind).name);
            let step = match known {
                // The cells of a row stand in its place.
                Some("") => {
                    let cells = inside(place, format!("{pointer}/{name}"), kind);
                    children.extend(self.children(json, &cells));
                    continue;
                }
                Some(known) => Step::Name(known.to_owned()),
                None => Step::Other(format!("field {id}")),
            };
            children.push(place.member(step, within, name, kind));
        }
        children
    }

    /// The map of cells of a row.
    fn row(&self, json: &Json, row: &Place) -> Option<Place> {
        let view = self.view.as_ref().filter(|_| row.kind == "bean")?;
        view.cells(view.at(json, &row.pointer)?)?;
        let cells = inside(row, format!("{}/{CELLS}", row.pointer), "map");
        json.pointer(&cells.pointer).map(|_| cells)
    }

    /// The map of cells for something new in a row, made if there is none.
    fn cells(&self, json: &mut Json, row: &Place, step: &New) -> Option<Place> {
        let view = self.view.as_ref().filter(|_| row.kind == "bean")?;
        let kinds = view.cells(view.at(json, &row.pointer)?)?;
        if matches!(step, New::Other(name) if name.starts_with("field ")) {
            return None;
        }
        let Json::Object(members) = json.pointer_mut(&row.pointer)? else { return None };
        if !members.contains_key(CELLS) {
            let none = Json::Object([(kinds, Json::Array(Vec::new()))].into_iter().collect());
            let others = std::mem::take(members);
            *members = [(CELLS.to_owned(), none)].into_iter().chain(others).collect();
        }
        Some(inside(row, format!("{}/{CELLS}", row.pointer), "map"))
    }
}

/// The member of a row that its cells are.
const CELLS: &str = "1:map";

/// A value in the place of the one around it.
fn inside(place: &Place, pointer: String, kind: &str) -> Place {
    Place { pointer, kind: kind.to_owned(), ..place.clone() }
}

/// How the keys of a map are shown.
struct Keys<'a> {
    kind: &'a str,
    at: Option<(&'a View, At<'a>)>,
}

impl<'a> Keys<'a> {
    fn of(view: Option<&'a View>, json: &Json, map: &Place, kinds: &'a str) -> Self {
        let (key, value) = kinds.split_once(':').unwrap_or((kinds, ""));
        let both = Kind::from_name(key).zip(Kind::from_name(value));
        let at = view.zip(both).and_then(|(view, (key, value))| {
            Some((view, view.part(view.at(json, &map.pointer)?, Part::Key(key, value))?))
        });
        Keys { kind: key, at }
    }

    /// As `diff` and `explain` show it.
    fn step(&self, key: &Json) -> Step {
        match key {
            Json::String(text) if self.kind == "string" => Step::Key(text.clone()),
            Json::Number(number) if self.kind == "int" => Step::Other(number.to_string()),
            other => {
                let field = [(format!("1:{}", self.kind), other.clone())];
                let bean = Json::Object(field.into_iter().collect()).to_string();
                let bean = json::read(bean.as_bytes(), PhantomData::<Value>).ok();
                let key = bean.as_ref().and_then(|bean| bean.get(1));
                Step::Other(match (key, self.at) {
                    (None, _) => other.to_string(),
                    (Some(key), None) => format!("{key:?}"),
                    (Some(value), Some((view, at))) => {
                        ShownValue { value, at: Some(at), view }.to_string()
                    }
                })
            }
        }
    }
}

/// Puts an element into an array, at its end where no position is given.
fn insert_at(json: &mut Json, pointer: &str, at: Option<usize>, new: Json) -> Result<(), String> {
    let Some(Json::Array(items)) = json.pointer_mut(pointer) else {
        return Err("it holds no elements".to_owned());
    };
    let at = at.unwrap_or(items.len());
    if at > items.len() {
        return Err(format!("there are only {} elements", items.len()));
    }
    items.insert(at, new);
    Ok(())
}
