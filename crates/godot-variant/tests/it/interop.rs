//! The features that borrow or convert with other crates' types.

#[cfg(feature = "arbitrary")]
mod arbitrary;
#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "mint")]
mod mint;
#[cfg(feature = "zerocopy")]
mod view;
