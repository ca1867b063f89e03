//! Rows with a frame around the bean.

use gamewire_testkit::vectors::Row;

use super::Check;
use super::types::{Known, WithType};

pub(super) struct Real<'a>(pub(super) &'a Row);

impl WithType for Real<'_> {
    type Output = ();

    fn run<T: Known>(self) -> Check {
        Err(format!("not yet {}", self.0.line))
    }
}

pub(super) struct Page<'a>(pub(super) &'a Row);

impl WithType for Page<'_> {
    type Output = ();

    fn run<T: Known>(self) -> Check {
        Err(format!("not yet {}", self.0.line))
    }
}
