//! Changes of a file that has bytes which would be written otherwise, although they mean the same: these
//! stay, too. What each byte means tells which bytes belong together.

use gamewire_core::explain::{Role, Span};

/// Bytes that mean one thing, and whether that is a length.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    bytes: &'a [u8],
    is_length: bool,
}

/// The pieces of a file.
pub(super) fn pieces<'a>(bytes: &'a [u8], spans: &[Span]) -> Vec<Piece<'a>> {
    let piece = |span: &Span| {
        let bytes = bytes.get(span.range()).unwrap_or_default();
        Piece { bytes, is_length: span.role() == Role::Length }
    };
    spans.iter().map(piece).collect()
}

/// Of three writings of a file, the second of which has the data of the first: the first with what the
/// third changes of the second.
pub(super) fn merged(
    own: &[Piece<'_>],
    before: &[Piece<'_>],
    after: &[Piece<'_>],
) -> Option<Vec<u8>> {
    if own.len() != before.len() {
        return None;
    }
    if before.len() == after.len() {
        let pieces = own.iter().zip(before).zip(after);
        return Some(pieces.flat_map(|((own, before), after)| one(own, before, after)).collect());
    }
    // Something came or went: what is before and after it is detected by its bytes.
    let same = |(before, after): &(&Piece<'_>, &Piece<'_>)| before.bytes == after.bytes;
    let head = before.iter().zip(after).take_while(same).count();
    let most = before.len().min(after.len()) - head;
    let tails = before.iter().rev().zip(after.iter().rev()).take(most);
    let tail = tails.take_while(same).count();
    let parts =
        [own.get(..head)?, after.get(head..after.len() - tail)?, own.get(own.len() - tail..)?];
    Some(parts.concat().iter().flat_map(|piece| piece.bytes.to_vec()).collect())
}

fn one(own: &Piece<'_>, before: &Piece<'_>, after: &Piece<'_>) -> Vec<u8> {
    let is_length = own.is_length;
    let number = |piece: &Piece<'_>| piece.bytes.try_into().map(u32::from_le_bytes).ok();
    match (number(own), number(before), number(after)) {
        _ if before.bytes == after.bytes => own.bytes.to_vec(),
        // The length counts bytes that stay and would be written shorter.
        (Some(own), Some(before), Some(after)) if is_length && own != before => {
            let len = own.wrapping_add(after.wrapping_sub(before));
            len.to_le_bytes().to_vec()
        }
        _ => after.bytes.to_vec(),
    }
}
