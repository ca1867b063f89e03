//! Rust types and a constant schema for classes of a type list, and for all that they reach.

pub(crate) mod command;
mod emit;
mod model;
mod names;

use clap::Args;
use gamewire::kiwi_pclass::Schema;

/// What is generated.
#[derive(Args, Clone, Copy)]
pub(crate) struct Wishes {
    /// Make every std::string bytes, and not only those that are blobs: it may not be UTF-8
    #[arg(long)]
    bytes: bool,
    /// Make pointers to a class with more derived classes than this a Value
    #[arg(long, value_name = "N", default_value_t = 64)]
    most_derived: usize,
}

pub(super) use model::no_class;

/// The source of a module.
pub(crate) fn source(schema: &Schema, roots: &[String], wishes: Wishes) -> Result<String, String> {
    let model = model::Model::new(schema, roots, wishes)?;
    Ok(emit::source(&model, roots))
}
