//! Values of a file by themselves, to be changed.

use zeze_serialize::frame::{Frame, Header};
use zeze_serialize::value::Bean;
use zeze_serialize::{RawBean, Value};

use super::notation::family;
use crate::document::node::{Entry, GONE, Item, Source, Turn, arranged};

/// A value of a file.
#[derive(Clone)]
pub(in crate::document) enum BeanItem {
    Frames(Vec<Frame<'static, Value>>),
    Frame(Box<Frame<'static, Value>>),
    Value(Value),
    /// The fields of a base.
    Base(Bean),
}

/// A part of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FramePart {
    Module,
    Protocol,
    Family,
    Result,
    Session,
    Unique,
    Created,
    Bean,
    Rest,
}

impl FramePart {
    /// The parts that a frame has, in order.
    pub(super) fn all(frame: &Frame<'_, Value>) -> Vec<FramePart> {
        let header = &frame.header;
        let is_raft = matches!(header, Header::RaftRpc { .. });
        let parts = [
            (FramePart::Module, true),
            (FramePart::Protocol, true),
            (FramePart::Family, family(header).is_some()),
            (FramePart::Result, header.result_code().is_some()),
            (FramePart::Session, header.session_id().is_some()),
            (FramePart::Unique, is_raft),
            (FramePart::Created, is_raft),
            (FramePart::Bean, true),
            (FramePart::Rest, !frame.rest.is_empty()),
        ];
        parts.into_iter().filter(|(_, is_there)| *is_there).map(|(part, _)| part).collect()
    }

    /// The name in paths and in the notation.
    pub(super) fn name(self) -> &'static str {
        match self {
            FramePart::Module => "module",
            FramePart::Protocol => "protocol",
            FramePart::Family => "family",
            FramePart::Result => "result",
            FramePart::Session => "session",
            FramePart::Unique => "unique",
            FramePart::Created => "created",
            FramePart::Bean => "bean",
            FramePart::Rest => "rest",
        }
    }

    /// The value of a part.
    pub(super) fn of(self, frame: &Frame<'_, Value>) -> Option<Value> {
        let header = &frame.header;
        let (unique, created) = match header {
            Header::RaftRpc { unique, create_time, .. } => (Some(unique), *create_time),
            _ => (None, 0),
        };
        Some(match self {
            FramePart::Module => Value::Int(frame.module_id.into()),
            FramePart::Protocol => Value::Int(frame.protocol_id.into()),
            FramePart::Family => Value::Bytes(family(header)?.as_bytes().to_vec()),
            FramePart::Result => Value::Int(header.result_code()?),
            FramePart::Session => Value::Int(header.session_id()?),
            FramePart::Unique => unique?.read().ok()?,
            FramePart::Created => Value::Int(created),
            FramePart::Bean => frame.bean.clone(),
            FramePart::Rest => Value::Bytes(frame.rest.to_vec()),
        })
    }

    fn put(self, frame: &mut Frame<'static, Value>, value: Value) -> Result<(), String> {
        let id = |value: &Value| -> Result<u32, String> {
            let id = value.as_i64().and_then(|id| u32::try_from(id).ok());
            id.ok_or_else(|| format!("does not fit: expected an id of 32 bits, found {value:?}"))
        };
        match (self, &mut frame.header, value) {
            (FramePart::Module, _, value) => frame.module_id = id(&value)?,
            (FramePart::Protocol, _, value) => frame.protocol_id = id(&value)?,
            (FramePart::Bean, _, value) => frame.bean = value,
            (FramePart::Rest, _, Value::Bytes(bytes)) => frame.rest = bytes.into(),
            (FramePart::Family, header, name) => {
                let mut other = header.clone();
                if let Header::Rpc { is_request, .. } | Header::RaftRpc { is_request, .. } =
                    &mut other
                {
                    *is_request = !*is_request;
                }
                if family(&other) == name.as_str() {
                    *header = other;
                } else if family(header) != name.as_str() {
                    return Err("only a request and a response become one another".to_owned());
                }
            }
            (
                FramePart::Result,
                Header::Protocol { result_code }
                | Header::Rpc { result_code, .. }
                | Header::RaftRpc { result_code, .. },
                Value::Int(code),
            ) => *result_code = code,
            (
                FramePart::Session,
                Header::Rpc { session_id, .. } | Header::RaftRpc { session_id, .. },
                Value::Int(id),
            ) => *session_id = id,
            (FramePart::Unique, Header::RaftRpc { unique, .. }, bean) => {
                let raw = RawBean::from_serialize(&bean);
                *unique = raw.map_err(|error| error.to_string())?;
            }
            (FramePart::Created, Header::RaftRpc { create_time, .. }, Value::Int(time)) => {
                *create_time = time;
            }
            (part, ..) => return Err(format!("does not fit the {} of a frame", part.name())),
        }
        Ok(())
    }
}

