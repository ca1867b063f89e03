//! What each bit means. The work is the crate's; only this module knows its face.

use super::content::{Terms, guess, stream};
use crate::fault::Fault;
use crate::formats::Explained;

pub(super) fn explain(bytes: &[u8], terms: &Terms) -> Result<Box<dyn Explained>, Fault> {
    let form = terms.form.unwrap_or_else(|| guess(bytes));
    if form.is_text() {
        let hint = "gamewire convert makes a binary file of it";
        return Err(Fault::new("the debug form is text, not bytes").hint(Some(hint)));
    }
    let options = terms.options(form)?;
    Ok(Box::new(options.explain(&stream(bytes, form, &options)?)))
}
