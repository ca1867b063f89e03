//! [`Document`]: a value together with the text around it.

mod comments;
mod decor;
mod nodes;
mod walk;
mod write;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use gamewire_core::bytes::part;

use self::nodes::TextNodes;
use super::{Pointer, Text, Value, build};
use crate::error::go_on;
use crate::read::{Input, foreign};
use crate::write::into_text;
use crate::{Error, ErrorKind, Options, Result};
pub use comments::{Anchor, Comment, NewComment};
pub use walk::TextToken;

/// A document that is written back as it was read: comments, indentation and line ends included.
///
/// Text that was not changed stays the same byte for byte. A changed value changes only its own
/// bytes; members and elements that are new are laid out as their neighbours are.
///
/// Each member and element owns the white space and the comments before it, and those after it up to its comma
/// or the end of its line: they move with it, and go with it.
///
/// ```
/// use o3de_json::{Value, value::Document};
///
/// let mut settings: Document = r#"{
///     // How many files stay open.
///     "MaxFileHandles": 32,   "Name" : "Drive",
///     "Profiles": [ 1.50, 2.0 ]
/// }
/// "#.parse()?;
/// *settings.value_mut().pointer_mut("/MaxFileHandles").unwrap() = Value::from(64);
/// settings.value_mut().as_object_mut().unwrap().insert("Enabled", true);
/// assert_eq!(settings.to_text()?, r#"{
///     // How many files stay open.
///     "MaxFileHandles": 64,   "Name" : "Drive",
///     "Profiles": [ 1.50, 2.0 ],
///     "Enabled": true
/// }
/// "#);
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone)]
pub struct Document {
    source: Arc<String>,
    options: Options,
    /// Where its values are, once that is asked.
    nodes: OnceLock<TextNodes>,
    value: Value,
    touched: Touched,
}

/// The values that may have changed.
#[derive(Clone)]
enum Touched {
    Nothing,
    /// The values at these positions of children, from the root on. None is inside of another one.
    Places(Vec<Vec<usize>>),
    Everything,
}

impl Touched {
    /// For more of them the whole value is compared.
    const MAX_PLACES: usize = 64;

    fn add(&mut self, place: Vec<usize>) {
        let places = match self {
            Touched::Everything => return,
            Touched::Nothing => &mut Vec::new(),
            Touched::Places(places) => places,
        };
        // Positions inside of what was touched are no longer those of the text.
        if !places.iter().any(|own| place.starts_with(own)) {
            places.retain(|own| !own.starts_with(&place));
            places.push(place);
        }
        *self = match places.len() > Self::MAX_PLACES {
            true => Touched::Everything,
            false => Touched::Places(std::mem::take(places)),
        };
    }
}

impl Document {
    /// Reads a document with the default options, which accept comments.
    ///
    /// # Errors
    /// Text that is not JSON, or a limit.
    pub fn new(text: impl Into<String>) -> Result<Self> {
        Document::with_options(text, &Options::new())
    }

    /// Reads a document.
    ///
    /// # Errors
    /// Text that is not JSON by the options, or a limit.
    pub fn with_options(text: impl Into<String>, options: &Options) -> Result<Self> {
        let text = text.into();
        match options.invalid_utf8 {
            true => Document::of(foreign::to_text(text.as_bytes()).into_owned(), options),
            false => Document::of(text, options),
        }
    }

    fn of(text: String, options: &Options) -> Result<Self> {
        if u32::try_from(text.len()).is_err() {
            let message = format!("expected a text of less than 4 GiB, found {} bytes", text.len());
            return Err(Error::new(ErrorKind::MemoryLimit, message));
        }
        let source = Arc::new(text);
        let value = build::document(&source, options, TextNodes::SIZE)?;
        let (options, nodes) = (options.clone(), OnceLock::new());
        Ok(Document { source, options, nodes, value, touched: Touched::Nothing })
    }

    /// Reads a document from bytes.
    ///
    /// # Errors
    /// As [`with_options`](Document::with_options), and bytes that are not UTF-8, unless
    /// [`invalid_utf8`](Options::invalid_utf8) accepts them.
    pub fn from_slice(bytes: &[u8], options: &Options) -> Result<Self> {
        Input::check(bytes, options)?;
        let text = match options.invalid_utf8 {
            true => foreign::to_text(bytes),
            false => String::from_utf8_lossy(bytes),
        };
        Document::of(text.into_owned(), options)
    }

