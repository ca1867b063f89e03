//! Any file of the five formats, opened: values by their paths, changes, comparison, merging.
//!
//! [`Document::open`] tells the format, reads the bytes with plain [`Settings`], and gives values by
//! the paths that everything here prints. What is not changed keeps its bytes: layout, comments, what
//! is around the data, the other entries of a package.
//!
//! ```
//! use gamewire::{Document, Settings};
//!
//! # let bytes = gamewire::godot_variant::frame::Framing::new()
//! #     .to_vec(&std::collections::BTreeMap::from([("hp", 1), ("gold", 20)]))?;
//! // bytes = std::fs::read("savegame.dat")?
//! let mut save = Document::open(bytes, &Settings::default())?;
//! save.set("hp", "100")?;
//! assert_eq!(save.get("hp")?[0].text(), "100");
//! // std::fs::write("savegame.dat", save.to_bytes())?
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The three documents of a merge, as git's merge driver has them:
//!
//! ```
//! use gamewire::document::{Document, Merge, Settings, Side};
//!
//! # let file = |hp, gold| gamewire::godot_variant::frame::Framing::new()
//! #     .to_vec(&std::collections::BTreeMap::from([("hp", hp), ("gold", gold)]));
//! # let (base, ours, theirs) = (file(1, 20)?, file(2, 20)?, file(1, 30)?);
//! let settings = Settings::default();
//! let open = |bytes| Document::open(bytes, &settings);
//! let merge = Merge::new(Some(&open(base)?), &open(ours)?, &open(theirs)?)?;
//! assert!(merge.is_clean());
//! let merged = merge.take(Side::Ours)?;
//! assert_eq!((merged.get("hp")?[0].text(), merged.get("gold")?[0].text()), ("2".into(), "30".into()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// Does something with the codec of a format.
macro_rules! with_codec {
    (@ $type:ty, $settings:ident, $target:ident, $codec:ident => $then:expr) => {{
        let $codec = <$type>::new($settings, $target);
        $then
    }};
    ($format:expr, $settings:expr, $target:expr, $codec:ident => $then:expr) => {{
        let (settings, target) = ($settings, $target);
        match $format {
            Format::GodotVariant => with_codec!(@ godot::Godot, settings, target, $codec => $then),
            Format::O3deJson => with_codec!(@ o3de::O3de, settings, target, $codec => $then),
            Format::KiwiPclass => with_codec!(@ pclass::Pclass, settings, target, $codec => $then),
            Format::ResoniteBrson => {
                with_codec!(@ resonite::Resonite, settings, target, $codec => $then)
            }
            Format::ZezeSerialize => with_codec!(@ zeze::Zeze, settings, target, $codec => $then),
        }
    }};
}

/// Does something with the codec and the content of a document.
macro_rules! with_content {
    (@ $type:ty, $settings:ident, $codec:ident => $then:expr) => {{
        let $codec = <$type>::new($settings, &Target::default());
        $then
    }};
    ($document:expr, $codec:ident, $content:ident => $then:expr) => {{
        let settings = &$document.settings;
        match &$document.content {
            Content::GodotVariant($content) => {
                with_content!(@ godot::Godot, settings, $codec => $then)
            }
            Content::O3deJson($content) => with_content!(@ o3de::O3de, settings, $codec => $then),
            Content::KiwiPclass($content) => {
                with_content!(@ pclass::Pclass, settings, $codec => $then)
            }
            Content::ResoniteBrson($content) => {
                with_content!(@ resonite::Resonite, settings, $codec => $then)
            }
            Content::ZezeSerialize($content) => {
                with_content!(@ zeze::Zeze, settings, $codec => $then)
            }
        }
    }};
}

mod choice;
mod codec;
mod diff;
mod drawing;
mod edit;
mod error;
mod explained;
mod godot;
mod json;
mod merge;
mod natural;
mod o3de;
mod path;
mod pclass;
mod resonite;
mod salvage;
mod settings;
mod splice;
mod words;
mod zeze;

use std::io::Write;
use std::path::Path;

use serde_json::Value as Json;

use self::codec::{Codec, difference};
use self::edit::Place;
use crate::Format;

