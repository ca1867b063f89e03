//! What the commands know of a format: one [`Tool`] per format, each in its own module.
//!
//! A format is added by a module with its options and its `Tool`, a line in [`Settings`], and a line
//! in [`Settings::tool`].

mod choice;
pub(crate) mod godot;
pub(crate) mod names;
mod natural;
pub(crate) mod o3de;
pub(crate) mod pclass;
pub(crate) mod resonite;
mod salvage;
mod splice;
pub(crate) mod zeze;

use std::io::Write;
use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use gamewire::Format;
use gamewire::explain::{self, Explanation};
use gamewire::o3de_json::{self, Segment};
use serde_json::Value as Json;

use crate::MAX_DEPTH;
use crate::diff::Change;
use crate::drawing::Drawn;
use crate::edit::Notation;
use crate::fault::Fault;
use crate::files::{Bound, Input};
use crate::json::{self, Layout};

pub(crate) use self::salvage::Salvaged;
use self::splice::Piece;

/// A format with its options in it: what can be done with the bytes of a file.
pub(crate) trait Coding: Sync {
    /// The container around the data in a few words, such as `store_var, 7 values`.
    fn describe(&self, bytes: &[u8]) -> String;

    /// Makes a file from the JSON notation.
    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Fault>;

    /// Says what each byte means, as far as the file can be read.
    fn explain(&self, bytes: &[u8]) -> Result<Box<dyn Explained>, Fault>;

    /// Reads a file, writes it again, and compares.
    fn check(&self, bytes: &[u8]) -> Result<Verdict, Fault>;

    /// Makes a file of the same format in another form.
    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Fault>;
}

/// What a format has to say of the data in a file.
trait Codec: Coding {
    /// What a file holds, and what is around it.
    type Content;

    fn read(&self, bytes: &[u8]) -> Result<Self::Content, Fault>;

    /// Writes the JSON notation; with `wrap`, such that the container can be made again from it.
    fn write_json(
        &self,
        content: &Self::Content,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error>;

    /// The document as text that can be merged: the JSON notation with the container in it.
    fn to_text(&self, content: Self::Content) -> Result<o3de_json::value::Document, Fault> {
        let mut text = Vec::new();
        self.write_json(&content, &mut text, Layout::Lines, true)?;
        let options = o3de_json::Options::new().max_depth(json::MAX_LEVELS);
        Ok(o3de_json::value::Document::from_slice(&text, &options)?)
    }

    /// A file of such a text.
    fn write_text(&self, text: &o3de_json::value::Document) -> Result<Vec<u8>, Fault> {
        self.encode(text.to_text()?.as_bytes())
    }

    /// Compares two files by value. Values are shown with at most `most` characters.
    fn compare(&self, old: &Self::Content, new: &Self::Content, most: usize) -> Vec<Change>;

    /// The JSON notation with what is around the data, in which every kind is said.
    fn whole(&self, content: &Self::Content) -> Result<Json, Fault> {
        let mut text = Vec::new();
        self.write_json(content, &mut text, Layout::Compact, true)?;
        json::read(&text, std::marker::PhantomData)
    }

    /// How values are found and changed in [`whole`](Codec::whole).
    fn notation(&self) -> &dyn Notation;

    /// Makes the file anew from the changed JSON. What did not change keeps its bytes.
    fn rebuild(&self, bytes: &[u8], before: &Json, after: &Json) -> Result<Vec<u8>, Fault> {
        let (canonical, made) = (self.write_whole(before)?, self.write_whole(after)?);
        if canonical == bytes {
            return Ok(made);
        }
        self.must_be_the_same(bytes, &canonical)?;
        // Text may end with a line.
        if let Some(end) = bytes.strip_prefix(canonical.as_slice())
            && end.trim_ascii().is_empty()
        {
            return Ok([&made, end].concat());
        }
        let spliced = self.spliced(bytes, &canonical, &made);
        let is_right = |own: &Vec<u8>| self.must_be_the_same(own, &made).is_ok();
        Ok(spliced.filter(is_right).unwrap_or(made))
    }

    /// Makes a file of [`whole`](Codec::whole).
    fn write_whole(&self, json: &Json) -> Result<Vec<u8>, Fault> {
        self.encode(json.to_string().as_bytes())
    }

    /// The file with what `made` changes of `canonical`, which has the data of the file.
    fn spliced(&self, bytes: &[u8], canonical: &[u8], made: &[u8]) -> Option<Vec<u8>> {
        let [own, before, after] = [bytes, canonical, made].map(|bytes| self.explain(bytes).ok());
        splice::merged(&own?.pieces(), &before?.pieces(), &after?.pieces())
    }

    /// Refuses to write a file of which the JSON does not say everything.
    fn must_be_the_same(&self, bytes: &[u8], written: &[u8]) -> Result<(), Fault> {
        let (old, new) = (self.read(bytes)?, self.read(written)?);
        match self.compare(&old, &new, 40).first() {
            None => Ok(()),
            Some(change) => Err(Fault::new(format!(
                "cannot be changed: {} would not be written back the same",
                change.path
            ))),
        }
    }

    /// Makes a valid file of what can be read of a damaged one.
    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Fault> {
        let _ = bytes;
        Err(Fault::new("files of this format can only be read as a whole"))
    }

    /// Draws the hierarchy in a file, for formats that have one.
    fn tree(&self, content: &Self::Content) -> Result<Drawn, Fault> {
        let _ = content;
        Err(Fault::new("files of this format have no hierarchy; `decode` shows what is in them"))
    }
}

/// A format as the commands use it.
pub(crate) trait Tool: Coding {
    /// Reads a file.
    fn decode(&self, bytes: &[u8]) -> Result<Box<dyn Document + '_>, Fault>;

