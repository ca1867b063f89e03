//! Conversions to and from the math crates that people already use.
