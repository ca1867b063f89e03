//! The formats, what they do with a value, and the page.

use std::fmt::{self, Debug, Write as _};
use std::iter;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Adds rows to a table: the type, after a name where its own spelling is none, and values of it. The
/// values of a row are fields of a struct; `at both` adds a row of the same values at the root.
macro_rules! rows {
    ($table:ident at both; $($($name:literal)? $type:ty => $($value:expr),+;)+) => {$(
        let name = rows!(@name $type, $($name)?);
        let values = || -> Vec<$type> { vec![$($value),+] };
        $table.row(name.to_owned(), values().into_iter().map(|value| $crate::table::In { value }).collect());
        $table.row(format!("{name} at the root"), values());
    )+};
    ($table:ident; $($($name:literal)? $type:ty => $($value:expr),+;)+) => {$(
        let name = rows!(@name $type, $($name)?).to_owned();
        let values = || -> Vec<$crate::table::In<$type>> { vec![$($crate::table::In { value: $value }),+] };
        $table.row(name, values());
    )+};
    (@name $type:ty,) => { stringify!($type) };
    (@name $type:ty, $name:literal) => { $name };
}

/// Declares types with the derives of a row.
macro_rules! types {
    ($($item:item)+) => {$(
        #[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
        $item
    )+};
}

pub(crate) use {rows, types};

/// The struct around the values of a row.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct In<T> {
    pub(crate) value: T,
}

/// What becomes of a value, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Right,
    NotWritten,
    NotRead,
    Different,
}

const OUTCOMES: [Outcome; 4] =
    [Outcome::Right, Outcome::NotWritten, Outcome::NotRead, Outcome::Different];

/// The worst outcome of a row, how many of its values have it, and how many it has.
type Cell = (Outcome, usize, usize);

/// A format, as a pair of functions, and what goes between them.
trait Format {
    type Medium;
    fn write<T: Serialize>(value: &T) -> Result<Self::Medium, String>;
    fn read<T: DeserializeOwned>(medium: &Self::Medium) -> Result<T, String>;
}

macro_rules! formats {
    ($($format:ident $name:literal $medium:ty: $write:expr, $read:expr;)+) => {
        $(
            enum $format {}
            impl Format for $format {
                type Medium = $medium;
                fn write<T: Serialize>(value: &T) -> Result<$medium, String> {
                    $write(value).map_err(|error| error.to_string())
                }
                fn read<T: DeserializeOwned>(medium: &$medium) -> Result<T, String> {
                    $read(medium).map_err(|error| error.to_string())
                }
            }
        )+

        const NAMES: [&str; COLUMNS] = [$($name),+];

        fn outcomes<T: Debug + DeserializeOwned + Serialize>(
            values: &[T],
        ) -> [Vec<(Outcome, String)>; COLUMNS] {
            [$(outcomes_of::<$format, T>(values)),+]
        }
    };
}

/// First those of this project, then the peers, then the first five again by their `Value`.
const COLUMNS: usize = 15;
const OURS: usize = 6;
const BYTES: usize = 10;
/// The peers that hold nearly everything: serde_json and rmp-serde.
const PEERS: [usize; 2] = [6, 7];

type Bytes = Vec<u8>;

formats! {
    Godot "godot-variant" Bytes: godot_variant::to_vec, godot_variant::from_slice;
    O3de "o3de-json" Bytes: o3de_json::to_vec, o3de_json::from_slice;
    Brson "resonite-brson" Bytes: resonite_brson::to_vec, resonite_brson::from_slice;
    Zeze "zeze-serialize" Bytes: zeze_serialize::to_vec, zeze_serialize::from_slice;
    Kiwi "kiwi-pclass" Bytes: kiwi_pclass::to_vec, kiwi_pclass::from_slice;
    KiwiFile "kiwi-pclass, file" Bytes:
        |value| kiwi_pclass::Options::file().to_vec(value),
        |bytes| kiwi_pclass::Options::file().from_slice(bytes);
    Json "serde_json" Bytes: serde_json::to_vec, |bytes| serde_json::from_slice(bytes);
    Rmp "rmp-serde" Bytes: rmp_serde::to_vec_named, |bytes| rmp_serde::from_slice(bytes);
    Postcard "postcard" Bytes: postcard::to_allocvec, |bytes| postcard::from_bytes(bytes);
    Bson "bson" Bytes: bson::serialize_to_vec, |bytes: &Bytes| bson::deserialize_from_slice(bytes);
    GodotValue "godot-variant, value" godot_variant::Value: godot_variant::to_value, godot_variant::from_value;
    O3deValue "o3de-json, value" o3de_json::Value: o3de_json::to_value, o3de_json::from_value;
    BrsonValue "resonite-brson, value" resonite_brson::Value: resonite_brson::to_value, resonite_brson::from_value;
    ZezeValue "zeze-serialize, value" zeze_serialize::Value: zeze_serialize::to_value, zeze_serialize::from_value;
    KiwiValue "kiwi-pclass, value" kiwi_pclass::Value: kiwi_pclass::to_value, kiwi_pclass::from_value;
}

