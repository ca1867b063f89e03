use std::fmt::Write as _;

use anstyle::Style;
use clap::Args;
use gamewire::Format;

use crate::args::{self, format_parser};
use crate::failure::{Failure, Outcome};
use crate::output::{Paging, Text};

/// List the formats, their extensions and their magic, or show the options of one
#[derive(Args)]
#[command(after_help = "Examples:\n  gamewire formats\n  gamewire formats godot-variant")]
pub(crate) struct Formats {
    /// The format whose options are shown
    #[arg(value_name = "FORMAT", value_parser = format_parser())]
    format: Option<Format>,
    #[command(flatten)]
    paging: Paging,
}

impl Formats {
    pub(crate) fn run(self, whole: fn() -> clap::Command) -> Result<Outcome, Failure> {
        if let Some(format) = self.format {
            self.paging.print(about(format, whole()))?;
            return Ok(Outcome::Good);
        }
        let rows: Vec<[String; 4]> = Format::ALL.iter().copied().flat_map(rows).collect();
        let head = ["FORMAT", "EXTENSIONS", "MAGIC", "NAME"];
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).chain([10]).max().unwrap_or(0) + 2
        };
        let (a, b, c) = (width(0), width(1), width(2));
        let bold = Style::new().bold();
        let [format, extensions, magic, name] = head;
        let mut text = Text::default();
        text.paint(bold, format_args!("{format:a$}{extensions:b$}{magic:c$}{name}"));
        _ = text.write_str("\n");
        for [format, extensions, magic, name] in &rows {
            let line = format!("{format:a$}{extensions:b$}{magic:c$}{name}");
            _ = writeln!(text, "{}", line.trim_end());
        }
        _ = text.write_str(
            "\nFiles without a magic are told by their structure, or named with --format.\n",
        );
        self.paging.print(text)?;
        Ok(Outcome::Good)
    }
}

/// A format, and the options that it has in `convert`, which has them all.
fn about(format: Format, mut tool: clap::Command) -> Text {
    let [name, extensions, magic, title] = row(format);
    let bold = Style::new().bold();
    let mut text = Text::default();
    text.paint(bold, name);
    _ = write!(text, ": {title}\n\nextensions: {extensions}\nmagic: {magic}\n");
    let heading = args::heading(format);
    tool.build();
    let convert = tool.find_subcommand("convert").map(clap::Command::get_arguments);
    for own in convert.into_iter().flatten() {
        let is_own = own.get_help_heading().is_some_and(|own| own.starts_with(heading));
        let Some(long) = own.get_long().filter(|_| is_own) else { continue };
        let values = own.get_possible_values();
        let value = own.get_value_names().and_then(<[_]>::first);
        let value = value.filter(|_| own.get_action().takes_values());
        let value = value.map(|value| format!(" <{value}>")).unwrap_or_default();
        let help = own.get_help().map(ToString::to_string).unwrap_or_default();
        _ = text.write_str("\n");
        text.paint(bold, format_args!("--{long}"));
        _ = writeln!(text, "{value}\n    {help}");
        // Their meaning stands with the option for reading.
        if values.iter().all(|value| value.get_help().is_none()) && !values.is_empty() {
            let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
            _ = writeln!(text, "    {}", names.join(", "));
            continue;
        }
        for value in &values {
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            _ = writeln!(text, "    - {}: {help}", value.get_name());
        }
    }
    text
}

/// The row of a format, and more where it has many extensions.
fn rows(format: Format) -> Vec<[String; 4]> {
    const WIDTH: usize = 44;
    let [format, extensions, magic, title] = row(format);
    let mut rows = vec![[format, String::new(), magic, title]];
    for extension in extensions.split(' ') {
        let is_full = |own: &String| own.len() + 1 + extension.len() > WIDTH;
        if rows.last().is_some_and(|[_, own, ..]| !own.is_empty() && is_full(own)) {
            rows.push([const { String::new() }; 4]);
        }
        if let Some([_, own, ..]) = rows.last_mut() {
            let joint = if own.is_empty() { "" } else { " " };
            *own = format!("{own}{joint}{extension}");
        }
    }
    rows
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