pub use self::choice::Choices;
pub use self::codec::Verdict;
pub use self::diff::{Change, ChangeKind};
pub use self::drawing::{Drawing, Hierarchy, Page, as_json, draw};
pub use self::edit::Edit;
pub use self::error::{Error, Position};
pub use self::explained::{Explanation, Part};
pub use self::godot::settings::{
    DIALECTS, FRAMINGS, Framing, GodotSettings, GodotTarget, PRECISIONS, Secret, WRAPPINGS,
    Wrapping,
};
pub use self::json::{Layout, members, write as write_json};
pub use self::merge::{Conflict, Merge, Side};
pub use self::o3de::settings::{O3deSettings, O3deTarget};
pub use self::o3de::tree::tree as prefab_tree;
pub use self::pclass::settings::{
    FORMS, Form, GAMES, MODES, PclassSettings, PclassTarget, UNKNOWN,
};
pub use self::resonite::settings::{CONTAINERS, ResoniteSettings, ResoniteTarget};
pub use self::salvage::Salvaged;
pub use self::settings::{Limits, Settings, Target};
pub use self::zeze::settings::{FRAMES, Frames, ZezeSettings, ZezeTarget};
pub use self::zeze::view::Solution;

/// The deepest nesting that [`Limits::max_depth`] is meant for. JSON is read and written by
/// recursion: a thread that goes so deep needs a stack of 256 MiB.
pub const MAX_DEPTH: usize = 10_000;

/// A file, opened.
#[derive(Debug)]
pub struct Document {
    bytes: Vec<u8>,
    settings: Settings,
    format: Format,
    content: Content,
}

/// Makes the enum over the formats, and the macros that go through it.
macro_rules! formats {
    ($($format:ident($codec:ty),)+) => {
        /// The data of a file.
        enum Content {
            $($format(<$codec as Codec>::Content),)+
        }

        impl Content {
            fn read(format: Format, bytes: &[u8], settings: &Settings) -> Result<Self, Error> {
                match format {
                    $(Format::$format => {
                        let codec = <$codec>::new(settings, &Target::default());
                        codec.read(bytes).map(Content::$format)
                    })+
                }
            }
        }

        impl std::fmt::Debug for Content {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Content::$format(_) => f.write_str(stringify!($format)),)+
                }
            }
        }
    };
}

formats! {
    GodotVariant(godot::Godot),
    O3deJson(o3de::O3de),
    KiwiPclass(pclass::Pclass),
    ResoniteBrson(resonite::Resonite),
    ZezeSerialize(zeze::Zeze),
}

impl Document {
    /// Opens a file. The format is the one that the settings name, else that of the bytes.
    ///
    /// # Errors
    ///
    /// If the format is not known, or the data is not valid.
    pub fn open(bytes: impl Into<Vec<u8>>, settings: &Settings) -> Result<Self, Error> {
        let bytes = bytes.into();
        let format = format_of(&bytes, settings)?;
        let content = Content::read(format, &bytes, settings)?;
        Ok(Document { bytes, settings: settings.clone(), format, content })
    }

    /// Makes a file of the JSON that [`write_json`](Document::write_json) writes.
    ///
    /// # Errors
    ///
    /// If the settings name no format, or the JSON is not of it.
    pub fn from_json(json: &[u8], settings: &Settings) -> Result<Self, Error> {
        Document::open(encode(json, settings)?, settings)
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The bytes of the file as it is now. What was not changed has the bytes that came.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The container around the data in a few words, such as `store_var, 7 values`.
    pub fn describe(&self) -> String {
        with_codec!(self.format, &self.settings, &Target::default(), codec => codec.describe(&self.bytes))
    }

    /// The values that a path leads to: `*` in it stands for any step or for anything in a name, `**`
    /// for any number of steps.
    ///
    /// # Errors
    ///
    /// If there is none; says how far the path leads, and what is there.
    pub fn get(&self, path: &str) -> Result<Vec<Node<'_>>, Error> {
        self.get_all(&[path])?.pop().unwrap_or_else(|| Ok(Vec::new()))
    }

