//! Two files of which only what differs is made, to be compared: a value that has the same bytes at the same
//! place in both is passed over.

use std::cell::RefCell;

use super::codec::Codec;
use super::diff::Tree as _;
use super::focus::Look;
use super::sieve::{List, Sieve};

/// How far from the root values are looked into.
const LEVELS: usize = 12;

/// Reads what differs in two files, and what is around it; `None` where they have to be read as a whole.
pub(super) fn read<C: Codec>(codecs: [&C; 2], files: [&[u8]; 2]) -> Option<[C::Content; 2]> {
    // Values of at most this many bytes are made whole where they differ.
    let short = (files.map(<[u8]>::len).into_iter().sum::<usize>() >> 5).min(1 << 12);
    let sieve = RefCell::new(Sieve::new(short));
    let look = Look::Differing(&sieve);
    for level in 0..=LEVELS {
        let mut lists = Vec::new();
        for (codec, bytes) in codecs.iter().zip(files) {
            codec.read_part(bytes, look)?;
            let mut sieve = sieve.borrow_mut();
            let listed = std::mem::take(&mut sieve.lists);
            sieve.lists = listed.keys().map(|way| (way.clone(), List::default())).collect();
            lists.push((!sieve.is_row).then_some(listed)?);
        }
        let mut sieve = sieve.borrow_mut();
        sieve.lists.clear();
        for (way, old) in lists.first()? {
            let new = lists.last()?.get(way)?;
            if level < LEVELS && sieve.compare(way, old, new) {
                continue;
            }
            sieve.opened.remove(way);
            (!way.is_empty()).then(|| sieve.whole.insert(way.clone()))?;
        }
        if sieve.lists.is_empty() {
            break;
        }
    }
    let [old, new] = files;
    let old = codecs[0].read_part(old, look)?;
    let new = codecs[1].read_part(new, look)?;
    let [own, other] = codecs;
    let is_same = own.root(&old).full_kind() == other.root(&new).full_kind();
    (is_same && own.reads_alike(&old, &new)).then_some([old, new])
}
