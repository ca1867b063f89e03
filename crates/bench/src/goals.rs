//! Goals of the formats: figures of the tables set beside those of their peers.
//!
//! A ratio is our time over that of the fastest peer in the same round, so one is even and less is
//! faster; what counts is the median over the rounds of all runs. A goal that is missed is set in bold,
//! and `REASONS` says what was measured there and what was tried.

mod reasons;

use std::fmt::Write;

use crate::Outcome;
use crate::groups::peers::TOGETHER;
use crate::run::Run;
use crate::table::Table;
use reasons::REASONS;

/// The columns of times in a table under [`COLUMNS`](crate::harness::COLUMNS).
const SER: usize = 1;
const DE: usize = 2;
/// The column of the size there.
const SIZE: usize = 3;

const SETS: [&str; 4] = ["log", "mesh", "minecraft_savedata", "mk48"];

/// How far two runs of the same program may be apart before a figure is called noisy.
const STEADY: f64 = 1.08;

/// A format and the peers it is held against; of several, the fastest.
struct Beside {
    ours: &'static str,
    shown: &'static str,
    peers: [&'static [&'static str]; 4],
    ser: [f64; 4],
    de: [f64; 4],
}

const NAMED: &[&str] = &["rmp-serde named", "cbor4ii"];
const ARRAY: &[&str] = &["rmp-serde array"];
const JSON: &[&str] = &["serde_json"];
const PROST: &[&str] = &["prost"];

const BESIDE: [Beside; 5] = [
    Beside {
        ours: "godot-variant",
        shown: "rmp-serde named or cbor4ii",
        peers: [NAMED; 4],
        ser: [1.0, 1.1, 1.0, 1.0],
        de: [1.0, 1.1, 1.0, 1.0],
    },
    Beside {
        ours: "resonite-brson",
        shown: "rmp-serde named",
        peers: [&["rmp-serde named"]; 4],
        ser: [1.0, 1.1, 1.0, 1.0],
        de: [1.0, 1.1, 1.0, 1.0],
    },
    Beside {
        ours: "zeze-serialize",
        shown: "prost (log, mesh), rmp-serde array",
        peers: [PROST, PROST, ARRAY, ARRAY],
        ser: [1.0, 1.0, 1.2, 1.0],
        de: [1.1; 4],
    },
    Beside {
        ours: "kiwi-pclass",
        shown: "rmp-serde array",
        peers: [ARRAY; 4],
        ser: [1.4, 3.0, 1.4, 1.4],
        de: [1.3, 2.0, 1.3, 1.3],
    },
    Beside {
        ours: "o3de-json",
        shown: "serde_json (mesh: for each byte of text)",
        peers: [JSON; 4],
        ser: [1.0, 1.1, 1.0, 1.0],
        de: [1.0, 1.1, 1.0, 1.0],
    },
];

/// The goal of a figure.
enum Against {
    /// The fastest of these rows of the same table, in the same column.
    Rows(&'static [&'static str]),
    /// Nanoseconds for each of this many.
    Each(f64),
    /// Another column of the same row, over ours; more is better.
    Column(usize),
}

/// A figure with a goal, from the first table whose title starts with `table`.
struct Figure {
    work: &'static str,
    table: &'static str,
    row: &'static str,
    column: usize,
    against: Against,
    goal: f64,
}

const fn ratio(
    work: &'static str,
    (table, row, column): (&'static str, &'static str, usize),
    rows: &'static [&'static str],
    goal: f64,
) -> Figure {
    Figure { work, table, row, column, against: Against::Rows(rows), goal }
}

const fn each(work: &'static str, row: &'static str, count: f64, goal: f64) -> Figure {
    let table = "8 000 000 bit fields";
    Figure { work, table, row, column: 1, against: Against::Each(count), goal }
}

const fn borrowed(work: &'static str, row: &'static str) -> Figure {
    let against = Against::Column(1);
    Figure { work, table: "log, borrowed decode", row, column: 2, against, goal: 2.0 }
}

const BEANS: &str = "200 000 beans";
const BY_HAND: &str = "mesh by zeze-serialize";
const ITEMS: &str = "40 000 items, shallow";
const TREE: &str = "a real tree, 11";
const LEVEL: &str = "NewStarbase.prefab as Rust types";
const DOCUMENT: &str = "NewStarbase.prefab as a document";
const BITS: f64 = 8_000_000.0;

