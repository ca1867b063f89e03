//! Changes of a package in one step: fewer assets, another asset, another record.

use gamewire::Format;
use gamewire::document::{Document, Error, Settings, count, shortened};
use gamewire::resonite_brson::Options;
use gamewire::resonite_save::package::{Package, Record, is_hash};
use serde_json::Value as Json;

use super::slots::Edited;

/// Characters of foreign text that are shown.
const MAX_SHOWN: usize = 100;

/// Takes out the components of assets and the files that nothing needs.
pub(crate) fn strip(bytes: &[u8], options: &Options) -> Result<Edited, Error> {
    let mut package = super::package::read(bytes, options)?;
    let mut object = package.object()?;
    let stripped = object.strip_unused();
    package.set_object(&object)?;
    let before = package.clone();
    let files = package.strip_unused()?;
    let freed: usize = files.iter().filter_map(|hash| before.asset(hash)).map(<[u8]>::len).sum();
    let mut notes: Vec<String> = files
        .iter()
        .map(|hash| {
            let len = before.asset(hash).map_or(0, <[u8]>::len);
            format!("{}  {len}", hash.escape_debug())
        })
        .collect();
    notes.push(format!(
        "{} with {freed} bytes, {} and {} that nothing needs",
        count(files.len(), "file"),
        count(stripped.assets, "component"),
        count(stripped.types, "type")
    ));
    Ok(Edited { bytes: package.to_vec()?, notes })
}

/// Puts files into the places of assets, each named by its hash or by the path of an address of it.
pub(crate) fn replace(
    bytes: &[u8],
    with: Vec<(String, Vec<u8>)>,
    options: &Options,
) -> Result<Edited, Error> {
    let mut package = super::package::read(bytes, options)?;
    let mut notes = Vec::new();
    // All names are those of the file as it is.
    let hashes: Vec<String> =
        with.iter().map(|(name, _)| asset(bytes, name)).collect::<Result<_, _>>()?;
    for (old, (_, content)) in hashes.into_iter().zip(with) {
        let new = package.replace_asset(&old, content)?;
        notes.push(format!("asset {old} is now {new}"));
        let thumbnail = package.record().thumbnail_uri();
        if thumbnail.as_deref().and_then(Package::hash_of) == Some(&old) {
            package.record_mut().set_thumbnail_uri(Some(Package::url(&new).as_str()));
        }
    }
    Ok(Edited { bytes: package.to_vec()?, notes })
}

/// The hash of the asset that is meant.
fn asset(bytes: &[u8], name: &str) -> Result<String, Error> {
    if is_hash(name) {
        return Ok(name.to_owned());
    }
    let settings = Settings { format: Some(Format::ResoniteBrson), ..Settings::default() };
    let document = Document::open(bytes, &settings)?;
    let nodes = document.get(name)?;
    let texts: Vec<String> = nodes.iter().map(|node| node.text()).collect::<Result<_, _>>()?;
    let address = |text: &str| text.strip_prefix('@').and_then(Package::hash_of).map(str::to_owned);
    match texts.as_slice() {
        [only] => address(only).ok_or_else(|| {
            let only = shortened(only, MAX_SHOWN);
            Error::new(format!("expected the address of an asset in the package, found {only}"))
        }),
        all => {
            let name = shortened(name, MAX_SHOWN);
            Err(Error::new(format!("{name} leads to {} values, expected one", all.len())))
        }
    }
}

/// The keys that follow from what is in the package.
const MADE: [&str; 3] = ["id", "assetUri", "assetManifest"];

/// A key as the record has it.
fn key(name: &str) -> &str {
    if name == "thumbnail" { "thumbnailUri" } else { name }
}

/// A line for each key that is asked for, or for all.
pub(crate) fn record(bytes: &[u8], keys: &[String], options: &Options) -> Result<String, Error> {
    let package = super::package::read(bytes, options)?;
    let record = package.record();
    let shown = |json: &str| match serde_json::from_str(json) {
        Ok(Json::String(text)) => text,
        _ => json.to_owned(),
    };
    if let [only] = keys {
        return Ok(format!("{}\n", shown(value(record, only)?)));
    }
    let mut text = String::new();
    let all: Vec<(&str, &str)> = match keys {
        [] => record.members().collect(),
        keys => {
            let pairs = keys.iter().map(|name| Ok((name.as_str(), value(record, name)?)));
            pairs.collect::<Result<_, Error>>()?
        }
    };
    for (key, json) in all {
        text.push_str(&format!("{key}={}\n", shown(json)));
    }
    Ok(text)
}

fn value<'r>(record: &'r Record, name: &str) -> Result<&'r str, Error> {
    record.get(key(name)).ok_or_else(|| {
        let name = shortened(name, MAX_SHOWN);
        Error::new(format!("the record has no key {name}"))
    })
}

/// A key of the record, and what it becomes.
pub(crate) enum Setting {
    /// Text, or JSON where there is no text.
    Value(String, String),
    /// The bytes of the picture that users see.
    Thumbnail(Vec<u8>),
}

/// Sets keys of the record.
pub(crate) fn set_record(
    bytes: &[u8],
    settings: Vec<Setting>,
    options: &Options,
) -> Result<Edited, Error> {
    let mut package = super::package::read(bytes, options)?;
    for setting in settings {
        let (name, text) = match setting {
            Setting::Thumbnail(picture) => {
                package.set_thumbnail(picture);
                continue;
            }
            Setting::Value(name, text) => (name, text),
        };
        if MADE.contains(&name.as_str()) {
            return Err(Error::new(format!("{name} follows from what is in the package")));
        }
        let record = package.record_mut();
        if name == "tags" {
            let tags: Vec<&str> = text.split(',').map(str::trim).collect();
            record.set_tags(&tags.into_iter().filter(|tag| !tag.is_empty()).collect::<Vec<_>>());
            continue;
        }
        let old = serde_json::from_str(value(record, &name)?).unwrap_or(Json::Null);
        let new: Json = match (&old, serde_json::from_str(&text)) {
            (Json::String(_) | Json::Null, _) => text.into(),
            (_, Ok(new)) if std::mem::discriminant(&old) == std::mem::discriminant(&new) => new,
            _ => {
                let text = shortened(&text, MAX_SHOWN);
                return Err(Error::new(format!("{name} is {old}, and {text} is of another kind")));
            }
        };
        match (key(&name), new.as_str()) {
            ("name", Some(name)) => record.set_name(name),
            (key, _) => record.set(key, &new.to_string())?,
        }
    }
    Ok(Edited { bytes: package.to_vec()?, notes: Vec::new() })
}
