#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod error;
pub mod explain;
mod options;
pub mod prefab;
mod read;
mod registry;
mod report;
mod types;
pub mod value;

pub use explain::Explanation;
pub use error::{Error, ErrorKind, Path, Result, Segment};
pub use options::{Conformance, Floats, Options, Policy};
pub use registry::{TypeInfo, TypeRegistry};
pub use report::{Action, Issue, Outcome, Processing, Report, ResultCode, Task};
pub use types::*;
pub use value::Value;

/// Says what every byte of the text means; never fails, see [`Explanation::error`].
pub fn explain(bytes: &[u8]) -> Explanation {
    Options::new().explain(bytes)
}
