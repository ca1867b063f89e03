//! Errors name settings, and no options of a program.

use std::path::{Path, PathBuf};

use gamewire::document::{Edit, Error, Hint, Limits, Settings};
use gamewire::{Document, Format};
use godot_variant::variant;

#[test]
fn an_error_has_a_hint_for_any_caller() {
    let deep = godot_variant::to_vec(&variant!([[[1]]])).unwrap();
    let limits = Limits { max_depth: Some(2), ..Limits::default() };
    let settings = Settings { format: Some(Format::GodotVariant), limits, ..Settings::default() };
    let error = Document::open(deep, &settings).unwrap_err();
    let hint = error.hint().unwrap();
    assert_eq!((hint, hint.name()), (&Hint::Depth, "depth"));
    assert_eq!(hint.to_string(), "`max_depth` allows deeper nesting");
    let keyword = |name: &str, _: Option<&str>| Some(format!("{name}="));
    assert_eq!(hint.to_sentence(keyword).unwrap(), "max_depth= allows deeper nesting");
    assert_eq!(hint.to_sentence(|_, _| None), None);
}

#[test]
fn a_hint_has_the_value_of_its_setting() {
    let save = godot_variant::to_vec(&variant!({ "hp": 1 })).unwrap();
    let mut save = Document::open(save, &Settings::default()).unwrap();
    let set =
        |kind| Edit::Set { path: "hp", value: r#"{"type":"Vector2","args":[1,2]}"#.into(), kind };
    let error = save.edit(&[set(Some("Dictionary"))]).unwrap_err();
    assert_eq!(error.to_string(), "hp: expected Dictionary, found Vector2");
    assert_eq!(error.hint(), Some(&Hint::KindOf("Vector2".to_owned())));
    assert_eq!(error.hint().unwrap().to_string(), "`kind` Vector2 makes it one");
    let error = save.edit(&[set(None)]).unwrap_err();
    assert_eq!(error.hint(), Some(&Hint::OtherKind), "{error}");
    let own = Error::new("x").with_hint(Hint::Other("say {this}".to_owned()));
    assert_eq!(own.hint().unwrap().to_string(), "say {this}");
}

/// No text of the library has an option of the command line in it.
#[test]
fn no_text_names_an_option() {
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut lines = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension().is_some_and(|own| own == "rs") {
                true => lines += must_name_none(&path),
                false => folders.push(path),
            }
        }
    }
    assert!(lines > 10_000, "{lines}");
}

fn must_name_none(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        let mut parts = line.split("--");
        let mut before = parts.next().unwrap_or_default();
        for part in parts {
            let is_flag = part.starts_with(|c: char| c.is_ascii_lowercase())
                && before.ends_with([' ', '"', '`']);
            assert!(!is_flag, "{}: {line}", path.display());
            before = part;
        }
    }
    text.lines().count()
}
