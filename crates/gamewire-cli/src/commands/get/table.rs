//! Values of many files, a row for each.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use gamewire::document::{self, Document, Json};
use indicatif::ParallelProgressIterator as _;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::commands::{Reading, progress, sources};
use crate::failure::{Failure, Outcome};
use crate::files::Found;
use crate::output::{self, Shown as _, Sink};

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Kind {
    /// Comma-separated values, with the names of the columns first
    Csv,
    /// A JSON object on each line
    Jsonl,
}

/// The values of a file at each of the paths.
struct Row {
    file: String,
    cells: Vec<Option<Cell>>,
    error: Option<String>,
}

/// A value, or those of a pattern, in both notations.
struct Cell {
    text: String,
    json: Json,
}

pub(super) fn print(
    kind: Kind,
    files: &[PathBuf],
    paths: &[String],
    reading: &Reading,
) -> Result<Outcome, Failure> {
    if paths.is_empty() {
        return Err(Failure::Usage("expected the path of a value after the files".to_owned()));
    }
    let walk = sources::expand(files, &reading.args.settings(None))?;
    let progress = progress(&walk.files);
    let found = walk.files.par_iter().progress_with(progress.clone());
    let rows: Vec<Row> = found.filter_map(|found| row(found, paths, reading)).collect();
    progress.finish_and_clear();
    let sink = Sink::Stdout;
    match kind {
        Kind::Csv => sink.write(|out| write_csv(out, paths, &rows))?,
        Kind::Jsonl => sink.write_json(|out| write_jsonl(out, paths, &rows))?,
    }
    walk.unreadable.iter().for_each(|why| output::error(why));
    let mut is_good = walk.unreadable.is_empty() && rows.iter().all(|row| row.error.is_none());
    for (column, path) in paths.iter().enumerate() {
        if !rows.iter().any(|row| row.cells.get(column).is_some_and(Option::is_some)) {
            output::error(&format!("{path}: no file has such a value"));
            is_good = false;
        }
    }
    Ok(Outcome::good_if(is_good))
}

/// The row of a file; none for one that was found in a folder and is no game data.
fn row(found: &Found, paths: &[String], reading: &Reading) -> Option<Row> {
    let bad = |why: &str, file: String| {
        let why = why.lines().next().unwrap_or_default();
        let why = why.strip_prefix(&format!("{}: ", file.shown())).unwrap_or(why).to_owned();
        Row { file, cells: paths.iter().map(|_| None).collect(), error: Some(why) }
    };
    let input = match found.read(reading.bound()) {
        Ok(input) => input,
        Err(Failure::Data(why) | Failure::Usage(why)) => {
            return Some(bad(&why, found.path.display().to_string()));
        }
        Err(Failure::Closed) => return None,
    };
    if reading.knows(&input).is_none() && !input.is_named {
        let format = document::detect_damaged(&input.bytes, &reading.args.settings(None))?;
        return Some(bad(&format!("damaged: only a part of it is {format}"), input.raw_name));
    }
    let document = match reading.open(&input) {
        Ok(document) => document,
        Err(Failure::Data(why) | Failure::Usage(why)) => return Some(bad(&why, input.raw_name)),
        Err(Failure::Closed) => return None,
    };
    let mut error = None;
    let mut shown = |path| {
        cell(&document, path).transpose().unwrap_or_else(|why| {
            error.get_or_insert(why.to_string());
            None
        })
    };
    let cells = paths.iter().map(|path| shown(path)).collect();
    Some(Row { file: input.raw_name, cells, error })
}

/// The values that a path leads to: a list for a pattern, and for a name that occurs several times.
fn cell(document: &Document, path: &str) -> Option<Result<Cell, document::Error>> {
    let nodes = document.get(path).ok()?;
    let cell = || {
        Ok(match nodes.as_slice() {
            [only] if !path.contains('*') => {
                Cell { text: only.text()?, json: only.to_plain_json()? }
            }
            all => {
                let json: Result<Json, _> = all.iter().map(document::Node::to_plain_json).collect();
                let json = json?;
                Cell { text: json.to_string(), json }
            }
        })
    };
    Some(cell())
}

fn write_csv(out: &mut dyn Write, paths: &[String], rows: &[Row]) -> io::Result<()> {
    let names = paths.iter().map(String::as_str);
    write_line(out, ["file"].into_iter().chain(names).chain(["error"]))?;
    for row in rows {
        let cells = row.cells.iter().map(|cell| cell.as_ref().map_or("", |cell| &cell.text));
        let error = row.error.as_deref().unwrap_or_default();
        write_line(out, [row.file.as_str()].into_iter().chain(cells).chain([error]))?;
    }
    Ok(())
}

/// A line as RFC 4180 has it, but for its end, which is that of lines here.
fn write_line<'a>(out: &mut dyn Write, cells: impl Iterator<Item = &'a str>) -> io::Result<()> {
    for (index, cell) in cells.enumerate() {
        out.write_all(if index == 0 { b"" } else { b"," })?;
        match cell.contains([',', '"', '\n', '\r']) {
            true => write!(out, "\"{}\"", cell.replace('"', "\"\""))?,
            false => out.write_all(cell.as_bytes())?,
        }
    }
    out.write_all(b"\n")
}

fn write_jsonl(out: &mut dyn Write, paths: &[String], rows: &[Row]) -> io::Result<()> {
    for row in rows {
        let cells = paths.iter().zip(&row.cells).map(|(path, cell)| {
            let json = cell.as_ref().map_or(Json::Null, |cell| cell.json.clone());
            (path.clone(), json)
        });
        let file = ("file".to_owned(), row.file.clone().into());
        let error = ("error".to_owned(), row.error.clone().into());
        let members = [file].into_iter().chain(cells).chain([error]);
        writeln!(out, "{}", members.collect::<Json>())?;
    }
    Ok(())
}
