//! The options on the command line.

use std::sync::Arc;

use clap::Args;
use gamewire::zeze_serialize::Options;

use super::view::{Solution, View};
use crate::formats::Limits;
use crate::formats::choice::{Auto, Choices, among, name, one_of};

/// What is around the beans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) enum Frames {
    None,
    Sent,
    Page,
}

impl Frames {
    /// The name in the JSON notation.
    pub(super) fn name(self) -> String {
        name(FRAMES, &Some(self))
    }
}

pub(super) const FRAMES: Choices<Option<Frames>> = &[
    ("auto", "As the file looks; for `encode`, as the JSON says, else none", None),
    ("none", "One bean and nothing around it, as in a table", Some(Frames::None)),
    ("sent", "Protocols and rpcs as servers and clients send them", Some(Frames::Sent)),
    ("page", "The frames of the published page, which have no family", Some(Frames::Page)),
];

/// Zeze's options for reading and writing.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Zeze")]
pub(crate) struct ZezeArgs {
    /// What is around the beans [default: auto]
    #[arg(long, value_parser = one_of(FRAMES))]
    frames: Option<Auto<Frames>>,
    /// The solution of the data, by whose names fields and beans are shown and given
    #[arg(long, value_name = "SOLUTION.xml", value_parser = Solution::read)]
    schema: Option<Arc<Solution>>,
    /// The bean at the root, by its name in the solution; frames say by their protocols what is in them
    #[arg(long, value_name = "NAME", requires = "schema")]
    bean: Option<String>,
}

impl ZezeArgs {
    /// Whether the command line speaks of Zeze.
    pub(crate) fn is_used(&self) -> bool {
        self.frames().is_some() || self.schema.is_some()
    }

    /// What shows the data by names.
    pub(super) fn view(&self) -> Result<Option<View>, String> {
        let Some(solution) = self.schema.clone() else { return Ok(None) };
        let bean = self.bean.as_ref().map(|name| solution.bean(name)).transpose()?;
        Ok(Some(View { solution, bean }))
    }

    pub(super) fn frames(&self) -> Option<Frames> {
        self.frames.flatten()
    }
}

pub(super) fn options(limits: Limits) -> Options {
    let options = Options::new().strict(limits.strict).max_output(usize::MAX);
    let options = limits.max_memory.map_or(options, |bytes| options.max_memory(bytes));
    limits.max_depth.map_or(options, |depth| options.max_depth(depth))
}

/// Zeze's options for what `convert` writes.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Zeze, what is written")]
pub(crate) struct ZezeTarget {
    /// What is written around the beans [default: as read]
    #[arg(long, value_parser = among(FRAMES), value_name = "FRAMES")]
    to_frames: Option<Auto<Frames>>,
}

impl ZezeTarget {
    pub(super) fn frames(&self) -> Option<Frames> {
        self.to_frames.flatten()
    }
}
