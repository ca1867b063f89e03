//! o3de-json.

use std::collections::BTreeMap;
use std::fmt::Debug;

use o3de_json::types::{
    AssetPath, Bytes, Color, Matrix3x4, MultiMap, Quaternion, Transform, Uuid, Vector3,
};
use o3de_json::value::Document;
use o3de_json::{Conformance, Deserializer, Options, Value};
use o3de_prefab::{Imports, Loader, Prefab, Recipe, Rename};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::lot;

fn all_options() -> impl Iterator<Item = Options> {
    [Conformance::Engine, Conformance::Docs].into_iter().flat_map(|conformance| {
        [(false, false, false), (true, false, true), (true, true, false)].map(move |accepted| {
            let (comments, commas, bytes) = accepted;
            let options = Options::new().conformance(conformance).comments(comments);
            options.trailing_commas(commas).invalid_utf8(bytes)
        })
    })
}

/// Text, by every way there is.
pub(crate) fn o3de_text(data: &[u8]) {
    slice(data);
    all_typed(data);
    differential(data);
    crate::explain::o3de(data);
}

/// Documents that are changed: by hand, by patches, by names, by comments.
pub(crate) fn o3de_document(data: &[u8]) {
    roundtrip(data);
    patch(data);
    rename(data);
}

/// Nothing that reads text panics, and all that reads the same text agrees on whether it is JSON.
fn slice(data: &[u8]) {
    for options in all_options() {
        let value = options.from_slice::<Value>(data);
        let ignored = options.from_slice::<IgnoredAny>(data);
        assert_eq!(value.is_ok(), ignored.is_ok(), "{value:?}, {ignored:?}");
        let explained = options.explain(data);
        assert_eq!(explained.error().is_none(), value.is_ok(), "{:?}", explained.error());
        assert_eq!(explained.spans().iter().map(|span| span.len()).sum::<usize>(), data.len());
        let document = Document::from_slice(data, &options);
        assert_eq!(document.is_ok(), value.is_ok());
        if let (Ok(mut document), Ok(value)) = (document, value) {
            let _ = format!("{value:?}");
            assert_eq!(value.clone(), value);
            assert_eq!(*document.value(), value);
            let _ = document.value_mut();
            assert_eq!(document.to_vec().expect("it was read"), data);
            if let Ok(prefab) = Prefab::new(&value) {
                let _: usize = prefab.entities().map(|entity| entity.components().count()).sum();
                let _: usize = prefab.instances().map(|instance| instance.patch_count()).sum();
            }
        }
    }
}

/// Values are written so that they read the same, and patches give their targets.
fn roundtrip(data: &[u8]) {
    let Ok(value) = o3de_json::from_slice::<Value>(data) else { return };
    let compact = o3de_json::to_vec(&value).expect("what was read can be written");
    assert_eq!(o3de_json::from_slice::<Value>(&compact).expect("and read"), value);
    let pretty = o3de_json::to_string_pretty(&value).expect("also in lines");
    assert_eq!(o3de_json::from_str::<Value>(&pretty).expect("and read"), value);
    if let Some([old, new, ..]) = value.as_array().map(|items| items.as_slice()) {
        patches(old, new);
    }
    // An edit leaves the rest of the text alone.
    if let Ok(mut document) = Document::from_slice(data, &Options::new()) {
        edit(document.value_mut());
        let text = document.to_text().expect("what was edited can be written");
        let again = Document::new(text.as_str()).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(again.value(), document.value(), "{text}");
    }
    let mut resolved = value.clone();
    let file = compact.clone();
    let _ = Imports::new(move |_: &str| Ok(file.clone())).resolve(&mut resolved, "a.json");
}

/// Changes something in each container near the root.
fn edit(value: &mut Value) {
    match value {
        Value::Array(items) => {
            if items.len() % 2 == 1 {
                let middle = items.len() / 2;
                items.remove(middle);
            }
            items.iter_mut().take(2).for_each(edit);
            items.push(Value::from("new"));
        }
        Value::Object(object) => {
            let first = object.keys().next().cloned();
            if let Some(first) = first.filter(|_| object.len() % 3 == 1) {
                object.remove(&first);
            }
            object.iter_mut().take(2).for_each(|(_, value)| edit(value));
            object.insert("new", vec![1.5, 2.0]);
        }
        leaf => *leaf = Value::from(7),
    }
}

