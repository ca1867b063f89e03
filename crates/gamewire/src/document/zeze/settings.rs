//! Zeze's settings.

use std::sync::Arc;

use zeze_serialize::Options;

use serde_json::Value as Json;

use crate::document::choice::{Choices, Said as _, name, said};
use crate::document::error::Error;
use crate::document::limits::Limits;
use gamewire_gen::zeze::view::{Solution, View};

/// The frames around the beans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Frames {
    /// One bean and nothing around it.
    None,
    /// Protocols and rpcs as servers and clients send them.
    Sent,
    /// The frames of the published page, which have no family.
    Page,
}

impl Frames {
    /// The name in the JSON notation.
    pub(super) fn name(self) -> String {
        name(FRAMES, &Some(self))
    }
}

/// The kinds of frames.
pub const FRAMES: Choices<Option<Frames>> = &[
    ("auto", "As the file looks; for `encode`, as the JSON says, else none", None),
    ("none", "One bean and nothing around it, as in a table", Some(Frames::None)),
    ("sent", "Protocols and rpcs as servers and clients send them", Some(Frames::Sent)),
    ("page", "The frames of the published page, which have no family", Some(Frames::Page)),
];

/// Zeze's settings for reading and writing.
#[derive(Clone, Debug, Default)]
pub struct ZezeSettings {
    /// The frames of the file; `None` to go by its looks.
    pub frames: Option<Frames>,
    /// The solution of the data, by whose names fields and beans are shown and given.
    pub solution: Option<Arc<Solution>>,
    /// The bean at the root, by its name in the solution; frames say by their protocols what is in
    /// them.
    pub bean: Option<String>,
}

impl ZezeSettings {
    /// Sets what has a name. Returns whether there is such a setting.
    pub(crate) fn set(&mut self, name: &str, value: &Json) -> Result<bool, Error> {
        match name {
            "frames" => self.frames = said(FRAMES, value)?,
            "bean" => self.bean = Some(String::of(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Shows the data by names.
    pub(super) fn view(&self) -> Result<Option<View>, Error> {
        let Some(solution) = self.solution.clone() else { return Ok(None) };
        let bean = self.bean.as_ref().map(|name| solution.bean(name)).transpose()?;
        Ok(Some(View { solution, bean }))
    }
}

pub(super) fn options(limits: Limits) -> Options {
    let options = Options::new().strict(limits.strict).max_output(usize::MAX);
    let options = limits.max_memory.map_or(options, |bytes| options.max_memory(bytes));
    limits.max_depth.map_or(options, |depth| options.max_depth(depth))
}

/// Zeze's settings for what is converted.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZezeTarget {
    /// The frames that are written; `None` for the same as read.
    pub frames: Option<Frames>,
}
