//! Settings of PropertyClass objects.

use std::sync::Arc;

use kiwi_pclass::core_object::CoreTypes;
use kiwi_pclass::hash::Game;
use kiwi_pclass::types::{PropertyFlags, SerializerFlags};
use kiwi_pclass::{Mode, Schema, Unknown};

use serde_json::Value as Json;

use crate::document::choice::{Choices, Said as _, name, said};
use crate::document::error::Error;

/// The layers around the objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// A file with the magic `BINd`.
    Bind,
    /// A stream and nothing around it.
    Bare,
    /// A stream that is compressed as a whole.
    Zlib,
    /// A stream in the envelope of network messages.
    Envelope,
    /// The debug form in XML.
    Xml,
}

impl Form {
    /// The name in the JSON notation.
    pub(super) fn name(self) -> String {
        name(FORMS, &Some(self))
    }

    pub(super) fn is_text(self) -> bool {
        self == Form::Xml
    }
}

/// The forms.
pub const FORMS: Choices<Option<Form>> = &[
    (
        "auto",
        "As the file looks, bare if nothing speaks for another; for `encode`, as the JSON says, \
         else bind",
        None,
    ),
    ("bind", "A file with the magic BINd", Some(Form::Bind)),
    ("bare", "A stream and nothing around it", Some(Form::Bare)),
    ("zlib", "A stream that is compressed as a whole", Some(Form::Zlib)),
    ("envelope", "A stream in the envelope of network messages", Some(Form::Envelope)),
    ("xml", "The debug form in XML", Some(Form::Xml)),
];

/// The layouts.
pub const MODES: Choices<Mode> = &[
    ("shallow", "Values only, as in network messages", Mode::Shallow),
    ("deep", "With sizes and hashes, as in files", Mode::Deep),
];

/// The treatment of classes and properties that the schema does not have.
pub const UNKNOWN_CHOICES: Choices<Unknown> = &[
    ("refuse", "They are an error", Unknown::Refuse),
    ("skip", "They are left out: an object becomes null", Unknown::Skip),
    ("keep", "Their bits are kept and written back", Unknown::Keep),
];

/// The games.
pub const GAMES: Choices<Game> = &[
    ("wizard101", "Two kinds of hashes", Game::Wizard101),
    ("pirate101", "One kind of hashes", Game::Pirate101),
];

/// Settings of PropertyClass objects for reading and writing.
#[derive(Clone, Debug, Default)]
pub struct PclassSettings {
    /// Says what the bytes do not; nearly nothing is read without it.
    pub schema: Option<Arc<Schema>>,
    /// The treatment of classes and properties that the schema does not have, in deep mode; `None`
    /// keeps their bits.
    pub unknown: Option<Unknown>,
    /// Leave deprecated properties out of shallow objects, as some other programs do.
    pub skip_deprecated: bool,
    /// How objects are laid out; `None` for deep in files, XML, and by the names that
    /// [`BARE_OBJECTS`](kiwi_pclass::archive::BARE_OBJECTS) has; else shallow.
    pub mode: Option<Mode>,
    /// Flags of streams that do not have them; `None` for 7 in files and XML, else 0.
    pub flags: Option<SerializerFlags>,
    /// Properties that take part have all of these flags; `None` for 1 where objects are deep by default, else
    /// 0x18.
    pub mask: Option<PropertyFlags>,
    /// The form of the file; `None` to go by its looks.
    pub form: Option<Form>,
    /// Objects have the headers of core objects, of these types.
    pub core_types: Option<Arc<CoreTypes>>,
    /// Read entries of archives whose checksum is wrong.
    pub ignore_checksums: bool,
}

impl PclassSettings {
    /// Sets what has a name. Returns whether there is such a setting.
    pub(crate) fn set(&mut self, name: &str, value: &Json) -> Result<bool, Error> {
        match name {
            "unknown" => self.unknown = Some(said(UNKNOWN_CHOICES, value)?),
            "skip_deprecated" => self.skip_deprecated = bool::of(value)?,
            "mode" => self.mode = Some(said(MODES, value)?),
            "flags" => self.flags = Some(SerializerFlags(u32::of(value)?)),
            "mask" => self.mask = Some(PropertyFlags(u32::of(value)?)),
            "form" => self.form = said(FORMS, value)?,
            "core_types" => self.core_types = core_types(value)?,
            "ignore_checksums" => self.ignore_checksums = bool::of(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Settings for PropertyClass objects that are converted; `None` is as read.
#[derive(Clone, Copy, Debug, Default)]
pub struct PclassTarget {
    /// The form that is written; `None` for XML of binary input, `BINd` of XML.
    pub form: Option<Form>,
    /// The layout that is written.
    pub mode: Option<Mode>,
    /// The serializer flags that are written.
    pub flags: Option<SerializerFlags>,
    /// Properties with all of these flags are written.
    pub mask: Option<PropertyFlags>,
}

/// Core types: those that are known, or numbers with the names of classes.
fn core_types(value: &Json) -> Result<Option<Arc<CoreTypes>>, Error> {
    let wrong = || Error::new(format!("expected true, or classes by numbers, found {value}"));
    Ok(match value {
        Json::String(own) if own == "known" => Some(Arc::new(CoreTypes::wizard101())),
        Json::Bool(is_known) => is_known.then(|| Arc::new(CoreTypes::wizard101())),
        Json::Object(all) => {
            let types = all.iter().try_fold(CoreTypes::new(), |types, (number, class)| {
                Some(types.with(number.parse().ok()?, class.as_str()?))
            });
            Some(Arc::new(types.ok_or_else(wrong)?))
        }
        _ => return Err(wrong()),
    })
}
