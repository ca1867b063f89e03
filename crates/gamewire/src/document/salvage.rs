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

/// The bytes that are read to find the end, or the start, of what a small file has.
pub(super) const TRIED: usize = 4 << 20;

/// How many ends of a file of `len` bytes are tried, each of which may read all of it: some where it is large, so
/// that the time grows with the file.
pub(super) fn most_ends(len: usize) -> usize {
    (TRIED / len.max(1)).clamp(16, 256)
}

/// Where something could end in `len` bytes, the last place first: where a piece with one of the roles begins.
pub(super) fn ends(spans: &[Span], roles: &[Role], len: usize) -> Vec<usize> {
    let begins = spans.iter().rev().filter(|span| roles.contains(&span.role()));
    let ends = begins.map(|span| span.range().start).filter(|end| *end > 0);
    ends.take(most_ends(len)).collect()
}

/// The first of the readings of a file that tell most of it; else what is
/// wrong by the first.
pub(super) fn best<const N: usize>(all: [Result<Salvaged, Error>; N]) -> Result<Salvaged, Error> {
    let kept = |made: &Result<Salvaged, Error>| made.as_ref().map_or(0, |made| made.kept);
    let best =
        all.into_iter().reduce(|best, own| if kept(&own) > kept(&best) { own } else { best });
    best.unwrap_or_else(|| Err(Error::new("there is no reading")))
}