    /// The values that each of the paths leads to, by one walk over the file.
    ///
    /// # Errors
    ///
    /// Those of writing the data as JSON.
    pub fn get_all(&self, paths: &[&str]) -> Result<Vec<Result<Vec<Node<'_>>, Error>>, Error> {
        let json = self.whole()?;
        Ok(with_content!(self, codec, _content => {
            let notation = codec.notation();
            let found = edit::find_all(notation, &json, paths);
            let none = found.iter().zip(paths).filter(|(found, _)| found.is_empty());
            let none: Vec<&str> = none.map(|(_, path)| *path).collect();
            let mut missing = edit::why_not(notation, &json, &none).into_iter();
            let found = found.into_iter().map(|places| match places.is_empty() {
                true => Err(Error::new(missing.next().unwrap_or_default())),
                false => {
                    let nodes = places.into_iter();
                    Ok(nodes.map(|place| Node::new(self, notation, &json, place)).collect())
                }
            });
            found.collect()
        }))
    }

    /// The outermost value.
    ///
    /// # Errors
    ///
    /// Those of writing the data as JSON.
    pub fn root(&self) -> Result<Node<'_>, Error> {
        let json = self.whole()?;
        Ok(with_content!(self, codec, _content => {
            let notation = codec.notation();
            Node::new(self, notation, &json, notation.root(&json))
        }))
    }

    /// Sets the values that a path leads to. A value keeps its kind.
    ///
    /// `value` is text, with or without quotes, a number, `true`, `false`, `null`, or the JSON of such
    /// a value.
    ///
    /// # Errors
    ///
    /// If the path leads nowhere, or the value does not fit; nothing is changed then.
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), Error> {
        self.edit(&[Edit::Set { path, value, kind: None }])
    }

    /// Inserts a value into a list, dictionary or object. The last step of the path is the new key, or
    /// the position before which it is to stand; `[-]` is the end of a list.
    ///
    /// # Errors
    ///
    /// If the path leads to no container, or the value does not fit; nothing is changed then.
    pub fn insert(&mut self, path: &str, value: &str) -> Result<(), Error> {
        self.edit(&[Edit::Insert { path, value, kind: None }])
    }

    /// Removes the values that a path leads to, with their keys.
    ///
    /// # Errors
    ///
    /// If the path leads nowhere, or to a value that the file cannot be without.
    pub fn remove(&mut self, path: &str) -> Result<(), Error> {
        self.edit(&[Edit::Remove { path }])
    }

    /// Makes several changes at once, which costs little more than one.
    ///
    /// # Errors
    ///
    /// Those of [`set`](Document::set), [`insert`](Document::insert) and [`remove`](Document::remove);
    /// nothing is changed then.
    pub fn edit(&mut self, edits: &[Edit<'_>]) -> Result<(), Error> {
        let made = with_content!(self, codec, content => {
            let before = codec.whole(content)?;
            let mut after = before.clone();
            edit::apply(codec.notation(), &mut after, edits).map_err(Error::new)?;
            if before == after {
                return Ok(());
            }
            codec.rebuild(&self.bytes, &before, &after).map_err(|error| {
                // The path at the end is one of the JSON.
                let why = error.message.split(", in ").next().unwrap_or_default();
                let paths: Vec<&str> = edits.iter().map(Edit::path).collect();
                Error::new(format!("{}: does not fit: {why}", paths.join(", ")))
            })?
        });
        self.replace(made)
    }

    /// Takes other bytes of the same format in place of the own.
    fn replace(&mut self, bytes: Vec<u8>) -> Result<(), Error> {
        self.content = Content::read(self.format, &bytes, &self.settings)?;
        self.bytes = bytes;
        Ok(())
    }

    /// The differences from this document to a newer one of the same format. Values are shown with at
    /// most `max_shown` characters.
    ///
    /// # Errors
    ///
    /// If the formats differ.
    pub fn diff(&self, newer: &Document, max_shown: usize) -> Result<Vec<Change>, Error> {
        macro_rules! compare {
            ($($format:ident($codec:ty),)+) => {
                match (&self.content, &newer.content) {
                    $((Content::$format(old), Content::$format(new)) => {
                        let codec = <$codec>::new(&self.settings, &Target::default());
                        Ok(codec.compare(old, new, max_shown))
                    })+
                    _ => Err(Error::new("only files of one format can be compared")),
                }
            };
        }
        compare! {
            GodotVariant(godot::Godot),
            O3deJson(o3de::O3de),
            KiwiPclass(pclass::Pclass),
            ResoniteBrson(resonite::Resonite),
            ZezeSerialize(zeze::Zeze),
        }
    }

    /// Makes a file of the same format in another form.
    ///
    /// # Errors
    ///
    /// If the data cannot be written so.
    pub fn convert(&self, target: &Target) -> Result<Vec<u8>, Error> {
        with_codec!(self.format, &self.settings, target, codec => codec.convert(&self.bytes))
    }

    /// Writes the JSON notation; with `wrap`, such that the container can be made again from it.
    ///
    /// # Errors
    ///
    /// Those of `out`, and of data that has no JSON.
    pub fn write_json(
        &self,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error> {
        with_content!(self, codec, content => codec.write_json(content, out, layout, wrap))
    }

    /// The data as plain JSON for other programs: numbers and text as such, objects for dictionaries
    /// with text as keys. No file can be made of it again.
    ///
    /// # Errors
    ///
    /// Those of data that has no JSON.
    pub fn to_plain_json(&self) -> Result<Json, Error> {
        let json = self.whole()?;
        Ok(
            with_codec!(self.format, &self.settings, &Target::default(), codec => codec.notation().plain(&json)),
        )
    }

    /// A line of `path=value` for each value in which nothing is, and for short rows of numbers.
    ///
    /// # Errors
    ///
    /// Those of data that has no JSON.
    pub fn to_lines(&self) -> Result<String, Error> {
        let json = self.whole()?;
        Ok(with_codec!(self.format, &self.settings, &Target::default(), codec => {
            edit::lines(codec.notation(), &json)
        }))
    }

    /// Draws the hierarchy in the file, for formats that have one; as wide as a terminal of `columns`.
    ///
    /// # Errors
    ///
    /// If the file has no hierarchy.
    pub fn tree(&self, columns: Option<usize>) -> Result<Drawing, Error> {
        with_content!(self, codec, content => codec.tree(content, columns))
    }

    fn whole(&self) -> Result<Json, Error> {
        with_content!(self, codec, content => codec.whole(content))
    }
}

/// A value of a document.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    document: &'a Document,
    place: Place,
    json: Json,
    kind: String,
}

