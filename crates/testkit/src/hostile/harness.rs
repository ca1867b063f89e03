use std::cell::Cell;
use std::fmt::{self, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::attack::{Case, bit_flips, mutations, random_bytes, truncations};
use crate::SMALL_STACK;
use crate::stack::{on_stack, panic_message};
use crate::vectors::to_hex;

/// The budget of a decoder for hostile input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Peak allocation for each byte of input. Default 64.
    pub per_byte: u64,
    /// Peak allocation on top of that. Default 64 KiB. Where a codec is involved, add the cap on
    /// its output.
    pub base: u64,
    /// Stack of the thread that decodes. Default 2 MiB.
    pub stack: usize,
    /// How much more than in proportion the time may grow with the input. Default 2: four times
    /// the input may take eight times as long, where quadratic code takes sixteen times.
    pub time_slack: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { per_byte: 64, base: 64 << 10, stack: SMALL_STACK, time_slack: 2.0 }
    }
}

impl Limits {
    /// The most bytes that may be allocated at any one time for an input of `len` bytes.
    pub fn peak(&self, len: usize) -> u64 {
        self.per_byte.saturating_mul(len as u64).saturating_add(self.base)
    }
}

/// The decoder's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The input was decoded.
    Accepted,
    /// The text of the error.
    Refused(String),
    /// The message of the panic.
    Panicked(String),
}

/// The cost of one run of a decoder.
#[derive(Clone, Debug)]
pub struct Measure {
    /// The decoder's answer.
    pub verdict: Verdict,
    /// The most bytes that were allocated at any one time. Where a buffer grows, the old and the
    /// new one both count.
    pub peak: u64,
    /// Number of allocations.
    pub allocations: u64,
    /// From the call to the end, with the drop of the result: processor time of the thread where
    /// the system tells it, else time by the clock.
    pub time: Duration,
}

/// Runs `decode` on this thread: its time and what it allocates, with the drop of the result and
/// the text of the error. Other threads do not count.
pub fn measure<T, E: Display>(input: &[u8], decode: impl FnOnce(&[u8]) -> Result<T, E>) -> Measure {
    let verdict = Cell::new(Verdict::Accepted);
    let time = Cell::new(Duration::ZERO);
    let spent = allocation_counter::measure(|| {
        let start = thread_time();
        let result = catch_unwind(AssertUnwindSafe(|| match decode(input) {
            Ok(value) => {
                drop(value);
                Verdict::Accepted
            }
            Err(error) => Verdict::Refused(error.to_string()),
        }));
        time.set(thread_time().saturating_sub(start));
        verdict.set(result.unwrap_or_else(|payload| Verdict::Panicked(panic_message(&*payload))));
    });
    Measure {
        verdict: verdict.into_inner(),
        peak: spent.bytes_max,
        allocations: spent.count_total,
        time: time.get(),
    }
}

/// Processor time that this thread has used: other work of the machine does not count.
#[cfg(all(unix, not(miri)))]
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Time by the clock since its first use, where the system tells no other.
#[cfg(not(all(unix, not(miri))))]
pub fn thread_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Expected of a decoder, beside the limits.
#[derive(Clone, Copy, PartialEq)]
enum Expect {
    Anything,
    Accepted,
    Refused,
}

type Decode<'a> = dyn Fn(&[u8]) -> Result<(), String> + Sync + 'a;

/// Decodes hostile input on a small thread and collects what goes beyond the [`Limits`].
///
/// Every case is checked for panics and peak allocation. [`finish`](Hostile::finish) fails the
/// test with the list of failures, and has to be called. A stack overflow ends the process at
/// once; the message names the thread, and the thread has the name of the case.
pub struct Hostile<'a> {
    decode: Box<Decode<'a>>,
    limits: Limits,
    failures: Vec<String>,
    summary: Summary,
    finished: bool,
}

