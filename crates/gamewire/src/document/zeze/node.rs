//! The values of a file: frames, beans and what is in them. With the solution of the data, fields are
//! known by their names.

use std::fmt;

use serde_json::Value as Json;
use zeze_serialize::explain::{Known, Part};
use zeze_serialize::frame::Frame;
use zeze_serialize::value::{Bean, Map};
use zeze_serialize::{Kind, Value};

use super::content::Content;
use super::item::{BeanItem, FramePart};
use super::notation::{self, family};
use crate::document::diff::{Children, Tree};
use crate::document::edit::{self, float, integer, text};
use crate::document::node::{self, Fresh, Turn, Way};
use crate::document::path::{New, Step};
use crate::document::words::count;
use gamewire_gen::zeze::view::{At, ShownBean, ShownValue, View};

/// A value of a file, and what the solution knows of it, if there is one.
#[derive(Clone)]
pub(in crate::document) struct Node<'a> {
    what: FileValue<'a>,
    at: Option<At<'a>>,
    view: Option<&'a View>,
    /// Whether its kind is that of the values beside it.
    is_element: bool,
}

#[derive(Clone)]
enum FileValue<'a> {
    Frames(&'a [Frame<'static, Value>]),
    Frame(&'a Frame<'static, Value>),
    Value(&'a Value),
    /// The layer of a base.
    Base(&'a Bean),
    /// A part of a frame that is no value of its bean.
    Header(FramePart, Value),
}

impl<'a> Node<'a> {
    /// The whole file. A file of one frame is that frame.
    pub(super) fn root(content: &'a Content, view: Option<&'a View>) -> Self {
        let (what, at) = match content {
            Content::Bean(bean) => (FileValue::Value(bean), view.and_then(View::bean)),
            Content::Frames(_, list) => match list.as_slice() {
                [only] => (FileValue::Frame(only), None),
                list => (FileValue::Frames(list), None),
            },
        };
        Node { what, at, view, is_element: false }
    }

    fn with(&self, what: FileValue<'a>, at: Option<At<'a>>) -> Self {
        Node { what, at, view: self.view, is_element: false }
    }

    fn part(&self, what: FileValue<'a>, part: Part) -> Self {
        self.with(what, self.view.zip(self.at).and_then(|(view, at)| view.part(at, part)))
    }

    fn element(&self, value: &'a Value, part: Part) -> Self {
        Node { is_element: true, ..self.part(FileValue::Value(value), part) }
    }

    fn of_frame(&self, frame: &'a Frame<'static, Value>) -> Vec<node::Part<Self>> {
        let mut parts = Vec::new();
        for (at, part) in FramePart::all(frame).into_iter().enumerate() {
            let way = vec![Turn::Child(at)];
            match (part, &frame.bean) {
                // The fields of the bean are shown as those of the frame.
                (FramePart::Bean, Value::Bean(bean)) => {
                    let is_taken = |name: &str| {
                        let own = FramePart::all(frame).into_iter();
                        own.filter(|own| *own != FramePart::Bean).any(|own| own.name() == name)
                    };
                    let inner = self.bean_of(frame);
                    parts.extend(inner.fields(bean, &way, &is_taken));
                }
                (FramePart::Bean, _) => {
                    parts.push((Step::Name("bean".to_owned()), way, self.bean_of(frame)));
                }
                (part, _) => {
                    let Some(value) = part.of(frame) else { continue };
                    let node = self.with(FileValue::Header(part, value), None);
                    parts.push((Step::Name(part.name().to_owned()), way, node));
                }
            }
        }
        parts
    }

    fn bean_of(&self, frame: &'a Frame<'static, Value>) -> Self {
        let at = self.view.and_then(|view| of_protocol(view, frame).place);
        self.with(FileValue::Value(&frame.bean), at)
    }

    /// The bean whose fields are those of this value, and the way to it.
    fn bean(&self) -> Option<(Way, &'a Bean, Self)> {
        match &self.what {
            FileValue::Value(Value::Bean(bean)) => Some((Vec::new(), bean, self.clone())),
            FileValue::Base(bean) => Some((Vec::new(), bean, self.clone())),
            FileValue::Value(Value::Dynamic(dynamic)) => {
                let known = self.view.zip(self.at);
                let at = known.and_then(|(view, at)| view.dynamic(at, dynamic.type_id));
                Some((Vec::new(), &dynamic.bean, self.with(self.what.clone(), at)))
            }
            FileValue::Frame(frame) => {
                let at = FramePart::all(frame).iter().position(|own| *own == FramePart::Bean)?;
                Some((vec![Turn::Child(at)], frame.bean.as_bean()?, self.bean_of(frame)))
            }
            _ => None,
        }
    }

    /// The fields of the bean of this node. One whose name is taken is known by its number.
    fn fields(
        &self,
        bean: &'a Bean,
        around: &[Turn],
        is_taken: &dyn Fn(&str) -> bool,
    ) -> Vec<node::Part<Self>> {
        let mut parts = Vec::new();
        let way = |at: usize| -> Way { around.iter().copied().chain([Turn::Child(at)]).collect() };
        for (index, (id, value)) in bean.iter().enumerate() {
            let known = self.view.zip(self.at).map(|(view, at)| view.field(at, id, value.kind()));
            let (name, at) = known.map_or((None, None), |known| (known.name, known.place));
            let node = self.with(FileValue::Value(value), at);
            match (name, value) {
                // The cells of a row stand in its place.
                (Some(""), Value::Map(map)) => parts.extend(node.of_map(map, &way(index))),
                (Some(name), _) if !is_taken(name) => {
                    parts.push((Step::Name(name.to_owned()), way(index), node));
                }
                _ => parts.push((Step::Other(format!("field {id}")), way(index), node)),
            }
        }
        if let Some(base) = bean.base() {
            let base = self.part(FileValue::Base(base), Part::Base);
            parts.push((Step::Other("base".to_owned()), way(bean.len()), base));
        }
        parts
    }

    fn of_map(&self, map: &'a Map, around: &[Turn]) -> Vec<node::Part<Self>> {
        let Some((own_key, kind)) = map.key().zip(map.value()) else { return Vec::new() };
        let keys = self
            .view
            .zip(self.at)
            .and_then(|(view, at)| Some((view, view.part(at, Part::Key(own_key, kind))?)));
        let step = |key: &Value| match (key.as_str(), keys) {
            (Some(text), _) => Step::Key(text.to_owned()),
            (None, None) => Step::Other(format!("{key:?}")),
            (None, Some((view, at))) => {
                Step::Other(ShownValue { value: key, at: Some(at), view }.to_string())
            }
        };
        let entry = |(at, (key, value)): (usize, &'a (Value, Value))| {
            let way = around.iter().copied().chain([Turn::Child(at)]).collect();
            (step(key), way, self.element(value, Part::Value(own_key, kind)))
        };
        map.iter().enumerate().map(entry).collect()
    }

    /// The cells of a row: the map that is shown in its place, and the way to it.
    fn cells(&self) -> Option<(Way, &'a Map, Self)> {
        let (FileValue::Value(Value::Bean(row)), Some(At::Row(..))) = (&self.what, self.at) else {
            return None;
        };
        let index = row.iter().position(|(id, _)| id == CELLS)?;
        let cells = row.get(CELLS)?;
        let at =
            self.view.zip(self.at).and_then(|(view, at)| view.field(at, CELLS, Kind::Map).place);
        Some((vec![Turn::Child(index)], cells.as_map()?, self.with(FileValue::Value(cells), at)))
    }

    /// A new entry of a map with these kinds.
    fn entry(kinds: (Kind, Kind), step: &New, new: &str) -> Result<Fresh<BeanItem>, String> {
        let key = match step {
            New::Name(name) => Json::String(name.clone()),
            New::Index(Some(key)) => Json::from(*key),
            New::Other(key) => edit::notation(key, "a key")?,
            New::Index(None) => return Err("an entry needs a key".to_owned()),
        };
        let key = value_of(kinds.0, &key)?;
        Ok(Fresh::entry(BeanItem::Value(key), BeanItem::Value(made(kinds.1, new, None)?)))
    }
}

/// The field of a row that its cells are.
const CELLS: u32 = 1;

/// Whether there are values in a value.
pub(super) fn has_parts(value: &Value) -> bool {
    matches!(value.kind(), Kind::List | Kind::Map | Kind::Bean | Kind::Dynamic)
}

/// The protocol of a frame, and its bean.
fn of_protocol<'a>(view: &'a View, frame: &Frame<'_, Value>) -> Known<'a, At<'a>> {
    let is_answer = family(&frame.header).is_some_and(|family| family.ends_with("response"));
    view.frame(frame.module_id, frame.protocol_id, is_answer)
}

