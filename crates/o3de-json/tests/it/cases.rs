//! The files of `testdata/o3de-json/cases`: what each is read as, what is written for that, and what
//! each byte means.
//!
//! `.json` is a text as it is, `.hex` the digits of one, `.lines` a text on each line.

use std::fmt::Write;

use o3de_json::value::Document;
use o3de_json::*;

use crate::errors::Level;
use crate::support::{hex, lines};

#[test]
fn cases() {
    insta::glob!("../../../../testdata/o3de-json/cases", "*.*", |path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let out = match path.extension().and_then(|extension| extension.to_str()) {
            Some("lines") => {
                let show = match name {
                    "level.lines" => level,
                    "broken.lines" => explained,
                    "edits.lines" => edited,
                    "floats.lines" => float,
                    _ => value,
                };
                let shown = lines(name).into_iter().map(|text| show(&text));
                shown.collect::<Vec<_>>().join("\n")
            }
            Some("hex") => whole(&hex(&std::fs::read_to_string(path).unwrap())),
            _ => whole(&std::fs::read(path).unwrap()),
        };
        insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(out) });
    });
}

/// A text on a line of its own, controls as `Debug` has them.
fn title(text: &str) -> String {
    format!("{}\n", text.escape_debug().to_string().replace("\\\"", "\"").replace("\\\\", "\\"))
}

fn value(text: &str) -> String {
    let read = Options::new().comments(false).from_str::<Value>(text);
    let shown = match read {
        Ok(value) => format!("{value:?}"),
        Err(error) => error.to_string(),
    };
    format!("{}    {shown}", title(text))
}

/// By `from_str`, strictly, and by `load`.
fn level(text: &str) -> String {
    let mut out = title(text);
    for (name, options) in [("checked", Options::new()), ("strict", Options::new().strict(true))] {
        match options.from_str::<Level>(text) {
            Ok(level) => writeln!(out, "    {name}: {}", to_string(&level).unwrap()).unwrap(),
            Err(error) => writeln!(out, "    {name}: {error}").unwrap(),
        }
    }
    match load::<Level>(text) {
        Ok((level, report)) => {
            let level = Options::new().store(&level).unwrap().0;
            writeln!(out, "    loaded: {level}").unwrap();
            report.to_string().lines().for_each(|line| writeln!(out, "        {line}").unwrap());
        }
        Err(error) => writeln!(out, "    loaded: {error}").unwrap(),
    }
    out
}

/// A document after an edit; what is written reads back as the value.
fn edited(line: &str) -> String {
    let (text, patch) = line.split_once(" => ").unwrap();
    let mut document = Document::new(text).unwrap();
    let patch: Value = from_str(patch).unwrap();
    let code = document.value_mut().apply_patch(&patch);
    assert!(code.is_clean(), "{line}: {code:?}");
    let written = document.to_text().unwrap();
    assert_eq!(Document::new(&*written).unwrap().value(), document.value(), "{line}");
    format!("{}    {}", title(line), title(&written))
}

fn float(text: &str) -> String {
    let (double, float): (f64, f32) = (text.parse().unwrap(), text.parse().unwrap());
    let shortest = Options::new().floats(Floats::Shortest);
    let shown = [to_string(&double), to_string(&float), shortest.to_string(&float)];
    let shown = shown.map(|shown| shown.unwrap_or_else(|error| error.to_string()));
    format!("{}    {}\n", title(text), shown.join("    "))
}

fn explained(text: &str) -> String {
    title(text) + &explanation(text.as_bytes())
}

/// What each byte means; the spans cover all of them.
fn explanation(bytes: &[u8]) -> String {
    let explanation = explain(bytes);
    let mut at = 0;
    for span in explanation.spans() {
        assert_eq!(span.offset(), at, "{explanation}");
        at += span.len();
    }
    assert_eq!(at, bytes.len(), "{explanation}");
    explanation.to_text()
}

fn whole(bytes: &[u8]) -> String {
    let mut out = String::new();
    match from_slice::<Value>(bytes) {
        Ok(value) => {
            writeln!(out, "value: {value:?}").unwrap();
            writeln!(out, "compact: {}", to_string(&value).unwrap()).unwrap();
            let pretty = to_string_pretty(&value).unwrap();
            assert_eq!(from_str::<Value>(&pretty).unwrap(), value);
            writeln!(out, "pretty:\n{pretty}").unwrap();
            let mut document = Document::from_slice(bytes, &Options::new()).unwrap();
            document.value_mut();
            let same = document.to_text().unwrap().as_bytes() == bytes;
            writeln!(out, "document: {}", if same { "identical" } else { "differs" }).unwrap();
        }
        Err(error) => writeln!(out, "error: {error}").unwrap(),
    }
    writeln!(out, "\n{}", explanation(bytes)).unwrap();
    out
}
