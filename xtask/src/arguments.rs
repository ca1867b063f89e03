//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

/// A command with what was said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Test,
    Vectors {
        name: String,
        files: Vec<PathBuf>,
        folder: Option<PathBuf>,
    },
    Bench {
        name: Option<String>,
    },
    Fuzz {
        target: Option<String>,
        seconds: u64,
    },
    Snapshots {
        accept: bool,
    },
    Conventions {
        fix: bool,
    },
    Docs {
        check: bool,
    },
    Package,
    Python,
    Web,
    Dist,
    Ci,
    /// Only this text is wanted.
    Help(String),
}

/// A command: its name, its arguments, what it does, and more about it.
type Entry = (&'static str, &'static str, &'static str, &'static str);

const COMMANDS: [Entry; 12] = [
    (
        "test",
        "",
        "Everything a change must pass: unit, doc, snapshot and vector tests, conventions, examples",
        "",
    ),
    (
        "vectors",
        "CRATE FILE... [--files DIR]",
        "Run vector files through a format crate",
        "\
Prints one line for each row that fails or is skipped, and `N passed, N failed, N skipped` at the
end. The exit status is 1 on any failure, and when nothing at all ran.

  CRATE        a format crate, such as godot-variant
  FILE...      files of JSON lines, in the notation of the crate
  --files DIR  where the files are that rows name [default: beside the vector file]
",
    ),
    (
        "bench",
        "[NAME]",
        "Measure the format crates beside their peers, and rewrite docs/benchmarks.md",
        "  NAME  print one group of tables instead; of build, rewrite its part of the page\n",
    ),
    (
        "fuzz",
        "[TARGET] [--seconds N]",
        "Run every fuzz target for a while",
        "  TARGET       one target instead of all\n  --seconds N  for each target [default: 60]\n",
    ),
    (
        "snapshots",
        "[--accept]",
        "Show snapshots that changed, or accept them",
        "  --accept  take the new snapshots as the right ones\n",
    ),
    (
        "conventions",
        "[--fix]",
        "Check that all format crates have the same files, names and README headings",
        "  --fix  rewrite the hashes in testdata/*/MANIFEST.toml\n",
    ),
    (
        "docs",
        "[--check]",
        "Regenerate the generated parts of the documentation",
        "  --check  change nothing, and fail when a part is stale\n",
    ),
    (
        "package",
        "",
        "Make the packages of the published crates, and test each with nothing but what is in it",
        "",
    ),
    ("web", "", "Make the npm package and the page, and test them in Node.js and in a browser", ""),
    (
        "dist",
        "",
        "Make what a release has, in target/dist: archives of the tool, wheel, npm package, page, vectors",
        "",
    ),
    (
        "python",
        "",
        "Build the wheel of crates/python, install it in target/python, and test it",
        "",
    ),
    (
        "ci",
        "",
        "All checks: format, lints, docs, tests, packages, feature matrix, MSRV, no_std, WebAssembly, licences",
        "",
    ),
];

/// The commands, one a line.
fn overview() -> String {
    let lines: String =
        COMMANDS.iter().map(|(name, _, what, _)| format!("  {name:<12} {what}\n")).collect();
    format!("Usage: cargo xtask COMMAND\n\n{lines}  help COMMAND shows its arguments\n")
}

fn help_of((name, arguments, what, more): &Entry) -> String {
    let gap = if more.is_empty() { "" } else { "\n" };
    format!(
        "{what}\n\nUsage: {}\n{gap}{more}",
        format!("cargo xtask {name} {arguments}").trim_end()
    )
}

/// Reads the words after the program's name.
///
/// # Errors
/// The fault and the usage, for the exit status 2.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut words = words.into_iter();
    let first = words.next().unwrap_or_default().to_string_lossy().into_owned();
    let entry = |name: &str| COMMANDS.iter().find(|(own, ..)| *own == name);
    let name = match first.as_str() {
        "" => return Err(format!("no command\n\n{}", overview())),
        "help" | "-h" | "--help" => {
            let of = words.next().unwrap_or_default();
            let help = of.to_str().and_then(entry).map_or_else(overview, help_of);
            return Ok(Command::Help(help));
        }
        name => name,
    };
    let Some(entry) = entry(name) else {
        return Err(format!("no command `{name}`\n\n{}", overview()));
    };
    let wrong = |what: String| format!("{what}\n\n{}", help_of(entry));
    let (_, arguments, ..) = entry;
    let mut given = Given::default();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let (option, value) = match text.split_once('=') {
            Some((option, value)) if text.starts_with("--") => (option, Some(value.into())),
            _ => (&*text, None),
        };
        match option {
            "--" => given.plain.extend(words.by_ref()),
            "-h" | "--help" => return Ok(Command::Help(help_of(entry))),
            // An option is known where the usage names it; it has a value where a word follows.
            _ if option.starts_with('-') && option.len() > 1 => {
                if arguments.contains(&format!("[{option}]")) && value.is_none() {
                    given.flag = true;
                } else if arguments.contains(&format!("[{option} ")) {
                    let value = value.or_else(|| words.next());
                    let value = value.ok_or_else(|| wrong(format!("`{option}` needs a value")))?;
                    given.value = Some(value);
                } else {
                    return Err(wrong(format!("unexpected `{text}`")));
                }
            }
            _ => given.plain.push(word),
        }
    }
    given.command(name).map_err(wrong)
}

