use std::fmt::Write as _;

use anstyle::Style;
use clap::Args;
use gamewire::Format;

use crate::failure::{Failure, Outcome};
use crate::output;

/// List the formats, their extensions and their magic
#[derive(Args)]
#[command(after_help = "Examples:\n  gamewire formats")]
pub(crate) struct Formats {}

impl Formats {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let rows: Vec<[String; 4]> = Format::ALL.iter().copied().map(row).collect();
        let head = ["FORMAT", "EXTENSIONS", "MAGIC", "NAME"];
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).chain([10]).max().unwrap_or(0) + 2
        };
        let (a, b, c) = (width(0), width(1), width(2));
        let bold = Style::new().bold();
        let [format, extensions, magic, name] = head;
        let mut text = format!("{bold}{format:a$}{extensions:b$}{magic:c$}{name}{bold:#}\n");
        for [format, extensions, magic, name] in &rows {
            _ = writeln!(text, "{format:a$}{extensions:b$}{magic:c$}{name}");
        }
        text.push_str(
            "\nFiles without a magic are told by their structure, or named with --format.\n",
        );
        output::print(&text)?;
        Ok(Outcome::Good)
    }
}

fn row(format: Format) -> [String; 4] {
    let extensions: Vec<String> = format.extensions().iter().map(|own| format!(".{own}")).collect();
    let magic: Vec<String> = format.magic().iter().map(|magic| magic_text(magic)).collect();
    let or_none = |list: Vec<String>| if list.is_empty() { "-".to_owned() } else { list.join(" ") };
    [format.to_string(), or_none(extensions), or_none(magic), format.name().to_owned()]
}

/// As text where it is text, else in hexadecimal digits.
fn magic_text(magic: &[u8]) -> String {
    match std::str::from_utf8(magic) {
        Ok(text) if magic.iter().all(u8::is_ascii_graphic) => text.to_owned(),
        _ => magic.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}
