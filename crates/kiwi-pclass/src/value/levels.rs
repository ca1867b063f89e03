//! How decoder and encoder go through what is nested: by recursion while it is shallow, which is the fast
//! way, and from some depth on with a stack of their own, so that nothing is too deep.

use crate::{Error, Result};

/// Levels that are gone through by recursion.
pub(super) const MAX_RECURSION: u32 = 32;

/// Goes through levels: objects, lists and tuples that are open.
pub(super) trait Levels {
    type Level;

    /// How many levels may yet be gone through by recursion; [`MAX_RECURSION`] at first.
    fn recursion(&mut self) -> &mut u32;

    /// Goes on in a level until another one opens in it; `None` at its end.
    fn advance(&mut self, top: &mut Self::Level) -> Result<Option<Self::Level>>;

    /// Ends a level.
    fn close(&mut self);

    /// Adds to an error where in a level it happened.
    fn locate(level: &Self::Level, error: Error) -> Error;

    /// Goes through a level that opened, unless it is too deep for that: then it is for `run`.
    #[inline]
    fn level(&mut self, mut top: Self::Level) -> Result<Option<Self::Level>> {
        let Some(left) = self.recursion().checked_sub(1) else { return Ok(Some(top)) };
        *self.recursion() = left;
        loop {
            match self.advance(&mut top) {
                Ok(None) => break,
                Ok(inner) => self.run(inner).map_err(|error| Self::locate(&top, error))?,
                Err(error) => return Err(Self::locate(&top, error)),
            }
        }
        *self.recursion() = left.wrapping_add(1);
        self.close();
        Ok(None)
    }

    /// Goes through a level that is too deep for recursion, and all that is in it.
    fn run(&mut self, level: Option<Self::Level>) -> Result<()> {
        let Some(mut top) = level else { return Ok(()) };
        let mut stack: Vec<Self::Level> = Vec::new();
        loop {
            match self.advance(&mut top) {
                Ok(Some(inner)) => stack.push(std::mem::replace(&mut top, inner)),
                Ok(None) => {
                    self.close();
                    match stack.pop() {
                        Some(outer) => top = outer,
                        None => return Ok(()),
                    }
                }
                // Only errors pay for the path: the levels know where they are.
                Err(error) => {
                    let error = Self::locate(&top, error);
                    return Err(stack.iter().rev().fold(error, |e, level| Self::locate(level, e)));
                }
            }
        }
    }
}