impl Item for BeanItem {
    fn take(&mut self, turn: Turn) -> Option<Self> {
        let nothing = || Value::Int(0);
        Some(match (self, turn) {
            (BeanItem::Frames(list), Turn::Child(at)) => {
                let empty = Frame::page(0, 0, nothing());
                BeanItem::Frame(Box::new(std::mem::replace(list.get_mut(at)?, empty)))
            }
            (BeanItem::Frame(frame), Turn::Child(at)) => {
                BeanItem::Value(FramePart::all(frame).get(at)?.of(frame)?)
            }
            (BeanItem::Value(Value::Map(map)), Turn::Key(at)) => {
                let key = &mut map.entries_mut().get_mut(at)?.0;
                BeanItem::Value(std::mem::replace(key, nothing()))
            }
            (BeanItem::Value(value), Turn::Child(at)) => match value {
                Value::List(list) => {
                    BeanItem::Value(std::mem::replace(list.items_mut().get_mut(at)?, nothing()))
                }
                Value::Map(map) => {
                    let own = &mut map.entries_mut().get_mut(at)?.1;
                    BeanItem::Value(std::mem::replace(own, nothing()))
                }
                Value::Bean(bean) => part_of(bean, at)?,
                Value::Dynamic(dynamic) => part_of(&mut dynamic.bean, at)?,
                _ => return None,
            },
            (BeanItem::Base(bean), Turn::Child(at)) => part_of(bean, at)?,
            _ => return None,
        })
    }

    fn put(&mut self, turn: Turn, part: Self) -> Result<(), String> {
        match (self, turn, part) {
            (BeanItem::Frames(list), Turn::Child(at), BeanItem::Frame(frame)) => {
                *list.get_mut(at).ok_or(GONE)? = *frame;
            }
            (BeanItem::Frame(frame), Turn::Child(at), BeanItem::Value(value)) => {
                if let Some(part) = FramePart::all(frame).get(at) {
                    part.put(frame, value)?;
                }
            }
            (BeanItem::Value(Value::Map(map)), Turn::Key(at), BeanItem::Value(key)) => {
                map.entries_mut().get_mut(at).ok_or(GONE)?.0 = key;
            }
            (BeanItem::Value(Value::List(list)), Turn::Child(at), BeanItem::Value(value)) => {
                *list.items_mut().get_mut(at).ok_or(GONE)? = value;
            }
            (BeanItem::Value(Value::Map(map)), Turn::Child(at), BeanItem::Value(value)) => {
                map.entries_mut().get_mut(at).ok_or(GONE)?.1 = value;
            }
            (BeanItem::Value(Value::Bean(bean)) | BeanItem::Base(bean), Turn::Child(at), part) => {
                put_in(bean, at, part);
            }
            (BeanItem::Value(Value::Dynamic(dynamic)), Turn::Child(at), part) => {
                put_in(&mut dynamic.bean, at, part);
            }
            _ => return Err("does not fit there".to_owned()),
        }
        Ok(())
    }

    fn len(&self) -> usize {
        let of_bean = |bean: &Bean| bean.len() + usize::from(bean.base().is_some());
        match self {
            BeanItem::Frames(list) => list.len(),
            BeanItem::Frame(frame) => FramePart::all(frame).len(),
            BeanItem::Value(Value::List(list)) => list.len(),
            BeanItem::Value(Value::Map(map)) => map.len(),
            BeanItem::Value(Value::Bean(bean)) | BeanItem::Base(bean) => of_bean(bean),
            BeanItem::Value(Value::Dynamic(dynamic)) => of_bean(&dynamic.bean),
            BeanItem::Value(_) => 0,
        }
    }

