use std::collections::{BTreeMap, BTreeSet};

use clap::{Args, ValueEnum};
use gamewire::Format;

use crate::args::format_parser;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Shown as _};

/// Print the lines that make git show and merge game data by value
///
/// Lines for .gitattributes, which say what files are meant, and lines for the configuration, which
/// say what git is to run. Files of these names that are something else, or broken, are compared as
/// text or by their size. Files of PropertyClass and Zeze have the names that their games choose; what is in
/// them is known with --types or --schema, whose paths are those from the root of the repository.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire git attributes >> .gitattributes
  gamewire git config >> .git/config
  gamewire git attributes --format godot-variant
  gamewire git --format kiwi-pclass --types types.json
  git diff
  git log -p savegame.dat
  git mergetool --tool gamewire")]
pub(crate) struct Git {
    /// Only the lines of one of the two files
    #[arg(value_enum)]
    what: Option<What>,
    /// Show the changes as `gamewire diff` does, a line for each changed value, in place of a diff of
    /// lines
    #[arg(long)]
    external: bool,
    /// Only files of this format; may be repeated [default: all]
    #[arg(short, long, value_name = "FORMAT", value_parser = format_parser())]
    format: Vec<Format>,
    /// Merge files that git-lfs keeps elsewhere
    #[arg(long)]
    lfs: bool,
    /// A type list for files of PropertyClass; may be repeated
    #[arg(long, value_name = "FILE")]
    types: Vec<String>,
    /// The solution of Zeze's data
    #[arg(long, value_name = "SOLUTION.xml")]
    schema: Option<String>,
    /// The bean at the root of Zeze's data, by its name in the solution
    #[arg(long, value_name = "BEAN", requires = "schema")]
    bean: Option<String>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum What {
    /// For .gitattributes
    Attributes,
    /// For .git/config or ~/.gitconfig
    Config,
}

/// Extensions of files that others have, too: a file that is none of the format's is compared as text or by
/// its size.
const MORE: [(Format, &[&str]); 5] = [
    (Format::GodotResource, &["cfg", "import", "remap", "res"]),
    (Format::GodotVariant, &["dat", "save", "sav"]),
    (Format::KiwiPclass, &["wad"]),
    (Format::ResoniteBrson, &["bson"]),
    (Format::ZezeSerialize, &["bean"]),
];

/// Texts of Godot, whose labels of several lines change with the ends of these.
const TEXT: [&str; 8] = ["cfg", "escn", "gdextension", "godot", "import", "remap", "tres", "tscn"];

impl Git {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let words = self.types.iter().chain(&self.schema).chain(&self.bean);
        if let Some(odd) = words.into_iter().find(|word| word.contains(char::is_control)) {
            let why = "git's configuration has no lines with such a name in them";
            return Err(Failure::Usage(format!("{}: {why}", odd.shown())));
        }
        let mut text = String::new();
        if self.what != Some(What::Config) {
            if self.what.is_none() {
                text.push_str("# .gitattributes\n");
            }
            text.extend(self.attributes());
        }
        if self.what != Some(What::Attributes) {
            if self.what.is_none() {
                text.push_str("\n# .git/config\n");
            }
            let mut drivers = BTreeMap::from([(DRIVER.to_owned(), String::new())]);
            drivers.extend(self.formats().map(|format| self.driver(format)));
            for (name, options) in drivers {
                self.config(&mut text, &name, &options);
            }
        }
        output::print(&text)?;
        Ok(Outcome::Good)
    }

    fn formats(&self) -> impl Iterator<Item = Format> {
        let is_meant = |own: &Format| self.format.is_empty() || self.format.contains(own);
        Format::ALL.iter().copied().filter(is_meant)
    }

    fn attributes(&self) -> BTreeSet<String> {
        let mut lines = BTreeSet::new();
        for format in self.formats() {
            let (driver, _) = self.driver(format);
            let more = MORE.iter().filter(|(own, _)| *own == format).flat_map(|(_, all)| *all);
            // Those of BINd files, which most of the other files of the name are not.
            let xml = self.format.contains(&format) && format == Format::KiwiPclass;
            for extension in format.extensions().iter().chain(more).chain(xml.then_some(&"xml")) {
                // Nothing merges archives.
                let merge =
                    if *extension == "wad" { String::new() } else { format!(" merge={driver}") };
                let text = if TEXT.contains(extension) { " text eol=lf" } else { "" };
                lines.insert(format!("*.{extension}{text} diff={driver}{merge}\n"));
            }
            // What is none of the format's, and the engine writes beside its files.
            let beside = ["gdshader", "uid"].iter().filter(|_| format == Format::GodotResource);
            lines.extend(beside.map(|extension| format!("*.{extension} text eol=lf\n")));
        }
        lines
    }

    /// The name of a format's driver, and the options of the tool in it.
    fn driver(&self, format: Format) -> (String, String) {
        let options: Vec<(&str, &String)> = match format {
            Format::KiwiPclass => self.types.iter().map(|own| ("types", own)).collect(),
            Format::ZezeSerialize => {
                let schema = self.schema.iter().map(|own| ("schema", own));
                schema.chain(self.bean.iter().map(|own| ("bean", own))).collect()
            }
            _ => Vec::new(),
        };
        if options.is_empty() {
            return (DRIVER.to_owned(), String::new());
        }
        let options = options.iter().map(|(name, value)| match value.starts_with('-') {
            true => format!(" --{name}={}", quoted(value)),
            false => format!(" --{name} {}", quoted(value)),
        });
        let options = format!(" --format {format}{}", options.collect::<String>());
        (format!("{DRIVER}-{format}"), options)
    }

    fn config(&self, text: &mut String, name: &str, options: &str) {
        let key = if self.external { "command" } else { "textconv" };
        let merge = format!("gamewire merge3{options}");
        let driver = match self.lfs {
            // `%%` is for git-lfs, whose shell takes the name from the environment: it may be anything.
            true => format!(
                "GAMEWIRE_NAME=%P git lfs merge-driver --ancestor %O --current %A --other %B --marker-size %L \
                 --output %A --program '{} --name=\"$GAMEWIRE_NAME\" -o %%D -- %%O %%A %%B'",
                merge.replace('%', "%%%%").replace('\'', "'\\''")
            ),
            false => {
                let merge = merge.replace('%', "%%");
                format!("{merge} --name=%P --labels %X %Y -o %A -- %O %A %B")
            }
        };
        let both = "\"$LOCAL\" \"$REMOTE\"";
        let lines = [
            format!(
                "[diff \"{name}\"]\n\t{key} = {}",
                value(&format!("gamewire diff{options} --"))
            ),
            format!(
                "[difftool \"{name}\"]\n\tcmd = {}",
                value(&format!("gamewire diff{options} -- {both}"))
            ),
            format!("[merge \"{name}\"]\n\tname = by value\n\tdriver = {}", value(&driver)),
            format!(
                "[mergetool \"{name}\"]\n\tcmd = {}\n\ttrustExitCode = true",
                value(&format!("{merge} --git=\"$MERGED\""))
            ),
        ];
        text.extend(lines.iter().flat_map(|own| [own.as_str(), "\n"]));
    }
}

/// The name of the drivers.
const DRIVER: &str = "gamewire";

/// A word for a shell, which finds nothing to do in it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    match word.chars().all(is_plain) && !word.is_empty() {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// A value of git's configuration: in quotes where it would end early without them.
fn value(text: &str) -> String {
    match text.contains(['"', '\\', '#', ';']) {
        true => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        false => text.to_owned(),
    }
}
