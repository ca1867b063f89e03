//! The random numbers behind the data sets.

/// SplitMix64: eight lines, no dependency, the same numbers on every platform and forever, so
/// that sizes can be compared between machines and years.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts the sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..end`. The high half of a product is taken in the place of a remainder; the
    /// bias is far below what a data set of a few thousand records can show.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(end)) >> 64) as u64
    }

    /// A number in `start..end`.
    pub fn within(&mut self, start: i64, end: i64) -> i64 {
        start + self.below((end - start) as u64) as i64
    }

    /// A length in `start..end`.
    pub fn length(&mut self, start: usize, end: usize) -> usize {
        start + self.below((end - start) as u64) as usize
    }

    /// Uniform in `[0, 1)` with 24 random bits, all an `f32` can hold there.
    pub fn f32(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1_u32 << 24) as f32
    }

    /// Uniform in `[0, 1)` with 53 random bits.
    pub fn f64(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.f64() < p
    }

    /// True or false, evenly.
    pub fn coin(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    /// `Some` of what `make` gives, or `None`, evenly.
    pub fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.coin().then(|| make(self))
    }

    /// One of `choices`, which must not be empty.
    pub fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.length(0, choices.len())]
    }

    /// `length` things made one after the other.
    pub fn list<T>(&mut self, length: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..length).map(|_| make(self)).collect()
    }
}
