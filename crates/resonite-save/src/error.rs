pub(crate) use gamewire_core::words::Shortened;
pub(crate) use resonite_brson::{Error, ErrorKind, Result};
