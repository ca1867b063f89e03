//! Conversions of the engine: a boolean, number or text where a bool, integer or float is wanted.

use crate::node::Node;
use crate::read::{Worth, double_prefix, integer_prefix};

pub(crate) trait Scalar: Copy + Default {
    const EXPECTED: &'static str;
    /// Whether most of its numbers have no fraction.
    const IS_INTEGER: bool = false;
    fn from_bool(value: bool) -> Self;
    fn from_number(value: Worth) -> Option<Self>;
    fn from_text(text: &str) -> Option<Self>;
    fn from_node(node: &Node) -> Option<Self>;
    /// For telling values apart.
    fn bits(self) -> u64;
}

impl Scalar for bool {
    const EXPECTED: &'static str = "a boolean";

    #[inline]
    fn from_bool(value: bool) -> Self {
        value
    }

    fn from_number(value: Worth) -> Option<Self> {
        Some(value.to_f64() != 0.0)
    }

    fn from_text(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("true") {
            return Some(true);
        }
        if text.eq_ignore_ascii_case("false") {
            return Some(false);
        }
        // Overflow saturates in C, which is true.
        integer_prefix(text).map(|prefix| !prefix.is_zero())
    }

    fn from_node(node: &Node) -> Option<Self> {
        match node {
            Node::Bool(value) => Some(*value),
            _ => None,
        }
    }

    fn bits(self) -> u64 {
        u64::from(self)
    }
}

macro_rules! integer {
    ($($type:ident $expected:literal $two_to:literal $signed:ident),*) => {$(
        impl Scalar for $type {
            const EXPECTED: &'static str = $expected;
            const IS_INTEGER: bool = true;

            #[inline]
            fn from_bool(value: bool) -> Self {
                value.into()
            }

            #[inline]
            fn from_number(value: Worth) -> Option<Self> {
                match value {
                    Worth::Unsigned(value) => value.try_into().ok(),
                    Worth::Signed(value) => value.try_into().ok(),
                    // The range is checked before the fraction is cut off. The upper end is the
                    // power of two itself, which the engine lets through and then overflows on.
                    Worth::Double(value) => {
                        let lowest = $type::MIN as f64;
                        let highest = (2.0_f64).powi($two_to);
                        let fits = value >= lowest
                            && value < highest
                            && ($two_to > 53 || value <= $type::MAX as f64);
                        #[allow(
                            clippy::cast_possible_truncation,
                            clippy::cast_sign_loss,
                            reason = "the fraction is to be cut off, and the range is checked"
                        )]
                        fits.then(|| value as $type)
                    }
                }
            }

            fn from_text(text: &str) -> Option<Self> {
                integer_prefix(text)?.$signed()?.try_into().ok()
            }

            fn from_node(node: &Node) -> Option<Self> {
                match *node {
                    Node::Unsigned(value) => value.try_into().ok(),
                    Node::Signed(value) => value.try_into().ok(),
                    _ => None,
                }
            }

            fn bits(self) -> u64 {
                #[allow(
                    clippy::cast_sign_loss,
                    clippy::cast_lossless,
                    reason = "any distinct bits will do"
                )]
                {
                    self as u64
                }
            }
        }
    )*};
}

integer! {
    i8 "an integer of 8 bits" 7 signed, i16 "an integer of 16 bits" 15 signed,
    i32 "an integer of 32 bits" 31 signed, i64 "an integer of 64 bits" 63 signed,
    u8 "an unsigned integer of 8 bits" 8 unsigned, u16 "an unsigned integer of 16 bits" 16 unsigned,
    u32 "an unsigned integer of 32 bits" 32 unsigned,
    u64 "an unsigned integer of 64 bits" 64 unsigned
}

impl Scalar for f64 {
    const EXPECTED: &'static str = "a double";

    #[inline]
    fn from_bool(value: bool) -> Self {
        value.into()
    }

    #[inline]
    fn from_number(value: Worth) -> Option<Self> {
        Some(value.to_f64())
    }

    fn from_text(text: &str) -> Option<Self> {
        // Infinity is beyond the largest double, which the engine's range check finds.
        double_prefix(text).filter(|value| !value.is_infinite())
    }

    fn from_node(node: &Node) -> Option<Self> {
        match *node {
            Node::Double(value) => Some(value),
            Node::Float(value) => Some(value.into()),
            _ => None,
        }
    }

    fn bits(self) -> u64 {
        self.to_bits()
    }
}

impl Scalar for f32 {
    const EXPECTED: &'static str = "a float";

    #[inline]
    fn from_bool(value: bool) -> Self {
        if value { 1.0 } else { 0.0 }
    }

    #[inline]
    fn from_number(value: Worth) -> Option<Self> {
        narrowed(value.to_f64())
    }

    fn from_text(text: &str) -> Option<Self> {
        double_prefix(text).and_then(narrowed)
    }

    fn from_node(node: &Node) -> Option<Self> {
        match *node {
            Node::Float(value) => Some(value),
            _ => None,
        }
    }

    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

/// A double as a float, if it is in a float's range; tiny ones become zero.
#[inline]
fn narrowed(value: f64) -> Option<f32> {
    if value.abs() > f64::from(f32::MAX) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, reason = "rounding is what is wanted")]
    Some(value as f32)
}
