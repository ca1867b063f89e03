//! Facts of a file: its container, its document, the save in it, the package around it.

use std::collections::BTreeMap;

use gamewire_testkit::vectors::{Check, Context, Row, said, same_bytes};
use resonite_brson::value::Document;
use resonite_brson::{Body, Codec, Container, Kind, Options, Value};
use resonite_save::SavedObject;
use resonite_save::model::TypeRef;
use resonite_save::package::Package;
use serde_json::{Value as Json, json};

use super::check::{fact, only, sha256, written_back};

/// Where a file is from, and the one fact that is not checked.
const IGNORED: &str = "name file origin repo path license brotli_c_q9_w16_stream_identical";

/// The checks.
const CHECKED: &str = "bytes sha256 is_package container bson_bytes bson_sha256 package lz4_chunks \
                       lz4_chunk_count lzma bson_types depth root_keys VersionNumber n_types \
                       n_typeversions slots components assets type_ref_kinds at_strings \
                       feature_flags slot_keys root_slot_name expect";

pub(crate) fn run(row: &Row, context: &Context<'_>) -> Check {
    let facts = &row.value;
    only(facts, &[IGNORED, CHECKED])?;
    let bytes = context.read(row.need_text("file")?)?;
    fact(facts, "bytes", bytes.len())?;
    fact(facts, "sha256", sha256(&bytes))?;
    let is_package = Package::is_archive(&bytes);
    fact(facts, "is_package", is_package)?;
    if let Some(expected) = row.text("expect") {
        return expectation(facts, expected, &bytes);
    }
    if !is_package {
        return file(facts, &bytes);
    }
    let package = Package::from_slice(&bytes).map_err(said)?;
    whole(facts, &package, &bytes)?;
    file(facts, package.main().map_err(said)?)
}

/// A row that says what becomes of a file, and which document is in it.
fn expectation(facts: &Json, expected: &str, bytes: &[u8]) -> Check {
    let opened = resonite_brson::open(bytes);
    let document = match expected {
        "decodes to bson_sha256" => {
            let body = opened.map_err(said)?;
            let value: Value = body.read().map_err(said)?;
            written_back(&value, body.bson(), body.container())?;
            body.into_bson()
        }
        "refuse: version too new" | "refuse: unknown compression" => {
            let error = opened.err().ok_or("expected an error, found a document")?;
            let about = if expected.contains("version") { "version" } else { "kind" };
            if !error.to_string().contains(about) {
                return Err(format!("expected an error about the {about}, found: {error}"));
            }
            behind_header(bytes)?
        }
        "engine refuses (not implemented); a reader may accept by option" => {
            if let Ok(body) = opened {
                return Err(format!("expected an error, found {}", body.container()));
            }
            let options = Options::new().input(Container::new(Codec::None));
            options.open(bytes).map_err(said)?.into_bson()
        }
        other => return Err(format!("unknown expectation `{other}`")),
    };
    fact(facts, "bson_bytes", document.len())?;
    fact(facts, "bson_sha256", sha256(&document))
}

/// The document behind a header that is refused: with the right version, or not compressed.
fn behind_header(bytes: &[u8]) -> Check<Vec<u8>> {
    let mut mended = bytes.to_vec();
    if let Some(version) = mended.get_mut(4..8) {
        version.fill(0);
    }
    let body = match resonite_brson::open(&mended) {
        Ok(body) => body.into_bson(),
        Err(_) => bytes.get(9..).unwrap_or_default().to_vec(),
    };
    Ok(body)
}

/// A file that is no package.
fn file(facts: &Json, bytes: &[u8]) -> Check {
    let body = resonite_brson::open(bytes).map_err(said)?;
    if let Some(expected) = facts.get("container") {
        around(expected, &body, bytes)?;
    }
    let head = if body.container().has_header() { 9 } else { 0 };
    let packed = bytes.get(head..).unwrap_or_default();
    match body.container().codec() {
        Codec::Lz4 => chunks(facts, packed)?,
        Codec::Lzma => lzma(facts, packed)?,
        codec => {
            for key in ["lz4_chunks", "lz4_chunk_count", "lzma"] {
                if facts.get(key).is_some() {
                    return Err(format!("{key}: the file is {codec}"));
                }
            }
        }
    }
    fact(facts, "bson_bytes", body.bson().len())?;
    fact(facts, "bson_sha256", sha256(body.bson()))?;
    let value: Value = body.read().map_err(said)?;
    tree(facts, &value)?;
    let object: SavedObject = body.read().map_err(said)?;
    save(facts, &object)?;
    let plain = Options::new().container(Container::BSON);
    same_bytes("re-encoded save", body.bson(), &plain.to_vec(&object).map_err(said)?)?;
    written_back(&value, body.bson(), body.container())
}

