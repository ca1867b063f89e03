//! Text that occurs again and again: keys, names.

use pyo3::prelude::*;

/// Strings of Python that were made a moment ago, by what they say.
pub(crate) struct Texts<'py> {
    slots: Vec<Option<(String, Bound<'py, PyAny>)>>,
}

/// The longest text that is kept.
const LONGEST: usize = 32;

/// The number of texts, a power of two.
const SLOTS: usize = 256;

impl<'py> Texts<'py> {
    pub(crate) fn new() -> Self {
        Texts { slots: Vec::new() }
    }

    /// The string that says this: one that is present, or one that is made.
    pub(crate) fn get(
        &mut self,
        text: &str,
        make: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if text.len() > LONGEST {
            return make();
        }
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        let mut hash = text.len();
        for byte in text.as_bytes() {
            hash = (hash.rotate_left(5) ^ usize::from(*byte)).wrapping_mul(0x517c_c1b7);
        }
        let Some(slot) = self.slots.get_mut((hash >> 7) % SLOTS) else { return make() };
        match slot {
            Some((own, made)) if own == text => Ok(made.clone()),
            _ => {
                let made = make()?;
                *slot = Some((text.to_owned(), made.clone()));
                Ok(made)
            }
        }
    }
}
