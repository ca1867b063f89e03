//! Settings by the names that they have on the command line.

use gamewire::document::{Error, Settings};
use serde_json::{Map, Value as Json};

/// The settings that an object of JSON has.
pub(crate) fn named(all: &Map<String, Json>) -> Result<Settings, Error> {
    let mut made = Settings::default();
    for (name, value) in all.iter().filter(|(name, _)| *name != "game") {
        let mut own = String::new();
        for letter in name.chars() {
            own.extend(letter.is_ascii_uppercase().then_some('_'));
            own.push(letter.to_ascii_lowercase());
        }
        if !made.set(&own, value)? {
            return Err(Error::new(format!("there is no setting {name}")));
        }
    }
    Ok(made)
}