fn around(expected: &Json, body: &Body<'_>, bytes: &[u8]) -> Check {
    let container = body.container();
    let name = match container.codec() {
        Codec::None => "none(raw bson)",
        Codec::Lz4 => "lz4",
        Codec::Lzma => "lzma",
        Codec::Brotli => "brotli",
        other => other.name(),
    };
    let version = container.has_header().then(|| {
        let version = bytes.get(4..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
        i32::from_le_bytes(version)
    });
    let found = json!({
        "header": container.has_header(),
        "version": version,
        "kind": container.codec().kind(),
        "kind_name": name,
        "bytes": bytes.len(),
        "sha256": sha256(bytes),
    });
    same_facts("container", expected, &found)
}

/// Compares all facts of an object.
fn same_facts(what: &str, expected: &Json, found: &Json) -> Check {
    for (key, expected) in expected.as_object().into_iter().flatten() {
        let found = found.get(key).ok_or_else(|| format!("{what}: unknown fact `{key}`"))?;
        if expected != found {
            return Err(format!("{what}: {key}: expected {expected}, found {found}"));
        }
    }
    Ok(())
}

fn leb128(bytes: &mut &[u8]) -> Check<u64> {
    let mut value = 0u64;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = bytes.split_first().ok_or("a number is cut off")?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err("a number is too long".to_owned())
}

fn chunks(facts: &Json, mut packed: &[u8]) -> Check {
    let mut found = Vec::new();
    while !packed.is_empty() {
        let flags = leb128(&mut packed)?;
        let original = leb128(&mut packed)?;
        let len = if flags & 1 == 0 { original } else { leb128(&mut packed)? };
        let len_here = usize::try_from(len).map_err(|error| error.to_string())?;
        packed = packed.get(len_here..).ok_or("a chunk is cut off")?;
        found.push(json!([flags, original, len]));
    }
    fact(facts, "lz4_chunk_count", found.len())?;
    // The first ones are listed.
    let listed = facts.get("lz4_chunks").and_then(Json::as_array).map_or(0, Vec::len);
    found.truncate(listed);
    fact(facts, "lz4_chunks", found)
}

fn lzma(facts: &Json, packed: &[u8]) -> Check {
    let Some(expected) = facts.get("lzma") else { return Ok(()) };
    let number = |at: usize| {
        let bytes = packed.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
        i64::from_le_bytes(bytes)
    };
    let left = i64::try_from(packed.len().saturating_sub(21)).unwrap_or(i64::MAX);
    let found = json!({
        "props": gamewire_testkit::vectors::to_hex(packed.get(..5).unwrap_or_default()),
        "uncompressed": number(5),
        "compressed": number(13),
        "trailing": left.saturating_sub(number(13)),
    });
    same_facts("lzma", expected, &found)
}

/// Counts of the elements, and how deep they nest, with a walk of its own.
fn tree(facts: &Json, value: &Value) -> Check {
    let mut counts = BTreeMap::new();
    let mut deepest = 0u64;
    let mut todo = vec![(value, 1u64)];
    while let Some((value, depth)) = todo.pop() {
        match value {
            Value::Document(document) => {
                deepest = deepest.max(depth);
                todo.extend(document.iter().map(|(_, inner)| (inner, depth.saturating_add(1))));
            }
            Value::Array(items) => {
                deepest = deepest.max(depth);
                todo.extend(items.iter().map(|inner| (inner, depth.saturating_add(1))));
            }
            _ => {}
        }
        let name = match value.kind() {
            Kind::Double => "double",
            Kind::String => "string",
            Kind::Document => "document",
            Kind::Array => "array",
            Kind::Bool => "bool",
            Kind::Null => "null",
            Kind::Int32 => "int32",
            Kind::Int64 => "int64",
            Kind::DateTime => "datetime",
            other => other.name(),
        };
        let count: &mut u64 = counts.entry(name).or_default();
        *count = count.saturating_add(1);
    }
    // The root is no element.
    if let Some(documents) = counts.get_mut("document") {
        *documents = documents.saturating_sub(1);
    }
    fact(facts, "bson_types", json!(counts))?;
    fact(facts, "depth", deepest)?;
    let root = value.as_document().ok_or("the root is no document")?;
    fact(facts, "root_keys", keys(root))
}

fn save(facts: &Json, object: &SavedObject) -> Check {
    let has_types = !object.is_legacy();
    fact(facts, "VersionNumber", object.version_number())?;
    fact(facts, "n_types", has_types.then(|| object.types().count()))?;
    fact(facts, "n_typeversions", object.type_versions().count())?;
    fact(facts, "slots", object.slots().count())?;
    fact(facts, "components", object.components().count())?;
    let has_assets = object.document().contains_key("Assets");
    fact(facts, "assets", has_assets.then(|| object.assets().count()))?;
    fact(facts, "feature_flags", object.feature_flags().collect::<Vec<_>>())?;
    fact(facts, "root_slot_name", object.root().and_then(|slot| slot.name()))?;
    for (_, slot) in object.slots() {
        fact(facts, "slot_keys", keys(slot.document()).join("|"))?;
    }
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for (path, component) in object.components() {
        let kind = match component.document().get("Type") {
            Some(Value::Int32(_)) => "int",
            Some(Value::Int64(_)) => "Int64",
            Some(Value::String(_)) => "str",
            other => return Err(format!("{path:?}: a Type that is {other:?}")),
        };
        let count = kinds.entry(kind).or_default();
        *count = count.saturating_add(1);
        // Every type is found, understood and said again.
        let name = component.type_name().ok_or_else(|| format!("{path:?}: no type"))?;
        let parsed = component.parsed_type().map_err(|error| format!("{path:?}: {error}"))?;
        let again = match component.type_ref() {
            Some(TypeRef::Name(_)) => parsed.to_net(),
            _ => parsed.to_string(),
        };
        if again != name {
            return Err(format!("{path:?}: the type {name} became {again}"));
        }
    }
    fact(facts, "type_ref_kinds", json!(kinds))?;
    let mut schemes: BTreeMap<String, u64> = BTreeMap::new();
    for url in object.urls() {
        let scheme = url.split_once(':').map_or(url, |(scheme, _)| scheme);
        let count = schemes.entry(format!("@{scheme}")).or_default();
        *count = count.saturating_add(1);
    }
    fact(facts, "at_strings", json!(schemes))?;
    match object.index().dangling().first() {
        None => Ok(()),
        Some(reference) => {
            Err(format!("{} refers to {}, which nothing is", reference.path, reference.id))
        }
    }
}

/// The archive, and what is written of it.
fn whole(facts: &Json, package: &Package, bytes: &[u8]) -> Check {
    let metadata = package.entries().filter(|(name, _)| name.starts_with("Metadata/")).count();
    let found = json!({
        "entries": package.entries().count().saturating_add(1),
        "entry_names_asset": package.assets().count(),
        "entry_names_metadata": metadata,
        "record_name": package.record().name(),
        "asset_manifest": package.record().manifest().len(),
        "record_order_last": last_name(bytes) == Some(b"R-Main.record"),
    });
    if let Some(expected) = facts.get("package") {
        same_facts("package", expected, &found)?;
    }
    if let Some(problem) = package.verify().into_iter().find(|problem| problem.is_error()) {
        return Err(format!("package: {problem}"));
    }
    let mut again = package.clone();
    again.set_object(&package.object().map_err(said)?).map_err(said)?;
    let again = Package::from_slice(&again.to_vec().map_err(said)?).map_err(said)?;
    if again != *package || again.record().to_vec() != package.record().to_vec() {
        return Err("package: another one when it is written again".to_owned());
    }
    Ok(())
}

/// The name in the last local header of an archive: that before the directory.
fn last_name(bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes.windows(4).rposition(|word| word == b"PK\x05\x06")?;
    let directory = bytes.get(end.checked_add(16)?..)?.first_chunk().copied();
    let directory = usize::try_from(u32::from_le_bytes(directory?)).ok()?;
    let local = bytes.get(..directory)?.windows(4).rposition(|word| word == b"PK\x03\x04")?;
    let header = bytes.get(local..)?;
    let len = u16::from_le_bytes(header.get(26..)?.first_chunk().copied()?);
    header.get(30..usize::from(len).checked_add(30)?)
}

/// The keys of a document in order.
fn keys(document: &Document) -> Vec<&str> {
    document.keys().collect()
}
