//! What the formats are held against: figures of the tables set beside those of their peers.
//!
//! A ratio is our time over that of the peer in the same run, so one is even and less is faster. A
//! goal that is missed is set in bold, and `REASONS` says what it would take: a run that misses a
//! goal without a reason fails.

mod reasons;

use std::fmt::Write;

use crate::Outcome;
use crate::table::Table;
use reasons::REASONS;

/// The columns of times in a table under [`COLUMNS`](crate::harness::COLUMNS).
const SER: usize = 1;
const DE: usize = 2;
/// The column of the size there.
const SIZE: usize = 3;

const SETS: [&str; 4] = ["log", "mesh", "minecraft_savedata", "mk48"];

/// A format and the peers it is held against; of several, the fastest.
struct Beside {
    ours: &'static str,
    shown: &'static str,
    peers: [&'static [&'static str]; 4],
    goals: [f64; 4],
}

const NAMED: &[&str] = &["rmp-serde named", "cbor4ii", "minicbor-serde"];
const ARRAY: &[&str] = &["rmp-serde array"];
const JSON: &[&str] = &["serde_json"];
const PROST: &[&str] = &["prost"];

const BESIDE: [Beside; 5] = [
    Beside {
        ours: "godot-variant",
        shown: "best of rmp-serde named, cbor4ii, minicbor-serde",
        peers: [NAMED; 4],
        // Three times the bytes.
        goals: [1.0, 1.2, 1.0, 1.0],
    },
    Beside {
        ours: "resonite-brson",
        shown: "rmp-serde named",
        peers: [&["rmp-serde named"]; 4],
        goals: [1.0; 4],
    },
    Beside {
        ours: "zeze-serialize",
        shown: "prost (log, mesh), rmp-serde array",
        peers: [PROST, PROST, ARRAY, ARRAY],
        goals: [1.0; 4],
    },
    Beside { ours: "kiwi-pclass", shown: "rmp-serde array", peers: [ARRAY; 4], goals: [1.5; 4] },
    Beside {
        ours: "o3de-json",
        shown: "serde_json (mesh: for each byte of text)",
        peers: [JSON; 4],
        goals: [1.0; 4],
    },
];

/// What a figure is held against.
enum Against {
    /// The fastest of these rows of the same table, in the same column.
    Rows(&'static [&'static str]),
    /// Nanoseconds for each of this many.
    Each(f64),
    /// MB/s; more is better.
    Rate,
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
const ITEMS: &str = "120 000 items, shallow";
const TREE: &str = "a real tree, 4";
const LEVEL: &str = "NewStarbase.prefab as Rust types";
const DOCUMENT: &str = "NewStarbase.prefab as a document";
const BITS: f64 = 8_000_000.0;

