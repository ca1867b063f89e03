use std::io::{self, IsTerminal as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use gamewire::Format;
use gamewire::document::{
    Conflict, ConflictKind, Document, Error, Json, Layout, Merge, Side, Version, count, shortened,
    write_json,
};
use imara_diff::{Algorithm, Diff, InternedInput};
use serde::Serialize;
use serde::ser::SerializeSeq as _;

use super::Reading;
use crate::failure::{Failure, Outcome};
use crate::files::{Input, bad};
use crate::output::Shown as _;
use crate::output::{self, Sink, is_dash};

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
      driver = gamewire merge3 --name=%P -o %A -- %O %A %B

After a conflict in git, by hand or as its mergetool:
  gamewire merge3 --git savegame.dat
  gamewire merge3 --git savegame.dat player.hp=theirs 'crops[3].kind=base'
  gamewire merge3 --git savegame.dat '*=ours'")]
pub(crate) struct Merge3 {
    /// The file before both changes, which is empty if there was none; that on the branch that is merged
    /// into; that on the branch that is merged
    #[arg(value_names = ["BASE", "OURS", "THEIRS"], num_args = 3, required_unless_present = "git", conflicts_with = "git")]
    files: Vec<PathBuf>,
    /// A file that git could not merge: its three versions come from git, and the merged one is written in
    /// its place. On a terminal, each conflict is asked
    #[arg(long, value_name = "FILE", num_args = 1..)]
    git: Vec<String>,
    /// The names of the two branches [default: OURS and THEIRS; with --git, those of git]
    #[arg(long, value_name = "NAME", num_args = 2)]
    labels: Vec<String>,
    /// Where the result goes [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// The treatment of conflicts
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
    pub(crate) fn run(mut self) -> Result<Outcome, Failure> {
        let bound = self.reading.bound();
        let resolve;
        let ([mut base, mut ours, mut theirs], picks) = match self.git.as_slice() {
            [file, picks @ ..] => {
                let picks = picks.iter().map(|text| pick(text)).collect::<Result<Vec<_>, _>>()?;
                resolve = PathBuf::from(file);
                if self.labels.is_empty() {
                    self.labels = git::labels(&resolve);
                }
                self.name.get_or_insert_with(|| resolve.clone());
                self.output.get_or_insert_with(|| resolve.clone());
                (git::stages(&resolve)?, Some(picks))
            }
            [] => {
                if self.files.iter().filter(|path| is_dash(path)).count() > 1 {
                    return Err(Failure::Usage("standard input cannot be two files".to_owned()));
                }
                let files = self.files.iter().map(|path| Input::read(path, bound));
                let files = files.collect::<Result<Vec<_>, _>>()?.try_into();
                let wrong = |_| Failure::Usage("expected three files".to_owned());
                (files.map_err(wrong)?, None)
            }
        };
        if let Some(name) = &self.name {
            for input in [&mut base, &mut ours, &mut theirs] {
                input.path = Some(name.clone());
            }
            ours.name = name.shown();
        }
        let format = self.reading.format_of(&ours)?;
        let open = |input: &Input| {
            let settings = self.reading.settings_of(format, input);
            Document::open(input.bytes.clone(), &settings).map_err(|error| bad(input, &error))
        };
        let before = if base.bytes.is_empty() { None } else { Some(open(&base)?) };
        let (own, other) = (open(&ours)?, open(&theirs)?);
        let failed = |error| bad(&ours, &error);
        let merge = Merge::new(before.as_ref(), &own, &other).map_err(failed)?;
        let conflicts = merge.conflicts();
        let from = self.files.get(1).map_or(Path::new("-"), PathBuf::as_path);
        let sink = Sink::new(self.output.as_deref()).over(from, &ours.bytes);
        if self.conflicts == Conflicts::Json {
            sink.write_json(|out| Ok(write_json(out, &List(conflicts), Layout::Lines)?))?;
            return Ok(Outcome::good_if(merge.is_clean()));
        }
        let chosen = match &picks {
            Some(picks) => self.chosen(&ours.name, conflicts, picks)?,
            None => {
                let all = match self.conflicts {
                    Conflicts::Ours => Some(Pick::Ours),
                    Conflicts::Theirs => Some(Pick::Theirs),
                    _ => None,
                };
                conflicts.iter().for_each(|own| output::note(&self.sentence(&ours.name, own)));
                vec![all; conflicts.len()]
            }
        };
        let is_open = chosen.contains(&None);
        if is_open && picks.is_none() && format == Format::O3deJson {
            let first = merge.resolve(Side::Ours).map_err(failed)?;
            let second = merge.resolve(Side::Theirs).map_err(failed)?;
            sink.write_bytes(&self.with_markers(first.as_bytes(), second.as_bytes()))?;
            return Ok(Outcome::Bad);
        }
        let mut choose = |conflict: &Conflict| {
            match conflicts.iter().zip(&chosen).find(|(own, _)| *own == conflict) {
                Some((_, Some(Pick::Theirs))) => Side::Theirs,
                // Where there is something to set.
                Some((own, Some(Pick::Base))) if own.ours.is_none() => Side::Theirs,
                _ => Side::Ours,
            }
        };
        let merged = merge.resolve_each(&mut choose, &mut |comment| {
            let comment = shortened(comment, MAX_SHOWN);
            output::note(&format!("{}: a comment of THEIRS is left out: {comment}", ours.name));
        });
        let mut merged = merged.map_err(failed)?;
        let bases = conflicts.iter().zip(&chosen).filter(|(_, pick)| **pick == Some(Pick::Base));
        for (own, _) in bases {
            let put = match &own.base {
                _ if own.kind != ConflictKind::Value => {
                    Err(Error::new(format!("{}: a list cannot be resolved to base", own.path)))
                }
                Some(base) => merged.set(&own.path, &base.text),
                None => merged.remove(&own.path),
            };
            put.map_err(failed)?;
        }
        if is_open {
            output::note(&format!("{}: {}", ours.name, self.way_out(conflicts, &chosen)));
        }
        // Nothing of THEIRS was missing where the file is OURS to the byte.
        if merged.as_bytes() != &*ours.bytes || self.output.as_deref() != Some(from) {
            sink.write_bytes(merged.as_bytes())?;
        }
        Ok(Outcome::good_if(!is_open))
    }

    /// The side of each conflict: by the command line, else by the terminal's answers.
    fn chosen(
        &self,
        file: &str,
        conflicts: &[Conflict],
        picks: &[(&str, Pick)],
    ) -> Result<Vec<Option<Pick>>, Failure> {
        let is_of = |path: &str, own: &Conflict| path == "*" || path == own.path;
        if let Some((path, _)) =
            picks.iter().find(|(path, _)| !conflicts.iter().any(|own| is_of(path, own)))
        {
            let paths: Vec<&str> = conflicts.iter().map(|own| own.path.as_str()).collect();
            let found = if paths.is_empty() { "none".to_owned() } else { paths.join(", ") };
            return Err(Failure::Usage(format!("{file}: no conflict at {path}; there is {found}")));
        }
        let mut is_asked = io::stdin().is_terminal() && io::stderr().is_terminal();
        let mut chosen = Vec::new();
        for own in conflicts {
            let mut pick =
                picks.iter().rev().find(|(path, _)| is_of(path, own)).map(|(_, pick)| *pick);
            if pick.is_none() {
                output::note(&self.sentence(file, own));
            }
            // Neither side's value would mend what both together broke.
            while pick.is_none() && is_asked && own.kind != ConflictKind::Meaning {
                let [_, theirs] = self.labels();
                output::ask(&format!(
                    "take that of {theirs}? y, n, b for the one before, q to leave the rest: "
                ));
                let mut answer = String::new();
                let read = io::stdin().read_line(&mut answer);
                match answer.trim() {
                    "y" => pick = Some(Pick::Theirs),
                    "n" => pick = Some(Pick::Ours),
                    "b" => pick = Some(Pick::Base),
                    "q" => is_asked = false,
                    _ => is_asked = read.is_ok_and(|len| len > 0),
                }
            }
            chosen.push(pick);
        }
        Ok(chosen)
    }

    /// How the conflicts that are left can be settled.
    fn way_out(&self, conflicts: &[Conflict], chosen: &[Option<Pick>]) -> String {
        let [ours, _] = self.labels();
        let left = chosen.iter().filter(|pick| pick.is_none()).count();
        let first = conflicts.iter().zip(chosen).find(|(_, pick)| pick.is_none());
        let path = first.map_or("*", |(own, _)| own.path.as_str());
        let name = self.name.as_deref().unwrap_or(Path::new("FILE")).shown();
        format!(
            "{} left, with the values of {ours}; all else is merged. `gamewire merge3 --git {name} \
             '{path}=theirs'` settles one, =ours and =base do too, '*=ours' all of them",
            count(left, "conflict")
        )
    }

    /// The names of the two branches. An older git does not know them.
    fn labels(&self) -> [&str; 2] {
        match self.labels.as_slice() {
            [ours, theirs] if !ours.starts_with('%') => [ours, theirs],
            _ => ["OURS", "THEIRS"],
        }
    }
}

/// The version of a value that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pick {
    Ours,
    Theirs,
    Base,
}

