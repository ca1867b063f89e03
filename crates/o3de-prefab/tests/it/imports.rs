//! `$import`: roots, cycles, limits, order.

use std::io;

use o3de_json::value::Folder;
use o3de_json::{ErrorKind, Options, Value};
use o3de_prefab::Imports;

use crate::support::{real_folder, root, value};

/// Files that are only in memory.
fn files(list: &'static [(&'static str, &'static str)]) -> impl FnMut(&str) -> io::Result<Vec<u8>> {
    move |path| match list.iter().find(|(name, _)| *name == path) {
        Some((_, text)) => Ok(text.as_bytes().to_vec()),
        None => Err(io::ErrorKind::NotFound.into()),
    }
}

fn refused(list: &'static [(&'static str, &'static str)], text: &str) -> (ErrorKind, String) {
    let mut document = value(text);
    let error = Imports::new(files(list)).resolve(&mut document, "dir/main.json").unwrap_err();
    (error.kind(), error.to_string())
}

#[test]
fn folders_are_not_left_through_links() {
    let outer = tempfile::tempdir().unwrap();
    let inner = outer.path().join("root");
    std::fs::create_dir_all(inner.join("dir")).unwrap();
    std::fs::write(outer.path().join("secret.json"), "1").unwrap();
    std::fs::write(inner.join("own.json"), "2").unwrap();
    let mut imports = Imports::new(Folder::new(&inner));
    let mut document = value(r#"{"$import": "../own.json"}"#);
    imports.resolve(&mut document, "dir/main.json").unwrap();
    assert_eq!(document, value("2"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outer.path().join("secret.json"), inner.join("link.json"))
            .unwrap();
        let mut document = value(r#"{"$import": "link.json"}"#);
        let error = imports.resolve(&mut document, "main.json").unwrap_err();
        assert!(error.to_string().contains("outside of the folder"), "{error}");
    }
    let mut document = value(r#"{"$import": "dir"}"#);
    assert!(imports.resolve(&mut document, "main.json").is_err());
}

#[test]
fn limits_end_with_an_error() {
    // Each file twice in the next: two to the power of forty at the end.
    let doubling = |path: &str| {
        let number: usize = path.trim_end_matches(".json").parse().unwrap_or(0);
        let next = format!("{{\"$import\": \"{}.json\"}}", number + 1);
        Ok(match number {
            40 => b"1".to_vec(),
            _ => format!("[{next}, {next}]").into_bytes(),
        })
    };
    let mut document = value(r#"{"$import": "0.json"}"#);
    let error =
        Imports::new(doubling).max_depth(64).resolve(&mut document, "main.json").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit, "{error}");
    let mut document = value(r#"{"$import": "0.json"}"#);
    let error = Imports::new(doubling).resolve(&mut document, "main.json").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
    let mut document = value(r#"{"$import": "0.json"}"#);
    let small = Options::new().max_memory(4096);
    let error = Imports::new(doubling).options(small).resolve(&mut document, "m").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MemoryLimit, "{error}");
    let mut document = value(r#"{"$import": "0.json"}"#);
    let error = Imports::new(doubling).max_alloc(20).resolve(&mut document, "m").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AllocLimit, "{error}");
}

#[test]
fn bad_directives_and_files_are_said() {
    const FILES: &[(&str, &str)] = &[
        ("dir/bad.json", "{\"a\": \n!}"),
        ("dir/a.json", r#"{"b": {"$import": "b.json"}}"#),
        ("dir/b.json", r#"{"a": {"$import": "a.json"}}"#),
    ];
    let (_, message) = refused(FILES, r#"{"a": [{"$import": 5}]}"#);
    assert_eq!(message, "expected the name of a file, found a number, in /a/0/$import");
    let (kind, message) = refused(FILES, r#"{"$import": "bad.json"}"#);
    assert_eq!(kind, ErrorKind::Catastrophic);
    assert!(message.contains("`dir/bad.json`") && message.contains("line 2"), "{message}");
    let (_, message) = refused(FILES, r#"{"x": {"$import": "a.json"}}"#);
    assert!(message.contains("`dir/a.json` imports itself"), "{message}");
    assert!(message.ends_with(", in /x"), "{message}");
    let mut document = value(r#"{"$import": "a.json"}"#);
    let mut imports = Imports::new(files(FILES)).nested(false);
    imports.resolve(&mut document, "dir/main.json").unwrap();
    assert_eq!(document, value(r#"{"b": {"$import": "b.json"}}"#));
}

#[test]
fn aliases_begin_at_the_root() {
    let mut imports =
        Imports::new(files(&[("Gems/Atom/x.json", "1")])).alias("@gemroot:Atom@", "Gems/Atom");
    let mut document = value(r#"{"$import": "@gemroot:Atom@/x.json"}"#);
    let resolution = imports.resolve(&mut document, "deep/down/main.json").unwrap();
    assert_eq!(resolution.files(), ["Gems/Atom/x.json"]);
    assert_eq!(document, value("1"));
}

#[test]
fn what_a_patch_cannot_say_stays() {
    let mut imports = Imports::new(files(&[("a.json", r#"{"x": 1, "y": [1]}"#)]));
    let mut document =
        value(r#"[{"$import": "a.json"}, {"$import": "a.json"}, {"$import": "a.json"}]"#);
    let resolution = imports.resolve(&mut document, "main.json").unwrap();
    assert_eq!(resolution.directives().len(), 3);
    let changed = value(r#"[{"x": null, "y": [1]}, 5, {"x": 2}]"#);
    document = changed.clone();
    assert_eq!(imports.restore(&mut document, &resolution).unwrap(), ["/0", "/1"]);
    let expected = r#"[{"x": null, "y": [1]}, 5, {"$import": {"filename": "a.json", "patch": {"x": 2, "y": null}}}]"#;
    assert!(document.same(&value(expected)), "{document:?}");
    // Resolving again gives what was restored.
    imports.resolve(&mut document, "main.json").unwrap();
    assert!(document.same(&changed), "{document:?}");
    let mut gone = value("[]");
    let error = imports.restore(&mut gone, &resolution).unwrap_err();
    assert_eq!((error.kind(), error.pointer().as_str()), (ErrorKind::Missing, "/0"));
}

#[test]
fn settings_are_merged_in_their_order() {
    const FILES: &[(&str, &str)] = &[
        ("base.setreg", r#"{"a": 1, "b": {"x": 1, "y": null}, "$import": "more.setreg"}"#),
        ("more.setreg", r#"{"c": 3}"#),
        ("p.setregpatch", r#"[{"op": "replace", "path": "/a", "value": 10}]"#),
    ];
    let order = |text: &str| {
        let mut imports = Imports::new(files(FILES));
        imports.resolve_in_order(&value(text), "main.setreg").map(|(value, _)| value)
    };
    let found = order(r#"{"a": 0, "$import": "base.setreg", "b": {"z": 2}, "d": [null]}"#).unwrap();
    assert_eq!(found, value(r#"{"a": 1, "b": {"z": 2}, "c": 3, "d": [null]}"#));
    let found = order(
        r#"{"a": 0, "q": {"$import": {"filename": "more.setreg", "patch": {"c": 4}}}, "$import": "p.setregpatch"}"#,
    );
    assert_eq!(found.unwrap(), value(r#"{"a": 10, "q": {"c": 4}}"#));
    assert!(order(r#"{"$import": "p.setregpatch"}"#).is_err());
}

#[test]
fn samples_resolve() {
    let folder = root().join("testdata/o3de-json/samples");
    let text = std::fs::read_to_string(folder.join("Server.setreg")).unwrap();
    let mut imports = Imports::new(Folder::new(folder));
    let (merged, resolution) = imports.resolve_in_order(&value(&text), "Server.setreg").unwrap();
    assert_eq!(resolution.files(), ["Base.setreg"]);
    assert_eq!(merged["Network"]["Port"], 33450_i64);
    assert_eq!(merged.pointer("/Amazon/AzCore/Streamer/Priority").unwrap().as_f64(), Some(0.5));
}

#[test]
fn real_material_types_resolve_and_restore() {
    let Some(folder) = real_folder() else { return };
    let types = "o3de/Gems/Atom/Feature/Common/Assets/Materials/Types";
    for (name, count) in
        [("StandardPBR.materialtype", 14), ("StandardMultilayerPBR.materialtype", 1)]
    {
        let file = format!("{types}/{name}");
        let bytes = std::fs::read(folder.join(&file)).unwrap();
        let original: Value = Options::new().from_slice(&bytes).unwrap();
        let mut document = original.clone();
        let mut imports = Imports::new(Folder::new(&folder));
        let resolution = imports.resolve(&mut document, &file).unwrap();
        assert!(resolution.files().len() >= count, "{name}: {:?}", resolution.files());
        assert!(!o3de_json::to_string(&document).unwrap().contains("$import"));
        assert_eq!(imports.restore(&mut document, &resolution).unwrap(), [""; 0]);
        assert!(document.same(&original), "{name}");
    }
}
