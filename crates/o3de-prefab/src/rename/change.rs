//! A changed name, and the steps to it.

use o3de_json::value::Pointer;

/// A string or a name of a member that is another one now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The JSON pointer, by the names before the change.
    pub pointer: String,
    /// The kind of change.
    pub place: Changed,
    /// The old text.
    pub old: String,
    /// The new text.
    pub new: String,
}

/// The kinds of text that change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Changed {
    /// A string.
    Text,
    /// The name of a member.
    Member,
    /// The path of an override.
    OverridePath,
    /// The value of an override, or an override that a change of another one needs.
    OverrideValue,
    /// An override that is gone; the new text is empty.
    OverrideGone,
    /// A component; the texts are its types, of which the new one is empty for one that is gone.
    Component,
}

/// An override that may name what changes: a source that it needs could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undecided {
    /// The JSON pointer of its path.
    pub pointer: String,
    /// The source, as it is named where it is instanced.
    pub source: String,
}

/// The steps of a pointer.
pub(crate) fn steps(pointer: &str) -> Option<Vec<String>> {
    let parsed = Pointer::parse(pointer)?;
    Some(parsed.tokens().iter().map(|token| token.name.clone().into_owned()).collect())
}
