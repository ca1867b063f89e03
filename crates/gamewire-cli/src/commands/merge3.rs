use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gamewire::Format;
use gamewire::document::{
    Conflict, ConflictKind, Document, Layout, Merge, Side, Version, write_json,
};
use serde::Serialize;
use serde::ser::SerializeSeq as _;
use similar::{Algorithm, DiffOp};

use super::Reading;
use crate::failure::{Failure, Outcome, bad};
use crate::files::{Input, is_dash};
use crate::output::{self, Sink};
use crate::words::shortened;

/// Characters of a value that are shown.
const MAX_SHOWN: usize = 80;

/// Merge what two branches made of one file
///
/// Compares by value: members merge by name, patches by path, lists by the identity of their
/// elements, and the editor's bookkeeping by what it means. What is merged is written in the layout
/// of OURS. What both sides changed in different ways is a conflict: it is reported with its three
/// values, and the exit code is 1 unless --conflicts says which side to take.
#[derive(Args)]
#[command(after_help = "\
Examples:
  gamewire merge3 base.prefab ours.prefab theirs.prefab -o merged.prefab
  gamewire merge3 base.prefab ours.prefab theirs.prefab --conflicts json | jq .

As git's merge driver, in .gitattributes and .git/config:
  *.prefab merge=gamewire
  [merge \"gamewire\"]
      driver = gamewire merge3 %O %A %B --name %P -o %A

As git's mergetool, in .git/config:
  [mergetool \"gamewire\"]
      cmd = gamewire merge3 \"$BASE\" \"$LOCAL\" \"$REMOTE\" -o \"$MERGED\"
      trustExitCode = true")]
pub(crate) struct Merge3 {
    /// The file before both changes; an empty one if there was none
    base: PathBuf,
    /// The file on the branch that is merged into
    ours: PathBuf,
    /// The file on the branch that is merged
    theirs: PathBuf,
    /// Where the result goes [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// What becomes of conflicts
    #[arg(long, value_name = "HOW", default_value = "markers")]
    conflicts: Conflicts,
    /// The name that the files stand for, which says what they are
    #[arg(long, value_name = "PATH")]
    name: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Conflicts {
    /// Both sides stand in the text between `<<<<<<<`, `=======` and `>>>>>>>`, for formats of text
    Markers,
    /// The values of OURS are taken
    Ours,
    /// The values of THEIRS are taken
    Theirs,
    /// A list of the conflicts is written instead of the file
    Json,
}

impl Merge3 {
    pub(crate) fn run(self) -> Result<Outcome, Failure> {
        let paths = [&self.base, &self.ours, &self.theirs];
        if paths.iter().filter(|path| is_dash(path)).count() > 1 {
            return Err(Failure::Usage("standard input cannot be two files".to_owned()));
        }
        let bound = self.reading.bound();
        let [mut base, mut ours, mut theirs] = [
            Input::read(&self.base, bound)?,
            Input::read(&self.ours, bound)?,
            Input::read(&self.theirs, bound)?,
        ];
        if let Some(name) = &self.name {
            for input in [&mut base, &mut ours, &mut theirs] {
                input.path = Some(name.clone());
            }
            ours.name = name.display().to_string();
        }
        let format = self.reading.format_of(&ours)?;
        let open = |input: &Input| {
            let settings = self.reading.settings_of(format, input);
            Document::open(&*input.bytes, &settings).map_err(|error| bad(input, &error))
        };
        let before = if base.bytes.is_empty() { None } else { Some(open(&base)?) };
        let (own, other) = (open(&ours)?, open(&theirs)?);
        let failed = |error| bad(&ours, &error);
        let merge = Merge::new(before.as_ref(), &own, &other).map_err(failed)?;
        let conflicts = merge.conflicts();
        let sink = Sink::new(self.output.as_deref()).over(&self.ours, &ours.bytes);
        if self.conflicts == Conflicts::Json {
            sink.write_json(|out| Ok(write_json(out, &List(&conflicts), Layout::Lines)?))?;
            return Ok(Outcome::good_if(merge.is_clean()));
        }
        for conflict in conflicts {
            output::note(&sentence(&ours.name, conflict));
        }
        if self.conflicts == Conflicts::Markers && !merge.is_clean() {
            if format != Format::O3deJson {
                return Err(Failure::Data(format!(
                    "{}: conflicts, and {format} is no text for markers; --conflicts ours and \
                     --conflicts theirs take the values of one side",
                    ours.name
                )));
            }
            let first = merge.take(Side::Ours).map_err(failed)?;
            let second = merge.take(Side::Theirs).map_err(failed)?;
            sink.write_bytes(&with_markers(first.to_bytes(), second.to_bytes()))?;
            return Ok(Outcome::Bad);
        }
        let side = if self.conflicts == Conflicts::Theirs { Side::Theirs } else { Side::Ours };
        let merged = merge.take_each(&mut |_| side, &mut |comment| {
            let comment = shortened(comment, MAX_SHOWN);
            output::note(&format!("{}: a comment of THEIRS is left out: {comment}", ours.name));
        });
        let merged = merged.map_err(failed)?;
        // Nothing of THEIRS was missing where the file is OURS to the byte.
        if merged.to_bytes() != ours.bytes || self.output.as_ref() != Some(&self.ours) {
            sink.write_bytes(merged.to_bytes())?;
        }
        Ok(Outcome::Good)
    }
}

/// A conflict in a line.
fn sentence(file: &str, conflict: &Conflict) -> String {
    let shown = |version: &Option<Version>| match version {
        Some(version) => shortened(&version.line(), MAX_SHOWN),
        None => "nothing".to_owned(),
    };
    let at = if conflict.path.is_empty() { "the root" } else { &conflict.path };
    let of = match &conflict.name {
        Some(name) => format!(" of \"{}\"", shortened(name, MAX_SHOWN)),
        None => String::new(),
    };
    let what = match conflict.kind {
        ConflictKind::Order => "both sides moved the same elements".to_owned(),
        ConflictKind::Meaning => conflict.message.clone().unwrap_or_default(),
        _ => format!(
            "{} became {} in OURS and {} in THEIRS",
            shown(&conflict.base),
            shown(&conflict.ours),
            shown(&conflict.theirs)
        ),
    };
    format!("{file}: conflict at {at}{of}: {what}")
}

struct List<'a>(&'a [Conflict]);

/// A conflict as JSON. What is absent is left out, for null is a value.
#[derive(Serialize)]
struct Row<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<&'a serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ours: Option<&'a serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theirs: Option<&'a serde_json::Value>,
}

impl Serialize for List<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.0.len()))?;
        for own in self.0 {
            rows.serialize_element(&Row {
                path: &own.path,
                name: own.name.as_deref(),
                kind: match own.kind {
                    ConflictKind::Elements => "elements",
                    ConflictKind::Order => "order",
                    ConflictKind::Meaning => "meaning",
                    _ => "value",
                },
                base: own.base.as_ref().map(|own| &own.json),
                ours: own.ours.as_ref().map(|own| &own.json),
                theirs: own.theirs.as_ref().map(|own| &own.json),
            })?;
        }
        rows.end()
    }
}

/// The lines of both texts, with marks around those that differ.
fn with_markers(ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let split = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n').collect::<Vec<_>>();
    let (ours, theirs) = (split(ours), split(theirs));
    let mut text = Vec::new();
    let mut add = |mark: &[u8], lines: &[&[u8]]| {
        text.extend_from_slice(mark);
        for line in lines {
            text.extend_from_slice(line);
        }
        if !mark.is_empty() && !text.ends_with(b"\n") {
            text.push(b'\n');
        }
    };
    for op in similar::capture_diff_slices(Algorithm::Myers, &ours, &theirs) {
        let old = ours.get(op.old_range()).unwrap_or_default();
        let new = theirs.get(op.new_range()).unwrap_or_default();
        match op {
            DiffOp::Equal { .. } => add(b"", old),
            _ => {
                add(b"<<<<<<< OURS\n", old);
                add(b"=======\n", new);
                add(b">>>>>>> THEIRS\n", &[]);
            }
        }
    }
    text
}