/// The result of a whole [`Hostile`] run.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Number of inputs decoded.
    pub cases: u64,
    /// Number of inputs that the decoder accepted.
    pub accepted: u64,
    /// The highest share of the allowed peak allocation that an input took, 1 at the limit.
    pub highest_share: f64,
    /// The name of that input.
    pub highest_name: String,
}

impl Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} cases, {} accepted, at most {:.0} % of the allowed memory, by {}",
            self.cases,
            self.accepted,
            self.highest_share * 100.0,
            self.highest_name,
        )
    }
}

impl<'a> Hostile<'a> {
    /// A run with the default [`Limits`]. Where the decoder borrows from its input, let the
    /// closure drop the result: `|bytes| from_slice::<Value>(bytes).map(drop)`.
    pub fn new<T, E: Display>(decode: impl Fn(&[u8]) -> Result<T, E> + Sync + 'a) -> Self {
        Hostile {
            decode: Box::new(move |bytes| match decode(bytes) {
                Ok(value) => {
                    drop(value);
                    Ok(())
                }
                Err(error) => Err(error.to_string()),
            }),
            limits: Limits::default(),
            failures: Vec::new(),
            summary: Summary::default(),
            finished: false,
        }
    }

    /// The same run with other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// One input, which may be accepted or refused.
    pub fn case(&mut self, name: &str, bytes: &[u8]) {
        self.run(name, [Case::new(name, bytes)], Expect::Anything);
    }

    /// One input that must be decoded.
    pub fn accepted(&mut self, name: &str, bytes: &[u8]) {
        self.run(name, [Case::new(name, bytes)], Expect::Accepted);
    }

    /// One input that must be refused with an error.
    pub fn refused(&mut self, name: &str, bytes: &[u8]) {
        self.run(name, [Case::new(name, bytes)], Expect::Refused);
    }

    /// Many inputs, which may be accepted or refused.
    pub fn cases(&mut self, what: &str, cases: impl IntoIterator<Item = Case, IntoIter: Send>) {
        self.run(what, cases, Expect::Anything);
    }

    /// Many inputs that must be refused.
    pub fn all_refused(
        &mut self,
        what: &str,
        cases: impl IntoIterator<Item = Case, IntoIter: Send>,
    ) {
        self.run(what, cases, Expect::Refused);
    }

    /// A sample that must be accepted, every truncation of it, which must be refused, bit
    /// flips where it has at most 4 KiB, and 500 mutations.
    pub fn sample(&mut self, name: &str, sample: &[u8]) {
        self.accepted(name, sample);
        self.all_refused(name, truncations(name, sample));
        if sample.len() <= 4096 {
            self.cases(name, bit_flips(name, sample));
        }
        self.cases(name, mutations(name, sample, 1, 500));
    }

    /// `count` inputs of random bytes shorter than `end`.
    pub fn random(&mut self, seed: u64, count: usize, end: usize) {
        self.cases("random bytes", random_bytes(seed, count, end));
    }

    /// Checks that the time grows in proportion to the input. `make(n)` gives an input whose length is
    /// about in proportion to `n`. `n` starts at `size` and doubles until a run takes 1 ms or the
    /// input has 2 MiB; then the inputs of `n` and `4 n` are compared, each at its best of two runs
    /// in turn. What else the machine does may spoil some, so there are up to twenty.
    pub fn linear(&mut self, name: &str, size: usize, make: impl Fn(usize) -> Vec<u8>) {
        const ENOUGH: Duration = Duration::from_millis(1);
        let mut n = size.max(1);
        let mut short = make(n);
        while short.len() < 2 << 20 && self.best_times(name, &[&short], 3)[0] < ENOUGH {
            n *= 2;
            let longer = make(n);
            assert!(longer.len() > short.len(), "{name}: input {n} is not longer than {}", n / 2);
            short = longer;
        }
        let long = make(n * 4);
        let allowed = long.len() as f64 / short.len() as f64 * self.limits.time_slack;
        // The pages of a copy, which an allocator may have at hand for the short one, take 1 ns for each byte.
        let copied = Duration::from_nanos(2 * long.len() as u64) + Duration::from_micros(100);
        let mut times = vec![Duration::MAX; 2];
        for _ in 0..10 {
            let again = self.best_times(name, &[&short, &long], 2);
            times = times.into_iter().zip(again).map(|(best, time)| best.min(time)).collect();
            if times[1] <= times[0].mul_f64(allowed) + copied {
                return;
            }
        }
        self.failures.push(format!(
            "{name}: {} bytes took {:.2?}, but {} bytes took {:.2?}",
            short.len(),
            times[0],
            long.len(),
            times[1],
        ));
    }

