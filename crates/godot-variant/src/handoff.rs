//! How a [`Value`] or a packed array passes through serde in one piece: see [`gamewire_core::handoff`].
//!
//! It cannot be passed in parts: serde goes through those by recursion, where 1024 nested containers
//! overflow a stack of 2 MiB, and takes a call for each number of a packed array. The serializer and the
//! deserializer know the types by the reserved names of their newtypes.

use crate::write::Writer;
use crate::{Error, Value};

gamewire_core::handoff! {
    Writer, Value, Error;
    "names of newtypes that start with `$godot_variant` are reserved"
}