const FIGURES: [Figure; 27] = [
    ratio("zeze beans, ser over rmp-serde array", (BEANS, "zeze-serialize", 2), ARRAY, 1.0),
    ratio("zeze beans, de over rmp-serde array", (BEANS, "zeze-serialize", 4), ARRAY, 1.1),
    ratio("zeze beans, skip over rmp-serde array", (BEANS, "zeze-serialize", 6), ARRAY, 1.1),
    ratio(
        "zeze mesh, ser over hand-written",
        (BY_HAND, "zeze-serialize", SER),
        &["by hand, over wire"],
        1.3,
    ),
    ratio(
        "zeze mesh, de over hand-written",
        (BY_HAND, "zeze-serialize", DE),
        &["by hand, over wire"],
        1.6,
    ),
    ratio(
        "kiwi items, ser over Value",
        (ITEMS, "kiwi-pclass, structs", SER),
        &["kiwi-pclass Value"],
        1.0,
    ),
    ratio(
        "kiwi items, de over Value",
        (ITEMS, "kiwi-pclass, structs", DE),
        &["kiwi-pclass Value"],
        1.0,
    ),
    ratio("kiwi items, ser over rmp-serde array", (ITEMS, "kiwi-pclass, structs", SER), ARRAY, 1.4),
    ratio("kiwi items, de over rmp-serde array", (ITEMS, "kiwi-pclass, structs", DE), ARRAY, 1.3),
    each("kiwi bit fields, read, ns", "Vec<bool> and Vec<Bui<5>>, read", BITS, 4.0),
    each("kiwi bit fields, write, ns", "Vec<bool> and Vec<Bui<5>>, write", BITS, 4.0),
    ratio("o3de NewStarbase, de over serde_json", (LEVEL, "o3de-json", DE), JSON, 1.0),
    ratio(
        "o3de Document, parse over serde_json",
        (DOCUMENT, "o3de-json Document, unedited", DE),
        &["serde_json Value"],
        1.0,
    ),
    ratio(
        "o3de Document, unedited, over memcpy",
        (DOCUMENT, "o3de-json Document, unedited", SER),
        &["copy of the text"],
        1.2,
    ),
    ratio(
        "o3de Document, edited, over memcpy",
        (DOCUMENT, "o3de-json Document, one edit", SER),
        &["copy of the text"],
        2.0,
    ),
    ratio(
        "brson types, de over bson",
        (TREE, "resonite-brson, types", DE),
        &["bson, types"],
        1.0 / 3.0,
    ),
    ratio(
        "brson types, ser over bson",
        (TREE, "resonite-brson, types", SER),
        &["bson, types"],
        1.0 / 3.0,
    ),
    ratio("brson Value, de over bson", (TREE, "resonite-brson Value", DE), &["bson Document"], 0.2),
    ratio(
        "brson Value, ser over bson",
        (TREE, "resonite-brson Value", SER),
        &["bson Document"],
        1.0 / 3.0,
    ),
    ratio(
        "godot dictionaries, ser over rmp-serde array",
        ("Array of 100 000", "godot-variant", SER),
        ARRAY,
        1.0,
    ),
    ratio(
        "godot dictionaries, de over rmp-serde array",
        ("Array of 100 000", "godot-variant", DE),
        ARRAY,
        1.0,
    ),
    ratio(
        "godot Value, de over rmpv ValueRef",
        ("Array of 100 000", "godot-variant Value", DE),
        &["rmpv ValueRef"],
        1.0,
    ),
    borrowed("godot log, borrowed over owned", "godot-variant"),
    borrowed("zeze log, borrowed over owned", "zeze-serialize"),
    borrowed("kiwi log, borrowed over owned", "kiwi-pclass"),
    borrowed("o3de log, borrowed over owned", "o3de-json"),
    borrowed("brson log, borrowed over owned", "resonite-brson"),
];

/// A figure of several runs.
struct Settled {
    value: f64,
    /// The runs differ by more than [`STEADY`].
    noisy: bool,
}

impl Settled {
    /// The median over all rounds of the runs; `None` where no round has the figure.
    fn new(runs: &[&Run], figure: impl Fn(&[Table]) -> Option<f64>) -> Option<Self> {
        let rounds =
            |run: &&Run| run.rounds.iter().filter_map(|all| figure(all)).collect::<Vec<_>>();
        let (mut least, mut most) = (f64::MAX, 0.0_f64);
        for middle in runs.iter().filter_map(|run| median(rounds(run))) {
            (least, most) = (least.min(middle), most.max(middle));
        }
        let value = median(runs.iter().flat_map(rounds).collect())?;
        Some(Settled { value, noisy: most > least * STEADY })
    }

    fn greater(self, other: Self) -> Self {
        if other.value > self.value { other } else { self }
    }

    fn lesser(self, other: Self) -> Self {
        if other.value < self.value { other } else { self }
    }

    /// The figure, in bold if it misses its goal, and with a mark if it is noisy.
    fn show(&self, met: bool) -> String {
        let (bold, mark) = (if met { "" } else { "**" }, if self.noisy { "~" } else { "" });
        format!("{bold}{mark}{:.2}{bold}", self.value)
    }
}

fn median(mut figures: Vec<f64>) -> Option<f64> {
    figures.sort_by(f64::total_cmp);
    let (low, high) =
        (figures.get(figures.len().checked_sub(1)? / 2)?, figures.get(figures.len() / 2)?);
    Some((low + high) / 2.0)
}

