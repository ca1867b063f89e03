//! Literals of dictionaries and arrays.

/// A [`Dictionary`](crate::value::Dictionary) of the entries `key => value`.
///
/// ```
/// use godot_variant::{Value, Vector2, array, dict};
///
/// let save = Value::from(dict! {
///     "name" => "Åsa",
///     "items" => array!["lamp", dict! { "kind" => "key", 1 => true }],
///     "at" => Vector2::new(1.0, 2.0),
/// });
/// assert_eq!(save["items"][1][1], true);
/// ```
#[macro_export]
macro_rules! dict {
    ($($key:expr => $value:expr),* $(,)?) => {{
        let entries: ::std::vec::Vec<($crate::Value, $crate::Value)> =
            ::std::vec![$(($crate::Value::from($key), $crate::Value::from($value))),*];
        $crate::value::Dictionary::from(entries)
    }};
}

/// An [`Array`](crate::value::Array) of values of any types; see [`dict!`](crate::dict).
///
/// ```
/// use godot_variant::{Color, Value, array};
///
/// let mut row = array!["lamp", 7, 0.5, Color::new(1.0, 0.0, 0.0, 1.0), array![]];
/// row[1] = Value::try_from(8_usize)?; // an integer that may not fit is tried
/// assert_eq!(format!("{row:?}"), r#"["lamp", 8, 0.5, Color(1.0, 0.0, 0.0, 1.0), []]"#);
/// # Ok::<(), godot_variant::Error>(())
/// ```
#[macro_export]
macro_rules! array {
    ($($value:expr),* $(,)?) => {{
        let items: ::std::vec::Vec<$crate::Value> = ::std::vec![$($crate::Value::from($value)),*];
        $crate::value::Array::from(items)
    }};
}
