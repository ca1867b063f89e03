//! What every bit of an encoded object means.

use crate::{Error, Options};

/// stub
pub struct Explanation {}

impl Explanation {
    /// Why the input is refused.
    pub fn error(&self) -> Option<&Error> {
        None
    }
}

pub(crate) fn explain(_bytes: &[u8], _options: &Options) -> Explanation {
    Explanation {}
}
