//! The bytes of a file, read, searched, changed and compared without a document.

use std::path::Path;

use super::codec::{Codec, Verdict, Wrapped, difference};
use super::diff::Change;
use super::drawing::{Drawing, TreeOptions};
use super::edit::Edit;
use super::error::{Error, Hint};
use super::explained::Explanation;
use super::json::Layout;
use super::ranges::Bytes;
use super::salvage::Salvaged;
use super::settings::{Settings, Target};
use super::{AsOpened, Contents, Document, Node, Opened, Syntax};
use crate::Format;

/// The format of a file, from its content and its name, as [`detect`](crate::detect) tells it. If it
/// is sure that it is game data, the JSON notation of a value counts, too.
pub fn detect(bytes: &[u8], name: Option<&Path>, is_sure: bool) -> Option<Format> {
    crate::detect(bytes, name).or_else(|| {
        let is_known =
            |syntax: &&Syntax| with_type!(**syntax, C => C::is_known(bytes, name, is_sure));
        Syntax::ALL.iter().find(is_known).map(|syntax| syntax.format())
    })
}

/// Why a file of no known format is not read, if its engine's other formats say it.
pub fn unsupported_kind(bytes: &[u8]) -> Option<Error> {
    Syntax::ALL.iter().find_map(|syntax| with_type!(*syntax, C => C::unsupported_kind(bytes)))
}

/// Advice for a file of no known format, if its bytes say something: which of them to skip, or which program
/// has to open it first.
pub fn advice(bytes: &[u8]) -> Option<Error> {
    Syntax::ALL.iter().find_map(|syntax| with_type!(*syntax, C => C::advice(bytes)))
}

fn not_compiled(format: Format) -> Error {
    let feature = match format.crate_name() {
        "o3de-json" => "o3de-prefab",
        "resonite-brson" => "resonite-save",
        name => name,
    };
    Error::new(format!("{}: this program is built without {feature}", format.name()))
}

fn format_of(bytes: &[u8], settings: &Settings) -> Result<Format, Error> {
    let format = settings.format.or_else(|| detect(bytes, settings.name.as_deref(), true));
    #[cfg(feature = "godot-variant")]
    let format = format.or_else(|| {
        // These speak of Godot's files alone.
        let is_godot = settings.godot.offset > 0 || settings.godot.stream.is_some();
        is_godot.then_some(Format::GodotVariant)
    });
    format.ok_or_else(|| {
        let plain = || Error::new("not recognized as any format").with_hint(Hint::Format);
        unsupported_kind(bytes).or_else(|| advice(bytes)).unwrap_or_else(plain)
    })
}

impl Syntax {
    /// That of a format where nothing else is said. An error for a format that is detected alone, such as O3DE's
    /// without the feature `o3de-prefab`.
    fn of(format: Format) -> Result<Self, Error> {
        let own = Syntax::ALL.iter().find(|syntax| syntax.format() == format);
        own.copied().ok_or_else(|| not_compiled(format))
    }
}

/// The container around the data of a file in a few words, valid or not.
pub fn describe(bytes: &[u8], settings: &Settings) -> Option<String> {
    let (wrapped, syntax) = opened(bytes, settings).ok()?;
    let data = wrapped.as_ref().map_or(bytes, |wrapped| &wrapped.text);
    let about = with_codec!(syntax, settings, &Target::default(), codec => codec.describe(data));
    Some(wrapped.map_or_else(|| about.clone(), |wrapped| wrapped.about(&about)))
}

/// Makes a file from its JSON notation.
///
/// # Errors
///
/// If the settings name no format, or the JSON is not of it.
pub fn encode(json: &[u8], settings: &Settings) -> Result<Vec<u8>, Error> {
    let why = || Error::new("the settings do not say which format the JSON is of");
    let format = settings.format.ok_or_else(why)?;
    with_codec!(Syntax::of(format)?, settings, &Target::default(), codec => codec.encode(json))
}

/// Reads the data of a file, which may be text in a wrapper.
pub(super) fn read(
    bytes: &Bytes,
    settings: &Settings,
) -> Result<(Option<Wrapped>, Syntax, Contents), Error> {
    let (wrapped, syntax) = opened(bytes, settings)?;
    let content = match &wrapped {
        Some(wrapped) => {
            let settings = unpacked(bytes, settings);
            let content = Contents::read(syntax, &wrapped.text, &settings);
            content.map_err(|error| wrapped.fault(error))?
        }
        None => Contents::read(syntax, bytes, settings)?,
    };
    Ok((wrapped, syntax, content))
}

