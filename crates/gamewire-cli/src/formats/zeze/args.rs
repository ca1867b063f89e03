//! The options on the command line.

use clap::{Args, ValueEnum};
use gamewire::zeze_serialize::Options;

use crate::formats::Limits;

/// What is around the beans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frames {
    None,
    Sent,
    Page,
}

impl Frames {
    pub(super) const ALL: [Frames; 3] = [Frames::None, Frames::Sent, Frames::Page];

    /// The name in the JSON notation.
    pub(super) fn name(self) -> &'static str {
        match self {
            Frames::None => "none",
            Frames::Sent => "sent",
            Frames::Page => "page",
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum FramesArg {
    /// As the file looks; for `encode`, as the JSON says, else none
    Auto,
    /// One bean and nothing around it, as in a table
    None,
    /// Protocols and rpcs as servers and clients send them
    Sent,
    /// The frames of the published page, which have no family
    Page,
}

impl FramesArg {
    fn chosen(self) -> Option<Frames> {
        Some(match self {
            FramesArg::Auto => return None,
            FramesArg::None => Frames::None,
            FramesArg::Sent => Frames::Sent,
            FramesArg::Page => Frames::Page,
        })
    }
}

/// Zeze's options for reading and writing.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Zeze")]
pub(crate) struct ZezeArgs {
    /// What is around the beans [default: auto]
    #[arg(long, value_enum)]
    frames: Option<FramesArg>,
}

impl ZezeArgs {
    /// Whether the command line speaks of Zeze.
    pub(crate) fn is_used(&self) -> bool {
        self.frames().is_some()
    }

    pub(super) fn frames(&self) -> Option<Frames> {
        self.frames.and_then(FramesArg::chosen)
    }
}

pub(super) fn options(limits: Limits) -> Options {
    let options = Options::new().strict(limits.strict).max_output(usize::MAX);
    match limits.max_depth {
        Some(depth) => options.max_depth(depth),
        None => options,
    }
}

/// Zeze's options for what `convert` writes.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Zeze, what is written")]
pub(crate) struct ZezeTarget {
    /// What is written around the beans [default: as read]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "FRAMES")]
    to_frames: Option<FramesArg>,
}

impl ZezeTarget {
    pub(super) fn frames(&self) -> Option<Frames> {
        self.to_frames.and_then(FramesArg::chosen)
    }
}
