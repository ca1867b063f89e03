//! The literal macro.

/// Makes a [`Value`](crate::Value) of a literal that looks like JSON.
///
/// | in the literal | what it becomes |
/// |---|---|
/// | `null` | [`Value::Null`](crate::Value::Null) |
/// | `[value, …]` | an array |
/// | `{ key: value, … }` | a document, with the keys in this order |
/// | anything else | an expression of any type that [`Value`](crate::Value) is made `From` |
///
/// The kind of a number is that of its Rust type: `1` is an int32, `1_i64` an int64, `1.0` a double.
/// Bytes, dates and addresses come as [`Binary`](crate::Binary), [`DateTime`](crate::DateTime) and
/// [`Url`](crate::Url). `u64` and `usize` have no kind and are refused by the compiler.
///
/// A key is a literal, a name or an expression in parentheses. One that occurs twice stays twice, which
/// writing refuses. Braces are a document wherever they could be a block.
///
/// # Example
/// ```
/// use resonite_brson::{DateTime, Url, Value, brson};
///
/// let name = String::from("Lamp");
/// let picture = Url::new("packdb:///00ff")?;
/// let member = "Scale";
/// let slot: Value = brson!({
///     "Name": name,
///     "Tag": null,
///     "OrderOffset": -1_i64,
///     "Children": [{ "Active": true }, [1, 0.5 * 2.0]],
///     (format!("{member}-ID")): [picture, DateTime(0)],
/// });
/// assert_eq!(
///     format!("{slot:?}"),
///     "{\"Name\": \"Lamp\", \"Tag\": null, \"OrderOffset\": -1i64, \
///      \"Children\": [{\"Active\": true}, [1, 1.0]], \
///      \"Scale-ID\": [\"@packdb:///00ff\", DateTime(1970-01-01T00:00:00Z)]}"
/// );
/// # Ok::<(), resonite_brson::Error>(())
/// ```
#[macro_export]
macro_rules! brson {
    (null) => {
        $crate::Value::Null
    };
    // No recursion for each element where none has more than one token.
    ([ $($item:tt),* $(,)? ]) => {
        $crate::Value::Array($crate::value::Array::from(::std::vec![$($crate::brson!($item)),*]))
    };
    ([ $($items:tt)* ]) => {
        $crate::Value::Array($crate::value::Array::from(
            $crate::__brson_parts!(@items [] $($items)*)
        ))
    };
    ({ $($key:tt : $value:tt),* $(,)? }) => {
        $crate::Value::Document($crate::value::Document::from(
            ::std::vec![$($crate::__brson_parts!(@entry $key, $crate::brson!($value))),*]
        ))
    };
    ({ $($entries:tt)* }) => {
        $crate::Value::Document($crate::value::Document::from(
            $crate::__brson_parts!(@entries [] $($entries)*)
        ))
    };
    ($value:expr) => {
        $crate::Value::from($value)
    };
}

/// The elements of a list and the entries of a document, one after another: `[done] left`.
#[doc(hidden)]
#[macro_export]
macro_rules! __brson_parts {
    (@items [$($done:tt)*]) => {
        ::std::vec![$($done)*]
    };
    // One token: `null`, brackets, or a short expression.
    (@items [$($done:tt)*] $value:tt $(, $($rest:tt)*)?) => {
        $crate::__brson_parts!(@items [$($done)* $crate::brson!($value),] $($($rest)*)?)
    };
    (@items [$($done:tt)*] $value:expr $(, $($rest:tt)*)?) => {
        $crate::__brson_parts!(@items [$($done)* $crate::Value::from($value),] $($($rest)*)?)
    };

    (@entries [$($done:tt)*]) => {
        ::std::vec![$($done)*]
    };
    (@entries [$($done:tt)*] $key:tt : $value:tt $(, $($rest:tt)*)?) => {
        $crate::__brson_parts!(
            @entries [$($done)* $crate::__brson_parts!(@entry $key, $crate::brson!($value)),]
            $($($rest)*)?
        )
    };
    (@entries [$($done:tt)*] $key:tt : $value:expr $(, $($rest:tt)*)?) => {
        $crate::__brson_parts!(
            @entries [$($done)* $crate::__brson_parts!(@entry $key, $crate::Value::from($value)),]
            $($($rest)*)?
        )
    };

    // Parentheses around a key are the macro's, and no lint should ask for them to be taken off.
    (@entry ($key:expr), $value:expr) => {
        ($crate::value::Key::from($key), $value)
    };
    (@entry $key:expr, $value:expr) => {
        ($crate::value::Key::from($key), $value)
    };
}