impl<'a> Node<'a> {
    fn new(
        document: &'a Document,
        notation: &dyn edit::Notation,
        json: &Json,
        place: Place,
    ) -> Self {
        let kind = notation.kind(json, &place);
        let json = place.value(json).into_owned();
        Node { document, place, json, kind }
    }

    /// The path, as everything takes it.
    pub fn path(&self) -> String {
        self.place.shown()
    }

    /// The kind, in the words of the format.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The value for people: text without quotes, numbers, else its notation on one line. `set` takes
    /// it.
    pub fn text(&self) -> String {
        self.with(|notation| notation.shown(&self.json))
    }

    /// The same on one line: text in quotes where it has more than one.
    pub fn line(&self) -> String {
        edit::one_line(self.text())
    }

    /// The value as plain JSON.
    pub fn to_plain_json(&self) -> Json {
        self.with(|notation| notation.plain(&self.json))
    }

    /// The values in this one, in order.
    ///
    /// # Errors
    ///
    /// Those of data that has no JSON.
    pub fn children(&self) -> Result<Vec<Node<'a>>, Error> {
        let json = self.document.whole()?;
        Ok(self.with(|notation| {
            let children = notation.children(&json, &self.place).into_iter();
            children.map(|place| Node::new(self.document, notation, &json, place)).collect()
        }))
    }

    fn with<R>(&self, then: impl FnOnce(&dyn edit::Notation) -> R) -> R {
        let document = self.document;
        with_codec!(document.format, &document.settings, &Target::default(), codec => then(codec.notation()))
    }
}

/// The format of a file, from its content and its name, as [`detect`](crate::detect) tells it. If it
/// is sure that it is game data, the JSON notation of a value counts, too.
pub fn detect(bytes: &[u8], name: Option<&Path>, is_sure: bool) -> Option<Format> {
    crate::detect(bytes, name)
        .or_else(|| (is_sure && godot::is_native_json(bytes)).then_some(Format::GodotVariant))
        // Of an extension that is not only Resonite's, and broken, or the content would say it.
        .or_else(|| name.and_then(resonite::settings::of_file).map(|_| Format::ResoniteBrson))
}

