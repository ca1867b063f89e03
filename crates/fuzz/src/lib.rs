//! The bodies of the fuzz targets: functions of any bytes that panic on what is to be reported.
//!
//! `cargo xtask fuzz` runs them. A new target is a function, and its name in [`TARGETS`].

#![forbid(unsafe_code)]

mod archive;
mod cost;
mod dml;
mod explain;
mod godot;
mod kiwi;
mod multiplayer;
mod net;
mod o3de;
mod ranges;
mod resonite;
mod resource;
mod tool;
mod zeze;

use std::path::Path;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, that of the function.
    pub name: &'static str,
    /// The folder in `testdata` whose files and rows the inputs are made from; empty for all.
    pub seeds: &'static str,
    /// The body; it panics on what it wants reported.
    pub run: fn(&[u8]),
}

macro_rules! targets {
    ($($seeds:literal $module:ident: $($target:ident),+;)+) => {
        &[$($(
            Target { name: stringify!($target), seeds: $seeds, run: $module::$target },
        )+)+]
    };
}

/// All targets.
pub const TARGETS: &[Target] = targets! {
    "godot-variant" godot: godot_bytes, godot_text;
    "godot-multiplayer" multiplayer: godot_packets;
    "godot-variant" multiplayer: godot_wrapped;
    "godot-resource" resource: resource_text, resource_binary, resource_merge;
    "o3de-json" o3de: o3de_text, o3de_document;
    "kiwi-pclass" kiwi: kiwi_bytes, kiwi_text;
    "kiwi-pclass" archive: kiwi_archive, kiwi_delta;
    "kiwi-dml" dml: kiwi_frames;
    "zeze-serialize" zeze: zeze_bytes, zeze_text;
    "zeze-serialize" net: zeze_net, zeze_net_pair, zeze_mppc, zeze_zstd;
    "resonite-brson" resonite: brson_bytes, brson_text, brson_save, brson_package;
    "resonite-save" resonite: brson_mesh;
    "" cost: cost;
    "" ranges: ranges;
    "" tool: tool;
};

/// A number that any change of the input changes: for what a target may choose without a byte of its
/// own in the input, so that samples are inputs as they are.
pub(crate) fn lot(data: &[u8], count: usize) -> usize {
    let mixed = data
        .iter()
        .fold(0x811c_9dc5_u32, |mixed, byte| (mixed ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    // The low bits of such a product depend on the low bits alone.
    (mixed >> 8) as usize % count
}

/// Longer inputs are no good as seeds.
const MAX_SEED: usize = 32 << 10;

/// The contents of the files of a folder and of those below: of vector files the bytes and texts of each
/// row, of cases the bytes, others as they are.
pub fn seeds(folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let mut seeds = Vec::new();
    for path in paths {
        let bytes = std::fs::read(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        match path.extension().and_then(|own| own.to_str()) {
            _ if path.is_dir() => seeds.extend(self::seeds(&path)),
            Some("jsonl") => text.lines().for_each(|line| of_row(line, &mut seeds)),
            Some("hex") => {
                // A session has what each side sends.
                for side in ["", "client ", "server "] {
                    let lines = text.lines().filter(|line| !line.starts_with('#'));
                    let digits = lines.filter_map(|line| line.strip_prefix(side));
                    seeds.extend(from_hex(&digits.collect::<String>()));
                }
            }
            _ => seeds.push(bytes),
        }
    }
    seeds.retain(|seed| seed.len() <= MAX_SEED);
    seeds.sort();
    seeds.dedup();
    seeds
}

/// The bytes of a row, or each text and document in it, and the members of a document as a list:
/// so a patch stands beside what it changes.
fn of_row(line: &str, seeds: &mut Vec<Vec<u8>>) {
    use serde_json::Value::{Array, Object, String};
    let Ok(Object(row)) = serde_json::from_str(line) else { return };
    if let Some(String(digits)) = row.get("hex") {
        return seeds.extend(from_hex(digits));
    }
    for value in row.values() {
        match value {
            String(text) => seeds.push(text.clone().into_bytes()),
            Object(members) => {
                seeds.push(value.to_string().into_bytes());
                let list = Array(members.values().cloned().collect());
                seeds.push(list.to_string().into_bytes());
            }
            Array(_) => seeds.push(value.to_string().into_bytes()),
            _ => {}
        }
    }
}

fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let digits: String = digits.split_whitespace().collect();
    let pair = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(pair).collect()
}
