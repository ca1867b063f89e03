//! Values as a tree that can be compared.

use std::fmt;

use zeze_serialize::explain::{Known, Part};
use zeze_serialize::frame::{Frame, Header};
use zeze_serialize::value::{Bean, Map};
use zeze_serialize::{Kind, Value};

use super::content::Content;
use super::notation::family;
use crate::document::diff::{Children, Tree};
use crate::document::path::Step;
use crate::document::words::count;
use gamewire_gen::zeze::view::{At, ShownBean, ShownValue, View};

/// A place in a file, and what the solution knows of it, if there is one.
pub(super) struct Node<'a> {
    what: FilePart<'a>,
    at: Option<At<'a>>,
    view: Option<&'a View>,
}

enum FilePart<'a> {
    Frames(&'a [Frame<'static, Value>]),
    Frame(&'a Frame<'static, Value>),
    Value(&'a Value),
    /// The layer of a base.
    Bean(&'a Bean),
    /// A bean that is read for the comparison only.
    Owned(Value),
    /// A number of a frame.
    Number(i64),
    Text(&'static str),
}

impl<'a> Node<'a> {
    /// The whole file. A file of one frame is that frame.
    pub(super) fn root(content: &'a Content, view: Option<&'a View>) -> Self {
        let (what, at) = match content {
            Content::Bean(bean) => (FilePart::Value(bean), view.and_then(View::bean)),
            Content::Frames(_, list) => match list.as_slice() {
                [only] => (FilePart::Frame(only), None),
                list => (FilePart::Frames(list), None),
            },
        };
        Node { what, at, view }
    }

    /// Whether nothing nests in what is in it, so that it is shown on one line.
    pub(super) fn is_row(&self) -> bool {
        match &self.what {
            FilePart::Value(Value::List(list)) => !list.iter().any(has_parts),
            FilePart::Value(Value::Map(map)) => !map.iter().any(|(_, value)| has_parts(value)),
            _ => self.is_flat(),
        }
    }

    /// FilePart it is, in a few words.
    pub(super) fn title(&self) -> String {
        match &self.what {
            FilePart::Frames(list) => count(list.len(), "frame"),
            FilePart::Frame(frame) => {
                let known = self.view.map(|view| (view, of_protocol(view, frame)));
                let name = known.as_ref().and_then(|(_, known)| known.name).unwrap_or("frame");
                match known.as_ref().and_then(|(view, known)| view.full(known.place?)) {
                    Some(bean) => format!("{name}, {bean}"),
                    None => name.to_owned(),
                }
            }
            FilePart::Value(Value::List(list)) => {
                format!("{}, {}", self.kind(), count(list.len(), "element"))
            }
            FilePart::Value(Value::Map(map)) => {
                format!("{}, {}", self.kind(), count(map.len(), "entry"))
            }
            FilePart::Value(Value::Dynamic(_)) => self.kind(),
            _ => {
                let full = self.view.zip(self.at).and_then(|(view, at)| view.full(at));
                full.map_or_else(|| self.kind(), str::to_owned)
            }
        }
    }

    fn part(&self, what: FilePart<'a>, part: Part) -> Self {
        let at = self.view.zip(self.at).and_then(|(view, at)| view.part(at, part));
        Node { what, at, view: self.view }
    }

    fn plain(&self, what: FilePart<'a>) -> Self {
        Node { what, at: None, view: self.view }
    }

    fn of_frame(&self, frame: &'a Frame<'static, Value>) -> Children<Self> {
        let name = |name: &str| Step::Name(name.to_owned());
        let number = |number: i64| self.plain(FilePart::Number(number));
        let mut entries = vec![
            (name("module"), number(frame.module_id.into())),
            (name("protocol"), number(frame.protocol_id.into())),
        ];
        let family = family(&frame.header);
        entries.extend(family.map(|family| (name("family"), self.plain(FilePart::Text(family)))));
        entries.extend(frame.header.result_code().map(|code| (name("result"), number(code))));
        entries.extend(frame.header.session_id().map(|id| (name("session"), number(id))));
        if let Header::RaftRpc { unique, create_time, .. } = &frame.header {
            let unique = unique.read().ok().map(|unique| self.plain(FilePart::Owned(unique)));
            entries.extend(unique.map(|unique| (name("unique"), unique)));
            entries.push((name("created"), number(*create_time)));
        }
        let at = self.view.and_then(|view| of_protocol(view, frame).place);
        match &frame.bean {
            // FilePart is in the bean is shown as in the frame.
            Value::Bean(bean) => {
                let is_taken = |own: &str| {
                    let is_own = |(step, _): &(Step, Self)| *step == Step::Name(own.to_owned());
                    entries.iter().any(is_own)
                };
                let fields = self.fields(bean, at, &is_taken);
                entries.extend(fields);
            }
            other => {
                let bean = Node { what: FilePart::Value(other), at, view: self.view };
                entries.push((name("bean"), bean));
            }
        }
        if !frame.rest.is_empty() {
            let rest = self.plain(FilePart::Owned(Value::Bytes(frame.rest.to_vec())));
            entries.push((name("rest"), rest));
        }
        Children::Entries(entries)
    }

    fn of_bean(&self, bean: &'a Bean, at: Option<At<'a>>) -> Children<Self> {
        Children::Entries(self.fields(bean, at, &|_| false))
    }

    /// The fields of a bean. One whose name is taken is known by its number.
    fn fields(
        &self,
        bean: &'a Bean,
        at: Option<At<'a>>,
        is_taken: &dyn Fn(&str) -> bool,
    ) -> Vec<(Step, Self)> {
        let mut entries = Vec::new();
        for (id, value) in bean.iter() {
            let known = self.view.zip(at).map(|(view, at)| view.field(at, id, value.kind()));
            let (name, at) = known.map_or((None, None), |known| (known.name, known.place));
            let node = Node { what: FilePart::Value(value), at, view: self.view };
            match (name, value) {
                // The cells of a row stand in its place.
                (Some(""), Value::Map(map)) => entries.extend(node.of_map(map)),
                (Some(name), _) if !is_taken(name) => {
                    entries.push((Step::Name(name.to_owned()), node));
                }
                _ => entries.push((Step::Other(format!("field {id}")), node)),
            }
        }
        if let Some(base) = bean.base() {
            let around = Node { what: FilePart::Bean(bean), at, view: self.view };
            let base = around.part(FilePart::Bean(base), Part::Base);
            entries.push((Step::Other("base".to_owned()), base));
        }
        entries
    }

    fn of_map(&self, map: &'a Map) -> Vec<(Step, Self)> {
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
        let entry = |(key, value): &'a (Value, Value)| {
            (step(key), self.part(FilePart::Value(value), Part::Value(own_key, kind)))
        };
        map.iter().map(entry).collect()
    }
}

/// Whether there are values in a value.
fn has_parts(value: &Value) -> bool {
    matches!(value.kind(), Kind::List | Kind::Map | Kind::Bean | Kind::Dynamic)
}

/// The protocol of a frame, and its bean.
fn of_protocol<'a>(view: &'a View, frame: &Frame<'_, Value>) -> Known<'a, At<'a>> {
    let is_answer = family(&frame.header).is_some_and(|family| family.ends_with("response"));
    view.frame(frame.module_id, frame.protocol_id, is_answer)
}

