//! How files are read and written: plain data that anything can fill in.

#[cfg(any(feature = "godot-resource", feature = "resonite-save"))]
use std::path::Path;
use std::path::PathBuf;

#[cfg(feature = "godot-variant")]
use super::godot::settings::{GodotSettings, GodotTarget};
use serde_json::Value as Json;

use super::choice::Said as _;
use super::error::Error;
use super::limits::{Limits, MAX_DEPTH};
#[cfg(feature = "o3de-prefab")]
use super::o3de::settings::{O3deSettings, O3deTarget};
#[cfg(feature = "kiwi-pclass")]
use super::pclass::settings::{PclassSettings, PclassTarget};
#[cfg(feature = "resonite-save")]
use super::resonite::settings::{ResoniteSettings, ResoniteTarget};
#[cfg(feature = "godot-resource")]
use super::resource::{ResourceSettings, ResourceTarget};
#[cfg(feature = "zeze-serialize")]
use super::zeze::settings::{ZezeSettings, ZezeTarget};
use crate::{Format, UnknownFormat};

/// How a file is read, and written again. The default reads what the engines write.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The format; `None` to tell it by the bytes and the name.
    pub format: Option<Format>,
    /// The name of the file, which may say what the bytes do not. Nothing is opened by it.
    pub name: Option<PathBuf>,
    /// The limits of reading.
    pub limits: Limits,
    /// For Godot's files.
    #[cfg(feature = "godot-variant")]
    pub godot: GodotSettings,
    /// For Godot's scenes and resources.
    #[cfg(feature = "godot-resource")]
    pub resource: ResourceSettings,
    /// For O3DE's files.
    #[cfg(feature = "o3de-prefab")]
    pub o3de: O3deSettings,
    /// For PropertyClass objects.
    #[cfg(feature = "kiwi-pclass")]
    pub pclass: PclassSettings,
    /// For saves of Resonite.
    #[cfg(feature = "resonite-save")]
    pub resonite: ResoniteSettings,
    /// For data of Zeze.
    #[cfg(feature = "zeze-serialize")]
    pub zeze: ZezeSettings,
}

impl Settings {
    /// Sets what has a name on the command line, with `_` between words: `max_depth`, `framing`. Returns
    /// whether there is such a setting, in the formats that are compiled in. `null` leaves everything as it is.
    ///
    /// ```
    /// use gamewire::Settings;
    ///
    /// let mut settings = Settings::default();
    /// assert!(settings.set("max_depth", &16.into())?);
    /// assert!(!settings.set("depth", &16.into())?);
    /// # Ok::<(), gamewire::document::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the setting cannot have this value.
    pub fn set(&mut self, name: &str, value: &Json) -> Result<bool, Error> {
        let set = if value.is_null() { Ok(true) } else { self.set_one(name, value) };
        set.map_err(|error| Error::new(format!("{name}: {error}")))
    }

    fn set_one(&mut self, name: &str, value: &Json) -> Result<bool, Error> {
        match name {
            "format" => {
                let format = String::of(value)?.parse();
                let wrong = |error: UnknownFormat| Error::new(error.to_string());
                self.format = Some(format.map_err(wrong)?);
            }
            "name" => self.name = Some(String::of(value)?.into()),
            "strict" => self.limits.strict = bool::of(value)?,
            "max_depth" => self.limits.max_depth = Some(usize::of(value)?.min(MAX_DEPTH)),
            "max_memory" => self.limits.max_memory = Some(usize::of(value)?),
            _ => return self.set_format(name, value),
        }
        Ok(true)
    }

    fn set_format(&mut self, name: &str, value: &Json) -> Result<bool, Error> {
        macro_rules! any {
            ($($feature:literal $module:ident;)+) => {
                $(#[cfg(feature = $feature)]
                if self.$module.set(name, value)? {
                    return Ok(true);
                })+
            };
        }
        any! {
            "godot-variant" godot;
            "o3de-prefab" o3de;
            "kiwi-pclass" pclass;
            "resonite-save" resonite;
            "zeze-serialize" zeze;
        }
        Ok(false)
    }

    /// Takes from the name of the file that is written what it says of the container, where
    /// nothing else does.
    #[cfg(any(feature = "godot-resource", feature = "resonite-save"))]
    pub fn name_output(&mut self, path: &Path) {
        #[cfg(feature = "godot-resource")]
        self.resource.name_output(path);
        #[cfg(feature = "resonite-save")]
        self.resonite.name_output(path);
    }
}

/// Settings of what [`Document::convert`](super::Document::convert) writes, where it is not as read.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// For Godot's files.
    #[cfg(feature = "godot-variant")]
    pub godot: GodotTarget,
    /// For Godot's scenes and resources.
    #[cfg(feature = "godot-resource")]
    pub resource: ResourceTarget,
    /// For O3DE's files.
    #[cfg(feature = "o3de-prefab")]
    pub o3de: O3deTarget,
    /// For PropertyClass objects.
    #[cfg(feature = "kiwi-pclass")]
    pub pclass: PclassTarget,
    /// For saves of Resonite.
    #[cfg(feature = "resonite-save")]
    pub resonite: ResoniteTarget,
    /// For data of Zeze.
    #[cfg(feature = "zeze-serialize")]
    pub zeze: ZezeTarget,
}

impl Target {
    /// Takes from the name of the file that is written what it says of the container, where
    /// nothing else does.
    #[cfg(any(feature = "godot-resource", feature = "resonite-save"))]
    pub fn name_output(&mut self, path: &Path) {
        #[cfg(feature = "godot-resource")]
        self.resource.name_output(path);
        #[cfg(feature = "resonite-save")]
        self.resonite.name_output(path);
    }
}
