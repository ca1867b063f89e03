//! PropertyClass's options.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use clap::Args;
use gamewire::document::{
    FORMS, Form, GAMES, MODES, PclassSettings, PclassTarget, UNKNOWN_CHOICES,
};
use gamewire::kiwi_pclass::core_object::CoreTypes;
use gamewire::kiwi_pclass::hash::Game;
use gamewire::kiwi_pclass::types::{PropertyFlags, SerializerFlags};
use gamewire::kiwi_pclass::{self, Mode, Schema, Unknown};

use super::choice::{Auto, among, one_of};
use crate::files::{self, Bound};

/// PropertyClass's options for reading and writing.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "PropertyClass")]
pub(crate) struct PclassArgs {
    /// A type list in JSON, which says what the bytes do not; several are merged
    #[arg(long, value_name = "FILE", value_parser = read_types)]
    types: Vec<List>,
    /// Whose hashes a type list has that does not say them [default: wizard101]
    #[arg(long, value_parser = one_of(GAMES), value_name = "GAME")]
    game: Option<Game>,
    /// The treatment of classes and properties that the type lists do not have, in deep mode
    /// [default: keep]
    #[arg(long, value_parser = one_of(UNKNOWN_CHOICES), value_name = "WHAT")]
    unknown: Option<Unknown>,
    /// Leave deprecated properties out of shallow objects, as some other programs do
    #[arg(long)]
    skip_deprecated: bool,
    /// How objects are laid out [default: deep in files and XML, and in what is called gamedata.bin or
    /// pathNodeData.bin; else shallow]
    #[arg(long, value_parser = one_of(MODES))]
    mode: Option<Mode>,
    /// Serializer flags, such as 7 or 0x7, for streams that do not have them [default: 7 for files, else 0]
    #[arg(long, value_name = "FLAGS", value_parser = number)]
    flags: Option<u32>,
    /// Properties that take part have all of these flags [default: 1 where the default is deep, else 0x18]
    #[arg(long, value_name = "FLAGS", value_parser = number)]
    mask: Option<u32>,
    /// The layers around the objects [default: auto]
    #[arg(long, value_parser = one_of(FORMS))]
    form: Option<Auto<Form>>,
    /// Objects have the headers of core objects, and this core type is this class, such as
    /// 104="class WizClientObject"; may be repeated, and `--core-type known` has those that are publicly
    /// known
    #[arg(long, value_name = "N=CLASS", value_parser = core_type)]
    core_type: Vec<CoreTypeArg>,
    /// Read entries of archives whose checksum is wrong, as programs write them that count over the content
    #[arg(long)]
    ignore_checksums: bool,
    #[arg(skip)]
    merged: OnceLock<Option<Arc<Schema>>>,
}

#[derive(Clone, Debug)]
enum CoreTypeArg {
    Known,
    One(u8, String),
}

/// A type list on the command line.
#[derive(Clone, Debug)]
struct List {
    path: PathBuf,
    schema: Arc<Schema>,
}

fn read_types(path: &str) -> Result<List, String> {
    let path = PathBuf::from(path);
    types(&path).map(|schema| List { path, schema })
}

/// The schema of a type list, with the hashes of a game where the list says none.
fn types_of(path: &Path, game: Game) -> Result<Arc<Schema>, String> {
    let list = files::read(path, Bound::default())?;
    let all = Schema::builder().game(game).list(&list).and_then(|all| all.build());
    all.map(Arc::new).map_err(|error| error.to_string())
}

/// The schema of a type list.
pub(crate) fn types(path: &Path) -> Result<Arc<Schema>, String> {
    types_of(path, Game::Wizard101)
}

/// All lists in one. Of a class that is in several the first counts.
pub(crate) fn merged(types: &[Arc<Schema>]) -> Result<Option<Arc<Schema>>, String> {
    match types {
        [] => Ok(None),
        [only] => Ok(Some(Arc::clone(only))),
        several => {
            let merge = |all: kiwi_pclass::schema::SchemaBuilder, one: &Arc<Schema>| all.merge(one);
            let all = several.iter().fold(Schema::builder(), merge);
            all.build().map(|all| Some(Arc::new(all))).map_err(|error| error.to_string())
        }
    }
}

