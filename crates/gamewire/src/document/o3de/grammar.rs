//! O3DE's JSON as a grammar: that of all JSON text, with the engine's strings.

use std::borrow::Cow;

use o3de_json::Value;

use super::O3de;
use crate::document::error::Error;
use crate::document::json::Strings;

impl Strings for O3de {
    fn spelled<'t>(&self, token: &'t [u8]) -> Result<Cow<'t, [u8]>, Error> {
        if !token.contains(&b'\\') {
            return Ok(Cow::Borrowed(token));
        }
        let text: Value = self.options.from_slice(token)?;
        self.compact(&text).map(Cow::Owned)
    }
}