/// The settings for what is in the wrapper of a file.
fn unpacked(bytes: &[u8], settings: &Settings) -> Settings {
    let limits = settings.limits.of_unpacked(bytes.len());
    Settings { limits, ..settings.clone() }
}

/// The text in a wrapper, if there is one, and the syntax of the data.
fn opened(bytes: &[u8], settings: &Settings) -> Result<(Option<Wrapped>, Syntax), Error> {
    let wrapped = Syntax::ALL
        .iter()
        .find_map(|syntax| with_type!(*syntax, C => C::unwrapped(bytes, settings)));
    if let Some(wrapped) = wrapped {
        let syntax = wrapped.syntax;
        return Ok((Some(wrapped), syntax));
    }
    let syntax = Syntax::of(format_of(bytes, settings)?)?;
    let other = with_type!(syntax, C => C::syntax(bytes, settings));
    Ok((None, other.unwrap_or(syntax)))
}

/// The data of a file without its bytes, to be looked at once.
#[derive(Debug)]
pub struct DecodedFile(Contents);

impl DecodedFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If the format is not known, or the data is not valid.
    pub fn read(bytes: impl Into<Bytes>, settings: &Settings) -> Result<Self, Error> {
        read(&bytes.into(), settings).map(|(.., content)| DecodedFile(content))
    }

    /// A warning before the file is changed, as [`Document::caution`].
    pub fn caution(&self) -> Option<String> {
        with_format!(Contents: &self.0, own => own.codec.caution(&own.content))
    }

    /// Refuses data that may mean something else, too, as [`Document::must_be_sure`].
    ///
    /// # Errors
    ///
    /// Says which it is read as.
    pub fn must_be_sure(&self) -> Result<(), Error> {
        with_format!(Contents: &self.0, own => own.codec.must_be_sure(&own.content))
    }

    /// The values that each of some paths leads to, as [`Document::get_all`].
    pub fn get_all(&self, paths: &[&str]) -> Vec<Result<Vec<Node<'_>>, Error>> {
        with_format!(Contents: &self.0, own => own.get_all(paths))
    }

    /// Draws the hierarchy, as [`Document::tree`].
    ///
    /// # Errors
    ///
    /// If the file has none.
    pub fn tree(self, picture: TreeOptions) -> Result<Drawing, Error> {
        with_format!(Contents: self.0, own => own.codec.tree(own.content, picture))
    }

    /// The differences to newer data, as [`Document::diff`].
    ///
    /// # Errors
    ///
    /// If the formats differ.
    pub fn diff(&self, newer: &DecodedFile, max_shown: usize) -> Result<Vec<Change>, Error> {
        compare_contents(&self.0, &newer.0, max_shown)
    }
}

pub(super) fn compare_contents(
    old: &Contents,
    new: &Contents,
    most: usize,
) -> Result<Vec<Change>, Error> {
    fn compare<C: AsOpened>(
        old: &Opened<C>,
        new: &Contents,
        most: usize,
    ) -> Result<Vec<Change>, Error> {
        let new = C::of(new).ok_or_else(other_format)?;
        old.codec.compare(&old.content, &new.content, most)
    }
    with_format!(Contents: old, own => compare(own, new, most))
}

fn other_format() -> Error {
    Error::new("only files of one format can be compared")
}

/// Draws the hierarchy in a file, as [`Document::tree`].
///
/// # Errors
///
/// If the format is not known, the data is not valid, or has no hierarchy.
pub fn tree(
    bytes: impl Into<Bytes>,
    settings: &Settings,
    picture: TreeOptions,
) -> Result<Drawing, Error> {
    DecodedFile::read(bytes, settings)?.tree(picture)
}