fn patches(old: &Value, new: &Value) {
    assert_eq!(old.compare(new), new.compare(old).reverse());
    if has_duplicates(old) || has_duplicates(new) {
        return;
    }
    let (patch, _) = old.create_patch(new);
    let (patched, code) = old.patched(&patch);
    let patched = patched.unwrap_or_else(|| panic!("{code:?}: {patch:?}"));
    assert!(patched.same(new), "{patched:?} is not {new:?}");
    if let (Some(patch), _) = old.create_merge_patch(new) {
        let mut merged = old.clone();
        merged.apply_merge_patch(&patch);
        assert!(patch.is_null() || merged.same(new), "{merged:?} is not {new:?}");
    }
}

/// Whether some object has a name twice; a pointer cannot tell its members apart.
fn has_duplicates(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_duplicates),
        Value::Object(object) => {
            let names: std::collections::BTreeSet<&str> = object.keys().map(|n| &**n).collect();
            names.len() < object.len() || object.values().any(has_duplicates)
        }
        _ => false,
    }
}

/// A document and what may be a patch of it: what fails changes nothing that it should not.
fn patch(data: &[u8]) {
    let Ok(value) = o3de_json::from_slice::<Value>(data) else { return };
    let Some([document, patch, ..]) = value.as_array().map(|items| items.as_slice()) else {
        return;
    };
    let mut changed = document.clone();
    let code = changed.apply_patch(patch);
    let (patched, same) = document.patched(patch);
    assert_eq!(code, same);
    if let Some(patched) = patched {
        assert!(patched.same(&changed), "{patched:?} is not {changed:?}");
    }
    let mut merged = document.clone();
    merged.apply_merge_patch(patch);
    for value in [&changed, &merged] {
        let text = o3de_json::to_vec(value).expect("what was patched can be written");
        assert_eq!(o3de_json::from_slice::<Value>(&text).expect("and read"), *value);
    }
    patches(document, &changed);
    patches(document, &merged);
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Everything {
    a: u8,
    b: Option<i64>,
    c: Vec<f32>,
    d: BTreeMap<String, u64>,
    e: BTreeMap<i32, bool>,
    f: MultiMap<String, i32>,
    g: (i16, String),
    h: [f64; 2],
    color: Color,
    position: Vector3,
    rotation: Quaternion,
    matrix: Matrix3x4,
    transform: Transform,
    id: Uuid,
    bytes: Bytes,
    path: AssetPath,
    event: Option<Event>,
    inner: Vec<Everything>,
    rest: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Event {
    Base(Inner),
    Derived(Inner),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Inner {
    name: String,
    count: u32,
}

fn typed<T: DeserializeOwned + Serialize + Debug>(options: &Options, data: &[u8]) {
    let read = options.from_slice::<T>(data);
    let mut deserializer = Deserializer::new(data, options.clone());
    let other = T::deserialize(&mut deserializer).and_then(|value| {
        deserializer.end()?;
        Ok(value)
    });
    assert_eq!(format!("{read:?}"), format!("{other:?}"));
    let Ok(value) = read else { return };
    // NaN cannot be written.
    let Ok(bytes) = options.to_vec(&value) else { return };
    let again: T = options.from_slice(&bytes).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&bytes));
    });
    assert_eq!(options.to_vec(&again).ok(), Some(bytes), "{value:?}");
}

/// Rust types are read from anything without a panic, and written so that they read the same.
fn all_typed(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        let loaded = o3de_json::load::<Everything>(text);
        assert!(loaded.is_err() || o3de_json::from_str::<IgnoredAny>(text).is_ok(), "{loaded:?}");
    }
    let options = Options::new();
    for options in [options.clone().strict(true), options.clone().absent_as_zero(true), options] {
        typed::<Everything>(&options, data);
        typed::<Vec<Event>>(&options, data);
        typed::<BTreeMap<u8, (f32, String)>>(&options, data);
        typed::<f64>(&options, data);
        typed::<String>(&options, data);
    }
}

