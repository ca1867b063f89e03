//! Conversions to and from the crates that people already use.

#[cfg(feature = "glam")]
mod glam;
