//! Zeze's binary serialization.

pub(crate) mod codegen;
