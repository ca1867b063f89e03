//! Saves and packages of Resonite: their slots, entries and backups.

pub(crate) mod assets;
pub(crate) mod backup;
pub(crate) mod edit;
pub(crate) mod package;
pub(crate) mod slots;
