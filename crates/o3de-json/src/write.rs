//! The only code that builds output text.

use gamewire_core::float::{Digits, Ties};

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
    pub(crate) fn rise(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// The text from an offset on.
    pub(crate) fn since(&self, start: usize) -> &[u8] {
        self.out.get(start..).unwrap_or_default()
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

    /// `]` or `}`.
    #[inline]
    pub(crate) fn close(&mut self, bracket: u8, empty: bool) {
        self.depth = self.depth.saturating_sub(1);
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
        let bytes = key.as_bytes();
        if !crate::read::all_plain(bytes) {
            self.string(key);
            self.colon();
            return;
        }
        self.out.reserve(bytes.len().saturating_add(4));
        self.out.push(b'"');
        self.out.extend_from_slice(bytes);
        // Of a length that is known, so that nothing is called to copy them.
        match self.pretty {
            true => self.out.extend_from_slice(b"\": "),
            false => self.out.extend_from_slice(b"\":"),
        }
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
        match value {
            true => self.out.extend_from_slice(b"true"),
            false => self.out.extend_from_slice(b"false"),
        }
    }

    #[inline]
    pub(crate) fn unsigned(&mut self, value: u64) {
        if value < 100 {
            let pair = usize::try_from(value).ok().and_then(|at| PAIRS.get(at));
            let [ten, one] = pair.copied().unwrap_or_default();
            if value >= 10 {
                self.out.push(ten);
            }
            self.out.push(one);
            return;
        }
        if value < EIGHT {
            let (word, zeros) = eight_digits(value);
            let end = self.out.len().wrapping_add(8).wrapping_sub(zeros);
            self.out.extend_from_slice(&(word >> (zeros << 3)).to_le_bytes());
            return self.out.truncate(end);
        }
        let text = Decimal::of(value);
        text.push(&mut self.out, 0, text.len());
    }

    #[inline]
    pub(crate) fn signed(&mut self, value: i64) {
        if value < 0 {
            self.out.push(b'-');
        }
        self.unsigned(value.unsigned_abs());
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
        if value.is_sign_negative() {
            self.out.push(b'-');
        }
        if value == 0.0 {
            self.out.extend_from_slice(b"0.0");
            return Ok(());
        }
        self.digits(Digits::of_f64(value.abs(), Ties::Below));
        Ok(())
    }

    /// Digits with a point where the engine's writer puts it.
    #[inline]
    fn digits(&mut self, digits: Digits) {
        let text = Decimal::of(digits.number);
        let len = text.len();
        let point = i32::try_from(len).unwrap_or_default().wrapping_add(digits.exponent);
        match point {
            // 1234e7 is 12340000000.0
            _ if digits.exponent >= 0 && point <= 21 => {
                text.push(&mut self.out, 0, len);
                (0..digits.exponent).for_each(|_| self.out.push(b'0'));
                self.out.extend_from_slice(b".0");
            }
            // 1234e-2 is 12.34
            1..=21 => {
                let whole = usize::try_from(point).unwrap_or_default();
                text.push(&mut self.out, 0, whole);
                self.out.push(b'.');
                text.push(&mut self.out, whole, len);
            }
            // 1234e-6 is 0.001234
            -5..=0 => {
                self.out.extend_from_slice(b"0.");
                (point..0).for_each(|_| self.out.push(b'0'));
                text.push(&mut self.out, 0, len);
            }
            // 1234e30 is 1.234e33
            _ => {
                text.push(&mut self.out, 0, 1);
                if len > 1 {
                    self.out.push(b'.');
                    text.push(&mut self.out, 1, len);
                }
                self.out.push(b'e');
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

/// The digits of 0 to 99.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0_u8;
    while number < 100 {
        #[allow(clippy::indexing_slicing, clippy::as_conversions, reason = "at compile time")]
        {
            pairs[number as usize] =
                [b'0'.wrapping_add(number / 10), b'0'.wrapping_add(number % 10)];
        }
        number = number.wrapping_add(1);
    }
    pairs
};

/// The digits of a number, in words that stay in registers: what is stored in parts and then loaded whole
/// makes the processor wait.
struct Decimal {
    /// The digits before the last sixteen, at most four.
    lead: u64,
    lead_len: usize,
    /// The last sixteen, or all of fewer.
    rest: u128,
    rest_len: usize,
}

impl Decimal {
    #[inline]
    fn of(value: u64) -> Self {
        let (high, low) = (value / EIGHT, value % EIGHT);
        let (low_word, low_zeros) = eight_digits(low);
        if high == 0 {
            let rest = u128::from(low_word >> (low_zeros << 3));
            return Decimal {
                lead: 0,
                lead_len: 0,
                rest,
                rest_len: 8_usize.wrapping_sub(low_zeros),
            };
        }
        let (high_word, high_zeros) = eight_digits(high % EIGHT);
        let rest = u128::from(low_word) << 64 | u128::from(high_word);
        if high < EIGHT {
            let (rest, rest_len) = (rest >> (high_zeros << 3), 16_usize.wrapping_sub(high_zeros));
            return Decimal { lead: 0, lead_len: 0, rest, rest_len };
        }
        let (word, zeros) = eight_digits(high / EIGHT);
        let lead_len = 8_usize.wrapping_sub(zeros);
        Decimal { lead: word >> (zeros << 3), lead_len, rest, rest_len: 16 }
    }

    #[inline]
    fn len(&self) -> usize {
        self.lead_len.wrapping_add(self.rest_len)
    }

    /// Appends the digits from one index to before another.
    #[inline]
    fn push(&self, out: &mut Vec<u8>, from: usize, to: usize) {
        let end = out.len().wrapping_add(to.wrapping_sub(from));
        if from < self.lead_len {
            let lead_end = out.len().wrapping_add(self.lead_len.wrapping_sub(from));
            out.extend_from_slice(&(self.lead >> (from << 3)).to_le_bytes());
            out.truncate(lead_end);
        }
        let skipped = from.saturating_sub(self.lead_len) & 15;
        out.extend_from_slice(&(self.rest >> (skipped << 3)).to_le_bytes());
        out.truncate(end);
    }
}

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
#[inline]
pub(crate) fn push_string(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len().saturating_add(2));
    out.push(b'"');
    let mut done = 0;
    loop {
        // The reader stops at the bytes that need an escape, so both scan with the same words.
        let stop = crate::read::plain_end(bytes, done);
        out.extend_from_slice(bytes.get(done..stop).unwrap_or_default());
        let Some(&byte) = bytes.get(stop) else { break };
        escape(out, byte);
        done = stop.saturating_add(1);
    }
    out.push(b'"');
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
        Ok(()) => String::from_utf8(writer.out).unwrap_or_default(),
        Err(_) => value.to_string(),
    }
}

/// A string as JSON text.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = Vec::new();
    push_string(&mut out, text);
    String::from_utf8(out).unwrap_or_default()
}
