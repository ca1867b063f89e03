//! Zeze's options.

use std::sync::Arc;

use clap::Args;
use gamewire::document::{FRAMES, Frames, Solution, ZezeSettings, ZezeTarget};

use gamewire_gen::zeze::{Options, Schema};

use super::choice::{Auto, among, one_of};
use crate::files::{self, Bound};

/// Zeze's options for reading and writing.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Zeze")]
pub(crate) struct ZezeArgs {
    /// The frames around the beans [default: auto]
    #[arg(long, value_parser = one_of(FRAMES))]
    frames: Option<Auto<Frames>>,
    /// The solution of the data, by whose names fields and beans are shown and given
    #[arg(long, value_name = "SOLUTION.xml", value_parser = solution)]
    schema: Option<Arc<Solution>>,
    /// The bean at the root, by its name in the solution; frames say by their protocols what is in them
    #[arg(long, value_name = "NAME", requires = "schema")]
    bean: Option<String>,
}

/// Reads a solution and all that it imports.
fn solution(path: &str) -> Result<Arc<Solution>, String> {
    let read = Schema::read(path.as_ref(), &options());
    let (schema, _) = read.map_err(|error| error.to_string())?;
    Ok(Arc::new(Solution::new(schema)))
}

impl ZezeArgs {
    /// Whether the command line speaks of Zeze.
    pub(super) fn is_used(&self) -> bool {
        self.frames.flatten().is_some() || self.schema.is_some()
    }

    pub(super) fn settings(&self) -> ZezeSettings {
        ZezeSettings {
            frames: self.frames.flatten(),
            solution: self.schema.clone(),
            bean: self.bean.clone(),
        }
    }
}

/// Zeze's options for what `convert` writes.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Zeze, what is written")]
pub(crate) struct ZezeTargetArgs {
    /// The frames to write around the beans [default: as read]
    #[arg(long, value_parser = among(FRAMES), value_name = "FRAMES")]
    to_frames: Option<Auto<Frames>>,
}

impl ZezeTargetArgs {
    pub(super) fn target(&self) -> ZezeTarget {
        ZezeTarget { frames: self.to_frames.flatten() }
    }
}

/// The generator's defaults, with files read as all inputs are.
pub(crate) fn options() -> Options {
    Options { read: Some(|path| files::read(path, Bound::default())), ..Options::default() }
}
