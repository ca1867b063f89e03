use std::fmt;

use crate::error::Shortened;
use crate::{Error, ErrorKind, Result};

/// The names of an enum's values, or of bit flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnumOptions {
    pub(crate) entries: Vec<(Box<str>, u32)>,
    pub(crate) default: Option<u32>,
    pub(crate) is_bits: bool,
    /// Of a Rust enum, or the first of several: variants have their own numbers and names.
    pub(crate) is_inferred: bool,
}

impl EnumOptions {
    /// Names and values in the order of the type list.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, u32)> {
        self.entries.iter().map(|(name, value)| (&**name, *value))
    }

    /// The value that a new object has.
    pub fn default_value(&self) -> Option<u32> {
        self.default
    }

    /// Whether values are flags that are joined by `|`.
    pub fn is_bits(&self) -> bool {
        self.is_bits
    }

    /// The name of exactly this value; the first, if there are several.
    pub fn name_of(&self, value: u32) -> Option<&str> {
        self.iter().find(|(_, other)| *other == value).map(|(name, _)| name)
    }

    /// The value of exactly this name.
    pub fn value_of(&self, name: &str) -> Option<u32> {
        self.iter().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// The value of a Rust enum's variant, which mostly has the same place here.
    #[inline]
    pub(crate) fn of_variant(&self, index: u32, name: &str) -> Result<u32> {
        match self.entries.get(index as usize) {
            Some((own, value)) if **own == *name => Ok(*value),
            _ => self.parse(name),
        }
    }

    /// The text of a value: a name, names joined by `|`, or a decimal number if no names fit. The
    /// empty text is no flags.
    pub fn format(&self, value: u32) -> String {
        if !self.is_bits {
            return self.name_of(value).map_or_else(|| value.to_string(), str::to_owned);
        }
        if value == 0 {
            return String::new();
        }
        if let Some(name) = self.name_of(value) {
            return name.to_owned();
        }
        let mut left = value;
        let mut text = String::new();
        for (name, flag) in self.iter() {
            if flag != 0 && left & flag == flag {
                left &= !flag;
                text.push_str(if text.is_empty() { "" } else { "|" });
                text.push_str(name);
            }
        }
        if left == 0 { text } else { value.to_string() }
    }

    /// The value of a text: as [`format`](Self::format) writes it, with blanks around names and
    /// flags in any order. Decimal numbers are read too.
    ///
    /// # Errors
    /// A name that there is not.
    pub fn parse(&self, text: &str) -> Result<u32> {
        if !self.is_bits {
            return self.parse_one(text.trim());
        }
        if text.trim().is_empty() {
            return Ok(0);
        }
        text.split('|').try_fold(0, |value, name| Ok(value | self.parse_one(name.trim())?))
    }

    fn parse_one(&self, name: &str) -> Result<u32> {
        if let Some(value) = self.value_of(name) {
            return Ok(value);
        }
        let digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| name.parse().ok()).flatten().ok_or_else(|| {
            Error::new(
                ErrorKind::UnknownOption,
                format!("expected {}, found `{}`", Names(self), Shortened(name)),
            )
        })
    }
}

/// The first few names.
struct Names<'a>(&'a EnumOptions);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX: usize = 4;
        f.write_str(match self.0.entries.len() {
            0 => "a number, for no option has a name",
            1 => "the option ",
            _ => "one of the options ",
        })?;
        for (index, (name, _)) in self.0.iter().take(MAX).enumerate() {
            write!(f, "{}`{}`", if index == 0 { "" } else { ", " }, Shortened(name))?;
        }
        f.write_str(if self.0.entries.len() > MAX { ", …" } else { "" })
    }
}
