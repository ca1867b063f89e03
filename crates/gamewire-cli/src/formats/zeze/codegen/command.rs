//! `gamewire gen zeze`.

use std::path::PathBuf;

use clap::Args;

use super::Choices;
use crate::failure::{Failure, Outcome};
use crate::files::{Bound, Input};
use crate::output::Sink;

/// From a Zeze solution, for zeze-serialize
///
/// Every bean becomes a struct that serde can derive for, with the ids of its variables; every dynamic
/// an enum; every protocol and rpc a type with its ids, argument and result. Solutions and modules
/// become Rust modules, those that are imported too. The output needs serde, zeze-serialize, and
/// serde_bytes where the solution has binaries.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire gen zeze solution.xml -o src/beans.rs
  gamewire gen zeze solution.xml --extern plugins.BPayload=crate::Payload --keep-unknown")]
pub(crate) struct GenZeze {
    /// The solution
    #[arg(value_name = "SOLUTION.xml")]
    solution: PathBuf,
    /// Where the Rust goes [default: standard output]
    #[arg(short, long, value_name = "FILE.rs")]
    output: Option<PathBuf>,
    #[command(flatten)]
    choices: Choices,
}

pub(super) fn external(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((bean, path)) if !bean.is_empty() && !path.is_empty() => {
            Ok((bean.trim().to_owned(), path.trim().to_owned()))
        }
        _ => Err("expected BEAN=PATH, such as plugins.BPayload=crate::Payload".to_owned()),
    }
}

impl GenZeze {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        // A file that cannot be read is no bad data.
        Input::read(&self.solution, Bound::default())?;
        let source = super::generate(&self.solution, &self.choices);
        let source = source.map_err(|wrong| Failure::Data(wrong.0))?;
        Sink::new(self.output.as_deref()).write_bytes(source.as_bytes())?;
        Ok(Outcome::Good)
    }
}