    /// The data.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The data, to change.
    pub fn value_mut(&mut self) -> &mut Value {
        self.touched = Touched::Everything;
        &mut self.value
    }

    /// The value at a JSON pointer, to change, as [`Value::pointer_mut`].
    ///
    /// Changes made this way alone are found without a look at the rest of the document, so that
    /// writing a large one takes hardly more than a copy of its text.
    ///
    /// ```
    /// let mut level: o3de_json::value::Document = r#"{ "Name" : "Lamp", "Scale": 1.50 }"#.parse()?;
    /// *level.pointer_mut("/Name").unwrap() = "Torch".into();
    /// assert_eq!(level.to_text()?, r#"{ "Name" : "Torch", "Scale": 1.50 }"#);
    /// # Ok::<(), o3de_json::Error>(())
    /// ```
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Value> {
        let parsed = Pointer::parse(pointer)?;
        let mut place = Vec::with_capacity(parsed.tokens().len());
        let mut value = &mut self.value;
        for token in parsed.tokens() {
            let (at, child) = match value {
                Value::Array(items) => {
                    let at = token.index?;
                    (at, items.get_mut(at)?)
                }
                Value::Object(object) => {
                    let mut members = object.iter_mut().enumerate();
                    let (at, (_, child)) = members.find(|(_, (name, _))| *name == token.name)?;
                    (at, child)
                }
                _ => return None,
            };
            place.push(at);
            value = child;
        }
        self.touched.add(place);
        Some(value)
    }

    /// The value at a JSON pointer, as [`Value::pointer`].
    pub fn get(&self, pointer: &str) -> Option<&Value> {
        self.value.pointer(pointer)
    }

    /// The children of the value at a JSON pointer, in order: members with their names, or elements.
    pub fn children(&self, pointer: &str) -> impl Iterator<Item = (Option<&str>, &Value)> {
        let (items, members) = match self.get(pointer) {
            Some(Value::Array(items)) => (Some(items), None),
            Some(Value::Object(object)) => (None, Some(object)),
            _ => (None, None),
        };
        let items = items.into_iter().flatten().map(|item| (None, item));
        items.chain(members.into_iter().flatten().map(|(name, value)| (Some(name.as_str()), value)))
    }

    /// Replaces the value at a JSON pointer and returns the old one; `None`, and nothing changes, where there
    /// is none.
    ///
    /// ```
    /// use o3de_json::value::Document;
    ///
    /// let mut level: Document = "{\n  \"Name\": \"Lamp\" // Hangs.\n}".parse()?;
    /// level.set("/Name", "Torch").unwrap();
    /// assert!(level.insert_member("", 0, "Id", 7));
    /// assert!(level.insert_member("", 2, "Tags", vec![1]));
    /// assert!(level.insert_element("/Tags", 0, 0.5));
    /// assert_eq!(level.remove("/Id").unwrap().as_u64(), Some(7));
    /// assert_eq!(
    ///     level.to_text()?,
    ///     "{\n  \"Name\": \"Torch\", // Hangs.\n  \"Tags\": [\n    0.5,\n    1\n  ]\n}"
    /// );
    /// # Ok::<(), o3de_json::Error>(())
    /// ```
    pub fn set(&mut self, pointer: &str, value: impl Into<Value>) -> Option<Value> {
        self.pointer_mut(pointer).map(|own| std::mem::replace(own, value.into()))
    }

    /// Puts a member into the object at a JSON pointer, before the one at a position, or at the end; returns
    /// whether there is such an object. The name may be there already.
    pub fn insert_member(
        &mut self,
        pointer: &str,
        at: usize,
        name: impl Into<Text>,
        value: impl Into<Value>,
    ) -> bool {
        let object = self.pointer_mut(pointer).and_then(Value::as_object_mut);
        object.map(|object| object.insert_at(at, name, value)).is_some()
    }