/// Text that serde_json accepts is accepted here with the same data, and the other way round.
fn differential(data: &[u8]) {
    let options = Options::new().comments(false).max_depth(120);
    let ours = options.from_slice::<Value>(data);
    // The engine skips the mark of UTF-8.
    let unmarked = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    let theirs = serde_json::from_slice::<serde_json::Value>(unmarked);
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => {
            let text = options.to_vec(&ours).expect("what was read can be written");
            let back: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
            assert_eq!(back, theirs, "{}", String::from_utf8_lossy(&text));
        }
        (Err(error), Ok(_)) => {
            let kind = error.kind();
            assert_eq!(kind, o3de_json::ErrorKind::DepthLimit, "refused: {error}");
        }
        (Ok(value), Err(error)) => panic!("accepted {value:?}, serde_json: {error}"),
        (Err(_), Err(_)) => {}
    }
}

/// A name becomes a new one and then the old one again: all is as it was.
fn rename(data: &[u8]) {
    let Ok(document) = Document::from_slice(data, &Options::new()) else { return };
    let mut types = Vec::new();
    strings(document.value(), &mut types);
    let Some((member, from)) = types.get(lot(data, types.len().max(1))) else { return };
    let (there, back) = match member.as_str() {
        "$type" => {
            let name = from.rsplit_once('}').map_or(from.as_str(), |(_, name)| name).trim();
            (Rename::component(name, "Fresh_Zz"), Rename::component("Fresh_Zz", name))
        }
        _ => (Rename::path(from, "Zz/Fresh.Zz"), Rename::path("Zz/Fresh.Zz", from)),
    };
    let mut loader = Loader::new(|_: &str| Err(std::io::ErrorKind::NotFound.into()));
    // A migration of the type leaves a document, too.
    let class = o3de_json::to_string(from).unwrap_or_default();
    let recipe = format!(
        r#"{{"migrations": [{{"component": {class}, "steps": [
            {{"op": "split", "to": "Zz", "members": ["/a", "/Id/b"]}}, {{"op": "move", "from": "/c/0", "path": "/d/e"}},
            {{"op": "wrap", "path": "/f/g"}}, {{"op": "rename", "to": "Fresh_Zz"}}]}}]}}"#
    );
    if let Ok(recipe) = Recipe::read(recipe.as_bytes())
        && let Ok(now) = recipe.apply(&document, "Levels/A.prefab", &mut loader)
    {
        Document::from_slice(&now.bytes, &Options::new()).expect("a document stays one");
    }
    let mut apply = |rename: &Rename, document: &Document| {
        let renamed = rename.apply(document, "Levels/A.prefab", &mut loader).ok()?;
        // Only what is named in the changes is another value.
        assert_eq!(renamed.changes.is_empty(), renamed.bytes == document.source().as_bytes());
        for change in &renamed.changes {
            assert_ne!(change.old, change.new);
        }
        let read = Document::from_slice(&renamed.bytes, &Options::new());
        Some((read.expect("a document stays one"), renamed.changes))
    };
    // The new name is taken.
    let Some((renamed, changes)) = apply(&there, &document) else { return };
    // Case does not count, and paths have several spellings: those are not what they were.
    let plain = document.source().to_ascii_lowercase();
    if plain.contains("zz") || plain.contains('\\') || plain.contains("\".") {
        return;
    }
    let name = match member.as_str() {
        "$type" => from.rsplit_once('}').map_or(from.as_str(), |(_, name)| name).trim(),
        _ => from.rsplit_once('.').map_or(from.as_str(), |(stem, _)| stem),
    };
    let is_one = plain.matches(&name.to_ascii_lowercase()).count()
        == document.source().matches(name).count();
    if !is_one || name.is_empty() || name.contains('/') && member == "$type" {
        return;
    }
    if let Some((again, undone)) = apply(&back, &renamed) {
        assert_eq!(undone.len(), changes.len(), "{changes:?}: {undone:?}");
        assert_eq!(again.source(), document.source(), "{changes:?}: {undone:?}");
    }
}

/// The strings of members that name something.
fn strings(value: &Value, found: &mut Vec<(String, String)>) {
    if let Some(items) = value.as_array() {
        items.iter().for_each(|item| strings(item, found));
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        match member.as_str() {
            Some(text) if matches!(&**name, "$type" | "Source" | "assetHint") => {
                found.push((name.to_string(), text.to_owned()));
            }
            _ => strings(member, found),
        }
    }
}
