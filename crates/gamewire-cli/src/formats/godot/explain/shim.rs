//! Stands in for the crate's own explanation, with the same face: whole values, not each byte.

use gamewire::godot_variant::frame::Framing;
use gamewire::godot_variant::project::ProjectSettings;
use gamewire::godot_variant::{Error, Options, Value};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Explanation {
    #[serde(skip)]
    error: Option<Error>,
    values: Vec<String>,
}

impl Explanation {
    fn new(values: Result<Vec<String>, Error>) -> Self {
        match values {
            Ok(values) => Explanation { error: None, values },
            Err(error) => Explanation { error: Some(error), values: Vec::new() },
        }
    }

    pub(super) fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    pub(super) fn to_text(&self, _color: bool) -> String {
        self.values.iter().map(|value| format!("{value}\n")).collect()
    }

    pub(super) fn to_html(&self, title: &str) -> String {
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let (title, text) = (escape(title), escape(&self.to_text(false)));
        format!("<!doctype html><meta charset=utf-8><title>{title}</title><pre>{text}</pre>\n")
    }
}

/// `Options::explain`
pub(super) fn value(options: &Options, bytes: &[u8]) -> Explanation {
    Explanation::new(options.from_slice::<Value>(bytes).map(|value| vec![format!("{value:?}")]))
}

/// `Framing::explain`
pub(super) fn frames(options: &Options, big_endian: bool, bytes: &[u8]) -> Explanation {
    let framing = Framing::new().big_endian(big_endian).options(options.clone());
    let values = framing.all_from_slice::<Value>(bytes);
    Explanation::new(values.map(|values| values.iter().map(|value| format!("{value:?}")).collect()))
}

/// `ProjectSettings::explain`
pub(super) fn project(bytes: &[u8]) -> Explanation {
    let shown = |settings: ProjectSettings| {
        settings.entries.iter().map(|(name, value)| format!("{name} = {value:?}")).collect()
    };
    Explanation::new(ProjectSettings::from_slice(bytes).map(shown))
}
