//! Merging what two branches made of one file.

use o3de_json::Value;
use o3de_json::value::Document as Text;
use o3de_prefab::merge3::{self, carry_comments};

use super::codec::Codec as _;
use super::error::Error;
use super::settings::Target;
use super::{Document, Format, godot, o3de, pclass, resonite, zeze};

pub use o3de_prefab::merge3::Side;

/// The merge of two documents that come from one.
#[derive(Debug)]
pub struct Merge<'a> {
    ours: &'a Document,
    before: Text,
    text: Text,
    other: Text,
    merge: merge3::Merge,
}

/// A place that both sides changed in different ways.
#[derive(Debug)]
#[non_exhaustive]
pub struct Conflict<'a> {
    /// The path of the place in OURS.
    pub path: String,
    /// A JSON pointer to it.
    pub pointer: &'a str,
    /// The name for people of what it is in, if there is one.
    pub name: Option<&'a str>,
    /// The kind of conflict.
    pub kind: merge3::ConflictKind,
    /// The value before both changes; `None` where there was none.
    pub base: Option<&'a Value>,
    /// The value of OURS.
    pub ours: Option<&'a Value>,
    /// The value of THEIRS.
    pub theirs: Option<&'a Value>,
}

impl<'a> Merge<'a> {
    /// Merges two documents by value: `base` is `None` where there was no file before.
    ///
    /// # Errors
    ///
    /// If the formats differ.
    pub fn new(
        base: Option<&Document>,
        ours: &'a Document,
        theirs: &Document,
    ) -> Result<Self, Error> {
        let all = base.into_iter().chain([theirs]);
        if all.into_iter().any(|own| own.format != ours.format) {
            return Err(Error::new("only files of one format can be merged"));
        }
        let before = match base {
            Some(base) => text(base)?,
            None => Text::new("null")?,
        };
        let (text, other) = (text(ours)?, text(theirs)?);
        let merge = merge3::Merge::new(before.value(), text.value(), other.value());
        Ok(Merge { ours, before, text, other, merge })
    }

    /// Whether there are no conflicts.
    pub fn is_clean(&self) -> bool {
        self.merge.is_clean()
    }

    /// The places that both sides changed in different ways.
    ///
    /// # Errors
    ///
    /// Those of data that has no JSON.
    pub fn conflicts(&self) -> Result<Vec<Conflict<'_>>, Error> {
        // Pointers are the paths of O3DE's files.
        let is_pointer = self.ours.format == Format::O3deJson;
        let path = |pointer: &str| -> Result<String, Error> {
            let found = if is_pointer { None } else { self.ours.path_at(pointer)? };
            Ok(found.unwrap_or_else(|| match pointer {
                "" => "the root".to_owned(),
                pointer => pointer.to_owned(),
            }))
        };
        let mut conflicts = Vec::new();
        for own in self.merge.conflicts() {
            conflicts.push(Conflict {
                path: path(&own.pointer)?,
                pointer: &own.pointer,
                name: own.name.as_deref(),
                kind: own.kind,
                base: own.base.as_ref(),
                ours: own.ours.as_ref(),
                theirs: own.theirs.as_ref(),
            });
        }
        Ok(conflicts)
    }

    /// The merged document; of conflicts, the values of one side. What is merged is written in the
    /// layout of OURS.
    ///
    /// # Errors
    ///
    /// If the merged data cannot be written.
    pub fn take(&self, side: Side) -> Result<Document, Error> {
        self.take_with(side, &mut |_| {})
    }

    /// The same; is told the comments of THEIRS that are left out.
    ///
    /// # Errors
    ///
    /// If the merged data cannot be written.
    pub fn take_with(&self, side: Side, left_out: &mut dyn FnMut(&str)) -> Result<Document, Error> {
        let mut merged = self.text.clone();
        let value = self.merge.value(side);
        let is_changed = value != merged.value();
        if is_changed {
            *merged.value_mut() = value.clone();
        }
        let comments = carry_comments(&self.before, &self.other, &mut merged)?;
        comments.left_out.iter().for_each(|own| left_out(own));
        let (bytes, settings) = (&self.ours.bytes, &self.ours.settings);
        let made = match is_changed || comments.carried > 0 {
            true => with_codec!(self.ours.format, settings, &Target::default(), codec => {
                codec.write_text(bytes, &merged)?
            }),
            // Nothing of THEIRS was missing.
            false => bytes.clone(),
        };
        let mut made_settings = settings.clone();
        made_settings.format = Some(self.ours.format);
        Document::open(made, &made_settings)
    }
}

fn text(document: &Document) -> Result<Text, Error> {
    with_codec!(document.format, &document.settings, &Target::default(), codec => {
        codec.to_text(&document.bytes)
    })
}
