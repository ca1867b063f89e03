//! What it would take to meet the goals that are missed.

/// How a goal's name starts, and what it would take.
pub(super) const REASONS: [(&str, &str); 0] = [];