/// The value of a kind in the JSON notation.
fn value_of(kind: Kind, json: &Json) -> Result<Value, String> {
    let bean = Json::Object([(format!("1:{kind}"), json.clone())].into_iter().collect());
    let bean: Value = serde_json::from_value(bean).map_err(|error| {
        let why = error.to_string();
        format!("does not fit: {}", why.split(", in ").next().unwrap_or_default())
    })?;
    // A zero is written, too, where it is no field.
    Ok(bean.get(1).cloned().unwrap_or(Value::Int(0)))
}

/// The value that a text says for a kind.
fn made(kind: Kind, new: &str, old: Option<&Value>) -> Result<Value, String> {
    let json = match kind {
        Kind::Int => return Ok(Value::Int(integer(new, 64)?)),
        Kind::Float | Kind::Double => match float(new)? {
            value if value.is_finite() => Json::from(value),
            value => Json::String(format!("{value:?}")),
        },
        Kind::Bytes => match edit::json(new) {
            Some(json @ Json::Object(_)) if json.get("hex").is_some() => json,
            _ => Json::String(text(new)?),
        },
        kind => {
            let is_container = kind == Kind::List || kind == Kind::Map;
            let old = old.filter(|_| is_container).map(json_of);
            let name = |json: &Json| json.as_object().and_then(|own| own.keys().next().cloned());
            match (edit::notation(new, kind.name())?, old) {
                // The elements alone.
                (new @ Json::Array(_), Some(old)) => {
                    let name = name(&old).unwrap_or_default();
                    Json::Object([(name, new)].into_iter().collect())
                }
                (new, Some(old)) if name(&old) != name(&new) => {
                    return Err(format!("expected a {kind} with the same kinds of elements"));
                }
                (new, _) => new,
            }
        }
    };
    value_of(kind, &json)
}

