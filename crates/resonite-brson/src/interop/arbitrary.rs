//! Values for fuzzing: of every type, up to eight levels deep, with each key once.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::Value;
use crate::text::Str;
use crate::types::{
    Binary, CodeWithScope, DateTime, DbPointer, Decimal128, ObjectId, Regex, Timestamp,
};
use crate::value::{Array, Document};

const MAX_LEVELS: usize = 8;

impl<'a> Arbitrary<'a> for Value {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        value(u, MAX_LEVELS)
    }
}

impl<'a> Arbitrary<'a> for Document {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        document(u, MAX_LEVELS)
    }
}

fn text(u: &mut Unstructured<'_>) -> Result<Str> {
    u.arbitrary::<&str>().map(Str::new)
}

/// Text that ends with the first NUL on the wire.
fn cstring(u: &mut Unstructured<'_>) -> Result<Str> {
    let text = u.arbitrary::<&str>()?;
    Ok(Str::new(text.split('\0').next().unwrap_or_default()))
}

fn document(u: &mut Unstructured<'_>, levels: usize) -> Result<Document> {
    let mut document = Document::new();
    while u.arbitrary::<bool>()? && !u.is_empty() {
        document.insert(cstring(u)?.as_str(), value(u, levels)?);
    }
    Ok(document)
}

fn value(u: &mut Unstructured<'_>, levels: usize) -> Result<Value> {
    let inner = levels.saturating_sub(1);
    // The containers come last.
    let most = if levels == 0 { 17 } else { 20 };
    Ok(match u.int_in_range(0..=most)? {
        0 => Value::Null,
        1 => Value::Bool(u.arbitrary()?),
        2 => Value::Int32(u.arbitrary()?),
        3 => Value::Int64(u.arbitrary()?),
        4 => Value::Double(f64::from_bits(u.arbitrary()?)),
        5 => Value::String(text(u)?),
        6 => DateTime(u.arbitrary()?).into(),
        7 => Binary { subtype: u.arbitrary()?, bytes: u.arbitrary()? }.into(),
        8 => ObjectId(u.arbitrary()?).into(),
        9 => Regex { pattern: cstring(u)?, options: cstring(u)? }.into(),
        10 => DbPointer { namespace: text(u)?, id: ObjectId(u.arbitrary()?) }.into(),
        11 => Value::Code(u.arbitrary()?),
        12 => Value::Symbol(u.arbitrary()?),
        13 => Timestamp { time: u.arbitrary()?, increment: u.arbitrary()? }.into(),
        14 => Decimal128(u.arbitrary()?).into(),
        15 => Value::Undefined,
        16 => Value::MinKey,
        17 => Value::MaxKey,
        18 => Value::Document(document(u, inner)?),
        19 => {
            let mut items = Vec::new();
            while u.arbitrary::<bool>()? && !u.is_empty() {
                items.push(value(u, inner)?);
            }
            Value::Array(Array::from(items))
        }
        _ => CodeWithScope { code: text(u)?, scope: document(u, inner)? }.into(),
    })
}
