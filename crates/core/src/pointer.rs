//! JSON pointers (RFC 6901).
//!
//! ```
//! use gamewire_core::pointer;
//!
//! assert!(pointer::steps("/a~1b/0").unwrap().eq(["a/b", "0"]));
//! let rows = [[1, 2], [3, 4]];
//! let row = pointer::position("1").and_then(|at| rows.get(at));
//! assert_eq!(row, Some(&[3, 4]));
//! let mut text = String::new();
//! pointer::push(&mut text, "a/b");
//! assert_eq!(text, "/a~1b");
//! ```

use std::borrow::Cow;

/// Returns the steps of a pointer, from the root, without escapes; `None` where its first character is no `/`.
pub fn steps(pointer: &str) -> Option<impl Iterator<Item = Cow<'_, str>>> {
    let mut parts = pointer.split('/');
    // Nothing stands before the first `/`; the root has none.
    parts.next().filter(|before| before.is_empty())?;
    Some(parts.map(unescaped))
}

/// Returns the value that a pointer leads to from a reference to the root; `child` returns the one that a step leads
/// to.
pub fn find<T>(root: T, pointer: &str, mut child: impl FnMut(T, &str) -> Option<T>) -> Option<T> {
    steps(pointer)?.try_fold(root, |value, step| child(value, &step))
}

/// Returns the position in a list that a step is: digits without a leading zero.
pub fn position(step: &str) -> Option<usize> {
    let is_number = step.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = is_number && (step == "0" || !step.starts_with('0'));
    step.parse().ok().filter(|_| is_plain)
}

/// Returns a step with `/` for `~1` and `~` for `~0`.
pub fn unescaped(step: &str) -> Cow<'_, str> {
    if !step.contains('~') {
        return Cow::Borrowed(step);
    }
    // `~01` is `~1`, so `~0` goes last.
    Cow::Owned(step.replace("~1", "/").replace("~0", "~"))
}

/// Returns a name with `~0` for `~` and `~1` for `/`.
pub fn escaped(name: &str) -> Cow<'_, str> {
    if !name.contains(['~', '/']) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.replace('~', "~0").replace('/', "~1"))
}

/// Adds a step to the text of a pointer, with `~0` for `~` and `~1` for `/`.
pub fn push(pointer: &mut String, name: &str) {
    pointer.push('/');
    pointer.push_str(&escaped(name));
}