/// A value in the JSON notation.
fn json_of(value: &Value) -> Json {
    if let Value::Bean(_) = value {
        return serde_json::to_value(value).unwrap_or_default();
    }
    // Alone it would say its kind.
    let mut bean = Bean::new();
    bean.insert(1, value.clone());
    let json = serde_json::to_value(Value::Bean(bean)).unwrap_or_default();
    match json {
        Json::Object(members) => members.into_iter().next().map(|(_, own)| own).unwrap_or_default(),
        other => other,
    }
}

impl Tree for Node<'_> {
    fn full_kind(&self) -> String {
        let name =
            |kind: Option<Kind>| kind.map_or_else(|| "nothing".to_owned(), |kind| kind.to_string());
        let of_map = |map: &Map| format!("{} to {}", name(map.key()), name(map.value()));
        match (&self.what, self.at) {
            (FileValue::Value(Value::List(list)), _) => format!("list of {}", name(list.element())),
            (FileValue::Value(Value::Map(map)), _) => format!("map of {}", of_map(map)),
            (FileValue::Value(Value::Dynamic(dynamic)), at) => {
                let bean = self
                    .view
                    .zip(at)
                    .and_then(|(view, at)| view.full(view.dynamic(at, dynamic.type_id)?));
                match bean {
                    Some(full) => format!("dynamic {full}"),
                    None => format!("dynamic {}", dynamic.type_id),
                }
            }
            (FileValue::Value(Value::Bean(row)), Some(At::Row(..))) => match row.get(1) {
                Some(Value::Map(cells)) => format!("row of {}", of_map(cells)),
                _ => "row".to_owned(),
            },
            (FileValue::Value(value), _) => value.kind().to_string(),
            (FileValue::Base(_), _) => "bean".to_owned(),
            _ => String::new(),
        }
    }

    fn children(&self) -> Children<Self> {
        let parts = || node::Node::parts(self).into_iter();
        match &self.what {
            FileValue::Frames(_) | FileValue::Value(Value::List(_)) => {
                Children::Items(parts().map(|(.., node)| node).collect())
            }
            what if is_leaf(what) => Children::None,
            _ => Children::Entries(parts().map(|(step, _, node)| (step, node)).collect()),
        }
    }

    fn len(&self) -> Option<usize> {
        match &self.what {
            FileValue::Frames(list) => Some(list.len()),
            FileValue::Value(Value::List(list)) => Some(list.len()),
            _ => None,
        }
    }

    fn element_at(&self, at: usize) -> Option<Option<Self>> {
        match &self.what {
            FileValue::Frames(list) => {
                Some(list.get(at).map(|frame| self.with(FileValue::Frame(frame), None)))
            }
            FileValue::Value(Value::List(list)) => {
                let part = list.element().map_or(Part::Base, Part::Element);
                Some(<[_]>::get(list, at).map(|own| self.element(own, part)))
            }
            _ => None,
        }
    }

    fn is_flat(&self) -> bool {
        is_leaf(&self.what)
    }

    fn is_row(&self) -> bool {
        match &self.what {
            FileValue::Value(Value::List(list)) => !list.iter().any(has_parts),
            FileValue::Value(Value::Map(map)) => !map.iter().any(|(_, value)| has_parts(value)),
            _ => self.is_flat(),
        }
    }

    fn title(&self) -> String {
        match &self.what {
            FileValue::Frames(list) => count(list.len(), "frame"),
            FileValue::Frame(frame) => {
                let known = self.view.map(|view| (view, of_protocol(view, frame)));
                let name = known.as_ref().and_then(|(_, known)| known.name).unwrap_or("frame");
                match known.as_ref().and_then(|(view, known)| view.full(known.place?)) {
                    Some(bean) => format!("{name}, {bean}"),
                    None => name.to_owned(),
                }
            }
            FileValue::Value(Value::List(list)) => {
                format!("{}, {}", self.full_kind(), count(list.len(), "element"))
            }
            FileValue::Value(Value::Map(map)) => {
                format!("{}, {}", self.full_kind(), count(map.len(), "entry"))
            }
            FileValue::Value(Value::Dynamic(_)) => self.full_kind(),
            _ => {
                let full = self.view.zip(self.at).and_then(|(view, at)| view.full(at));
                full.map_or_else(|| self.full_kind(), str::to_owned)
            }
        }
    }

    fn same(&self, other: &Self) -> bool {
        match (&self.what, &other.what) {
            (FileValue::Value(a), FileValue::Value(b)) => a == b,
            (FileValue::Header(a, old), FileValue::Header(b, new)) => (a, old) == (b, new),
            _ => false,
        }
    }

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match (&self.what, self.view) {
            (FileValue::Frames(list), _) => write!(out, "{} frames", list.len()),
            (FileValue::Frame(frame), Some(view)) => {
                let known = of_protocol(view, frame);
                let value = ShownValue { value: &frame.bean, at: known.place, view };
                match known.name {
                    Some(full) => write!(out, "{full} {value}"),
                    None => write!(out, "{}.{} {value}", frame.module_id, frame.protocol_id),
                }
            }
            (FileValue::Frame(frame), None) => {
                write!(out, "{}.{} {:?}", frame.module_id, frame.protocol_id, frame.bean)
            }
            (FileValue::Value(value), Some(view)) => {
                write!(out, "{}", ShownValue { value, at: self.at, view })
            }
            (FileValue::Value(value), None) => write!(out, "{value:?}"),
            (FileValue::Base(bean), Some(view)) => {
                write!(out, "{}", ShownBean { bean, at: self.at, view })
            }
            (FileValue::Base(bean), None) => write!(out, "{bean:?}"),
            (FileValue::Header(FramePart::Family, name), _) => {
                out.write_str(name.as_str().unwrap_or_default())
            }
            (FileValue::Header(_, value), _) => write!(out, "{value:?}"),
        }
    }
}

