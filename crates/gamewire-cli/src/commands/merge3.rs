use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gamewire::Format;
use gamewire::o3de_json::Value;
use gamewire::o3de_json::value::Document as Text;
use gamewire::o3de_prefab::merge3::{Conflict, ConflictKind, Merge, Side, carry_comments};
use serde::Serialize;
use serde::ser::SerializeSeq as _;
use similar::{Algorithm, DiffOp};

use super::{Reading, bad, no_tool};
use crate::edit;
use crate::failure::{Failure, Outcome};
use crate::fault::Fault;
use crate::files::{Input, is_dash};
use crate::json::{self, Layout};
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
        let tool = self.reading.settings.tool_for(format, &ours).ok_or_else(|| no_tool(format))?;
        let read = |input: &Input| tool.text(&input.bytes).map_err(|fault| bad(input, &fault));
        let nothing = || Text::new("null").map_err(|error| bad(&base, &Fault::from(error)));
        let before = if base.bytes.is_empty() { nothing()? } else { read(&base)? };
        let (mut document, other) = (read(&ours)?, read(&theirs)?);

        let merge = Merge::new(before.value(), document.value(), other.value());
        let carry = |merged: &mut Text| {
            carry_comments(&before, &other, merged).map_err(|error| bad(&ours, &error.into()))
        };
        let write = |document: &Text| tool.write_text(document).map_err(|fault| bad(&ours, &fault));
        let sink = Sink::new(self.output.as_deref());
        if self.conflicts == Conflicts::Json {
            let conflicts = List(merge.conflicts());
            sink.write(|out| Ok(json::write(out, &conflicts, Layout::Lines)?))?;
            return Ok(Outcome::good_if(merge.is_clean()));
        }
        // Pointers are the paths of O3DE's files; those of other files are told by their notation.
        let json = (format != Format::O3deJson).then(|| tool.json(&ours.bytes).ok()).flatten();
        for conflict in merge.conflicts() {
            let path = json.as_ref();
            let path =
                path.and_then(|json| edit::path_at(tool.notation(), json, &conflict.pointer));
            output::note(&sentence(&ours.name, path.as_deref(), conflict));
        }
        if self.conflicts == Conflicts::Markers && !merge.is_clean() {
            if format != Format::O3deJson {
                return Err(Failure::Data(format!(
                    "{}: conflicts, and {format} is no text for markers; --conflicts ours and \
                     --conflicts theirs take the values of one side",
                    ours.name
                )));
            }
            let mut second = document.clone();
            *document.value_mut() = merge.value(Side::Ours).clone();
            *second.value_mut() = merge.into_value(Side::Theirs);
            carry(&mut document)?;
            carry(&mut second)?;
            sink.write_bytes(&with_markers(&write(&document)?, &write(&second)?))?;
            return Ok(Outcome::Bad);
        }
        let side = if self.conflicts == Conflicts::Theirs { Side::Theirs } else { Side::Ours };
        let merged = merge.into_value(side);
        let is_changed = merged != *document.value();
        if is_changed {
            *document.value_mut() = merged;
        }
        let comments = carry(&mut document)?;
        for comment in &comments.left_out {
            let comment = shortened(comment, MAX_SHOWN);
            output::note(&format!("{}: a comment of THEIRS is left out: {comment}", ours.name));
        }
        if is_changed || comments.carried > 0 {
            sink.write_bytes(&write(&document)?)?;
        } else if self.output.as_ref() != Some(&self.ours) {
            // Nothing of THEIRS was missing: the file is OURS to the byte.
            sink.write_bytes(&ours.bytes)?;
        }
        Ok(Outcome::Good)
    }
}

/// A conflict in a line.
fn sentence(file: &str, path: Option<&str>, conflict: &Conflict) -> String {
    let shown = |value: &Option<Value>| match value {
        // Debug has escaped it.
        Some(value) => {
            let text = format!("{value:?}");
            match text.char_indices().nth(MAX_SHOWN) {
                Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
                None => text,
            }
        }
        None => "nothing".to_owned(),
    };
    let at = match path {
        Some(path) => path,
        None if conflict.pointer.is_empty() => "the root",
        None => &conflict.pointer,
    };
    let of = match &conflict.name {
        Some(name) => format!(" of \"{}\"", shortened(name, MAX_SHOWN)),
        None => String::new(),
    };
    let what = match conflict.kind {
        ConflictKind::Order => "both sides moved the same elements".to_owned(),
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
    pointer: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ours: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theirs: Option<&'a Value>,
}

impl Serialize for List<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.0.len()))?;
        for own in self.0 {
            rows.serialize_element(&Row {
                pointer: &own.pointer,
                name: own.name.as_deref(),
                kind: match own.kind {
                    ConflictKind::Elements => "elements",
                    ConflictKind::Order => "order",
                    _ => "value",
                },
                base: own.base.as_ref(),
                ours: own.ours.as_ref(),
                theirs: own.theirs.as_ref(),
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
