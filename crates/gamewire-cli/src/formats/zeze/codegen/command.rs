//! `gamewire gen zeze`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Choices;
use super::compat::{self, Weight};
use crate::failure::{Failure, Outcome};
use crate::files::{Bound, Input};
use crate::output::{self, Sink};
use crate::words::count;

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
  gamewire gen zeze solution.xml --extern plugins.BPayload=crate::Payload --keep-unknown
  gamewire gen zeze --compat released/solution.xml solution.xml")]
pub(crate) struct GenZeze {
    /// The solution
    #[arg(value_name = "SOLUTION.xml")]
    solution: PathBuf,
    /// Where the Rust goes [default: standard output]
    #[arg(short, long, value_name = "FILE.rs")]
    output: Option<PathBuf>,
    /// Make no code, but say what the solution does to data of this older one: a line for each change
    /// that loses data, that databases of Zeze refuse, or that is worth knowing. Exits with 1 where
    /// data is lost
    #[arg(long, value_name = "OLD.xml", conflicts_with = "output")]
    compat: Option<PathBuf>,
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
        if let Some(old) = &self.compat {
            return self.compare(old);
        }
        let source = super::generate(&self.solution, &self.choices);
        let (source, notes) = source.map_err(|wrong| Failure::Data(wrong.0))?;
        notes.iter().for_each(|note| output::note(note));
        Sink::new(self.output.as_deref()).write_bytes(source.as_bytes())?;
        Ok(Outcome::Good)
    }

    fn compare(&self, old: &Path) -> Result<Outcome, Failure> {
        Input::read(old, Bound::default())?;
        let failed = |wrong: super::Wrong| Failure::Data(wrong.0);
        let (old, _) = super::schema(old, &self.choices).map_err(failed)?;
        let (new, notes) = super::schema(&self.solution, &self.choices).map_err(failed)?;
        notes.iter().for_each(|note| output::note(note));
        let found = compat::compare(&old, &new);
        let mut text = String::new();
        let of = |weight: Weight| found.iter().filter(move |own| own.weight == weight);
        for (weight, name) in
            [(Weight::Lost, "lost"), (Weight::Refused, "refused by Zeze"), (Weight::Note, "note")]
        {
            for own in of(weight) {
                text.push_str(&own.place.wrong(format!("{name}: {}\n", own.text)).0);
            }
        }
        let (lost, refused) = (of(Weight::Lost).count(), of(Weight::Refused).count());
        text.push_str(&format!(
            "{} that {} data, {refused} refused by Zeze, {} to know\n",
            count(lost, "change"),
            if lost == 1 { "loses" } else { "lose" },
            of(Weight::Note).count(),
        ));
        output::print(&text)?;
        Ok(Outcome::good_if(lost == 0))
    }
}
