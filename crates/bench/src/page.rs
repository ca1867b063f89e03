//! The page that all figures of some runs make.

use crate::run::Run;
use crate::{Outcome, goals};

/// The page of several runs, of which those of the same profile are compared with one another.
pub fn page(runs: &[Run]) -> Outcome<String> {
    let first = runs.first().ok_or("no figures are given")?;
    let mut profiles: Vec<(&str, Vec<&Run>)> = Vec::new();
    for run in runs {
        match profiles.iter_mut().find(|(profile, _)| *profile == run.profile) {
            Some((_, same)) => same.push(run),
            None => profiles.push((&run.profile, vec![run])),
        }
    }
    Ok(format!("{}.\n\n{}", first.header, goals::markdown(&profiles)?))
}
