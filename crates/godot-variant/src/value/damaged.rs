//! Values that are damaged somewhere, as far as they can be read.

use super::build::Builder;
use super::decode::{Contents, Decoder, Frame, Listener};
use crate::Value;
use crate::error::{Error, Path, Result, Segment};
use crate::options::Options;
use crate::read::Reader;

/// The damage of a value that was read in part.
#[derive(Debug)]
#[non_exhaustive]
pub struct Damage {
    /// The reason why no more can be read.
    pub error: Error,
    /// The offset up to which it was read.
    pub end: usize,
    /// The way from the outermost value to what cannot be read.
    pub way: Vec<Segment>,
    /// The containers that have less than they say, the innermost first.
    pub cut: Vec<Cut>,
}

/// A container that was read in part.
#[derive(Debug)]
#[non_exhaustive]
pub struct Cut {
    /// How many steps of [`Damage::way`] lead to it.
    pub depth: usize,
    /// Elements, entries or properties that are in it.
    pub kept: usize,
    /// Those that its count says.
    pub claimed: usize,
}

impl Options {
    /// Reads what is whole of a [`Value`] that is damaged: all before the first error, with the containers
    /// that are open there closed. Reads the bytes once, as [`value_from_slice`](Self::value_from_slice) does.
    ///
    /// ```
    /// use godot_variant::{Options, variant};
    ///
    /// let bytes = Options::new().value_to_vec(&variant!([1, [2, "three"]]))?;
    /// let (value, damage) = Options::new().salvage_from_slice(&bytes[..bytes.len() - 1])?;
    /// assert_eq!(value, variant!([1, [2]]));
    /// let damage = damage.unwrap();
    /// assert_eq!((damage.end, damage.cut.len()), (32, 1));
    /// assert_eq!((damage.cut[0].kept, damage.cut[0].claimed), (1, 2));
    /// # Ok::<(), godot_variant::Error>(())
    /// ```
    ///
    /// # Errors
    /// Nothing is whole: the outermost value is no container, and is cut off.
    pub fn salvage_from_slice(&self, bytes: &[u8]) -> Result<(Value, Option<Damage>)> {
        let mut reader = Reader::new(bytes, self.clone());
        let mut builder = Builder(());
        let mut decoder = Decoder::new(&mut reader, 0, &mut builder);
        match decoder.value() {
            Err(error) => decoder.close(error).map_err(|error| error.or_at(0)),
            Ok(value) => {
                let end = reader.offset();
                let damage = |error| Damage { error, end, way: Vec::new(), cut: Vec::new() };
                Ok((value, reader.end().err().map(damage)))
            }
        }
    }
}

impl<'de, L: Listener<'de>> Decoder<'_, 'de, L> {
    /// Closes the containers that are open at an error.
    fn close(self, error: Error) -> Result<(L::Value, Option<Damage>)> {
        let Decoder { reader, listener, mut stack, failed, .. } = self;
        let end = failed.unwrap_or(reader.offset());
        let way: Vec<Segment> = stack.iter().map(|frame| frame.segment(reader)).collect();
        let last = way.iter().rev().take(Path::MAX_SEGMENTS.saturating_add(1));
        let error = error.or_at(end);
        let error = last.fold(error, |error, segment| error.inside(segment.clone()));
        let (mut inner, mut cut) = (None, Vec::new());
        while let Some(mut frame) = stack.pop() {
            let depth = stack.len();
            let mut kept = frame.begun;
            let is_key = frame.at_key();
            let added = match inner.take() {
                // No entry has a part of a key.
                Some(whole) if !is_key => frame.add(whole, reader, listener).is_ok(),
                _ => false,
            };
            if !added {
                kept = kept.saturating_sub(1);
                frame.give_up();
            }
            if is_key {
                cut.clear();
            }
            if kept < frame.count {
                cut.push(Cut { depth, kept, claimed: frame.count });
            }
            inner = Some(frame.end(reader, listener)?);
        }
        match inner {
            Some(whole) => Ok((whole.value, Some(Damage { error, end, way, cut }))),
            None => Err(error),
        }
    }
}

impl<'de, L: Listener<'de>> Frame<'de, L> {
    fn at_key(&self) -> bool {
        matches!(self.contents, Contents::Entries(_)) && !self.at_value
    }

    /// Takes the key or the name of a value away that is not there.
    fn give_up(&mut self) {
        match &mut self.contents {
            Contents::Entries(entries) if self.at_value => _ = entries.pop(),
            Contents::Object(object) if self.at_value => _ = object.1.pop(),
            _ => {}
        }
        self.at_value = false;
    }
}
