//! The page.
use super::Explanation;
pub(super) fn page(_e: &Explanation, _title: &str) -> String {
    String::new()
}
