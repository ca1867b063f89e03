/// Facts that only the engine knows: its classes and the project's scripts.
///
/// Give one to [`Options::classes`](crate::Options::classes) to have objects checked as the engine
/// checks them. Each method has the answer that accepts as its default.
pub trait ClassDb: Send + Sync {
    /// Whether the engine can make an object of this class (`ClassDB.can_instantiate`).
    fn can_instantiate(&self, class: &str) -> bool {
        let _ = class;
        true
    }

    /// Whether `class` is `base` or derived from it (`ClassDB.is_parent_class`). Decides which
    /// objects a typed array of `base` keeps.
    fn inherits(&self, class: &str, base: &str) -> bool {
        let _ = (class, base);
        true
    }

    /// Whether a script can be loaded from this `res://` path.
    fn script_exists(&self, path: &str) -> bool {
        let _ = path;
        true
    }
}

/// Whether it is the same object.
impl PartialEq for dyn ClassDb {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

impl std::fmt::Debug for dyn ClassDb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ClassDb")
    }
}
