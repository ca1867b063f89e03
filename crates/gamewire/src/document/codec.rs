//! A format in a document: one [`Codec`] per format, each in its own module.

use std::fmt;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::Syntax;
use super::diff::Change;
use super::drawing::{Drawing, TreeOptions};
use super::drawn;
use super::edit::Edit;
use super::error::{Error, Hint};
use super::explained::Explanation;
use super::json::Layout;
use super::merge::Merged;
use super::node::Found;
use super::ranges::{Body, Bytes, Patch, Piece, RangeNode, Values, common_start};
use super::salvage::Salvaged;
use super::settings::{Settings, Target};
use crate::document::json::Json;

/// A format with the settings of one call.
pub(super) trait Codec: Sized + 'static {
    /// The syntax over which values are found and shown.
    type Syntax: Ranged;

    /// Whether the data is JSON text.
    const IS_JSON: bool = false;

    /// The data of a file, and what is around it.
    type Content: Clone;

    fn new(settings: &Settings, target: &Target) -> Self;

    /// The syntax of a file of this format, where that has several.
    fn syntax(bytes: &[u8], settings: &Settings) -> Option<Syntax> {
        let _ = (bytes, settings);
        None
    }

    /// Whether a file that nothing marks is of this format: by its name, or, where it is game data for
    /// sure, by how it looks.
    fn is_known(bytes: &[u8], name: Option<&Path>, is_sure: bool) -> bool {
        let _ = (bytes, name, is_sure);
        false
    }

    /// Why a file of no known format is not read, if it is of another format of the same engine.
    fn unsupported_kind(bytes: &[u8]) -> Option<Error> {
        let _ = bytes;
        None
    }

    /// Advice for a file of no known format, if its bytes say something.
    fn advice(bytes: &[u8]) -> Option<Error> {
        let _ = bytes;
        None
    }

    /// The file of another syntax that stands in a wrapper of this one's engine.
    fn unwrapped(bytes: &[u8], settings: &Settings) -> Option<Wrapped> {
        let _ = (bytes, settings);
        None
    }

    /// The container around the data in a few words, such as `store_var, 7 values`.
    fn describe(&self, bytes: &[u8]) -> String;

    /// The same of a file that was read.
    fn describe_read(&self, content: &Self::Content, bytes: &[u8]) -> String {
        let _ = content;
        self.describe(bytes)
    }

    fn read(&self, bytes: &Bytes) -> Result<Self::Content, Error>;

    /// Makes contents anew that are laid out alike, so that their bytes can be compared; none where they are.
    fn alike(&self, contents: &[&Self::Content]) -> Result<Vec<Self::Content>, Error> {
        let _ = contents;
        Ok(Vec::new())
    }

    /// Makes a file from the JSON notation.
    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Error>;

    /// Says what each byte means, as far as the file can be read.
    fn explain(&self, bytes: &[u8]) -> Result<Explanation, Error>;

    /// Reads a file, writes it again, and compares.
    fn check(&self, bytes: &[u8]) -> Result<Verdict, Error>;

    /// Returns what is odd in a file that is read and written as it stands, with paths.
    fn remarks(&self, bytes: &[u8]) -> Vec<String> {
        let _ = bytes;
        Vec::new()
    }

    /// Makes a file of the same format in another form.
    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error>;

    /// Returns what the other form does not hold, with the path.
    fn losses(&self, bytes: &[u8]) -> Result<Vec<String>, Error> {
        let _ = bytes;
        Ok(Vec::new())
    }

    /// Writes the JSON notation; with `wrap`, such that the container can be made again from it.
    fn write_json(
        &self,
        content: &Self::Content,
        out: &mut dyn Write,
        layout: Layout,
        wrap: bool,
    ) -> Result<(), Error>;

    /// Compares two files by value. Values are shown with at most `most` characters.
    fn compare(
        &self,
        old: &Self::Content,
        new: &Self::Content,
        most: usize,
    ) -> Result<Vec<Change>, Error>;

    /// The outermost value.
    fn root<'c>(&'c self, content: &'c Self::Content) -> RangeNode<'c, Self::Syntax>;

    /// The container around the outermost value, where that stands in one that is not shown.
    fn around<'c>(&'c self, content: &'c Self::Content) -> Option<RangeNode<'c, Self::Syntax>> {
        let _ = content;
        None
    }

    /// Scans other bytes, which take the place of the content's.
    fn rescanned(&self, content: &Self::Content, bytes: Vec<u8>) -> Result<Self::Content, Error>;

    /// The body of a content of which nothing else changes with the values, so that one of other bytes can take its
    /// place; after a change, if the new values are valid. `None` where all has to be read again.
    fn own_body<'c>(
        &self,
        content: &'c mut Self::Content,
        bytes: &[u8],
        patch: Option<&Patch>,
    ) -> Option<&'c mut Body> {
        let _ = (content, bytes, patch);
        None
    }

    /// Makes the file in which `after` is what `before` was.
    fn closed(
        &self,
        file: &[u8],
        before: &Self::Content,
        after: Self::Content,
    ) -> Result<Edited<Self::Content>, Error> {
        let _ = (file, before);
        let bytes = self.root(&after).body.bytes.clone();
        Ok((after, bytes))
    }

    /// Values that a file leaves out because they are defaults, so that there is one at a path: the positions of the
    /// children that lead to a container, and the container with it.
    fn restored<'c>(
        &'c self,
        content: &'c Self::Content,
        path: &str,
    ) -> Option<(Vec<usize>, Piece<'c, Self::Syntax>)> {
        let _ = (content, path);
        None
    }

    /// Makes the file of OURS with the root of THEIRS, where no change of the bytes of OURS does.
    fn replaced<'c>(
        &'c self,
        ours: &'c Self::Content,
        theirs: RangeNode<'c, Self::Syntax>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let _ = (ours, theirs);
        Ok(None)
    }

    /// Whether the file has exactly one framed value.
    fn is_only(&self, content: &Self::Content) -> bool {
        let _ = content;
        false
    }

    /// Values that paths lead to by the names of things, for each path.
    fn by_name<'c>(
        &'c self,
        content: &'c Self::Content,
        paths: &[&str],
    ) -> Vec<Vec<Found<RangeNode<'c, Self::Syntax>>>> {
        let _ = (content, paths);
        Vec::new()
    }

    /// Values that a path leads to in text that stands for other data.
    fn nested<'c>(&'c self, content: &'c Self::Content, path: &str) -> Vec<super::Node<'c>> {
        let _ = (content, path);
        Vec::new()
    }

    /// A warning before the file is changed, such as a checksum in it.
    fn caution(&self, content: &Self::Content) -> Option<String> {
        let _ = content;
        None
    }

    /// Makes changes of a file; `None` where nothing changes.
    fn edit(
        &self,
        file: &[u8],
        content: &Self::Content,
        edits: &[Edit<'_>],
    ) -> Result<Option<Edited<Self::Content>>, Error>;

    /// Makes the file of a merge, of that of OURS; `None` where that is it.
    fn merged<'c>(
        &'c self,
        file: &[u8],
        ours: &'c Self::Content,
        merged: Merged<RangeNode<'c, Self::Syntax>>,
    ) -> Result<Option<Edited<Self::Content>>, Error>;

    /// Refuses to change data that may mean something else, too.
    fn must_be_sure(&self, content: &Self::Content) -> Result<(), Error> {
        let _ = content;
        Ok(())
    }

    /// The data as plain JSON.
    fn plain(&self, content: &Self::Content) -> Result<Json, Error> {
        self.root(content).plain()
    }

    /// Returns a text file of which `canonical` is what is written, changed to `made`. It may end with a line.
    fn keep_end(&self, bytes: &[u8], canonical: &[u8], made: Vec<u8>) -> Result<Vec<u8>, Error> {
        if canonical != bytes {
            self.must_be_the_same(bytes, canonical)?;
        }
        let end = bytes.strip_prefix(canonical).filter(|end| end.trim_ascii().is_empty());
        Ok(end.map_or_else(|| made.clone(), |end| [made.as_slice(), end].concat()))
    }

    /// Refuses to write a file of which the JSON does not say everything.
    fn must_be_the_same(&self, bytes: &[u8], written: &[u8]) -> Result<(), Error> {
        let (old, new) = (self.read(&bytes.into())?, self.read(&written.into())?);
        match self.compare(&old, &new, 40)?.first() {
            None => Ok(()),
            Some(change) => Err(Error::new(format!(
                "cannot be changed: {} would not be written back the same",
                change.path
            ))),
        }
    }

    /// The faults in what the values mean together, which a merge must not add to; `None` for formats
    /// that know of none.
    fn faults(&self, content: &Self::Content) -> Option<Vec<Fault>> {
        let _ = content;
        None
    }

    /// Differences of versions that are laid out alike which no merge by value tells: OURS, THEIRS and
    /// BASE, and what was made of them.
    fn clashes(&self, alike: &[Self::Content], merged: &Self::Content) -> Vec<Fault> {
        let _ = (alike, merged);
        Vec::new()
    }

    /// The file in which the values are that people look for in this one.
    fn leads_to(&self, content: &Self::Content) -> Option<String> {
        let _ = content;
        None
    }

    /// Puts what of THEIRS is no value into the data of a merge, such as comments. `left_out` receives those
    /// that have no place there.
    fn carry(
        &self,
        base: Option<&Self::Content>,
        theirs: &Self::Content,
        merged: Vec<u8>,
        left_out: &mut dyn FnMut(&str),
    ) -> Result<Vec<u8>, Error> {
        let _ = (base, theirs, left_out);
        Ok(merged)
    }

    /// Whether the first bytes of a file that is not recognized point to this format. Beans of Zeze are found in
    /// nearly any bytes, and O3DE's files are known by their names: nothing points to them.
    fn begins(bytes: &[u8]) -> bool {
        let _ = bytes;
        false
    }

    /// Makes a valid file of what can be read of a damaged one, in time that grows with the file.
    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Error> {
        let _ = bytes;
        Err(Error::new("files of this format can only be read as a whole"))
    }

    /// Draws the hierarchy in a file.
    fn tree(&self, content: Self::Content, picture: TreeOptions) -> Result<Drawing, Error> {
        Ok(drawn::tree(&self.root(&content), picture))
    }
}

