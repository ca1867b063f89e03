//! JSON in memory, between stripping and writing.

use std::borrow::Cow;

use base64::Engine as _;

use crate::Result;
use crate::value::{Value, append_raw};
use crate::write::Writer;

pub(crate) enum Json {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f32),
    Double(f64),
    Text(Cow<'static, str>),
    Raw(String),
    Array(Vec<Json>),
    Object(Vec<(Cow<'static, str>, Json)>),
}

impl Json {
    pub(crate) fn empty() -> Json {
        Json::Object(Vec::new())
    }

    pub(crate) fn is_empty_object(&self) -> bool {
        matches!(self, Json::Object(members) if members.is_empty())
    }

    pub(crate) fn write(&self, writer: &mut Writer) -> Result<()> {
        match self {
            Json::Null => writer.raw("null"),
            Json::Bool(value) => writer.bool(*value),
            Json::Unsigned(value) => writer.unsigned(*value),
            Json::Signed(value) => writer.signed(*value),
            Json::Float(value) => writer.float(*value)?,
            Json::Double(value) => writer.double(*value)?,
            Json::Text(text) => writer.string(text),
            Json::Raw(text) => writer.lend(|mut ask| {
                let done = append_raw(&mut ask, text);
                (ask.out, done)
            })?,
            Json::Array(elements) => {
                let mut first = true;
                writer.open(b'[')?;
                for element in elements {
                    writer.next(&mut first);
                    element.write(writer)?;
                }
                writer.close(b']', first);
            }
            Json::Object(members) => {
                let mut first = true;
                writer.open(b'{')?;
                for (name, member) in members {
                    writer.next(&mut first);
                    writer.key(name);
                    member.write(writer)?;
                }
                writer.close(b'}', first);
            }
        }
        Ok(())
    }

    /// The same as a document, which has the engine's order.
    pub(crate) fn value(&self) -> Value {
        match self {
            Json::Null => Value::Null,
            Json::Bool(value) => (*value).into(),
            Json::Unsigned(value) => (*value).into(),
            Json::Signed(value) => (*value).into(),
            Json::Float(value) => (*value).into(),
            Json::Double(value) => (*value).into(),
            Json::Text(text) => text.as_ref().into(),
            Json::Raw(text) => text.as_str().into(),
            Json::Array(elements) => elements.iter().map(Json::value).collect(),
            Json::Object(members) => {
                members.iter().map(|(name, member)| (name.as_ref(), member.value())).collect()
            }
        }
    }
}

/// Puts things in the engine's order of what stands for them.
pub(crate) fn sort<T>(list: &mut Vec<T>, key: impl Fn(&T) -> Value) {
    let mut keyed: Vec<(Value, T)> = list.drain(..).map(|one| (key(&one), one)).collect();
    keyed.sort_by(|(left, _), (right, _)| left.compare(right));
    list.extend(keyed.into_iter().map(|(_, one)| one));
}

pub(super) fn base64(bytes: &[u8]) -> String {
    base64::prelude::BASE64_STANDARD.encode(bytes)
}
