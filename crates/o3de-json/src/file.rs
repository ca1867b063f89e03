//! Files that say which class they hold.

use gamewire_core::bytes::text_part;
use gamewire_core::words::Shortened;
use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use crate::read::{Kind, Reader};
use crate::report::Report;
use crate::value::decode::skip;
use crate::write::quoted;
use crate::{Error, ErrorKind, Options, Result};

const TYPE: &str = "JsonSerialization";

/// Where the parts of a wrapper are.
#[derive(Default)]
struct Wrapper {
    is_wrapper: bool,
    class_name: Option<String>,
    /// Begin and end of the data, and whether it can be data.
    data: Option<(usize, usize, bool)>,
}

/// Files in the engine's wrapper, `Type`, `Version`, `ClassName` and `ClassData`, that hold a value of
/// one class.
///
/// ```
/// use o3de_json::Options;
/// use o3de_json::file::File;
///
/// #[derive(serde::Deserialize)]
/// struct Lamp { height: f32 }
///
/// let text = r#"{
///     "Type": "JsonSerialization",
///     "Version": 1,
///     "ClassName": "Lamp",
///     "ClassData": { "height": 2.5 }
/// }"#;
/// let lamp: Lamp = File::new("Lamp", Options::new()).from_str(text)?;
/// assert_eq!(lamp.height, 2.5);
/// assert!(File::new("Post", Options::new()).from_str::<Lamp>(text).is_err());
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct File<'a> {
    class_name: &'a str,
    options: Options,
}

impl<'a> File<'a> {
    /// Files of a class, read and written by options.
    pub const fn new(class_name: &'a str, options: Options) -> Self {
        File { class_name, options }
    }

    /// Reads the data of a file.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for a text that is no wrapper, [`ErrorKind::Missing`] for one without
    /// a class name, [`ErrorKind::TypeMismatch`] for another class, whatever its case; and as
    /// [`Options::from_str`] for the data.
    pub fn from_str<T: DeserializeOwned>(&self, text: &str) -> Result<T> {
        let data = self.class_data(text)?;
        self.options.from_str(&data).map_err(inside)
    }

    /// Loads the data of a file as [`Options::load`] does.
    ///
    /// # Errors
    /// As [`from_str`](Self::from_str) for the wrapper and as [`Options::load`] for the data.
    pub fn load<T: DeserializeOwned>(&self, text: &str) -> Result<(T, Report)> {
        let data = self.class_data(text)?;
        let (value, mut report) = self.options.load(&data).map_err(inside)?;
        for issue in &mut report.issues {
            issue.pointer.insert_str(0, "/ClassData");
        }
        Ok((value, report))
    }

    /// Writes a file in the engine's wrapper and layout.
    ///
    /// # Errors
    /// As [`Options::to_string`].
    pub fn to_string<T: Serialize + ?Sized>(&self, value: &T) -> Result<String> {
        let data = self.options.to_string_pretty(value)?;
        let mut text = format!("{{\n    \"Type\": \"{TYPE}\",\n    \"Version\": 1,\n");
        text.push_str("    \"ClassName\": ");
        text.push_str(&quoted(self.class_name));
        text.push_str(",\n    \"ClassData\": ");
        for (index, line) in data.split('\n').enumerate() {
            text.push_str(if index == 0 { "" } else { "\n    " });
            text.push_str(line);
        }
        text.push_str("\n}");
        Ok(text)
    }

    /// The text with nothing but the data in it, at its offset, which errors then have.
    fn class_data(&self, text: &str) -> Result<String> {
        let class_name = self.class_name;
        let wrapper = Wrapper::read(text, &self.options)?;
        let refused =
            |kind, message: String| Err(Error::at(kind, 0, message).placed(text.as_bytes()));
        if !wrapper.is_wrapper {
            return refused(
                ErrorKind::Invalid,
                format!("expected an object whose `Type` is `{TYPE}`"),
            );
        }
        let Some(found) = wrapper.class_name else {
            return refused(ErrorKind::Missing, "the file has no `ClassName`".to_owned());
        };
        if !found.eq_ignore_ascii_case(class_name) {
            let found = Shortened(&found);
            let message = format!("expected a file of class `{class_name}`, found `{found}`");
            return refused(ErrorKind::TypeMismatch, message);
        }
        // The engine reads what is missing; nothing is a default here.
        let Some((start, end, is_data)) = wrapper.data else { return Ok("{}".to_owned()) };
        if !is_data {
            let message = "expected an object or array in `ClassData`";
            return Err(Error::at(ErrorKind::Invalid, start, message).placed(text.as_bytes()));
        }
        // As many bytes of white space.
        let blank = |byte| if byte == b'\n' { '\n' } else { ' ' };
        let mut data: String = text_part(text, ..start).bytes().map(blank).collect();
        data.push_str(text_part(text, start..end));
        Ok(data)
    }
}

impl Wrapper {
    fn read(text: &str, options: &Options) -> Result<Self> {
        Wrapper::find(Reader::new(text, options)).map_err(|error| error.placed(text.as_bytes()))
    }

    fn find(mut reader: Reader<'_>) -> Result<Self> {
        let mut wrapper = Wrapper::default();
        if reader.peek_kind()? != Kind::Object {
            skip(&mut reader)?;
            reader.end()?;
            return Ok(wrapper);
        }
        reader.open()?;
        let mut first = true;
        while let Some(name) = reader.next_key(&mut first)? {
            let kind = reader.peek_kind()?;
            match (&*name, kind) {
                ("Type", Kind::String) => {
                    wrapper.is_wrapper = reader.string()?.eq_ignore_ascii_case(TYPE);
                }
                ("ClassName", Kind::String) => {
                    wrapper.class_name = Some(reader.string()?.into_owned());
                }
                ("ClassData", kind) => {
                    let start = reader.offset();
                    skip(&mut reader)?;
                    let is_data = matches!(kind, Kind::Object | Kind::Array);
                    wrapper.data = Some((start, reader.offset(), is_data));
                }
                _ => skip(&mut reader)?,
            }
        }
        reader.end()?;
        Ok(wrapper)
    }
}

/// The class name of a file in the engine's wrapper; `None` for any other JSON.
///
/// # Errors
/// Text that is not JSON, or a limit.
pub fn class_name(text: &str, options: &Options) -> Result<Option<String>> {
    let wrapper = Wrapper::read(text, options)?;
    Ok(wrapper.class_name.filter(|_| wrapper.is_wrapper))
}

fn inside(error: Error) -> Error {
    error.in_field("ClassData")
}
