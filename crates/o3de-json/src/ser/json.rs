//! JSON in memory, between stripping and writing; and the engine's order of it.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::raw;
use crate::Result;
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

    pub(crate) fn write(&self, writer: &mut Writer, max_depth: usize) -> Result<()> {
        match self {
            Json::Null => writer.raw("null"),
            Json::Bool(value) => writer.bool(*value),
            Json::Unsigned(value) => writer.unsigned(*value),
            Json::Signed(value) => writer.signed(*value),
            Json::Float(value) => writer.float(*value)?,
            Json::Double(value) => writer.double(*value)?,
            Json::Text(text) => writer.string(text),
            Json::Raw(text) => raw::write(writer, text, max_depth)?,
            Json::Array(elements) => {
                let mut first = true;
                writer.open(b'[')?;
                for element in elements {
                    writer.next(&mut first);
                    element.write(writer, max_depth)?;
                }
                writer.close(b']', first);
            }
            Json::Object(members) => {
                let mut first = true;
                writer.open(b'{')?;
                for (name, member) in members {
                    writer.next(&mut first);
                    writer.key(name);
                    member.write(writer, max_depth)?;
                }
                writer.close(b'}', first);
            }
        }
        Ok(())
    }

    /// null, false, true, objects, arrays, strings, numbers.
    fn rank(&self) -> u8 {
        match self {
            Json::Null => 0,
            Json::Bool(false) => 1,
            Json::Bool(true) => 2,
            Json::Object(_) => 3,
            Json::Array(_) => 4,
            Json::Text(_) | Json::Raw(_) => 5,
            _ => 6,
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "the engine compares numbers as doubles")]
    fn number(&self) -> f64 {
        match *self {
            Json::Unsigned(value) => value as f64,
            Json::Signed(value) => value as f64,
            Json::Float(value) => value.into(),
            Json::Double(value) => value,
            _ => 0.0,
        }
    }

    /// The order of `JsonSerialization::Compare`.
    pub(crate) fn compare(&self, other: &Json) -> Ordering {
        let by_rank = self.rank().cmp(&other.rank());
        if by_rank != Ordering::Equal {
            return by_rank;
        }
        match (self, other) {
            (Json::Text(left), Json::Text(right)) => left.as_bytes().cmp(right.as_bytes()),
            (Json::Raw(left), Json::Raw(right)) => left.cmp(right),
            (Json::Array(left), Json::Array(right)) => {
                left.len().cmp(&right.len()).then_with(|| {
                    let mut pairs = left.iter().zip(right);
                    pairs
                        .find_map(|(left, right)| {
                            Some(left.compare(right)).filter(|order| order.is_ne())
                        })
                        .unwrap_or(Ordering::Equal)
                })
            }
            (Json::Object(left), Json::Object(right)) => {
                left.len().cmp(&right.len()).then_with(|| compare_members(left, right))
            }
            _ => self.number().partial_cmp(&other.number()).unwrap_or(Ordering::Equal),
        }
    }
}

fn compare_members(
    left: &[(Cow<'static, str>, Json)],
    right: &[(Cow<'static, str>, Json)],
) -> Ordering {
    let sorted = |members: &'_ [(Cow<'static, str>, Json)]| {
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by_key(|&at| members.get(at).map(|(name, _)| name.clone()));
        order
    };
    let (left_order, right_order) = (sorted(left), sorted(right));
    for (left_at, right_at) in left_order.into_iter().zip(right_order) {
        if let (Some((left_name, left)), Some((right_name, right))) =
            (left.get(left_at), right.get(right_at))
        {
            let order =
                left_name.as_bytes().cmp(right_name.as_bytes()).then_with(|| left.compare(right));
            if order.is_ne() {
                return order;
            }
        }
    }
    Ordering::Equal
}