/// What becomes of each value, with the sentence of its error.
fn outcomes_of<F: Format, T: Debug + DeserializeOwned + Serialize>(
    values: &[T],
) -> Vec<(Outcome, String)> {
    let outcomes = values.iter().map(|value| match F::write(value) {
        Err(error) => (Outcome::NotWritten, error),
        Ok(bytes) => match F::read::<T>(&bytes) {
            Err(error) => (Outcome::NotRead, error),
            Ok(read) => compared(value, &read),
        },
    });
    outcomes.collect()
}

/// `Debug` tells NaN and the sign of zero.
fn compared(value: &dyn Debug, read: &dyn Debug) -> (Outcome, String) {
    let [value, read] = [value, read].map(|value| format!("{value:?}"));
    match value == read {
        true => (Outcome::Right, String::new()),
        false => (Outcome::Different, format!("{value} is read as {read}")),
    }
}

/// The worst outcome, and the first sentence about it.
fn worst(outcomes: &[(Outcome, String)]) -> (Cell, &str) {
    let worst = outcomes.iter().map(|(outcome, _)| *outcome).max().unwrap();
    let mut of_it =
        outcomes.iter().filter(|(outcome, _)| *outcome == worst).map(|(_, text)| &**text);
    let text = of_it.next().unwrap();
    ((worst, of_it.count() + 1, outcomes.len()), text)
}

/// How many values have each outcome.
type Counts = [usize; OUTCOMES.len()];

pub(crate) struct Table {
    rows: Vec<(String, [Cell; COLUMNS])>,
    /// Of all values, and of those that both peers hold.
    counts: [[Counts; 2]; COLUMNS],
    /// The rows of which errors are printed.
    shown: Option<String>,
}

impl Table {
    pub(crate) fn new() -> Self {
        let counts = [[[0; OUTCOMES.len()]; 2]; COLUMNS];
        Table { rows: Vec::new(), counts, shown: std::env::var("MATRIX").ok() }
    }

    pub(crate) fn row<T: Debug + DeserializeOwned + Serialize>(
        &mut self,
        name: String,
        values: Vec<T>,
    ) {
        assert!(self.rows.iter().all(|(other, _)| *other != name), "{name} stands twice");
        let outcomes = outcomes(&values);
        if self.shown.as_ref().is_some_and(|shown| name.starts_with(shown)) {
            for (format, outcomes) in iter::zip(NAMES, &outcomes) {
                println!("{name}: {format}: {:?}", worst(outcomes));
            }
        }
        for (counts, outcomes_of) in iter::zip(&mut self.counts, &outcomes) {
            for (at, (outcome, _)) in outcomes_of.iter().enumerate() {
                let is_held = PEERS.iter().all(|peer| outcomes[*peer][at].0 == Outcome::Right);
                counts[0][*outcome as usize] += 1;
                counts[1][*outcome as usize] += usize::from(is_held);
            }
        }
        self.rows.push((name, outcomes.map(|outcomes| worst(&outcomes).0)));
    }

    /// The rows in which one of the five formats has this outcome.
    pub(crate) fn ours(&self, outcome: Outcome) -> impl Iterator<Item = &str> {
        let has = move |cells: &[Cell; COLUMNS]| {
            cells[..OURS].iter().chain(&cells[BYTES..]).any(|cell| cell.0 == outcome)
        };
        self.rows.iter().filter(move |(_, cells)| has(cells)).map(|(name, _)| &**name)
    }

    pub(crate) fn page(&self, different: &[(&str, &str)]) -> String {
        let mut page = String::new();
        self.write(&mut page, different).unwrap();
        page
    }

