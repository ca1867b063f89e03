//! The line above the tables that says what they were measured with.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Outcome;
use crate::harness::Plan;
use crate::table::Table;

/// Profile, compiler, day, processor and plan, in one line.
pub fn header(plan: &Plan, rounds: u32, cold: bool) -> String {
    let runs = plan.runs;
    let seconds = plan.time.as_secs_f64();
    format!(
        "profile {}, {}, {}, {}; at least {runs} runs and {seconds} s each, best of {rounds}{}",
        profile(),
        env!("GAMEWIRE_BENCH_RUSTC"),
        today(),
        processor(),
        if cold { "; cold memory" } else { "" },
    )
}

/// Appends the header and the tables to a Markdown file, which is made if it is not there.
pub fn append(path: &Path, header: &str, tables: &[Table]) -> Outcome<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    writeln!(file, "## {header}\n")?;
    for table in tables {
        writeln!(file, "{}", table.to_markdown())?;
    }
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

fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// Year, month and day, from the days since 1 January 1970.
fn date(mut days: u64) -> (u64, u64, u64) {
    let leap = |year: u64| year.is_multiple_of(if year.is_multiple_of(100) { 400 } else { 4 });
    let mut year = 1970;
    loop {
        let length = 365 + u64::from(leap(year));
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_become_dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(58), (1970, 2, 28));
        assert_eq!(date(59), (1970, 3, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_777), (2026, 11, 20));
        assert_eq!(date(20_818), (2026, 12, 31));
    }
}