    /// The shortest time of each input, over several rounds of all of them.
    fn best_times(&mut self, name: &str, inputs: &[&[u8]], rounds: usize) -> Vec<Duration> {
        let mut best = vec![Duration::MAX; inputs.len()];
        for _ in 0..rounds {
            for (best, input) in best.iter_mut().zip(inputs) {
                *best = self.run(name, [Case::new(name, *input)], Expect::Anything).min(*best);
            }
        }
        best
    }

    /// Runs the cases on one thread and gives the shortest time.
    fn run(
        &mut self,
        what: &str,
        cases: impl IntoIterator<Item = Case, IntoIter: Send>,
        expect: Expect,
    ) -> Duration {
        let (decode, limits) = (&self.decode, self.limits);
        let (failures, summary) = (&mut self.failures, &mut self.summary);
        let cases = cases.into_iter();
        on_stack(limits.stack, what, move || {
            let mut best = Duration::MAX;
            for case in cases {
                let measure = measure(&case.bytes, decode);
                best = best.min(measure.time);
                summary.cases += 1;
                summary.accepted += u64::from(measure.verdict == Verdict::Accepted);
                let allowed = limits.peak(case.bytes.len());
                let share = measure.peak as f64 / allowed as f64;
                if share > summary.highest_share {
                    summary.highest_share = share;
                    summary.highest_name.clone_from(&case.name);
                }
                let mut fail = |what: String| {
                    failures.push(format!("{}: {what} [{}]", case.name, excerpt(&case.bytes)));
                };
                // The text and the backtrace of a panic are not the decoder's memory.
                let panicked = matches!(measure.verdict, Verdict::Panicked(_));
                if measure.peak > allowed && !panicked {
                    fail(format!("peak of {} bytes, allowed {allowed}", measure.peak));
                }
                match (&measure.verdict, expect) {
                    (Verdict::Panicked(message), _) => fail(format!("panicked: {message}")),
                    (Verdict::Accepted, Expect::Refused) => fail("was accepted".to_owned()),
                    (Verdict::Refused(error), Expect::Accepted) => {
                        fail(format!("was refused: {error}"));
                    }
                    (Verdict::Refused(error), _) if error.is_empty() => {
                        fail("the error has no text".to_owned());
                    }
                    _ => {}
                }
            }
            best
        })
        .expect("the run catches panics of the decoder")
    }

    /// Ends the run.
    ///
    /// # Panics
    /// With the list of failures (the first 20 of them), if there are any.
    pub fn finish(mut self) -> Summary {
        self.finished = true;
        let count = self.failures.len();
        if count > 0 {
            self.failures.truncate(20);
            panic!("{count} failures\n{}", self.failures.join("\n"));
        }
        std::mem::take(&mut self.summary)
    }
}

impl Drop for Hostile<'_> {
    fn drop(&mut self) {
        assert!(
            self.finished || std::thread::panicking(),
            "Hostile::finish was not called, so nothing was checked"
        );
    }
}

impl fmt::Debug for Hostile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hostile({}, {} failures)", self.summary, self.failures.len())
    }
}

/// Enough of the input to find it again.
fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 64;
    match bytes.get(..SHOWN) {
        Some(head) if bytes.len() > SHOWN => format!("{}… {} bytes", to_hex(head), bytes.len()),
        _ => to_hex(bytes),
    }
}
