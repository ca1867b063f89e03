//! One compact variant: the header in a byte.
//!
//! ```text
//! bit 7 of 01/81    a bool: no more bytes
//! 02 | width << 6   an int: 1, 2, 4 or 8 bytes, the fewest that hold it
//! anything else     the variant as it is elsewhere, its header of 4 bytes first
//! ```

use crate::Result;
use crate::read::Reader;

/// The bits of the first byte that are the type.
const TYPE: u8 = 0x3f;
const BOOL: u8 = 1;
const INT: u8 = 2;
/// The bit of a bool that is the value.
const TRUE: u8 = 0x80;

/// The next element of a list of compact variants.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Compact {
    Bool(bool),
    Int(i64),
    /// A variant with its whole header, which was not read.
    Plain,
}

/// Reads a compact bool or int, or finds that the next variant is none.
#[inline]
pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Compact> {
    let at = reader.offset();
    let Some(&first) = reader.rest().first() else {
        let [first] = reader.array("a compact variant")?;
        return Ok(Compact::Bool(first & TRUE != 0));
    };
    match first & TYPE {
        BOOL => {
            reader.array::<1>("a compact bool")?;
            reader.canonical(first & !TRUE == BOOL, at, "a compact bool has bit 6 set")?;
            Ok(Compact::Bool(first & TRUE != 0))
        }
        INT => {
            reader.array::<1>("a compact int")?;
            let what = "a compact int";
            let (value, narrower) = match first >> 6 {
                0 => (i64::from(i8::from_le_bytes(reader.array(what)?)), false),
                1 => {
                    let value = i16::from_le_bytes(reader.array(what)?);
                    (i64::from(value), i8::try_from(value).is_ok())
                }
                2 => {
                    let value = i32::from_le_bytes(reader.array(what)?);
                    (i64::from(value), i16::try_from(value).is_ok())
                }
                _ => {
                    let value = i64::from_le_bytes(reader.array(what)?);
                    (value, i32::try_from(value).is_ok())
                }
            };
            reader.canonical(!narrower, at, "a compact int has more bytes than it needs")?;
            Ok(Compact::Int(value))
        }
        _ => Ok(Compact::Plain),
    }
}

/// Makes the variant that was written last, at `start`, a compact one.
#[inline]
pub(crate) fn shorten(out: &mut Vec<u8>, start: usize) {
    let word = |at: usize| out.get(start.saturating_add(at)..)?.first_chunk::<4>().copied();
    match (word(0), word(4), word(8)) {
        (Some([BOOL, ..]), Some(value), _) => {
            out.truncate(start);
            out.push(if value == [0; 4] { BOOL } else { BOOL | TRUE });
        }
        (Some([INT, ..]), Some(low), high) => {
            let low = i32::from_le_bytes(low);
            let value = match high {
                Some(high) => {
                    i64::from(i32::from_le_bytes(high)) << 32 | i64::from(low.cast_unsigned())
                }
                None => i64::from(low),
            };
            out.truncate(start);
            int(out, value);
        }
        _ => {}
    }
}

fn int(out: &mut Vec<u8>, value: i64) {
    if let Ok(value) = i8::try_from(value) {
        out.push(INT);
        out.extend_from_slice(&value.to_le_bytes());
    } else if let Ok(value) = i16::try_from(value) {
        out.push(INT | 1 << 6);
        out.extend_from_slice(&value.to_le_bytes());
    } else if let Ok(value) = i32::try_from(value) {
        out.push(INT | 2 << 6);
        out.extend_from_slice(&value.to_le_bytes());
    } else {
        out.push(INT | 3 << 6);
        out.extend_from_slice(&value.to_le_bytes());
    }
}