    fn diff(&self, old: &[u8], new: &[u8], most: usize) -> Result<Vec<Change>, (Side, Fault)>;

    fn tree(&self, bytes: &[u8]) -> Result<Drawn, Fault>;

    /// The JSON notation with what is around the data.
    fn json(&self, bytes: &[u8]) -> Result<Json, Fault>;

    fn notation(&self) -> &dyn Notation;

    /// Makes a valid file of what can be read of a damaged one.
    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Fault>;

    /// The file with changes in its JSON. Without any, it is the same.
    fn rebuild(&self, bytes: &[u8], before: &Json, after: &Json) -> Result<Vec<u8>, Fault>;

    /// A file as text that can be merged.
    fn text(&self, bytes: &[u8]) -> Result<o3de_json::value::Document, Fault>;

    /// A file of such a text.
    fn write_text(&self, text: &o3de_json::value::Document) -> Result<Vec<u8>, Fault>;
}

impl<C: Codec> Tool for C {
    fn json(&self, bytes: &[u8]) -> Result<Json, Fault> {
        self.whole(&self.read(bytes)?)
    }

    fn notation(&self) -> &dyn Notation {
        Codec::notation(self)
    }

    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Fault> {
        Codec::salvage(self, bytes)
    }

    fn rebuild(&self, bytes: &[u8], before: &Json, after: &Json) -> Result<Vec<u8>, Fault> {
        if before == after {
            return Ok(bytes.to_vec());
        }
        Codec::rebuild(self, bytes, before, after)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Box<dyn Document + '_>, Fault> {
        Ok(Box::new(Decoded(self, self.read(bytes)?)))
    }

    fn diff(&self, old: &[u8], new: &[u8], most: usize) -> Result<Vec<Change>, (Side, Fault)> {
        let old = self.read(old).map_err(|fault| (Side::Old, fault))?;
        let new = self.read(new).map_err(|fault| (Side::New, fault))?;
        Ok(self.compare(&old, &new, most))
    }

    fn tree(&self, bytes: &[u8]) -> Result<Drawn, Fault> {
        Codec::tree(self, &self.read(bytes)?)
    }

    fn text(&self, bytes: &[u8]) -> Result<o3de_json::value::Document, Fault> {
        self.to_text(self.read(bytes)?)
    }

