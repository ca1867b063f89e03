//! O3DE's JSON as a grammar: that of all JSON text, with the engine's strings.

use std::borrow::Cow;

use o3de_json::Value;

use super::O3de;
use crate::document::error::Error;
use crate::document::json::{Strings, Style, grammar};
use crate::document::ranges::{
    Around, Extent, Grammar, Next, Opened, Out, Place, RangeNode, Stays,
};

impl Strings for O3de {
    fn spelled<'t>(&self, token: &'t [u8]) -> Result<Cow<'t, [u8]>, Error> {
        if !token.contains(&b'\\') {
            return Ok(Cow::Borrowed(token));
        }
        let text: Value = self.options.from_slice(token)?;
        self.compact(&text).map(Cow::Owned)
    }
}

impl Grammar for O3de {
    const HAS_LAYOUT: bool = true;

    type Error = Error;
    type Context<'g> = &'g Style;
    type State<'g> = grammar::State<'g>;

    #[inline]
    fn open<'g>(
        &'g self,
        bytes: &[u8],
        at: usize,
        style: &'g Style,
    ) -> Result<Opened<grammar::State<'g>>, Error> {
        grammar::open(bytes, at, style)
    }

    #[inline]
    fn next<'g, 'b>(
        &'g self,
        bytes: &'b [u8],
        state: &mut grammar::State<'g>,
        at: usize,
    ) -> Result<Next<'b, &'g Style>, Error> {
        grammar::next(bytes, state, at, state.style)
    }

    fn mend<'g>(
        &'g self,
        out: &mut Out,
        around: Around<'_, &'g Style, grammar::State<'g>>,
    ) -> Result<(), Error> {
        grammar::mend(self, out, around)
    }

    fn lay_out<'g>(
        &'g self,
        out: &mut Out,
        (new, extent): (&[u8], Extent<&'g Style>),
        bytes: &[u8],
        place: Place<'_, &'g Style, grammar::State<'g>>,
    ) -> Result<(), Error> {
        grammar::lay_out(self, out, (new, extent.start), bytes, place)
    }

    fn stays<'g>(
        &'g self,
        old: &RangeNode<'g, Self>,
        new: &RangeNode<'g, Self>,
    ) -> Stays<'g, Self> {
        grammar::stays(self, old, new)
    }

    /// The same text is the same value, however it is laid out.
    fn reads_alike<'g>(&'g self, _: &'g Style, _: &'g Style) -> bool {
        true
    }
}