    fn arrange(&mut self, children: Vec<Source<Self>>) -> Result<(), String> {
        match self {
            BeanItem::Frames(list) => {
                *list = arranged(std::mem::take(list), children, |new| match new.value {
                    BeanItem::Frame(frame) => Ok(*frame),
                    _ => Err("expected a frame".to_owned()),
                })?;
            }
            BeanItem::Frame(frame) => {
                let is_left = |part: usize| {
                    children.iter().any(|own| matches!(own, Source::Own(at) if *at == part))
                };
                let parts = FramePart::all(frame);
                let gone = parts.iter().enumerate().filter(|(at, _)| !is_left(*at));
                for (_, part) in gone.collect::<Vec<_>>() {
                    match part {
                        FramePart::Rest => frame.rest = Vec::new().into(),
                        FramePart::Result => part.put(frame, Value::Int(0))?,
                        _ => return Err("a frame needs it".to_owned()),
                    }
                }
            }
            BeanItem::Value(Value::List(list)) => {
                let items = list.items_mut();
                *items = arranged(std::mem::take(items), children, |new| value_of(new.value))?;
            }
            BeanItem::Value(Value::Map(map)) => {
                let entries = map.entries_mut();
                let new = |new: Entry<Self>| {
                    let key = new.key.ok_or("an entry needs a key")?;
                    Ok((value_of(key)?, value_of(new.value)?))
                };
                *entries = arranged(std::mem::take(entries), children, new)?;
            }
            BeanItem::Value(Value::Bean(bean)) | BeanItem::Base(bean) => of_bean(bean, children)?,
            BeanItem::Value(Value::Dynamic(dynamic)) => of_bean(&mut dynamic.bean, children)?,
            BeanItem::Value(_) => return Err("it holds nothing".to_owned()),
        }
        Ok(())
    }
}

fn value_of(item: BeanItem) -> Result<Value, String> {
    match item {
        BeanItem::Value(value) => Ok(value),
        _ => Err("does not fit there".to_owned()),
    }
}

/// The id of the field at a position.
fn id_at(bean: &Bean, at: usize) -> Option<u32> {
    bean.iter().nth(at).map(|(id, _)| id)
}

/// A field, or the base, which comes last.
fn part_of(bean: &mut Bean, at: usize) -> Option<BeanItem> {
    match id_at(bean, at) {
        Some(id) => {
            let value = std::mem::replace(bean.get_mut(id)?, Value::Int(0));
            Some(BeanItem::Value(value))
        }
        None => bean.base().cloned().map(BeanItem::Base),
    }
}

fn put_in(bean: &mut Bean, at: usize, part: BeanItem) {
    match (id_at(bean, at), part) {
        (Some(id), BeanItem::Value(value)) => _ = bean.insert(id, value),
        (None, BeanItem::Base(base)) => bean.set_base(Some(base)),
        _ => {}
    }
}

/// Which fields a bean has: they stand by their ids, whatever the order.
fn of_bean(bean: &mut Bean, children: Vec<Source<BeanItem>>) -> Result<(), String> {
    let mut old = std::mem::take(bean);
    let ids: Vec<u32> = old.iter().map(|(id, _)| id).collect();
    for child in children {
        match child {
            Source::Own(at) => match ids.get(at) {
                Some(id) => _ = old.remove(*id).map(|value| bean.insert(*id, value)),
                None => bean.set_base(old.base().cloned()),
            },
            Source::New(entry) => match (entry.key, entry.value) {
                (None, BeanItem::Base(base)) => bean.set_base(Some(base)),
                (Some(BeanItem::Value(Value::Int(id))), value) => {
                    let id = u32::try_from(id).map_err(|_| format!("there is no field {id}"))?;
                    bean.insert(id, value_of(value)?);
                }
                _ => return Err("a field needs its id".to_owned()),
            },
        }
    }
    Ok(())
}
