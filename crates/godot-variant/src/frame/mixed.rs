//! Frames among other things that a game stores in the same file.

use super::Framing;
use crate::Options;

/// A part of a file that mixes `store_var` with `store_32`, `store_pascal_string` and others.
///
/// Nothing in the bytes says what they are, so this is how they look; see [`Framing::pieces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece<'a> {
    /// The variant in a frame, without its length word.
    Variant(&'a [u8]),
    /// The text of a `store_pascal_string`, without its length word.
    Text(&'a str),
    /// A number of `store_32`.
    Number(u32),
    /// Fewer than four bytes at the end, or what is beyond the limit of [`Framing::pieces`].
    Bytes(&'a [u8]),
}

/// The most bytes that are looked at for each byte of the input.
const LOOKS: usize = 16;

impl Framing {
    /// Splits a file that mixes frames with other things into parts by their looks: a length and a
    /// variant that fills it, or else a length and printable text, or else a number of four bytes.
    ///
    /// The parts are all of the input. After looking at 16 bytes for each byte of it, which only a
    /// file does that is made for it, the rest is told as bytes.
    ///
    /// ```
    /// use godot_variant::frame::{Framing, Piece};
    ///
    /// let mut file = 7_u32.to_le_bytes().to_vec(); // store_32(7)
    /// file.extend_from_slice(b"\x04\0\0\0save"); // store_pascal_string("save")
    /// file.extend(Framing::new().to_vec(&[1])?); // store_var([1])
    /// let pieces = Framing::new().pieces(&file);
    /// assert_eq!(pieces[..2], [Piece::Number(7), Piece::Text("save")]);
    /// assert!(matches!(pieces[2], Piece::Variant(variant) if variant.len() == 16));
    /// # Ok::<(), godot_variant::Error>(())
    /// ```
    pub fn pieces<'a>(&self, bytes: &'a [u8]) -> Vec<Piece<'a>> {
        let framing = self.clone().options(self.options.clone().max_alloc(usize::MAX));
        let mut looks = bytes.len().saturating_mul(LOOKS);
        let (mut pieces, mut rest) = (Vec::new(), bytes);
        while !rest.is_empty() {
            let (piece, after) = framing.next_piece(rest, &mut looks);
            pieces.push(piece);
            rest = after;
        }
        pieces
    }

    /// Splits the next part off, as [`pieces`](Self::pieces) does: the part and the bytes after it. `looks` is how
    /// many bytes may still be tried as variants; what is left of them goes into the next call.
    pub fn next_piece<'a>(&self, rest: &'a [u8], looks: &mut usize) -> (Piece<'a>, &'a [u8]) {
        let Ok((body, after)) = self.split(rest) else { return self.number(rest) };
        let Some(left) = looks.checked_sub(body.len()) else { return (Piece::Bytes(rest), &[]) };
        *looks = left;
        if !body.is_empty() && is_variant(body, &self.options) {
            return (Piece::Variant(body), after);
        }
        match std::str::from_utf8(body) {
            Ok(text)
                if !text.is_empty() && !text.contains(|c: char| c.is_control() && c != '\n') =>
            {
                (Piece::Text(text), after)
            }
            _ => self.number(rest),
        }
    }

    fn number<'a>(&self, rest: &'a [u8]) -> (Piece<'a>, &'a [u8]) {
        match rest.split_first_chunk::<{ Framing::LEN }>() {
            Some((word, after)) if self.big_endian => {
                (Piece::Number(u32::from_be_bytes(*word)), after)
            }
            Some((word, after)) => (Piece::Number(u32::from_le_bytes(*word)), after),
            None => (Piece::Bytes(rest), &[]),
        }
    }
}

/// Whether a variant fills the bytes.
fn is_variant(bytes: &[u8], options: &Options) -> bool {
    crate::value::fills(bytes, options.clone().allow_objects(true).max_depth(usize::MAX))
}