const FIGURES: [Figure; 27] = [
    ratio(
        "zeze, 200 000 beans, ser over postcard",
        (BEANS, "zeze-serialize", 2),
        &["postcard"],
        1.0,
    ),
    ratio(
        "zeze, 200 000 beans, de over postcard",
        (BEANS, "zeze-serialize", 4),
        &["postcard"],
        1.0,
    ),
    Figure {
        work: "zeze, 200 000 beans, skip, MB/s",
        table: BEANS,
        row: "zeze-serialize",
        column: 6,
        against: Against::Rate,
        goal: 800.0,
    },
    ratio(
        "zeze, derive, mesh ser over code by hand",
        (BY_HAND, "zeze-serialize", SER),
        &["by hand, over wire"],
        1.6,
    ),
    ratio(
        "zeze, derive, mesh de over code by hand",
        (BY_HAND, "zeze-serialize", DE),
        &["by hand, over wire"],
        1.6,
    ),
    ratio(
        "kiwi, 120 000 items shallow, structs ser over Value",
        (ITEMS, "kiwi-pclass, structs", SER),
        &["kiwi-pclass Value"],
        1.0,
    ),
    ratio(
        "kiwi, 120 000 items shallow, structs de over Value",
        (ITEMS, "kiwi-pclass, structs", DE),
        &["kiwi-pclass Value"],
        1.0,
    ),
    ratio(
        "kiwi, 120 000 items shallow, structs ser over rmp-serde array",
        (ITEMS, "kiwi-pclass, structs", SER),
        ARRAY,
        1.3,
    ),
    ratio(
        "kiwi, 120 000 items shallow, structs de over rmp-serde array",
        (ITEMS, "kiwi-pclass, structs", DE),
        ARRAY,
        1.3,
    ),
    each(
        "kiwi, `Vec<bool>` and `Vec<Bui<5>>` by serde, read, ns",
        "Vec<bool> and Vec<Bui<5>>, read",
        BITS,
        4.0,
    ),
    each(
        "kiwi, `Vec<bool>` and `Vec<Bui<5>>` by serde, write, ns",
        "Vec<bool> and Vec<Bui<5>>, write",
        BITS,
        4.0,
    ),
    // RapidJSON's DOM takes 0.3 of serde_json's time on this file.
    ratio("o3de, NewStarbase typed, de over serde_json", (LEVEL, "o3de-json", DE), JSON, 0.3),
    ratio(
        "o3de, Document, parse over sonic-rs Value",
        (DOCUMENT, "o3de-json Document, unedited", DE),
        &["sonic-rs Value"],
        1.0,
    ),
    ratio(
        "o3de, Document, write unedited over a copy",
        (DOCUMENT, "o3de-json Document, unedited", SER),
        &["copy of the text"],
        1.2,
    ),
    ratio(
        "o3de, Document, write after one edit over a copy",
        (DOCUMENT, "o3de-json Document, one edit", SER),
        &["copy of the text"],
        2.0,
    ),
    ratio(
        "brson, 48 MB as types, de over bson",
        (TREE, "resonite-brson, types", DE),
        &["bson, types"],
        1.0 / 3.0,
    ),
    ratio(
        "brson, 48 MB as types, ser over bson",
        (TREE, "resonite-brson, types", SER),
        &["bson, types"],
        1.0 / 3.0,
    ),
    ratio(
        "brson, 48 MB as Value, de over bson Document",
        (TREE, "resonite-brson Value", DE),
        &["bson Document"],
        0.2,
    ),
    ratio(
        "brson, 48 MB as Value, ser over bson Document",
        (TREE, "resonite-brson Value", SER),
        &["bson Document"],
        1.0 / 3.0,
    ),
    ratio(
        "godot, 100 000 dictionaries, ser over rmp-serde array",
        ("Array of 100 000", "godot-variant", SER),
        ARRAY,
        1.0,
    ),
    ratio(
        "godot, 100 000 dictionaries, de over rmp-serde array",
        ("Array of 100 000", "godot-variant", DE),
        ARRAY,
        1.0,
    ),
    ratio(
        "godot, 100 000 dictionaries, Value de over rmpv ValueRef",
        ("Array of 100 000", "godot-variant Value", DE),
        &["rmpv ValueRef"],
        1.0,
    ),
    borrowed("godot, borrowed log over owned", "godot-variant"),
    borrowed("zeze, borrowed log over owned", "zeze-serialize"),
    borrowed("kiwi, borrowed log over owned", "kiwi-pclass"),
    borrowed("o3de, borrowed log over owned", "o3de-json"),
    borrowed("brson, borrowed log over owned", "resonite-brson"),
];

