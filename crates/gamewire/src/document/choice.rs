//! Settings by their names, and those whose values have names: on command lines, in pages, in JSON notations.

use serde_json::Value as Json;

use super::error::Error;

/// The values of a setting: the name, a few words for help, and the value. `auto` stands for `None`.
pub type Choices<T> = &'static [(&'static str, &'static str, T)];

/// The value with a name.
///
/// # Errors
///
/// If none has it; says which there are.
pub fn parse_choice<T: Copy>(choices: Choices<T>, name: &str) -> Result<T, Error> {
    let found = choices.iter().find(|(own, ..)| *own == name);
    found.map(|(.., value)| *value).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(own, ..)| *own).collect();
        Error::new(format!("expected one of {}, found {name:?}", names.join(", ")))
    })
}

/// A value of a setting that JSON says.
pub(super) trait Said: Sized {
    /// The meaning, in words.
    const WHAT: &'static str;

    fn said(value: &Json) -> Option<Self>;

    /// # Errors
    ///
    /// If the JSON is something else.
    fn of(value: &Json) -> Result<Self, Error> {
        let wrong = || Error::new(format!("expected {}, found {value}", Self::WHAT));
        Self::said(value).ok_or_else(wrong)
    }
}

impl Said for bool {
    const WHAT: &'static str = "true or false";

    fn said(value: &Json) -> Option<Self> {
        value.as_bool()
    }
}

impl Said for usize {
    const WHAT: &'static str = "a number";

    fn said(value: &Json) -> Option<Self> {
        value.as_u64()?.try_into().ok()
    }
}

impl Said for u32 {
    const WHAT: &'static str = "a number of 32 bits";

    fn said(value: &Json) -> Option<Self> {
        value.as_u64()?.try_into().ok()
    }
}

impl Said for String {
    const WHAT: &'static str = "text";

    fn said(value: &Json) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }
}

/// The value that is named.
pub(super) fn said<T: Copy>(choices: Choices<T>, value: &Json) -> Result<T, Error> {
    parse_choice(choices, &String::of(value)?)
}

/// The name of a value in JSON: that of the command line, with `_` between words.
pub(super) fn name<T: PartialEq>(choices: Choices<T>, value: &T) -> String {
    let found = choices.iter().find(|(.., own)| own == value);
    found.map_or_else(String::new, |(name, ..)| name.replace('-', "_"))
}

/// The value with a name as JSON has it. The error is a sentence that says `what` it would be.
pub(super) fn named<T: Copy>(choices: Choices<T>, what: &str, name: &str) -> Result<T, Error> {
    let in_json = |own: &str| own.replace('-', "_");
    let found = choices.iter().find(|(own, ..)| in_json(own) == name && *own != "auto");
    found.map(|(.., value)| *value).ok_or_else(|| {
        let names = choices.iter().map(|(own, ..)| in_json(own)).filter(|own| own != "auto");
        let names = names.collect::<Vec<_>>().join(", ");
        Error::new(format!("unknown {what} {name:?}, expected one of {names}"))
    })
}
