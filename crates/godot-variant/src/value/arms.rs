//! One place that lists which values are made of numbers, for everything that treats them alike.

/// A `match` on a [`Value`](crate::Value) with an arm for each group of types of which a value is a
/// row of numbers, whatever its width: integer vectors, other math types, packed arrays of vectors
/// and colours, and, where asked for, packed arrays of numbers. The other values are matched after.
///
/// ```text
/// by_numbers!(value, ints v => …, reals v => …, packed v => …, Value::Nil => …, …)
/// ```
macro_rules! by_numbers {
    (
        $value:expr, ints $i:ident => $ints:expr, reals $r:ident => $reals:expr,
        $(scalars $s:ident => $scalars:expr,)? packed $p:ident => $packed:expr,
        $($pattern:pat => $arm:expr),+ $(,)?
    ) => {
        match $value {
            $(
                $crate::Value::PackedByteArray($s) => $scalars,
                $crate::Value::PackedInt32Array($s) => $scalars,
                $crate::Value::PackedInt64Array($s) => $scalars,
                $crate::Value::PackedFloat32Array($s) => $scalars,
                $crate::Value::PackedFloat64Array($s) => $scalars,
            )?
            $crate::Value::Vector2i($i) => $ints,
            $crate::Value::Rect2i($i) => $ints,
            $crate::Value::Vector3i($i) => $ints,
            $crate::Value::Vector4i($i) => $ints,
            $crate::Value::Vector2($r) => $reals,
            $crate::Value::Rect2($r) => $reals,
            $crate::Value::Vector3($r) => $reals,
            $crate::Value::Transform2D($r) => $reals,
            $crate::Value::Vector4($r) => $reals,
            $crate::Value::Plane($r) => $reals,
            $crate::Value::Quaternion($r) => $reals,
            $crate::Value::Aabb($r) => $reals,
            $crate::Value::Color($r) => $reals,
            $crate::Value::Basis($r) => {
                let $r = &**$r;
                $reals
            }
            $crate::Value::Transform3D($r) => {
                let $r = &**$r;
                $reals
            }
            $crate::Value::Projection($r) => {
                let $r = &**$r;
                $reals
            }
            $crate::Value::PackedVector2Array($p) => $packed,
            $crate::Value::PackedVector3Array($p) => $packed,
            $crate::Value::PackedColorArray($p) => $packed,
            $crate::Value::PackedVector4Array($p) => $packed,
            $crate::Value::Real64(value) => {
                $crate::value::by_real64!(&**value, reals $r => $reals, packed $p => $packed)
            }
            $($pattern => $arm,)+
        }
    };
}

/// The same for a [`Real64`](crate::value::Real64).
macro_rules! by_real64 {
    (
        $value:expr, reals $r:ident => $reals:expr, packed $p:ident => $packed:expr
    ) => {
        match $value {
            $crate::value::Real64::Vector2($r) => $reals,
            $crate::value::Real64::Rect2($r) => $reals,
            $crate::value::Real64::Vector3($r) => $reals,
            $crate::value::Real64::Transform2D($r) => $reals,
            $crate::value::Real64::Vector4($r) => $reals,
            $crate::value::Real64::Plane($r) => $reals,
            $crate::value::Real64::Quaternion($r) => $reals,
            $crate::value::Real64::Aabb($r) => $reals,
            $crate::value::Real64::Color($r) => $reals,
            $crate::value::Real64::Basis($r) => $reals,
            $crate::value::Real64::Transform3D($r) => $reals,
            $crate::value::Real64::Projection($r) => $reals,
            $crate::value::Real64::PackedVector2Array($p) => $packed,
            $crate::value::Real64::PackedVector3Array($p) => $packed,
            $crate::value::Real64::PackedColorArray($p) => $packed,
            $crate::value::Real64::PackedVector4Array($p) => $packed,
        }
    };
}

pub(crate) use {by_numbers, by_real64};
