//! How files are read and written: plain data that anything can fill in.

use std::path::{Path, PathBuf};

use super::godot::settings::{GodotSettings, GodotTarget};
use super::limits::Limits;
use super::o3de::settings::{O3deSettings, O3deTarget};
use super::pclass::settings::{PclassSettings, PclassTarget};
use super::resonite::settings::{ResoniteSettings, ResoniteTarget};
use super::zeze::settings::{ZezeSettings, ZezeTarget};
use crate::Format;

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
    pub godot: GodotSettings,
    /// For O3DE's files.
    pub o3de: O3deSettings,
    /// For PropertyClass objects.
    pub pclass: PclassSettings,
    /// For saves of Resonite.
    pub resonite: ResoniteSettings,
    /// For data of Zeze.
    pub zeze: ZezeSettings,
}

impl Settings {
    /// Takes from the name of the file that is written what it says of the container, where
    /// nothing else does.
    pub fn name_output(&mut self, path: &Path) {
        self.resonite.name_output(path);
    }
}

/// Settings of what [`Document::convert`](super::Document::convert) writes, where it is not as read.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// For Godot's files.
    pub godot: GodotTarget,
    /// For O3DE's files.
    pub o3de: O3deTarget,
    /// For PropertyClass objects.
    pub pclass: PclassTarget,
    /// For saves of Resonite.
    pub resonite: ResoniteTarget,
    /// For data of Zeze.
    pub zeze: ZezeTarget,
}

impl Target {
    /// Takes from the name of the file that is written what it says of the container, where
    /// nothing else does.
    pub fn name_output(&mut self, path: &Path) {
        self.resonite.name_output(path);
    }
}
