//! O3DE's settings.

use std::path::Path;

use o3de_json::Options;
use serde_json::Value as Json;

use crate::document::choice::Said as _;
use crate::document::error::Error;
use crate::document::limits::Limits;

/// How deep documents may nest unless the settings say otherwise.
const DEPTH: usize = 128;

/// O3DE's settings for reading.
#[derive(Clone, Copy, Debug, Default)]
pub struct O3deSettings {
    /// Accept a comma after the last member or element, as the settings registry does.
    pub trailing_commas: bool,
}

impl O3deSettings {
    /// Sets what has a name. Returns whether there is such a setting.
    pub(crate) fn set(&mut self, name: &str, value: &Json) -> Result<bool, Error> {
        match name {
            "trailing_commas" => self.trailing_commas = bool::of(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The options for a file, whose name may say that trailing commas are usual.
    pub fn options_for(self, limits: Limits, path: Option<&Path>) -> Options {
        let options = self.options(limits);
        match path {
            Some(path) if !limits.strict => options.for_path(path),
            _ => options,
        }
    }

    /// The options for any file. Strict reading is that of RFC 8259: without comments, and in UTF-8.
    pub fn options(self, limits: Limits) -> Options {
        let options = Options::new()
            .comments(!limits.strict)
            // Some files that ship with the engine have Latin letters of one byte in their strings.
            .invalid_utf8(!limits.strict)
            .trailing_commas(self.trailing_commas)
            .max_depth(limits.max_depth.unwrap_or(DEPTH))
            // The file is in memory already.
            .max_alloc(usize::MAX);
        limits.max_memory.map_or(options.clone(), |bytes| options.max_memory(bytes))
    }
}

/// O3DE's settings for what is converted.
#[derive(Clone, Copy, Debug, Default)]
pub struct O3deTarget {
    /// Write on one line in place of the engine's layout.
    pub compact: bool,
}
