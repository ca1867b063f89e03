//! Rust types and a constant schema for classes of a type list, and for all that they reach.

pub(crate) mod command;
mod emit;
mod model;
mod names;

use gamewire::kiwi_pclass::Schema;

/// What is generated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wishes {
    /// Text as bytes, because it may not be UTF-8.
    pub(crate) bytes: bool,
    /// A pointer to a class with more derived classes than this is a `Value`.
    pub(crate) most_derived: usize,
}

/// The source of a module.
pub(crate) fn source(schema: &Schema, roots: &[String], wishes: Wishes) -> Result<String, String> {
    let model = model::Model::new(schema, roots, wishes)?;
    Ok(emit::source(&model, roots))
}