/// The two tables of goals as Markdown, and the goals that are missed without a reason.
pub fn markdown(tables: &[Table]) -> Outcome<(String, Vec<String>)> {
    let mut page = Page { tables, missed: Vec::new() };
    let mut out = String::from("### Beside the peers, ser / de\n\n| crate | beside |");
    SETS.iter().for_each(|set| out.push_str(&format!(" {set} |")));
    out.push_str(" goal |\n|---|---|--:|--:|--:|--:|---|\n");
    for beside in &BESIDE {
        write!(out, "| {} | {} |", beside.ours, beside.shown)?;
        for ((set, peers), goal) in SETS.iter().zip(beside.peers).zip(beside.goals) {
            let ser = page.cell(beside, set, peers, (SER, "ser"), goal)?;
            let de = page.cell(beside, set, peers, (DE, "de"), goal)?;
            write!(out, " {ser} / {de} |")?;
        }
        let goals = beside.goals;
        match goals.iter().all(|goal| *goal == goals[0]) {
            true => writeln!(out, " ≤ {:.1} |", goals[0])?,
            false => writeln!(out, " ≤ {:.1}, mesh ≤ {:.1} |", goals[0], goals[1])?,
        }
    }
    out.push_str("\n### Other work\n\n| work | figure | goal |\n|---|--:|--:|\n");
    for figure in &FIGURES {
        page.figure(figure, &mut out)?;
    }
    out.push_str("\n### Where a goal is missed\n\n");
    let mut unexplained = Vec::new();
    let mut explained: Vec<(&str, Vec<&str>)> = Vec::new();
    for missed in &page.missed {
        let Some((_, reason)) = REASONS.iter().find(|(key, _)| missed.contains(key)) else {
            unexplained.push(missed.clone());
            continue;
        };
        match explained.iter_mut().find(|(own, _)| own == reason) {
            Some((_, goals)) => goals.push(missed),
            None => explained.push((reason, vec![missed])),
        }
    }
    for (reason, goals) in explained {
        writeln!(out, "- {}: {reason}.", goals.join("; "))?;
    }
    Ok((out, unexplained))
}

/// The figures, and the goals they miss.
struct Page<'t> {
    tables: &'t [Table],
    missed: Vec<String>,
}

impl Page<'_> {
    fn table(&self, title: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.title.starts_with(title))
    }

    fn titled(&self, title: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.title == title)
    }

    /// Our time over the fastest peer's, in bold where it misses the goal.
    fn cell(
        &mut self,
        beside: &Beside,
        set: &str,
        peers: &[&str],
        (column, way): (usize, &str),
        goal: f64,
    ) -> Outcome<String> {
        let table = self.titled(set).ok_or_else(|| format!("no table {set}"))?;
        // O3DE's text of a number is longer: what is compared is the time for a byte of it.
        let per_byte = beside.ours == "o3de-json" && set == "mesh";
        let figure = |row: &str| -> Option<f64> {
            let size = if per_byte { table.figure(row, SIZE)? } else { 1.0 };
            Some(table.figure(row, column)? / size)
        };
        let ours = figure(beside.ours).ok_or_else(|| format!("{set}: no row {}", beside.ours))?;
        let peer = peers.iter().filter_map(|row| figure(row)).fold(f64::INFINITY, f64::min);
        let ratio = ours / peer;
        if ratio <= goal + 0.005 {
            return Ok(format!("{ratio:.2}"));
        }
        self.missed.push(format!("{}, {set}, {way}", beside.ours));
        Ok(format!("**{ratio:.2}**"))
    }

    /// The line of a figure; nothing where its table is absent, as it is without real files.
    fn figure(&mut self, figure: &Figure, out: &mut String) -> Outcome<()> {
        let Some(table) = self.table(figure.table) else { return Ok(()) };
        let at = |row: &str, column| {
            table.figure(row, column).ok_or_else(|| format!("{}: no figure of {row}", table.title))
        };
        let ours = at(figure.row, figure.column)?;
        let (value, more, sign) = match figure.against {
            Against::Rows(rows) => {
                let peers = rows.iter().map(|row| at(row, figure.column));
                let best =
                    peers.collect::<Result<Vec<_>, _>>()?.into_iter().fold(f64::MAX, f64::min);
                (ours / best, false, '≤')
            }
            Against::Each(count) => (ours * 1e9 / count, false, '≤'),
            Against::Rate => (at(figure.row, 1)? / ours / 1e6, true, '≥'),
            Against::Column(column) => (at(figure.row, column)? / ours, true, '≥'),
        };
        let met = if more { value >= figure.goal } else { value <= figure.goal + 0.005 };
        let bold = if met { "" } else { "**" };
        let digits = if figure.goal >= 100.0 { 0 } else { 2 };
        writeln!(
            out,
            "| {} | {bold}{value:.digits$}{bold} | {sign} {:.digits$} |",
            figure.work, figure.goal
        )?;
        if !met {
            self.missed.push(figure.work.to_owned());
        }
        Ok(())
    }
}
