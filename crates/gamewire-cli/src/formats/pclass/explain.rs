//! What each bit means. The work is the crate's; only this module knows its face.

use std::borrow::Cow;
use std::io::Write;

use gamewire::kiwi_pclass::Explanation;

use super::content::{Terms, guess, stream};
use crate::fault::Fault;
use crate::formats::Explained;
use crate::json::{self, Layout};

pub(super) fn explain(bytes: &[u8], terms: &Terms) -> Result<Box<dyn Explained>, Fault> {
    let form = terms.form.unwrap_or_else(|| guess(bytes));
    if form.is_text() {
        let hint = "gamewire convert makes a binary file of it";
        return Err(Fault::new("the debug form is text, not bytes").hint(Some(hint)));
    }
    let options = terms.options(form)?;
    let stream = stream(bytes, form, &options)?;
    let explanation = options.explain(&stream);
    let decoded = match stream {
        Cow::Owned(stream) => Some(stream),
        Cow::Borrowed(_) => None,
    };
    Ok(Box::new(Explainer { explanation, decoded }))
}

struct Explainer {
    explanation: Explanation,
    /// The bytes that are explained, where they are not those of the file.
    decoded: Option<Vec<u8>>,
}

impl Explained for Explainer {
    fn error(&self) -> Option<Fault> {
        let fault = Fault::from(self.explanation.error()?);
        Some(match &self.decoded {
            Some(bytes) => fault.within(bytes.clone()),
            None => fault,
        })
    }

    fn text(&self, color: bool) -> String {
        if color { self.explanation.to_text_colored() } else { self.explanation.to_text() }
    }

    fn html(&self, title: &str) -> String {
        self.explanation.to_html(title)
    }

    fn write_json(&self, out: &mut dyn Write) -> Result<(), serde_json::Error> {
        json::write(out, &self.explanation, Layout::Lines)
    }
}
