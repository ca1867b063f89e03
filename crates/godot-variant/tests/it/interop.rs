//! The features that borrow or convert with other crates' types.

#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "zerocopy")]
mod view;
