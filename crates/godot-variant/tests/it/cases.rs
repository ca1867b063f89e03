//! The files of `testdata/godot-variant/cases`: what each is read as, what its bytes mean, and
//! whether it is written back the same.
//!
//! A case is a text of comments and hexadecimal digits. `# options:` has what differs from the
//! default options: `godot3`, `docs`, `single`, `double`, `strict`, `objects`, and `frames` or
//! `project` for what is around the variants.

use std::fmt::{Debug, Write as _};

use godot_variant::frame::Framing;
use godot_variant::project::ProjectSettings;
use godot_variant::{Dialect, Explanation, Options, Precision, Result, Value};

use crate::support::{hex, words};

struct Case {
    options: Options,
    around: &'static str,
    bytes: Vec<u8>,
}

impl Case {
    fn new(text: &str) -> Self {
        let mut case = Case { options: Options::new(), around: "", bytes: Vec::new() };
        let is_comment = |line: &&str| line.starts_with('#');
        for line in text.lines().filter(is_comment) {
            let words = line.strip_prefix("# options:").unwrap_or_default();
            words.split_whitespace().for_each(|word| case.set(word));
        }
        case.bytes = hex(&text.lines().filter(|line| !is_comment(line)).collect::<String>());
        case
    }

    fn set(&mut self, word: &str) {
        let options = self.options.clone();
        self.options = match word {
            "godot3" => options.dialect(Dialect::Godot3),
            "docs" => options.dialect(Dialect::Docs),
            "single" => options.precision(Precision::Single),
            "double" => options.precision(Precision::Double),
            "strict" => options.strict(true),
            "objects" => options.allow_objects(true),
            "frames" | "project" => {
                self.around = if word == "frames" { "frames" } else { "project" };
                options
            }
            other => panic!("no option `{other}`"),
        };
    }

    fn shown(&self) -> String {
        let Case { options, bytes, .. } = self;
        match self.around {
            "frames" => {
                let framing = Framing::new().options(options.clone());
                let write = |values: &Vec<Value>| {
                    let frames = values.iter().map(|value| framing.to_vec(value));
                    Ok(frames.collect::<Result<Vec<_>>>()?.concat())
                };
                shown(bytes, framing.all_from_slice(bytes), write, framing.explain(bytes))
            }
            "project" => {
                let read = ProjectSettings::from_slice_with(bytes, options);
                let explanation = ProjectSettings::explain_with(bytes, options);
                shown(bytes, read, |settings| settings.to_vec_with(options), explanation)
            }
            _ => {
                let read = options.from_slice::<Value>(bytes);
                shown(bytes, read, |value| options.to_vec(value), options.explain(bytes))
            }
        }
    }
}

fn shown<T: Debug>(
    bytes: &[u8],
    read: Result<T>,
    write: impl FnOnce(&T) -> Result<Vec<u8>>,
    explanation: Explanation,
) -> String {
    let mut text = String::new();
    match &read {
        Ok(value) => {
            let again = match write(value) {
                Ok(same) if same == bytes => "identical".to_owned(),
                Ok(other) => words(&other),
                Err(error) => format!("{error:?}"),
            };
            write!(text, "{value:#?}\n\nwritten back: {again}\n").unwrap();
        }
        Err(error) => writeln!(text, "{error:?}").unwrap(),
    }
    write!(text, "\n{explanation}").unwrap();
    text
}

#[test]
fn each_case_is_read_explained_and_written() {
    insta::glob!("../../../../testdata/godot-variant/cases", "*.hex", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        insta::assert_snapshot!(Case::new(&text).shown());
    });
}
