//! The line above the tables that says what they were measured with.

use std::env;
use std::fs;
use std::path::Path;

use time::OffsetDateTime;

use crate::Outcome;
use crate::harness::Plan;

/// Profile, compiler, day, processor and plan, in one line.
pub fn header(plan: &Plan, rounds: u32, cold: bool) -> String {
    let runs = plan.runs;
    let seconds = plan.time.as_secs_f64();
    format!(
        "profile {}, {}, {}, {}; at least {runs} runs and {seconds} s each, best of {rounds}{}",
        profile(),
        env!("GAMEWIRE_BENCH_RUSTC"),
        OffsetDateTime::now_utc().date(),
        processor(),
        if cold { "; cold memory" } else { "" },
    )
}

/// Writes what was measured, under the header, to the file of a part in a folder.
pub fn write(folder: &Path, part: &str, header: &str, tables: &str) -> Outcome<()> {
    fs::write(folder.join(part).with_extension("md"), format!("## {header}\n\n{tables}"))?;
    Ok(())
}

/// Cargo tells neither the build script nor the program whether a build has LTO: the profiles
/// `bench` (LTO) and `release` (none) even share a folder. So whoever starts the program says it
/// in the variable `GAMEWIRE_BENCH_PROFILE`; without it, the folder is all that is known.
fn profile() -> String {
    match (env::var("GAMEWIRE_BENCH_PROFILE"), env!("GAMEWIRE_BENCH_FOLDER")) {
        (Ok(said), _) => said,
        (Err(_), "plain") => "plain".to_owned(),
        (Err(_), "debug") => "debug (worth nothing)".to_owned(),
        (Err(_), folder) => format!("{folder} (LTO unknown)"),
    }
}

fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| "unknown processor".to_owned(), |(_, name)| name.trim().to_owned())
}