fn is_leaf(what: &FileValue<'_>) -> bool {
    match what {
        FileValue::Value(value) => !has_parts(value),
        FileValue::Header(..) => true,
        FileValue::Frames(_) | FileValue::Frame(_) | FileValue::Base(_) => false,
    }
}

impl node::Node for Node<'_> {
    type Item = BeanItem;

    fn kind(&self) -> String {
        let name = match &self.what {
            FileValue::Frames(_) => "frames",
            FileValue::Frame(_) => "frame",
            FileValue::Header(_, Value::Int(_)) => "number",
            FileValue::Value(value) => value.kind().name(),
            FileValue::Header(_, value) => value.kind().name(),
            FileValue::Base(_) => "bean",
        };
        name.to_owned()
    }

    fn parts(&self) -> Vec<node::Part<Self>> {
        let item = |(at, node): (usize, Self)| (Step::Index(at), vec![Turn::Child(at)], node);
        match &self.what {
            FileValue::Frames(list) => {
                let frames = list.iter().map(|frame| self.with(FileValue::Frame(frame), None));
                frames.enumerate().map(item).collect()
            }
            FileValue::Frame(frame) => self.of_frame(frame),
            FileValue::Value(Value::List(list)) => {
                let part = list.element().map_or(Part::Base, Part::Element);
                list.iter().map(|own| self.element(own, part)).enumerate().map(item).collect()
            }
            FileValue::Value(Value::Map(map)) => self.of_map(map, &[]),
            _ => match self.bean() {
                Some((way, bean, node)) => node.fields(bean, &way, &|_| false),
                None => Vec::new(),
            },
        }
    }

    fn key(&self, at: usize) -> Option<(Way, Self)> {
        let (mut way, map, node) = match &self.what {
            FileValue::Value(Value::Map(map)) => (Vec::new(), map, self.clone()),
            _ => self.cells()?,
        };
        let (key, _) = <[_]>::get(map, at)?;
        way.push(Turn::Key(at));
        let kinds = map.key().zip(map.value());
        let part = kinds.map_or(Part::Base, |(key, value)| Part::Key(key, value));
        Some((way, node.element(key, part)))
    }

    /// The bean of a frame, whose fields are shown as those of the frame.
    fn hidden(&self) -> Vec<node::Part<Self>> {
        let FileValue::Frame(frame) = &self.what else { return Vec::new() };
        let bean =
            self.bean().map(|(way, ..)| (Step::Name("bean".to_owned()), way, self.bean_of(frame)));
        bean.into_iter().collect()
    }

    fn json(&self) -> Json {
        match &self.what {
            FileValue::Frames(list) => list.iter().map(notation::of_frame).collect(),
            FileValue::Frame(frame) => notation::of_frame(frame),
            FileValue::Value(value) => json_of(value),
            FileValue::Header(_, value) => json_of(value),
            FileValue::Base(bean) => json_of(&Value::Bean((*bean).clone())),
        }
    }

    fn plain(&self) -> Json {
        notation::plain(&self.json())
    }

    fn made(&self, new: &str, kind: Option<&str>) -> Result<BeanItem, String> {
        let own = self.kind();
        let other = kind.filter(|kind| *kind != own);
        match (&self.what, other) {
            (_, Some(_)) if self.is_element => {
                Err("elements of a list or map have one kind".to_owned())
            }
            (FileValue::Value(_), Some(kind)) => {
                let kind = Kind::from_name(kind).ok_or_else(|| format!("{kind} is no kind"))?;
                Ok(BeanItem::Value(made(kind, new, None)?))
            }
            (_, Some(_)) => Err(format!("it is always {own}")),
            (FileValue::Value(value), None) => {
                Ok(BeanItem::Value(made(value.kind(), new, Some(value))?))
            }
            (FileValue::Header(_, value), None) => {
                Ok(BeanItem::Value(made(value.kind(), new, Some(value))?))
            }
            (FileValue::Base(bean), None) => {
                let old = Value::Bean((*bean).clone());
                match made(Kind::Bean, new, Some(&old))? {
                    Value::Bean(bean) => Ok(BeanItem::Base(bean)),
                    other => Err(format!("expected a bean, found {}", other.kind())),
                }
            }
            (FileValue::Frame(frame), None) => {
                let json = edit::notation(new, "a frame")?;
                Ok(BeanItem::Frame(Box::new(notation::frame(json, Some(&frame.header))?)))
            }
            (FileValue::Frames(_), None) => Err("only what is in the file can be set".to_owned()),
        }
    }

    fn fresh(&self, step: &New, new: &str, kind: Option<&str>) -> Result<Fresh<BeanItem>, String> {
        let known = self.view.zip(self.at);
        if let (FileValue::Value(Value::Bean(_)), Some((view, at))) = (&self.what, known)
            && let Some(kinds) = view.cells(at)
            && !matches!(step, New::Other(name) if name.starts_with("field "))
        {
            let fresh = Self::entry(kinds, step, new)?;
            return Ok(match self.cells() {
                Some((way, ..)) => Fresh { way, ..fresh },
                // The row has no cells yet.
                None => {
                    let mut map =
                        BeanItem::Value(Value::Map(Map::new(kinds.0, kinds.1, Vec::new())));
                    node::Item::arrange(&mut map, vec![node::Source::New(Box::new(fresh.entry))])?;
                    Fresh::entry(BeanItem::Value(Value::Int(CELLS.into())), map)
                }
            });
        }
        match (&self.what, step) {
            (FileValue::Frames(list), New::Index(at)) => {
                let json = edit::notation(new, "a frame")?;
                let frame = notation::frame(json, list.first().map(|own| &own.header))?;
                return Ok(Fresh::element(*at, BeanItem::Frame(Box::new(frame))));
            }
            (FileValue::Value(Value::List(list)), New::Index(at)) => {
                let kind = list.element().unwrap_or(Kind::Int);
                return Ok(Fresh::element(*at, BeanItem::Value(made(kind, new, None)?)));
            }
            (FileValue::Value(Value::Map(map)), step) => {
                let kinds = map.key().zip(map.value()).unwrap_or((Kind::Int, Kind::Int));
                return Self::entry(kinds, step, new);
            }
            _ => {}
        }
        let (New::Other(name) | New::Name(name), Some((way, _, bean))) = (step, self.bean()) else {
            return Err(format!("nothing can be added to a {} so", self.kind()));
        };
        let known = bean.view.zip(bean.at).and_then(|(view, at)| view.by_name(at, name));
        let id = name.strip_prefix("field ").and_then(|id| id.parse::<u32>().ok());
        let id = known.map(|known| known.0).or(id);
        let id = id.ok_or("expected a field as [field 7], or its name in the --schema")?;
        let kind = kind.or(known.map(|known| known.1));
        let kind = kind.unwrap_or(match edit::json(new) {
            Some(Json::Number(number)) if number.is_i64() => "int",
            Some(Json::Number(_)) => "double",
            Some(Json::Object(_)) => return Err("--kind says which kind it is".to_owned()),
            _ => "string",
        });
        let kind = Kind::from_name(kind).ok_or_else(|| format!("{kind} is no kind"))?;
        let value = BeanItem::Value(made(kind, new, None)?);
        Ok(Fresh { way, ..Fresh::entry(BeanItem::Value(Value::Int(id.into())), value) })
    }

    fn item(&self) -> BeanItem {
        match &self.what {
            FileValue::Frames(list) => BeanItem::Frames(list.to_vec()),
            FileValue::Frame(frame) => BeanItem::Frame(Box::new((*frame).clone())),
            FileValue::Value(value) => BeanItem::Value((*value).clone()),
            FileValue::Base(bean) => BeanItem::Base((*bean).clone()),
            FileValue::Header(_, value) => BeanItem::Value(value.clone()),
        }
    }

    fn key_item(&self, at: usize) -> Option<BeanItem> {
        Some(BeanItem::Value(match &self.what {
            FileValue::Value(Value::Map(map)) => <[_]>::get(map, at)?.0.clone(),
            _ => Value::Int(self.bean()?.1.iter().nth(at)?.0.into()),
        }))
    }

    fn shell(&self) -> String {
        match &self.what {
            FileValue::Frame(frame) => family(&frame.header).unwrap_or_default().to_owned(),
            _ => self.full_kind(),
        }
    }

    /// The bean of a frame and the cells of a row are separate values here.
    fn structure(&self) -> Children<Self> {
        if let FileValue::Frame(frame) = &self.what {
            let part = |part: FramePart| {
                let node = match part {
                    FramePart::Bean => self.bean_of(frame),
                    part => self.with(FileValue::Header(part, part.of(frame)?), None),
                };
                Some((Step::Name(part.name().to_owned()), node))
            };
            return Children::Entries(FramePart::all(frame).into_iter().filter_map(part).collect());
        }
        match self.bean() {
            Some((_, bean, node)) => {
                let plain = Node { view: None, ..node };
                let fields = plain.fields(bean, &[], &|_| false);
                Children::Entries(fields.into_iter().map(|(step, _, node)| (step, node)).collect())
            }
            None => self.children(),
        }
    }
}
