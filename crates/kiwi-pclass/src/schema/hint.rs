//! What typed writing has found out about names, kept with the classes so that it is found out once. It
//! only says where to look first: nothing that is written depends on it.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// The address of a text that was found to be the same as the one it stands beside. What is `'static`
/// never changes, so that address and length say that another text is the same again.
#[derive(Default)]
pub(crate) struct Known(AtomicUsize);

impl Known {
    #[inline]
    pub(crate) fn is(&self, own_len: usize, text: &'static str) -> bool {
        // One number that is the same for all threads: no order with other memory is needed.
        self.0.load(Ordering::Relaxed) == text.as_ptr().addr() && own_len == text.len()
    }

    pub(crate) fn set(&self, text: &'static str) {
        self.0.store(text.as_ptr().addr(), Ordering::Relaxed);
    }
}

/// The place of a class that was met first.
#[derive(Default)]
pub(crate) struct Hint(AtomicU32);

impl Hint {
    #[inline]
    pub(crate) fn get(&self) -> Option<usize> {
        self.0.load(Ordering::Relaxed).checked_sub(1).map(|at| at as usize)
    }

    /// The first one stays, so that threads which meet different classes do not write in turn.
    pub(crate) fn set(&self, at: usize) {
        if self.get().is_some() {
            return;
        }
        let at = u32::try_from(at).ok().and_then(|at| at.checked_add(1)).unwrap_or(0);
        let (new, old) = (Ordering::Relaxed, Ordering::Relaxed);
        _ = self.0.compare_exchange(0, at, new, old);
    }
}

/// A copy has met nothing yet.
impl Clone for Hint {
    fn clone(&self) -> Self {
        Hint::default()
    }
}

/// What was met is no part of what is declared.
impl PartialEq for Hint {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
