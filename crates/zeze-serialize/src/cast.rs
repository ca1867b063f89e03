//! Conversions of numbers that may lose something, by the rules of the format.

macro_rules! casts {
    ($($(#[$doc:meta])* $name:ident $from:ident => $to:ident;)+) => {$(
        $(#[$doc])*
        #[inline]
        #[allow(clippy::cast_possible_truncation, reason = "that is what it is for")]
        pub(crate) const fn $name(value: $from) -> $to {
            value as $to
        }
    )+};
}

casts! {
    /// The low 32 bits.
    low_i32 i64 => i32;
    /// The low 16 bits.
    low_i16 i64 => i16;
    /// The low 8 bits.
    low_i8 i64 => i8;
    /// The low 8 bits.
    low_u8 u64 => u8;
    /// Towards zero and held within the range, as Java converts; NaN is 0.
    float_to_int f64 => i32;
    /// Towards zero and held within the range, as Java converts; NaN is 0.
    float_to_long f64 => i64;
    /// The nearest float; infinite if the number is too large.
    narrow f64 => f32;
    /// The nearest float.
    int_to_float i64 => f32;
    /// The nearest double.
    int_to_double i64 => f64;
}
