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
//! let [base, ours, theirs] = [base, ours, theirs].map(|bytes| Document::open(bytes, &settings));
//! let (base, ours, theirs) = (base?, ours?, theirs?);
//! let merge = Merge::new(Some(&base), &ours, &theirs)?;
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
            Contents::GodotVariant($content) => {
                with_content!(@ godot::Godot, settings, $codec => $then)
            }
            Contents::O3deJson($content) => with_content!(@ o3de::O3de, settings, $codec => $then),
            Contents::KiwiPclass($content) => {
                with_content!(@ pclass::Pclass, settings, $codec => $then)
            }
            Contents::ResoniteBrson($content) => {
                with_content!(@ resonite::Resonite, settings, $codec => $then)
            }
            Contents::ZezeSerialize($content) => {
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
mod limits;
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
use std::sync::OnceLock;

use serde_json::Value as Json;

use self::codec::{Codec, difference};
use self::edit::{Place, Values as _};
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
pub use self::limits::{Limits, MAX_DEPTH};
pub use self::merge::{Conflict, Merge, Side};
pub use self::o3de::settings::{O3deSettings, O3deTarget};
pub use self::o3de::tree::tree as prefab_tree;
pub use self::pclass::settings::{
    FORMS, Form, GAMES, MODES, PclassSettings, PclassTarget, UNKNOWN,
};
pub use self::resonite::settings::{CONTAINERS, ResoniteSettings, ResoniteTarget};
pub use self::salvage::Salvaged;
pub use self::settings::{Settings, Target};
pub use self::zeze::settings::{FRAMES, Frames, ZezeSettings, ZezeTarget};
pub use gamewire_gen::zeze::view::Solution;

/// A file, opened.
#[derive(Debug)]
pub struct Document {
    bytes: Vec<u8>,
    settings: Settings,
    format: Format,
    content: Contents,
    /// The JSON notation, for formats whose values are found in it.
    json: OnceLock<Json>,
}

/// Makes the enum over the formats, and the macros that go through it.
macro_rules! formats {
    ($($format:ident($codec:ty),)+) => {
        /// The data of a file.
        enum Contents {
            $($format(<$codec as Codec>::Content),)+
        }

        impl Contents {
            fn read(format: Format, bytes: &[u8], settings: &Settings) -> Result<Self, Error> {
                match format {
                    $(Format::$format => {
                        let codec = <$codec>::new(settings, &Target::default());
                        codec.read(bytes).map(Contents::$format)
                    })+
                }
            }
        }

        $(impl From<<$codec as Codec>::Content> for Contents {
            fn from(content: <$codec as Codec>::Content) -> Self {
                Contents::$format(content)
            }
        })+

        impl std::fmt::Debug for Contents {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Contents::$format(_) => f.write_str(stringify!($format)),)+
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
        let content = Contents::read(format, &bytes, settings)?;
        let json = OnceLock::new();
        Ok(Document { bytes, settings: settings.clone(), format, content, json })
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
        Ok(with_content!(self, codec, content => {
            let (values, data) = (codec.values(), codec.data(content, &self.json)?);
            let found = edit::find_all(values, data, paths);
            let none = found.iter().zip(paths).filter(|(found, _)| found.is_empty());
            let none: Vec<&str> = none.map(|(_, path)| *path).collect();
            let mut missing = edit::why_not(values, data, &none).into_iter();
            let found = found.into_iter().map(|places| match places.is_empty() {
                true => Err(Error::new(missing.next().unwrap_or_default())),
                false => {
                    let nodes = places.into_iter();
                    Ok(nodes.map(|place| Node { document: self, place }).collect())
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
        let place = with_content!(self, codec, content => {
            codec.values().root(codec.data(content, &self.json)?)
        });
        Ok(Node { document: self, place })
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
        (self.bytes, self.content) = with_content!(self, codec, content => {
            let before = codec.data(content, &self.json)?;
            let mut after = before.clone();
            edit::apply(codec.values(), &mut after, edits).map_err(Error::new)?;
            if *before == after {
                return Ok(());
            }
            let changed = codec.changed(&self.bytes, before, after).map_err(|error| {
                // The path at the end is one of the JSON.
                let why = error.message.split(", in ").next().unwrap_or_default();
                let paths: Vec<&str> = edits.iter().map(Edit::path).collect();
                Error::new(format!("{}: does not fit: {why}", paths.join(", ")))
            })?;
            (changed.0, changed.1.into())
        });
        self.json = OnceLock::new();
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
                    $((Contents::$format(old), Contents::$format(new)) => {
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
        Ok(with_content!(self, codec, content => {
            codec.values().all_plain(codec.data(content, &self.json)?)
        }))
    }

    /// A line of `path=value` for each value in which nothing is, and for short rows of numbers.
    ///
    /// # Errors
    ///
    /// Those of data that has no JSON.
    pub fn to_lines(&self) -> Result<String, Error> {
        Ok(with_content!(self, codec, content => {
            edit::lines(codec.values(), codec.data(content, &self.json)?)
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

    /// The path of a pointer of the JSON notation.
    fn path_at(&self, pointer: &str) -> Result<Option<String>, Error> {
        Ok(with_content!(self, codec, content => {
            edit::path_at(codec.values(), codec.data(content, &self.json)?, pointer)
        }))
    }
}

/// A value of a document.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    document: &'a Document,
    place: Place,
}

/// Asks the values of a node's document.
macro_rules! of_node {
    ($node:expr, $values:ident, $data:ident => $then:expr) => {{
        let document = $node.document;
        with_content!(document, codec, content => {
            match codec.data(content, &document.json) {
                Ok($data) => {
                    let $values = codec.values();
                    $then
                }
                // A node is only made once the data is there.
                Err(_) => Default::default(),
            }
        })
    }};
}

impl<'a> Node<'a> {
    /// The path, as everything takes it.
    pub fn path(&self) -> String {
        self.place.shown()
    }

    /// The kind, in the words of the format.
    pub fn kind(&self) -> String {
        of_node!(self, values, data => values.kind(data, &self.place))
    }

    /// The value for people: text without quotes, numbers, else its notation on one line. `set` takes
    /// it.
    pub fn text(&self) -> String {
        of_node!(self, values, data => values.text(data, &self.place))
    }

    /// The same on one line: text in quotes where it has more than one.
    pub fn line(&self) -> String {
        edit::one_line(self.text())
    }

    /// The value as plain JSON.
    pub fn to_plain_json(&self) -> Json {
        of_node!(self, values, data => values.plain(data, &self.place))
    }

    /// The values in this one, in order.
    pub fn children(&self) -> Vec<Node<'a>> {
        let places: Vec<Place> = of_node!(self, values, data => values.children(data, &self.place));
        places.into_iter().map(|place| Node { document: self.document, place }).collect()
    }
}

/// The format of a file, from its content and its name, as [`detect`](crate::detect) tells it. If it
/// is sure that it is game data, the JSON notation of a value counts, too.
pub fn detect(bytes: &[u8], name: Option<&Path>, is_sure: bool) -> Option<Format> {
    crate::detect(bytes, name)
        .or_else(|| (is_sure && godot::is_native_json(bytes)).then_some(Format::GodotVariant))
        // A broken file: the extension is not only Resonite's, and a whole one would be known by its content.
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
    best(bytes, settings, &Format::ALL)
        .map(|(_, made)| made)
        .ok_or_else(|| Error::new("nothing in it can be read; --format says what it was"))
}

/// The format of a damaged file that is not recognized any more: the one by which most of it can be read.
///
/// O3DE's files are told by their names, and beans of Zeze are found in nearly any bytes: neither is
/// guessed.
pub fn guess(bytes: &[u8], settings: &Settings) -> Option<Format> {
    let all = [Format::GodotVariant, Format::KiwiPclass, Format::ResoniteBrson];
    let (format, made) = best(bytes, settings, &all)?;
    (!made.lost.is_empty() && neighbour(bytes).is_none()).then_some(format)
}

fn best(bytes: &[u8], settings: &Settings, all: &[Format]) -> Option<(Format, Salvaged)> {
    let made = all.iter().filter_map(|format| {
        let made =
            with_codec!(*format, settings, &Target::default(), codec => codec.salvage(bytes));
        Some((*format, made.ok()?))
    });
    made.max_by_key(|(_, made)| made.kept).filter(|(_, made)| made.kept * 4 > bytes.len())
}
