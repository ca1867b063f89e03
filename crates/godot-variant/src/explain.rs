//! What every byte of an encoded variant means.

use crate::Options;

/// What every byte of an input means.
#[derive(Clone, Debug)]
pub struct Explanation;

pub(crate) fn explain(_bytes: &[u8], _options: &Options) -> Explanation {
    Explanation
}
