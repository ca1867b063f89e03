//! What can still be read of a damaged file, as the formats find it.

use gamewire::explain::{Role, Span};

use crate::fault::Fault;

/// A valid file of what could be read.
pub(crate) struct Salvaged {
    pub(crate) bytes: Vec<u8>,
    /// How many bytes of the damaged file are told by it.
    pub(crate) kept: usize,
    /// What is lost, in sentences.
    pub(crate) lost: Vec<String>,
}

/// The ends to try. More would not find what these do not.
const MAX_ENDS: usize = 4000;

/// Where something could end, the last place first: where a piece with one of the roles begins.
pub(super) fn ends(spans: &[Span], roles: &[Role]) -> Vec<usize> {
    let begins = spans.iter().rev().filter(|span| roles.contains(&span.role()));
    let ends = begins.map(|span| span.range().start).filter(|end| *end > 0);
    ends.take(MAX_ENDS).collect()
}

/// Of several readings of a file the one that tells most of it, the first of them that do; else what is
/// wrong by the first.
pub(super) fn best<const N: usize>(all: [Result<Salvaged, Fault>; N]) -> Result<Salvaged, Fault> {
    let kept = |made: &Result<Salvaged, Fault>| made.as_ref().map_or(0, |made| made.kept);
    let best =
        all.into_iter().reduce(|best, own| if kept(&own) > kept(&best) { own } else { best });
    best.unwrap_or_else(|| Err(Fault::new("there is no reading")))
}
