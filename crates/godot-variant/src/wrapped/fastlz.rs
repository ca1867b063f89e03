//! FastLZ, a byte-aligned LZ77: both levels are read, level 1 is written.
//!
//! ```text
//! 000nnnnn                  n + 1 literal bytes follow
//! mmmddddd [mm…] dddddddd   copies m + 2 bytes (of 7: m + 2 + what the bytes mm say) from d + 1 bytes back
//! ```
//!
//! The first byte's three top bits are the level. Level 2 continues with mm while it is 255, and takes
//! the distance of `11111 11111111` from two more bytes, most significant first, with 8191 added.

/// Unpacks to at most `most` bytes; `None` for data that does not unpack, or to more.
pub(super) fn unpack(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    let (&first, mut rest) = packed.split_first()?;
    let far = match first >> 5 {
        0 => false,
        1 => true,
        _ => return None,
    };
    let mut out = Vec::new();
    let mut control = first & 31;
    loop {
        let low = usize::from(control & 31);
        match usize::from(control >> 5) {
            0 => {
                let (literals, after) = rest.split_at_checked(low.checked_add(1)?)?;
                out.extend_from_slice(literals);
                rest = after;
            }
            run => {
                let mut len = run.checked_add(2)?;
                if run == 7 {
                    loop {
                        let more = next(&mut rest)?;
                        len = len.checked_add(usize::from(more))?;
                        if !far || more != 255 {
                            break;
                        }
                    }
                }
                let byte = next(&mut rest)?;
                let mut back = (low << 8 | usize::from(byte)).checked_add(1)?;
                if far && back == 8192 {
                    let (high, low) = (next(&mut rest)?, next(&mut rest)?);
                    back = back.checked_add(usize::from(u16::from_be_bytes([high, low])))?;
                }
                copy(&mut out, back, len, most)?;
            }
        }
        if out.len() > most {
            return None;
        }
        match rest.split_first() {
            Some((&next, after)) => (control, rest) = (next, after),
            None => return Some(out),
        }
    }
}

fn next(rest: &mut &[u8]) -> Option<u8> {
    let (&byte, after) = rest.split_first()?;
    *rest = after;
    Some(byte)
}

/// Copies `len` bytes that begin `back` bytes before the end; they may reach into the copy.
fn copy(out: &mut Vec<u8>, back: usize, len: usize, most: usize) -> Option<()> {
    let start = out.len().checked_sub(back)?;
    let end = out.len().checked_add(len).filter(|end| *end <= most)?;
    while out.len() < end {
        // As much as there is; of a short distance that doubles each time.
        let there = out.len().saturating_sub(start).min(end.saturating_sub(out.len()));
        out.extend_from_within(start..start.checked_add(there)?);
    }
    Some(())
}

const HASH_BITS: u32 = 13;
/// Matches reach back that far at level 1.
const FARTHEST: usize = 8192;
/// The longest match of one instruction at level 1.
const LONGEST: usize = 264;

/// Packs at level 1.
pub(super) fn pack(plain: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(plain.len().saturating_add(plain.len() / 16));
    // Where three bytes with this hash were seen last, plus 1.
    let mut seen = vec![0_usize; 1 << HASH_BITS];
    let mut literals_from = 0;
    let mut at = 0_usize;
    while let Some(three) = plain.get(at..).and_then(|rest| rest.first_chunk::<3>()) {
        let hash = hash(*three);
        let found = seen.get_mut(hash).map(|place| std::mem::replace(place, at.saturating_add(1)));
        let len = match found.and_then(|found| found.checked_sub(1)) {
            Some(earlier) if at.saturating_sub(earlier) <= FARTHEST => same(plain, earlier, at),
            _ => 0,
        };
        // Literals have to stand at the start, for their control byte holds the level.
        if len < 3 || at == 0 {
            at = at.saturating_add(1);
            continue;
        }
        let earlier = found.unwrap_or(1).saturating_sub(1);
        literals(&mut out, plain.get(literals_from..at).unwrap_or_default());
        instruction(&mut out, at.saturating_sub(earlier).saturating_sub(1), len);
        at = at.saturating_add(len);
        literals_from = at;
    }
    literals(&mut out, plain.get(literals_from..).unwrap_or_default());
    out
}

fn hash(three: [u8; 3]) -> usize {
    let [a, b, c] = three;
    let word = u32::from_le_bytes([a, b, c, 0]);
    (word.wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS)) as usize
}

/// How many bytes are the same in both places, up to the most that one instruction copies.
fn same(plain: &[u8], earlier: usize, at: usize) -> usize {
    let rest = |from| plain.get(from..).unwrap_or_default();
    rest(earlier).iter().zip(rest(at)).take(LONGEST).take_while(|(a, b)| a == b).count()
}

fn literals(out: &mut Vec<u8>, literals: &[u8]) {
    for run in literals.chunks(32) {
        out.push(u8::try_from(run.len().saturating_sub(1)).unwrap_or(31));
        out.extend_from_slice(run);
    }
}

/// A match of `len` bytes (3 to 264), `distance + 1` bytes back.
fn instruction(out: &mut Vec<u8>, distance: usize, len: usize) {
    let [high, low] = u16::try_from(distance).unwrap_or(0).to_be_bytes();
    match u8::try_from(len.saturating_sub(2)).ok().filter(|run| *run < 7) {
        Some(run) => out.push(run << 5 | high),
        None => {
            out.push(7 << 5 | high);
            out.push(u8::try_from(len.saturating_sub(9)).unwrap_or(255));
        }
    }
    out.push(low);
}
