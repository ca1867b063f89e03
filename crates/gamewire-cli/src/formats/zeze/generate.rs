//! `gamewire gen zeze`.

use std::path::{Path, PathBuf};

use clap::Args;
use gamewire::document::count;
use gamewire_gen::zeze::{self, Options, Schema, Weight};

use crate::args::zeze::options;
use crate::failure::{Failure, Outcome};
use crate::files::{Bound, Input};
use crate::output::{self, Sink};

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

/// The settings of the generator.
#[derive(Args)]
struct Choices {
    /// The Rust type of an external bean, such as Game.BItem=crate::items::Item; without it, such a bean is
    /// a `Value`
    #[arg(long = "extern", value_name = "BEAN=PATH", value_parser = external)]
    externals: Vec<(String, String)>,
    /// The path of the crate zeze-serialize
    #[arg(long = "crate", value_name = "PATH", default_value = "zeze_serialize")]
    krate: String,
    /// Give each bean a field that keeps what the schema does not know; keys have none, for equal
    /// keys must stay equal
    #[arg(long)]
    keep_unknown: bool,
    /// The folder in which all imported files have to be [default: the repository of the solution,
    /// else the current folder, or the one above that of the solution]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

impl Choices {
    fn options(self) -> Options {
        let Choices { externals, krate, keep_unknown, root } = self;
        Options { externals, krate, keep_unknown, root, ..options() }
    }
}

fn external(text: &str) -> Result<(String, String), String> {
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
        let options = self.choices.options();
        if let Some(old) = &self.compat {
            return compare(old, &self.solution, &options);
        }
        let made = zeze::generate(&self.solution, &options);
        let made = made.map_err(|error| Failure::Data(error.to_string()))?;
        made.notes.iter().for_each(|note| output::note(note));
        Sink::new(self.output.as_deref()).write_bytes(made.source.as_bytes())?;
        Ok(Outcome::Good)
    }
}

/// The findings of a solution on data of an older one.
fn compare(old: &Path, new: &Path, options: &Options) -> Result<Outcome, Failure> {
    Input::read(old, Bound::default())?;
    let failed = |error: gamewire_gen::Error| Failure::Data(error.to_string());
    let (old, _) = Schema::read(old, options).map_err(failed)?;
    let (new, notes) = Schema::read(new, options).map_err(failed)?;
    notes.iter().for_each(|note| output::note(note));
    let found = zeze::compare(&old, &new);
    let mut text = String::new();
    let of = |weight: Weight| found.iter().filter(move |own| own.weight == weight);
    for (weight, name) in
        [(Weight::Lost, "lost"), (Weight::Refused, "refused by Zeze"), (Weight::Note, "note")]
    {
        for own in of(weight) {
            text.push_str(&format!("{}: {name}: {}\n", own.place, own.text));
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