/// Why a file of no known format is not read, if its engine's other formats say it.
pub fn neighbour(bytes: &[u8]) -> Option<String> {
    godot::neighbour(bytes)
}

fn format_of(bytes: &[u8], settings: &Settings) -> Result<Format, Error> {
    let format = settings.format.or_else(|| detect(bytes, settings.name.as_deref(), true));
    format.ok_or_else(|| {
        let plain = "not recognized as any format; if it has one, name it with --format";
        Error::new(neighbour(bytes).unwrap_or_else(|| plain.to_owned()))
    })
}

/// The container around the data of a file in a few words, valid or not.
pub fn describe(bytes: &[u8], settings: &Settings) -> Option<String> {
    let format = format_of(bytes, settings).ok()?;
    Some(with_codec!(format, settings, &Target::default(), codec => codec.describe(bytes)))
}

/// Makes a file from its JSON notation.
///
/// # Errors
///
/// If the settings name no format, or the JSON is not of it.
pub fn encode(json: &[u8], settings: &Settings) -> Result<Vec<u8>, Error> {
    let why = || Error::new("the settings do not say which format the JSON is of");
    let format = settings.format.ok_or_else(why)?;
    with_codec!(format, settings, &Target::default(), codec => codec.encode(json))
}

/// Says what each byte of a file means, as far as it can be read.
///
/// # Errors
///
/// If the format is not known, or nothing of the file can be read.
pub fn explain(bytes: &[u8], settings: &Settings) -> Result<Explanation, Error> {
    let format = format_of(bytes, settings)?;
    with_codec!(format, settings, &Target::default(), codec => codec.explain(bytes))
}

/// Reads a file, writes it again, and compares.
///
/// # Errors
///
/// If the format is not known, or the data is not valid.
pub fn check(bytes: &[u8], settings: &Settings) -> Result<Verdict, Error> {
    let format = format_of(bytes, settings)?;
    with_codec!(format, settings, &Target::default(), codec => codec.check(bytes))
}

/// The same through the JSON notation.
///
/// # Errors
///
/// If the format is not known, or the data is not valid.
pub fn check_json(bytes: &[u8], settings: &Settings) -> Result<Verdict, Error> {
    let document = Document::open(bytes, settings)?;
    let mut json = Vec::new();
    document.write_json(&mut json, Layout::Lines, true)?;
    let settings = Settings { format: Some(document.format), ..settings.clone() };
    let made = match encode(&json, &settings) {
        Ok(made) => made,
        Err(error) => return Ok(Verdict::Differs(format!("not encoded again: {error}"))),
    };
    let Some(at) = difference(bytes, &made) else { return Ok(Verdict::Identical) };
    let changes = Document::open(made, &settings).and_then(|again| document.diff(&again, 40));
    Ok(match changes {
        Ok(changes) => match changes.first() {
            None => Verdict::Equivalent(at),
            Some(change) => Verdict::Differs(format!("other data in {}", change.path)),
        },
        Err(error) => Verdict::Differs(format!("not read back: {error}")),
    })
}

/// Makes a valid file of what can be read of a damaged one. Of a file that is not recognized any more,
/// the format counts by which most of it can be read.
///
/// # Errors
///
/// If nothing in it can be read.
pub fn salvage(bytes: &[u8], settings: &Settings) -> Result<Salvaged, Error> {
    let of =
        |format| with_codec!(format, settings, &Target::default(), codec => codec.salvage(bytes));
    if let Some(format) = settings.format.or_else(|| detect(bytes, settings.name.as_deref(), true))
    {
        return of(format);
    }
    if let Some(about) = neighbour(bytes) {
        return Err(Error::new(about));
    }
    let made = Format::ALL.iter().filter_map(|format| of(*format).ok());
    made.max_by_key(|made| made.kept)
        .filter(|made| made.kept * 4 > bytes.len())
        .ok_or_else(|| Error::new("nothing in it can be read; --format says what it was"))
}
