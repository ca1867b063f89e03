//! Literals of values, dictionaries and arrays.

/// A [`Value`](crate::Value), written as JSON is: `null`, arrays `[…]`, dictionaries `{ key: value }`, and
/// for everything else, keys too, any expression that a value can be made [`From`].
///
/// ```
/// use godot_variant::types::{NodePath, StringName, Vector2, Vector2i};
/// use godot_variant::{Value, variant};
///
/// let hp = 70;
/// let save = variant!({
///     "name": "Åsa",
///     "hp": hp - 1,
///     "at": Vector2::new(1.0, -2.5),
///     "pet": null,
///     "items": ["lamp", { StringName::new("kind"): "key", 1: true }],
///     Vector2i::new(0, 1): NodePath::new("/root/Map"),
/// });
/// assert_eq!(save["hp"], 69);
/// assert_eq!(save["items"][1]["kind"], "key");
/// assert_eq!(
///     format!("{save:?}"),
///     r#"{"name": "Åsa", "hp": 69, "at": Vector2(1.0, -2.5), "pet": null, "items": ["lamp", {&"kind": "key", 1: true}], Vector2i(0, 1): ^"/root/Map"}"#
/// );
/// // An integer that may not fit is tried.
/// assert_eq!(variant!([Value::try_from(8_usize)?]), variant!([8]));
/// # Ok::<(), godot_variant::Error>(())
/// ```
///
/// The last value of equal keys stays, as in the engine. Arrays and dictionaries of single tokens may have
/// any length; elements and entries of more tokens take steps of the compiler's recursion limit.
#[macro_export]
macro_rules! variant {
    (null) => {
        $crate::Value::Nil
    };
    ([ $($item:tt),* $(,)? ]) => {
        $crate::Value::Array($crate::value::Array::from(::std::vec![
            $($crate::variant!($item)),*
        ]))
    };
    ([ $($items:tt)+ ]) => {
        $crate::__variant!(@items [] $($items)+)
    };
    ({ $($key:tt : $value:tt),* $(,)? }) => {
        $crate::Value::Dictionary($crate::value::Dictionary::from(::std::vec![
            $(($crate::variant!($key), $crate::variant!($value))),*
        ]))
    };
    ({ $($entries:tt)+ }) => {
        $crate::__variant!(@entries [] [] $($entries)+)
    };
    (($value:expr)) => {
        $crate::Value::from($value)
    };
    ($value:expr) => {
        $crate::Value::from($value)
    };
}

/// The elements and entries of [`variant!`] that are more than single tokens, one by one. What is done
/// comes first; of an entry, then its key.
#[doc(hidden)]
#[macro_export]
macro_rules! __variant {
    (@items [$($done:tt)*]) => {
        $crate::Value::Array($crate::value::Array::from(::std::vec![$($done)*]))
    };
    (@items [$($done:tt)*] $item:tt $(, $($rest:tt)*)?) => {
        $crate::__variant!(@items [$($done)* $crate::variant!($item),] $($($rest)*)?)
    };
    (@items [$($done:tt)*] $item:expr $(, $($rest:tt)*)?) => {
        $crate::__variant!(@items [$($done)* $crate::Value::from($item),] $($($rest)*)?)
    };
    (@entries [$($done:tt)*] []) => {
        $crate::Value::Dictionary($crate::value::Dictionary::from(::std::vec![$($done)*]))
    };
    (@entries $done:tt [$($key:tt)+] : $($rest:tt)+) => {
        $crate::__variant!(@value $done ($($key)+) $($rest)+)
    };
    (@entries $done:tt [$($key:tt)*] $next:tt $($rest:tt)*) => {
        $crate::__variant!(@entries $done [$($key)* $next] $($rest)*)
    };
    (@value [$($done:tt)*] ($($key:tt)+) $value:tt $(, $($rest:tt)*)?) => {
        $crate::__variant!(
            @entries [$($done)* ($crate::variant!($($key)+), $crate::variant!($value)),] []
            $($($rest)*)?
        )
    };
    (@value [$($done:tt)*] ($($key:tt)+) $value:expr $(, $($rest:tt)*)?) => {
        $crate::__variant!(
            @entries [$($done)* ($crate::variant!($($key)+), $crate::Value::from($value)),] []
            $($($rest)*)?
        )
    };
}

/// A [`Dictionary`](crate::value::Dictionary) of the entries `key => value`; [`variant!`] makes a value.
///
/// ```
/// use godot_variant::types::Vector2;
/// use godot_variant::{Value, array, dict};
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

/// An [`Array`](crate::value::Array) of values of any types; [`variant!`] makes a value.
///
/// ```
/// use godot_variant::types::Color;
/// use godot_variant::{Value, array};
///
/// let mut row = array!["lamp", 7, 0.5, Color::new(1.0, 0.0, 0.0, 1.0), array![]];
/// row[1] = Value::try_from(8_usize)?; // an integer that may not fit is tried
/// assert_eq!(format!("{row:?}"), r#"["lamp", 8, 0.5, Color(1.0, 0.0, 0.0, 1.0), []]"#);
/// # Ok::<(), godot_variant::Error>(())
/// ```
#[macro_export]
macro_rules! array {
    ($($value:expr),* $(,)?) => {{
        let items: ::std::vec::Vec<$crate::Value> =
            ::std::vec![$($crate::Value::from($value)),*];
        $crate::value::Array::from(items)
    }};
}
