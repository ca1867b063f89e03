//! The engine's `str()` of a value: the text that an element becomes when it is converted to one.

use crate::Value;
use crate::float;
use crate::types::{Components, Real, Type};
use crate::value::by_numbers;
use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::string::ToString as _;
use alloc::vec::Vec;

/// The text of a value. Containers inside of arrays are shown as `Debug` shows them, which differs in
/// spaces and digits.
pub(super) fn stringify(value: &Value) -> String {
    by_numbers!(
        value,
        ints v => components(v, |number| number.to_string()),
        reals v => components(v, real),
        packed _v => format!("{value:?}"),
        Value::Nil => "<null>".to_owned(),
        Value::String(text) => text.to_string(),
        Value::StringName(name) => name.to_string(),
        Value::NodePath(path) => path.to_string(),
        Value::Float(number) => real(*number),
        Value::Callable(_) => "null::null".to_owned(),
        _ => format!("{value:?}"),
    )
}

/// A float: whole ones with `.0`, others with up to 14 digits after the point, or 6 of 32 bits.
fn real<R: Real>(number: R) -> String {
    let value = number.to_f64();
    if !value.is_finite() {
        return match value {
            _ if value.is_nan() => "nan".to_owned(),
            _ => if value > 0.0 { "inf" } else { "-inf" }.to_owned(),
        };
    }
    if float::is_whole(value) {
        // Negative zero is an integer to the engine here.
        return format!("{:.1}", if value == 0.0 { 0.0 } else { value });
    }
    let most: usize = if R::WIDE { 14 } else { 6 };
    let magnitude = format!("{:.0}", float::trunc(value.abs())).len().saturating_sub(1);
    let digits = if value.abs() > 10.0 { most.saturating_sub(magnitude) } else { most };
    let text = format!("{value:.digits$}");
    let text = text.trim_end_matches('0');
    if text.ends_with('.') { format!("{text}0") } else { text.to_owned() }
}

/// Math types of several vectors name these.
fn components<T: Components>(value: &T, show: impl Fn(T::Scalar) -> String) -> String
where
    T::Scalar: Copy,
{
    let components = value.to_components();
    let shown: Vec<String> = components.as_ref().iter().map(|c| show(*c)).collect();
    let (names, size) = match T::TYPE {
        Type::Rect2 | Type::Rect2i => ("PS", 2),
        Type::Aabb => ("PS", 3),
        Type::Plane => ("ND", 3),
        Type::Transform2D => ("XYO", 2),
        Type::Basis => ("XYZ", 3),
        Type::Transform3D => ("XYZO", 3),
        Type::Projection => ("XYZW", 4),
        _ => return format!("({})", shown.join(", ")),
    };
    let parts = names.chars().zip(shown.chunks(size)).map(|(name, part)| match part {
        [one] => format!("{name}: {one}"),
        part => format!("{name}: ({})", part.join(", ")),
    });
    format!("[{}]", parts.collect::<Vec<_>>().join(", "))
}
