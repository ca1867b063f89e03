//! Conversions to and from other crates' types.

#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "mint")]
mod mint;