/// Such as `player.hp=theirs`.
fn pick(text: &str) -> Result<(&str, Pick), Failure> {
    let pick = match text.rsplit_once('=') {
        Some((path, "ours")) => (path, Pick::Ours),
        Some((path, "theirs")) => (path, Pick::Theirs),
        Some((path, "base")) => (path, Pick::Base),
        _ => {
            let why = "expected PATH=ours, PATH=theirs or PATH=base";
            return Err(Failure::Usage(format!("{text}: {why}")));
        }
    };
    Ok(pick)
}

/// The versions of a file that git could not merge, and the names of the branches.
mod git {
    use std::path::Path;
    use std::process::Command;

    use crate::failure::Failure;
    use crate::files::Input;
    use crate::output::Shown as _;

    /// The output of git.
    fn git(file: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
        let folder = file.parent().filter(|own| !own.as_os_str().is_empty());
        let output =
            Command::new("git").current_dir(folder.unwrap_or(Path::new("."))).args(args).output();
        let output = output.map_err(|error| format!("git: {error}"))?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        }
    }

    /// The base, which is empty where there was no file, and both sides.
    pub(super) fn stages(file: &Path) -> Result<[Input; 3], Failure> {
        let shown = file.shown();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        // With filters, so that git-lfs brings its files.
        let stage =
            |stage: usize| git(file, &["cat-file", "--filters", &format!(":{stage}:./{name}")]);
        let input = |bytes: Vec<u8>| Input {
            name: shown.clone(),
            raw_name: shown.clone(),
            path: None,
            bytes: bytes.into(),
            is_named: true,
            max_memory: None,
        };
        match (stage(1), stage(2), stage(3)) {
            (base, Ok(ours), Ok(theirs)) => Ok([base.unwrap_or_default(), ours, theirs].map(input)),
            (Ok(_), Ok(_), Err(_)) | (Ok(_), Err(_), Ok(_)) => Err(Failure::Data(format!(
                "{shown}: one branch removed it; `git add` keeps it, `git rm` does not"
            ))),
            (_, Err(why), _) | (_, _, Err(why)) => {
                let why = why.lines().next().unwrap_or_default();
                Err(Failure::Data(format!("{shown}: git reports no conflict for this file: {why}")))
            }
        }
    }

    /// The names of the branches; nothing where git has none.
    pub(super) fn labels(file: &Path) -> Vec<String> {
        let said = |args: &[&str]| {
            let text = String::from_utf8(git(file, args).ok()?).ok()?;
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let ours = said(&["rev-parse", "--abbrev-ref", "HEAD"]);
        let all = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD"].into_iter();
        let mut all =
            all.filter_map(|head| said(&["name-rev", "--name-only", "--no-undefined", head]));
        ours.zip(all.next()).map(|(ours, theirs)| vec![ours, theirs]).unwrap_or_default()
    }
}

