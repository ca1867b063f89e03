//! Values of random bytes, for tests and for fuzzing: each can be written, and is read back the same.

use arbitrary::{Result, Unstructured};
use zeze_serialize::value::{Bean, Dynamic, List, Map};
use zeze_serialize::{Kind, Value, Vector2, Vector3, Vector4};

/// The most containers inside of one another.
pub(crate) const DEPTH: usize = 8;

/// Any wire type; no container at the depth 0.
pub(crate) fn any_kind(u: &mut Unstructured<'_>, depth: usize) -> Result<Kind> {
    let kind = *u.choose(&Kind::ALL)?;
    let is_container = matches!(kind, Kind::List | Kind::Map | Kind::Bean | Kind::Dynamic);
    Ok(if is_container && depth == 0 { Kind::Int } else { kind })
}

/// A value of a wire type.
pub(crate) fn value(u: &mut Unstructured<'_>, kind: Kind, depth: usize) -> Result<Value> {
    let inner = depth.saturating_sub(1);
    Ok(match kind {
        Kind::Int => Value::Int(u.arbitrary()?),
        Kind::Float => Value::Float(u.arbitrary()?),
        Kind::Double => Value::Double(u.arbitrary()?),
        Kind::Bytes => Value::Bytes(u.arbitrary()?),
        Kind::Vector2 => Value::Vector2(Vector2::from_array(u.arbitrary()?)),
        Kind::Vector3 => Value::Vector3(Vector3::from_array(u.arbitrary()?)),
        Kind::Vector4 => Value::Vector4(Vector4::from_array(u.arbitrary()?)),
        Kind::Vector2Int => Value::Vector2Int(u.arbitrary()?),
        Kind::Vector3Int => Value::Vector3Int(u.arbitrary()?),
        Kind::List => {
            let element = any_kind(u, inner)?;
            let mut items = Vec::new();
            while !u.is_empty() && u.ratio(2, 3)? {
                items.push(value(u, element, inner)?);
            }
            Value::List(List::new(element, items))
        }
        Kind::Map => {
            let (key, of) = (any_kind(u, inner)?, any_kind(u, inner)?);
            let mut entries = Vec::new();
            while !u.is_empty() && u.ratio(2, 3)? {
                entries.push((value(u, key, inner)?, value(u, of, inner)?));
            }
            Value::Map(Map::new(key, of, entries))
        }
        Kind::Bean => Value::Bean(bean(u, inner)?),
        Kind::Dynamic => {
            let type_id = u.arbitrary()?;
            Value::Dynamic(Box::new(Dynamic { type_id, bean: bean(u, inner)? }))
        }
    })
}

/// A bean.
pub(crate) fn bean(u: &mut Unstructured<'_>, depth: usize) -> Result<Bean> {
    let mut bean = Bean::new();
    while !u.is_empty() && u.ratio(2, 3)? {
        let id = if u.ratio(7, 8)? {
            u.int_in_range(1..=40)?
        } else {
            u.int_in_range(1..=i32::MAX as u32)?
        };
        let kind = any_kind(u, depth)?;
        bean.insert(id, value(u, kind, depth.saturating_sub(1))?);
    }
    if depth > 0 && u.ratio(1, 8)? {
        bean.set_base(Some(self::bean(u, depth.saturating_sub(1))?));
    }
    Ok(bean)
}