    fn write_text(&self, text: &o3de_json::value::Document) -> Result<Vec<u8>, Fault> {
        Codec::write_text(self, text)
    }
}

struct Decoded<'a, C: Codec>(&'a C, C::Content);

impl<C: Codec> Document for Decoded<'_, C> {
    fn write_json(
        &self,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error> {
        self.0.write_json(&self.1, out, layout, wrap)
    }
}

/// One of the two files of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Old,
    New,
}

/// A file's data.
pub(crate) trait Document {
    /// Writes the JSON notation; with `wrap`, such that the container can be made again from it.
    fn write_json(
        &self,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error>;
}

/// What each byte of a file means.
pub(crate) trait Explained {
    /// Why the rest could not be read.
    fn error(&self) -> Option<Fault>;
    /// As a table: of a terminal with so many columns, else of lines in which nothing is cut off.
    fn text(&self, columns: Option<usize>, color: bool) -> String;
    fn html(&self, title: &str) -> String;
    fn write_json(&self, out: &mut dyn Write) -> Result<(), serde_json::Error>;
    /// Only the part from an offset on, or what belongs to a path; `None` where there is nothing.
    fn part(self: Box<Self>, part: &Part) -> Option<Box<dyn Explained>>;
    /// The bytes of the file, as far as they belong together.
    fn pieces(&self) -> Vec<Piece<'_>>;
}

/// A part of an explanation.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// From an offset of a space on, by its index.
    From(usize, usize),
    /// What belongs to a value, and to what is in it.
    Path(String),
}

impl<E: explain::Failure + 'static> Explained for Explanation<E>
where
    for<'e> Fault: From<&'e E>,
{
    fn error(&self) -> Option<Fault> {
        let (error, space) = (self.error()?, self.error_space()?);
        // The space may be the file, what the file is in another notation, or what is packed in it.
        let offset = error.bit().and_then(|bit| usize::try_from(bit / 8).ok());
        Some(Fault::from(error).within(offset, space.bytes()))
    }

    fn text(&self, columns: Option<usize>, color: bool) -> String {
        self.to_text_in(columns, color)
    }

    fn html(&self, title: &str) -> String {
        self.to_html(title)
    }

    fn write_json(&self, out: &mut dyn Write) -> Result<(), serde_json::Error> {
        json::write(out, self, Layout::Lines)
    }

    fn part(self: Box<Self>, part: &Part) -> Option<Box<dyn Explained>> {
        let (space, range) = match part {
            Part::From(space, offset) => {
                (*space, *offset..self.spaces().get(*space)?.bytes().len())
            }
            Part::Path(path) => {
                let is_in = |span: &&explain::Span| {
                    let own = span.path().display(self.notation()).to_string();
                    let rest = own.strip_prefix(path.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '/']))
                };
                let first = self.spans().iter().find(is_in)?;
                let inside = self.spans_in(first.space()).iter().filter(is_in);
                (first.space(), first.offset()..inside.map(|span| span.range().end).max()?)
            }
        };
        if range.is_empty() {
            return None;
        }
        Some(Box::new(Explanation::part(*self, space, range)))
    }

    fn pieces(&self) -> Vec<Piece<'_>> {
        splice::pieces(self.bytes(), self.spans_in(0))
    }
}

/// A row of values in frames, of which there is only one: its paths begin inside of it, as they do in
/// comparisons. Where there is an error, nobody knows whether there are more.
fn alone<E: explain::Failure>(explained: Explanation<E>) -> Explanation<E> {
    let first = Segment::Index(0);
    let last = explained.spans().iter().rev().map(explain::Span::path);
    let last = last.filter_map(|path| path.segments().next().cloned()).next();
    match explained.error().is_none() && last.as_ref() == Some(&first) {
        true => explained.inside(&first),
        false => explained,
    }
}

/// Errors of the crates by value, where they are known by reference.
macro_rules! faults {
    ($($error:ty),+) => {$(
        impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Fault::from(&error)
            }
        }
    )+};
}

