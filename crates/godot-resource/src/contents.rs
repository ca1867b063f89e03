//! The contents of a file, whichever its form.

mod losses;
mod order;
mod read;
mod to_binary;
mod to_text;
mod values;

pub use losses::{Converted, Loss};

pub(crate) use read::text as field_text;
pub(crate) use to_binary::reference_of;
pub(crate) use values::{depth, each_value, replace_values};

use godot_variant::types::GString;
use godot_variant::value::Reference;
use godot_variant::{Dialect, Value};

use crate::{Error, ErrorKind, Options, Result, Scene, Uid};

/// The contents of a scene or resource file: the same from text and from binary.
///
/// Values refer to other resources by [`Reference`]s, with the ids of [`External`] and [`Resource`].
///
/// ```
/// use godot_resource::Contents;
///
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" type=\"Timer\" parent=\".\"]\nwait_time = 2.0\n";
/// let contents = Contents::open(text)?;
/// let scene = contents.scene.as_ref().unwrap();
/// let timer = scene.find("B").unwrap();
/// assert_eq!((timer.class.as_deref(), timer.get("wait_time")), (Some("Timer"), Some(&2.0.into())));
///
/// // The same scene as the engine's binary form, and back.
/// let binary = contents.to_binary(&Default::default())?;
/// assert!(binary.losses.is_empty());
/// assert_eq!(Contents::open(&binary.file)?.scene, contents.scene);
/// # Ok::<(), godot_resource::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    /// Of engines 3.x or 4.x.
    pub dialect: Dialect,
    /// The class of the main resource; `PackedScene` of a scene.
    pub class: GString,
    /// The name of the script class of the main resource.
    pub script_class: Option<GString>,
    /// The uid of the file.
    pub uid: Option<Uid>,
    /// Files that it refers to.
    pub externals: Vec<External>,
    /// Resources inside of the file, each before what refers to it.
    pub resources: Vec<Resource>,
    /// The properties of the main resource. Those of a scene are its nodes, so that it has mostly none.
    pub properties: Properties,
    /// The nodes of a scene.
    pub scene: Option<Scene>,
}

/// Names and values, in order.
pub type Properties = Vec<(GString, Value)>;

/// A file that a file refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct External {
    /// The id by which values refer to it. In a binary file it is the place in the table, from 1.
    pub id: GString,
    /// The engine's class.
    pub class: GString,
    /// The `res://` path, or one that is relative to the file.
    pub path: GString,
    /// The uid, which wins over the path.
    pub uid: Option<Uid>,
}

/// A resource inside of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resource {
    /// The id by which values refer to it.
    pub id: GString,
    /// The engine's class.
    pub class: GString,
    /// Its properties.
    pub properties: Properties,
}

impl Resource {
    /// The value of a property. Of two that have one name the last counts.
    pub fn get(&self, property: &str) -> Option<&Value> {
        get(&self.properties, property)
    }
}

/// The last value of a name.
pub(crate) fn get<'a>(properties: &'a Properties, name: &str) -> Option<&'a Value> {
    properties.iter().rfind(|(own, _)| own == name).map(|(_, value)| value)
}

impl Contents {
    /// A resource of a class, without properties, for engines 4.x.
    pub fn new(class: &str) -> Self {
        Contents {
            dialect: Dialect::Godot4,
            class: class.into(),
            script_class: None,
            uid: None,
            externals: Vec::new(),
            resources: Vec::new(),
            properties: Vec::new(),
            scene: None,
        }
    }

    /// Reads a file of either form.
    ///
    /// # Errors
    /// As [`Options::open`].
    pub fn open(bytes: &[u8]) -> Result<Self> {
        Options::new().open(bytes)
    }

    /// The value of a property of the main resource.
    pub fn get(&self, property: &str) -> Option<&Value> {
        get(&self.properties, property)
    }

    /// The file with an id.
    pub fn external(&self, id: &str) -> Option<&External> {
        self.externals.iter().find(|own| own.id == id)
    }

    /// The resource with an id.
    pub fn resource(&self, id: &str) -> Option<&Resource> {
        self.resources.iter().rfind(|own| own.id == id)
    }

    /// The path to which a reference leads out of the file; `None` for a resource in it, and for one that is
    /// not there.
    pub fn path<'a>(&'a self, reference: &'a Reference) -> Option<&'a str> {
        match reference {
            Reference::External(id) => self.external(id).map(|own| &*own.path),
            Reference::File { path, uid } if path.is_empty() => Some(uid),
            Reference::File { path, .. } => Some(path),
            _ => None,
        }
    }
}

impl Options {
    /// Reads a file of either form.
    ///
    /// # Errors
    /// As [`parse`](Self::parse) and [`parse_binary`](Self::parse_binary); settings, which hold no resource;
    /// a tag that is none or lacks a field; a scene whose tables do not fit together.
    pub fn open(&self, bytes: &[u8]) -> Result<Contents> {
        if crate::Binary::is_binary(bytes) {
            return self.parse_binary(bytes)?.contents();
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let text = "expected RSRC, RSCC or text in UTF-8, found other bytes";
            Error::at(ErrorKind::InvalidUtf8, error.valid_up_to(), text)
        })?;
        self.parse(text)?.contents()
    }
}
