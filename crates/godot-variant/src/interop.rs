//! Conversions to and from the crates that people already use.

#[cfg(feature = "arbitrary")]
mod arbitrary;
#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "mint")]
mod mint;
