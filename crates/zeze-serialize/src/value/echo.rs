//! The listener that writes what it hears, and finds where that is not what was read.

use gamewire_core::bytes::part;

use super::decode::{Decoder, Head, Leaf, Listener};
use super::{Value, encode};
use crate::error::Result;
use crate::kind::Kind;
use crate::options::Options;
use crate::read::{ListHead, MapHead};
use crate::write;

impl Options {
    /// Reads a bean without making it, and returns the offset where other bytes would be written for the
    /// same value; `None` where the same bytes would be.
    ///
    /// ```
    /// let options = zeze_serialize::Options::new();
    /// assert_eq!(options.first_noncanonical(&[0x10, 0x07, 0x00])?, None);
    /// // The 7 in two bytes.
    /// assert_eq!(options.first_noncanonical(&[0x10, 0x40, 0x07, 0x00])?, Some(1));
    /// # Ok::<(), zeze_serialize::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice), but for the limit of memory.
    pub fn first_noncanonical(&self, bytes: &[u8]) -> Result<Option<usize>> {
        let mut decoder = Decoder::new(bytes, *self);
        let (around, out) = (Vec::new(), Vec::new());
        let mut echo = Echo { bytes, at: 0, around, out, other: None };
        decoder.value(Kind::Bean, 0, &mut echo).map_err(|error| error.or_at(0))?;
        decoder.end()?;
        Ok(echo.other)
    }
}

struct Echo<'de> {
    bytes: &'de [u8],
    /// Where what comes next begins.
    at: usize,
    /// The last id of each bean that is open, and none of lists and maps.
    around: Vec<Option<u32>>,
    /// The bytes written since.
    out: Vec<u8>,
    other: Option<usize>,
}

impl Echo<'_> {
    fn compare(&mut self, end: usize) {
        let own = part(self.bytes, self.at..end);
        if self.other.is_none() && own != self.out {
            let same = own.iter().zip(&self.out).take_while(|(own, made)| own == made).count();
            self.other = Some(self.at.saturating_add(same));
        }
        self.out.clear();
        self.at = end;
    }

    /// The last id of the innermost bean.
    fn set_last(&mut self, id: u32) -> u32 {
        let last = self.around.last_mut().and_then(Option::as_mut);
        last.map_or(0, |last| std::mem::replace(last, id))
    }
}

impl<'de> Listener<'de> for Echo<'de> {
    // Each place that calls it knows the sort of head.
    #[inline]
    fn open(&mut self, end: usize, head: Head) {
        // A count above 2³¹ − 1 is read and cannot be written, and so nothing is: the bytes differ.
        match head {
            Head::List(ListHead { count, number, .. }) => {
                self.around.push(None);
                let _ = write::length(count)
                    .map(|count| write::list_header(&mut self.out, count, number));
            }
            Head::Map(MapHead { count, numbers: (keys, values), .. }) => {
                self.around.push(None);
                let _ = write::length(count)
                    .map(|count| write::map_header(&mut self.out, count, keys, values));
            }
            Head::Bean(type_id) => {
                self.around.push(Some(0));
                if let Some(type_id) = type_id {
                    write::int(&mut self.out, type_id);
                }
            }
            Head::Base => {
                self.set_last(0);
                self.out.push(write::BASE);
            }
        }
        self.compare(end);
    }

    fn key(&mut self, end: usize, id: u32, kind: Kind) {
        let last = self.set_last(id);
        write::tag(&mut self.out, id.saturating_sub(last), kind);
        self.compare(end);
    }

    fn leaf(&mut self, end: usize, value: Leaf<'de>) {
        match value {
            Leaf::Bytes(bytes, len @ ..=write::MAX_ID) => {
                write::uint(&mut self.out, len);
                self.out.extend_from_slice(bytes);
            }
            // Nor is a longer text.
            Leaf::Bytes(..) => {}
            value => {
                // No number is refused.
                let written = encode(&Value::from(value), 0, &mut self.out, &Options::new());
                debug_assert!(written.is_ok());
            }
        }
        self.compare(end);
    }

    fn close(&mut self, end: usize) {
        if let Some(Some(_)) = self.around.pop() {
            self.out.push(write::END);
        }
        self.compare(end);
    }
}
