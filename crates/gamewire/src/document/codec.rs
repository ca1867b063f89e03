//! A format in a document: one [`Codec`] per format, each in its own module.

use std::io::Write;
use std::marker::PhantomData;
use std::sync::OnceLock;

use o3de_json::value::Document as Text;
use serde_json::Value as Json;

use super::diff::Change;
use super::drawing::Drawing;
use super::edit::Values;
use super::error::Error;
use super::explained::Explanation;
use super::json::{self, Layout};
use super::salvage::Salvaged;
use super::settings::{Settings, Target};
use super::splice;

/// A format with the settings of one call.
pub(super) trait Codec: Sized {
    /// The data of a file, and what is around it.
    type Content;

    fn new(settings: &Settings, target: &Target) -> Self;

    /// The container around the data in a few words, such as `store_var, 7 values`.
    fn describe(&self, bytes: &[u8]) -> String;

    fn read(&self, bytes: &[u8]) -> Result<Self::Content, Error>;

    /// Makes a file from the JSON notation.
    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Error>;

    /// Says what each byte means, as far as the file can be read.
    fn explain(&self, bytes: &[u8]) -> Result<Explanation, Error>;

    /// Reads a file, writes it again, and compares.
    fn check(&self, bytes: &[u8]) -> Result<Verdict, Error>;

    /// Makes a file of the same format in another form.
    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error>;

    /// Writes the JSON notation; with `wrap`, such that the container can be made again from it.
    fn write_json(
        &self,
        content: &Self::Content,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), serde_json::Error>;

    /// Compares two files by value. Values are shown with at most `most` characters.
    fn compare(&self, old: &Self::Content, new: &Self::Content, most: usize) -> Vec<Change>;

    /// Finds and changes values.
    type Values: Values<Data: Clone + PartialEq>;

    fn values(&self) -> &Self::Values;

    /// The data in which values are found.
    fn data<'d>(
        &self,
        content: &'d Self::Content,
        cache: &'d OnceLock<Json>,
    ) -> Result<&'d DataOf<Self>, Error>;

    /// The file and its content with changed data. What did not change keeps its bytes.
    fn changed(
        &self,
        bytes: &[u8],
        before: &DataOf<Self>,
        after: DataOf<Self>,
    ) -> Result<(Vec<u8>, Self::Content), Error>;

    /// The data as text that can be merged.
    fn to_text(&self, bytes: &[u8]) -> Result<Text, Error> {
        let whole = self.whole(&self.read(bytes)?)?;
        let options = o3de_json::Options::new().max_depth(json::MAX_LEVELS);
        Ok(Text::from_slice(whole.to_string().as_bytes(), &options)?)
    }

    /// The file with the data of a merged text.
    fn write_text(&self, bytes: &[u8], text: &Text) -> Result<Vec<u8>, Error> {
        let before = self.whole(&self.read(bytes)?)?;
        let after: Json = json::read(text.to_text()?.as_bytes(), PhantomData)?;
        self.rebuild(bytes, &before, &after)
    }

    /// The JSON notation with what is around the data, in which every kind is said.
    fn whole(&self, content: &Self::Content) -> Result<Json, Error> {
        let mut text = Vec::new();
        self.write_json(content, &mut text, Layout::Compact, true)?;
        json::read(&text, PhantomData)
    }

    /// Makes the file of the changed JSON. What did not change keeps its bytes.
    fn rebuild(&self, bytes: &[u8], before: &Json, after: &Json) -> Result<Vec<u8>, Error> {
        self.keep(bytes, &self.write_whole(before)?, self.write_whole(after)?)
    }

    /// The file with what `made` changes of `canonical`, which is written of the data of the file.
    fn keep(&self, bytes: &[u8], canonical: &[u8], made: Vec<u8>) -> Result<Vec<u8>, Error> {
        if canonical == bytes {
            return Ok(made);
        }
        self.must_be_the_same(bytes, canonical)?;
        // Text may end with a line.
        if let Some(end) = bytes.strip_prefix(canonical)
            && end.trim_ascii().is_empty()
        {
            return Ok([made.as_slice(), end].concat());
        }
        let spliced = self.spliced(bytes, canonical, &made);
        let is_right = |own: &Vec<u8>| self.must_be_the_same(own, &made).is_ok();
        Ok(spliced.filter(is_right).unwrap_or(made))
    }

    /// Makes a file of [`whole`](Codec::whole).
    fn write_whole(&self, json: &Json) -> Result<Vec<u8>, Error> {
        self.encode(json.to_string().as_bytes())
    }

    /// The file with what `made` changes of `canonical`, which has the data of the file.
    fn spliced(&self, bytes: &[u8], canonical: &[u8], made: &[u8]) -> Option<Vec<u8>> {
        let [own, before, after] = [bytes, canonical, made].map(|bytes| self.explain(bytes).ok());
        splice::merged(&own?.pieces(), &before?.pieces(), &after?.pieces())
    }

    /// Refuses to write a file of which the JSON does not say everything.
    fn must_be_the_same(&self, bytes: &[u8], written: &[u8]) -> Result<(), Error> {
        let (old, new) = (self.read(bytes)?, self.read(written)?);
        match self.compare(&old, &new, 40).first() {
            None => Ok(()),
            Some(change) => Err(Error::new(format!(
                "cannot be changed: {} would not be written back the same",
                change.path
            ))),
        }
    }

    /// Makes a valid file of what can be read of a damaged one.
    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Error> {
        let _ = bytes;
        Err(Error::new("files of this format can only be read as a whole"))
    }

    /// Draws the hierarchy in a file, for formats that have one.
    fn tree(&self, content: &Self::Content, columns: Option<usize>) -> Result<Drawing, Error> {
        let _ = (content, columns);
        Err(Error::new("files of this format have no hierarchy; `decode` shows what is in them"))
    }
}

