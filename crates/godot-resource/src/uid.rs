//! Ids of files.

use std::fmt;

/// The unique id of a file in a project: `uid://b8a3m0607cq6k`, a number of 63 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uid(
    /// The number.
    pub u64,
);

/// The digits are a to y and 0 to 8.
const LETTERS: u64 = 25;
const BASE: u64 = 34;

impl Uid {
    /// Reads the text of an id, as engines do; `None` for another text.
    ///
    /// ```
    /// use godot_resource::Uid;
    ///
    /// let uid = Uid::parse("uid://b8a3m0607cq6k").unwrap();
    /// assert_eq!(uid.to_string(), "uid://b8a3m0607cq6k");
    /// assert_eq!(Uid::parse("res://a.tres"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Uid> {
        let digits = text.strip_prefix("uid://").filter(|digits| !digits.is_empty())?;
        let mut number = 0_u64;
        for digit in digits.bytes() {
            let value = match digit {
                b'a'..=b'z' => u64::from(digit.wrapping_sub(b'a')),
                b'0'..=b'9' => u64::from(digit.wrapping_sub(b'0')).wrapping_add(LETTERS),
                _ => return None,
            };
            number = number.wrapping_mul(BASE).wrapping_add(value);
        }
        Some(Uid(number & i64::MAX.cast_unsigned()))
    }

    /// The id of a field of a binary file, where all bits mean that there is none.
    pub(crate) fn from_field(number: u64) -> Option<Uid> {
        (number.cast_signed() >= 0).then_some(Uid(number))
    }
}

/// The text.
impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = Vec::new();
        let mut left = self.0;
        while left > 0 {
            let digit = u8::try_from(left % BASE).unwrap_or_default();
            digits.push(match digit.checked_sub(25) {
                None => digit.wrapping_add(b'a'),
                Some(digit) => digit.wrapping_add(b'0'),
            });
            left /= BASE;
        }
        f.write_str("uid://")?;
        digits.iter().rev().try_for_each(|digit| write!(f, "{}", char::from(*digit)))
    }
}