impl Merge3 {
    /// A conflict in a line.
    fn sentence(&self, file: &str, conflict: &Conflict) -> String {
        let shown = |version: &Option<Version>| match version {
            Some(version) => shortened(&version.line(), MAX_SHOWN),
            None => "nothing".to_owned(),
        };
        let [ours, theirs] = self.labels();
        let at = if conflict.path.is_empty() { "the root" } else { &conflict.path };
        let of = match &conflict.name {
            Some(name) => format!(" of \"{}\"", shortened(name, MAX_SHOWN)),
            None => String::new(),
        };
        let what = match conflict.kind {
            ConflictKind::Order => "both sides moved the same elements".to_owned(),
            ConflictKind::Meaning => conflict.message.clone().unwrap_or_default(),
            _ => format!(
                "{} became {} in {ours} and {} in {theirs}",
                shown(&conflict.base),
                shown(&conflict.ours),
                shown(&conflict.theirs)
            ),
        };
        format!("{file}: conflict at {at}{of}: {what}")
    }

    /// The lines of both texts, with marks around those that differ.
    fn with_markers(&self, ours: &[u8], theirs: &[u8]) -> Vec<u8> {
        let [one, two] = self.labels();
        let split = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n').collect::<Vec<_>>();
        let (ours, theirs) = (split(ours), split(theirs));
        let mut text = Vec::new();
        let mut add = |mark: &str, lines: &[&[u8]], range: Range<usize>| {
            text.extend_from_slice(mark.as_bytes());
            for line in lines.get(range).unwrap_or_default() {
                text.extend_from_slice(line);
            }
            if !mark.is_empty() && !text.ends_with(b"\n") {
                text.push(b'\n');
            }
        };
        let mut input = InternedInput::default();
        input.update_before(ours.iter().copied());
        input.update_after(theirs.iter().copied());
        let mut at = 0;
        for hunk in Diff::compute(Algorithm::Myers, &input).hunks() {
            let [old, new] = [hunk.before, hunk.after].map(|at| at.start as usize..at.end as usize);
            add("", &ours, at..old.start);
            at = old.end;
            add(&format!("<<<<<<< {one}\n"), &ours, old);
            add("=======\n", &theirs, new);
            add(&format!(">>>>>>> {two}\n"), &[], 0..0);
        }
        add("", &ours, at..ours.len());
        text
    }
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
    base: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ours: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theirs: Option<&'a Json>,
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
                base: own.base.as_ref().and_then(|own| own.json.as_ref()),
                ours: own.ours.as_ref().and_then(|own| own.json.as_ref()),
                theirs: own.theirs.as_ref().and_then(|own| own.json.as_ref()),
            })?;
        }
        rows.end()
    }
}
