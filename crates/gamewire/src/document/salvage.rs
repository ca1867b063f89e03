//! Damaged files, as far as they can be read.

use gamewire_core::explain::{Role, Span};

use crate::document::error::Error;

/// A valid file of the part of a damaged one that could be read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Salvaged {
    /// The valid file.
    pub bytes: Vec<u8>,
    /// How many bytes of the damaged file it accounts for.
    pub kept: usize,
    /// The losses, in sentences.
    pub lost: Vec<String>,
}

/// The ends to try. More would not find what these do not.
const MAX_ENDS: usize = 4000;

/// Where something could end, the last place first: where a piece with one of the roles begins.
pub(super) fn ends(spans: &[Span], roles: &[Role]) -> Vec<usize> {
    let begins = spans.iter().rev().filter(|span| roles.contains(&span.role()));
    let ends = begins.map(|span| span.range().start).filter(|end| *end > 0);
    ends.take(MAX_ENDS).collect()
}

/// The first of the readings of a file that tell most of it; else what is
/// wrong by the first.
pub(super) fn best<const N: usize>(all: [Result<Salvaged, Error>; N]) -> Result<Salvaged, Error> {
    let kept = |made: &Result<Salvaged, Error>| made.as_ref().map_or(0, |made| made.kept);
    let best =
        all.into_iter().reduce(|best, own| if kept(&own) > kept(&best) { own } else { best });
    best.unwrap_or_else(|| Err(Error::new("there is no reading")))
}