/// Finds the values that each of some paths leads to, as [`Document::get_all`], without a document. `then` is given
/// what is found.
///
/// # Errors
///
/// If the format is not known, or the data is not valid.
pub fn get_all<T>(
    bytes: impl Into<Bytes>,
    settings: &Settings,
    paths: &[&str],
    then: impl FnOnce(Vec<Result<Vec<Node<'_>>, Error>>) -> T,
) -> Result<T, Error> {
    Ok(then(DecodedFile::read(bytes, settings)?.get_all(paths)))
}

/// Changes a file as [`Document::edit`], without a document.
///
/// ```
/// use gamewire::document::{self, Edit, Settings};
///
/// # let bytes = gamewire::godot_variant::frame::Framing::new()
/// #     .to_vec(&std::collections::BTreeMap::from([("hp", 1), ("gold", 20)]))?;
/// let settings = Settings::default();
/// let edits = [Edit::Set { path: "hp", value: "100".into(), kind: None }, Edit::Remove { path: "gold" }];
/// let made = document::edit(&bytes, &settings, &edits)?;
/// let left = document::get_all(&made, &settings, &["*"], |all| format!("{all:?}"))?;
/// assert_eq!(left, "[Ok([hp=100])]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Those of [`Document::open`] and [`Document::edit`].
pub fn edit(
    bytes: impl Into<Bytes>,
    settings: &Settings,
    edits: &[Edit<'_>],
) -> Result<Vec<u8>, Error> {
    let mut document = Document::open(bytes, settings)?;
    document.edit(edits)?;
    let Document { bytes, content, .. } = document;
    drop(content);
    Ok(bytes.into_vec())
}

/// Says what each byte of a file means, as far as it can be read.
///
/// # Errors
///
/// If the format is not known, or nothing of the file can be read.
pub fn explain(bytes: &[u8], settings: &Settings) -> Result<Explanation, Error> {
    let (wrapped, syntax) = opened(bytes, settings)?;
    let data = wrapped.as_ref().map_or(bytes, |wrapped| &wrapped.text);
    with_codec!(syntax, settings, &Target::default(), codec => codec.explain(data))
}

/// Reads a file, writes it again, and compares.
///
/// # Errors
///
/// If the format is not known, or the data is not valid.
pub fn check(bytes: &[u8], settings: &Settings) -> Result<Verdict, Error> {
    let (wrapped, syntax) = opened(bytes, settings)?;
    let Some(wrapped) = wrapped else {
        return with_codec!(syntax, settings, &Target::default(), codec => codec.check(bytes));
    };
    let settings = unpacked(bytes, settings);
    let verdict =
        with_codec!(syntax, &settings, &Target::default(), codec => codec.check(&wrapped.text))
            .map_err(|error| wrapped.fault(error))?;
    Ok(match difference(bytes, &wrapped.wrapper.again(&wrapped.text)?) {
        Some(at) if verdict == Verdict::Identical => Verdict::Equivalent(at),
        _ => verdict,
    })
}

/// Says what is odd in the values of a file that is read and written as it stands, each with its path: values that are
/// not of the type that their array or dictionary has. Nothing for a file of no known format.
pub fn remarks(bytes: &[u8], settings: &Settings) -> Vec<String> {
    let Ok((.., syntax)) = opened(bytes, settings) else { return Vec::new() };
    with_codec!(syntax, settings, &Target::default(), codec => codec.remarks(bytes))
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
    let settings = Settings { format: Some(document.format()), ..settings.clone() };
    let encoded =
        with_codec!(document.syntax, &settings, &Target::default(), codec => codec.encode(&json));
    let made = match encoded.and_then(|made| document.with_data(made)) {
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
    if let Some(format) = settings.format.or_else(|| detect(bytes, settings.name.as_deref(), true))
    {
        return salvaged(bytes, settings, Syntax::of(format)?);
    }
    if let Some(about) = unsupported_kind(bytes) {
        return Err(about);
    }
    best(bytes, settings, Syntax::ALL.iter())
        .map(|(_, made)| made)
        .ok_or_else(|| Error::new("nothing in it can be read").with_hint(Hint::DamagedFormat))
}

/// The format of a damaged file that is not recognized any more: of those that its first bytes point to, the
/// one by which most of it can be read.
///
/// O3DE's files are detected by their names, and beans of Zeze are found in nearly any bytes: neither is
/// guessed.
pub fn detect_damaged(bytes: &[u8], settings: &Settings) -> Option<Format> {
    let begins = |syntax: &&Syntax| with_type!(**syntax, C => C::begins(bytes));
    let (syntax, made) = best(bytes, settings, Syntax::ALL.iter().filter(begins))?;
    (!made.lost.is_empty() && unsupported_kind(bytes).is_none()).then_some(syntax.format())
}

fn salvaged(bytes: &[u8], settings: &Settings, syntax: Syntax) -> Result<Salvaged, Error> {
    let other = with_type!(syntax, C => C::syntax(bytes, settings));
    let syntax = other.unwrap_or(syntax);
    with_codec!(syntax, settings, &Target::default(), codec => codec.salvage(bytes))
}

fn best<'f>(
    bytes: &[u8],
    settings: &Settings,
    all: impl Iterator<Item = &'f Syntax>,
) -> Option<(Syntax, Salvaged)> {
    let made = all.filter_map(|syntax| Some((*syntax, salvaged(bytes, settings, *syntax).ok()?)));
    made.max_by_key(|(_, made)| made.kept).filter(|(_, made)| made.kept * 4 > bytes.len())
}