    /// Puts an element into the array at a JSON pointer, before the one at a position, or at the end; returns
    /// whether there is such an array.
    pub fn insert_element(&mut self, pointer: &str, at: usize, value: impl Into<Value>) -> bool {
        let items = self.pointer_mut(pointer).and_then(Value::as_array_mut);
        items
            .map(|own| {
                let at = at.min(own.len());
                own.insert(at, value.into());
            })
            .is_some()
    }

    /// Takes out the member or element at a JSON pointer, with the comments that it owns; `None` for the root, and
    /// where there is nothing.
    pub fn remove(&mut self, pointer: &str) -> Option<Value> {
        self.get(pointer)?;
        let parsed = Pointer::parse(pointer)?;
        let (last, _) = parsed.split_last()?;
        match self.pointer_mut(pointer.rsplit_once('/')?.0)? {
            Value::Array(items) => Some(items.remove(last.index?)),
            Value::Object(object) => object.remove(&last.name),
            _ => None,
        }
    }

    /// The data alone.
    pub fn into_value(self) -> Value {
        self.value
    }

    /// The text as it was read.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// How it was read.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// A document of another text that is to be read by the same options.
    ///
    /// # Errors
    /// As [`new`](Document::new).
    pub fn with_text(&self, text: String) -> Result<Self> {
        Document::of(text, &self.options)
    }

    /// Line and column, from 1, of the values at some JSON pointers in the text as it was read;
    /// `None` where there is none. All are found in one walk.
    pub fn places(&self, pointers: &[&str]) -> Vec<Option<(usize, usize)>> {
        let mut wanted: HashMap<&str, Option<usize>> =
            pointers.iter().map(|pointer| (*pointer, None)).collect();
        let mut left = wanted.len();
        self.each_token(&mut |token, range, pointer| {
            if !matches!(token, TextToken::Name(_) | TextToken::End)
                && let Some(place) = wanted.get_mut(pointer).filter(|place| place.is_none())
            {
                *place = Some(range.start);
                left = left.saturating_sub(1);
            }
            left > 0
        });
        let offsets: Vec<Option<usize>> =
            pointers.iter().map(|pointer| wanted.get(pointer).copied().flatten()).collect();
        let mut order: Vec<(usize, usize)> =
            offsets.iter().enumerate().filter_map(|(at, offset)| Some(((*offset)?, at))).collect();
        order.sort_unstable();
        let mut found = vec![None; offsets.len()];
        let (mut place, mut counted) = ((1, 1), 0);
        for (offset, at) in order {
            let between = part(self.source.as_bytes(), counted..offset);
            (place, counted) = (go_on(place, between), offset);
            found.get_mut(at).into_iter().for_each(|found| *found = Some(place));
        }
        found
    }

    /// The text with the changes in it.
    ///
    /// # Errors
    /// NaN or an infinity, or a limit.
    pub fn to_text(&self) -> Result<String> {
        if let Touched::Nothing = self.touched {
            return Ok(String::clone(&self.source));
        }
        let mut text = Vec::new();
        self.write(&mut text)?;
        Ok(into_text(text))
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        let places = match &self.touched {
            Touched::Nothing => {
                out.extend_from_slice(self.source.as_bytes());
                return Ok(());
            }
            Touched::Places(places) => places.as_slice(),
            // The root.
            Touched::Everything => &[Vec::new()],
        };
        let nodes = self.nodes.get_or_init(|| TextNodes::read(&self.source, &self.options));
        write::write(out, &self.source, nodes, &self.value, places, &self.options)
    }

    /// The bytes of the text with the changes in it, also those that are not UTF-8.
    ///
    /// # Errors
    /// As [`to_text`](Document::to_text).
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.append_to_vec(&mut bytes).map(|()| bytes)
    }

    /// Writes the bytes at the end of `out`; `out` is as before when that fails.
    ///
    /// # Errors
    /// As [`to_text`](Document::to_text).
    pub fn append_to_vec(&self, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        self.write(out).inspect_err(|_| out.truncate(start))?;
        if self.options.invalid_utf8 {
            *out = foreign::to_bytes(std::mem::take(out), start);
        }
        Ok(())
    }
}

impl FromStr for Document {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Document::new(text)
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document").field("value", &self.value).finish_non_exhaustive()
    }
}