/// The arguments of a command. None has more than one option.
#[derive(Default)]
struct Given {
    plain: Vec<OsString>,
    flag: bool,
    value: Option<OsString>,
}

impl Given {
    fn command(self, name: &str) -> Result<Command, String> {
        let Given { plain, flag, value } = self;
        let mut plain = plain.into_iter();
        let mut text = || plain.next().map(|word| word.to_string_lossy().into_owned());
        let command = match name {
            "test" => Command::Test,
            "vectors" => {
                let name = text().ok_or("no CRATE")?;
                let files: Vec<PathBuf> = plain.by_ref().map(PathBuf::from).collect();
                if files.is_empty() {
                    return Err("no FILE".to_owned());
                }
                Command::Vectors { name, files, folder: value.map(PathBuf::from) }
            }
            "bench" => Command::Bench { name: text() },
            "fuzz" => {
                let seconds = value.map(|word| word.to_string_lossy().parse());
                let seconds = seconds.transpose().map_err(|_| "`--seconds` is no number")?;
                Command::Fuzz { target: text(), seconds: seconds.unwrap_or(60) }
            }
            "snapshots" => Command::Snapshots { accept: flag },
            "conventions" => Command::Conventions { fix: flag },
            "docs" => Command::Docs { check: flag },
            "package" => Command::Package,
            "python" => Command::Python,
            "web" => Command::Web,
            "dist" => Command::Dist,
            _ => Command::Ci,
        };
        match plain.next() {
            Some(word) => Err(format!("unexpected `{}`", word.to_string_lossy())),
            None => Ok(command),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &str) -> Result<Command, String> {
        parse(words.split_whitespace().map(OsString::from))
    }

    #[test]
    fn commands_are_read() {
        assert_eq!(parsed("test"), Ok(Command::Test));
        assert_eq!(parsed("package"), Ok(Command::Package));
        assert_eq!(parsed("python"), Ok(Command::Python));
        assert_eq!(parsed("web"), Ok(Command::Web));
        assert_eq!(parsed("dist"), Ok(Command::Dist));
        assert_eq!(parsed("ci"), Ok(Command::Ci));
        assert_eq!(parsed("snapshots --accept"), Ok(Command::Snapshots { accept: true }));
        assert_eq!(parsed("conventions"), Ok(Command::Conventions { fix: false }));
        assert_eq!(parsed("docs --check"), Ok(Command::Docs { check: true }));
        assert_eq!(parsed("fuzz"), Ok(Command::Fuzz { target: None, seconds: 60 }));
        let target = Some("tool".to_owned());
        assert_eq!(parsed("fuzz tool --seconds 5"), Ok(Command::Fuzz { target, seconds: 5 }));
        assert_eq!(parsed("bench peers"), Ok(Command::Bench { name: Some("peers".to_owned()) }));
    }

    #[test]
    fn vectors_take_files_and_a_folder() {
        let vectors = |files: &[&str], folder: Option<&str>| Command::Vectors {
            name: "c".to_owned(),
            files: files.iter().map(PathBuf::from).collect(),
            folder: folder.map(PathBuf::from),
        };
        assert_eq!(parsed("vectors c a b"), Ok(vectors(&["a", "b"], None)));
        assert_eq!(parsed("vectors c a --files d"), Ok(vectors(&["a"], Some("d"))));
        assert_eq!(parsed("vectors --files=d c a"), Ok(vectors(&["a"], Some("d"))));
        assert_eq!(parsed("vectors c -- --a"), Ok(vectors(&["--a"], None)));
    }

    #[test]
    fn wrong_use_says_what_is_right() {
        for words in [
            "",
            "no",
            "test x",
            "test --fix",
            "vectors",
            "vectors c",
            "vectors c a --files",
            "vectors c a --other",
            "fuzz --seconds x",
            "docs --check=1",
            "snapshots accept",
        ] {
            let message = parsed(words).unwrap_err();
            assert!(message.contains("Usage: cargo xtask"), "{words}: {message}");
        }
    }

    #[test]
    fn every_command_has_help() {
        let Ok(Command::Help(all)) = parsed("help") else { panic!("no help") };
        for (name, ..) in COMMANDS {
            assert!(all.contains(name));
            let Ok(Command::Help(help)) = parsed(&format!("{name} --help")) else { panic!() };
            assert!(help.contains(&format!("Usage: cargo xtask {name}")), "{help}");
        }
    }
}
