//! The only code that builds output text.

use gamewire_core::bytes::{has_room, part, push_part, push_short};
use gamewire_core::float::{Digits, Ties};

use crate::read::all_plain;
use crate::{Error, ErrorKind, Floats, Options, Result};

/// Text being written: compact, or as the engine's writer does it, indented by four spaces.
pub(crate) struct Writer {
    out: Vec<u8>,
    pretty: bool,
    floats: Floats,
    depth: usize,
    max_depth: usize,
    max_typed_depth: usize,
    /// Where `out` may end.
    max_len: usize,
}

/// Limits of one text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) max_depth: usize,
    /// Containers around the value, which count.
    pub(crate) depth: usize,
    /// Where the buffer may end.
    pub(crate) max_len: usize,
    /// For `Debug`: numbers may be NaN, and text has the escapes of Rust, which are safe to show.
    pub(crate) debug: bool,
}

impl Limits {
    pub(crate) const fn new(max_depth: usize, max_len: usize) -> Self {
        Limits { max_depth, depth: 0, max_len, debug: false }
    }
}

/// Where the text of a value is wanted, and how.
pub(crate) struct Ask {
    pub(crate) out: Vec<u8>,
    pub(crate) pretty: bool,
    pub(crate) limits: Limits,
}

impl Writer {
    pub(crate) fn new(out: Vec<u8>, options: &Options) -> Self {
        Writer {
            max_len: out.len().saturating_add(options.limits.max_output),
            out,
            pretty: options.pretty,
            floats: options.floats,
            depth: 0,
            max_depth: options.limits.max_depth,
            max_typed_depth: options.limits.max_typed_depth,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    /// Undoes the opening of a bracket that [`truncate`](Self::truncate) takes away.
    #[inline]
    pub(crate) fn rise(&mut self) {
        debug_assert!(self.depth > 0, "only what is open ends");
        self.depth = self.depth.saturating_sub(1);
    }

    /// The text from an offset on.
    pub(crate) fn since(&self, start: usize) -> &[u8] {
        part(&self.out, start..)
    }

    /// Forgets what was written from an offset on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.out.truncate(len);
    }

    /// The buffer with all that was written.
    pub(crate) fn into_buffer(self) -> Vec<u8> {
        self.out
    }

    #[inline]
    pub(crate) fn check(&self) -> Result<()> {
        if self.out.len() > self.max_len {
            return Err(too_long());
        }
        Ok(())
    }

    /// `[` or `{`.
    #[inline]
    pub(crate) fn open(&mut self, bracket: u8) -> Result<()> {
        if self.depth >= self.max_typed_depth {
            let limit = self.max_typed_depth;
            let message = format!("more than max_typed_depth, which is {limit}, nested containers");
            return Err(Error::new(ErrorKind::DepthLimit, message));
        }
        self.check()?;
        self.depth = self.depth.saturating_add(1);
        self.out.push(bracket);
        Ok(())
    }

    /// Writes the comma and the space before an element or key.
    #[inline]
    pub(crate) fn next(&mut self, first: &mut bool) {
        if !std::mem::replace(first, false) {
            self.out.push(b',');
        }
        if self.pretty {
            self.line();
        }
    }

    /// Writes what stands before the value of a member. Inlined, so that the name and its length are known
    /// when this is compiled.
    #[inline(always)]
    pub(crate) fn member(&mut self, first: &mut bool, name: &'static str) {
        let is_first = std::mem::replace(first, false);
        let has_room = has_room(&self.out, name.len().saturating_add(4));
        if self.pretty || !has_room || !all_plain(name.as_bytes()) {
            return self.any_member(is_first, name);
        }
        // There is room, so each is a store of a length that is known.
        if !is_first {
            self.out.push(b',');
        }
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    #[inline(never)]
    fn any_member(&mut self, mut is_first: bool, name: &str) {
        self.next(&mut is_first);
        self.key(name);
    }

    /// `]` or `}`.
    #[inline]
    pub(crate) fn close(&mut self, bracket: u8, empty: bool) {
        self.rise();
        if self.pretty && !empty {
            self.line();
        }
        self.out.push(bracket);
    }

    fn line(&mut self) {
        self.out.push(b'\n');
        for _ in 0..self.depth {
            self.out.extend_from_slice(b"    ");
        }
    }

    /// A key and its colon, after [`next`](Self::next).
    #[inline]
    pub(crate) fn key(&mut self, key: &str) {
        self.string(key);
        self.colon();
    }

    #[inline]
    pub(crate) fn colon(&mut self) {
        self.out.extend_from_slice(if self.pretty { b": " } else { b":" });
    }

    /// Text that is JSON already.
    #[inline]
    pub(crate) fn raw(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    #[inline]
    pub(crate) fn bool(&mut self, value: bool) {
        let word = if value { *b"true    " } else { *b"false   " };
        push_part(&mut self.out, word, 5_usize.wrapping_sub(value.into()));
    }

    #[inline]
    pub(crate) fn unsigned(&mut self, value: u64) {
        push_unsigned(&mut self.out, value);
    }

    #[inline]
    pub(crate) fn signed(&mut self, value: i64) {
        push_part(&mut self.out, [b'-'], (value < 0).into());
        push_unsigned(&mut self.out, value.unsigned_abs());
    }

    /// A float, which the engine widens first.
    #[inline]
    pub(crate) fn float(&mut self, value: f32) -> Result<()> {
        if self.floats == Floats::Shortest && value.is_finite() && value != 0.0 {
            if value.is_sign_negative() {
                self.out.push(b'-');
            }
            self.digits(Digits::of_f32(value.abs(), Ties::Below));
            return Ok(());
        }
        self.double(value.into())
    }

    #[inline]
    pub(crate) fn double(&mut self, value: f64) -> Result<()> {
        if !value.is_finite() {
            return Err(not_finite(value));
        }
        push_part(&mut self.out, [b'-'], value.is_sign_negative().into());
        if value == 0.0 {
            self.out.extend_from_slice(b"0.0");
            return Ok(());
        }
        self.digits(Digits::of_f64(value.abs(), Ties::Below));
        Ok(())
    }

    /// Digits with a point where the engine's writer puts it.
    fn digits(&mut self, digits: Digits) {
        let out = &mut self.out;
        // There is room then for all but an exponent.
        out.reserve(48);
        let Decimal { first, rest, len } = Decimal::of(digits.number);
        let point = i32::try_from(len).unwrap_or_default().wrapping_add(digits.exponent);
        let start = out.len();
        let whole = usize::try_from(point).unwrap_or_default();
        match point {
            // 1234e-2 is 12.34
            1..17 if digits.exponent < 0 => {
                out.push(first);
                push_part(out, rest.to_le_bytes(), whole.wrapping_sub(1));
                out.push(b'.');
                let after = rest
                    .wrapping_shr(u32::try_from(whole).unwrap_or_default().wrapping_sub(1) << 3);
                push_part(out, after.to_le_bytes(), len.wrapping_sub(whole));
            }
            // 1234e7 is 12340000000.0
            1..=21 => {
                out.push(first);
                out.extend_from_slice(&rest.to_le_bytes());
                out.resize(start.wrapping_add(whole), b'0');
                out.extend_from_slice(b".0");
            }
            // 1234e-6 is 0.001234
            -5..=0 => {
                let zeros = point.unsigned_abs() as usize;
                push_part(out, *b"0.000000", zeros.wrapping_add(2));
                out.push(first);
                push_part(out, rest.to_le_bytes(), len.wrapping_sub(1));
            }
            // 1234e30 is 1.234e33
            _ => {
                out.push(first);
                if len > 1 {
                    out.push(b'.');
                    push_part(out, rest.to_le_bytes(), len.wrapping_sub(1));
                }
                out.push(b'e');
                self.signed(i64::from(point.wrapping_sub(1)));
            }
        }
    }

    /// A string with its quotes.
    #[inline]
    pub(crate) fn string(&mut self, text: &str) {
        push_string(&mut self.out, text);
    }

    /// Writes what takes the buffer and hands it back.
    pub(crate) fn lend<T>(&mut self, write: impl FnOnce(Ask) -> (Vec<u8>, Result<T>)) -> Result<T> {
        let (max_depth, depth, max_len) = (self.max_depth, self.depth, self.max_len);
        let limits = Limits { depth, ..Limits::new(max_depth, max_len) };
        let out = std::mem::take(&mut self.out);
        let (out, done) = write(Ask { out, pretty: self.pretty, limits });
        self.out = out;
        done
    }
}

/// From here on a number has more than eight digits.
const EIGHT: u64 = 100_000_000;

fn push_unsigned(out: &mut Vec<u8>, value: u64) {
    if value < EIGHT {
        let (word, zeros) = eight_digits(value);
        let word = (word >> (zeros << 3)).to_le_bytes();
        return push_part(out, word, 8_usize.wrapping_sub(zeros));
    }
    push_unsigned(out, value / EIGHT);
    out.extend_from_slice(&eight_digits(value % EIGHT).0.to_le_bytes());
}

/// The digits of a float, in words that stay in registers: what is stored in parts and then loaded whole
/// makes the processor wait.
struct Decimal {
    first: u8,
    /// The others, and zeros after them.
    rest: u128,
    /// How many there are, the first one too.
    len: usize,
}

impl Decimal {
    /// Of a number of up to 17 digits.
    #[inline]
    fn of(number: u64) -> Self {
        // 1233 / 2^12 is the logarithm of 2; it may be one too few.
        let bits = 64_u32.wrapping_sub((number | 1).leading_zeros());
        let len = usize::try_from(bits.wrapping_mul(1233) >> 12).unwrap_or_default();
        let ten = |at: usize| TENS.get(at).copied().unwrap_or(u64::MAX);
        let len = len.wrapping_add((number >= ten(len)).into());
        let number = number.wrapping_mul(ten(17_usize.wrapping_sub(len)));
        let (high, low) = (number / EIGHT, number % EIGHT);
        let ((high_word, _), (low_word, _)) = (eight_digits(high % EIGHT), eight_digits(low));
        let first = b'0'.wrapping_add(u8::try_from(high / EIGHT).unwrap_or_default());
        Decimal { first, rest: u128::from(low_word) << 64 | u128::from(high_word), len }
    }
}

/// 1 to 10^17.
const TENS: [u64; 18] = {
    let mut tens = [1; 18];
    let mut at = 1;
    while at < 18 {
        #[allow(clippy::indexing_slicing, reason = "at compile time")]
        {
            tens[at] = tens[at - 1] * 10;
        }
        at += 1;
    }
    tens
};

/// The digits of a number below 10^8, the first one lowest, and how many zeros they begin with, of seven at
/// most.
///
/// Halves, quarters and eighths of the word are split at once, each by a product in the place of a division:
/// 10486 / 2^20 and 103 / 2^10 cut off as 1/100 below 10 000 and 1/10 below 100 do.
#[inline]
fn eight_digits(value: u64) -> (u64, usize) {
    let halves = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = (halves.wrapping_mul(10_486) >> 20) & 0x0000_007f_0000_007f;
    let quarters = hundreds | (halves.wrapping_sub(hundreds.wrapping_mul(100)) << 16);
    let tens = (quarters.wrapping_mul(103) >> 10) & 0x000f_000f_000f_000f;
    let digits = tens | (quarters.wrapping_sub(tens.wrapping_mul(10)) << 8);
    // The last digit stands whatever it is.
    let zeros = (digits | 1 << 56).trailing_zeros() >> 3;
    (digits | 0x3030_3030_3030_3030, usize::try_from(zeros).unwrap_or_default())
}

/// Appends a string with its quotes.
pub(crate) fn push_string(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len().saturating_add(2));
    out.push(b'"');
    if all_plain(bytes) {
        push_short(out, bytes);
    } else {
        push_escaped(out, bytes);
    }
    out.push(b'"');
}

#[cold]
#[inline(never)]
fn push_escaped(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut done = 0;
    loop {
        // The reader stops at the bytes that need an escape, so both scan with the same words.
        let stop = crate::read::plain_end(bytes, done);
        out.extend_from_slice(part(bytes, done..stop));
        let Some(&byte) = bytes.get(stop) else { break };
        escape(out, byte);
        done = stop.saturating_add(1);
    }
}

#[cold]
fn escape(out: &mut Vec<u8>, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let letter = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x0c => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        _ => {
            let digit = |at: u8| HEX.get(usize::from(at & 15)).copied().unwrap_or(b'0');
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', letter]);
}

#[cold]
pub(crate) fn too_long() -> Error {
    Error::new(ErrorKind::OutputLimit, "the text is longer than max_output allows")
}

#[cold]
pub(crate) fn not_finite(value: f64) -> Error {
    let name = if value.is_nan() {
        "NaN"
    } else if value < 0.0 {
        "negative infinity"
    } else {
        "infinity"
    };
    Error::new(
        ErrorKind::NotFinite,
        format!("expected a finite number, found {name}, which JSON cannot spell"),
    )
}

/// A finite double as text.
pub(crate) fn double_text(value: f64) -> String {
    let mut writer = Writer::new(Vec::with_capacity(24), &Options::new());
    match writer.double(value) {
        Ok(()) => into_text(writer.out),
        Err(_) => value.to_string(),
    }
}

/// A string as JSON text.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = Vec::new();
    push_string(&mut out, text);
    into_text(out)
}

/// Makes text of what was written here, which strings go into as a whole.
pub(crate) fn into_text(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes);
    debug_assert!(text.is_ok(), "only text is written");
    text.unwrap_or_default()
}