/// A format whose own values stand in its files.
pub(super) trait Ranged: Codec<Syntax = Self> + Values {}

impl<T: Codec<Syntax = T> + Values> Ranged for T {}

/// The editor of a file of such a format.
macro_rules! changed_by_ranges {
    () => {
        type Syntax = Self;

        fn edit(
            &self,
            file: &[u8],
            content: &Self::Content,
            edits: &[crate::document::edit::Edit<'_>],
        ) -> crate::document::ranges::Outcome<Self> {
            crate::document::ranges::edit(self, file, content, edits)
        }

        changed_by_ranges!(merges);
    };
    (merges) => {
        fn merged<'c>(
            &'c self,
            file: &[u8],
            ours: &'c Self::Content,
            merged: crate::document::merge::Merged<crate::document::ranges::RangeNode<'c, Self>>,
        ) -> crate::document::ranges::Outcome<Self> {
            crate::document::ranges::apply(self, file, ours, merged)
        }
    };
}

pub(super) use changed_by_ranges;

/// The error of a file that cannot be written with edits.
pub(super) fn does_not_fit(edits: &[Edit<'_>], error: &Error) -> Error {
    let why = error.message.split(", in ").next().unwrap_or_default();
    let paths: Vec<&str> = edits.iter().map(Edit::path).collect();
    Error::new(format!("{}: does not fit: {why}", paths.join(", ")))
}

/// A content after changes, and the data that it is read of.
pub(super) type Edited<C> = (C, Bytes);

/// A file in a wrapper, in which text of another syntax may be.
#[derive(Clone, Debug)]
pub(super) struct Wrapped {
    pub(super) syntax: Syntax,
    pub(super) text: Bytes,
    pub(super) wrapper: Arc<dyn Wrapper>,
}

impl Wrapped {
    /// The wrapper, and the data in it, in a few words.
    pub(super) fn about(&self, inside: &str) -> String {
        match self.wrapper.name() {
            name if name.is_empty() => inside.to_owned(),
            name => format!("{name}, {inside}"),
        }
    }

    /// An error in the text, which is not that of the file.
    pub(super) fn fault(&self, error: Error) -> Error {
        error.in_other_text(&self.text)
    }
}

/// The layers around a file of another format.
pub(super) trait Wrapper: fmt::Debug + Send + Sync {
    /// Its name.
    fn name(&self) -> String;

    /// Makes the file with another text, in another wrapping if there is to be one.
    fn close(&self, text: &[u8], target: &Target) -> Result<Vec<u8>, Error>;

    /// Makes the file with another text, when somebody looks at it where that takes long.
    fn close_later(&self, text: Bytes) -> Result<Bytes, Error>;

    /// Makes the file of the same text again, to be compared.
    fn again(&self, text: &[u8]) -> Result<Vec<u8>, Error>;
}

/// A fault of a document that can be read, in what its values mean together.
#[derive(PartialEq)]
pub(super) struct Fault {
    pub(super) path: String,
    pub(super) message: String,
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
    compared(bytes, &data, encode(&data), decode)
}

/// The verdict on data, of what it is written back as.
pub(super) fn compared<D: PartialEq>(
    bytes: &[u8],
    data: &D,
    written: Result<Vec<u8>, Error>,
    decode: impl Fn(&[u8]) -> Result<D, Error>,
) -> Result<Verdict, Error> {
    let written = match written {
        Ok(written) => written,
        Err(error) => return Ok(Verdict::Differs(format!("not written back: {error}"))),
    };
    let Some(at) = difference(bytes, &written) else { return Ok(Verdict::Identical) };
    Ok(match decode(&written) {
        Ok(again) if again == *data => Verdict::Equivalent(at),
        Ok(_) => Verdict::Differs(format!("other data from byte {at:#x} on")),
        Err(error) => Verdict::Differs(format!("not read back: {error}")),
    })
}

/// Where two files begin to differ, if they do.
pub(super) fn difference(old: &[u8], new: &[u8]) -> Option<usize> {
    let common = common_start(old, new);
    (common < old.len() || common < new.len()).then_some(common)
}

/// Strict reading, for formats that write the same for different bytes.
pub(super) fn must_be_canonical(bytes: &[u8], written: &[u8]) -> Result<(), Error> {
    match difference(bytes, written) {
        None => Ok(()),
        Some(at) => Err(Error::new(format!("other bytes would be written at byte {at:#x}"))
            .at(Some(at))
            .with_hint(Hint::Strict)),
    }
}
