/// A [`Value`](crate::Value) that is a bean, in the notation in which `{:?}` shows it.
///
/// ```
/// use zeze_serialize::{Value, Vector2Int, bean};
///
/// let name = String::from("Bo");
/// let player = bean! {
///     1: name,
///     2: -7,
///     3: [1, 2, 3],
///     4: { 1: true, 9: 0.5_f32 },
///     5: map { "gold": 10 + 5, "wood": 3 },
///     6: dynamic 77 { 1: "sword" },
///     7: Vector2Int::new(1, -1),
///     base: { 1: 42 },
/// };
/// assert_eq!(player[1].as_str(), Some("Bo"));
/// assert_eq!(player.pointer("/5/gold"), Some(&Value::Int(15)));
/// assert_eq!(zeze_serialize::to_vec(&bean! { 1: 5 })?, [0x10, 5, 0]);
/// # Ok::<(), zeze_serialize::Error>(())
/// ```
///
/// | in the macro | the value |
/// |---|---|
/// | `{ 1: …, 7: … }` | a bean: a literal, or an expression in parentheses, for each id |
/// | `base: { … }`, last in a bean | the layer of its base |
/// | `[…, …]` | a list, of the wire type of its first element |
/// | `map { …: …, …: … }` | a map; keys are literals, beans, or expressions in parentheses |
/// | `dynamic 77 { … }` | a dynamic bean with that type id, which may be an expression in parentheses |
/// | any other expression | what [`Value::from`](crate::Value) makes of it: its Rust type is the wire type |
///
/// So `5` is an integer, `5.0` a double and `5.0_f32` a float; an integer of more than 32 bits needs its
/// type, as in `5_000_000_000_i64`. Of an id that occurs twice the last value counts. Elements of
/// another wire type than their list has are refused when the value is written.
#[macro_export]
macro_rules! bean {
    ($($fields:tt)*) => {
        $crate::Value::Bean($crate::__bean_part!(@bean [] $($fields)*))
    };
}

/// A part of what [`bean!`] makes: the fields of a bean, the elements of a list, the entries of a map, one
/// after another. The parts that are made stand in brackets before the others; `@value` takes a value and
/// continues with the rule that its first parentheses name.
#[doc(hidden)]
#[macro_export]
macro_rules! __bean_part {
    (@bean [$($made:expr,)*]) => {
        <$crate::value::Bean as ::std::iter::FromIterator<(u32, $crate::Value)>>::from_iter(
            [$($made),*]
        )
    };
    (@bean [$($made:expr,)*] base: {$($base:tt)*} $(,)?) => {{
        let mut bean = $crate::__bean_part!(@bean [$($made,)*]);
        bean.set_base(::std::option::Option::Some($crate::__bean_part!(@bean [] $($base)*)));
        bean
    }};
    (@bean $made:tt $id:tt : $($rest:tt)+) => {
        $crate::__bean_part!(@value (@field $made $id) $($rest)+)
    };
    (@field [$($made:expr,)*] $id:tt ($value:expr) $($rest:tt)*) => {
        $crate::__bean_part!(@bean [$($made,)* ($id, $value),] $($rest)*)
    };

    (@list [$($made:expr,)*]) => {
        <$crate::Value as ::std::iter::FromIterator<$crate::Value>>::from_iter(
            [$($made),*]
        )
    };
    // Elements of one token, as in long lists, need no recursion.
    (@list [] $($value:tt),+ $(,)?) => {
        $crate::__bean_part!(@list [$($crate::__bean_part!(@value (@only) $value),)+])
    };
    (@list $made:tt $($rest:tt)+) => {
        $crate::__bean_part!(@value (@element $made) $($rest)+)
    };
    (@element [$($made:expr,)*] ($value:expr) $($rest:tt)*) => {
        $crate::__bean_part!(@list [$($made,)* $value,] $($rest)*)
    };

    (@map [$($made:expr,)*]) => {
        $crate::Value::Map(
            <$crate::value::Map as ::std::iter::FromIterator<_>>::from_iter(
                [$($made),*]
            )
        )
    };
    (@map $made:tt $key:tt : $($rest:tt)+) => {
        $crate::__bean_part!(
            @value (@entry $made ($crate::__bean_part!(@value (@only) $key))) $($rest)+
        )
    };
    // A negative number.
    (@map $made:tt $key:literal : $($rest:tt)+) => {
        $crate::__bean_part!(@value (@entry $made ($crate::Value::from($key))) $($rest)+)
    };
    (@entry [$($made:expr,)*] ($key:expr) ($value:expr) $($rest:tt)*) => {
        $crate::__bean_part!(@map [$($made,)* ($key, $value),] $($rest)*)
    };

    (@only ($value:expr)) => { $value };

    (@value ($($to:tt)*) [$($in:tt)*] $(, $($rest:tt)*)?) => {
        $crate::__bean_part!($($to)* ($crate::__bean_part!(@list [] $($in)*)) $($($rest)*)?)
    };
    (@value ($($to:tt)*) {$($in:tt)*} $(, $($rest:tt)*)?) => {
        $crate::__bean_part!(
            $($to)* ($crate::Value::Bean($crate::__bean_part!(@bean [] $($in)*))) $($($rest)*)?
        )
    };
    (@value ($($to:tt)*) map {$($in:tt)*} $(, $($rest:tt)*)?) => {
        $crate::__bean_part!($($to)* ($crate::__bean_part!(@map [] $($in)*)) $($($rest)*)?)
    };
    (@value ($($to:tt)*) dynamic $type:tt {$($in:tt)*} $(, $($rest:tt)*)?) => {
        $crate::__bean_part!(
            $($to)* ($crate::Value::from($crate::value::Dynamic {
                type_id: $type,
                bean: $crate::__bean_part!(@bean [] $($in)*),
            }))
            $($($rest)*)?
        )
    };
    (@value ($($to:tt)*) $value:expr $(, $($rest:tt)*)?) => {
        $crate::__bean_part!($($to)* ($crate::Value::from($value)) $($($rest)*)?)
    };
}