pub(crate) fn number(text: &str) -> Result<u32, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) if !digits.starts_with('+') => u32::from_str_radix(digits, 16).ok(),
        _ => text.parse().ok(),
    };
    number.ok_or_else(|| "expected a number of 32 bits, such as 7 or 0x18".to_owned())
}

fn core_type(text: &str) -> Result<CoreTypeArg, String> {
    if text == "known" {
        return Ok(CoreTypeArg::Known);
    }
    let parts =
        text.split_once('=').and_then(|(number, class)| Some((number.parse().ok()?, class)));
    let (number, class) = parts.ok_or("expected `known`, or such as 104=class WizClientObject")?;
    Ok(CoreTypeArg::One(number, class.to_owned()))
}

impl PclassArgs {
    /// Whether the command line speaks of PropertyClass objects.
    pub(super) fn is_used(&self) -> bool {
        !self.types.is_empty()
            || self.game.is_some()
            || self.unknown.is_some()
            || self.skip_deprecated
            || self.mode.is_some()
            || self.flags.is_some()
            || self.mask.is_some()
            || self.form.flatten().is_some()
            || !self.core_type.is_empty()
    }

    pub(crate) fn settings(&self) -> PclassSettings {
        PclassSettings {
            schema: self.schema(),
            unknown: self.unknown,
            skip_deprecated: self.skip_deprecated,
            mode: self.mode,
            flags: self.flags.map(SerializerFlags),
            mask: self.mask.map(PropertyFlags),
            form: self.form.flatten(),
            core_types: self.core_types(),
            ignore_checksums: self.ignore_checksums,
        }
    }

    fn schema(&self) -> Option<Arc<Schema>> {
        // Two lists in which different classes have one hash: the first list alone then.
        let lists = || -> Vec<Arc<Schema>> {
            let game = self.game.filter(|game| *game != Game::Wizard101);
            let one = |list: &List| match game {
                Some(game) => types_of(&list.path, game).unwrap_or_else(|_| list.schema.clone()),
                None => list.schema.clone(),
            };
            self.types.iter().map(one).collect()
        };
        let all = || {
            let lists = lists();
            merged(&lists).unwrap_or_else(|_| lists.first().cloned())
        };
        self.merged.get_or_init(all).clone()
    }

    fn core_types(&self) -> Option<Arc<CoreTypes>> {
        if self.core_type.is_empty() {
            return None;
        }
        let add = |types: CoreTypes, one: &CoreTypeArg| match one {
            CoreTypeArg::Known => CoreTypes::wizard101()
                .iter()
                .fold(types, |types, (number, class)| types.with(number, class)),
            CoreTypeArg::One(number, class) => types.with(*number, class),
        };
        Some(Arc::new(self.core_type.iter().fold(CoreTypes::new(), add)))
    }
}

/// PropertyClass's options for what `convert` writes.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "PropertyClass, what is written")]
pub(crate) struct PclassTargetArgs {
    /// The layers to write around the objects [default: xml for binary input, bind for XML]
    #[arg(long, value_parser = among(FORMS), value_name = "FORM")]
    to_form: Option<Auto<Form>>,
    /// The layout that is written [default: as read]
    #[arg(long, value_parser = among(MODES), value_name = "MODE")]
    to_mode: Option<Mode>,
    /// The serializer flags that are written, such as 7 or 0x7 [default: as read]
    #[arg(long, value_name = "FLAGS", value_parser = number)]
    to_flags: Option<u32>,
    /// Which properties are written: those with all of these flags, such as 0x18 [default: as read]
    #[arg(long, value_name = "FLAGS", value_parser = number)]
    to_mask: Option<u32>,
}

impl PclassTargetArgs {
    pub(super) fn target(&self) -> PclassTarget {
        PclassTarget {
            form: self.to_form.flatten(),
            mode: self.to_mode,
            flags: self.to_flags.map(SerializerFlags),
            mask: self.to_mask.map(PropertyFlags),
        }
    }
}
