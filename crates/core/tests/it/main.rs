//! What all format crates rely on.

mod explain;
mod path;
