//! What the clients see: how long answers take, and who was let down.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Shared by all clients of one server.
pub(crate) struct Watch {
    start: Instant,
    time: Duration,
    is_attacked: AtomicBool,
    /// Microseconds, in peace and under attack.
    worst: [AtomicU64; 2],
    answers: AtomicUsize,
    faults: Mutex<Vec<String>>,
}

impl Watch {
    pub(crate) fn new(time: Duration) -> Self {
        Watch {
            start: Instant::now(),
            time,
            is_attacked: AtomicBool::new(false),
            worst: Default::default(),
            answers: AtomicUsize::new(0),
            faults: Mutex::new(Vec::new()),
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

    pub(crate) fn attack(&self) {
        self.is_attacked.store(true, Ordering::Relaxed);
    }

    /// An answer came to a call of that time. The first answers, while all connect, do not count.
    pub(crate) fn answered(&self, asked: Instant) {
        self.answers.fetch_add(1, Ordering::Relaxed);
        if asked.duration_since(self.start) > self.time / 6 {
            let took = u64::try_from(asked.elapsed().as_micros()).unwrap_or(u64::MAX);
            let place = usize::from(self.is_attacked.load(Ordering::Relaxed));
            self.worst[place].fetch_max(took, Ordering::Relaxed);
        }
    }

    /// A client that plays was let down.
    pub(crate) fn failed(&self, fault: String) {
        // After the end all connections break.
        if self.goes_on() {
            self.faults.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
        }
    }

    pub(crate) fn worst(&self, attacked: bool) -> Duration {
        Duration::from_micros(self.worst[usize::from(attacked)].load(Ordering::Relaxed))
    }

    pub(crate) fn answers(&self) -> usize {
        self.answers.load(Ordering::Relaxed)
    }

    /// A few of them.
    pub(crate) fn faults(&self) -> Vec<String> {
        let faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let more = faults.len().saturating_sub(5);
        let rest = (more > 0).then(|| format!("and {more} more"));
        faults.iter().take(5).cloned().chain(rest).collect()
    }
}
