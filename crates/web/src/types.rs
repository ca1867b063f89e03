//! Type lists of PropertyClass and solutions of Zeze, among the files of a question.

use std::sync::{Arc, Mutex, PoisonError};

use gamewire::document::{Error, GAMES, Settings, Solution, parse_choice};
use gamewire::kiwi_pclass::Schema;

/// The type lists of the last question, with the game whose hashes they have: a list of all classes
/// of a game takes longer to read than most files.
static LAST: Mutex<Option<(Vec<u8>, Arc<Schema>)>> = Mutex::new(None);

/// Adds type lists, in JSON or in XML, to the settings.
pub(crate) fn with_types(
    settings: &mut Settings,
    lists: &[&[u8]],
    game: &str,
) -> Result<(), Error> {
    if lists.is_empty() {
        return Ok(());
    }
    let mut all = game.as_bytes().to_vec();
    lists.iter().for_each(|list| all.extend(*list));
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, schema)) = last.as_ref().filter(|(own, _)| *own == all) {
        settings.pclass.schema = Some(Arc::clone(schema));
        return Ok(());
    }
    let mut builder = Schema::builder().game(parse_choice(GAMES, game)?);
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
