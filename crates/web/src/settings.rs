//! Settings by the names that they have on the command line.

use std::sync::{Arc, Mutex, PoisonError};

use gamewire::document::{
    CONTAINERS, Choices, DIALECTS, Error, FORMS, FRAMES, FRAMINGS, GAMES, Limits, MAX_DEPTH, MODES,
    PRECISIONS, Secret, Solution, UNKNOWN,
};
use gamewire::kiwi_pclass::Schema;
use gamewire::kiwi_pclass::core_object::CoreTypes;
use gamewire::kiwi_pclass::types::{PropertyFlags, SerializerFlags};
use serde::Deserialize;

pub(crate) use gamewire::document::Settings;

/// Settings as JSON has them.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(crate) struct Named {
    format: Option<String>,
    name: Option<String>,
    strict: bool,
    max_depth: Option<usize>,
    max_memory: Option<usize>,
    dialect: Option<String>,
    precision: Option<String>,
    framing: Option<String>,
    objects: bool,
    password: Option<String>,
    key: Option<String>,
    offset: usize,
    partial_frames: bool,
    trailing_commas: bool,
    pub(crate) game: Option<String>,
    unknown: Option<String>,
    skip_deprecated: bool,
    mode: Option<String>,
    flags: Option<u32>,
    mask: Option<u32>,
    form: Option<String>,
    core_types: bool,
    container: Option<String>,
    relaxed: bool,
    duplicates: bool,
    max_output: Option<usize>,
    frames: Option<String>,
    bean: Option<String>,
}

/// The value of a setting.
fn one_of<T: Copy>(choices: Choices<T>, name: Option<&String>) -> Result<Option<T>, Error> {
    let Some(name) = name else { return Ok(None) };
    if let Some((.., value)) = choices.iter().find(|(own, ..)| own == name) {
        return Ok(Some(*value));
    }
    let names: Vec<&str> = choices.iter().map(|(own, ..)| *own).collect();
    Err(Error::new(format!("{name:?}: expected one of {}", names.join(", "))))
}

impl Named {
    pub(crate) fn settings(&self) -> Result<Settings, Error> {
        let mut made = Settings::default();
        let format = self.format.as_ref().map(|name| name.parse());
        made.format = format
            .transpose()
            .map_err(|error: gamewire::UnknownFormat| Error::new(error.to_string()))?;
        made.name = self.name.as_ref().map(Into::into);
        let max_depth = self.max_depth.map(|depth| depth.min(MAX_DEPTH));
        made.limits = Limits { strict: self.strict, max_depth, max_memory: self.max_memory };

        let godot = &mut made.godot;
        godot.dialect = one_of(DIALECTS, self.dialect.as_ref())?;
        godot.precision = one_of(PRECISIONS, self.precision.as_ref())?;
        godot.framing = one_of(FRAMINGS, self.framing.as_ref())?.flatten();
        (godot.objects, godot.partial_frames) = (self.objects, self.partial_frames);
        let key = self.key.clone().map(Secret::Hex);
        godot.secret = self.password.clone().map(Secret::Password).or(key);
        godot.offset = self.offset;

        made.o3de.trailing_commas = self.trailing_commas;

        let pclass = &mut made.pclass;
        pclass.unknown = one_of(UNKNOWN, self.unknown.as_ref())?;
        pclass.skip_deprecated = self.skip_deprecated;
        pclass.mode = one_of(MODES, self.mode.as_ref())?;
        pclass.flags = self.flags.map(SerializerFlags);
        pclass.mask = self.mask.map(PropertyFlags);
        pclass.form = one_of(FORMS, self.form.as_ref())?.flatten();
        pclass.core_types = self.core_types.then(|| Arc::new(CoreTypes::wizard101()));

        let resonite = &mut made.resonite;
        resonite.container = one_of(CONTAINERS, self.container.as_ref())?;
        (resonite.relaxed, resonite.duplicates) = (self.relaxed, self.duplicates);
        resonite.max_output = self.max_output;

        made.zeze.frames = one_of(FRAMES, self.frames.as_ref())?.flatten();
        made.zeze.bean.clone_from(&self.bean);
        Ok(made)
    }
}

/// The type lists of the last question, with the game whose hashes they have: a list of all classes
/// of a game takes longer to read than most files.
static LAST: Mutex<Option<(Vec<u8>, Arc<Schema>)>> = Mutex::new(None);

/// Adds type lists, in JSON or in XML, to the settings.
pub(crate) fn with_types(
    settings: &mut Settings,
    lists: &[&[u8]],
    game: Option<&str>,
) -> Result<(), Error> {
    if lists.is_empty() {
        return Ok(());
    }
    let name = game.unwrap_or("wizard101").to_owned();
    let mut all = name.clone().into_bytes();
    lists.iter().for_each(|list| all.extend(*list));
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, schema)) = last.as_ref().filter(|(own, _)| *own == all) {
        settings.pclass.schema = Some(Arc::clone(schema));
        return Ok(());
    }
    let mut builder = Schema::builder();
    if let Some(game) = one_of(GAMES, Some(&name))? {
        builder = builder.game(game);
    }
    for list in lists {
        builder = builder.list(list)?;
    }
    let schema = Arc::new(builder.build()?);
    settings.pclass.schema = Some(Arc::clone(&schema));
    *last = Some((all, schema));
    Ok(())
}

/// Adds the solution of Zeze's data to the settings.
pub(crate) fn with_solution(settings: &mut Settings, solutions: &[&[u8]]) -> Result<(), Error> {
    let Some(solution) = solutions.first() else { return Ok(()) };
    let text =
        std::str::from_utf8(solution).map_err(|_| Error::new("the solution is not UTF-8"))?;
    settings.zeze.solution =
        Some(Arc::new(Solution::parse(text).map_err(|error| Error::new(error.to_string()))?));
    Ok(())
}
