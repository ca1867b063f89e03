//! Settings whose values have names: on command lines, in pages, and in JSON notations.

/// The values of a setting: the name, a few words for help, and the value. `auto` stands for `None`.
pub type Choices<T> = &'static [(&'static str, &'static str, T)];

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