faults!(
    gamewire::godot_variant::Error,
    gamewire::o3de_json::Error,
    gamewire::kiwi_pclass::Error,
    gamewire::resonite_brson::Error,
    gamewire::zeze_serialize::Error
);

/// What became of a file that was read and written again.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Identical,
    /// The same data in other bytes, from this offset on.
    Equivalent(usize),
    /// Other data, or data that cannot be written; why.
    Differs(String),
}

/// [`Coding::check`] of a format with these functions.
fn verdict<D: PartialEq>(
    bytes: &[u8],
    decode: impl Fn(&[u8]) -> Result<D, Fault>,
    encode: impl Fn(&D) -> Result<Vec<u8>, Fault>,
) -> Result<Verdict, Fault> {
    let data = decode(bytes)?;
    let written = match encode(&data) {
        Ok(written) => written,
        Err(fault) => return Ok(Verdict::Differs(format!("not written back: {}", fault.message))),
    };
    let Some(at) = difference(bytes, &written) else { return Ok(Verdict::Identical) };
    Ok(match decode(&written) {
        Ok(again) if again == data => Verdict::Equivalent(at),
        Ok(_) => Verdict::Differs(format!("other data from byte {at:#x} on")),
        Err(fault) => Verdict::Differs(format!("not read back: {}", fault.message)),
    })
}

/// Where two files begin to differ, if they do.
pub(crate) fn difference(old: &[u8], new: &[u8]) -> Option<usize> {
    let common = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    (common < old.len() || common < new.len()).then_some(common)
}

/// Strict reading, for formats that write the same for different bytes.
fn must_be_canonical(bytes: &[u8], written: &[u8]) -> Result<(), Fault> {
    match difference(bytes, written) {
        None => Ok(()),
        Some(at) => Err(Fault::new(format!("other bytes would be written at byte {at:#x}"))
            .at(Some(at))
            .hint(Some("without --strict this is read"))),
    }
}

/// The options for reading and writing, those of every format included.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Settings {
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    godot: godot::GodotArgs,
    #[command(flatten)]
    o3de: o3de::O3deArgs,
    #[command(flatten)]
    pclass: pclass::PclassArgs,
    #[command(flatten)]
    resonite: resonite::ResoniteArgs,
    #[command(flatten)]
    zeze: zeze::ZezeArgs,
}

/// What every format has.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// Refuse data that would not be written back the same
    #[arg(long)]
    strict: bool,
    /// How deep containers may nest [default: the format's own limit]
    #[arg(long, value_name = "N", value_parser = depth)]
    max_depth: Option<usize>,
    /// The most bytes of memory that reading or writing a file may take [default: 64 for each byte of
    /// the file, and 67108864 at least]
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<usize>,
    #[command(flatten)]
    bound: Bound,
}

impl Limits {
    fn is_strict(self) -> bool {
        self.strict
    }

    fn max_depth(self) -> Option<usize> {
        self.max_depth
    }

    /// How much of an input is read.
    pub(crate) fn bound(self) -> Bound {
        self.bound
    }
}

fn depth(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(depth) if depth <= MAX_DEPTH => Ok(depth),
        _ => Err(format!("expected a number up to {MAX_DEPTH}")),
    }
}

/// The options for what `convert` writes, where they are not those of [`Settings`].
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Target {
    #[command(flatten)]
    godot: godot::GodotTarget,
    #[command(flatten)]
    o3de: o3de::O3deTarget,
    #[command(flatten)]
    pclass: pclass::PclassTarget,
    #[command(flatten)]
    resonite: resonite::ResoniteTarget,
    #[command(flatten)]
    zeze: zeze::ZezeTarget,
}

impl Target {
    /// Where the name of the file that is written says what it is to be, and no option does.
    pub(crate) fn name_file(&mut self, path: &Path) {
        self.resonite.name_file(path);
    }

    /// Whether JSON is to say nothing of what is around the data.
    pub(crate) fn is_bare(&self) -> bool {
        self.godot.is_bare()
    }

