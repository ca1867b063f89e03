//! Values as a tree that can be compared.

use std::fmt;

use gamewire::zeze_serialize::Value;
use gamewire::zeze_serialize::frame::{Frame, Header};
use gamewire::zeze_serialize::value::Bean;

use super::content::Content;
use super::notation::family;
use crate::diff::{Children, Tree};
use crate::path::Step;

/// A place in a file.
pub(super) enum Node<'a> {
    Frames(&'a [Frame<'static, Value>]),
    Frame(&'a Frame<'static, Value>),
    Value(&'a Value),
    Bean(&'a Bean),
    /// A bean that is read for the comparison only.
    Owned(Value),
    /// A number of a frame.
    Number(i64),
    Text(&'static str),
}

impl<'a> Node<'a> {
    /// The whole file. A file of one frame is that frame.
    pub(super) fn root(content: &'a Content) -> Self {
        match content {
            Content::Bean(bean) => Node::Value(bean),
            Content::Frames(_, list) => match list.as_slice() {
                [only] => Node::Frame(only),
                list => Node::Frames(list),
            },
        }
    }
}

impl Tree for Node<'_> {
    fn kind(&self) -> String {
        let name = |kind: Option<gamewire::zeze_serialize::Kind>| {
            kind.map_or_else(|| "nothing".to_owned(), |kind| kind.to_string())
        };
        match self {
            Node::Value(Value::List(list)) => format!("list of {}", name(list.element())),
            Node::Value(Value::Map(map)) => {
                format!("map of {} to {}", name(map.key()), name(map.value()))
            }
            Node::Value(Value::Dynamic(dynamic)) => format!("dynamic {}", dynamic.type_id),
            Node::Value(value) => value.kind().to_string(),
            Node::Bean(_) => "bean".to_owned(),
            _ => String::new(),
        }
    }

    fn children(&self) -> Children<Self> {
        match self {
            Node::Frames(list) => Children::Items(list.iter().map(Node::Frame).collect()),
            Node::Frame(frame) => of_frame(frame),
            Node::Value(Value::List(list)) => {
                Children::Items(list.iter().map(Node::Value).collect())
            }
            Node::Value(Value::Map(map)) => {
                let entries = map.iter().map(|(key, value)| (step(key), Node::Value(value)));
                Children::Entries(entries.collect())
            }
            Node::Value(Value::Bean(bean)) => of_bean(bean),
            Node::Value(Value::Dynamic(dynamic)) => of_bean(&dynamic.bean),
            Node::Bean(bean) => of_bean(bean),
            Node::Value(_) | Node::Owned(_) | Node::Number(_) | Node::Text(_) => Children::None,
        }
    }

    fn is_flat(&self) -> bool {
        match self {
            Node::Value(value) => !matches!(
                value,
                Value::List(_) | Value::Map(_) | Value::Bean(_) | Value::Dynamic(_)
            ),
            Node::Owned(_) | Node::Number(_) | Node::Text(_) => true,
            Node::Frames(_) | Node::Frame(_) | Node::Bean(_) => false,
        }
    }

    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Node::Value(a), Node::Value(b)) => a == b,
            (Node::Owned(a), Node::Owned(b)) => a == b,
            (Node::Number(a), Node::Number(b)) => a == b,
            (Node::Text(a), Node::Text(b)) => a == b,
            _ => false,
        }
    }

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match self {
            Node::Frames(list) => write!(out, "{} frames", list.len()),
            Node::Frame(frame) => {
                write!(out, "{}.{} {:?}", frame.module_id, frame.protocol_id, frame.bean)
            }
            Node::Value(value) => write!(out, "{value:?}"),
            Node::Bean(bean) => write!(out, "{bean:?}"),
            Node::Owned(value) => write!(out, "{value:?}"),
            Node::Number(number) => write!(out, "{number}"),
            Node::Text(text) => out.write_str(text),
        }
    }
}

fn of_frame<'a>(frame: &'a Frame<'static, Value>) -> Children<Node<'a>> {
    let name = |name: &str| Step::Name(name.to_owned());
    let mut entries = vec![
        (name("module"), Node::Number(frame.module_id.into())),
        (name("protocol"), Node::Number(frame.protocol_id.into())),
    ];
    entries.extend(family(&frame.header).map(|family| (name("family"), Node::Text(family))));
    entries.extend(frame.header.result_code().map(|code| (name("result"), Node::Number(code))));
    entries.extend(frame.header.session_id().map(|id| (name("session"), Node::Number(id))));
    if let Header::RaftRpc { unique, create_time, .. } = &frame.header {
        entries.extend(unique.read().ok().map(|unique| (name("unique"), Node::Owned(unique))));
        entries.push((name("created"), Node::Number(*create_time)));
    }
    // What is in the bean is shown as in the frame.
    match &frame.bean {
        Value::Bean(bean) => entries.extend(fields(bean)),
        other => entries.push((name("bean"), Node::Value(other))),
    }
    if !frame.rest.is_empty() {
        entries.push((name("rest"), Node::Owned(Value::Bytes(frame.rest.to_vec()))));
    }
    Children::Entries(entries)
}

fn of_bean(bean: &Bean) -> Children<Node<'_>> {
    Children::Entries(fields(bean))
}

fn fields(bean: &Bean) -> Vec<(Step, Node<'_>)> {
    let field = |(id, value)| (Step::Other(format!("field {id}")), Node::Value(value));
    let mut entries: Vec<_> = bean.iter().map(field).collect();
    entries.extend(bean.base().map(|base| (Step::Other("base".to_owned()), Node::Bean(base))));
    entries
}

/// The step to the value of a key.
pub(super) fn step(key: &Value) -> Step {
    match key.as_str() {
        Some(text) => Step::Key(text.to_owned()),
        None => Step::Other(format!("{key:?}")),
    }
}
