//! The values of new beans: the `default` of variables.

use super::super::names;
use super::super::parse::{float, integer};
use super::super::schema::{Kind, Schema, Target, Variable};

/// A default that Rust can say. Others are expressions of Java, C# or C++.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value {
    Literal(String),
    /// A constant of a bean.
    Constant {
        bean: usize,
        name: String,
    },
}

/// Which beans have a constructor beside `Default`.
#[derive(Debug)]
pub(super) struct Constructors(Vec<bool>);

impl Constructors {
    /// A bean has one if a variable of it has a default, or a bean in it has one.
    pub(super) fn new(schema: &Schema) -> Self {
        let own =
            schema.beans.iter().enumerate().map(|(at, bean)| {
                bean.variables.iter().any(|own| value(schema, at, own).is_some())
            });
        let mut found: Vec<bool> = own.collect();
        loop {
            let has = |target: usize| found.get(target).copied().unwrap_or(false);
            let inner = schema.beans.iter().map(|bean| {
                bean.base.is_some_and(has)
                    || bean
                        .variables
                        .iter()
                        .any(|own| matches!(own.kind, Kind::Bean(Target::Here(at)) if has(at)))
            });
            let inner: Vec<bool> = inner.zip(&found).map(|(inner, own)| inner || *own).collect();
            if inner == found {
                return Constructors(found);
            }
            found = inner;
        }
    }

    pub(super) fn has(&self, bean: usize) -> bool {
        self.0.get(bean).copied().unwrap_or(false)
    }
}

/// The default of a variable, `None` where it is zero or cannot be said in Rust.
pub(super) fn value(schema: &Schema, bean: usize, own: &Variable) -> Option<Value> {
    let text = own.text.default.as_str();
    if text.is_empty() {
        return None;
    }
    let literal = match &own.kind {
        Kind::Bool => text.parse::<bool>().ok().map(|value| value.to_string()),
        Kind::Byte => integer::<i8>(text),
        Kind::Short => integer::<i16>(text),
        Kind::Int => integer::<i32>(text),
        Kind::Long => integer::<i64>(text),
        Kind::Float | Kind::Double => float(text),
        Kind::String | Kind::Decimal => Some(format!("{text:?}.to_owned()")),
        Kind::Vector2 => list(text, 2, float),
        Kind::Vector3 => list(text, 3, float),
        Kind::Vector4 | Kind::Quaternion => list(text, 4, float),
        Kind::Vector2Int => list(text, 2, integer::<i32>),
        Kind::Vector3Int => list(text, 3, integer::<i32>),
        _ => return None,
    };
    literal.map(Value::Literal).or_else(|| constant(schema, bean, own))
}

fn list(text: &str, len: usize, one: impl Fn(&str) -> Option<String>) -> Option<String> {
    let parts: Vec<String> = text.split(',').map(one).collect::<Option<_>>()?;
    (parts.len() == len).then(|| format!("[{}].into()", parts.join(", ")))
}

/// `Name` of the same bean, `Bean.Name` of the same space, or a full name.
fn constant(schema: &Schema, bean: usize, own: &Variable) -> Option<Value> {
    let (owner, name) = match own.text.default.rsplit_once('.') {
        None => (bean, own.text.default.as_str()),
        Some((owner, name)) => {
            let space = schema.beans.get(bean)?.text.space;
            let near = format!("{}.{owner}", schema.spaces.get(space)?.full);
            let found = [&near, owner].into_iter().find_map(|own| schema.by_name.get(own));
            (*found?, name)
        }
    };
    let kind = match own.kind {
        Kind::Bool => "bool",
        Kind::Byte => "i8",
        Kind::Short => "i16",
        Kind::Int => "i32",
        Kind::Long => "i64",
        Kind::Float => "f32",
        Kind::Double => "f64",
        _ => return None,
    };
    let constants = &schema.beans.get(owner)?.text.constants;
    let found = constants.iter().find(|constant| constant.name == name && constant.kind == kind)?;
    Some(Value::Constant { bean: owner, name: names::of_constant(&found.name) })
}
