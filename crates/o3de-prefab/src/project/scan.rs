//! The scan folders that the settings registry names.

use std::path::{Path, PathBuf};

use super::bytes;
use crate::registry::files;
use o3de_json::report::{Outcome, Processing, ResultCode, Task};
use o3de_json::{Options, Value};

/// The Asset Processor's part of the settings registry, merged.
pub(super) struct Settings(Value);

/// Those of the engine (`Registry/AssetProcessorPlatformConfig.setreg`), for where it is missing.
const ENGINE: &[u8] = br#"{"Amazon": {"AssetProcessor": {"Settings": {
    "ScanFolder Project/Assets": {"watch": "@PROJECTROOT@", "recursive": 1, "order": 0},
    "ScanFolder Assets/Runtime": {"watch": "@ENGINEROOT@/Assets/Engine", "recursive": 1, "order": 20000},
    "ScanFolder Assets/Tools": {"watch": "@ENGINEROOT@/Assets/Editor", "recursive": 1, "order": 30000},
    "ScanFolder Engine/Registry": {"watch": "@ENGINEROOT@/Registry", "recursive": 1, "order": 40000},
    "GemScanFolderStartingPriorityOrder": 100
}}}}"#;

const PLACE: &str = "/Amazon/AssetProcessor/Settings";

impl Settings {
    /// Those of an engine.
    pub(super) fn of(engine: Option<&Path>) -> Self {
        let mut own = Settings(Value::Null);
        engine.into_iter().for_each(|engine| own.add_folder(&engine.join("Registry")));
        let settings = own.0.pointer(PLACE).and_then(Value::as_object);
        if !settings.is_some_and(|own| own.keys().any(|key| key.starts_with("ScanFolder "))) {
            own.0 = Options::new().from_slice(ENGINE).unwrap_or_default();
        }
        own
    }

    /// Merges the files of a `Registry` folder as the registry does for the Asset Processor.
    pub(super) fn add_folder(&mut self, folder: &Path) {
        let (files, _) = files(folder, &["tools", "assetprocessor"], None);
        files.iter().for_each(|file| self.add_file(file));
    }

    /// Merges a file, if it speaks of scan folders.
    pub(super) fn add_file(&mut self, file: &Path) {
        let Some(bytes) = bytes(file) else { return };
        if !bytes.windows(10).any(|part| part == b"ScanFolder") {
            return;
        }
        let options = Options::new().trailing_commas(true);
        let Ok(value) = options.from_slice::<Value>(&bytes) else { return };
        if file.extension().is_some_and(|own| own == "setregpatch") {
            _ = self.0.apply_patch_with(&value, &mut |step| match step.code.processing() {
                Processing::Halted => ResultCode::new(Task::Merge, Outcome::PartialSkip),
                _ => step.code,
            });
        } else {
            _ = self.0.apply_merge_patch(&value);
        }
    }

    /// The folders, the first first. `gems` are names and folders.
    pub(super) fn folders<'g>(
        &self,
        root: &Path,
        engine: Option<&Path>,
        gems: impl Iterator<Item = (&'g str, &'g Path)>,
    ) -> Vec<PathBuf> {
        let empty = Value::Null;
        let settings = self.0.pointer(PLACE).unwrap_or(&empty);
        let number = |own: &Value, name: &str| own.get(name).and_then(Value::as_i64).unwrap_or(0);
        let gems: Vec<(&str, &Path)> = gems.collect();
        let mut found: Vec<(i64, PathBuf)> = Vec::new();
        let mut project_order = 0;
        for (key, own) in settings.as_object().into_iter().flatten() {
            let (Some(id), Some(watch)) =
                (key.strip_prefix("ScanFolder "), own.get("watch").and_then(Value::as_str))
            else {
                continue;
            };
            // Of the others only the files in the very folder count, and none of them is named by prefabs.
            if number(own, "recursive") == 0 {
                continue;
            }
            let order = number(own, "order");
            if id == "Project/Assets" {
                project_order = order;
            }
            found.extend(place(watch, root, engine, &gems).map(|folder| (order, folder)));
        }
        let priority = settings.get("ProjectRelativeGemsScanFolderPriority");
        let priority = priority.and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
        let start = number(settings, "GemScanFolderStartingPriorityOrder");
        let places = gems.iter().flat_map(|(_, gem)| ["Assets", "Registry"].map(|own| (*gem, own)));
        for ((gem, own), count) in places.zip(1_i64..) {
            let order = match priority.as_str() {
                "higher" if gem.starts_with(root) => project_order.saturating_sub(count),
                "lower" if gem.starts_with(root) => project_order.saturating_add(count),
                _ => start.saturating_add(count),
            };
            found.push((order, gem.join(own)));
        }
        found.sort_by_key(|(order, _)| *order);
        found.into_iter().map(|(_, folder)| folder).collect()
    }
}

/// The folder that a `watch` stands for.
fn place(
    watch: &str,
    root: &Path,
    engine: Option<&Path>,
    gems: &[(&str, &Path)],
) -> Option<PathBuf> {
    let (head, rest) = match watch.strip_prefix('@')?.split_once('@') {
        Some(parts) => parts,
        None => return Some(PathBuf::from(watch)),
    };
    let folder = match head {
        "PROJECTROOT" => root,
        "ENGINEROOT" | "ROOT" => engine?,
        _ => {
            let name = head.strip_prefix("GEMROOT:")?;
            gems.iter().find(|(own, _)| *own == name)?.1
        }
    };
    Some(folder.join(rest.trim_start_matches('/')))
}
