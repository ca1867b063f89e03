//! Types of the engine that are more than a number, a string or a container.

mod uuid;

pub use uuid::Uuid;
