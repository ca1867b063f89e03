//! Conversions to and from types of other crates, each under the feature named after the crate.

#[cfg(feature = "arbitrary")]
mod arbitrary;
#[cfg(feature = "bson")]
mod bson;