/// The data in which a format's values are found.
pub(super) type DataOf<C> = <<C as Codec>::Values as Values>::Data;

/// [`Codec::changed`] of a format that is changed in its JSON notation.
pub(super) fn changed_json<C: Codec>(
    codec: &C,
    bytes: &[u8],
    before: &Json,
    after: &Json,
) -> Result<(Vec<u8>, C::Content), Error> {
    let made = codec.rebuild(bytes, before, after)?;
    let content = codec.read(&made)?;
    Ok((made, content))
}

/// [`Codec::data`] of a format that is changed in its JSON notation.
pub(super) fn json_of<'d, C: Codec>(
    codec: &C,
    content: &C::Content,
    cache: &'d OnceLock<Json>,
) -> Result<&'d Json, Error> {
    match cache.get() {
        Some(json) => Ok(json),
        None => {
            let whole = codec.whole(content)?;
            Ok(cache.get_or_init(|| whole))
        }
    }
}

/// The outcome of reading a file and writing it again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The same bytes come out.
    Identical,
    /// The same data in other bytes, from this offset on.
    Equivalent(usize),
    /// Other data, or data that cannot be written; why.
    Differs(String),
}

/// [`Codec::check`] of a format with these functions.
pub(super) fn verdict<D: PartialEq>(
    bytes: &[u8],
    decode: impl Fn(&[u8]) -> Result<D, Error>,
    encode: impl Fn(&D) -> Result<Vec<u8>, Error>,
) -> Result<Verdict, Error> {
    let data = decode(bytes)?;
    let written = match encode(&data) {
        Ok(written) => written,
        Err(error) => return Ok(Verdict::Differs(format!("not written back: {error}"))),
    };
    let Some(at) = difference(bytes, &written) else { return Ok(Verdict::Identical) };
    Ok(match decode(&written) {
        Ok(again) if again == data => Verdict::Equivalent(at),
        Ok(_) => Verdict::Differs(format!("other data from byte {at:#x} on")),
        Err(error) => Verdict::Differs(format!("not read back: {error}")),
    })
}

/// Where two files begin to differ, if they do.
pub(super) fn difference(old: &[u8], new: &[u8]) -> Option<usize> {
    let common = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    (common < old.len() || common < new.len()).then_some(common)
}

/// Strict reading, for formats that write the same for different bytes.
pub(super) fn must_be_canonical(bytes: &[u8], written: &[u8]) -> Result<(), Error> {
    match difference(bytes, written) {
        None => Ok(()),
        Some(at) => Err(Error::new(format!("other bytes would be written at byte {at:#x}"))
            .at(Some(at))
            .with_hint(Some("without --strict this is read"))),
    }
}
