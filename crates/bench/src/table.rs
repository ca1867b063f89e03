//! Tables: kept as figures until they are printed, so that several rounds can be merged.

use std::fmt::Write;
use std::time::Duration;

use serde::{Deserialize, Serialize};

const MICROSECOND: Duration = Duration::from_micros(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// One figure, or how to get it from others of the same table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Cell {
    /// A name.
    Text(String),
    /// Printed in milliseconds.
    Time(Duration),
    /// Printed in groups of three digits.
    Count(u64),
    /// Bytes, printed in millions.
    Megabytes(u64),
    /// GB/s of this many bytes in the time of this column.
    Speed(u64, usize),
    /// MB/s of this many bytes in the time of this column.
    Rate(u64, usize),
    /// Nanoseconds for each of this many things, of the time of this column.
    Nanoseconds(u64, usize),
    /// A time over another, each at (row, column).
    Factor([usize; 2], [usize; 2]),
    /// Not applicable.
    Nothing,
}

/// A titled table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Table {
    /// The heading above it.
    pub title: String,
    /// The column names; the first column is text, the others are figures.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Self {
        Self {
            title: title.into(),
            columns: columns.iter().map(ToString::to_string).collect(),
            rows: Vec::new(),
        }
    }

    /// Takes the shorter time in every place where `other`, a later round of the same table, has
    /// one.
    pub fn merge(&mut self, other: &Self) {
        let pairs = self.rows.iter_mut().flatten().zip(other.rows.iter().flatten());
        for (mine, theirs) in pairs {
            if let (Cell::Time(mine), Cell::Time(theirs)) = (mine, theirs) {
                *mine = (*mine).min(*theirs);
            }
        }
    }

    /// For the terminal: names to the left, figures to the right.
    pub fn to_text(&self) -> String {
        let grid = self.grid();
        let widths = self.widths(&grid);
        let mut out = format!("{}\n", self.title);
        for line in &grid {
            let mut text = String::new();
            for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
                // Writing to a string cannot fail.
                let _ = match column {
                    0 => write!(text, "  {cell:<width$}"),
                    _ => write!(text, "  {cell:>width$}"),
                };
            }
            out.push_str(text.trim_end());
            out.push('\n');
        }
        out
    }

    /// For a document.
    pub fn to_markdown(&self) -> String {
        let mut grid = self.grid().into_iter();
        let mut out = format!("### {}\n\n", self.title);
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        out.push_str(&grid.next().map_or_else(String::new, line));
        let rules = (0..self.columns.len()).map(|column| if column == 0 { "---" } else { "--:" });
        out.push_str(&format!("|{}|\n", rules.collect::<Vec<_>>().join("|")));
        out.extend(grid.map(line));
        out.push('\n');
        out
    }

    fn grid(&self) -> Vec<Vec<String>> {
        let head = self.columns.clone();
        let rows =
            self.rows.iter().map(|row| row.iter().map(|cell| self.show(row, cell)).collect());
        std::iter::once(head).chain(rows).collect()
    }

    fn widths(&self, grid: &[Vec<String>]) -> Vec<usize> {
        let width = |column: usize| grid.iter().map(|line| line[column].chars().count()).max();
        (0..self.columns.len()).map(|column| width(column).unwrap_or(0)).collect()
    }

    fn show(&self, row: &[Cell], cell: &Cell) -> String {
        let shown =
            |column: usize, least: Duration, show: &dyn Fn(f64) -> String| match row.get(column) {
                Some(Cell::Time(time)) if *time >= least => show(time.as_secs_f64()),
                _ => "–".to_owned(),
            };
        match cell {
            Cell::Text(text) => text.clone(),
            Cell::Time(time) => milliseconds(*time),
            Cell::Count(count) => grouped(*count),
            Cell::Megabytes(bytes) => format!("{:.1}", *bytes as f64 / 1e6),
            // An operation under a microsecond has copied nothing, so it has no speed.
            Cell::Speed(bytes, column) => shown(*column, MICROSECOND, &|seconds| {
                format!("{:.1}", *bytes as f64 / seconds / 1e9)
            }),
            Cell::Rate(bytes, column) => shown(*column, MICROSECOND, &|seconds| {
                format!("{:.0}", *bytes as f64 / seconds / 1e6)
            }),
            Cell::Nanoseconds(count, column) => shown(*column, Duration::ZERO, &|seconds| {
                format!("{:.2}", seconds * 1e9 / *count as f64)
            }),
            Cell::Factor(over, under) => match (self.time(*over), self.time(*under)) {
                (Some(over), Some(under)) => {
                    format!("{:.2}×", over.as_secs_f64() / under.as_secs_f64())
                }
                _ => "–".to_owned(),
            },
            Cell::Nothing => "–".to_owned(),
        }
    }

    /// The figure of a row, by its name: seconds or a count.
    pub fn figure(&self, row: &str, column: usize) -> Option<f64> {
        let named =
            |cells: &&Vec<Cell>| matches!(cells.first(), Some(Cell::Text(name)) if name == row);
        match self.rows.iter().find(named)?.get(column)? {
            Cell::Time(time) => Some(time.as_secs_f64()),
            Cell::Count(count) => Some(*count as f64),
            _ => None,
        }
    }

    fn time(&self, [row, column]: [usize; 2]) -> Option<Duration> {
        match self.rows.get(row)?.get(column)? {
            Cell::Time(time) => Some(*time),
            _ => None,
        }
    }
}

/// Two digits after the point, three below one millisecond, six (nanoseconds) below one
/// microsecond.
fn milliseconds(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    let digits = if time < MICROSECOND {
        6
    } else if time < MILLISECOND {
        3
    } else {
        2
    };
    format!("{ms:.digits$}")
}

fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}
