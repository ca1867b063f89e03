//! How deep this thread's stack is in containers.

use core::cell::Cell;
use std::thread::LocalKey;
use std::thread_local;

/// Containers that are gone through by recursion, which is the fast way; deeper ones are not.
const SHALLOW: u32 = 32;

thread_local! {
    /// Containers whose contents are being dropped.
    pub(super) static DROPPING: Cell<u32> = const { Cell::new(0) };
    /// Containers whose contents are being cloned.
    pub(super) static CLONING: Cell<u32> = const { Cell::new(0) };
}

/// Does something to a container while that is shallow, else gives it back.
#[inline]
pub(super) fn by_recursion<C, T>(
    levels: &'static LocalKey<Cell<u32>>,
    container: C,
    run: impl FnOnce(C) -> T,
) -> Result<T, C> {
    let before = levels.get();
    if before >= SHALLOW {
        return Err(container);
    }
    levels.set(before.saturating_add(1));
    let made = run(container);
    levels.set(before);
    Ok(made)
}