impl Tree for Node<'_> {
    fn kind(&self) -> String {
        let name =
            |kind: Option<Kind>| kind.map_or_else(|| "nothing".to_owned(), |kind| kind.to_string());
        let of_map = |map: &Map| format!("{} to {}", name(map.key()), name(map.value()));
        match (&self.what, self.at) {
            (FilePart::Value(Value::List(list)), _) => format!("list of {}", name(list.element())),
            (FilePart::Value(Value::Map(map)), _) => format!("map of {}", of_map(map)),
            (FilePart::Value(Value::Dynamic(dynamic)), at) => {
                let bean = self
                    .view
                    .zip(at)
                    .and_then(|(view, at)| view.full(view.dynamic(at, dynamic.type_id)?));
                match bean {
                    Some(full) => format!("dynamic {full}"),
                    None => format!("dynamic {}", dynamic.type_id),
                }
            }
            (FilePart::Value(Value::Bean(row)), Some(At::Row(..))) => match row.get(1) {
                Some(Value::Map(cells)) => format!("row of {}", of_map(cells)),
                _ => "row".to_owned(),
            },
            (FilePart::Value(value), _) => value.kind().to_string(),
            (FilePart::Bean(_), _) => "bean".to_owned(),
            _ => String::new(),
        }
    }

    fn children(&self) -> Children<Self> {
        match &self.what {
            FilePart::Frames(list) => Children::Items(
                list.iter().map(|frame| self.plain(FilePart::Frame(frame))).collect(),
            ),
            FilePart::Frame(frame) => self.of_frame(frame),
            FilePart::Value(Value::List(list)) => {
                let part = list.element().map_or(Part::Base, Part::Element);
                let item = |item| self.part(FilePart::Value(item), part);
                Children::Items(list.iter().map(item).collect())
            }
            FilePart::Value(Value::Map(map)) => Children::Entries(self.of_map(map)),
            FilePart::Value(Value::Bean(bean)) => self.of_bean(bean, self.at),
            FilePart::Value(Value::Dynamic(dynamic)) => {
                let known = self.view.zip(self.at);
                let at = known.and_then(|(view, at)| view.dynamic(at, dynamic.type_id));
                self.of_bean(&dynamic.bean, at)
            }
            FilePart::Bean(bean) => self.of_bean(bean, self.at),
            FilePart::Value(_) | FilePart::Owned(_) | FilePart::Number(_) | FilePart::Text(_) => {
                Children::None
            }
        }
    }

    fn is_flat(&self) -> bool {
        match &self.what {
            FilePart::Value(value) => !has_parts(value),
            FilePart::Owned(_) | FilePart::Number(_) | FilePart::Text(_) => true,
            FilePart::Frames(_) | FilePart::Frame(_) | FilePart::Bean(_) => false,
        }
    }

    fn same(&self, other: &Self) -> bool {
        match (&self.what, &other.what) {
            (FilePart::Value(a), FilePart::Value(b)) => a == b,
            (FilePart::Owned(a), FilePart::Owned(b)) => a == b,
            (FilePart::Number(a), FilePart::Number(b)) => a == b,
            (FilePart::Text(a), FilePart::Text(b)) => a == b,
            _ => false,
        }
    }

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match (&self.what, self.view) {
            (FilePart::Frames(list), _) => write!(out, "{} frames", list.len()),
            (FilePart::Frame(frame), Some(view)) => {
                let known = of_protocol(view, frame);
                let value = ShownValue { value: &frame.bean, at: known.place, view };
                match known.name {
                    Some(full) => write!(out, "{full} {value}"),
                    None => write!(out, "{}.{} {value}", frame.module_id, frame.protocol_id),
                }
            }
            (FilePart::Frame(frame), None) => {
                write!(out, "{}.{} {:?}", frame.module_id, frame.protocol_id, frame.bean)
            }
            (FilePart::Value(value), Some(view)) => {
                write!(out, "{}", ShownValue { value, at: self.at, view })
            }
            (FilePart::Value(value), None) => write!(out, "{value:?}"),
            (FilePart::Bean(bean), Some(view)) => {
                write!(out, "{}", ShownBean { bean, at: self.at, view })
            }
            (FilePart::Bean(bean), None) => write!(out, "{bean:?}"),
            (FilePart::Owned(value), _) => write!(out, "{value:?}"),
            (FilePart::Number(number), _) => write!(out, "{number}"),
            (FilePart::Text(text), _) => out.write_str(text),
        }
    }
}