    /// The extension of what an option asks for, in formats where it says what a file is.
    pub(crate) fn extension(&self, format: Format) -> Option<&'static str> {
        match format {
            Format::ResoniteBrson => self.resonite.extension(),
            _ => None,
        }
    }
}

impl Settings {
    /// How much of an input is read.
    pub(crate) fn bound(&self) -> Bound {
        self.limits.bound
    }

    /// The format's tool.
    pub(crate) fn tool(&self, format: Format) -> Option<Box<dyn Tool>> {
        self.tool_to(format, &Target::default())
    }

    /// Where the name of the file that is written says what it is to be, and no option does.
    pub(crate) fn name_file(&mut self, path: &Path) {
        self.resonite.name_file(path);
    }

    /// The format's tool for a file, whose name may say how it is to be read.
    pub(crate) fn tool_for(&self, format: Format, input: &Input) -> Option<Box<dyn Tool>> {
        match format {
            Format::O3deJson => {
                Some(Box::new(o3de::O3de::of(self.limits, self.o3de, input.path.as_deref())))
            }
            other => self.tool(other),
        }
    }

    /// The format's tool, for a conversion. `None` for a format that the facade knows and this tool
    /// does not.
    pub(crate) fn tool_to(&self, format: Format, target: &Target) -> Option<Box<dyn Tool>> {
        Some(match format {
            Format::GodotVariant => {
                Box::new(godot::Godot::new(self.limits, &self.godot, &target.godot))
            }
            Format::O3deJson => Box::new(o3de::O3de::new(self.limits, self.o3de, target.o3de)),
            Format::KiwiPclass => {
                Box::new(pclass::Pclass::new(self.limits, &self.pclass, &target.pclass))
            }
            Format::ResoniteBrson => {
                Box::new(resonite::Resonite::new(self.limits, &self.resonite, &target.resonite))
            }
            Format::ZezeSerialize => {
                Box::new(zeze::Zeze::new(self.limits, &self.zeze, &target.zeze))
            }
            _ => return None,
        })
    }

    /// The format whose own options are given: they say what the file is.
    fn implied(&self) -> Option<Format> {
        let used = [
            (self.godot.is_used(), Format::GodotVariant),
            (self.o3de.is_used(), Format::O3deJson),
            (self.pclass.is_used(), Format::KiwiPclass),
            (self.resonite.is_used(), Format::ResoniteBrson),
            (self.zeze.is_used(), Format::ZezeSerialize),
        ];
        used.into_iter().find(|(is_used, _)| *is_used).map(|(_, format)| format)
    }

    /// The format of a file: the one that is given, or implied, or detected. The options for one
    /// format do not make every file in a folder one of its files.
    pub(crate) fn format_of(&self, given: Option<Format>, input: &Input) -> Option<Format> {
        let path = input.path.as_deref();
        given
            .or_else(|| self.implied().filter(|_| input.is_named))
            .or_else(|| gamewire::detect(&input.bytes, path))
            // Not in folders, where it is what `decode` wrote.
            .or_else(|| {
                let is_json = input.is_named && godot::is_native_json(&input.bytes);
                is_json.then_some(Format::GodotVariant)
            })
            // Of an extension that is not only Resonite's, and broken, or the content would say it.
            .or_else(|| path.and_then(resonite::named).map(|_| Format::ResoniteBrson))
    }
}

/// Why a file of no known format is not read.
pub(crate) fn unknown(bytes: &[u8]) -> String {
    let plain = || "not recognized as any format; if it has one, name it with --format".to_owned();
    godot::neighbour(bytes).unwrap_or_else(plain)
}

/// The beginning of the headings over a format's options in help.
pub(crate) fn heading(format: Format) -> &'static str {
    match format {
        Format::GodotVariant => "Godot",
        Format::O3deJson => "O3DE",
        Format::KiwiPclass => "PropertyClass",
        Format::ResoniteBrson => "Resonite",
        _ => "Zeze",
    }
}

/// Reads the name of a format, and lists the names in help and errors.
pub(crate) fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.crate_name()))
        .try_map(|name| name.parse::<Format>())
}
