//! Options whose values have names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gamewire::document::Choices;

/// An option whose value `auto` says nothing. Another name than `Option`, which would make the value
/// optional on the command line.
pub(crate) type Auto<T> = Option<T>;

/// Reads one of the values, and lists them in help and errors.
pub(crate) fn one_of<T>(choices: Choices<T>) -> impl TypedValueParser<Value = T>
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
