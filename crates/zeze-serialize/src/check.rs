//! A check for tests of one's own types.

use alloc::format;
use alloc::vec::Vec;
use core::fmt::Debug;

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use crate::error::{Error, ErrorKind, Result, Segment};

/// Writes a value, reads it, and compares: for a test of each type of one's own.
///
/// Some attributes of serde's lose data in a format without names, and leave no trace by which a
/// writer could refuse them; the README has a table of those.
///
/// ```
/// #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
/// struct Player {
///     #[serde(skip_serializing)]
///     secret: i32,
///     level: i32,
/// }
///
/// // The level is the first field that is written, and the second one that is read.
/// let error = zeze_serialize::check(&Player { secret: 0, level: 7 }).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "expected what was written, `secret: 0`, found `secret: 7`, in Player.secret"
/// );
/// ```
///
/// # Errors
/// As [`to_vec`](crate::to_vec) and [`from_slice`](crate::from_slice), and a value that is not equal to the
/// one that was written. The path is that of the first difference in what `Debug` shows of both.
pub fn check<T>(value: &T) -> Result<()>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let read: T = crate::from_slice(&crate::to_vec(value)?)?;
    if read == *value {
        return Ok(());
    }
    let (written, read) = (format!("{value:#?}"), format!("{read:#?}"));
    let mut around: Vec<(usize, &str)> = Vec::new();
    let mut found = read.lines();
    for line in written.lines() {
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
        let error = Error::new(
            ErrorKind::Data,
            format!("expected what was written, `{text}`, found `{other}`"),
        );
        let names = around.iter().rev().filter(|(_, name)| !name.is_empty());
        return Err(names.fold(error, |error, (_, name)| error.inside(Segment::field(name))));
    }
    Err(Error::new(ErrorKind::Data, "expected what was written, found a value that shows the same"))
}