/// Our time over the fastest peer's in one round.
fn ratio_of(
    tables: &[Table],
    beside: &Beside,
    at: usize,
    form: &str,
    column: usize,
) -> Option<f64> {
    let set = SETS[at];
    let title = format!("{set}{form}");
    let table = tables.iter().find(|table| table.title == title)?;
    // O3DE's text of a number is longer: what is compared is the time for a byte of it.
    let per_byte = beside.ours == "o3de-json" && set == "mesh";
    let figure = |row: &str| -> Option<f64> {
        let size = if per_byte { table.figure(row, SIZE)? } else { 1.0 };
        Some(table.figure(row, column)? / size)
    };
    let peer = beside.peers[at].iter().filter_map(|row| figure(row)).min_by(f64::total_cmp)?;
    Some(figure(beside.ours)? / peer)
}

/// A figure in one round; `None` where its table is absent, as it is without real files.
fn figure_of(tables: &[Table], figure: &Figure) -> Option<f64> {
    let table = tables.iter().find(|table| table.title.starts_with(figure.table))?;
    let ours = table.figure(figure.row, figure.column)?;
    Some(match figure.against {
        Against::Rows(rows) => {
            let peers = rows.iter().filter_map(|row| table.figure(row, figure.column));
            ours / peers.min_by(f64::total_cmp)?
        }
        Against::Each(count) => ours * 1e9 / count,
        Against::Column(column) => table.figure(figure.row, column)? / ours,
    })
}

/// The tables of goals as Markdown: the worse figure of all profiles.
pub fn markdown(profiles: &[(&str, Vec<&Run>)]) -> Outcome<String> {
    let mut missed: Vec<String> = Vec::new();
    let mut out = String::from("## Beside the peers, ser / de\n\n| crate | beside |");
    SETS.iter().for_each(|set| out.push_str(&format!(" {set} |")));
    out.push_str(" goal |\n|---|---|--:|--:|--:|--:|---|\n");
    for beside in &BESIDE {
        write!(out, "| {} | {} |", beside.ours, beside.shown)?;
        for (at, set) in SETS.iter().enumerate() {
            let mut cell = |column, way, goal: f64| -> Option<String> {
                let builds = profiles.iter().flat_map(|(_, runs)| {
                    ["", TOGETHER].map(|form| {
                        Settled::new(runs, |all| ratio_of(all, beside, at, form, column))
                    })
                });
                let worse =
                    builds.collect::<Option<Vec<_>>>()?.into_iter().reduce(Settled::greater)?;
                let met = worse.value <= goal + 0.005;
                if !met {
                    missed.push(format!("{}, {set}, {way}", beside.ours));
                }
                Some(worse.show(met))
            };
            let (ser, de) = (cell(SER, "ser", beside.ser[at]), cell(DE, "de", beside.de[at]));
            let absent = || format!("the figures of {} on {set} are absent", beside.ours);
            write!(out, " {} / {} |", ser.ok_or_else(absent)?, de.ok_or_else(absent)?)?;
        }
        write!(out, " ≤ {:.1} / {:.1}", beside.ser[0], beside.de[0])?;
        for (at, set) in SETS.iter().enumerate().skip(1) {
            if (beside.ser[at], beside.de[at]) != (beside.ser[0], beside.de[0]) {
                write!(out, ", {set} {:.1} / {:.1}", beside.ser[at], beside.de[at])?;
            }
        }
        out.push_str(" |\n");
    }
    out.push_str("\n## Other work\n\n| work | | goal |\n|---|--:|--:|\n");
    for figure in &FIGURES {
        let more = matches!(figure.against, Against::Column(_));
        let builds = profiles
            .iter()
            .filter_map(|(_, runs)| Settled::new(runs, |all| figure_of(all, figure)));
        let shown = match builds.reduce(if more { Settled::lesser } else { Settled::greater }) {
            Some(worse) => {
                let met = match more {
                    true => worse.value >= figure.goal,
                    false => worse.value <= figure.goal + 0.005,
                };
                if !met {
                    missed.push(figure.work.to_owned());
                }
                worse.show(met)
            }
            None => "–".to_owned(),
        };
        let sign = if more { '≥' } else { '≤' };
        writeln!(out, "| {} | {shown} | {sign} {:.2} |", figure.work, figure.goal)?;
    }
    out.push_str("\n## Where a goal is missed\n\n");
    let mut explained: Vec<(&str, Vec<String>)> = Vec::new();
    for goal in missed {
        let reason = REASONS.iter().find(|(key, _)| goal.contains(key)).map(|(_, reason)| *reason);
        let reason = reason.unwrap_or("not looked into yet");
        match explained.iter_mut().find(|(own, _)| *own == reason) {
            Some((_, goals)) => goals.push(goal),
            None => explained.push((reason, vec![goal])),
        }
    }
    for (reason, goals) in explained {
        writeln!(out, "- {}: {reason}.", goals.join("; "))?;
    }
    out.push('\n');
    Ok(out)
}
