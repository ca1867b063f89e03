//! What the clients see: how long answers take, and who was let down.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Shared by all clients of one server.
pub(crate) struct Watch {
    start: Instant,
    time: Duration,
    /// The part that is measured: none while all connect, peace, attack.
    part: AtomicUsize,
    /// Microseconds that answers took, in peace and under attack.
    answers: [Mutex<Vec<u32>>; 2],
    faults: Mutex<Vec<String>>,
    pauses: AtomicU64,
}

impl Watch {
    pub(crate) fn new(time: Duration) -> Self {
        Watch {
            start: Instant::now(),
            time,
            part: AtomicUsize::new(usize::MAX),
            answers: Default::default(),
            faults: Mutex::new(Vec::new()),
            pauses: AtomicU64::new(0),
        }
    }

    pub(crate) fn goes_on(&self) -> bool {
        self.start.elapsed() < self.time
    }

    /// Sleeps until a part of the time is over.
    pub(crate) fn sleep_until(&self, part: f64) {
        std::thread::sleep(self.time.mul_f64(part).saturating_sub(self.start.elapsed()));
    }

    /// Sleeps, but not beyond the end.
    pub(crate) fn pause(&self, milliseconds: u64) {
        let left = self.time.saturating_sub(self.start.elapsed());
        std::thread::sleep(Duration::from_millis(milliseconds).min(left));
    }

    /// A time between two calls, of 100 to 300 ms: players do not all call at once.
    pub(crate) fn between(&self) -> Duration {
        let number = self.pauses.fetch_add(1, Ordering::Relaxed);
        Duration::from_millis(100 + number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 200)
    }

    /// From now on answers are of this part.
    pub(crate) fn measure(&self, part: usize) {
        self.part.store(part, Ordering::Relaxed);
    }

    /// An answer came to a call of that time.
    pub(crate) fn answered(&self, asked: Instant) {
        let took = u32::try_from(asked.elapsed().as_micros()).unwrap_or(u32::MAX);
        if let Some(answers) = self.answers.get(self.part.load(Ordering::Relaxed)) {
            answers.lock().unwrap_or_else(PoisonError::into_inner).push(took);
        }
    }

    /// A client that plays was let down.
    pub(crate) fn failed(&self, fault: String) {
        // After the end all connections break.
        if self.goes_on() {
            self.faults.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
        }
    }

    /// What the answers of a part took, the shortest first.
    pub(crate) fn answers(&self, part: usize) -> Vec<u32> {
        let answers = self.answers.get(part).map(|answers| answers.lock());
        let mut answers =
            answers.map_or(Vec::new(), |own| own.map(|own| own.clone()).unwrap_or_default());
        answers.sort_unstable();
        answers
    }

    /// A few of them.
    pub(crate) fn faults(&self) -> Vec<String> {
        let faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let more = faults.len().saturating_sub(5);
        let rest = (more > 0).then(|| format!("and {more} more"));
        faults.iter().take(5).cloned().chain(rest).collect()
    }
}

/// The milliseconds that a part of sorted answers took at most.
pub(crate) fn millis(answers: &[u32], part: f64) -> f64 {
    let last = answers.len().saturating_sub(1);
    f64::from(answers.get((last as f64 * part) as usize).copied().unwrap_or_default()) / 1000.0
}
