//! How a [`Value`] and the types of BSON that serde does not have pass through serde in one piece; see
//! [`gamewire_core::handoff`].

use crate::error::Error;
use crate::value::Value;
use crate::write::Writer;

/// The reserved name.
pub(crate) const NAME: &str = "$resonite_brson::Value";

gamewire_core::handoff! {
    Writer, Value, Error;
    "names of newtypes that start with `$resonite_brson` are reserved"
}
