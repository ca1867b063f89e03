//! Whether a value came back as it was written, for the `check` of every format.

use std::fmt::Debug;

use crate::{Path, Segment};

/// Returns the first difference of a value that was written and the one that was read, as a sentence and
/// the path to it.
///
/// A value has come back if `Debug` shows the same of both and they are equal. A NaN, which is not
/// equal to itself, needs to show the same only; lines may have another order where both are equal, as those of a
/// `HashMap` have. A zero that lost its sign is equal, and shows that it did.
///
/// ```
/// use gamewire_core::check::difference;
///
/// assert_eq!(difference(&[1.0, f64::NAN], &[1.0, f64::NAN]), None);
/// let (message, _) = difference(&[-0.0], &[0.0]).unwrap();
/// assert_eq!(message, "expected what was written, `-0.0`, found `0.0`");
/// ```
pub fn difference<T: Debug + PartialEq>(written: &T, read: &T) -> Option<(String, Path)> {
    let (before, after) = (format!("{written:#?}"), format!("{read:#?}"));
    let sorted = |text| {
        let mut lines: Vec<&str> = str::lines(text).collect();
        lines.sort_unstable();
        lines
    };
    let kept = sorted(&after);
    let itself = written;
    if sorted(&before) == kept && (read == written || written != itself) {
        return None;
    }
    let mut around: Vec<(usize, &str)> = Vec::new();
    let mut moved = None;
    let mut found = after.lines();
    for line in before.lines() {
        let text = line.trim_start();
        let indent = line.len().saturating_sub(text.len());
        while around.pop_if(|(outer, _)| *outer >= indent).is_some() {}
        // Of what has no name, as an element, nothing is shown.
        let name = text.split_once([':', ' ', '(', '{']).map_or("", |(name, _)| name);
        let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        around.push((indent, if is_name { name } else { "" }));
        let other = found.next().unwrap_or_default();
        if line == other {
            continue;
        }
        let (text, other) = (text.trim_end_matches(','), other.trim().trim_end_matches(','));
        let names = around.iter().rev().map(|(_, name)| *name).filter(|name| !name.is_empty());
        let path = Path::from_innermost(names.map(Segment::field));
        let fault = (format!("expected what was written, `{text}`, found `{other}`"), path);
        if kept.binary_search(&line).is_err() {
            return Some(fault);
        }
        moved.get_or_insert(fault);
    }
    let same = "expected what was written, found a value that shows the same";
    Some(moved.unwrap_or_else(|| (same.into(), Path::default())))
}

/// Makes the function `check` of a format, and the method of `Options` that it calls. `$data` is the kind of
/// error for a value that came back as another one.
#[macro_export]
macro_rules! check {
    ($crate_name:literal, $options:ident, $error:ident, $data:expr) => {
        impl $options {
            /// Writes a value, reads it and compares; as [`check`](crate::check()).
            ///
            /// # Errors
            /// As [`check`](crate::check()).
            pub fn check<T>(&self, value: &T) -> ::std::result::Result<(), $error>
            where
                T: $crate::serde_core::Serialize
                    + $crate::serde_core::de::DeserializeOwned
                    + PartialEq
                    + ::std::fmt::Debug,
            {
                let read = self.from_slice(&self.to_vec(value)?)?;
                let Some((message, path)) = $crate::check::difference(value, &read) else {
                    return Ok(());
                };
                let steps = path.segments().rev().cloned();
                Err(steps.fold($error::new($data, message), $error::inside))
            }
        }

        /// Writes a value, reads it, and compares: for a test of each type of one's own.
        ///
        /// Some attributes of serde's lose data and leave no trace by which a writer could refuse them.
        ///
        /// ```
        /// #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        /// struct Player {
        ///     level: i32,
        ///     #[serde(skip)]
        ///     secret: i32,
        /// }
        ///
        #[doc = concat!("let error = ", $crate_name, "::check(&Player { level: 7, secret: 5 }).unwrap_err();")]
        /// assert_eq!(error.path().to_string(), "Player.secret");
        /// assert!(error.to_string().starts_with("expected what was written, `secret: 5`, found `secret: 0`"));
        /// ```
        ///
        /// # Errors
        /// As [`to_vec`] and [`from_slice`], and a value that is not equal to the one that was written, or that
        /// `Debug` shows otherwise, as −0.0. The path is that of the first difference in what it shows of both.
        pub fn check<T>(value: &T) -> ::std::result::Result<(), $error>
        where
            T: $crate::serde_core::Serialize
                + $crate::serde_core::de::DeserializeOwned
                + PartialEq
                + ::std::fmt::Debug,
        {
            $options::new().check(value)
        }
    };
}
