//! [`Document`]: a value together with the text around it.

mod splice;
mod tape;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use self::tape::Tape;
use super::{Value, build};
use crate::{Error, Options, Result};

/// A document that is written back as it was read: comments, indentation and line ends included.
///
/// Text that was not changed stays the same byte for byte. A changed value changes only its own
/// bytes; members and elements that are new are laid out as their neighbours are.
///
/// ```
/// use o3de_json::{Value, value::Document};
///
/// let mut settings: Document = r#"{
///     // How many files stay open.
///     "MaxFileHandles": 32,   "Name" : "Drive",
///     "Profiles": [ 1.50, 2.0 ]
/// }
/// "#.parse()?;
/// *settings.value_mut().pointer_mut("/MaxFileHandles").unwrap() = Value::from(64);
/// settings.value_mut().as_object_mut().unwrap().insert("Enabled", true);
/// assert_eq!(settings.to_text()?, r#"{
///     // How many files stay open.
///     "MaxFileHandles": 64,   "Name" : "Drive",
///     "Profiles": [ 1.50, 2.0 ],
///     "Enabled": true
/// }
/// "#);
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone)]
pub struct Document {
    source: Arc<String>,
    options: Options,
    tape: Tape,
    value: Value,
    /// Whether somebody could have changed the value.
    touched: bool,
}

impl Document {
    /// Reads a document with the default options, which accept comments.
    ///
    /// # Errors
    /// Text that is not JSON, or a limit.
    pub fn new(text: impl Into<String>) -> Result<Self> {
        Document::with_options(text, &Options::new())
    }

    /// Reads a document.
    ///
    /// # Errors
    /// Text that is not JSON by the options, or a limit.
    pub fn with_options(text: impl Into<String>, options: &Options) -> Result<Self> {
        let source = Arc::new(text.into());
        let mut tape = Tape::default();
        let value = build::document(&source, options, &mut tape)?;
        Ok(Document { source, options: options.clone(), tape, value, touched: false })
    }

    /// Reads a document from bytes.
    ///
    /// # Errors
    /// As [`with_options`](Document::with_options), and bytes that are not UTF-8.
    pub fn from_slice(bytes: &[u8], options: &Options) -> Result<Self> {
        Document::with_options(crate::read::Reader::check_utf8(bytes)?, options)
    }

    /// The data.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The data, to change.
    pub fn value_mut(&mut self) -> &mut Value {
        self.touched = true;
        &mut self.value
    }

    /// The data alone.
    pub fn into_value(self) -> Value {
        self.value
    }

    /// The text as it was read.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The text with the changes in it.
    ///
    /// # Errors
    /// NaN or an infinity, or a limit.
    pub fn to_text(&self) -> Result<String> {
        match self.touched {
            true => splice::splice(&self.source, &self.tape, &self.value, &self.options),
            false => Ok(String::clone(&self.source)),
        }
    }
}

impl FromStr for Document {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Document::new(text)
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document").field("value", &self.value).finish_non_exhaustive()
    }
}
