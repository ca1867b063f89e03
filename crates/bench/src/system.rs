//! The system's figures of a piece of code: the time of its thread, and its allocations, at the price
//! of one relaxed load for each while nothing is counted; and what it says of another program. And
//! it keeps the allocator from disturbing the times.
//!
//! The only unsafe code of the workspace, in a package that is never published: `GlobalAlloc` is an
//! unsafe trait. The crates that hide it were tried first, on a decode of 40 000 short strings
//! (2.1 ms with the system allocator): `stats_alloc` makes it 2.7 ms and `alloc_tracker` 2.3 ms,
//! because they count all the time, which would push the rows of different formats together;
//! `allocation-counter` forwards no `realloc`, so a growing vector is copied each time.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use crate::Outcome;

/// The allocations of a piece of code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls that asked for memory; a vector that grows counts once for each step.
    pub allocations: u64,
    /// Bytes asked for; growing counts the difference.
    pub bytes: u64,
}

static COUNTING: AtomicBool = AtomicBool::new(false);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

/// Runs `op` and counts what it allocates. What `op` returns is dropped by the caller, after the
/// count. Counts are of the whole process, so nothing else may run meanwhile; nothing here does.
pub fn count<R>(op: impl FnOnce() -> R) -> (R, Counts) {
    ALLOCATIONS.store(0, Relaxed);
    BYTES.store(0, Relaxed);
    COUNTING.store(true, Relaxed);
    let result = op();
    COUNTING.store(false, Relaxed);
    let counts = Counts { allocations: ALLOCATIONS.load(Relaxed), bytes: BYTES.load(Relaxed) };
    (result, counts)
}

/// Makes the allocator keep what is freed for the next run, in the place of giving it back.
///
/// glibc maps large blocks from the system and unmaps them when they are freed; each run then
/// takes its pages one by one again, at 0.4 ms a megabyte, ten times what a copy costs.
/// Whether that happens depends on the size and on what was freed before, so it would decide the
/// order of rows. Other allocators are left as they are.
pub fn keep_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: sets two parameters of the allocator; no other thread is running that could read
    // them. Both are hints: if they were refused, only the times would be less steady.
    unsafe {
        libc::mallopt(libc::M_MMAP_MAX, 0);
        libc::mallopt(libc::M_TRIM_THRESHOLD, i32::MAX);
    }
}

/// The time that the processor has spent in this thread; elsewhere than on Unix, that which has passed.
pub fn thread_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        START.elapsed()
    }
}

/// The resources of another program, with the programs that it ran.
#[derive(Debug, Clone, Copy)]
pub struct Used {
    /// The time of the processor.
    pub time: Duration,
    /// The most memory at one time. The system counts this program's too, so it must be small.
    pub bytes: u64,
}

/// Runs another program without its output; `None` if it ends with a code above the one that is given.
#[cfg(unix)]
pub fn run(command: &mut Command, most: i32) -> Outcome<Option<Used>> {
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let (mut status, id) = (0, i32::try_from(child.id())?);
    // SAFETY: a structure of numbers, for which zeros are good.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both places are valid for the call, and nothing else waits for this program.
    if unsafe { libc::wait4(id, &mut status, 0, &mut usage) } != id {
        return Err(std::io::Error::last_os_error().into());
    }
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec.unsigned_abs())
            + Duration::from_micros(time.tv_usec.unsigned_abs())
    };
    let time = time(usage.ru_utime) + time(usage.ru_stime);
    let is_good = libc::WIFEXITED(status) && libc::WEXITSTATUS(status) <= most;
    Ok(is_good.then_some(Used { time, bytes: usage.ru_maxrss.unsigned_abs() * 1024 }))
}

fn taken(before: usize, after: usize) {
    ALLOCATIONS.fetch_add(1, Relaxed);
    BYTES.fetch_add(after.saturating_sub(before) as u64, Relaxed);
}

struct Counting;

#[global_allocator]
static GLOBAL: Counting = Counting;

// SAFETY: every call is passed to `System` with its arguments unchanged, and `System` keeps the
// contract of the trait; the counters touch no memory but their own.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if COUNTING.load(Relaxed) {
            taken(0, layout.size());
        }
        // SAFETY: the caller's promise about `layout` is the one that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if COUNTING.load(Relaxed) {
            taken(0, layout.size());
        }
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if COUNTING.load(Relaxed) {
            taken(layout.size(), size);
        }
        // SAFETY: `block` came from `System` through this allocator, with this `layout`.
        unsafe { System.realloc(block, layout, size) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as in `realloc`.
        unsafe { System.dealloc(block, layout) }
    }
}
