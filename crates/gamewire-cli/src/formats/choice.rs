//! Options whose values have names, on the command line and in JSON notations.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// The values of an option: the name, what help says of it, and what it stands for.
pub(super) type Choices<T> = &'static [(&'static str, &'static str, T)];

/// What an option with the value `auto` says, which is nothing. Another name than `Option`, which
/// would make the value optional on the command line.
pub(super) type Auto<T> = Option<T>;

/// Reads one of the values, and lists them in help and errors.
pub(super) fn one_of<T>(choices: Choices<T>) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let shown = choices.iter().map(|(name, help, _)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(shown).try_map(move |name| value_of(choices, &name))
}

/// The same, with help that lists the names alone.
pub(super) fn among<T>(choices: Choices<T>) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = choices.iter().map(|(name, ..)| PossibleValue::new(*name));
    PossibleValuesParser::new(names).try_map(move |name| value_of(choices, &name))
}

fn value_of<T: Copy>(choices: Choices<T>, name: &str) -> Result<T, &'static str> {
    let found = choices.iter().find(|(own, ..)| *own == name);
    found.map(|(.., value)| *value).ok_or("no such value")
}

/// The name of a value in JSON: that of the command line, with `_` between words.
pub(super) fn name<T: PartialEq>(choices: Choices<T>, value: &T) -> String {
    let found = choices.iter().find(|(.., own)| own == value);
    found.map_or_else(String::new, |(name, ..)| name.replace('-', "_"))
}

/// The value with a name as JSON has it. The error is a sentence that says `what` it would be.
pub(super) fn named<T: Copy>(choices: Choices<T>, what: &str, name: &str) -> Result<T, String> {
    let in_json = |own: &str| own.replace('-', "_");
    let found = choices.iter().find(|(own, ..)| in_json(own) == name && *own != "auto");
    found.map(|(.., value)| *value).ok_or_else(|| {
        let names = choices.iter().map(|(own, ..)| in_json(own)).filter(|own| own != "auto");
        let names = names.collect::<Vec<_>>().join(", ");
        format!("unknown {what} {name:?}, expected one of {names}")
    })
}
