//! The literal macro.

use crate::Value;
use crate::value::Number;

/// Makes a [`Value`](crate::Value) of a literal that looks like JSON.
///
/// | in the literal | what it becomes |
/// |---|---|
/// | `null` | [`Value::Null`](crate::Value::Null) |
/// | `[value, …]` | an array |
/// | `{ name: value, … }` | an object, with its members in this order |
/// | a number | that number, with the digits that stand there, as long as JSON can say them |
/// | anything else | an expression of any type that [`Value`](crate::Value) is made `From` |
///
/// A name is a literal, a variable or an expression in parentheses. One that occurs twice stays twice.
/// Braces are an object wherever they could be a block. Integers above `i32::MAX` need a suffix, as
/// everywhere in Rust: `10641544592923449938_u64`.
///
/// # Example
/// ```
/// use o3de_json::{Value, json};
///
/// let name = String::from("Lamp");
/// let axis = 'Y';
/// let lamp: Value = json!({
///     "Name": name,
///     "Id": 10641544592923449938_u64,
///     "Parent": null,
///     "Translate": [0.0, -1.50, 2.0 * 4.0],
///     (format!("Lock{axis}")): { "Value": true },
/// });
/// assert_eq!(
///     o3de_json::to_string(&lamp)?,
///     "{\"Name\":\"Lamp\",\"Id\":10641544592923449938,\"Parent\":null,\
///      \"Translate\":[0.0,-1.50,8.0],\"LockY\":{\"Value\":true}}"
/// );
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[macro_export]
macro_rules! json {
    (null) => {
        $crate::Value::Null
    };
    // A list whose elements are one token each takes no step of recursion for each of them.
    ([ $($one:tt),* $(,)? ]) => {
        $crate::Value::Array($crate::value::Array::from(::std::vec![$($crate::json!($one)),*]))
    };
    ([ $($list:tt)* ]) => {
        $crate::Value::Array($crate::value::Array::from($crate::__json!(array [] $($list)*)))
    };
    ({ $($name:tt : $one:tt),* $(,)? }) => {
        $crate::Value::Object($crate::value::Object::from(
            ::std::vec![$(($crate::__json!(name $name), $crate::json!($one))),*]
        ))
    };
    ({ $($list:tt)* }) => {
        $crate::Value::Object($crate::value::Object::from($crate::__json!(object [] $($list)*)))
    };
    // A minus before what is no literal must not come to the matcher of literals, which ends there.
    (- $number:literal) => {
        $crate::__private::number(::std::concat!("-", ::std::stringify!($number)), -$number)
    };
    (- $($rest:tt)+) => {
        $crate::Value::from(-$($rest)+)
    };
    ($value:literal) => {
        $crate::__private::number(::std::stringify!($value), $value)
    };
    ($value:expr) => {
        $crate::Value::from($value)
    };
}

/// A list, element by element: `kind [what is done] what is left`.
#[doc(hidden)]
#[macro_export]
macro_rules! __json {
    ($kind:tt [$($done:tt)*]) => {
        ::std::vec![$($done)*]
    };

    (array [$($done:tt)*] $one:tt $(, $($rest:tt)*)?) => {
        $crate::__json!(array [$($done)* $crate::json!($one),] $($($rest)*)?)
    };
    (array [$($done:tt)*] - $one:tt $(, $($rest:tt)*)?) => {
        $crate::__json!(array [$($done)* $crate::json!(- $one),] $($($rest)*)?)
    };
    (array [$($done:tt)*] $value:expr $(, $($rest:tt)*)?) => {
        $crate::__json!(array [$($done)* $crate::Value::from($value),] $($($rest)*)?)
    };

    (object [$($done:tt)*] $name:tt : $one:tt $(, $($rest:tt)*)?) => {
        $crate::__json!(
            object [$($done)* ($crate::__json!(name $name), $crate::json!($one)),] $($($rest)*)?
        )
    };
    (object [$($done:tt)*] $name:tt : - $one:tt $(, $($rest:tt)*)?) => {
        $crate::__json!(
            object [$($done)* ($crate::__json!(name $name), $crate::json!(- $one)),] $($($rest)*)?
        )
    };
    (object [$($done:tt)*] $name:tt : $value:expr $(, $($rest:tt)*)?) => {
        $crate::__json!(
            object [$($done)* ($crate::__json!(name $name), $crate::Value::from($value)),]
            $($($rest)*)?
        )
    };

    // These parentheses are the macro's, and no lint should ask for them to be taken off.
    (name ($name:expr)) => {
        $crate::value::Text::from($name)
    };
    (name $name:expr) => {
        $crate::value::Text::from($name)
    };
}

/// A literal by its text if that is a number of JSON; else by its value.
#[doc(hidden)]
pub fn number(text: &str, value: impl Into<Value>) -> Value {
    Number::of_literal(text).map_or_else(|| value.into(), Value::Number)
}
