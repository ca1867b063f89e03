//! Values of other types, and the losses of their conversion.

use super::{Deserializer, Next};
use crate::cast;
use crate::error::{Error, ErrorKind, Result, Segment};
use crate::ids;
use crate::kind::Kind;

/// About the memory of a loss.
const LOSS: usize = 256;

impl Deserializer<'_> {
    /// Skips a value that does not convert, so that it reads as zero, or refuses it if strict.
    #[inline]
    pub(super) fn zero(&mut self, expected: &str, found: Next) -> Result<()> {
        if found == Next::Absent { Ok(()) } else { self.pass_over(expected, found) }
    }

    #[inline(never)]
    pub(super) fn pass_over(&mut self, expected: &str, found: Next) -> Result<()> {
        let found = match found {
            Next::Is(found) => found,
            Next::NoId => return Err(ids::without(self.unnumbered)),
            Next::Any | Next::Absent => return Ok(()),
        };
        let at = self.decoder.offset();
        let text = || format!("expected {expected}, found {}", found.article());
        if self.strict() || self.by_position && !self.reports {
            self.fail();
            let order =
                if self.strict() { "" } else { " (without ids, fields are known by their order)" };
            return Err(Error::at(ErrorKind::Incompatible, at, format!("{}{order}", text())));
        }
        self.record_loss(at, ErrorKind::Incompatible, text)?;
        self.decoder.skip(found, self.depth)
    }

    /// Records a loss for `Options::from_slice_with_losses`.
    #[cold]
    pub(super) fn record_loss(
        &mut self,
        at: usize,
        kind: ErrorKind,
        text: impl FnOnce() -> String,
    ) -> Result<()> {
        if self.reports {
            self.hold(LOSS, at)?;
            self.losses.push(Some(Error::at(kind, at, text())));
        }
        Ok(())
    }

    /// Adds a step to the paths of the losses from the given one on.
    #[inline]
    pub(super) fn place(&mut self, from: usize, step: impl FnOnce() -> Segment) {
        if from != self.losses.len() {
            self.place_all(from, step());
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn place_all(&mut self, from: usize, step: Segment) {
        let losses = self.losses.split_off(from);
        let inside = |loss: Error| loss.inside(step.clone());
        self.losses.extend(losses.into_iter().map(|loss| loss.map(inside)));
    }

    /// Notes that reading a value has failed, so that the reader may stand inside of it.
    #[cold]
    pub(super) fn fail(&mut self) {
        self.losses.push(None);
    }

    /// Goes to the end of a value that began where `left` bytes were left, if reading it has failed since
    /// there were `losses`, and its type has ignored the error.
    #[inline]
    pub(super) fn go_on(&mut self, losses: usize, left: usize, kind: Option<Kind>) -> Result<()> {
        if losses == self.losses.len() { Ok(()) } else { self.pass_failed(losses, left, kind) }
    }

    #[cold]
    #[inline(never)]
    fn pass_failed(&mut self, losses: usize, left: usize, kind: Option<Kind>) -> Result<()> {
        if self.losses.iter().skip(losses).all(Option::is_some) {
            return Ok(());
        }
        self.give_up(losses, left);
        kind.map_or(Ok(()), |kind| self.decoder.skip(kind, self.depth))
    }

    /// Goes back to where a value began, of which nothing is said any longer.
    pub(super) fn give_up(&mut self, losses: usize, left: usize) {
        self.losses.truncate(losses);
        let read = left.saturating_sub(self.decoder.rest().len());
        let at = self.decoder.offset().saturating_sub(read);
        self.decoder.go_to(at);
    }

    /// Counts memory that is about to be held.
    #[inline]
    pub(super) fn hold(&mut self, bytes: usize, at: usize) -> Result<()> {
        match self.memory.checked_sub(bytes) {
            Some(left) => self.memory = left,
            None => return Err(Error::memory("what is read", at)),
        }
        Ok(())
    }

    #[cold]
    pub(super) fn out_of_range(
        &self,
        at: usize,
        expected: &str,
        found: &dyn std::fmt::Display,
    ) -> Error {
        Error::at(ErrorKind::NumberRange, at, format!("expected {expected}, found {found}"))
    }

    /// Only the low bits of an integer are kept.
    #[cold]
    pub(super) fn cut(&mut self, at: usize, expected: &str, value: i64) -> Result<()> {
        if self.decoder.options.exact_integers {
            return Err(self.out_of_range(at, expected, &format_args!("integer {value}")));
        }
        let text = || format!("expected {expected}, found integer {value}");
        self.record_loss(at, ErrorKind::NumberRange, text)
    }

    /// An integer from what is none on the wire.
    #[inline(never)]
    pub(super) fn int_from(&mut self, next: Next, narrow: bool) -> Result<i64> {
        let at = self.decoder.offset();
        // As in Java: `(int) x` for all types up to 32 bits, of which the low bits are taken then.
        let value = match next {
            Next::Is(Kind::Int) => return self.decoder.int(),
            Next::Is(Kind::Float) => f64::from(self.decoder.f32()?),
            Next::Is(Kind::Double) => self.decoder.f64()?,
            other => return self.zero("an integer", other).map(|()| 0),
        };
        if self.decoder.options.exact_integers {
            if !(-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value) {
                return Err(self.out_of_range(at, "an integer", &format_args!("{value:?}")));
            }
            return Ok(cast::float_to_long(value));
        }
        let int =
            if narrow { cast::float_to_int(value).into() } else { cast::float_to_long(value) };
        if self.reports && cast::int_to_double(int) != value {
            let text = || format!("expected an integer, found {value:?}");
            self.record_loss(at, ErrorKind::NumberRange, text)?;
        }
        Ok(int)
    }

    #[inline(never)]
    pub(super) fn bool_from(&mut self, next: Next) -> Result<bool> {
        match next {
            Next::Is(Kind::Float) => Ok(self.decoder.f32()? != 0.0),
            Next::Is(Kind::Double) => Ok(self.decoder.f64()? != 0.0),
            other => self.zero("a bool", other).map(|()| false),
        }
    }

    #[inline(never)]
    pub(super) fn double_from(&mut self, next: Next) -> Result<f64> {
        let at = self.decoder.offset();
        Ok(match next {
            Next::Is(Kind::Int) => {
                let int = self.decoder.int()?;
                let double = cast::int_to_double(int);
                if self.reports && cast::float_to_long(double) != int {
                    let text = || format!("expected a double, found integer {int}");
                    self.record_loss(at, ErrorKind::NumberRange, text)?;
                }
                double
            }
            Next::Is(Kind::Float) => f64::from(self.decoder.f32()?),
            other => return self.zero("a double", other).map(|()| 0.0),
        })
    }

    #[inline(never)]
    pub(super) fn float_from(&mut self, next: Next) -> Result<f32> {
        let at = self.decoder.offset();
        let (float, double) = match next {
            Next::Is(Kind::Int) => {
                let int = self.decoder.int()?;
                (cast::int_to_float(int), cast::int_to_double(int))
            }
            Next::Is(Kind::Double) => {
                let double = self.decoder.f64()?;
                (cast::narrow(double), double)
            }
            other => return self.zero("a float", other).map(|()| 0.0),
        };
        if self.reports && f64::from(float) != double && !double.is_nan() {
            let text = || format!("expected a float, found {double:?}");
            self.record_loss(at, ErrorKind::NumberRange, text)?;
        }
        Ok(float)
    }
}
