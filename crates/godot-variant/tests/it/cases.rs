//! The files of `testdata/godot-variant/cases`: what each is read as, what its bytes mean, and
//! whether it is written back the same.
//!
//! A case is a text of comments and hexadecimal digits. `# options:` has what differs from the
//! default options: `godot3`, `docs`, `single`, `double`, `strict`, `objects`, `shallow`, and
//! `frames` or `project` for what is around the variants. Each line of a `.list` is an input of its
//! own, with such words and a colon before it where it takes any.

#[cfg(feature = "explain")]
use std::fmt::Debug;
use std::fmt::Write as _;

use godot_variant::frame::Framing;
use godot_variant::native_json::NativeJson;
use godot_variant::project::ProjectSettings;
use godot_variant::{Dialect, Error, Options, Precision, Value};
#[cfg(feature = "explain")]
use godot_variant::{Explanation, Result};
use serde::de::IgnoredAny;

use crate::support::{hex, testdata, words};

#[derive(Default)]
pub(crate) struct Case {
    pub(crate) options: Options,
    around: &'static str,
    pub(crate) bytes: Vec<u8>,
}

impl Case {
    fn new(text: &str) -> Self {
        let mut case = Case::default();
        let is_comment = |line: &&str| line.starts_with('#');
        for line in text.lines().filter(is_comment) {
            case.set(line.strip_prefix("# options:").unwrap_or_default());
        }
        case.bytes = hex(&text.lines().filter(|line| !is_comment(line)).collect::<String>());
        case
    }

    /// The input that a line of a list is.
    fn of_line(line: &str) -> Self {
        let (words, digits) = line.split_once(':').unwrap_or(("", line));
        let mut case = Case { bytes: hex(digits), ..Case::default() };
        case.set(words);
        case
    }

    /// The case in a file.
    pub(crate) fn load(name: &str) -> Self {
        Case::new(&std::fs::read_to_string(testdata("cases").join(name)).unwrap())
    }

    /// The cases in all files with one input.
    #[cfg(feature = "explain")]
    pub(crate) fn all() -> Vec<Case> {
        let entries = std::fs::read_dir(testdata("cases")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".hex")).map(|name| Case::load(&name)).collect()
    }

    fn set(&mut self, words: &str) {
        for word in words.split_whitespace() {
            let options = std::mem::take(&mut self.options);
            self.options = match word {
                "godot3" => options.dialect(Dialect::Godot3),
                "docs" => options.dialect(Dialect::Docs),
                "single" => options.precision(Precision::Single),
                "double" => options.precision(Precision::Double),
                "strict" => options.strict(true),
                "objects" => options.allow_objects(true),
                "shallow" => options.max_depth(15),
                "frames" | "project" => {
                    self.around = if word == "frames" { "frames" } else { "project" };
                    options
                }
                other => panic!("no option `{other}`"),
            };
        }
    }

    fn framing(&self) -> Framing {
        Framing::new().options(self.options.clone())
    }

    #[cfg(feature = "explain")]
    pub(crate) fn explain(&self) -> Explanation {
        match self.around {
            "frames" => self.framing().explain(&self.bytes),
            "project" => godot_variant::explain::File::settings(&self.options).explain(&self.bytes),
            _ => self.options.explain(&self.bytes),
        }
    }

    /// Why it cannot be read.
    pub(crate) fn error(&self) -> Option<Error> {
        match self.around {
            "frames" => self.framing().all_from_slice::<Value>(&self.bytes).err(),
            "project" => ProjectSettings::from_slice_with(&self.bytes, &self.options).err(),
            _ => self.options.from_slice::<Value>(&self.bytes).err(),
        }
    }

    #[cfg(feature = "explain")]
    fn shown(&self) -> String {
        let Case { options, bytes, .. } = self;
        match self.around {
            "frames" => {
                let framing = self.framing();
                let write = |values: &Vec<Value>| {
                    let frames = values.iter().map(|value| framing.to_vec(value));
                    Ok(frames.collect::<Result<Vec<_>>>()?.concat())
                };
                shown(bytes, framing.all_from_slice(bytes), write)
            }
            "project" => {
                let read = ProjectSettings::from_slice_with(bytes, options);
                shown(bytes, read, |settings| settings.to_vec_with(options))
            }
            _ => shown(bytes, options.from_slice::<Value>(bytes), |value| options.to_vec(value)),
        }
    }

    /// In a line: the error, or what it is read as and what strict says to that.
    fn told(&self) -> String {
        let Case { options, bytes, around } = self;
        if around.is_empty() {
            crate::strict::check(options, bytes);
            let skipped = options.from_slice::<IgnoredAny>(bytes).err();
            let place = |error: &Option<Error>| error.as_ref().map(|e| (e.kind(), e.offset()));
            assert_eq!(place(&self.error()), place(&skipped), "{}", words(bytes));
        }
        match self.error() {
            Some(error) => {
                assert!(error.offset().is_some_and(|at| at <= bytes.len()), "{error}");
                crate::errors::line(&error)
            }
            None => {
                let value: Value = options.from_slice(bytes).unwrap();
                let strict = options.clone().strict(true).from_slice::<Value>(bytes);
                let written = words(&options.to_vec(&value).unwrap());
                format!("{value:?}, {written}\n    {:?}", strict.map(drop))
            }
        }
    }
}

#[cfg(feature = "explain")]
fn shown<T: Debug>(
    bytes: &[u8],
    read: Result<T>,
    write: impl FnOnce(&T) -> Result<Vec<u8>>,
) -> String {
    let value = match &read {
        Ok(value) => value,
        Err(error) => return format!("{error:?}\n"),
    };
    let again = match write(value) {
        Ok(same) if same == bytes => "identical".to_owned(),
        Ok(other) => words(&other),
        Err(error) => format!("{error:?}"),
    };
    format!("{value:#?}\n\nwritten back: {again}\n")
}

#[cfg(feature = "explain")]
#[test]
fn each_case_is_read_explained_and_written() {
    insta::glob!("../../../../testdata/godot-variant/cases", "*.hex", |path| {
        let case = Case::new(&std::fs::read_to_string(path).unwrap());
        let explanation = case.explain();
        crate::explain::check(&explanation, &case.bytes, case.error().as_ref());
        insta::assert_snapshot!(format!("{}\n{explanation}", case.shown()));
    });
}

#[test]
fn each_line_of_a_list_is_read_or_refused() {
    insta::glob!("../../../../testdata/godot-variant/cases", "*.list", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let notation = path.ends_with("native-json.list");
        let mut told = String::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let outcome = if notation { native_json(line) } else { Case::of_line(line).told() };
            writeln!(told, "{line}\n    {outcome}").unwrap();
        }
        insta::assert_snapshot!(told);
    });
}

fn native_json(line: &str) -> String {
    match serde_json::from_str::<NativeJson>(line) {
        Ok(NativeJson(value)) => {
            let again = serde_json::to_string(&NativeJson(&value)).unwrap();
            format!("{value:?}, {}", if again == line { "written the same" } else { &again })
        }
        Err(error) => error.to_string(),
    }
}