    fn write(&self, page: &mut String, different: &[(&str, &str)]) -> fmt::Result {
        let rows = self.rows.len();
        writeln!(page, "{}", HEAD.replace("{rows}", &rows.to_string()))?;
        let values: usize = self.counts[0][0].iter().sum();
        writeln!(page, "{}\n", COUNTED.replace("{values}", &values.to_string()))?;
        writeln!(
            page,
            "| format | right | refused when written | refused when read | different | read, of those | different, of those |"
        )?;
        writeln!(page, "|---|--:|--:|--:|--:|--:|--:|")?;
        for (name, [all, held]) in iter::zip(NAMES, &self.counts) {
            let [right, written, read, different] = all;
            let [.., held_read, held_different] = held;
            writeln!(
                page,
                "| {name} | {right} | {written} | {read} | {different} | {held_read} | {held_different} |"
            )?;
        }
        writeln!(
            page,
            "\n## Different\n\nRows that one of the five formats reads as another value:\n"
        )?;
        for (why, names) in grouped(different.iter().map(|(name, why)| ((*why).to_owned(), *name)))
        {
            writeln!(page, "- {names}: {why}.")?;
        }
        writeln!(page, "\n## Rows that are not right in one of the five\n\n{LEGEND}\n")?;
        writeln!(page, "| types | {} |", NAMES[..OURS].join(" | "))?;
        writeln!(page, "|---{}|", "|---".repeat(OURS))?;
        let is_right = |cells: &[Cell]| cells.iter().all(|cell| cell.0 == Outcome::Right);
        let wrong = self.rows.iter().filter(|(_, cells)| !is_right(&cells[..OURS]));
        for (cells, names) in grouped(wrong.map(|(name, cells)| {
            let cells: Vec<_> = cells[..OURS].iter().map(shown).collect();
            (cells.join(" | "), &**name)
        })) {
            writeln!(page, "| {names} | {cells} |")?;
        }
        Ok(())
    }
}

/// The names of equal cells, in the order in which they come; one that is also there at the root gets a mark.
fn grouped<'a>(rows: impl Iterator<Item = (String, &'a str)>) -> Vec<(String, String)> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (cells, name) in rows {
        match groups.iter_mut().find(|(other, _)| *other == cells) {
            Some((_, names)) => names.push(name),
            None => groups.push((cells, vec![name])),
        }
    }
    let listed = |names: Vec<&str>| {
        let mut shown: Vec<String> = Vec::new();
        for name in &names {
            match name.strip_suffix(ROOT) {
                Some(field) if names.contains(&field) => {}
                _ if names.contains(&&*format!("{name}{ROOT}")) => shown.push(format!("`{name}`†")),
                _ => shown.push(format!("`{name}`")),
            }
        }
        shown.join(", ")
    };
    groups.into_iter().map(|(cells, names)| (cells, listed(names))).collect()
}

/// How the names of rows end whose values are no fields.
const ROOT: &str = " at the root";

/// A small letter, where some values of the row are better.
fn shown(&(outcome, count, of): &Cell) -> &'static str {
    match (outcome, count == of) {
        (Outcome::Right, _) => "·",
        (Outcome::NotWritten, true) => "W",
        (Outcome::NotWritten, false) => "w",
        (Outcome::NotRead, true) => "R",
        (Outcome::NotRead, false) => "r",
        (Outcome::Different, true) => "**D**",
        (Outcome::Different, false) => "**d**",
    }
}

const HEAD: &str = "\
# Types that people use

{rows} rows of types and serde attributes from people's structs, each with several values, written and read back by
these formats and their peers. All have their default options; kiwi-pclass also has `Options::file()`, both times
without a schema; rmp-serde writes names. Values are compared by `Debug`, so NaN and the sign of zero count. A row
counts by its worst value.

The rows are in [`outside/matrix`](../outside/matrix/tests/matrix/): the standard library, serde's attributes,
serde_with, chrono, time, jiff, uuid, url, semver, indexmap, glam, bytes, rust_decimal, typetag and others. A row that
is not named below is right in all five formats. `cargo xtask ci` compares this page with what it finds;
`MATRIX=write cargo test --manifest-path outside/matrix/Cargo.toml` writes it, `MATRIX=NAME` prints the errors of a row.
";

const COUNTED: &str = "\
{values} values in all. *Of those*: refused when read, or read as another value, of the values that serde_json and
rmp-serde both hold. *Value*: by `to_value` and `from_value`.";

const LEGEND: &str = "\
`·` right; `W` refused when written; `R` written and refused when read; `D` written and read as another value; a small
letter: only some values of the row. †: also at the root.";
